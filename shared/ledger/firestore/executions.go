package firestore

import (
	"context"
	"errors"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/internal/cursor"
)

func (s *Store) CreateExecution(ctx context.Context, first ledger.Execution) (ledger.Execution, error) {
	if err := ledger.CheckID(first.ExecutionID); err != nil {
		return ledger.Execution{}, err
	}
	what := "cannot claim execution " + first.ExecutionID
	first = first.Rounded()
	fields, err := recordFields(first, what)
	if err != nil {
		return ledger.Execution{}, err
	}
	updated, err := firestoredb.Commit(ctx, s.client, firestoredb.Create(s.execution(first.ExecutionID), fields))
	switch {
	case firestoredb.Exists(err):
		return ledger.Execution{}, errs.Wrap(errs.Conflict, err, "there is an execution %s already", first.ExecutionID)
	case err != nil:
		return ledger.Execution{}, firestoredb.Error(err, "%s", what)
	}
	first.Revision = revision(updated)
	return first, nil
}

func (s *Store) Execution(ctx context.Context, executionID string) (ledger.Execution, error) {
	if err := ledger.CheckID(executionID); err != nil {
		return ledger.Execution{}, err
	}
	found, err := firestoredb.Get(ctx, s.client, "cannot read execution "+executionID, s.execution(executionID))
	if err != nil {
		return ledger.Execution{}, err
	}
	if !found[0].Exists() {
		return ledger.Execution{}, errs.New(errs.NotFound, "there is no execution %s", executionID)
	}
	return readExecution(found[0])
}

// Snapshot implements ledger.Store. Firestore promises of one batch read that no
// document in it changed between its own reading and the last one's.
func (s *Store) Snapshot(ctx context.Context, executionID, uploadID string) (ledger.Snapshot, error) {
	if err := errors.Join(ledger.CheckID(executionID), ledger.CheckID(uploadID)); err != nil {
		return ledger.Snapshot{}, err
	}
	read, err := firestoredb.Get(ctx, s.client, "cannot read execution "+executionID, s.execution(executionID), s.outcome(executionID, uploadID))
	if err != nil {
		return ledger.Snapshot{}, err
	}
	var found ledger.Snapshot
	if read[0].Exists() {
		record, err := readExecution(read[0])
		if err != nil {
			return ledger.Snapshot{}, err
		}
		found.Execution = &record
	}
	if read[1].Exists() {
		outcome, err := readOutcome(read[1])
		if err != nil {
			return ledger.Snapshot{}, err
		}
		found.Outcome = &outcome
	}
	return found, nil
}

func (s *Store) UpdateExecution(ctx context.Context, next ledger.Execution, with ledger.Settlement) (ledger.Execution, error) {
	what := "cannot update execution " + next.ExecutionID
	update, err := s.replace(next, what)
	if err != nil {
		return ledger.Execution{}, err
	}
	settle, err := s.settlement(next.ExecutionID, with, what)
	if err != nil {
		return ledger.Execution{}, err
	}
	updated, err := firestoredb.Commit(ctx, s.client, append([]firestoredb.Write{update}, settle...)...)
	switch {
	case firestoredb.Exists(err):
		return ledger.Execution{}, errs.Wrap(errs.Conflict, err, "an upload of execution %s has an outcome already, or its plan is there", next.ExecutionID)
	case firestoredb.Changed(err):
		return ledger.Execution{}, errs.Wrap(errs.Stale, err, "execution %s was changed meanwhile", next.ExecutionID)
	case err != nil:
		return ledger.Execution{}, firestoredb.Error(err, "%s", what)
	}
	next = next.Rounded()
	next.Revision = revision(updated)
	return next, nil
}

func (s *Store) replace(next ledger.Execution, what string) (firestoredb.Write, error) {
	if err := ledger.CheckID(next.ExecutionID); err != nil {
		return nil, err
	}
	read, err := time.Parse(time.RFC3339Nano, next.Revision)
	if err != nil { // no record has had that revision
		return nil, errs.New(errs.Stale, "execution %s was changed meanwhile", next.ExecutionID)
	}
	fields, err := recordFields(next, what)
	if err != nil {
		return nil, err
	}
	return firestoredb.Update(s.execution(next.ExecutionID), fields, read), nil
}

// recordVersion is the version of a record's fields. Who gives them another
// meaning, or adds one, raises it: for an older program, which knows nothing of
// them, would write the record back without them.
const recordVersion = 1

