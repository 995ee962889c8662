package sessionstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	adk "google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions"
	"github.com/planwright/planwright/shared/test/expect"
)

func service(s sessions.Store) *sessions.Service {
	return serviceAt(s, func() time.Time { return noon }, nil)
}

// serviceAt has its own clock; whenWaiting is done in the place of a wait for another
// delivery of a message, nil where nobody may wait.
func serviceAt(s sessions.Store, now func() time.Time, whenWaiting func()) *sessions.Service {
	return sessions.NewService(s, sessions.Options{
		Now: now,
		Wait: func(context.Context, time.Duration) error {
			if whenWaiting == nil {
				return errs.New(errs.Internal, "a delivery waits for another")
			}
			whenWaiting()
			return nil
		},
	})
}

// afterTheLease is when a lease that was taken at noon has ended.
func afterTheLease() time.Time { return noon.Add(90 * time.Second) }

func getOf(k sessions.Key) *adk.GetRequest {
	return &adk.GetRequest{AppName: k.App, UserID: k.User, SessionID: k.Session}
}

func createOf(k sessions.Key, state map[string]any) *adk.CreateRequest {
	return &adk.CreateRequest{AppName: k.App, UserID: k.User, SessionID: k.Session, State: state}
}

func create(t *testing.T, v *sessions.Service, state map[string]any) {
	t.Helper()
	expect.NoError(t, expect.ErrorOf(v.Create(t.Context(), createOf(key, state))))
}

func begin(t *testing.T, v *sessions.Service, messageID, content string) *sessions.OpenTurn {
	t.Helper()
	return expect.Result(v.Begin(t.Context(),
		sessions.TurnRequest{Key: key, MessageID: messageID, Content: []byte(content)}))(t)
}

// converse carries a turn out and commits it.
func converse(
	t *testing.T,
	v *sessions.Service,
	messageID, content, who string,
	delta map[string]any,
) *sessions.OpenTurn {
	t.Helper()
	turn := begin(t, v, messageID, content)
	work(t, v, turn, who, delta)
	expect.NoError(t, turn.Commit(t.Context()))
	return turn
}

// work appends what a turn of two events appends, as the runner does.
func work(t *testing.T, v *sessions.Service, turn *sessions.OpenTurn, who string, delta map[string]any) {
	t.Helper()
	ctx := turn.Context(t.Context())
	got := expect.Result(v.Get(ctx, getOf(key)))(t)
	expect.NoError(t, v.AppendEvent(ctx, got.Session, event("user", who)))
	answer := event("Agent", "to "+who)
	answer.Actions.StateDelta = delta
	expect.NoError(t, v.AppendEvent(ctx, got.Session, answer))
}

func event(author, text string) *adk.Event {
	e := &adk.Event{ID: author + " " + text, Author: author, InvocationID: "i", Timestamp: noon}
	e.Content = genai.NewContentFromText(text, genai.RoleUser)
	return e
}

func get(t *testing.T, v *sessions.Service) adk.Session {
	t.Helper()
	return expect.Result(v.Get(t.Context(), getOf(key)))(t).Session
}

func eventIDs(s adk.Session) string {
	var list []string
	for e := range s.Events().All() {
		list = append(list, e.ID)
	}
	return strings.Join(list, ", ")
}

func value(t *testing.T, s adk.Session, name string) any {
	t.Helper()
	v, err := s.State().Get(name)
	if errors.Is(err, adk.ErrStateKeyNotExist) {
		return nil
	}
	expect.NoError(t, err)
	return v
}

func createOnce(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, map[string]any{"n": 1.0})
	wantKind(t, expect.ErrorOf(v.Create(t.Context(), createOf(key, nil))), errs.Conflict)
	if n := value(t, get(t, v), "n"); n != 1.0 {
		t.Errorf("n is %v", n)
	}
	winner := winnerOf(t, errs.Conflict, func(ctx context.Context, _ int) error {
		_, err := v.Create(ctx, &adk.CreateRequest{AppName: "a", UserID: "u", SessionID: "raced"})
		return err
	})
	expect.ErrorIf(t, winner < 0, "nobody created the session")
}

