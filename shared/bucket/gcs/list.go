package gcs

import (
	"context"
	"iter"

	"cloud.google.com/go/storage"
	"google.golang.org/api/iterator"

	"github.com/planwright/planwright/shared/bucket"
)

var _ bucket.OrderedLister = (*Bucket)(nil)

func (b *Bucket) List(ctx context.Context) iter.Seq2[bucket.Object, error] {
	return b.ListFrom(ctx, "")
}

// ListFrom implements bucket.OrderedLister.
func (b *Bucket) ListFrom(ctx context.Context, from string) iter.Seq2[bucket.Object, error] {
	return b.list(ctx, &storage.Query{Versions: true, StartOffset: from})
}

func (b *Bucket) list(ctx context.Context, which *storage.Query) iter.Seq2[bucket.Object, error] {
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
