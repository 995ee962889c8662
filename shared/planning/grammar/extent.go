package grammar

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/planning/english"
)

// What is asked here is how far a list of products goes: where its conditions
// and exceptions end, and whether two names are one.

// listedAnew reports whether a name of the list between two symbols begins as
// the first one may have begun, so that a condition before the list may not
// reach it: "in-stock mugs and all lamps".
func (p *parser) listedAnew(from, to int) bool {
	for i := from + 1; i < to; i++ {
		switch p.classAt(i) {
		case english.All, english.Everything:
			return true
		case english.Noise:
			if determiners().MatchString(p.symbols[i].Text) {
				return true
			}
		}
	}
	return false
}

// checkBracketed asks about names in brackets after names, from the symbol that
// they begin at: "mugs (A101)" is A101 alone, or both.
func (p *parser) checkBracketed(c *clause, from int) {
	at := from - 1
	for p.classAt(at) == english.SKUNoun || p.classAt(at) == english.CatNoun || p.classAt(at) == english.All {
		at--
	}
	if p.classAt(at) == english.And {
		at--
	}
	opening := p.symbols[max(at, 0)].Text
	apart := len(c.target.groups) == 0 && (!p.linkedClause(c) || p.symbols[p.pos].Text != ")") // not "mugs up 5% (and hats), lamps up 3%"
	if opening != "(" && opening != "[" || apart || p.class() == english.Noise {
		return
	}
	p.fail(scope, at-1, p.pos, "Are the names in brackets of %s meant besides the one before, or instead of it? Write all names with \"and\", or only those that are meant.")
}

// checkButLast asks about what "but" right after "everything" parts from its amount
// by a comma, or gives a price, for that may be left out: "5% off everything but
// sofas, chairs 3% off".
func (p *parser) checkButLast(c, before *clause) {
	if !c.but || before == nil || before.sentence != c.sentence || !before.target.strong || p.classAt(c.from-1) != english.But || p.classAt(c.from-2) != english.Everything {
		return
	}
	parted := slices.ContainsFunc(p.symbols[c.from:max(c.from, c.target.end)], func(s english.Symbol) bool { return s.Class == english.Comma })
	if parted || c.role == english.At {
		p.fail(scope, before.from, c.to, "Is what follows \"but\" in %s left out, or a rule of its own? Write two sentences.")
	}
}

// checkBoth asks about one name after "both": "raise both teas".
func (p *parser) checkBoth(groups []rows, from int) {
	for from--; p.classAt(from) == english.Noise; from-- {
	}
	if strings.EqualFold(p.symbols[max(from, 0)].Text, "both") && len(groups) == 1 && len(groups[0].categories)+len(groups[0].skus) == 1 && p.class() != english.But {
		p.fail(scope, from, p.pos, "Which two are meant by %s? Name both of them.")
	}
}

// tooSaid are words that join products to a rule before.
var tooSaid = map[string]bool{"too": true, "also": true, "as well": true}

// linkedClause reports whether a rule stands before the clause in its sentence.
func (p *parser) linkedClause(c *clause) bool {
	return len(p.clauses) > 0 && p.clauses[len(p.clauses)-1].sentence == c.sentence
}

// checkUnion asks about products that are joined to names: "books and anything
// under $10" is more than the books under $10.
func (p *parser) checkUnion(c *clause) {
	i := p.pos - 1
	for p.classAt(i) == english.All || p.classAt(i) == english.Noise || p.classAt(i) == english.Stock {
		i--
	}
	if len(c.target.groups) > 0 && p.classAt(i) == english.And {
		p.askOfUnion(c)
	}
	p.checkReceiver(c)
}

// checkReceiver asks where what is given something off is no product, for those are
// named after it: "give trade accounts $5 off every item".
func (p *parser) checkReceiver(c *clause) {
	if (c.word == "give" || getting[c.word]) && c.complete() && len(c.target.groups) > 0 && p.classAt(p.back(p.pos)) == english.All {
		p.fail(scope, c.from, p.pos+1, "Who gets %s, and off which products? A plan changes the price for everybody: name the products once.")
	}
}

func (p *parser) askOfUnion(c *clause) {
	p.fail(scope, c.from, p.pos+1, "Does the condition in %s belong to all that is named, or to some of it? Write a sentence for each.")
}

// checkParted asks about names that a direction parts from those before them:
// "tea up, coffee 3%".
func (p *parser) checkParted(c *clause, from int) {
	if len(c.target.groups) == 0 {
		return
	}
	for i := c.target.end; i < from; i++ {
		if tooSaid[strings.ToLower(p.symbols[i].Text)] && !c.acting() && p.linkedClause(c) {
			p.fail(scope, c.from, i+1, "What should happen to %s: the same as in the rule before, or after? Say it in the rule.")
			return
		}
		if class := p.classAt(i); class == english.Up || class == english.Down {
			p.fail(missingAmount, c.from, i+1, "By how much? %s names no amount.")
			return
		}
	}
}

