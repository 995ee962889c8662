package sqlite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/ledgertest"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func upload(generation int64) ledger.Source {
	return ledger.Source{Upload: ledger.Upload{Bucket: "inbox", Object: "plan_one_v1/p.csv", Generation: generation}, UploadedAt: noon}
}

// complete brings an execution from its claim to its end.
func complete(t *testing.T, store *sqlite.Store, executionID string) {
	t.Helper()
	completeOf(t, store, executionID, upload(1), ledger.Seal{Result: ledger.Result{Changes: ledger.File{Bucket: "audit", Object: "changes/" + executionID + ".jsonl"}}})
}

func completeOf(t *testing.T, store *sqlite.Store, executionID string, source ledger.Source, seal ledger.Seal) {
	t.Helper()
	claim, err := ledger.Acquire(t.Context(), store, ledger.ClaimRequest{
		ExecutionID: executionID, Source: source, Holder: "holder", Now: noon, LeaseUntil: noon.Add(time.Minute),
	})
	if err != nil || claim.Lease == nil {
		t.Fatalf("claim: %+v, %v", claim, err)
	}
	seal.ExecutedAt = noon
	if err := claim.Lease.Seal(t.Context(), seal, nil); err != nil {
		t.Fatal(err)
	}
	outcome := ledger.AuditDocument{
		ExecutionID: executionID, ExecutedAt: noon, Status: ledger.Completed,
		Outcome: ledger.Outcome{Upload: ledger.AuditUpload{ID: source.ID(), Source: source}},
	}.Chained("")
	if err := claim.Lease.Complete(t.Context(), outcome, nil, nil); err != nil {
		t.Fatal(err)
	}
}

// The question of the first executor, word for word, from another program.
func TestTheViewKeepsTheFirstExecutorsQuery(t *testing.T) {
	path := filepath.Join(t.TempDir(), "executions.db")
	served := open(t, path)
	plan := plans.Record{ExecutionID: "plan_served_v1", Canonical: []byte(`{"a":"<b>"}`), CreatedAt: noon}
	if err := served.CreatePlan(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	complete(t, served, "plan_served_v1")
	applied := upload(1)
	applied.Log = "logs/audit.jsonl"
	completeOf(t, served, "plan_applied_v1", applied, ledger.Seal{})
	if _, err := served.CreateExecution(t.Context(), ledger.Execution{ExecutionID: "plan_running_v1", Status: ledger.Running}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for id, want := range map[string][]string{
		"plan_served_v1":  {"completed", "2026-03-01T12:00:00.000000Z", `{"a":"<b>"}`, "audit/executions/plan_served_v1.jsonl"},
		"plan_applied_v1": {"completed", "2026-03-01T12:00:00.000000Z", "", "logs/audit.jsonl"},
		"plan_running_v1": {"running", "", "", ""},
	} {
		var status string
		if err := db.QueryRow(`SELECT status FROM executions WHERE execution_id = ?`, id).Scan(&status); err != nil || status != want[0] {
			t.Errorf("%s: status %q, %v", id, status, err)
		}
		var executedAt, plan, audit sql.NullString
		err := db.QueryRow(`SELECT executed_at, plan_json, audit_path FROM executions WHERE execution_id = ?`, id).Scan(&executedAt, &plan, &audit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[1:], []string{executedAt.String, plan.String, audit.String}); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	var rows int
	if err := db.QueryRow(`SELECT count(*) FROM executions WHERE execution_id = 'plan_absent_v1'`).Scan(&rows); err != nil || rows != 0 {
		t.Errorf("an execution that is not there has %d rows, %v", rows, err)
	}
}

func TestOpenRefusesTheFirstExecutorsFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "executions.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE executions (execution_id TEXT PRIMARY KEY, status TEXT NOT NULL)`); err != nil {
		t.Fatal(err)
	}
	_, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	if errs.KindOf(err) != errs.Invalid || !strings.Contains(errs.Message(err), "another") {
		t.Errorf("got %v, want Invalid and what to do", err)
	}
}

func TestAReopenedFileForgetsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	first := open(t, path)
	complete(t, first, "plan_one_v1")
	before, err := first.Snapshot(t.Context(), "plan_one_v1", upload(1).ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := open(t, path).Snapshot(t.Context(), "plan_one_v1", upload(1).ID())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if _, err := first.Snapshot(t.Context(), "plan_one_v1", upload(1).ID()); !strings.Contains(errs.Message(err), "cannot read execution plan_one_v1") {
		t.Errorf("Snapshot of a file that was closed: %v", err)
	}
}

// A server that starts knows the holders dead: their leases end at once, they
// themselves can change nothing any more, and others may claim.
func TestExpireLeases(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "state.db"))
	complete(t, store, "plan_done_v1")
	dead := ledger.ClaimRequest{ExecutionID: "plan_dead_v1", Source: upload(2), Holder: "dead", Now: noon, LeaseUntil: noon.Add(time.Hour)}
	claim, err := ledger.Acquire(t.Context(), store, dead)
	if err != nil {
		t.Fatal(err)
	}
	if expired, err := store.ExpireLeases(t.Context(), time.Now()); expired != 1 || err != nil {
		t.Errorf("expired %d, %v; want 1", expired, err)
	}
	if expired, err := store.ExpireLeases(t.Context(), time.Now()); expired != 0 || err != nil {
		t.Errorf("expired %d more, %v", expired, err)
	}
	heir := dead
	heir.Holder = "heir"
	taken, err := ledger.Acquire(t.Context(), store, heir)
	if err != nil || taken.Decision != ledger.Granted || taken.Execution.Attempt != 2 {
		t.Errorf("the heir: %+v, %v", taken, err)
	}
	if err := claim.Lease.Renew(t.Context(), noon.Add(2*time.Hour), 0); errs.KindOf(err) != errs.Stale {
		t.Errorf("the dead holder's renewal: %v, want Stale", err)
	}
}

