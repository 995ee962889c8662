package sqlitedb_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOpenTakesAnyPath(t *testing.T) {
	for _, name := range []string{"state.db", "with space.db", "50%.db", "what?.db", "a#b.db", "a&b=c.db", "größe.db"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			db := open(t, path)
			if _, err := db.Exec(`CREATE TABLE kept (x)`); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("the file is not where it was asked for: %v", err)
			}
		})
	}
}

// TestANewFileIsOpenedByManyAtOnce opens each of many new files from eight
// sides: the first to come switches it to WAL, for which SQLite does not wait.
func TestANewFileIsOpenedByManyAtOnce(t *testing.T) {
	for range 100 {
		path := filepath.Join(t.TempDir(), "state.db")
		var group errgroup.Group
		for range 8 {
			group.Go(func() error {
				db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
				if err != nil {
					return err
				}
				return db.Close()
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryConnectionHasThePragmas(t *testing.T) {
	db, err := sqlitedb.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 4 { // each on its own connection, all held at once
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "10000", "foreign_keys": "1"} {
			var got string
			if err := conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("PRAGMA %s = %q, %v; want %q", pragma, got, err, want)
			}
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(notes, []byte(strings.Repeat("not a database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path string
		want errs.Kind
	}{
		"a missing folder":          {filepath.Join(dir, "missing", "state.db"), errs.Invalid},
		"a folder":                  {dir, errs.Denied},
		"a file of another program": {notes, errs.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sqlitedb.Open(t.Context(), c.path, sqlitedb.Options{})
			if errs.KindOf(err) != c.want {
				t.Errorf("got %v, want kind %s", err, c.want)
			}
			if strings.Contains(errs.Message(err), "SQLITE") {
				t.Errorf("the message shows the driver's text: %s", errs.Message(err))
			}
		})
	}
	if got, _ := os.ReadFile(notes); !strings.HasPrefix(string(got), "not a database") {
		t.Error("the other program's file was changed")
	}
}

// A transaction ends with its context, also for statements that have another.
func TestATransactionEndsWithItsContext(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	if _, err := db.Exec(`CREATE TABLE notes (text TEXT)`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := sqlitedb.Update(ctx, db, "cannot write", func(tx *sql.Tx) error {
		cancel()
		for {
			if _, err := tx.ExecContext(t.Context(), `INSERT INTO notes VALUES ('one')`); err != nil {
				return sqlitedb.Error(err, "cannot write")
			}
		}
	})
	if errs.KindOf(err) != errs.Deadline {
		t.Errorf("got %v, want kind %s", err, errs.Deadline)
	}
	var kept int
	if err := db.QueryRow(`SELECT count(*) FROM notes`).Scan(&kept); err != nil || kept != 0 {
		t.Errorf("%d notes are kept, %v", kept, err)
	}
}

func TestTablesAreMadeOnce(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	notes := `CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('one');`
	for range 2 {
		if err := sqlitedb.CreateTables(t.Context(), db, "notes", notes); err != nil {
			t.Fatal(err)
		}
	}
	if err := sqlitedb.CreateTables(t.Context(), db, "other", `INSERT INTO notes VALUES ('of another room')`); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := db.QueryRow(`SELECT group_concat(text, ' ') FROM notes`).Scan(&got); err != nil || got != "one of another room" {
		t.Errorf("got %q, %v", got, err)
	}
	err := sqlitedb.CreateTables(t.Context(), db, "notes", notes+` CREATE TABLE more (text TEXT);`)
	if errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), "another version") {
		t.Errorf("another schema: got %v, want Invalid", err)
	}
}

func TestAFailedSchemaLeavesNothing(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	if err := sqlitedb.CreateTables(t.Context(), db, "notes", `CREATE TABLE notes (text TEXT); INSERT INTO nowhere VALUES (1)`); errs.KindOf(err) != errs.Internal {
		t.Fatalf("got %v, want Internal", err)
	}
	wantTables(t, db)
}

// A file of a version before the first release is refused and stays as it is.
func TestAnUnreleasedFileIsRefused(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	if _, err := db.Exec(`CREATE TABLE schema_versions (room TEXT PRIMARY KEY, version INTEGER NOT NULL); CREATE TABLE plans (plan TEXT)`); err != nil {
		t.Fatal(err)
	}
	err := sqlitedb.CreateTables(t.Context(), db, "notes", `CREATE TABLE notes (text TEXT)`)
	if errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), "before the first release") {
		t.Errorf("got %v, want Invalid", err)
	}
	wantTables(t, db, "plans", "schema_versions")
}

func wantTables(t *testing.T, db *sql.DB, want ...string) {
	t.Helper()
	var got string
	err := db.QueryRow(`SELECT coalesce(group_concat(name, ' '), '') FROM (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name)`).Scan(&got)
	if err != nil || got != strings.Join(want, " ") {
		t.Errorf("the tables are %q, %v, want %q", got, err, want)
	}
}

func TestUpdate(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	if _, err := db.Exec(`CREATE TABLE notes (text TEXT)`); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	err := sqlitedb.Update(t.Context(), db, "cannot store a note", func(tx *sql.Tx) error {
		if _, err := tx.Exec(`INSERT INTO notes VALUES ('half')`); err != nil {
			return err
		}
		return refused
	})
	if err != refused {
		t.Errorf("got %v, want the error as it is", err)
	}
	var rows int
	if err := db.QueryRow(`SELECT count(*) FROM notes`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows were left, %v", rows, err)
	}
}

func TestErrorKinds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	db := open(t, filepath.Join(t.TempDir(), "state.db"))
	if _, err := db.Exec(`CREATE TABLE filled (x); PRAGMA max_page_count = 10`); err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // so that every statement sees the same small limit
	_, full := db.Exec(`PRAGMA max_page_count = 10; INSERT INTO filled VALUES (zeroblob(1000000))`)
	_, readonly := db.Exec(`PRAGMA query_only = 1; INSERT INTO filled VALUES (1)`)
	cancel()
	_, cancelled := db.ExecContext(ctx, `SELECT 1`)
	_, syntax := db.Exec(`SELEKT`)
	for name, c := range map[string]struct {
		err  error
		want errs.Kind
	}{
		"a full disk":        {full, errs.Exhausted},
		"a read-only file":   {readonly, errs.Denied},
		"a cancelled call":   {cancelled, errs.Deadline},
		"a broken statement": {syntax, errs.Internal},
		"nothing":            {nil, ""},
	} {
		got := sqlitedb.Error(c.err, "cannot store the %s", "plan")
		if errs.KindOf(got) != c.want {
			t.Errorf("%s: got %v, want kind %q", name, got, c.want)
		}
		if got != nil && (!errors.Is(got, c.err) || !strings.HasPrefix(errs.Message(got), "cannot store the plan: ")) {
			t.Errorf("%s: message %q; the original kept: %t", name, errs.Message(got), errors.Is(got, c.err))
		}
	}
}

// A second writer waits for the first and is told after the wait that the
// database is busy.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	first, second := open(t, path), open(t, path)
	if _, err := second.Exec(`PRAGMA busy_timeout = 1`); err != nil {
		t.Fatal(err)
	}
	second.SetMaxOpenConns(1)
	err := sqlitedb.Update(t.Context(), first, "one", func(*sql.Tx) error {
		return sqlitedb.Update(t.Context(), second, "two", func(*sql.Tx) error { return nil })
	})
	if errs.KindOf(err) != errs.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

// A database of another program gets no tables of ours.
func TestAnotherProgramsDatabaseIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "places.sqlite")
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE bookmarks (url TEXT)`); err != nil {
		t.Fatal(err)
	}
	err = sqlitedb.CreateTables(t.Context(), db, "ledger", `CREATE TABLE plans (id TEXT)`)
	if errs.KindOf(err) != errs.Invalid || !strings.Contains(err.Error(), "places.sqlite belongs to another program") {
		t.Errorf("%v, want Invalid", err)
	}
	var tables int
	if err := db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE type = 'table'`).Scan(&tables); err != nil || tables != 1 {
		t.Errorf("%d tables, %v", tables, err)
	}
}
