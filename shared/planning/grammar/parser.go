package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/planning/english"
)

// parser reads symbols from left to right into clauses. Each symbol class has
// one rule, in the table below; a symbol whose rule does not fit where it
// stands fails the whole instruction. The first failure wins.
type parser struct {
	text     string
	tokens   []english.Token
	symbols  []english.Symbol
	noise    []run // by symbol
	known    *english.Categories
	said     [english.Refused + 1]bool // by class, that some symbol is of it
	pos      int
	clauses  []*clause
	reading  *clause // which is not among them yet
	heading  *clause // over the lines that are compiled
	failed   *failure
	excepted []rows // by the exception that was just read

	priceList func() bool // whether it is one, which is the same for each clause that asks
	capitals  func() bool // whether names are written with them
}

// rule reads the symbol at p.pos, and what belongs to it, into c.
type rule func(p *parser, c *clause)

// rules says what each class of symbol does to a clause. A class that is not
// here is consumed by the rule of a neighbour or not at all.
var rules [english.Refused + 1]rule

func init() {
	rules = [english.Refused + 1]rule{
		english.Noise: (*parser).skip, english.Comma: (*parser).connector, english.And: (*parser).connector, english.Colon: (*parser).colon,
		english.But: (*parser).but, english.Which: (*parser).which, english.Then: (*parser).then, english.Otherwise: (*parser).otherwise,

		english.Up: (*parser).direction, english.Down: (*parser).direction, english.Do: (*parser).do, english.Change: (*parser).change,
		english.Times: (*parser).times, english.Restock: (*parser).restock, english.Copula: (*parser).copula, english.Arrived: (*parser).arrived, english.Report: (*parser).report, english.OnSale: (*parser).onSale,

		english.Amount: (*parser).amount, english.Stock: (*parser).stock,
		english.By: (*parser).preposition, english.To: (*parser).preposition, english.At: (*parser).preposition, english.For: (*parser).preposition,
		english.From: (*parser).preposition, english.Of: (*parser).preposition, english.In: (*parser).preposition, english.With: (*parser).preposition,
		english.As: (*parser).preposition,

		english.All: (*parser).targetRule, english.Everything: (*parser).targetRule, english.Rest: (*parser).targetRule, english.Pronoun: (*parser).targetRule,
		english.Product: (*parser).targetRule, english.Price: (*parser).targetRule, english.CatNoun: (*parser).targetRule, english.SKUNoun: (*parser).targetRule,
		english.Name: (*parser).targetRule, english.Category: (*parser).targetRule, english.SKU: (*parser).targetRule,

		english.Rel: (*parser).condition, english.If: (*parser).condition, english.Unless: (*parser).condition, english.Only: (*parser).only,
		english.Under: (*parser).bound, english.Over: (*parser).bound, english.AtLeast: (*parser).bound, english.AtMost: (*parser).bound,
		english.Between: (*parser).bound, english.Exactly: (*parser).bound,

		english.Except: (*parser).except, english.DoNot: (*parser).doNot, english.Leave: (*parser).leave, english.Skip: (*parser).leave,
		english.NoChange: (*parser).leave, english.Alone: (*parser).aloneRule,

		english.Floor: (*parser).limit, english.Cap: (*parser).limit, english.NotUnder: (*parser).limit, english.NotOver: (*parser).limit,
		english.Round: (*parser).round, english.Nearest: (*parser).nearest, english.RoundUnit: (*parser).nearest, english.NoDigits: (*parser).nearest,
		english.EndIn: (*parser).endIn,
	}
}

// parse reads all sentences.
func (p *parser) parse() ([]*clause, *failure) {
	sentence := 0
	for p.pos < len(p.symbols) && p.failed == nil {
		if p.class() == english.Stop {
			p.pos++
			sentence++
			continue
		}
		c := p.clause(sentence)
		if !c.empty() {
			p.clauses = append(p.clauses, c)
		}
	}
	return p.clauses, p.failed
}

