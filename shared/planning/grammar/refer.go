package grammar

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// explainTarget resolves "them", and asks where no products are named.
func (p *parser) explainTarget(c, before *clause) {
	t := &c.target
	if first := p.after(c.from); before == nil && p.classAt(first) == english.Pronoun && p.classAt(first+1) == english.Price && p.classAt(first+2) == english.Colon {
		p.fail(scope, c.from, first+2, "Whose prices are %s, and shall they be those of the shop? Write \"new prices:\" if they shall.")
		return
	}
	if first := p.after(c.from); len(t.groups) > 0 && p.agentAt(first) {
		p.fail(nothingToDo, c.from, c.to, "Is %s what others did, or what is to be done? For a change begin with the verb, such as \"raise\".")
		return
	}
	if c.otherwise {
		p.targetOtherwise(c)
		return
	}
	if before != nil && before.sentence == c.sentence && !before.leading.none() && !c.leadsAnew(before) && !c.turnsAway(before) {
		if !c.leading.none() && c.leading != before.leading || c.target.rest && len(before.target.groups) == 0 {
			p.fail(scope, before.from, c.to, "Does the first condition of %s hold for all of it? Write a sentence for each condition.")
			return
		}
		p.addConditions(c, before.leading, c.from, c.to)
		c.leading = before.leading
	}
	if before != nil && before.sentence == c.sentence && len(c.leadingOut) == 0 {
		c.leadingOut = before.leadingOut
		t.except = append(t.except, c.leadingOut...)
	}
	if before != nil && before.sentence == c.sentence {
		c.colonLed = before.colonLed
	}
	if p.ledOn(c, before) {
		p.fail(scope, c.from, c.to, "Does what the rule before begins with, up to its comma or colon, hold for %s too? Write it in each sentence that it holds for.")
		return
	}
	switch {
	case t.ones && len(t.groups) == 0:
		p.onesOf(c, before)
	case before != nil && p.limitsAgain(c, before):
		p.sameProducts(c, before)
	case before != nil && (before.banded() && c.banded() || otherSide(before.target.shared, t.shared)) && len(t.groups) == 0 && !t.rest && p.goesOnAbout(c, before):
		if len(before.target.except) > 0 {
			p.fail(scope, before.from, c.to, "Does the exception in %s hold for both rules? Write a sentence for each.")
			return
		}
		if c.then && !bandsApart(before.target.shared, t.shared) && !within(t.shared, before.target.shared) { // "mugs under $20 up 5%, then those over $9"
			p.fail(scope, before.from, c.to, "Are only products of both ranges of prices in %s meant in its last rule, or all of the last range? Name them again.")
			return
		}
		t.groups, t.named = before.target.groups, true // "... under $20 by 10% and over $50 by 5%"
		t.shared.stock = either(t.shared.stock, before.target.shared.stock)
	case before != nil && p.perhapsOfNamed(c, before):
		p.fail(scope, before.from, c.to, "Are all products meant in the last rule of %s, or those named before? Say \"all products\", or name them again.")
	case t.pronoun && len(t.groups) == 0 && !t.shared.none() && (t.topic || before == nil && c.restricted):
		// "if a product costs less than $20, raise it"
	case t.pronoun && len(t.groups) == 0:
		p.refer(c, before)
	case t.noun != 0 && t.everyRow() && !t.strong && !c.restricted:
		p.referNoun(c, before)
	case before != nil && !t.price && t.named != t.strong && t.everyRow() && len(t.except) == 0 && before.target.limited():
		p.fail(scope, c.from, c.to, "Are all products meant in %s, or those named before? Say \"all products\" or \"them\".")
	case before != nil && t.price && t.everyRow() && !t.strong && len(t.except) == 0 && before.target.limited():
		p.referPrice(c, before)
	case !t.named && t.everyRow() && !t.strong && p.allButLeftOut(c):
		t.strong = true
	case !t.named && t.everyRow() && !t.strong && p.predicates(c, before):
		p.refer(c, before)
	case !t.named && t.everyRow() && !t.strong:
		p.fail(missingTarget, c.from, c.to, "Which products does %s speak of? Name categories or SKUs, or say \"all products\".")
	}
}

