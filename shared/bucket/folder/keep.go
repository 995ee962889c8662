package folder

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

var _ bucket.Store = (*Bucket)(nil)

// Remove implements bucket.Store. The visible file goes first: what is left of an
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

// Copy implements bucket.Store.
func (b *Bucket) Copy(
	ctx context.Context, name string, options bucket.CreateOptions, from bucket.Bucket, object bucket.Object,
) (bucket.Object, error) {
	return bucket.CopyBytes(ctx, b, name, options, from, object)
}
