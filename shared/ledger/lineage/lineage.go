// Package lineage tells how executions bear on each other: which of them undid which, how
// much of what one changed is in force after that, and which were carried out on the same
// table. It reads records and stores nothing.
//
// A record names the executions that undid it, and nothing in it changes when one of those
// is undone in turn. What is in force is found by following them from record to record.
package lineage

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
)

// Force says how much of what an execution changed is in force.
type Force string

// The forces.
const (
	All  Force = "all"
	Some Force = "some"
	None Force = "none"
)

// Undo says that an execution was undone by another.
type Undo struct {
	ExecutionID string    `json:"execution_id"` // what was undone
	UndoneBy    string    `json:"undone_by"`
	Part        bool      `json:"part"` // some rows stayed as they were
	At          time.Time `json:"at,omitzero"`
}

// Undos are what became of an execution, and of those that undid it.
type Undos struct {
	// Chain begins with the newest undo of the execution, goes on with the undo of that, and
	// so on. Undos before the newest follow, with theirs.
	Chain []Undo `json:"chain"`
	Force Force  `json:"force"`
}

// Again reports whether one that undid the execution was undone itself.
func (u Undos) Again() bool {
	return slices.ContainsFunc(u.Chain, func(undo Undo) bool {
		return undo.ExecutionID != u.Chain[0].ExecutionID
	})
}

// String tells it to people: "It was undone by a, which was undone by b. ..".
func (u Undos) String() string {
	if len(u.Chain) == 0 {
		return ""
	}
	var text strings.Builder
	for i, undo := range u.Chain {
		switch {
		case i == 0:
			text.WriteString("It was")
		case undo.ExecutionID == u.Chain[i-1].UndoneBy:
			text.WriteString(", which was")
		case undo.ExecutionID == u.Chain[0].ExecutionID:
			text.WriteString("; before that it was")
		default:
			text.WriteString("; " + undo.ExecutionID + " was")
		}
		text.WriteString(" undone")
		if undo.Part {
			text.WriteString(" in part")
		}
		text.WriteString(" by " + undo.UndoneBy)
	}
	text.WriteString(". ")
	text.WriteString(map[Force]string{
		All:  "All that it changed is in force again.",
		Some: "Some of what it changed is in force.",
		None: "Nothing that it changed is in force.",
	}[u.Force])
	return text.String()
}

// Follow reads what became of a completed execution: one record for each execution that
// undid it or one of those.
func Follow(ctx context.Context, store Records, e ledger.Execution) (Undos, error) {
	f := follower{store: store, seen: map[string]bool{e.ExecutionID: true}}
	force, err := f.force(ctx, e)
	return Undos{Chain: f.chain, Force: force}, err
}

// Records are what is read of a store.
type Records interface {
	Execution(ctx context.Context, executionID string) (ledger.Execution, error)
}

// follower goes from an execution to those that undid it.
type follower struct {
	store Records
	seen  map[string]bool // a record that somebody edited may lead in a circle
	chain []Undo
}

// force is how much of what an execution changed is in force: all of it where nothing of
// its undos is, none where all of them is and no row was left.
func (f *follower) force(ctx context.Context, e ledger.Execution) (Force, error) {
	if e.UndoneBy == "" {
		return All, nil
	}
	undone, stands := e.RowsLeft == 0, true
	for i, by := range slices.Backward(e.Undos()) {
		part := i < len(e.UndoneBefore) || e.RowsLeft > 0
		force, err := f.undo(ctx, Undo{ExecutionID: e.ExecutionID, UndoneBy: by, Part: part})
		if err != nil {
			return "", err
		}
		undone, stands = undone && force == All, stands && force == None
	}
	switch {
	case stands:
		return All, nil
	case undone:
		return None, nil
	}
	return Some, nil
}

// undo is how much is in force of what one undo did.
func (f *follower) undo(ctx context.Context, undo Undo) (Force, error) {
	at := len(f.chain)
	f.chain = append(f.chain, undo)
	if f.seen[undo.UndoneBy] {
		return All, nil
	}
	f.seen[undo.UndoneBy] = true
	record, err := f.store.Execution(ctx, undo.UndoneBy)
	if errs.KindOf(err) == errs.NotFound { // it was sealed, so somebody removed it
		return All, nil
	} else if err != nil {
		return "", err
	}
	if record.Seal != nil {
		f.chain[at].At = record.Seal.ExecutedAt
	}
	return f.force(ctx, record)
}

// Refuse says why an execution cannot be undone by another, as ledger.Execution.RefuseUndo
// does; nil: it can. Where what undid it was undone in turn, it says what to undo instead.
func Refuse(ctx context.Context, store Records, e ledger.Execution, undoID string) *ledger.Failure {
	refusal := e.RefuseUndo(undoID)
	if refusal == nil || refusal.Code != ledger.CodeUndoneAlready {
		return refusal
	}
	undos, err := Follow(ctx, store, e)
	if back := undos.broughtBack(); err == nil && len(back) > 0 {
		refusal.Message += " That was undone in turn: undo " + strings.Join(back, " and ") + " instead."
	}
	return refusal
}

// broughtBack are the executions that brought back what was undone, and stand.
func (u Undos) broughtBack() (ids []string) {
	undone, brings := map[string]bool{}, map[string]bool{}
	for i, undo := range u.Chain {
		undone[undo.ExecutionID] = undone[undo.ExecutionID] || !undo.Part
		brings[undo.UndoneBy] = i > 0 && undo.ExecutionID != u.Chain[0].ExecutionID &&
			!brings[undo.ExecutionID]
	}
	for _, undo := range u.Chain {
		if brings[undo.UndoneBy] && !undone[undo.UndoneBy] {
			ids = append(ids, undo.UndoneBy)
		}
	}
	return ids
}

// Newest is the execution that was carried out last of those in the chain.
func (u Undos) Newest() (id string) {
	var at time.Time
	for _, undo := range u.Chain {
		if !undo.At.Before(at) {
			id, at = undo.UndoneBy, undo.At
		}
	}
	return id
}
