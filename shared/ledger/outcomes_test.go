package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

func TestExplanationHasALimit(t *testing.T) {
	categories := make([]string, 10)
	for i := range categories {
		categories[i] = fmt.Sprint(i, strings.Repeat("é", 500))
	}
	p := plans.Stored{Plan: &plan.Plan{}}
	for i := range plan.MaxOperations {
		p.Plan.Operations = append(p.Plan.Operations, plan.Operation{OperationID: fmt.Sprint("op_", i), Filter: plan.Filter{Categories: categories}, Action: plan.Action{Type: plan.SetStock}})
	}
	all := plan.Explain(p.Plan)
	got := p.Explanation()
	size := len(strings.Join(got, ""))
	if size > plans.MaxExplanationBytes+200 || size < plans.MaxExplanationBytes/2 {
		t.Errorf("the explanation has %d bytes", size)
	}
	last := len(got) - 1
	if diff := cmp.Diff(all[:last], got[:last]); diff != "" {
		t.Error(diff)
	}
	if want := fmt.Sprintf("%d of its %d operations", len(all)-last, len(all)); !strings.Contains(got[last], want) {
		t.Errorf("the last sentence is %q", got[last])
	}
	p.Plan.Operations, p.Planner.Agreement = p.Plan.Operations[:2], plans.AgreementModel
	if diff := cmp.Diff(append(plan.Explain(p.Plan), plans.NotVouchedFor), p.Explanation()); diff != "" {
		t.Errorf("a short one that nobody vouches for: %s", diff)
	}
	if diff := cmp.Diff(p.Explanation(), FailedDocument(Execution{}, Failure{}, time.Time{}, p).Explanation); diff != "" {
		t.Errorf("of a failed one: %s", diff)
	}
}

// Who reads that an undo of an output failed is not told to drop that output again.
func TestTheNoticeOfAnOutput(t *testing.T) {
	d := AuditDocument{Status: Failed, Error: new("Rejected by ann: no"), Outcome: Outcome{Failure: &Failure{Code: CodeRejected}}}
	d.Upload.Source.OutputOf = "plan_done_v1"
	if got := d.Notice().Text(); strings.Contains(got, "drop the file") || !strings.Contains(got, "Nothing is to be dropped") {
		t.Error(got)
	}
}
