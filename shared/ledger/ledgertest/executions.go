package ledgertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/test/expect"
)

var executionTests = []test{
	{"what is stored comes back", executionRoundTrip},
	{"missing is not found", executionMissing},
	{"a second first record is a conflict", executionConflict},
	{"an update needs the newest revision", executionStale},
	{"an update and its settlement are one commit", settlementTogether},
	{"a stale update settles nothing", settlementStale},
	{"an outcome that exists refuses the whole commit", settlementConflict},
	{"a field that is emptied is empty", executionEmptied},
	{"a plan and another record are written in the same commit", settlementMore},
	{"a plan that exists, and another record that changed, refuse it", settlementMoreRefused},
	{"no memory is shared", executionAliasing},
	{"a snapshot has the record and the outcome", snapshot},
}

func executionRoundTrip(t *testing.T, store ledger.Store) {
	bare := ledger.Execution{ExecutionID: otherID, Status: ledger.Running}
	for _, want := range []ledger.Execution{record(executionID), bare} {
		created := create(t, store, want)
		expect.ErrorIf(t, created.Revision == "", "the record has no revision")
		expect.Equal(t, "the record read", created, read(t, store, want.ExecutionID))
		want = want.Rounded()
		want.Revision = created.Revision
		expect.Equal(t, "the record created", want, created)
	}
}

func executionEmptied(t *testing.T, store ledger.Store) {
	full := create(t, store, record(executionID))
	bare := ledger.Execution{ExecutionID: executionID, Status: ledger.Running, Revision: full.Revision}
	updated := update(t, store, bare, ledger.Settlement{})
	expect.Equal(t, "the record read", updated, read(t, store, executionID))
}

func executionMissing(t *testing.T, store ledger.Store) {
	wantKind(t, expect.ErrorOf(store.Execution(t.Context(), executionID)), errs.NotFound)
	with := outcome(executionID, 1, ledger.Completed, noon)
	for _, revision := range []string{"", "1", "2026-03-01T12:00:00Z", "nonsense"} {
		next := record(executionID)
		next.Revision = revision
		wantKind(
			t,
			expect.ErrorOf(store.UpdateExecution(t.Context(), next, ledger.Settlement{Outcome: &with})),
			errs.Stale,
		)
	}
	wantNothing(t, store)
}

// wantNothing fails unless neither the execution nor the outcome of its first upload exists.
func wantNothing(t *testing.T, store ledger.Store) {
	t.Helper()
	expect.Equal(
		t,
		"what was written",
		ledger.Snapshot{},
		expect.Result(store.Snapshot(t.Context(), executionID, source(1).ID()))(t),
	)
}

func executionConflict(t *testing.T, store ledger.Store) {
	first := create(t, store, record(executionID))
	second := record(executionID)
	second.Holder = "another"
	wantKind(t, expect.ErrorOf(store.CreateExecution(t.Context(), second)), errs.Conflict)
	expect.Equal(t, "the record", first, read(t, store, executionID))
}

func executionStale(t *testing.T, store ledger.Store) {
	first := create(t, store, record(executionID))
	next := first
	next.Status, next.Attempt, next.Seal, next.Error = ledger.Running, 4, nil, nil
	second := update(t, store, next, ledger.Settlement{})
	expect.ErrorIf(t, second.Revision == first.Revision, "the revision stayed the same")
	expect.Equal(t, "the record returned", next.Rounded(), second,
		cmpopts.IgnoreFields(ledger.Execution{}, "Revision"))
	expect.Equal(t, "the record read", second, read(t, store, executionID))

	late := first
	late.Holder = "late"
	wantKind(t, expect.ErrorOf(store.UpdateExecution(t.Context(), late, ledger.Settlement{})), errs.Stale)
	expect.Equal(t, "the record after a stale update", second, read(t, store, executionID))
}

