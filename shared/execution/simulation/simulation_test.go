package simulation

import (
	"testing"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/ledgertest"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// How much is simulated where nothing else is asked for: schedules, and every
// how many'th pair of faults. make soak runs the rest.
var flags = lockstep.NewFlags(1_000, 2_000)

// TestSchedules runs the product through its schedules.
func TestSchedules(t *testing.T) {
	total := hold(t, Mutant{}, *flags.Schedules)
	t.Logf("%d schedules: %+v", *flags.Schedules, total)
	if !testing.Short() && !*flags.Replay && *flags.Schedules >= 1000 && (total.Completed == 0 || total.Failed == 0 || total.Skipped == 0) {
		t.Errorf("the schedules do not reach every outcome: %+v", total)
	}
}

// TestWithoutALease proves that nothing rests on the lease.
func TestWithoutALease(t *testing.T) {
	hold(t, Leaseless, max(*flags.Schedules/10, 100))
}

// hold runs n schedules, of which none may break an invariant, or the one that is
// to be told.
func hold(t *testing.T, mutant Mutant, n uint64) Stats {
	t.Helper()
	if *flags.Replay {
		stats, err := Run(mutant, *flags.Seed, t.Logf)
		if err != nil {
			t.Fatal(err)
		}
		return stats
	}
	return lockstep.Hold(t, *flags.Seed, n, func(seed uint64) (Stats, error) { return Run(mutant, seed, nil) }, Stats.plus,
		"go test ./shared/execution/simulation -run "+t.Name()+" -v -replay")
}

// TestEveryGuardIsNeeded removes each guard in turn. The simulation must
// notice, or it would not notice if the guard broke.
func TestEveryGuardIsNeeded(t *testing.T) {
	lockstep.Long(t)
	run := func(mutant Mutant) func(uint64) error {
		return func(seed uint64) error { _, err := Run(mutant, seed, nil); return err }
	}
	for _, mutant := range Mutants {
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			lockstep.Notice(t, mutant.likely, 20_000, run(mutant), run(Mutant{ranges: mutant.ranges}))
		})
	}
}

// TestASeedIsASchedule proves that a schedule can be replayed.
func TestASeedIsASchedule(t *testing.T) {
	tell := func(seed uint64) (lines []string) {
		_, err := Run(Mutant{}, seed, func(format string, args ...any) { lines = append(lines, format) })
		if err != nil {
			t.Fatal(err)
		}
		return lines
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
