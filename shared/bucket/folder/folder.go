// Package folder is the bucket on one machine: a folder that a person can drop
// files into and read results from. The object outbox/plan_x_v1/p.csv is the
// plain file of that path.
//
// A folder on disk:
//
//	{name}                                             the visible file
//	.planwright/objects/{h}/{generation}.data, .json   objects written by Create
//	.planwright/drops/{h}/{generation}.data, .json     copies made by Ingest
//
// h is the SHA-256 of the name in hex, a generation has 20 digits, the .json
// file is the record: checksum, content type, metadata.
//
// An object written by Create is visible once its .data file is linked to its
// name: link(2) fails where the name exists, so of all processes one wins, and
// the record is on disk before. The record belongs to the visible file as long
// as that is the same file as .data, or one that is linked to nothing and has its
// bytes, as in a copy made without links; a visible file that was deleted takes its
// object along, and one that was put there by hand is an object of its own,
// whose generation is its modification time in microseconds and whose checksum
// is computed whenever it is asked for. Of a file that was deleted the hidden
// half goes, and its space is free, when the folder is opened the next time.
//
// A file that was dropped by hand becomes an upload by Ingest: an immutable
// copy under a generation, which is there once its record is and outlives the
// file. Symbolic links are refused, and nothing outside the folder is reached.
package folder

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// Options say how a folder is used. The zero value is the safe choice.
type Options struct {
	// Name is the bucket's name; by default the folder's own.
	Name string
	// NoSync skips fsync: faster, and what was written last may be missing or
	// damaged after a power cut. It is always whole after a killed process.
	NoSync bool
	// Exclusive says that no other process uses the folder, as a lock has
	// proven, so that what unfinished uploads left behind is removed by Open
	// at once instead of after a day.
	Exclusive bool
	// ReadOnly opens a folder that is there and changes nothing in it, so that
	// a copy on a read-only disk can be looked through. Create and Ingest are Denied.
	ReadOnly bool
	// Now is the clock; by default time.Now.
	Now func() time.Time
	// Sync makes a file or a folder durable; by default (*os.File).Sync.
	Sync func(*os.File) error
}

// Bucket is a folder as a bucket. Several goroutines and several processes may
// use one folder at the same time.
type Bucket struct {
	name     string
	dir      string
	root     atomic.Pointer[os.Root]
	noSync   bool
	readOnly bool
	now      func() time.Time
	// fault, where tests set it, is asked before each step that touches the
	// disk and may fail it.
	fault func(step) error
	fsync func(*os.File) error

	mu   sync.Mutex
	last int64 // the last generation that was handed out
}

var (
	_ bucket.Store = (*Bucket)(nil)
	_ bucket.Parts = (*Bucket)(nil)
)

// Open opens the folder, which is created where it is missing, and removes
// what uploads of dead processes have left. Invalid: it is not a folder, or
// its file system has no hard links. NotFound: it is missing and only to be read.
func Open(dir string, options Options) (*Bucket, error) {
	if !options.ReadOnly {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, translate(err, "The folder %s cannot be created", filepath.Base(dir))
		}
	}
	root, err := os.OpenRoot(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errs.Wrap(errs.NotFound, err, "There is no folder %s.", filepath.Base(dir))
	case err != nil:
		return nil, translate(err, "The folder %s cannot be opened", filepath.Base(dir))
	}
	b := &Bucket{
		name:     cmp.Or(options.Name, filepath.Base(dir)),
		dir:      dir,
		noSync:   options.NoSync,
		readOnly: options.ReadOnly,
		now:      options.Now,
		fsync:    options.Sync,
	}
	b.root.Store(root)
	if b.now == nil {
		b.now = time.Now
	}
	if b.fsync == nil {
		b.fsync = (*os.File).Sync
	}
	if b.readOnly {
		return b, nil
	}
	if err := b.prepare(options.Exclusive); err != nil {
		root.Close()
		return nil, err
	}
	return b, nil
}

// Renew opens the folder anew where its path leads to another than was opened, or
// to none, and reports whether that was so: somebody has deleted, moved or
// replaced it. One that is missing is made, for its owner alone. What is under way in the
// old one ends there, or fails.
func (b *Bucket) Renew() (replaced bool, err error) {
	there, err := os.Stat(b.dir)
	opened, openedErr := b.root.Load().Stat(".")
	if err == nil && openedErr == nil && os.SameFile(there, opened) {
		return false, nil
	}
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return true, translate(err, "The folder %s cannot be created", b.name)
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		return true, translate(err, "The folder %s cannot be opened", b.name)
	}
	before := b.root.Swap(root)
	if err := b.prepare(false); err != nil {
		b.root.Store(before)
		root.Close()
		return true, err
	}
	return true, nil
}

