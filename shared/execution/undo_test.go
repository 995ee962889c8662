package execution_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/profile"
)

func TestACompletedPlanStoresItsRevert(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	s.handle(s.drop(id+"/p.csv", products))
	document := s.completed()
	record := s.record()
	if len(record.UndoDue) != 1 || record.UndoDue[0].ExecutionID != id+"_undo" || !record.DueAt.Equal(at) {
		t.Errorf("the record: %+v", record)
	}
	stored, err := plans.Load(t.Context(), s.store, id+"_undo")
	if err != nil {
		t.Fatal(err)
	}
	if undo := stored.Plan.Undo; undo.ExecutionID != id || undo.ChangesSHA256 != document.Result.Changes.SHA256 || !stored.Plan.ApplyTime().Equal(at) {
		t.Errorf("the plan: %s", stored.Canonical)
	}
	if !stored.CreatedAt.Equal(document.ExecutedAt) {
		t.Errorf("it was created at %v, and the execution sealed at %v", stored.CreatedAt, document.ExecutedAt)
	}
	s.clock.advance(time.Hour)
	s.sweep()
	if diff := cmp.Diff(products, s.files("outbox")[id+"_undo/p.csv"]); diff != "" {
		t.Errorf("undone, it is not what was dropped (-dropped +undone):\n%s", diff)
	}
	if record := s.record(); record.UndoneBy != id+"_undo" || len(record.UndoDue) != 0 {
		t.Errorf("the record: %+v", record)
	}
	if undo, err := s.store.Execution(t.Context(), id+"_undo"); err != nil || undo.Source.Settings.Dialect != recognized().Dialect || undo.Source.Settings.Profile != profile.Plain {
		t.Errorf("it is not read as the table was: %+v, %v", undo.Source.Settings, err)
	}
	s.sweep()
}

// Who approves sees when it is undone: the undo of exactly that needs no second
// approval. Another undo, or one of another table, does.
func TestARevertIsApprovedWithWhatItUndoes(t *testing.T) {
	revertible := func(t *testing.T, policy ledger.Approvals, reverted bool) *shop {
		s := open(t)
		s.Policy.Approval = policy
		text := planJSON
		if reverted {
			text = strings.Replace(planJSON, `"operations"`, `"revert_at": "`+s.clock.Now().Add(time.Hour).Format(time.RFC3339)+`", "operations"`, 1)
		}
		s.handle(s.drop(id+"/plan.json", text))
		event := s.drop(id+"/p.csv", products)
		s.handle(event)
		if policy == ledger.ApproveAlways {
			if err := s.approve(s.proposed(event).ProposalSHA256); err != nil {
				t.Fatal(err)
			}
			s.handle(event)
		}
		s.completed()
		return s
	}
	status := func(s *shop) ledger.Status {
		record, err := s.store.Execution(t.Context(), id+"_undo")
		if err != nil {
			t.Fatal(err)
		}
		return record.Status
	}

	s := revertible(t, ledger.ApproveAlways, true)
	s.clock.advance(time.Hour)
	s.sweep()
	if got := status(s); got != ledger.Completed || s.files("outbox")[id+"_undo/p.csv"] != products {
		t.Errorf("the revert is %s", got)
	}

	s = revertible(t, ledger.ApproveNever, true)
	s.Policy.Approval = ledger.ApproveAlways
	s.clock.advance(time.Hour)
	s.sweep()
	if got := status(s); got != ledger.Proposed {
		t.Errorf("the revert of what nobody approved of is %s", got)
	}

	s = revertible(t, ledger.ApproveAlways, true)
	s.clock.advance(time.Hour)
	s.handle(s.drop(id+"_undo/p.csv", updated))
	if got := status(s); got != ledger.Proposed {
		t.Errorf("the revert of a table that was dropped is %s", got)
	}

	s = revertible(t, ledger.ApproveAlways, false)
	undo := plans.New(s.undoPlan(id + "_undo"))
	if _, err := ledger.Undo(t.Context(), s.store, id, id+"_undo", &undo.Record, s.clock.Now()); err != nil {
		t.Fatal(err)
	}
	s.sweep()
	if got := status(s); got != ledger.Proposed {
		t.Errorf("an undo that nobody was shown is %s", got)
	}
}

