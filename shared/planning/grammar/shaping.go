package grammar

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// limit reads "never below $12" and "capped at $50". "Not below $12" is a
// floor after an amount, and a condition beside a target.
func (p *parser) limit(c *clause) {
	class, start := p.class(), p.pos
	if class == english.NotUnder || class == english.NotOver {
		switch {
		case p.symbols[start].Sense == english.Bare && english.OnlyLimits(p.symbols):
			class = limitOf[class]
		case p.symbols[start].Sense == english.Bare && !p.limitsChange(c):
			p.fail(scope, start, min(start+2, len(p.symbols)-1), "Is %s a limit of the new price or of the change, or does it say which products are meant? For the new price write \"never above\" or \"never below\" and the price.")
			return
		case p.limitsChange(c):
			c.options.either = true
			class = limitOf[class]
		case !c.complete() && c.target.named && p.classAt(start-1) != english.Comma: // "lower mugs (not below $10) by 5%" may limit them
			p.notBound(c)
			return
		default:
			p.fail(scope, start, start+1, "Is %s a limit for the new prices, or does it say which products are meant?")
			return
		}
	}
	if (class == english.Floor || class == english.Cap) && p.symbols[start].Sense == english.OfAll && p.startsSentence(start) {
		c.target.strong = true
	}
	if p.symbols[start].Sense == english.OfPrices && p.startsSentence(start) {
		c.target.price, c.target.named = true, true
	}
	if p.limitsSubject(c) {
		p.fail(scope, c.from, start+1, "Is the limit in %s one for the new prices, or does it say which products are meant? For the new price write \"never above\" or \"never below\" and the price.")
		return
	}
	if c.noun && c.amount == nil { // "the increase should not exceed $2"
		p.fail(scope, c.from, p.pos+1, "Is the change limited in %s? A plan can limit the new price: write \"never above\" or \"never below\" and the price.")
		return
	}
	if p.sellsNot(start) {
		p.fail(scope, c.from, start+1, "Is the limit in %s one for the new prices, or what is told of the products? For the new price write \"never above\" or \"never below\" and the price.")
		return
	}
	c.options.either = c.options.either || ofEither().MatchString(p.symbols[start].Text)
	p.pos = p.after(p.pos + 1)
	for p.class() == english.Of || p.class() == english.At || p.class() == english.Colon || p.class() == english.Copula {
		p.pos = p.after(p.pos + 1)
	}
	if p.class() != english.Amount {
		c.pending = class
		return
	}
	if p.symbols[p.pos].Amount.Unit == english.NoUnit && (p.classAt(p.pos+1) == english.Product || p.isName(p.pos+1)) { // "10% off, minimum 3 items"
		p.fail(outsideData, start, p.pos+2, "Is %s a price, or a number of items? A plan knows prices and no quantities; write a price as \"$3\".")
		return
	}
	p.setLimit(c, class, p.pos)
	p.pos++
	if bound := p.classAt(start); p.isHead(p.pos) && (bound == english.NotUnder || bound == english.NotOver) { // "up 3%, but not above $12 items"
		p.fail(scope, start, p.pos+1, "Is %s a limit for the new prices (\"never above\", \"never below\"), or does it say which products are meant (\"for products under ...\")?")
		return
	}
	if p.symbols[start].Sense == english.OfPrices && p.acts(p.after(p.pos)) {
		p.fail(scope, start, p.after(p.pos)+1, "Does %s limit the new prices, or say which products are left as they are?")
		return
	}
	if next := p.class(); next == english.Up || next == english.Down {
		p.fail(scope, start, p.pos+1, "Is %s a limit of the new price, or of the change? A plan can limit the new price.")
	}
}

// acts reports whether a word at i says that something happens: "nothing above $20
// changes" is no limit.
func (p *parser) acts(i int) bool {
	switch p.classAt(i) {
	case english.Up, english.Down, english.Do, english.Change, english.Times, english.Copula, english.OnSale:
		return true
	}
	return false
}

