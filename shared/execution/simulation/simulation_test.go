package simulation

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/ledgertest"
)

var (
	schedules = flag.Uint64("schedules", defaultSchedules, "how many schedules to run")
	seed      = flag.Uint64("seed", 0, "the first seed")
	pairs     = flag.Uint64("pairs", defaultPairs, "take every nth pair of faults")
	replay    = flag.Bool("replay", false, "run the schedule of -seed alone and tell every step")
)

// TestSchedules runs the product through its schedules.
func TestSchedules(t *testing.T) {
	if *replay {
		if _, err := Run(Mutant{}, *seed, t.Logf); err != nil {
			t.Fatal(err)
		}
		return
	}
	total := hold(t, Mutant{}, *schedules)
	t.Logf("%d schedules: %+v", *schedules, total)
	if *schedules >= 1000 && (total.Completed == 0 || total.Failed == 0 || total.Skipped == 0) {
		t.Errorf("the schedules do not reach every outcome: %+v", total)
	}
}

// TestWithoutALease proves that nothing rests on the lease.
func TestWithoutALease(t *testing.T) {
	hold(t, Leaseless, max(*schedules/10, 100))
}

// hold runs n schedules, of which none may break an invariant.
func hold(t *testing.T, mutant Mutant, n uint64) (total Stats) {
	t.Helper()
	var next atomic.Uint64
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for !t.Failed() {
				i := next.Add(1) - 1
				if i >= n {
					return
				}
				stats, err := Run(mutant, *seed+i, nil)
				if err != nil {
					t.Errorf("%v\nreplay it with: go test ./shared/execution/simulation -run TestSchedules -v -replay -seed %d", err, *seed+i)
				}
				mu.Lock()
				total = total.plus(stats)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return total
}

// TestEveryGuardIsNeeded removes each guard in turn. The simulation must
// notice, or it would not notice if the guard broke.
func TestEveryGuardIsNeeded(t *testing.T) {
	for _, mutant := range Mutants {
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			for i := range uint64(20_000) {
				if _, err := Run(mutant, i, nil); err != nil {
					t.Logf("caught by schedule %d: %v", i, err)
					if _, err := Run(Mutant{}, i, nil); err != nil {
						t.Errorf("with the guard it fails too: %v", err)
					}
					return
				}
			}
			t.Error("20,000 schedules without this guard and nothing was noticed")
		})
	}
}

// TestASeedIsASchedule proves that a schedule can be replayed.
func TestASeedIsASchedule(t *testing.T) {
	tell := func(seed uint64) (told []string) {
		_, err := Run(Mutant{}, seed, func(format string, args ...any) { told = append(told, format) })
		if err != nil {
			t.Fatal(err)
		}
		return told
	}
	for i := range uint64(50) {
		first, again := tell(i), tell(i)
		if len(first) != len(again) {
			t.Fatalf("seed %d makes schedules of %d and %d steps", i, len(first), len(again))
		}
	}
}

func TestStoreKeepsThePromisesOfTheLedger(t *testing.T) {
	ledgertest.RunProtocol(t, func(*testing.T) ledger.Store { return newStore() })
}
