package sqlite

import (
	"context"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

const selectImports = `SELECT document FROM imports WHERE execution_id IN (SELECT value FROM json_each(?))`

// NoteImport implements ledger.Store.
func (s *Store) NoteImport(ctx context.Context, note ledger.Import) (ledger.Import, error) {
	if err := ledger.CheckID(note.ExecutionID); err != nil {
		return ledger.Import{}, err
	}
	what := "cannot note the import of " + note.ExecutionID
	document, err := encode(note.Rounded(), what)
	if err != nil {
		return ledger.Import{}, err
	}
	const insert = `INSERT INTO imports (execution_id, document) VALUES (?, ?) ON CONFLICT DO NOTHING`
	if _, err := s.db.ExecContext(ctx, insert, note.ExecutionID, document); err != nil {
		return ledger.Import{}, sqlitedb.Error(err, "%s", what)
	}
	found, err := s.Imports(ctx, note.ExecutionID)
	return found[note.ExecutionID], err
}

// Imports implements ledger.Store.
func (s *Store) Imports(ctx context.Context, executionIDs ...string) (map[string]ledger.Import, error) {
	const what = "cannot read what was imported"
	for _, id := range executionIDs {
		if err := ledger.CheckID(id); err != nil {
			return nil, err
		}
	}
	ids, err := encode(executionIDs, what)
	if err != nil {
		return nil, err
	}
	notes, err := sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (note ledger.Import, err error) {
		_, err = scanDocument(row, &note, what)
		return note, err
	}, selectImports, ids)
	found := map[string]ledger.Import{}
	for _, note := range notes {
		found[note.ExecutionID] = note
	}
	return found, err
}

// PutLayout implements ledger.Store.
func (s *Store) PutLayout(ctx context.Context, layout ledger.Layout) error {
	if err := ledger.CheckID(layout.Header); err != nil {
		return err
	}
	const what = "cannot keep the settings of a header"
	document, err := encode(layout.Rounded(), what)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `INSERT OR REPLACE INTO layouts (header, document) VALUES (?, ?)`,
		layout.Header, document)
	return sqlitedb.Error(err, what)
}

// Layout implements ledger.Store.
func (s *Store) Layout(ctx context.Context, header string) (ledger.Layout, error) {
	if err := ledger.CheckID(header); err != nil {
		return ledger.Layout{}, err
	}
	const what = "cannot read the settings of a header"
	missing := errs.New(errs.NotFound, "nobody has said how tables with this header are read")
	return sqlitedb.One(ctx, s.db, missing, what, func(row sqlitedb.Row) (layout ledger.Layout, err error) {
		_, err = scanDocument(row, &layout, what)
		return layout, err
	}, `SELECT document FROM layouts WHERE header = ?`, header)
}
