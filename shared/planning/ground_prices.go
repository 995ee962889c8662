package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// shapesOnly allows the two operations that only shape: a change of 0% that
// rounds or ends prices, and a price set where a floor or cap begins.
func (g *grounding) shapesOnly(op *plan.Operation) bool {
	if op.Action.Type == plan.PercentIncrease && op.Action.Value.IsZero() {
		return g.shapesAmong(op)
	}
	value, f := op.Action.Value, &op.Filter
	return op.Action.Type == plan.SetPrice &&
		(f.PriceLTE != nil && f.PriceLTE.Cmp(value) == 0 && use(g.floors, value) || f.PriceGTE != nil && f.PriceGTE.Cmp(value) == 0 && use(g.caps, value))
}

// shapesAmong reports whether prices are shaped as an operation does by what is no
// rule of its own.
func (g *grounding) shapesAmong(op *plan.Operation) bool {
	o := &op.Options
	return slices.ContainsFunc(g.roundings, func(r roundings) bool { return r.digits == o.Digits() && !g.ownShaping(r.sentence) }) ||
		slices.ContainsFunc(g.endings, func(n *number) bool {
			return o.PriceEnding != nil && n.value == *o.PriceEnding && !g.ownShaping(n.sentence)
		})
}

// shapedBeside reports whether all that shapes the prices of an operation can be said
// of its products.
func (g *grounding) shapedBeside(op *plan.Operation) bool {
	o := &op.Options
	for _, kind := range g.shapings(o) {
		if kind.have != nil && !slices.ContainsFunc(kind.said, func(n *number) bool { return n.value == *kind.have && g.beside(n.place, op) }) {
			return false
		}
	}
	rounded := func(r roundings) bool { return r.digits == o.Digits() && g.beside(r.place, op) }
	return o.Digits() == plan.DefaultRoundTo || slices.ContainsFunc(g.roundings, rounded)
}

// shapedAfter reports whether what an operation that only shapes prices does is said
// after an action.
func (g *grounding) shapedAfter(op *plan.Operation, s *said) bool {
	after := func(e place) bool { return s.chunk.sentence < e.sentence || s.chunk.precedes(e.chunk) }
	o := &op.Options
	return slices.ContainsFunc(g.endings, func(n *number) bool { return o.PriceEnding != nil && n.value == *o.PriceEnding && after(n.place) }) ||
		slices.ContainsFunc(g.roundings, func(r roundings) bool { return r.digits == o.Digits() && after(r.place) })
}

// beside reports whether no other products are spoken of right where an element stands,
// or last before it, than those of an operation.
func (g *grounding) beside(e place, op *plan.Operation) bool {
	c := e.chunk
	for !c.names && !c.every && !c.all && !c.pronoun && c.before != nil {
		c = c.before
	}
	if c.names {
		return slices.ContainsFunc(g.traced[op].listing, func(n *mentioned) bool { return n.chunk == c })
	}
	return g.bandFits(e.chunk, g.lower, op.Filter.PriceGTE) && g.bandFits(e.chunk, g.upper, op.Filter.PriceLTE)
}

// bandFits reports whether a chunk has no bounds of what is meant, or that of an
// operation.
func (g *grounding) bandFits(c *chunk, bounds []*number, have *plan.Decimal) bool {
	bounded := func(n *number) bool { return n.chunk == c && !n.out }
	return !slices.ContainsFunc(bounds, bounded) ||
		slices.ContainsFunc(bounds, func(n *number) bool { return bounded(n) && have != nil && n.value == *have })
}

// ownShaping reports whether a sentence does no more than shape the prices of
// products of its own.
func (g *grounding) ownShaping(sentence int) bool {
	return slices.ContainsFunc(g.actions, func(s *said) bool {
		return s.chunk.sentence == sentence && s.value.IsZero() && s.kind == plan.PercentIncrease
	})
}

