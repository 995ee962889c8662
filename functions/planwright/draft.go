package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// draft is a file being written beside the one that it will become.
type draft struct {
	path   string
	file   folder.GrowingFile // under a hidden name of its own in the same folder
	noSync bool
}

// newDraft opens a draft beside path, whose folder is made where it is missing.
func newDraft(path string, noSync bool) (*draft, error) {
	dir := filepath.Dir(path)
	if err := makeFolder(dir, noSync); err != nil {
		return nil, fileError(err, path)
	}
	file, err := openDraft(dir, filepath.Base(path))
	if err != nil {
		return nil, fileError(err, path)
	}
	return &draft{path: path, file: folder.GrowingFile{File: file}, noSync: noSync}, nil
}

// openDraft opens an empty hidden file. Its name is the same each time, so that
// what a killed run left is used again and not left for ever; where another run
// is writing it, the name is a random one.
func openDraft(dir, base string) (*os.File, error) {
	file, err := os.OpenFile(
		filepath.Join(dir, "."+base+".part"),
		os.O_WRONLY|os.O_CREATE|unix.O_NOFOLLOW,
		0o666,
	)
	if err != nil {
		return nil, err
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && stillNamed(file) {
		return file, folder.Empty(file)
	}
	file.Close()
	return os.OpenFile(
		filepath.Join(dir, "."+base+"."+rand.Text()+".part"),
		os.O_WRONLY|os.O_CREATE|os.O_EXCL,
		0o666,
	)
}

// stillNamed reports whether a file is still the one of its name: the run that
// held it before may have moved it to where it belongs.
func stillNamed(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Name())
	return err == nil && os.SameFile(opened, named)
}

// Write implements io.Writer.
func (d *draft) Write(p []byte) (int, error) {
	n, err := d.file.Write(p)
	return n, fileError(err, d.path)
}

// place puts the draft in the place of what is there, keeping its permissions. What is
// there must be a plain file. The draft's lock goes last: until then its name is ours.
func (d *draft) place() error {
	defer d.drop()
	if err := errors.Join(d.file.Release(), syncFile(d.file.File, d.noSync)); err != nil {
		return fileError(err, d.path)
	}
	info, err := os.Lstat(d.path)
	if err == nil && !info.Mode().IsRegular() {
		return errs.New(errs.Invalid, "%s is not a plain file and is not replaced.", d.path)
	}
	if err == nil {
		if err := os.Chmod(d.file.File.Name(), info.Mode().Perm()); err != nil {
			return fileError(err, d.path)
		}
	}
	if err := os.Rename(d.file.File.Name(), d.path); err != nil {
		return fileError(err, d.path)
	}
	return fileError(syncPath(filepath.Dir(d.path), d.noSync), d.path)
}

// drop removes the draft, where it was not placed.
func (d *draft) drop() {
	if stillNamed(d.file.File) {
		os.Remove(d.file.File.Name())
	}
	d.file.File.Close()
}

// writeFile writes a file in the place of what is there.
func writeFile(path string, content io.Reader, noSync bool) error {
	d, err := newDraft(path, noSync)
	if err != nil {
		return err
	}
	if _, err := io.Copy(d, content); err != nil {
		d.drop()
		return err
	}
	return d.place()
}

// fsync is replaced by tests.
var fsync = (*os.File).Sync

func syncFile(file *os.File, noSync bool) error {
	if noSync {
		return nil
	}
	return fsync(file)
}

// syncPath makes a file durable, or the names in a folder.
func syncPath(path string, noSync bool) error {
	if noSync {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return fsync(file)
}

// makeFolder makes a folder, and those above it that are missing, durable.
func makeFolder(dir string, noSync bool) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolder(filepath.Dir(dir), noSync); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncPath(filepath.Dir(dir), noSync)
}

// fileError gives an error of the system its kind, and a message that names
// the file: here the reader owns it.
func fileError(err error, path string) error {
	var known *errs.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return errs.Wrap(errs.NotFound, err, "%s does not exist.", path)
	case errors.Is(err, fs.ErrPermission):
		return errs.Wrap(
			errs.Denied,
			err,
			"%s cannot be read or written: check its permissions and its folder's.",
			path,
		)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, fs.ErrExist):
		return errs.Wrap(
			errs.Invalid,
			err,
			"%s cannot be written: a part of its path is a file and not a folder.",
			path,
		)
	case errors.Is(err, unix.ENOSPC):
		return errs.Wrap(
			errs.Exhausted,
			err,
			"%s cannot be written: the disk is full. Make room and run it again.",
			path,
		)
	default:
		return errs.Wrap(errs.Unavailable, err, "%s cannot be read or written.", path)
	}
}

