package folder

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
)

// List implements bucket.Store: what was put there from outside are the copies that Ingest
// and Import took.
func (b *Bucket) List(ctx context.Context, from string) iter.Seq2[bucket.Object, error] {
	return func(yield func(bucket.Object, error) bool) {
		found, err := b.find(ctx, from)
		if err != nil {
			yield(bucket.Object{}, translate(err, "The objects in %s cannot be listed", b.name))
			return
		}
		for _, object := range found {
			if err := bucket.InTime(ctx, b.name); !yield(object, err) || err != nil {
				return
			}
		}
	}
}

// find returns the objects from a name on, in order. A copy that was taken of an object has
// its generation, and stands for it.
func (b *Bucket) find(ctx context.Context, from string) (found []bucket.Object, err error) {
	for _, s := range []shelf{drops, objects} {
		for e, err := range b.all(ctx, s, "data") {
			if err != nil {
				return nil, err
			}
			rec, err := e.load()
			switch {
			case errors.Is(err, fs.ErrNotExist), err != nil && s == objects:
				continue // being written, or gone since
			case err != nil:
				return nil, err
			case rec.Name < from:
				continue
			}
			if s == objects && !b.isLive(rec) {
				continue
			}
			found = append(found, rec.object(b.name))
		}
	}
	slices.SortStableFunc(found, byName)
	return slices.CompactFunc(found, func(a, b bucket.Object) bool { return byName(a, b) == 0 }), nil
}

func byName(a, b bucket.Object) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Generation, b.Generation))
}

// isLive reports whether a record is of the visible file of its name.
func (b *Bucket) isLive(rec *record) bool {
	visible, err := b.root.Load().Lstat(rec.Name)
	if err != nil {
		return false
	}
	live, err := b.created(rec.Name, visible)
	return err == nil && live != nil && live.Generation == rec.Generation
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