func TestConformance(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) ledger.Store {
		return open(t, filepath.Join(t.TempDir(), "state.db"))
	})
}

// What stands in a changes file is indexed once, whole, when somebody asks for it.
func TestChangesOfFiles(t *testing.T) {
	const id = "plan_file_only_v1"
	store := open(t, filepath.Join(t.TempDir(), "state.db"))
	line := `{"row":2,"sku":"A101","operation_ids":["op_01"],"before":{"price":"1.00","in_stock":null},"after":{"price":"2.00","in_stock":null}}` + "\n"
	content, opened := line, 0
	store.ChangesFile = func(_ context.Context, file ledger.File) (io.ReadCloser, error) {
		opened++
		if content == "" {
			return nil, errs.New(errs.NotFound, "there is no %s", file)
		}
		return io.NopCloser(strings.NewReader(content)), nil
	}
	sum := sha256.Sum256([]byte(line))
	completeOf(t, store, id, upload(1), ledger.Seal{Result: ledger.Result{
		Changes: ledger.File{Bucket: "audit", Object: "changes.jsonl", SHA256: hex.EncodeToString(sum[:])},
	}})
	if indexed, err := store.Indexed(t.Context(), id); err != nil || indexed || opened != 0 {
		t.Errorf("before anybody asks: %t, %d readings, %v", indexed, opened, err)
	}
	for _, content = range []string{"", strings.Replace(line, "2.00", "3.00", 1), line[:50]} {
		if _, err := store.SKUChanges(t.Context(), "A101", paging.Page{}); errs.KindOf(err) != errs.Conflict {
			t.Errorf("of a file with %q: %v, want Conflict", content, err)
		}
	}
	content = line
	for range 2 {
		found, err := store.SKUChanges(t.Context(), "A101", paging.Page{})
		if err != nil || len(found.Items) != 1 || found.Items[0].ExecutionID != id {
			t.Errorf("%+v, %v", found, err)
		}
	}
	read := opened
	if found, err := store.Changes(t.Context(), id, paging.Page{}); err != nil || len(found.Items) != 1 || opened != read {
		t.Errorf("%+v, %v, read again: %t", found, err, opened != read)
	}
}
