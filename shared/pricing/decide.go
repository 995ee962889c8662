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

// state is a row as the operations have left it so far.
type state struct {
	price   amount.Amount
	inStock bool
	pieces  table.QuantityCell
	sale    table.Prices // in a table with sales
	// Asked: some operation is about the sale; compared: one sets the price from before it.
	asked, compared bool
}

// begin has the state be what a row has.
func (v *visitor) begin(r *table.Row) {
	if v.query.Sales { // or else no operation sets more than the price and the stock
		v.edit = table.Edit{}
	}
	now := &v.now
	now.price, now.inStock, now.asked, now.compared = r.Money[table.Price].Amount, r.Stock.In, false, false
	if !v.counted.Empty() {
		now.pieces = r.Quantity
	}
}

// decide carries the operations out, in order, that let a row's names pass, and
// returns those that changed it; what becomes of the row is the edit. Each
// operation sees the price and the stock that the one before left. A row
// without a price is left alone by every operation that looks at a price or
// changes one. Among are the operations that there are.
func (v *visitor) decide(r *table.Row, among table.Set) (by table.Set, found table.Problem) {
	v.begin(r)
	matching := r.Meets.And(among)
	if v.settings.OddRows == table.OddRowsLeave {
		matching = v.leaveOdd(r, matching, among)
	}
	if !r.Money[table.Price].Has {
		v.noteUnpriced(r, matching.AndNot(v.priceless))
		if matching = matching.And(v.priceless); r.Stock.Bare {
			matching = table.Set{}
		}
	}
	for i := 0; !matching.Empty(); {
		i, matching = matching.Next()
		passes, found := v.operations[i].match(v, r, i)
		if found.Kind != table.Fine {
			return by, found
		}
		if !passes {
			continue
		}
		v.tally.Counts[i].Matched++
		changed, found := v.carryOut(i, r)
		if found.Kind != table.Fine {
			return by, found
		}
		if changed {
			v.tally.Counts[i].Changed++
			by = by.With(i)
		}
	}
	return by, v.settle(r)
}

// settle has the edit make of the row what became of it.
func (v *visitor) settle(r *table.Row) table.Problem {
	now := &v.now
	price := &v.edit.Money[table.Price]
	price.Sets, price.Amount = !now.price.Equal(r.Money[table.Price].Amount), now.price
	if now.asked {
		was := v.were(r)
		now.sale.Price = now.price
		v.edit.SetPrices(r, &was, &now.sale)
	}
	var count *table.Count
	if now.pieces.Known && !now.pieces.Same(r.Quantity.Count) {
		count = &now.pieces.Count
	}
	return v.edit.SetStock(r, now.inStock, count)
}

// were are the prices that a row has, with its sale as the settings say that it is read.
func (v *visitor) were(r *table.Row) table.Prices {
	were := r.Sales[0].Prices
	if v.settings.SaleDates == table.SaleDatesIgnore {
		were.Dated = false
	}
	return were
}

// carryOut has an operation change a row that it is for, and reports whether it does.
func (v *visitor) carryOut(i int, r *table.Row) (changed bool, found table.Problem) {
	op, now := &v.operations[i], &v.now
	switch {
	case op.setStock:
		return v.setStock(i, r)
	case op.quantity.acts():
		return v.recount(i, r)
	}
	result, left, fault := v.price(op, r, now.price)
	if fault != table.Fine {
		return false, v.table.Problem(table.RolePrice, fault, op.advice(fault))
	}
	if left >= 0 {
		v.note(left, r, i)
	}
	same := !op.sells() && result.Equal(now.price)
	if same || left != notLeft && left != against {
		return false, table.Problem{}
	}
	now.price = result
	return true, table.Problem{}
}

// setStock has an operation put a row in stock or out of it.
func (v *visitor) setStock(i int, r *table.Row) (changed bool, found table.Problem) {
	op, now := &v.operations[i], &v.now
	if !op.stock && r.Stock.Backorders {
		v.note(backorder, r, i)
	}
	if op.stock && r.Stock.CountsOut || !op.stock && r.Stock.CountsIn {
		v.note(otherStock, r, i)
	}
	if now.inStock == op.stock {
		return false, found
	}
	if r.Stock.Untracked && v.settings.OddRows == table.OddRowsLeave {
		v.note(oddStock, r, i)
		return false, found
	}
	now.inStock = op.stock
	return true, v.restock()
}

