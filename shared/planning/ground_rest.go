package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// complements reports whether the conditions of an operation for "everything
// else" are the other side of those of another operation for the same names, or
// of what is left alone.
func (g *grounding) complements(op *plan.Operation) bool {
	if unconditional(&op.Filter) || g.leftOver(op, func(e place) bool { return e.out && (e.leaves || g.alone(e.sentence)) && g.about(e, op) }) {
		return true
	}
	return slices.ContainsFunc(g.plan.Operations, func(other plan.Operation) bool {
		return other.Action != op.Action && !disjoint(&other.Filter, &op.Filter) && !overlap(&other.Filter, &op.Filter)
	})
}

// leftOver reports whether the conditions of an operation are what products that
// are left alone leave over, by conditions of theirs that count. Two conditions
// of the same products leave over more than both sides.
func (g *grounding) leftOver(op *plan.Operation, counts func(place) bool) bool {
	f := &op.Filter
	left := func(all []*number, have *plan.Decimal) bool {
		return have == nil || slices.ContainsFunc(all, func(n *number) bool { return counts(n.place) && n.value == *have && (f.InStock == nil || !n.stocked) })
	}
	byStock := f.InStock == nil || slices.ContainsFunc(g.stocks, func(s stock) bool { return counts(s.place) && s.means == *f.InStock })
	return byStock && left(g.lower, f.PriceGTE) && left(g.upper, f.PriceLTE)
}

// keptOff reports whether a number is a bound of what is left out, of which no
// operation takes anything: "items under $20 up 5%, those over $50 stay the same".
func (g *grounding) keptOff(n *number) bool {
	upper := slices.Contains(g.upper, n)
	if !n.out || !upper && !slices.Contains(g.lower, n) {
		return false
	}
	return !slices.ContainsFunc(g.plan.Operations, func(op plan.Operation) bool {
		if upper {
			return op.Filter.PriceLTE == nil || op.Filter.PriceLTE.Cmp(n.value) > 0
		}
		return op.Filter.PriceGTE == nil || op.Filter.PriceGTE.Cmp(n.value) < 0
	})
}

func unconditional(f *plan.Filter) bool {
	return f.InStock == nil && f.PriceGTE == nil && f.PriceLTE == nil
}

// restComplete checks that "everything else" takes all that the other rules
// leave: products of other names, and those of the same that their conditions
// leave out.
func (g *grounding) restComplete() {
	i := slices.IndexFunc(g.actions, func(s *said) bool { return s.chunk.rest })
	if i < 0 {
		return
	}
	rest, broad := g.actions[i], false
	for i := range g.plan.Operations {
		op := &g.plan.Operations[i]
		broad = broad || rest.asksFor(op.Action) && !narrows(&op.Filter)
		if rest.asksFor(op.Action) && !g.then && g.takesOthers(op) {
			g.problem(op.OperationID, ": it takes products of another operation as well, and the instruction speaks of all others.")
		}
		if !rest.asksFor(op.Action) && narrows(&op.Filter) && !unconditional(&op.Filter) && !g.otherSideOf(op, rest) && !g.leftOver(op, func(e place) bool { return e.notWay == 0 && g.onlyCondition(e) }) {
			g.problem("The plan does not do what ", rest.text, " asks for to the other products of ", op.OperationID, ".")
		}
	}
	if !broad && !rest.chunk.names {
		g.problem("The plan does not do what ", rest.text, " asks for to all other products.")
	}
}

// takesOthers reports whether an operation for "everything else" takes products of one
// that does something else: "mark everything under $2 as sold out, all others 1% off".
func (g *grounding) takesOthers(op *plan.Operation) bool {
	return slices.ContainsFunc(g.plan.Operations, func(other plan.Operation) bool {
		return other.Action != op.Action && overlap(&other.Filter, &op.Filter)
	})
}

// otherSideOf reports whether an operation with the action of the rest takes
// the products that the conditions of another leave out.
func (g *grounding) otherSideOf(op *plan.Operation, rest *said) bool {
	return slices.ContainsFunc(g.plan.Operations, func(other plan.Operation) bool {
		return rest.asksFor(other.Action) && !disjoint(&other.Filter, &op.Filter) && !overlap(&other.Filter, &op.Filter)
	})
}
