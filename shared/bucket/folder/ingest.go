package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

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
func (b *Bucket) Ingest(ctx context.Context, name string, options IngestOptions) (bucket.Object, fs.FileInfo, error) {
	if err := b.admit(ctx, name); err != nil {
		return bucket.Object{}, nil, err
	}
	source, info, err := b.openVisible(name)
	if err != nil {
		return bucket.Object{}, nil, err
	}
	defer source.Close()
	if options.Generation, err = b.rising(name, options.Generation); err != nil {
		return bucket.Object{}, nil, err
	}
	file, e, err := b.reserve(drops, name, options.Generation)
	if err != nil {
		return bucket.Object{}, nil, err
	}
	defer file.Close()
	rec, err := e.copy(ctx, name, source, info, file, options)
	if err != nil {
		e.remove()
		return bucket.Object{}, nil, translate(err, "%s cannot be copied", name)
	}
	return rec.object(b.name), info, nil
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
		return 0, errs.New(errs.Conflict, "%s has generation %d already, so %d is not a new one.", name, newest, generation)
	}
	return generation, nil
}

// copy streams the dropped file into the entry and saves its record, with
// which the generation is there.
func (e entry) copy(ctx context.Context, name string, source *os.File, before fs.FileInfo, to *os.File, options IngestOptions) (record, error) {
	var digest bucket.Digest
	from, data := &reader{ctx: ctx, name: name, file: source}, newGrowing(e.b, to)
	if _, err := io.Copy(io.MultiWriter(data, &digest), from); err != nil {
		return record{}, err
	}
	if err := data.Release(); err != nil {
		return record{}, err
	}
	after, err := source.Stat()
	if err != nil {
		return record{}, err
	}
	if digest.Size != before.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return record{}, errs.New(errs.Stale, "%s changed while it was being copied.", name)
	}
	if err := e.b.syncFile(to); err != nil {
		return record{}, err
	}
	rec := e.newRecord(name, digest, bucket.CreateOptions{ContentType: options.ContentType, Metadata: options.Metadata})
	made, err := e.b.created(name, before)
	if err != nil {
		return record{}, err
	}
	if made != nil && digest.Matches(made.object("")) && options.Metadata == nil {
		rec.Metadata = made.Metadata
	}
	return rec, e.save(rec)
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
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errs.Internal): // unreadable for now, which says nothing about the copy
			return removed, translate(err, "The copies in %s cannot be looked through", b.name)
		case err != nil || !claimed(rec.Name, rec.Generation):
			e.remove()
			removed++
		}
	}
	b.removeEmpty(drops)
	return removed, nil
}
