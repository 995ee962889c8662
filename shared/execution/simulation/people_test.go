package simulation

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// People ask for what the planner's routes do to a record: each request is a
// worker, so that whatever may happen to a call happens to theirs.

// ask begins somebody's request on a new worker.
func (w *world) ask(what string, request func(ledger.Store) error) *worker {
	worker := w.hire()
	w.say("%s asks to %s", worker.name, what)
	return w.begin(worker, func() error { return request(worker.store(w.records())) })
}

// somebody is who decides: ann, who always may, or bob.
func (w *world) somebody() string { return []string{"ann", "ann", "bob"}[w.people.IntN(3)] }

// policy is what the planner holds a decision against.
func (w *world) policy() ledger.Decisions {
	if w.mutant.unruled {
		return ledger.Decisions{}
	}
	return w.decisions
}

// approve has somebody approve of a proposal that they have seen, whether they
// may or not.
func (w *world) approve(id, sha string) *worker {
	by := w.somebody()
	if w.decisions.CheckApprover(by) == nil {
		w.past.approved[sha] = true
	}
	given := ledger.Approval{ProposalSHA256: sha, By: by, At: w.now, Policy: w.policy()}
	return w.ask("approve of "+id+", "+sha+", as "+by, func(store ledger.Store) error {
		_, err := ledger.Approve(context.Background(), store, id, given)
		return err
	})
}

func (w *world) reject(id, sha string) *worker {
	by := w.somebody()
	given := ledger.Approval{ProposalSHA256: sha, By: by, At: w.now, Note: "no", Policy: w.policy()}
	return w.ask("reject "+id+", "+sha+", as "+by, func(store ledger.Store) error {
		_, err := ledger.Reject(context.Background(), store, id, ledger.Rejection{Approval: given, ApprovedBy: by}) // of their own approvals, and of nobody else's
		return err
	})
}

// proposeOnly has somebody ask that an execution be proposed.
func (w *world) proposeOnly(id string) *worker {
	at := w.now
	return w.ask("see first what "+id+" would do", func(store ledger.Store) error {
		_, err := ledger.ProposeOnly(context.Background(), store, id, "cat", at)
		return err
	})
}

// undo has somebody undo an execution: on its output, or on a table that will
// be dropped for it.
func (w *world) undo(id, undoID string, onOutput bool) *worker {
	at := w.now
	return w.ask(fmt.Sprintf("undo %s by %s, on its output %t", id, undoID, onOutput), func(store ledger.Store) error {
		ctx := context.Background()
		record, err := store.Execution(ctx, id)
		if err != nil {
			return err
		}
		if err := record.CheckUndo(undoID); err != nil {
			return err
		}
		stored := plans.New(plans.Undo(&plan.Plan{ExecutionID: id, SourceInstruction: "Change it."}, undoID, record.Seal.Changes.SHA256, record.Seal.ExecutedAt)).Record
		if !onOutput {
			return store.CreatePlan(ctx, stored)
		}
		_, err = ledger.Undo(ctx, store, id, undoID, &stored, at)
		if errs.KindOf(err) == errs.Conflict { // it was stored for a table that was to be dropped
			_, err = ledger.Undo(ctx, store, id, undoID, nil, at)
		}
		return err
	})
}

// anybody has somebody ask for something of some execution.
func (w *world) anybody() {
	ids := slices.Sorted(maps.Keys(w.store.records))
	if len(ids) == 0 {
		return
	}
	id := ids[w.rng.IntN(len(ids))]
	switch n := w.rng.IntN(16); {
	case n == 0:
		w.proposeOnly(id)
	case n < 4 && w.undos < 2 && w.store.records[id].Status == ledger.Completed:
		w.undoAny(id)
	default:
		w.decide(id)
	}
}

// undoAny undoes an execution under an id of its own, which is also asked for
// again; half of the time a table is dropped for it.
func (w *world) undoAny(id string) {
	undoID := "plan_undoes_" + id
	if w.rng.IntN(4) == 0 {
		undoID = "plan_also_undoes_" + id
	}
	if !plan.ValidExecutionID(undoID) {
		return
	}
	w.undos++
	onOutput := w.rng.IntN(2) == 0
	if !onOutput {
		w.arrive(undoID, "p.csv", "good 1 edited since")
	}
	w.undo(id, undoID, onOutput)
}

// decide has somebody decide about what an execution proposes, or proposed when
// they looked.
func (w *world) decide(id string) *worker {
	seen := w.past.proposed[id]
	if len(seen) == 0 {
		return nil
	}
	sha := seen[len(seen)-1]
	if w.rng.IntN(4) == 0 {
		sha = seen[w.rng.IntN(len(seen))]
	}
	late := w.store.records[id].Status == ledger.Running // somebody has thought better of it
	if w.rng.IntN(4) == 0 || late && w.rng.IntN(8) > 0 {
		return w.reject(id, sha)
	}
	return w.approve(id, sha)
}

// finishing steps a worker to its end, without a fault.
func (w *world) finishing(worker *worker) {
	for worker != nil && worker.Running() {
		w.step(worker, w.script.Fate(w.steps+1))
	}
}

// await lets the time go by until something is due.
func (w *world) await() {
	var first time.Time
	for _, record := range w.store.records {
		if due := record.DueAt; !due.IsZero() && (first.IsZero() || due.Before(first)) {
			first = due
		}
	}
	if first.After(w.now) {
		w.now = first
	}
}
