package pricing

import (
	"fmt"

	"github.com/planwright/planwright/shared/table"
)

// remark is what is to be said of rows: one of table's moves of a sale, where the
// price of a row that is on sale changes, why an operation left a row alone, or what of
// it does not change.
type remark int

const (
	withoutCost = remark(table.SaleMoves) + iota
	costAboveMax
	noLowerSale
	otherPrices
	withoutPrice
	datedSale // for which the run is refused
	remarkKinds
	notLeft   remark = -1
	unchanged remark = -2 // there is nothing to change
)

// remarks are rows by what is to be said of them, with the operations that it is about.
type remarks [remarkKinds]struct {
	table.RowList
	By   table.Set
	last int64 // row
}

func (r *remarks) reset() {
	for i := range r {
		r[i].Rows, r[i].First, r[i].By, r[i].last = 0, r[i].First[:0], table.Set{}, 0
	}
}

// note notes a row, and the operations that it is about.
func (r *remarks) note(what remark, row int64, by table.Set) {
	if r[what].last != row {
		r[what].Add(row)
	}
	r[what].By, r[what].last = r[what].By.Or(by), row
}

// add adds what stands behind so many rows.
func (r *remarks) add(more *remarks, behind int64) {
	for i := range r {
		r[i].Append(more[i].RowList, behind)
		r[i].By = r[i].By.Or(more[i].By)
	}
}

// The codes of warnings of rows whose price changes while they are on sale, or
// which an operation leaves alone for their cost.
const (
	WarnSaleUnknown    = "sale_unknown"           // their sale has dates, or cannot be read: what customers pay is not known
	WarnSaleStays      = "sale_price_stays"       // customers pay the sale price, which does not change
	WarnBelowSale      = "price_below_sale"       // the price is no more above the sale price
	WarnAboveCompareAt = "price_above_compare_at" // the price is no more below the compare-at price
	// WarnNoCost: an operation needs the cost, and they have none.
	WarnNoCost = "no_cost"
	// WarnCostAboveMax: the price is not to be below the cost, nor above a max_price
	// that is below it.
	WarnCostAboveMax = "cost_above_max_price"
	// WarnNoLowerSale: what an operation makes of the regular price is not below it, or 0.
	WarnNoLowerSale = "sale_not_below_price"
	// WarnNoPrice: they have no price.
	WarnNoPrice = "no_price"
	// WarnOtherPrices: their price or sale changes, and prices in other columns do not.
	WarnOtherPrices = "other_prices_stay"
)

// The codes of warnings of rows that a person might count in.
const (
	// WarnBlankCategory: they have no category, nor a product of which it is
	// known, and the plan names categories.
	WarnBlankCategory = "blank_category"
	// WarnShortRow: they end before a column that is read, as the platform's
	// rows may, or those that have another delimiter.
	WarnShortRow = "short_row"
	// WarnEncoding: by another encoding the table reads as well, and says something else.
	WarnEncoding = "encoding_unclear"
)

// remarkCodes are those of the remarks' warnings.
var remarkCodes = [remarkKinds]string{
	table.SaleUnknown: WarnSaleUnknown, table.SaleStays: WarnSaleStays, table.BelowSale: WarnBelowSale, table.AboveCompareAt: WarnAboveCompareAt,
	withoutCost: WarnNoCost, costAboveMax: WarnCostAboveMax, noLowerSale: WarnNoLowerSale, otherPrices: WarnOtherPrices, withoutPrice: WarnNoPrice,
}

// warnings are those of rows.
func (r *run) warnings() (found []Warning) {
	add := func(code string, rows table.RowList, by table.Set) {
		if rows.Rows > 0 {
			found = append(found, Warning{Code: code, OperationIDs: r.ids(by), Rows: rows.Rows, FirstRows: rows.First})
		}
	}
	for i, noted := range r.effect.Remarks {
		if remark(i) == datedSale {
			continue
		}
		add(remarkCodes[i], noted.RowList, noted.By)
		if remark(i) == otherPrices && noted.Rows > 0 {
			found[len(found)-1].Arguments = r.table.OtherPrices()
		}
	}
	add(WarnUnknownProduct, r.scanned.Orphans, r.query.Inherited())
	add(WarnBlankCategory, r.scanned.Blank, table.Set{})
	add(WarnShortRow, r.scanned.Short, table.Set{})
	if rival := r.table.Rival(); rival != nil {
		found = append(found, Warning{Code: WarnEncoding, FirstRows: []int64{rival.Row},
			Arguments: []string{string(rival.Taken), string(rival.Encoding), rival.Column, rival.Says, rival.Else}})
	}
	return found
}

// rowsSentence says something of rows: of one, or of several.
func (w Warning) rowsSentence(singular, plural string) string {
	if w.Rows == 1 {
		return fmt.Sprintf("1 row %s: row %s.", singular, list(w.FirstRows))
	}
	return fmt.Sprintf("%d rows %s; the first are rows %s.", w.Rows, plural, list(w.FirstRows))
}