// checkJoint asks about "Home & Garden" and "bath - towels": one name or two.
func (p *parser) checkJoint(i int) {
	if !p.isName(i-2) || p.known != nil && p.classAt(i) == p.classAt(i-2) {
		return
	}
	joint := p.symbols[i-1].Text
	bothNames := p.classAt(i) == english.Name && p.classAt(i-2) == english.Name
	if isDash(joint) || (joint == "&" || joint == "/") && bothNames && capital(p.symbols[i].Text) && capital(p.symbols[i-2].Text) {
		p.fail(unknownWords, i-2, i+1, "Is %s one category or two? Write one in quotation marks, or two with \"and\".")
	}
}

// checkOpened asks about a name that a sentence sets before the products that it
// says something of: "in theory, mugs up 5%", "for staff, mugs are 5% off", "draft,
// mugs up 5%". What leads a rule ends in a comma, a colon or a verb, and "and" joins
// the last of a list, if it is one of two: "for mugs, hats and gloves, 5% off", "tea
// and mugs up 5%".
func (p *parser) checkOpened(c *clause) {
	first := p.after(c.from)
	opened := p.classAt(first) == english.For || p.classAt(first) == english.In || p.classAt(first) == english.Of || p.classAt(first) == english.From
	if opened {
		first = p.after(first + 1)
	}
	for p.classAt(first) == english.All {
		first = p.after(first + 1)
	}
	if p.classAt(first) != english.Name && !(opened && p.isName(first)) || p.classAt(first+1) != english.Comma {
		return
	}
	end, list := first+1, false
	for ; p.listGoesOn(end) || p.isName(end); end++ {
		list = list || p.classAt(end) == english.And || p.classAt(end) == english.Comma && end > first+1
	}
	class, next := p.classAt(end), p.classAt(p.after(end+1))
	if class == english.Do && (next == english.Up || next == english.Down) { // go up
		class, next = next, p.classAt(p.after(end+1)+1)
	}
	moves := (class == english.Up || class == english.Down) && (next == english.Amount || next == english.By || p.symbols[end].Sense == english.Particle)
	if (moves || class == english.Copula || class == english.Amount) && p.isName(end-1) && (opened || !list) {
		p.fail(scope, c.from, end, "Is the first of %s a name like the others, or does it only say when or for whom? Write \"and\" before the last name of a list, and a colon after it.")
	}
}

