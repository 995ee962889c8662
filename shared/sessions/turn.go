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
	// the same answer. "" gets one of ours.
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
func (s *Service) Run(ctx context.Context, with *runner.Runner, key Key, message *genai.Content, options ...runner.RunOption) ([]*session.Event, error) {
	turn, err := s.Begin(ctx, TurnRequest{Key: key})
	if err != nil {
		return nil, err
	}
	for _, err := range with.Run(turn.Context(ctx), key.User, key.Session, message, agent.RunConfig{}, options...) {
		if err != nil {
			return nil, err
		}
	}
	if len(turn.appended) == 0 {
		return nil, errs.New(errs.Invalid, "The runner keeps its events elsewhere: its SessionService must be the one that runs the turn.")
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
}

// Begin reads what the turn needs. NotFound: there is no such session, or it
// has expired. Conflict: the message id was used for another request. Stale: the
// session is not as the client saw it.
func (s *Service) Begin(ctx context.Context, request TurnRequest) (*OpenTurn, error) {
	id := cmp.Or(request.MessageID, rand.Text())
	if err := CheckID("message id", id); err != nil {
		return nil, err
	}
	t, err := s.begin(ctx, request.Key, hash([]byte(id)), hash(request.Content))
	if err != nil {
		return nil, err
	}
	if !t.Answered() && !request.Seen.IsZero() && request.Seen.UnixMicro() != t.found.Session.UpdatedAt.UnixMicro() {
		return nil, errs.New(errs.Stale, "The conversation went on meanwhile. Nothing of this message was stored; read the conversation, and send it again if it still fits.")
	}
	return t, nil
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

// recognise reports whether the turn is stored already. Conflict: it is, for another request.
func (t *OpenTurn) recognise(found Snapshot) (bool, error) {
	if found.Turn.Revision == "" || found.Turn.Epoch != found.Session.Epoch {
		return false, nil
	}
	if found.Turn.RequestSHA256 != t.request {
		return false, errs.New(errs.Conflict, "The message id was used for another message. Give each message its own.")
	}
	t.stored = found.Turn
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
		return nil
	}
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
		next.UpdatedAt = last.Add(time.Microsecond) // of an instance whose clock is ahead; Seen tells changes apart by it
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