// An undo that needs an approval is due by itself once it has it.
func TestARevertThatIsApprovedIsDeliveredAgain(t *testing.T) {
	s := open(t)
	at := s.clock.Now().Add(time.Hour)
	s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
	s.handle(s.drop(id+"/p.csv", products))
	s.Policy.Approval = ledger.ApproveAlways
	s.clock.advance(time.Hour)
	s.sweep()
	undo, err := s.store.Execution(t.Context(), id+"_undo")
	if err != nil || undo.Status != ledger.Proposed {
		t.Fatalf("the undo: %+v, %v", undo, err)
	}
	if _, err := ledger.Approve(t.Context(), s.store, id+"_undo", ledger.Approval{ProposalSHA256: undo.Proposal.ProposalSHA256, By: "ann", At: s.clock.Now()}); err != nil {
		t.Fatal(err)
	}
	s.sweep()
	if diff := cmp.Diff(products, s.files("outbox")[id+"_undo/p.csv"]); diff != "" {
		t.Errorf("undone, it is not what was dropped (-dropped +undone):\n%s", diff)
	}
}

// What was promised is done at its time on the execution's own output. A table that is
// proposed under its id is decided about first, which the record says and people are told
// again; whatever comes of that, the output has an outcome of its own afterwards.
func TestARevertIsNotLostToAProposal(t *testing.T) {
	decided := func(s *shop) ledger.Approval {
		undo, err := s.store.Execution(s.t.Context(), id+"_undo")
		if err != nil || undo.Proposal == nil {
			s.t.Fatalf("the undo: %+v, %v", undo, err)
		}
		return ledger.Approval{ProposalSHA256: undo.Proposal.ProposalSHA256, By: "ann", At: s.clock.Now(), Note: "oops"}
	}
	reject := func(s *shop) {
		if _, err := ledger.Reject(s.t.Context(), s.store, id+"_undo", ledger.Rejection{Approval: decided(s)}); err != nil {
			s.t.Fatal(err)
		}
	}
	approve := func(s *shop) {
		if _, err := ledger.Approve(s.t.Context(), s.store, id+"_undo", decided(s)); err != nil {
			s.t.Fatal(err)
		}
	}
	nothing := func(*shop) {}
	for _, test := range []struct {
		name          string
		before, after func(*shop) // its time
		waits         bool        // when its time has come
		output        string      // of which it was undone in the end; "": it was not
		left          int         // in undo_due
	}{
		{"left alone", nothing, nothing, true, "", 1},
		{"left alone until it expired", nothing, func(s *shop) { s.clock.advance(31 * 24 * time.Hour) }, true, "p.csv", 0},
		{"approved of after its time", nothing, approve, true, "today.csv", 0},
		{"rejected before its time", reject, approve, true, "p.csv", 0},
		{"rejected after its time", nothing, func(s *shop) { reject(s); s.sweep(); approve(s) }, true, "p.csv", 0},
		{"rejected on its own output, too", reject, reject, true, "", 0},
		{"approved of before its time", approve, nothing, false, "today.csv", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			at := s.clock.Now().Add(time.Hour)
			s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
			s.handle(s.drop(id+"/p.csv", products))
			event := s.drop(id+"_undo/today.csv", updated)
			event.Metadata = map[string]string{execution.IntentKey: execution.IntentPropose}
			s.handle(event)
			test.before(s)
			s.clock.advance(time.Hour)
			for range 3 {
				s.sweep()
			}
			if record := s.record(); test.waits != (len(record.UndoDue) == 1 && record.UndoDue[0].Waits) {
				t.Errorf("at its time: %+v", record.UndoDue)
			}
			undo, err := s.store.Execution(t.Context(), id+"_undo")
			if again := slices.ContainsFunc(undo.Owed, func(p ledger.Owed) bool {
				return p.Kind == notices.Proposed && p.At.Equal(at)
			}); err != nil || again != test.waits {
				t.Errorf("posted at its time %t: %+v, %v", again, undo.Owed, err)
			}
			test.after(s)
			for range 3 {
				s.sweep()
			}
			record := s.record()
			if undone := record.UndoneBy != ""; undone != (test.output != "") || len(record.UndoDue) != test.left {
				t.Errorf("in the end: undone by %q, due %+v", record.UndoneBy, record.UndoDue)
			}
			if got := s.files("outbox")[id+"_undo/"+test.output]; test.output != "" && got != products {
				t.Errorf("%s is %q", test.output, got)
			}
		})
	}
}

