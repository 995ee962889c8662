package grammar

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// operation is one rule of the plan to be, with the clause it came from.
type operation struct {
	cut
	action  plan.Action
	options options
	clause  *clause
}

func (o *operation) prices() bool { return o.action.Type != plan.SetStock }

// compile makes operations of clauses: first what each does, then what the
// whole instruction leaves out, limits and shapes.
func (p *parser) compile(clauses []*clause) []operation {
	clauses = p.restLast(clauses)
	ops := make([]operation, 0, len(clauses))
	var before *clause
	for _, c := range clauses {
		if c.heads != nil {
			p.checkHeading()
			p.heading = c
			continue
		}
		p.under(c)
		kind := p.kindOf(c, before)
		if p.failed != nil {
			return nil
		}
		if c.arrived && kind == says {
			before = c
		}
		if kind != acts {
			continue
		}
		p.checkStatement(c, before)
		p.checkOnly(c)
		p.checkOpened(c)
		ops = p.operations(c, before, clauses, ops)
		if p.failed != nil {
			return nil
		}
		before = c
	}
	p.checkHeading()
	p.checkArrived(clauses, ops)
	for _, pass := range []func([]*clause, []operation) []operation{p.shape, p.restrict, p.exclude} {
		if ops = pass(clauses, ops); p.failed != nil {
			return nil
		}
	}
	p.checkSpellings(ops)
	p.checkPortions(ops)
	p.checkLengths(ops)
	if len(ops) == 0 {
		p.fail(nothingToDo, 0, len(p.symbols), "What should be done? %s changes no price and no stock.")
	}
	return ops
}

// checkOnly asks where "only A101 should be in stock" speaks of all others too.
func (p *parser) checkOnly(c *clause) {
	only := func(s english.Symbol) bool { return s.Class == english.Only }
	first := p.symbols[c.from]
	just := first.Class == english.Noise && strings.EqualFold(first.Text, "just")
	if c.copula && !c.prices() && len(c.stocks) > 0 && (just || slices.ContainsFunc(p.symbols[c.from:c.to], only)) {
		p.fail(scope, c.from, c.to, "What should happen to all other products in %s? Say it in a rule of its own, or leave out \"only\".")
	}
}

// checkSpellings asks where one category seems to be written in two ways, mug
// and mugs, and no list says which is its name.
func (p *parser) checkSpellings(ops []operation) {
	if p.known != nil {
		return
	}
	var speller english.Speller
	written := make(map[english.Spelling]string, len(ops))
	for i := range ops {
		op := &ops[i]
		for _, names := range [...][]string{op.categories, op.withoutCategories} {
			for _, name := range names {
				spelling := speller.Spell(name)
				if other, ok := written[spelling]; ok && other != name {
					p.fail(unknownCategory, op.clause.from, op.clause.to, "Is the category called "+quoted(other)+" or "+quoted(name)+"? Write it the same way throughout.")
					return
				}
				written[spelling] = name
			}
		}
	}
}

// checkLengths asks where a name is longer than a plan's may be.
func (p *parser) checkLengths(ops []operation) {
	for i := range ops {
		op := &ops[i]
		for _, names := range [...][]string{op.categories, op.withoutCategories, op.skus, op.withoutSKUs} {
			for _, name := range names {
				if utf8.RuneCountInString(name) > plan.MaxFilterValueLength {
					p.fail(tooMany, op.clause.from, op.clause.to, fmt.Sprintf("Is %s one name? A name has at most %d characters.", quoted(name), plan.MaxFilterValueLength))
				}
			}
		}
	}
}

