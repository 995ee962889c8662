package table

import (
	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// saleColumn is a column of prices by which rows are on sale.
type saleColumn struct {
	index int
	form  profile.SaleForm
	only  *profile.Kinds // the rows that are on sale at all; nil: any may be
}

// role is what the column is to a plan.
func (c saleColumn) role() Role {
	if c.form == profile.SaleBeside {
		return RoleSalePrice
	}
	return RoleCompareAt
}

// findSales finds the columns by which rows are on sale, beside the price that
// the profile knows: what a setting names is another one.
func (t *Table) findSales(needs Needs) {
	price := t.money[Price].index
	if !needs.Has(RolePrice) || needs.AsText || price == missing || !profile.Titled(t.Header[price:price+1]).Has(t.profile.Price) {
		return
	}
	for _, c := range t.profile.Sales {
		index, _ := profile.Titled(t.Header).Find(c.Titles)
		if index != missing && index != price {
			t.sales = append(t.sales, saleColumn{index, c.Form, profile.Titled(t.Header).Kinds(c.Only)})
		}
	}
}

// SaleMove is what a new price means to a row's sale.
type SaleMove int

// The moves of a price of a row that is on sale.
const (
	SaleStays      SaleMove = iota // the sale price beside it stays, and customers pay that
	BelowSale                      // it is no more above the sale price beside it
	AboveCompareAt                 // it is no more below what it was before the sale
	SaleMoves
)

// HasSales reports whether there are columns by which rows are on sale.
func (t *Table) HasSales() bool { return len(t.sales) > 0 }

// MovesOfSale calls yield with what a new price means to a row that is on sale.
// A sale's price that cannot be read says nothing; one that is written in another form than
// the prices cannot be compared, and stays.
func (r *Row) MovesOfSale(after amount.Amount, yield func(SaleMove)) {
	t, before := r.s.table, r.money[Price].Amount
	for _, c := range t.sales {
		at := r.record.Content(r.s.Block, c.index)
		if at.Empty() || c.only != nil && !c.only.Has(r.s.Block, r.record) {
			continue
		}
		sale, fault := t.money[Price].form.Read(r.s.Block, at)
		beside := c.form == profile.SaleBeside
		switch {
		case beside && (fault == faults.OtherPriceForm || fault == faults.UnclearPrice):
			yield(SaleStays)
		case fault != Fine || sale.Cmp(amount.Amount{}) == 0:
		case beside && sale.Cmp(before) < 0 && sale.Cmp(after) < 0:
			yield(SaleStays)
		case beside && sale.Cmp(before) < 0:
			yield(BelowSale)
		case !beside && before.Cmp(sale.Amount) < 0 && after.Cmp(sale.Amount) >= 0:
			yield(AboveCompareAt)
		}
	}
}
