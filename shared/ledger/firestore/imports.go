package firestore

import (
	"context"

	"cloud.google.com/go/firestore"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
)

func (s *Store) imported(executionID string) *firestore.DocumentRef {
	return s.client.Collection("imports").Doc(executionID)
}

func (s *Store) layout(header string) *firestore.DocumentRef {
	return s.client.Collection("layouts").Doc(header)
}

// NoteImport implements ledger.Store.
func (s *Store) NoteImport(ctx context.Context, note ledger.Import) (ledger.Import, error) {
	note = note.Rounded()
	there := errs.New(errs.Conflict, "somebody has imported the result of %s already", note.ExecutionID)
	c := s.commit("cannot note the import of " + note.ExecutionID)
	if !c.check(note.ExecutionID) {
		return ledger.Import{}, c.Err()
	}
	c.Create(s.imported(note.ExecutionID), c.Fields(note))
	_, err := c.Run(ctx, there, nil)
	if errs.KindOf(err) != errs.Conflict {
		return note, err
	}
	found, err := s.Imports(ctx, note.ExecutionID)
	return found[note.ExecutionID], err
}

// Imports implements ledger.Store.
func (s *Store) Imports(ctx context.Context, executionIDs ...string) (map[string]ledger.Import, error) {
	const what = "cannot read what was imported"
	found := map[string]ledger.Import{}
	var documents []*firestore.DocumentRef
	for _, id := range executionIDs {
		if err := ledger.CheckID(id); err != nil {
			return nil, err
		}
		documents = append(documents, s.imported(id))
	}
	if len(documents) == 0 {
		return found, nil
	}
	read, err := firestoredb.Get(ctx, s.client, what, documents...)
	if err != nil {
		return nil, err
	}
	for _, snapshot := range read {
		if !snapshot.Exists() {
			continue
		}
		var note ledger.Import
		if err := firestoredb.Decode(snapshot.Data(), &note, what); err != nil {
			return nil, err
		}
		found[note.ExecutionID] = note
	}
	return found, nil
}

// PutLayout implements ledger.Store.
func (s *Store) PutLayout(ctx context.Context, layout ledger.Layout) error {
	c := s.commit("cannot keep the settings of a header")
	if !c.check(layout.Header) {
		return c.Err()
	}
	c.Set(s.layout(layout.Header), c.Fields(layout.Rounded()))
	_, err := c.Run(ctx, nil, nil)
	return err
}

// Layout implements ledger.Store.
func (s *Store) Layout(ctx context.Context, header string) (layout ledger.Layout, err error) {
	const what = "cannot read the settings of a header"
	if err := ledger.CheckID(header); err != nil {
		return layout, err
	}
	found, err := firestoredb.Get(ctx, s.client, what, s.layout(header))
	if err != nil {
		return layout, err
	}
	if !found[0].Exists() {
		return layout, errs.New(errs.NotFound, "nobody has said how tables with this header are read")
	}
	return layout, firestoredb.Decode(found[0].Data(), &layout, what)
}
