package simulation

import (
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/lockstep"
)

// TestFailTheNthCall fails every call that a scenario makes, one after the
// other, in every way.
func TestFailTheNthCall(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			runs, err := lockstep.Singles(Faults, scripted(s))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d runs", runs)
		})
	}
}

// heavySample is how many fewer pairs are taken of a heavy scenario, which has
// many more of them.
const heavySample = 10

// TestFailTwoCalls fails ordered pairs of calls, in pairs of ways. It takes
// every nth of all pairs, another nth for each -seed; -pairs 1 takes them all.
func TestFailTwoCalls(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			every := *flags.Pairs
			if s.Heavy && every > 1 {
				every *= heavySample
			}
			runs, all, err := lockstep.Pairs(Faults, scripted(s), every, *flags.Seed)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d of %d pairs", runs, all)
		})
	}
}

func scripted(s Scenario) lockstep.Scripted {
	return func(faults lockstep.Script) (int, error) { return RunFaults(Mutant{}, s, faults, nil) }
}

func scenarios() []Scenario {
	return slices.DeleteFunc(slices.Clone(Scenarios), func(s Scenario) bool { return s.Heavy && !withHeavy })
}

// TestEveryGuardOfTheRecordingIsNeeded removes each guard in turn and fails
// every call in every way: one of them must show that the guard is gone.
func TestEveryGuardOfTheRecordingIsNeeded(t *testing.T) {
	if !withHeavy {
		t.Skip("too slow under the race detector")
	}
	for _, mutant := range RecordingMutants {
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			_, violation := lockstep.Singles(Faults, func(faults lockstep.Script) (int, error) {
				return RunFaults(mutant, Interrupted, faults, nil)
			})
			if violation == nil {
				t.Error("nothing shows that the guard is gone")
			}
			t.Log(violation)
		})
	}
}
