package bucket

import (
	"context"
	"io"
	"iter"
	"strings"

	"github.com/planwright/planwright/shared/errs"
)

// Store is a bucket whose objects can be listed, removed and copied.
type Store interface {
	Bucket
	// List goes through the objects from a name on, in the order of names: every generation
	// that was put there from outside and that Open can read, and the live objects that
	// Create wrote. An object that comes or goes meanwhile may be missed. The first error
	// ends the sequence.
	List(ctx context.Context, from string) iter.Seq2[Object, error]
	// Remove removes one generation of an object that Create wrote. One that is
	// gone is success. Who reads it may go on or fail.
	Remove(ctx context.Context, name string, generation int64) error
	// Copy makes an object that must not exist yet of a generation in another bucket:
	// where both lie by the same service, without its bytes passing through this process.
	// Conflict: the name is taken, and the object that is there is returned. NotFound: the
	// generation is gone.
	Copy(ctx context.Context, name string, options CreateOptions, from Bucket, object Object) (Object, error)
}

// Under lists the objects whose names begin so.
func Under(ctx context.Context, store Store, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for object, err := range store.List(ctx, prefix) {
			if err == nil && !strings.HasPrefix(object.Name, prefix) {
				return
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

// Copy copies an object into a bucket, as that does where it is a Store.
func Copy(
	ctx context.Context, to Bucket, name string, options CreateOptions, from Bucket, object Object,
) (Object, error) {
	if store, is := to.(Store); is {
		return store.Copy(ctx, name, options, from, object)
	}
	return CopyBytes(ctx, to, name, options, from, object)
}

// CopyBytes is Copy for buckets that have no better way: it reads the object and writes it.
func CopyBytes(
	ctx context.Context, to Bucket, name string, options CreateOptions, from Bucket, object Object,
) (Object, error) {
	in, _, err := from.Open(ctx, object.Name, object.Generation)
	if err != nil {
		return Object{}, err
	}
	defer in.Close()
	made, err := write(ctx, to, name, options, io.Reader(in), Upload.Commit)
	if err == nil && (made.Size != object.Size || made.CRC32C != object.CRC32C) {
		return made, errs.New(errs.Internal, "%s was copied with other bytes than %s has.", name, object.Name)
	}
	return made, err
}
