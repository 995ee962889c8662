// Package lockstep runs workers one call at a time, for simulations: the
// schedule decides which of them goes on, and what becomes of the
// call that it is about to make. The same decisions make the same run, so that
// a schedule drawn from a seed can be replayed.
package lockstep

import (
	"math/rand/v2"
	"runtime"

	"github.com/planwright/planwright/shared/errs"
)

// Fate is what becomes of one call to a port.
type Fate struct {
	Err    error // returned in place of the call's own result
	Effect bool  // whether the call is carried out
	Crash  bool  // the worker is lost, with all it had in memory
	Spoil  bool  // of a read: the bytes come out wrong
}

// CarriedOut is the fate of a call that nothing happens to.
var CarriedOut = Fate{Effect: true}

// Draw is a fate by chance: a crash as often as crashes says, one of kinds as
// often as faults does, and nothing otherwise.
func Draw(rng *rand.Rand, crashes, faults float64, kinds []Fate) Fate {
	switch n := rng.Float64(); {
	case n < crashes:
		return Fate{Crash: true, Effect: rng.IntN(2) == 0}
	case n < crashes+faults:
		return kinds[rng.IntN(len(kinds))]
	default:
		return CarriedOut
	}
}

// String is the end of a sentence that begins with the call's name.
func (f Fate) String() string {
	switch {
	case f.Crash && f.Effect:
		return ": done, and the worker is lost"
	case f.Crash:
		return ": the worker is lost before it"
	case f.Err != nil && f.Effect:
		return ": done, but answered " + f.Err.Error()
	case f.Spoil:
		return ": spoilt"
	case f.Err != nil:
		return ": " + f.Err.Error()
	default:
		return ""
	}
}

// Worker is work under way. It runs only between a Step and its next call, so
// that of all workers no two run at once.
type Worker struct {
	calls  chan string // the call that is about to be made; closed at the end
	fates  chan Fate
	next   string
	runs   bool
	lost   bool
	spoilt bool // the call just made was a spoilt one
}

// NewWorker returns a worker that has yet to start.
func NewWorker() *Worker { return &Worker{calls: make(chan string), fates: make(chan Fate)} }

// Start begins the work and returns when it has come to its first call, or to its end.
func (w *Worker) Start(work func()) {
	run := func() {
		defer close(w.calls)
		work()
	}
	select {
	case idle <- run:
	default:
		go serve(run)
	}
	w.awaitCall()
}

// idle is waited at by goroutines whose work has ended: they have grown the
// stacks that the next work needs. That of a lost worker ends.
var idle = make(chan func())

func serve(run func()) {
	for ; ; run = <-idle {
		run()
	}
}

// Next is the call that the worker waits to make.
func (w *Worker) Next() string { return w.next }

// Running reports whether the worker waits to make a call; otherwise it has
// come to its end, or is lost.
func (w *Worker) Running() bool { return w.runs }

// Lost reports whether the worker crashed.
func (w *Worker) Lost() bool { return w.lost }

// Spoilt reports whether what the last call read was to come out wrong.
func (w *Worker) Spoilt() bool { return w.spoilt }

// Step lets the worker make its next call as fate has it, and returns when it
// has come to the one after, or to its end.
func (w *Worker) Step(f Fate) {
	w.fates <- f
	w.awaitCall()
}

func (w *Worker) awaitCall() { w.next, w.runs = <-w.calls }

// Lose ends the worker where it stands.
func (w *Worker) Lose() {
	if w.runs {
		w.Step(Fate{Crash: true})
	}
}

// Call is made by the worker around each call to a port; carryOut makes it. A
// lost worker's goroutine ends there. Whatever else of it still runs, deferred
// calls and other goroutines, gets an error for every call, and no effect.
func (w *Worker) Call(name string, carryOut func() error) error {
	if w.lost {
		return errs.New(errs.Internal, "lost")
	}
	w.calls <- name
	f := <-w.fates
	var err error
	if f.Effect {
		err = carryOut()
	}
	w.spoilt = f.Spoil
	if f.Crash {
		w.lost = true
		runtime.Goexit()
	}
	if f.Err != nil {
		return f.Err
	}
	return err
}
