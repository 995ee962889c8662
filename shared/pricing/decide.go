package pricing

import (
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// opCount counts the rows that an operation matched, and of them those whose values
// it changed.
type opCount struct{ Matched, Changed int64 }

func (c *opCount) add(more opCount) {
	c.Matched += more.Matched
	c.Changed += more.Changed
}

// decide carries the operations out, in order, that let a row's names pass, and
// returns those that changed it; what becomes of the row is the edit. Each
// operation sees the price and the stock that the one before left. A row
// without a price is left alone by every operation that looks at a price or
// changes one. Among are the operations that there are.
func (v *visitor) decide(r *table.Row, among table.Set) (by table.Set, found table.Problem) {
	matching := r.Meets().And(among)
	was, priced := r.Amount(table.Price)
	price, inStock := was, r.InStock()
	if v.settings.OddRows == table.OddRowsLeave {
		matching = v.leaveOdd(r, matching, among)
	}
	if !priced {
		v.noteUnpriced(r, matching.AndNot(v.priceless))
		if matching = matching.And(v.priceless); r.Bare() {
			matching = table.Set{}
		}
	}
	v.asked, v.compared = false, false
	count := v.pieces(r)
	had := count.Count
	for i := 0; !matching.Empty(); {
		i, matching = matching.Next()
		op := &v.operations[i]
		if !op.stockPasses(inStock) {
			continue
		}
		if doubt := op.doubts(r); doubt.Kind != table.Fine {
			if !v.leaves(doubt.Kind) {
				return by, doubt
			}
			v.tally.Remarks.note(oddPrice, r.Index()+1, table.Set{}.With(i))
			continue
		}
		if !op.pricePasses(price) {
			continue
		}
		if op.quantity.bounds() {
			if !count.known {
				v.tally.Remarks.note(untracked, r.Index()+1, table.Set{}.With(i))
			}
			if !count.known || !op.quantity.within.Has(count.Count) {
				continue
			}
		}
		if op.sales {
			v.prices.Price = price
			switch found := v.askPrices(r); {
			case found.Kind == table.Fine:
			case v.leaves(found.Kind):
				v.tally.Remarks.note(oddSale, r.Index()+1, table.Set{}.With(i))
				continue
			default:
				return by, found
			}
			switch v.passes(op) {
			case undated:
				v.tally.Remarks.note(datedSale, r.Index()+1, table.Set{}.With(i))
				continue
			case notPassed:
				continue
			}
		}
		v.tally.Counts[i].Matched++
		if op.setStock {
			if !op.stock && r.TakesBackorders() {
				v.tally.Remarks.note(backorder, r.Index()+1, table.Set{}.With(i))
			}
			if r.CountsOtherwise(op.stock) {
				v.tally.Remarks.note(otherStock, r.Index()+1, table.Set{}.With(i))
			}
			if inStock == op.stock {
				continue
			}
			if r.Untracked() && v.settings.OddRows == table.OddRowsLeave {
				v.tally.Remarks.note(oddStock, r.Index()+1, table.Set{}.With(i))
				continue
			}
			inStock = op.stock
			if found := v.restock(r, &count, inStock); found.Kind != table.Fine {
				return by, found
			}
		} else if op.quantity.acts() {
			changed, found := v.recount(i, r, &count, &inStock)
			if found.Kind != table.Fine {
				return by, found
			}
			if !changed {
				continue
			}
		} else {
			result, left, fault := v.price(op, r, price)
			if fault != table.Fine {
				return by, r.Fault(table.RolePrice, fault, op.advice(fault))
			}
			if left >= 0 {
				v.tally.Remarks.note(left, r.Index()+1, table.Set{}.With(i))
			}
			if !op.endsSale && !op.asSale && !op.comparesAt && result.Equal(price) || left != notLeft && left != against {
				continue
			}
			price = result
		}
		v.tally.Counts[i].Changed++
		by = by.With(i)
	}
	e := &v.edit.Money[table.Price]
	e.Sets, e.Amount = !price.Equal(was), price
	if v.sells {
		v.edit.NoSale()
		if v.asked {
			v.prices.Price = price
			v.edit.SetPrices(r, &v.were, &v.prices)
		}
	}
	var now *table.Count
	if count.known && !count.Same(had) {
		now = &count.Count
	}
	return by, v.edit.SetStock(r, inStock, now)
}

// leaves reports whether an operation leaves a row alone that has such a fault.
func (v *visitor) leaves(kind table.Kind) bool {
	return v.settings.OddRows == table.OddRowsLeave && kind.Odd()
}

// leaveOdd returns the operations whose cells can be read in the row. Those that are for
// it otherwise, as far as can be told, are noted to leave it alone.
func (v *visitor) leaveOdd(r *table.Row, matching, among table.Set) table.Set {
	leave := func(why remark, need table.Set) {
		for i := 0; !need.Empty(); {
			i, need = need.Next()
			stock := v.operations[i].inStock
			if stock == nil || r.Bare() || r.Odd(table.RoleInStock) || *stock == r.InStock() {
				v.tally.Remarks.note(why, r.Index()+1, table.Set{}.With(i))
			}
		}
	}
	leave(oddName, r.OddNames().And(among))
	if r.Odd(table.RoleInStock) {
		leave(oddStock, matching.And(v.stocked))
		matching = matching.AndNot(v.stocked)
	}
	if r.Odd(table.RoleQuantity) {
		leave(oddStock, matching.And(v.counted))
		matching = matching.AndNot(v.counted)
	}
	if r.Odd(table.RolePrice) {
		leave(oddPrice, matching.AndNot(v.priceless))
		matching = matching.And(v.priceless)
	}
	if r.Odd(table.RoleCost) {
		leave(oddCost, matching.And(v.costed))
		matching = matching.AndNot(v.costed)
	}
	return matching
}

// noteUnpriced notes a row without a price, where operations that its stock lets
// pass look at prices or change them: one that nobody expects, and one whose price
// stands elsewhere, as what a variant costs more does.
func (v *visitor) noteUnpriced(r *table.Row, matching table.Set) {
	expects, elsewhere := v.table.ExpectsPrices(), r.HasOtherPrices()
	for i := 0; (expects || elsewhere) && !matching.Empty(); {
		i, matching = matching.Next()
		op := &v.operations[i]
		if op.inStock != nil && !r.Bare() && *op.inStock != r.InStock() {
			continue
		}
		if expects {
			v.tally.Remarks.note(withoutPrice, r.Index()+1, table.Set{}.With(i))
		}
		if elsewhere && !op.setStock && !op.quantity.acts() {
			v.tally.Remarks.note(otherPrices, r.Index()+1, table.Set{}.With(i))
		}
	}
}

// askPrices reads, once for a row, whether it is on sale.
func (v *visitor) askPrices(r *table.Row) (found table.Problem) {
	if v.asked {
		return v.unread
	}
	price := v.prices.Price
	v.prices, v.unread = r.Prices()
	if v.were, v.asked = v.prices, true; v.settings.SaleDates == table.SaleDatesIgnore {
		v.prices.Dated, v.were.Dated = false, false
	}
	v.prices.Price = price
	return v.unread
}

// passing is whether an operation about sales is for a row.
type passing int

const (
	passed passing = iota
	notPassed
	undated // it cannot be told: that depends on the dates of its sale
)

// passes reports whether an operation about sales is for the row whose prices were
// asked for. A sale's dates may say that it is not in force; where the price says
// so, they do not matter, but that a past end hides a new sale.
func (v *visitor) passes(op *operation) passing {
	onSale, matter := v.prices.OnSale(), v.prices.Dated && v.settings.SaleDates == ""
	switch {
	case op.onSale != nil && *op.onSale != onSale && !(matter && onSale):
		return notPassed
	case matter && (op.asSale || op.comparesAt || onSale):
		return undated
	}
	return passed
}

// price returns what an operation makes of a row's price and, where it is about
// sales, has it made of what the row is on sale for; or why it leaves the row alone. A
// price that moves against the operation's direction is told of as against.
func (v *visitor) price(op *operation, r *table.Row, price amount.Amount) (result amount.Amount, left remark, fault table.Kind) {
	if op.comparesAt {
		left, fault = v.compareAt(op, r, price)
		return price, left, fault
	}
	if !op.asSale && !op.endsSale {
		result, left, fault = op.price(r, price)
		if fault == table.Fine && left == notLeft && op.direction != 0 && result.Cmp(price) == -op.direction {
			left = op.turned(v.paysAgainst(op, r, price, result))
		}
		return result, left, fault
	}
	before := v.prices
	if result, left, fault = v.salePrice(op, r, price); fault != table.Fine || left != notLeft {
		return result, left, fault
	}
	if op.asSale && v.prices.Paid().Cmp(before.Paid()) > 0 {
		if left = op.turned(true); left == turnedBack {
			v.prices = before
		}
	}
	return result, left, table.Fine
}

// compareAt has another price stand as the one from before a sale, or says why the row is
// left alone.
func (v *visitor) compareAt(op *operation, r *table.Row, price amount.Amount) (left remark, fault table.Kind) {
	at := price
	if !op.asIs {
		if at, fault = op.rounded(r, price).apply(price); fault != table.Fine {
			return notLeft, fault
		}
	}
	if way := at.Cmp(price); at.IsZero() || way < 0 || way == 0 && !op.fromPrice {
		return pastSale, table.Fine
	}
	before := v.prices
	v.compared = true
	v.prices.CompareWith(at)
	if v.prices.Same(&before) {
		v.prices = before // however its numbers are written
		return unchanged, table.Fine
	}
	return notLeft, table.Fine
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
	if !v.table.HasSales() {
		return true
	}
	before, unread := v.prices, v.unread
	if !v.asked {
		before, unread = r.Prices()
	}
	if unread.Kind != table.Fine || before.MayEnd() && v.settings.SaleDates == "" {
		return true
	}
	before.Price = was
	after := before
	after.Price = now
	return after.Paid().Cmp(before.Paid()) == -op.direction
}

// salePrice has a row put on sale, or its sale end, and returns its price then.
func (v *visitor) salePrice(op *operation, r *table.Row, price amount.Amount) (result amount.Amount, left remark, fault table.Kind) {
	if op.endsSale && !v.prices.OnSale() {
		return price, unchanged, table.Fine
	}
	before := v.prices
	if op.endsSale {
		v.prices.End()
	} else {
		regular := v.prices.Regular()
		at, left, fault := op.price(r, regular)
		if fault != table.Fine || left != notLeft {
			return price, left, fault
		}
		if at.IsZero() || at.Cmp(regular) >= 0 {
			return price, noLowerSale, table.Fine
		}
		v.prices.PutOnSale(at)
	}
	v.prices.Dated = false // where they are ignored, they were not there
	if v.prices.Same(&before) {
		v.prices = before // however its numbers are written
		return price, unchanged, table.Fine
	}
	return v.prices.Price, notLeft, table.Fine
}

// price returns what the operation makes of a row's price, or why it leaves the row
// alone.
func (op *operation) price(r *table.Row, was amount.Amount) (price amount.Amount, left remark, fault table.Kind) {
	f := op.rounded(r, was)
	if !f.needsCost() {
		return f.applied(was)
	}
	cost, _ := r.Amount(table.Cost)
	if cost.IsZero() {
		return price, withoutCost, table.Fine
	}
	if f.ofCost {
		was = cost
	}
	price, left, fault = f.applied(was)
	switch {
	case fault != table.Fine || left != notLeft || !f.notBelowCost || price.Cmp(cost) >= 0:
		return price, left, fault
	case f.leaves:
		return was, beyondLimits, table.Fine
	}
	price, above, fault := f.atLeast(cost)
	if above {
		return price, beyondLimits, fault
	}
	return price, notLeft, fault
}

// applied is apply, with a result that the limits would change told as why the row is left
// alone.
func (f *formula) applied(was amount.Amount) (price amount.Amount, left remark, fault table.Kind) {
	if price, fault = f.apply(was); fault == outsideLimits {
		return was, beyondLimits, table.Fine
	}
	return price, notLeft, fault
}

// rounded is the operation's formula for a price of a row: with as many decimals as the
// table's prices and this one have, where the plan does not say how many.
func (op *operation) rounded(r *table.Row, was amount.Amount) *formula {
	if op.finer == nil {
		return &op.formula
	}
	more := r.Decimals(was) - op.formula.digits
	if more <= 0 {
		return &op.formula
	}
	return &op.finer[more-1]
}

// stockPasses reports whether the operation's filter lets a row of that stock pass.
func (op *operation) stockPasses(inStock bool) bool {
	return op.inStock == nil || *op.inStock == inStock
}

// pricePasses reports whether the operation's filter lets a price pass.
func (op *operation) pricePasses(price amount.Amount) bool {
	return (op.gte == nil || price.Cmp(*op.gte) >= 0) && (op.lte == nil || price.Cmp(*op.lte) <= 0)
}

// doubts returns the fault of a price that the operation looks at, whose mark may be one
// of thousands.
func (op *operation) doubts(r *table.Row) table.Problem {
	if !op.needsPrice() {
		return table.Problem{}
	}
	return r.Doubt(table.Price)
}

// The kinds of faults that a formula's result can have.
const (
	negativePrice = table.Kinds + iota
	priceTooLarge
	quantityTooLarge
	outsideLimits // no fault of the table: the row is left alone
)

// advice is what such a fault means and what to do about it.
func (op *operation) advice(fault table.Kind) string {
	if fault == negativePrice {
		return "operation " + op.id + " would make the price negative: leave the row out, or give the operation a min_price"
	}
	return "operation " + op.id + " would make a price of more than 18 digits before the point: leave the row out, or give the operation a max_price"
}