// note notes a row for an operation.
func (v *visitor) note(what remark, r *table.Row, i int) {
	v.tally.Remarks.note(what, r.Index+1, table.Set{}.With(i))
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
			if stock == nil || r.Stock.Bare || r.Stock.Odd || *stock == r.Stock.In {
				v.note(why, r, i)
			}
		}
	}
	leave(oddName, r.OddNames.And(among))
	for _, cell := range []struct {
		odd  bool
		why  remark
		need table.Set
	}{
		{r.Stock.Odd, oddStock, v.stocked},
		{r.Quantity.Odd, oddStock, v.counted},
		{r.Money[table.Price].Odd, oddPrice, table.EverySet.AndNot(v.priceless)},
		{r.Money[table.Cost].Odd, oddCost, v.costed},
	} {
		if cell.odd {
			leave(cell.why, matching.And(cell.need))
			matching = matching.AndNot(cell.need)
		}
	}
	return matching
}

// noteUnpriced notes a row without a price, where operations that its stock lets
// pass look at prices or change them: one that nobody expects, and one whose price
// stands elsewhere, as what a variant costs more does.
func (v *visitor) noteUnpriced(r *table.Row, matching table.Set) {
	expects := v.table.ExpectsPrices()
	for i := 0; (expects || r.OtherPrices) && !matching.Empty(); {
		i, matching = matching.Next()
		op := &v.operations[i]
		if op.inStock != nil && !r.Stock.Bare && *op.inStock != r.Stock.In {
			continue
		}
		if expects {
			v.note(withoutPrice, r, i)
		}
		if r.OtherPrices && !op.setStock && !op.quantity.acts() {
			v.note(otherPrices, r, i)
		}
	}
}

// price returns what an operation makes of a row's price and, where it is about
// sales, has it made of what the row is on sale for; or why it leaves the row alone. A
// price that moves against the operation's direction is told of as against.
func (v *visitor) price(op *operation, r *table.Row, price amount.Amount) (result amount.Amount, left remark, fault table.Kind) {
	if op.comparesAt {
		left, fault = v.compareAt(op, price)
		return price, left, fault
	}
	if !op.asSale && !op.endsSale {
		result, left, fault = v.newPrice(op, r, price)
		if fault == table.Fine && left == notLeft && op.direction != 0 && result.Cmp(price) == -op.direction {
			left = op.turned(v.paysAgainst(op, r, price, result))
		}
		return result, left, fault
	}
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

// compareAt has another price stand as the one from before a sale, or says why the row is
// left alone.
func (v *visitor) compareAt(op *operation, price amount.Amount) (left remark, fault table.Kind) {
	at := price
	if !op.asIs {
		if at, fault = op.rounded(v.table, price).apply(price); fault != table.Fine {
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

// salePrice has a row put on sale, or its sale end, and returns its price then.
func (v *visitor) salePrice(op *operation, r *table.Row, price amount.Amount) (result amount.Amount, left remark, fault table.Kind) {
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

// newPrice returns what the operation's formula makes of a row's price, or why it leaves the
// row alone.
func (v *visitor) newPrice(op *operation, r *table.Row, was amount.Amount) (price amount.Amount, left remark, fault table.Kind) {
	f := op.rounded(v.table, was)
	if !f.needsCost() {
		return f.applied(was)
	}
	cost := r.Money[table.Cost].Amount
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

// rounded is the operation's formula for a price of a table: with as many decimals as the
// table's prices and this one have, where the plan does not say how many.
func (op *operation) rounded(t *table.Table, was amount.Amount) *formula {
	if op.finer == nil {
		return &op.formula
	}
	more := t.Decimals(was) - op.formula.digits
	if more <= 0 {
		return &op.formula
	}
	return &op.finer[more-1]
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
