package lineage

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/pricing"
)

// onTable is a store of executions that read the table.
type onTable struct {
	ledger.Store
	found   []ledger.Execution // nil: the store does not answer
	records map[string]ledger.Execution
}

func (t onTable) Execution(_ context.Context, id string) (ledger.Execution, error) {
	return t.records[id], nil
}

func (t onTable) ExecutionsOn(context.Context, ledger.File) ([]ledger.Execution, error) {
	if t.found == nil {
		return nil, errors.New("no connection")
	}
	return t.found, nil
}

// TestSameTable warns of what completed and stands, and fails nothing.
func TestSameTable(t *testing.T) {
	seal := &ledger.Seal{ExecutedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Result: ledger.Result{Summary: pricing.Counts{RowsChanged: 1}}}
	found := []ledger.Execution{{ExecutionID: "plan_stands", Status: ledger.Completed, Seal: seal}, {ExecutionID: "plan_undone", Status: ledger.Completed, Links: ledger.Links{UndoneBy: "undo"}, Seal: seal},
		{ExecutionID: "plan_undo", Status: ledger.Completed, Source: ledger.Source{OutputOf: "plan_other"}, Seal: seal}, {ExecutionID: "plan_running", Status: ledger.Running}, {ExecutionID: "plan_nothing", Status: ledger.Completed, Seal: &ledger.Seal{ExecutedAt: seal.ExecutedAt}}, {ExecutionID: "plan_own", Status: ledger.Completed, Seal: seal}}
	if got := SameTable(t.Context(), onTable{found: found}, ledger.File{}, "plan_own"); len(got) != 1 || !strings.HasPrefix(got[0].Message, "The plan plan_stands was carried out on this very table.") {
		t.Errorf("%+v", got)
	}
	more := append([]ledger.Execution{{ExecutionID: "plan_2", Status: ledger.Completed, Seal: seal}, {ExecutionID: "plan_1", Status: ledger.Completed, Seal: seal}}, found...)
	if got := SameTable(t.Context(), onTable{found: more}, ledger.File{}, "plan_own"); len(got) != 1 || !strings.HasPrefix(got[0].Message, "The plans plan_1, plan_2 and plan_stands were carried out on this very table.") {
		t.Errorf("%+v", got)
	}
	undone := map[string]ledger.Execution{"undo": {ExecutionID: "undo", Status: ledger.Completed, Links: ledger.Links{UndoneBy: "redo"}, Seal: seal}}
	if got := SameTable(t.Context(), onTable{found: found, records: undone}, ledger.File{}, "plan_own"); len(got) != 1 || !strings.HasPrefix(got[0].Message, "The plans plan_stands and plan_undone were carried out on this very table.") {
		t.Errorf("its undo was undone: %+v", got)
	}
	done := ledger.Execution{ExecutionID: "plan_own", Status: ledger.Completed, Seal: seal}
	if got := OutputUsed(t.Context(), onTable{found: found}, done); len(got) != 1 || !strings.Contains(got[0].Message, "undo plan_stands first") {
		t.Errorf("what others went on with: %+v", got)
	}
	later := &ledger.Seal{ExecutedAt: seal.ExecutedAt.Add(time.Second)}
	if got := OutputUsed(t.Context(), onTable{found: found}, ledger.Execution{ExecutionID: "plan_own", Status: ledger.Completed, Seal: later}); got != nil {
		t.Errorf("what was carried out before it was written: %+v", got)
	}
	if got := OutputUsed(t.Context(), onTable{found: found}, ledger.Execution{Status: ledger.Proposed, Seal: &ledger.Seal{}}); got != nil {
		t.Errorf("what nobody can go on with: %+v", got)
	}
	if got := SameTable(t.Context(), onTable{}, ledger.File{}, "plan_own"); len(got) != 1 || !strings.Contains(got[0].Message, "could not be looked up") {
		t.Errorf("where it cannot be told: %+v", got)
	}
}
