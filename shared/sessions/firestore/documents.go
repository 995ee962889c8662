package firestore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/sessions"
)

// The fields of each kind of document.
type (
	recordDocument struct {
		App       string    `firestore:"app"`
		User      string    `firestore:"user"`
		Session   string    `firestore:"session"`
		Epoch     string    `firestore:"epoch"`
		State     string    `firestore:"state"`
		Recent    string    `firestore:"recent"`
		NextSeq   int64     `firestore:"next_seq"`
		CreatedAt time.Time `firestore:"created_at"`
		UpdatedAt time.Time `firestore:"updated_at"`
		ExpireAt  time.Time `firestore:"expire_at"`
	}
	turnDocument struct {
		Epoch         string `firestore:"epoch"`
		FirstSeq      int64  `firestore:"first_seq"`
		LastSeq       int64  `firestore:"last_seq"`
		RequestSHA256 string `firestore:"request_sha256"`
	}
	scopeDocument struct {
		State string `firestore:"state"`
	}
	eventDocument struct {
		Seq  int64  `firestore:"seq"`
		JSON string `firestore:"json"`
	}
)

func recordFields(r sessions.Record) map[string]any {
	return map[string]any{
		"app": r.App, "user": r.User, "session": r.Session, "epoch": r.Epoch, "state": r.State, "recent": r.Recent,
		"next_seq": r.NextSeq, "created_at": r.CreatedAt, "updated_at": r.UpdatedAt, "expire_at": r.ExpireAt,
	}
}

// read hands the fields of a document on, with its revision, if it is there.
func read[Fields any](document *firestore.DocumentSnapshot, to func(d Fields, revision string)) error {
	if !document.Exists() {
		return nil
	}
	var d Fields
	err := document.DataTo(&d)
	to(d, document.UpdateTime.UTC().Format(time.RFC3339Nano))
	return err
}

func readRecord(document *firestore.DocumentSnapshot, into *sessions.Record) error {
	return read(document, func(d recordDocument, revision string) {
		*into = sessions.Record{
			Key: sessions.Key{App: d.App, User: d.User, Session: d.Session}, Epoch: d.Epoch, State: d.State, Recent: d.Recent, NextSeq: d.NextSeq,
			CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(), ExpireAt: d.ExpireAt.UTC(), Revision: revision,
		}
	})
}

func readTurn(document *firestore.DocumentSnapshot, into *sessions.Turn) error {
	return read(document, func(d turnDocument, revision string) {
		into.Epoch, into.FirstSeq, into.LastSeq, into.RequestSHA256, into.Revision = d.Epoch, d.FirstSeq, d.LastSeq, d.RequestSHA256, revision
	})
}

func readScope(document *firestore.DocumentSnapshot, into *sessions.Scope) error {
	return read(document, func(d scopeDocument, revision string) { *into = sessions.Scope{State: d.State, Revision: revision} })
}

// List implements sessions.Store. For all users it asks user by user.
func (s *Store) List(ctx context.Context, app, user string, after sessions.Place, limit int) ([]sessions.Record, error) {
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
func (s *Store) list(ctx context.Context, user *firestore.DocumentRef, after sessions.Place, limit int) ([]sessions.Record, error) {
	collection := user.Collection("sessions")
	query := collection.Select("app", "user", "session", "epoch", "state", "next_seq", "created_at", "updated_at", "expire_at").
		OrderBy("updated_at", firestore.Desc).OrderBy(firestore.DocumentID, firestore.Desc).Limit(limit)
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
		if err := readRecord(document, &records[i]); err != nil {
			return nil, errs.Wrap(errs.Internal, err, listing+": the database holds something else there")
		}
	}
	return records, nil
}
