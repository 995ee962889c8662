package console

import (
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/plannerapi"
)

// isUndone reports whether a change was undone, and nothing of it was applied again.
func isUndone(e plannerapi.Execution) bool {
	return e.UndoneBy != "" && (e.Undos == nil || e.Undos.Force != lineage.All)
}

// undoneWord says what undos made of a change; "" where it was never undone.
func undoneWord(e plannerapi.Execution) string {
	switch {
	case e.UndoneBy == "":
		return ""
	case e.Undos == nil && e.UndoneStale > 0, e.Undos != nil && e.Undos.Force == lineage.Some:
		return "Undone in part"
	case e.Undos != nil && e.Undos.Force == lineage.All:
		return "Undone, then applied again"
	}
	return "Undone"
}

// NewestUndo is the change whose file is to be gone on with, once this one was undone.
func (p changePage) NewestUndo() string {
	if p.Undos == nil {
		return p.UndoneBy
	}
	return p.Undos.Newest()
}

// AppliedAgain reports whether all of the change is in force once more.
func (p changePage) AppliedAgain() bool { return p.Undos != nil && p.Undos.Force == lineage.All }

// UndoneWord says what undos made of the change; "" where it was never undone.
func (p changePage) UndoneWord() string { return undoneWord(p.Execution) }