// A table that was edited since is undone but for the rows that were; a plan that
// is to undo all or nothing fails.
func TestUndoOfAnEditedTable(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	sum := s.completed().Result.Changes.SHA256
	undo := func(undoID, stale string) string {
		return fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-01-02T03:04:05Z", "source_instruction": "Undo it.", "undo": {"execution_id": %q, "changes_sha256": %q, "stale": %q}}`, undoID, id, sum, stale)
	}
	edited := strings.Replace(updated, "43.99", "77.77", 1)
	s.handle(s.drop("plan_undo_all_v1/plan.json", undo("plan_undo_all_v1", "fail")))
	failed := s.drop("plan_undo_all_v1/p.csv", edited)
	s.handle(failed)
	if text := s.files("outbox")[fmt.Sprintf("%s.failed-%d.txt", failed.Object, failed.Generation)]; !strings.Contains(text, "1 row that execution "+id+" changed was changed again since") ||
		!strings.Contains(text, "Changed since:\n  A102 was given 43.99 and has 77.77\n") {
		t.Errorf("the notice: %q", text)
	}
	s.handle(s.drop("plan_undo_rest_v1/plan.json", undo("plan_undo_rest_v1", "report")))
	s.handle(s.drop("plan_undo_rest_v1/p.csv", edited))
	want := strings.Replace(products, "39.99", "77.77", 1)
	if diff := cmp.Diff(want, s.files("outbox")["plan_undo_rest_v1/p.csv"]); diff != "" {
		t.Errorf("undone (-want +got):\n%s", diff)
	}
	if record, err := s.store.Execution(t.Context(), id); err != nil || record.UndoneBy != "plan_undo_rest_v1" {
		t.Errorf("undone by %q, %v", record.UndoneBy, err)
	}
	s.handle(s.drop("plan_undo_again_v1/plan.json", undo("plan_undo_again_v1", "report")))
	s.handle(s.drop("plan_undo_again_v1/p.csv", edited))
	if record, err := s.store.Execution(t.Context(), id); err != nil || record.UndoneBy != "plan_undo_again_v1" || record.RowsLeft != 1 {
		t.Errorf("what stayed, undone again: by %q but for %d, %v", record.UndoneBy, record.RowsLeft, err)
	}
	s.handle(s.drop("plan_undo_whole_v1/plan.json", undo("plan_undo_whole_v1", "report")))
	s.handle(s.drop("plan_undo_whole_v1/p.csv", updated))
	s.handle(s.drop("plan_undo_more_v1/plan.json", undo("plan_undo_more_v1", "report")))
	s.handle(s.drop("plan_undo_more_v1/p.csv", updated))
	s.failedWith("plan_undo_more_v1", "undone_already")
}

// failedWith asserts how an execution failed.
func (s *shop) failedWith(executionID, code string) {
	s.t.Helper()
	record, err := s.store.Execution(s.t.Context(), executionID)
	if err != nil || record.Status != ledger.Failed || record.Error.Code != code {
		s.t.Errorf("%s: status %s, error %+v, %v; want failed, %s", executionID, record.Status, record.Error, err, code)
	}
}

