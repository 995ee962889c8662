package bucket

import (
	"context"
	"io"

	"github.com/planwright/planwright/shared/errs"
)

// Put creates an object of what content holds, as Publish does.
func Put(
	ctx context.Context, b Bucket, name string, options CreateOptions, content io.Reader,
) (Object, error) {
	return write(ctx, b, name, options, content, Publish)
}

// write creates an object of what content holds, by committing an upload of it.
func write(
	ctx context.Context, b Bucket, name string, options CreateOptions, content io.Reader,
	commit func(Upload) (Object, error),
) (Object, error) {
	upload, err := b.Create(ctx, name, options)
	if err != nil {
		return Object{}, err
	}
	defer upload.Abandon()
	if _, err := io.Copy(upload, content); err != nil {
		return Object{}, err
	}
	return commit(upload)
}

// Publish commits an upload whose bytes are the same from every writer. A
// name that already holds as many bytes with the same CRC32C is success, and
// the object that is there is returned: an earlier attempt, or a commit whose
// answer was lost, has put it there. A name that holds other bytes stays
// Conflict, with that object.
func Publish(upload Upload) (Object, error) {
	var streamed Digest
	streamed.Size, streamed.CRC32C = upload.Sum()
	object, err := upload.Commit()
	if errs.KindOf(err) == errs.Conflict && streamed.Matches(object) {
		return object, nil
	}
	return object, err
}

// OpenLive opens the live generation of an object. NotFound: there is no such object.
func OpenLive(ctx context.Context, b Bucket, name string) (io.ReadCloser, Object, error) {
	object, err := b.Stat(ctx, name)
	if err != nil {
		return nil, Object{}, err
	}
	return b.Open(ctx, name, object.Generation)
}

// ReadLive reads it, and no more than so many bytes.
func ReadLive(ctx context.Context, b Bucket, name string, most int64) ([]byte, error) {
	in, _, err := OpenLive(ctx, b, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, most))
}
