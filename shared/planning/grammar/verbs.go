package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// direction reads increase and decrease, as verbs, nouns and after an amount.
func (p *parser) direction(c *clause) {
	symbol := p.symbols[p.pos]
	if p.ofName(c) {
		return
	}
	word := strings.ToLower(symbol.Text)
	past := strings.HasSuffix(word, "ed") && !p.wished()
	told := past && symbol.Sense == english.Verb && !c.acting() && !c.copula && len(c.target.groups) == 0 && c.target.named && p.isHead(p.after(p.pos+1)) // "the shop raised mugs"
	if told || past && p.startsSentence(p.pos) && p.classAt(p.pos+1) != english.Colon {
		p.fail(nothingToDo, c.from, p.pos+1, "Is it still to be done? %s tells what was done: for a change write \"increase\" or \"decrease\".")
		return
	}
	if p.classAt(p.pos-1) == english.And && !c.complete() && p.isHead(p.pos-2) && (word == "more" || word == "less") { // "raise mugs and more by 5%"
		p.unread(p.pos)
		return
	}
	if next := p.symbols[p.pos+1]; subtracts[word] && next.Class == english.Down && next.Sense == english.Particle { // "take 5% less off"
		p.askOfChange(c)
		return
	}
	if subtracts[word] && p.namesAhead(p.pos+1) {
		p.fail(scope, c.from, p.pos+2, "Should the last of %s be left out? Then write \"except\" and the names.")
		return
	}
	if c.pending == english.Round && c.amount == nil && word == "off" { // round off
		p.pos++
		return
	}
	if symbol.Sense == english.Particle && c.shaping() && !c.acting() && p.classAt(p.pos-1) != english.Colon && word != "off" {
		p.fail(rounding, c.from, p.pos+1, "Which prices should come of %s? A plan rounds to the nearest price, and not only up or only down; a change before or after that needs a rule of its own.")
		return
	}
	if symbol.Sense == english.Particle && c.amount != nil && !english.Beside(p.symbols, p.pos) { // "20% off everything less mugs"
		p.unread(p.pos)
		return
	}
	noun := p.changeNoun(p.pos)
	if p.changesChange(c, symbol, noun) || (noun || !c.target.named) && unmaking().MatchString(c.word) {
		p.askOfChange(c)
		return
	}
	c.noun = c.noun || noun
	p.pos++
	if symbol.Class == english.Down && c.adding { // "add a 10% discount"
		c.up = false
	}
	c.adding = symbol.Class == english.Up && !c.up && attaches(word)
	c.ownVerb = c.ownVerb || symbol.Sense == english.Verb
	if c.amount == nil {
		c.lead = true
	} else {
		c.suffix = true
	}
	if c.role == english.Copula && c.amount == nil { // "should be raised $2"
		c.role = 0
	}
	if symbol.Class == english.Up {
		c.up = true
	} else {
		c.down = true
	}
	p.sayTarget(c)
}

// wished reports whether the verb at p.pos has its past form from a wish: I'd be
// grateful if you lowered tea by $1 and raised mugs by 5%.
func (p *parser) wished() bool {
	k := p.pos - 1
	if class := p.classAt(k); class == english.And || class == english.Comma {
		for k > 0 && p.classAt(k-1) != english.Stop {
			k--
		}
	}
	return p.classAt(k) == english.Noise && wishes().MatchString(p.symbols[k].Text)
}

var wishes = lazyregexp.New(`(?i)\b(?:if|rather|sooner|time)(?: that)? (?:you|we|someone|somebody)$`)

// subtracts are words for a change of the price that before a name leave it
// out: "everything less tea".
var subtracts = map[string]bool{"less": true, "minus": true}

// attaches reports whether the object of a verb is the change itself: add a
// discount.
func attaches(verb string) bool {
	verb = strings.ToLower(verb)
	return strings.HasPrefix(verb, "add") || strings.HasPrefix(verb, "tack") || strings.HasPrefix(verb, "slap")
}

