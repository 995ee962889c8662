package bucket

import (
	"context"
	"iter"

	"github.com/planwright/planwright/shared/errs"
)

// Keeper is a bucket of objects that are kept for a while.
type Keeper interface {
	Bucket
	// Remove removes one generation of an object that Create wrote. One that is
	// gone is success. Who reads it may go on or fail.
	Remove(ctx context.Context, name string, generation int64) error
	// Written goes through the live objects that Create wrote and whose names begin
	// so, in no order. An object that comes or goes meanwhile may be missed. The
	// first error ends the sequence.
	Written(ctx context.Context, prefix string) iter.Seq2[Object, error]
}

// Copier is a bucket that copies an object of a bucket of its own kind.
type Copier interface {
	// CopyFrom makes an object that must not exist yet of a generation of another
	// bucket's object. Conflict: the name is taken, and the object that is there is
	// returned. NotFound: the generation is gone.
	CopyFrom(ctx context.Context, name string, options CreateOptions, from Object) (Object, error)
}

// Copy makes an object that must not exist yet in one bucket of an object of
// another: where both lie by the same service, without its bytes passing through
// this process. Errors are those of CopyFrom.
func Copy(ctx context.Context, to Bucket, name string, options CreateOptions, from Bucket, object Object) (Object, error) {
	copier, can := to.(Copier)
	if _, same := from.(Copier); can && same {
		return copier.CopyFrom(ctx, name, options, object)
	}
	in, _, err := from.Open(ctx, object.Name, object.Generation)
	if err != nil {
		return Object{}, err
	}
	defer in.Close()
	made, err := write(ctx, to, name, options, in, Upload.Commit)
	if err == nil && (made.Size != object.Size || made.CRC32C != object.CRC32C) {
		return made, errs.New(errs.Internal, "%s was copied with other bytes than %s has.", name, object.Name)
	}
	return made, err
}
