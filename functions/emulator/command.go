package emulator

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/googleapis/gax-go/v2"
	"golang.org/x/sys/unix"

	"github.com/planwright/planwright/functions/emulator/inbox"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/bucket/folder"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Command is a store as a command line uses it: what a server has, without the server.
type Command struct {
	*DataFolder
	Records *sqlite.Store
	rows    *inbox.Rows
}

// Use opens the store of an SQLite file for a command, creating what is missing. Several
// commands may use it at a time. Conflict: a server does. With noSync nothing waits until
// it is on the disk.
func Use(ctx context.Context, db string, noSync bool) (*Command, error) {
	f := &DataFolder{Place: PlaceOf(db)}
	lock := func(path string) (*os.File, error) { return f.lockForCommand(ctx, path) }
	options := sqlitedb.Options{NoSync: noSync}
	c := &Command{DataFolder: f}
	if err := f.open(ctx, lock, options, logging.Discard); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	var err error
	if c.Records, err = openRecords(ctx, f.Place, options); err == nil {
		c.Records.ChangesFile = ChangesIn(f.audit)
		c.rows, err = inbox.NewRows(ctx, f.state)
	}
	if err == nil && f.exclusive {
		err = c.tidy(ctx)
	}
	if err == nil {
		err = f.share(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// openRecords opens the records of a store. They must be those that the tree there was
// signed of.
func openRecords(ctx context.Context, place Place, options sqlite.Options) (*sqlite.Store, error) {
	records, err := sqlite.Open(ctx, place.State, options)
	if err != nil {
		return nil, err
	}
	if err := CheckRecords(ctx, place, records); err != nil {
		return nil, errors.Join(err, records.Close())
	}
	return records, nil
}

// ChangesIn opens changes files in the audit bucket.
func ChangesIn(audit bucket.Bucket) func(context.Context, ledger.File) (io.ReadCloser, error) {
	return func(ctx context.Context, file ledger.File) (io.ReadCloser, error) {
		changes, _, err := bucket.OpenLive(ctx, audit, file.Object)
		return changes, err
	}
}

// Close releases the store.
func (c *Command) Close() error {
	var err error
	if c.Records != nil {
		err = c.Records.Close()
	}
	return errors.Join(err, c.DataFolder.Close())
}

// tidy ends every lease and drops what was not imported whole: the lock proves that the
// commands that were at it are dead.
func (c *Command) tidy(ctx context.Context) error {
	if _, err := c.Records.ExpireLeases(ctx, time.Now()); err != nil {
		return err
	}
	_, err := c.inbox.Sweep(ctx, func(_ string, generation int64) bool {
		has, err := c.rows.Has(ctx, generation)
		return has || err != nil
	})
	return err
}

// A command that opens a store has it alone for a moment; others wait for so long.
const (
	lockTries = 250
	lockPause = 20 * time.Millisecond
)

// lockForCommand takes the lock alone where nobody has it, and else shares it with other
// commands. Conflict: a server has it.
func (f *DataFolder) lockForCommand(ctx context.Context, path string) (*os.File, error) {
	for tries := 1; ; tries++ {
		for _, how := range []int{unix.LOCK_EX, unix.LOCK_SH} {
			file, err := tryLock(path, how)
			if !errors.Is(err, unix.EWOULDBLOCK) {
				f.exclusive = how == unix.LOCK_EX
				return file, err
			}
		}
		if _, address := holder(path); address != "" || tries == lockTries {
			return nil, f.served(address)
		}
		if err := gax.Sleep(ctx, lockPause); err != nil {
			return nil, errs.Wrap(errs.Deadline, err, "Stopped: nothing was done.")
		}
	}
}

// share lets other commands use the store, too.
func (f *DataFolder) share(ctx context.Context) error {
	for tries := 1; f.exclusive; tries++ {
		err := unix.Flock(int(f.lock.Fd()), unix.LOCK_SH|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case tries == lockTries || !errors.Is(err, unix.EWOULDBLOCK):
			return f.served("")
		}
		if err := gax.Sleep(ctx, lockPause); err != nil {
			return errs.Wrap(errs.Deadline, err, "Stopped: nothing was done.")
		}
	}
	return nil
}

// served is the refusal of a store that a server uses.
func (f *DataFolder) served(address string) error {
	by := "A server"
	if address != "" {
		by = "The server at " + address
	}
	return errs.New(errs.Conflict, "%s uses %s: stop it, or choose another --db.", by, f.State)
}

// Buckets are those that the executor works on. The inbox has a table that is being
// imported, too; nil: none is.
func (c *Command) Buckets(imported *folder.Import) execution.Buckets {
	return execution.Buckets{Inbox: importing{c.inbox, imported}, Outbox: c.outbox, Audit: c.audit}
}

// Executor is a server's, for what one command does. Without a log it says nothing of its
// steps.
func (c *Command) Executor(
	buckets execution.Buckets, policy ledger.Policy, log *slog.Logger,
) *execution.Executor {
	s := &stores{inbox: buckets.Inbox, outbox: buckets.Outbox, audit: buckets.Audit}
	return newExecutor(c.Records, s, execution.Config{Policy: policy}, cmp.Or(log, logging.Discard))
}

// Sign takes the outcomes that are new into the signed tree.
func (c *Command) Sign(ctx context.Context) error {
	key, err := tree.LocalKey(filepath.Join(c.Folder, keyName))
	if err != nil {
		return err
	}
	log, err := tree.New(c.Records, c.audit, key)
	if err != nil {
		return err
	}
	return log.Append(ctx)
}

// importing is the inbox with a table that is not there until it has been read.
type importing struct {
	*folder.Bucket
	imported *folder.Import
}

// Open implements bucket.Bucket.
func (i importing) Open(
	ctx context.Context, name string, generation int64,
) (io.ReadCloser, bucket.Object, error) {
	if i.imported != nil && i.imported.Is(name, generation) {
		return i.imported.Open(ctx)
	}
	return i.Bucket.Open(ctx, name, generation)
}

// Generation returns the next generation in the inbox.
func (c *Command) Generation(ctx context.Context) (int64, error) { return c.rows.Next(ctx, time.Now()) }

// Import begins to take a file into the inbox, and returns the event about it.
func (c *Command) Import(
	ctx context.Context, name string, source *os.File, metadata map[string]string,
) (*folder.Import, execution.Event, error) {
	now := time.Now()
	var generation int64
	err := errs.New(errs.Conflict, "")
	for errs.KindOf(err) == errs.Conflict { // another command was quicker
		if generation, err = c.rows.Next(ctx, now); err == nil {
			err = c.rows.AddImport(ctx, name, generation, now)
		}
	}
	if err != nil {
		return nil, execution.Event{}, err
	}
	options := bucket.CreateOptions{ContentType: inbox.ContentType(name), Metadata: metadata}
	imported, err := c.inbox.Import(ctx, name, generation, source, options)
	event := execution.Event{
		Bucket: c.inbox.Name(), Object: name, Generation: generation, Metadata: metadata, CreatedAt: now,
	}
	return imported, event, err
}

// RemoveInputs removes imports that are not needed any more: those that nothing was made of,
// and those of completed executions after their time.
func (c *Command) RemoveInputs(ctx context.Context, now time.Time) error {
	imports, err := c.rows.Imports(ctx)
	if err != nil {
		return err
	}
	for _, row := range imports {
		needed, err := c.needs(ctx, row, now)
		if err != nil {
			return err
		}
		if needed {
			continue
		}
		if err := c.inbox.RemoveImport(ctx, row.Path, row.Generation); err != nil {
			return err
		}
		if err := c.rows.Remove(ctx, row.Generation); err != nil {
			return err
		}
	}
	return nil
}

// needs reports whether an import may be read again.
func (c *Command) needs(ctx context.Context, row inbox.Row, now time.Time) (bool, error) {
	upload := ledger.Upload{Bucket: c.inbox.Name(), Object: row.Path, Generation: row.Generation}
	found, err := c.Records.Snapshot(ctx, execution.ExecutionIn(row.Path), upload.ID())
	if err != nil {
		return false, err
	}
	isSource := found.Execution != nil && found.Execution.Source.Upload == upload
	isOld := now.Sub(time.UnixMicro(row.Generation)) > execution.InputsKept
	switch {
	case found.Outcome == nil:
		return isSource || !isOld, nil
	case found.Outcome.Status == ledger.Completed:
		return !isOld, nil
	default:
		return false, nil
	}
}
