package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// names checks the categories and SKUs of an operation.
func (g *grounding) names(op *plan.Operation, action *said) {
	for _, category := range sorted(op.Filter.Categories) {
		g.named(op, category, false, g.categories[category])
	}
	for _, sku := range sorted(op.Filter.SKUs) {
		g.named(op, sku, false, g.skus[sku])
	}
	for _, category := range sorted(op.Filter.ExcludeCategories) {
		g.named(op, category, true, g.categories[category])
	}
	for _, sku := range sorted(op.Filter.ExcludeSKUs) {
		g.named(op, sku, true, g.skus[sku])
	}
	if action != nil && action.chunk == nil && (g.shapesOthers(op) || g.limitsFewer(op)) {
		g.problem(op.OperationID, ": the instruction speaks of other products.")
	}
	if f := &op.Filter; f.Categories == nil && f.SKUs == nil && f.InStock == nil && f.PriceGTE == nil && f.PriceLTE == nil && !g.every && !g.othersMeant() {
		g.problem(op.OperationID, ": the instruction does not speak of all products.")
	}
	g.joined(op)
	g.leftAlone(op)
	g.ledBy(op, action)
	if action == nil || action.chunk == nil {
		return
	}
	if op.Filter.Categories == nil && op.Filter.SKUs == nil && g.goesOn(action.chunk) {
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for the products it named before.")
	}
	if (action.chunk.pronoun || action.chunk.one && !action.chunk.every) && op.Filter.Categories == nil && op.Filter.SKUs == nil && slices.ContainsFunc(g.mentions, func(n mentioned) bool { return !n.out }) {
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for the products it named before.")
	}
	if !g.sameAgain(op, action.chunk) {
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for all of the products it named before.")
	}
	if action.chunk.rest {
		g.restOf(op, action)
	}
}

// othersMeant reports whether the one change that is asked for comes after all the
// products that are named, which it leaves out: "except for mugs, 5% off".
func (g *grounding) othersMeant() bool {
	return len(g.actions) == 1 && len(g.mentions) > 0 && !slices.ContainsFunc(g.mentions, func(n mentioned) bool { return !n.out || n.at > g.actions[0].at })
}

// shapesOthers reports whether the sentences that shape prices as an operation
// does, which does no more, name products and not all of its own.
func (g *grounding) shapesOthers(op *plan.Operation) bool {
	shaped := func(n *mentioned) bool { return !n.out && g.shapesIn(op, n.chunk.sentence) }
	if !slices.ContainsFunc(g.mentions, func(n mentioned) bool { return shaped(&n) }) {
		return false
	}
	elsewhere := func(mentions []*mentioned) bool { return !slices.ContainsFunc(mentions, shaped) }
	return !narrows(&op.Filter) ||
		slices.ContainsFunc(op.Filter.Categories, func(name string) bool { return elsewhere(g.categories[name]) }) ||
		slices.ContainsFunc(op.Filter.SKUs, func(sku string) bool { return elsewhere(g.skus[sku]) })
}

// limitsFewer reports whether an operation that sets prices to a limit is for some only of
// the products that all limits of the sentence are for: "no mug or hat may cost more than
// $60, and none less than $6".
func (g *grounding) limitsFewer(op *plan.Operation) bool {
	if op.Action.Type != plan.SetPrice {
		return false
	}
	takes := func(n *mentioned) bool {
		return slices.ContainsFunc(n.listed, func(other *plan.Operation) bool { return other.Action == op.Action })
	}
	fewer := false
	for sentence, named := range g.inSentence {
		if !g.shapesIn(op, sentence) {
			continue
		}
		if !g.alone(sentence) || !g.limitedTogether(sentence) || !slices.ContainsFunc(named, func(n *mentioned) bool { return !n.out && !takes(n) }) {
			return false
		}
		fewer = true
	}
	return fewer
}

