package ledger

import "github.com/planwright/planwright/shared/ledger/postings"

// newPosting is what an execution owes the shop that its table was fetched from; nil
// where it owes nothing.
func newPosting(e Execution, undoes string) *postings.Posting {
	if e.Source.Shop == nil || e.Seal.Summary.RowsChanged == 0 {
		return nil
	}
	return &postings.Posting{
		ExecutionID: e.ExecutionID, Shop: *e.Source.Shop, CreatedAt: e.Seal.ExecutedAt,
		Rows: e.Seal.Summary.RowsChanged, After: undoes,
		Status: postings.Writes, DueAt: e.Seal.ExecutedAt, Left: []postings.LeftRow{},
	}
}
