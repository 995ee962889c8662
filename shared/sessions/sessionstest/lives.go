package sessionstest

import (
	"context"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/expect"
)

// A name may have one session after the other. What belongs to one of them is
// never taken for another's.

func revisionOfTheDead(t *testing.T, s sessions.Store) {
	expect.NoError(t, s.Commit(t.Context(), change(key)))
	old := load(t, s, key, "").Session
	expect.NoError(t, s.Delete(t.Context(), key))
	next := change(key)
	next.Session.Epoch, next.Turn, next.Events, next.App, next.User = "EPOCH2", nil, nil, nil, nil
	expect.NoError(t, s.Commit(t.Context(), next))
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
	converse(t, v, "m0", "x", "another", nil)
	late := begin(t, v, "m1", "x")
	work(t, v, late, "late", nil)

	now = now.Add(2 * time.Hour) // the session expires, and is made again
	create(t, v, nil)
	converse(t, v, "m1", "x", "quick", nil)

	expect.NoError(t, late.Commit(t.Context())) // the same message was answered
	list := expect.Result(late.Events(t.Context()))(t)
	expect.ErrorIf(t, len(list) != 2 || list[1].ID != "Agent to quick", "answered with %v", list)
}

// deleting is a store in which a session goes just before its events are read.
type deleting struct{ sessions.Store }

func (d deleting) Events(
	ctx context.Context,
	k sessions.Key,
	epoch string,
	from, to int64,
) ([]sessions.Event, error) {
	if err := d.Delete(ctx, k); err != nil {
		return nil, err
	}
	return d.Store.Events(ctx, k, epoch, from, to)
}

func shownWhileDeleted(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, map[string]any{"n": 1.0})
	converse(t, v, "m1", "x", "1", nil)
	wantKind(t, expect.ErrorOf(service(deleting{s}).Get(t.Context(), getOf(key))), errs.NotFound)
}
