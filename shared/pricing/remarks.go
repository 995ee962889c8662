package pricing

import (
	"github.com/planwright/planwright/shared/table"
)

// remark is what is to be said of rows: what a new price means to a sale that stays as it is,
// why an operation left a row alone, or what of it does not change.
type remark int

const (
	saleUnknown    remark = iota // it has dates, or cannot be read: it may be in force
	saleStays                    // the sale price beside it stays, and customers pay that
	belowSale                    // it is no more above the sale price beside it
	aboveCompareAt               // it is no more below what it was before the sale
	aboveSale                    // it is now above a sale price beside it
	belowCompareAt               // it is now below what stands there as the price before a sale
	withoutCost
	beyondLimits // no price is within them, or they are to change none
	noLowerSale
	pastSale // a price from before a sale would not be above the price
	otherPrices
	withoutPrice
	against    // what customers pay moved the other way than the operation is to move it
	turnedBack // and it is left alone for that
	fractions
	nameless
	free
	untracked // of which the quantity is not known
	belowNone // whose quantity would be below 0, and is 0
	backorder
	otherStock
	oddName // a cell that an operation needs cannot be read, as of the next ones
	oddPrice
	oddCost
	oddSale
	oddStock
	datedSale // for which the run is refused
	remarkKinds
	notLeft   remark = -1
	unchanged remark = -2 // there is nothing to change
)

// leavesAlone are the remarks of rows that an operation is for and leaves as they are.
var leavesAlone = [...]remark{
	withoutPrice, withoutCost, beyondLimits, turnedBack, untracked, noLowerSale, pastSale, oddName, oddPrice,
	oddCost, oddSale, oddStock,
}

// remarks are rows by what is to be said of them, with the operations that it is about.
type remarks [remarkKinds]struct {
	table.RowList
	By   table.Set
	Each []int64 `json:",omitempty"` // rows of each operation, by its place; those behind the last have none
	last int64   // row
}

func (r *remarks) reset() {
	for i := range r {
		r[i].Rows, r[i].First, r[i].By, r[i].Each, r[i].last = 0, r[i].First[:0], table.Set{}, r[i].Each[:0], 0
	}
}

// note notes a row, and the operations that it is about.
func (r *remarks) note(what remark, row int64, by table.Set) {
	if r[what].last != row {
		r[what].Add(row)
	}
	r[what].By, r[what].last = r[what].By.Or(by), row
	for i := 0; !by.Empty(); {
		i, by = by.Next()
		r[what].Each = atLeast(r[what].Each, i+1)
		r[what].Each[i]++
	}
}

// atLeast returns counts of at least so many operations.
func atLeast(counts []int64, n int) []int64 {
	for len(counts) < n {
		counts = append(counts, 0)
	}
	return counts
}

// add adds what stands behind so many rows.
func (r *remarks) add(more *remarks, behind int64) {
	for i := range r {
		if more[i].Rows == 0 {
			continue
		}
		r[i].Append(more[i].RowList, behind)
		r[i].By = r[i].By.Or(more[i].By)
		r[i].Each = atLeast(r[i].Each, len(more[i].Each))
		for operation, rows := range more[i].Each {
			r[i].Each[operation] += rows
		}
	}
}