// wanted is a file that a command line wants of an object that an execution publishes. It
// is written in the same pass, and gets its name once the execution has completed.
type wanted struct {
	in      bucket.Bucket // of the object
	object  string
	stored  string // the path of the object
	path    string
	noSync  bool
	shares  bool          // the file can share the blocks of the object, and is not written beside it
	writing bucket.Upload // of the object, until it is committed or abandoned; nil: none
	whole   *draft
	sum     bucket.Digest // of the whole draft
}

// probe looks whether the file can share blocks with what lies in the store's folder.
func (w *wanted) probe(store string) error {
	d, err := newDraft(w.path, w.noSync)
	if err != nil {
		return err
	}
	defer d.drop()
	probe, err := os.CreateTemp(store, ".probe-")
	if err != nil {
		return fileError(err, store)
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	w.shares = folder.Clone(d.file.File, probe) == nil
	return nil
}

// presence is what lies at a path already.
type presence int

const (
	nothing presence = iota // or an empty file
	theSame                 // the very bytes
	other
)

// there compares what lies at the path with a sealed file.
func (w *wanted) there(sealed ledger.File) (presence, error) {
	file, err := os.Open(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	} else if err != nil {
		return other, fileError(err, w.path)
	}
	defer file.Close()
	var read bucket.Digest
	_, err = io.Copy(&read, file)
	switch {
	case err != nil:
		return other, fileError(err, w.path)
	case read.Size == sealed.Size && read.CRC32C == sealed.CRC32C:
		return theSame, nil
	case read.Size == 0:
		return nothing, nil
	}
	return other, nil
}

// place gives the file its name: the draft's bytes, where they are the object's, or a copy of it.
func (w *wanted) place(ctx context.Context, size int64, crc32c uint32) error {
	if d := w.whole; d != nil {
		w.whole = nil
		if w.sum == (bucket.Digest{Size: size, CRC32C: crc32c}) {
			return d.place()
		}
		d.drop()
	}
	if w.shares && w.clone() == nil {
		return nil
	}
	in, _, err := bucket.OpenLive(ctx, w.in, w.object)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeFile(w.path, in, w.noSync)
}

// clone makes the file of the object's blocks.
func (w *wanted) clone() error {
	object, err := os.Open(w.stored)
	if err != nil {
		return err
	}
	defer object.Close()
	d, err := newDraft(w.path, w.noSync)
	if err != nil {
		return err
	}
	if err := folder.Clone(d.file.File, object); err != nil {
		d.drop()
		return err
	}
	return d.place()
}

// drop removes a draft that was not placed.
func (w *wanted) drop() {
	if w.whole != nil {
		w.whole.drop()
		w.whole = nil
	}
}

// both is a bucket of which one object is written to a file, too.
type both struct {
	bucket.Bucket
	*wanted
}

// Stat implements bucket.Bucket. Before the seal it refuses an object that is being written,
// if the file holds other bytes already.
func (b both) Stat(ctx context.Context, name string) (bucket.Object, error) {
	if b.writing != nil && name == b.object {
		var sealed ledger.File
		sealed.Size, sealed.CRC32C = b.writing.Sum()
		there, err := b.there(sealed)
		if err == nil && there == other {
			err = errs.New(
				errs.Invalid,
				"%s exists already with other content, and nothing is ever overwritten. Choose another path for it, or plan it under another id.",
				b.path,
			)
		}
		if err != nil {
			return bucket.Object{}, err
		}
	}
	return b.Bucket.Stat(ctx, name)
}

// Create implements bucket.Bucket.
func (b both) Create(ctx context.Context, name string, options bucket.CreateOptions) (bucket.Upload, error) {
	upload, err := b.Bucket.Create(ctx, name, options)
	if err != nil || name != b.object {
		return upload, err
	}
	written := &bothUpload{Upload: upload, wanted: b.wanted}
	if !b.shares {
		if written.draft, err = newDraft(b.path, b.noSync); err != nil {
			upload.Abandon()
			return nil, err
		}
	}
	b.writing = upload
	return written, nil
}

// bothUpload writes an object and a draft.
type bothUpload struct {
	bucket.Upload
	draft *draft // nil where none is written, or it was handed over or dropped
	*wanted
}

// Write implements bucket.Upload.
func (u *bothUpload) Write(p []byte) (int, error) {
	n, err := u.Upload.Write(p)
	if err == nil && u.draft != nil {
		_, err = u.draft.Write(p)
	}
	return n, err
}

// Commit implements bucket.Upload. The draft waits until the execution has completed.
func (u *bothUpload) Commit() (bucket.Object, error) {
	object, err := u.Upload.Commit()
	u.writing = nil
	if u.draft != nil && (err == nil || errs.KindOf(err) == errs.Conflict) {
		u.wanted.drop()
		u.whole, u.draft = u.draft, nil
		u.sum.Size, u.sum.CRC32C = u.Sum()
	}
	return object, err
}

// Abandon implements bucket.Upload.
func (u *bothUpload) Abandon() {
	u.Upload.Abandon()
	u.writing = nil
	if u.draft != nil {
		u.draft.drop()
		u.draft = nil
	}
}
