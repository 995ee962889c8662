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

func (c *counting) acts() bool { return c.action != "" }

// bounds reports whether it is for rows of some quantities alone.
func (c *counting) bounds() bool { return c.within != nil }

func (c *counting) needed() bool { return c.acts() || c.bounds() }

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

// pieces is how many there are of a row, as operations leave it.
type pieces struct {
	table.Count
	known   bool
	follows bool // what is in stock goes with it
}

func (v *visitor) pieces(r *table.Row) (p pieces) {
	if v.counted.Empty() {
		return p
	}
	p.Count, p.known = r.Quantity()
	p.follows = p.known && r.StockFollows()
	return p
}

// recount has an operation change a row's quantity, and reports whether it does.
func (v *visitor) recount(i int, r *table.Row, p *pieces, inStock *bool) (changed bool, found table.Problem) {
	alone := table.Set{}.With(i)
	if !p.known {
		v.tally.Remarks.note(untracked, r.Index()+1, alone)
		return false, found
	}
	made, below, ok := v.operations[i].quantity.apply(p.Count)
	if !ok {
		return false, r.Fault(table.RoleQuantity, quantityTooLarge, "operation "+v.operations[i].id+" would make a quantity of more than 18 digits: leave the row out")
	}
	if below {
		v.tally.Remarks.note(belowNone, r.Index()+1, alone)
	}
	if made.Same(p.Count) {
		return false, found
	}
	if p.Count = made; p.follows {
		*inStock = made.Units > 0
	}
	return true, found
}

// restock has the quantity go with a state of stock that an operation sets.
func (v *visitor) restock(r *table.Row, p *pieces, inStock bool) table.Problem {
	if !p.follows || p.Units > 0 == inStock {
		return table.Problem{}
	}
	p.Count = table.Count{}
	if !inStock {
		return table.Problem{}
	}
	if v.settings.InStockQuantity == nil {
		return r.Fault(table.RoleQuantity, table.UnknownQuantity, "")
	}
	p.Units = *v.settings.InStockQuantity
	return table.Problem{}
}
