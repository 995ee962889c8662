package gcs_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"cloud.google.com/go/storage"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/buckettest"
	"github.com/planwright/planwright/shared/bucket/gcs"
)

const emulatorHost = "STORAGE_EMULATOR_HOST"

func TestMain(m *testing.M) {
	// The address is the bucket's name; the server's is inherited.
	buckettest.Main(m, func(address string) (bucket.Bucket, error) {
		client, err := gcs.NewClient(context.Background())
		if err != nil {
			return nil, err
		}
		return gcs.NewWith(client, address, gcs.Options{}), nil
	})
}

func TestBucket(t *testing.T) {
	for _, test := range []struct {
		name    string
		options gcs.Options
	}{
		{"sent at once", gcs.Options{}},
		{"sent in chunks", gcs.Options{ChunkSize: 256 << 10}},
	} {
		t.Run(test.name, func(t *testing.T) {
			buckettest.Run(t, func(t *testing.T) buckettest.Subject { return subject(t, test.options) })
		})
	}
}

// subject is a versioned bucket on a server of its own, which the client finds
// as it would an emulator.
func subject(t *testing.T, options gcs.Options) buckettest.Subject {
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{Scheme: "http", Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "box", VersioningEnabled: true})
	t.Setenv(emulatorHost, strings.TrimPrefix(server.URL(), "http://"))
	damage := &damager{}
	client := newClient(t, damage)
	return buckettest.Subject{
		Bucket: gcs.NewWith(client, "box", options), Address: "box", Large: 3 << 20,
		Contents: func(t *testing.T) []string { return contents(t, client) },
		Damage:   func(*testing.T, bucket.Object) { damage.on.Store(true) },
		Put: func(t *testing.T, name string, data []byte, metadata map[string]string) bucket.Object {
			t.Helper()
			return put(t, client, name, data, metadata)
		},
	}
}

func newClient(t *testing.T, transport http.RoundTripper) *storage.Client {
	t.Helper()
	client, err := gcs.NewClient(t.Context(), option.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// put uploads as any other program would, without a precondition.
func put(t *testing.T, client *storage.Client, name string, data []byte, metadata map[string]string) bucket.Object {
	t.Helper()
	w := client.Bucket("box").Object(name).NewWriter(t.Context())
	w.Metadata = metadata
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	attrs := w.Attrs()
	return bucket.Object{
		Bucket: "box", Name: name, Generation: attrs.Generation, Size: int64(len(data)), CRC32C: attrs.CRC32C,
		ContentType: attrs.ContentType, Metadata: metadata, CreatedAt: attrs.Created,
	}
}

func contents(t *testing.T, client *storage.Client) []string {
	t.Helper()
	var names []string
	for objects := client.Bucket("box").Objects(t.Context(), nil); ; {
		attrs, err := objects.Next()
		if errors.Is(err, iterator.Done) {
			slices.Sort(names)
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, attrs.Name)
	}
}

// damager changes one byte of every download once it is on.
type damager struct{ on atomic.Bool }

func (d *damager) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && response.StatusCode == 500 && kindOf(r) == toCompose {
		// A part is gone, and the server has another answer to that than Cloud
		// Storage, which the client takes for one to ask again after.
		response.Body.Close()
		return answer(404)
	}
	if err == nil && d.on.Load() && r.URL.Query().Get("alt") == "media" {
		response.Body = &damagedBody{ReadCloser: response.Body}
	}
	return response, err
}

type damagedBody struct {
	io.ReadCloser
	done bool
}

func (d *damagedBody) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	if n > 0 && !d.done {
		p[0] ^= 1
		d.done = true
	}
	return n, err
}
