package execution_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// An undo can be undone, and that again. What is told of the first execution, and whoever
// works on its table, follows: its record alone does not change any more.
func TestAnUndoneUndo(t *testing.T) {
	onEachStore(t, func(t *testing.T, open func(*testing.T) *shop) {
		s := open(t)
		s.storePlan()
		s.handle(s.drop(id+"/p.csv", products))
		s.completed()
		s.inForce(lineage.All, "")
		s.undoOutput(id, "plan_undo_v1", products)
		s.inForce(lineage.None, "It was undone by plan_undo_v1.")
		s.undoOutput("plan_undo_v1", "plan_undo_undone_v1", updated)
		s.inForce(lineage.All, "It was undone by plan_undo_v1, which was undone by plan_undo_undone_v1.")

		other := plans.New(s.undoPlan("plan_undo_v2"))
		if err := s.store.CreatePlan(t.Context(), other.Record); err != nil {
			t.Fatal(err)
		}
		s.handle(s.drop("plan_undo_v2/p.csv", updated))
		s.failedWith("plan_undo_v2", ledger.CodeUndoneAlready)
		if failed, err := s.store.Execution(t.Context(), "plan_undo_v2"); err != nil || !strings.Contains(failed.Error.Message, "undo plan_undo_undone_v1 instead") {
			t.Errorf("a second undo: %+v, %v", failed.Error, err)
		}

		s.undoOutput("plan_undo_undone_v1", "plan_undone_thrice_v1", products)
		s.inForce(lineage.None, "which was undone by plan_undo_undone_v1, which was undone by plan_undone_thrice_v1.")
	})
}

// undoOutput undoes an execution on its output, of which another output comes.
func (s *shop) undoOutput(executionID, undoID, output string) {
	s.t.Helper()
	record, err := s.store.Execution(s.t.Context(), executionID)
	if err != nil {
		s.t.Fatal(err)
	}
	undo := plans.New(plans.Undo(&plan.Plan{ExecutionID: executionID, SourceInstruction: "Change it."}, undoID, record.Seal.Changes.SHA256, s.clock.Now()))
	if _, err := ledger.Undo(s.t.Context(), s.store, executionID, undoID, &undo.Record, s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
	s.sweep()
	if got := s.files("outbox")[undoID+"/p.csv"]; got != output {
		s.t.Fatalf("%s wrote %q", undoID, got)
	}
}

// inForce asserts what is told of the execution, and of its table.
func (s *shop) inForce(force lineage.Force, text string) {
	s.t.Helper()
	record := s.record()
	undos, err := lineage.Follow(s.t.Context(), s.store, record)
	if err != nil || undos.Force != force || !strings.Contains(undos.String(), text) {
		s.t.Errorf("%s is in force, %v: %s", undos.Force, err, undos)
	}
	warned := slices.ContainsFunc(lineage.SameTable(s.t.Context(), s.store, record.Seal.Input, "plan_another_v1"), func(w plan.Warning) bool {
		return slices.Contains(w.Arguments, id)
	})
	if warned != (force != lineage.None) {
		s.t.Errorf("%s is in force, and who works on its table is warned: %t", force, warned)
	}
}
