package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/session/sessiontestsuite"

	"github.com/planwright/planwright/shared/errs"
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

// The leases of dead processes end at once where it is known that they are dead.
func TestExpireLeases(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	key := sessions.Key{App: "a", User: "u", Session: "s"}
	claim := func() error {
		_, err := store.Claim(t.Context(), key, sessions.Turn{ID: "t", LeaseUntil: time.Now().Add(time.Hour)})
		return err
	}
	if err := claim(); err != nil {
		t.Fatal(err)
	}
	if err := claim(); errs.KindOf(err) != errs.Stale {
		t.Fatalf("claimed twice: %v", err)
	}
	if err := store.ExpireLeases(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := claim(); err != nil {
		t.Errorf("after the leases ended: %v", err)
	}
}

// Sessions that have expired go, with all that is theirs, when others are made.
func TestExpiredSessionsAreSwept(t *testing.T) {
	ctx, store, now := t.Context(), open(t), time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	service := sessions.NewService(store, sessions.Options{TTL: time.Hour, Now: func() time.Time { return now }})
	create := func(id string) {
		t.Helper()
		created, err := service.Create(ctx, &session.CreateRequest{AppName: "a", UserID: "u", SessionID: id})
		if err != nil {
			t.Fatal(err)
		}
		event := session.NewEvent(ctx, "i")
		event.Author = "user"
		if err := service.AppendEvent(ctx, created.Session, event); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() map[string]sessions.Record {
		t.Helper()
		list, err := store.List(ctx, "a", "", sessions.Place{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		records := map[string]sessions.Record{}
		for _, record := range list {
			records[record.Session] = record
		}
		return records
	}
	for i := range 50 {
		create(fmt.Sprint("old", i))
		now = now.Add(time.Second)
	}
	now = now.Add(time.Hour - 30*time.Second) // "old20" expires just now
	before := kept()
	for i, want := range []int{50 + 1 - 20, 50 + 2 - 21, 50 + 3 - 21} {
		create(fmt.Sprint("new", i))
		if got := len(kept()); got != want {
			t.Errorf("after %d new sessions %d are kept, want %d", i+1, got, want)
		}
	}
	after := kept()
	for i := range 50 {
		id := fmt.Sprint("old", i)
		_, there := after[id]
		events, err := store.Events(ctx, before[id].Key, before[id].Epoch, 0, 9)
		if err != nil {
			t.Fatal(err)
		}
		if want := i > 20; there != want || (len(events) == 1) != want {
			t.Errorf("%s: kept %t with %d events, want %t", id, there, len(events), want)
		}
	}
}
