package firestore

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
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
func (s *Store) PutChanges(ctx context.Context, executionID string, documents iter.Seq2[ledger.ChangeDocument, error]) error {
	if err := ledger.CheckID(executionID); err != nil {
		return err
	}
	flight, flying := errgroup.WithContext(ctx)
	flight.SetLimit(commitsInFlight)
	broken := s.cut(flying, executionID, documents, func(writes []firestoredb.Write) {
		flight.Go(func() error {
			_, err := firestoredb.Commit(flying, s.client, writes...)
			return firestoredb.Error(err, "cannot store the changes of %s", executionID)
		})
	})
	refused := flight.Wait()
	switch {
	case broken != nil:
		return broken
	case refused != nil:
		return refused
	default: // the caller's time may have ended between two commits
		return firestoredb.Error(ctx.Err(), "cannot store the changes of %s", executionID)
	}
}

// cut gathers documents into commits and hands them to send, until the
// context ends. Its error is one of the documents.
func (s *Store) cut(ctx context.Context, executionID string, documents iter.Seq2[ledger.ChangeDocument, error], send func([]firestoredb.Write)) error {
	var writes []firestoredb.Write
	gathered := 0
	for document, err := range documents {
		if err != nil {
			return err
		}
		write, size, err := s.putDocument(executionID, document, "cannot store the changes of "+executionID)
		if err != nil {
			return err
		}
		if len(writes) > 0 && gathered+size > commitBytes {
			send(writes)
			writes, gathered = nil, 0
		}
		if ctx.Err() != nil {
			return nil
		}
		writes, gathered = append(writes, write), gathered+size
	}
	if len(writes) > 0 {
		send(writes)
	}
	return nil
}

// putDocument prepares the writing of one document, and returns its size as JSON.
func (s *Store) putDocument(executionID string, document ledger.ChangeDocument, what string) (firestoredb.Write, int, error) {
	if document.ExecutionID != executionID || document.Number < 0 || document.Number >= ledger.MaxDocuments {
		return nil, 0, errs.New(errs.Internal, "%s: a change document is number %d of execution %.80q", what, document.Number, document.ExecutionID)
	}
	document = document.Rounded()
	list, skus, err := readArray(document.Changes)
	if err != nil {
		return nil, 0, errs.Wrap(errs.Internal, err, "%s: change document %d cannot be stored", what, document.Number)
	}
	fields := map[string]any{
		"number": int64(document.Number), "execution_id": document.ExecutionID, "executed_at": document.ExecutedAt,
		"skus": skus, "changes": list,
	}
	return firestoredb.Set(s.execution(executionID).Collection(changes).Doc(document.Name()), fields), len(document.Changes), nil
}

// readArray reads an array of changes, and the SKUs in it, each once. The client
// writes the fields of a type at half the cost of a map's.
func readArray(text json.RawMessage) (list []ledger.Change, skus []string, err error) {
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
