package sqlite

import (
	"context"
	"iter"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Logs returns the audit logs that command lines named.
func (s *Store) Logs(ctx context.Context) ([]string, error) {
	const what = "cannot look up the audit logs"
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (path string, err error) {
		return path, sqlitedb.Error(row.Scan(&path), what)
	}, `SELECT audit_path FROM execution_records WHERE audit_path IS NOT NULL UNION SELECT path FROM logs`)
}

// NoteLog keeps the path of an audit log that is to have the line of a run which
// wrote nothing: the record names the log of the newest run alone.
func (s *Store) NoteLog(ctx context.Context, path string) error {
	_, err := s.db.ExecContext(ctx, `INSERT OR IGNORE INTO logs (path) VALUES (?)`, path)
	return sqlitedb.Error(err, "cannot note the audit log %s", path)
}

// Typed returns the audit documents of tables that command lines named: those that
// have a line in a log.
func (s *Store) Typed(ctx context.Context) ([]ledger.AuditDocument, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot read the audit documents", scanAudit,
		`SELECT document FROM audit_documents WHERE document ->> '$.upload.bucket' = ?`, ledger.TypedInput)
}

// Unindexed returns the completed executions whose changes stand in their file
// alone so far.
func (s *Store) Unindexed(ctx context.Context) ([]ledger.Execution, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot list the executions without an index", scanExecution, selectExecutions+`
		WHERE audit_path IS NOT NULL AND status = 'completed' AND execution_id NOT IN (SELECT execution_id FROM indexed)`)
}

// Indexed reports whether all change documents of such an execution are stored.
func (s *Store) Indexed(ctx context.Context, executionID string) (found bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM indexed WHERE execution_id = ?)`, executionID).Scan(&found)
	return found, sqlitedb.Error(err, "cannot look for the index of %s", executionID)
}

// Index stores the change documents of such an execution, and notes that they are
// all there. What an index that was interrupted has stored is stored again.
func (s *Store) Index(ctx context.Context, executionID string, documents iter.Seq2[ledger.ChangeDocument, error]) error {
	if err := s.PutChanges(ctx, executionID, documents); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, `INSERT OR IGNORE INTO indexed (execution_id) VALUES (?)`, executionID)
	return sqlitedb.Error(err, "cannot note the index of %s", executionID)
}
