package emulator

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Names of what lies in a data folder.
const (
	InboxName  = "inbox"
	OutboxName = "outbox"
	AuditName  = "audit"
	StateName  = "state.db"
	lockName   = "state.lock"
)

// dataFolder is everything that a server keeps, under one path. One process
// uses it at a time, as its lock proves.
type dataFolder struct {
	path   string // absolute
	lock   *os.File
	state  *sql.DB
	inbox  *folder.Bucket
	outbox *folder.Bucket
	audit  *folder.Bucket
}

// openFolder takes the folder's lock and opens what lies in it, creating what
// is missing. Conflict: another process has it.
func openFolder(ctx context.Context, path string) (_ *dataFolder, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "The data folder %s cannot be found.", path)
	}
	if err := os.MkdirAll(absolute, 0o755); err != nil {
		return nil, errs.Wrap(errs.Denied, err, "The data folder %s cannot be created: check its path and permissions.", path)
	}
	f := &dataFolder{path: absolute}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	if f.lock, err = lockFile(filepath.Join(absolute, lockName)); err != nil {
		return nil, err
	}
	if f.state, err = sqlitedb.Open(ctx, f.statePath(), sqlitedb.Options{}); err != nil {
		return nil, err
	}
	for name, b := range map[string]**folder.Bucket{InboxName: &f.inbox, OutboxName: &f.outbox, AuditName: &f.audit} {
		if *b, err = folder.Open(filepath.Join(absolute, name), folder.Options{Name: name, Exclusive: true}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *dataFolder) statePath() string { return filepath.Join(f.path, StateName) }
func (f *dataFolder) inboxPath() string { return filepath.Join(f.path, InboxName) }

// Close releases the folder. The lock goes last.
func (f *dataFolder) Close() error {
	var failed error
	for _, b := range []*folder.Bucket{f.inbox, f.outbox, f.audit} {
		if b != nil {
			failed = errors.Join(failed, b.Close())
		}
	}
	if f.state != nil {
		failed = errors.Join(failed, f.state.Close())
	}
	if f.lock != nil {
		failed = errors.Join(failed, f.lock.Close())
	}
	return failed
}

// lockFile takes a lock that lasts as long as the process, however it ends.
// The file holds the process id, for whoever finds it locked.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, errs.Wrap(errs.Denied, err, "%s cannot be written: check its permissions and its folder's.", path)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		holder, _ := os.ReadFile(path)
		file.Close()
		return nil, errs.New(errs.Conflict, "Another planwright (process %s) serves %s already. Stop it, or choose another folder with --data.",
			strings.TrimSpace(string(holder)), filepath.Dir(path))
	case err != nil:
		file.Close()
		return nil, errs.Wrap(errs.Denied, err, "%s cannot be locked: its file system has no locks. Choose a local disk with --data.", path)
	}
	if err := writeHolder(file); err != nil {
		file.Close()
		return nil, errs.Wrap(errs.Unavailable, err, "%s cannot be written: is the disk full?", path)
	}
	return file, nil
}

func writeHolder(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendln(nil, os.Getpid()), 0)
	return err
}
