// Package sessionstest is the suite that every sessions.Store passes: what the
// port's comments promise, and the promises of a turn carried out on the store
// by sessions.Service. Time is given, nothing sleeps.
package sessionstest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/expect"
)

// Run runs the suite. open returns an empty store that is closed by the test's cleanup.
func Run(t *testing.T, open func(t *testing.T) sessions.Store) {
	tests := []struct {
		name string
		run  func(*testing.T, sessions.Store)
	}{
		{"what is not there has no revision", missing},
		{"what was committed is read", roundTrip},
		{"ids are kept apart", ids},
		{"a part at another revision refuses all", stale},
		{"what exists is not created", created},
		{"events by number, epoch by epoch", events},
		{"the newest sessions first", list},
		{"pages of sessions", pages},
		{"delete", remove},
		{"of racing commits one wins", race},
		{"a revision does not come back", revisionOfTheDead},

		{"one session is created once", createOnce},
		{"of racing turns one is stored", raceTurns},
		{"of racing runs one is stored", raceRuns},
		{"a run that fails leaves nothing", brokenRun},
		{"a runner of another app or service is refused", foreignRunner},
		{"what another writer was quicker with is told", quicker},
		{"a lost reply is looked up", lostReply},
		{"a lost reply of a creation is looked up", lostCreation},
		{"the same message is one turn", sameMessage},
		{"a claim of a turn", claims},
		{"of racing deliveries of a message one works on it", raceClaims},
		{"the same message, twice at once", sameMessageTwice},
		{"a lease that has ended is taken over", takenOver},
		{"a turn that was given up", givenUp},
		{"a message id belongs to one request", otherRequest},
		{"a crash leaves nothing", crash},
		{"a stale history is refused", staleHistory},
		{"a deleted session's leftovers are never read", halfDeleted},
		{"expiry is checked", expiry},
		{"an answer is read where it is stored", answerOfTheNext},
		{"a session that is being deleted is not shown half", shownWhileDeleted},
		{"state of app, user, session and turn", scopes},
		{"racing changes of shared state", raceScopes},
		{"history is bounded and complete", longHistory},
		{"without a limit all events are read", allEvents},
		{"a turn sees what its app recalls", recalls},
		{"what is too large is refused before it is written", tooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// noon is when the suite takes place: finer than a store keeps, not in UTC.
var noon = time.Date(2026, 3, 1, 13, 0, 0, 123456789, time.FixedZone("CET", 3600))

func asStored(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

var key = sessions.Key{App: "goal_planning_agent", User: "u_1", Session: "s_1"}

// record is a session with every field set.
func record(k sessions.Key) sessions.Record {
	return sessions.Record{
		Key: k, Epoch: "EPOCH1", State: `{"a":"é"}`, Recent: `[{"id":"x"}]`, NextSeq: 2,
		CreatedAt: noon, UpdatedAt: noon.Add(time.Second), ExpireAt: noon.Add(time.Hour),
	}
}

func change(k sessions.Key) sessions.Change {
	return sessions.Change{
		Session: record(k),
		Turn:    &sessions.Turn{ID: "t1", Epoch: "EPOCH1", FirstSeq: 0, LastSeq: 1, RequestSHA256: "cafe"},
		Events:  []sessions.Event{{Seq: 0, JSON: `{"n":0}`}, {Seq: 1, JSON: `{"n":1}`}},
		App:     &sessions.Scope{State: `{"x":1}`}, User: &sessions.Scope{State: `{"y":2}`},
		ChildrenExpireAt: noon.Add(2 * time.Hour),
	}
}

func load(t *testing.T, s sessions.Store, k sessions.Key, turn string) sessions.Snapshot {
	t.Helper()
	return expect.Result(s.Load(t.Context(), k, turn))(t)
}

func wantKind(t *testing.T, err error, kind errs.Kind) {
	t.Helper()
	if errs.KindOf(err) != kind {
		t.Fatalf("error %v of kind %q, want %q", err, errs.KindOf(err), kind)
	}
}

// withoutRevisions compares what was read with what was written.
func withoutRevisions(found sessions.Snapshot) sessions.Snapshot {
	found.Session.Revision, found.Turn.Revision, found.App.Revision, found.User.Revision = "", "", "", ""
	return found
}

func missing(t *testing.T, s sessions.Store) {
	want := sessions.Snapshot{Session: sessions.Record{Key: key}, Turn: sessions.Turn{ID: "t1"}}
	expect.Equal(t, "snapshot", want, load(t, s, key, "t1"))
	found := expect.Result(s.Events(t.Context(), key, "EPOCH1", 0, 10))(t)
	all := expect.Result(s.List(t.Context(), key.App, key.User, sessions.Place{}, 10))(t)
	expect.ErrorIf(t, len(found)+len(all) > 0, "%v and %v in an empty store", found, all)
	expect.NoError(t, s.Delete(t.Context(), key))
}

func roundTrip(t *testing.T, s sessions.Store) {
	expect.NoError(t, s.Commit(t.Context(), change(key)))
	want := sessions.Snapshot{
		Session: record(key),
		Turn:    *change(key).Turn,
		App:     *change(key).App,
		User:    *change(key).User,
	}
	want.Session.CreatedAt = asStored(noon)
	want.Session.UpdatedAt = asStored(noon.Add(time.Second))
	want.Session.ExpireAt = asStored(noon.Add(time.Hour))
	found := load(t, s, key, "t1")
	for name, revision := range map[string]string{
		"session": found.Session.Revision,
		"turn":    found.Turn.Revision,
		"app":     found.App.Revision,
		"user":    found.User.Revision,
	} {
		expect.ErrorIf(t, revision == "", "the %s has no revision", name)
	}
	expect.Equal(t, "snapshot", want, withoutRevisions(found))
	if other := load(t, s, key, ""); other.Turn.Revision != "" || other.Session.Revision == "" {
		t.Errorf("without a turn's id: %+v", other)
	}
	next := change(key)
	next.Session.Revision, next.Session.State, next.Session.Epoch = found.Session.Revision, `{}`, "EPOCH2"
	next.Turn, next.Events, next.App, next.User = nil, nil, nil, nil
	expect.NoError(t, s.Commit(t.Context(), next))
	after := load(t, s, key, "t1")
	if after.Session.State != `{}` || after.Session.Revision == found.Session.Revision ||
		after.App != found.App ||
		after.Turn != found.Turn {
		t.Errorf("after the second commit: %+v", after)
	}
}

func ids(t *testing.T, s sessions.Store) {
	odd := []string{
		".",
		"..",
		"a/b",
		"a%2Fb",
		"__x__",
		"%",
		"ü",
		"a b",
		"A",
		"a",
		"none",
		strings.Repeat("é", 64),
		"\u202e",
		"'; DROP TABLE sessions; --",
	}
	for _, id := range odd {
		for _, k := range []sessions.Key{
			{App: id, User: "u", Session: "s"}, {App: "p", User: id, Session: "s"},
			{App: "p", User: "u", Session: id},
		} {
			c := change(k)
			c.Session.State, c.App, c.User = fmt.Sprintf("{%q:1}", fmt.Sprint(k)), nil, nil
			expect.NoError(t, s.Commit(t.Context(), c))
		}
	}
	for _, id := range odd {
		for _, k := range []sessions.Key{
			{App: id, User: "u", Session: "s"}, {App: "p", User: id, Session: "s"},
			{App: "p", User: "u", Session: id},
		} {
			if found := load(t, s, k, "t1"); found.Session.Key != k ||
				found.Session.State != fmt.Sprintf("{%q:1}", fmt.Sprint(k)) ||
				found.Turn.Revision == "" {
				t.Errorf("%q: %+v", k, found.Session)
			}
		}
	}
}

func stale(t *testing.T, s sessions.Store) {
	expect.NoError(t, s.Commit(t.Context(), change(key)))
	before := load(t, s, key, "t1")
	current := change(key)
	current.Session.Revision, current.Turn.Revision = before.Session.Revision, before.Turn.Revision
	current.App.Revision, current.User.Revision = before.App.Revision, before.User.Revision
	current.Session.State, current.App.State, current.User.State = `{"new":1}`, `{"new":1}`, `{"new":1}`
	current.Turn.LastSeq = 2
	current.Session.NextSeq, current.Events = 3, []sessions.Event{{Seq: 2, JSON: `{}`}}
	old := before
	expect.NoError(t, s.Commit(t.Context(), current)) // now every revision of old is stale
	now := load(t, s, key, "t1")
	for name, spoil := range map[string]func(*sessions.Change){
		"session": func(c *sessions.Change) { c.Session.Revision = old.Session.Revision },
		"turn":    func(c *sessions.Change) { c.Turn.Revision = old.Turn.Revision },
		"app":     func(c *sessions.Change) { c.App.Revision = old.App.Revision },
		"user":    func(c *sessions.Change) { c.User.Revision = old.User.Revision },
	} {
		c := change(key)
		c.Session.Revision = now.Session.Revision
		c.Turn.Revision = now.Turn.Revision
		c.App.Revision = now.App.Revision
		c.User.Revision = now.User.Revision
		c.Session.State, c.Events = `{"lost":1}`, []sessions.Event{{Seq: 9, JSON: `{}`}}
		spoil(&c)
		wantKind(t, s.Commit(t.Context(), c), errs.Stale)
		expect.Equal(t, fmt.Sprintf("a commit with a stale %s wrote something", name), now, load(
			t, s, key, "t1",
		))
	}
	if found, err := s.Events(t.Context(), key, "EPOCH1", 0, 20); err != nil || len(found) != 3 {
		t.Errorf("events %v, %v", found, err)
	}
}

func created(t *testing.T, s sessions.Store) {
	expect.NoError(t, s.Commit(t.Context(), change(key)))
	before := load(t, s, key, "t1")
	wantKind(t, s.Commit(t.Context(), change(key)), errs.Stale)
	c := change(key)
	c.Session.Revision, c.App, c.User, c.Events = before.Session.Revision, nil, nil, nil
	wantKind(t, s.Commit(t.Context(), c), errs.Stale) // the turn exists
	c.Turn, c.Events = nil, []sessions.Event{{Seq: 1, JSON: `{"other":1}`}}
	if err := s.Commit(t.Context(), c); err == nil {
		t.Error("an event was written over another")
	}
	c = change(key)
	c.Session.Key.Session = "gone"
	c.Session.Revision = before.Session.Revision
	c.Turn, c.App, c.User, c.Events = nil, nil, nil, nil
	wantKind(t, s.Commit(t.Context(), c), errs.Stale) // there is none at that revision
	expect.Equal(t, "a refused commit wrote something", before, load(t, s, key, "t1"))
}

func events(t *testing.T, s sessions.Store) {
	c := change(key)
	c.Turn, c.Events = nil, nil
	for i := range int64(12) {
		c.Events = append(c.Events, sessions.Event{Seq: i, JSON: fmt.Sprintf(`{"n":%d}`, i)})
	}
	expect.NoError(t, s.Commit(t.Context(), c))
	next := c
	next.Session.Revision, next.Session.Epoch, next.App, next.User = load(
		t,
		s,
		key,
		"",
	).Session.Revision, "EPOCH2", nil, nil
	next.Events = []sessions.Event{{Seq: 3, JSON: `{"epoch":2}`}}
	expect.NoError(t, s.Commit(t.Context(), next))
	for _, tt := range []struct {
		epoch    string
		from, to int64
		want     []sessions.Event
	}{
		{"EPOCH1", 9, 11, c.Events[9:12]}, {"EPOCH1", 0, 1_000, c.Events}, {"EPOCH1", 12, 20, nil},
		{"EPOCH2", 0, 100, next.Events}, {"EPOCH", 0, 100, nil},
	} {
		found := expect.Result(s.Events(t.Context(), key, tt.epoch, tt.from, tt.to))(t)
		if len(found)+len(tt.want) > 0 {
			expect.Equal(t, fmt.Sprintf("%s %d to %d", tt.epoch, tt.from, tt.to), tt.want, found)
		}
	}
}

func list(t *testing.T, s sessions.Store) {
	for i := range 5 {
		c := change(sessions.Key{App: "a", User: fmt.Sprintf("u%d", i%2), Session: fmt.Sprintf("s%d", i)})
		c.App, c.User, c.Session.UpdatedAt = nil, nil, noon.Add(time.Duration(i)*time.Minute)
		expect.NoError(t, s.Commit(t.Context(), c))
	}
	names := func(user string, limit int) string {
		found := expect.Result(s.List(t.Context(), "a", user, sessions.Place{}, limit))(t)
		var list []string
		for _, r := range found {
			list = append(list, r.User+"/"+r.Session)
			if r.State != record(key).State || r.Epoch != "EPOCH1" || r.Revision == "" || r.Recent != "" {
				t.Errorf("listed %+v", r)
			}
		}
		return strings.Join(list, " ")
	}
	for user, want := range map[string]string{
		"u0": "u0/s4 u0/s2 u0/s0",
		"u1": "u1/s3 u1/s1",
		"":   "u0/s4 u1/s3 u0/s2 u1/s1 u0/s0",
		"u":  "",
	} {
		if got := names(user, 10); got != want {
			t.Errorf("sessions of %q: %s, want %s", user, got, want)
		}
	}
	if got := names("", 2); got != "u0/s4 u1/s3" {
		t.Errorf("the newest two: %s", got)
	}
}

// pages lists sessions of few moments in pages of every size: each comes once, the newest first.
func pages(t *testing.T, s sessions.Store) {
	const sessionsOfAUser = 7
	ids := []string{"a", "a b", "a/b", "B", "é", "z-1", "~"}
	for i, user := range []string{"u", "u v", "U", "é"} {
		for j := range sessionsOfAUser {
			c := change(sessions.Key{App: "a", User: user, Session: ids[j]})
			c.App, c.User, c.Session.UpdatedAt = nil, nil, noon.Add(time.Duration((i+j)%3)*time.Microsecond)
			expect.NoError(t, s.Commit(t.Context(), c))
		}
	}
	for user, want := range map[string]int{"u": sessionsOfAUser, "": 4 * sessionsOfAUser} {
		for _, size := range []int{1, 2, 5, 28, 100} {
			seen := map[sessions.Key]bool{}
			var after sessions.Place
			for {
				found := expect.Result(s.List(t.Context(), "a", user, after, size))(t)
				for _, r := range found {
					if seen[r.Key] || !after.UpdatedAt.IsZero() && r.UpdatedAt.After(after.UpdatedAt) {
						t.Fatalf("pages of %d: %v comes after %v", size, r.Key, after)
					}
					seen[r.Key], after = true, r.Place()
				}
				if len(found) < size {
					break
				}
			}
			expect.ErrorIf(
				t,
				len(seen) != want,
				"pages of %d sessions of %q: %d in all, want %d",
				size,
				user,
				len(seen),
				want,
			)
		}
	}
}

func remove(t *testing.T, s sessions.Store) {
	other := sessions.Key{App: key.App, User: key.User, Session: "s_2"}
	expect.NoError(t, s.Commit(t.Context(), change(key)))
	c := change(other)
	c.App, c.User = nil, nil
	expect.NoError(t, s.Commit(t.Context(), c))
	expect.NoError(t, s.Delete(t.Context(), key))
	found := load(t, s, key, "t1")
	if found.Session.Revision != "" || found.Turn.Revision != "" || found.App.Revision == "" ||
		found.User.Revision == "" {
		t.Errorf("after the delete: %+v", found)
	}
	if left, err := s.Events(t.Context(), key, "EPOCH1", 0, 10); err != nil || len(left) > 0 {
		t.Errorf("events %v, %v", left, err)
	}
	if kept, err := s.Events(t.Context(), other, "EPOCH1", 0, 10); err != nil || len(kept) != 2 {
		t.Errorf("the other session's events %v, %v", kept, err)
	}
}

// racers is how many race; Firestore's emulator serialises them.
const racers = 8

// winnerOf lets the rivals commit at once and returns the one that won. The others
// must hear that they lost, or that they may try again.
func winnerOf(t *testing.T, lost errs.Kind, commit func(ctx context.Context, rival int) error) int {
	t.Helper()
	return expect.OneWinner(t, racers, lost, func(rival int) error {
		err := commit(context.WithoutCancel(t.Context()), rival)
		if errs.Retryable(err) {
			err = errs.Wrap(lost, err, "it may be tried again")
		}
		return err
	})
}

func race(t *testing.T, s sessions.Store) {
	expect.NoError(t, s.Commit(t.Context(), change(key)))
	at := load(t, s, key, "").Session.Revision
	winner := winnerOf(t, errs.Stale, func(ctx context.Context, i int) error {
		c := change(key)
		c.Session.Revision, c.Session.State = at, fmt.Sprintf(`{"winner":%d}`, i)
		c.App, c.User, c.Turn = nil, nil, nil
		c.Events = []sessions.Event{{Seq: 2, JSON: fmt.Sprintf(`{"n":%d}`, i)}}
		return s.Commit(ctx, c)
	})
	if found := load(t, s, key, "").Session.State; winner < 0 ||
		found != fmt.Sprintf(`{"winner":%d}`, winner) {
		t.Errorf("winner %d, state %s", winner, found)
	}
}
