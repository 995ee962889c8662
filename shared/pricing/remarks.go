package pricing

import (
	"fmt"

	"github.com/planwright/planwright/shared/table"
)

// remarks are rows that are on sale and whose price changes, by what that means
// to the sale, with the operations that change it.
type remarks [table.SaleMoves]struct {
	table.RowList
	By table.Set
}

func (r *remarks) reset() {
	for i := range r {
		r[i].Rows, r[i].First, r[i].By = 0, r[i].First[:0], table.Set{}
	}
}

// note notes a row, and the operations that it is about.
func (r *remarks) note(what table.SaleMove, row int64, by table.Set) {
	r[what].Add(row)
	r[what].By = r[what].By.Or(by)
}

// add adds what stands behind so many rows.
func (r *remarks) add(more *remarks, behind int64) {
	for i := range r {
		r[i].Append(more[i].RowList, behind)
		r[i].By = r[i].By.Or(more[i].By)
	}
}

// The codes of warnings of rows whose price changes while they are on sale.
const (
	WarnSaleStays      = "sale_price_stays"       // customers pay the sale price, which does not change
	WarnBelowSale      = "price_below_sale"       // the price is no more above the sale price
	WarnAboveCompareAt = "price_above_compare_at" // the price is no more below the compare-at price
)

// The codes of warnings of rows that a person might count in.
const (
	// WarnBlankCategory: they have no category, nor a product of which it is
	// known, and the plan names categories.
	WarnBlankCategory = "blank_category"
	// WarnShortRow: they end before a column that is read, as the platform's
	// rows may, or those that have another delimiter.
	WarnShortRow = "short_row"
)

// saleCodes are those of the remarks' warnings.
var saleCodes = [table.SaleMoves]string{table.SaleStays: WarnSaleStays, table.BelowSale: WarnBelowSale, table.AboveCompareAt: WarnAboveCompareAt}

// warnings are those of rows.
func (r *run) warnings() (told []Warning) {
	add := func(code string, rows table.RowList, by table.Set) {
		if rows.Rows > 0 {
			told = append(told, Warning{Code: code, OperationIDs: r.ids(by), Rows: rows.Rows, FirstRows: rows.First})
		}
	}
	for i, noted := range r.effect.Remarks {
		add(saleCodes[i], noted.RowList, noted.By)
	}
	add(WarnUnknownProduct, r.scanned.Orphans, table.Set{})
	add(WarnBlankCategory, r.scanned.Blank, table.Set{})
	add(WarnShortRow, r.scanned.Short, table.Set{})
	return told
}

// rowsSentence says something of rows: of one, and of several.
func (w Warning) rowsSentence(one, several string) string {
	if w.Rows == 1 {
		return fmt.Sprintf("1 row %s: row %s.", one, list(w.FirstRows))
	}
	return fmt.Sprintf("%d rows %s; the first are rows %s.", w.Rows, several, list(w.FirstRows))
}
