package sessions

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"time"

	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// eventsAtOnce is the most events that one read of the store asks for.
const eventsAtOnce = 1_000

// MaxPage is the most sessions of a page.
const MaxPage = 1_000

// childrenOutlive is how much longer events and turns are kept than their session may idle.
const childrenOutlive = 30 * 24 * time.Hour

// Service is an ADK session.Service over a Store. Inside a turn (Run, or Begin
// and then its Context) the runner's calls read and write memory alone, until
// the turn's Commit; outside one, each call stands for itself.
type Service struct {
	store     Store
	ttl       time.Duration
	now       func() time.Time
	wait      func(context.Context, time.Duration) error
	histories map[string]History
}

var _ session.Service = (*Service)(nil)

// Options replace what a Service is made of. The zero value is the real thing.
type Options struct {
	TTL time.Duration    // how long an idle session is kept; 0 is 30 days
	Now func() time.Time // nil is time.Now
	// Wait lets time pass while another delivery of a message works on it; nil is a timer.
	Wait func(context.Context, time.Duration) error
	// Histories are those of the apps, by their names. The turns of an app without
	// one are given its newest events whole.
	Histories map[string]History
}

// History is what the turns of an app are shown of the events before them. The
// events themselves are stored whole in any case.
type History struct {
	// Keep returns what is needed of an event, nil for nothing.
	Keep func(*session.Event) *session.Event
	// MaxEvents is how many of the newest that say something are needed. There is a
	// bound for all apps, which it cannot lift.
	MaxEvents int
}

