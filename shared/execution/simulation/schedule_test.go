package simulation

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// Stats counts what schedules were made of.
type Stats struct {
	Steps, Deliveries, Completed, Failed, Skipped int
}

// Run runs the schedule of a seed. With a trace it tells every step.
func Run(mutant Mutant, seed uint64, trace func(format string, args ...any)) (stats Stats, violation error) {
	w := newWorld(mutant, seed)
	w.trace = trace
	defer lockstep.Catch(&violation, fmt.Sprintf("seed %d", seed))
	defer w.loseAll()
	w.setUp()
	for range 40 + w.rng.IntN(160) {
		w.event()
	}
	w.finish()
	return w.stats(), nil
}

// fail ends the schedule.
func (w *world) fail(format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	w.say("BROKEN: %s", what)
	lockstep.Break("%s", what)
}

// setUp decides what the world is like: how many workers, how much goes
// wrong, and which uploads will arrive.
func (w *world) setUp() {
	w.maxWork = 2 + w.rng.IntN(4)
	w.faults = []float64{0, 0.02, 0.1, 0.25}[w.rng.IntN(4)]
	w.crashes = []float64{0, 0.01, 0.05}[w.rng.IntN(3)]
	w.deadline, w.strict = w.rng.IntN(2) == 0, w.rng.IntN(6) == 0
	if w.rng.IntN(2) == 0 {
		w.maxSkew = 5 * time.Minute
	}
	if w.people.IntN(2) == 0 {
		w.decisions.Approvers = []string{"ann"}
	}
	if w.rng.IntN(3) == 0 {
		w.builds = []string{"1", "2"}
	}
	if w.rng.IntN(2) == 0 {
		w.storing = []time.Duration{time.Second, time.Minute, 5 * time.Minute}[w.rng.IntN(3)]
	}
	for i := range 1 + w.rng.IntN(2) {
		id := fmt.Sprintf("plan_simulated_v%d", i+1)
		first := newPlan(id, "10")
		w.setTerms(first)
		w.arrive(id, "plan.json", string(first.Canonical()))
		if w.rng.IntN(8) == 0 {
			w.arrive(id, "plan.json", string(newPlan(id, "20").Canonical()))
		}
		for range 1 + w.rng.IntN(3) {
			w.arrive(id, []string{"p.csv", "p.csv", "q.csv"}[w.rng.IntN(3)], w.content())
		}
	}
	w.rng.Shuffle(len(w.pending), func(i, j int) { w.pending[i], w.pending[j] = w.pending[j], w.pending[i] })
}

// setTerms has one plan in three wait for an approval, and some for their time
// or for their undoing.
func (w *world) setTerms(p *plan.Plan) {
	if w.rng.IntN(3) == 0 {
		p.Approval = plan.ApprovalAlways
	}
	if w.rng.IntN(4) == 0 {
		p.ApplyAt = w.now.Add(time.Duration(w.rng.IntN(120)) * time.Minute).Format(time.RFC3339)
	}
	if w.rng.IntN(4) == 0 {
		p.RevertAt = w.now.Add(time.Duration(121+w.rng.IntN(60)) * time.Minute).Format(time.RFC3339)
	}
}

func (w *world) arrive(id, file, content string) {
	d := &delivery{id: id}
	d.event.Object, d.event.Bucket = file, content // until it is uploaded
	w.pending = append(w.pending, d)
}

// metadata is that of an upload: one in ten is only to be proposed, and one in three was
// fetched from a shop.
func (w *world) metadata() map[string]string {
	metadata := map[string]string{}
	if w.rng.IntN(10) == 0 {
		metadata[execution.IntentKey] = execution.IntentPropose
	}
	if w.people.IntN(3) == 0 {
		metadata[execution.ShopURLKey], metadata[execution.ShopCurrencyKey] = "https://shop.example", "EUR"
	}
	return metadata
}

func (w *world) content() string {
	switch n := w.rng.IntN(192); { // those with many rows take much longer
	case n < 48:
		return "bad"
	case n == 48:
		return "good 501 more than ride in one commit"
	case n == 49 && w.rng.IntN(3) == 0:
		return "good 1001 more than one delivery may have the time for"
	default:
		return fmt.Sprintf("good %d %d", w.rng.IntN(4), w.rng.IntN(10))
	}
}

