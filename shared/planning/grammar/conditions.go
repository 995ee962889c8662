package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// condition reads what follows "that are", "if" and "unless".
func (p *parser) condition(c *clause) {
	class, start := p.class(), p.pos
	p.markLoose(c)
	if next := p.classAt(p.pos + 1); class == english.Rel && (next == english.EndIn || next == english.Round) && strings.HasPrefix(strings.ToLower(p.symbols[p.pos].Text), "with ") {
		p.shapedPrices(c)
		return
	}
	if class == english.Rel && c.complete() && len(c.target.except) > 0 && p.classAt(p.pos-1) == english.Comma { // "all but mugs by 5%, which are sold out"
		p.fail(scope, c.from, p.pos+1, "Does the condition after the comma in %s speak of the products that are left out, or of the others? Name them.")
		return
	}
	if p.lastApart(c) {
		p.fail(scope, c.from, p.pos+1, "Does the condition in %s belong to the last name only, or to all of them? Write a sentence for each.")
		return
	}
	p.pos++
	p.conditionFiller()
	if c.looseAt == 0 {
		c.target.end = p.pos
	}
	if class == english.Unless {
		bare := strings.EqualFold(p.symbols[start].Text, "unless")
		if bare && p.class() == english.Name && p.classAt(p.after(p.pos+1)) != english.Copula || againSaid(p.symbols[p.pos]) { // unless Marta objects, unless back in stock
			p.notYet(start)
			return
		}
		p.exclusionFrom(c, start)
		if p.class() == english.Copula { // unless hats are
			p.unread(p.pos)
		}
		return
	}
	if class == english.If {
		p.ifRule(c, start)
	} else {
		p.oneCondition(c, start)
	}
	for p.failed == nil && p.classAt(p.pos) == english.And && !p.orBand(p.pos) && p.conditionAt(p.pos+1) {
		if p.orCondition(c) {
			p.otherCondition(c)
			continue
		}
		p.connector(c)
		p.conditionFiller()
		p.oneCondition(c, start)
	}
}

// lastApart reports whether a comma parts the last of two names from the first, so
// that what follows may be said of the last alone: "hats, and mugs that cost ...".
func (p *parser) lastApart(c *clause) bool {
	i := p.pos - 2
	for p.classAt(i) == english.Noise || p.classAt(i) == english.All {
		i--
	}
	return p.isName(p.pos-1) && p.classAt(i) == english.And && p.classAt(i-1) == english.Comma && p.isName(i-2) && !(p.classAt(i-3) == english.Comma && p.isName(i-4))
}

// ifRule reads "if yoga is in stock". What happens at another time, such as
// "when yoga sells out", is no condition that a plan can have.
func (p *parser) ifRule(c *clause, start int) {
	c.restricted = true
	if next := p.after(start + 1); p.classAt(next) == english.All && ofAllAtOnce[strings.ToLower(p.symbols[next].Text)] && p.isName(p.after(next+1)) { // "if all sofas cost over $50"
		p.fail(unsupported, start, next+2, "Is %s a condition on each of the products, or on all of them at once? A plan looks at each alone: write \"those that cost ...\".")
		return
	}
	named := p.pos == p.after(start+1) && p.isHead(p.pos) // if the dollar weakens
	again := againSaid(p.symbols[p.pos])
	p.oneCondition(c, start)
	switch {
	case again || named && p.class() != english.Copula && p.failed == nil:
		p.notYet(start)
	case p.class() == english.Copula:
		p.conditionFiller()
		if againSaid(p.symbols[p.pos]) {
			p.notYet(start)
			return
		}
		p.oneCondition(c, start)
	}
}

var ofAllAtOnce = map[string]bool{"all": true, "all the": true, "all of the": true, "every": true, "every one of the": true}

// notYet asks about what happens at another time than now.
func (p *parser) notYet(start int) {
	p.fail(schedule, start, p.pos+1, "Does the rule after %s hold now? A plan is carried out once, for products as they are then. For a condition write \"if it is in stock\" or \"if it costs more than\" and the price.")
}

// againSaid reports whether stock words say that it becomes so: back in stock.
func againSaid(symbol english.Symbol) bool {
	text := strings.ToLower(symbol.Text)
	return symbol.Class == english.Stock && (strings.HasPrefix(text, "back") || strings.HasSuffix(text, "again"))
}

