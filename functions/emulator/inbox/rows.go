package inbox

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Row is one drop: inbox(path, size, mtime, ctime, inode, mode, links,
// generation, acknowledged_at).
type Row struct {
	Path       string // slash-separated, below the inbox
	Stamp      Stamp
	Generation int64 // strictly rising
}

// Rows are the drops written down, in a table of an SQLite database.
type Rows struct{ db *sql.DB }

//go:embed schema.sql
var schema string

// NewRows returns the rows of the state file, whose tables it makes ready. The
// database stays the caller's.
func NewRows(ctx context.Context, db *sql.DB) (*Rows, error) {
	if err := sqlitedb.CreateTables(ctx, db, "inbox", schema); err != nil {
		return nil, err
	}
	return &Rows{db}, nil
}

const what = "cannot read or note what was dropped into the inbox"

const columns = `path, size, mtime, ctime, inode, mode, links, generation`

// Next returns the generation of the next drop: the time in microseconds, or
// one more than the last where the clock has gone back.
func (r *Rows) Next(ctx context.Context, now time.Time) (int64, error) {
	var last int64
	err := r.db.QueryRowContext(ctx, `SELECT coalesce(max(generation), 0) FROM inbox`).Scan(&last)
	return max(now.UnixMicro(), last+1), sqlitedb.Error(err, what)
}

// add writes a drop down. Conflict: its generation has a row already.
func (r *Rows) add(ctx context.Context, row Row) error {
	taken := errs.New(errs.Conflict, "Generation %d was given out before.", row.Generation)
	return sqlitedb.Once(taken, what)(r.db.ExecContext(ctx,
		`INSERT INTO inbox (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		row.Path, row.Stamp.Size, row.Stamp.MTime, row.Stamp.CTime, row.Stamp.Inode, row.Stamp.Mode,
		row.Stamp.Links, row.Generation))
}

// AddImport writes down a file that a command has put into the inbox and delivers itself.
// Conflict: its generation has a row already.
func (r *Rows) AddImport(ctx context.Context, path string, generation int64, at time.Time) error {
	taken := errs.New(errs.Conflict, "Generation %d was given out before.", generation)
	return sqlitedb.Once(taken, what)(r.db.ExecContext(ctx, `INSERT INTO inbox (`+columns+
		`, acknowledged_at) VALUES (?, 0, 0, 0, 0, 0, 0, ?, ?) ON CONFLICT DO NOTHING`,
		path, generation, at.UTC().Format(time.RFC3339Nano)))
}

// Imports returns the rows of AddImport.
func (r *Rows) Imports(ctx context.Context) ([]Row, error) {
	return sqlitedb.Collect(ctx, r.db, what, scan,
		`SELECT `+columns+` FROM inbox WHERE mode = 0 ORDER BY generation`)
}

// Remove removes a row.
func (r *Rows) Remove(ctx context.Context, generation int64) error {
	_, err := r.db.ExecContext(ctx, `DELETE FROM inbox WHERE generation = ?`, generation)
	return sqlitedb.Error(err, what)
}

// restamp notes that the file of a drop has another stamp and the same bytes and size.
func (r *Rows) restamp(ctx context.Context, generation int64, now Stamp) error {
	_, err := r.db.ExecContext(ctx,
		`UPDATE inbox SET mtime = ?, ctime = ?, inode = ?, mode = ?, links = ? WHERE generation = ?`,
		now.MTime, now.CTime, now.Inode, now.Mode, now.Links, generation)
	return sqlitedb.Error(err, what)
}

// folder returns the folder that the drops were last seen in, the zero one
// where none is known.
func (r *Rows) folder(ctx context.Context) (Folder, error) {
	var known Folder
	err := r.db.QueryRowContext(ctx, `SELECT device, inode, born FROM inbox_folder`).Scan(
		&known.Device, &known.Inode, &known.Born,
	)
	if errors.Is(err, sql.ErrNoRows) {
		return Folder{}, nil
	}
	return known, sqlitedb.Error(err, what)
}

// setFolder notes the folder that the drops are in.
func (r *Rows) setFolder(ctx context.Context, now Folder) error {
	_, err := r.db.ExecContext(ctx,
		`INSERT OR REPLACE INTO inbox_folder (only, device, inode, born) VALUES (1, ?, ?, ?)`,
		now.Device, now.Inode, now.Born)
	return sqlitedb.Error(err, what)
}

// acknowledge settles a drop for good.
func (r *Rows) acknowledge(ctx context.Context, generation int64, at time.Time) error {
	_, err := r.db.ExecContext(ctx, `UPDATE inbox SET acknowledged_at = ? WHERE generation = ?`,
		at.UTC().Format(time.RFC3339Nano), generation)
	return sqlitedb.Error(err, what)
}

// last returns the newest drop of a path, the zero Row where there is none.
func (r *Rows) last(ctx context.Context, path string) (Row, error) {
	row, err := scan(r.db.QueryRowContext(ctx,
		`SELECT `+columns+` FROM inbox WHERE path = ? ORDER BY generation DESC LIMIT 1`, path))
	if errors.Is(err, sql.ErrNoRows) {
		return Row{}, nil
	}
	return row, err
}

// Has reports whether a generation was written down.
func (r *Rows) Has(ctx context.Context, generation int64) (bool, error) {
	var found bool
	err := r.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM inbox WHERE generation = ?)`,
		generation).Scan(&found)
	return found, sqlitedb.Error(err, what)
}

// isDue reports whether a drop of a path is not acknowledged yet.
func (r *Rows) isDue(ctx context.Context, path string) (bool, error) {
	var found bool
	err := r.db.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM inbox WHERE path = ? AND acknowledged_at IS NULL)`, path).Scan(&found)
	return found, sqlitedb.Error(err, what)
}

// due returns the drops not acknowledged yet, the oldest first.
func (r *Rows) due(ctx context.Context) ([]Row, error) {
	return sqlitedb.Collect(ctx, r.db, what, scan,
		`SELECT `+columns+` FROM inbox WHERE acknowledged_at IS NULL ORDER BY generation`)
}

func scan(from sqlitedb.Row) (Row, error) {
	var row Row
	err := from.Scan(&row.Path, &row.Stamp.Size, &row.Stamp.MTime, &row.Stamp.CTime,
		&row.Stamp.Inode, &row.Stamp.Mode, &row.Stamp.Links, &row.Generation)
	return row, sqlitedb.Error(err, what)
}
