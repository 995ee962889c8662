package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// What a question in SQL is answered from says what the documents say, or is found.
func TestCheckFindsEveryEditedColumn(t *testing.T) {
	const id = "plan_done_v1"
	const change = `INSERT INTO changes (execution_id, number, row, executed_at, sku, operation_ids, before, after) VALUES ('plan_done_v1', 0, 2, '2026-03-01T12:00:00.000000Z', 'A101', '[]', '{}', '{}')`
	for _, edit := range []string{
		"",
		`UPDATE audit_documents SET execution_id = 'plan_other_v1'`,
		`UPDATE audit_documents SET upload_id = 'other'`,
		`UPDATE audit_documents SET executed_at = '2026-03-01T12:00:00.000001Z'`,
		`UPDATE audit_documents SET status = 'failed'`,
		`UPDATE audit_documents SET document = document || ' '`,
		`UPDATE execution_records SET status = 'failed'`,
		`UPDATE execution_records SET created_at = '2026-03-01T12:00:00.000001Z'`,
		`UPDATE execution_records SET document = document || ' '`,
		`UPDATE execution_records SET input_crc32c = 1`,
		`UPDATE execution_records SET document = '{'`,
		`UPDATE changes SET executed_at = '2026-03-01T12:00:00.000001Z'`,
		`UPDATE changes SET execution_id = 'plan_other_v1'`,
		`DELETE FROM changes; DELETE FROM execution_records`,
		`DROP VIEW executions; CREATE VIEW executions AS SELECT execution_id, 'failed' AS status, '' AS audit_path FROM execution_records`,
		`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'due_at       TEXT', 'due_at       TEXT NOT NULL'); PRAGMA schema_version = 1000`,
		`CREATE TRIGGER lies AFTER INSERT ON changes BEGIN UPDATE changes SET after = '{}'; END`,
	} {
		path := filepath.Join(t.TempDir(), "state.db")
		store := open(t, path)
		complete(t, store, id)
		db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range []string{change, edit} {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		db.Close()
		if err := store.Check(t.Context()); (err == nil) != (edit == "") || err != nil && errs.KindOf(err) != errs.Internal {
			t.Errorf("%q: %v", edit, err)
		}
	}
}

// A document that is damaged is not read as another.
func TestDamagedDocuments(t *testing.T) {
	const id = "plan_done_v1"
	path := filepath.Join(t.TempDir(), "state.db")
	store := open(t, path)
	if err := store.CreatePlan(t.Context(), plans.Record{ExecutionID: id, Canonical: []byte("{}"), CreatedAt: noon}); err != nil {
		t.Fatal(err)
	}
	complete(t, store, id)
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE plans SET planner = '{'; UPDATE execution_records SET document = '{'; UPDATE audit_documents SET document = '{'`); err != nil {
		t.Fatal(err)
	}
	_, plan := store.Plan(t.Context(), id)
	_, record := store.Execution(t.Context(), id)
	_, snapshot := store.Snapshot(t.Context(), id, upload(1).ID())
	_, records := store.Executions(t.Context(), "", paging.Page{})
	_, audit := store.Audit(t.Context(), id, 0)
	for what, err := range map[string]error{"Plan": plan, "Execution": record, "Snapshot": snapshot, "Executions": records, "Audit": audit} {
		if errs.KindOf(err) != errs.Internal {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Changes of more bytes than one transaction takes are all stored.
func TestManyBytesOfChanges(t *testing.T) {
	const id, n = "plan_done_v1", 5
	store := open(t, filepath.Join(t.TempDir(), "state.db"))
	err := store.PutChanges(t.Context(), id, func(yield func(changelog.Document, error) bool) {
		for i := range n {
			changes := fmt.Sprintf(`[{"row":%d,"sku":"A101","operation_ids":[%q],"before":{},"after":{}}]`, i+2, strings.Repeat("x", 400_000))
			if !yield(changelog.Document{Number: i, ExecutionID: id, ExecutedAt: noon, Changes: []byte(changes)}, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	complete(t, store, id)
	if found, err := store.Changes(t.Context(), id, paging.Page{}); err != nil || len(found.Items) != n {
		t.Errorf("%d changes, %v; want %d", len(found.Items), err, n)
	}
}

// Changes that cannot be stored are not taken for stored.
func TestChangesThatAreNoJSON(t *testing.T) {
	const id = "plan_done_v1"
	store := open(t, filepath.Join(t.TempDir(), "state.db"))
	for _, changes := range []string{"[", "[" + strings.Repeat("x", 4<<20)} {
		err := store.PutChanges(t.Context(), id, func(yield func(changelog.Document, error) bool) {
			yield(changelog.Document{ExecutionID: id, ExecutedAt: noon, Changes: []byte(changes)}, nil)
		})
		if err == nil {
			t.Errorf("%d bytes are stored", len(changes))
		}
	}
}
