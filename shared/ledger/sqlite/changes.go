package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"iter"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/ledger/internal/cursor"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// batchBytes of changes, some 5,000, make a transaction: enough for the sync at
// its end not to matter, few enough for other writers not to wait long.
const batchBytes = 700_000

// PutChanges implements ledger.Store. No transaction is open while the next
// document is made: making it may take long, or read this very file.
func (s *Store) PutChanges(
	ctx context.Context, executionID string, documents iter.Seq2[changelog.Document, error],
) error {
	if err := ledger.CheckID(executionID); err != nil || s.ChangesFile != nil {
		return err
	}
	return s.putAll(ctx, executionID, documents)
}

// putWith stores the changes that ride along with a commit.
func (s *Store) putWith(
	ctx context.Context, to writer, executionID string, documents []changelog.Document,
) error {
	if s.ChangesFile != nil {
		return nil
	}
	return s.putChanges(ctx, to, executionID, documents)
}

func (s *Store) putAll(
	ctx context.Context, executionID string, documents iter.Seq2[changelog.Document, error],
) error {
	var batch []changelog.Document
	size := 0
	for document, err := range documents {
		if err != nil {
			return err
		}
		batch, size = append(batch, document), size+len(document.Changes)
		if size >= batchBytes {
			if err := s.putBatch(ctx, executionID, batch); err != nil {
				return err
			}
			batch, size = nil, 0
		}
	}
	return s.putBatch(ctx, executionID, batch)
}

func (s *Store) putBatch(ctx context.Context, executionID string, batch []changelog.Document) error {
	if len(batch) == 0 {
		return nil
	}
	return sqlitedb.Update(ctx, s.db, "cannot store the changes of "+executionID, func(tx *sql.Tx) error {
		return s.putChanges(ctx, tx, executionID, batch)
	})
}

// putChanges hands each document to SQLite whole: one statement a document
// takes a fraction of the time of one a change.
func (s *Store) putChanges(
	ctx context.Context, to writer, executionID string, documents []changelog.Document,
) error {
	what := "cannot store the changes of " + executionID
	for _, document := range documents {
		if document.ExecutionID != executionID {
			return errs.New(errs.Internal, "%s: a change document is of execution %.80q",
				what, document.ExecutionID)
		}
		_, err := to.ExecContext(ctx, `DELETE FROM changes WHERE execution_id = ? AND number = ?`,
			executionID, document.Number)
		if err != nil {
			return sqlitedb.Error(err, "%s", what)
		}
		_, err = to.ExecContext(ctx, `INSERT INTO changes
			SELECT ?1, ?2, value ->> '$.row', ?3, value ->> '$.sku', value -> '$.operation_ids', value -> '$.before', value -> '$.after'
			FROM json_each(?4)`, executionID, document.Number, sqlitedb.Instant(document.ExecutedAt), string(document.Changes))
		if err != nil {
			return sqlitedb.Error(err, "%s", what)
		}
	}
	return nil
}

// changePlace is where a page of changes ended. The order of the changes of
// one execution is that of number and row.
type changePlace struct {
	ExecutedAt  string `json:"executed_at,omitempty"`
	ExecutionID string `json:"execution_id,omitempty"`
	Number      int    `json:"number"`
	Row         int64  `json:"row"`
}

// storedChange is a row of the table changes.
type storedChange struct {
	changelog.SKUChange
	number int
}

// Only a completed execution has changed anything.
const (
	selectChanges = `SELECT changes.execution_id, changes.executed_at, number, row, sku, operation_ids, before, after
		FROM changes JOIN execution_records USING (execution_id)
		WHERE status = 'completed'`
	changesOfExecution = selectChanges + `
		AND execution_id = ?1 AND (number, row) > (?4, ?5)
		ORDER BY number, row LIMIT ?6`
	changesOfSKU = selectChanges + `
		AND sku = ?1 AND changes.executed_at <= ?2
		AND ((changes.executed_at, execution_id) < (?2, ?3)
			OR (changes.executed_at, execution_id) = (?2, ?3) AND (number, row) > (?4, ?5))
		ORDER BY changes.executed_at DESC, execution_id DESC, number, row LIMIT ?6`
)

func (s *Store) Changes(
	ctx context.Context, executionID string, page paging.Page,
) (paging.List[pricing.Change], error) {
	if err := ledger.CheckID(executionID); err != nil {
		return paging.List[pricing.Change]{}, err
	}
	if err := s.index(ctx, unindexed+` AND execution_id = ?`, executionID); err != nil {
		return paging.List[pricing.Change]{}, err
	}
	found, err := s.changes(
		ctx, "changes/"+executionID, changePlace{Number: -1}, page, changesOfExecution, executionID,
	)
	return paging.Each(found, func(c storedChange) pricing.Change { return c.Change }), err
}

func (s *Store) SKUChanges(
	ctx context.Context, sku string, page paging.Page,
) (paging.List[changelog.SKUChange], error) {
	if err := s.Index(ctx); err != nil {
		return paging.List[changelog.SKUChange]{}, err
	}
	found, err := s.changes(ctx, "skus/"+sku, changePlace{ExecutedAt: last}, page, changesOfSKU, sku)
	return paging.Each(found, func(c storedChange) changelog.SKUChange { return c.SKUChange }), err
}

// changes reads a page of a list of changes, which are those of a thing.
func (s *Store) changes(
	ctx context.Context, list string, first changePlace, page paging.Page, query, of string,
) (paging.List[storedChange], error) {
	return cursor.Page(list, page, first, func(after changePlace, limit int) ([]storedChange, error) {
		return sqlitedb.Collect(ctx, s.db, "cannot list changes", scanChange, query,
			of, after.ExecutedAt, after.ExecutionID, after.Number, after.Row, limit)
	}, func(last storedChange) changePlace {
		return changePlace{sqlitedb.Instant(last.ExecutedAt), last.ExecutionID, last.number, last.Row}
	})
}

func scanChange(row sqlitedb.Row) (c storedChange, err error) {
	const what = "cannot read a change"
	var operations, before, after string
	if err := row.Scan(&c.ExecutionID, sqlitedb.Time{Into: &c.ExecutedAt}, &c.number, &c.Row, &c.SKU,
		&operations, &before, &after); err != nil {
		return c, sqlitedb.Error(err, what)
	}
	return c, cmp.Or(decode(operations, &c.OperationIDs, what), decode(before, &c.Before, what),
		decode(after, &c.After, what))
}