// kindOf says what a clause is for, and fails where it is for nothing.
func (p *parser) kindOf(c, before *clause) kind {
	lastIsColon := p.classAt(c.to-1) == english.Colon
	if c.target.ones && !c.excluding() && !c.complete() {
		p.fail(scope, c.from, c.to, "Which products are the \"ones\" in %s? Name categories or SKUs, or say \"products\" for all.")
	}
	switch {
	case c.excluding():
		again := c.target.pronoun && len(c.target.groups) == 0 && p.leftOutBefore(c) // "... unless sold out. Leave those."
		if c.complete() && !(c.copula && c.alone) || c.leaving && !c.alone && !c.untouched && !c.target.rest && !c.otherwise && !again {
			p.fail(negation, c.from, c.to, "What should stay as it is, and what should change? %s is not clear.")
		}
		return excludes
	case c.complete() || c.stockSaid():
		return acts
	case c.arrived:
		return says
	case c.lead && (c.up && c.options.max != nil || c.down && c.options.min != nil): // "raise mugs to a max of $20"
		p.fail(missingAmount, c.from, c.to, "By how much? %s names a limit, and no amount.")
		return shapes
	case (c.up || c.down || c.onSale || c.acting() && p.roundsToo(c)) && c.options.min == nil && c.options.max == nil && !c.options.none():
		p.fail(missingAmount, c.from, c.to, "By how much? %s says how the new prices shall look, and names no amount.")
		return shapes
	case !c.options.none():
		return shapes
	case p.listedAs(c) || p.toldOf(c):
		return acts
	case !c.acting() && len(c.target.except) > 0 && len(c.target.groups) == 0:
		return excludes
	case !c.bids() && c.restricted && len(c.target.groups) == 0 && (!c.target.shared.none() || len(c.stocks) > 0):
		p.resolveStock(c)
		return restricts
	case lastIsColon && c.target.everyRow() && !c.up && !c.down:
		return says
	case c.changing && !c.up && !c.down && !c.setting && !c.target.named && before != nil: // "A101 is sold out, please update"
		return says
	case before != nil && p.bidsAgain(c, before):
		return says
	case c.acting() && len(c.stocks) == 0:
		p.fail(missingAmount, c.from, c.to, "By how much, or to what price? %s names no amount.")
	case p.listsProducts(c.from, c.to):
		p.fail(scope, c.from, c.to, "What should happen to %s? If the same as to what was named before, name them together.")
	default:
		p.fail(unread, c.from, c.to, "What should happen to %s?")
	}
	return says
}

// roundsToo reports whether a clause asks for another thing before it asks to
// round: "reprice mugs and round to whole dollars".
func (p *parser) roundsToo(c *clause) bool {
	for i := c.from + 1; i < c.to; i++ {
		if p.classAt(i) == english.Round && p.classAt(i-1) == english.And {
			return true
		}
	}
	return false
}

// bidsAgain reports whether a clause only asks for what the one before told of the
// stock: "A101 is back in stock, can you update it", "... mark them so".
func (p *parser) bidsAgain(c, before *clause) bool {
	verb := c.changing && !c.setting || c.setting && !c.changing && (c.word == "mark" || c.word == "flag" || c.word == "show")
	return verb && len(before.stocks) > 0 && !before.prices() && len(c.stocks) == 0 && !c.up && !c.down && c.target.pronoun && len(c.target.groups) == 0 && c.target.shared.none() && len(c.target.except) == 0
}

// listsProducts reports whether symbols name products that are known for such,
// and no name that may be something else.
func (p *parser) listsProducts(from, to int) bool {
	known := false
	for _, symbol := range p.symbols[from:to] {
		switch symbol.Class {
		case english.Category, english.SKU:
			known = true
		case english.Name:
			return false
		}
	}
	return known
}

// listedAs reads "A101, A102: out of stock" as what they shall be.
func (p *parser) listedAs(c *clause) bool {
	if c.bids() || len(c.stocks) != 1 || len(c.target.groups) == 0 || p.classAt(c.stocks[0].at-1) != english.Colon {
		return false
	}
	c.stocks[0].set = true
	return true
}

// toldOf reads "A101 sold out, A102 in stock" as what they shall be, in an
// instruction that has no amount: beside one it could be a condition.
func (p *parser) toldOf(c *clause) bool {
	amounts := slices.ContainsFunc(p.symbols, func(s english.Symbol) bool { return s.Class == english.Amount || s.Class == english.Times })
	if !p.tells(c) || amounts && (c.stocks[0].value || !p.inSeries(c)) {
		return false
	}
	c.stocks[0].set = true
	return true
}

// tells reports whether a clause is no more than products with a stock word
// after them, and not those that fulfil it: "mugs that have sold out".
func (p *parser) tells(c *clause) bool {
	return !c.acting() && !c.restricted && len(c.stocks) == 1 && len(c.target.groups) > 0 && c.stocks[0].at == c.target.end && !c.stocked() && !relative().MatchString(p.symbols[c.stocks[0].at].Text)
}

var relative = lazyregexp.New(`(?i)^(?:that|which|who)\b`)