// allSaid reports whether stock words say that all are so: all sold out.
func allSaid(symbol english.Symbol) bool {
	return symbol.Class == english.Stock && strings.HasPrefix(strings.ToLower(symbol.Text), "all ")
}

// conditionFiller steps over "the price is" and the like before a condition.
func (p *parser) conditionFiller() {
	for {
		switch p.class() {
		case english.Noise, english.Rel, english.Copula, english.Only, english.Price, english.Product, english.Pronoun:
			if comingPrice().MatchString(p.symbols[p.pos].Text) {
				p.askOfResult(p.pos, p.pos+1)
				return
			}
			p.pos++
		default:
			return
		}
	}
}

// askOfResult asks about a condition on the price that comes of the rule.
func (p *parser) askOfResult(from, to int) {
	p.fail(unsupported, from, to, "Is %s the price after the change? A condition is on the price as it is now; the new one can be limited by \"never above\" and \"never below\".")
}

// comingPrice are words for the price that comes of a rule.
var comingPrice = lazyregexp.New(`(?i)^(?:the |their |its )?(?:new|final|result)`)

func (p *parser) conditionAt(i int) bool {
	for p.classAt(i) == english.Noise || p.classAt(i) == english.Rel || p.classAt(i) == english.Copula || p.classAt(i) == english.Price || p.classAt(i) == english.Product && english.OneThing(p.symbols, i) {
		i++
	}
	switch p.classAt(i) {
	case english.Stock:
		return !p.headAfter(i + 1)
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Exactly, english.Between:
		return true
	case english.Amount:
		next := p.classAt(i + 1)
		return next == english.AndUp || next == english.AndDown
	}
	return false
}

func (p *parser) oneCondition(c *clause, start int) {
	switch p.class() {
	case english.Stock:
		if p.headAfter(p.pos + 1) {
			p.targetRule(c)
			return
		}
		symbol := p.symbols[p.pos]
		p.pos++
		p.addConditions(c, conditions{stock: stockValue(symbol)}, start, p.pos)
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Exactly, english.Between:
		p.bound(c)
	case english.At:
		p.atPrice(c)
	case english.NotUnder, english.NotOver:
		p.notBound(c)
	case english.From:
		p.preposition(c)
	case english.Amount:
		p.bound(c)
	case english.In, english.Of, english.SKU, english.Name, english.Category, english.All:
		if p.class() == english.In || p.class() == english.Of {
			p.pos++
		}
		if !p.isTarget(p.pos) {
			p.unread(start)
			return
		}
		p.targetRule(c)
	default:
		p.unread(start)
	}
}

// atPrice reads "priced at $20", "that sell at exactly $5".
func (p *parser) atPrice(c *clause) {
	p.pos = p.after(p.pos + 1)
	switch p.class() {
	case english.Amount, english.Exactly, english.AtLeast, english.AtMost, english.Under, english.Over:
		p.bound(c)
	default:
		p.unread(p.pos)
	}
}

// opensDenied reports whether a sentence begins with what prices may not be, before
// its verb: "not exceeding $50, raise mugs by 5%".
func (p *parser) opensDenied(i int) bool {
	word := firstWord(strings.ToLower(p.symbols[i].Text))
	verb := p.classAt(p.after(i + 3))
	return (word == "not" || word == "no") && p.startsSentence(i) && p.classAt(i+2) == english.Comma && (verb == english.Up || verb == english.Down)
}

// notBound reads "not under $20" as a condition.
func (p *parser) notBound(c *clause) {
	amount := p.after(p.pos + 1)
	if p.classAt(amount) != english.Amount {
		p.unread(p.pos)
		return
	}
	value := p.money(amount)
	limits := conditions{gte: value}
	if p.class() == english.NotOver {
		limits = conditions{lte: value}
	}
	start := p.pos
	p.pos = amount + 1
	p.addConditions(c, limits, start, p.pos)
}

func (p *parser) only(c *clause) {
	p.checkOnlyLast(c)
	c.restricted = true
	p.markLoose(c)
	p.pos++
}

// except reads "except A103", "but not accessories", "excluding those under
// $10" into what the target leaves out.
func (p *parser) except(c *clause) {
	p.pos++
	p.exclusion(c)
}