// allButLeftOut reports whether a clause, the only one that asks for something, is of
// all that is not left out before it: "except for mugs, take 5% off".
func (p *parser) allButLeftOut(c *clause) bool {
	if c.setting && !c.up && !c.down {
		return false
	}
	led := len(c.leadingOut) > 0
	for _, other := range p.clauses {
		if other != c && (other.acting()) {
			return false
		}
		led = led || other.from < c.from && other.sentence == c.sentence && other.alone && !other.leaving && len(other.target.groups) > 0
	}
	return led
}

// agentAt reports whether who does something stands at i: "they raised mugs by 5%".
func (p *parser) agentAt(i int) bool {
	if p.classAt(i) != english.Pronoun || !strings.EqualFold(p.symbols[i].Text, "they") && !strings.EqualFold(p.symbols[i].Text, "it") {
		return false
	}
	verb := p.after(i + 1)
	are := p.classAt(verb) == english.Copula // they are raising mugs
	if are {
		verb = p.after(verb + 1)
	}
	switch p.classAt(verb) {
	case english.Up, english.Down:
		return p.symbols[verb].Sense == english.Verb && (!are || p.isName(p.after(verb+1)))
	case english.Do, english.Change, english.Times, english.Restock:
		return p.isName(p.after(verb+1)) || asksPrice().MatchString(p.symbols[verb].Text)
	}
	return false
}

// asksPrice are verbs of those who sell.
var asksPrice = lazyregexp.New(`(?i)^(?:charg|sell|offer|ask)`)

// ledOn reports whether what a sentence begins with, parted from its rules by a
// colon, may hold for the sentence after it too.
func (p *parser) ledOn(c, before *clause) bool {
	if before == nil || before.sentence == c.sentence || c.colonLed || c.leadsAnew(before) || c.turnsAway(before) {
		return false
	}
	if c.target.rest && len(before.target.groups) == 0 { // of what that says
		return false
	}
	return before.colonLed || !before.leading.none() && p.symbols[max(c.from-1, 0)].Text == ";"
}

// leadsAnew reports whether a clause begins with a condition of the kind that
// the sentence began with, which holds from there on: "for items under $20: 5%
// off, for items over $20: 10% off".
func (c *clause) leadsAnew(before *clause) bool {
	stock := c.leading.stock != nil && before.leading.stock != nil && before.leading.gte == nil && before.leading.lte == nil
	price := (c.leading.gte != nil || c.leading.lte != nil) && (before.leading.gte != nil || before.leading.lte != nil) && before.leading.stock == nil
	return stock || price
}

// turnsAway reports whether a clause is about everything else than what the one
// before selects by the condition that it begins with, and by nothing else: "for
// items over $50, take 5% off, everything else 3%".
func (c *clause) turnsAway(before *clause) bool {
	return c.target.rest && len(before.target.groups) == 0 && before.target.shared == before.leading
}

// limitsAgain reports whether a sentence says no more of its products than a
// condition, after one that named them: "watches under $100: -5%. $100 and up:
// -10%".
func (p *parser) limitsAgain(c, before *clause) bool {
	t := &c.target
	again := before.sentence != c.sentence && !t.headed || t.headed && !t.price && before.banded() && c.banded() && bandsApart(before.target.shared, t.shared)
	return again && len(before.target.groups) > 0 && len(t.groups) == 0 && !t.strong && !t.rest && !t.pronoun && !t.shared.none() && len(t.except) == 0
}

// perhapsOfNamed reports whether the products of a rule, which has no names, may be
// others of those that the rule before names: "mugs over $20 get 5% off, anything
// under $20 gets 3% off".
func (p *parser) perhapsOfNamed(c, before *clause) bool {
	t := &c.target
	if t.ones || t.pronoun || t.rest || len(t.groups) > 0 || len(before.target.groups) == 0 || !t.named || c.sentence-before.sentence > 1 || p.ofTheShop(c) {
		return false
	}
	if before.target.shared.none() || t.shared.none() {
		return false
	}
	limits := before.target.shared
	if before.sentence == c.sentence {
		return bandsApart(limits, t.shared) || limits.stock != nil && t.shared.stock != nil && *limits.stock != *t.shared.stock
	}
	return meetAt(limits, t.shared) || meetAt(t.shared, limits)
}