// NewService returns a service over store.
func NewService(store Store, options Options) *Service {
	s := &Service{
		store:     store,
		ttl:       cmp.Or(options.TTL, 30*24*time.Hour),
		now:       options.Now,
		wait:      options.Wait,
		histories: options.Histories,
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.wait == nil {
		s.wait = pauseFor
	}
	return s
}

func pauseFor(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Service) history(app string) History {
	if history, own := s.histories[app]; own {
		return history
	}
	return History{Keep: func(event *session.Event) *session.Event { return event }, MaxEvents: maxRecent}
}

// Create makes a session. Conflict: it exists and has not expired.
func (s *Service) Create(
	ctx context.Context,
	request *session.CreateRequest,
) (*session.CreateResponse, error) {
	key := Key{request.AppName, request.UserID, cmp.Or(request.SessionID, rand.Text())}
	if err := key.Check(); err != nil {
		return nil, err
	}
	snapshot, err := s.store.Load(ctx, key, "")
	if err != nil {
		return nil, err
	}
	if s.alive(snapshot.Session) {
		return nil, exists(key)
	}
	created, err := s.create(ctx, key, snapshot, request.State)
	if err != nil {
		return nil, err
	}
	return &session.CreateResponse{Session: created}, nil
}

func exists(key Key) error {
	return errs.New(
		errs.Conflict,
		"There is a session %q of this user already. Go on with it, or choose another id.",
		key.Session,
	)
}

// create commits a new session in the place of none or of one that expired.
func (s *Service) create(
	ctx context.Context,
	key Key,
	found Snapshot,
	state map[string]any,
) (*conversation, error) {
	now := s.now().UTC()
	have, err := found.read()
	if err != nil {
		return nil, err
	}
	delta := split(state)
	have.session = nil // of one that expired
	all := have.with(delta)
	text, err := encodeState(all.session)
	if err != nil {
		return nil, err
	}
	change := Change{Session: Record{
		Key: key, Epoch: rand.Text(), State: text,
		CreatedAt: now, UpdatedAt: now, ExpireAt: now.Add(s.ttl), Revision: found.Session.Revision,
	}}
	if err := change.scopes(found, all, delta); err != nil {
		return nil, err
	}
	if err := s.store.Commit(ctx, change); err != nil {
		if err = s.createFailed(ctx, change, err); err != nil {
			return nil, err
		}
	}
	return change.Session.open(all, nil), nil
}

// createFailed finds out whether a session whose commit was refused or
// unanswered is there after all: with our epoch it is the one we made.
func (s *Service) createFailed(ctx context.Context, change Change, err error) error {
	after, loadErr := s.reload(ctx, change.Session.Key, "")
	switch {
	case loadErr != nil:
		return err
	case after.Session.Epoch == change.Session.Epoch:
		return nil
	case s.alive(after.Session):
		return exists(change.Session.Key)
	default:
		return err
	}
}

// reload reads again after a commit went wrong, even where the request's own
// time is up: what is found decides what the client is told.
func (s *Service) reload(ctx context.Context, key Key, turnID string) (Snapshot, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return s.store.Load(ctx, key, turnID)
}

// scopes adds the app's and the user's state where delta changes them.
func (c *Change) scopes(found Snapshot, state, delta layers) (err error) {
	if c.App, err = found.App.changed(state.app, delta.app); err != nil {
		return err
	}
	c.User, err = found.User.changed(state.user, delta.user)
	return err
}

// alive reports whether a record is there and has not expired.
func (s *Service) alive(r Record) bool { return r.Revision != "" && s.now().Before(r.ExpireAt) }

func (s *Service) load(ctx context.Context, key Key, turnID string) (Snapshot, error) {
	if err := key.Check(); err != nil {
		return Snapshot{}, err
	}
	snapshot, err := s.store.Load(ctx, key, turnID)
	if err != nil {
		return Snapshot{}, err
	}
	if !s.alive(snapshot.Session) {
		return Snapshot{}, notThere(key)
	}
	return snapshot, nil
}

func notThere(key Key) error {
	return errs.New(errs.NotFound, "There is no session %q of this user. Create it first.", key.Session)
}

// Find returns nil where there is a session of that key. NotFound: there is
// none, or it has expired.
func (s *Service) Find(ctx context.Context, key Key) error {
	_, err := s.load(ctx, key, "")
	return err
}

// Get reads a session: inside a turn of it, the turn's, which begins with what
// its app recalls; otherwise with its newest NumRecentEvents events, all of them
// where that is 0. NotFound: there is none, or it has expired. Invalid: it is
// asked for inside a turn of the same session in another app.
func (s *Service) Get(ctx context.Context, request *session.GetRequest) (*session.GetResponse, error) {
	key := Key{request.AppName, request.UserID, request.SessionID}
	if turn := turnOf(ctx); turn != nil && turn.key.User == key.User && turn.key.Session == key.Session {
		if turn.key.App != key.App {
			return nil, errs.New(
				errs.Invalid,
				"The turn is of the app %q and its runner's app is %q. Give both one name.",
				turn.key.App,
				key.App,
			)
		}
		return &session.GetResponse{Session: turn.conversation}, nil
	}
	snapshot, err := s.load(ctx, key, "")
	if err != nil {
		return nil, err
	}
	count := snapshot.Session.NextSeq
	if request.NumRecentEvents > 0 {
		count = int64(request.NumRecentEvents)
	}
	list, err := s.latest(ctx, snapshot.Session, count)
	if err != nil {
		return nil, err
	}
	if !request.After.IsZero() {
		list = slices.DeleteFunc(
			list,
			func(e *session.Event) bool { return e.Timestamp.Before(request.After) },
		)
	}
	have, err := snapshot.read()
	if err != nil {
		return nil, err
	}
	return &session.GetResponse{Session: snapshot.Session.open(have, list)}, nil
}

// latest reads the newest events of a session. Events that are gone have
// expired, or went with the session, which is then gone as well.
func (s *Service) latest(ctx context.Context, r Record, count int64) ([]*session.Event, error) {
	from := max(0, r.NextSeq-count)
	var list []*session.Event
	for next := from; next < r.NextSeq; next += eventsAtOnce {
		some, err := s.events(ctx, r.Key, r.Epoch, next, min(next+eventsAtOnce, r.NextSeq)-1)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	if int64(len(list)) == r.NextSeq-from {
		return list, nil
	}
	again, err := s.load(ctx, r.Key, "")
	if err == nil && again.Session.Epoch != r.Epoch {
		err = notThere(r.Key)
	}
	return list, err
}

func (s *Service) events(
	ctx context.Context,
	key Key,
	epoch string,
	from, to int64,
) ([]*session.Event, error) {
	if from > to {
		return nil, nil
	}
	stored, err := s.store.Events(ctx, key, epoch, from, to)
	if err != nil {
		return nil, err
	}
	return decodeEvents(stored)
}

// List returns a user's sessions, or those of all users where UserID is "",
// with their state and without events, the last used first.
func (s *Service) List(ctx context.Context, request *session.ListRequest) (*session.ListResponse, error) {
	response := &session.ListResponse{Sessions: []session.Session{}}
	for after := (Place{}); ; {
		page, last, err := s.ListPage(ctx, request.AppName, request.UserID, after, MaxPage)
		if err != nil {
			return nil, err
		}
		response.Sessions = append(response.Sessions, page...)
		if last == (Place{}) {
			return response, nil
		}
		after = last
	}
}

// ListPage returns what List does of at most size sessions, those that come
// after a place, and the place of the last, the zero Place where there are no
// more. Sessions that have expired count for the size and are left out.
func (s *Service) ListPage(
	ctx context.Context,
	app, user string,
	after Place,
	size int,
) (page []session.Session, last Place, err error) {
	if err := CheckID("app", app); err != nil {
		return nil, Place{}, err
	}
	if user != "" {
		if err := CheckID("user id", user); err != nil {
			return nil, Place{}, err
		}
	}
	records, err := s.store.List(ctx, app, user, after, size+1)
	if err != nil {
		return nil, Place{}, err
	}
	if len(records) > size {
		records = records[:size]
		last = records[size-1].Place()
	}
	for _, record := range records {
		if !s.alive(record) {
			continue
		}
		state, err := Snapshot{Session: record}.read()
		if err != nil {
			return nil, Place{}, err
		}
		page = append(page, record.open(state, nil))
	}
	return page, last, nil
}

// UpdateState changes keys of a session's state, as an event of its user's
// without words. NotFound: there is no such session, or it has expired.
func (s *Service) UpdateState(ctx context.Context, key Key, delta map[string]any) error {
	turn, err := s.begin(ctx, key, "", "")
	if err != nil {
		return err
	}
	event := session.NewEvent(ctx, rand.Text())
	event.Author = genai.RoleUser
	event.Actions.StateDelta = delta
	turn.appended = []*session.Event{turn.conversation.append(event)}
	return turn.Commit(ctx)
}

// Delete removes a session. One that is not there is no error.
func (s *Service) Delete(ctx context.Context, request *session.DeleteRequest) error {
	key := Key{request.AppName, request.UserID, request.SessionID}
	if err := key.Check(); err != nil {
		return err
	}
	return s.store.Delete(ctx, key)
}

// AppendEvent adds an event to a session that this service returned: inside a
// turn in memory, otherwise in a commit of its own. Partial events are not
// kept. Stale: another writer changed the session meanwhile.
func (s *Service) AppendEvent(ctx context.Context, to session.Session, event *session.Event) error {
	c, ours := to.(*conversation)
	if !ours || event == nil {
		return errs.New(errs.Invalid, "Events can be appended to sessions of this service alone.")
	}
	if event.Partial {
		return nil
	}
	if turn := turnOf(ctx); turn != nil && turn.conversation == c {
		turn.appended = append(turn.appended, c.append(event))
		return nil
	}
	turn, err := s.begin(ctx, c.key, "", "")
	if err != nil {
		return err
	}
	if turn.conversation.epoch != c.epoch || turn.conversation.nextSeq != c.nextSeq {
		return notAppended()
	}
	turn.appended = []*session.Event{turn.conversation.append(event)}
	if err := turn.Commit(ctx); err != nil {
		if errs.KindOf(err) == errs.Stale {
			return notAppended()
		}
		return err
	}
	c.append(event)
	c.nextSeq++
	return nil
}

func notAppended() error {
	return errs.New(
		errs.Stale,
		"Somebody else changed this session meanwhile. This event was not stored; events before it may have been. Run stores a turn whole or not at all.",
	)
}

func lostRace() error {
	return errs.New(
		errs.Stale,
		"Another message to this session was quicker. Nothing of this one was stored; send it again.",
	)
}
