package simulation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/sessionstest"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// How much is simulated where nothing else is asked for: schedules, and every
// how many'th pair of faults. make soak runs the rest.
var flags = lockstep.NewFlags(300, 400)

// TestSchedules runs the product through its schedules.
func TestSchedules(t *testing.T) {
	run := func(seed uint64, trace func(string, ...any)) (Stats, error) {
		return Run(Memory(), Mutant{}, seed, trace)
	}
	if *flags.Replay {
		if _, err := run(*flags.Seed, t.Logf); err != nil {
			t.Fatal(err)
		}
		return
	}
	total := hold(t, *flags.Schedules, run, "TestSchedules")
	if !testing.Short() && *flags.Schedules >= 200 && slices.Contains([]int{total.Turns, total.Lost, total.Conflicts, total.Missing, total.Failed}, 0) {
		t.Errorf("the schedules do not reach every answer: %+v", total)
	}
}

// TestSchedulesOverSQLite runs some of them over the store of one machine.
func TestSchedulesOverSQLite(t *testing.T) {
	folder := t.TempDir()
	run := func(seed uint64, trace func(string, ...any)) (Stats, error) {
		return runOverSQLite(t, folder, seed, trace)
	}
	if *flags.Replay {
		if _, err := run(*flags.Seed, t.Logf); err != nil {
			t.Fatal(err)
		}
		return
	}
	hold(t, *flags.Schedules/10, run, "TestSchedulesOverSQLite")
}

// runOverSQLite runs a schedule over a file of its own: a file removes what has
// expired by the clock of its writer, and each schedule has a clock.
func runOverSQLite(t *testing.T, folder string, seed uint64, trace func(string, ...any)) (stats Stats, err error) {
	path := filepath.Join(folder, fmt.Sprint(seed))
	if err := os.Mkdir(path, 0o700); err != nil {
		return stats, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(path)) }()
	store, err := sqlite.Open(t.Context(), filepath.Join(path, "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		return stats, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return Run(Over(store), Mutant{}, seed, trace)
}

// hold runs n schedules, of which none may break an invariant.
func hold(t *testing.T, n uint64, run func(seed uint64, trace func(string, ...any)) (Stats, error), name string) Stats {
	t.Helper()
	total := lockstep.Hold(t, *flags.Seed, n, func(seed uint64) (Stats, error) { return run(seed, nil) },
		Stats.Plus, "go test ./functions/session/simulation -v -replay -run "+name)
	t.Logf("%d schedules: %+v", n, total)
	return total
}

// TestEveryGuardIsNeeded removes each guard in turn. The simulation must
// notice, or it would not notice if the guard broke.
func TestEveryGuardIsNeeded(t *testing.T) {
	lockstep.Long(t)
	run := func(mutant Mutant) func(uint64) error {
		return func(seed uint64) error { _, err := Run(Memory(), mutant, seed, nil); return err }
	}
	for _, mutant := range Mutants {
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			lockstep.Notice(t, 0, 2_000, run(mutant), run(Mutant{}))
		})
	}
}

// TestASeedIsASchedule proves that a schedule can be replayed.
func TestASeedIsASchedule(t *testing.T) {
	tell := func(seed uint64) (lines []string) {
		_, err := Run(Memory(), Mutant{}, seed, func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) })
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	for seed := range uint64(20) {
		if first, again := tell(seed), tell(seed); !slices.Equal(first, again) {
			t.Fatalf("seed %d makes two schedules, of %d and %d steps", seed, len(first), len(again))
		}
	}
}

// TestFailCalls fails every round trip of a scenario, in every way, and ordered
// pairs of round trips, in pairs of ways. It takes every nth of all pairs,
// another nth for each -seed; -pairs 1 takes them all.
func TestFailCalls(t *testing.T) {
	lockstep.Long(t)
	for _, s := range Scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			singles, runs, all, err := lockstep.Pairs(Faults, scripted(s), *flags.Pairs, *flags.Seed)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d faults, %d of %d pairs", singles, runs, all)
		})
	}
}

func scripted(s Scenario) lockstep.Scripted {
	return func(faults lockstep.Script) (int, error) { return RunFaults(Memory(), s, faults, nil) }
}

func TestStoreKeepsThePromisesOfThePort(t *testing.T) {
	sessionstest.Run(t, func(*testing.T) sessions.Store { return newStore() })
}
