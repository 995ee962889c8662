package simulation

import (
	"slices"
	"time"

	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
)

// act is something that is tried until it has happened.
type act struct {
	what  string
	begin func(w *world) *worker
	done  func(w *world) bool
}

// Lives are scenarios of the life of a plan: what is proposed, decided,
// scheduled, undone, and left to the sweep.
var Lives = []Scenario{
	{Name: "proposed, approved, applied", uploads: func(w *world) {
		w.stored(plan.Terms{Approval: plan.ApprovalAlways})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{posted, approved, posted, swept, posted}},
	{Name: "proposed for the upload asks for it, and rejected", uploads: func(w *world) {
		w.stored(plan.Terms{})
		w.upload(onlyID, "p.csv", "good 2", map[string]string{execution.IntentKey: execution.IntentPropose})
	}, acts: []act{rejected, posted, swept}},
	{Name: "rejected, dropped again, and applied with an approval alone", uploads: func(w *world) {
		w.stored(plan.Terms{ApplyAt: in(w, time.Hour)})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{rejected, droppedAgain, proposedAgain, approved, swept}},
	{Name: "expired, then mended", uploads: func(w *world) {
		w.stored(plan.Terms{Approval: plan.ApprovalAlways})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{swept}},
	{Name: "superseded, then approved", uploads: func(w *world) {
		w.stored(plan.Terms{Approval: plan.ApprovalAlways})
		w.upload(onlyID, "p.csv", "good 2", nil)
		w.upload(onlyID, "p.csv", "good 1", nil)
	}, acts: []act{approved, swept}},
	{Name: "an older upload comes after the proposal", uploads: func(w *world) {
		w.stored(plan.Terms{Approval: plan.ApprovalAlways})
		older := w.upload(onlyID, "p.csv", "good 2", nil)
		w.upload(onlyID, "p.csv", "good 1", nil)
		w.uploads[0], w.uploads[1] = w.uploads[1], older
	}, acts: []act{rejected, swept}},
	{Name: "another build proposes anew", uploads: func(w *world) {
		w.stored(plan.Terms{Approval: plan.ApprovalAlways})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{approved, anotherBuild, approved, swept}},
	{Name: "scheduled", uploads: func(w *world) {
		w.stored(plan.Terms{ApplyAt: in(w, time.Hour)})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{swept}},
	{Name: "approved, applied and reverted", uploads: func(w *world) {
		w.stored(plan.Terms{Approval: plan.ApprovalAlways, RevertAt: in(w, 24*time.Hour)})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{approved, swept}},
	{Name: "undone on its output", uploads: func(w *world) {
		w.stored(plan.Terms{})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{undone, swept}},
	{Name: "undone on its output, and the undo undone", uploads: func(w *world) {
		w.stored(plan.Terms{})
		w.upload(onlyID, "p.csv", "good 2", nil)
	}, acts: []act{undone, swept, undoneAgain, swept}},
	{Name: "no event ever comes", uploads: func(w *world) {
		w.upload(onlyID, "p.csv", "bad", nil)
		w.upload(onlyID, "p.csv", "good 2", nil)
		w.planned("10")
	}, noEvents: true, acts: []act{inboxSwept, swept}},
}

var approved = act{
	what:  "approved",
	begin: func(w *world) *worker { return w.approve(onlyID, w.shown()) },
	done: func(w *world) bool {
		record := w.store.records[onlyID]
		return record.Approval != nil || record.Seal != nil
	},
}

var rejected = act{
	what:  "rejected",
	begin: func(w *world) *worker { return w.reject(onlyID, w.shown()) },
	done:  func(w *world) bool { return w.store.records[onlyID].Status == ledger.Failed },
}

// droppedAgain is the same table once more.
var droppedAgain = act{
	what: "dropped again",
	begin: func(w *world) *worker {
		return w.deliver(w.upload(onlyID, "p.csv", "good 2", nil), "1", 0, time.Time{})
	},
	done: func(w *world) bool { return w.store.records[onlyID].Source.Generation > 1 },
}

// proposedAgain comes of sweeps though the time has come by then.
var proposedAgain = act{
	what:  "proposed again",
	begin: func(w *world) *worker { w.await(); return w.sweep(false, "1", 0) },
	done:  func(w *world) bool { return w.store.records[onlyID].Proposal != nil },
}

// anotherBuild is a sweep by an engine that computes another result, after
// which the first proposal is no more.
var anotherBuild = act{
	what: "proposed anew",
	begin: func(w *world) *worker {
		w.builds = []string{"2"}
		return w.sweep(false, "2", 0)
	},
	done: func(w *world) bool {
		return len(w.past.proposed[onlyID]) > 1 && w.store.records[onlyID].Approval == nil
	},
}

var undone = act{
	what:  "undone",
	begin: func(w *world) *worker { return w.undo(onlyID, undoesOnly, true) },
	done: func(w *world) bool {
		return w.store.records[onlyID].UndoneBy != "" || len(w.store.records[onlyID].UndoDue) > 0
	},
}

const undoesOnly = "plan_undoes_it_v1"

// undoneAgain takes the undo back.
var undoneAgain = act{
	what:  "the undo undone",
	begin: func(w *world) *worker { return w.undo(undoesOnly, "plan_undoes_the_undo_v1", true) },
	done: func(w *world) bool {
		undo := w.store.records[undoesOnly] // one that failed undid nothing, and has nothing to be undone
		return undo.UndoneBy != "" || len(undo.UndoDue) > 0 || undo.Status == ledger.Failed
	},
}

var inboxSwept = act{
	what:  "found in the inbox",
	begin: func(w *world) *worker { return w.sweep(true, "1", 0) },
	done:  func(w *world) bool { return !w.forgotten() },
}

// swept leaves the rest to sweeps.
var swept = act{
	what: "settled",
	begin: func(w *world) *worker {
		w.await()
		return w.sweep(w.forgotten(), w.builds[0], 0)
	},
	done: func(w *world) bool { return w.quiet() },
}

// posted is a run of the clock after which the webhook is owed nothing.
var posted = act{
	what:  "posted",
	begin: func(w *world) *worker { return w.tell() },
	done:  func(w *world) bool { return w.store.records[onlyID].PostAt().IsZero() },
}

// forgotten reports whether nothing is known of an upload.
func (w *world) forgotten() bool {
	return slices.ContainsFunc(w.uploads, func(d *delivery) bool {
		_, ended := w.store.outcomes[d.id][d.upload]
		_, planned := w.store.plans[d.id]
		return !planned || !ended && !isPlanFile(d) && w.store.records[d.id].Source.Upload.ID() != d.upload
	})
}

// shown is the proposal that was shown last.
func (w *world) shown() string {
	seen := w.past.proposed[onlyID]
	return seen[len(seen)-1]
}

func in(w *world, d time.Duration) string { return w.now.Add(d).Format(time.RFC3339) }

// stored stores the plan, which is not what is to fail.
func (w *world) stored(terms plan.Terms) {
	p := newPlan(onlyID, "10")
	p.Terms = terms
	record := plans.New(p).Record
	w.store.count(onlyID)
	w.store.plans[onlyID] = record
}

// play tries an act until it has happened.
func (w *world) play(a act) {
	for round := 0; !a.done(w); round++ {
		if round > 8+4*len(w.script) {
			w.fail("not %s after %d tries", a.what, round)
		}
		w.finishing(a.begin(w))
		w.now = w.now.Add(11 * time.Minute)
	}
}
