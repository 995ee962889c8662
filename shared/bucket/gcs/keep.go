package gcs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"google.golang.org/api/option"
	transport "google.golang.org/api/transport/http"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

var _ bucket.Store = (*Bucket)(nil)

// Remove implements bucket.Store.
func (b *Bucket) Remove(ctx context.Context, name string, generation int64) error {
	if err := bucket.Admit(ctx, name); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, b.callTimeout)
	defer cancel()
	err := b.handle.Object(name).Generation(generation).Delete(ctx)
	if err == nil || errors.Is(err, storage.ErrObjectNotExist) {
		return nil
	}
	return b.translate(err, "%s could not be removed", name)
}

// Copy implements bucket.Store.
func (b *Bucket) Copy(
	ctx context.Context, name string, options bucket.CreateOptions, in bucket.Bucket, from bucket.Object,
) (bucket.Object, error) {
	if _, same := in.(interface{ inCloudStorage() }); !same {
		return bucket.CopyBytes(ctx, b, name, options, in, from)
	}
	if err := bucket.Admit(ctx, name); err != nil {
		return bucket.Object{}, err
	}
	if there, err := b.Stat(ctx, name); err == nil {
		return there, errs.New(errs.Conflict, "%s exists already in %s.", name, b.name)
	}
	source := b.client.Bucket(from.Bucket).Object(from.Name).Generation(from.Generation)
	copier := b.handle.Object(name).If(storage.Conditions{DoesNotExist: true}).CopierFrom(source)
	copier.ContentType, copier.Metadata = options.ContentType, maps.Clone(options.Metadata)
	call := newCall(ctx, b.callTimeout)
	defer call.cancel()
	var attrs *storage.ObjectAttrs
	err := call.within(func() (err error) { attrs, err = copier.Run(call.ctx); return err })
	if err == nil {
		made := object(attrs)
		if made.Size != from.Size || made.CRC32C != from.CRC32C {
			return made, errs.New(errs.Internal,
				"%s was copied with other bytes than %s has.", name, from.Name)
		}
		return made, nil
	}
	// those who may only create may not look
	if hasStatus(err, http.StatusPreconditionFailed, http.StatusForbidden) {
		if there, lookErr := b.Stat(ctx, name); lookErr == nil ||
			hasStatus(err, http.StatusPreconditionFailed) {
			return there, errs.New(errs.Conflict, "%s exists already in %s.", name, b.name)
		}
	}
	return bucket.Object{}, b.translate(err, "%s could not be copied", name)
}

// inCloudStorage marks the buckets from which Copy takes objects without reading them.
func (b *Bucket) inCloudStorage() {}

// Receiver opens uploads for others. Cloud Storage's own client has no call for that.
type Receiver struct {
	*Bucket
	http *http.Client
	base string // of the service
}

// NewReceiver returns the bucket as one that takes objects from others. It uses the
// credentials of its surroundings, or the server that STORAGE_EMULATOR_HOST names
// and none.
func NewReceiver(ctx context.Context, b *Bucket) (*Receiver, error) {
	if os.Getenv(emulatorVariable) != "" {
		return &Receiver{b, http.DefaultClient, Address()}, nil
	}
	client, _, err := transport.NewClient(ctx, option.WithScopes(storage.ScopeReadWrite))
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err,
			"The Cloud Storage client cannot be built. Check the credentials of this environment.")
	}
	return &Receiver{b, client, Address()}, nil
}

const emulatorVariable = "STORAGE_EMULATOR_HOST"

// Address is where Cloud Storage is: at the server that STORAGE_EMULATOR_HOST names,
// or else Google's.
func Address() string {
	host := cmp.Or(os.Getenv(emulatorVariable), "https://storage.googleapis.com")
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	return strings.TrimSuffix(host, "/")
}

// Receive opens an upload of so many bytes of an object that must not exist yet, and
// returns the address to which they are sent as
// https://cloud.google.com/storage/docs/performing-resumable-uploads says. Who has the
// address needs no other right. A page of origin may send them; "": none may.
func (r *Receiver) Receive(
	ctx context.Context, name string, options bucket.CreateOptions, size int64, origin string,
) (string, error) {
	if err := bucket.Admit(ctx, name); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, r.callTimeout)
	defer cancel()
	described, err := json.Marshal(map[string]any{
		"name":        name,
		"contentType": options.ContentType,
		"metadata":    options.Metadata,
	})
	if err != nil {
		return "", err
	}
	query := url.Values{"uploadType": {"resumable"}, "name": {name}, "ifGenerationMatch": {"0"}}
	request, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		r.base+"/upload/storage/v1/b/"+url.PathEscape(r.name)+"/o?"+query.Encode(),
		bytes.NewReader(described),
	)
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json; charset=UTF-8")
	request.Header.Set("X-Upload-Content-Type", options.ContentType)
	request.Header.Set("X-Upload-Content-Length", strconv.FormatInt(size, 10))
	if origin != "" {
		request.Header.Set("Origin", origin)
	}
	answer, err := r.http.Do(request)
	if err != nil {
		return "", errs.Wrap(errs.Unavailable, err,
			"Cloud Storage did not open an upload to %s. Try again.", r.name)
	}
	defer answer.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	if address := answer.Header.Get("Location"); answer.StatusCode == http.StatusOK && address != "" {
		return address, nil
	}
	kind := errs.Internal
	switch {
	case answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized:
		kind = errs.Denied
	case answer.StatusCode == http.StatusTooManyRequests ||
		answer.StatusCode >= http.StatusInternalServerError:
		kind = errs.Unavailable
	}
	return "", errs.Wrap(kind, errs.New(kind, "%d: %s", answer.StatusCode, said),
		"Cloud Storage did not open an upload to %s.", r.name)
}
