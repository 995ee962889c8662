package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// roleAmount reads an amount after a preposition, which says what it is for.
func (p *parser) roleAmount(c *clause, class english.Class, next int) {
	switch {
	case p.decimals(next):
		p.pos = next
		p.nearest(c)
		return
	case class == english.From:
		p.fromAmount(c, next)
		return
	case class == english.In && (p.isRange(next) || p.classAt(next+1) == english.To && p.classAt(next+2) == english.Amount):
		if p.pos == c.target.end { // "mugs in the $5-$10 range": it belongs to them
			c.target.end = next
		}
		p.pos = next
		p.bound(c)
		return
	case class == english.In && c.setting && c.target.named && c.amount == nil && p.symbols[next].Amount.Unit == english.Percent && p.classAt(next+1) == english.Down: // "put yarn on a 20% sale"
		p.pos = next
		p.amount(c)
		return
	case class == english.In && p.putsOn(c, next):
		p.fail(missingDirection, c.from, next+1, newPriceOrChange)
		return
	case class == english.In || class == english.As:
		p.unread(p.pos)
		return
	case class == english.At && p.symbols[next].Amount.Unit == english.NoUnit && p.classAt(next+1) == english.For: // "at two for $5"
		p.fail(outsideData, p.pos, next+3, "Is %s a price for several? A plan knows the price of one.")
		return
	case class == english.For && p.symbols[next].Amount.Unit == english.NoUnit && p.classAt(p.pos-1) == english.Amount && p.symbols[p.pos-1].Amount.Unit == english.Money && p.classAt(next+1) != english.AndUp: // "at $5 for two"
		p.fail(outsideData, p.pos-1, next+1, "Is %s a price for several? A plan knows the price of one.")
		return
	case class == english.By && p.suffix(next) != 0: // "by $1 plus 5%"
		p.fail(vagueAmount, p.pos, next+2, "Which one amount does %s mean?")
		return
	case class == english.At && !c.acting() && c.target.named && p.amountAfter(next+1):
		if p.atBefore(c) || p.atAgain(next+1) {
			p.fail(scope, c.from, next+1, "Do the prices up to %s say which products are meant, or what they shall cost? Write \"that cost\", or \"to\" for a new price.")
			return
		}
		p.pos = next
		p.bound(c)
		return
	case p.isRange(next) && class != english.Of && class != english.At:
		p.fail(vagueAmount, p.pos, next+3, "%s is a range. Which one number is meant?")
		return
	case p.suffix(next) != 0 && class != english.By && class != english.To:
		if (class == english.At || class == english.Of) && p.pos == c.target.end { // "pens at $3 and up": it belongs to them
			c.target.end = next
		}
		p.pos = next
		p.bound(c)
		return
	}
	if c.pending == english.Round && class == english.To {
		p.pos = next
		p.nearest(c)
		return
	}
	if c.pending == 0 {
		c.role = class
	}
	p.pos = next
	p.amount(c)
}

// putsOn reports whether an amount at i is what products are put on: "put tea on
// $2".
func (p *parser) putsOn(c *clause, i int) bool {
	undirected := !c.up && !c.down && p.classAt(i+1) != english.Up && p.classAt(i+1) != english.Down && p.suffix(i) == 0
	return c.setting && undirected && c.target.named && p.symbols[i].Amount.Unit == english.Money
}

// decimals reports whether "2 decimals" stands at i.
func (p *parser) decimals(i int) bool {
	return p.classAt(i) == english.Amount && p.symbols[i].Amount.Unit == english.NoUnit && p.classAt(i+1) == english.Digits
}

// isRange reports whether an amount, a dash and an amount stand at i.
func (p *parser) isRange(i int) bool {
	return p.classAt(i) == english.Amount && (p.classAt(i+1) == english.Dash || p.classAt(i+1) == english.Comma && isDash(p.symbols[i+1].Text)) && p.classAt(i+2) == english.Amount
}

func isDash(text string) bool { return text == "–" || text == "—" || text == "--" }

