// Package simulation runs the execution protocol under every fault that
// a seed can draw, one step at a time, and checks after each step that
// nothing was promised that does not hold.
//
// The executor is the real one. Its ports are kept in memory, and between the
// executor and each port stands a scheduler that decides what becomes of the
// call: it is carried out, it fails, it is carried out and its reply is lost,
// or the worker is gone. Several workers deliver several uploads, lost,
// doubled and out of order, with clocks that disagree; leases run out under
// workers that go on. A schedule is a function of its seed, so that one that
// fails can be replayed.
package simulation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/messages"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// Mutant is a product with one guard removed. The zero value is the product.
type Mutant struct {
	Name   string
	store  func(*world) ledger.Store
	bucket func(*world, *objects) bucket.Bucket
	ranges bool // real tables, computed in ranges by some
	tell   func(*world, *messages.Sender) error
	tables func(*world) lineage.Tables // what undos came to is read of it; nil: the ledger
	// unruled says that whoever decides may.
	unruled bool
	// likely is a schedule that noticed the mutant, where few do: it is tried first.
	likely uint64
}

// delivery is an upload and whether its event has been acknowledged.
type delivery struct {
	event  execution.Event
	upload string // its id
	id     string
	acked  bool
}

// world is the state of one schedule.
type world struct {
	mutant    Mutant
	rng       *rand.Rand
	now       time.Time
	store     *store
	inbox     *objects
	outbox    *objects
	audit     *objects
	pending   []*delivery // uploads that have yet to arrive
	uploads   []*delivery
	workers   []*worker
	started   int
	holders   int
	undos     int
	script    lockstep.Script // the faults of a scenario
	steps     int
	past      past
	posted    map[string]int                   // how often each post reached the webhook
	trace     func(format string, args ...any) // nil: not told
	maxWork   int
	faults    float64
	crashes   float64
	builds    []string
	maxSkew   time.Duration
	deadline  bool
	decisions ledger.Decisions // who may decide
	people    *rand.Rand       // says who does
	shopping  *rand.Rand       // says when the shop is fetched, and what it has
	strict    bool             // some executors are told that everything needs an approval
	storing   time.Duration    // how long the storing of a change document takes
}

var limits = execution.Limits{
	Lease:      2 * time.Minute,
	Margin:     30 * time.Second,
	PlanWait:   15 * time.Minute,
	UnknownFor: 20 * time.Hour,
	Timeouts:   3,
}

func newWorld(mutant Mutant, seed uint64) *world {
	w := &world{
		mutant: mutant,
		rng:    rand.New(rand.NewPCG(seed, 0)),
		people: rand.New(rand.NewPCG(seed, 1)),
		now:    time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		store:  newStore(),
		inbox:  newObjects("inbox"),
		outbox: newObjects("outbox"),
		audit:  newObjects("audit"),
		past:   newPast(),
		posted: map[string]int{},
		builds: []string{"1"},

		shopping: rand.New(rand.NewPCG(seed, 3)),
	}
	w.inbox.clock = func() time.Time { return w.now }
	return w
}

func (w *world) say(format string, args ...any) {
	if w.trace != nil {
		w.trace("%4d  %s  "+format, append([]any{w.steps, w.now.Format("15:04:05")}, args...)...)
	}
}

// newPlan makes a plan for an execution; percent tells two of them apart.
func newPlan(id string, percent string) *plan.Plan {
	return &plan.Plan{
		ExecutionID: id, CreatedAt: "2026-03-01T10:00:00Z", SourceInstruction: "Increase all prices by " + percent + "%.",
		Operations: []plan.Operation{{
			OperationID: "op_01",
			Action:      plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal(percent)},
		}},
	}
}

// upload puts an object into the inbox; its event is to be delivered.
func (w *world) upload(id, file, content string, metadata map[string]string) *delivery {
	name := id + "/" + file
	if w.mutant.ranges && file != "plan.json" {
		content = csv(content)
	}
	if _, fetched := metadata[execution.ShopURLKey]; fetched && file != "plan.json" {
		name = execution.HandedInFolder + name
		metadata[execution.ExecutionIDKey] = id
	}
	object := w.inbox.put(name, []byte(content), bucket.CreateOptions{Metadata: metadata}, w.now)
	d := &delivery{id: id, event: execution.Event{
		Bucket: "inbox", Object: name, Generation: object.Generation, Size: object.Size,
		Metadata: metadata, CreatedAt: w.now,
	}}
	d.upload = ledger.Upload{Bucket: "inbox", Object: name, Generation: object.Generation}.ID()
	w.uploads = append(w.uploads, d)
	w.past.inputs++
	w.say("upload %s, generation %d: %s", name, object.Generation, content)
	return d
}

