package simulation

import (
	"fmt"
	"slices"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// Faults are all ways in which a round trip can go wrong.
var Faults = append(slices.Clone(lockstep.Faults),
	lockstep.Fault{Name: "contention", Fate: lockstep.Fate{Err: errs.New(errs.Exhausted, "contention")}},
)

// Scenario is a sequence of requests, each sent until it is answered.
type Scenario struct {
	Name     string
	requests func(sessions.Key) []*request
}

// Scenarios take each way through a turn that one client can take.
var Scenarios = []Scenario{
	{"a turn, and the same message again", func(key sessions.Key) []*request {
		turn := messageRequest(pathRun, key, "m1", "Plan a shop")
		return []*request{sessionRequest("POST", key), turn, turn}
	}},
	{"a message that creates its session, and again after it was deleted", func(key sessions.Key) []*request {
		turn := messageRequest(pathMessage, key, "m1", "Plan a shop")
		return []*request{turn, turn, sessionRequest("DELETE", key), turn}
	}},
	{"a streamed turn, approved", func(key sessions.Key) []*request {
		turn, yes := messageRequest(pathStream, key, "m1", "Plan a shop"), messageRequest(pathStream, key, "m2", approval)
		return []*request{sessionRequest("POST", key), turn, yes, turn, yes, sessionRequest("GET", key)}
	}},
}

// RunFaults carries a scenario out with the faults of a script.
func RunFaults(b Backend, s Scenario, faults lockstep.Script, trace func(format string, args ...any)) (calls int, violation error) {
	w := newWorld(b, 0)
	w.trace = trace
	defer lockstep.Catch(&violation, fmt.Sprintf("%s, %v", s.Name, faults))
	defer func() { w.loseAll(); calls = w.steps }()
	w.serve(Mutant{}, 0)
	for _, r := range s.requests(w.session()) {
		w.send(r, faults)
	}
	return w.steps, nil
}

// send sends a request until it is answered, with the faults of a script.
func (w *world) send(r *request, faults lockstep.Script) {
	for tries := 1; ; tries++ {
		delivery := w.deliver(r, w.servers[0])
		for delivery.Running() {
			w.step(delivery, faults.Fate(w.steps+1))
		}
		if delivery.Lost() {
			continue
		}
		switch a, _ := delivery.answer(); a.code {
		case "", "conflict":
			return
		case "not_found":
			if !r.message() {
				return
			}
			w.send(sessionRequest("POST", r.key), faults)
		}
		if tries > 2+len(faults) {
			w.fail("%v was sent %d times and is not answered", r, tries)
		}
	}
}