// unmaking are verbs whose object is a discount that is there: end the 5% off mugs.
var unmaking = lazyregexp.New(`^(?:end|finish|reset|fix|turn|switch|mov|push|knock|bring)(?:e|es|ed|ing|s)?\b`)

// changeNouns are changes of a price that can change themselves: "halve the
// discount" does not halve a price.
var changeNouns = lazyregexp.New(`(?i)^(?:discount|markdown|markup|mark up|upcharge|surcharge|uplift|rebate|reduction|increase|decrease|price (?:increase|hike|rise|raise|cut|reduction|drop))s?$`)

// changeNoun reports whether the symbol at i names a change and does not ask
// for one: "the discount", "yoga discount", "10% discount".
func (p *parser) changeNoun(i int) bool {
	switch p.classAt(i - 1) {
	case english.Name, english.Category, english.SKU, english.Product, english.Amount:
		return changeNouns().MatchString(p.symbols[i].Text)
	case english.Noise:
		return changeNouns().MatchString(p.symbols[i].Text) && determiners().MatchString(p.symbols[i-1].Text)
	}
	return false
}

var determiners = lazyregexp.New(`(?i)^(?:the|our|my|your|a|an|current|existing)$`)

// changesChange reports whether a direction and one said before it in the
// clause are a change of a discount and not of a price.
func (p *parser) changesChange(c *clause, symbol english.Symbol, noun bool) bool {
	if !noun {
		off := c.amount != nil && strings.HasPrefix(strings.ToLower(symbol.Text), "off")
		return c.noun && !off
	}
	manner := c.role == english.By || c.role == english.With || c.role == english.Colon || p.before() == english.By || p.before() == english.With
	return (c.up || c.down || c.changing || c.times != 0) && !c.adding && !manner
}

func (p *parser) askOfChange(c *clause) {
	p.fail(contradiction, c.from, p.pos+1, "Should a discount or a surcharge itself change in %s? A plan changes prices: by how much should they rise or fall from what they are now?")
}

// ofName asks where the verb at p.pos may be part of a name, or say which of the
// products of that name are meant, and so does not say what happens.
func (p *parser) ofName(c *clause) bool {
	switch {
	case p.participle(c):
		return !p.fail(vagueTarget, p.pos, p.pos+2, "Which products are meant by %s? Name their categories or SKUs, for what was done with products before is not known here. A category's name can stand in quotation marks.")
	case p.endsName(c):
		return !p.fail(vagueTarget, c.from, p.pos+1, "Is the last word of %s part of a category's name? Then write the name in quotation marks.")
	}
	return false
}

// participle tells "discounted products" from "discount products".
func (p *parser) participle(c *clause) bool {
	if !strings.HasSuffix(strings.ToLower(p.symbols[p.pos].Text), "ed") || !c.acting() && p.pos > c.from || p.wished() {
		return false
	}
	switch p.classAt(p.pos + 1) {
	case english.Product, english.Price, english.Name, english.Category:
		return true
	}
	return false
}

// endsName reports whether the verb at p.pos stands right after a name of which other
// words say what happens: "raise pork chop by 5%", "pork chop up 5%".
func (p *parser) endsName(c *clause) bool {
	symbol := p.symbols[p.pos]
	if moves := symbol.Class == english.Up || symbol.Class == english.Down; !p.isName(p.pos-1) || moves && symbol.Sense != english.Verb {
		return false
	}
	if c.up || c.down {
		return true
	}
	noun := !strings.Contains(symbol.Text, " ") && !english.Light(symbol.Text) && !strings.HasSuffix(symbol.Text, "ing") && !plural(symbol.Text)
	return noun && !c.acting() && p.after(c.from) == p.pos-1 && !plural(p.symbols[p.pos-1].Text) && p.movedAhead(p.pos+1)
}

// plural reports whether a name or a verb ends as nouns in the plural do.
func plural(text string) bool {
	return strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "ss")
}