func TestWhatCannotBeUndone(t *testing.T) {
	const undoID = "plan_undo_v1"
	for name, test := range map[string]struct {
		before func(*shop)
		code   string
	}{
		"nothing was executed": {func(*shop) {}, "not_completed"},
		"it failed":            {func(s *shop) { s.handle(s.drop(id+"/p.csv", broken)) }, "not_completed"},
		"other changes":        {func(s *shop) { s.handle(s.drop(id+"/p.csv", products)) }, "other_changes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			s.storePlan()
			test.before(s)
			s.handle(s.drop(undoID+"/plan.json", fmt.Sprintf(`{"execution_id": %q, "created_at": "2026-01-02T03:04:05Z", "source_instruction": "Undo it.", "undo": {"execution_id": %q, "changes_sha256": %q, "stale": "report"}}`,
				undoID, id, strings.Repeat("0", 64))))
			s.handle(s.drop(undoID+"/p.csv", updated))
			s.failedWith(undoID, test.code)
		})
	}
}

// Changes that are gone may be put back: until then the undo waits.
func TestAnUndoWithoutTheChanges(t *testing.T) {
	s := open(t)
	s.storePlan()
	s.handle(s.drop(id+"/p.csv", products))
	record := s.record()
	buckets := s.Buckets
	buckets.Audit = openFolder(t, s.dir, "empty", s.clock)
	_, err := buckets.NewTask(t.Context(), &plan.Plan{}, record.Source, nil, &record)
	if errs.KindOf(err) != errs.Unavailable || !strings.Contains(errs.Message(err), record.Seal.Changes.Object) {
		t.Errorf("NewTask: %v", err)
	}
}

// An undo whose execution changes while it seals reads it again, and leaves it
// to another delivery where that does not end.
func TestAnUndoSealsWhileAnExecutionChanges(t *testing.T) {
	for changes, tries := range map[int]int{0: 1, 2: 3, 99: 3} {
		t.Run(fmt.Sprint(changes, " changes"), func(t *testing.T) {
			s := open(t)
			at := s.clock.Now().Add(time.Hour)
			s.handle(s.drop(id+"/plan.json", strings.Replace(planJSON, `"operations"`, `"revert_at": "`+at.Format(time.RFC3339)+`", "operations"`, 1)))
			s.handle(s.drop(id+"/p.csv", products))
			s.clock.advance(time.Hour)
			store := &restless{Store: s.store, changes: changes}
			s.Ledger = store
			failed, err := s.Sweep(t.Context())
			if err != nil || store.tries != tries || (failed == 0) != (changes < tries) || (s.record().UndoneBy == "") != (failed > 0) {
				t.Errorf("%d tries, %d failed, %v, undone by %q", store.tries, failed, err, s.record().UndoneBy)
			}
		})
	}
}

// restless has the execution that is undone change, so many times.
type restless struct {
	ledger.Store
	changes, tries int
}

func (r *restless) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	if with.Also == nil || next.Seal == nil {
		return r.Store.UpdateExecution(ctx, next, with)
	}
	if r.tries++; r.tries <= min(r.changes, 20) {
		return ledger.Execution{}, errs.New(errs.Stale, "%s has changed", with.Also.ExecutionID)
	}
	return r.Store.UpdateExecution(ctx, next, with)
}

// undoOn has the execution undone on a table that is dropped, and returns what
// came of it.
func (s *shop) undoOn(text string, metadata map[string]string) (output string, undo ledger.Execution) {
	s.t.Helper()
	const undoID = "plan_undo_v1"
	stored := plans.New(s.undoPlan(undoID))
	if err := s.store.CreatePlan(s.t.Context(), stored.Record); err != nil && errs.KindOf(err) != errs.Conflict {
		s.t.Fatal(err)
	}
	event := s.drop(undoID+"/p.csv", text)
	event.Metadata = metadata
	s.handle(event)
	undo, err := s.store.Execution(s.t.Context(), undoID)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.files("outbox")[undoID+"/p.csv"], undo
}

// applied carries a plan out over a table.
func applied(t *testing.T, planText, text string, metadata map[string]string) *shop {
	t.Helper()
	s := open(t)
	s.handle(s.drop(id+"/plan.json", planText))
	event := s.drop(id+"/p.csv", text)
	event.Metadata = metadata
	s.handle(event)
	if record := s.record(); record.Status != ledger.Completed {
		t.Fatalf("it is %s: %+v", record.Status, record.Error)
	}
	return s
}

