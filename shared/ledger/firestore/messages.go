package firestore

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

var _ ledger.MessageStore = (*Store)(nil)

// messages are what people are to be told. One is never removed, which the functions
// may not: it is not due any more.
const messages = "messages"

func (s *Store) DueMessages(ctx context.Context, at time.Time, limit int) ([]ledger.Message, error) {
	query := s.client.Collection(messages).Where("due_at", "<=", at).OrderBy("due_at", firestore.Asc).Limit(limit)
	return collect(ctx, query, "cannot list the messages that are due", readMessage)
}

func (s *Store) UpdateMessage(ctx context.Context, next ledger.Message) error {
	what := "cannot update the message " + next.ID
	read, err := time.Parse(time.RFC3339Nano, next.Revision)
	if err != nil { // no message has had that revision
		return errs.New(errs.Stale, "the message %s was changed meanwhile", next.ID)
	}
	fields, err := messageFields(next, what)
	if err != nil {
		return err
	}
	_, err = firestoredb.Commit(ctx, s.client, firestoredb.Update(s.message(next.ID), fields, read))
	if firestoredb.Changed(err) {
		return errs.Wrap(errs.Stale, err, "the message %s was changed meanwhile", next.ID)
	}
	return firestoredb.Error(err, "%s", what)
}

func (s *Store) message(id string) *firestore.DocumentRef {
	return s.client.Collection(messages).Doc(id)
}

func (s *Store) putMessage(m ledger.Message, what string) (firestoredb.Write, error) {
	fields, err := messageFields(m, what)
	if err != nil {
		return nil, err
	}
	return firestoredb.Set(s.message(m.ID), fields), nil
}

// messageFields are those of a message. One that is not due has no time there, so
// that no query for what is due finds it.
func messageFields(m ledger.Message, what string) (map[string]any, error) {
	fields, err := encode(m.Rounded(), what)
	if err == nil && m.DueAt.IsZero() {
		fields["due_at"] = nil
	}
	return fields, err
}

func readMessage(snapshot *firestore.DocumentSnapshot) (m ledger.Message, err error) {
	m.Revision = revision(snapshot.UpdateTime)
	return m, decode(snapshot.Data(), &m, "cannot read the message "+snapshot.Ref.ID)
}
