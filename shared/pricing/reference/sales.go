package reference

import (
	"fmt"
	"slices"

	"github.com/planwright/planwright/shared/table/profile"
)

// saleNote is what the new price of a row means to its sale.
type saleNote struct {
	code string
	row  int64
	by   []string
}

// noteSales notes what a new price means to a row's sale.
func (t *run) noteSales(h header, r record, line change, was, now string) {
	if !h[t.columns.price : t.columns.price+1].has(t.columns.profile.Price) {
		return
	}
	for _, sale := range t.columns.profile.Sales {
		column, _ := h.find(sale.Titles)
		if column == none || column == t.columns.price || sale.Only != nil && h.kind(sale.Only).column != none && !h.kind(sale.Only).has(r) {
			continue
		}
		beside := sale.Form == profile.SaleBeside
		code := ""
		digits, _, _, fault := t.prices.amount(r.text(column))
		switch {
		case beside && (fault == anotherForm || fault == twoReadings):
			code = "sale_price_stays"
		case fault != "" || rat(digits).Sign() == 0:
		case beside && rat(digits).Cmp(rat(was)) < 0:
			code = "sale_price_stays"
			if rat(digits).Cmp(rat(now)) >= 0 {
				code = "price_below_sale"
			}
		case !beside && rat(was).Cmp(rat(digits)) < 0 && rat(now).Cmp(rat(digits)) >= 0:
			code = "price_above_compare_at"
		}
		if code != "" {
			t.sales = append(t.sales, saleNote{code, line.Row, line.OperationIDs})
		}
	}
}

// toldSales says how many rows there are of each code, the first of them, and
// what they were changed by.
func (t *run) toldSales() (told []string) {
	for _, code := range []string{"sale_price_stays", "price_below_sale", "price_above_compare_at", withoutCost, costTooHigh} {
		var rows []int64
		var ids []string
		for _, note := range t.sales {
			if note.code == code {
				rows = append(rows, note.row)
				ids = append(ids, note.by...)
			}
		}
		slices.Sort(ids)
		if len(rows) > 0 {
			told = append(told, fmt.Sprint(code, slices.Compact(ids), len(rows), rows[:min(len(rows), 20)]))
		}
	}
	return told
}
