package firestore

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

// inboxRound is the one document about the sweep of the inbox.
func (s *Store) inboxRound() *firestore.DocumentRef {
	return s.client.Collection("sweeps").Doc("inbox")
}

// InboxRound returns how far the inbox has been listed; the zero round where
// it never was.
func (s *Store) InboxRound(ctx context.Context) (round ledger.InboxRound, err error) {
	const what = "cannot read how far the inbox was listed"
	found, err := firestoredb.Get(ctx, s.client, what, s.inboxRound())
	if err != nil || !found[0].Exists() {
		return round, err
	}
	return round, firestoredb.Decode(found[0].Data(), &round, what)
}

// SetInboxRound notes how far the inbox has been listed.
func (s *Store) SetInboxRound(ctx context.Context, round ledger.InboxRound) error {
	c := s.commit("cannot note how far the inbox was listed")
	c.Set(s.inboxRound(), c.Fields(round))
	_, err := c.Run(ctx, nil, nil)
	return err
}
