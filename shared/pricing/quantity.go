package pricing

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// counting is what an operation says of pieces in stock.
type counting struct {
	action plan.ActionType // of those that change them; "": it changes none
	by     table.Count
	within *table.Pieces // those of the rows that it is for; nil: any
	path   string        // where in the operation it says so
}

func newCounting(op plan.Operation) (c counting) {
	count := func(d *plan.Decimal) *table.Count {
		if d == nil {
			return nil
		}
		n, _ := table.CountOf(d.String()) // a whole number of at most 18 digits
		return &n
	}
	within := table.Pieces{AtLeast: count(op.Filter.QuantityGTE), AtMost: count(op.Filter.QuantityLTE)}
	if within != (table.Pieces{}) {
		c.within = &within
	}
	switch {
	case within.AtLeast != nil:
		c.path = ".filter.quantity_gte"
	case within.AtMost != nil:
		c.path = ".filter.quantity_lte"
	default:
		c.path = ".action"
	}
	if op.Action.Type.SetsQuantity() {
		c.action, c.by = op.Action.Type, *count(&op.Action.Value)
	}
	return c
}

func (c *counting) needed() bool { return c.action != "" || c.within != nil }

// apply returns what the action makes of a quantity. Below: that would be less than none.
func (c *counting) apply(n table.Count) (made table.Count, below, ok bool) {
	made, ok = c.by, true
	switch c.action {
	case plan.QuantityIncrease:
		made, ok = n.Plus(c.by)
	case plan.QuantityDecrease:
		made, ok = n.Minus(c.by)
	}
	if made.Units < 0 {
		return table.Count{}, true, ok
	}
	return made, false, ok
}

// recount has an operation change a row's quantity, and reports whether it does.
func (v *visitor) recount(i int, r *table.Row) (changed bool, found table.Problem) {
	now := &v.now.pieces
	if !now.Known {
		v.note(untracked, r, i)
		return false, found
	}
	made, below, ok := v.operations[i].quantity.apply(now.Count)
	if !ok {
		advice := "operation " + v.operations[i].id +
			" would make a quantity of more than 18 digits: leave the row out"
		return false, v.table.Problem(table.RoleQuantity, quantityTooLarge, advice)
	}
	if below {
		v.note(belowNone, r, i)
	}
	if made.Same(now.Count) {
		return false, found
	}
	if now.Count = made; now.Follows {
		v.now.inStock = made.Units > 0
	}
	return true, found
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

// restock has the quantity go with a state of stock that an operation set.
func (v *visitor) restock() table.Problem {
	now := &v.now.pieces
	if !now.Follows || now.Units > 0 == v.now.inStock {
		return table.Problem{}
	}
	now.Count = table.Count{}
	if !v.now.inStock {
		return table.Problem{}
	}
	if v.settings.InStockQuantity == nil {
		return v.table.Problem(table.RoleQuantity, table.UnknownQuantity, "")
	}
	now.Units = *v.settings.InStockQuantity
	return table.Problem{}
}
