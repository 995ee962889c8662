package sessionstest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	adk "google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/expect"
)

func scopes(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, map[string]any{"app:a": "A", "user:u": "U", "s": "S", "temp:t": "T"})
	turn := begin(t, v, "m1", "x")
	work(t, v, turn, "1", map[string]any{"app:b": "B", "user:v": "V", "s2": "S2", "temp:t2": "T2"})
	expect.ErrorIf(
		t,
		value(t, mustGet(t, v, turn), "temp:t2") != "T2",
		"temp: state is not there during the turn",
	)
	expect.NoError(t, turn.Commit(t.Context()))
	expect.NoError(
		t,
		expect.ErrorOf(
			v.Create(t.Context(), &adk.CreateRequest{AppName: key.App, UserID: key.User, SessionID: "s_2"}),
		),
	)
	expect.NoError(
		t,
		expect.ErrorOf(
			v.Create(t.Context(), &adk.CreateRequest{AppName: key.App, UserID: "u_2", SessionID: "s_1"}),
		),
	)
	for _, tt := range []struct {
		k    sessions.Key
		want map[string]any
	}{
		{key, map[string]any{"app:a": "A", "app:b": "B", "user:u": "U", "user:v": "V", "s": "S", "s2": "S2"}},
		{
			sessions.Key{App: key.App, User: key.User, Session: "s_2"},
			map[string]any{"app:a": "A", "app:b": "B", "user:u": "U", "user:v": "V"},
		},
		{sessions.Key{App: key.App, User: "u_2", Session: "s_1"}, map[string]any{"app:a": "A", "app:b": "B"}},
	} {
		got := expect.Result(v.Get(t.Context(), getOf(tt.k)))(t)
		state := map[string]any{}
		for name, v := range got.Session.State().All() {
			state[name] = v
		}
		expect.Equal(t, fmt.Sprintf("state of %v", tt.k), tt.want, state)
	}
	if delta := get(t, v).Events().At(1).Actions.StateDelta; delta["temp:t2"] != nil ||
		delta["app:b"] != "B" {
		t.Errorf("the stored delta is %v", delta)
	}
}

func mustGet(t *testing.T, v *sessions.Service, turn *sessions.OpenTurn) adk.Session {
	t.Helper()
	return expect.Result(v.Get(turn.Context(t.Context()), getOf(key)))(t).Session
}

// raceScopes has two sessions of one user change the user's state at once: one of
// them hears that it was too slow, and no change is lost in silence.
func raceScopes(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, map[string]any{"user:n": 0.0})
	other := sessions.Key{App: key.App, User: key.User, Session: "s_2"}
	expect.NoError(t, expect.ErrorOf(v.Create(t.Context(), createOf(other, nil))))
	mine := begin(t, v, "m1", "x")
	theirs := expect.Result(
		v.Begin(t.Context(), sessions.TurnRequest{Key: other, MessageID: "m1", Content: []byte("x")}),
	)(t)
	work(t, v, mine, "1", map[string]any{"user:n": 1.0})
	ctx := theirs.Context(t.Context())
	got := expect.Result(v.Get(ctx, getOf(other)))(t)
	e := event("Agent", "2")
	e.Actions.StateDelta = map[string]any{"user:n": 2.0}
	expect.NoError(t, v.AppendEvent(ctx, got.Session, e))
	expect.NoError(t, mine.Commit(t.Context()))
	wantKind(t, theirs.Commit(t.Context()), errs.Stale)
	if n := value(t, get(t, v), "user:n"); n != 1.0 {
		t.Errorf("user:n is %v", n)
	}
}

func longHistory(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	const turns = 30
	for i := range turns {
		converse(t, v, "", fmt.Sprint(i), fmt.Sprint(i), nil)
	}
	turn := begin(t, v, "", "last")
	seen := mustGet(t, v, turn).Events()
	if seen.Len() != 40 || seen.At(0).ID != "user 10" || seen.At(39).ID != "Agent to 29" {
		t.Errorf("a turn sees %d events from %s on", seen.Len(), seen.At(0).ID)
	}
	all := get(t, v).Events()
	expect.ErrorIf(t, all.Len() != 2*turns || all.At(0).ID != "user 0", "GET sees %d events", all.Len())
	few := expect.Result(v.Get(t.Context(),
		&adk.GetRequest{AppName: key.App, UserID: key.User, SessionID: key.Session, NumRecentEvents: 3}))(t)
	if got := eventIDs(few.Session); got != "Agent to 28, user 29, Agent to 29" {
		t.Errorf("the newest three: %s", got)
	}

	big := begin(t, v, "", "big")
	ctx := big.Context(t.Context())
	for range 3 {
		long := event("Agent", strings.Repeat("x", 60<<10)) // twice, in its id too
		expect.NoError(t, v.AppendEvent(ctx, mustGet(t, v, big), long))
	}
	expect.NoError(t, big.Commit(t.Context()))
	if n := mustGet(t, v, begin(t, v, "", "after")).Events().Len(); n != 2 {
		t.Errorf("%d events of 120 KiB are within 256 KiB", n)
	}
}

func recalls(t *testing.T, s sessions.Store) {
	agents := func(e *adk.Event) *adk.Event {
		if e.Author == "user" {
			return nil
		}
		return &adk.Event{Author: e.Author, ID: "of " + e.ID}
	}
	v := sessions.NewService(
		s,
		sessions.Options{Histories: map[string]sessions.History{key.App: {Keep: agents, MaxEvents: 3}}},
	)
	create(t, v, nil)
	for i := range 5 {
		converse(t, v, "", fmt.Sprint(i), fmt.Sprint(i), nil)
	}
	if got := eventIDs(mustGet(t, v,
		begin(t, v, "", "last"))); got != "of Agent to 2, of Agent to 3, of Agent to 4" {
		t.Errorf("a turn sees %s", got)
	}
	if all := get(t, v).Events(); all.Len() != 10 || all.At(0).ID != "user 0" {
		t.Errorf("GET sees %d events", all.Len())
	}
}

func tooLarge(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	before := load(t, s, key, "")
	long := strings.Repeat("x", 910<<10)
	for name, fill := range map[string]func(*sessions.OpenTurn){
		"state": func(turn *sessions.OpenTurn) {
			work(t, v, turn, "1", map[string]any{"a": long[:400<<10]})
			work(t, v, turn, "2", map[string]any{"b": long[:400<<10]})
		},
		"event": func(turn *sessions.OpenTurn) {
			expect.NoError(
				t, v.AppendEvent(turn.Context(t.Context()), mustGet(t, v, turn), event("Agent", long)),
			)
		},
		"turn": func(turn *sessions.OpenTurn) {
			for range 4 {
				expect.NoError(t, v.AppendEvent(turn.Context(t.Context()), mustGet(t, v, turn), event(
					"Agent", long[:890<<10],
				)))
			}
		},
	} {
		turn := begin(t, v, "m "+name, "x")
		fill(turn)
		var large *sessions.TooLarge
		if err := turn.Commit(t.Context()); !errors.As(err, &large) || errs.KindOf(err) != errs.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	expect.Equal(t, "something was written", before, load(t, s, key, ""))
	// What is just within the limits is stored.
	converse(t, v, "m1", "x", "1", map[string]any{"a": long[:690<<10]})
}
