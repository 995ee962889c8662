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
	return func(yield func(bucket.Object, error) bool) {
		names, err := fs.ReadDir(b.root.Load().FS(), string(drops))
		if err != nil {
			yield(bucket.Object{}, translate(err, "The copies in %s cannot be listed", b.name))
			return
		}
		for _, name := range names {
			if !b.listName(ctx, path.Join(string(drops), name.Name()), yield) {
				return
			}
		}
	}
}

// listName yields the generations of one name, and reports whether to go on.
func (b *Bucket) listName(ctx context.Context, dir string, yield func(bucket.Object, error) bool) bool {
	entries, err := b.entries(dir, "data")
	if err != nil {
		return yield(bucket.Object{}, translate(err, "The copies in %s cannot be listed", b.name)) && false
	}
	for _, e := range entries {
		if err := bucket.InTime(ctx, b.name); err != nil {
			return yield(bucket.Object{}, err) && false
		}
		rec, err := e.load()
		switch {
		case errors.Is(err, fs.ErrNotExist): // being copied, or gone since
		case err != nil:
			return yield(bucket.Object{}, translate(err, "The copies in %s cannot be listed", b.name)) && false
		case !yield(rec.object(b.name), nil):
			return false
		}
	}
	return true
}
