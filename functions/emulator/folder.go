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

	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/merkle"
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
	// keyName is the private key of the tree of audit documents, beside the state.
	keyName = "state.key"
)

// FolderSuffix is how the folder beside an SQLite file ends that is no state.db.
const FolderSuffix = ".d"

// Place is where the parts of a store lie: the SQLite file with its records, and the folder
// with its buckets, its lock and its key.
type Place struct{ State, Folder string }

// PlaceOf returns the place of a store by its SQLite file. What belongs to a state.db lies
// in the folder that it is in, and what belongs to another file in a folder of its own.
func PlaceOf(state string) Place {
	if filepath.Base(state) == StateName {
		return Place{state, filepath.Dir(state)}
	}
	return Place{state, state + FolderSuffix}
}

// DataFolder is everything that a store keeps, in one place. Its lock is held by one server,
// or by any number of commands.
type DataFolder struct {
	Place
	lock      *os.File
	exclusive bool // nobody else used it when it was opened
	state     *sql.DB
	inbox     *folder.Bucket
	outbox    *folder.Bucket
	audit     *folder.Bucket
	tables    *folder.Bucket // held for a day
}

// hold takes the lock of a server's folder and opens what lies in it, creating what
// is missing. Conflict: another process has it.
func hold(ctx context.Context, path string, log *slog.Logger) (*DataFolder, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "The data folder %s cannot be found.", path)
	}
	f := &DataFolder{Place: Place{filepath.Join(absolute, StateName), absolute}, exclusive: true}
	return f, f.closeAfter(f.open(ctx, lockForServer, sqlitedb.Options{}, log))
}