func (b *Bucket) prepare(exclusive bool) error {
	for _, s := range []shelf{objects, drops} {
		if err := b.root.Load().MkdirAll(string(s), 0o755); err != nil {
			return translate(err, "The folder %s cannot be written to", b.name)
		}
		if err := b.syncUp(string(s), "."); err != nil {
			return err
		}
	}
	if err := b.tryLink(); err != nil {
		return err
	}
	return b.clean(exclusive)
}

// Close releases the folder. Uploads and readers that are open stay usable.
func (b *Bucket) Close() error { return b.root.Load().Close() }

func (b *Bucket) Name() string { return b.name }

// Stat implements bucket.Bucket. Of a dropped file it describes the copy that
// was taken last, not what has been dropped since.
func (b *Bucket) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if err := b.admit(ctx, name); err != nil {
		return bucket.Object{}, err
	}
	info, err := b.visible(name)
	if err != nil {
		return bucket.Object{}, err
	}
	rec, err := b.created(name, info)
	if err == nil && rec == nil {
		rec, err = b.newestDrop(name)
	}
	switch {
	case err != nil:
		return bucket.Object{}, err
	case rec != nil:
		return rec.object(b.name), nil
	}
	file, object, err := b.openByHand(ctx, name)
	if err != nil {
		return bucket.Object{}, err
	}
	return object, file.Close()
}

func (b *Bucket) Open(
	ctx context.Context, name string, generation int64,
) (io.ReadCloser, bucket.Object, error) {
	if err := b.admit(ctx, name); err != nil {
		return nil, bucket.Object{}, err
	}
	file, object, err := b.openGeneration(ctx, name, generation)
	if err != nil {
		return nil, bucket.Object{}, err
	}
	return bucket.Verify(&reader{ctx: ctx, name: name, file: file}, object), object, nil
}

func (b *Bucket) OpenRange(
	ctx context.Context, name string, generation, from, length int64,
) (io.ReadCloser, error) {
	if err := b.admit(ctx, name); err != nil {
		return nil, err
	}
	file, _, err := b.openGeneration(ctx, name, generation)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		file.Close()
		return nil, translate(err, "%s cannot be read", name)
	}
	whole := &reader{ctx: ctx, name: name, file: file}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(whole, length), whole}, nil
}

// openGeneration looks for the generation among the copies, then the objects
// written by Create, then for a file put there by hand.
func (b *Bucket) openGeneration(
	ctx context.Context, name string, generation int64,
) (*os.File, bucket.Object, error) {
	gone := errs.New(errs.NotFound, "%s has no generation %d in %s (any more).", name, generation, b.name)
	if file, rec, err := b.read(entry{b, drops.dir(name), generation}); err == nil {
		return file, rec.object(b.name), nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, bucket.Object{}, translate(err, "%s cannot be read", name)
	}
	info, err := b.visible(name)
	if err != nil {
		return nil, bucket.Object{}, err
	}
	rec, err := b.created(name, info)
	switch {
	case err != nil:
		return nil, bucket.Object{}, err
	case rec != nil && rec.Generation != generation:
		return nil, bucket.Object{}, gone
	case rec == nil:
		file, object, err := b.openByHand(ctx, name)
		if err == nil && object.Generation != generation {
			file.Close()
			return nil, bucket.Object{}, gone
		}
		return file, object, err
	}
	file, rec, err := b.read(entry{b, objects.dir(name), generation})
	if err != nil {
		return nil, bucket.Object{}, translate(err, "%s cannot be read", name)
	}
	return file, rec.object(b.name), nil
}

func (b *Bucket) Create(
	ctx context.Context, name string, options bucket.CreateOptions,
) (bucket.Upload, error) {
	if err := b.admit(ctx, name); err != nil {
		return nil, err
	}
	if info, err := b.root.Load().Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errs.New(errs.Invalid,
			"%s cannot be written: a folder or a link of that name is in the way.", name)
	}
	file, e, err := b.reserve(objects, name, 0)
	if err != nil {
		return nil, err
	}
	return newUpload(ctx, name, options, file, e), nil
}

func (b *Bucket) Compose(
	ctx context.Context, name string, options bucket.CreateOptions, parts []bucket.Object,
) (bucket.Object, error) {
	return bucket.Concatenate(ctx, b, name, options, parts)
}
