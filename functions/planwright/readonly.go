package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/errs"
)

// readableCopy returns a path by which records can be read, and what to do when that
// is over. SQLite must write beside a file to read it, so of one that cannot be
// written to it is a copy, with what has not reached the file yet.
func readableCopy(db string) (path string, remove func(), err error) {
	if unix.Access(db, unix.W_OK) == nil && unix.Access(filepath.Dir(db), unix.W_OK) == nil {
		return db, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "planwright-verify-")
	if err != nil {
		return "", nil, errs.Wrap(
			errs.Unavailable,
			err,
			"There is no room for a copy of %s to read: is the temporary folder full?",
			db,
		)
	}
	remove = func() { os.RemoveAll(dir) }
	path = filepath.Join(dir, filepath.Base(db))
	if err = copyFile(db, path); err == nil {
		if log := copyFile(db+"-wal", path+"-wal"); !errors.Is(log, fs.ErrNotExist) {
			err = log
		}
	}
	if err != nil {
		remove()
		return "", nil, errs.Wrap(
			errs.Unavailable,
			err,
			"Copying %s to read it failed: check its permissions and the room in the temporary folder.",
			db,
		)
	}
	return path, remove, nil
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	copied, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(copied, source)
	return errors.Join(err, copied.Close())
}
