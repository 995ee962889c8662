package console

import (
	"net/http"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
)

// taskKind is what somebody is to do.
type taskKind string

const (
	taskApprove taskKind = "approve" // decide about what another asked for
	taskImport  taskKind = "import"  // import a file that is ready
	taskStarts  taskKind = "starts"  // a file is ready to be imported then
	taskEnds    taskKind = "ends"    // a sale ends soon, and a file is to be imported then
	taskWaits   taskKind = "waits"   // somebody else decides about what the reader asked for
)

// task is an entry of To do.
type task struct {
	plannerapi.Execution
	Kind taskKind
	At   time.Time // when it is due; zero: now
}

// soon is how far ahead an end is a task.
const soon = 36 * time.Hour

// importWithin is how long a file that is ready stays a task where nobody says that it was
// imported.
const importWithin = 14 * 24 * time.Hour

// tasksOf are the tasks among changes, the most urgent kinds first, each in the order of
// time.
func tasksOf(all []plannerapi.Execution, now time.Time) (tasks []task) {
	never := neverNeeded(all)
	for _, e := range all {
		if never[e.ExecutionID] {
			continue
		}
		if kind, at := taskOf(e, now); kind != "" {
			tasks = append(tasks, task{e, kind, at})
		}
		if at := endOf(e); e.Status == ledger.Completed && at.After(now) && at.Before(now.Add(soon)) {
			tasks = append(tasks, task{e, taskEnds, at})
		}
	}
	order := []taskKind{taskApprove, taskImport, taskEnds, taskStarts, taskWaits}
	slices.SortStableFunc(tasks, func(a, b task) int {
		if byKind := slices.Index(order, a.Kind) - slices.Index(order, b.Kind); byKind != 0 {
			return byKind
		}
		return a.At.Compare(b.At)
	})
	return tasks
}

// neverNeeded are the undos of what never reached the shop. Neither file has to; but what
// takes such an undo back brings the change once more, and does.
func neverNeeded(all []plannerapi.Execution) map[string]bool {
	never := map[string]bool{}
	oldest := slices.Clone(all)
	slices.SortStableFunc(oldest, func(a, b plannerapi.Execution) int {
		return a.CreatedAt.Compare(b.CreatedAt)
	})
	for _, e := range oldest {
		if e.UndoneBy != "" && e.Imported == nil && !never[e.ExecutionID] {
			never[e.UndoneBy] = true
		}
	}
	return never
}

// taskOf is what is to be done about a change, and when; "" where it is nothing.
func taskOf(e plannerapi.Execution, now time.Time) (kind taskKind, at time.Time) {
	switch {
	case e.Status == ledger.Proposed && e.Allows(plannerapi.ActApprove):
		return taskApprove, time.Time{}
	case e.Status == ledger.Proposed && e.ApprovalDue && e.Allows(plannerapi.ActWithdraw):
		return taskWaits, time.Time{}
	case e.Status == ledger.Proposed && !e.ApprovalDue && e.ApplyAt != nil:
		return taskStarts, *e.ApplyAt
	case isToImport(e, now):
		return taskImport, *e.ExecutedAt
	}
	return "", time.Time{}
}

// endOf is when a change ends by itself; zero where it does not.
func endOf(e plannerapi.Execution) time.Time {
	if len(e.UndoDue) == 0 || e.UndoneBy != "" && e.UndoneStale == 0 {
		return time.Time{}
	}
	return e.UndoDue[0].At
}

// changesToDo reads what waits and what was finished lately.
func (c *Console) changesToDo(r *http.Request) ([]plannerapi.Execution, error) {
	proposed, err := c.proposals(r)
	if err != nil {
		return nil, err
	}
	var done plannerapi.Executions
	err = c.list(r, "/v1/executions", string(ledger.Completed), "", "", &done)
	return slices.Concat(proposed, done.Executions), err
}

// isToImport reports whether a file is ready that nobody has imported, as far as is known.
// One that was undone before is not: neither file has to reach the shop. Planwright itself
// writes to the shop what it fetched there.
func isToImport(e plannerapi.Execution, now time.Time) bool {
	changed := e.Summary != nil && e.Summary.RowsChanged > 0
	return e.Allows(plannerapi.ActImported) && e.Shop == "" && changed &&
		e.Imported == nil && e.UndoneBy == "" &&
		e.ExecutedAt != nil && now.Sub(*e.ExecutedAt) < importWithin
}
