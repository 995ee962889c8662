package folder

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
)

// step names what is about to touch the disk.
type step string

const (
	stepReserve step = "reserve" // make the .data file
	stepWrite   step = "write"   // its bytes
	stepSync    step = "sync"    // a file to disk
	stepDraft   step = "draft"   // the record's bytes
	stepRename  step = "rename"  // the draft becomes the record
	stepLink    step = "link"    // the object becomes visible
	stepSyncDir step = "syncdir" // a folder to disk
)

func (b *Bucket) before(s step) error {
	if b.fault == nil {
		return nil
	}
	return b.fault(s)
}

// growing is a file that gets longer, with the step named.
type growing struct {
	b *Bucket
	GrowingFile
}

func newGrowing(b *Bucket, file *os.File) *growing { return &growing{b, GrowingFile{File: file}} }

func (g *growing) Write(p []byte) (int, error) {
	if err := g.b.before(stepWrite); err != nil {
		return 0, err
	}
	return g.GrowingFile.Write(p)
}

func (b *Bucket) syncFile(file *os.File) error {
	if b.noSync {
		return nil
	}
	if err := b.before(stepSync); err != nil {
		return err
	}
	return b.fsync(file)
}

func (b *Bucket) writeFile(name string, text []byte) error {
	if err := b.before(stepDraft); err != nil {
		return err
	}
	file, err := b.root.Load().OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(text); err != nil {
		return err
	}
	if err := b.syncFile(file); err != nil {
		return err
	}
	return file.Close()
}

// syncUp makes the entries of dir durable, and dir itself in each folder above
// it up to top: another process may have made them a moment ago.
func (b *Bucket) syncUp(dir, top string) error {
	if b.noSync {
		return nil
	}
	for ; ; dir = path.Dir(dir) {
		if err := b.syncDir(dir); err != nil {
			return translate(err, "The folder %s cannot be written to disk", b.name)
		}
		if dir == top {
			return nil
		}
	}
}

func (b *Bucket) syncDir(dir string) error {
	if err := b.before(stepSyncDir); err != nil {
		return err
	}
	file, err := b.root.Load().Open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	return b.fsync(file)
}

// prune removes a folder, and those above it, as far as they are empty.
func (b *Bucket) prune(dir string) {
	for dir != "." && b.root.Load().Remove(dir) == nil {
		dir = path.Dir(dir)
	}
}

// maxSegmentBytes is what the file systems in use allow for one name.
const maxSegmentBytes = 255

// admit refuses names that this folder cannot hold, names on whose way lies a
// symbolic link or a file, and calls whose context has ended.
func (b *Bucket) admit(ctx context.Context, name string) error {
	if err := bucket.Admit(ctx, name); err != nil {
		return err
	}
	first, _, _ := strings.Cut(name, "/")
	if strings.EqualFold(first, Hidden) { // there are file systems that ignore case
		return errs.New(errs.Invalid, "%s is kept for the program's own use.", name)
	}
	for segment := range strings.SplitSeq(name, "/") {
		if len(segment) > maxSegmentBytes {
			return errs.New(errs.Invalid,
				"The object name %q has a segment of %d bytes; a file name has at most %d.",
				name, len(segment), maxSegmentBytes)
		}
	}
	return b.admitParents(name)
}

func (b *Bucket) admitParents(name string) error {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		// An error will be met, and told, by the call itself.
		if info, err := b.root.Load().Lstat(dir); err == nil && !info.IsDir() {
			return errs.New(errs.Invalid,
				"%s cannot be used: %s is a file or a link, not a folder.", name, dir)
		}
	}
	return nil
}

// visible looks at the file of that name. A folder is not an object.
func (b *Bucket) visible(name string) (fs.FileInfo, error) {
	info, err := b.root.Load().Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.IsDir():
		return nil, errs.New(errs.NotFound, "There is no %s in %s.", name, b.name)
	case err != nil:
		return nil, translate(err, "%s cannot be looked up", name)
	case !info.Mode().IsRegular():
		return nil, errs.New(errs.Invalid,
			"%s is a link or a device, not a file. Put the file itself there.", name)
	}
	return info, nil
}

// openVisible opens the file of that name, and that file only: what a link
// leads to in the meantime is refused.
func (b *Bucket) openVisible(name string) (*os.File, fs.FileInfo, error) {
	seen, err := b.visible(name)
	if err != nil {
		return nil, nil, err
	}
	file, err := b.root.Load().Open(name)
	if err != nil {
		return nil, nil, translate(err, "%s cannot be opened", name)
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(seen, info) {
		err = errs.New(errs.Stale, "%s was replaced while it was opened.", name)
	}
	if err != nil {
		file.Close()
		return nil, nil, translate(err, "%s cannot be opened", name)
	}
	return file, info, nil
}

// openByHand opens a file without a record, its checksum computed.
func (b *Bucket) openByHand(ctx context.Context, name string) (*os.File, bucket.Object, error) {
	file, info, err := b.openVisible(name)
	if err != nil {
		return nil, bucket.Object{}, err
	}
	var digest bucket.Digest
	_, err = io.Copy(&digest, &reader{ctx: ctx, name: name, file: file})
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, bucket.Object{}, translate(err, "%s cannot be read", name)
	}
	return file, bucket.Object{
		Bucket:     b.name,
		Name:       name,
		Generation: max(1, info.ModTime().UnixMicro()),
		Size:       digest.Size,
		CRC32C:     digest.CRC32C,
		CreatedAt:  info.ModTime().UTC(),
	}, nil
}

// reader reads a file as long as its context lasts.
type reader struct {
	ctx  context.Context
	name string
	file *os.File
}

func (r *reader) Read(p []byte) (int, error) {
	if err := bucket.InTime(r.ctx, r.name); err != nil {
		return 0, err
	}
	n, err := r.file.Read(p)
	if err != nil && err != io.EOF {
		err = translate(err, "%s cannot be read", r.name)
	}
	return n, err
}

func (r *reader) Close() error { return r.file.Close() }
