package grammar

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning/english"
)

// What an exception leaves out is asked here, where it ends, and which rules it is to.

// exceptsMore reports whether "and anything" goes on with what a clause leaves out:
// "except items under $3 and anything in bait", "except sold-out items and mugs".
// Before an amount it may go on with what changes: "raise mugs except A103 and anything
// under $3 by 5%".
func (p *parser) exceptsMore(c *clause) bool {
	next := p.alsoFrom()
	if next == p.pos {
		return false
	}
	sure := len(c.target.groups) == 0 || c.complete()
	if p.exceptsOnes(next) {
		return sure || p.isName(p.pos-1)
	}
	if !sure {
		return false
	}
	switch p.classAt(next) {
	case english.Everything, english.Name, english.Category, english.SKU:
		return true
	case english.SKUNoun, english.CatNoun: // "and SKU A103"
		return p.isName(p.after(next + 1))
	case english.Product: // "and items under $5"
		switch p.classAt(p.after(next + 1)) {
		case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between, english.Rel:
			return true
		}
	case english.Stock:
		return p.classAt(p.after(next+1)) == english.Product
	case english.Rel:
		return strings.HasPrefix(strings.ToLower(p.symbols[next].Text), "what")
	}
	return false
}

// exceptsOnes reports whether words for some of the products that are named before stand
// at i. After a name that is left out they are so too, for those products change: "raise
// mugs except A103 and those under $3 by 5%", "... and the sold-out ones".
func (p *parser) exceptsOnes(i int) bool {
	stocked := p.classAt(i) == english.Stock
	if stocked {
		i = p.after(i + 1)
	}
	switch p.classAt(i) {
	case english.Pronoun:
	case english.Product:
		if !strings.EqualFold(p.symbols[i].Text, "ones") {
			return false
		}
	default:
		return false
	}
	return stocked || p.conditionAt(i+1)
}

// alsoFrom is what follows "and" at p.pos, maybe after a comma, or a comma of a list
// that ends where the exception does, or p.pos.
func (p *parser) alsoFrom() int {
	i := p.pos
	if p.classAt(i) == english.Comma && !isParenthesis(p.symbols[i].Text) {
		i++
	}
	switch {
	case p.classAt(i) == english.And:
		return p.after(i + 1)
	case i > p.pos && p.listEnds(i):
		return p.after(i)
	}
	return p.pos
}

// listEnds reports whether nothing but products, the last of them after "and", follow
// at i in the sentence, or before the amount that it ends in: "everything except
// sold-out items, mugs and tea by 5%".
func (p *parser) listEnds(i int) bool {
	joined := false
	for ; ; i++ {
		switch p.classAt(i) {
		case english.Stop:
			return joined
		case english.By, english.To, english.Up, english.Down, english.Do:
			return joined && p.reading.target.strong && p.reading.amount == nil && p.lastAmount(i+1)
		case english.And:
			joined = true
		case english.Amount:
			switch p.classAt(p.back(i)) {
			case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between, english.Rel:
			default:
				return false
			}
		case english.Noise, english.Comma, english.Name, english.Category, english.SKU, english.Pronoun, english.CatNoun, english.SKUNoun, english.Product, english.Price,
			english.Everything, english.All, english.Stock, english.Rel, english.In, english.Of, english.Under, english.Over, english.AtLeast, english.AtMost:
		default:
			return false
		}
	}
}

// lastAmount reports whether an amount stands at i, or after "up by" and its like, and
// ends the sentence but for how prices are shaped.
func (p *parser) lastAmount(i int) bool {
	for p.classAt(i) == english.Noise || p.classAt(i) == english.By || p.classAt(i) == english.Up || p.classAt(i) == english.Down {
		i++
	}
	next := p.after(i + 1)
	return p.classAt(i) == english.Amount && (p.classAt(next) == english.Stop || p.classAt(next) == english.Comma && shaping(p.classAt(next+1)))
}