// pricedItems reports whether "$9.99 items" stands at i: those at that price.
func (p *parser) pricedItems(c *clause, i int) bool {
	if next := p.classAt(i + 1); (next == english.Name || next == english.Category) && !c.acting() && !c.target.named && p.amountAfter(i+1) { // "$25 mugs go to $22"
		return p.symbols[i].Amount.Unit == english.Money && p.symbols[i].Amount.Sign == 0 && p.predicated(i+1)
	}
	return !c.complete() && !c.up && !c.down && p.symbols[i].Amount.Unit == english.Money && p.classAt(i+1) == english.Product && strings.HasSuffix(strings.ToLower(p.symbols[i+1].Text), "s")
}

// now reports whether "now" stands at i.
func (p *parser) now(i int) bool {
	return p.classAt(i) == english.Noise && strings.EqualFold(p.symbols[i].Text, "now")
}

// arrow reports whether "$10 -> $12" stands at i: a price and what becomes of it.
func (p *parser) arrow(i int) bool { return english.Arrow(p.symbols, i) }

// leadingRange reports whether "$20 to $50:", "($20 to $50)" or "$20 to $50 up
// 5%" stands at i.
func (p *parser) leadingRange(i int) bool { return english.LeadingRange(p.symbols, i) }

// suffix returns the class of "and up", "or less" after the amount at i.
func (p *parser) suffix(i int) english.Class {
	if class := p.classAt(i + 1); class == english.AndUp || class == english.AndDown {
		return class
	}
	return 0
}

// amount reads the number a clause is about. Before "and up" it is a bound,
// before "decimals" a rounding, before "floor" a limit.
func (p *parser) amount(c *clause) {
	value := p.symbols[p.pos].Amount
	switch {
	case p.decimals(p.pos):
		p.nearest(c)
		return
	case p.isRange(p.pos) && value.Unit == english.NoUnit && p.symbols[p.pos+2].Amount.Unit == english.NoUnit && !c.target.price:
		p.fail(missingUnit, p.pos, p.pos+3, "Is %s a range of prices? Then write it with a currency. A SKU can follow the word SKU.")
		return
	case p.arrow(p.pos) && c.amount == nil && c.times == 0 && c.pending == 0:
		c.was, c.role, p.pos = &value, english.To, p.pos+2
		p.amount(c)
		return
	case p.isRange(p.pos) || p.suffix(p.pos) != 0 || p.leadingRange(p.pos) || p.pricedItems(c, p.pos):
		p.bound(c)
		return
	case c.pending == english.Floor || c.pending == english.Cap:
		p.setLimit(c, c.pending, p.pos)
		p.pos++
		c.pending = 0
		return
	case p.classAt(p.pos+1) == english.EndIn && p.symbols[p.pos+1].Sense == english.EndNoun && p.classAt(p.pos+2) != english.Amount:
		p.ending(c, p.pos)
		p.pos++
		return
	case p.limitNoun(p.pos + 1):
		c.options.either = c.options.either || ofEither().MatchString(p.symbols[p.pos+1].Text)
		p.setLimit(c, p.classAt(p.pos+1), p.pos)
		p.pos += 2
		return
	case value.Unit == english.Money && value.Sign == 0 && c.lead && p.movesAt(p.pos-1) && p.isName(p.pos+1):
		p.fail(missingAmount, p.pos-1, p.pos+2, "Is the amount in %s the change, or what the products cost now? For the change write \"by\" before it, after the products.")
		return
	case p.allOf(p.pos):
		p.fail(missingAmount, c.from, p.pos+1, "Is the amount in %s the change, or what the products cost now? For the change write \"by\" before it, after the products.")
		return
	case c.amount != nil || c.times != 0:
		p.fail(contradiction, c.from, p.pos+1, "%s has two amounts. Which is meant, and for which products?")
		return
	}
	if role := p.before(); c.role == 0 && role == english.Colon {
		c.role = role
	}
	if c.role == 0 && !c.up && !c.down && (p.classAt(p.pos-1) == english.Price || p.now(p.pos-1) && value.Unit == english.Money) { // "new price 18.95", "mugs now $5"
		c.role = english.Copula
	}
	p.sayTarget(c)
	c.amount, c.amountAt = &value, p.pos
	p.pos = p.afterEach(p.pos + 1)
}

// afterEach is where "each" at i, after an amount, is over.
func (p *parser) afterEach(i int) int {
	for p.classAt(i) == english.All && !p.isTarget(p.after(i+1)) { // "$15 each"
		i++
	}
	return i
}

