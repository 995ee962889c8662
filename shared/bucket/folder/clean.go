package folder

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// abandonedAfter is the age at which an upload that nobody ended is taken for
// a dead process's. No upload is written to for so long.
const abandonedAfter = 24 * time.Hour

// clean removes entries of objects whose .data file is not linked to their
// name: uploads that a dead process left, and objects whose visible file was
// deleted or replaced. Without exclusive use the young ones may be alive.
func (b *Bucket) clean(exclusive bool) error {
	for e, err := range b.all(context.Background(), objects, "data") {
		if err != nil {
			return translate(err, "The folder %s cannot be tidied", b.name)
		}
		data, err := b.root.Load().Lstat(e.data())
		if err != nil || b.linked(e, data) {
			continue // gone in between, or in use
		}
		if exclusive || b.now().Sub(data.ModTime()) > abandonedAfter {
			e.remove()
		}
	}
	b.removeEmpty(objects)
	return nil
}

// linked reports whether the entry's .data file is the visible file. When in
// doubt it is: nothing is lost by keeping it.
func (b *Bucket) linked(e entry, data fs.FileInfo) bool {
	rec, err := e.load()
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	visible, err := b.root.Load().Lstat(rec.Name)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return os.SameFile(visible, data) || b.relinked(e, rec, visible)
}

// relinked links the visible file of a copied folder to its entry again, and
// reports whether it is one.
func (b *Bucket) relinked(e entry, rec *record, visible fs.FileInfo) bool {
	if !b.copied(e, visible) {
		return false
	}
	if b.root.Load().Link(e.data(), e.draft()) == nil {
		_ = b.root.Load().Rename(e.draft(), rec.Name) // otherwise the next start tries again
	}
	return true
}

// removeEmpty removes the folders of a shelf that are empty.
func (b *Bucket) removeEmpty(s shelf) {
	names, _ := fs.ReadDir(b.root.Load().FS(), string(s)) // of those that cannot be read none is removed
	for _, name := range names {
		b.root.Load().Remove(path.Join(string(s), name.Name())) // fails unless it is empty
	}
}

// tryLink makes sure at the start that the file system has hard links, which
// create-only writing rests on.
func (b *Bucket) tryLink() error {
	probe, e, err := b.reserve(objects, b.name, 0)
	if err != nil {
		return err
	}
	defer e.remove()
	defer probe.Close()
	if err := b.root.Load().Link(e.data(), e.draft()); err != nil {
		return errs.Wrap(errs.Invalid, err, "The file system of %s has no hard links, which are needed to write results safely. Use a folder on another disk.", b.name)
	}
	return nil
}
