// Package sqlitedb opens the one SQLite file in which the state of a machine
// lies, brings its tables up to date and translates its errors. The rooms
// that keep something there share the file, each with its own tables and its
// own numbered scripts; none of them writes a DSN or reads an error code.
package sqlitedb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
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
		return nil, errs.Wrap(errs.Invalid, err, "the folder of the database file does not exist: %s", filepath.Dir(path))
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
	return fmt.Sprintf("file:%s?%s&_pragma=busy_timeout(%d)&_pragma=synchronous(%s)", url.PathEscape(path), pragmas, wait.Milliseconds(), synchronous)
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

// Migrate runs the scripts of a room that this file has not seen yet, in the
// order of their names, all in one transaction. What a script did is never
// edited afterwards: a later script changes it. A file written by a newer
// program is refused as Invalid.
func Migrate(ctx context.Context, db *sql.DB, room string, scripts fs.FS) error {
	names, err := fs.Glob(scripts, "*.sql")
	if err != nil {
		return errs.Wrap(errs.Internal, err, "cannot list the scripts of the tables of %s", room)
	}
	const what = "cannot bring the database's tables up to date"
	return Update(ctx, db, what, func(tx *sql.Tx) error {
		done, err := version(ctx, tx, room)
		if err != nil {
			return Error(err, what)
		}
		if done > len(names) {
			return errs.New(errs.Invalid, "the database was written by a newer version of Planwright (%s tables: version %d, known here: %d): use that one", room, done, len(names))
		}
		for _, name := range names[done:] {
			if err := run(ctx, tx, scripts, name); err != nil {
				return Error(err, what)
			}
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO schema_versions (room, version) VALUES (?, ?)
			ON CONFLICT (room) DO UPDATE SET version = excluded.version`, room, len(names))
		return Error(err, what)
	})
}

// Behind reports whether scripts of a room have not run in a file yet, and changes
// nothing. A file that has no rooms is not.
func Behind(ctx context.Context, db *sql.DB, room string, scripts fs.FS) (bool, error) {
	names, err := fs.Glob(scripts, "*.sql")
	if err != nil {
		return false, err
	}
	var rooms, done int
	const what = "cannot read the version of the database's tables"
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'schema_versions'`).Scan(&rooms); err != nil || rooms == 0 {
		return false, Error(err, what)
	}
	err = db.QueryRowContext(ctx, selectVersion, room).Scan(&done)
	return done < len(names), Error(err, what)
}

const selectVersion = `SELECT coalesce(max(version), 0) FROM schema_versions WHERE room = ?`

// version returns how many of the room's scripts ran in this file. SQLite's
// own user_version would be one number for all rooms.
func version(ctx context.Context, tx *sql.Tx, room string) (int, error) {
	_, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS schema_versions (
		room TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID`)
	if err != nil {
		return 0, err
	}
	var done int
	err = tx.QueryRowContext(ctx, selectVersion, room).Scan(&done)
	return done, err
}

func run(ctx context.Context, tx *sql.Tx, scripts fs.FS, name string) error {
	script, err := fs.ReadFile(scripts, name)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, string(script))
	return err
}