// limitNoun reports whether "floor" or "cap" stands at i as the noun of the
// amount before it: a $12 floor.
func (p *parser) limitNoun(i int) bool {
	class := p.classAt(i)
	return (class == english.Floor || class == english.Cap) && !strings.Contains(p.symbols[i].Text, " ") && p.classAt(p.after(i+1)) != english.Amount && p.classAt(i+1) != english.At
}

// movesAt reports whether a verb of increase or decrease stands at i.
func (p *parser) movesAt(i int) bool {
	sign := strings.EqualFold(p.symbols[max(i, 0)].Text, "plus") || strings.EqualFold(p.symbols[max(i, 0)].Text, "less") // "plus $2 mugs"
	return (p.classAt(i) == english.Up || p.classAt(i) == english.Down) && (p.symbols[i].Sense == english.Verb || sign)
}

// fromAmount reads "from $20 to $15", and "from $20 to $30" as a range of
// prices beside a target.
func (p *parser) fromAmount(c *clause, next int) {
	if p.suffix(next) != 0 || p.classAt(next+1) == english.Up {
		p.pos = next
		p.bound(c)
		return
	}
	to := p.after(next + 1)
	if was := p.symbols[next].Amount; !p.reachesTo(to) && c.wasSet() && c.was == nil && was.Unit == c.amount.Unit { // "down to $4.50 from $5"
		c.was, p.pos = &was, next+1
		return
	}
	if !p.reachesTo(to) && !c.acting() && c.target.named && p.changesAfter(to) { // "pots from $40 get 15% off"
		p.pos = next + 1
		p.addConditions(c, conditions{gte: p.money(next)}, next, next+1)
		return
	}
	if !p.reachesTo(to) || p.classAt(p.after(to+1)) != english.Amount {
		p.fail(unread, p.pos, next+1, "What does %s mean: from that price to which?")
		return
	}
	last := p.after(to + 1)
	low, high := p.symbols[next].Amount, p.symbols[last].Amount
	falls := low.Unit == english.Money && high.Unit == english.Money && high.Number.Cmp(low.Number) < 0 // no range: "mugs from $25 to $22"
	priced := p.before() == english.Rel                                                                 // "mugs priced from $5 to $10"
	if falls || !priced && (c.up || c.down || c.setting || c.changing) {
		if !(c.complete()) && !p.amountAfter(last+1) {
			c.was, c.role, p.pos = &low, english.To, last
			p.amount(c)
			return
		}
	}
	if p.changeTold(c, low, high) {
		p.fail(contradiction, c.from, last+1, "Is the price told before and after the change in %s, or which prices are meant? Write one of them: the change, or the new price.")
		return
	}
	p.addBounds(c, &low, &high, p.pos, last+1)
	p.pos = last + 1
}

// changeTold reports whether the amount of a clause takes a price from low to
// high, so that these are no range: "up $2 from $10 to $12".
func (p *parser) changeTold(c *clause, low, high english.Value) bool {
	if c.amount == nil || !c.up {
		return false
	}
	before, after, by := units(low.Number), units(high.Number), units(c.amount.Number)
	if c.amount.Unit == english.Percent {
		by.Mul(by, before).Quo(by, units(whole(100)))
	}
	return after.Cmp(by.Add(by, before)) == 0
}

// reachesTo reports whether the word at i parts the ends of a range: to, up to,
// through.
func (p *parser) reachesTo(i int) bool {
	return p.classAt(i) == english.To || p.classAt(i) == english.Dash || p.classAt(i) == english.AtMost && strings.HasPrefix(strings.ToLower(p.symbols[i].Text), "up to")
}

// changesAfter reports whether the next amount from i on is that of a change,
// and no new price: "tea from $40 goes to $50" may speak of what costs $40.
func (p *parser) changesAfter(i int) bool {
	for ; p.classAt(i) != english.Stop; i++ {
		switch p.classAt(i) {
		case english.To, english.At, english.Copula:
			return false
		case english.Amount:
			next := p.classAt(i + 1)
			return p.symbols[i].Amount.Unit == english.Percent || next == english.Up || next == english.Down
		}
	}
	return false
}