// event is one step in which anything may happen.
func (w *world) event() {
	if w.shopping.IntN(25) == 0 && len(w.workers) < w.maxWork {
		w.fetchDue()
		return
	}
	switch n := w.rng.IntN(100); {
	case w.mutant.ranges && n == 99:
		w.dropParts()
	case n < 6 && len(w.pending) > 0 || len(w.uploads) == 0:
		next := w.pending[0]
		w.pending = w.pending[1:]
		w.upload(next.id, next.event.Object, next.event.Bucket, w.metadata())
	case n == 6 && w.rng.IntN(4) == 0:
		w.dropAgain()
	case n < 16 && len(w.workers) < w.maxWork || len(w.workers) == 0:
		w.deliverAny()
	case n < 22:
		w.pass()
		if w.people.IntN(3) == 0 && len(w.workers) < w.maxWork {
			w.tell()
		}
	case n < 25 && len(w.workers) < w.maxWork:
		w.sweep(w.rng.IntN(4) == 0, w.builds[w.rng.IntN(len(w.builds))], 0)
	case n < 29:
		w.anybody()
	default:
		one := w.workers[w.rng.IntN(len(w.workers))]
		w.step(one, w.fate())
	}
}

// dropAgain has somebody drop a table once more as it is, as a folder does that
// was put back where drops are not known: a new upload of the same bytes.
func (w *world) dropAgain() {
	d := w.uploads[w.rng.IntN(len(w.uploads))]
	if again, found := w.inbox.live(d.event.Object); found && !isPlanFile(d) && len(w.uploads) < 12 {
		w.upload(d.id, path.Base(d.event.Object), string(again.data), nil)
	}
}

// deliverAny delivers an upload, rather one that has not been acknowledged.
func (w *world) deliverAny() {
	d := w.uploads[w.rng.IntN(len(w.uploads))]
	if d.acked && w.rng.IntN(4) > 0 {
		return
	}
	var skew time.Duration
	if w.maxSkew > 0 {
		skew = time.Duration(w.rng.Int64N(int64(2*w.maxSkew))) - w.maxSkew
	}
	var deadline time.Time
	if w.deadline {
		deadline = w.now.Add(9 * time.Minute)
	}
	w.deliver(d, w.builds[w.rng.IntN(len(w.builds))], skew, deadline)
}

// pass lets time go by: mostly little, at times more than a lease.
func (w *world) pass() {
	by := []time.Duration{time.Second, time.Second, 10 * time.Second, time.Minute, 3 * time.Minute, 16 * time.Minute, time.Hour}
	w.now = w.now.Add(by[w.rng.IntN(len(by))])
	w.say("time passes")
}

// faultsOf are the ways in which a call may fail without the worker being
// lost. Those of reading break the bytes off.
var faultsOf = []lockstep.Fate{
	{Err: errs.New(errs.Unavailable, "unavailable")},
	{Err: errs.New(errs.Deadline, "timed out")},
	{Err: errs.New(errs.Denied, "denied")},
	{Err: errs.New(errs.Internal, "something unexpected")},
	{Err: errs.New(errs.Exhausted, "contention")},
	{Err: io.ErrUnexpectedEOF},
	{Effect: true, Spoil: true},
	{Err: errs.New(errs.Deadline, "the reply was lost"), Effect: true},
	{Err: errs.New(errs.Unavailable, "the reply was lost"), Effect: true},
}

func (w *world) fate() lockstep.Fate { return lockstep.Draw(w.rng, w.crashes, w.faults, faultsOf) }

// finish ends all faults: what is under way goes on or is lost, every
// upload arrives, and each event that was not acknowledged is delivered until
// it is. From every state the protocol must get there.
func (w *world) finish() {
	w.say("the faults end")
	for _, next := range w.pending {
		w.upload(next.id, next.event.Object, next.event.Bucket, nil)
	}
	w.pending = nil
	if w.rng.IntN(2) == 0 {
		w.loseAll()
	}
	for len(w.workers) > 0 {
		w.step(w.workers[w.rng.IntN(len(w.workers))], lockstep.CarriedOut)
	}
	if w.rng.IntN(2) == 0 {
		w.events()
	}
	w.sweepAll()
	if w.undoUndos() {
		w.sweepAll()
	}
}