// limitedTogether reports whether a sentence names products only before its first limit or
// after its last.
func (g *grounding) limitedTogether(sentence int) bool {
	before, after := true, true
	for _, limit := range slices.Concat(g.floors, g.caps) {
		for _, n := range g.inSentence[sentence] {
			if limit.sentence == sentence && !n.out {
				before, after = before && n.chunk.index <= limit.index, after && n.chunk.index >= limit.index
			}
		}
	}
	return before || after
}

// shapesIn reports whether a sentence shapes prices as an operation does.
func (g *grounding) shapesIn(op *plan.Operation, sentence int) bool {
	in := func(all []*number, value *plan.Decimal) bool {
		return value != nil && slices.ContainsFunc(all, func(n *number) bool { return n.sentence == sentence && n.value == *value })
	}
	if !op.Action.Value.IsZero() {
		return op.Filter.PriceLTE != nil && in(g.floors, &op.Action.Value) || op.Filter.PriceGTE != nil && in(g.caps, &op.Action.Value)
	}
	return in(g.endings, op.Options.PriceEnding) ||
		slices.ContainsFunc(g.roundings, func(r roundings) bool { return r.sentence == sentence && r.digits == op.Options.Digits() })
}

// joined checks that the instruction joins the names that an operation lists:
// in "yoga from Nike" it does not.
func (g *grounding) joined(op *plan.Operation) {
	listing := g.traced[op].listing
	if !slices.ContainsFunc(listing, func(n *mentioned) bool { return n.text != listing[0].text }) {
		return
	}
	var last *mentioned
	for i := range g.mentions {
		n := &g.mentions[i]
		if !n.listedBy(op) {
			continue
		}
		if last != nil && last.chunk == n.chunk && last.text != n.text && !n.again {
			g.problem(op.OperationID, ": the instruction does not say that both ", quoted(last.text), " and ", quoted(n.text), " are meant.")
		}
		last = n
	}
}

// sameAgain reports whether an operation for "them", or on another condition, names the products of
// another, all of them. What is named right before, with nothing asked for it,
// is what "them" stands for: "mugs: mark them sold out".
func (g *grounding) sameAgain(op *plan.Operation, c *chunk) bool {
	if c.names || c.rest || len(g.plan.Operations) < 2 || op.Filter.Categories == nil && op.Filter.SKUs == nil {
		return true
	}
	again := c.pronoun || g.goesOn(c) && g.conditional(c.sentence) // "mugs and hats: in stock 5% off, sold out 10% off"
	if !again {
		return true
	}
	before := slices.ContainsFunc(g.mentions, func(n mentioned) bool {
		return n.chunk.sentence == c.sentence && n.chunk.index < c.index && !n.chunk.acts() && n.listedBy(op) && !g.actsBetween(n.chunk, c)
	})
	return before || slices.ContainsFunc(g.plan.Operations, func(other plan.Operation) bool {
		return other.OperationID != op.OperationID && slices.Equal(other.Filter.Categories, op.Filter.Categories) && slices.Equal(other.Filter.SKUs, op.Filter.SKUs)
	})
}

// actsBetween reports whether something is asked for in a chunk between two of
// the same sentence.
func (g *grounding) actsBetween(first, last *chunk) bool {
	return slices.ContainsFunc(g.actions, func(s *said) bool {
		return s.chunk.sentence == first.sentence && s.chunk.index > first.index && s.chunk.index < last.index
	})
}

// goesOn reports whether a part of a sentence names no products and goes on
// about those that the parts before it named: "yoga under $20 by 10% and over
// $50 by 5%".
func (g *grounding) goesOn(c *chunk) bool {
	before := false
	for i := range g.mentions {
		n := &g.mentions[i]
		if n.chunk.sentence == c.sentence && !n.out {
			if n.chunk.index >= c.index {
				return false
			}
			before = true
		}
		before = before || n.chunk.sentence < c.sentence && !n.out && g.conditional(c.sentence)
	}
	return before && !c.every && !c.rest
}

