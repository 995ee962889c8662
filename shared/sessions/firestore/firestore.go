// Package firestore keeps the agents' sessions in a Firestore database, in the
// documents that package sessions names. State and events are strings of JSON,
// so that a session is the same here and in SQLite, and its size is known
// before it is written.
//
// A turn reads its four documents in one batch read, and writes in one commit
// whose every document is created or updated at the update time, its revision,
// at which it was read. No query needs a composite index. Fields to exempt
// from indexing: state and recent of sessions, json of events; expire_at of
// sessions, events and turns has a TTL policy.
package firestore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/sessions"
)

// Store is a sessions.Store in a Firestore database.
type Store struct{ client *firestore.Client }

var _ sessions.Store = (*Store)(nil)

// Open connects to a database of a project, "" meaning the default one. It
// honours FIRESTORE_EMULATOR_HOST.
func Open(ctx context.Context, project, database string, options ...option.ClientOption) (*Store, error) {
	client, err := firestoredb.Open(ctx, project, database, options...)
	if err != nil {
		return nil, err
	}
	return &Store{client}, nil
}

// Close ends the connection.
func (s *Store) Close() error {
	return firestoredb.Error(s.client.Close(), "cannot close the connection to Firestore")
}

// app and the methods below are the documents and collections, ids encoded.
func (s *Store) app(app string) *firestore.DocumentRef {
	return s.client.Collection("apps").Doc(encode(app))
}

func (s *Store) user(app, user string) *firestore.DocumentRef {
	return s.app(app).Collection("users").Doc(encode(user))
}

func (s *Store) session(key sessions.Key) *firestore.DocumentRef {
	return s.user(key.App, key.User).Collection("sessions").Doc(encode(key.Session))
}

func (s *Store) events(key sessions.Key) *firestore.CollectionRef {
	return s.session(key).Collection("events")
}

func (s *Store) turns(key sessions.Key) *firestore.CollectionRef {
	return s.session(key).Collection("turns")
}

// encode turns an id into a document id: every byte but letters, digits and
// hyphens becomes % and two digits, so that no id is a path, "." or one of
// Firestore's own names, and no two ids are one.
func encode(id string) string {
	var name strings.Builder
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-':
			name.WriteByte(c)
		default:
			fmt.Fprintf(&name, "%%%02X", c)
		}
	}
	return name.String()
}

// noTurn is read in the place of a turn where none is asked for, so that the
// four documents keep their places.
const noTurn = "none"

func (s *Store) Load(ctx context.Context, key sessions.Key, turnID string) (sessions.Snapshot, error) {
	const what = "cannot read the session"
	found, err := firestoredb.Get(ctx, s.client, what,
		s.session(key), s.turns(key).Doc(cmp.Or(turnID, noTurn)), s.app(key.App), s.user(key.App, key.User))
	if err != nil {
		return sessions.Snapshot{}, err
	}
	snapshot := sessions.Snapshot{Session: sessions.Record{Key: key}, Turn: sessions.Turn{ID: turnID}}
	for i, part := range []struct {
		into     any
		revision *string
	}{
		{&snapshot.Session, &snapshot.Session.Revision}, {&snapshot.Turn, &snapshot.Turn.Revision},
		{&snapshot.App, &snapshot.App.Revision}, {&snapshot.User, &snapshot.User.Revision},
	} {
		if *part.revision, err = read(found[i], part.into, what); err != nil {
			return sessions.Snapshot{}, err
		}
	}
	return snapshot, nil
}