// clause reads one clause: up to the end of the sentence, or to where another
// rule begins.
func (p *parser) clause(sentence int) *clause {
	c := &clause{from: p.pos, sentence: sentence}
	p.reading = c
	c.then, c.but, c.otherwise = p.linkedBy(english.Then), p.linkedBy(english.But), p.linkedBy(english.Otherwise)
	for p.failed == nil && p.class() != english.Stop && !p.beginsNew(c) {
		r := rules[p.class()]
		if r == nil {
			p.unread(p.pos)
			break
		}
		linked, start, shape, limits, exceptions := c.listAnd, p.pos, c.options, c.target.shared, len(c.target.except)
		r(p, c)
		switch {
		case c.options != shape:
			c.shapeAt, c.shapeEnd = start, p.pos
			if c.trailAt == 0 && c.complete() {
				c.trailAt = start
			}
		case c.target.shared != limits || len(c.target.except) > exceptions:
			p.checkOfShape(c, start)
		}
		if c.listAnd && linked && !p.justLinked() {
			c.listAnd = false
		}
	}
	c.to = p.pos
	p.leaveMore(c)
	ofBand := c.banded() && !banded(c.heading)                    // "in stock: under $20 +5%, $20 and up +3%"
	if c.leading.none() && (len(c.target.groups) > 0 || ofBand) { // "under $20: yoga +5%, fitness +3%"
		c.leading = c.heading
	}
	if p.headsLines(c) {
		c.heads = &headed{}
	}
	if c.pending != 0 && p.failed == nil {
		p.fail(missingAmount, c.from, c.to, "To what? %s has no amount.")
	}
	return c
}

func (p *parser) class() english.Class { return p.classAt(p.pos) }

func (p *parser) classAt(i int) english.Class {
	if i < 0 || i >= len(p.symbols) {
		return english.Stop
	}
	return p.symbols[i].Class
}

// linkedBy reports whether the connectors just before p.pos have one of class.
func (p *parser) linkedBy(class english.Class) bool {
	if !p.said[class] {
		return false
	}
	for i := p.pos - 1; ; i-- {
		switch p.classAt(i) {
		case class:
			return true
		case english.Comma, english.And, english.But, english.Then, english.Otherwise, english.Noise:
		default:
			return false
		}
	}
}

func (p *parser) justLinked() bool {
	switch p.before() {
	case english.Comma, english.And, english.But, english.Then, english.Otherwise:
		return true
	}
	return p.pos > 0 && p.classAt(p.pos-1) == english.Noise && strings.HasPrefix(strings.ToLower(p.symbols[p.pos-1].Text), "so") // "we are out of tea so mark it sold out"
}

