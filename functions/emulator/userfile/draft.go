// Package userfile writes the files that a command line names: whole in one step, or one
// line at their end.
package userfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
)

// Draft is a file being written beside the one that it will become.
type Draft struct {
	path   string
	file   folder.GrowingFile // under a hidden name of its own in the same folder
	noSync bool
}

// Create opens a draft beside path, whose folder is made where it is missing.
func Create(path string, noSync bool) (*Draft, error) {
	dir := filepath.Dir(path)
	if err := makeFolder(dir, noSync); err != nil {
		return nil, Error(err, path)
	}
	file, err := open(dir, filepath.Base(path))
	if err != nil {
		return nil, Error(err, path)
	}
	return &Draft{path: path, file: folder.GrowingFile{File: file}, noSync: noSync}, nil
}

// open opens an empty hidden file. Its name is the same each time, so that
// what a killed run left is used again and not left for ever; where another run
// is writing it, the name is a random one.
func open(dir, base string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "."+base+".part"),
		os.O_WRONLY|os.O_CREATE|unix.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, err
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && stillNamed(file) {
		return file, folder.Empty(file)
	}
	file.Close()
	return os.OpenFile(filepath.Join(dir, "."+base+"."+rand.Text()+".part"),
		os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
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
func (d *Draft) Write(p []byte) (int, error) {
	n, err := d.file.Write(p)
	return n, Error(err, d.path)
}

// Clone has the draft share the blocks of a file. Its error says that the disk cannot.
func (d *Draft) Clone(from *os.File) error { return folder.Clone(d.file.File, from) }

// Place puts the draft in the place of what is there, keeping its permissions. What is
// there must be a plain file. The draft's lock goes last: until then its name is ours.
func (d *Draft) Place() error {
	defer d.Drop()
	if err := errors.Join(d.file.Release(), syncFile(d.file.File, d.noSync)); err != nil {
		return Error(err, d.path)
	}
	info, err := os.Lstat(d.path)
	if err == nil && !info.Mode().IsRegular() {
		return errs.New(errs.Invalid, "%s is not a plain file and is not replaced.", d.path)
	}
	if err == nil {
		if err := os.Chmod(d.file.File.Name(), info.Mode().Perm()); err != nil {
			return Error(err, d.path)
		}
	}
	if err := os.Rename(d.file.File.Name(), d.path); err != nil {
		return Error(err, d.path)
	}
	return Error(syncPath(filepath.Dir(d.path), d.noSync), d.path)
}

// Drop removes the draft, where it was not placed.
func (d *Draft) Drop() {
	if stillNamed(d.file.File) {
		os.Remove(d.file.File.Name())
	}
	d.file.File.Close()
}

// Write writes a file in the place of what is there.
func Write(path string, content io.Reader, noSync bool) error {
	d, err := Create(path, noSync)
	if err != nil {
		return err
	}
	if _, err := io.Copy(d, content); err != nil {
		d.Drop()
		return err
	}
	return d.Place()
}

// Sync is replaced by tests.
var Sync = (*os.File).Sync

func syncFile(file *os.File, noSync bool) error {
	if noSync {
		return nil
	}
	return Sync(file)
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
	return Sync(file)
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

// Error gives an error of the system its kind, and a message that names
// the file: here the reader owns it.
func Error(err error, path string) error {
	var known *errs.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return errs.Wrap(errs.NotFound, err, "%s does not exist.", path)
	case errors.Is(err, fs.ErrPermission):
		return errs.Wrap(errs.Denied, err,
			"%s cannot be read or written: check its permissions and its folder's.", path)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, fs.ErrExist):
		return errs.Wrap(errs.Invalid, err,
			"%s cannot be written: a part of its path is a file and not a folder.", path)
	case errors.Is(err, unix.ENOSPC):
		return errs.Wrap(errs.Exhausted, err,
			"%s cannot be written: the disk is full. Make room and run it again.", path)
	default:
		return errs.Wrap(errs.Unavailable, err, "%s cannot be read or written.", path)
	}
}
