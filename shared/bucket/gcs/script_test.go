package gcs_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cloud.google.com/go/storage"
	"github.com/googleapis/gax-go/v2"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
)

// script stands between the client and a real server. Its play sees every
// request, may send it on and may say something else than the server did.
type script struct {
	mu       sync.Mutex
	play     func(r *http.Request, send func() (*http.Response, error)) (*http.Response, error)
	requests []string
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.requests = append(s.requests, kindOf(r))
	play := s.play
	s.mu.Unlock()
	send := func() (*http.Response, error) { return http.DefaultTransport.RoundTrip(r) }
	if play == nil {
		return send()
	}
	return play(r, send)
}

// set begins a new play and forgets the requests of the last.
func (s *script) set(play func(*http.Request, func() (*http.Response, error)) (*http.Response, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.play, s.requests = play, nil
}

func (s *script) count(kind string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.requests {
		if request == kind {
			n++
		}
	}
	return n
}

const (
	toStat    = "stat"
	toRead    = "read"
	toUpload  = "upload" // an object at once, or the beginning of one in chunks
	toChunk   = "chunk"
	toCompose = "compose"
)

func kindOf(r *http.Request) string {
	switch {
	case strings.HasSuffix(r.URL.Path, "/compose"):
		return toCompose
	case r.URL.Query().Has("upload_id"):
		return toChunk
	case r.Method == http.MethodPost:
		return toUpload
	case r.URL.Query().Get("alt") == "media":
		return toRead
	default:
		return toStat
	}
}

// on plays for one kind of request and leaves the others alone.
func on(kind string, play func(n int, r *http.Request, send func() (*http.Response, error)) (*http.Response, error)) func(*http.Request, func() (*http.Response, error)) (*http.Response, error) {
	var mu sync.Mutex
	n := 0
	return func(r *http.Request, send func() (*http.Response, error)) (*http.Response, error) {
		if kindOf(r) != kind {
			return send()
		}
		mu.Lock()
		n++
		turn := n
		mu.Unlock()
		return play(turn, r, send)
	}
}

func answer(status int) (*http.Response, error) {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(fmt.Sprintf(`{"error": {"code": %d, "message": "scripted"}}`, status))),
	}, nil
}

// drain reads what the client wants to send, as a server would before it
// refuses.
func drain(r *http.Request) {
	if r.Body != nil {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
}

func hang(r *http.Request) (*http.Response, error) {
	drain(r)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// lose lets the server act and loses its answer.
func lose(send func() (*http.Response, error)) (*http.Response, error) {
	response, err := send()
	if err != nil {
		return nil, err
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return nil, fmt.Errorf("read: %w", syscall.ECONNRESET)
}

const chunk = 256 << 10

// scripted is the suite's subject with a script in between, impatient.
func scripted(t *testing.T, options gcs.Options) (*gcs.Bucket, *script, func(name, text string) bucket.Object) {
	t.Helper()
	s := subject(t, gcs.Options{})
	played := &script{}
	client := impatient(t, played)
	put := func(name, text string) bucket.Object { return s.Put(t, name, []byte(text), nil) }
	return gcs.NewWith(client, "box", options), played, put
}

// impatient is a client that hardly waits between tries.
func impatient(t *testing.T, transport http.RoundTripper) *storage.Client {
	t.Helper()
	client := newClient(t, transport)
	client.SetRetry(storage.WithBackoff(gax.Backoff{Initial: time.Millisecond, Max: time.Millisecond}))
	return client
}

func write(ctx context.Context, b *gcs.Bucket, name, text string) (bucket.Object, error) {
	upload, err := b.Create(ctx, name, bucket.CreateOptions{})
	if err != nil {
		return bucket.Object{}, err
	}
	defer upload.Abandon()
	if _, err := io.WriteString(upload, text); err != nil {
		return bucket.Object{}, err
	}
	return bucket.Publish(upload)
}

func readAll(b *gcs.Bucket, object bucket.Object) (string, error) {
	r, _, err := b.Open(context.Background(), object.Name, object.Generation)
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), err
}

func wantKind(t *testing.T, what string, err error, want errs.Kind) {
	t.Helper()
	if errs.KindOf(err) != want {
		t.Errorf("%s: %v, want kind %q", what, err, want)
	}
	if err != nil && strings.Contains(errs.Message(err), "scripted") {
		t.Errorf("%s: the message repeats the back end: %s", what, errs.Message(err))
	}
}

var (
	small = strings.Repeat("sku,price\n", 10)
	big   = strings.Repeat("sku,price\n", 60_000) // more than two chunks
)
