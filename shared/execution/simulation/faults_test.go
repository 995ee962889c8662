package simulation

import (
	"slices"
	"testing"
)

// TestFailTheNthCall fails every call that a scenario makes, one after the
// other, in every way.
func TestFailTheNthCall(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			runs := 0
			for _, fault := range Faults {
				for n := 1; ; n++ {
					runs++
					calls, err := RunFaults(s, []At{{n, fault}}, nil)
					if err != nil {
						t.Fatal(err)
					}
					if calls < n {
						break // nothing was left to fail
					}
				}
			}
			t.Logf("%d runs", runs)
		})
	}
}

// TestFailTwoCalls fails ordered pairs of calls, in pairs of ways: the second
// hits what was done about the first. It takes every nth of all pairs, another
// nth for each -seed; -pairs 1 takes them all.
func TestFailTwoCalls(t *testing.T) {
	for _, s := range scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			pair, runs := *seed, 0
			forEachPair(t, s, func(first, second At) {
				if pair++; pair%*pairs != 0 {
					return
				}
				runs++
				if _, err := RunFaults(s, []At{first, second}, nil); err != nil {
					t.Fatal(err)
				}
			})
			t.Logf("%d of %d pairs", runs, pair-*seed)
		})
	}
}

func forEachPair(t *testing.T, s Scenario, do func(first, second At)) {
	for _, fault := range Faults {
		for n := 1; ; n++ {
			first := At{n, fault}
			calls, err := RunFaults(s, []At{first}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if calls < n {
				break
			}
			for m := n + 1; m <= calls; m++ {
				for _, fault := range Faults {
					do(first, At{m, fault})
				}
			}
		}
	}
}

func scenarios() []Scenario {
	return slices.DeleteFunc(slices.Clone(Scenarios), func(s Scenario) bool { return s.Heavy && !withHeavy })
}
