package grammar

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// restrict applies sentences such as "Only in-stock items." to every rule.
func (p *parser) restrict(clauses []*clause, ops []operation) []operation {
	for _, c := range clauses {
		if c.excluding() || c.acting() || !c.options.none() || !c.restricted || c.complete() {
			continue
		}
		if c.target.band != nil {
			p.fail(scope, c.from, c.to, "Which rule do both ranges of prices in %s hold for? Write them in its sentence.")
			return nil
		}
		for i := range ops {
			limits, ok := merge(ops[i].conditions, c.target.shared)
			if !ok {
				p.fail(contradiction, c.from, c.to, "%s leaves no product of an earlier rule. Which is meant?")
				return nil
			}
			ops[i].conditions = limits
		}
	}
	return ops
}

// leaveMore makes an exclusion of products alone that "and" or "or" joins to one:
// "do not change tea or anything under $5", "leave sold-out items and anything
// under $5 alone". After a comma they could be of a rule that the sentence begins with.
func (p *parser) leaveMore(c *clause) {
	and := p.back(c.from)
	if len(p.clauses) == 0 || p.classAt(and) != english.And || !c.target.named || c.acting() || c.shaping() || c.restricted {
		return
	}
	before := p.clauses[len(p.clauses)-1]
	switch {
	case before.sentence != c.sentence || before.complete() || !before.excluding():
	case before.leaving && !before.alone && c.alone && !c.leaving && !c.copula:
		before.alone = true
	case (before.alone || !before.leaving) && !c.excluding() && (p.classAt(and-1) != english.Comma || !p.ruledBefore(c)):
		c.untouched, c.up, c.down = true, before.up, before.down
		c.target.price = c.target.price || before.target.price
	}
}

// ruledBefore reports whether a rule stands before a clause in its sentence.
func (p *parser) ruledBefore(c *clause) bool {
	return slices.ContainsFunc(p.clauses, func(other *clause) bool { return other.sentence == c.sentence && other.complete() })
}

// leftAlone is the rows that an exclusion names.
func (p *parser) leftAlone(c *clause, ops []operation) ([]rows, bool) {
	t := &c.target
	if c.otherwise && (p.opposed(c) == nil || len(t.groups) > 0) {
		p.fail(scope, c.from, c.to, "Which products should stay as they are in %s? Name them in a sentence of its own.")
		return nil, false
	}
	if t.rest || c.otherwise {
		if len(ops) == 0 {
			p.fail(nothingToDo, c.from, c.to, "What should change? %s names nothing.")
		}
		return nil, p.failed == nil
	}
	if !c.excluding() {
		return t.except, true
	}
	if len(t.except) > 0 {
		p.fail(negation, c.from, c.to, "What should stay as it is? %s has an exception to an exception.")
		return nil, false
	}
	p.resolveStock(c)
	if t.pronoun && len(t.groups) == 0 && p.leftOutBefore(c) {
		return nil, true
	}
	if before := p.clauseBefore(c); t.pronoun && len(t.groups) == 0 && before != nil && before.complete() && len(before.target.except) == 0 && otherSide(before.target.shared, t.shared) {
		t.groups = before.target.unconditioned() // "mugs under $20 up 5%, those over $50 stay the same"
	} else if rule := p.onlyRuleBefore(c); t.pronoun && len(t.groups) == 0 && rule != nil && !t.shared.none() && p.points(c) {
		t.groups = rule.target.unconditioned() // "raise mugs by 5%, but leave those under $15 alone"
	} else if t.pronoun && len(t.groups) == 0 {
		p.fail(missingTarget, c.from, c.to, "Which products should stay as they are in %s? Name categories or SKUs.")
		return nil, false
	}
	if !t.named && t.everyRow() {
		p.fail(missingTarget, c.from, c.to, "Which products should stay as they are in %s?")
		return nil, false
	}
	return p.spread(c)
}

// leftOutBefore reports whether the clause before ends in what it leaves out, which
// "leave those alone" says once more.
func (p *parser) leftOutBefore(c *clause) bool {
	before := p.clauseBefore(c)
	return before != nil && c.sentence-before.sentence <= 1 && c.target.shared.none() && len(before.target.except) > 0 && !before.excluding() && before.exceptEnd == before.target.end
}

// clauseBefore is the clause that ends where another begins, or nil.
func (p *parser) clauseBefore(c *clause) *clause {
	for i, other := range p.clauses {
		if other == c && i > 0 {
			return p.clauses[i-1]
		}
	}
	return nil
}

