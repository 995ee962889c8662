package grammar

import "github.com/planwright/planwright/shared/planning/english"

// Two ranges of prices may be joined by "or": "under $5 or over $50". A filter
// has one range, so a rule with two is two operations.

// orBand reports whether "or" and another range of prices stand at i.
func (p *parser) orBand(i int) bool { return english.OrBand(p.symbols, i) > i }

// otherBand reads the second range of prices of a target.
func (p *parser) otherBand(c *clause) {
	lower, upper, end := p.readBound(english.OrBand(p.symbols, p.pos))
	if p.failed != nil {
		return
	}
	other := conditions{gte: lower, lte: upper}
	if c.target.band != nil || p.counts(c, end-2, end) || p.percentish(end) || !bandsApart(c.target.shared, other) {
		p.fail(scope, c.from, end, "Which prices are meant in %s? Ranges that share prices, or more than two of them, need a rule each.")
		return
	}
	c.target.band, c.target.end, p.pos = &other, end, end
	c.listAnd = false
}

// ofBands gives each group of a target with two ranges of prices both.
func (t *target) ofBands(groups []rows) []rows {
	if t.band == nil {
		return groups
	}
	all := groups[:len(groups):len(groups)]
	for _, group := range groups {
		group.gte, group.lte = t.band.gte, t.band.lte
		all = append(all, group)
	}
	return all
}

// checkBands asks where another rule may speak of what a rule with two ranges of
// prices does.
func (p *parser) checkBands(c, before *clause) {
	if before == nil || c.target.band == nil && before.target.band == nil {
		return
	}
	if before.sentence == c.sentence || before.target.band != nil && len(c.target.groups) == 0 {
		p.fail(scope, before.from, c.to, "Which prices does each rule of %s speak of? Write a sentence for each, with its products and prices.")
	}
}
