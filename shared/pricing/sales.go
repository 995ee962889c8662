package pricing

import (
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// matchSale reports whether an operation about sales is for a row. A sale's dates may say that
// it is not in force; where the price says so, they do not matter, but that a past end hides
// a new sale.
func (m *matcher) matchSale(v *visitor, r *table.Row, i int) (passes bool, found table.Problem) {
	now := &v.now
	if !now.asked {
		now.sale, now.asked = v.were(r), true
	}
	now.sale.Price = now.price
	if unread := r.Sales[0].Problem; unread.Kind != table.Fine {
		return false, v.leaveOr(oddSale, unread, r, i)
	}
	onSale, matter := now.sale.OnSale(), now.sale.Dated && v.settings.SaleDates == ""
	switch {
	case m.onSale != nil && *m.onSale != onSale && !(matter && onSale):
		return false, found
	case matter && (m.hides || onSale):
		v.note(datedSale, r, i)
		return false, found
	}
	return true, found
}

// were are the prices that a row has, with its sale as the settings say that it is read.
func (v *visitor) were(r *table.Row) table.Prices {
	were := r.Sales[0].Prices
	if v.settings.SaleDates == table.SaleDatesIgnore {
		were.Dated = false
	}
	return were
}

// compareAt has another price stand as the one from before a sale, or says why the row is
// left alone.
func (v *visitor) compareAt(op *operation, price amount.Amount) (left remark, fault table.Kind) {
	at := price
	if !op.asIs {
		if at, fault = v.formula(op, price).apply(price); fault != table.Fine {
			return notLeft, fault
		}
	}
	if way := at.Cmp(price); at.IsZero() || way < 0 || way == 0 && !op.fromPrice {
		return pastSale, table.Fine
	}
	before := v.now.sale
	v.now.compared = true
	v.now.sale.CompareWith(at)
	if v.now.sale.Same(&before) {
		v.now.sale = before // however its numbers are written
		return unchanged, table.Fine
	}
	return notLeft, table.Fine
}

// sell has an operation change what a row is on sale for, and returns the row's price then. A
// sale by which customers would pay more is told of as against, or does not begin.
func (v *visitor) sell(op *operation, r *table.Row, price amount.Amount) (
	result amount.Amount, left remark, fault table.Kind,
) {
	before := v.now.sale
	if result, left, fault = v.salePrice(op, r, price); fault != table.Fine || left != notLeft {
		return result, left, fault
	}
	if op.asSale && v.now.sale.Paid().Cmp(before.Paid()) > 0 {
		if left = op.turned(true); left == turnedBack {
			v.now.sale = before
		}
	}
	return result, left, table.Fine
}

// salePrice has a row put on sale, or its sale end, and returns its price then.
func (v *visitor) salePrice(op *operation, r *table.Row, price amount.Amount) (
	result amount.Amount, left remark, fault table.Kind,
) {
	sale := &v.now.sale
	if op.endsSale && !sale.OnSale() {
		return price, unchanged, table.Fine
	}
	before := *sale
	if op.endsSale {
		sale.End()
	} else {
		regular := sale.Regular()
		at, left, fault := v.newPrice(op, r, regular)
		if fault != table.Fine || left != notLeft {
			return price, left, fault
		}
		if at.IsZero() || at.Cmp(regular) >= 0 {
			return price, noLowerSale, table.Fine
		}
		sale.PutOnSale(at)
	}
	sale.Dated = false // where they are ignored, they were not there
	if sale.Same(&before) {
		*sale = before // however its numbers are written
		return price, unchanged, table.Fine
	}
	return sale.Price, notLeft, table.Fine
}

// turned is what is told of a row that moves against the operation's direction, if it does.
func (op *operation) turned(moves bool) remark {
	switch {
	case !moves:
		return notLeft
	case op.keepDirection:
		return turnedBack
	}
	return against
}

// paysAgainst reports whether customers pay more, or less, after a price moved that way
// against the operation's direction. Where it is not known what they pay, the price is it.
func (v *visitor) paysAgainst(op *operation, r *table.Row, was, now amount.Amount) bool {
	if !v.hasSales {
		return true
	}
	before := r.Sales[0].Prices
	if v.now.asked {
		before = v.now.sale
	}
	if r.Sales[0].Problem.Kind != table.Fine || before.MayEnd() && v.settings.SaleDates == "" {
		return true
	}
	before.Price = was
	after := before
	after.Price = now
	return after.Paid().Cmp(before.Paid()) == -op.direction
}

// prices are what a row's prices were, and what becomes of them by the edit. A sale that
// cannot be read is none, nor is one that may not be in force, unless an operation asked for it.
func (v *visitor) prices(r *table.Row) (was, now table.Prices) {
	if v.now.asked {
		was, now = v.were(r), v.now.sale
	} else {
		was = r.Sales[0].Prices
		if was.MayEnd() && v.settings.SaleDates == "" {
			was.HasSale = false
		}
		now = was
	}
	if price := &v.edit.Money[table.Price]; price.Sets {
		now.Price = price.Amount
	}
	return was, now
}

// saleMove returns what a new price means to the sale of a row that stays as it is; notLeft:
// nothing. Where dates matter, a sale that has some may be in force or not, as one whose price
// cannot be read may; what prices were before it, and cannot be read, says nothing.
func saleMove(s *table.Sale, after amount.Amount, datesMatter bool) remark {
	now := s.Prices
	now.Price = after
	was, is := s.OnSale(), now.OnSale()
	switch {
	case s.MayBeOn:
		return saleUnknown
	case s.Problem.Kind != table.Fine, !was && !is:
		return notLeft
	case datesMatter && s.MayEnd():
		return saleUnknown
	case s.SaleHasColumn() && !was:
		return aboveSale
	case !was:
		return belowCompareAt
	case s.SaleHasColumn() && is:
		return saleStays
	case s.SaleHasColumn():
		return belowSale
	case !is:
		return aboveCompareAt
	}
	return notLeft
}