// limitsSubject reports whether the limit at p.pos may say which products a verb after it
// is about: "mugs with a maximum price of $5 go up 5%".
func (p *parser) limitsSubject(c *clause) bool {
	class := p.class()
	limits := (class == english.Floor || class == english.Cap) && strings.HasPrefix(strings.ToLower(p.symbols[p.pos].Text), "with ") && p.classAt(p.pos+1) == english.Amount
	return limits && !c.complete() && !c.acting() && p.isHead(p.pos-1) && p.acts(p.after(p.pos+2))
}

// sellsNot reports whether the limit at i may tell of products that nobody buys at
// such prices: "lamps don't sell over $20".
func (p *parser) sellsNot(i int) bool {
	return p.isHead(i-1) && tellsSales().MatchString(p.symbols[i].Text)
}

var tellsSales = lazyregexp.New(`(?i)^(?:don['’]t|doesn['’]t|do not|does not|can['’]t|cannot|won['’]t|never) sell `)

// limitsChange reports whether a limit stands beside what is asked for and not
// beside products, which it could be said of.
func (p *parser) limitsChange(c *clause) bool {
	return c.complete() && p.pos > c.target.end && !p.isHead(p.pos-1)
}

// limitOf is what a bound limits that is said of the new prices.
var limitOf = map[english.Class]english.Class{english.NotUnder: english.Floor, english.AtLeast: english.Floor, english.NotOver: english.Cap, english.AtMost: english.Cap}

// limitsResult reports whether the bound at p.pos, joined to a rise or a fall, says
// where that ends: "mugs up 3% but at most $12". One on the other side may be of the
// change, and so may one that says how much that is at least.
func (p *parser) limitsResult(c *clause) bool {
	class, amount := p.class(), p.after(p.pos+1)
	if class != english.AtMost && class != english.AtLeast || p.classAt(amount) != english.Amount || p.symbols[amount].Amount.Unit != english.Money {
		return false
	}
	text, before := strings.ToLower(p.symbols[p.pos].Text), p.before()
	if before != english.But && before != english.And && !strings.HasPrefix(text, "but ") || strings.HasPrefix(text, "up to") {
		return false
	}
	if class == english.AtMost && !c.rises() || class == english.AtLeast && !c.falls() || c.rises() && c.falls() {
		return false
	}
	if before == english.And && p.classAt(p.back(p.back(p.pos))) == english.Stock { // "if in stock and at most $12"
		return false
	}
	if c.role == english.To || !p.limitsChange(c) || p.besideLimit(c) || p.ofAmount(c, before) {
		return false
	}
	switch p.classAt(p.after(p.afterEach(amount + 1))) {
	case english.Stop, english.Comma, english.And, english.But, english.Then:
		return true
	}
	return false
}

// ofAmount reports whether the bound at p.pos may say how much a price changes: "by
// 10% but at most $5", "by $3 and at most $5", "10% off but at least $5".
func (p *parser) ofAmount(c *clause, joined english.Class) bool {
	if c.amount == nil {
		return false
	}
	percent, last := c.amount.Unit == english.Percent, p.back(p.pos)
	for p.classAt(last) == english.But || p.classAt(last) == english.And || p.classAt(last) == english.Comma {
		last = p.back(last)
	}
	return percent && c.down || c.role == english.By && last == c.amountAt && (percent || joined == english.And)
}

// limitTo takes the amount at i for the limit that a bound before it is.
func (p *parser) limitTo(c *clause, bound english.Class, i int) {
	p.setLimit(c, limitOf[bound], i)
	p.pos = p.afterEach(i + 1)
}

// limitsAll reports whether no price that the rule is for can change by it and stay
// within its limit: those over $20 up 3%, but at most $12.
func limitsAll(op *operation) bool {
	o := &op.options
	switch op.action.Type {
	case plan.FixedIncrease:
		return o.max != nil && (op.action.Value.Cmp(*o.max) >= 0 || op.gte != nil && op.gte.Cmp(*o.max) >= 0)
	case plan.PercentIncrease:
		return o.max != nil && op.gte != nil && op.gte.Cmp(*o.max) >= 0
	case plan.PercentDecrease, plan.FixedDecrease:
		return o.min != nil && op.lte != nil && op.lte.Cmp(*o.min) <= 0
	}
	return false
}