func capital(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

// checkTurn asks about an amount of money alone, after a rule that changes prices
// and one that sets them: "set tea to $5, coffee up 3%, mugs $2".
func (p *parser) checkTurn(c, before *clause) {
	if before == nil || before.sentence != c.sentence || c.ownWords() || c.role != 0 || c.amount == nil || c.amount.Unit == english.Percent || c.amount.Sign != 0 || before.setting || !before.lead {
		return
	}
	for _, other := range p.clauses {
		if other.sentence == c.sentence && other.from < before.from && other.setting && other.sets() {
			p.fail(missingDirection, other.from, c.to, "Is the last amount of %s a new price, or a change? Say \"to\" for the new price, or \"by\" for the change.")
			return
		}
	}
}

// checkShared asks where a direction after the last amount may be that of the one
// before it too: "mugs are $2 and hats $3 cheaper".
func (p *parser) checkShared(c, before *clause) {
	if before == nil || before.sentence != c.sentence || before.role != english.Copula || before.suffix || before.amount == nil || before.amount.Unit != english.Money {
		return
	}
	if c.suffix && !c.ownVerb && !c.copula && c.role == 0 && c.amount != nil && c.amount.Unit == english.Money {
		p.fail(scope, before.from, c.to, "Does the last word of %s speak of both amounts, or of the last one? Say it after each.")
	}
}

// checkOnlyLast asks about "only if" right after the last name of a list with
// commas: "5% off mugs, and lamps only if in stock".
func (p *parser) checkOnlyLast(c *clause) {
	next := p.classAt(p.pos + 1)
	comma := func(s english.Symbol) bool { return s.Class == english.Comma }
	if (next == english.If || next == english.Stock) && p.trails(c, p.pos) && slices.ContainsFunc(p.symbols[c.from:p.pos], comma) {
		p.fail(scope, c.from, p.pos+2, "Does the condition in %s belong to the last name only, or to all of them? For all write \"that are in stock\".")
	}
}

// atBefore reports whether the clause before in the sentence has a price after
// "at" and no verb, as this one: "mugs at $5, lamps at $10: +5%".
func (p *parser) atBefore(c *clause) bool {
	if !p.linkedClause(c) {
		return false
	}
	before := p.clauses[len(p.clauses)-1]
	return before.role == english.At && !before.ownWords()
}

// atAgain reports whether the next amount of the sentence from i on stands after
// "at" too: "everything at $5 except mugs at $6".
func (p *parser) atAgain(i int) bool {
	for p.classAt(i) != english.Amount && p.classAt(i) != english.Stop {
		i++
	}
	return p.classAt(i-1) == english.At
}

// timesPerhaps reports whether a range after a rule may be one of hours or days:
// "5% off mugs from 5 to 7".
func (p *parser) timesPerhaps(c *clause, low, high english.Value) bool {
	return c.complete() && low.Unit == english.NoUnit && high.Unit == english.NoUnit
}

func (p *parser) askOfTimes(from, to int) {
	p.fail(schedule, from, to, "Are prices meant by %s, or times? A plan is carried out once; write prices with a currency.")
}

// rangesSubject reports whether a range of prices stands at p.pos between names
// that begin the sentence and its verb, and so tells of all of them: "mugs and
// hats between $5 and $9 get 5% off".
func (p *parser) rangesSubject(c *clause) bool {
	if p.class() != english.Between || p.classAt(c.from-1) != english.Stop || len(c.target.groups) != 1 || !p.isName(p.after(c.from)) {
		return false
	}
	if slices.ContainsFunc(p.symbols[c.from:p.pos], func(s english.Symbol) bool { return s.Class == english.All }) {
		return false
	}
	_, _, end := p.readBound(p.pos)
	switch p.classAt(p.after(end)) {
	case english.Do, english.Copula:
		return true
	}
	return false
}

// forAll reports whether "all" at i, after a preposition, is of the shop where nothing
// was named before: "5% off for all", "10% off on all except mugs".
func (p *parser) forAll(i int) bool {
	before := p.back(i)
	on := p.classAt(before) == english.In && strings.EqualFold(p.symbols[before].Text, "on")
	if !on && p.classAt(before) != english.For || !strings.EqualFold(p.symbols[i].Text, "all") {
		return false
	}
	switch p.classAt(p.after(i + 1)) {
	case english.Stop, english.Comma, english.Except, english.But:
		return !slices.ContainsFunc(p.symbols[:i], func(s english.Symbol) bool { return isNamed(s.Class) || s.Class == english.Stock })
	}
	return false
}

// widens reports whether "everything" at p.pos may be more than the products of its
// clause: "if mugs are in stock, raise everything", "raise mugs by 5% and cap everything
// at $9", "mugs, everything up 5%".
func (p *parser) widens(c *clause) bool {
	switch p.before() {
	case english.Cap, english.Floor:
		return c.complete()
	}
	switch first := p.classAt(p.after(c.from)); first {
	case english.If:
		return true
	case english.For, english.In, english.Of, english.From: // in mugs, everything up 5%
	default:
		before := p.back(p.pos)
		if p.acts(before) {
			before = p.back(before)
		}
		if p.classAt(before) == english.Comma && p.symbols[before].Text == "," && !strings.HasPrefix(strings.ToLower(p.symbols[p.pos].Text), "all of ") {
			return true
		}
	}
	return (c.word == "get" || c.word == "gets" || c.word == "receive" || c.word == "receives") && c.amount != nil // "seniors get 5% off everything"
}

// perhapsBeside reports whether the name at p.pos follows products that a condition
// tells, after a comma, and may be one of those or another: "in-stock items, mugs up 5%".
func (p *parser) perhapsBeside(c *clause) bool {
	if !c.target.headed || len(c.target.groups) > 0 || c.acting() || c.inner || p.classAt(p.back(p.pos)) != english.Comma {
		return false
	}
	switch p.classAt(p.after(c.from)) {
	case english.Stock, english.Product, english.All:
		return true
	}
	return false
}

// announcesStock reports whether nothing but a stock and a colon stands before symbol i
// in its sentence: "sold out: mugs, hats 5% off".
func (p *parser) announcesStock(i int) bool {
	colon := p.back(i)
	stock := p.back(colon)
	return p.classAt(colon) == english.Colon && p.classAt(stock) == english.Stock && p.startsSentence(stock)
}

// listed reports whether the names from symbol i to p.pos are several.
func (p *parser) listed(i int) bool { return slices.ContainsFunc(p.symbols[i:p.pos], joinsNames) }

func joinsNames(s english.Symbol) bool { return s.Class == english.Comma || s.Class == english.And }
