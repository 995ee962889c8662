package reader

import (
	"slices"

	"github.com/planwright/planwright/shared/planning"
)

// Amounts, limits and roundings are given to the rules of their sentence.

// completes gives an amount to the rule before that waits for one, where what brings it has
// no products of its own: reduce mugs .. by 10%.
func (c *combiner) completes(r *unfinished) bool {
	last := len(c.rules) - 1
	if last < c.first || c.target != nil || r.act != change || r.amount.unit == noUnit ||
		slices.ContainsFunc(r.sets, set.named) {
		return false
	}
	of := &c.rules[last]
	if of.act != change || of.amount.unit != noUnit ||
		of.dir != noDirection && r.dir != inherit && r.dir != noDirection && of.dir != r.dir {
		return false
	}
	if r.dir != inherit && r.dir != noDirection {
		of.dir = r.dir
	}
	of.amount, of.problem = r.amount, ""
	if r.sets != nil {
		of.sets = orKeep(intersection(orEverything(of.sets), r.sets), of.sets)
	}
	of.spans = append(of.spans, r.spans...)
	of.askAll(whyPieced)
	return true
}

// overCost reports whether words say no more than a price over the cost.
func overCost(m *meaning) (over bool) {
	m.eachLeaf(func(leaf *meaning) { over = over || leaf.symbol == "COSTPLUS" || leaf.symbol == "ABOVECOST" })
	return over && m.amount.unit == noUnit && len(m.rules) == 1
}

// addOptions gives limits, roundings and exceptions to the rule before them.
func (c *combiner) addOptions(p fragment) {
	options := p.meaning.clause
	c.listedOnly(p.meaning, &options)
	options.except, options.only = slices.Clone(options.except), slices.Clone(options.only)
	last := len(c.rules) - 1
	if last < 0 || last < c.first && c.target == nil && !options.shapes() && options.except == nil {
		if c.target == nil && last < 0 {
			c.options = &options
			return
		}
		c.idle = append(c.idle, p)
		return
	}
	if c.target != nil && last < c.first {
		if options.except != nil && !options.shapes() {
			c.target.sets = orKeep(subtract(orEverything(c.target.sets), options.except), c.target.sets)
			c.target.end = p.end
			return
		}
		c.options = &options
		return
	}
	r := &c.rules[last]
	before := r.clause
	if !r.merge(&options) {
		r.clause = before
		c.idle = append(c.idle, p)
		return
	}
	r.spans = append(r.spans, p.piece)
	if options.shapes() {
		r.ask(planning.SlotOptions, whyPieced)
	}
	if options.except != nil || options.only != nil {
		r.ask(planning.SlotFilter, whyPieced)
	}
}

// addAmount gives an amount to a rule without one, or makes a rule of it and the one group
// of products that waits.
func (c *combiner) addAmount(p fragment) {
	last := len(c.rules) - 1
	switch {
	case last >= c.first && c.rules[last].act == change && c.rules[last].amount.unit == noUnit:
		r := &c.rules[last]
		r.amount = p.meaning.amount
		r.spans = append(r.spans, p.piece)
		r.ask(planning.SlotAction, whyPieced)
	case c.target != nil && c.counts(p):
		r := unfinished{
			clause: clause{
				act:    change,
				dir:    c.verb,
				amount: p.meaning.amount,
				from:   c.target.from,
				to:     p.end,
			},
			spans:    []piece{p.piece},
			of:       p,
			sentence: c.sentence,
		}
		r.ask(planning.SlotAction, whyPieced)
		c.giveProducts(&r)
		c.rules = append(c.rules, r)
	default:
		if c.amount != nil {
			c.idle = append(c.idle, *c.amount)
		}
		c.amount = &p
	}
}

// counts reports whether an amount is one of the products that wait: with its unit, behind a
// colon, or as a figure where nothing else is left over.
func (c *combiner) counts(p fragment) bool {
	if p.meaning.amount.unit != bare {
		return true
	}
	before := c.t.norm(p.from - 1)
	return c.t.tokens[p.from].kind == number &&
		(before == ":" || before == "=" || c.idleIn[c.sentence].unused == 0)
}
