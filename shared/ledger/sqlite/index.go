package sqlite

import (
	"context"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/changelog"
	"github.com/planwright/planwright/shared/sqlitedb"
)

// unindexed are the completed executions of whose changes files no rows were made yet.
const unindexed = selectExecutions + `
	WHERE status = 'completed' AND execution_id NOT IN (SELECT execution_id FROM indexed)`

// Indexed reports whether all changes of an execution are stored.
func (s *Store) Indexed(ctx context.Context, executionID string) (found bool, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM indexed WHERE execution_id = ?)`,
		executionID).Scan(&found)
	return found, sqlitedb.Error(err, "cannot look for the index of %s", executionID)
}

// Index stores the changes of all executions that are not indexed yet. It fails while one
// changes file is missing: a history without that execution would be a wrong one.
func (s *Store) Index(ctx context.Context) error { return s.index(ctx, unindexed) }

func (s *Store) index(ctx context.Context, query string, args ...any) error {
	if s.ChangesFile == nil {
		return nil
	}
	s.indexing.Lock()
	defer s.indexing.Unlock()
	waiting, err := sqlitedb.Collect(ctx, s.db, "cannot list the executions without an index",
		scanExecution, query, args...)
	if err != nil {
		return err
	}
	for _, record := range waiting {
		if err := s.indexOne(ctx, record); err != nil {
			return errs.Wrap(errs.KindOf(err), err, "The changes of execution %s stand in %s alone: %s",
				record.ExecutionID, record.Seal.Changes, errs.Message(err))
		}
	}
	return nil
}

// indexOne reads the changes file twice, so that nothing of an edited one is stored.
func (s *Store) indexOne(ctx context.Context, record ledger.Execution) error {
	for _, store := range []bool{false, true} {
		if err := s.readChanges(ctx, record, store); err != nil {
			return err
		}
	}
	_, err := s.db.ExecContext(ctx, `INSERT OR IGNORE INTO indexed (execution_id) VALUES (?)`,
		record.ExecutionID)
	return sqlitedb.Error(err, "cannot note the index of %s", record.ExecutionID)
}

// readChanges reads a changes file, and stores what is in it or not. Conflict: it is not
// as it was sealed.
func (s *Store) readChanges(ctx context.Context, record ledger.Execution, store bool) error {
	lost := errs.New(errs.Conflict, "put that file back as it was written.")
	file, err := s.ChangesFile(ctx, record.Seal.Changes)
	if errs.KindOf(err) == errs.NotFound {
		return lost
	} else if err != nil {
		return err
	}
	defer file.Close()
	documents := changelog.NewDocumentReader(file, record.ExecutionID, record.Seal.ExecutedAt)
	if store {
		err = s.putAll(ctx, record.ExecutionID, documents.All())
	} else {
		for _, err = range documents.All() {
		}
	}
	if errs.KindOf(err) == errs.Internal ||
		err == nil && documents.Recorded().SHA256 != record.Seal.Changes.SHA256 {
		return lost
	}
	return err
}
