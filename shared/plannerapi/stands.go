package plannerapi

import (
	"fmt"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/notices"
)

// Notice is the newest that people were told of the execution: pages and commands show it as
// the webhook and the file beside the outputs do. It has no kind as long as the execution runs.
func (e Execution) Notice() notices.Notice {
	step := notices.Step{At: e.CreatedAt}
	effect := ""
	switch e.Status {
	case ledger.Proposed:
		step.Kind = notices.Scheduled
		if e.ApprovalDue {
			step.Kind = notices.Proposed
		}
	case ledger.Failed:
		step.Kind = notices.Failed
		if e.Error != nil {
			step.Kind = notices.KindOf(e.Error.Code, notices.Failed)
			step.Code, step.By = e.Error.Code, e.Error.By
		}
	case ledger.Completed:
		step.Kind = notices.Completed
		if e.ExecutedAt != nil {
			step.At = *e.ExecutedAt
		}
		if e.Summary != nil {
			effect = (&ledger.Result{Summary: e.Summary.Counts}).Line()
		}
	}
	n := notices.New(step, e.ExecutionID, e.SourceInstruction, effect)
	n.File = e.Upload.Bucket + "/" + e.Upload.Object
	return n
}

// Stands says in a few words where the execution stands: in lists, on its page and on a
// terminal alike.
func (e Execution) Stands() string {
	switch {
	case e.Status == ledger.Running && e.Delay != "":
		return "Held up, and tried again"
	case e.Status == ledger.Running:
		return "Being computed"
	case e.Status == ledger.Proposed && !e.ApprovalDue && e.ApplyAt == nil:
		return "Starting"
	case e.Error != nil && e.Error.ReplacedBy != "":
		return "Replaced"
	case e.UndoneBy != "":
		return e.undoneWord()
	}
	return e.Notice().State()
}

// undoneWord says what undos made of the execution.
func (e Execution) undoneWord() string {
	switch {
	case e.Undos != nil && e.Undos.Force == lineage.All:
		return "Undone, then applied again"
	case e.Undos != nil && e.Undos.Force == lineage.Some:
		return "Undone in part"
	case e.Undos == nil && e.UndoneStale > 0 && e.Summary != nil:
		return fmt.Sprintf("Undone in part: %d of %d rows stay", e.UndoneStale, e.Summary.RowsChanged)
	}
	return "Undone"
}

// IsUndone reports whether the execution was undone, and not all of it applied again.
func (e Execution) IsUndone() bool {
	return e.UndoneBy != "" && (e.Undos == nil || e.Undos.Force != lineage.All)
}

// NewestUndo is the execution whose output is to be gone on with, once this one was undone;
// "" where it never was.
func (e Execution) NewestUndo() string {
	if e.Undos == nil {
		return e.UndoneBy
	}
	return e.Undos.Newest()
}

// AppliedAgain reports whether all of the execution is in force once more.
func (e Execution) AppliedAgain() bool { return e.Undos != nil && e.Undos.Force == lineage.All }
