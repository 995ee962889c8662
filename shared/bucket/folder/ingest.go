package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// IngestOptions describe the upload that a dropped file becomes.
type IngestOptions struct {
	// Generation must be higher than every earlier one of the name; a caller
	// that keeps count across restarts and removals says which. 0 takes the
	// time in microseconds, or one more than the name's newest copy where the
	// clock has gone back.
	Generation  int64
	ContentType string
	Metadata    map[string]string
}

// Ingest copies a file that was dropped by hand, or written by Create, to an
// immutable generation, which Open reads whatever becomes of the file. The copy of
// what Create wrote has its metadata, where the options have none. The FileInfo is that of the
// file whose bytes were copied. NotFound: it is gone. Invalid: it is a link or
// a device. Stale: it changed during the copy. Conflict: the generation is not
// higher than the newest there is. After any error there is no copy.
func (b *Bucket) Ingest(
	ctx context.Context, name string, options IngestOptions,
) (bucket.Object, fs.FileInfo, error) {
	if err := b.admit(ctx, name); err != nil {
		return bucket.Object{}, nil, err
	}
	source, info, err := b.openVisible(name)
	if err != nil {
		return bucket.Object{}, nil, err
	}
	if options.Generation, err = b.rising(name, options.Generation); err != nil {
		source.Close()
		return bucket.Object{}, nil, err
	}
	created := bucket.CreateOptions{ContentType: options.ContentType, Metadata: options.Metadata}
	i, err := b.Import(ctx, name, options.Generation, source, created)
	if err != nil {
		source.Close()
		return bucket.Object{}, nil, err
	}
	defer i.Close()
	i.written = func(read bucket.Digest) (map[string]string, error) { return b.writtenAs(name, info, read) }
	err = i.ReadAll(ctx, io.Discard)
	if errors.Is(err, errChanged) {
		err = errs.Wrap(errs.Stale, err, "%s changed while it was being copied.", name)
	}
	if err != nil {
		return bucket.Object{}, nil, err
	}
	return i.object, info, nil
}

// writtenAs is the metadata of a visible file that Create wrote; nil: it did not, or the bytes
// are others by now.
func (b *Bucket) writtenAs(name string, visible fs.FileInfo, read bucket.Digest) (map[string]string, error) {
	made, err := b.created(name, visible)
	if err != nil || made == nil || !read.Matches(made.object("")) {
		return nil, err
	}
	return made.Metadata, nil
}

// rising returns a generation above the newest copy's.
func (b *Bucket) rising(name string, generation int64) (int64, error) {
	entries, err := b.entries(drops.dir(name), "data")
	if err != nil {
		return 0, translate(err, "%s cannot be looked up", name)
	}
	var newest int64
	if len(entries) > 0 {
		newest = entries[len(entries)-1].generation
	}
	if generation == 0 {
		return max(b.nextGeneration(), newest+1), nil
	}
	if generation <= newest {
		return 0, errs.New(errs.Conflict,
			"%s has generation %d already, so %d is not a new one.", name, newest, generation)
	}
	return generation, nil
}

// Sweep removes the copies that claimed does not know, and what unfinished
// copying has left. It returns how many generations are gone. Ingest must not
// run meanwhile: its copy is not claimed yet.
func (b *Bucket) Sweep(ctx context.Context, claimed func(name string, generation int64) bool) (int, error) {
	if b.readOnly {
		return 0, errs.New(errs.Denied, "Nothing can be removed: %s was opened for reading only.", b.name)
	}
	removed := 0
	for e, err := range b.all(ctx, drops, "data") {
		if err != nil {
			return removed, translate(err, "The copies in %s cannot be looked through", b.name)
		}
		rec, err := e.load()
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errs.Internal):
			// unreadable for now, which says nothing about the copy
			return removed, translate(err, "The copies in %s cannot be looked through", b.name)
		case err != nil || !claimed(rec.Name, rec.Generation):
			e.remove()
			removed++
		}
	}
	b.removeEmpty(drops)
	return removed, nil
}
