package folder

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"

	"github.com/planwright/planwright/shared/bucket"
)

// List implements bucket.Lister: what was put there from outside are the
// copies that Ingest took.
func (b *Bucket) List(ctx context.Context) iter.Seq2[bucket.Object, error] {
	return b.list(ctx, drops, func(_ *record, err error) (bool, error) {
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil // being copied, or gone since
		}
		return true, err
	})
}

// list yields what is wanted of a shelf, by each entry's record or why there is none.
func (b *Bucket) list(ctx context.Context, s shelf, wanted func(*record, error) (bool, error)) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		for e, err := range b.all(ctx, s, "data") {
			var rec *record
			is := false
			if err == nil {
				rec, err = e.load()
				is, err = wanted(rec, err)
			}
			if err != nil {
				yield(bucket.Object{}, translate(err, "The objects in %s cannot be listed", b.name))
				return
			}
			if is && !yield(rec.object(b.name), nil) {
				return
			}
		}
	}
}

// all goes through the entries of a shelf that have a file with an extension, those of
// one name oldest first. The first error ends it.
func (b *Bucket) all(ctx context.Context, s shelf, with string) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		names, err := fs.ReadDir(b.root.Load().FS(), string(s))
		if err != nil {
			yield(entry{}, err)
			return
		}
		for _, name := range names {
			entries, err := b.entries(path.Join(string(s), name.Name()), with)
			if err != nil {
				yield(entry{}, err)
				return
			}
			for _, e := range entries {
				if err := bucket.InTime(ctx, b.name); !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}
