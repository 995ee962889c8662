package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// action returns where the instruction asks for what an operation does: for
// its action, in one breath with its names and its conditions.
func (g *grounding) action(op *plan.Operation) *said {
	asked := g.asking[kindOf(op.Action)]
	var fitting []*said
	named := false
	for i, s := range asked {
		switch {
		case !g.namesFit(s, op):
		case !g.conditionsFit(s, op):
			named = true
		default:
			fitting = with(fitting, asked, i)
		}
	}
	g.traced[op].fitting = fitting
	for _, s := range fitting {
		s.used = true
	}
	switch {
	case len(fitting) == 0 && g.shapesOnly(op) && g.shapedBeside(op):
		return &said{}
	case len(asked) == 0:
		g.problem(op.OperationID, ": the instruction does not ask for ", describe(op.Action), ".")
	case named && len(fitting) == 0:
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " on other conditions, or to be shaped otherwise.")
	case len(fitting) == 0 || !g.allNear(op, fitting):
		g.problem(op.OperationID, ": the instruction asks for ", describe(op.Action), " for other products.")
	default:
		return fitting[0]
	}
	return nil
}

// namesFit reports whether an operation's products are those that an action is
// asked for, as far as names tell.
func (g *grounding) namesFit(s *said, op *plan.Operation) bool {
	if s.chunk.rest {
		return g.complements(op)
	}
	if !narrows(&op.Filter) {
		return !s.chunk.names && !s.chunk.led && (s.chunk.every || !g.headed(s))
	}
	if s.anywhere() {
		return !s.chunk.every || s.chunk.pronoun || slices.ContainsFunc(g.traced[op].listing, func(n *mentioned) bool { return n.out || !n.chunk.acts() })
	}
	return slices.ContainsFunc(g.nearby(s), func(n *mentioned) bool { return n.listedBy(op) })
}

// headed reports whether a sentence before that of an action does nothing but
// name products: "For mugs:".
func (g *grounding) headed(s *said) bool {
	return slices.ContainsFunc(g.mentions, func(n mentioned) bool {
		return !n.out && n.chunk.sentence < s.chunk.sentence && g.askedIn(n.chunk.sentence) == 0
	})
}

// allNear reports whether each of an operation's names is near one of the
// actions.
func (g *grounding) allNear(op *plan.Operation, actions []*said) bool {
	near := func(mentions []*mentioned) bool {
		return slices.ContainsFunc(actions, func(s *said) bool { return s.chunk.rest || s.anywhere() || slices.ContainsFunc(mentions, s.near) })
	}
	return !slices.ContainsFunc(op.Filter.Categories, func(name string) bool { return !near(g.categories[name]) }) &&
		!slices.ContainsFunc(op.Filter.SKUs, func(sku string) bool { return !near(g.skus[sku]) })
}

// anywhere reports whether no product is named beside an action, so that it may
// speak of any.
func (s *said) anywhere() bool {
	if s.chunk.names || s.chunk.led {
		return false
	}
	for c := s.chunk.before; c != nil && !c.acts(); c = c.before {
		if c.names && c.serves(s.chunk) {
			return false
		}
	}
	for c := s.chunk.after; c != nil && !c.acts(); c = c.after {
		if c.names && c.serves(s.chunk) {
			return false
		}
	}
	return true
}

// near reports whether an action can be about a name: one of its chunk, or of a
// neighbouring chunk that asks for nothing itself.
func (s *said) near(n *mentioned) bool {
	return !n.out && n.chunk.sentence == s.chunk.sentence && (n.chunk == s.chunk || n.leads && s.chunk.led || !n.chunk.acts() && !n.chunk.shapes && n.chunk.serves(s.chunk))
}

// nearby returns the names that an action is near.
func (g *grounding) nearby(s *said) []*mentioned {
	if s.nearby == nil {
		s.nearby = []*mentioned{}
		named := g.inSentence[s.chunk.sentence]
		for i, n := range named {
			if s.near(n) {
				s.nearby = with(s.nearby, named, i)
			}
		}
	}
	return s.nearby
}

// serves reports whether what a chunk names, which asks for nothing itself, can
// belong to one that does: between "5% for tea" and "8% for mugs" to the first,
// between "tea by 5%" and "mugs by 8%" to the second, and to the first before "then" or a
// verb that has names of its own.
func (c *chunk) serves(acting *chunk) bool {
	earlier, later := c.earlier, c.later
	switch {
	case acting == earlier:
		return later == nil || later.begins() || earlier.trails || later.trails
	case acting == later:
		return earlier == nil || !later.begins() && (!earlier.trails || !later.trails)
	}
	return false
}

// begins reports whether a chunk is a rule that nothing before it is part of: "and set mugs
// to $5".
func (c *chunk) begins() bool { return c.then || c.verb && c.names }

