package console

import (
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

// What is to be done comes in the order of its urgency, and what was undone before it was
// imported is nothing to do.
func TestTasksOf(t *testing.T) {
	now := time.Date(2026, 12, 4, 9, 0, 0, 0, time.UTC)
	before, tonight, later := now.Add(-time.Hour), now.Add(14*time.Hour), now.Add(80*time.Hour)
	change := func(id string, set func(*plannerapi.Execution)) plannerapi.Execution {
		e := plannerapi.Execution{ExecutionID: id, Status: ledger.Completed, ExecutedAt: &before, Summary: &plannerapi.Summary{Counts: pricing.Counts{RowsChanged: 3}}}
		e.May = []plannerapi.Action{plannerapi.ActImported}
		set(&e)
		return e
	}
	imported := &plannerapi.Imported{By: "ana", At: now}
	all := []plannerapi.Execution{
		change("waits", func(e *plannerapi.Execution) {
			e.Status, e.ApprovalDue, e.May = ledger.Proposed, true, []plannerapi.Action{plannerapi.ActWithdraw}
		}),
		change("starts", func(e *plannerapi.Execution) { e.Status, e.ApplyAt = ledger.Proposed, &later }),
		change("ends", func(e *plannerapi.Execution) {
			e.Imported, e.UndoDue = imported, []ledger.UndoDue{{At: tonight}}
		}),
		change("ends-later", func(e *plannerapi.Execution) { e.Imported, e.UndoDue = imported, []ledger.UndoDue{{At: later}} }),
		change("ready", func(*plannerapi.Execution) {}),
		change("imported", func(e *plannerapi.Execution) { e.Imported = imported }),
		change("not-mine", func(e *plannerapi.Execution) { e.May = nil }),
		change("nothing", func(e *plannerapi.Execution) { e.Summary = &plannerapi.Summary{} }),
		change("old", func(e *plannerapi.Execution) { old := now.Add(-importWithin); e.ExecutedAt = &old }),
		change("undone", func(e *plannerapi.Execution) { e.UndoneBy = "undone_undo" }),
		change("undone_undo", func(*plannerapi.Execution) {}),
		change("again_undo_undo", func(e *plannerapi.Execution) { e.CreatedAt = now.Add(-time.Minute) }), // applied after all
		change("again_undo", func(e *plannerapi.Execution) { e.CreatedAt, e.UndoneBy = now.Add(-2*time.Minute), "again_undo_undo" }),
		change("again", func(e *plannerapi.Execution) { e.CreatedAt, e.UndoneBy = now.Add(-3*time.Minute), "again_undo" }),
		change("sold", func(e *plannerapi.Execution) { e.Imported, e.UndoneBy = imported, "sold_undo" }),
		change("sold_undo", func(*plannerapi.Execution) {}),
		change("mine", func(e *plannerapi.Execution) {
			e.Status, e.ApprovalDue, e.May = ledger.Proposed, true, []plannerapi.Action{plannerapi.ActApprove}
		}),
	}
	var got []string
	for _, task := range tasksOf(all, now) {
		got = append(got, string(task.Kind)+" "+task.ExecutionID)
	}
	want := []string{"approve mine", "import ready", "import again_undo_undo", "import sold_undo", "ends ends", "starts starts", "waits waits"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