// undoUndos has somebody undo every undo that there is, and reports whether there is one.
func (w *world) undoUndos() (found bool) {
	for _, id := range slices.Sorted(maps.Keys(w.store.records)) {
		record, undoID := w.store.records[id], "plan_undoes_"+id
		if record.Status != ledger.Completed || w.past.plans[id].Undo == nil || record.UndoneBy != "" || !plan.ValidExecutionID(undoID) {
			continue
		}
		found = true
		w.finishing(w.undo(id, undoID, true))
	}
	return found
}

// sweepAll leaves the rest to sweeps: every upload gets its outcome though no
// event comes any more, and every notice is written.
func (w *world) sweepAll() {
	for round := 0; !w.quiet(); round++ {
		if round == 80 {
			w.fail("after %d sweeps not everything has its outcome", round)
		}
		w.now = w.now.Add(11 * time.Minute)
		for _, id := range slices.Sorted(maps.Keys(w.store.records)) {
			if round < 15 && w.rng.IntN(3) == 0 { // then nobody decides any more
				w.finishing(w.decide(id))
			}
		}
		if round == 30 { // what nobody decides about expires
			w.now = w.now.Add(31 * 24 * time.Hour)
		}
		w.finishing(w.sweep(round%2 == 0, w.builds[round/20%len(w.builds)], 0)) // a build stays a while
		w.finishing(w.fetchDue())
	}
	w.checkNotices()
	w.tellAll()
}

// checkNotices: who dropped a table that was not applied has been told.
func (w *world) checkNotices() {
	for _, outcomes := range w.store.outcomes {
		for _, d := range outcomes {
			name := fmt.Sprintf("%s/%s.%s-%d.txt", d.ExecutionID, d.Upload.Object[strings.LastIndexByte(d.Upload.Object, '/')+1:], d.Status, d.Upload.Generation)
			if _, noticed := w.outbox.live(name); d.Status != ledger.Completed && !noticed {
				w.fail("there is no notice %s", name)
			}
		}
	}
}

// quiet reports whether every upload has its outcome, every undo that was asked
// for was delivered, and nothing is due ever.
func (w *world) quiet() bool {
	if w.unaccounted() {
		return false
	}
	for _, record := range w.store.records {
		if !record.DueAt.IsZero() || len(record.UndoDue) > 0 || len(record.Unwritten()) > 0 {
			return false
		}
	}
	return true
}

// unaccounted reports whether an upload has no outcome.
func (w *world) unaccounted() bool {
	return slices.ContainsFunc(w.uploads, func(d *delivery) bool {
		_, ended := w.store.outcomes[d.id][d.upload]
		return !ended && !isPlanFile(d)
	})
}

func isPlanFile(d *delivery) bool { return strings.HasSuffix(d.event.Object, "/plan.json") }

// events delivers each event that was not acknowledged until it is.
func (w *world) events() {
	for round := 0; w.unacknowledged() != nil; round++ {
		if round == 10*len(w.uploads) {
			w.fail("%s %d was delivered %d times without fault and has no outcome", w.unacknowledged().event.Object, w.unacknowledged().event.Generation, round)
		}
		w.now = w.now.Add(11 * time.Minute)
		d := w.unacknowledged()
		w.finishing(w.deliver(d, w.sealedBuild(d.id), 0, time.Time{}))
		if !d.acked { // after the others
			w.uploads = append(w.uploads[1:], w.uploads[0])
		}
	}
}

func (w *world) unacknowledged() *delivery {
	for _, d := range w.uploads {
		if !d.acked {
			return d
		}
	}
	return nil
}

func (w *world) sealedBuild(id string) string {
	if e, exists := w.store.records[id]; exists && e.Seal != nil {
		return e.Seal.EngineBuild
	}
	return "1"
}

// loseAll ends every worker where it stands.
func (w *world) loseAll() {
	for _, one := range w.workers {
		one.Lose()
	}
	w.workers = nil
}

func (w *world) stats() Stats {
	s := Stats{Steps: w.steps, Deliveries: w.started}
	for _, outcomes := range w.store.outcomes {
		for _, d := range outcomes {
			switch d.Status {
			case "completed":
				s.Completed++
			case "failed":
				s.Failed++
			case "skipped":
				s.Skipped++
			}
		}
	}
	return s
}

func (s Stats) plus(t Stats) Stats {
	return Stats{
		Steps: s.Steps + t.Steps, Deliveries: s.Deliveries + t.Deliveries,
		Completed: s.Completed + t.Completed, Failed: s.Failed + t.Failed, Skipped: s.Skipped + t.Skipped,
	}
}
