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
	}, `SELECT path FROM logs UNION SELECT document ->> '$.result.upload.log' FROM audit_documents WHERE document ->> '$.result.upload.log' IS NOT NULL`)
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
			_, err = tx.ExecContext(ctx,
				`INSERT OR IGNORE INTO unwritten_lines (execution_id, upload_id) VALUES (?, ?)`,
				executionID, upload.ID())
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
	_, err := s.db.ExecContext(ctx, `DELETE FROM unwritten_lines WHERE execution_id = ? AND upload_id = ?`,
		outcome.ExecutionID, outcome.Upload.ID)
	return sqlitedb.Error(err, "cannot note the line of %s", outcome.ExecutionID)
}

// Logged returns the audit documents that have a line in a log.
func (s *Store) Logged(ctx context.Context) ([]ledger.AuditDocument, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot read the audit documents", scanAudit,
		`SELECT document FROM audit_documents WHERE document ->> '$.result.upload.log' IS NOT NULL`)
}

// OwnFile is a file that a command line named.
type OwnFile struct {
	Path string
	Kind string // csv, out or changes, as the flag
}

// NoteOwnFile notes that a file is of an execution, and not of another any more.
func (s *Store) NoteOwnFile(ctx context.Context, executionID string, file OwnFile) error {
	_, err := s.db.ExecContext(ctx,
		`INSERT OR REPLACE INTO own_files (path, execution_id, kind) VALUES (?, ?, ?)`,
		file.Path, executionID, file.Kind)
	return sqlitedb.Error(err, "cannot note the files of %s", executionID)
}

// OwnFiles returns the files that command lines named for an execution.
func (s *Store) OwnFiles(ctx context.Context, executionID string) ([]OwnFile, error) {
	const what = "cannot look up the files of an execution"
	return sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (file OwnFile, err error) {
		return file, sqlitedb.Error(row.Scan(&file.Path, &file.Kind), what)
	}, `SELECT path, kind FROM own_files WHERE execution_id = ? ORDER BY kind, path`, executionID)
}