// which reads "except hats, which go up 5%": a rule for what another leaves out.
func (p *parser) which(c *clause) {
	if p.excepted == nil || !c.empty() {
		p.unread(p.pos)
		return
	}
	c.target.groups, c.target.named = p.excepted, true
	p.pos++
	c.target.end = p.pos
	p.excepted, c.listAnd = nil, false
}

// lacking reports whether the exception at i may say what the products right before
// it are not, or do not have: "mugs without handles".
func (p *parser) lacking(i int) bool {
	next := p.symbols[i+1]
	if p.classAt(i-1) != english.Name || next.Class != english.Name || next.Sense == english.InQuotes {
		return false
	}
	switch text := strings.ToLower(p.symbols[i].Text); text {
	case "without", "w/o", "other than", "not for":
		return true
	case "not":
		return strings.HasSuffix(next.Text, "ed")
	default: // mugs that aren't dishwasher safe
		return strings.HasPrefix(text, "that ") || strings.HasPrefix(text, "which ")
	}
}

// exceptsOfExcepted reports whether the exception at start may be one of what another
// leaves out: "all but hats except A103", "all but hats, but not A103".
func (p *parser) exceptsOfExcepted(c *clause, start int) bool {
	but := start
	for p.classAt(but-1) == english.But {
		but--
	}
	comma := p.classAt(but-1) == english.Comma && (but < start || strings.HasPrefix(strings.ToLower(p.symbols[start].Text), "but "))
	return c.exceptEnd > 0 && (c.exceptEnd == but || comma && c.exceptEnd == but-1)
}

func (p *parser) exclusion(c *clause) { p.exclusionFrom(c, p.pos-1) }

func (p *parser) exclusionFrom(c *clause, start int) {
	if c.looseAt == 0 && c.complete() && c.target.named && start > c.target.end {
		c.looseAt = start
	}
	if p.lacking(start) {
		p.fail(unknownCategory, start-1, start+2, "Is the last word of %s a category, or what the products before it are or have? A category's name can stand in quotation marks after \"except\".")
		return
	}
	if p.exceptsOfExcepted(c, start) {
		p.fail(scope, c.from, p.pos, "Is the second exception of %s left out as well, or is it none of what the first leaves out? Join what is left out by \"and\".")
		return
	}
	inner := &clause{from: p.pos, inner: true}
	p.exclusionFiller(inner)
	p.target(inner)
	if p.class() == english.Rel && len(inner.target.groups) > 0 && c.target.named && !c.acting() {
		p.fail(scope, c.from, p.pos+1, "Which products does the condition after %s tell: those that are left out, or the others? Write what is left out at the end.")
		return
	}
	for p.failed == nil && p.conditionAfterTarget() {
		p.exclusionCondition(inner)
	}
	for p.failed == nil && p.orCondition(inner) {
		p.otherCondition(inner)
	}
	if p.failed != nil {
		return
	}
	groups, ok := p.spread(inner)
	for ok && p.failed == nil && p.exceptsMore(c) {
		var more []rows
		more, ok = p.moreExcepted(c)
		groups = append(groups, more...)
	}
	if p.failed != nil {
		return
	}
	if !ok || p.pos == start+1 || inner.target.rest || inner.target.everyRow() && !inner.target.named {
		p.unread(start)
		return
	}
	c.target.except = append(c.target.except, groups...)
	if p.after(c.from) == start { // "except for sold-out items, raise tea by 5% and mugs by 3%"
		c.leadingOut = c.target.except
	}
	p.excepted = groups
	c.target.end, c.exceptEnd = p.pos, p.pos
	c.listAnd = false
}

// exclusionFiller steps over "for", "the ones in" and the like.
func (p *parser) exclusionFiller(inner *clause) {
	for {
		switch p.class() {
		case english.To:
			if !p.isTarget(p.pos + 1) { // "not to less than $4" is no condition
				return
			}
		case english.For, english.In, english.Of, english.Noise:
		case english.Pronoun:
			inner.target.named = true
		default:
			return
		}
		p.pos++
	}
}

