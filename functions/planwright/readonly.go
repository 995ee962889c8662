package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
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

// readBuckets opens the buckets of a store to read them alone. NotFound: one is missing, as
// all are where nothing was carried out yet.
func readBuckets(
	place emulator.Place,
) (buckets execution.Buckets, opened map[string]*folder.Bucket, err error) {
	opened = map[string]*folder.Bucket{}
	for _, name := range []string{emulator.InboxName, emulator.OutboxName, emulator.AuditName} {
		opened[name], err = folder.Open(
			filepath.Join(place.Folder, name),
			folder.Options{Name: name, ReadOnly: true},
		)
		if err == nil {
			continue
		}
		delete(opened, name)
		closeBuckets(opened)
		if errs.KindOf(err) == errs.NotFound {
			err = errs.Wrap(errs.NotFound, err,
				"There is no %s beside %s: the objects of its executions lie elsewhere.", name, place.State)
		}
		return execution.Buckets{}, nil, err
	}
	return execution.Buckets{
		Inbox:  opened[emulator.InboxName],
		Outbox: opened[emulator.OutboxName],
		Audit:  opened[emulator.AuditName],
	}, opened, nil
}

func closeBuckets(opened map[string]*folder.Bucket) {
	for _, b := range opened {
		b.Close()
	}
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
