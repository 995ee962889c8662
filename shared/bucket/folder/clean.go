package folder

import (
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
	err := b.walk(objects, func(e entry) error {
		data, err := b.root.Load().Lstat(e.data())
		if err != nil || b.linked(e, data) {
			return nil // gone in between, or in use
		}
		if exclusive || b.now().Sub(data.ModTime()) > abandonedAfter {
			e.remove()
		}
		return nil
	})
	if err != nil {
		return translate(err, "The folder %s cannot be tidied", b.name)
	}
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

// walk visits every entry of a shelf and removes the folders that are empty.
func (b *Bucket) walk(s shelf, visit func(entry) error) error {
	return b.each(s, visit, func(dir string) { b.root.Load().Remove(dir) }) // fails unless it is empty
}

// each visits every entry of a shelf, and leaves each folder when it was looked
// through.
func (b *Bucket) each(s shelf, visit func(entry) error, leave func(dir string)) error {
	names, err := fs.ReadDir(b.root.Load().FS(), string(s))
	if err != nil {
		return err
	}
	for _, name := range names {
		dir := path.Join(string(s), name.Name())
		entries, err := b.entries(dir, "data")
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := visit(e); err != nil {
				return err
			}
		}
		leave(dir)
	}
	return nil
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