// meetAt reports whether one range of prices begins where another ends.
func meetAt(low, high conditions) bool {
	if low.lte == nil || high.gte == nil {
		return false
	}
	return low.lte.Cmp(*high.gte) == 0 || above(low.lte).Cmp(*high.gte) == 0
}

// onesOf reads "in-stock mugs get 5% off, out-of-stock ones 10%". Those of all
// products are the ones on another side of the one condition before.
func (p *parser) onesOf(c, before *clause) {
	if before == nil || c.target.shared.none() || len(before.target.groups) == 0 && !otherSide(before.target.shared, c.target.shared) {
		p.fail(scope, c.from, c.to, "Which products are the \"ones\" in %s? Name categories or SKUs, or say \"products\" for all.")
		return
	}
	c.target.headed = false
	p.sameProducts(c, before)
}

// otherSide reports whether two conditions are of one kind and no product fulfils
// both.
func otherSide(a, b conditions) bool {
	_, overlap := merge(a, b)
	return !overlap && stocked(a) != banded(a) && stocked(b) != banded(b)
}

// contrasts reports whether a condition is the other side of that on each of groups.
func contrasts(groups []rows, other conditions) bool {
	return !slices.ContainsFunc(groups, func(r rows) bool { return !otherSide(r.conditions, other) })
}

// sameProducts gives a clause the products of the one before, where its
// condition is another of the same kind.
func (p *parser) sameProducts(c, before *clause) {
	together := false
	for _, group := range before.target.groups {
		limits, _ := merge(group.conditions, before.target.shared)
		_, overlap := merge(limits, c.target.shared)
		together = together || overlap || stocked(limits) && banded(limits) // of which another could hold on
	}
	if together || c.target.headed || len(before.target.except) > 0 || before.target.rest {
		p.fail(scope, before.from, c.to, "Are all products meant in the last rule of %s, or those named before? Say \"all products\", or name them again.")
		return
	}
	c.target.groups, c.target.named = append(c.target.groups, before.target.unconditioned()...), true
}

// unconditioned is what a target names, without the conditions on it.
func (t *target) unconditioned() []rows {
	var groups []rows
	for _, group := range t.groups {
		group.conditions = conditions{}
		groups = append(groups, group)
	}
	return groups
}

// onlyRuleBefore is the one rule that is said before a clause, or nil.
func (p *parser) onlyRuleBefore(c *clause) *clause {
	var rule *clause
	for _, other := range p.clauses {
		switch {
		case other == c:
			return rule
		case other.complete() && rule != nil:
			return nil
		case other.complete():
			rule = other
		}
	}
	return nil
}

// points reports whether a clause says which of the products that it speaks of by
// "those".
func (p *parser) points(c *clause) bool {
	return slices.ContainsFunc(p.symbols[c.from:c.to], func(s english.Symbol) bool {
		return s.Class == english.Pronoun && (strings.EqualFold(s.Text, "those") || strings.EqualFold(s.Text, "these"))
	})
}

// goesOnAbout reports whether a range of prices is of the products that the
// clause before named with another one: in the same sentence, or as "those".
func (p *parser) goesOnAbout(c, before *clause) bool {
	if before.sentence == c.sentence {
		return c.target.pronoun || !c.target.named || c.restricted && !c.target.headed && !c.target.strong // "$1 off if under $10, $2 off if $10 or more"
	}
	return c.target.pronoun && !c.target.one && !before.target.rest && !before.stocked()
}

// stocked reports whether the clause speaks of products by their stock.
func (c *clause) stocked() bool {
	return c.target.shared.stock != nil || slices.ContainsFunc(c.target.groups, func(r rows) bool { return r.stock != nil })
}

