package grammar

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/planning/english"
)

// isHead reports whether the symbol at i names products.
func (p *parser) isHead(i int) bool {
	switch p.classAt(i) {
	case english.Name, english.Category, english.SKU, english.Product, english.Price, english.CatNoun, english.SKUNoun,
		english.Everything, english.Rest, english.Pronoun:
		return true
	}
	return false
}

// headAfter reports whether names of products follow at i, so that what comes
// before describes them.
func (p *parser) headAfter(i int) bool {
	i = p.after(i)
	if p.classAt(i) == english.All {
		return false
	}
	return p.isHead(i) && p.classAt(i) != english.Rest && p.classAt(i) != english.Pronoun && p.classAt(i) != english.Everything
}

// isTarget reports whether a target begins at i.
func (p *parser) isTarget(i int) bool {
	i = p.after(i)
	switch p.classAt(i) {
	case english.All:
		return p.isTarget(i+1) || p.classAt(p.after(i+1)) == english.Stock || p.forAll(i)
	case english.Only:
		return p.isTarget(i + 1)
	case english.Stock:
		return p.headAfter(i + 1)
	}
	return p.isHead(i)
}

func (p *parser) targetRule(c *clause) {
	start := p.pos
	p.target(c)
	if p.pos == start && p.failed == nil {
		p.unread(p.pos)
	}
}

// target reads what a clause speaks of: "all in-stock yoga products",
// "everything", "A101, A102 and C301". A clause may say it in two places: "the
// prices of yoga mats".
func (p *parser) target(c *clause) {
	t := &c.target
	var before conditions
	for p.failed == nil {
		symbol := p.symbols[p.pos]
		switch symbol.Class {
		case english.Noise:
		case english.All:
			if p.classAt(p.pos-1) == english.And && p.classAt(p.pos+1) == english.Stop { // "raise mugs by 5% and all"
				p.unread(p.pos)
				return
			}
			if c.inner && len(t.groups) > 0 { // "apart from A101 all mugs ..."
				p.settle(c, before)
				return
			}
			t.strong = true
		case english.Only:
			p.checkOnlyLast(c)
			c.restricted = true
		case english.Everything:
			if len(t.groups) > 0 && (c.copula || p.widens(c)) { // "mugs are great, so raise everything by 5%"
				p.fail(scope, c.from, p.pos+1, "Are all products meant in %s, or those named before? Write two sentences, or leave one out.")
				return
			}
			p.checkUnion(c)
			p.widensLast(c)
			t.strong, t.named, t.headed = true, true, true
		case english.Rest:
			p.rest(t)
		case english.Pronoun:
			if c.pending == english.Round && c.complete() && strings.HasPrefix(strings.ToLower(symbol.Text), "result") { // "everything in stock up 5%, and round the results"
				break
			}
			if c.complete() && len(t.groups) > 0 && c.looseAt == 0 { // "tea 5% and mugs 3%, for both only those in stock"
				c.looseAt = p.pos
			}
			t.topic = t.topic || p.takesUp(c)
			t.pronoun, t.named = true, true
			t.one = strings.EqualFold(symbol.Text, "it") || strings.EqualFold(symbol.Text, "its")
		case english.Price:
			p.checkUnion(c)
			t.price, t.named, t.headed = true, true, true
			t.one = strings.HasSuffix(strings.ToLower(symbol.Text), "price") && (t.one || !t.pronoun) // "their price" is of several
		case english.Product, english.CatNoun, english.SKUNoun:
			if strings.EqualFold(symbol.Text, "ones") && len(t.groups) == 0 && !p.takesUp(c) && !c.inner && !c.excluding() && p.classAt(p.pos+1) != english.Leave && !p.aloneAhead(p.pos) {
				t.ones = true
			}
			p.checkUnion(c)
			p.widensLast(c)
			t.named, t.headed = true, true
			if english.OneThing(p.symbols, p.pos) {
				t.noun = symbol.Class
			}
		case english.Stock:
			if !p.headAfter(p.pos+1) || before.stock != nil {
				p.settle(c, before)
				return
			}
			before.stock = stockValue(symbol)
			p.pos++
			continue
		case english.But:
			if !t.strong || !p.exclusionNext() {
				p.settle(c, before)
				return
			}
			p.pos++
			p.exclusion(c)
			continue
		case english.Name, english.Category, english.SKU:
			if p.before() == english.But && t.named && !c.inner { // "raise everything, but yoga by only 5%"
				p.fail(missingAmount, c.from, p.pos+1, "By how much should the products before \"but\" change in %s?")
				return
			}
			if symbol.Class == english.Name && (p.classAt(p.pos-1) == english.Everything || p.known == nil && p.classAt(p.pos-1) == english.Product && symbol.Sense == 0 || c.amountAt == p.pos-1 && c.complete() && t.strong && t.headed) { // everything sans yoga, the things Marta photographed
				p.unread(p.pos)
				return
			}
			if p.perhapsBeside(c) {
				p.fail(scope, c.from, p.pos+1, "Are the products before the comma of %s others than those after it, or what those must be? Write \"for products that are in stock\" before the rule, or a sentence for each.")
				return
			}
			start := p.pos
			groups, ok := p.list()
			if !ok {
				return
			}
			if p.announcesStock(start) && p.listed(start) {
				p.fail(scope, c.from, p.pos, "Are all names of %s of that stock, and does the rule hold for all? Write two sentences, or \"all in-stock mugs and hats\".")
				return
			}
			if !before.none() && p.listedAnew(start, p.pos) {
				p.fail(scope, c.from, p.pos, "Does the condition in %s belong to the first name only, or to all of them? For all write \"that are in stock\", or repeat it before each name.")
				return
			}
			groups[0].conditions = before
			before = conditions{}
			p.checkBracketed(c, start)
			p.checkBoth(groups, start)
			p.checkParted(c, start)
			if len(t.groups) == 0 && t.headed && !t.shared.none() && p.classAt(p.after(t.end)) == english.And {
				p.askOfUnion(c)
			}
			p.addRows(c, groups)
			continue
		default:
			p.settle(c, before)
			return
		}
		p.pos++
		if symbol.Class != english.Noise {
			t.end = p.pos
		}
	}
}

