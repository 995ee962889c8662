package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func (s *Store) CreateOutcome(ctx context.Context, outcome ledger.AuditDocument) error {
	return sqlitedb.Update(ctx, s.db, "cannot store the outcome of upload "+outcome.Upload.ID,
		func(tx *sql.Tx) error {
			return createOutcome(ctx, tx, outcome)
		})
}

func createOutcome(ctx context.Context, to writer, outcome ledger.AuditDocument) error {
	if err := errors.Join(ledger.CheckID(outcome.ExecutionID),
		ledger.CheckID(outcome.Upload.ID)); err != nil {
		return err
	}
	what := "cannot store the outcome of upload " + outcome.Upload.ID
	outcome = outcome.Rounded()
	there := errs.New(errs.Conflict, "upload %s has an outcome already", outcome.Upload.ID)
	if err := sqlitedb.Once(there, what)(to.ExecContext(ctx, `INSERT INTO audit_documents
		(execution_id, upload_id, executed_at, status, document) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		outcome.ExecutionID, outcome.Upload.ID, sqlitedb.Instant(outcome.ExecutedAt), outcome.Status,
		strings.TrimSuffix(string(outcome.Line()), "\n"))); err != nil {
		return err
	}
	_, err := to.ExecContext(ctx, `INSERT INTO unlogged (execution_id, upload_id) VALUES (?, ?)`,
		outcome.ExecutionID, outcome.Upload.ID)
	return sqlitedb.Error(err, "%s", what)
}

func (s *Store) Audit(ctx context.Context, executionID string, limit int) ([]ledger.AuditDocument, error) {
	if err := ledger.CheckID(executionID); err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = -1 // SQLite's word for all
	}
	return sqlitedb.Collect(ctx, s.db, "cannot read the audit documents of "+executionID, scanAudit,
		`SELECT document FROM audit_documents WHERE execution_id = ? ORDER BY executed_at DESC, upload_id DESC LIMIT ?`,
		executionID, limit)
}

func scanAudit(row sqlitedb.Row) (document ledger.AuditDocument, err error) {
	_, err = scanDocument(row, &document, "cannot read an audit document")
	return document, err
}
