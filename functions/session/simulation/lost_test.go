package simulation

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/firestore"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/test/lockstep"
)

// TestAServerIsLost loses the server at every round trip of a scenario, before it is
// carried out and right after, over the stores of one machine and of the cloud. A turn and
// its events are one commit: whenever that is, both are there or neither, and the client's
// next try gets the one answer.
func TestAServerIsLost(t *testing.T) {
	lockstep.Long(t)
	lost := slices.DeleteFunc(slices.Clone(Faults), func(f lockstep.Fault) bool { return !f.Fate.Crash })
	for name, open := range map[string]func(t *testing.T) sessions.Store{"SQLite": openFile, "Firestore": openEmulator} {
		for _, s := range Scenarios {
			t.Run(name+", "+s.Name, func(t *testing.T) {
				if name == "Firestore" {
					firestoretest.Project(t) // or there is no emulator, which is said here
				}
				runs, err := lockstep.Singles(lost, func(faults lockstep.Script) (calls int, err error) {
					t.Run(faults[0].String(), func(t *testing.T) { calls, err = RunFaults(Over(open(t)), s, faults, nil) })
					return calls, err
				})
				if err != nil || runs < 2 {
					t.Errorf("lost %d times: %v", runs, err)
				}
			})
		}
	}
}

func openFile(t *testing.T) sessions.Store {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func openEmulator(t *testing.T) sessions.Store {
	store, err := firestore.Open(t.Context(), firestoretest.Project(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}