// conditional reports whether a sentence has a bound or a stock condition.
func (g *grounding) conditional(sentence int) bool {
	return slices.ContainsFunc(g.stocks, func(s stock) bool { return s.sentence == sentence }) ||
		slices.ContainsFunc(g.numbers, func(n *number) bool { return n.sentence == sentence })
}

// restOf checks that "everything else" leaves out what was named before.
func (g *grounding) restOf(op *plan.Operation, action *said) {
	f := &op.Filter
	for i := range g.mentions {
		n := &g.mentions[i]
		before := n.chunk.sentence < action.chunk.sentence || n.chunk.sentence == action.chunk.sentence && n.chunk.index < action.chunk.index
		if n.chunk == action.chunk && !n.out && !n.listedBy(op) {
			g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for ", quoted(n.text), ".")
		}
		if n.out && !n.chunk.acts() && n.listedBy(op) && !g.otherSide(op, n) {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), ".")
		}
		if !before || n.out {
			continue
		}
		listed := n.sku && f.SKUs != nil || !n.sku && f.Categories != nil
		if n.listedBy(op) && !g.otherPart(op, n) || !n.listedBy(op) && !n.excludedBy(op) && !listed {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), ".")
		}
	}
}

// otherPart reports whether an operation takes the products of a name that the
// condition of another rule for it leaves over: "mugs over $20 up 5%, all else
// up 3%". That what is for all else leaves the name out is checked of it.
func (g *grounding) otherPart(op *plan.Operation, n *mentioned) bool {
	return slices.ContainsFunc(n.listed, func(other *plan.Operation) bool {
		return other != op && other.Action != op.Action && !overlap(&other.Filter, &op.Filter)
	})
}

// ledBy checks that a condition that begins a sentence holds for the operation.
func (g *grounding) ledBy(op *plan.Operation, action *said) {
	if action == nil || action.chunk == nil || action.chunk.anew || g.turnsAway(action.chunk) {
		return
	}
	for i := range g.stocks {
		s := &g.stocks[i]
		if s.leads && s.sentence == action.chunk.sentence && (op.Filter.InStock == nil || (*op.Filter.InStock != s.means) != action.chunk.otherwise) {
			g.problem(op.OperationID, ": the instruction has the condition ", s.text, " there too.")
		}
	}
	for _, n := range g.inSentence[action.chunk.sentence] {
		if n.leads && n.out && !n.leftOutBy(op) && !n.listedBy(op) {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), " there too.")
		}
	}
	for _, side := range []struct {
		said []*number
		have *plan.Decimal
	}{{g.lower, op.Filter.PriceGTE}, {g.upper, op.Filter.PriceLTE}} {
		for _, n := range side.said {
			if n.leads && len(n.twins) == 0 && n.sentence == action.chunk.sentence && !action.chunk.otherwise && (side.have == nil || side.have.Cmp(n.value) != 0) {
				g.problem(op.OperationID, ": the instruction has the bound ", n.text, " there too.")
			}
		}
	}
}

// turnsAway reports whether a chunk speaks of everything else than what a sentence
// without names begins with: "for items over $50, take 5% off, everything else 3%".
func (g *grounding) turnsAway(c *chunk) bool {
	return c.rest && !slices.ContainsFunc(g.inSentence[c.sentence], func(n *mentioned) bool { return !n.out })
}

// leftAlone checks that what a sentence of its own leaves alone is left out of
// every change of prices, and what ends a sentence of those it asks for.
func (g *grounding) leftAlone(op *plan.Operation) {
	for _, n := range g.leftOut {
		stock := op.Action.Type == plan.SetStock
		ofAll := !stock && g.alone(n.chunk.sentence) || n.chunk.leavesAll() && g.askedBy(n.chunk.sentence, op) && !(stock && n.chunk.leavesPrices())
		if ofAll && !n.leftOutBy(op) && !g.conditioned(n) {
			g.problem(op.OperationID, ": the instruction leaves out ", quoted(n.text), ".")
		}
	}
	if op.Action.Type != plan.SetStock {
		g.leftAloneBy(op)
	}
}

