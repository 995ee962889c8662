// Package gcs is the bucket in Cloud Storage.
//
// Writes carry the precondition that the name does not exist, which also makes
// the client repeat them safely, and stay open until Commit: until the last
// byte is confirmed nothing is visible. A read names its generation, so in a
// versioned bucket it outlives an overwriting.
//
// No call waits for ever: whatever the caller's context allows, looking up,
// opening, one read, one write and a commit each end after CallTimeout. The
// client repeats what a back end asks to be repeated until then.
package gcs

import (
	"context"
	"io"
	"time"

	"cloud.google.com/go/storage"
	"google.golang.org/api/option"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// callTimeout bounds every single call, repetitions included.
const callTimeout = time.Minute

// chunkSize is how many bytes each open upload holds in memory and sends at once.
// The next chunk waits until the one before is confirmed, some 100 ms: at 4 MiB
// that alone bounds an upload at 40 MB/s, at 16 MiB at 160. An execution has
// two uploads open, so it holds 32 MiB of chunks. Size 0 would switch off repetition
// and could leave bytes behind whose checksum is wrong.
const chunkSize = 16 << 20

// Bucket is a bucket of Cloud Storage. It is safe for concurrent use.
type Bucket struct {
	name        string
	client      *storage.Client
	handle      *storage.BucketHandle
	callTimeout time.Duration
	chunkSize   int
}

var _ bucket.Bucket = (*Bucket)(nil)

// NewClient returns a client for New. It uses the credentials of its
// surroundings, or the server that STORAGE_EMULATOR_HOST names and none.
func NewClient(ctx context.Context, options ...option.ClientOption) (*storage.Client, error) {
	// Servers that stand in for Cloud Storage answer XML reads only under a
	// host name of their choosing.
	client, err := storage.NewClient(ctx,
		append([]option.ClientOption{storage.WithJSONReads()}, options...)...)
	if err != nil {
		return nil, errs.Wrap(errs.Unavailable, err,
			"The Cloud Storage client cannot be built. Check the credentials of this environment.")
	}
	return client, nil
}

// New returns the bucket of that name. It calls nobody.
func New(client *storage.Client, name string) *Bucket {
	return &Bucket{
		name:        name,
		client:      client,
		handle:      client.Bucket(name),
		callTimeout: callTimeout,
		chunkSize:   chunkSize,
	}
}

func (b *Bucket) Name() string { return b.name }

func (b *Bucket) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if err := bucket.Admit(ctx, name); err != nil {
		return bucket.Object{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.callTimeout)
	defer cancel()
	attrs, err := b.handle.Object(name).Attrs(ctx)
	if err != nil {
		return bucket.Object{}, b.translate(err, "%s could not be looked up", name)
	}
	return object(attrs), nil
}

// Open implements bucket.Bucket. An object with a content encoding is Invalid:
// on the way it would become other bytes than its checksum speaks of. It is described
// all the same.
func (b *Bucket) Open(
	ctx context.Context, name string, generation int64,
) (io.ReadCloser, bucket.Object, error) {
	if err := bucket.Admit(ctx, name); err != nil {
		return nil, bucket.Object{}, err
	}
	if generation <= 0 {
		return nil, bucket.Object{}, errs.New(errs.NotFound,
			"%s has no generation %d in %s.", name, generation, b.name)
	}
	handle := b.handle.Object(name).Generation(generation)
	call := newCall(ctx, b.callTimeout)
	var attrs *storage.ObjectAttrs
	var source *storage.Reader
	err := call.within(func() (err error) {
		if attrs, err = handle.Attrs(call.ctx); err == nil && attrs.ContentEncoding == "" {
			source, err = handle.NewReader(call.ctx)
		}
		return err
	})
	switch {
	case err != nil:
		err = b.translate(err, "Generation %d of %s could not be opened", generation, name)
	case source == nil:
		call.cancel()
		return nil, object(attrs), errs.New(errs.Invalid, "%s was uploaded with the content encoding %q. Upload it again without it: gsutil cp without -z and -Z, gcloud storage cp without --gzip-local and --gzip-local-all.", name, attrs.ContentEncoding)
	}
	if err != nil {
		call.cancel()
		return nil, bucket.Object{}, err
	}
	return bucket.Verify(
		&reader{b: b, name: name, call: call, source: source}, object(attrs),
	), object(attrs), nil
}

func (b *Bucket) OpenRange(
	ctx context.Context, name string, generation, from, length int64,
) (io.ReadCloser, error) {
	if err := bucket.Admit(ctx, name); err != nil {
		return nil, err
	}
	call := newCall(ctx, b.callTimeout)
	var source *storage.Reader
	err := call.within(func() (err error) {
		source, err = b.handle.Object(name).Generation(generation).NewRangeReader(call.ctx, from, length)
		return err
	})
	if err != nil {
		call.cancel()
		return nil, b.translate(err, "Generation %d of %s could not be opened", generation, name)
	}
	return &reader{b: b, name: name, call: call, source: source}, nil
}

// Create implements bucket.Bucket. It calls nobody: a bucket that is missing
// or closed to us is met by Write or Commit.
func (b *Bucket) Create(
	ctx context.Context, name string, options bucket.CreateOptions,
) (bucket.Upload, error) {
	if err := bucket.Admit(ctx, name); err != nil {
		return nil, err
	}
	return newUpload(ctx, b, name, options), nil
}

func object(attrs *storage.ObjectAttrs) bucket.Object {
	return bucket.Object{
		Bucket:      attrs.Bucket,
		Name:        attrs.Name,
		Generation:  attrs.Generation,
		Size:        attrs.Size,
		CRC32C:      attrs.CRC32C,
		ContentType: attrs.ContentType,
		Metadata:    attrs.Metadata,
		CreatedAt:   attrs.Created.UTC(),
	}
}

// call is a conversation of several calls, such as a read stream, under one
// context that ends when any of them takes too long.
type call struct {
	ctx    context.Context
	cancel context.CancelFunc
	limit  time.Duration
}

func newCall(ctx context.Context, limit time.Duration) call {
	ctx, cancel := context.WithCancel(ctx)
	return call{ctx, cancel, limit}
}

func (c call) within(run func() error) error {
	timer := time.AfterFunc(c.limit, c.cancel)
	defer timer.Stop()
	return run()
}

// reader reads a generation as long as every read ends in time.
type reader struct {
	b      *Bucket
	name   string
	call   call
	source *storage.Reader
}

func (r *reader) Read(p []byte) (n int, err error) {
	if err := bucket.InTime(r.call.ctx, r.name); err != nil {
		return 0, err
	}
	err = r.call.within(func() error {
		n, err = r.source.Read(p)
		return err
	})
	if err != nil && err != io.EOF {
		err = r.b.translate(err, "%s could not be read to its end", r.name)
	}
	return n, err
}

func (r *reader) Close() error {
	defer r.call.cancel()
	return r.source.Close()
}
