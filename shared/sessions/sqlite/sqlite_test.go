package sqlite_test

import (
	"path/filepath"
	"testing"

	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/session/sessiontestsuite"

	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/sessionstest"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func open(t *testing.T) sessions.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// ADK's own suite of session services.
func TestADKSuite(t *testing.T) {
	sessiontestsuite.RunServiceTests(t, sessiontestsuite.SuiteOptions{SupportsUserProvidedSessionID: true},
		func(t *testing.T) session.Service { return sessions.NewService(open(t), sessions.Options{}) })
}

func TestConformance(t *testing.T) { sessionstest.Run(t, open) }