func (g *grounding) stock(op *plan.Operation, action *said) {
	if op.Filter.InStock == nil {
		return
	}
	for i := range g.stocks {
		s := &g.stocks[i]
		if action != nil && action.chunk == nil && s.acts() && s.names { // of a rule of its own, not of prices that are only shaped
			continue
		}
		if (s.means == *op.Filter.InStock) != action.otherwise() && g.about(s.place, op) || g.rest {
			s.used = true
			return
		}
	}
	g.problem(op.OperationID, ": the instruction has no such condition on the stock.")
}

func (g *grounding) bounds(op *plan.Operation, action *said) {
	f := &op.Filter
	limits := func(said []*number, bound plan.Decimal) bool {
		return op.Action.Type == plan.SetPrice && bound.Cmp(op.Action.Value) == 0 && use(said, bound)
	}
	if f.PriceGTE != nil && !limits(g.caps, *f.PriceGTE) && !g.useBound(g.lower, op, action, *f.PriceGTE) {
		g.problem(op.OperationID, ": the instruction has no lower bound that means ", f.PriceGTE.String(), ".")
	}
	if f.PriceLTE != nil && !limits(g.floors, *f.PriceLTE) && !g.useBound(g.upper, op, action, *f.PriceLTE) {
		g.problem(op.OperationID, ": the instruction has no upper bound that means ", f.PriceLTE.String(), ".")
	}
}

// useBound is use for those that can be of the operation. The other sides of
// bounds are where its action is one of "otherwise".
func (g *grounding) useBound(all []*number, op *plan.Operation, action *said, value plan.Decimal) bool {
	found := false
	for _, n := range all {
		if n.value == value && (!n.other || action.otherwise()) && g.about(n.place, op) {
			n.use()
			found = true
		}
	}
	return found
}

// otherwise reports whether an action is what shall happen otherwise.
func (s *said) otherwise() bool { return s != nil && s.chunk != nil && s.chunk.otherwise }

func (g *grounding) options(op *plan.Operation) {
	o := &op.Options
	if op.Action.Type == plan.SetStock {
		if o.PriceEnding != nil || o.MinPrice != nil || o.MaxPrice != nil {
			g.problem(op.OperationID, ": it shapes prices and changes none.")
		}
		return
	}
	if o.PriceEnding != nil && !use(g.endings, *o.PriceEnding) {
		g.problem(op.OperationID, ": the instruction asks for no ending of ", o.PriceEnding.String(), ".")
	}
	if o.MinPrice != nil && !use(g.floors, *o.MinPrice) {
		g.problem(op.OperationID, ": the instruction has no floor of ", o.MinPrice.String(), ".")
	}
	if o.MaxPrice != nil && !use(g.caps, *o.MaxPrice) {
		g.problem(op.OperationID, ": the instruction has no cap of ", o.MaxPrice.String(), ".")
	}
	g.ownOptions(op)
	g.wholeOptions(op)
	g.othersOptions(op)
	asked := false
	for i := range g.roundings {
		if g.roundings[i].digits == o.Digits() {
			g.roundings[i].used, asked = true, true
		}
	}
	if !asked && o.Digits() != plan.DefaultRoundTo {
		g.problem(op.OperationID, ": the instruction asks for no such rounding.")
	}
}

// alone reports whether nothing but a way to shape prices, or products to leave
// alone, is in a sentence: then it holds for every rule.
func (g *grounding) alone(sentence int) bool {
	return !slices.ContainsFunc(g.actions, func(s *said) bool { return s.chunk.sentence == sentence })
}

// shaping is what the instruction says of one of the options that shape a price,
// and what an operation has.
type shaping struct {
	said []*number
	have *plan.Decimal
}

func (g *grounding) shapings(o *plan.Options) [3]shaping {
	return [3]shaping{{g.floors, o.MinPrice}, {g.caps, o.MaxPrice}, {g.endings, o.PriceEnding}}
}

