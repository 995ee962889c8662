package simulation

import (
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/test/lockstep"
)

// heavySample is how many fewer kinds of faults and how many fewer pairs are
// taken of a heavy scenario, which has many more of them.
const heavySample = 8

// TestFailCalls fails every call that a scenario makes, in every way, and ordered
// pairs of calls, in pairs of ways. It takes every nth of all pairs, another nth
// for each -seed; -pairs 1 takes them all, and every kind in heavy scenarios too.
func TestFailCalls(t *testing.T) {
	lockstep.Long(t)
	for _, s := range slices.Concat(Scenarios, Lives) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			kinds, every := Faults, *flags.Pairs
			if s.Heavy && every > 1 {
				kinds, every = kindsOf(*flags.Seed), every*heavySample
			}
			singles, runs, all, err := lockstep.Pairs(kinds, scripted(s), every, *flags.Seed)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d faults, %d of %d pairs", singles, runs, all)
		})
	}
}

// kindsOf is a sample of the kinds of faults, another for the next seed.
func kindsOf(seed uint64) (kinds []lockstep.Fault) {
	for i := int(seed % heavySample); i < len(Faults); i += heavySample {
		kinds = append(kinds, Faults[i])
	}
	return kinds
}

func scripted(s Scenario) lockstep.Scripted {
	return func(faults lockstep.Script) (int, error) { return RunFaults(Mutant{}, s, faults, nil) }
}

// TestEveryGuardOfTheRecordingIsNeeded removes each guard in turn and fails
// every call in every way: one of them must show that the guard is gone.
func TestEveryGuardOfTheRecordingIsNeeded(t *testing.T) {
	lockstep.Long(t)
	kinds := slices.Clone(Faults)
	slices.Reverse(kinds) // the last kinds show it soonest
	for _, mutant := range RecordingMutants {
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			_, violation := lockstep.Singles(kinds, func(faults lockstep.Script) (int, error) {
				return RunFaults(mutant, Interrupted, faults, nil)
			})
			if violation == nil {
				t.Error("nothing shows that the guard is gone")
			}
			t.Log(violation)
		})
	}
}