func settlementTogether(t *testing.T, store ledger.Store) {
	next := create(t, store, record(executionID))
	next.Status = ledger.Completed
	with := outcome(executionID, 1, ledger.Completed, noon)
	changed := []pricing.Change{change(2, "A101"), change(3, "A102")}
	document := documentOf(executionID, 0, noon, changed...)
	stored := update(t, store, next, ledger.Settlement{
		Outcome: &with,
		Changes: []changelog.Document{document},
	})
	found := expect.Result(store.Snapshot(t.Context(), executionID, source(1).ID()))(t)
	expect.Equal(t, "record and outcome", ledger.Snapshot{Execution: &stored, Outcome: &with}, found)
	expect.Equal(
		t,
		"the changes",
		changed,
		expect.Result(store.Changes(t.Context(), executionID, paging.Page{}))(t).Items,
	)
}

func settlementStale(t *testing.T, store ledger.Store) {
	first := create(t, store, record(executionID))
	next := first
	next.Holder = "another"
	second := update(t, store, next, ledger.Settlement{})
	with := outcome(executionID, 1, ledger.Completed, noon)
	first.Status = ledger.Completed
	_, err := store.UpdateExecution(t.Context(), first, ledger.Settlement{
		Outcome: &with, Changes: []changelog.Document{documentOf(executionID, 0, noon, change(2, "A101"))}})
	wantKind(t, err, errs.Stale)
	wantUntouched(t, store, second, nil)
}

func settlementConflict(t *testing.T, store ledger.Store) {
	first := create(t, store, record(executionID))
	skipped := outcome(executionID, 1, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), skipped))
	with := outcome(executionID, 1, ledger.Completed, noon)
	next := first
	next.Status = ledger.Completed
	_, err := store.UpdateExecution(t.Context(), next, ledger.Settlement{
		Outcome: &with, Changes: []changelog.Document{documentOf(executionID, 0, noon, change(2, "A101"))}})
	wantKind(t, err, errs.Conflict)
	wantUntouched(t, store, first, &skipped)
}

func settlementMore(t *testing.T, store ledger.Store) {
	next, other := create(t, store, record(executionID)), create(t, store, record(otherID))
	next.Holder, other.UndoneBy = "another", executionID
	with := planOf("plan_undo_v1")
	update(t, store, next, ledger.Settlement{Plan: &with, Also: &other})
	expect.Equal(t, "the record", "another", read(t, store, executionID).Holder)
	got := read(t, store, otherID)
	expect.Equal(t, "the other record", executionID, got.UndoneBy)
	expect.ErrorIf(t, got.Revision == other.Revision, "the other record kept its revision")
	expect.Equal(t, "the plan", with.Rounded(), expect.Result(store.Plan(t.Context(), "plan_undo_v1"))(t))
}

func settlementMoreRefused(t *testing.T, store ledger.Store) {
	first, other := create(t, store, record(executionID)), create(t, store, record(otherID))
	with, settled := planOf("plan_undo_v1"), outcome(executionID, 1, ledger.Completed, noon)
	expect.NoError(t, store.CreatePlan(t.Context(), with))
	wantKind(t, expect.ErrorOf(store.UpdateExecution(t.Context(), first,
		ledger.Settlement{Outcome: &settled, Plan: &with, Also: &other})), errs.Conflict)
	expect.Equal(t, "the other record", other, read(t, store, otherID))

	changed := update(
		t, store, other, ledger.Settlement{Outcome: new(outcome(otherID, 1, ledger.Failed, noon))},
	)
	changed.Holder = "another"
	changed = update(t, store, changed, ledger.Settlement{})
	fresh := planOf("plan_undo_v2")
	wantKind(t, expect.ErrorOf(store.UpdateExecution(t.Context(), first,
		ledger.Settlement{Outcome: &settled, Plan: &fresh, Also: &other})), errs.Stale)
	expect.Equal(t, "the other record", changed, read(t, store, otherID))
	wantKind(t, expect.ErrorOf(store.Plan(t.Context(), "plan_undo_v2")), errs.NotFound)
	wantUntouched(t, store, first, nil)
}