func raceTurns(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	turns := make([]*sessions.OpenTurn, racers)
	for i := range turns {
		turns[i] = begin(t, v, fmt.Sprint("m", i), "x")
		work(t, v, turns[i], fmt.Sprint(i), map[string]any{
			"winner":               float64(i),
			fmt.Sprint("trace", i): true,
		})
	}
	winner := winnerOf(t, errs.Stale, func(ctx context.Context, i int) error { return turns[i].Commit(ctx) })
	got := get(t, v)
	if want := fmt.Sprintf("user %d, Agent to %d", winner, winner); eventIDs(got) != want {
		t.Errorf("stored %s, want %s", eventIDs(got), want)
	}
	for i := range turns {
		if stored := value(t, got, fmt.Sprint("trace", i)) != nil; stored != (i == winner) {
			t.Errorf("of turn %d something is stored: %t; the winner is %d", i, stored, winner)
		}
	}
}

// flaky is a store that loses the reply to the next commit, or the commit.
type flaky struct {
	sessions.Store
	loseReply, loseCommit bool
}

func (f *flaky) Commit(ctx context.Context, c sessions.Change) error {
	if f.loseCommit {
		f.loseCommit = false
		return errs.New(errs.Unavailable, "the commit was lost")
	}
	err := f.Store.Commit(ctx, c)
	if f.loseReply {
		f.loseReply = false
		return errs.New(errs.Deadline, "the reply was lost")
	}
	return err
}

func lostReply(t *testing.T, s sessions.Store) {
	f := &flaky{Store: s}
	v := service(f)
	create(t, v, nil)
	turn := begin(t, v, "m1", "x")
	work(t, v, turn, "1", map[string]any{"n": 1.0})
	f.loseReply = true
	expect.NoError(t, turn.Commit(t.Context()))
	list := expect.Result(turn.Events(t.Context()))(t)
	expect.ErrorIf(t, len(list) != 2 || list[1].ID != "Agent to 1", "events %v", list)
	second := begin(t, v, "m2", "x")
	work(t, v, second, "2", nil)
	f.loseCommit = true
	wantKind(t, second.Commit(t.Context()), errs.Unavailable)
	second.Release(t.Context())
	again := begin(t, v, "m2", "x")
	expect.ErrorIf(t, again.Answered(), "a lost commit counts")
	work(t, v, again, "2", nil)
	expect.NoError(t, again.Commit(t.Context()))
	if got, want := eventIDs(get(t, v)), "user 1, Agent to 1, user 2, Agent to 2"; got != want {
		t.Errorf("stored %s, want %s", got, want)
	}
}

func lostCreation(t *testing.T, s sessions.Store) {
	f := &flaky{Store: s, loseReply: true}
	v := service(f)
	create(t, v, map[string]any{"n": 1.0})
	if n := value(t, get(t, v), "n"); n != 1.0 {
		t.Errorf("n is %v", n)
	}
	f.loseCommit = true
	wantKind(t, expect.ErrorOf(v.Create(t.Context(),
		&adk.CreateRequest{AppName: "a", UserID: "u", SessionID: "lost"})), errs.Unavailable)
}

func sameMessage(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	first := begin(t, v, "m1", "x")
	if first.Answered() {
		t.Fatal("a new message is answered already")
	}
	work(t, v, first, "1", nil)
	expect.NoError(t, first.Commit(t.Context()))
	for i := range 3 { // later turns change nothing in it
		again := begin(t, v, "m1", "x")
		if !again.Answered() {
			t.Fatal("the same message is not recognised")
		}
		list := expect.Result(again.Events(t.Context()))(t)
		expect.ErrorIf(t, len(list) != 2 || list[0].ID != "user 1" || list[1].ID != "Agent to 1", "events %v",
			list)
		converse(t, v, "", fmt.Sprint(i), fmt.Sprint("later", i), nil)
	}
}