// amountAfter reports whether the sentence has a further amount from i on.
func (p *parser) amountAfter(i int) bool {
	for ; p.classAt(i) != english.Stop && p.classAt(i) != english.And && p.classAt(i) != english.Comma; i++ {
		if p.classAt(i) == english.Amount {
			return true
		}
	}
	return false
}

// limitAfter reads "raise to at least $12" as a floor, and "lower to at most
// $12" as a cap. After any other preposition it is a bound.
func (p *parser) limitAfter(c *clause, class english.Class, next int) {
	limit := limitOf[p.classAt(next)]
	against := !c.complete() && (limit == english.Floor && c.down || limit == english.Cap && c.up) || p.symbols[next].Text == "up to"
	amount := p.after(next + 1)
	both := c.complete() && (limit == english.Floor && !c.falls() || limit == english.Cap && !c.rises())
	if class != english.To || both || against || !c.acting() || p.classAt(amount) != english.Amount {
		p.boundAfter(c, class, next)
		return
	}
	p.limitTo(c, p.classAt(next), amount)
}

// boundAfter reads a bound after a preposition: "for over $20" is one only
// where no amount can be meant.
func (p *parser) boundAfter(c *clause, class english.Class, next int) {
	verb := p.after(p.after(next+1) + 1)
	subject := class == english.At && !c.acting() && c.target.named && p.acts(verb) && p.amountAfter(verb) // "mugs at no more than $3 go up 5%"
	if class == english.By || class == english.To || class == english.At && !subject || class == english.For {
		p.fail(vagueAmount, p.pos, p.after(next+1)+1, "Which one amount does %s mean?")
		return
	}
	p.pos = next
	p.bound(c)
}

// bound reads a condition on the price: "under $20", "between $15 and $30",
// "$50 and up".
func (p *parser) bound(c *clause) {
	start := p.pos
	if p.limitsResult(c) {
		p.limitTo(c, p.class(), p.after(start+1))
		return
	}
	if p.loose(c) && !p.introduced(c) || p.besideLimit(c) || p.opensDenied(start) {
		p.fail(scope, start, p.after(start+1)+1, "Is %s a limit for the new prices (\"never above\", \"never below\"), or does it say which products are meant (\"for products under ...\")?")
		return
	}
	if p.trails(c, start) && !p.rangesSubject(c) && !p.bandedAgain(c, start) {
		p.fail(scope, c.from, p.after(start+1)+1, "Does the condition in %s belong to the last name only, or to all of them? For all write \"that cost ...\".")
		return
	}
	if before := p.symbols[max(start-1, 0)]; before.Class == english.Noise && strings.EqualFold(before.Text, "just") { // "mugs just over $20"
		p.fail(vagueAmount, start-1, p.after(start+1)+1, "Which range of prices does %s mean? Say where it begins and where it ends.")
		return
	}
	lower, upper, end := p.readBound(p.pos)
	if p.failed != nil {
		return
	}
	if p.counts(c, start, end) {
		p.fail(outsideData, start, end+1, "Is %s a price, or a number of items? A plan knows prices and no quantities; write a price as \"$3 or more\".")
		return
	}
	if p.class() == english.Between && p.timesPerhaps(c, p.symbols[p.after(start+1)].Amount, p.symbols[end-1].Amount) {
		p.askOfTimes(start, end)
		return
	}
	if english.BoundsResult(p.symbols, end) {
		p.askOfResult(start, end+1)
		return
	}
	if p.percentish(end) {
		p.fail(vagueAmount, start, end+1, "Which one amount does %s mean?")
		return
	}
	p.pos = start
	if p.before() == english.From { // mugs from $25 up
		p.pos = p.back(start)
	}
	p.markLoose(c)
	p.pos = end
	p.addConditions(c, conditions{gte: lower, lte: upper}, start, end)
}

// besideLimit reports whether a bound is joined to a limit of the new prices:
// "with a minimum of $15 and a maximum of $60".
func (p *parser) besideLimit(c *clause) bool {
	return (c.options.min != nil || c.options.max != nil) && p.before() == english.And
}

// counts reports whether a bound without a unit may be on how many are bought:
// "over 3 items", "10% off 3 or more".
func (p *parser) counts(c *clause, start, end int) bool {
	if p.classAt(end-1) == english.AndUp || p.classAt(end-1) == english.AndDown {
		return p.symbols[end-2].Amount.Unit == english.NoUnit && !p.introduced(c)
	}
	return p.symbols[end-1].Amount.Unit == english.NoUnit && (p.classAt(end) == english.Product || p.isName(end) || strings.EqualFold(p.symbols[start].Text, "fewer than") || p.inHand(start))
}

