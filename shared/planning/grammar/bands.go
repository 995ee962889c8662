package grammar

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning/english"
)

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

// bandedAgain reports whether the names of a clause, right before the range of prices at
// i, have others in each place where they are named, and of other prices: "mugs and hats
// under $20 up 5%, mugs and hats over $20 up 3%". Were a range of the last name only, two
// rules would change the others.
func (p *parser) bandedAgain(c *clause, i int) bool {
	names, again := p.namesBetween(c.from, i), false
	for k := 0; k < len(p.symbols); k++ {
		if !p.isName(k) {
			continue
		}
		end := k
		for p.isName(end) || p.listGoesOn(end) || p.classAt(end) == english.Noise {
			end++
		}
		listed := p.namesBetween(k, end)
		k = end
		switch {
		case end == i:
		case !slices.Equal(listed, names):
			if slices.ContainsFunc(listed, func(name string) bool { return slices.Contains(names, name) }) {
				return false
			}
		case !p.bandsApartAt(i, end):
			return false
		default:
			again = true
		}
	}
	return again
}

// namesBetween are the names between two symbols.
func (p *parser) namesBetween(from, to int) []string {
	var names []string
	for k := from; k < to; k++ {
		if p.isName(k) {
			names = append(names, strings.ToLower(p.symbols[k].Text))
		}
	}
	return names
}

// bandsApartAt reports whether ranges of prices begin at two symbols that share none.
func (p *parser) bandsApartAt(i, k int) bool {
	a, isBand := p.bandAt(i)
	b, areBands := p.bandAt(k)
	return isBand && areBands && bandsApart(a, b)
}

// bandAt is the range of prices that begins at a symbol, if one does.
func (p *parser) bandAt(i int) (band conditions, ok bool) {
	from := p.classAt(i) == english.From
	if from || p.classAt(i) == english.At {
		i = p.after(i + 1)
	}
	switch p.classAt(i) {
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between:
		ok = p.classAt(p.after(i+1)) == english.Amount
	case english.Amount:
		if from && p.reachesTo(i+1) && p.classAt(i+2) == english.Amount {
			return conditions{gte: p.money(i), lte: p.money(i + 2)}, true
		}
		ok = p.suffix(i) != 0 || p.isRange(i)
	}
	if ok {
		band.gte, band.lte, _ = p.readBound(i)
	}
	return band, ok
}

// bandsOn reports whether a range of prices at i, and what becomes of those, follow a
// rule for another.
func (p *parser) bandsOn(c *clause, i int) bool {
	switch p.classAt(i) {
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between, english.Exactly:
		return c.complete() && c.banded() && p.changeAhead(p.boundEnd(i))
	}
	return false
}