// sameMessageTwice: a delivery waits for another of the same message, and has its answer.
func sameMessageTwice(t *testing.T, s sessions.Store) {
	create(t, service(s), nil)
	first := begin(t, service(s), "m1", "x")
	waits := 0
	v := serviceAt(s, func() time.Time { return noon.Add(89 * time.Second) }, func() {
		if waits++; waits == 3 {
			work(t, service(s), first, "first", nil)
			expect.NoError(t, first.Commit(t.Context()))
		}
	})
	second := begin(t, v, "m1", "x")
	list := expect.Result(second.Events(t.Context()))(t)
	expect.ErrorIf(
		t,
		waits != 3 || len(list) != 2 || list[1].ID != "Agent to first",
		"events %v after %d waits",
		list,
		waits,
	)
	second.Release(t.Context()) // gives up nothing that is stored
	if again := begin(t, v, "m1", "x"); !again.Answered() {
		t.Error("the answer is gone")
	}
}

// takenOver: once a lease has ended, another delivery works on the message, and one of
// the two is stored.
func takenOver(t *testing.T, s sessions.Store) {
	for name, lateFirst := range map[string]bool{
		"the late one commits first": true,
		"the new one commits first":  false,
	} {
		t.Run(name, func(t *testing.T) {
			id := "m " + name
			late, v := service(s), serviceAt(s, afterTheLease, nil)
			_, _ = v.Create(t.Context(), createOf(key, nil)) // the second time it is there
			slow := begin(t, late, id, "x")
			fresh := begin(t, v, id, "x")
			expect.ErrorIf(t, fresh.Answered(), "the message is said to be answered")
			work(t, late, slow, "slow", nil)
			work(t, v, fresh, "fresh", nil)
			if lateFirst {
				wantKind(t, slow.Commit(t.Context()), errs.Stale)
				slow.Release(t.Context()) // the lease is the other's
			}
			expect.NoError(t, fresh.Commit(t.Context()))
			if !lateFirst {
				expect.NoError(t, slow.Commit(t.Context())) // the other delivery's answer is this one's
				list := expect.Result(slow.Events(t.Context()))(t)
				expect.ErrorIf(t, len(list) != 2 || list[1].ID != "Agent to fresh", "events %v", list)
			}
			expect.ErrorIf(t, !begin(t, v, id, "x").Answered(), "the answer is not stored")
		})
	}
}

// givenUp: a turn that was given up is free at once, for another request too.
func givenUp(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	before := load(t, s, key, "")
	begin(t, v, "m1", "x").Release(t.Context())
	again := begin(t, v, "m1", "y")
	expect.Equal(t, "a turn that was given up changed the session", before, load(t, s, key, ""))
	work(t, v, again, "1", nil)
	expect.NoError(t, again.Commit(t.Context()))
	expect.ErrorIf(t, !begin(t, v, "m1", "y").Answered(), "the answer is not stored")
}

