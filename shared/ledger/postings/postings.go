// Package postings says what is still to be written to a shop, of executions whose tables
// were fetched from it. A posting stores how far that has come, with the first rows that
// were left; a lease lets one at a time talk to a shop. It talks to no shop itself, and
// decides about no row: package shop does.
package postings

import (
	"time"

	"github.com/planwright/planwright/shared/ledger/internal/stored"
)

// Shop is the shop that a table was fetched from.
type Shop struct {
	URL      string `json:"url"`
	Currency string `json:"currency"` // of its prices when it was fetched
}

// Status is how far the writing to a shop has come.
type Status string

const (
	Writes Status = "writing"  // batches are left to be written
	Checks Status = "checking" // all is written, and read once more
	Posted Status = "posted"   // done; what was left is listed
)

// Posting is what a completed execution still has to write to the shop that its table
// was fetched from. The commit that completes the execution creates it; from then on
// every change is one compare-and-set on its revision.
type Posting struct {
	ExecutionID string    `json:"execution_id"`
	Shop        Shop      `json:"shop"`
	CreatedAt   time.Time `json:"created_at"`
	Rows        int64     `json:"rows"` // that the execution changed
	// the execution that this one undoes, whose posting comes first
	After  string `json:"after,omitzero"`
	Status Status `json:"status"`
	// DueAt is when somebody should go on; zero where nothing is left to do.
	DueAt time.Time `json:"due_at"`
	// Progress is what the batches so far came to.
	Progress Progress `json:"progress"`
	// Left are the first MaxLeftRows rows that were not written.
	Left []LeftRow `json:"left"`
	// Tries counts the runs since the last batch that ended, and Trouble says why the
	// last of them got no further.
	Tries   int    `json:"tries"`
	Trouble string `json:"trouble"`

	// Revision is the store's mark of this version of the posting.
	Revision string `json:"-"`
}

// Progress is how far a posting has come. A pass goes through all changes; trying
// the refused rows again is another pass.
type Progress struct {
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
func (p Progress) Done() int64 {
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
func (p Posting) IsOpen() bool { return p.Status != Posted }