// wantUntouched fails unless record and outcome are as given and no change
// was stored, which shows once the execution completes.
func wantUntouched(t *testing.T, store ledger.Store, record ledger.Execution, outcome *ledger.AuditDocument) {
	t.Helper()
	found := expect.Result(store.Snapshot(t.Context(), executionID, source(1).ID()))(t)
	expect.Equal(t, "record and outcome", ledger.Snapshot{Execution: &record, Outcome: outcome}, found)
	record.Status = ledger.Completed
	update(t, store, record, ledger.Settlement{})
	changes := expect.Result(store.Changes(t.Context(), executionID, paging.Page{}))(t)
	expect.ErrorIf(t, len(changes.Items) != 0, "the refused commit left changes: %v", changes.Items)
}

func executionAliasing(t *testing.T, store ledger.Store) {
	given := record(executionID)
	create(t, store, given)
	spoil(&given)
	got := read(t, store, executionID)
	want := record(executionID).Rounded()
	want.Revision = got.Revision
	expect.Equal(t, "the record after its input was changed", want, got)
	spoil(&got)
	expect.Equal(t, "the record after what was read was changed", want, read(t, store, executionID))
}

func spoil(e *ledger.Execution) {
	e.Seal.Warnings[0].Code, e.Seal.Output.Object = "spoilt", "spoilt"
	e.Seal.Summary.Operations[0].OperationID = "spoilt"
	e.Error.Details[0].Message = "spoilt"
	e.Proposal.Reasons[0], e.Proposal.Warnings[0].Code, e.Approval.By = "spoilt", "spoilt", "spoilt"
	e.Owed[0].Upload.Object, e.UndoDue[0].ExecutionID = "spoilt", "spoilt"
}

func snapshot(t *testing.T, store ledger.Store) {
	wantNothing(t, store)
	settled := outcome(executionID, 1, ledger.Failed, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), settled))
	stored := create(t, store, record(otherID))
	for name, c := range map[string]struct {
		id     string
		upload int64
		want   ledger.Snapshot
	}{
		"an outcome alone":               {executionID, 1, ledger.Snapshot{Outcome: &settled}},
		"of another upload":              {executionID, 2, ledger.Snapshot{}},
		"a record alone":                 {otherID, 1, ledger.Snapshot{Execution: &stored}},
		"of an execution without either": {"plan_absent_v1", 1, ledger.Snapshot{}},
	} {
		expect.Equal(
			t, name, c.want, expect.Result(store.Snapshot(t.Context(), c.id, source(c.upload).ID()))(t),
		)
	}
}

var contextTests = []test{
	{"a cancelled call ends with its kind", cancelled},
}

// cancelled hands a context that is over to every method.
func cancelled(t *testing.T, store ledger.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	next := record(executionID)
	next.Revision = create(t, store, record(otherID)).Revision
	leaves := as[merkle.LeafStore](t, store)
	grown := expect.Result(leaves.Tree(t.Context()))(t)
	for method, err := range map[string]error{
		"CreatePlan":      store.CreatePlan(ctx, plans.Record{ExecutionID: executionID}),
		"Plan":            expect.ErrorOf(store.Plan(ctx, executionID)),
		"CreateExecution": expect.ErrorOf(store.CreateExecution(ctx, record(executionID))),
		"Execution":       expect.ErrorOf(store.Execution(ctx, executionID)),
		"UpdateExecution": expect.ErrorOf(store.UpdateExecution(ctx, next, ledger.Settlement{})),
		"Snapshot":        expect.ErrorOf(store.Snapshot(ctx, executionID, source(1).ID())),
		"Executions":      expect.ErrorOf(store.Executions(ctx, "", paging.Page{})),
		"Due":             expect.ErrorOf(store.Due(ctx, noon, paging.Page{})),
		"CreateOutcome":   store.CreateOutcome(ctx, outcome(executionID, 1, ledger.Skipped, noon)),
		"Audit":           expect.ErrorOf(store.Audit(ctx, executionID, 1)),
		"PutChanges":      store.PutChanges(ctx, executionID, sequence(documentOf(executionID, 0, noon))),
		"Changes":         expect.ErrorOf(store.Changes(ctx, executionID, paging.Page{})),
		"SKUChanges":      expect.ErrorOf(store.SKUChanges(ctx, "A101", paging.Page{})),
		"Unlogged":        expect.ErrorOf(leaves.Unlogged(ctx, 1)),
		"Tree":            expect.ErrorOf(leaves.Tree(ctx)),
		"Grow":            leaves.Grow(ctx, grown, nil),
		"Leaves":          expect.ErrorOf(leaves.Leaves(ctx, 0, 1)),
		"LeavesOf":        expect.ErrorOf(leaves.LeavesOf(ctx, executionID)),
	} {
		if errs.KindOf(err) != errs.Deadline {
			t.Errorf("%s: got %v of kind %q, want Deadline", method, err, errs.KindOf(err))
		} else if !strings.HasPrefix(errs.Message(err), "cannot ") {
			t.Errorf("%s does not say what it cannot do: %s", method, errs.Message(err))
		}
	}
}

