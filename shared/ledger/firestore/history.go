package firestore

import (
	"context"
	"iter"
	"time"
	"unicode/utf8"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/internal/cursor"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/pricing"
)

// Change documents read at a time. One document holds more changes than most
// pages; of a SKU's history each holds few.
const (
	documentsOfExecution = 2
	documentsOfSKU       = 20
)

// maxIndexed is the longest text that Firestore finds in an index, in bytes; no SKU is as long.
const maxIndexed = 1500

// changePlace is where a page of changes ended. The order of the changes of
// one execution is that of number and row.
type changePlace struct {
	ExecutedAt  time.Time `json:"executed_at,omitzero"`
	ExecutionID string    `json:"execution_id"`
	Number      int       `json:"number"`
	Row         int64     `json:"row"`
}

// holds reports whether a change stands at the place or before it.
func (p changePlace) holds(document changeDocument, change pricing.Change) bool {
	return document.ExecutionID == p.ExecutionID && document.Number == p.Number && change.Row <= p.Row
}

// changeDocument is a change document as it is stored.
type changeDocument struct {
	Number      int              `json:"number"`
	ExecutionID string           `json:"execution_id"`
	ExecutedAt  time.Time        `json:"executed_at"`
	Changes     []pricing.Change `json:"changes"`
}

// storedChange is a change with its place in the documents.
type storedChange struct {
	changelog.SKUChange
	number int
	last   bool // in its document
}

// placeOf is the place of a change. Nothing is left of a document after its
// last one: the next page starts with the document after it.
func placeOf(c storedChange) changePlace {
	if c.last {
		return changePlace{c.ExecutedAt, c.ExecutionID, c.number + 1, 0}
	}
	return changePlace{c.ExecutedAt, c.ExecutionID, c.number, c.Row}
}

func (s *Store) Changes(
	ctx context.Context, executionID string, page paging.Page,
) (paging.List[pricing.Change], error) {
	if err := ledger.CheckID(executionID); err != nil {
		return paging.List[pricing.Change]{}, err
	}
	query := s.execution(executionID).Collection(changes).OrderBy(
		"number", firestore.Asc,
	).Limit(documentsOfExecution)
	key := func(p changePlace) []any { return []any{p.Number} }
	every := func(pricing.Change) bool { return true }
	found, err := s.changes(
		ctx, "changes/"+executionID, changePlace{ExecutionID: executionID}, page, query, key, every,
	)
	return paging.Each(found, func(c storedChange) pricing.Change { return c.Change }), err
}

// newest sorts before every change in the order of a history.
var newest = changePlace{ExecutedAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}

func (s *Store) SKUChanges(
	ctx context.Context, sku string, page paging.Page,
) (paging.List[changelog.SKUChange], error) {
	if len(sku) > maxIndexed || !utf8.ValidString(sku) {
		_, err := cursor.Place("skus/"+sku, page.Token, newest)
		return paging.List[changelog.SKUChange]{Items: []changelog.SKUChange{}}, err
	}
	query := s.client.CollectionGroup(changes).Where("skus", "array-contains", sku).
		OrderBy("executed_at", firestore.Desc).OrderBy("execution_id", firestore.Desc).OrderBy(
		"number", firestore.Asc,
	).
		Limit(documentsOfSKU)
	key := func(p changePlace) []any { return []any{p.ExecutedAt, p.ExecutionID, p.Number} }
	ofSKU := func(change pricing.Change) bool { return change.SKU == sku }
	found, err := s.changes(ctx, "skus/"+sku, newest, page, query, key, ofSKU)
	return paging.Each(found, func(c storedChange) changelog.SKUChange { return c.SKUChange }), err
}

// changes reads a page of a list of changes.
func (s *Store) changes(
	ctx context.Context,
	list string,
	first changePlace,
	page paging.Page,
	query firestore.Query,
	key func(changePlace) []any,
	matters func(pricing.Change) bool,
) (paging.List[storedChange], error) {
	return cursor.Page(list, page, first, func(after changePlace, limit int) ([]storedChange, error) {
		return s.changesAfter(ctx, query, key, after, limit, matters)
	}, placeOf)
}

// changesAfter returns up to limit changes of completed executions that
// matter and stand after a place, in the order of the query, which is that of key.
func (s *Store) changesAfter(
	ctx context.Context,
	query firestore.Query,
	key func(changePlace) []any,
	after changePlace,
	limit int,
	matters func(pricing.Change) bool,
) ([]storedChange, error) {
	found := []storedChange{}
	completed := map[string]bool{}
	for documents, err := range batches(ctx, query, key, after) {
		if err != nil {
			return nil, err
		}
		if err := s.readCompleted(ctx, documents, completed); err != nil {
			return nil, err
		}
		for _, document := range documents {
			for i, change := range document.Changes {
				if !completed[document.ExecutionID] || !matters(change) || after.holds(document, change) {
					continue
				}
				found = append(found, storedChange{
					changelog.SKUChange{
						ExecutionID: document.ExecutionID,
						ExecutedAt:  document.ExecutedAt,
						Change:      change,
					},
					document.Number, i == len(document.Changes)-1})
			}
		}
		if len(found) >= limit {
			return found[:limit], nil
		}
	}
	return found, nil
}

// batches yields the change documents from the one at a place on, as many at
// a time as the query's limit.
func batches(
	ctx context.Context, query firestore.Query, key func(changePlace) []any, from changePlace,
) iter.Seq2[[]changeDocument, error] {
	return func(yield func([]changeDocument, error) bool) {
		next := query.StartAt(key(from)...)
		for {
			documents, err := collect(ctx, next, "cannot list changes", readDocument)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(documents) == 0 || !yield(documents, nil) {
				return
			}
			last := documents[len(documents)-1]
			next = query.StartAfter(key(changePlace{last.ExecutedAt, last.ExecutionID, last.Number, 0})...)
		}
	}
}

// readCompleted notes, in one round trip, which executions of the documents
// have completed, as far as it is not known yet.
func (s *Store) readCompleted(
	ctx context.Context, documents []changeDocument, completed map[string]bool,
) error {
	var unknown []*firestore.DocumentRef
	for _, document := range documents {
		if _, known := completed[document.ExecutionID]; !known {
			completed[document.ExecutionID] = false
			unknown = append(unknown, s.execution(document.ExecutionID))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	records, err := firestoredb.Get(ctx, s.client, "cannot read which executions have completed", unknown...)
	if err != nil {
		return err
	}
	for _, record := range records {
		if record.Exists() {
			status, _ := record.DataAt("status")
			completed[record.Ref.ID] = status == string(ledger.Completed)
		}
	}
	return nil
}

func readDocument(snapshot *firestore.DocumentSnapshot) (changeDocument, error) {
	var document changeDocument
	return document, firestoredb.Decode(snapshot.Data(), &document, "cannot read a change document")
}
