package simulation

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/test/lockstep"
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
	// Deliveries is how many an upload takes though nothing goes wrong; 0 is 1.
	Deliveries int
	uploads    func(w *world)
	ranges     bool  // of a real table
	noEvents   bool  // sweeps alone deliver the uploads
	acts       []act // what happens once each has been acknowledged
}

// Scenarios end in each of the outcomes, and take each way through the
// protocol that one worker can take.
var Scenarios = []Scenario{
	{Name: "completed", uploads: func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 2", nil)
	}},
	{Name: "completed with more changes than ride in one commit", Heavy: true, uploads: func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 501", nil)
	}},
	{Name: "failed, then mended, then skipped", uploads: func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "bad", nil)
		w.upload(onlyID, "p.csv", "good 1", nil)
		w.upload(onlyID, "p.csv", "good 3", nil)
	}},
	Interrupted,
	{Name: "completed in ranges", Heavy: true, ranges: true, uploads: func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 2", nil)
	}},
	{Name: "a second plan of the same id", uploads: func(w *world) {
		w.planned("10")
		w.planned("20")
	}},
}

// Interrupted is an execution whose changes no delivery has the time to store:
// one stores two documents of three. The file is longer than what is looked at
// before the first is stored.
var Interrupted = Scenario{Name: "recorded by two deliveries", Heavy: true, Deliveries: 2, uploads: func(w *world) {
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
	w.trace, w.script = trace, faults
	w.mutant.ranges = s.ranges
	defer lockstep.Catch(&violation, fmt.Sprintf("%s, %v", s.Name, faults))
	defer func() { w.loseAll(); calls = w.steps }()
	s.uploads(w)
	for round := 0; w.unacknowledged() != nil && !s.noEvents; round++ {
		if round > max(s.Deliveries, 1)*len(w.uploads)+3*len(faults) {
			w.fail("%s %d has no outcome after %d deliveries", w.unacknowledged().event.Object, w.unacknowledged().event.Generation, round)
		}
		w.finishing(w.deliver(w.unacknowledged(), "1", 0, w.now.Add(9*time.Minute)))
		w.now = w.now.Add(11 * time.Minute)
	}
	for _, a := range s.acts {
		w.play(a)
	}
	if len(s.acts) > 0 {
		w.checkNotices()
	}
	return w.steps, nil
}