// limitsAgainst reports whether a rise has a floor only, or a fall a cap only,
// which few prices need and a change may well have.
func limitsAgainst(op *operation) bool {
	switch op.action.Type {
	case plan.PercentIncrease, plan.FixedIncrease:
		return op.options.min != nil && op.options.max == nil
	case plan.PercentDecrease, plan.FixedDecrease:
		return op.options.max != nil && op.options.min == nil
	}
	return false
}

// ofEither are limits that do not say whether they are of the price or of its
// change: "20% off, capped at $10".
var ofEither = lazyregexp.New(`(?i)^(?:(?:with|to|up to|but keep|keep)? ?(?:an? )?(?:(?:` + english.LimitKinds + `) )?(?:maximum|max|minimum|min|cap|(?:price )?limit|bound)(?: of| at)?$|capp|cap (?:at|it|them)|limit|.*exceed|never (?:less|more) than$|nothing (?:above|over|below|under)$)`)

// startsSentence reports whether nothing but noise stands before symbol i in
// its sentence.
func (p *parser) startsSentence(i int) bool {
	return p.classAt(p.back(i)) == english.Stop
}

// setLimit stores the amount at i as the floor or the cap.
func (p *parser) setLimit(c *clause, class english.Class, i int) {
	value := p.symbols[i].Amount
	if value.Unit == english.Percent || value.Sign != 0 {
		p.fail(missingUnit, i, i+1, "A limit is a price. Which price does %s mean?")
		return
	}
	if value.Unit == english.NoUnit && !c.complete() && !c.target.price && p.limitsByVerb(c) {
		p.fail(missingUnit, c.from, i+1, "Is %s a limit of the price, or of how many there are? For the price write it with a currency.")
		return
	}
	slot := &c.options.min
	if class == english.Cap {
		slot = &c.options.max
	}
	if *slot != nil && (*slot).Cmp(value.Number) != 0 {
		p.fail(contradiction, c.from, i+1, "Two limits are given in %s. Which one is meant?")
		return
	}
	*slot = &value.Number
}

// limitsByVerb reports whether a clause begins by limiting its products, by their price
// or by their number: "limit mugs to 5".
func (p *parser) limitsByVerb(c *clause) bool {
	first := p.after(c.from)
	return strings.EqualFold(p.symbols[first].Text, "limit") && p.isTarget(first+1)
}

// round reads "round", whose unit comes with a later symbol.
func (p *parser) round(c *clause) {
	p.pos++
	c.pending = english.Round
	if p.before() == english.To {
		return
	}
}

// nearest reads what to round to: "the nearest whole dollar", "2 decimals",
// "ten cents".
func (p *parser) nearest(c *clause) {
	start := p.pos
	if p.class() == english.RoundUnit && p.amountOrPart(c) {
		p.unread(p.pos)
		return
	}
	for p.class() == english.Nearest || p.class() == english.Noise {
		p.pos++
	}
	digits, ok := p.roundUnit()
	if !ok {
		if p.failed == nil {
			p.fail(rounding, start, p.pos+1, "Prices can be rounded to whole amounts or to a number of decimals. Which is meant by %s?")
		}
		return
	}
	if c.options.round != nil && *c.options.round != digits {
		p.fail(contradiction, c.from, p.pos, "Two roundings are given in %s. Which one is meant?")
		return
	}
	c.options.round = &digits
	if c.pending == english.Round {
		c.pending = 0
	}
}

// amountOrPart reports whether a unit stands where an amount or a name is due:
// "take a whole dollar off", "dollar items".
func (p *parser) amountOrPart(c *clause) bool {
	if c.pending == english.Round || p.before() == english.To || c.complete() {
		return false
	}
	return c.acting() && !c.copula || !strings.HasSuffix(strings.ToLower(p.symbols[p.pos].Text), "s")
}