// referPrice reads "mark A101 as sold out and set the price to $3": one price
// is that of the rule before, and prices could be all.
func (p *parser) referPrice(c, before *clause) {
	if c.target.one {
		p.refer(c, before)
		return
	}
	p.fail(scope, c.from, c.to, "Are the prices of all products meant in %s, or of those named before? Say \"all prices\" or \"their prices\".")
}

// referNoun reads "the category" and "the item" as the one that was named in the
// rule before.
func (p *parser) referNoun(c, before *clause) {
	var one bool
	if before != nil && len(before.target.groups) == 1 {
		group := before.target.groups[0]
		one = c.target.noun == english.CatNoun && len(group.categories) == 1 || c.target.noun != english.CatNoun && len(group.skus) == 1
	}
	if !one {
		p.fail(missingTarget, c.from, c.to, "Which products are meant in %s? Name categories or SKUs, or say \"all products\".")
		return
	}
	p.refer(c, before)
}

// refer gives "them" the rows of the clause before. Rows that were selected by
// what that clause changed may be others by then.
func (p *parser) refer(c, before *clause) {
	if before == nil {
		p.fail(missingTarget, c.from, c.to, "Which products are meant in %s? Name categories or SKUs.")
		return
	}
	before.taken = true
	t := before.target
	if c.target.pronoun && p.countsOthers(c, before) {
		p.fail(scope, c.from, c.to, "Which of the products named before are meant in %s? Name categories or SKUs.")
		return
	}
	if p.perhapsLeftOut(c, before) || c.copula && len(c.stocks) > 0 && len(t.except) > 0 { // "raise all but mugs by 5%. They are sold out."
		p.fail(scope, before.from, c.to, "Does the last rule of %s speak of the products that are left out, or of the others? Name them.")
		return
	}
	if !p.stillThere(c, before) {
		p.fail(scope, c.from, c.to, "Which products are meant in %s? Name categories or SKUs.")
		return
	}
	if p.points(c) && contrasts(t.groups, c.target.shared) { // 20% off sold-out mugs; 10% off those in stock
		t.groups = t.unconditioned()
	}
	c.target.groups, c.target.rest, c.target.strong, c.target.named = t.groups, t.rest, t.strong, true
	c.target.except = append(c.target.except, t.except...)
	if merged, ok := merge(c.target.shared, t.shared); ok {
		c.target.shared = merged
	}
}

// perhapsLeftOut reports whether a pronoun may speak of what the clause before ends by
// leaving out: "raise everything by 5% except mugs, then lower those by 3%".
func (p *parser) perhapsLeftOut(c, before *clause) bool {
	last := before.exceptEnd
	return c.target.pronoun && last > 0 && last <= c.from && !slices.ContainsFunc(p.symbols[last:c.from], adds)
}

// adds reports whether a symbol is more than what joins clauses.
func adds(s english.Symbol) bool {
	switch s.Class {
	case english.Comma, english.And, english.But, english.Then, english.Stop, english.Noise:
		return false
	}
	return true
}

// countsOthers reports whether a pronoun speaks of fewer products than the rule
// before it, or of more: "it" after two names, "both" after three, "them" after two
// rules.
func (p *parser) countsOthers(c, before *clause) bool {
	names := 0
	for _, group := range before.target.groups {
		names += len(group.categories) + len(group.skus)
	}
	switch {
	case c.target.one:
		return names > 1
	case names != 2 && p.saysBoth(c):
		return true
	}
	for _, other := range p.clauses {
		if other == before {
			break
		}
		if (other.complete() || other.stockSaid()) && !sameNames(other.target.groups, before.target.groups) {
			return true
		}
	}
	return false
}

// sameNames reports whether two targets name the same products.
func sameNames(a, b []rows) bool {
	return slices.EqualFunc(a, b, func(a, b rows) bool {
		return slices.Equal(a.categories, b.categories) && slices.Equal(a.skus, b.skus)
	})
}