// speaksOf reports whether an exclusion is about what an operation does:
// "do not change prices" says nothing of stock, "do not increase" nothing of
// decreases.
func (c *clause) speaksOf(op *operation) bool {
	switch op.action.Type {
	case plan.SetStock:
		return !c.target.price && !c.up && !c.down
	case plan.PercentIncrease, plan.FixedIncrease:
		either := op.action.Value.IsZero() // a rounding or an ending raises some prices and lowers others
		return !c.down && !(c.up && either)
	case plan.PercentDecrease, plan.FixedDecrease:
		return !c.up
	default:
		return true
	}
}

// shape applies roundings, endings and limits that stand in clauses of their
// own.
func (p *parser) shape(clauses []*clause, ops []operation) []operation {
	for i, c := range clauses {
		if c.complete() || c.excluding() || c.options.none() || c.stockSaid() {
			continue
		}
		p.resolveStock(c) // "round everything in stock to whole dollars"
		ops = p.shapeOne(clauses, i, ops)
		if p.failed != nil {
			return nil
		}
	}
	return ops
}

func (p *parser) shapeOne(clauses []*clause, i int, ops []operation) []operation {
	c := clauses[i]
	if c.then && c.target.strong && c.target.everyRow() && !c.target.pronoun && c.options.round != nil && c.options.min == nil && c.options.max == nil && p.ofTheShop(c) {
		return p.shapeAlone(c, ops)
	}
	if c.target.everyRow() && len(c.target.except) == 0 || c.target.pronoun {
		shaped := p.shapedBy(clauses, i, ops)
		if p.failed != nil {
			return nil
		}
		if c.target.strong && !c.target.pronoun && !p.shapesAll(c.from) && len(ops) > 0 && !everyRowCovered(ops) {
			p.fail(scope, c.from, c.to, "Does %s mean every product of the shop, or the products of the other rules?")
			return nil
		}
		if c.target.pronoun && c.target.one && clausesOf(shaped) > 1 {
			p.fail(scope, c.from, c.to, "Which of the rules before does %s speak of? Say it in the sentence of each rule it belongs to.")
			return nil
		}
		if len(shaped) > 1 && inTurn(c, shaped) {
			p.fail(scope, c.from, c.to, "Does %s come after all of the rules, or with each of them? Say it in the sentence of each rule it belongs to.")
			return nil
		}
		if len(shaped) > 0 {
			for _, op := range shaped {
				p.addOptions(op, c)
			}
			return p.exceptShaped(ops, shaped, c)
		}
		if !c.target.named && !c.target.strong || c.target.pronoun && len(c.target.groups) == 0 && c.target.shared.none() {
			p.fail(missingTarget, c.from, c.to, "Which prices does %s speak of? Name categories or SKUs, or say \"all prices\".")
			return nil
		}
	}
	return p.shapeAlone(c, ops)
}

// ofTheShop reports whether a clause says that it speaks of the whole shop: all
// prices in the shop.
func (p *parser) ofTheShop(c *clause) bool {
	return slices.ContainsFunc(p.symbols[c.from:c.to], func(s english.Symbol) bool { return english.Shopwide(&s) })
}

// namesIn counts the categories and SKUs of operations.
func namesIn(ops []*operation) int {
	names := 0
	for _, op := range ops {
		names += len(op.categories) + len(op.skus)
	}
	return names
}

// clausesOf counts the rules as they were said that operations come from.
func clausesOf(ops []*operation) int {
	clauses := map[*clause]bool{}
	for _, op := range ops {
		clauses[op.clause] = true
	}
	return len(clauses)
}

// inTurn reports whether rules follow one another by "then".
func inTurn(c *clause, ops []*operation) bool {
	for _, op := range ops {
		if op.clause.then {
			return true
		}
	}
	return c.then
}

func everyRowCovered(ops []operation) bool {
	for _, op := range ops {
		if op.prices() && !op.listed() && op.none() && len(op.withoutCategories)+len(op.withoutSKUs) == 0 {
			return true
		}
	}
	return false
}