// askedBy reports whether a sentence asks for an operation, and no other does.
func (g *grounding) askedBy(sentence int, op *plan.Operation) bool {
	fitting := g.traced[op].fitting
	return len(fitting) > 0 && !slices.ContainsFunc(fitting, func(s *said) bool { return s.chunk.sentence != sentence })
}

// leftAloneBy checks that an operation keeps off the products that a sentence of its
// own leaves alone by their stock or price, whatever their names.
func (g *grounding) leftAloneBy(op *plan.Operation) {
	f := &op.Filter
	kept := func(e place) bool {
		return g.aloneWhole(e) || e.notWay != 0 && e.notWay == directionOf(op.Action.Type) && g.onlyCondition(e)
	}
	leftIn := func(text string) { g.problem(op.OperationID, ": the instruction leaves out what is ", text, ".") }
	for i := range g.stocks {
		if s := &g.stocks[i]; kept(s.place) && (f.InStock == nil || *f.InStock != s.means) {
			leftIn(s.text)
		}
	}
	for _, n := range g.lower {
		if kept(n.place) && (f.PriceGTE == nil || f.PriceGTE.Cmp(n.value) < 0) {
			leftIn(n.text)
		}
	}
	for _, n := range g.upper {
		if kept(n.place) && (f.PriceLTE == nil || f.PriceLTE.Cmp(n.value) > 0) {
			leftIn(n.text)
		}
	}
}

// aloneWhole reports whether a condition is the only one of what a sentence of its
// own leaves alone, whatever its name.
func (g *grounding) aloneWhole(e place) bool {
	return e.leaves && g.onlyCondition(e)
}

// onlyCondition reports whether a condition is all that a sentence of its own says
// of what is left out.
func (g *grounding) onlyCondition(e place) bool {
	return e.out && e.apart() && g.alone(e.sentence) && g.conditionsIn(e.chunk) == 1
}

// conditionsIn counts the conditions of a chunk.
func (g *grounding) conditionsIn(c *chunk) int {
	count := 0
	for i := range g.stocks {
		if g.stocks[i].chunk == c {
			count++
		}
	}
	for _, n := range g.numbers {
		if n.chunk == c {
			count++
		}
	}
	return count
}

// leftOutBy reports whether an operation takes no product of the name.
func (n *mentioned) leftOutBy(op *plan.Operation) bool {
	f := &op.Filter
	return n.excludedBy(op) || n.othersListed(f) && !n.listedBy(op)
}

// othersListed reports whether a filter lists SKUs beside a SKU, or categories
// beside a category.
func (n *mentioned) othersListed(f *plan.Filter) bool {
	if n.sku {
		return f.SKUs != nil
	}
	return f.Categories != nil
}

// conditioned reports whether a name that is left out stands beside a stock
// word or a bound, so that only some of its products are meant.
func (g *grounding) conditioned(n *mentioned) bool {
	return slices.ContainsFunc(g.stocks, func(s stock) bool { return s.out && s.sentence == n.chunk.sentence && !s.apart() }) ||
		slices.ContainsFunc(g.numbers, func(m *number) bool { return m.out && m.sentence == n.chunk.sentence && !m.apart() })
}

// served reports whether a name is in an operation that does what is asked for
// near it, if anything is.
func (g *grounding) served(n *mentioned) bool {
	asked := false
	for _, s := range g.actions {
		if s.near(n) && !s.chunk.rest {
			asked = true
			if slices.ContainsFunc(n.listed, func(op *plan.Operation) bool { return s.asksFor(op.Action) }) {
				return true
			}
		}
	}
	return !asked
}

