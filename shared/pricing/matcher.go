package pricing

import (
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// matcher is what an operation's filter says of a row's cells, but for its names: of these the
// query tells which operations they let pass.
type matcher struct {
	inStock  *bool
	gte, lte *amount.Amount
	pieces   *table.Pieces // nil: any
	onSale   *bool
	priced   bool // the operation looks at the price, or changes one
	sales    bool // it looks at what is on sale, or changes that
	hides    bool // it changes that, which dates of a sale that is over would hide
}

// match reports whether an operation is for a row as the operations before it left it. A row
// that it leaves alone because a cell cannot be read is noted; a fault refuses the table.
func (m *matcher) match(v *visitor, r *table.Row, i int) (passes bool, found table.Problem) {
	now := &v.now
	if m.inStock != nil && *m.inStock != now.inStock {
		return false, found
	}
	if m.priced && r.Money[table.Price].Ambiguous {
		return false, v.leaveOr(oddPrice, v.table.Problem(table.RolePrice, table.ThreeDecimals, ""), r, i)
	}
	if m.gte != nil && now.price.Cmp(*m.gte) < 0 || m.lte != nil && now.price.Cmp(*m.lte) > 0 {
		return false, found
	}
	if m.pieces != nil {
		if !now.pieces.Known {
			v.note(untracked, r, i)
		}
		if !now.pieces.Known || !m.pieces.Has(now.pieces.Count) {
			return false, found
		}
	}
	if m.sales {
		return m.matchSale(v, r, i)
	}
	return true, found
}