func (p *parser) roundUnit() (int, bool) {
	symbol := p.symbols[p.pos]
	switch {
	case p.decimals(p.pos):
		digits := symbol.Amount.Number
		p.pos += 2
		return smallInt(digits)
	case symbol.Class == english.RoundUnit:
		p.pos++
		return int(symbol.Sense), true
	case symbol.Class == english.NoDigits:
		p.pos++
		return 0, true
	case symbol.Class == english.Amount && (symbol.Amount.Unit == english.Money || symbol.Amount.Number.Scale() > 0) && symbol.Amount.Unit != english.Percent:
		p.pos++
		return powerOfTen(symbol.Amount.Number)
	}
	return 0, false
}

// powerOfTen gives the digits of a rounding unit: 1, 0.1, 0.01 and so on.
// Steps such as 0.05 or 5 are none that a plan can round to.
func powerOfTen(unit plan.Decimal) (int, bool) {
	for digits, power := range []string{"1", "0.1", "0.01", "0.001", "0.0001", "0.00001", "0.000001"} {
		if unit.String() == power {
			return digits, true
		}
	}
	return 0, false
}

func smallInt(d plan.Decimal) (int, bool) {
	for n := range plan.MaxRoundTo + 1 {
		if d.String() == string(rune('0'+n)) {
			return n, true
		}
	}
	return 0, false
}

// goesOn reports whether a clause says no more than "prices" after a rule of
// its sentence, whose prices they are then.
func (p *parser) goesOn(c *clause) bool {
	n := len(p.clauses)
	return n > 0 && p.clauses[n-1].sentence == c.sentence && p.clauses[n-1].complete() && c.target.everyRow() && !c.target.strong
}

// endIn reads "end in .99". "Ending in" right after a name could say which
// products are meant instead.
func (p *parser) endIn(c *clause) {
	start := p.pos
	if p.symbols[p.pos].Sense == english.EndNoun && p.classAt(p.pos+1) != english.Amount {
		p.unread(p.pos)
		return
	}
	if p.symbols[p.pos].Sense == 1 && !c.complete() && c.target.named && !c.setting && !p.goesOn(c) && p.classAt(start-2) != english.With && p.classAt(start-1) != english.Rel {
		p.fail(scope, start, start+1, "Does %s say which products are meant, or what their prices shall become?")
		return
	}
	if p.symbols[p.pos].Sense == 1 && c.complete() && c.amountAt < start && (c.target.end == start || p.classAt(start-1) == english.Stock) {
		p.fail(scope, start-1, start+1, "Does %s say which products are meant, or what their prices shall become? For what they shall become, write a comma before it.")
		return
	}
	if p.before() == english.Rel && !strings.HasPrefix(strings.ToLower(p.symbols[start-1].Text), "with") {
		p.unread(start)
		return
	}
	p.pos = p.after(p.pos + 1)
	if p.class() != english.Amount {
		p.fail(missingAmount, start, p.pos+1, "Which ending is meant by %s? For example .99 or .95.")
		return
	}
	p.ending(c, start)
}

// ending stores the amount at p.pos as the ending.
func (p *parser) ending(c *clause, start int) {
	value := p.symbols[p.pos].Amount
	if p.symbols[p.pos].Text == "0" { // $12.50 does, and so does $30.00
		p.fail(rounding, start, p.pos+1, "Which ending is meant by %s: .00, or the last digit? Write .00 for whole amounts.")
		return
	}
	fraction := value.Number.Cmp(plan.MustDecimal("1")) < 0 && value.Unit != english.Percent && value.Sign == 0
	if !fraction || value.Number.IsZero() && value.Number.Scale() > 0 {
		p.fail(rounding, start, p.pos+1, "Which ending is meant by %s: a fraction such as .99, or the last digit?")
		return
	}
	p.pos++
	ending := value.Number
	if c.options.ending != nil && c.options.ending.Cmp(ending) != 0 {
		p.fail(contradiction, c.from, p.pos, "Two endings are given in %s. Which one is meant?")
		return
	}
	c.options.ending = &ending
}