// relation is how far an element belongs to an action.
type relation uint8

const (
	foreign  relation = iota // it is of another rule
	possible                 // it can be of this one
	own                      // it is said in one breath with it
)

// relate compares where an element stands with where an action is asked for.
func (g *grounding) relate(e place, s *said) relation {
	switch asked := g.askedIn(e.sentence); {
	case e.sentence < s.chunk.sentence && s.chunk.sentence < e.over:
		return own
	case e.sentence != s.chunk.sentence:
		if asked == 0 && !g.ofOtherNames(e, s) || s.anywhere() && !s.chunk.every && !s.chunk.rest {
			return possible
		}
	case e.out && e.midst():
		if s.chunk.precedes(e.chunk) {
			return own
		}
	case asked == 1, e.out && e.leaves && !e.names, e.chunk == s.chunk && len(s.chunk.actions) == 1, e.leads && !s.chunk.anew, e.leadsNamed && s.chunk.led, e.all && e.reaches(s.chunk):
		return own
	case !e.acts() && !e.names && e.earlier != nil:
		if e.earlier == s.chunk {
			return possible
		}
	case e.chunk == s.chunk, !e.acts(), s.anywhere() && !s.chunk.every:
		return possible
	}
	return foreign
}

// ofOtherNames reports whether a place is where the prices of products are shaped, and
// an action is about none of those: "limit in-stock mugs to $40. Take 10% off hats."
func (g *grounding) ofOtherNames(e place, s *said) bool {
	return e.names && e.shapes && !slices.ContainsFunc(g.inSentence[e.sentence], func(n *mentioned) bool {
		return slices.ContainsFunc(g.nearby(s), n.listedTogether)
	})
}

// conditionsFit reports whether an operation has the conditions and the ways to
// shape prices that are said in one breath with an action, and none that are
// said of another. The conditions of everything else are no more than said.
func (g *grounding) conditionsFit(s *said, op *plan.Operation) bool {
	f := &op.Filter
	return (s.chunk.rest && g.stockOfAllFits(op) || !s.chunk.rest && g.stockFits(s, op) &&
		g.numbersFit(op, g.related(s, &s.lower, g.lower), f.PriceGTE) && g.numbersFit(op, g.related(s, &s.upper, g.upper), f.PriceLTE)) &&
		g.shapesFit(s, op)
}

// shapesFit is conditionsFit for the ways to shape prices. A price that is set has
// those that are said of it, and need not have those of all.
func (g *grounding) shapesFit(s *said, op *plan.Operation) bool {
	o := &op.Options
	fits := func(found *[]related, all []*number, have *plan.Decimal) bool {
		return have == nil && op.Action.Type == plan.SetPrice || g.numbersFit(op, g.related(s, found, all), have)
	}
	if g.shaped {
		return g.shapedBeside(op)
	}
	return op.Action.Type == plan.SetStock ||
		fits(&s.floors, g.floors, o.MinPrice) && fits(&s.caps, g.caps, o.MaxPrice) && fits(&s.endings, g.endings, o.PriceEnding) &&
			(op.Action.Type == plan.SetPrice || g.roundingFits(s, o.Digits()))
}

// stockOfAllFits reports whether an operation has the stock condition of all rules, if any.
func (g *grounding) stockOfAllFits(op *plan.Operation) bool {
	all, have := g.ofAllRules, op.Filter.InStock
	return all == nil || op.Action.Type == plan.SetStock || have != nil && *have == all.means
}

// about reports whether a condition can be one of an operation: one that leaves
// out some products of a category holds for the others of that category alone.
func (g *grounding) about(e place, op *plan.Operation) bool {
	if e.out && e.notWay != 0 && e.notWay != directionOf(op.Action.Type) {
		return false
	}
	if !e.out || e.apart() || !slices.ContainsFunc(g.mentions, func(n mentioned) bool { return n.out && n.chunk.sentence == e.sentence }) {
		return true
	}
	notOut := func(mentions []*mentioned) bool {
		return !slices.ContainsFunc(mentions, func(n *mentioned) bool { return n.out && n.chunk.sentence == e.sentence })
	}
	f := &op.Filter
	return narrows(f) &&
		!slices.ContainsFunc(f.Categories, func(name string) bool { return notOut(g.categories[name]) }) &&
		!slices.ContainsFunc(f.SKUs, func(sku string) bool { return notOut(g.skus[sku]) })
}

// directionOf is the way in which an action changes prices by an amount, or 0.
func directionOf(kind plan.ActionType) int {
	switch kind {
	case plan.PercentIncrease, plan.FixedIncrease:
		return 1
	case plan.PercentDecrease, plan.FixedDecrease:
		return -1
	}
	return 0
}