// named checks one name. What is left out must be left out by the instruction,
// or belong to another operation.
func (g *grounding) named(op *plan.Operation, name string, out bool, mentions []*mentioned) {
	fits := false
	for _, n := range mentions {
		if n.out == out && (!out || g.outOf(n, op)) || g.rest || out && g.elsewhere(op, name) || !out && g.otherSide(op, n) {
			n.used, fits = true, true
		}
	}
	switch {
	case fits:
	case mentions == nil:
		g.problem(op.OperationID, ": ", name, " is not in the instruction.")
	case out:
		g.problem(op.OperationID, ": the instruction does not leave out ", name, ".")
	default:
		g.problem(op.OperationID, ": the instruction leaves out ", name, ".")
	}
}

// outOf reports whether a name that is left out is so of an operation: by a sentence
// that asks for nothing else, or by one that asks for what the operation does.
func (g *grounding) outOf(n *mentioned, op *plan.Operation) bool {
	if n.chunk.midst() {
		return slices.ContainsFunc(g.traced[op].fitting, func(s *said) bool { return s.chunk.precedes(n.chunk) })
	}
	within := g.exceptedWithin(n)
	return g.alone(n.chunk.sentence) || len(g.traced[op].fitting) == 0 ||
		slices.ContainsFunc(g.traced[op].fitting, func(s *said) bool { return s.chunk == n.chunk || !within && s.chunk.sentence == n.chunk.sentence })
}

// exceptedWithin reports whether a name is left out of what a rule names before the
// rule says what to do: "mark hats except A101 as sold out".
func (g *grounding) exceptedWithin(n *mentioned) bool {
	return n.chunk.acts() && n.at < n.chunk.actions[0].at &&
		slices.ContainsFunc(g.inSentence[n.chunk.sentence], func(m *mentioned) bool { return m.chunk == n.chunk && !m.out && m.at < n.at })
}

// otherSide reports whether an operation takes those products of a name that a
// condition does not leave out: of all but in-stock yoga, the yoga that is not.
// Another operation does the same to the rest.
func (g *grounding) otherSide(op *plan.Operation, n *mentioned) bool {
	f := &op.Filter
	limited := slices.ContainsFunc(g.stocks, func(s stock) bool { return s.out && f.InStock != nil && *f.InStock == s.means }) ||
		slices.ContainsFunc(g.numbers, func(m *number) bool { return m.out && (f.PriceGTE != nil || f.PriceLTE != nil) })
	others := slices.ContainsFunc(g.mentions, func(m mentioned) bool { // the condition holds for all that is left out with it
		return m.out && m.sku == n.sku && m.chunk.sentence == n.chunk.sentence && !m.listedBy(op)
	})
	return limited && !others && g.conditioned(n) && g.leftOutElsewhere(op, n)
}

// leftOutElsewhere reports whether an operation with the same action takes no
// product of the name.
func (g *grounding) leftOutElsewhere(op *plan.Operation, n *mentioned) bool {
	for i := range g.plan.Operations {
		if other := &g.plan.Operations[i]; other.Action == op.Action && n.leftOutBy(other) {
			return true
		}
	}
	return false
}

func (g *grounding) elsewhere(op *plan.Operation, name string) bool {
	for i := range g.plan.Operations {
		other := &g.plan.Operations[i]
		same := g.but || other.Action == op.Action
		if other != op && same && (slices.Contains(other.Filter.Categories, name) || slices.Contains(other.Filter.SKUs, name)) {
			return true
		}
	}
	return false
}

// explained reports whether a name may be missing from the plan: it is left
// out by the instruction, and every operation names other products.
func (g *grounding) explained(n *mentioned) bool {
	if !n.out || n.excepted {
		return false
	}
	for i := range g.plan.Operations {
		f := &g.plan.Operations[i].Filter
		if !n.othersListed(f) {
			return false
		}
	}
	return true
}