// takesUp reports whether the pronoun at p.pos stands for what its own clause
// began with: "anything over $30, drop it 20%", "of the items in stock, those over $20".
func (p *parser) takesUp(c *clause) bool {
	t := &c.target
	switch p.before() {
	case english.Up, english.Down, english.Do, english.Change, english.Times, english.Comma:
		return (t.named || t.strong) && (!t.shared.none() || len(c.stocks) > 0) && !t.pronoun
	}
	return false
}

// settle gives conditions said before "products" to the target.
func (p *parser) settle(c *clause, before conditions) {
	if before.none() {
		return
	}
	if c.looseAt == 0 && c.complete() && len(c.target.groups) > 0 { // "... and yoga by 5% for in-stock items"
		c.looseAt = max(c.from, p.pos-2)
	}
	p.addConditions(c, before, p.pos-1, p.pos)
}

func (p *parser) exclusionNext() bool {
	p.pos++
	ahead := p.exclusionAhead()
	p.pos--
	return ahead
}

func stockValue(symbol english.Symbol) *bool {
	value := symbol.Sense == english.InStock
	return &value
}

// everyOther are words for the rest that do not mean the rest of what was named.
var everyOther = lazyregexp.New(`(?i)thing|all else|any other|shop|store|catalog|range|inventory`)

func (p *parser) rest(t *target) {
	if len(t.groups) > 0 {
		p.fail(scope, p.pos, p.pos+1, "Which products are %s?")
		return
	}
	t.rest, t.named = true, true
	t.ofThem = strings.HasSuffix(strings.ToLower(p.symbols[p.pos].Text), "of them")
	t.others = !everyOther().MatchString(p.symbols[p.pos].Text) && !p.isHead(p.after(p.pos+1))
}

// addRows adds a list to the target: a second one only after a connector.
func (p *parser) addRows(c *clause, groups []rows) {
	t := &c.target
	if len(t.groups) > 0 && !c.listAnd || len(t.groups) == 0 && t.strong && t.named && c.listAnd {
		p.fail(unread, c.from, p.pos, "What does the last part of %s mean? If it names more products, join them with \"and\"; if not, say it in other words or leave it out.")
		return
	}
	if len(t.groups) > 0 && (c.options.min != nil || c.options.max != nil) && !c.acting() {
		p.fail(scope, c.from, p.pos, "Which products does the limit in %s hold for? Write a sentence for each limit.")
		return
	}
	t.groups = append(t.groups, groups...)
	t.named = true
	t.end = p.pos
	c.listAnd = false
}

