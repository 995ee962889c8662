package reader

import (
	"slices"

	"github.com/planwright/planwright/shared/planning"
)

// Products and conditions are given to the rules of their sentence.

// unfinishedRule is a rule that names its products, and not what is to happen to them, for a text
// that has no other rule: make Nintendo a bit cheaper.
func (c *combiner) unfinishedRule() {
	at := slices.IndexFunc(c.idle, func(p fragment) bool {
		return p.kind == targetPart && !c.t.unlisted(p.meaning) && p.meaning.sets != nil
	})
	r := unfinished{clause: clause{act: change}}
	switch {
	case at >= 0:
		p := c.idle[at]
		r.sets, r.ref, r.except = slices.Clone(p.meaning.sets), p.meaning.ref, slices.Clone(p.meaning.except)
		r.spans, r.of = []piece{p.piece}, p
		c.idle = slices.Delete(c.idle, at, at+1)
	case c.headed != nil:
		p := *c.headed
		r.sets, r.spans, r.of = slices.Clone(c.heading), []piece{p.piece}, p
	default:
		return
	}
	if !slices.ContainsFunc(r.sets, set.named) {
		return
	}
	r.from, r.to = r.spans[0].from, r.spans[0].end
	r.askAll(whyPieced)
	c.rules = append(c.rules, r)
}

// giveProducts gives a rule the products that wait, else the heading, else those of the
// rule before it.
func (c *combiner) giveProducts(r *unfinished) {
	switch {
	case c.target != nil:
		r.sets, r.ref = c.target.sets, c.target.meaning.ref
		r.except = append(r.except, c.target.meaning.except...)
		r.spans = append([]piece{c.target.piece}, r.spans...)
		r.ask(planning.SlotFilter, whyPieced)
		c.target = nil
	case c.heading != nil:
		r.sets, r.ref = c.heading, byName
		r.ask(planning.SlotFilter, whyPieced)
	default:
		r.ref, r.nothing = missing, true
	}
	if c.conds == nil {
		return
	}
	if r.sets = orKeep(intersection(orEverything(r.sets), c.conds.sets), r.sets); r.nothing {
		r.nothing, r.ref = false, byName
	}
	r.spans = append([]piece{c.conds.piece}, r.spans...)
	r.ask(planning.SlotFilter, whyPieced)
	c.conds = nil
}

// narrowWaiting gives products that wait to a rule that only has conditions on some: shoes,
// those over $50.
func (c *combiner) narrowWaiting(r *unfinished) {
	switch {
	case c.target != nil && slices.ContainsFunc(c.target.sets, set.named):
		r.sets, r.ref = orKeep(intersection(c.target.sets, orEverything(r.sets)), c.target.sets), byName
		r.spans = append([]piece{c.target.piece}, r.spans...)
		c.target = nil
	case c.heading != nil && r.ref == those:
		r.sets, r.ref = orKeep(intersection(c.heading, orEverything(r.sets)), c.heading), byName
	default:
		return
	}
	r.nothing = false
	r.askAll(whyPieced)
}

func orKeep(sets, others []set) []set {
	if len(sets) == 0 {
		return others
	}
	return sets
}

// addTarget has products wait for an action, or gives them to one that has none.
func (c *combiner) addTarget(p fragment) {
	said := p.meaning.clause
	c.listedOnly(p.meaning, &said)
	sets := slices.Clone(said.sets)
	if sets == nil && p.meaning.sets != nil { // no name of a list
		c.idle = append(c.idle, p)
		return
	}
	if c.conds != nil {
		sets, c.conds = orKeep(intersection(orEverything(sets), c.conds.sets), sets), nil
	}
	if last := len(c.rules) - 1; last >= c.first && (c.rules[last].nothing || c.rules[last].weak) &&
		c.target == nil {
		r := &c.rules[last]
		r.sets, r.ref, r.nothing, r.weak = sets, p.meaning.ref, false, keys(sets) == keys(everything)
		r.except = append(r.except, p.meaning.except...)
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
		return
	}
	if c.amount != nil {
		amount := *c.amount
		c.amount, c.target = nil, &idle{p, sets}
		c.addAmount(amount)
		return
	}
	if c.target != nil {
		if c.t.joinedBy(c.target.end, p.from) {
			joined := compact(append(slices.Clone(c.target.sets), sets...))
			c.target = &idle{
				fragment{
					piece:   piece{c.target.from, p.end},
					kind:    p.kind,
					symbol:  p.symbol,
					meaning: p.meaning,
				},
				joined,
			}
			return
		}
		c.idle = append(c.idle, c.target.fragment)
	}
	c.target = &idle{p, sets}
}

// addHeading keeps products for the rules behind them. A rule before them that lacks products
// takes them: cost plus 25% ending in .99 for Apple.
func (c *combiner) addHeading(p fragment) {
	said := p.meaning.clause
	c.listedOnly(p.meaning, &said)
	sets := said.sets
	if said.only != nil {
		sets = said.only
	}
	last := len(c.rules) - 1
	switch {
	case last >= c.first && (c.rules[last].nothing || c.rules[last].weak) && !c.chatter(&c.rules[last]):
		r := &c.rules[last]
		r.sets, r.ref, r.nothing, r.weak = sets, byName, false, false
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
		return
	case last >= c.first:
		c.behind = &p
	}
	c.heading, c.headed = sets, &p
}

// joinedBy reports whether nothing but marks and words that join stands between two products.
func (t *text) joinedBy(from, end int) bool {
	for at := from; at < end; at++ {
		if !isPause(t.tokens[at].text) && !joins(t.tokens[at].norm) {
			return false
		}
	}
	return true
}

// addCondition narrows what stands before it.
func (c *combiner) addCondition(p fragment) {
	sets := p.meaning.sets
	last := len(c.rules) - 1
	switch {
	case sets == nil || c.t.phrase(p.end, "PCT"): // under 35%

		c.idle = append(c.idle, p)
	case c.target != nil:
		c.target.sets = orKeep(intersection(orEverything(c.target.sets), sets), c.target.sets)
		c.target.end = p.end
	case last >= c.first && c.rules[last].sets != nil:
		r := &c.rules[last]
		r.sets = orKeep(intersection(r.sets, sets), r.sets)
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
	case last >= c.first && c.rules[last].nothing:
		r := &c.rules[last]
		r.sets, r.nothing, r.ref = sets, false, byName
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotFilter, whyPieced)
	default:
		c.conds = &idle{p, sets}
	}
}