// ownOptions checks that the limits and the ending of a price that is set are said
// with it, or in a sentence of their own.
func (g *grounding) ownOptions(op *plan.Operation) {
	if op.Action.Type != plan.SetPrice {
		return
	}
	o := &op.Options
	for _, kind := range g.shapings(o) {
		own := func(n *number) bool {
			return n.value == *kind.have && (g.alone(n.sentence) || slices.ContainsFunc(g.traced[op].fitting, func(s *said) bool { return s.chunk.sentence == n.sentence }))
		}
		if kind.have != nil && !slices.ContainsFunc(kind.said, own) {
			g.problem(op.OperationID, ": the instruction asks for ", kind.have.String(), " for other products.")
		}
	}
	for i := range g.roundings {
		r := &g.roundings[i]
		between := func(s *said) bool { return r.between(s) && !slices.Contains(g.traced[op].fitting, s) }
		if r.digits == o.Digits() && r.digits != plan.DefaultRoundTo && slices.ContainsFunc(g.actions, between) {
			g.problem(op.OperationID, ": the instruction asks for rounding as ", r.text, " says for other products.")
		}
	}
}

// wholeOptions checks that what a sentence of its own says of prices holds for
// the operation, if that changes prices by an amount.
func (g *grounding) wholeOptions(op *plan.Operation) {
	if op.Action.Type == plan.SetPrice || op.Action.Value.IsZero() || g.shaped {
		return
	}
	o := &op.Options
	for _, kind := range g.shapings(o) {
		for _, n := range kind.said {
			has := kind.have != nil && kind.have.Cmp(n.value) == 0
			if g.alone(n.sentence) && !g.ofOthers(n.sentence, op) && !has {
				g.problem(op.OperationID, ": the instruction asks for ", n.text, " there too.")
			}
		}
	}
	for i := range g.roundings {
		if r := &g.roundings[i]; g.alone(r.sentence) && !g.ofOthers(r.sentence, op) && r.digits != o.Digits() {
			g.problem(op.OperationID, ": the instruction asks for rounding as ", r.text, " says there too.")
		}
	}
}

// othersOptions checks that what sentences of their own say of the prices of some
// products does not shape those of an operation for others.
func (g *grounding) othersOptions(op *plan.Operation) {
	others := func(sentence int) bool { return g.alone(sentence) && g.ofOthers(sentence, op) }
	o := &op.Options
	for _, kind := range g.shapings(o) {
		own := func(n *number) bool { return n.value == *kind.have && !others(n.sentence) }
		if kind.have != nil && !slices.ContainsFunc(kind.said, own) {
			g.problem(op.OperationID, ": the instruction asks for ", kind.have.String(), " for other products.")
		}
	}
	own := func(r roundings) bool { return r.digits == o.Digits() && !others(r.sentence) }
	if o.Digits() != plan.DefaultRoundTo && !slices.ContainsFunc(g.roundings, own) {
		g.problem(op.OperationID, ": the instruction asks for such a rounding for other products.")
	}
}

// ofOthers reports whether a sentence names products, and none of those that an
// operation lists: "... tents by 12% and stoves by 7%. No tent may cost over $499."
func (g *grounding) ofOthers(sentence int, op *plan.Operation) bool {
	names, listed := false, false
	for i := range g.mentions {
		if n := &g.mentions[i]; n.chunk.sentence == sentence && !n.out {
			names, listed = true, listed || n.listedBy(op)
		}
	}
	return names && !listed && narrows(&op.Filter)
}

// shapedAlone reports whether an operation only shapes: then a sentence
// that does so is about that one's products.
func (g *grounding) shapedAlone() bool {
	for i := range g.plan.Operations {
		op := &g.plan.Operations[i]
		if g.shapesOnly(op) && !slices.ContainsFunc(g.actions, func(s *said) bool { return s.asksFor(op.Action) }) {
			return true
		}
	}
	return false
}

// use marks the elements that mean the value as used, and reports whether
// there was one.
func use(elements []*number, value plan.Decimal) bool {
	found := false
	for _, e := range elements {
		if e.value == value {
			e.use()
			found = true
		}
	}
	return found
}

// stockExplained: what is left out by its stock is missing where another
// condition says the same.
func (g *grounding) stockExplained(s *stock) bool {
	for i := range g.stocks {
		if other := &g.stocks[i]; other.used && other.means == s.means {
			return true
		}
	}
	return false
}