// shapedBy returns the operations that a clause without products of its own
// shapes: the one rule of its sentence, or, as a sentence, all rules before.
func (p *parser) shapedBy(clauses []*clause, i int, ops []operation) []*operation {
	c := clauses[i]
	var inSentence, before []*operation
	later := false
	sentences := map[*clause]bool{}
	for k := range ops {
		op := &ops[k]
		if !op.prices() {
			continue
		}
		switch {
		case op.clause.sentence == c.sentence && op.clause.from > c.from && p.ofTwoBefore(c, ops):
		case op.clause.sentence == c.sentence && op.clause.from > c.from && p.shapesAll(c.from):
			p.fail(scope, c.from, c.to, "Does %s belong to the rules before it only, or to all of the sentence? Put it at the end for all.")
			return nil
		case op.clause.sentence == c.sentence:
			inSentence = append(inSentence, op)
			sentences[op.clause] = true
		case op.clause.sentence < c.sentence:
			before = append(before, op)
		default:
			later = true
		}
	}
	if len(sentences) > 1 && !p.shapesAll(c.from) {
		if others := slices.DeleteFunc(slices.Clone(inSentence), func(op *operation) bool { return op.setsWithin(c.options) }); clausesOf(others) == 1 {
			return others
		}
		p.fail(scope, c.from, c.to, "Does %s belong to the last rule of the sentence only, or to all of them? Put it in a sentence of its own for all.")
		return nil
	}
	if i > 0 && p.perhapsLeftOut(c, clauses[i-1]) {
		p.fail(scope, clauses[i-1].from, c.to, "Does the last rule of %s speak of the products that are left out, or of the others? Name them.")
		return nil
	}
	spokenOf := inSentence
	if len(spokenOf) == 0 {
		spokenOf = before
	}
	if rules := clausesOf(spokenOf); p.saysBoth(c) && (rules > 2 || rules == 1 && namesIn(spokenOf) != 2) {
		p.fail(scope, c.from, c.to, "Which two of those before does %s speak of? Say \"all\", or say it in the sentence of each rule it belongs to.")
		return nil
	}
	if len(inSentence) > 0 {
		return inSentence
	}
	if later {
		if len(before) > 0 {
			p.fail(scope, c.from, c.to, "Does %s belong to the rules before it only, or to all of them? Put it at the end for all.")
			return nil
		}
		for k := range ops {
			if ops[k].prices() {
				before = append(before, &ops[k])
			}
		}
	}
	return before
}

func (p *parser) saysBoth(c *clause) bool {
	return slices.ContainsFunc(p.symbols[c.from:c.to], func(s english.Symbol) bool { return strings.HasPrefix(strings.ToLower(s.Text), "both") })
}

// addOptions gives an operation what a clause says of its prices.
func (p *parser) addOptions(op *operation, c *clause) {
	have, more := &op.options, c.options
	if have.round != nil && more.round != nil && *have.round != *more.round || differ(have.ending, more.ending) || differ(have.min, more.min) || differ(have.max, more.max) {
		p.fail(contradiction, c.from, c.to, "%s says otherwise than the rule before. Which is meant?")
		return
	}
	if more.round != nil {
		have.round = more.round
	}
	have.either = have.either || more.either
	have.ending, have.min, have.max = either(have.ending, more.ending), either(have.min, more.min), either(have.max, more.max)
	p.checkOptions(op)
}

func differ(a, b *plan.Decimal) bool { return a != nil && b != nil && a.Cmp(*b) != 0 }

