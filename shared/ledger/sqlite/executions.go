package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/internal/cursor"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func (s *Store) CreateExecution(ctx context.Context, first ledger.Execution) (ledger.Execution, error) {
	if err := ledger.CheckID(first.ExecutionID); err != nil {
		return ledger.Execution{}, err
	}
	what := "cannot claim execution " + first.ExecutionID
	first = first.Rounded()
	document, err := encode(first, what)
	if err != nil {
		return ledger.Execution{}, err
	}
	there := errs.New(errs.Conflict, "there is an execution %s already", first.ExecutionID)
	if err := sqlitedb.Once(there, what)(s.db.ExecContext(ctx, `INSERT INTO execution_records
		(execution_id, revision, status, created_at, due_at, post_at, input_crc32c, document)
		VALUES (?, 1, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		first.ExecutionID, first.Status, sqlitedb.Instant(first.CreatedAt), dueAt(first.DueAt),
		dueAt(first.PostAt()), inputOf(first), document)); err != nil {
		return ledger.Execution{}, err
	}
	first.Revision = revision(1)
	return first, nil
}

func (s *Store) Execution(ctx context.Context, executionID string) (ledger.Execution, error) {
	if err := ledger.CheckID(executionID); err != nil {
		return ledger.Execution{}, err
	}
	missing := errs.New(errs.NotFound, "there is no execution %s", executionID)
	return sqlitedb.One(
		ctx,
		s.db,
		missing,
		"cannot read execution "+executionID,
		scanExecution,
		selectExecutions+` WHERE execution_id = ?`,
		executionID,
	)
}

// Snapshot implements ledger.Store: one statement sees one moment.
func (s *Store) Snapshot(ctx context.Context, executionID, uploadID string) (ledger.Snapshot, error) {
	if err := errors.Join(ledger.CheckID(executionID), ledger.CheckID(uploadID)); err != nil {
		return ledger.Snapshot{}, err
	}
	what := "cannot read execution " + executionID
	var number sql.NullInt64
	var record, outcome sql.NullString
	err := s.db.QueryRowContext(ctx, `SELECT
		(SELECT revision FROM execution_records WHERE execution_id = ?1),
		(SELECT document FROM execution_records WHERE execution_id = ?1),
		(SELECT document FROM audit_documents WHERE execution_id = ?1 AND upload_id = ?2)`, executionID, uploadID).
		Scan(&number, &record, &outcome)
	if err != nil {
		return ledger.Snapshot{}, sqlitedb.Error(err, "%s", what)
	}
	var found ledger.Snapshot
	if record.Valid {
		found.Execution = &ledger.Execution{Revision: revision(number.Int64)}
		err = errors.Join(err, decode(record.String, found.Execution, what))
	}
	if outcome.Valid {
		found.Outcome = new(ledger.AuditDocument)
		err = errors.Join(err, decode(outcome.String, found.Outcome, what))
	}
	return found, err
}

func (s *Store) UpdateExecution(
	ctx context.Context, next ledger.Execution, with ledger.Settlement,
) (ledger.Execution, error) {
	if with.Outcome == nil && with.Changes == nil && with.Plan == nil && with.Also == nil &&
		with.Posting == nil {
		return s.replace(ctx, s.db, next)
	}
	var updated ledger.Execution
	what := "cannot record the outcome of execution " + next.ExecutionID
	err := sqlitedb.Update(ctx, s.db, what, func(tx *sql.Tx) (err error) {
		if updated, err = s.replace(ctx, tx, next); err == nil && with.Outcome != nil {
			err = createOutcome(ctx, tx, *with.Outcome)
		}
		if err == nil && with.Plan != nil {
			err = createPlan(ctx, tx, *with.Plan)
		}
		if err == nil && with.Posting != nil {
			err = createPosting(ctx, tx, *with.Posting)
		}
		if err == nil && with.Also != nil {
			_, err = s.replace(ctx, tx, *with.Also)
		}
		if err == nil {
			err = s.putWith(ctx, tx, next.ExecutionID, with.Changes)
		}
		return err
	})
	if err != nil {
		return ledger.Execution{}, err
	}
	return updated, nil
}

func (s *Store) replace(ctx context.Context, to writer, next ledger.Execution) (ledger.Execution, error) {
	if err := ledger.CheckID(next.ExecutionID); err != nil {
		return ledger.Execution{}, err
	}
	what := "cannot update execution " + next.ExecutionID
	stale := errs.New(errs.Stale, "execution %s was changed meanwhile", next.ExecutionID)
	read := number(next.Revision)
	next = next.Rounded()
	document, err := encode(next, what)
	if err != nil {
		return ledger.Execution{}, err
	}
	if err := sqlitedb.Once(stale, what)(to.ExecContext(ctx, `UPDATE execution_records
		SET revision = revision + 1, status = ?, created_at = ?, due_at = ?, post_at = ?, input_crc32c = ?, document = ?
		WHERE execution_id = ? AND revision = ?`,
		next.Status, sqlitedb.Instant(next.CreatedAt), dueAt(next.DueAt), dueAt(next.PostAt()), inputOf(next),
		document, next.ExecutionID, read)); err != nil {
		return ledger.Execution{}, err
	}
	next.Revision = revision(read + 1)
	return next, nil
}

// ExecutionsOn implements ledger.Store.
func (s *Store) ExecutionsOn(ctx context.Context, input ledger.File) ([]ledger.Execution, error) {
	found, err := sqlitedb.Collect(
		ctx,
		s.db,
		listing,
		scanExecution,
		selectExecutions+` WHERE input_crc32c = ? LIMIT ?`,
		input.CRC32C,
		paging.MaxSize,
	)
	return slices.DeleteFunc(found, func(e ledger.Execution) bool {
		return e.Seal == nil || e.Seal.Input.Size != input.Size
	}), err
}

// executionPlace is where a page of executions ended, in the order of a time and the id.
type executionPlace struct {
	At          string `json:"at"`
	ExecutionID string `json:"execution_id"`
}

func (s *Store) Executions(
	ctx context.Context, status ledger.Status, page paging.Page,
) (paging.List[ledger.Execution], error) {
	if err := status.Validate(); err != nil && status != "" {
		return paging.List[ledger.Execution]{}, errs.New(errs.Invalid, "%s", err)
	}
	query, args := executionsNewest, []any{}
	if status != "" {
		query, args = executionsNewestByStatus, []any{status}
	}
	return list(ctx, s.db, listing, "executions/"+string(status), executionPlace{At: last}, page,
		scanExecution, func(last ledger.Execution) executionPlace {
			return executionPlace{sqlitedb.Instant(last.CreatedAt), last.ExecutionID}
		}, query, args...)
}

func (s *Store) Due(
	ctx context.Context, at time.Time, page paging.Page,
) (paging.List[ledger.Execution], error) {
	return list(ctx, s.db, listing, "due", executionPlace{}, page, scanExecution,
		func(last ledger.Execution) executionPlace {
			return executionPlace{sqlitedb.Instant(last.DueAt), last.ExecutionID}
		}, executionsDue, sqlitedb.Instant(at))
}

func (s *Store) PostsDue(
	ctx context.Context, at time.Time, page paging.Page,
) (paging.List[ledger.Execution], error) {
	return list(ctx, s.db, listing, "posts", executionPlace{}, page, scanExecution,
		func(last ledger.Execution) executionPlace {
			return executionPlace{sqlitedb.Instant(last.PostAt()), last.ExecutionID}
		}, postsDue, sqlitedb.Instant(at))
}

const listing = "cannot list the executions"

// list reads a page of a query whose first parameters are a place and a number of rows.
func list[T any](
	ctx context.Context,
	db *sql.DB,
	what, name string,
	first executionPlace,
	page paging.Page,
	scan func(sqlitedb.Row) (T, error),
	place func(T) executionPlace,
	query string,
	args ...any,
) (paging.List[T], error) {
	return cursor.Page(name, page, first, func(after executionPlace, limit int) ([]T, error) {
		args := append([]any{after.At, after.ExecutionID, limit}, args...)
		return sqlitedb.Collect(ctx, db, what, scan, query, args...)
	}, place)
}

const (
	selectExecutions = `SELECT revision, document FROM execution_records`
	executionsNewest = selectExecutions + `
		WHERE (created_at, execution_id) < (?1, ?2)
		ORDER BY created_at DESC, execution_id DESC LIMIT ?3`
	executionsNewestByStatus = selectExecutions + `
		WHERE status = ?4 AND (created_at, execution_id) < (?1, ?2)
		ORDER BY created_at DESC, execution_id DESC LIMIT ?3`
	executionsDue = selectExecutions + `
		WHERE due_at <= ?4 AND (due_at, execution_id) > (?1, ?2)
		ORDER BY due_at, execution_id LIMIT ?3`
	postsDue = selectExecutions + `
		WHERE post_at <= ?4 AND (post_at, execution_id) > (?1, ?2)
		ORDER BY post_at, execution_id LIMIT ?3`
)

// inputOf is the column by which records are found that are sealed with a table.
func inputOf(e ledger.Execution) (crc32c sql.NullInt64) {
	if e.Seal != nil {
		crc32c = sql.NullInt64{Int64: int64(e.Seal.Input.CRC32C), Valid: true}
	}
	return crc32c
}

// dueAt is a column by which records are found that are due.
func dueAt(at time.Time) sql.NullString {
	return sql.NullString{String: sqlitedb.Instant(at), Valid: !at.IsZero()}
}

func scanExecution(row sqlitedb.Row) (record ledger.Execution, err error) {
	var number int64
	_, err = scanDocument(row, &record, "cannot read an execution", &number)
	record.Revision = revision(number)
	return record, err
}
