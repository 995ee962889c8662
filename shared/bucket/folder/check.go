package folder

import (
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// Check compares every object that Create wrote or Ingest copied with its
// description: its place, its bytes, and the file that people see. It returns the
// names that Create wrote. Internal: one is not as it was written. What is
// being written meanwhile is left out.
func (b *Bucket) Check(ctx context.Context) (written map[string]bool, err error) {
	written = map[string]bool{}
	for _, s := range []shelf{objects, drops} {
		if err := b.checkShelf(ctx, s, written); err != nil {
			return nil, translate(err, "The objects in %s cannot be looked through", b.name)
		}
	}
	return written, nil
}

func (b *Bucket) checkShelf(ctx context.Context, s shelf, written map[string]bool) error {
	for e, err := range b.all(ctx, s, "json") { // what is being written has none yet
		var rec *record
		if err == nil {
			rec, err = e.check(ctx, s)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing was ever written, or it is gone since
		case err != nil:
			return err
		default:
			written[rec.Name] = written[rec.Name] || s == objects
		}
	}
	return nil
}

// check compares an entry with its description.
func (e entry) check(ctx context.Context, s shelf) (*record, error) {
	rec, err := e.load()
	if err != nil {
		return nil, err
	}
	text, err := e.b.root.Load().ReadFile(e.record())
	if err != nil {
		return nil, err
	}
	if rec.Check != rec.sum() || !bytes.Equal(text, rec.text()) || s.dir(rec.Name) != e.dir ||
		rec.Generation != e.generation {
		return nil, errs.New(errs.Internal,
			"the description of %s, generation %d in %s, was edited", rec.Name, e.generation, e.b.name)
	}
	file, err := e.b.root.Load().Open(e.data())
	if err != nil {
		return nil, errs.New(errs.Internal,
			"the bytes of %s, generation %d in %s, cannot be read: %v", rec.Name, e.generation, e.b.name, err)
	}
	defer file.Close()
	var digest bucket.Digest
	if _, err := io.Copy(&digest, &reader{ctx: ctx, name: rec.Name, file: file}); err != nil {
		return nil, err
	}
	if !digest.Matches(rec.object(e.b.name)) {
		return nil, errs.New(errs.Internal,
			"%s, generation %d in %s, was edited", rec.Name, e.generation, e.b.name)
	}
	return rec, e.checkVisible(s, rec)
}

// checkVisible finds a visible file that was put into the place of an object's.
// One that is gone, and one of a drop, are its owner's to take away and to change.
// One that Create wrote under another generation leaves this one as what was never
// visible, as a killed writer leaves it, or is gone since.
func (e entry) checkVisible(s shelf, rec *record) error {
	visible, err := e.b.root.Load().Lstat(rec.Name)
	if s == drops || errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	written, err := e.b.created(rec.Name, visible)
	if err == nil && written == nil {
		err = errs.New(errs.Internal, "%s in %s was replaced", rec.Name, e.b.name)
	}
	return err
}

// sum is of all that a description says, so that an edit of it shows. It proves
// nothing against who makes it fit.
func (r record) sum() uint32 {
	r.Check = 0
	return crc32.Checksum(r.text(), bucket.Castagnoli)
}
