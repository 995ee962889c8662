package pricing

import "github.com/planwright/planwright/shared/table"

// A row may have cells that cannot be read, or no price: it is noted for the operations that
// leave it alone for that.

// leaves reports whether an operation leaves a row alone that has such a fault.
func (v *visitor) leaves(kind table.Kind) bool {
	return v.settings.OddRows == table.OddRowsLeave && kind.Odd()
}

// leaveOr has an operation leave a row alone where the settings say so of a fault, which it
// returns otherwise.
func (v *visitor) leaveOr(why remark, found table.Problem, r *table.Row, i int) table.Problem {
	if !v.leaves(found.Kind) {
		return found
	}
	v.note(why, r, i)
	return table.Problem{}
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
		if r.OtherPrices && !op.setStock && !op.setQuantity {
			v.note(otherPrices, r, i)
		}
	}
}

// note notes a row for an operation.
func (v *visitor) note(what remark, r *table.Row, i int) {
	v.tally.Remarks.note(what, r.Index+1, table.Set{}.With(i))
}