func (p *parser) conditionAfterTarget() bool {
	switch p.class() {
	case english.Stock:
		return !p.headAfter(p.pos + 1)
	case english.Rel, english.Under, english.Over, english.AtLeast, english.AtMost, english.Exactly, english.Between:
		return true
	case english.Amount:
		return p.suffix(p.pos) != 0 || p.isRange(p.pos)
	case english.At: // "anything at $200 or more"
		return p.suffix(p.after(p.pos+1)) != 0
	case english.In, english.Of:
		return p.isTarget(p.pos + 1)
	}
	return false
}

func (p *parser) exclusionCondition(inner *clause) {
	start := p.pos
	switch p.class() {
	case english.Rel:
		p.pos++
		p.conditionFiller()
		p.oneCondition(inner, start)
	case english.In, english.Of:
		p.pos++
		p.target(inner)
	case english.Stock, english.At:
		p.oneCondition(inner, start)
	default:
		p.bound(inner)
	}
}

// doNot reads "do not change prices of yoga" as an exclusion. Any other
// negation is a question.
func (p *parser) doNot(c *clause) {
	start := p.pos
	p.pos = p.after(p.pos + 1)
	c.negated = true
	symbol := p.symbols[p.pos]
	switch {
	case symbol.Class == english.Change, (symbol.Class == english.Up || symbol.Class == english.Down) && symbol.Sense == english.Verb:
		c.up, c.down = symbol.Class == english.Up, symbol.Class == english.Down
		c.target.price = c.up || c.down
		p.pos++
		if next := p.classAt(p.after(p.pos)); next == english.Over || next == english.Under { // "don't raise above $20"
			p.fail(scope, start, min(p.pos+2, len(p.symbols)-1), "Is %s a limit of the new price (\"never above\", \"never below\"), or does it say which products stay as they are (\"leave products above ... alone\")?")
		}
	case symbol.Class == english.Do && p.classAt(p.after(p.pos+1)) == english.NoChange:
	case symbol.Class == english.Name && strings.EqualFold(symbol.Text, "include"):
		p.pos++
	default:
		p.fail(negation, start, p.pos+1, "What should not happen, and to which products? %s is not clear.")
	}
}

// leave reads "leave accessories alone", "skip yoga", "no changes to A103".
func (p *parser) leave(c *clause) {
	class := p.class()
	if class != english.Leave {
		c.untouched = true
	} else {
		c.leaving = true
	}
	verb := strings.ToLower(p.symbols[p.pos].Text)
	if points := firstWord(verb); points == "that" || points == "those" || points == "they" {
		c.target.pronoun, c.target.named = true, true
	}
	p.pos++
	next := p.classAt(p.after(p.pos))
	limited := c.target.strong && (len(c.stocks) > 0 || !c.target.shared.none())                                            // "anything in stock: leave"
	if class == english.Leave && (len(c.target.groups) > 0 || limited) && (next == english.Stop || next == english.Comma) { // "mugs: leave"
		c.alone = true
	}
	if (strings.HasSuffix(verb, "stay") || strings.HasSuffix(verb, "stays") || strings.HasSuffix(verb, "remain") || strings.HasSuffix(verb, "remains")) && (next == english.Stop || next == english.Comma) {
		c.alone = true // "everything else stays"
	}
	if class == english.Leave && p.decimals(p.after(p.pos)) { // "keep three decimals"
		c.leaving = false
		p.pos = p.after(p.pos)
		p.nearest(c)
		return
	}
	if class == english.NoChange && p.class() == english.To {
		p.pos++
	}
}

// sameAs are words for a price that may be the one now or that of a rule before.
var sameAs = lazyregexp.New(`(?i)^(?:at )?the same(?: prices?)?(?: as well)?$`)

// aloneRule reads "unchanged". "Toys the same", with no verb, may be changed in
// the same way instead.
func (p *parser) aloneRule(c *clause) {
	if sameAs().MatchString(p.symbols[p.pos].Text) && !c.leaving && !c.copula && !c.target.rest {
		p.fail(scope, c.from, p.pos+1, "Should the products in %s stay as they are, or change in the same way? Write \"leave ... unchanged\", or the change again.")
		return
	}
	if strings.EqualFold(p.symbols[p.pos].Text, "out") && !c.leaving {
		p.fail(scope, c.from, p.pos+1, "Are the products in %s left out, or out of stock? Write \"except\" and the names, or \"out of stock\".")
		return
	}
	c.alone = true
	p.pos++
}
