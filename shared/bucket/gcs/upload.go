package gcs

import (
	"context"
	"maps"

	"cloud.google.com/go/storage"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// upload is an object on its way. Once the back end has said that the name is
// taken, there holds the object, and further bytes are counted but not sent:
// the caller learns at Commit, with the whole checksum in hand, whether they are the same.
type upload struct {
	b      *Bucket
	name   string
	call   call
	writer *storage.Writer
	digest bucket.Digest
	there  *bucket.Object
	opened bool // the writer has been used, so somebody may be sending
	ended  bool
}

func newUpload(ctx context.Context, b *Bucket, name string, options bucket.CreateOptions) *upload {
	u := &upload{b: b, name: name, call: newCall(ctx, b.callTimeout)}
	// DoesNotExist, for GenerationMatch: 0 has no effect.
	u.writer = b.handle.Object(name).If(storage.Conditions{DoesNotExist: true}).NewWriter(u.call.ctx)
	u.writer.ChunkSize = b.chunkSize
	// A chunk on a connection that has died is sent again on another.
	u.writer.ChunkTransferTimeout = b.callTimeout / 3
	u.writer.ContentType = options.ContentType
	u.writer.Metadata = maps.Clone(options.Metadata)
	return u
}

func (u *upload) Write(p []byte) (n int, err error) {
	if u.ended {
		return 0, errs.New(errs.Internal, "%s was written to after its upload had ended.", u.name)
	}
	if err := bucket.InTime(u.call.ctx, u.name); err != nil {
		return 0, err
	}
	if u.there == nil {
		u.opened = true
		err = u.call.within(func() error {
			n, err = u.writer.Write(p)
			return err
		})
		if err != nil {
			err = u.explain(err)
		}
		if err != nil {
			u.digest.Write(p[:n])
			return n, err
		}
	}
	return u.digest.Write(p)
}

func (u *upload) Sum() (size int64, crc32c uint32) { return u.digest.Sum() }

// Abandon implements bucket.Upload. It returns once nothing can become visible any more.
func (u *upload) Abandon() {
	u.ended = true
	u.call.cancel()
	if u.opened {
		u.writer.Close() // waits for the sender, who fails now that its context has ended
	}
}

func (u *upload) Commit() (bucket.Object, error) {
	if u.ended {
		return bucket.Object{}, errs.New(errs.Internal,
			"%s was committed after its upload had ended.", u.name)
	}
	defer u.Abandon()
	if u.there == nil {
		err := u.call.within(u.writer.Close)
		if err == nil {
			return u.committed()
		}
		if err := u.explain(err); err != nil {
			return bucket.Object{}, err
		}
	}
	return *u.there, errs.New(errs.Conflict, "%s exists already in %s.", u.name, u.b.name)
}

// committed compares what the back end stored with what was streamed.
func (u *upload) committed() (bucket.Object, error) {
	stored := object(u.writer.Attrs())
	if !u.digest.Matches(stored) {
		return stored, errs.New(errs.Internal, "%s was stored with %d bytes and CRC32C %08x, but %d bytes and %08x were sent: it was damaged on its way.",
			u.name, stored.Size, stored.CRC32C, u.digest.Size, u.digest.CRC32C)
	}
	return stored, nil
}

// explain says what a failed write means: nil where the name is taken, after
// which there holds the object. A name that exists answers 412, and 403 to
// those who may create but not replace. A session that is gone answers 404 or
// 410, also after a last chunk whose first answer was lost. What it was is told
// by looking, and as long as looking fails nothing is known.
func (u *upload) explain(err error) error {
	if hasStatus(err, 412, 403, 404, 410) {
		there, lookErr := u.b.Stat(u.call.ctx, u.name)
		switch errs.KindOf(lookErr) {
		case "":
			u.there = &there
			return nil
		case errs.NotFound, errs.Denied: // the write's own answer stands
		default:
			return lookErr
		}
	}
	return u.b.translate(err, "%s could not be written", u.name)
}
