package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// onlyWished reports whether a sentence asks whether products can be of a stock, or
// wishes that they were: could mugs be sold out, we'd be glad if mugs were sold out. No
// words of it mark them so, as "could mugs be marked as sold out" does.
func (p *parser) onlyWished(c *clause, m mention) bool {
	said := p.back(m.at)
	if c.setting && c.word != "have" || p.classAt(said) == english.Copula && !beingOnly().MatchString(p.symbols[said].Text) {
		return false
	}
	first := c.from
	for p.classAt(first-1) == english.Noise {
		first--
	}
	for i := first; i < m.at; i++ {
		if p.classAt(i) == english.Noise && wishing().MatchString(p.symbols[i].Text) {
			return true
		}
	}
	return false
}

// tellsStock reports whether a clause only tells of what stock its products are: mugs
// are in stock. That they are so again is news, and so to be set.
func (p *parser) tellsStock(c *clause) bool {
	return c.copula && !c.obliges && !c.setting && len(c.stocks) == 1 && p.tellsBeing(c.stocks[0].at)
}

func (p *parser) tellsBeing(stock int) bool {
	said := p.back(stock)
	return p.classAt(said) == english.Copula && beingOnly().MatchString(p.symbols[said].Text) && !againSaid(p.symbols[stock])
}

// takesUpAll reports whether a clause is about the products of the one before it, by
// another word for them: mugs are in stock, raise them.
func takesUpAll(c, before *clause) bool {
	t := &c.target
	if t.pronoun && len(t.groups) == 0 {
		return true
	}
	return t.everyRow() && t.strong && before.target.everyRow() && before.target.strong
}

var (
	beingOnly = lazyregexp.New(`(?i)^(?:be|is|are|was|were)$`)
	wishing   = lazyregexp.New(`(?i)^(?:could|can|may|might|will|would|is it|any|do you|how about|what about|it would|it['’]d|that would)\b|\b(?:if|rather|sooner|hoping|hoping to have|hope)$`)
)

// checkStatement asks where what products are seems to be the reason for a rule and
// no rule itself: "tea is sold out, so raise coffee by 5%".
func (p *parser) checkStatement(c, before *clause) {
	if before != nil && p.comesFirst(c) {
		p.fail(scope, before.from, c.to, "Which rule of %s comes first, and is it for products of the other, too? Write the first one first, and \"then\" before the other.")
		return
	}
	if before != nil && c.sentence-before.sentence <= 1 && takesUpAll(c, before) && (p.tellsStock(before) && c.prices() || p.tellsStock(c) && before.prices()) {
		p.fail(scope, before.from, c.to, "Should the stock be set as well in %s, or is the rule for products of that stock? Write \"that are in stock\", or begin with \"mark\".")
		return
	}
	if before != nil && before.complete() && c.copula && !c.obliges && c.amount != nil && strings.EqualFold(p.symbols[max(c.from-1, 0)].Text, "while") {
		p.fail(scope, before.from, c.to, "Should the last part of %s be done as well, or does it only tell how things are? Write two sentences if it should.")
		return
	}
	for i := c.from - 1; p.classAt(i) == english.Noise || p.classAt(i) == english.And; i-- {
		if strings.HasPrefix(strings.ToLower(p.symbols[i].Text), "so") && before != nil && before.sentence == c.sentence && (before.stockSaid() || before.copula && !before.obliges) && (c.amount != nil || c.times != 0) {
			p.fail(scope, before.from, c.to, "Should the first part of %s be done as well, or is it only the reason? Write two sentences if it should.")
			return
		}
	}
}

// comesFirst reports whether a clause says that it comes before the one that it stands
// behind: "raise everything by 5%, but first lower mugs by 3%".
func (p *parser) comesFirst(c *clause) bool {
	for i := c.from; p.classAt(i) == english.Noise || p.classAt(i-1) == english.Noise; i-- {
		if p.classAt(i) == english.Noise && beforehand[strings.ToLower(p.symbols[i].Text)] {
			return p.linkedClause(c) || p.linkedBy(english.But)
		}
	}
	return false
}

var beforehand = map[string]bool{"first": true, "beforehand": true}
