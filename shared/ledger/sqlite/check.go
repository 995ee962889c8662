package sqlite

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// Check compares what the tables keep twice: each column with the document
// beside it, each index with its table. A question in SQL is answered from the
// columns, a program from the documents.
func (s *Store) Check(ctx context.Context) error {
	var answer string
	if err := s.db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&answer); err != nil {
		return sqlitedb.Error(err, "cannot check the database file")
	}
	if answer != "ok" {
		return errs.New(errs.Internal, "the database file is damaged: %s", answer)
	}
	for _, check := range []struct {
		what, query string
		same        func(sqlitedb.Row) (string, error)
	}{
		{"the view or trigger", `SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')`, sameView},
		{"an audit document of", `SELECT audit_documents.execution_id, upload_id, executed_at, audit_documents.status, execution_records.execution_id, audit_documents.document
			FROM audit_documents LEFT JOIN execution_records USING (execution_id)`, sameDocument},
		{"the execution record of", `SELECT execution_id, status, created_at, input_crc32c, document FROM execution_records`, sameRecord},
		{"a change of", `SELECT changes.execution_id, executed_at, document ->> '$.seal.executed_at'
			FROM changes LEFT JOIN execution_records USING (execution_id) GROUP BY 1, 2, 3`, sameChange},
	} {
		faults, err := sqlitedb.Collect(ctx, s.db, "cannot check the tables", check.same, check.query)
		if err != nil {
			return err
		}
		for _, id := range faults {
			if id != "" {
				return errs.New(errs.Internal, "%s %s is not as it was written", check.what, id)
			}
		}
	}
	return nil
}

// sameView returns the name of a view, which answers people's own SQL, or a
// trigger that the schema has not, or "".
func sameView(row sqlitedb.Row) (string, error) {
	var name, text string
	if err := row.Scan(&name, &text); err != nil {
		return "", sqlitedb.Error(err, "cannot read the tables' names")
	}
	if strings.Contains(schema, text+";") {
		return "", nil
	}
	return name, nil
}

// sameDocument returns the execution of a document whose columns differ from
// it, or that has no record, or "".
func sameDocument(row sqlitedb.Row) (string, error) {
	var id, upload, executedAt, status string
	var record *string
	var d ledger.AuditDocument
	text, err := scanDocument(row, &d, "cannot read an audit document",
		&id, &upload, &executedAt, &status, &record)
	if err != nil {
		return "", err
	}
	if record != nil && d.ExecutionID == id && d.Upload.ID == upload &&
		sqlitedb.Instant(d.ExecutedAt) == executedAt && string(d.Status) == status &&
		d.IsWrittenAs(text+"\n") {
		return "", nil
	}
	return id, nil
}

func sameRecord(row sqlitedb.Row) (string, error) {
	var id, status, createdAt string
	var input sql.NullInt64
	var e ledger.Execution
	text, err := scanDocument(row, &e, "cannot read an execution", &id, &status, &createdAt, &input)
	if err != nil {
		return "", err
	}
	again, err := encode(e, "cannot read an execution")
	if inputOf(e) == input && e.ExecutionID == id && string(e.Status) == status &&
		sqlitedb.Instant(e.CreatedAt) == createdAt && again == text {
		return "", err
	}
	return id, err
}

func sameChange(row sqlitedb.Row) (string, error) {
	var id, executedAt string
	var sealed *string
	if err := row.Scan(&id, &executedAt, &sealed); err != nil {
		return "", sqlitedb.Error(err, "cannot read the changes")
	}
	if sealed == nil {
		return id, nil
	}
	at, err := time.Parse(time.RFC3339Nano, *sealed)
	if err == nil && sqlitedb.Instant(at) == executedAt {
		return "", nil
	}
	return id, nil
}
