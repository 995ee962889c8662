package firestore

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
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
	thing := "the message " + next.ID
	c := s.commit("cannot update " + thing)
	c.Replace(s.message(next.ID), c.Fields(next.Rounded()), next.Revision, stale(thing))
	_, err := c.Run(ctx, nil, stale(thing))
	return err
}

func (s *Store) message(id string) *firestore.DocumentRef {
	return s.client.Collection(messages).Doc(id)
}

func readMessage(snapshot *firestore.DocumentSnapshot) (m ledger.Message, err error) {
	m.Revision = firestoredb.Revision(snapshot.UpdateTime)
	return m, firestoredb.Decode(snapshot.Data(), &m, "cannot read the message "+snapshot.Ref.ID)
}
