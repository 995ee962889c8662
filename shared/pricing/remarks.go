package pricing

import (
	"fmt"
	"slices"

	"github.com/planwright/planwright/shared/table"
)

// remark is a kind of rows that a person should know of.
type remark int

// The remarks; those of sales are as table.SaleMove counts them.
const (
	saleStays      = remark(table.SaleStays)
	belowSale      = remark(table.BelowSale)
	aboveCompareAt = remark(table.AboveCompareAt)
	unknownProduct = remark(table.SaleMoves)
	kindsOfRemarks = unknownProduct + 1
)

// remarked are the rows of one kind: how many, the first of them, and the
// operations that it is about, if it is about any.
type remarked struct {
	Rows  int64
	First []int64
	By    [2]uint64 // an opSet, which JSON can say
}

type remarks [kindsOfRemarks]remarked

func (r *remarks) reset() {
	for i := range r {
		r[i] = remarked{First: r[i].First[:0]}
	}
}

// note notes a row, and the operations that it is about.
func (r *remarks) note(what remark, row int64, by opSet) {
	noted := &r[what]
	noted.add(remarked{Rows: 1, By: [2]uint64{by.low, by.high}}, 0)
	if len(noted.First) < maxWarningRows {
		noted.First = append(noted.First, row)
	}
}

// add adds what stands behind so many rows.
func (r *remarked) add(more remarked, behind int64) {
	r.Rows += more.Rows
	for i, operations := range more.By {
		r.By[i] |= operations
	}
	for _, row := range more.First[:min(len(more.First), maxWarningRows-len(r.First))] {
		r.First = append(r.First, behind+row)
	}
}

func (r *remarks) add(more *remarks, behind int64) {
	for i := range r {
		r[i].add(more[i], behind)
	}
}

const maxWarningRows = 20

// The codes of warnings of rows whose price changes while they are on sale.
const (
	WarnSaleStays      = "sale_price_stays"       // customers pay the sale price, which does not change
	WarnBelowSale      = "price_below_sale"       // the price is no more above the sale price
	WarnAboveCompareAt = "price_above_compare_at" // the price is no more below the compare-at price
)

// codes are those of the remarks' warnings.
var codes = [kindsOfRemarks]string{saleStays: WarnSaleStays, belowSale: WarnBelowSale, aboveCompareAt: WarnAboveCompareAt, unknownProduct: WarnUnknownProduct}

// warnings are those of the remarks.
func (r *run) warnings() (told []Warning) {
	for i, noted := range r.remarks {
		if noted.Rows > 0 {
			told = append(told, Warning{Code: codes[i], OperationIDs: r.ids(opSet{noted.By[0], noted.By[1]}), Rows: noted.Rows, FirstRows: slices.Clone(noted.First)})
		}
	}
	return told
}

// rowsSentence says something of rows: of one, and of several.
func (w Warning) rowsSentence(one, several string) string {
	if w.Rows == 1 {
		return fmt.Sprintf("1 row %s: row %s.", one, list(w.FirstRows))
	}
	return fmt.Sprintf("%d rows %s; the first are rows %s.", w.Rows, several, list(w.FirstRows))
}
