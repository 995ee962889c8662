package sqlite

import (
	"context"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
	"github.com/planwright/planwright/shared/sqlitedb"
)

func createPosting(ctx context.Context, to writer, p postings.Posting) error {
	if err := ledger.CheckID(p.ExecutionID); err != nil {
		return err
	}
	what := "cannot store the posting of " + p.ExecutionID
	p = p.Rounded()
	document, err := encode(p, what)
	if err != nil {
		return err
	}
	there := errs.New(errs.Conflict, "there is a posting of %s already", p.ExecutionID)
	return sqlitedb.Once(there, what)(to.ExecContext(ctx, `INSERT INTO postings
		(execution_id, revision, created_at, due_at, document) VALUES (?, 1, ?, ?, ?) ON CONFLICT DO NOTHING`,
		p.ExecutionID, sqlitedb.Instant(p.CreatedAt), dueAt(p.DueAt), document))
}

const selectPostings = `SELECT revision, document FROM postings`

func (s *Store) Posting(ctx context.Context, executionID string) (postings.Posting, error) {
	if err := ledger.CheckID(executionID); err != nil {
		return postings.Posting{}, err
	}
	missing := errs.New(errs.NotFound, "there is no posting of %s", executionID)
	return sqlitedb.One(
		ctx,
		s.db,
		missing,
		"cannot read the posting of "+executionID,
		scanPosting,
		selectPostings+` WHERE execution_id = ?`,
		executionID,
	)
}

func (s *Store) UpdatePosting(ctx context.Context, next postings.Posting) (postings.Posting, error) {
	if err := ledger.CheckID(next.ExecutionID); err != nil {
		return postings.Posting{}, err
	}
	what := "cannot update the posting of " + next.ExecutionID
	read := number(next.Revision)
	next = next.Rounded()
	document, err := encode(next, what)
	if err != nil {
		return postings.Posting{}, err
	}
	stale := errs.New(errs.Stale, "the posting of %s was changed meanwhile", next.ExecutionID)
	if err := sqlitedb.Once(stale, what)(s.db.ExecContext(ctx, `UPDATE postings
		SET revision = revision + 1, due_at = ?, document = ? WHERE execution_id = ? AND revision = ?`,
		dueAt(next.DueAt), document, next.ExecutionID, read)); err != nil {
		return postings.Posting{}, err
	}
	next.Revision = revision(read + 1)
	return next, nil
}

func (s *Store) PostingsDue(
	ctx context.Context, at time.Time, page paging.Page,
) (paging.List[postings.Posting], error) {
	return list(ctx, s.db, listingPostings, "postings due", executionPlace{}, page, scanPosting,
		func(last postings.Posting) executionPlace {
			return executionPlace{sqlitedb.Instant(last.DueAt), last.ExecutionID}
		}, postingsDue, sqlitedb.Instant(at))
}

func (s *Store) Postings(ctx context.Context, page paging.Page) (paging.List[postings.Posting], error) {
	return list(ctx, s.db, listingPostings, "postings", executionPlace{At: last}, page, scanPosting,
		func(last postings.Posting) executionPlace {
			return executionPlace{sqlitedb.Instant(last.CreatedAt), last.ExecutionID}
		}, postingsNewest)
}

const (
	listingPostings = "cannot list the postings"
	postingsDue     = selectPostings + `
		WHERE due_at <= ?4 AND (due_at, execution_id) > (?1, ?2)
		ORDER BY due_at, execution_id LIMIT ?3`
	postingsNewest = selectPostings + `
		WHERE (created_at, execution_id) < (?1, ?2)
		ORDER BY created_at DESC, execution_id DESC LIMIT ?3`
)

func scanPosting(row sqlitedb.Row) (p postings.Posting, err error) {
	var number int64
	_, err = scanDocument(row, &p, "cannot read a posting", &number)
	p.Revision = revision(number)
	return p, err
}

func (s *Store) ShopLease(ctx context.Context, shop string) (postings.ShopLease, error) {
	const what = "cannot read who talks to the shop"
	found, err := sqlitedb.Collect(ctx, s.db, what, func(row sqlitedb.Row) (l postings.ShopLease, err error) {
		var number int64
		err = row.Scan(&l.Shop, &number, &l.Holder, sqlitedb.Time{Into: &l.Until})
		l.Revision = revision(number)
		return l, sqlitedb.Error(err, what)
	}, `SELECT shop, revision, holder, until FROM shop_leases WHERE shop = ?`, shop)
	if err != nil || len(found) == 0 {
		return postings.ShopLease{Shop: shop}, err
	}
	return found[0], nil
}

func (s *Store) PutShopLease(ctx context.Context, next postings.ShopLease) (postings.ShopLease, error) {
	const what = "cannot note who talks to the shop"
	changed := errs.New(errs.Stale, "another has taken the shop meanwhile")
	next.Until = next.Until.UTC().Truncate(time.Microsecond)
	read := number(next.Revision)
	statement := `UPDATE shop_leases SET revision = revision + 1, holder = ?2, until = ?3 WHERE shop = ?1 AND revision = ?4`
	if next.Revision == "" {
		statement = `INSERT INTO shop_leases (shop, revision, holder, until) VALUES (?1, ?4 + 1, ?2, ?3) ON CONFLICT DO NOTHING`
	}
	if err := sqlitedb.Once(changed, what)(s.db.ExecContext(ctx, statement, next.Shop, next.Holder,
		sqlitedb.Instant(next.Until), read)); err != nil {
		return postings.ShopLease{}, err
	}
	next.Revision = revision(read + 1)
	return next, nil
}
