package ledger

import (
	"context"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/internal/stored"
	"github.com/planwright/planwright/shared/ledger/paging"
)

// SourceShop is the shop that a table was fetched from.
type SourceShop struct {
	URL      string `json:"url"`
	Currency string `json:"currency"` // of its prices when it was fetched
}

// PostingStatus is how far the writing to a shop has come.
type PostingStatus string

const (
	PostingWrites PostingStatus = "writing"  // batches are left to be written
	PostingChecks PostingStatus = "checking" // all is written, and read once more
	PostingPosted PostingStatus = "posted"   // done; what was left is listed
)

// Posting is what a completed execution still has to write to the shop that its table
// was fetched from. The commit that completes the execution creates it; from then on
// every change is one compare-and-set on its revision.
type Posting struct {
	ExecutionID string        `json:"execution_id"`
	Shop        SourceShop    `json:"shop"`
	CreatedAt   time.Time     `json:"created_at"`
	Rows        int64         `json:"rows"`           // that the execution changed
	After       string        `json:"after,omitzero"` // the execution that this one undoes, whose posting comes first
	Status      PostingStatus `json:"status"`
	// DueAt is when somebody should go on; zero where nothing is left to do.
	DueAt time.Time `json:"due_at"`
	// Progress is what the batches so far came to.
	Progress PostingProgress `json:"progress"`
	// Left are the first MaxLeftRows rows that were not written.
	Left []LeftRow `json:"left"`
	// Tries counts the runs since the last batch that ended, and Trouble says why the
	// last of them got no further.
	Tries   int    `json:"tries"`
	Trouble string `json:"trouble"`

	// Revision is the store's mark of this version of the posting.
	Revision string `json:"-"`
}

// PostingProgress is how far a posting has come. A pass goes through all changes; trying
// the refused rows again is another pass.
type PostingProgress struct {
	Batch     int   `json:"batch"`      // the number of the next batch; results have its name
	FirstOf   int   `json:"first_of"`   // the first batch of this pass
	Bytes     int64 `json:"bytes"`      // of the changes file that are done in this pass
	BatchRows int   `json:"batch_rows"` // how many rows the next batch has at most; 0: as a first one
	Checked   int   `json:"checked"`    // the next batch to be read once more

	Written int64 `json:"written"` // in this pass
	Already int64 `json:"already"` // held the new price when they were read
	Stale   int64 `json:"stale"`   // were edited since, and left as they are
	Refused int64 `json:"refused"`
	Gone    int64 `json:"gone"`
	Differs int64 `json:"differs"` // were written, and hold something else now
	// Before counts the rows that passes before this one wrote.
	Before int64 `json:"before"`
}

// Done counts the rows of this pass that have their result.
func (p PostingProgress) Done() int64 {
	return p.Written + p.Already + p.Stale + p.Refused + p.Gone
}

// MaxLeftRows is the most rows that a posting lists. Its results files have all of them.
const MaxLeftRows = 1000

// Why a row was left.
const (
	LeftStale   = "stale"
	LeftRefused = "refused"
	LeftGone    = "gone"
	LeftDiffers = "differs"
)

// LeftRow is a row that the shop does not hold as planned.
type LeftRow struct {
	Row    int64  `json:"row"`
	SKU    string `json:"sku"`
	Name   string `json:"name"`
	Result string `json:"result"` // stale, refused, gone or differs
	Wanted string `json:"wanted"` // the price or sale that was to be written
	Has    string `json:"has"`    // what the shop has
	Why    string `json:"why"`
}

// Rounded returns the posting with its times in UTC and whole microseconds.
func (p Posting) Rounded() Posting {
	p.CreatedAt, p.DueAt = stored.Time(p.CreatedAt), stored.Time(p.DueAt)
	return p
}

// IsOpen reports whether something is left to do.
func (p Posting) IsOpen() bool { return p.Status != PostingPosted }

// ShopLease is the right to talk to a shop: one at a time writes to it or reads it whole.
type ShopLease struct {
	Shop   string    `json:"shop"` // its URL
	Holder string    `json:"holder"`
	Until  time.Time `json:"lease_until"`

	Revision string `json:"-"` // "" where there is none yet
}

// PostingStore is the part of a store that keeps postings.
type PostingStore interface {
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

// OpenPostings returns the postings that have something left to do.
func OpenPostings(ctx context.Context, store PostingStore) (open []Posting, err error) {
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

// newPosting is what an execution owes the shop that its table was fetched from; nil
// where it owes nothing.
func newPosting(e Execution, undoes string) *Posting {
	if e.Source.Shop == nil || e.Seal.Summary.RowsChanged == 0 {
		return nil
	}
	return &Posting{
		ExecutionID: e.ExecutionID, Shop: *e.Source.Shop, CreatedAt: e.Seal.ExecutedAt,
		Rows: e.Seal.Summary.RowsChanged, After: undoes,
		Status: PostingWrites, DueAt: e.Seal.ExecutedAt, Left: []LeftRow{},
	}
}

// RetryPosting has everything that was refused tried again: all changes are gone through
// once more, and those that the shop holds are found to be so. Conflict: it is not
// posted yet, or nothing was refused.
func RetryPosting(ctx context.Context, store PostingStore, executionID string, at time.Time) (Posting, error) {
	posting, err := store.Posting(ctx, executionID)
	if err != nil {
		return posting, err
	}
	done := posting.Progress
	switch {
	case posting.IsOpen():
		return posting, errs.New(errs.Conflict, "The changes of %s are still being written to the shop. Try again when that is done.", executionID)
	case done.Refused+done.Gone+done.Differs+done.Stale == 0:
		return posting, errs.New(errs.Conflict, "The shop holds every price of %s: there is nothing to try again.", executionID)
	}
	posting.Status, posting.DueAt, posting.Left = PostingWrites, at, []LeftRow{}
	posting.Tries, posting.Trouble = 0, ""
	posting.Progress = PostingProgress{Batch: done.Batch, FirstOf: done.Batch, Checked: done.Batch, Before: done.Before + done.Written}
	return store.UpdatePosting(ctx, posting)
}
