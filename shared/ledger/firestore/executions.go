package firestore

import (
	"context"
	"errors"
	"slices"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/firestoredb"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/internal/cursor"
	"github.com/planwright/planwright/shared/ledger/paging"
)

func (s *Store) CreateExecution(ctx context.Context, first ledger.Execution) (_ ledger.Execution, err error) {
	c := s.commit("cannot claim execution " + first.ExecutionID)
	if !c.check(first.ExecutionID) {
		return ledger.Execution{}, c.Err()
	}
	first = first.Rounded()
	c.Create(s.execution(first.ExecutionID), c.recordFields(first))
	if first.Revision, err = c.Run(ctx,
		errs.New(errs.Conflict, "there is an execution %s already", first.ExecutionID), nil); err != nil {
		return ledger.Execution{}, err
	}
	return first, nil
}

func (s *Store) Execution(ctx context.Context, executionID string) (ledger.Execution, error) {
	return get(ctx, s, executionID, "execution "+executionID, s.execution, readExecution)
}

// get reads the document of an execution id, which is called thing.
func get[T any](
	ctx context.Context,
	s *Store,
	executionID, thing string,
	document func(string) *firestore.DocumentRef,
	read func(*firestore.DocumentSnapshot) (T, error),
) (none T, err error) {
	if err := ledger.CheckID(executionID); err != nil {
		return none, err
	}
	found, err := firestoredb.Get(ctx, s.client, "cannot read "+thing, document(executionID))
	if err != nil {
		return none, err
	}
	if !found[0].Exists() {
		return none, errs.New(errs.NotFound, "there is no %s", thing)
	}
	return read(found[0])
}

