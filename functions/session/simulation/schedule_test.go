package simulation

import (
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// Stats counts what schedules were made of.
type Stats struct {
	Steps, Deliveries, Turns, Lost, Conflicts, Missing, Failed int
}

func (s *Stats) count(code string) {
	switch code {
	case "":
	case "lost_race":
		s.Lost++
	case "conflict":
		s.Conflicts++
	case "not_found":
		s.Missing++
	default:
		s.Failed++
	}
}

// Plus adds up.
func (s Stats) Plus(t Stats) Stats {
	return Stats{
		Steps: s.Steps + t.Steps, Deliveries: s.Deliveries + t.Deliveries, Turns: s.Turns + t.Turns, Lost: s.Lost + t.Lost,
		Conflicts: s.Conflicts + t.Conflicts, Missing: s.Missing + t.Missing, Failed: s.Failed + t.Failed,
	}
}

// Run runs the schedule of a seed. With a trace it tells every step.
func Run(b Backend, mutant Mutant, seed uint64, trace func(format string, args ...any)) (stats Stats, violation error) {
	w := newWorld(b, seed)
	w.trace = trace
	defer lockstep.Catch(&violation, fmt.Sprintf("seed %d", seed))
	defer w.loseAll()
	w.invent(mutant)
	for range 40 + w.rng.IntN(120) {
		w.misfortune()
	}
	w.recover()
	w.stats.Steps, w.stats.Deliveries = w.steps, w.started
	return w.stats, nil
}

// invent decides what the world is like: its servers, how much goes wrong, and
// what the clients will want.
func (w *world) invent(mutant Mutant) {
	w.maxWork = 2 + w.rng.IntN(4)
	w.faults = []float64{0, 0.02, 0.1, 0.25}[w.rng.IntN(4)]
	w.crashes = []float64{0, 0.01, 0.05}[w.rng.IntN(3)]
	w.deletes = w.rng.IntN(4)
	if w.rng.IntN(2) == 0 {
		w.maxSkew = 5 * time.Minute
	}
	for range 1 + w.rng.IntN(3) {
		w.serve(mutant, w.skew())
	}
	for range 1 + w.rng.IntN(2) {
		w.talk(w.session())
	}
}

func (w *world) skew() time.Duration {
	if w.maxSkew == 0 {
		return 0
	}
	return time.Duration(w.rng.Int64N(int64(2*w.maxSkew))) - w.maxSkew
}

// talk decides what is said in a session.
func (w *world) talk(key sessions.Key) {
	paths := []string{pathRun, pathMessage, pathMessage, pathStream}
	for n := range 2 + w.rng.IntN(4) {
		id, path := fmt.Sprintf("m%d", n), paths[w.rng.IntN(len(paths))]
		switch w.rng.IntN(12) {
		case 0:
			id = "" // every delivery is a message of its own
		case 1:
			w.requests = append(w.requests, messageRequest(path, key, id, fmt.Sprintf("Rename it to another shop %d", n)))
		}
		w.requests = append(w.requests, messageRequest(path, key, id, fmt.Sprintf("Rename it to shop %d", n)))
	}
	if w.rng.IntN(3) == 0 {
		w.requests = append(w.requests, messageRequest(paths[w.rng.IntN(len(paths))], key, "approve", approval))
	}
}

// misfortune is one step in which anything may happen.
func (w *world) misfortune() {
	switch n := w.rng.IntN(100); {
	case n < 14 && len(w.deliveries) < w.maxWork || len(w.deliveries) == 0:
		w.deliver(w.anyRequest(), w.anyServer())
	case n < 18:
		w.pass()
	case n < 22:
		delivery := w.anyDelivery()
		delivery.asleep = !delivery.asleep
	default:
		if delivery := w.anyDelivery(); !delivery.asleep {
			w.step(delivery, w.fate())
		}
	}
}

func (w *world) anyServer() *server     { return w.servers[w.rng.IntN(len(w.servers))] }
func (w *world) anyDelivery() *delivery { return w.deliveries[w.rng.IntN(len(w.deliveries))] }

// anyRequest is mostly a message, and rather one that was not answered.
func (w *world) anyRequest() *request {
	key := w.keys[w.rng.IntN(len(w.keys))]
	switch n := w.rng.IntN(100); {
	case n < 8:
		return sessionRequest("POST", key)
	case n < 16 && w.deletes > 0:
		w.deletes--
		return sessionRequest("DELETE", key)
	case n < 24:
		return sessionRequest("GET", key)
	}
	r := w.requests[w.rng.IntN(len(w.requests))]
	if r.answered && w.rng.IntN(3) > 0 {
		r = w.requests[w.rng.IntN(len(w.requests))]
	}
	return w.fresh(r)
}

// fresh is a request as it can be sent again: without an id it is another
// message each time.
func (w *world) fresh(r *request) *request {
	if r.id != "" {
		return r
	}
	return messageRequest(r.path, r.key, "", fmt.Sprintf("%s, delivery %d", r.text, w.started))
}

// pass lets time go by: mostly little, at times more than an idle session
// lives; what has expired may be swept away.
func (w *world) pass() {
	by := []time.Duration{time.Second, time.Second, 10 * time.Second, time.Minute, 10 * time.Minute, 56 * time.Minute, 2 * time.Hour}
	w.now = w.now.Add(by[w.rng.IntN(len(by))])
	w.say("time passes")
	if w.rng.IntN(2) == 0 && w.Sweep != nil {
		w.Sweep(w.now)
	}
	w.check(nil)
}

// faultsOf are the ways in which a round trip may fail without the worker being
// lost.
var faultsOf = []lockstep.Fate{
	{Err: errs.New(errs.Unavailable, "unavailable")},
	{Err: errs.New(errs.Deadline, "timed out")},
	{Err: errs.New(errs.Denied, "denied")},
	{Err: errs.New(errs.Internal, "something nobody foresaw")},
	{Err: errs.New(errs.Exhausted, "contention")},
	{Err: errs.New(errs.Deadline, "the reply was lost"), Effect: true},
	{Err: errs.New(errs.Unavailable, "the reply was lost"), Effect: true},
}

func (w *world) fate() lockstep.Fate { return lockstep.Draw(w.rng, w.crashes, w.faults, faultsOf) }

// recover ends all misfortune: what is under way goes on or is lost, and every
// message is sent until it is answered, which must be at the first time, or at
// the second where its session has to be created before.
func (w *world) recover() {
	w.say("misfortune ends")
	if w.rng.IntN(2) == 0 {
		w.loseAll()
	}
	for len(w.deliveries) > 0 {
		w.step(w.anyDelivery(), lockstep.CarriedOut)
	}
	for _, r := range w.requests {
		if !r.answered {
			w.send(r, nil)
		}
	}
	for _, key := range w.keys {
		w.send(sessionRequest("GET", key), nil)
	}
}
