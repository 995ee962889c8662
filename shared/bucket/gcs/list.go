package gcs

import (
	"context"
	"iter"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"

	"github.com/planwright/planwright/shared/bucket"
)

// List implements bucket.Store.
func (b *Bucket) List(ctx context.Context, from string) iter.Seq2[bucket.Object, error] {
	which := &storage.Query{Versions: true, StartOffset: from}
	return func(yield func(bucket.Object, error) bool) {
		call := newCall(ctx, b.callTimeout)
		defer call.cancel()
		objects := b.handle.Objects(call.ctx, which)
		for {
			var attrs *storage.ObjectAttrs
			err := call.within(func() (err error) { attrs, err = objects.Next(); return err })
			switch {
			case err == iterator.Done:
				return
			case err != nil:
				yield(bucket.Object{}, b.translate(err, "The objects could not be listed"))
				return
			case !yield(object(attrs), nil):
				return
			}
		}
	}
}
