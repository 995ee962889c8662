// Package sqlite keeps the ledger in one SQLite file: plans, execution
// records, audit documents and changes, each in a table, and the view
// executions for those who ask as they asked the first executor.
//
// A change of a record is one UPDATE that names the revision it was read at.
package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

//go:embed schema.sql
var schema string

// Store is a ledger.Store in an SQLite file.
type Store struct {
	db *sql.DB
	// ChangesFile, where it is set before the store is used, opens a changes file. Then
	// change documents are made of the files when somebody first asks for changes, and
	// none is taken before: an execution does not wait until all of its own are stored.
	ChangesFile func(ctx context.Context, file ledger.File) (io.ReadCloser, error)

	indexing sync.Mutex // one call at a time reads changes files
}

var _ ledger.Store = (*Store)(nil)

// Options say how the file is opened.
type Options = sqlitedb.Options

// Open opens the ledger in the SQLite file at path, which it creates where
// there is none. A file with tables of another program or version is Invalid.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	db, err := sqlitedb.Open(ctx, path, options)
	if err != nil {
		return nil, err
	}
	if err := prepare(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return &Store{db: db}, nil
}

func prepare(ctx context.Context, db *sql.DB) error {
	var foreign int
	err := db.QueryRowContext(ctx,
		`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'executions'`).Scan(&foreign)
	if err != nil {
		return sqlitedb.Error(err, "cannot read the database's tables")
	}
	if foreign > 0 {
		return errs.New(errs.Invalid,
			"the database belongs to another program: it has a table named executions; choose another file")
	}
	return sqlitedb.CreateTables(ctx, db, "ledger", schema)
}

// Close closes the file.
func (s *Store) Close() error { return sqlitedb.Error(s.db.Close(), "cannot close the database") }

// ExpireLeases ends every lease and returns how many there were. It is for
// the start of a server that knows, by a lock, that no holder is alive.
func (s *Store) ExpireLeases(ctx context.Context, at time.Time) (int64, error) {
	const never = "0001-01-01T00:00:00Z" // the zero time, as a released lease has it
	result, err := s.db.ExecContext(ctx, `UPDATE execution_records
		SET document = json_set(document, '$.attempts.lease_until', ?1, '$.due_at', ?2), due_at = ?2, revision = revision + 1
		WHERE status = 'running' AND document ->> '$.attempts.lease_until' <> ?1`, never, sqlitedb.Instant(at))
	if err != nil {
		return 0, sqlitedb.Error(err, "cannot expire the leases")
	}
	return sqlitedb.Affected(result, "cannot expire the leases")
}

// writer is a database or a transaction in it.
type writer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// last sorts after every instant.
const last = "~"

func revision(number int64) string { return strconv.FormatInt(number, 10) }

// number is the one of a revision; 0, which nothing has had, of what is none.
func number(revision string) int64 {
	n, _ := strconv.ParseInt(revision, 10, 64)
	return n
}
