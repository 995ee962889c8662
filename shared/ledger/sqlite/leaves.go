package sqlite

import (
	"context"
	"database/sql"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/merkle"
	"github.com/planwright/planwright/shared/sqlitedb"
)

var _ merkle.LeafStore = (*Store)(nil)

func (s *Store) Unlogged(ctx context.Context, limit int) ([]ledger.AuditDocument, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot list the outcomes without a leaf", scanAudit,
		`SELECT document FROM unlogged JOIN audit_documents USING (execution_id, upload_id) LIMIT ?`, limit)
}

func (s *Store) Tree(ctx context.Context) (merkle.Tree, error) {
	var tree merkle.Tree
	var number int64
	err := s.db.QueryRowContext(ctx, `SELECT revision, size, published, head FROM tree`).
		Scan(&number, &tree.Size, &tree.Published, &tree.Head)
	tree.Revision = revision(number)
	return tree, sqlitedb.Error(err, "cannot read the state of the tree")
}

func (s *Store) Grow(ctx context.Context, next merkle.Tree, leaves []merkle.Leaf) error {
	const what = "cannot write the state of the tree"
	stale := errs.New(errs.Stale, "the tree was changed meanwhile")
	return sqlitedb.Update(ctx, s.db, what, func(tx *sql.Tx) error {
		err := sqlitedb.Once(stale, what)(tx.ExecContext(ctx,
			`UPDATE tree SET revision = revision + 1, size = ?, published = ?, head = ?
			WHERE revision = ?`, next.Size, next.Published, next.Head, number(next.Revision)))
		for _, leaf := range leaves {
			if err == nil {
				err = sqlitedb.Once(stale, what)(tx.ExecContext(ctx,
					`DELETE FROM unlogged WHERE execution_id = ? AND upload_id = ?`,
					leaf.ExecutionID, leaf.UploadID))
			}
			if err == nil {
				err = sqlitedb.Once(stale, what)(tx.ExecContext(ctx,
					`INSERT INTO leaves (number, execution_id, upload_id, hash) VALUES (?, ?, ?, ?)`,
					leaf.Number, leaf.ExecutionID, leaf.UploadID, leaf.Hash))
			}
		}
		return err
	})
}

const selectLeaves = `SELECT number, execution_id, upload_id, hash FROM leaves `

func (s *Store) Leaves(ctx context.Context, from int64, limit int) ([]merkle.Leaf, error) {
	return sqlitedb.Collect(
		ctx,
		s.db,
		"cannot list the leaves",
		scanLeaf,
		selectLeaves+`WHERE number >= ? ORDER BY number LIMIT ?`,
		from,
		limit,
	)
}

func (s *Store) LeavesOf(ctx context.Context, executionID string) ([]merkle.Leaf, error) {
	return sqlitedb.Collect(ctx, s.db, "cannot list the leaves of "+executionID,
		scanLeaf, selectLeaves+`WHERE execution_id = ? ORDER BY number`, executionID)
}

func scanLeaf(row sqlitedb.Row) (leaf merkle.Leaf, err error) {
	err = row.Scan(&leaf.Number, &leaf.ExecutionID, &leaf.UploadID, &leaf.Hash)
	return leaf, sqlitedb.Error(err, "cannot read a leaf")
}