// movedAhead reports whether a direction follows at i, before the next connector.
func (p *parser) movedAhead(i int) bool {
	for ; ; i++ {
		switch p.classAt(i) {
		case english.Up, english.Down:
			return true
		case english.Stop, english.And, english.Comma, english.But, english.Then:
			return false
		}
	}
}

// sayTarget notes what a sentence said of its rows before its verb, when that
// was conditions alone: it holds for the whole sentence.
func (p *parser) sayTarget(c *clause) {
	first := p.classAt(p.after(c.from))
	before := first == english.For || first == english.In || first == english.If || first == english.Of
	if !c.leads && before && len(c.target.groups) == 0 && !c.complete() {
		c.leading = c.target.shared
	}
	c.leads = true
}

func (p *parser) do(c *clause) {
	if p.ofName(c) {
		return
	}
	word := strings.ToLower(p.symbols[p.pos].Text)
	if word == "do" && !p.givesPrice(p.after(p.pos+1)) { // "do mugs go up 5%?"
		p.unread(p.pos)
		return
	}
	c.setting, c.ownVerb = true, true
	if c.word == "" {
		c.word = word
	}
	p.pos++
	p.sayTarget(c)
}

// givesPrice reports whether an amount stands at i, or names and what becomes of their
// prices: do mugs at $10, do mugs: 5% off.
func (p *parser) givesPrice(i int) bool {
	for p.isHead(i) || p.classAt(i) == english.Noise || p.classAt(i) == english.All || (p.classAt(i) == english.And || p.classAt(i) == english.Comma) && p.isHead(p.after(i+1)) {
		i++
	}
	switch p.classAt(i) {
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between:
		i = p.boundEnd(i)
	}
	switch p.classAt(i) {
	case english.Amount, english.Times, english.Colon, english.At:
		return true
	}
	return false
}

func (p *parser) change(c *clause) {
	if p.ofName(c) {
		return
	}
	if c.noun {
		p.askOfChange(c)
		return
	}
	p.pos++
	c.changing, c.ownVerb = true, true
	p.sayTarget(c)
}

func (p *parser) times(c *clause) {
	if c.times != 0 || c.amount != nil {
		p.fail(contradiction, c.from, p.pos+1, "Which of the two changes in %s is meant?")
		return
	}
	if c.noun {
		p.askOfChange(c)
		return
	}
	c.times = int(p.symbols[p.pos].Sense)
	p.pos++
	p.sayTarget(c)
}

func (p *parser) restock(c *clause) {
	c.stocks = append(c.stocks, mention{value: p.symbols[p.pos].Sense == english.InStock, set: true, at: p.pos})
	c.setting = true
	p.pos++
}

func (p *parser) copula(c *clause) {
	if p.asks() {
		return
	}
	if p.classAt(p.after(p.pos+1)) == english.Pronoun && p.classAt(p.after(p.after(p.pos+1)+1)) == english.Stop { // "tea is sold out, is it?"
		p.fail(nothingToDo, c.from, p.pos+2, "Should this be done? %s asks, and a plan gives no answers.")
		return
	}
	text := strings.ToLower(p.symbols[p.pos].Text)
	c.obliges = obliging().MatchString(text)
	p.pos++
	c.copula = true
	if c.amount == nil || !c.lead { // "a discount of $2 should be applied to mugs"
		c.role = english.Copula
	}
}

// obliging are copulas of what is to become so, and not of what is.
var obliging = lazyregexp.New(`^(?:should|must|shall|needs? to|ha(?:s|ve) to|ought to|is to|are to|to|be) |^(?:should|be)$`)

// asks fails where the verb at p.pos stands first in its sentence, as in "is
// yoga 5% off?": a question is no instruction.
func (p *parser) asks() bool {
	if !p.startsSentence(p.pos) {
		return false
	}
	p.fail(nothingToDo, p.pos, len(p.symbols)-1, "Should this be done? %s asks, and a plan gives no answers: say what should change, such as \"increase yoga by 5%\".")
	return true
}

