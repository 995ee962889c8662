// Package sqlitedb opens the SQLite file that has the state of a machine, makes its tables
// and translates its errors. Rooms share the file, each with its own tables and schema. No
// other room writes a DSN or reads an error code.
package sqlitedb

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/googleapis/gax-go/v2"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo

	"github.com/planwright/planwright/shared/errs"
)

// Options say how the file is opened. The zero value is the safe one.
type Options struct {
	// NoSync leaves writing to the operating system: a crash of the process
	// loses nothing, a power cut may lose the newest commits.
	NoSync bool
	// Wait is how long a call waits for others that hold the file; 0 is 10 s.
	Wait time.Duration
}

// connections to one file: readers work beside the one writer that SQLite
// allows, and more of them would only wait for each other.
const connections = 4

// pragmas of every connection. A transaction takes the write lock at once: a
// deferred transaction, which reads first and writes later, fails under contention.
const pragmas = "_txlock=immediate&_error_rc=true&_dqs=false&_pragma=foreign_keys(ON)"

// Open opens the file at path, which it creates where there is none; its
// folder must exist. A file that is no SQLite database is Invalid.
func Open(ctx context.Context, path string, options Options) (*sql.DB, error) {
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return nil, errs.Wrap(
			errs.Invalid,
			err,
			"the folder of the database file does not exist: %s",
			filepath.Dir(path),
		)
	}
	db, err := sql.Open("sqlite", dsn(path, options))
	if err != nil {
		return nil, Error(err, "cannot open the database file")
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if err := switchToWAL(ctx, db); err != nil {
		return nil, errors.Join(Error(err, "cannot open the database file"), db.Close())
	}
	return db, nil
}

// switchToWAL makes a new file one with a write-ahead log, which it stays. Of
// several that open it at once the first switches, and the others are told that
// it is busy: that is one of the things that busy_timeout does not wait for. As
// a pragma of a connection, the driver would set it before synchronous.
func switchToWAL(ctx context.Context, db *sql.DB) error {
	wait := gax.Backoff{Initial: time.Millisecond, Max: 100 * time.Millisecond}
	for start := time.Now(); ; {
		_, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		if !Busy(err) || time.Since(start) > switchTimeout {
			return err
		}
		if err := gax.Sleep(ctx, wait.Pause()); err != nil {
			return err
		}
	}
}

// switchTimeout is more than enough for others to switch a file to WAL.
const switchTimeout = 5 * time.Second

func dsn(path string, options Options) string {
	synchronous := "FULL"
	if options.NoSync {
		synchronous = "OFF"
	}
	wait := cmp.Or(options.Wait, 10*time.Second)
	return fmt.Sprintf(
		"file:%s?%s&_pragma=busy_timeout(%d)&_pragma=synchronous(%s)",
		url.PathEscape(path),
		pragmas,
		wait.Milliseconds(),
		synchronous,
	)
}

// Update runs change in one transaction, which holds the write lock from its
// start. An error of change rolls it back and is returned as it is.
func Update(ctx context.Context, db *sql.DB, what string, change func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return Error(err, "%s", what)
	}
	defer tx.Rollback() // without effect after the commit
	if err := change(tx); err != nil {
		return err
	}
	return Error(tx.Commit(), "%s", what)
}

// CreateTables makes the tables of a room in a file that has none of it yet, and
// notes by which schema. A file in which the room has other tables is refused as
// Invalid and stays as it is.
func CreateTables(ctx context.Context, db *sql.DB, room, schema string) error {
	const what = "cannot make the database's tables"
	return Update(ctx, db, what, func(tx *sql.Tx) error {
		if err := refuseUnreleased(ctx, tx); err != nil {
			return err
		}
		_, err := tx.ExecContext(
			ctx,
			`CREATE TABLE IF NOT EXISTS schemas (room TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID`,
		)
		if err != nil {
			return Error(err, what)
		}
		var made string
		wanted := fmt.Sprintf("%x", sha256.Sum256([]byte(schema)))
		err = tx.QueryRowContext(ctx, `SELECT sha256 FROM schemas WHERE room = ?`, room).Scan(&made)
		switch {
		case err == nil && made == wanted:
			return nil
		case err == nil:
			return errs.New(
				errs.Invalid,
				"%s is of another version of Planwright, which has other tables for %s: use that version, or move the file away to begin a new one",
				fileName(ctx, tx),
				room,
			)
		case !errors.Is(err, sql.ErrNoRows):
			return Error(err, what)
		}
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return Error(err, what)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO schemas (room, sha256) VALUES (?, ?)`, room, wanted)
		return Error(err, what)
	})
}

// refuseUnreleased refuses a file of a version before the first release. Those had a
// table of versions, and nothing of their records is read.
func refuseUnreleased(ctx context.Context, tx *sql.Tx) error {
	var found int
	err := tx.QueryRowContext(ctx,
		`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_versions'`).
		Scan(&found)
	if err != nil {
		return Error(err, "cannot read the database's tables")
	}
	if found == 0 {
		return refuseForeign(ctx, tx)
	}
	return errs.New(
		errs.Invalid,
		"%s is of a version before the first release, which this one does not read: move it away, with what lies beside it, to begin a new one, and check its signed log with planwright verify --log DIR --key KEY FILES",
		fileName(ctx, tx),
	)
}

// refuseForeign refuses a file that has tables, and none of ours that says of which rooms.
func refuseForeign(ctx context.Context, tx *sql.Tx) error {
	var tables, ours int
	err := tx.QueryRowContext(ctx,
		`SELECT count(*), coalesce(sum(name = 'schemas'), 0) FROM sqlite_schema WHERE type = 'table'`).
		Scan(&tables, &ours)
	if err != nil {
		return Error(err, "cannot read the database's tables")
	}
	if tables > 0 && ours == 0 {
		return errs.New(
			errs.Invalid,
			"the database %s belongs to another program: choose another file",
			fileName(ctx, tx),
		)
	}
	return nil
}

// fileName is the name of the file, without its folder.
func fileName(ctx context.Context, tx *sql.Tx) string {
	var path string
	if err := tx.QueryRowContext(ctx,
		`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path); err != nil {
		return "the database"
	}
	return filepath.Base(path)
}
