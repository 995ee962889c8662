package postings

import (
	"context"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/paging"
)

// ShopLease is the right to talk to a shop: one at a time writes to it or reads it whole.
type ShopLease struct {
	Shop   string    `json:"shop"` // its URL
	Holder string    `json:"holder"`
	Until  time.Time `json:"lease_until"`

	Revision string `json:"-"` // "" where there is none yet
}

// Store is the part of a store that keeps postings.
type Store interface {
	// Posting reads a posting with its revision. NotFound: there is none.
	Posting(ctx context.Context, executionID string) (Posting, error)
	// UpdatePosting replaces the posting whose revision is next.Revision. Stale: it is
	// not at that revision, or there is none. Nothing is written then.
	UpdatePosting(ctx context.Context, next Posting) (Posting, error)
	// PostingsDue lists the postings whose due_at is not after a time, the one that
	// has been due longest first.
	PostingsDue(ctx context.Context, at time.Time, page paging.Page) (paging.List[Posting], error)
	// Postings lists all, the newest by created_at first.
	Postings(ctx context.Context, page paging.Page) (paging.List[Posting], error)

	// ShopLease reads the lease of a shop; the zero lease with its name where nobody had one.
	ShopLease(ctx context.Context, shop string) (ShopLease, error)
	// PutShopLease replaces the lease whose revision is next.Revision, or creates it
	// where that is "". Stale: it is not at that revision, or there is one already.
	PutShopLease(ctx context.Context, next ShopLease) (ShopLease, error)
}

// Forever is after every time at which a posting can be due.
var Forever = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)

// Open returns the postings that have something left to do.
func Open(ctx context.Context, store Store) (open []Posting, err error) {
	for page := (paging.Page{Size: paging.MaxSize}); ; {
		found, err := store.PostingsDue(ctx, Forever, page)
		if err != nil {
			return nil, err
		}
		open = append(open, found.Items...)
		if page.Token = found.NextPageToken; page.Token == "" {
			return open, nil
		}
	}
}

// Retry has everything that was refused tried again: all changes are gone through
// once more, and those that the shop holds are found to be so. Conflict: it is not
// posted yet, or nothing was refused.
func Retry(ctx context.Context, store Store, executionID string, at time.Time) (Posting, error) {
	posting, err := store.Posting(ctx, executionID)
	if err != nil {
		return posting, err
	}
	done := posting.Progress
	switch {
	case posting.IsOpen():
		return posting, errs.New(errs.Conflict,
			"The changes of %s are still being written to the shop. Try again when that is done.",
			executionID)
	case done.Refused+done.Gone+done.Differs+done.Stale == 0:
		return posting, errs.New(errs.Conflict,
			"The shop holds every price of %s: there is nothing to try again.", executionID)
	}
	posting.Status, posting.DueAt, posting.Left = Writes, at, []LeftRow{}
	posting.Tries, posting.Trouble = 0, ""
	posting.Progress = Progress{
		Batch:   done.Batch,
		FirstOf: done.Batch,
		Checked: done.Batch,
		Before:  done.Before + done.Written,
	}
	return store.UpdatePosting(ctx, posting)
}