// claims are the store's part of it: one claims, and the commit ends the lease.
func claims(t *testing.T, s sessions.Store) {
	turn := sessions.Turn{ID: "t1", Epoch: "EPOCH1", RequestSHA256: "cafe", LeaseUntil: noon}
	expect.NoError(t, s.Commit(t.Context(), sessions.Change{Session: record(key)}))
	at := expect.Result(s.Claim(t.Context(), key, turn))(t)
	_, err := s.Claim(t.Context(), key, turn)
	wantKind(t, err, errs.Stale)
	want := turn
	want.LeaseUntil = asStored(noon)
	found := load(t, s, key, "t1")
	expect.ErrorIf(t, found.Turn.Revision != at, "the turn is at %q, claimed at %q", found.Turn.Revision, at)
	expect.Equal(t, "claimed", want, withoutRevisions(found).Turn)

	turn.Revision, turn.LeaseUntil = at, noon.Add(time.Hour)
	next := expect.Result(s.Claim(t.Context(), key, turn))(t)
	_, err = s.Claim(t.Context(), key, turn)
	wantKind(t, err, errs.Stale)
	c := change(key)
	c.Session.Revision, c.App, c.User, c.Turn.Revision = found.Session.Revision, nil, nil, at
	wantKind(t, s.Commit(t.Context(), c), errs.Stale)
	c.Turn.Revision = next
	expect.NoError(t, s.Commit(t.Context(), c))
	expect.Equal(t, "stored", *change(key).Turn, withoutRevisions(load(t, s, key, "t1")).Turn)
}

// raceClaims: of deliveries of a message that come at once, one works on it.
func raceClaims(t *testing.T, s sessions.Store) {
	create(t, service(s), nil)
	winnerOf(t, errs.Internal, func(ctx context.Context, _ int) error {
		_, err := service(s).Begin(ctx, sessions.TurnRequest{Key: key, MessageID: "m1", Content: []byte("x")})
		if errs.KindOf(err) == errs.Deadline { // it waits, which this service refuses
			err = errs.New(errs.Internal, "it waits")
		}
		return err
	})
}

func otherRequest(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	racing := begin(t, v, "m1", "y")
	wantKind(t, expect.ErrorOf(v.Begin(t.Context(),
		sessions.TurnRequest{Key: key, MessageID: "m1", Content: []byte("x")})), errs.Conflict)
	v = serviceAt(s, afterTheLease, nil)
	converse(t, v, "m1", "x", "1", nil)
	wantKind(t, expect.ErrorOf(v.Begin(t.Context(),
		sessions.TurnRequest{Key: key, MessageID: "m1", Content: []byte("y")})), errs.Conflict)
	work(t, v, racing, "2", nil)
	wantKind(t, racing.Commit(t.Context()), errs.Conflict)
}

func crash(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, map[string]any{"n": 1.0})
	before := load(t, s, key, "")
	turn := begin(t, v, "m1", "x")
	work(t, v, turn, "1", map[string]any{"n": 2.0, "app:n": 2.0, "user:n": 2.0})
	// The process ends here: nothing of the turn was committed.
	expect.Equal(t, "a turn without its commit left something", before, load(t, s, key, ""))
	wantKind(t, expect.ErrorOf(v.Begin(t.Context(),
		sessions.TurnRequest{Key: key, MessageID: "m1", Content: []byte("x")})), errs.Deadline) // it waits
	again := begin(t, serviceAt(s, afterTheLease, nil), "m1", "x")
	expect.ErrorIf(t, again.Answered(), "the turn is said to be answered")
}

func staleHistory(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	mine, theirs := get(t, v), get(t, v)
	expect.NoError(t, v.AppendEvent(t.Context(), mine, event("user", "1")))
	expect.NoError(t, v.AppendEvent(t.Context(), mine, event("user", "2")))
	wantKind(t, v.AppendEvent(t.Context(), theirs, event("user", "3")), errs.Stale)
	if got := eventIDs(get(t, v)); got != "user 1, user 2" {
		t.Errorf("stored %s", got)
	}
	turn := begin(t, v, "m1", "x")
	expect.NoError(t, v.AppendEvent(t.Context(), mine, event("user", "4")))
	work(t, v, turn, "5", nil)
	wantKind(t, turn.Commit(t.Context()), errs.Stale)
}

