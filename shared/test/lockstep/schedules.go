package lockstep

import (
	"flag"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Long skips a test under -short: one worker runs at a time, so that the race
// detector finds little and takes ten times as long.
func Long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one worker runs at a time: a few schedules are enough under -short")
	}
}

// shortPart is how much fewer schedules there are under -short.
const shortPart = 50

// Flags are what a simulation is asked for on the command line of its tests.
type Flags struct {
	Schedules, Seed, Pairs *uint64
	Replay                 *bool
}

// NewFlags registers them, with what is simulated where nothing else is asked for.
func NewFlags(schedules, pairs uint64) Flags {
	return Flags{
		Schedules: flag.Uint64("schedules", schedules, "how many schedules to run"),
		Seed:      flag.Uint64("seed", 0, "the first seed"),
		Pairs:     flag.Uint64("pairs", pairs, "take every nth pair of faults"),
		Replay:    flag.Bool("replay", false, "run the schedule of -seed alone and tell every step"),
	}
}

// broken is panicked by a check, which may be deep in a schedule.
type broken string

// Break ends a schedule: an invariant does not hold, or a promise was not kept.
func Break(format string, args ...any) { panic(broken(fmt.Sprintf(format, args...))) }

// Catch is deferred around a schedule and turns a Break into an error that begins with what.
func Catch(violation *error, what string) {
	switch cause := recover().(type) {
	case nil:
	case broken:
		*violation = fmt.Errorf("%s: %s", what, string(cause))
	default:
		panic(cause)
	}
}

// Hold runs the schedules of n seeds on all processors, of which none may
// break, and adds up what they were made of. A broken one prints how to replay
// it; under -v a long run says how far it has come, and how fast.
func Hold[Stats any](
	t *testing.T,
	first, n uint64,
	run func(seed uint64) (Stats, error),
	add func(Stats, Stats) Stats,
	replay string,
) (total Stats) {
	t.Helper()
	if testing.Short() {
		n = max(n/shortPart, 1)
	}
	var next atomic.Uint64
	var mu sync.Mutex
	var wait sync.WaitGroup
	progress := newProgress(t, n)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for !t.Failed() {
				i := next.Add(1) - 1
				if i >= n {
					return
				}
				stats, err := run(first + i)
				if err != nil {
					t.Errorf("%v\nreplay it with: %s -seed %d", err, replay, first+i)
				}
				mu.Lock()
				total = add(total, stats)
				progress.done(total)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return total
}

// progress tells of a run while it goes on.
type progress struct {
	t           *testing.T
	of, count   uint64
	begun, last time.Time
}

const tellEvery = 30 * time.Second

func newProgress(t *testing.T, of uint64) *progress {
	now := time.Now()
	return &progress{t: t, of: of, begun: now, last: now}
}

// done counts a schedule, with which all those so far were made of total.
func (p *progress) done(total any) {
	p.count++
	if now := time.Now(); now.Sub(p.last) >= tellEvery {
		p.last = now
		p.t.Logf("%d of %d schedules, %.0f a second: %+v",
			p.count, p.of, float64(p.count)/now.Sub(p.begun).Seconds(), total)
	}
}

// Notice runs schedules without a guard until one breaks: the likely one, or else one of
// the first most. Replayed it must break again, and with the guard it must hold.
func Notice(t *testing.T, likely, most uint64, without, with func(seed uint64) error) {
	t.Helper()
	for n := range most + 1 {
		seed := likely
		if n > 0 {
			seed = n - 1
		}
		err := without(seed)
		if err == nil {
			continue
		}
		t.Logf("caught by schedule %d: %v", seed, err)
		if again := without(seed); again == nil || again.Error() != err.Error() {
			t.Errorf("replayed, it ends differently: %v", again)
		}
		if err := with(seed); err != nil {
			t.Errorf("with the guard it fails too: %v", err)
		}
		return
	}
	t.Errorf("schedule %d and the first %d without this guard, and nothing was noticed", likely, most)
}
