package sessions

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// TurnRequest is one message to a session.
type TurnRequest struct {
	Key
	// MessageID is the client's name for this message: the same one again gets
	// the same answer, and while it is being answered waits for it. "" gets one of ours.
	MessageID string
	// Content is what was asked, in a form that is the same for the same
	// request. Another one under the same MessageID is refused.
	Content []byte
	// Seen is the LastUpdateTime of the session that the message speaks of, to the
	// microsecond. Where the session has changed since, a new message is Stale. The
	// zero time is any.
	Seen time.Time
}

// Run runs one turn of a session as a transaction: it reads the session, lets
// the runner work in memory, and stores the message with every event and all
// state at once, or nothing. It returns the turn's events as they are stored,
// the message first.
//
// The runner's SessionService must be s and its AppName key.App. NotFound:
// there is no such session, or it has expired. Stale: another turn was quicker;
// nothing was stored, and the message may be run again. An error of the runner
// ends the turn, and nothing is stored either.
func (s *Service) Run(
	ctx context.Context,
	with *runner.Runner,
	key Key,
	message *genai.Content,
	options ...runner.RunOption,
) ([]*session.Event, error) {
	turn, err := s.Begin(ctx, TurnRequest{Key: key})
	if err != nil {
		return nil, err
	}
	for _, err := range with.Run(turn.Context(ctx), key.User, key.Session, message, agent.RunConfig{},
		options...) {
		if err != nil {
			return nil, err
		}
	}
	if len(turn.appended) == 0 {
		return nil, errs.New(
			errs.Invalid,
			"The runner keeps its events elsewhere: its SessionService must be the one that runs the turn.",
		)
	}
	if err := turn.Commit(ctx); err != nil {
		return nil, err
	}
	return turn.Events(ctx)
}

// OpenTurn is a turn between its one read and its one commit.
type OpenTurn struct {
	service      *Service
	key          Key
	id           string // of the turn; "" keeps no record of it
	request      string // SHA-256
	found        Snapshot
	have         layers // the state that was found
	conversation *conversation
	appended     []*session.Event
	stored       Turn // where the answer is already stored
	claimed      bool // other deliveries of the message wait for this one
}