// list reads "A101, A102 and C301" or "yoga and fitness products". A noun parts
// it into groups: conditions in "yoga products and mats under $20" may belong
// to one of them.
func (p *parser) list() ([]rows, bool) {
	groups := []rows{{}}
	for {
		r := &groups[len(groups)-1]
		if !p.item(r) {
			return nil, false
		}
		parted := false
		for p.classAt(p.pos) == english.Product || (p.classAt(p.pos) == english.Price || p.classAt(p.pos) == english.CatNoun) && p.listGoesOn(p.pos+1) {
			parted = parted || p.classAt(p.pos) != english.CatNoun
			p.pos++
		}
		next, more := p.nextItem(*r)
		if parted || !more {
			r.categories, r.skus = distinct(r.categories), distinct(r.skus)
		}
		if !more {
			return groups, p.failed == nil
		}
		if parted {
			groups = append(groups, rows{})
		}
		p.pos = next
	}
}

func (p *parser) listGoesOn(i int) bool {
	return p.classAt(i) == english.And || p.classAt(i) == english.Comma
}

// nextItem returns where the list goes on after connectors.
func (p *parser) nextItem(r rows) (int, bool) {
	i := p.pos
	linked := false
	for p.classAt(i) == english.And || p.classAt(i) == english.Comma && !isParenthesis(p.symbols[i].Text) {
		i, linked = i+1, true
	}
	if p.classAt(i-1) == english.Comma && (p.classAt(p.after(i)) == english.All || p.predicated(i)) && p.leadingException() {
		return 0, false // "except for A101, all mugs ..."
	}
	for p.classAt(i) == english.Noise || p.classAt(i) == english.All || p.classAt(i) == english.SKUNoun || p.classAt(i) == english.CatNoun || p.everythingIn(i) {
		i++
	}
	switch p.classAt(i) {
	case english.Name, english.Category, english.SKU:
	default:
		return 0, false
	}
	if p.classAt(p.pos) == english.Dash || !linked && (r.skus == nil || p.classAt(i) != english.SKU || i > p.pos) {
		return 0, false
	}
	if p.subjectOfNext(i) {
		return 0, false
	}
	p.checkJoint(i)
	p.checkChoice(i)
	return i, true
}

// checkChoice asks which is meant where "or" joins the names right after a verb:
// "lower hats or scarves". Both are what "5% off hats or scarves", "all hats or
// scarves" and "everything in hats or scarves" speak of.
func (p *parser) checkChoice(i int) {
	before := p.back(p.pos - 1)
	class := p.classAt(before)
	verb := class == english.Do || class == english.Change || (class == english.Up || class == english.Down) && p.symbols[before].Sense == english.Verb
	if verb && p.classAt(p.back(before)) != english.DoNot && strings.EqualFold(p.symbols[p.pos].Text, "or") {
		p.fail(unsupported, p.pos-1, i+1, "Which of the two is meant in %s? Where it is both, write \"and\".")
	}
}

// predicated reports whether the name at i is one that something is said of at
// once: "mugs get 5% off".
func (p *parser) predicated(i int) bool {
	if i = p.after(i); !p.isHead(i) {
		return false
	}
	for p.classAt(p.after(i+1)) == english.And && p.isName(p.after(p.after(i+1)+1)) { // tea and coffee get ...
		i = p.after(p.after(i+1) + 1)
	}
	switch p.classAt(p.after(i + 1)) {
	case english.Do, english.Copula, english.Amount:
		return true
	}
	return false
}

// leadingException reports whether the sentence begins with what it leaves out,
// and goes on with what is said of the rest. Before "raise all prices" it is a
// list.
func (p *parser) leadingException() bool {
	first := p.pos
	for p.classAt(first-1) != english.Stop {
		first--
	}
	for i := p.pos; p.classAt(i) != english.Stop; i++ {
		if (p.classAt(i) == english.Up || p.classAt(i) == english.Down) && p.symbols[i].Sense == english.Verb || p.classAt(i) == english.Everything {
			return false
		}
	}
	return p.classAt(p.after(first)) == english.Except
}

// everythingIn reports whether i is within "everything in", "anything that is in",
// "whatever we have in" or "bottles of", before a category: an item of a list like
// any other.
func (p *parser) everythingIn(i int) bool {
	for p.classAt(i) == english.In || p.classAt(i) == english.Of || p.classAt(i) == english.Rel {
		i--
	}
	in := i + 1
	if p.classAt(in) == english.Rel {
		in++
	}
	return (p.classAt(i) == english.Everything || p.classAt(i) == english.Product) && (p.classAt(in) == english.In || p.classAt(in) == english.Of) && p.classAt(p.after(in+1)) != english.SKU
}

