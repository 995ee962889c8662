package plannerapi

import (
	"time"

	"github.com/planwright/planwright/shared/ledger/postings"
)

// Posting is what an execution writes to the shop that its table was fetched from.
type Posting struct {
	ExecutionID string    `json:"execution_id"`
	Shop        string    `json:"shop"` // its address
	CreatedAt   time.Time `json:"created_at"`
	// Status is writing, checking or posted, and DueAt when it goes on; null once it is posted.
	Status postings.Status `json:"status"`
	DueAt  *time.Time      `json:"due_at"`
	Rows   int64           `json:"rows"` // that the execution changed

	Written int64 `json:"written"`
	Already int64 `json:"already"` // held the new price before it was written
	Stale   int64 `json:"stale"`   // were edited in the shop since, and left as they are
	Refused int64 `json:"refused"`
	Gone    int64 `json:"gone"`
	Differs int64 `json:"differs"` // were written, and hold something else now

	// Left are the first rows that the shop does not hold as planned.
	Left []postings.LeftRow `json:"left"`
	// Trouble says what stands in the way; "" where nothing does. Tries counts the runs
	// that came no further.
	Trouble string `json:"trouble"`
	Tries   int    `json:"tries"`
}

// NewPosting is a posting as it is answered.
func NewPosting(p postings.Posting) Posting {
	done := p.Progress
	posting := Posting{
		ExecutionID: p.ExecutionID, Shop: p.Shop.URL, CreatedAt: p.CreatedAt, Status: p.Status, Rows: p.Rows,
		Written: done.Before + done.Written, Already: max(0, done.Already-done.Before),
		Stale: done.Stale, Refused: done.Refused, Gone: done.Gone, Differs: done.Differs,
		Left: append([]postings.LeftRow{}, p.Left...), Trouble: p.Trouble, Tries: p.Tries,
	}
	if !p.DueAt.IsZero() {
		posting.DueAt = &p.DueAt
	}
	return posting
}

// Postings are a page of them, the newest first.
type Postings struct {
	Postings      []Posting `json:"postings"`
	NextPageToken string    `json:"next_page_token"`
}

// FetchedTable is what the function that reaches the shop answers the planner.
type FetchedTable struct {
	Table string `json:"table"` // the id of the table that is held
}