// Begin reads what the turn needs and, where the client named the message, takes
// a lease on it: another delivery of it waits until the turn is stored, given up,
// or its lease ends. NotFound: there is no such session, or it has expired.
// Conflict: the message id was used for another request. Stale: the session is
// not as the client saw it, or the message is still being answered.
//
// A turn that is not committed is to be given up by Release.
func (s *Service) Begin(ctx context.Context, request TurnRequest) (*OpenTurn, error) {
	id := cmp.Or(request.MessageID, rand.Text())
	if err := CheckID("message id", id); err != nil {
		return nil, err
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		t, err := s.begin(ctx, request.Key, hash([]byte(id)), hash(request.Content))
		switch {
		case err != nil:
			return nil, err
		case t.Answered():
			return t, nil
		case !request.Seen.IsZero() && request.Seen.UnixMicro() != t.found.Session.UpdatedAt.UnixMicro():
			return nil, errs.New(
				errs.Stale,
				"The conversation went on meanwhile. Nothing of this message was stored; read the conversation, and send it again if it still fits.",
			)
		case request.MessageID == "": // nobody else can send it
			return t, nil
		case !t.leased():
			if err := t.claim(ctx); errs.KindOf(err) != errs.Stale {
				return t, err
			}
		}
		if err := s.awaitAnother(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// lease is how long one delivery of a message works on it alone. One that takes
// longer can still be stored, unless another has taken it over.
const lease = 90 * time.Second

// How long a delivery waits before it looks again at a message that another works on.
const (
	firstPause   = 250 * time.Millisecond
	longestPause = 4 * time.Second
)

// awaitAnother waits while another delivery works on the message. Stale: there is
// no time left to do so.
func (s *Service) awaitAnother(ctx context.Context, pause time.Duration) error {
	if end, limited := ctx.Deadline(); limited && time.Until(end) < 2*pause {
		return errs.New(
			errs.Stale,
			"This message is still being answered. Send it again with the same message id for its answer.",
		)
	}
	if err := s.wait(ctx, pause); err != nil {
		return errs.Wrap(
			errs.Deadline,
			err,
			"Time ran out while this message was being answered. Send it again with the same message id for its answer.",
		)
	}
	return nil
}

// leased reports whether another delivery of the message works on it.
func (t *OpenTurn) leased() bool {
	turn := t.found.Turn
	return turn.Epoch == t.found.Session.Epoch && t.service.now().Before(turn.LeaseUntil)
}

func (t *OpenTurn) claim(ctx context.Context) error {
	turn := Turn{ID: t.id, Epoch: t.found.Session.Epoch, RequestSHA256: t.request,
		LeaseUntil: t.service.now().UTC().Add(lease), Revision: t.found.Turn.Revision}
	revision, err := t.service.store.Claim(ctx, t.key, turn)
	if err == nil {
		t.claimed, t.found.Turn.Revision = true, revision
	}
	return err
}

// released is the lease of a turn that was given up: over by every clock.
var released = time.Unix(1, 0).UTC()

// Release gives a turn up that was not stored, so that its message can be sent
// again at once. It does nothing to a turn that was stored. Where it fails, the
// lease ends by itself.
func (t *OpenTurn) Release(ctx context.Context) {
	if !t.claimed || t.Answered() {
		return
	}
	t.claimed = false
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	turn := Turn{ID: t.id, Epoch: t.found.Session.Epoch, RequestSHA256: t.request,
		LeaseUntil: released, Revision: t.found.Turn.Revision}
	_, _ = t.service.store.Claim(ctx, t.key, turn) // somebody else's by now, or its lease ends
}

func hash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func (s *Service) begin(ctx context.Context, key Key, id, request string) (*OpenTurn, error) {
	found, err := s.load(ctx, key, id)
	if err != nil {
		return nil, err
	}
	t := &OpenTurn{service: s, key: key, id: id, request: request, found: found}
	if t.have, err = found.read(); err != nil {
		return nil, err
	}
	history, err := found.Session.history()
	if err != nil {
		return nil, err
	}
	t.conversation = found.Session.open(t.have, history)
	_, err = t.recognise(found)
	return t, err
}

// recognise reports whether the turn is stored already. Conflict: it is stored, or
// being worked on, for another request.
func (t *OpenTurn) recognise(found Snapshot) (bool, error) {
	turn := found.Turn
	leased := !turn.LeaseUntil.IsZero()
	if turn.Revision == "" || turn.Epoch != found.Session.Epoch ||
		leased && !t.service.now().Before(turn.LeaseUntil) {
		return false, nil
	}
	if turn.RequestSHA256 != t.request {
		return false, errs.New(
			errs.Conflict,
			"The message id was used for another message. Give each message its own.",
		)
	}
	if leased {
		return false, nil
	}
	t.stored = turn
	return true, nil
}

// Answered reports whether the turn's events are stored: it was answered
// before, or Commit found that it was.
func (t *OpenTurn) Answered() bool { return t.stored.LastSeq > 0 || t.stored.Revision != "" }

// Appended returns the events of the turn so far, the client's message first.
func (t *OpenTurn) Appended() []*session.Event { return t.appended }

type turnKey struct{}

// Context returns a context in which the runner reads and writes this turn.
func (t *OpenTurn) Context(ctx context.Context) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

func turnOf(ctx context.Context) *OpenTurn {
	t, _ := ctx.Value(turnKey{}).(*OpenTurn)
	return t
}

// Commit stores the turn, all of it or nothing. Where the commit is refused or
// its reply is lost, the turn is looked up before anything is said: if it is
// stored, by us or by another delivery of the same message, that is success,
// and Events are the stored ones. Stale: another turn was quicker. A TooLarge
// error comes before anything is written.
func (t *OpenTurn) Commit(ctx context.Context) error {
	if t.Answered() || len(t.appended) == 0 {
		return nil
	}
	change, err := t.change()
	if err != nil {
		return err
	}
	err = t.service.store.Commit(ctx, change)
	if err == nil {
		t.claimed = false
		return nil
	}
	t.Release(ctx) // first, so that what is read then is the last word
	if after, loadErr := t.service.reload(ctx, t.key, t.id); loadErr == nil {
		if known, knownErr := t.recognise(after); known || knownErr != nil {
			return knownErr
		}
	}
	if errs.KindOf(err) == errs.Stale {
		return lostRace()
	}
	return err
}

func (t *OpenTurn) change() (Change, error) {
	delta := split(nil)
	for _, event := range t.appended {
		delta.take(event.Actions.StateDelta)
	}
	state := t.have.with(delta)
	next := t.found.Session
	var err error
	if next.State, err = encodeState(state.session); err != nil {
		return Change{}, err
	}
	events, err := encodeEvents(t.appended, next.NextSeq)
	if err != nil {
		return Change{}, err
	}
	if next.Recent, err = t.recent(); err != nil {
		return Change{}, err
	}
	now := t.service.now().UTC()
	first := next.NextSeq
	next.NextSeq += int64(len(events))
	next.UpdatedAt, next.ExpireAt = now, now.Add(t.service.ttl)
	if last := t.found.Session.UpdatedAt; next.UpdatedAt.Sub(last) < time.Microsecond {
		// An instance whose clock is ahead wrote the last one. Seen tells changes apart by the time.
		next.UpdatedAt = last.Add(time.Microsecond)
	}
	change := Change{Session: next, Events: events, ChildrenExpireAt: next.ExpireAt.Add(childrenOutlive)}
	if t.id != "" {
		change.Turn = &Turn{
			ID: t.id, Epoch: next.Epoch, FirstSeq: first, LastSeq: next.NextSeq - 1,
			RequestSHA256: t.request, Revision: t.found.Turn.Revision,
		}
	}
	return change, change.scopes(t.found, state, delta)
}

// recent returns what later turns read of the newest events: what the app keeps
// of them, without what they did to state, for state is there already.
func (t *OpenTurn) recent() (string, error) {
	texts, history := t.found.Session.recent(), t.service.history(t.key.App)
	for _, event := range t.appended {
		kept := history.Keep(event)
		if kept == nil {
			continue
		}
		slim := *kept
		slim.Actions.StateDelta = nil
		text, err := encodeEvent(&slim)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return newest(texts, history.MaxEvents), nil
}

// Events returns the turn's events, the client's message first, as they are stored.
func (t *OpenTurn) Events(ctx context.Context) ([]*session.Event, error) {
	if !t.Answered() {
		return t.appended, nil
	}
	list, err := t.service.events(ctx, t.key, t.stored.Epoch, t.stored.FirstSeq, t.stored.LastSeq)
	if err == nil && int64(len(list)) != t.stored.LastSeq-t.stored.FirstSeq+1 {
		err = errs.New(errs.NotFound, "This message was answered, and the answer is no longer kept.")
	}
	return list, err
}
