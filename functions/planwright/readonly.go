package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/sqlite"
)

// readableCopy returns a path by which records can be read without changing them,
// and what to do when that is over. SQLite must write beside a file to read it, so
// of one that cannot be written to it is a copy, with what has not reached the file
// yet; so it is of one whose tables an older version made.
func readableCopy(ctx context.Context, db string) (path string, remove func(), err error) {
	writable := unix.Access(db, unix.W_OK) == nil && unix.Access(filepath.Dir(db), unix.W_OK) == nil
	if writable {
		if behind, err := sqlite.Behind(ctx, db); err != nil || !behind {
			return db, func() {}, err
		}
	}
	dir, err := os.MkdirTemp("", "planwright-verify-")
	if err != nil {
		return "", nil, errs.Wrap(errs.Unavailable, err, "There is no room for a copy of %s to read: is the temporary folder full?", db)
	}
	remove = func() { os.RemoveAll(dir) }
	path = filepath.Join(dir, filepath.Base(db))
	if writable {
		err = sqlite.Copy(ctx, db, path)
	} else if err = copyFile(db, path); err == nil {
		if log := copyFile(db+"-wal", path+"-wal"); !errors.Is(log, fs.ErrNotExist) {
			err = log
		}
	}
	if err != nil {
		remove()
		return "", nil, errs.Wrap(errs.Unavailable, err, "Copying %s to read it failed: check its permissions and the room in the temporary folder.", db)
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