// inSeries reports whether the rules of the sentence each begin with their
// products, so that what a stock word says of some is a rule like the others:
// "A101 sold out, A102 down 10%".
func (p *parser) inSeries(c *clause) bool {
	for _, other := range p.clauses {
		if other.sentence != c.sentence {
			continue
		}
		first := p.after(other.from)
		for p.classAt(first) == english.And || p.classAt(first) == english.Comma || p.classAt(first) == english.All {
			first = p.after(first + 1)
		}
		if !p.isHead(first) || other.target.rest || !other.leading.none() {
			return false
		}
	}
	return true
}

// stockSaid reports whether the clause says that something is back in stock
// without a verb.
func (c *clause) stockSaid() bool {
	for _, m := range c.stocks {
		if m.set {
			return true
		}
	}
	return false
}

// operations adds the operations of one clause to the earlier ones: one for each
// group of rows that needs its own filter.
func (p *parser) operations(c, before *clause, clauses []*clause, earlier []operation) []operation {
	p.checkTurn(c, before)
	p.checkBands(c, before)
	p.checkShared(c, before)
	p.checkMeasure(c, before)
	p.checkButLast(c, before)
	c.inherit(before)
	p.checkDash(c, before)
	p.checkVerb(c, before)
	p.sharesEnd(c, clauses, earlier)
	action := p.action(c)
	p.explainTarget(c, before)
	if p.failed != nil {
		return nil
	}
	groups, ok := p.spread(c)
	if !ok {
		return nil
	}
	groups = mergeGroups(groups)
	p.checkExceptions(c, groups)
	ops := earlier
	for i, group := range groups {
		cuts := []cut{{rows: group}}
		for _, other := range groups[:i] {
			cuts = p.leaveOut(cuts, other, c)
		}
		if c.otherwise {
			cuts = p.leaveOpposed(cuts, c)
		}
		if c.target.rest {
			cuts = p.leaveRest(cuts, c, clauses, earlier)
		}
		for _, out := range c.target.except {
			cuts = p.leaveOut(cuts, out, c)
		}
		for _, f := range cuts {
			op := operation{cut: f, action: action, options: c.options, clause: c}
			p.checkOptions(&op)
			ops = append(ops, op)
		}
		if p.failed != nil {
			return nil
		}
	}
	if own := ops[len(earlier):]; len(own) > 0 && !slices.ContainsFunc(own, changes) {
		p.fail(nothingToDo, c.from, c.to, "What should change? %s gives products the stock that they have.")
	}
	return ops
}

// changes reports whether an operation can change a row. One that sets the
// stock that its rows have cannot.
func changes(op operation) bool {
	return op.prices() || op.stock == nil || *op.stock != op.action.Stock
}

// checkVerb asks where a verb outside the vocabulary seems to begin a rule: "kick
// yoga up 10%" is not about a category named "kick yoga".
func (p *parser) checkVerb(c, before *clause) {
	first := p.after(c.from)
	if p.determined(first) || p.goesOnWithName(c, before, first) {
		return
	}
	for p.classAt(first) == english.All {
		first = p.after(first + 1)
	}
	symbol := p.symbols[first]
	word, _, several := strings.Cut(symbol.Text, " ")
	if symbol.Class != english.Name || symbol.Sense != 0 || !several || c.ownVerb || c.copula || p.headed(first) {
		return
	}
	undirected := c.role == english.By && !c.up && !c.down // "flurb mugs by 10%"
	if !undirected && !english.IsVerb(strings.ToLower(word)) {
		return
	}
	p.fail(unread, first, first+1, "Is %s the name of a category? Then write it in quotation marks, or put a colon after it; otherwise begin with a verb such as raise, lower or set.")
}

// headed reports whether a colon, an arrow or an equals sign follows the name at i.
func (p *parser) headed(i int) bool {
	class := p.classAt(i + 1)
	return class == english.Colon || class == english.To && !strings.ContainsFunc(p.symbols[i+1].Text, unicode.IsLetter)
}

// determined reports whether an article or "all" makes a name of the words at
// first: "the tea towels".
func (p *parser) determined(first int) bool {
	before := p.symbols[max(first-1, 0)]
	return p.classAt(first) == english.All || before.Class == english.Noise && articles().MatchString(before.Text)
}

// articles stand right before a name, alone or at the end of a request.
var articles = lazyregexp.New(`(?i)^(?:.* )?(?:the|our|my)$`)

