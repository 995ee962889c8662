package simulation

import (
	"fmt"
	"io"
	"time"

	"github.com/planwright/planwright/shared/errs"
)

// Fault is a way in which one call to a port can go wrong.
type Fault struct {
	Name string
	fate fate
}

// Faults are all of them. Those that make no sense for a call (a short read of
// a commit) still happen to it: it fails with an error that nobody foresaw.
var Faults = []Fault{
	{"error before the effect", fate{err: errs.New(errs.Internal, "something nobody foresaw")}},
	{"effect done, reply lost", fate{err: errs.New(errs.Unavailable, "the reply was lost"), effect: true}},
	{"timeout before the effect", fate{err: errs.New(errs.Deadline, "timed out")}},
	{"timeout after the effect", fate{err: errs.New(errs.Deadline, "timed out"), effect: true}},
	{"contention", fate{err: errs.New(errs.Stale, "contention")}},
	{"unavailable", fate{err: errs.New(errs.Unavailable, "unavailable")}},
	{"permission denied", fate{err: errs.New(errs.Denied, "denied")}},
	{"short read", fate{err: io.ErrUnexpectedEOF}},
	{"corrupt read", fate{effect: true, spoil: true}},
	{"precondition failed", fate{err: errs.New(errs.Conflict, "precondition failed")}},
	{"worker lost before the effect", fate{crash: true}},
	{"worker lost after the effect", fate{crash: true, effect: true}},
}

// At is a fault at the nth call to any port, counted from 1.
type At struct {
	Call  int
	Fault Fault
}

func (a At) String() string { return fmt.Sprintf("call %d: %s", a.Call, a.Fault.Name) }

// Scenario is a sequence of uploads that are delivered one after the other.
type Scenario struct {
	Name string
	// Heavy scenarios take some twenty times as long as the others.
	Heavy   bool
	uploads func(w *world)
}

// Scenarios end in each of the outcomes, and take each way through the
// protocol that one worker can take.
var Scenarios = []Scenario{
	{"completed", false, func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 2", nil)
	}},
	{"completed with more changes than ride in one commit", true, func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "good 501", nil)
	}},
	{"failed, then mended, then skipped", false, func(w *world) {
		w.planned("10")
		w.upload(onlyID, "p.csv", "bad", nil)
		w.upload(onlyID, "p.csv", "good 1", nil)
		w.upload(onlyID, "p.csv", "good 3", nil)
	}},
	{"a second plan of the same id", false, func(w *world) {
		w.planned("10")
		w.planned("20")
	}},
}

const onlyID = "plan_simulated_v1"

func (w *world) planned(percent string) {
	w.upload(onlyID, "plan.json", string(newPlan(onlyID, percent).Canonical()), nil)
}

// RunFaults delivers a scenario's uploads until each is acknowledged, with the
// faults at the calls named. It returns how many calls were made: a fault
// after the last of them did not happen.
func RunFaults(s Scenario, faults []At, trace func(format string, args ...any)) (calls int, violation error) {
	w := newWorld(Mutant{}, 0)
	w.trace = trace
	defer func() {
		w.loseAll()
		calls = w.steps
		if broken, ok := recover().(broken); ok {
			violation = fmt.Errorf("%s, %v: %s", s.Name, faults, string(broken))
		}
	}()
	s.uploads(w)
	for round := 0; w.unacknowledged() != nil; round++ {
		if round > len(w.uploads)+2*len(faults) {
			w.fail("%s %d has no outcome after %d deliveries", w.unacknowledged().event.Object, w.unacknowledged().event.Generation, round)
		}
		one := w.deliver(w.unacknowledged(), "1", 0, w.now.Add(9*time.Minute))
		for one.running {
			w.step(one, w.scripted(faults))
		}
		w.now = w.now.Add(11 * time.Minute)
	}
	return w.steps, nil
}

func (w *world) scripted(faults []At) fate {
	for _, at := range faults {
		if at.Call == w.steps+1 {
			return at.Fault.fate
		}
	}
	return carriedOut
}
