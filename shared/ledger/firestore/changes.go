package firestore

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/pricing"
	"golang.org/x/sync/errgroup"
)

const (
	// commitBytes bounds a commit by the size of its documents as JSON; one
	// document fits always. On the wire they take less than twice that, and
	// the emulator refuses a request above 4 MiB. In memory they take ten
	// times that, so more would not do.
	commitBytes = 1_000_000
	// commitsInFlight bounds memory and hides the time of a round trip.
	commitsInFlight = 3
)

// PutChanges implements ledger.Store. While commits are on their way the next
// documents are made; when enough are, making waits.
func (s *Store) PutChanges(
	ctx context.Context, executionID string, documents iter.Seq2[changelog.Document, error],
) error {
	if err := ledger.CheckID(executionID); err != nil {
		return err
	}
	what := "cannot store the changes of " + executionID
	flight, flying := errgroup.WithContext(ctx)
	flight.SetLimit(commitsInFlight)
	send := func(c commit) {
		flight.Go(func() error {
			_, err := c.Run(flying, nil, nil)
			return err
		})
	}
	broken := s.cut(flying, executionID, what, documents, send)
	refused := flight.Wait()
	switch {
	case broken != nil:
		return broken
	case refused != nil:
		return refused
	default: // the caller's time may have ended between two commits
		return firestoredb.Error(ctx.Err(), "%s", what)
	}
}

// cut gathers documents into commits and hands them to send, until the
// context ends. Its error is one of the documents.
func (s *Store) cut(
	ctx context.Context,
	executionID, what string,
	documents iter.Seq2[changelog.Document, error],
	send func(commit),
) error {
	next, gathered := s.commit(what), 0
	for document, err := range documents {
		if err != nil {
			return err
		}
		size := len(document.Changes)
		if gathered > 0 && gathered+size > commitBytes {
			send(next)
			next, gathered = s.commit(what), 0
		}
		if ctx.Err() != nil {
			return nil
		}
		if next.putDocument(executionID, document); next.Err() != nil {
			return next.Err()
		}
		gathered += size
	}
	if gathered > 0 {
		send(next)
	}
	return nil
}

// putDocument adds the writing of one document.
func (c commit) putDocument(executionID string, document changelog.Document) {
	if document.ExecutionID != executionID || document.Number < 0 ||
		document.Number >= changelog.MaxDocuments {
		c.Fail(errs.New(errs.Internal, "%s: a change document is number %d of execution %.80q",
			c.What, document.Number, document.ExecutionID))
		return
	}
	document = document.Rounded()
	list, skus, err := readArray(document.Changes)
	if err != nil {
		c.Fail(errs.Wrap(errs.Internal, err, "%s: change document %d cannot be stored",
			c.What, document.Number))
	}
	fields := map[string]any{
		"number":       int64(document.Number),
		"execution_id": document.ExecutionID,
		"executed_at":  document.ExecutedAt,
		"skus":         skus,
		"changes":      list,
	}
	c.Set(c.store.execution(executionID).Collection(changes).Doc(document.Name()), fields)
}

// readArray reads an array of changes, and the SKUs in it, each once. The client
// writes the fields of a type at half the cost of a map's.
func readArray(text json.RawMessage) (list []pricing.Change, skus []string, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // a field that is not here would be lost
	if err := decoder.Decode(&list); err != nil {
		return nil, nil, err
	}
	seen := make(map[string]bool, len(list))
	for _, change := range list {
		if !seen[change.SKU] {
			seen[change.SKU] = true
			skus = append(skus, change.SKU)
		}
	}
	return list, skus, nil
}