// goesOnWithName reports whether the words at first can be no verb, since the rule
// goes on with that of the one before it, in the same order, and a capital or the noun
// of a name in it makes a name of them: "set mugs to $5 and Tea Towels to $8".
func (p *parser) goesOnWithName(c, before *clause, first int) bool {
	if before == nil || before.sentence != c.sentence || !before.ownVerb || before.role != c.role || c.role == 0 || c.suffix {
		return false
	}
	name := p.symbols[first]
	return name.Class == english.Name && (name.Text != strings.ToLower(name.Text) || sharesHead(name.Text, before))
}

// sharesHead reports whether a name ends in the noun of one that a clause names:
// floor lamps, after table lamps.
func sharesHead(name string, c *clause) bool {
	words := strings.Fields(name)
	head := " " + words[len(words)-1]
	return slices.ContainsFunc(c.target.groups, func(r rows) bool {
		return slices.ContainsFunc(r.categories, func(other string) bool { return strings.HasSuffix(strings.ToLower(other), head) })
	})
}

// mergeGroups joins groups of the same kind and conditions: yoga and fitness.
func mergeGroups(groups []rows) []rows {
	if len(groups) < 2 {
		return groups
	}
	var merged []rows
next:
	for _, group := range groups {
		for i := range merged {
			if (merged[i].skus != nil) == (group.skus != nil) && sameConditions(merged[i].conditions, group.conditions) {
				merged[i].categories, merged[i].skus = unionOrNil(merged[i].categories, group.categories), unionOrNil(merged[i].skus, group.skus)
				continue next
			}
		}
		merged = append(merged, group)
	}
	return merged
}

func unionOrNil(a, b []string) []string {
	if a == nil {
		return b
	}
	return union(a, b)
}

func sameConditions(a, b conditions) bool {
	return (a.stock == nil) == (b.stock == nil) && (a.stock == nil || *a.stock == *b.stock) && within(a, b) && within(b, a)
}

// leaveOut subtracts from each cut, and asks where no filters can say what is
// left.
func (p *parser) leaveOut(from []cut, out rows, c *clause) []cut {
	var left []cut
	for _, f := range from {
		parts, ok := subtract(f, out)
		if !ok {
			p.fail(unsupported, c.from, c.to, "Should the products left out in %s be left out whatever their stock and price? An exception can have one condition, on categories or on SKUs.")
			return nil
		}
		left = append(left, parts...)
	}
	if len(left) == 0 {
		p.fail(contradiction, c.from, c.to, "Nothing is left of the products in %s. What is meant to change?")
	}
	return left
}

// leaveRest makes "everything else": what no rule before it speaks of.
func (p *parser) leaveRest(from []cut, c *clause, clauses []*clause, earlier []operation) []cut {
	spoken := false
	for _, op := range earlier {
		spoken = true
		if len(c.target.groups) == 0 && op.listed() && (!op.none() && (c.target.others || op.clause.sentence == c.sentence && english.LedByNames(p.symbols, c.from)) || c.target.ofThem) {
			p.fail(scope, c.from, c.to, "Which products are the rest in %s: everything else, or the rest of those that a rule before names? Say \"everything else\", or \"the rest of\" and the name.")
			return nil
		}
		if !op.listed() && op.none() && len(op.withoutCategories)+len(op.withoutSKUs) > 0 {
			from = p.restOfExclusion(from, op, c)
			continue
		}
		if op.withoutCategories != nil || op.withoutSKUs != nil {
			p.fail(scope, c.from, c.to, "Which products are the rest in %s? Name them.")
			return nil
		}
		from = p.leaveOut(from, op.rows, c)
	}
	for _, other := range clauses {
		if other == c {
			break
		}
		if other.excluding() && !other.target.everyRow() {
			spoken = true
			groups, _ := p.spread(other)
			for _, group := range groups {
				from = p.leaveOut(from, group, c)
			}
		}
	}
	if !spoken {
		p.fail(scope, c.from, c.to, "Which products are the rest in %s? No others are named before.")
	}
	return from
}

// restOfExclusion: the rest of "everything except yoga" is yoga.
func (p *parser) restOfExclusion(from []cut, op operation, c *clause) []cut {
	if len(from) != 1 || from[0].listed() || op.withoutCategories != nil && op.withoutSKUs != nil {
		p.fail(scope, c.from, c.to, "Which products are the rest in %s? Name them.")
		return nil
	}
	from[0].categories, from[0].skus = op.withoutCategories, op.withoutSKUs
	return from
}