// beginsNew reports whether a new clause begins at p.pos: after a connector,
// with something that the clause so far has already.
func (p *parser) beginsNew(c *clause) bool {
	if p.class() == english.Which && c.complete() && p.excepted != nil && p.isName(p.pos-1) {
		return true
	}
	if !p.justLinked() || c.empty() || p.pos == c.from {
		return false
	}
	switch {
	case p.linkedBy(english.Otherwise), c.arrived && !c.acting() && p.isTarget(p.pos) && p.classAt(p.after(p.pos)) != english.Pronoun: // "mugs are slow, hats drop 10%"
		return true
	case p.shapesAll(p.pos):
		return c.complete()
	case p.shapesAll(c.from) && !c.options.none() && p.isTarget(p.pos):
		return true
	}
	symbol := p.symbols[p.pos]
	switch symbol.Class {
	case english.Up, english.Down:
		if c.role == english.By && c.amount != nil && !c.up && !c.down && !c.target.named { // "by 8%, lower ..."
			return false
		}
		leads := symbol.Sense == english.Verb || c.amount != nil && (p.classAt(p.pos+1) == english.Amount || p.classAt(p.pos+1) == english.By)
		return leads && (c.acting() || c.excluding() || c.shaping() || c.arrived)
	case english.Copula:
		return c.complete() && p.before() == english.And
	case english.Do, english.Change, english.Times, english.Restock:
		return c.acting() || c.excluding() || c.shaping() || c.arrived
	case english.DoNot, english.Leave, english.Skip, english.NoChange:
		return true
	case english.Which:
		return c.complete() && p.excepted != nil
	case english.Round, english.EndIn, english.Floor, english.Cap, english.Nearest:
		return c.excluding() || p.before() == english.Then || c.complete() && (p.someAhead(p.pos+1) || p.classAt(p.after(p.pos+1)) == english.Everything || p.classAt(p.pos+1) == english.All && p.classAt(p.after(p.pos+2)) == english.Price)
	case english.If, english.Unless:
		return c.complete() && p.linkedBy(english.And) && p.ruleAfterCondition(p.pos+1)
	case english.Only:
		return c.amount != nil && p.classAt(p.after(p.pos+1)) == english.Amount || c.complete() && len(c.target.groups) == 0 && p.staysAhead(p.pos+1) // "everything up 5%, only mugs stay the same"
	case english.Amount:
		return c.amount != nil || c.complete() || c.excluding()
	case english.Noise: // "another $5 off"
		return symbol.Sense == english.Extra && p.classAt(p.pos+1) == english.Amount && c.complete()
	case english.By:
		return c.amount != nil
	case english.At: // and a price of $5 for mugs
		return c.complete() && p.classAt(p.pos+1) == english.Amount && p.before() == english.And && p.pricesNames(p.pos+2)
	case english.For, english.In, english.Of:
		return (c.complete() || c.excluding()) && (p.amountAhead(p.pos+1) || p.verbNext(p.pos+1))
	case english.From:
		to := p.after(p.pos + 2)
		return c.complete() && c.banded() && p.classAt(p.pos+1) == english.Amount && p.reachesTo(to) && p.changeAhead(p.after(to+1)+1)
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between, english.Exactly:
		return p.bandsOn(c, p.pos)
	case english.All:
		if p.bandsOn(c, p.after(p.pos+1)) { // "change all $5 prices to $6 and all $9 prices to $10"
			return true
		}
	case english.Stock:
		return p.headAfter(p.pos+1) && (c.excluding() || c.complete() && (len(c.stocks) > 0 || p.amountAhead(p.pos) || p.aloneAhead(p.pos)))
	}
	if p.tells(c) && p.stockedAgainAhead(p.pos) { // "A101 sold out, A102 back in stock"
		return true
	}
	return p.isTarget(p.pos) && (!c.options.none() && (p.aloneAhead(p.pos) || p.staysAhead(p.pos)) || c.excluding() && !p.namesTrail(c) || p.tells(c) && p.before() == english.Comma && !c.stocks[0].value && p.amountAhead(p.pos) || c.complete() && (p.aloneAhead(p.pos) || p.staysAhead(p.pos) || len(c.target.groups) > 0 || c.target.strong || c.target.rest || p.amountAhead(p.pos)))
}

// stockedAgainAhead reports whether names follow at i that are said to be back in
// stock.
func (p *parser) stockedAgainAhead(i int) bool {
	i = p.after(i)
	if !p.isName(i) {
		return false
	}
	for p.isName(i) || p.classAt(i) == english.And || p.classAt(i) == english.Comma {
		i++
	}
	return p.isName(i-1) && againSaid(p.symbols[min(i, len(p.symbols)-1)]) && !p.headAfter(i+1)
}

// namesTrail reports whether "and" and names are all that is left of a sentence
// that asks for nothing but to leave others alone: "leave tea out of it, and
// coffee as well".
func (p *parser) namesTrail(c *clause) bool {
	n := len(p.clauses)
	if p.before() != english.And || !c.alone || len(c.target.groups) == 0 || n > 0 && p.clauses[n-1].sentence == c.sentence {
		return false
	}
	i := p.pos
	for isNamed(p.classAt(i)) || p.classAt(i) == english.Noise || p.classAt(i) == english.And || p.classAt(i) == english.Comma {
		i++
	}
	return p.classAt(i) == english.Stop
}

// changeAhead reports whether an amount, or a verb and its amount, follow at i.
func (p *parser) changeAhead(i int) bool {
	return p.amountAhead(i) || p.verbNext(i) && p.amountAhead(p.after(i)+1)
}

// shapesAll reports whether "both rounded" or "all ending in" stands at i,
// which is said of all rules of the sentence before it. "Round all prices" may
// be said of more.
func (p *parser) shapesAll(i int) bool {
	i = p.after(i)
	if shaping(p.classAt(i)) { // "round both"
		return ofAllRules[strings.ToLower(p.symbols[i+1].Text)] && !(p.classAt(i+1) == english.All && p.isHead(p.after(i+2)))
	}
	return shaping(p.classAt(i+1)) && ofAllRules[strings.ToLower(p.symbols[i].Text)]
}