func either[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// shapeAlone makes an operation of a clause that only shapes: "make all yoga
// prices end in .99", "cap fitness at $50".
func (p *parser) shapeAlone(c *clause, ops []operation) []operation {
	groups, ok := p.spread(c)
	if !ok {
		return nil
	}
	for _, group := range mergeGroups(groups) {
		cuts := []cut{{rows: group}}
		for _, out := range c.target.except {
			cuts = p.leaveOut(cuts, out, c)
		}
		for _, f := range cuts {
			if same := p.shapedRows(f, c, ops); same != nil {
				p.addOptions(same, c)
				continue
			}
			ops = append(ops, p.shapers(f, c)...)
		}
	}
	if p.failed != nil {
		return nil
	}
	return ops
}

// shapedRows finds the operation over exactly these rows. Others that share
// some of them make it a question, unless "then" says which comes first.
func (p *parser) shapedRows(f cut, c *clause, ops []operation) *operation {
	for i := range ops {
		if c.then && !sameRows(ops[i].cut, f) {
			continue
		}
		if !ops[i].prices() || apart(&ops[i].rows, &f.rows) || ops[i].clause == c {
			continue
		}
		if sameRows(ops[i].cut, f) {
			return &ops[i]
		}
		p.fail(overlap, c.from, c.to, "Some products of %s are changed by another rule too. Does it hold for them before or after that change?")
	}
	return nil
}

func sameRows(a, b cut) bool {
	return all(a.categories, b.categories) && all(b.categories, a.categories) && all(a.skus, b.skus) && all(b.skus, a.skus) &&
		sameConditions(a.conditions, b.conditions) && all(a.withoutCategories, b.withoutCategories) && all(b.withoutCategories, a.withoutCategories) &&
		all(a.withoutSKUs, b.withoutSKUs) && all(b.withoutSKUs, a.withoutSKUs)
}

// shapers are the operations that only shape. A floor alone sets the price of
// what is at or below it, a cap of what is at or above it, so that no other
// price is touched; a rounding or an ending is an increase of 0%.
func (p *parser) shapers(f cut, c *clause) []operation {
	var ops []operation
	if c.options.round != nil || c.options.ending != nil {
		op := operation{cut: f, action: plan.Action{Type: plan.PercentIncrease}, options: c.options, clause: c}
		p.checkOptions(&op)
		return append(ops, op)
	}
	if c.options.min != nil && c.options.max != nil && c.options.min.Cmp(*c.options.max) > 0 {
		p.fail(floorOverCeiling, c.from, c.to, "The floor in %s is above the ceiling. Which is meant?")
	}
	if c.options.min != nil {
		ops = append(ops, p.clamp(f, c, conditions{lte: c.options.min}, *c.options.min))
	}
	if c.options.max != nil {
		ops = append(ops, p.clamp(f, c, conditions{gte: c.options.max}, *c.options.max))
	}
	return ops
}

func (p *parser) clamp(f cut, c *clause, band conditions, price plan.Decimal) operation {
	limits, ok := merge(f.conditions, band)
	if !ok {
		p.fail(contradiction, c.from, c.to, "No product fulfils all the conditions of %s. Which of them is meant?")
	}
	f.conditions = limits
	return operation{cut: f, action: plan.Action{Type: plan.SetPrice, Value: price}, clause: c}
}

// checkOptions asks where the ways to shape a price contradict each other.
func (p *parser) checkOptions(op *operation) {
	o, c := &op.options, op.clause
	if !op.prices() {
		if !o.none() {
			p.fail(contradiction, c.from, c.to, "Rounding and limits are for prices; %s changes the stock. What is meant?")
		}
		return
	}
	if o.round == nil && tooFine(op.action) {
		p.fail(rounding, c.from, c.to, "Should prices keep more than two decimals, as the amount in %s has? Then say how many, such as \"round to 3 decimals\".")
	}
	if o.min != nil && o.max != nil && o.min.Cmp(*o.max) > 0 {
		p.fail(floorOverCeiling, c.from, c.to, "The floor in %s is above the ceiling. Which is meant?")
	}
	if limitsAll(op) {
		p.fail(contradiction, c.from, c.to, "The limit in %s is one that every new price would be beyond. Which is meant, the limit or the change?")
	}
	if o.either && limitsAgainst(op) {
		p.fail(scope, c.from, c.to, "Is the limit in %s one of the new price, or of the change? A plan can limit the new price: write \"never above\" or \"never below\" and the price.")
	}
	digits := o.digits()
	for _, limit := range []*plan.Decimal{o.ending, o.min, o.max} {
		if limit != nil && limit.Scale() > digits {
			p.fail(rounding, c.from, c.to, limit.String()+" has more decimals than the prices are rounded to in %s. Which is meant?")
		}
	}
	if op.action.Type == plan.SetPrice {
		p.checkSetPrice(op)
	}
}

func (o options) digits() int {
	if o.round == nil {
		return plan.DefaultRoundTo
	}
	return *o.round
}

func tooFine(a plan.Action) bool {
	fixed := a.Type == plan.SetPrice || a.Type == plan.FixedIncrease || a.Type == plan.FixedDecrease
	return fixed && a.Value.Scale() > plan.DefaultRoundTo
}

// checkSetPrice asks where a price that is set is not what rounding and limits
// leave of it. Where it is, they say nothing and are dropped.
func (p *parser) checkSetPrice(op *operation) {
	o, value, c := &op.options, op.action.Value, op.clause
	if !o.keep(value) {
		p.fail(contradiction, c.from, c.to, "The price that is set in %s does not fit the rounding or the limits. Which is meant?")
	}
	if c.lead && against(op, value) {
		p.fail(contradiction, c.from, c.to, "Should prices rise or fall in %s? Some of those that it speaks of lie on the other side of the new price.")
	}
	o.ending, o.min, o.max = nil, nil, nil
}

// keep reports whether rounding and limits leave a price as it is.
func (o options) keep(price plan.Decimal) bool {
	fraction := plan.MustDecimal("0." + fractionOf(price))
	return price.Scale() <= o.digits() && (o.ending == nil || fraction.Cmp(*o.ending) == 0) && (o.min == nil || price.Cmp(*o.min) >= 0) && (o.max == nil || price.Cmp(*o.max) <= 0)
}

// against reports whether a price that is set lies behind the range of prices that
// are to be raised or lowered to it: "raise mugs over $5 to $4".
func against(op *operation, value plan.Decimal) bool {
	beyond := func(bound *plan.Decimal, side int) bool { return bound != nil && bound.Cmp(value) == side }
	if op.clause.up {
		return beyond(op.gte, 1) || beyond(op.lte, 1)
	}
	return op.clause.down && (beyond(op.gte, -1) || beyond(op.lte, -1))
}

func fractionOf(d plan.Decimal) string {
	text := d.String()
	for i := range text {
		if text[i] == '.' {
			return text[i+1:]
		}
	}
	return "0"
}