// onSale is filler beside the amount of a sale: put yoga on sale at 20% off.
// "Products on sale" would be a condition on what the catalogue does not hold.
func (p *parser) onSale(c *clause) {
	announced := c.target.named && !c.acting() && p.pos == c.target.end && p.saleAhead(p.pos+1) // "yarn on sale, 20% off"
	if !c.setting && !announced || c.onSale || c.stockSaid() {
		p.fail(vagueTarget, p.pos, p.pos+1, "Which products are %s? Name their categories or SKUs.")
		return
	}
	c.onSale = true
	p.pos++
}

// saleAhead reports whether a pause, an amount and "off" follow at i.
func (p *parser) saleAhead(i int) bool {
	return p.classAt(i) == english.Comma && p.classAt(i+1) == english.Amount && p.classAt(i+2) == english.Down
}

// stock reads "in stock" where it stands alone: before a name it is part of
// the target.
func (p *parser) stock(c *clause) {
	if p.headAfter(p.pos + 1) {
		p.targetRule(c)
		return
	}
	set := false
	switch p.before() {
	case english.As, english.To, english.Copula:
		set = true
	}
	symbol := p.symbols[p.pos]
	set = set || againSaid(symbol)
	c.target.strong = c.target.strong || c.setting && allSaid(symbol) && len(c.target.groups) == 0 // "mark all sold out"
	c.stocks = append(c.stocks, mention{value: symbol.Sense == english.InStock, set: set, at: p.pos, loose: p.loose(c)})
	p.pos++
}

// loose reports whether a modifier stands apart from its target: the clause
// has its amount and its target, and the modifier does not touch the target.
func (p *parser) loose(c *clause) bool {
	return c.complete() && c.target.named && p.pos > c.target.end
}

func (p *parser) markLoose(c *clause) {
	if c.looseAt == 0 && p.loose(c) {
		c.looseAt = p.pos
	}
}

// preposition reads a preposition with what follows it: an amount, a stock
// value, a unit to round to, or a target.
func (p *parser) preposition(c *clause) {
	class := p.class()
	next := p.after(p.pos + 1)
	for (class == english.To || class == english.At) && p.classAt(next) == english.Exactly {
		next = p.after(next + 1)
	}
	if class == english.To && p.infinitive(c, next) {
		p.pos = next
		return
	}
	switch p.classAt(next) {
	case english.Amount:
		p.roleAmount(c, class, next)
	case english.Stock:
		p.prepositionStock(c, class, next)
	case english.Nearest, english.RoundUnit, english.NoDigits:
		if class == english.By { // "by a whole dollar"
			p.fail(missingUnit, p.pos, next+1, "How much is %s? Write it as an amount, such as $0.10.")
			return
		}
		p.pos = next
		p.nearest(c)
	case english.Up, english.Down, english.Floor, english.Cap, english.EndIn, english.OnSale, english.Times:
		if class == english.By || class == english.As || class == english.From || class == english.In && p.classAt(next) != english.OnSale {
			p.unread(p.pos)
			return
		}
		if class == english.For && p.startsSentence(p.pos) && strings.HasSuffix(strings.ToLower(p.symbols[next].Text), "ing") { // "thanks for raising mugs"
			p.fail(nothingToDo, c.from, next+1, "Is it still to be done? %s thanks for it: for a change begin with the verb, such as \"raise\".")
			return
		}
		if strings.HasSuffix(strings.ToLower(p.symbols[next].Text), "ed") && p.classAt(p.after(next+1)) == english.Amount { // "at a discounted $5"
			p.fail(missingDirection, c.from, next+2, newPriceOrChange)
			return
		}
		p.pos = next
	case english.AtLeast, english.AtMost:
		p.limitAfter(c, class, next)
	case english.Under, english.Over, english.Between, english.Exactly:
		p.boundAfter(c, class, next)
	case english.Only:
		p.pos = next
	default:
		p.prepositionTarget(c, class, next)
	}
}

