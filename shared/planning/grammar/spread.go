package grammar

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// A target may name several groups of products, and what is left out may fulfil one
// condition or another: "leave anything that is sold out or costs over $100".

// spread gives each group of a target its conditions, or each of those of which any
// will do. Where it is not clear which group a condition belongs to it asks.
func (p *parser) spread(c *clause) ([]rows, bool) {
	all, ok := p.spreadOver(c, c.target.shared)
	for _, other := range c.target.instead {
		if !ok {
			break
		}
		var more []rows
		more, ok = p.spreadOver(c, other)
		all = append(all, more...)
	}
	return all, ok
}

// spreadOver gives each group of a target conditions of all of them.
func (p *parser) spreadOver(c *clause, shared conditions) ([]rows, bool) {
	t := &c.target
	if len(t.groups) == 0 {
		return t.ofBands([]rows{{conditions: shared}}), true
	}
	var all []rows
	for _, group := range t.groups {
		if len(t.groups) > 1 && (!shared.none() || group.none() != t.groups[0].none()) {
			p.fail(scope, c.from, p.pos, "Which of the products in %s does the condition belong to: the last ones, or all?")
			return nil, false
		}
		limits, ok := merge(group.conditions, shared)
		if !ok {
			p.fail(contradiction, c.from, p.pos, "No product fulfils all the conditions of %s. Which of them is meant?")
			return nil, false
		}
		group.conditions = limits
		if group.categories != nil && group.skus != nil {
			if !limits.none() {
				p.fail(scope, c.from, p.pos, "Does the condition in %s belong to the SKUs too?")
				return nil, false
			}
			all = append(all, rows{categories: group.categories, conditions: limits}, rows{skus: group.skus, conditions: limits})
			continue
		}
		all = append(all, group)
	}
	return t.ofBands(all), true
}

// orCondition reports whether "or" and another condition of what a clause leaves out
// stand at p.pos. Those of what is to change would be a rule each.
func (p *parser) orCondition(c *clause) bool {
	shared := c.target.shared
	return p.class() == english.And && strings.EqualFold(p.symbols[p.pos].Text, "or") && (c.inner || c.excluding()) &&
		!shared.none() && (shared.stock == nil || !banded(shared)) && c.target.band == nil && p.conditionAt(p.pos+1)
}

// otherCondition reads a further condition of which any will do. After "not", it may be
// denied as the first one is: "that are not sold out or over $20".
func (p *parser) otherCondition(c *clause) {
	start, shared := p.pos, c.target.shared
	if slices.ContainsFunc(p.symbols[max(c.from-1, 0):p.pos], denies) {
		p.fail(scope, c.from, p.pos+2, "Does \"not\" hold for both conditions in %s? Write a sentence for each of them.")
		return
	}
	c.target.shared = conditions{}
	p.pos++
	p.conditionFiller()
	p.oneCondition(c, start)
	c.target.instead, c.target.shared = append(c.target.instead, c.target.shared), shared
	c.listAnd = false
}

// denies reports whether a symbol says what products are not.
func denies(s english.Symbol) bool {
	switch s.Class {
	case english.Stock, english.NotUnder, english.NotOver, english.AtLeast, english.AtMost, english.Under, english.Over:
		return denied().MatchString(s.Text)
	case english.Except:
		return lacked().MatchString(s.Text)
	}
	return false
}

var (
	denied = lazyregexp.New(`(?i)\bnot\b|n['’]t\b`)
	lacked = lazyregexp.New(`(?i)^(?:that|which|not)\b`)
)