func isParenthesis(text string) bool { return text == "(" || text == ")" || text == "[" }

// subjectOfNext tells "10% off yoga, fitness 5% off" from a list: after the amount of
// a rule, a name that an amount follows at once begins the next one.
func (p *parser) subjectOfNext(i int) bool {
	next := i + 1
	for p.classAt(next) == english.Product || p.classAt(next) == english.Price {
		next++
	}
	switch p.classAt(next) {
	case english.Amount, english.Copula:
		return p.reading.amount != nil
	case english.Alone: // "10% off mugs, A101 excepted"
		return p.reading.amount != nil && !p.leaves(i)
	}
	return false
}

// leaves reports whether the sentence up to i asks to leave something alone.
func (p *parser) leaves(i int) bool {
	for i--; p.classAt(i) != english.Stop; i-- {
		switch p.classAt(i) {
		case english.Leave, english.Skip, english.DoNot:
			return true
		}
	}
	return false
}

// item reads one name.
func (p *parser) item(r *rows) bool {
	symbol := p.symbols[p.pos]
	switch symbol.Class {
	case english.SKU:
		if english.IsRange(symbol.Text) || p.rangeOfSKUs() {
			p.fail(skuRange, p.pos, p.rangeEnd(), "%s is a range of SKUs. Which SKUs are meant? Name each one, for only the catalogue knows what lies between.")
			return false
		}
		r.skus = append(r.skus, symbol.Text)
	case english.Category:
		r.categories = append(r.categories, symbol.Text)
	default:
		name, ok := p.name(symbol)
		if !ok {
			return false
		}
		r.categories = append(r.categories, name)
	}
	p.pos++
	return true
}

func (p *parser) rangeOfSKUs() bool {
	return p.rangeEnd() > p.pos+1
}

// rangeEnd returns the end of "A101 to A110" and its like, or of one SKU.
func (p *parser) rangeEnd() int {
	next := p.after(p.pos + 1)
	switch class := p.classAt(next); {
	case class == english.To, class == english.Dash, class == english.Comma && isDash(p.symbols[next].Text), p.symbols[min(next, len(p.symbols)-1)].Text == "..",
		class == english.Name && strings.EqualFold(firstWord(p.symbols[next].Text), "through"), class == english.Name && strings.EqualFold(firstWord(p.symbols[next].Text), "thru"):
		last := p.after(next + 1)
		if p.classAt(last) == english.SKUNoun {
			last = p.after(last + 1)
		}
		if p.classAt(last) == english.SKU {
			return last + 1
		}
	}
	return p.pos + 1
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// addConditions limits the rows of the target further.
func (p *parser) addConditions(c *clause, more conditions, from, to int) {
	merged, ok := merge(c.target.shared, more)
	if !ok {
		p.fail(contradiction, from, to, "No product fulfils all the conditions up to %s. Which of them is meant?")
		return
	}
	c.target.shared = merged
	c.target.end = to
	if banded(more) {
		c.target.bandEnd = to
	}
	if more.stock == nil {
		c.target.named = c.target.named || c.restricted
	}
}

func (p *parser) addBounds(c *clause, low, high *english.Value, from, to int) {
	if low.Unit == english.Percent || high.Unit == english.Percent {
		p.fail(vagueAmount, from, to, "%s is a range. Which one number is meant?")
		return
	}
	if p.timesPerhaps(c, *low, *high) {
		p.askOfTimes(from, to)
		return
	}
	p.markLoose(c)
	p.addConditions(c, conditions{gte: &low.Number, lte: &high.Number}, from, to)
}

// merge is the conjunction of conditions; ok is false where nothing is left.
func merge(a, b conditions) (conditions, bool) {
	switch {
	case a.stock == nil:
		a.stock = b.stock
	case b.stock != nil && *a.stock != *b.stock:
		return a, false
	}
	if a.gte == nil || b.gte != nil && b.gte.Cmp(*a.gte) > 0 {
		a.gte = b.gte
	}
	if a.lte == nil || b.lte != nil && b.lte.Cmp(*a.lte) < 0 {
		a.lte = b.lte
	}
	return a, a.gte == nil || a.lte == nil || a.gte.Cmp(*a.lte) <= 0
}

// distinct takes out of a list what it repeats.
func distinct(list []string) []string {
	if len(list) < 2 {
		return list
	}
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool {
		again := seen[s]
		seen[s] = true
		return again
	})
}
