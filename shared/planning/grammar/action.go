package grammar

import (
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// bareSetters may be followed by a price without "to": make yoga $15.
var bareSetters = map[string]bool{"set": true, "make": true, "charge": true, "reprice": true, "reset": true, "setting": true, "making": true, "use": true, "charging": true, "start charging": true, "begin charging": true}

// putting are verbs that give products a stock as well as a price.
var putting = map[string]bool{"make": true, "mark": true, "set": true, "put": true}

// getting are verbs that say nothing of a percentage after them but whose it is.
var getting = map[string]bool{"get": true, "gets": true, "receive": true, "receives": true, "take": true, "takes": true, "see": true, "sees": true, "have": true, "has": true}

// inherit gives a clause without a verb the one of the clause before it in the
// sentence: "raise yoga by 10% and fitness by 5%".
func (c *clause) inherit(before *clause) {
	goesOn := before != nil && (before.sentence == c.sentence || c.role == english.By || c.otherwise)          // "Raise yoga by 5%; fitness by 6%."
	gets := c.setting && getting[c.word] && c.role == 0 && c.amount != nil && c.amount.Unit == english.Percent // "mugs 10% off, hats get 15%"
	if !goesOn || c.stockSaid() || c.up || c.down || c.setting && !gets || c.changing || c.copula || c.times != 0 {
		return
	}
	signed := c.amount != nil && c.amount.Sign != 0
	price := c.amount != nil && c.amount.Unit != english.Percent && !before.lead && c.role != english.By // "tea $2 cheaper, coffee $10"
	if !signed && !price && !before.wasSet() {
		c.up, c.down, c.lead = before.up, before.down, before.up || before.down
	}
	if !gets {
		c.setting, c.changing, c.word = before.setting, before.changing, before.word
	}
	if c.otherwise && c.role == 0 && before.sets() { // "to $5 if it is in stock, otherwise $4"
		c.role = before.role
	}
	if before.copula {
		c.copula = true
		if price && !signed && c.role == 0 && before.obliges && !before.up && !before.down { // "tea should be $5 and coffee $6"
			c.role = before.role
		}
	}
}

// checkDash asks about a dash before the amount of a rule that goes on with the rise
// of another, for it may be a minus: "mugs up 5%, hats - 3%".
func (p *parser) checkDash(c, before *clause) {
	dashed := func(c *clause) bool { return c.amount != nil && isDash(p.symbols[max(c.amountAt-1, 0)].Text) }
	if c.up && before != nil && before.sentence == c.sentence && dashed(c) && !dashed(before) && c.role == 0 && !c.ownVerb && c.amount.Sign == 0 {
		p.fail(missingDirection, c.from, c.to, "Is the dash in %s a minus? Say \"up\" or \"down\" before the amount.")
	}
}

// checkMeasure asks where an amount after another may be measured by that: "mugs up
// 10%, hats 2% less", "mugs up 10%, hats half".
func (p *parser) checkMeasure(c, before *clause) {
	if before == nil || before.sentence != c.sentence || c.amount == nil || before.amount == nil || c.ownVerb || !before.up && !before.down {
		return
	}
	part := c.amount.Fraction && !before.amount.Fraction && !c.up && !c.down
	last := p.symbols[max(c.amountAt-1, 0)]
	further := last.Class == english.Noise && last.Sense == english.Extra && !before.extra && c.target.named && c.target.end <= c.amountAt // "hats another 2%"
	if part || (further || comparedAt(p.symbols, c) && !comparedAt(p.symbols, before)) && c.amount.Unit == before.amount.Unit {
		p.fail(scope, before.from, c.to, "Is the last amount of %s a change of the price, or is it measured by the change before it? Write each change with its own \"by\" and direction.")
	}
}

// comparedAt reports whether a clause says "more" or "less" after its amount.
func comparedAt(symbols []english.Symbol, c *clause) bool {
	after := strings.ToLower(symbols[c.amountAt+1].Text)
	return c.suffix && (after == "more" || after == "less")
}

// wasSet reports whether the clause set a price, so that its direction does
// not carry over: "lower yoga to $15 and fitness to $20" sets both.
func (c *clause) wasSet() bool { return c.role == english.To && c.amount != nil && !c.suffix }

// resolveStock parts what is to be set from what is a condition.
func (p *parser) resolveStock(c *clause) *bool {
	var value *bool
	priced := c.amount != nil || c.times != 0
	for i, m := range c.stocks {
		sets := m.set || !priced && i == len(c.stocks)-1 && c.givesStock()
		if !sets && priced && (putting[c.word] && c.role == english.At || (c.word == "make" || c.word == "mark" || c.word == "" && c.role == english.At) && p.isHead(m.at-1)) { // "make A101 in stock at $20"
			p.fail(scope, c.from, c.to, "Should the stock be set as well in %s, or are only products with that stock meant? Write two rules, or \"that are in stock\".")
			return nil
		}
		if !sets && priced && !c.restricted && p.isHead(m.at-1) && p.classAt(m.at+1) == english.And && p.moves(p.after(m.at+2)) { // "A101 out of stock and up 5%"
			p.fail(scope, c.from, c.to, "Should the stock be set as well in %s, or are only products with that stock meant? Write two rules, or \"that are in stock\".")
			return nil
		}
		prior := p.classAt(m.at - 1)
		newPrice := c.amount != nil && c.amount.Sign == 0 && !c.up && !c.down && !c.restricted
		if !sets && m.loose && (prior == english.And || prior == english.Then || prior == english.Comma && newPrice) { // "list tea at $5 and in stock", "A101: $5, in stock"
			p.fail(scope, c.from, c.to, "Should the stock be set as well in %s, or are only products with that stock meant? Write two rules, or \"that are in stock\".")
			return nil
		}
		if !sets && (allSaid(p.symbols[m.at]) || m.loose && !m.value && !c.restricted && p.classAt(m.at-1) == english.Comma && strings.Contains(",(", p.symbols[m.at-1].Text)) { // "raise tea by 5% and mugs by 3%, all sold out"
			p.fail(scope, c.from, c.to, "Are only products meant that are so in %s, or should they become so? Write \"that are sold out\", or a rule of its own.")
			return nil
		}
		if !sets {
			if m.loose && c.looseAt == 0 {
				c.looseAt = m.at
			}
			if p.trails(c, m.at) {
				p.fail(scope, c.from, c.to, "Does the condition in %s belong to the last name only, or to all of them? For all write \"that are in stock\".")
				return nil
			}
			stock := m.value
			p.addConditions(c, conditions{stock: &stock}, m.at, m.at+1)
			continue
		}
		if p.onlyWished(c, m) {
			p.fail(nothingToDo, c.from, c.to, "Should the stock be set, or does %s only ask or wish that it be so? Begin with \"mark\" and write \"as in stock\" or \"as sold out\".")
			return nil
		}
		if value != nil || priced {
			p.fail(contradiction, c.from, c.to, "%s asks for two things at once. Which is meant? Two rules can stand in two sentences.")
		}
		stock := m.value
		value = &stock
	}
	return value
}

// oneOf reports whether a clause speaks of one product of a category: a mug is sold
// out.
func (p *parser) oneOf(c *clause) bool {
	for i := c.from; i+1 < c.to; i++ {
		if text := p.symbols[i].Text; p.classAt(i) == english.Noise && (strings.EqualFold(text, "a") || strings.EqualFold(text, "an")) && (p.classAt(i+1) == english.Name || p.classAt(i+1) == english.Category) {
			return true
		}
	}
	return false
}

// adds reports whether the verb of a clause is one of what a shop did not have: "list a
// mug for $5".
func (p *parser) adds(c *clause) bool {
	return slices.ContainsFunc(p.symbols[c.from:c.to], func(s english.Symbol) bool {
		return s.Class == english.Do && (strings.EqualFold(s.Text, "list") || strings.EqualFold(s.Text, "offer"))
	})
}

// moves reports whether a rise or fall begins at i.
func (p *parser) moves(i int) bool {
	return p.classAt(i) == english.Up || p.classAt(i) == english.Down || p.classAt(i) == english.Amount
}

// action decides what a clause does to its rows.
func (p *parser) action(c *clause) plan.Action {
	stock := p.resolveStock(c)
	switch {
	case p.failed != nil:
	case p.nounVerb(c):
		p.fail(unread, c.from, c.to, "Is the first word of %s part of a category's name? Then write the name in quotation marks; otherwise begin with a verb such as raise, lower or set.")
	case stock != nil && (c.up || c.down):
		p.fail(contradiction, c.from, c.to, "Does %s change prices or the stock? Two rules can stand in two sentences.")
	case stock != nil && p.oneOf(c):
		p.fail(scope, c.from, c.to, "Is one product meant in %s, or all of that category? Name its SKU, or write \"all\".")
	case stock != nil:
		return plan.Action{Type: plan.SetStock, Stock: *stock}
	case p.adds(c) && p.oneOf(c):
		p.fail(scope, c.from, c.to, "Is a new product meant in %s? A plan changes the products that the file has, and adds none.")
	case c.times != 0:
		return p.multiple(c)
	case p.namesStock(c):
		p.fail(outsideData, c.from, c.to, "Is a number of items meant in %s? A plan knows whether products are in stock, and not how many.")
	case c.amount == nil:
		p.fail(missingAmount, c.from, c.to, "By how much, or to what price? %s names no amount.")
	case c.amount.Currency.Several():
		p.fail(contradiction, c.from, c.to, "Two currencies are named in %s. Which is meant?")
	default:
		action := p.priced(c)
		p.noteBlank(c)
		return action
	}
	return plan.Action{}
}

// multiple is half price, double and the like.
func (p *parser) multiple(c *clause) plan.Action {
	if slices.ContainsFunc(p.symbols[c.from:c.to], func(s english.Symbol) bool {
		return s.Class == english.Noise && strings.EqualFold(s.Text, "the stock of")
	}) {
		p.fail(outsideData, c.from, c.to, "Is a number of items meant in %s? A plan knows whether products are in stock, and not how many.")
	}
	if c.times > 0 && c.down || c.times < 0 && c.up {
		p.fail(contradiction, c.from, c.to, "Is %s a rise or a fall of the price?")
	}
	if c.times < 0 {
		return plan.Action{Type: plan.PercentDecrease, Value: whole(-c.times)}
	}
	return plan.Action{Type: plan.PercentIncrease, Value: whole(c.times)}
}

// namesStock reports whether the clause is about the stock, as in "set the status
// of mugs to 25".
func (p *parser) namesStock(c *clause) bool {
	return slices.ContainsFunc(p.symbols[c.from:c.to], func(s english.Symbol) bool { return s.Class == english.Noise && s.Sense == english.Status })
}

func whole(n int) plan.Decimal { return plan.MustDecimal(big.NewInt(int64(n)).String()) }

// priced decides between changing a price by the amount and setting it.
func (p *parser) priced(c *clause) plan.Action {
	value := *c.amount
	up, down := c.up || value.Sign > 0, c.down || value.Sign < 0
	up = up || english.Puts(p.symbols, c.amountAt)
	up = up || c.extra && !down && (c.word == "charge" || c.word == "need" || c.word == "needs" || c.copula || p.extraFor(c))
	if value.Sign < 0 && c.up || value.Sign > 0 && c.down || up && down || value.Sign < 0 && c.down {
		p.fail(contradiction, c.from, c.to, "Is %s a rise or a fall of the price?")
		return plan.Action{}
	}
	switch {
	case c.extra && !up && !down:
		p.fail(missingDirection, c.from, c.to, "Is the amount in %s added to the price or taken off it?")
		return plan.Action{}
	case value.Sign < 0 && c.sets() && c.role != english.Colon && (value.Unit != english.Percent || c.setting):
		p.fail(contradiction, c.from, c.to, "A price cannot be below 0. Is %s a fall of the price by that amount?")
		return plan.Action{}
	case value.Unit == english.NoUnit && c.role == english.Colon && !up && !down && !c.target.one: // "new price for A101: 12.40" is one
		p.fail(missingUnit, c.from, c.to, "Is "+value.Number.String()+" in %s the new price, or a change in percent? Write $"+value.Number.String()+", or +"+value.Number.String()+"%.")
		return plan.Action{}
	case c.portion && value.Unit == english.NoUnit:
		p.fail(missingUnit, c.from, c.to, "Is "+value.Number.String()+" in %s the new price, or a part of the price? Write $"+value.Number.String()+", or the part in percent.")
		return plan.Action{}
	case value.Unit == english.Percent:
		return p.percent(c, up, down)
	case up || down:
		if c.lead && !c.suffix && c.role == english.To {
			return p.set(c)
		}
		return p.fixed(c, up)
	case c.sets() && (c.role != 0 || c.amountAt == 0 || !isDash(p.symbols[max(c.amountAt-1, 0)].Text)): // "set mugs - 5"
		return p.set(c)
	case value.Unit == english.Money && (p.priceList() || p.priceFor(c) || p.priceEach(c)):
		return p.set(c)
	case value.Unit == english.NoUnit && c.changing:
		p.fail(missingUnit, c.from, c.to, "Up or down, and is it percent or an amount of money? For example: \"increase by "+value.Number.String()+"%\" or \"set to $"+value.Number.String()+"\".")
	default:
		p.fail(missingDirection, c.from, c.to, "Up, down, or to that price? %s does not say. For example: \"increase by $"+value.Number.String()+"\" or \"set to $"+value.Number.String()+"\".")
	}
	return plan.Action{}
}

// extraFor reports whether a clause begins with an extra amount of money that is
// for products: "another five cents for mugs".
func (p *parser) extraFor(c *clause) bool {
	first := p.after(c.from)
	return c.amountAt == first && c.amount.Unit == english.Money && (p.classAt(first+1) == english.For || p.classAt(first+1) == english.In) && p.classAt(first-1) == english.Noise && p.symbols[first-1].Sense == english.Extra && p.startsSentence(first) && c == p.clauses[0]
}

// nounVerbs are verbs that begin names as well: place mats, set squares. Prices
// are not changed by them.
var nounVerbs = map[string]bool{"place": true, "label": true, "set": true, "switch": true, "list": true, "show": true, "flag": true, "tag": true, "turn": true, "charge": true, "use": true, "touch": true, "push": true, "end": true, "class": true, "finish": true, "run": true, "go": true, "see": true}

// nounVerb reports whether the verb that a clause begins with could be the
// first word of the unknown name after it.
func (p *parser) nounVerb(c *clause) bool {
	first := p.after(c.from)
	if c.suffix && strings.EqualFold(p.symbols[first].Text, "down") && p.isName(first+1) { // "down jackets 5% off"
		return true
	}
	if p.known != nil || p.classAt(first+1) != english.Name || p.symbols[first+1].Sense == english.InQuotes || strings.Contains(p.symbols[first].Text, " ") || c.role == english.To {
		return false
	}
	if nounVerbs[strings.ToLower(p.symbols[first].Text)] && c.role != english.At && !c.onSale && (c.up || c.down || c.copula) {
		return true
	}
	verb := (p.classAt(first) == english.Up || p.classAt(first) == english.Down) && (p.symbols[first].Sense == english.Verb || strings.EqualFold(p.symbols[first].Text, "down"))
	return c.role == english.Colon && c.suffix && verb
}

// sets reports whether the words before the amount make it a new price.
func (c *clause) sets() bool {
	switch c.role {
	case english.To, english.Copula, english.At, english.Colon:
		return true
	case english.For:
		return c.word != "give" && c.word != "take"
	case english.Of:
		return c.setting && c.target.price
	case 0:
		return c.setting && bareSetters[c.word]
	}
	return false
}

// priceEach reports whether a clause is its products and what each costs: "mugs, $6
// each".
func (p *parser) priceEach(c *clause) bool {
	return p.classAt(c.amountAt+1) == english.All && strings.EqualFold(p.symbols[c.amountAt+1].Text, "each") && !c.ownWords() && c.role == 0 && len(c.target.groups) > 0
}

// allOf reports whether the amount of money at i stands right after "all", which no
// products before it are, so that it may be what they cost: "lower all $5 prices", "drop
// all $5".
func (p *parser) allOf(i int) bool {
	value := p.symbols[i].Amount
	return p.classAt(i-1) == english.All && strings.EqualFold(p.symbols[i-1].Text, "all") && value.Unit == english.Money && value.Sign == 0 && !p.isHead(p.back(i-1))
}

// priceFor reports whether a clause begins with its price: "$25 for all hoodies".
func (p *parser) priceFor(c *clause) bool {
	first := p.after(c.from)
	return c.amountAt == first && p.classAt(first+1) == english.For && !c.ownVerb && !c.setting && !c.changing && !c.copula && c.role == 0
}

// readPriceList reports whether the instruction is a list of products with their
// prices and no word that says what to do: "A101 $20, A102 $15". For one
// category it could be a change.
func (p *parser) readPriceList() bool {
	rules, skus, all := 0, true, p.known != nil
	for _, c := range p.clauses {
		switch {
		case c.heads != nil && !c.acting() && c.target.everyRow(): // "new prices:"
		case c.excluding():
		case c.up || c.down || c.setting || c.changing || c.copula || c.times != 0 || len(c.stocks) > 0 || c.role != 0:
			return false
		case c.amount == nil || c.amountAt != c.target.end || c.amount.Unit != english.Money || c.amount.Sign != 0:
			return false
		default:
			rules++
			all = all && c.target.strong && len(c.target.groups) > 0 // "all earrings $12"
			for _, group := range c.target.groups {
				skus = skus && group.categories == nil
			}
		}
	}
	return (rules > 1 || skus && rules > 0 || rules == 1 && all) && !p.announcesChanges()
}

// announcesChanges reports whether filler says that prices are changed by what
// follows: "price changes: A101 $2".
func (p *parser) announcesChanges() bool {
	for i := range p.symbols {
		if s := &p.symbols[i]; s.Class == english.Noise && strings.Contains(strings.ToLower(s.Text), "change") {
			return true
		}
	}
	return false
}

func (p *parser) percent(c *clause, up, down bool) plan.Action {
	value := c.amount.Number
	toPercent := c.role == english.To && c.lead
	switch {
	case c.portion && c.sets() && !c.suffix && c.amount.Sign == 0:
		return p.portion(c, up, down)
	case !up && !down:
		p.fail(missingDirection, c.from, c.to, "Up or down? %s does not say. For example: \"increase by "+value.String()+"%\" or \"decrease by "+value.String()+"%\".")
	case toPercent || c.role == english.At && c.lead && !c.suffix && !c.setting:
		p.fail(unread, c.from, c.to, "A price cannot become a percentage. Is a change by "+value.String()+"% meant in %s?")
	case value.IsZero():
		p.fail(nothingToDo, c.from, c.to, "A change of 0% changes nothing. What should %s do?")
	case down && value.Cmp(whole(100)) >= 0:
		p.fail(fullDecrease, c.from, c.to, "A decrease of 100% or more leaves no price. How much should remain after %s?")
	case up:
		return plan.Action{Type: plan.PercentIncrease, Value: value}
	}
	return plan.Action{Type: plan.PercentDecrease, Value: value}
}

// portion reads "to 80% of its current price" as the fall that it is.
func (p *parser) portion(c *clause, up, down bool) plan.Action {
	change, rises := c.amount.Apart()
	switch {
	case rises && down || !rises && up:
		p.fail(contradiction, c.from, c.to, "Is %s a rise or a fall of the price?")
	case !down && !rises && !c.amount.Fraction && c.amount.Number.Cmp(whole(50)) < 0: // 10% of, or 10% off
		p.fail(missingDirection, c.from, c.to, "Is a fall by "+c.amount.Number.String()+"% meant in %s, or one to that part of the price? Write \"reduce by\" or \"reduce to\".")
	case change.IsZero():
		p.fail(nothingToDo, c.from, c.to, "100% of a price is that price. What should %s do?")
	case c.amount.Number.IsZero():
		p.fail(fullDecrease, c.from, c.to, "A decrease of 100% or more leaves no price. How much should remain after %s?")
	case rises:
		return plan.Action{Type: plan.PercentIncrease, Value: change}
	}
	return plan.Action{Type: plan.PercentDecrease, Value: change}
}

func (p *parser) fixed(c *clause, up bool) plan.Action {
	value := c.amount
	number := value.Number.String()
	unclear := !c.extra && (c.role == english.At || c.role == english.For || c.role == english.Colon || c.role == english.Copula || c.role == english.To)
	switch {
	case unclear && c.lead:
		p.fail(missingDirection, c.from, c.to, "Is $"+number+" the new price or the change? Say \"to\" for the new price in %s, or \"by\" for the change.")
	case value.Unit == english.NoUnit:
		p.fail(missingUnit, c.from, c.to, "Is "+number+" in %s percent or an amount of money? Write "+number+"% or $"+number+".")
	case value.Number.IsZero():
		p.fail(nothingToDo, c.from, c.to, "A change of 0 changes nothing. What should %s do?")
	case up:
		return plan.Action{Type: plan.FixedIncrease, Value: value.Number}
	}
	return plan.Action{Type: plan.FixedDecrease, Value: value.Number}
}

// tellsPrice reports whether a clause may only tell what its products cost: "mugs are
// too cheap at $5", "mugs are $5 at the moment".
func (p *parser) tellsPrice(c *clause) bool {
	if c.ownVerb || c.setting || c.obliges {
		return false
	}
	if lead := p.symbols[max(p.ledBy(c), 0)]; lead.Class == english.Noise && (c.copula && opining().MatchString(lead.Text) || c.role == english.At && seeking().MatchString(lead.Text)) {
		return true
	}
	return c.arrived && c.role == english.At || c.copula && slices.ContainsFunc(p.symbols[c.from:c.to], english.IsPresent)
}

// Filler of who says what products cost, and of who would buy them so.
var (
	opining = lazyregexp.New(`(?i)^(?:i|we)['’]d say$`)
	seeking = lazyregexp.New(`(?i) looking for$`)
)

// ledBy is the filler right before the products that a clause begins with, or the
// symbol before the clause.
func (p *parser) ledBy(c *clause) int { return p.after(c.from) - 1 }

func (p *parser) set(c *clause) plan.Action {
	value := c.amount
	if value.Unit == english.NoUnit && p.classAt(c.amountAt+1) == english.Price { // 2023 prices
		p.fail(missingUnit, c.from, c.to, "Is "+value.Number.String()+" in %s the new price? Write $"+value.Number.String()+".")
	}
	if value.Unit == english.NoUnit && strings.EqualFold(p.symbols[max(c.amountAt-1, 0)].Text, "into") { // cut mugs into three
		p.fail(missingUnit, c.from, c.to, "Is "+value.Number.String()+" in %s the new price? Write \"to $"+value.Number.String()+"\".")
	}
	if value.Unit == english.NoUnit && strings.HasPrefix(p.symbols[c.amountAt].Text, ".") { // to .99
		p.fail(missingUnit, c.from, c.to, "Is "+p.symbols[c.amountAt].Text+" in %s the new price, or the ending of prices? Write $0"+p.symbols[c.amountAt].Text+", or \"ending in\".")
	}
	if value.Unit == english.NoUnit && p.classAt(c.amountAt-2) == english.Stock { // set mugs in stock to 5
		p.fail(outsideData, c.from, c.to, "Is "+value.Number.String()+" in %s the new price, or a number of items? A plan knows prices and no quantities: write $"+value.Number.String()+".")
	}
	if p.tellsPrice(c) {
		p.fail(nothingToDo, c.from, c.to, "Is "+value.Number.String()+" in %s what the products cost now, or what they shall cost? For a new price write \"set to $"+value.Number.String()+"\".")
	}
	if value.Number.IsZero() {
		p.fail(free, c.from, c.to, "Should these products be free? A price of 0 is not planned from a sentence; %s can be written as a plan by hand.")
	}
	if value.Sign != 0 {
		p.fail(contradiction, c.from, c.to, "Is %s a new price or a change? A price has no sign.")
	}
	if c.was != nil {
		rising := c.was.Number.Cmp(value.Number) < 0
		if c.up && !rising || c.down && rising || c.was.Unit == english.Percent {
			p.fail(contradiction, c.from, c.to, "Is %s a rise or a fall of the price?")
		}
		p.addConditions(c, conditions{gte: &c.was.Number, lte: &c.was.Number}, c.from, c.to)
	}
	return plan.Action{Type: plan.SetPrice, Value: value.Number}
}
