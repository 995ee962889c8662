package firestore

import (
	"cmp"
	"context"
	"slices"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/sessions"
)

// read reads a document, if it is there, and returns its revision.
func read(document *firestore.DocumentSnapshot, into any, what string) (revision string, err error) {
	if !document.Exists() {
		return "", nil
	}
	return firestoredb.Revision(document.UpdateTime), firestoredb.Decode(document.Data(), into, what)
}

// List implements sessions.Store. For all users it asks user by user.
func (s *Store) List(
	ctx context.Context,
	app, user string,
	after sessions.Place,
	limit int,
) ([]sessions.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, firestoredb.CallTimeout)
	defer cancel()
	if user != "" {
		return s.list(ctx, s.user(app, user), after, limit)
	}
	users, err := s.app(app).Collection("users").DocumentRefs(ctx).GetAll()
	if err != nil {
		return nil, firestoredb.Error(err, listing)
	}
	var all []sessions.Record
	for _, document := range users {
		list, err := s.list(ctx, document, after, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b sessions.Record) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(encode(b.User), encode(a.User)))
	})
	return all[:min(limit, len(all))], nil
}

const listing = "cannot list the sessions"

// list reads the sessions of one user. Those of one moment are ordered by the
// names of their documents.
func (s *Store) list(
	ctx context.Context,
	user *firestore.DocumentRef,
	after sessions.Place,
	limit int,
) ([]sessions.Record, error) {
	collection := user.Collection("sessions")
	query := collection.Select(
		"app", "user", "session", "epoch", "state", "next_seq", "created_at", "updated_at", "expire_at",
	).
		OrderBy("updated_at", firestore.Desc).
		OrderBy(firestore.DocumentID, firestore.Desc).
		Limit(limit)
	switch last := encode(after.User); {
	case after.UpdatedAt.IsZero():
	case user.ID == last:
		query = query.StartAfter(after.UpdatedAt, collection.Doc(encode(after.Session)))
	case user.ID < last:
		query = query.Where("updated_at", "<=", after.UpdatedAt)
	default:
		query = query.Where("updated_at", "<", after.UpdatedAt)
	}
	found, err := query.Documents(ctx).GetAll()
	if err != nil {
		return nil, firestoredb.Error(err, listing)
	}
	records := make([]sessions.Record, len(found))
	for i, document := range found {
		if records[i].Revision, err = read(document, &records[i], listing); err != nil {
			return nil, err
		}
	}
	return records, nil
}