// deliver begins a delivery on a new worker.
func (w *world) deliver(d *delivery, build string, skew time.Duration, deadline time.Time) *worker {
	worker := w.hire()
	worker.upload, worker.event = d, d.event
	worker.event.Deadline = deadline
	x := w.executor(worker, build, skew)
	w.say("%s delivers %s %d, build %s, clock %+v", worker.name, d.event.Object, d.event.Generation, build, skew)
	return w.begin(worker, func() error { return x.Handle(context.Background(), worker.event) })
}

// sweep begins a sweep on a new worker: of the inbox, or of what is due.
func (w *world) sweep(inbox bool, build string, skew time.Duration) *worker {
	worker := w.hire()
	x := w.executor(worker, build, skew)
	w.say("%s sweeps, inbox %t, build %s, clock %+v", worker.name, inbox, build, skew)
	return w.begin(worker, func() error {
		sweep := x.Sweep
		if inbox {
			sweep = func(ctx context.Context) (int, error) { return x.SweepInbox(ctx, w.inbox.List) }
		}
		_, err := sweep(context.Background())
		return err
	})
}

func (w *world) hire() *worker {
	w.started++
	return &worker{Worker: lockstep.NewWorker(), name: fmt.Sprintf("w%d", w.started)}
}

func (w *world) begin(worker *worker, work func() error) *worker {
	worker.Start(func() { worker.err = work() })
	w.workers = append(w.workers, worker)
	w.noteEnd(worker)
	return worker
}

// records is the ledger, without a guard where the mutant says so.
func (w *world) records() ledger.Store {
	if w.mutant.store != nil {
		return w.mutant.store(w)
	}
	return w.store
}

func (w *world) executor(worker *worker, build string, skew time.Duration) *execution.Executor {
	var policy ledger.Policy
	if w.strict && w.rng.IntN(4) == 0 {
		policy.Approval = ledger.ApproveAlways
	}
	if w.mutant.ranges {
		build = pricing.Build
	}
	x := &execution.Executor{
		Policy: policy,
		Ledger: worker.store(w.records()), Buckets: execution.Buckets{Inbox: worker.bucket(w.inbox), Outbox: worker.bucket(w.behind(w.outbox)), Audit: worker.bucket(w.behind(w.audit))},
		Engine:    engineOf(build),
		Limits:    limits,
		Now:       func() time.Time { return w.now.Add(skew) },
		NewHolder: func() string { w.holders++; return fmt.Sprintf("%s-%d", worker.name, w.holders) },
		Log:       logging.Discard,
	}
	if w.mutant.ranges && (w.script != nil || w.rng.IntN(2) == 0) {
		x.Computer = w.inRanges(worker)
	}
	return x
}

func (w *world) behind(o *objects) bucket.Bucket {
	if w.mutant.bucket != nil {
		return w.mutant.bucket(w, o)
	}
	return o
}

// noteEnd takes note of a worker that has come to its end.
func (w *world) noteEnd(hired *worker) {
	if hired.Running() {
		return
	}
	w.workers = slices.DeleteFunc(w.workers, func(other *worker) bool { return other == hired })
	switch {
	case hired.Lost():
		w.say("%s is lost", hired.name)
	case hired.upload == nil:
		w.say("%s has ended: %v", hired.name, hired.err)
	case hired.err != nil:
		w.say("%s asks for another delivery: %v", hired.name, hired.err)
	default:
		w.say("%s acknowledges", hired.name)
		hired.upload.acked = true
		w.checkAcknowledged(hired.upload)
	}
}

// step lets a worker make its next call as fate has it.
func (w *world) step(worker *worker, f lockstep.Fate) {
	w.steps++
	if w.trace != nil {
		w.say("%s %s%s", worker.name, worker.Next(), f)
	}
	if strings.HasPrefix(worker.Next(), putChanges) {
		w.now = w.now.Add(w.storing)
	}
	worker.Step(f)
	w.noteFetched()
	w.noteEnd(worker)
	w.check()
}