// Snapshot implements ledger.Store. Firestore promises of one batch read that no
// document in it changed between its own reading and the last one's.
func (s *Store) Snapshot(ctx context.Context, executionID, uploadID string) (ledger.Snapshot, error) {
	if err := errors.Join(ledger.CheckID(executionID), ledger.CheckID(uploadID)); err != nil {
		return ledger.Snapshot{}, err
	}
	read, err := firestoredb.Get(ctx, s.client, "cannot read execution "+executionID,
		s.execution(executionID), s.outcome(executionID, uploadID))
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

func (s *Store) UpdateExecution(
	ctx context.Context, next ledger.Execution, with ledger.Settlement,
) (_ ledger.Execution, err error) {
	id := next.ExecutionID
	c := s.commit("cannot update execution " + id)
	if with.Outcome != nil {
		c.createOutcome(*with.Outcome)
	}
	if with.Plan != nil {
		c.createPlan(*with.Plan)
	}
	if with.Posting != nil {
		c.createPosting(*with.Posting)
	}
	if with.Also != nil {
		c.replaceExecution(*with.Also)
	}
	for _, document := range with.Changes {
		c.putDocument(id, document)
	}
	c.replaceExecution(next) // last: it tells of the others
	exists := errs.New(errs.Conflict,
		"an upload of execution %s has an outcome already, or its plan or posting is there", id)
	next = next.Rounded()
	if next.Revision, err = c.Run(ctx, exists, stale("execution "+id)); err != nil {
		return ledger.Execution{}, err
	}
	return next, nil
}

func (c commit) replaceExecution(next ledger.Execution) {
	if c.check(next.ExecutionID) {
		c.Replace(
			c.store.execution(next.ExecutionID),
			c.recordFields(next),
			next.Revision,
			stale("execution "+next.ExecutionID),
		)
	}
}

// recordVersion is the version of a record's fields. Who gives them another
// meaning, or adds one, raises it: for an older program, which knows nothing of
// them, would write the record back without them.
const recordVersion = 3

func (c commit) recordFields(e ledger.Execution) map[string]any {
	fields := c.Fields(e.Rounded())
	fields["record_version"] = recordVersion
	fields[postAt] = nil
	if at := e.PostAt(); !at.IsZero() {
		fields[postAt] = at
	}
	if e.Seal != nil { // which is not indexed itself
		fields[inputCRC32C] = int64(e.Seal.Input.CRC32C)
	}
	return fields
}

func (s *Store) Executions(
	ctx context.Context, status ledger.Status, page paging.Page,
) (paging.List[ledger.Execution], error) {
	if err := status.Validate(); err != nil && status != "" {
		return paging.List[ledger.Execution]{}, errs.New(errs.Invalid, "%s", err)
	}
	query := s.client.Collection(executions).OrderBy("created_at", firestore.Desc).OrderBy(
		firestore.DocumentID, firestore.Desc,
	)
	if status != "" {
		query = query.Where("status", "==", string(status))
	}
	return list(ctx, query, listing, "executions/"+string(status), page, readExecution,
		func(last ledger.Execution) executionPlace {
			return executionPlace{last.CreatedAt, last.ExecutionID}
		})
}

// Fields by which records are found that read a table, and that owe the webhook a notice.
const (
	inputCRC32C = "input_crc32c"
	postAt      = "post_at"
)

// ExecutionsOn implements ledger.Store.
func (s *Store) ExecutionsOn(ctx context.Context, input ledger.File) ([]ledger.Execution, error) {
	query := s.client.Collection(executions).Where(
		inputCRC32C, "==", int64(input.CRC32C),
	).Limit(paging.MaxSize)
	found, err := collect(ctx, query, listing, readExecution)
	return slices.DeleteFunc(found, func(e ledger.Execution) bool {
		return e.Seal == nil || e.Seal.Input.Size != input.Size
	}), err
}

// Due implements ledger.Store.
func (s *Store) Due(
	ctx context.Context, at time.Time, page paging.Page,
) (paging.List[ledger.Execution], error) {
	query := s.client.Collection(executions).Where("due_at", "<=", at).OrderBy(
		"due_at", firestore.Asc,
	).OrderBy(firestore.DocumentID, firestore.Asc)
	return list(ctx, query, listing, "due", page, readExecution, func(last ledger.Execution) executionPlace {
		return executionPlace{last.DueAt, last.ExecutionID}
	})
}

// PostsDue implements ledger.Store.
func (s *Store) PostsDue(
	ctx context.Context, at time.Time, page paging.Page,
) (paging.List[ledger.Execution], error) {
	query := s.client.Collection(executions).Where(postAt, "<=", at).OrderBy(postAt, firestore.Asc).OrderBy(
		firestore.DocumentID, firestore.Asc,
	)
	return list(ctx, query, listing, "posts", page, readExecution,
		func(last ledger.Execution) executionPlace {
			return executionPlace{last.PostAt(), last.ExecutionID}
		})
}

// executionPlace is where a page of plans or executions ended, in the order of a time and the id.
type executionPlace struct {
	At          time.Time `json:"at"`
	ExecutionID string    `json:"execution_id"`
}

const listing = "cannot list the executions"

// list reads a page of a query that is ordered by a time and the id.
func list[T any](
	ctx context.Context,
	query firestore.Query,
	what, name string,
	page paging.Page,
	read func(*firestore.DocumentSnapshot) (T, error),
	place func(T) executionPlace,
) (paging.List[T], error) {
	return cursor.Page(name, page, executionPlace{}, func(after executionPlace, limit int) ([]T, error) {
		if after.ExecutionID != "" {
			query = query.StartAfter(after.At, after.ExecutionID)
		}
		return collect(ctx, query.Limit(limit), what, read)
	}, place)
}

func readExecution(snapshot *firestore.DocumentSnapshot) (ledger.Execution, error) {
	record := ledger.Execution{Revision: firestoredb.Revision(snapshot.UpdateTime)}
	if version, _ := snapshot.Data()["record_version"].(int64); version > recordVersion {
		return record, errs.New(errs.Unavailable, "execution %s was written by a newer version of Planwright (record version %d, known here: %d): deploy that one", snapshot.Ref.ID, version, recordVersion)
	}
	return record, firestoredb.Decode(snapshot.Data(), &record, "cannot read execution "+snapshot.Ref.ID)
}

func collect[T any](
	ctx context.Context,
	query firestore.Query,
	what string,
	read func(*firestore.DocumentSnapshot) (T, error),
) ([]T, error) {
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
