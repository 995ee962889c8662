package sqlite

import (
	"context"
	"database/sql"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Logs returns the audit logs that command lines named.
func (s *Store) Logs(ctx context.Context) ([]string, error) {
	const what = "cannot look up the audit logs"
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (path string, err error) {
		return path, sqlitedb.Error(row.Scan(&path), what)
	}, `SELECT path FROM logs UNION SELECT document ->> '$.upload.log' FROM audit_documents WHERE document ->> '$.upload.log' IS NOT NULL`)
}

// NoteLog notes an audit log that has a line of a run which settled nothing here.
func (s *Store) NoteLog(ctx context.Context, log string) error {
	_, err := s.db.ExecContext(ctx, `INSERT OR IGNORE INTO logs (path) VALUES (?)`, log)
	return sqlitedb.Error(err, "cannot note the audit log %s", log)
}

// NoteRun notes that an upload's outcome is to have a line in an audit log.
func (s *Store) NoteRun(ctx context.Context, executionID string, upload ledger.Upload, log string) error {
	const what = "cannot note the audit log"
	return sqlitedb.Update(ctx, s.db, what, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO logs (path) VALUES (?)`, log)
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT OR IGNORE INTO unwritten_lines (execution_id, upload_id) VALUES (?, ?)`, executionID, upload.ID())
		}
		return sqlitedb.Error(err, what)
	})
}

// Unwritten returns the outcomes whose lines are not known to be in their logs.
func (s *Store) Unwritten(ctx context.Context) ([]ledger.AuditDocument, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot read the audit documents", scanAudit,
		`SELECT document FROM unwritten_lines JOIN audit_documents USING (execution_id, upload_id) ORDER BY executed_at, upload_id`)
}

// NoteWritten notes that the line of an outcome is in its log.
func (s *Store) NoteWritten(ctx context.Context, outcome ledger.AuditDocument) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM unwritten_lines WHERE execution_id = ? AND upload_id = ?`, outcome.ExecutionID, outcome.Upload.ID)
	return sqlitedb.Error(err, "cannot note the line of %s", outcome.ExecutionID)
}

// Logged returns the audit documents that have a line in a log.
func (s *Store) Logged(ctx context.Context) ([]ledger.AuditDocument, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot read the audit documents", scanAudit,
		`SELECT document FROM audit_documents WHERE document ->> '$.upload.log' IS NOT NULL`)
}
