package grammar

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// What stands at the end of a sentence of several rules is of the last of them or of all:
//
//	of all     where a word says so (both, either, none of them, all prices), where it is
//	           a sentence of its own, and where a comma parts it from a list of what one
//	           lead names: "mugs: 5% under $20, 3% from $20 on, rounded to whole dollars"
//	of one     where it can be of no other, and where a comma parts its rule from the one
//	           before, and none parts it from its rule: "tea by 4%, and mugs by 2% but not
//	           above $45"
//	of none    in any other place: a question
//
// What stands between two rules after "but" is of the one before.

// sharesEnd asks how far a condition or an exception at the end of several rules goes, and
// gives the rules before a clause the way to shape prices at its end that is of all.
func (p *parser) sharesEnd(c *clause, clauses []*clause, earlier []operation) {
	if c.looseAt != 0 {
		of := p.rulesOf(c, clauses, func(other *clause) bool { return other.complete() || other.shapesOwn() })
		if of.end(c, func(other *clause) bool { return other.looseAt != 0 }) {
			p.askOfEnd(c, c.looseAt)
		}
	}
	if c.trailAt == 0 || slices.ContainsFunc(p.symbols[c.trailAt:c.to], func(s english.Symbol) bool { return isNamed(s.Class) }) {
		return
	}
	of := p.rulesOf(c, clauses, func(other *clause) bool {
		return other.prices() && !slices.ContainsFunc(earlier, func(op operation) bool { return op.clause == other && op.setsWithin(c.options) })
	})
	switch {
	case !of.end(c, func(other *clause) bool { return other.trailAt != 0 }):
	case p.listedUnder(of[0], c):
		for i := range earlier {
			if op := &earlier[i]; op.prices() && op.clause.sentence == c.sentence {
				p.addOptions(op, c)
			}
		}
	case !p.ofItsRule(c, of):
		p.askOfEnd(c, p.shapeFrom(c.trailAt))
	}
}

func (p *parser) askOfEnd(c *clause, at int) {
	p.fail(scope, at, c.to, "Does %s belong to the last rule of the sentence only, or to all of them? Put it in a sentence of its own for all, or part the rules into sentences.")
}

// sentenceRules are rules of one sentence.
type sentenceRules []*clause

// rulesOf returns the rules of the sentence of a clause that what is said at its end can
// be of.
func (p *parser) rulesOf(c *clause, clauses []*clause, can func(*clause) bool) sentenceRules {
	var of sentenceRules
	for _, other := range clauses {
		if other.sentence == c.sentence && can(other) {
			of = append(of, other)
		}
	}
	return of
}

// end reports whether a clause is the last of several rules, and some before it do not
// have one of their own of what it ends in.
func (of sentenceRules) end(c *clause, have func(*clause) bool) bool {
	if len(of) < 2 || of[len(of)-1] != c {
		return false
	}
	for _, other := range of[:len(of)-1] {
		if !have(other) {
			return true
		}
	}
	return false
}

// listedUnder reports whether all rules from one to the last are a list under the products
// that a colon ends, and a comma parts what that ends in from it.
func (p *parser) listedUnder(first, last *clause) bool {
	if p.parting(last.trailAt) != english.Comma {
		return false
	}
	led := false
	for i := first.from; i < last.to; i++ {
		switch class := p.classAt(i); {
		case class == english.Colon && (led || i > first.amountAt):
			return false
		case class == english.Colon:
			led = true
		case led && (isNamed(class) || class == english.Rest):
			return false
		}
	}
	return led && first.target.end > 0
}

// ofItsRule reports whether what the last of two rules ends in is said of that one alone.
func (p *parser) ofItsRule(c *clause, of sentenceRules) bool {
	return len(of) == 2 && p.classAt(c.from-1) == english.And && p.classAt(c.from-2) == english.Comma && p.parting(c.trailAt) != english.Comma
}

// parting is what parts the way to shape prices that symbol i is of from what is said
// before it: a comma, "and" or "but", or nothing.
func (p *parser) parting(i int) english.Class {
	for i--; ; i-- {
		switch class := p.classAt(i); class {
		case english.Comma, english.Stop:
			return class
		case english.And, english.But:
			if p.classAt(i-1) != english.Comma {
				return class
			}
		case english.Amount, english.Times, english.Up, english.Down:
			return english.Noise
		default:
			if isNamed(class) {
				return english.Noise
			}
		}
	}
}

// setsWithin reports whether an operation sets a price that limits, a rounding or an
// ending would leave as it is, so that they say nothing of it: "set A101 to $12 and take
// 10% off mugs, never below $5".
func (op *operation) setsWithin(o options) bool {
	return op.action.Type == plan.SetPrice && o.keep(op.action.Value)
}

// midstOf returns the rule that what a clause leaves out is left out of alone, since it
// stands between that and another after "but": "raise mugs by 5%, but leave A101 as it is,
// and take 3% off hats". It is nil where there is none, and asked for where there are more.
func (p *parser) midstOf(c *clause) *clause {
	if !c.but {
		return nil
	}
	var before *clause
	several, later := false, false
	for _, other := range p.clauses {
		switch {
		case other.sentence != c.sentence || !other.complete():
		case other.from > c.from:
			later = true
		default:
			before, several = other, before != nil
		}
	}
	if !later || before == nil {
		return nil
	}
	if several {
		p.fail(scope, c.from, c.to, "Does %s leave products out of the last rule before it only, or of all? Put it in a sentence of its own for all, or part the rules into sentences.")
	}
	return before
}

// ofTwoBefore reports whether a clause speaks of both of two products, which are all that
// the rule before it in its sentence names: "mugs and hats down 5%, neither below $9, and
// lamps up 3%".
func (p *parser) ofTwoBefore(c *clause, ops []operation) bool {
	var before []*operation
	for i := range ops {
		if op := &ops[i]; op.clause.sentence == c.sentence && op.clause.from < c.from {
			before = append(before, op)
		}
	}
	return p.saysBoth(c) && clausesOf(before) == 1 && namesIn(before) == 2
}

// widensLast notes products of any kind that a condition is of, at p.pos behind a rule that
// names its own: "mugs by 5% and hats by 3% for anything in stock".
func (p *parser) widensLast(c *clause) {
	if c.looseAt == 0 && c.complete() && len(c.target.groups) > 0 && p.conditionAt(p.pos+1) {
		c.looseAt = p.pos
	}
}