// moreExcepted reads "and anything that is out of stock" at p.pos.
func (p *parser) moreExcepted(c *clause) ([]rows, bool) {
	also := &clause{from: p.pos, inner: true}
	p.pos = p.alsoFrom()
	named := p.isName(p.pos)
	if p.classAt(p.pos) == english.Everything && p.classAt(p.pos+1) == english.In {
		p.pos += 2
	}
	p.target(also)
	for p.failed == nil && p.conditionAfterTarget() {
		p.exclusionCondition(also)
	}
	if p.failed == nil && named && !also.target.shared.none() {
		p.fail(scope, c.from, p.pos, "Does the condition at the end of %s hold for all that is left out, or for the last name only? Write what is left out in a sentence of its own.")
	}
	if end := p.class(); p.failed == nil && (also.target.everyRow() || c.complete() && end != english.Stop && end != english.Comma && end != english.And) {
		p.fail(scope, c.from, p.pos, "Is the last part of %s left out, too? Write what is left out in a sentence of its own.")
	}
	if p.failed != nil {
		return nil, false
	}
	return p.spread(also)
}

// checkExceptions asks where some of the names that are left out are among the
// products of the clause and others are not, which the clause may go on with:
// "mugs except A103 and lamps".
func (p *parser) checkExceptions(c *clause, groups []rows) {
	takes, idle := false, false
	for _, out := range c.target.except {
		takes = takes || !out.listed()
		for _, name := range singles(out) {
			reaches := slices.ContainsFunc(groups, func(group rows) bool { return !namesApart(&group, &name) })
			takes, idle = takes || reaches, idle || !reaches
		}
	}
	if takes && idle {
		p.fail(scope, c.from, c.to, "Are all of the products after \"except\" left out in %s, or do some of them change as well? Write what is left out in a sentence of its own.")
	}
}

// singles is each name of rows by itself.
func singles(r rows) []rows {
	var names []rows
	for i := range r.categories {
		names = append(names, rows{categories: r.categories[i : i+1]})
	}
	for i := range r.skus {
		names = append(names, rows{skus: r.skus[i : i+1]})
	}
	return names
}

// exclude applies sentences such as "Leave accessories alone." to every rule
// that they speak of.
func (p *parser) exclude(clauses []*clause, ops []operation) []operation {
	for _, c := range clauses {
		if !c.excluding() && (c.acting() || len(c.target.except) == 0 || len(c.target.groups) > 0 || !c.options.none()) {
			continue
		}
		out, ok := p.leftAlone(c, ops)
		if !ok {
			return ops
		}
		excepts := c.speaksOf
		if before := p.midstOf(c); before != nil {
			excepts = func(op *operation) bool { return op.clause == before && c.speaksOf(op) }
		}
		if ops = p.excludeFrom(ops, out, c, excepts); p.failed != nil {
			return nil
		}
	}
	return ops
}

// excludeFrom leaves out rows of the operations that a clause has an exception to.
func (p *parser) excludeFrom(ops []operation, out []rows, c *clause, excepts func(*operation) bool) []operation {
	var left []operation
	for _, op := range ops {
		cuts := []cut{op.cut}
		for _, group := range out {
			if excepts(&op) {
				cuts = p.leaveOut(cuts, group, c)
			}
		}
		for _, f := range cuts {
			op.cut = f
			left = append(left, op)
		}
	}
	return left
}

// exceptShaped leaves out of the rules of a sentence what it leaves out at its end, where
// it says how their prices shall look: "raise mugs by 5% and have them end in .95,
// leaving out A103". A sentence after them may leave it out of the shaping alone.
func (p *parser) exceptShaped(ops []operation, shaped []*operation, c *clause) []operation {
	if len(c.target.except) == 0 {
		return ops
	}
	if slices.ContainsFunc(shaped, func(op *operation) bool { return op.clause.sentence != c.sentence }) {
		p.fail(scope, c.from, c.to, "Are the products after \"except\" left out of the rules before %s as well? Say it in the sentence of each rule.")
		return nil
	}
	return p.excludeFrom(ops, c.target.except, c, func(op *operation) bool { return op.prices() && op.clause.sentence == c.sentence })
}