// apart reports whether a condition is that of all products, or of all that were named,
// joined to names that are left out as well: "except items under $5 and all mugs".
func (e place) apart() bool { return (e.every || e.pronoun) && !e.outNames }

func (g *grounding) stockFits(s *said, op *plan.Operation) bool {
	have := op.Filter.InStock
	fits := have == nil
	for i := range g.stocks {
		e := &g.stocks[i]
		relation, same := g.relate(e.place, s), have != nil && (*have == e.means) != s.otherwise() && g.about(e.place, op)
		if !s.otherwise() && (relation == own || e == g.ofAllRules && op.Action.Type != plan.SetStock || g.carries(e.place, s) && !s.chunk.stocked) && (!e.out || (e.leaves || e.all) && g.severalIn(e.sentence) || e == g.ofAllRules) && !same {
			return false
		}
		fits = fits || relation != foreign && same
	}
	return fits
}

// stockOfAll finds the only stock condition there is, where it stands by itself:
// "mugs up 5%, hats 3%. In-stock items only."
func (g *grounding) stockOfAll() *stock {
	if len(g.stocks) != 1 || !g.byItself(g.stocks[0].place) {
		return nil
	}
	return &g.stocks[0]
}

// boundsOfAll marks the bounds of the only range of prices there is, where it stands
// by itself.
func (g *grounding) boundsOfAll() {
	bounds := slices.Concat(g.lower, g.upper)
	elsewhere := func(n *number) bool { return n.sentence != bounds[0].sentence }
	if len(bounds) == 0 || slices.ContainsFunc(bounds, elsewhere) {
		return
	}
	for _, n := range bounds {
		n.ofAll = g.byItself(n.place)
	}
}

// byItself reports whether what is said stands before or after all rules, in a
// sentence that names nothing and asks for nothing.
func (g *grounding) byItself(e place) bool {
	if len(g.actions) == 0 || len(g.inSentence[e.sentence]) > 0 {
		return false
	}
	first, last := g.actions[0].chunk.sentence, g.actions[len(g.actions)-1].chunk.sentence
	return e.sentence < first && !e.out && !g.rest || last < e.sentence
}

// severalIn reports whether a sentence asks for more than one change.
func (g *grounding) severalIn(sentence int) bool { return g.askedIn(sentence) > 1 }

// carries reports whether a condition of a rule holds for the next as well,
// which names no products of its own: "in-stock mugs up 5% and rounded down 3%".
func (g *grounding) carries(e place, s *said) bool {
	return e.chunk == s.chunk.earlier && g.goesOn(s.chunk)
}

// related is a number that can belong to an action.
type related struct {
	*number
	own bool
}

// related returns the numbers of a list that can belong to an action, its own
// first. They are found once, for every operation with that action asks for them.
func (g *grounding) related(s *said, found *[]related, all []*number) []related {
	if *found != nil || len(all) == 0 {
		return *found
	}
	var owned, others []related
	for _, n := range all {
		switch relation := g.relate(n.place, s); {
		case n.other != s.otherwise() || relation == foreign:
		case relation == own || n.ofAll:
			owned = append(owned, related{n, true})
		default:
			others = append(others, related{n, false})
		}
	}
	*found = append(append([]related{}, owned...), others...)
	return *found
}

func (g *grounding) numbersFit(op *plan.Operation, elements []related, have *plan.Decimal) bool {
	fits := have == nil
	for _, e := range elements {
		if fits && !e.own {
			return true
		}
		same := have != nil && *have == e.value && g.about(e.place, op)
		if e.own && (!e.out || (e.all || e.ofAll) && !e.leaves) && len(e.twins) == 0 && !same && !e.otherBand(op) {
			return false
		}
		fits = fits || same
	}
	return fits
}

// otherBand reports whether an operation is about the other of two ranges of
// prices.
func (n *number) otherBand(op *plan.Operation) bool {
	f := &op.Filter
	return len(n.either) > 0 && !slices.ContainsFunc(n.either, func(e *number) bool {
		return (f.PriceGTE == nil || *f.PriceGTE != e.value) && (f.PriceLTE == nil || *f.PriceLTE != e.value)
	})
}

// between reports whether a rounding stands between the action that it follows and
// another.
func (e *roundings) between(s *said) bool {
	return e.earlier == s.chunk && e.later != nil && !e.acts() && !e.names && !e.all
}

func (g *grounding) roundingFits(s *said, digits int) bool {
	fits := digits == plan.DefaultRoundTo
	for i := range g.roundings {
		e := &g.roundings[i]
		relation := g.relate(e.place, s)
		if (relation == own || e.between(s)) && e.digits != digits {
			return false
		}
		fits = fits || relation != foreign && e.digits == digits
	}
	return fits
}
