package firestore_test

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func claimant(executionID, holder string, generation int64) ledger.ClaimRequest {
	return ledger.ClaimRequest{
		ExecutionID: executionID, Holder: holder, Now: noon, LeaseUntil: noon.Add(2 * time.Minute),
		Source: ledger.Source{Upload: ledger.Upload{Bucket: "inbox", Object: executionID + "/p.csv", Generation: generation}, UploadedAt: noon},
	}
}

// execute carries an execution out as far as the ledger is concerned.
func execute(t testing.TB, store *firestore.Store, executionID string, changed int) {
	t.Helper()
	ctx := t.Context()
	c := claimant(executionID, "holder", 1)
	claim, err := ledger.Acquire(ctx, store, c)
	must(t, err)
	_, err = store.Plan(ctx, executionID)
	must(t, err)
	must(t, claim.Lease.Seal(ctx, ledger.Seal{ExecutedAt: noon}, nil))
	var aboard []changelog.Document
	for document, err := range documents(executionID, changed) {
		must(t, err)
		aboard = append(aboard, document)
	}
	if len(aboard) > 1 {
		must(t, store.PutChanges(ctx, executionID, documents(executionID, changed)))
		aboard = nil
	}
	outcome := ledger.AuditDocument{
		ExecutionID: executionID, ExecutedAt: noon, Status: ledger.Completed,
		Upload: ledger.AuditUpload{ID: c.Source.ID(), Source: c.Source},
	}.Chained("")
	must(t, claim.Lease.Complete(ctx, outcome, aboard, nil))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// documents are the change documents of n changed rows.
func documents(executionID string, n int) func(func(changelog.Document, error) bool) {
	file, write := io.Pipe()
	go func() {
		for row := range int64(n) {
			text, _ := json.Marshal(changeOf(row + 2))
			if _, err := write.Write(append(text, '\n')); err != nil {
				return
			}
		}
		write.Close()
	}()
	return changelog.NewDocumentReader(file, executionID, noon).All()
}

// changeOf is a change with all that small values cost beside themselves.
func changeOf(row int64) pricing.Change {
	return pricing.Change{
		Row: row, SKU: fmt.Sprintf("S%d", row), OperationIDs: []string{"a", "b"},
		Before: pricing.State{Price: new("1"), InStock: new(true)}, After: pricing.State{Price: new("2"), InStock: new(false)},
	}
}

func TestRoundTrips(t *testing.T) {
	w := &wire{}
	store := open(t, firestoretest.Project(t), w)
	for _, c := range []struct {
		name    string
		changed int
		want    map[string]int
	}{
		{"nothing changed", 0, map[string]int{"Commit": 3, "BatchGetDocuments": 1}},
		{"as many changes as ride along", changelog.MaxDocumentChanges, map[string]int{"Commit": 3, "BatchGetDocuments": 1}},
		{"one change more", changelog.MaxDocumentChanges + 1, map[string]int{"Commit": 4, "BatchGetDocuments": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := fmt.Sprintf("plan_changes_%d", c.changed)
			must(t, store.CreatePlan(t.Context(), plans.Record{ExecutionID: id, Canonical: []byte("{}")}))
			w.taken()
			execute(t, store, id, c.changed)
			if diff := cmp.Diff(c.want, w.taken()); diff != "" {
				t.Errorf("a fresh execution (-want +got):\n%s", diff)
			}
		})
	}
	_, err := store.Executions(t.Context(), "", paging.Page{})
	must(t, err)
	if w.taken(); w.unlimited > 0 {
		t.Errorf("%d calls have no deadline", w.unlimited)
	}
	const id = "plan_changes_0"
	for name, c := range map[string]ledger.ClaimRequest{
		"a duplicate": claimant(id, "again", 1), "another upload": claimant(id, "other", 2),
	} {
		claim, err := ledger.Acquire(t.Context(), store, c)
		must(t, err)
		if claim.Lease != nil {
			t.Errorf("%s was granted", name)
		}
		if diff := cmp.Diff(map[string]int{"Commit": 1, "BatchGetDocuments": 1}, w.taken()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestLostReplies loses replies on the wire, below the client, which then
// sends the same commit again by itself: a create that has happened is
// refused, an update finds its own change.
func TestLostReplies(t *testing.T) {
	w := &wire{}
	store := open(t, firestoretest.Project(t), w)
	c := claimant("plan_lost_v1", "holder", 1)
	w.loseReplies(1)
	claim, err := ledger.Acquire(t.Context(), store, c)
	must(t, err)
	if claim.Decision != ledger.Granted {
		t.Fatalf("the claim was answered %q", claim.Decision)
	}
	w.loseReplies(1)
	must(t, claim.Lease.Renew(t.Context(), noon.Add(time.Hour), 0))
	w.loseReplies(1)
	must(t, claim.Lease.Seal(t.Context(), ledger.Seal{ExecutedAt: noon}, nil))
	w.loseReplies(1)
	outcome := ledger.AuditDocument{
		ExecutionID: "plan_lost_v1", ExecutedAt: noon, Status: ledger.Completed,
		Upload: ledger.AuditUpload{ID: c.Source.ID(), Source: c.Source},
	}.Chained("")
	must(t, claim.Lease.Complete(t.Context(), outcome, nil, nil))
	record, err := store.Execution(t.Context(), "plan_lost_v1")
	must(t, err)
	if record.Status != ledger.Completed || record.Attempt != 1 {
		t.Errorf("the record: %+v", record)
	}
	w.loseReplies(1)
	if err := store.CreateOutcome(t.Context(), outcome); errs.KindOf(err) != errs.Conflict {
		t.Errorf("a second outcome: %v", err)
	}
}

// TestReadsFail: what cannot be read is not taken for what is not there.
func TestReadsFail(t *testing.T) {
	w := &wire{}
	store := open(t, firestoretest.Project(t), w)
	const id = "plan_failing_v1"
	must(t, store.CreatePlan(t.Context(), plans.Record{ExecutionID: id, Canonical: []byte("{}")}))
	execute(t, store, id, 1)
	for _, method := range []string{"RunQuery", "BatchGetDocuments"} {
		w.failReads(method)
		if found, err := store.Unlogged(t.Context(), 10); errs.KindOf(err) != errs.Denied {
			t.Errorf("%s: %d outcomes without a leaf, %v", method, len(found), err)
		}
		if found, err := store.SKUChanges(t.Context(), changeOf(2).SKU, paging.Page{}); errs.KindOf(err) != errs.Denied {
			t.Errorf("%s: %d changes, %v", method, len(found.Items), err)
		}
	}
	w.failReads("")
	for _, changes := range []string{"[", `[{"row":2,"shelf":"B"}]`} {
		err := store.PutChanges(t.Context(), "plan_unread_v1", func(yield func(changelog.Document, error) bool) {
			yield(changelog.Document{ExecutionID: "plan_unread_v1", ExecutedAt: noon, Changes: []byte(changes)}, nil)
		})
		if errs.KindOf(err) != errs.Internal {
			t.Errorf("PutChanges of %s: %v", changes, err)
		}
	}
}

// BenchmarkExecution prints the round trips beside the time.
func BenchmarkExecution(b *testing.B) {
	for _, changed := range []int{0, changelog.MaxDocumentChanges, 100 * changelog.MaxDocumentChanges} {
		b.Run(fmt.Sprintf("changes=%d", changed), func(b *testing.B) {
			w := &wire{}
			store := open(b, firestoretest.Project(b), w)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				id := "plan_" + firestoretest.Project(b)[5:]
				must(b, store.CreatePlan(b.Context(), plans.Record{ExecutionID: id, Canonical: []byte("{}")}))
				w.taken()
				b.StartTimer()
				execute(b, store, id, changed)
			}
			calls := w.taken()
			b.ReportMetric(float64(calls["Commit"]), "commits/op")
			b.ReportMetric(float64(calls["BatchGetDocuments"]), "reads/op")
		})
	}
}
