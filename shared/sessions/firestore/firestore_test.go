package firestore_test

import (
	"testing"

	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/session/sessiontestsuite"

	"github.com/planwright/planwright/shared/firestoretest"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/sessions/firestore"
	"github.com/planwright/planwright/shared/sessions/sessionstest"
)

func open(t *testing.T) sessions.Store {
	t.Helper()
	store, err := firestore.Open(t.Context(), firestoretest.Project(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func TestConformance(t *testing.T) { sessionstest.Run(t, open) }

// ADK's own suite of session services.
func TestADKSuite(t *testing.T) {
	sessiontestsuite.RunServiceTests(t, sessiontestsuite.SuiteOptions{SupportsUserProvidedSessionID: true},
		func(t *testing.T) session.Service { return sessions.NewService(open(t), sessions.Options{}) })
}