func (s *Store) Commit(ctx context.Context, change sessions.Change) error {
	key, stale := change.Session.Key, errs.New(errs.Stale, "the session was changed by another writer")
	c := firestoredb.NewCommit(s.client, "cannot store the turn")
	put := func(document *firestore.DocumentRef, value any, revision string, expires map[string]any) {
		fields := c.Fields(value)
		maps.Copy(fields, expires)
		if revision == "" {
			c.Create(document, fields)
		} else {
			c.Replace(document, fields, revision, stale)
		}
	}
	expires := map[string]any{"expire_at": change.ChildrenExpireAt}
	if turn := change.Turn; turn != nil {
		replaced := maps.Clone(expires)
		if turn.Revision != "" {
			replaced["lease_until"] = firestore.Delete
		}
		put(s.turns(key).Doc(turn.ID), turn, turn.Revision, replaced)
	}
	if change.App != nil {
		put(s.app(key.App), change.App, change.App.Revision, nil)
	}
	if change.User != nil {
		put(s.user(key.App, key.User), change.User, change.User.Revision, nil)
	}
	for _, event := range change.Events {
		put(s.events(key).Doc(sessions.EventName(change.Session.Epoch, event.Seq)), event, "", expires)
	}
	put(s.session(key), change.Session, change.Session.Revision, nil)
	_, err := c.Run(ctx, stale, stale)
	return err
}

// Claim implements sessions.Store.
func (s *Store) Claim(
	ctx context.Context,
	key sessions.Key,
	turn sessions.Turn,
) (revision string, err error) {
	stale := errs.New(errs.Stale, "the turn was changed by another writer")
	c := firestoredb.NewCommit(s.client, "cannot begin the turn")
	document, fields := s.turns(key).Doc(turn.ID), c.Fields(turn)
	fields["expire_at"] = turn.LeaseUntil
	if turn.Revision == "" {
		c.Create(document, fields)
	} else {
		c.Replace(document, fields, turn.Revision, stale)
	}
	return c.Run(ctx, stale, stale)
}

// Events implements sessions.Store. Names sort as events came.
func (s *Store) Events(
	ctx context.Context,
	key sessions.Key,
	epoch string,
	from, to int64,
) ([]sessions.Event, error) {
	const what = "cannot read the session's events"
	ctx, cancel := context.WithTimeout(ctx, firestoredb.CallTimeout)
	defer cancel()
	found, err := s.eventsOf(key, epoch, from, to).Documents(ctx).GetAll()
	if err != nil {
		return nil, firestoredb.Error(err, what)
	}
	events := make([]sessions.Event, len(found))
	for i, document := range found {
		if _, err := read(document, &events[i], what); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// eventsOf are the events of one epoch with from <= Seq <= to, in order.
func (s *Store) eventsOf(key sessions.Key, epoch string, from, to int64) firestore.Query {
	collection := s.events(key)
	return collection.
		Where(firestore.DocumentID, ">=", collection.Doc(sessions.EventName(epoch, from))).
		Where(firestore.DocumentID, "<=", collection.Doc(sessions.EventName(epoch, to))).
		OrderBy(firestore.DocumentID, firestore.Asc)
}

// Delete implements sessions.Store: the session first, so that it is gone
// whatever happens to the rest, and then what was its own. Another may have
// taken its place by then.
func (s *Store) Delete(ctx context.Context, key sessions.Key) error {
	const what = "cannot delete the session"
	found, err := firestoredb.Get(ctx, s.client, what, s.session(key))
	if err != nil || !found[0].Exists() {
		return err
	}
	var record sessions.Record
	if _, err := read(found[0], &record, what); err != nil {
		return err
	}
	if _, err := s.session(key).Delete(ctx); err != nil {
		return firestoredb.Error(err, what)
	}
	for _, children := range []firestore.Query{
		s.eventsOf(key, record.Epoch, 0, greatestSeq),
		s.turns(key).Where("epoch", "==", record.Epoch),
	} {
		if err := s.clear(ctx, children, what); err != nil {
			return err
		}
	}
	return nil
}

// greatestSeq is the greatest number of an event whose name still sorts.
const greatestSeq = 999_999_999_999

// clear deletes what a query finds, some hundred documents at a time. What
// changes meanwhile is looked at again.
func (s *Store) clear(ctx context.Context, query firestore.Query, what string) error {
	changed := errs.New(errs.Stale, "a document was changed meanwhile")
	for {
		found, err := query.Select().Limit(300).Documents(ctx).GetAll()
		if err != nil || len(found) == 0 {
			return firestoredb.Error(err, "%s", what)
		}
		c := firestoredb.NewCommit(s.client, what)
		for _, document := range found {
			c.Delete(document)
		}
		if _, err := c.Run(ctx, nil, changed); err != nil && errs.KindOf(err) != errs.Stale {
			return err
		}
	}
}