func halfDeleted(t *testing.T, s sessions.Store) {
	v := service(s)
	create(t, v, nil)
	converse(t, v, "m1", "x", "before", map[string]any{"n": 1.0})
	leftovers := load(t, s, key, "").Session
	old := expect.Result(s.Events(t.Context(), key, leftovers.Epoch, 0, 10))(t)
	expect.NoError(
		t,
		v.Delete(t.Context(), &adk.DeleteRequest{AppName: key.App, UserID: key.User, SessionID: key.Session}),
	)
	wantKind(
		t,
		expect.ErrorOf(v.Begin(t.Context(), sessions.TurnRequest{Key: key, Content: []byte("x")})),
		errs.NotFound,
	)

	// What a delete that broke off half-way leaves: events and a turn without their session.
	ghost := leftovers
	ghost.Revision = ""
	expect.NoError(
		t,
		s.Commit(t.Context(), sessions.Change{
			Session:          ghost,
			Events:           old,
			ChildrenExpireAt: noon.Add(time.Hour),
			Turn: &sessions.Turn{
				ID:            turnID(t, s),
				Epoch:         leftovers.Epoch,
				FirstSeq:      0,
				LastSeq:       1,
				RequestSHA256: "old",
			},
		}),
	)
	expired := sessions.NewService(
		s, sessions.Options{Now: func() time.Time { return noon.AddDate(1, 0, 0) }},
	)
	expect.NoError(t, expect.ErrorOf(expired.Create(t.Context(), createOf(key, nil))))

	if got := get(t, expired); eventIDs(got) != "" || value(t, got, "n") != nil {
		t.Errorf("the new session shows %s", eventIDs(got))
	}
	again := begin(t, expired, "m1", "another request under the old id")
	if again.Answered() {
		t.Fatal("a leftover turn is taken for this session's")
	}
	work(t, expired, again, "after", nil)
	expect.NoError(t, again.Commit(t.Context()))
	if got := eventIDs(get(t, expired)); got != "user after, Agent to after" {
		t.Errorf("stored %s", got)
	}
	if !begin(t, expired, "m1", "another request under the old id").Answered() {
		t.Error("the turn that took the leftover's place is not recognised")
	}
}

// turnID finds under which id the service keeps message m1, by watching it.
func turnID(t *testing.T, s sessions.Store) string {
	t.Helper()
	w := &watcher{Store: s}
	watched := service(w)
	wantKind(t, expect.ErrorOf(watched.Begin(t.Context(),
		sessions.TurnRequest{Key: key, MessageID: "m1", Content: []byte("x")})), errs.NotFound)
	return w.turn
}

type watcher struct {
	sessions.Store
	turn string
}

func (w *watcher) Load(ctx context.Context, k sessions.Key, turn string) (sessions.Snapshot, error) {
	w.turn = turn
	return w.Store.Load(ctx, k, turn)
}

func expiry(t *testing.T, s sessions.Store) {
	now := noon
	v := sessions.NewService(s, sessions.Options{TTL: time.Hour, Now: func() time.Time { return now }})
	create(t, v, map[string]any{"n": 1.0})
	now = now.Add(59 * time.Minute)
	turn := begin(t, v, "m1", "x") // use keeps it alive
	work(t, v, turn, "1", nil)
	expect.NoError(t, turn.Commit(t.Context()))
	now = now.Add(59 * time.Minute)
	get(t, v)
	now = now.Add(time.Minute)
	wantKind(t, expect.ErrorOf(v.Get(t.Context(), getOf(key))), errs.NotFound)
	wantKind(
		t,
		expect.ErrorOf(v.Begin(t.Context(), sessions.TurnRequest{Key: key, Content: []byte("x")})),
		errs.NotFound,
	)
	if all, err := v.List(t.Context(), &adk.ListRequest{AppName: key.App, UserID: key.User}); err != nil ||
		len(all.Sessions) > 0 {
		t.Errorf("an expired session is listed: %v, %v", all, err)
	}
	create(t, v, nil)
	if got := get(t, v); eventIDs(got) != "" || value(t, got, "n") != nil {
		t.Errorf("the new session has the old one's content: %s", eventIDs(got))
	}
}