var outcomeTests = []test{
	{"what is stored comes back intact", outcomeRoundTrip},
	{"a second one is a conflict", outcomeConflict},
	{"documents are listed newest first", auditOrder},
}

func outcomeRoundTrip(t *testing.T, store ledger.Store) {
	bare := ledger.AuditDocument{
		ExecutionID: executionID,
		Status:      ledger.Failed,
		Outcome:     ledger.Outcome{Upload: ledger.AuditUpload{ID: source(9).ID()}},
	}.Chained("")
	for generation, want := range map[int64]ledger.AuditDocument{
		9: bare,
		1: outcome(executionID, 1, ledger.Completed, noon),
		2: outcome(executionID, 2, ledger.Failed, noon),
		3: outcome(executionID, 3, ledger.Skipped, noon),
	} {
		expect.NoError(t, store.CreateOutcome(t.Context(), want))
		found := expect.Result(store.Snapshot(t.Context(), executionID, source(generation).ID()))(t)
		if found.Outcome == nil {
			t.Fatalf("no outcome of upload %d", generation)
		}
		expect.Equal(t, "the document", want, *found.Outcome)
		expect.ErrorIf(t, !found.Outcome.Intact(), "the document read does not have its hash")
		expect.Equal(t, "the line", string(want.Line()), string(found.Outcome.Line()))
	}
}

func outcomeConflict(t *testing.T, store ledger.Store) {
	first := outcome(executionID, 1, ledger.Skipped, noon)
	expect.NoError(t, store.CreateOutcome(t.Context(), first))
	wantKind(t, store.CreateOutcome(t.Context(), first), errs.Conflict)
	wantKind(t, store.CreateOutcome(t.Context(), outcome(executionID, 1, ledger.Failed, noon)), errs.Conflict)
	// of another execution
	expect.NoError(t, store.CreateOutcome(t.Context(), outcome(otherID, 1, ledger.Failed, noon)))
	expect.Equal(
		t,
		"the documents",
		[]ledger.AuditDocument{first},
		expect.Result(store.Audit(t.Context(), executionID, 0))(t),
	)
}

func auditOrder(t *testing.T, store ledger.Store) {
	var want []ledger.AuditDocument
	for i := range int64(5) {
		// Uploaded in one order, executed in the other; microseconds count.
		document := outcome(executionID, 10-i, ledger.Failed, noon.Add(time.Duration(i)*time.Microsecond))
		expect.NoError(t, store.CreateOutcome(t.Context(), document))
		want = append([]ledger.AuditDocument{document}, want...)
	}
	expect.NoError(t, store.CreateOutcome(t.Context(), outcome(otherID, 1, ledger.Failed, noon)))
	for _, c := range []struct{ limit, want int }{{0, 5}, {1, 1}, {3, 3}, {5, 5}, {100, 5}} {
		expect.Equal(
			t,
			"the newest documents",
			want[:c.want],
			expect.Result(store.Audit(t.Context(), executionID, c.limit))(t),
		)
	}
	none := expect.Result(store.Audit(t.Context(), "plan_absent_v1", 10))(t)
	expect.ErrorIf(t, len(none) != 0, "an execution that does not exist has %d documents", len(none))
}
