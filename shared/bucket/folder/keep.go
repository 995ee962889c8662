package folder

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

var _ bucket.Keeper = (*Bucket)(nil)

// Remove implements bucket.Keeper. The visible file goes first: what is left of an
// interrupted removal goes when the folder is opened the next time.
func (b *Bucket) Remove(ctx context.Context, name string, generation int64) error {
	if err := b.admit(ctx, name); err != nil {
		return err
	}
	if b.readOnly {
		return errs.New(errs.Denied, "%s cannot be removed: %s was opened for reading only.", name, b.name)
	}
	info, err := b.visible(name)
	if errs.KindOf(err) == errs.NotFound {
		return nil
	} else if err != nil {
		return err
	}
	rec, err := b.created(name, info)
	if err != nil || rec == nil || rec.Generation != generation {
		return err
	}
	if err := b.root.Load().Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return translate(err, "%s cannot be removed", name)
	}
	entry{b, objects.dir(name), generation}.remove()
	b.prune(path.Dir(name))
	return nil
}

// Written implements bucket.Keeper.
func (b *Bucket) Written(ctx context.Context, prefix string) iter.Seq2[bucket.Object, error] {
	return b.list(ctx, objects, func(rec *record, err error) (bool, error) {
		if err != nil || !strings.HasPrefix(rec.Name, prefix) {
			return false, nil // being written, or gone, or another
		}
		visible, err := b.root.Load().Lstat(rec.Name)
		if err != nil {
			return false, nil
		}
		live, err := b.created(rec.Name, visible)
		return live != nil && live.Generation == rec.Generation, err
	})
}
