package sessionstest

import (
	"context"
	"testing"
	"time"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
)

// A name may have one session after the other. What belongs to one of them is
// never taken for another's.

func revisionOfTheDead(t *testing.T, s sessions.Store) {
	must(t, s.Commit(t.Context(), change(key)))
	old := load(t, s, key, "").Session
	must(t, s.Delete(t.Context(), key))
	next := change(key)
	next.Session.Epoch, next.Turn, next.Events, next.App, next.User = "EPOCH2", nil, nil, nil, nil
	must(t, s.Commit(t.Context(), next))
	late := change(key)
	late.Session.Revision, late.Turn, late.App, late.User = old.Revision, nil, nil, nil
	late.Events = []sessions.Event{{Seq: 2, JSON: `{}`}}
	wantKind(t, s.Commit(t.Context(), late), errs.Stale)
	if found := load(t, s, key, "").Session; found.Epoch != "EPOCH2" {
		t.Errorf("the session that was deleted is back: %+v", found)
	}
}

func answerOfTheNext(t *testing.T, s sessions.Store) {
	now := noon
	v := sessions.NewService(s, sessions.Options{TTL: time.Hour, Now: func() time.Time { return now }})
	create(t, v, nil)
	other := begin(t, v, "m0", "x")
	work(t, v, other, "another", nil)
	must(t, other.Commit(t.Context()))
	late := begin(t, v, "m1", "x")
	work(t, v, late, "late", nil)

	now = now.Add(2 * time.Hour) // the session expires, and is made again
	create(t, v, nil)
	quick := begin(t, v, "m1", "x")
	work(t, v, quick, "quick", nil)
	must(t, quick.Commit(t.Context()))

	must(t, late.Commit(t.Context())) // the same message was answered
	list, err := late.Events(t.Context())
	must(t, err)
	if len(list) != 2 || list[1].ID != "Agent to quick" {
		t.Errorf("answered with %v", list)
	}
}

// deleting is a store in which a session goes just before its events are read.
type deleting struct{ sessions.Store }

func (d deleting) Events(ctx context.Context, k sessions.Key, epoch string, from, to int64) ([]sessions.Event, error) {
	if err := d.Delete(ctx, k); err != nil {
		return nil, err
	}
	return d.Store.Events(ctx, k, epoch, from, to)
}

func shownWhileDeleted(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, map[string]any{"n": 1.0})
	turn := begin(t, v, "m1", "x")
	work(t, v, turn, "1", nil)
	must(t, turn.Commit(t.Context()))
	_, err := service(deleting{s}).Get(t.Context(), &adk.GetRequest{AppName: key.App, UserID: key.User, SessionID: key.Session})
	wantKind(t, err, errs.NotFound)
}
