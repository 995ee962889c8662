package pricing

import (
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// opCount counts the rows that an operation matched, of them those whose values
// it changed, and of those that no other changed, those whose price went against
// what it was to do.
type opCount struct{ Matched, Changed, Against int64 }

func (c *opCount) add(more opCount) {
	c.Matched += more.Matched
	c.Changed += more.Changed
	c.Against += more.Against
}

// decide carries the operations out, in order, that let a row's names pass, and
// returns those that changed it; what becomes of the row is the edit. Each
// operation sees the price and the stock that the one before left. A row
// without a price is left alone by every operation that looks at a price or
// changes one.
func (v *visitor) decide(r *table.Row) (by table.Set, found table.Problem) {
	matching := r.Meets()
	was, priced := r.Amount(table.Price)
	if !priced {
		matching = matching.And(v.priceless)
	}
	price, inStock := was, r.InStock()
	last, changes := 0, 0
	for i := 0; !matching.Empty(); {
		i, matching = matching.Next()
		op := &v.operations[i]
		if !op.matches(price, inStock) {
			continue
		}
		v.tally.Counts[i].Matched++
		if op.setStock {
			if inStock == op.stock {
				continue
			}
			inStock = op.stock
		} else {
			result, left, fault := op.price(r, price)
			if fault != table.Fine {
				return by, r.Fault(table.RolePrice, fault, op.advice(fault))
			}
			if left != notLeft {
				v.tally.Remarks.note(left, r.Index()+1, table.Set{}.With(i))
				continue
			}
			if result.Equal(price) {
				continue
			}
			price = result
		}
		v.tally.Counts[i].Changed++
		by = by.With(i)
		last, changes = i, changes+1
	}
	e := &v.edit.Money[table.Price]
	e.Sets, e.Amount = !price.Equal(was), price
	v.edit.SetsStock, v.edit.InStock = inStock != r.InStock(), inStock
	if direction := v.operations[last].formula.direction; e.Sets && changes == 1 && direction != 0 && price.Cmp(was) != direction {
		v.tally.Counts[last].Against++
	}
	return by, table.Problem{}
}

// price returns what the operation makes of a row's price, or why it leaves the row
// alone.
func (op *operation) price(r *table.Row, was amount.Amount) (price amount.Amount, left remark, fault table.Kind) {
	if !op.formula.needsCost() {
		price, fault = op.formula.apply(was)
		return price, notLeft, fault
	}
	cost, _ := r.Amount(table.Cost)
	if cost.Equal(amount.Amount{}) {
		return price, withoutCost, table.Fine
	}
	if op.formula.ofCost {
		was = cost
	}
	if price, fault = op.formula.apply(was); fault != table.Fine || !op.formula.notBelowCost || price.Cmp(cost) >= 0 {
		return price, notLeft, fault
	}
	price, above, fault := op.formula.atLeast(cost)
	if above {
		return price, costAboveMax, fault
	}
	return price, notLeft, fault
}

// matches reports whether the operation's filter lets a row pass whose names
// pass.
func (op *operation) matches(price amount.Amount, inStock bool) bool {
	switch {
	case op.inStock != nil && *op.inStock != inStock:
		return false
	case op.gte != nil && op.gte.below(price):
		return false
	case op.lte != nil && op.lte.above(price):
		return false
	default:
		return true
	}
}

// The kinds of faults that a formula's result can have.
const (
	negativePrice = table.Kinds + iota
	priceTooLarge
)

// advice is what such a fault means and what to do about it.
func (op *operation) advice(fault table.Kind) string {
	if fault == negativePrice {
		return "operation " + op.id + " would make the price negative: leave the row out, or give the operation a min_price"
	}
	return "operation " + op.id + " would make a price of more than 18 digits before the point: leave the row out, or give the operation a max_price"
}