// predicates reports whether a clause without products says more of those that
// the clause before named: "mugs are sold out and should cost $5", "restock tea
// and set it to $5".
func (p *parser) predicates(c, before *clause) bool {
	if before == nil || before.sentence != c.sentence || len(before.target.except) > 0 || !p.linkedAt(c.from) {
		return false
	}
	more := c.then && (c.extra || c.role == english.By) // "then another $5 off"
	if !c.ownVerb && !c.copula && !more {
		return false
	}
	if c.then { // "raise all prices by 3% and then add 10 cents"
		return !p.othersNamed(before)
	}
	return before.target.limited()
}

// othersNamed reports whether rules before one in its sentence name other products.
func (p *parser) othersNamed(before *clause) bool {
	return slices.ContainsFunc(p.clauses, func(other *clause) bool {
		return other.sentence == before.sentence && other.from < before.from && (other.complete() || other.stockSaid()) && !sameNames(other.target.groups, before.target.groups)
	})
}

// linkedAt reports whether "and" or "then" stands right before the clause that
// begins at i.
func (p *parser) linkedAt(i int) bool {
	for ; ; i-- {
		switch p.classAt(i - 1) {
		case english.And, english.Then:
			return true
		case english.Noise, english.Comma:
		default:
			return false
		}
	}
}

// stillThere reports whether the conditions of a clause select the same rows
// for the next. A change of prices leaves the stock as it is, and it can go
// before what sets the stock.
func (p *parser) stillThere(c, before *clause) bool {
	conditions := []conditions{before.target.shared}
	for _, group := range before.target.groups {
		conditions = append(conditions, group.conditions)
	}
	if slices.ContainsFunc(conditions, banded) {
		return false
	}
	return before.prices() || !slices.ContainsFunc(conditions, stocked) || c.prices() && !c.then
}

func banded(c conditions) bool  { return c.gte != nil || c.lte != nil }
func stocked(c conditions) bool { return c.stock != nil }

// prices reports whether the clause changes prices.
func (c *clause) prices() bool { return c.amount != nil || c.times != 0 }

// arrived reads "the mats have arrived" and "mats are too cheap", which say what
// a rule after them is about.
func (p *parser) arrived(c *clause) {
	if c.acting() && !c.copula && strings.HasPrefix(strings.ToLower(p.symbols[p.pos].Text), "back") { // "take the 5% back"
		p.fail(outsideData, c.from, p.pos+1, "What shall the price become? %s goes by an earlier price, which is not known here: say the change or the new price without \"back\".")
		return
	}
	if len(c.target.groups) == 0 || c.acting() || c.excluding() || c.restricted || c.target.end < p.pos-2 {
		p.unread(p.pos)
		return
	}
	if !c.copula && going().MatchString(p.symbols[p.pos].Text) && p.acts(p.after(p.pos+1)) { // "the mugs selling well go up 5%"
		p.fail(vagueTarget, c.from, p.pos+1, "Which products are meant by %s? Name categories or SKUs, or a price range.")
		return
	}
	c.arrived, c.copula = true, false
	p.pos++
}

// going are words without a verb for how products sell, which may tell some of a
// category from others.
var going = lazyregexp.New(`(?i)^(?:not |barely |hardly )?(?:selling|moving|shifting|flying|walking|going|gathering) ?`)

// report asks about products that say something: "tea says 5% off". Who else
// says it was left out before.
func (p *parser) report(c *clause) {
	if c.acting() || !p.listsProducts(c.from, p.pos) {
		p.unread(p.pos)
		return
	}
	p.fail(nothingToDo, c.from, p.pos+1, "Should something change? What %s is what there is already, and no rule: write one, such as \"lower tea by 5%\".")
}

// checkArrived asks about products that something is told of and that no rule
// is about.
func (p *parser) checkArrived(clauses []*clause, ops []operation) {
	for _, c := range clauses {
		named := func(op operation) bool {
			return slices.ContainsFunc(c.target.groups, func(r rows) bool { return share(r.categories, op.categories) || share(r.skus, op.skus) })
		}
		if c.arrived && !c.taken && !slices.ContainsFunc(ops, named) {
			p.fail(scope, c.from, c.to, "What should happen to the products of %s? Say it in a rule, or leave them out.")
		}
	}
}
