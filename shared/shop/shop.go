// Package shop reads a shop and writes sealed prices back to it.
//
// A table is fetched from the shop and carried out like any other. The commit that
// completes such an execution leaves a posting (ledger.Posting); the Publisher here
// carries it out, batch by batch:
//
//	take the shop, read the batch, compare, write, read the answer,
//	store the results, note the progress by compare-and-set
//
// Each variant is set at least once to its sealed price, and a set is idempotent. No
// publisher writes a batch that is noted as done, and none writes over a price that it
// saw to be somebody else's. No shop compares and sets: an edit between the reading of a
// batch and its writing can be lost, and a request that was given up may still land.
// Both are bounded: a batch aims at two seconds, the shop's lease is longer than a
// request may take, nobody touches the shop for Settle after a request without an
// answer, and in the end every price is read once more.
//
// What is stored beside the ledger:
//
//	AUDIT/postings/{execution_id}-{batch}.jsonl  a line for each row of a batch, create-only
package shop

import (
	"context"
	"errors"
	"io"
	"time"
)

// Shop is one shop, as its API gives it. Its errors have a kind of package errs and
// never a secret or a page of the shop's in them.
type Shop interface {
	// Kind is the SHOP_KIND of such shops, such as woocommerce.
	Kind() string
	// URL names the shop: the address that is configured, without a slash at its end.
	URL() string
	// About says what the shop's prices are in.
	About(ctx context.Context) (About, error)
	// Fetch writes the whole catalogue as a table in the platform's dialect, with its
	// ids. Stale: the catalogue changed while it was read, and what was written is to
	// be dropped.
	Fetch(ctx context.Context, w io.Writer) (Fetched, error)
	// Read returns variants of one group as they are now, in any order. One that is
	// missing is gone.
	Read(ctx context.Context, group string, ids []string) ([]State, error)
	// Write sets variants of one group and returns one result for each. After an error
	// nobody knows which of them are set, now or later.
	Write(ctx context.Context, group string, set []Set) ([]Result, error)
	// Limits are what the shop takes.
	Limits() Limits
}

// About is what a shop's prices are in.
type About struct {
	Currency string // its code
	Decimals int    // that it keeps
}

// Fetched counts what a table has that was fetched.
type Fetched struct {
	Rows     int64
	Requests int
}

// Prices are what a variant costs, as the platform writes it; "" is none.
type Prices struct {
	Regular   string `json:"regular_price"`
	Sale      string `json:"sale_price"`
	SaleFrom  string `json:"sale_from,omitempty"`
	SaleUntil string `json:"sale_until,omitempty"`
}

// State is a variant as it is now.
type State struct {
	ID string
	Prices
}

// Set says what a variant is to cost. What is nil is left as it is.
type Set struct {
	ID                                 string
	Regular, Sale, SaleFrom, SaleUntil *string
}

// Result is what became of a Set.
type Result struct {
	ID      string
	Refused string // why, for people; "" where it was written
	Now     Prices // as the shop answered; of one that was written
}

// Limits are what a shop takes, and how long one waits for it.
type Limits struct {
	Most    int           // rows of a batch
	First   int           // rows of the first one
	Aim     time.Duration // what a batch is to take
	Timeout time.Duration // of a request
	Settle  time.Duration // for so long a request that was given up may still land
	Pause   time.Duration // between batches
}

// WooLimits are those of WooCommerce. A batch of 100 takes it 3 to 9 s; one that was
// given up after 1 s had landed whole 8 s later.
var WooLimits = Limits{
	Most: 100, First: 25, Aim: 2 * time.Second,
	Timeout: 60 * time.Second, Settle: 60 * time.Second, Pause: 100 * time.Millisecond,
}

// BusyError says that the shop asked to be left alone for a while.
type BusyError struct {
	After time.Duration
}

func (e *BusyError) Error() string { return "the shop asks to be left alone for " + e.After.String() }

// retryAfter is how long the shop asked to be left alone; 0 where it did not.
func retryAfter(err error) time.Duration {
	if busy, is := errors.AsType[*BusyError](err); is {
		return busy.After
	}
	return 0
}