// recordFields are those of a record. One that is never due has no time there,
// so that no query for what is due finds it.
func recordFields(e ledger.Execution, what string) (map[string]any, error) {
	fields, err := encode(e.Rounded(), what)
	if err != nil {
		return nil, err
	}
	fields["record_version"] = recordVersion
	if e.DueAt.IsZero() {
		fields["due_at"] = nil
	}
	return fields, nil
}

func (s *Store) settlement(executionID string, with ledger.Settlement, what string) ([]firestoredb.Write, error) {
	var writes []firestoredb.Write
	add := func(write firestoredb.Write, err error) error {
		writes = append(writes, write)
		return err
	}
	if with.Outcome != nil {
		if err := add(s.createOutcome(*with.Outcome)); err != nil {
			return nil, err
		}
	}
	if with.Plan != nil {
		if err := add(s.createPlan(*with.Plan, what)); err != nil {
			return nil, err
		}
	}
	if with.Also != nil {
		if err := add(s.replace(*with.Also, what)); err != nil {
			return nil, err
		}
	}
	if with.Message != nil {
		if err := add(s.putMessage(*with.Message, what)); err != nil {
			return nil, err
		}
	}
	for _, document := range with.Changes {
		put, _, err := s.putDocument(executionID, document, what)
		if err := add(put, err); err != nil {
			return nil, err
		}
	}
	return writes, nil
}

func (s *Store) Executions(ctx context.Context, status ledger.Status, page ledger.Page) (ledger.List[ledger.Execution], error) {
	if err := status.Validate(); err != nil && status != "" {
		return ledger.List[ledger.Execution]{}, errs.New(errs.Invalid, "%s", err)
	}
	query := s.client.Collection(executions).OrderBy("created_at", firestore.Desc).OrderBy(firestore.DocumentID, firestore.Desc)
	if status != "" {
		query = query.Where("status", "==", string(status))
	}
	return list(ctx, query, listing, "executions/"+string(status), page, readExecution, func(last ledger.Execution) executionPlace {
		return executionPlace{last.CreatedAt, last.ExecutionID}
	})
}

func (s *Store) Due(ctx context.Context, at time.Time, page ledger.Page) (ledger.List[ledger.Execution], error) {
	query := s.client.Collection(executions).Where("due_at", "<=", at).OrderBy("due_at", firestore.Asc).OrderBy(firestore.DocumentID, firestore.Asc)
	return list(ctx, query, listing, "due", page, readExecution, func(last ledger.Execution) executionPlace {
		return executionPlace{last.DueAt, last.ExecutionID}
	})
}

// executionPlace is where a page of plans or executions ended, in the order of a time and the id.
type executionPlace struct {
	At          time.Time `json:"at"`
	ExecutionID string    `json:"execution_id"`
}

const listing = "cannot list the executions"

// list reads a page of a query that is ordered by a time and the id.
func list[T any](ctx context.Context, query firestore.Query, what, name string, page ledger.Page, read func(*firestore.DocumentSnapshot) (T, error), place func(T) executionPlace) (ledger.List[T], error) {
	return cursor.Page(name, page, executionPlace{}, func(after executionPlace, limit int) ([]T, error) {
		if after.ExecutionID != "" {
			query = query.StartAfter(after.At, after.ExecutionID)
		}
		return collect(ctx, query.Limit(limit), what, read)
	}, place)
}

func readExecution(snapshot *firestore.DocumentSnapshot) (ledger.Execution, error) {
	record := ledger.Execution{Revision: revision(snapshot.UpdateTime)}
	if version, _ := snapshot.Data()["record_version"].(int64); version > recordVersion {
		return record, errs.New(errs.Unavailable, "execution %s was written by a newer version of Planwright (record version %d, known here: %d): deploy that one", snapshot.Ref.ID, version, recordVersion)
	}
	return record, decode(snapshot.Data(), &record, "cannot read execution "+snapshot.Ref.ID)
}

func revision(updated time.Time) string { return updated.UTC().Format(time.RFC3339Nano) }

func collect[T any](ctx context.Context, query firestore.Query, what string, read func(*firestore.DocumentSnapshot) (T, error)) ([]T, error) {
	ctx, cancel := context.WithTimeout(ctx, firestoredb.CallTimeout)
	defer cancel()
	snapshots, err := query.Documents(ctx).GetAll()
	if err != nil {
		return nil, firestoredb.Error(err, "%s", what)
	}
	found := make([]T, len(snapshots))
	for i, snapshot := range snapshots {
		if found[i], err = read(snapshot); err != nil {
			return nil, err
		}
	}
	return found, nil
}