func shaping(class english.Class) bool {
	switch class {
	case english.Round, english.EndIn, english.Floor, english.Cap:
		return true
	}
	return false
}

var ofAllRules = map[string]bool{"all": true, "both": true, "each": true, "all of them": true, "both of them": true, "them all": true}

func (c *clause) shaping() bool { return !c.options.none() || c.pending != 0 }

// amountAhead reports whether an amount or a stock word, and so a rule of its
// own, follows before the next connector. Lists of names are stepped over.
func (p *parser) amountAhead(first int) bool {
	for i := first; ; i++ {
		switch p.classAt(i) {
		case english.Amount, english.Copula, english.Times:
			return true
		case english.Up, english.Down:
			if p.symbols[i].Sense == english.Verb && (i == first || !p.isHead(p.back(i))) {
				return false
			}
		case english.Do, english.Change:
			if last := p.back(i); i == first || !p.isHead(last) && p.classAt(last) != english.Amount { // "the rest should come down by $2"
				return false
			}
		case english.Stop, english.But, english.Then:
			return false
		case english.And, english.Comma:
			if next := p.after(i + 1); p.classAt(next) != english.Name && p.classAt(next) != english.Category && p.classAt(next) != english.SKU {
				return false
			}
		}
	}
}

// aloneAhead reports whether the products named at i are said to stay as they
// are: "yoga excluded".
func (p *parser) aloneAhead(i int) bool {
	for ; ; i++ {
		switch class := p.classAt(i); {
		case class == english.Alone:
			return true
		case class != english.Noise && class != english.Stock && class != english.All && class != english.And && !p.isHead(i):
			return false
		}
	}
}

// staysAhead reports whether "mugs stay" or "the rest: no change" stands at i.
func (p *parser) staysAhead(i int) bool {
	i = p.after(i)
	if !p.isName(i) && p.classAt(i) != english.Rest {
		return false
	}
	for i++; p.isName(i) || p.classAt(i) == english.Noise || p.classAt(i) == english.And || p.classAt(i) == english.Product; {
		i++
	}
	if p.classAt(i) == english.Colon {
		i = p.after(i + 1)
	}
	switch p.classAt(i) {
	case english.Leave, english.NoChange, english.Alone:
		return true
	}
	return false
}

// banded reports whether the clause speaks of a range of prices.
func (c *clause) banded() bool { return c.target.shared.gte != nil || c.target.shared.lte != nil }

// ruleAfterCondition reports whether a rule follows the condition at i, which is
// its own then: "raise tea 5% and, if in stock, coffee 3%".
func (p *parser) ruleAfterCondition(i int) bool {
	for ; p.classAt(i) != english.Comma; i++ {
		if p.classAt(i) == english.Stop {
			return false
		}
	}
	return p.amountAhead(p.after(i+1)) || p.verbNext(p.after(i+1))
}

// boundEnd steps over the bound at i.
func (p *parser) boundEnd(i int) int {
	between := p.classAt(i) == english.Between
	i = p.after(i + 1)
	if between && p.classAt(p.after(i+1)) == english.And {
		i = p.after(p.after(i+1) + 1)
	}
	return i + 1
}

// verbNext reports whether names and then a verb follow at i: "for yoga
// decrease prices".
func (p *parser) verbNext(i int) bool {
	for p.isHead(i) || p.classAt(i) == english.Noise || p.classAt(i) == english.All || p.classAt(i) == english.Stock {
		i++
	}
	symbol := p.symbols[min(i, len(p.symbols)-1)]
	return (symbol.Class == english.Up || symbol.Class == english.Down) && symbol.Sense == english.Verb || symbol.Class == english.Do
}

