package simulation

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/lockstep"
)

// Faults are all ways in which a call can go wrong. Those that make no sense
// for a call (a short read of a commit) still happen to it: it fails with an
// unexpected error.
var Faults = append(slices.Clone(lockstep.Faults),
	lockstep.Fault{Name: "contention", Fate: lockstep.Fate{Err: errs.New(errs.Stale, "contention")}},
	lockstep.Fault{Name: "short read", Fate: lockstep.Fate{Err: io.ErrUnexpectedEOF}},
	lockstep.Fault{Name: "corrupt read", Fate: lockstep.Fate{Effect: true, Spoil: true}},
	lockstep.Fault{Name: "precondition failed", Fate: lockstep.Fate{Err: errs.New(errs.Conflict, "precondition failed")}},
)

// Scenario is a sequence of uploads that are delivered one after the other.
type Scenario struct {
	Name string
	// Heavy scenarios take some twenty times as long as the others.
	Heavy bool
	// Deliveries is how many an upload takes though nothing goes wrong.
	Deliveries int
	uploads    func(w *world)
}

// Scenarios end in each of the outcomes, and take each way through the
// protocol that one worker can take.
var Scenarios = []Scenario{
	{"completed", false, 1, func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 2", nil)
	}},
	{"completed with more changes than ride in one commit", true, 1, func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 501", nil)
	}},
	{"failed, then mended, then skipped", false, 1, func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "bad", nil)
		w.upload(onlyID, "p.csv", "good 1", nil)
		w.upload(onlyID, "p.csv", "good 3", nil)
	}},
	Interrupted,
	{"a second plan of the same id", false, 1, func(w *world) {
		w.planned("10")
		w.planned("20")
	}},
}

// Interrupted is an execution whose changes no delivery has the time to store:
// one stores two documents of three. The file is longer than what is looked at
// before the first is stored.
var Interrupted = Scenario{"recorded by two deliveries", true, 2, func(w *world) {
	w.storing = 5 * time.Minute
	w.planned("10")
	w.upload(onlyID, "p.csv", "good 1001", nil)
}}

const onlyID = "plan_simulated_v1"

func (w *world) planned(percent string) {
	w.upload(onlyID, "plan.json", string(newPlan(onlyID, percent).Canonical()), nil)
}

// RunFaults delivers a scenario's uploads until each is acknowledged, with the
// faults of a script.
func RunFaults(mutant Mutant, s Scenario, faults lockstep.Script, trace func(format string, args ...any)) (calls int, violation error) {
	w := newWorld(mutant, 0)
	w.trace = trace
	defer lockstep.Catch(&violation, fmt.Sprintf("%s, %v", s.Name, faults))
	defer func() { w.loseAll(); calls = w.steps }()
	s.uploads(w)
	for round := 0; w.unacknowledged() != nil; round++ {
		if round > s.Deliveries*len(w.uploads)+3*len(faults) {
			w.fail("%s %d has no outcome after %d deliveries", w.unacknowledged().event.Object, w.unacknowledged().event.Generation, round)
		}
		one := w.deliver(w.unacknowledged(), "1", 0, w.now.Add(9*time.Minute))
		for one.Running() {
			w.step(one, faults.Fate(w.steps+1))
		}
		w.now = w.now.Add(11 * time.Minute)
	}
	return w.steps, nil
}