// inHand reports whether a bound at i is on what the shop has: "if we have less than
// 5".
func (p *parser) inHand(i int) bool {
	before := p.symbols[max(i-1, 0)]
	return before.Class == english.Rel && strings.HasSuffix(strings.ToLower(before.Text), "have")
}

// trails reports whether a condition at i follows the last name of a list with
// nothing between: "coffee and grinders over $50".
func (p *parser) trails(c *clause, i int) bool {
	names := 0
	for _, group := range c.target.groups {
		names += len(group.categories) + len(group.skus)
	}
	last := i - 1
	if p.symbols[max(last, 0)].Text == "(" { // coffee and grinders (in stock)
		last--
	}
	switch p.classAt(last) {
	case english.Name, english.Category, english.SKU:
		return names > 1
	}
	return false
}

// introduced reports whether the words before a bound make it a condition:
// "that cost", "if".
func (p *parser) introduced(c *clause) bool {
	switch p.before() {
	case english.But:
		return p.pos-1 == c.target.end && c.banded() // "at least $40 but less than $90"
	case english.Rel, english.If, english.Price, english.Product, english.Copula, english.Pronoun, english.At, english.From, english.And:
		return true
	}
	return p.isHead(p.pos - 1)
}

// percentish reports whether what follows makes an amount of a bound: "at
// least $5 off".
func (p *parser) percentish(i int) bool {
	class := p.classAt(i)
	rule := p.classAt(i+1) == english.Amount || p.classAt(i+1) == english.By || p.classAt(i+1) == english.To // "under $20 up 5%"
	return (class == english.Up || class == english.Down) && p.symbols[i].Sense == english.Particle && !rule
}

// readBound reads the bound at i.
func (p *parser) readBound(i int) (lower, upper *plan.Decimal, end int) {
	class := p.classAt(i)
	first := i
	if class != english.Amount {
		first = p.after(i + 1)
	}
	if p.classAt(first) != english.Amount {
		p.unread(i)
		return nil, nil, i
	}
	value := p.money(first)
	end = first + 1
	switch class {
	case english.Under:
		upper = p.below(value, i, end)
	case english.Over:
		lower = above(value)
	case english.AtLeast:
		lower = value
	case english.AtMost:
		upper = value
	case english.Exactly:
		lower, upper = value, value
	case english.Between:
		lower, upper, end = p.between(first)
	default:
		lower, upper, end = p.suffixed(first, value)
	}
	return lower, upper, end
}

// between reads "between $15 and $30": both ends belong to it.
func (p *parser) between(first int) (lower, upper *plan.Decimal, end int) {
	second := p.after(first + 2)
	switch p.classAt(first + 1) {
	case english.And, english.To, english.Dash, english.Comma:
	default:
		p.unread(first)
		return nil, nil, first
	}
	if p.classAt(second) != english.Amount {
		p.unread(first + 1)
		return nil, nil, first
	}
	return p.money(first), p.money(second), second + 1
}

// suffixed reads "$50 and up", "$15 or less", "$15-$30" and a price alone.
func (p *parser) suffixed(first int, value *plan.Decimal) (lower, upper *plan.Decimal, end int) {
	switch p.suffix(first) {
	case english.AndUp:
		return value, nil, first + 2
	case english.AndDown:
		return nil, value, first + 2
	}
	if p.isRange(first) {
		return value, p.money(first + 2), first + 3
	}
	if p.classAt(first+1) == english.To && p.classAt(first+2) == english.Amount {
		return value, p.money(first + 2), first + 3
	}
	if p.classAt(first+1) == english.Up { // "from $20 up"
		return value, nil, first + 2
	}
	return value, value, first + 1
}

// money returns a price. A bare number is one: the catalogue has no other
// number to compare with.
func (p *parser) money(i int) *plan.Decimal {
	value := p.symbols[i].Amount
	if value.Unit == english.Percent || value.Sign < 0 {
		p.fail(vagueAmount, i, i+1, "A price is needed where %s stands. Which price is meant?")
	}
	return &value.Number
}