// open takes the lock and opens what lies in the folder.
func (f *DataFolder) open(
	ctx context.Context, lock func(path string) (*os.File, error), options sqlitedb.Options, log *slog.Logger,
) (err error) {
	if err := CheckFolder(f.Place); err != nil {
		return err
	}
	if err := os.MkdirAll(f.Folder, 0o700); err != nil {
		return errs.Wrap(errs.Denied, err,
			"The data folder %s cannot be created: check its path and permissions.", f.Folder)
	}
	if f.lock, err = lock(filepath.Join(f.Folder, lockName)); err != nil {
		return err
	}
	if _, err := os.Stat(f.State); errors.Is(err, fs.ErrNotExist) {
		if err := CheckRecords(ctx, f.Place, nil); err != nil {
			return err
		}
	}
	if err := f.makePrivate(); err != nil {
		return err
	}
	if f.state, err = openState(ctx, f.State, options, log); err != nil {
		return err
	}
	for name, b := range map[string]**folder.Bucket{
		InboxName:  &f.inbox,
		OutboxName: &f.outbox,
		AuditName:  &f.audit,
		TablesName: &f.tables,
	} {
		*b, err = folder.Open(filepath.Join(f.Folder, name), folder.Options{
			Name:      name,
			Exclusive: f.exclusive,
			NoSync:    options.NoSync,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// closeAfter closes the folder where there is an error.
func (f *DataFolder) closeAfter(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(err, f.Close())
}

// CheckFolder refuses a folder whose server knew people by tokens, or kept who may
// decide: without these it would let in, and decide for, others than it did. It refuses
// records beside which a tree, a key or inputs of earlier builds lie.
func CheckFolder(place Place) error {
	for _, name := range []string{"state.tokens", "state.policy"} {
		if _, err := os.Lstat(filepath.Join(place.Folder, name)); err == nil {
			return errs.New(errs.Invalid, "%s is of a server with tokens, of which there are none any more: APPROVERS and the other roles are read from the environment and .env at each start, and serve --user-header takes who somebody is from a proxy. Delete %s once that is set up.", name, name)
		}
	}
	for _, suffix := range []string{".tree", ".key", ".inputs"} {
		if _, err := os.Lstat(place.State + suffix); err == nil {
			return errs.New(errs.Invalid, "%[1]s lies beside %[2]s and is of an earlier build, whose records this one does not read: choose another file with --db, or move both into another folder.", filepath.Base(place.State)+suffix, filepath.Base(place.State))
		}
	}
	return nil
}

// openState opens the state file as soon as no other program holds it, such as
// one in which somebody looks at it.
func openState(
	ctx context.Context, path string, options sqlitedb.Options, log *slog.Logger,
) (*sql.DB, error) {
	for announced := false; ; announced = true {
		err := tryState(ctx, path)
		switch {
		case err == nil:
			return sqlitedb.Open(ctx, path, options)
		case ctx.Err() != nil, !sqlitedb.Busy(err):
			return nil, err
		case !announced:
			log.WarnContext(ctx, "waiting: another program holds the state file, close it",
				"file", filepath.Base(path))
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

// makePrivate makes what a store keeps its owner's alone, also what is open
// to others. The folder itself may hold more than ours, and stays as it is. SQLite
// makes its other files as open as the first.
func (f *DataFolder) makePrivate() error {
	state, err := os.OpenFile(f.State, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return errs.Wrap(errs.Denied, err,
			"%s cannot be written: check its permissions and its folder's.", filepath.Base(f.State))
	}
	state.Close()
	for _, path := range []string{
		f.State, f.State + "-wal", f.State + "-shm", filepath.Join(f.Folder, lockName),
	} {
		if err := restrict(path, 0o600); err != nil {
			return err
		}
	}
	for _, name := range []string{InboxName, OutboxName, AuditName, TablesName} {
		path := filepath.Join(f.Folder, name)
		if err := os.MkdirAll(path, 0o700); err != nil {
			return errs.Wrap(errs.Denied, err,
				"The folder %s cannot be created: check the permissions of the data folder.", name)
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
	if errors.Is(err, fs.ErrNotExist) ||
		err == nil && (info.Mode().Type() == fs.ModeSymlink || info.Mode().Perm()&^most == 0) {
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

func (f *DataFolder) inboxPath() string { return filepath.Join(f.Folder, InboxName) }

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

// Serving reports whether a server uses the store.
func Serving(place Place) bool {
	file, err := os.Open(filepath.Join(place.Folder, lockName))
	if err != nil {
		return false
	}
	defer file.Close()
	return errors.Is(unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// CheckRecords compares records with the tree that was signed of them, as
// tree.CheckRecords does. Store is nil where there is no file.
func CheckRecords(ctx context.Context, place Place, store merkle.LeafStore) error {
	return tree.CheckRecords(ctx, store, os.DirFS(filepath.Join(place.Folder, AuditName)),
		filepath.Base(place.State),
		fmt.Sprintf("If there is none, nothing is known here any more of what was carried out: choose another place with --data or --db, or move %s into another folder first.", filepath.Base(place.Folder)))
}

// Address returns where a server that uses the store answers; "" where none does.
func Address(place Place) string {
	if !Serving(place) {
		return ""
	}
	_, address := holder(filepath.Join(place.Folder, lockName))
	return address
}

// holder reads who holds a lock: the process id, and its address once it has one.
func holder(path string) (process, address string) {
	text, _ := os.ReadFile(path)
	process, address, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	return process, address
}

// lockForServer takes a lock that lasts as long as the process, however it ends.
// The file holds the process id and its address, for the process that finds it locked.
func lockForServer(path string) (*os.File, error) {
	file, err := tryLock(path, unix.LOCK_EX)
	if errors.Is(err, unix.EWOULDBLOCK) {
		process, _ := holder(path)
		return nil, errs.New(errs.Conflict, "Another planwright uses %s: a command that ends soon, or a server (the last one was process %s). Stop it, or choose another folder with --data.",
			filepath.Dir(path), process)
	}
	return file, err
}

// tryLock opens a file and locks it, for itself alone or shared. EWOULDBLOCK: another
// process has it. Whoever has it alone is named in it.
func tryLock(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, errs.Wrap(errs.Denied, err,
			"%s cannot be written: check its permissions and its folder's.", path)
	}
	err = unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		file.Close()
		return nil, err
	case err != nil:
		file.Close()
		return nil, errs.Wrap(errs.Denied, err,
			"%s cannot be locked: its file system has no locks. Choose a local disk with --data or --db.",
			path)
	case how != unix.LOCK_EX:
		return file, nil
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