// infinitive reports whether a verb stands at i that says what is to happen to
// the products named before: "mats to go up 5%", "mats are to remain unchanged".
func (p *parser) infinitive(c *clause, i int) bool {
	if !c.target.named && !c.target.strong || c.acting() && !c.copula || c.complete() || c.excluding() {
		return false
	}
	switch p.classAt(i) {
	case english.Do, english.Change, english.Leave, english.Times, english.Round:
		return true
	case english.Up, english.Down:
		return p.symbols[i].Sense == english.Verb || p.classAt(i+1) != english.Stop
	}
	return false
}

func (p *parser) prepositionStock(c *clause, class english.Class, next int) {
	if last := p.pos - 1; class == english.As && !c.setting && !c.copula && p.classAt(last) == english.Name && strings.Contains(p.symbols[last].Text, " ") && p.symbols[last].Sense != english.InQuotes {
		p.unread(last) // "park mugs as sold out"
		return
	}
	if p.headAfter(next + 1) {
		p.pos = next
		p.targetRule(c)
		return
	}
	if class != english.As && class != english.To {
		p.unread(p.pos)
		return
	}
	p.pos = next
	p.stock(c)
}

// prepositionTarget reads "for yoga", "of the mats", "with SKU A101".
func (p *parser) prepositionTarget(c *clause, class english.Class, next int) {
	if !p.isTarget(next) {
		p.unread(p.pos)
		return
	}
	switch {
	case class == english.By: // "by sixten percent": nothing is corrected to a number
		p.fail(missingAmount, p.pos, next+1, "How much is %s? Write the number in digits, such as \"by 10%\" or \"by $5\".")
		return
	case class == english.As:
		p.unread(p.pos)
		return
	case p.placed(class, next):
		p.fail(vagueTarget, p.pos-1, next+1, "Which products does %s mean? Name categories or SKUs, or a price range; a category's name can stand in quotation marks.")
		return
	case class == english.Of && c.amount != nil && c.amountAt == p.pos-1 && c.amount.Unit == english.Percent && p.classAt(next) != english.Price:
		p.fail(scope, p.pos-1, next+1, "Is %s a change by that percentage (\"20% off\"), or some of the products? A plan changes all of a category or of the SKUs that are named.")
		return
	case class == english.With && p.classAt(next) != english.SKUNoun && p.classAt(next) != english.Price:
		p.unread(p.pos)
		return
	case class == english.To && c.word == "apply" && c.target.pronoun && len(c.target.groups) == 0: // "apply the following to mugs:"
		c.target.pronoun = false
	case (class == english.To || class == english.At) && c.amount == nil && !c.down && !c.up && !(class == english.To && c.limitsOnly()):
		p.unread(p.pos)
		return
	}
	p.pos = next
	if class == english.With && p.classAt(next) == english.Price { // "with prices ending in .99"
		p.shapedPrices(c)
		return
	}
	p.targetRule(c)
}

// placed reports whether an unknown name says where products are, and not which: items
// on display, everything at the airport.
func (p *parser) placed(class english.Class, next int) bool {
	where := class == english.At || class == english.In && strings.HasPrefix(strings.ToLower(p.symbols[p.pos].Text), "on")
	goods := p.classAt(p.pos-1) == english.Product || p.classAt(p.pos-1) == english.Everything
	return where && goods && p.classAt(next) == english.Name && p.symbols[next].Sense != english.InQuotes
}

// shapedPrices reads "prices ending in .99" and "prices rounded to ..." after
// "with".
func (p *parser) shapedPrices(c *clause) {
	if c.acting() && !c.complete() { // "raise tea with prices ending in .99 by 5%"
		p.fail(scope, c.from, p.pos+1, "Does the ending in %s say which products are meant, or what their prices shall become? For what they shall become, put it at the end.")
		return
	}
	p.pos++
	switch p.class() {
	case english.EndIn:
		p.endIn(c)
	case english.Round:
		p.round(c)
	default:
		p.unread(p.pos - 1)
	}
}

// limitsOnly reports whether a clause has said a limit and no products: "apply a
// cap of $75 to rugs".
func (c *clause) limitsOnly() bool {
	return (c.options.min != nil || c.options.max != nil) && !c.target.named && !c.complete()
}