// Rows of one SKU are left alone.
func TestUndoGivesNothingToWhatWasNotChanged(t *testing.T) {
	const header = "sku,category,price,in_stock\n"
	s := applied(t, planJSON, header+"A1,fitness,10.00,true\nA1,x,11.00,true\nB2,fitness,20.00,true\n", nil)
	edited := header + "A1,x,11.00,true\nB2,fitness,22.00,true\n"
	back, undo := s.undoOn(edited, nil)
	if want := header + "A1,x,11.00,true\nB2,fitness,20.00,true\n"; back != want || undo.Seal.Summary.RowsStale != 1 {
		t.Errorf("%d stale: %s", undo.Seal.Summary.RowsStale, back)
	}
	if said := undo.Seal.Sentences(); len(said) != 1 || !strings.Contains(said[0], "1 row was changed again since, is gone, or shares its SKU with another: row 2") {
		t.Errorf("warnings: %q", said)
	}
}

// A table is read for its undo as it was read when it was changed.
func TestUndoReadsTheTableAsItWasRead(t *testing.T) {
	const text = "sku,category,price,sale,in_stock\nA,fitness,11.00,10.00,true\n"
	sale := map[string]string{"columns": "price=sale"}
	s := applied(t, planJSON, text, sale)
	changed := s.files("outbox")[id+"/p.csv"]
	if _, undo := s.undoOn(changed, map[string]string{"columns": "price=price"}); undo.Error == nil || undo.Error.Code != "other_settings" || !strings.Contains(undo.Error.Message, "price=sale") {
		t.Errorf("read in another way: %+v", undo.Error)
	}
	if _, undo := s.undoOn(strings.Replace(changed, "sale", "offer", 1), nil); undo.Error == nil || undo.Error.Code != "invalid_csv" {
		t.Errorf("without the column: %+v", undo.Error)
	}
	if _, undo := s.undoOn(strings.ReplaceAll(changed, ",", ";"), nil); undo.Error == nil || !strings.Contains(undo.Error.Message, "separated by comma, and this one by semicolon") {
		t.Errorf("with other delimiters: %+v", undo.Error)
	}
	if back, undo := s.undoOn(changed, nil); back != text || undo.Seal.Settings.Columns.Price != "sale" {
		t.Errorf("%+v: %s", undo.Error, back)
	}
}

// What is given back is the very bytes, in the encoding that the table had.
func TestUndoGivesBackTheVeryBytes(t *testing.T) {
	const text = "sku;category;price;in_stock\nA;fitness;1\xa0234,56;yes\n"
	s := applied(t, strings.Replace(planJSON, `{"type": "percent_increase", "value": 10}`, `{"type": "set_price", "value": 5}`, 1), text, nil)
	if _, undo := s.undoOn("sku;category;price;in_stock;note\nA;fitness;5,00;yes;é\n", nil); undo.Error == nil || !strings.Contains(undo.Error.Message, "save it in windows-1252") {
		t.Errorf("in another encoding: %+v", undo.Error)
	}
	if back, undo := s.undoOn(s.files("outbox")[id+"/p.csv"], nil); back != text {
		t.Errorf("%+v: %q", undo.Error, back)
	}
}

// An undo that finds no row to put back fails, and another can be made still.
func TestUndoOfNoRowIsNone(t *testing.T) {
	const text = "sku,category,price,in_stock\nA1,fitness,10.00,true\nB2,fitness,20.00,true\n"
	s := applied(t, planJSON, text, nil)
	changed := s.files("outbox")[id+"/p.csv"]
	back, undo := s.undoOn(text, nil)
	if back != "" || undo.Status != ledger.Failed || undo.Error.Code != "stale" || len(undo.Error.Stale) != 2 || s.record().UndoneBy != "" {
		t.Fatalf("on the table from before: %s, %+v, undone by %q", back, undo.Error, s.record().UndoneBy)
	}
	if back, undo = s.undoOn(changed, nil); back != text || s.record().UndoneBy != undo.ExecutionID {
		t.Errorf("on what was written: %+v, undone by %q: %s", undo.Error, s.record().UndoneBy, back)
	}
}
