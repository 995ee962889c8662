package plan

import (
	"fmt"
	"slices"
	"strings"
)

// pairs compares a rule with each that runs before it. There is at most one
// warning of a code, which names all of the earlier ones.
func (l *linter) pairs(later *rule) {
	var overlapping, ordered []string
	for _, earlier := range l.earlier {
		if !earlier.rows.mayShare(&later.rows) || !earlier.rows.sameProducts(&later.rows) {
			continue
		}
		overlap := earlier.writesWhat(later.Operation) && earlier.left().meets(&later.rows)
		if overlap {
			overlapping = append(overlapping, earlier.OperationID)
		}
		if overlap && !commute(earlier.Operation, later.Operation) || earlier.changesRowsOf(later) {
			ordered = append(ordered, earlier.OperationID)
		}
	}
	l.warnPair(WarnOverlap, overlapping, later, "%s can change products that %s changed already: both changes apply, one after the other.")
	l.warnPair(WarnOrder, ordered, later, "%s works on what %s left behind. In another order the result would differ, so check that this is the order you mean.")
}

func (l *linter) warnPair(code string, earlier []string, later *rule, format string) {
	if earlier == nil {
		return
	}
	l.warnings = append(l.warnings, Warning{
		Code:         code,
		OperationIDs: append(slices.Clip(earlier), later.OperationID),
		Message:      fmt.Sprintf(format, later.OperationID, joined(earlier)),
	})
}

func joined(ids []string) string {
	return strings.TrimSpace(named("", "", ids, "and"))
}

// writesWhat reports whether both operations write prices, or both stock.
func (op *Operation) writesWhat(other *Operation) bool {
	return op.Action.Type.isPrice() == other.Action.Type.isPrice()
}

// commute reports whether two operations on the same rows give the same values
// in either order, the last digit's rounding aside.
func commute(a, b *Operation) bool {
	if a.Action.Type == SetStock {
		return a.Action.Stock == b.Action.Stock
	}
	return a.Options.onlyRound() && b.Options.onlyRound() && a.Options.Digits() == b.Options.Digits() &&
		(a.Action.isPercent() && b.Action.isPercent() || a.Action.isFixed() && b.Action.isFixed() || a.Action == b.Action)
}

func (o *Options) onlyRound() bool {
	return o.PriceEnding == nil && o.MinPrice == nil && o.MaxPrice == nil
}

func (a *Action) isPercent() bool { return a.Type == PercentIncrease || a.Type == PercentDecrease }
func (a *Action) isFixed() bool   { return a.Type == FixedIncrease || a.Type == FixedDecrease }

// reachable reports whether some product of rows can be in them after the
// earlier operations. It follows the bounds of price and stock that these
// products can have.
func (l *linter) reachable(rows *selection) bool {
	state := selected(&Filter{})
	state.categories, state.skus = rows.categories, rows.skus
	for _, op := range l.earlier {
		if !op.rows.mayShare(&state) {
			continue
		}
		all := op.rows.covers(&state)
		if !all && state.anyPriceAndStock() || !op.rows.meets(&state) {
			continue // what changes for some of all that is possible leaves all possible
		}
		hit := state
		hit.price = hit.price.intersect(op.rows.price)
		hit.stock = [2]bool{hit.stock[0] && op.rows.stock[0], hit.stock[1] && op.rows.stock[1]}
		changed := op.leaves(hit)
		if all {
			state = changed
			continue
		}
		state.price = state.price.union(changed.price)
		state.stock = [2]bool{state.stock[0] || changed.stock[0], state.stock[1] || changed.stock[1]}
	}
	return state.meets(rows)
}
