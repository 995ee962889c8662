package pricing

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// state is a row as the operations have left it so far.
type state struct {
	price   amount.Amount
	inStock bool
	pieces  table.QuantityCell
	sale    table.Prices // in a table with sales
	// Asked: some operation is about the sale; compared: one sets the price from before it.
	asked, compared bool
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

// begin has the state be what a row has.
func (v *visitor) begin(r *table.Row) {
	if v.query.Sales { // or else no operation sets more than the price and the stock
		v.edit = table.Edit{}
	}
	v.edit.SetsStock, v.edit.InStock = false, r.Stock.In
	v.edit.StockText, v.edit.Texts[table.Quantity] = nil, nil
	now := &v.now
	now.price, now.inStock, now.asked, now.compared = r.Money[table.Price].Amount, r.Stock.In, false, false
	if !v.counted.Empty() {
		now.pieces = r.Quantity
	}
}

// carryOut has an operation change a row that it is for, and reports whether it does. A
// price that moves against the operation's direction is told of as against.
func (v *visitor) carryOut(i int, r *table.Row) (changed bool, found table.Problem) {
	op, now := &v.operations[i], &v.now
	result, left, fault := now.price, notLeft, table.Fine
	switch {
	case op.setStock:
		return v.setStock(i, r)
	case op.setQuantity:
		return v.recount(i, r)
	case op.comparesAt:
		left, fault = v.compareAt(op, result)
	case op.sells:
		result, left, fault = v.sell(op, r, result)
	default:
		result, left, fault = v.newPrice(op, r, now.price)
		if op.direction != 0 && fault == table.Fine && left == notLeft &&
			result.Cmp(now.price) == -op.direction {
			left = op.turned(v.paysAgainst(op, r, now.price, result))
		}
	}
	if fault != table.Fine {
		return false, v.table.Problem(table.RolePrice, fault, op.advice(fault))
	}
	if left >= 0 {
		v.note(left, r, i)
	}
	same := !op.sells && result.Equal(now.price)
	if same || left != notLeft && left != against {
		return false, table.Problem{}
	}
	now.price = result
	return true, table.Problem{}
}

// newPrice returns what the operation's formula makes of a row's price, or why it leaves the
// row alone.
func (v *visitor) newPrice(op *operation, r *table.Row, was amount.Amount) (
	price amount.Amount, left remark, fault table.Kind,
) {
	f, from := v.formula(op, was), was
	cost := r.Money[table.Cost].Amount
	if f.needsCost && cost.IsZero() {
		return price, withoutCost, table.Fine
	}
	if f.ofCost {
		from = cost
	}
	price, fault = f.apply(from)
	switch {
	case fault == outsideLimits:
		return was, beyondLimits, table.Fine
	case fault != table.Fine || !f.notBelowCost || price.Cmp(cost) >= 0:
		return price, notLeft, fault
	case f.leaves:
		return was, beyondLimits, table.Fine
	}
	price, above, fault := f.atLeast(cost)
	if above {
		return price, beyondLimits, fault
	}
	return price, notLeft, fault
}

// formula is an operation's for a price: with as many decimals as the table's prices and this
// one have, where the plan does not say how many.
func (v *visitor) formula(op *operation, price amount.Amount) *formula {
	if op.finer == nil {
		return &op.formula
	}
	digits := v.decimals
	if price.Scale > digits {
		if own := price.Decimals(); own <= plan.MaxRoundTo {
			digits = max(digits, own)
		}
	}
	if more := digits - op.formula.digits; more > 0 {
		return &op.finer[more-1]
	}
	return &op.formula
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
		return "operation " + op.id +
			" would make the price negative: leave the row out, or give the operation a min_price"
	}
	return "operation " + op.id + " would make a price of more than 18 digits before the point: leave the row out, or give the operation a max_price"
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
	if count != nil || now.inStock != r.Stock.In {
		return v.edit.SetStock(r, now.inStock, count)
	}
	return table.Problem{}
}
