package plan

// meddles reports whether a rule changes rows of a later one that writes the same,
// and whether the result would differ in the other order.
func (r *rule) meddles(later *rule) (overlap, order bool) {
	if !r.rows.mayShare(&later.rows) || !r.rows.sameProducts(&later.rows) {
		return false, false
	}
	overlap = r.kind.writes == later.kind.writes && r.left().meets(&later.rows)
	return overlap, overlap && !commute(r, later) || r.changesRowsOf(later)
}

// commute reports whether two rules that write the same column give the same
// values in either order, the last digit's rounding aside.
func commute(a, b *rule) bool {
	if !a.writesPrice() {
		return a.Action.Stock == b.Action.Stock
	}
	return a.Options.onlyRound() && b.Options.onlyRound() && a.Options.Digits() == b.Options.Digits() && a.price.commutes(b.price)
}

func (o *Options) onlyRound() bool {
	return o.PriceEnding == nil && o.MinPrice == nil && o.MaxPrice == nil
}

// reachable reports whether some product of rows can be in them after the
// earlier operations. It follows the bounds of price and stock that these
// products can have.
func reachable(rows *selection, earlier []*rule) bool {
	state := selected(&Filter{})
	state.names = rows.names
	for _, op := range earlier {
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
