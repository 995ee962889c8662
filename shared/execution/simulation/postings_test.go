package simulation

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/postings"
)

func (s *store) putPosting(p postings.Posting) postings.Posting {
	s.puts++
	p = p.Rounded()
	p.Revision, p.Left = strconv.FormatInt(s.puts, 10), slices.Clone(p.Left)
	s.postings[p.ExecutionID] = p
	p.Left = slices.Clone(p.Left)
	return p
}

func (s *store) Posting(_ context.Context, id string) (postings.Posting, error) {
	if err := ledger.CheckID(id); err != nil {
		return postings.Posting{}, err
	}
	p, exists := s.postings[id]
	if !exists {
		return p, errs.New(errs.NotFound, "there is no posting of %s", id)
	}
	p.Left = slices.Clone(p.Left)
	return p, nil
}

func (s *store) UpdatePosting(_ context.Context, next postings.Posting) (postings.Posting, error) {
	if err := ledger.CheckID(next.ExecutionID); err != nil {
		return postings.Posting{}, err
	}
	if now, exists := s.postings[next.ExecutionID]; !exists || now.Revision != next.Revision {
		return postings.Posting{}, errs.New(errs.Stale, "the posting of %s was changed", next.ExecutionID)
	}
	return s.putPosting(next), nil
}

func (s *store) PostingsDue(_ context.Context, at time.Time, page paging.Page) (paging.List[postings.Posting], error) {
	due := func(p postings.Posting) bool { return !p.DueAt.IsZero() && !p.DueAt.After(at) }
	place := func(p postings.Posting) string { return p.DueAt.Format(time.RFC3339Nano) + p.ExecutionID }
	return s.postingsBy(page, due, func(a, b postings.Posting) int {
		return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ExecutionID, b.ExecutionID))
	}, place)
}

func (s *store) Postings(_ context.Context, page paging.Page) (paging.List[postings.Posting], error) {
	place := func(p postings.Posting) string { return p.CreatedAt.Format(time.RFC3339Nano) + p.ExecutionID }
	return s.postingsBy(page, func(postings.Posting) bool { return true }, func(a, b postings.Posting) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ExecutionID, a.ExecutionID))
	}, place)
}

// postingsBy is a page of some postings in an order; its token is the place of the last.
func (s *store) postingsBy(page paging.Page, is func(postings.Posting) bool, order func(a, b postings.Posting) int, place func(postings.Posting) string) (list paging.List[postings.Posting], err error) {
	for _, p := range s.postings {
		if is(p) {
			list.Items = append(list.Items, p)
		}
	}
	slices.SortFunc(list.Items, order)
	first := slices.IndexFunc(list.Items, func(p postings.Posting) bool { return place(p) == page.Token }) + 1
	list.Items = list.Items[first:]
	if limit := page.Limit(); len(list.Items) > limit {
		list.Items = list.Items[:limit]
		list.NextPageToken = place(list.Items[limit-1])
	}
	return list, nil
}

func (s *store) ShopLease(_ context.Context, shop string) (postings.ShopLease, error) {
	lease := s.leases[shop]
	lease.Shop = shop
	return lease, nil
}

func (s *store) PutShopLease(_ context.Context, next postings.ShopLease) (postings.ShopLease, error) {
	if s.leases[next.Shop].Revision != next.Revision {
		return postings.ShopLease{}, errs.New(errs.Stale, "another has taken the shop")
	}
	s.puts++
	next.Revision = strconv.FormatInt(s.puts, 10)
	next.Until = next.Until.UTC().Truncate(time.Microsecond)
	s.leases[next.Shop] = next
	return next, nil
}

// checkPosting: a posting is there from the commit that completes an execution over a
// table that was fetched, and never else.
func (w *world) checkPosting(id string, record ledger.Execution) {
	posting, exists := w.store.postings[id]
	owed := record.Status == ledger.Completed && record.Source.Shop != nil && record.Seal.Summary.RowsChanged > 0
	switch {
	case exists != owed:
		w.fail("%s is %s of a table of the shop %v, and that it has a posting is %t", id, record.Status, record.Source.Shop, exists)
	case exists && (posting.Rows != record.Seal.Summary.RowsChanged || posting.Shop != *record.Source.Shop):
		w.fail("the posting of %s is %+v", id, posting)
	}
	fetched := strings.HasPrefix(record.Source.Object, execution.HandedInFolder)
	if undone := w.store.records[record.Source.OutputOf]; record.Source.OutputOf != "" {
		fetched = undone.Source.Shop != nil
	}
	if fetched != (record.Source.Shop != nil) {
		w.fail("the table of %s is %s, of the shop %v", id, record.Source.Object, record.Source.Shop)
	}
}

func (s workerStore) Posting(ctx context.Context, id string) (p postings.Posting, err error) {
	err = s.w.Call("read posting", func() (err error) { p, err = s.Store.Posting(ctx, id); return err })
	return p, err
}

func (s workerStore) UpdatePosting(ctx context.Context, next postings.Posting) (p postings.Posting, err error) {
	err = s.w.Call("update posting", func() (err error) { p, err = s.Store.UpdatePosting(ctx, next); return err })
	return p, err
}

func (s workerStore) PostingsDue(ctx context.Context, at time.Time, page paging.Page) (list paging.List[postings.Posting], err error) {
	err = s.w.Call("postings due", func() (err error) { list, err = s.Store.PostingsDue(ctx, at, page); return err })
	return list, err
}

func (s workerStore) ShopLease(ctx context.Context, shop string) (l postings.ShopLease, err error) {
	err = s.w.Call("read the shop's lease", func() (err error) { l, err = s.Store.ShopLease(ctx, shop); return err })
	return l, err
}

func (s workerStore) PutShopLease(ctx context.Context, next postings.ShopLease) (l postings.ShopLease, err error) {
	err = s.w.Call("put the shop's lease", func() (err error) { l, err = s.Store.PutShopLease(ctx, next); return err })
	return l, err
}
