package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

func TestExplanationHasALimit(t *testing.T) {
	categories := make([]string, 10)
	for i := range categories {
		categories[i] = fmt.Sprint(i, strings.Repeat("é", 500))
	}
	p := StoredPlan{Plan: &plan.Plan{}}
	for i := range plan.MaxOperations {
		p.Plan.Operations = append(p.Plan.Operations, plan.Operation{OperationID: fmt.Sprint("op_", i), Filter: plan.Filter{Categories: categories}, Action: plan.Action{Type: plan.SetStock}})
	}
	all := plan.Explain(p.Plan)
	got := p.Explanation()
	size := len(strings.Join(got, ""))
	if size > MaxExplanationBytes+200 || size < MaxExplanationBytes/2 {
		t.Errorf("the explanation has %d bytes", size)
	}
	last := len(got) - 1
	if diff := cmp.Diff(all[:last], got[:last]); diff != "" {
		t.Error(diff)
	}
	if want := fmt.Sprintf("%d of its %d operations", len(all)-last, len(all)); !strings.Contains(got[last], want) {
		t.Errorf("the last sentence is %q", got[last])
	}
	p.Plan.Operations, p.Planner.Agreement = p.Plan.Operations[:2], AgreementModel
	if diff := cmp.Diff(append(plan.Explain(p.Plan), NotVouchedFor), p.Explanation()); diff != "" {
		t.Errorf("a short one that nobody vouches for: %s", diff)
	}
	if diff := cmp.Diff(p.Explanation(), FailedDocument(Execution{}, Failure{}, time.Time{}, p).Explanation); diff != "" {
		t.Errorf("of a failed one: %s", diff)
	}
}

// onTable is a store of executions that read the table.
type onTable struct {
	Store
	found []Execution // nil: the store does not answer
}

func (t onTable) ExecutionsOn(context.Context, File) ([]Execution, error) {
	if t.found == nil {
		return nil, errors.New("no connection")
	}
	return t.found, nil
}

// TestSameTable warns of what completed and stands, and fails nothing.
func TestSameTable(t *testing.T) {
	seal := &Seal{ExecutedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Result: Result{Summary: pricing.Counts{RowsChanged: 1}}}
	found := []Execution{{ExecutionID: "plan_stands", Status: Completed, Seal: seal}, {ExecutionID: "plan_undone", Status: Completed, Links: Links{UndoneBy: "undo"}, Seal: seal},
		{ExecutionID: "plan_undo", Status: Completed, Source: Source{OutputOf: "plan_other"}, Seal: seal}, {ExecutionID: "plan_running", Status: Running}, {ExecutionID: "plan_nothing", Status: Completed, Seal: &Seal{ExecutedAt: seal.ExecutedAt}}, {ExecutionID: "plan_own", Status: Completed, Seal: seal}}
	if got := SameTable(t.Context(), onTable{found: found}, File{}, "plan_own"); len(got) != 1 || !strings.HasPrefix(got[0].Message, "The plan plan_stands was carried out on this very table.") {
		t.Errorf("%+v", got)
	}
	more := append([]Execution{{ExecutionID: "plan_2", Status: Completed, Seal: seal}, {ExecutionID: "plan_1", Status: Completed, Seal: seal}}, found...)
	if got := SameTable(t.Context(), onTable{found: more}, File{}, "plan_own"); len(got) != 1 || !strings.HasPrefix(got[0].Message, "The plans plan_1, plan_2 and plan_stands were carried out on this very table.") {
		t.Errorf("%+v", got)
	}
	done := Execution{ExecutionID: "plan_own", Status: Completed, Seal: seal}
	if got := OutputUsed(t.Context(), onTable{found: found}, done); len(got) != 1 || !strings.Contains(got[0].Message, "undo plan_stands first") {
		t.Errorf("what others went on with: %+v", got)
	}
	later := &Seal{ExecutedAt: seal.ExecutedAt.Add(time.Second)}
	if got := OutputUsed(t.Context(), onTable{found: found}, Execution{ExecutionID: "plan_own", Status: Completed, Seal: later}); got != nil {
		t.Errorf("what was carried out before it was written: %+v", got)
	}
	if got := OutputUsed(t.Context(), onTable{found: found}, Execution{Status: Proposed, Seal: &Seal{}}); got != nil {
		t.Errorf("what nobody can go on with: %+v", got)
	}
	if got := SameTable(t.Context(), onTable{}, File{}, "plan_own"); len(got) != 1 || !strings.Contains(got[0].Message, "could not be looked up") {
		t.Errorf("where it cannot be told: %+v", got)
	}
}

// Who reads that an undo of an output failed is not told to drop that output again.
func TestTheNoticeOfAnOutput(t *testing.T) {
	d := AuditDocument{Status: Failed, Error: new("Rejected by ann: no"), Outcome: Outcome{Failure: &Failure{Code: CodeRejected}}}
	d.Upload.Source.OutputOf = "plan_done_v1"
	if got := d.Notice(); strings.Contains(got, "drop the file") || !strings.Contains(got, "Nothing is to be dropped") {
		t.Error(got)
	}
}