func (p *parser) skip(c *clause) {
	if next := p.symbols[p.pos+1]; next.Class == english.Stop && next.Text == "?" && confirming[strings.ToLower(p.symbols[p.pos].Text)] {
		p.fail(nothingToDo, c.from, p.pos+2, "Should this be done? %s asks, and a plan gives no answers.")
		return
	}
	if p.symbols[p.pos].Sense == english.Modal && p.asks() {
		return
	}
	c.extra = c.extra || p.symbols[p.pos].Sense == english.Extra
	c.portion = c.portion || p.symbols[p.pos].Sense == english.OfPrice && c.amount != nil && c.amountAt == p.pos-1
	p.pos++
}

// confirming are words that ask at the end of a sentence whether it is so.
var confirming = map[string]bool{"right": true, "correct": true}

// connector reads "and", "or" and commas. "Or" joins names only: a rule with
// two conditions or amounts to choose from is none.
func (p *parser) connector(c *clause) {
	if p.orCondition(c) {
		p.otherCondition(c)
		return
	}
	if p.orBand(p.pos) && c.banded() && p.pos == c.target.bandEnd {
		p.otherBand(c)
		return
	}
	if p.class() == english.And && strings.EqualFold(p.symbols[p.pos].Text, "or") && (!p.orNames() || c.complete() && p.amountAhead(p.after(p.pos+1))) {
		p.fail(unsupported, c.from, p.pos+2, "Which of the two is meant in %s? Where it is both, each needs a rule of its own.")
		return
	}
	if p.class() == english.Comma {
		p.leadIn(c)
	}
	p.pos++
	c.listAnd = true
}

// leadIn notes conditions that a comma or colon parts from the rules they are
// for: "for in-stock items: yoga +5%".
func (p *parser) leadIn(c *clause) {
	if !c.target.shared.none() {
		p.sayTarget(c)
	}
	if !p.mayLead(c) || !c.heading.none() {
		return
	}
	c.heading = c.target.shared
	for _, m := range c.stocks { // what contradicts the rest fails where it is read
		c.heading, _ = merge(c.heading, conditions{stock: &m.value})
	}
}

// mayLead reports whether a clause has said no more so far than which products the
// rules after it are for, or with a verb that waits for them: "only touch products in
// stock: hats up 5%, ...".
func (p *parser) mayLead(c *clause) bool {
	if len(c.target.groups) > 0 || c.amount != nil || c.times != 0 || c.stockSaid() {
		return false
	}
	return len(c.stocks) == 0 || !c.complete() || p.amountAhead(p.pos+1) // "mark sold out: A101, A102"
}

func (p *parser) orNames() bool {
	next := p.after(p.pos + 1)
	return p.isTarget(next) || p.classAt(next) == english.All || p.classAt(next) == english.For || p.classAt(next) == english.In || p.classAt(next) == english.Of
}

func (p *parser) but(c *clause) {
	c.but = c.but || c.empty()
	p.pos++
	c.listAnd = false
	if c.target.strong && p.exclusionAhead() {
		p.exclusion(c)
	}
}

// exclusionAhead tells "everything but yoga" from "but yoga by 5%".
func (p *parser) exclusionAhead() bool {
	next := p.after(p.pos)
	class := p.classAt(next)
	named := class == english.Name || class == english.Category || class == english.SKU || class == english.Stock
	if !named {
		return false
	}
	return p.before() == english.But && p.classAt(p.pos-2) != english.Comma && !p.hadAmount() || !p.amountAhead(next) && !p.verbAhead(next) && !p.aloneAhead(next)
}

// hadAmount reports whether the sentence so far has an amount.
func (p *parser) hadAmount() bool {
	for i := p.pos - 1; p.classAt(i) != english.Stop; i-- {
		if p.classAt(i) == english.Amount {
			return true
		}
	}
	return false
}

func (p *parser) verbAhead(i int) bool {
	for ; p.classAt(i) != english.Stop; i++ {
		switch p.classAt(i) {
		case english.Up, english.Down, english.Do, english.Change, english.Leave, english.DoNot:
			return true
		}
	}
	return false
}

func (p *parser) then(c *clause) {
	c.then = c.then || c.empty()
	p.pos++
	c.listAnd = false
}

func (p *parser) colon(c *clause) {
	p.leadIn(c)
	c.colonLed = c.colonLed || p.mayLead(c) && (!c.heading.none() || !c.options.none() || len(c.leadingOut) > 0)
	p.pos++
}
