package emulator

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Names of what lies in a data folder.
const (
	InboxName  = "inbox"
	OutboxName = "outbox"
	AuditName  = "audit"
	TablesName = "tables"
	StateName  = "state.db"
	lockName   = "state.lock"
	// KeyName is the private key of the tree of audit documents, beside the state.
	KeyName = "state.key"
)

// DataFolder is everything that a server keeps, under one path. One process
// uses it at a time, as its lock proves: a server, or a command on its records.
type DataFolder struct {
	path   string // absolute
	lock   *os.File
	state  *sql.DB
	inbox  *folder.Bucket
	outbox *folder.Bucket
	audit  *folder.Bucket
	tables *folder.Bucket // held for a day
}

// Hold takes the folder's lock and opens what lies in it, creating what
// is missing. Conflict: another process has it.
func Hold(ctx context.Context, path string, log *slog.Logger) (_ *DataFolder, err error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "The data folder %s cannot be found.", path)
	}
	if err := CheckFolder(absolute); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(absolute, 0o700); err != nil {
		return nil, errs.Wrap(errs.Denied, err, "The data folder %s cannot be created: check its path and permissions.", path)
	}
	f := &DataFolder{path: absolute}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	if f.lock, err = lockFile(filepath.Join(absolute, lockName)); err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.statePath()); errors.Is(err, fs.ErrNotExist) {
		if err := CheckRecords(ctx, f.statePath(), nil); err != nil {
			return nil, err
		}
	}
	if err := makePrivate(absolute); err != nil {
		return nil, err
	}
	if f.state, err = openState(ctx, f.statePath(), log); err != nil {
		return nil, err
	}
	for name, b := range map[string]**folder.Bucket{InboxName: &f.inbox, OutboxName: &f.outbox, AuditName: &f.audit, TablesName: &f.tables} {
		if *b, err = folder.Open(filepath.Join(absolute, name), folder.Options{Name: name, Exclusive: true}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// CheckFolder refuses a folder whose server knew people by tokens, or kept who may
// decide: without these it would let in, and decide for, others than it did.
func CheckFolder(path string) error {
	for _, name := range []string{"state.tokens", "state.policy"} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return errs.New(errs.Invalid, "%s is of a server with tokens, of which there are none any more: APPROVERS and the other roles are read from the environment and .env at each start, and serve --user-header takes who somebody is from a proxy. Delete %s once that is set up.", name, name)
		}
	}
	return nil
}

// openState opens the state file as soon as no other program holds it, such as
// one in which somebody looks at it.
func openState(ctx context.Context, path string, log *slog.Logger) (*sql.DB, error) {
	for announced := false; ; announced = true {
		err := tryState(ctx, path)
		switch {
		case err == nil:
			return sqlitedb.Open(ctx, path, sqlitedb.Options{})
		case ctx.Err() != nil, !sqlitedb.Busy(err):
			return nil, err
		case !announced:
			log.WarnContext(ctx, "waiting: another program holds the state file, close it", "file", StateName)
		}
	}
}

// tryState takes the write lock of the state file once.
func tryState(ctx context.Context, path string) error {
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{Wait: time.Second})
	if err != nil {
		return err
	}
	err = sqlitedb.Update(ctx, db, "cannot open the state file", func(*sql.Tx) error { return nil })
	return errors.Join(err, db.Close())
}

// makePrivate makes what lies in a data folder its owner's alone, also what is open
// to others. The folder itself may hold more than ours, and stays as it is. SQLite makes its other files as open as the first.
func makePrivate(data string) error {
	state, err := os.OpenFile(filepath.Join(data, StateName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return errs.Wrap(errs.Denied, err, "%s cannot be written: check its permissions and its folder's.", StateName)
	}
	state.Close()
	for _, name := range []string{StateName, StateName + "-wal", StateName + "-shm", lockName} {
		if err := restrict(filepath.Join(data, name), 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{InboxName, OutboxName, AuditName, TablesName} {
		path := filepath.Join(data, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			return errs.Wrap(errs.Denied, err, "The folder %s cannot be created: check the permissions of the data folder.", name)
		}
		if err := restrict(path, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// restrict takes from a file or folder, where there is one, every permission
// beyond those given. What a link leads to is left alone.
func restrict(path string, most fs.FileMode) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Mode().Type() == fs.ModeSymlink || info.Mode().Perm()&^most == 0) {
		return nil
	}
	if err == nil {
		err = os.Chmod(path, info.Mode().Perm()&most)
	}
	if err != nil {
		return errs.Wrap(errs.Denied, err, "%s is open to other users and cannot be closed to them: make it your own, or choose another folder with --data.", filepath.Base(path))
	}
	return nil
}

func (f *DataFolder) statePath() string { return filepath.Join(f.path, StateName) }
func (f *DataFolder) inboxPath() string { return filepath.Join(f.path, InboxName) }

// Buckets are the three of the folder, the one with the signed tree last.
func (f *DataFolder) Buckets() []bucket.Bucket { return []bucket.Bucket{f.inbox, f.outbox, f.audit} }

// Close releases the folder. The lock goes last.
func (f *DataFolder) Close() error {
	var failed error
	for _, b := range []*folder.Bucket{f.inbox, f.outbox, f.audit, f.tables} {
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

// Serving reports whether a server uses the folder.
func Serving(folder string) bool {
	file, err := os.Open(filepath.Join(folder, lockName))
	if err != nil {
		return false
	}
	defer file.Close()
	return errors.Is(unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// IsState reports whether a file is the state of a server's data folder.
func IsState(path string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(path), lockName))
	return err == nil && filepath.Base(path) == StateName
}

// CheckRecords compares a server's records with the tree that was signed of
// them, as tree.CheckRecords does. Store is nil where there is no file.
func CheckRecords(ctx context.Context, path string, store ledger.LeafStore) error {
	return tree.CheckRecords(ctx, store, os.DirFS(filepath.Join(filepath.Dir(path), AuditName)), filepath.Base(path),
		"If there is none, choose another folder with --data: nothing is known here any more of what was carried out.")
}

// Address returns where a server that uses the folder answers; "" where none does.
func Address(folder string) string {
	if !Serving(folder) {
		return ""
	}
	_, address := holder(filepath.Join(folder, lockName))
	return address
}

// holder reads who holds a lock: the process id, and its address once it has one.
func holder(path string) (process, address string) {
	text, _ := os.ReadFile(path)
	process, address, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	return process, address
}

// lockFile takes a lock that lasts as long as the process, however it ends.
// The file holds the process id and its address, for the process that finds it locked.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, errs.Wrap(errs.Denied, err, "%s cannot be written: check its permissions and its folder's.", path)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		process, _ := holder(path)
		file.Close()
		return nil, errs.New(errs.Conflict, "Another planwright uses %s: a command that ends soon, or a server (the last one was process %s). Stop it, or choose another folder with --data.",
			filepath.Dir(path), process)
	case err != nil:
		file.Close()
		return nil, errs.Wrap(errs.Denied, err, "%s cannot be locked: its file system has no locks. Choose a local disk with --data.", path)
	}
	if err := writeHolder(file, ""); err != nil {
		file.Close()
		return nil, errs.Wrap(errs.Unavailable, err, "%s cannot be written: is the disk full?", path)
	}
	return file, nil
}

func writeHolder(file *os.File, address string) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "%d\n%s\n", os.Getpid(), address), 0)
	return err
}
