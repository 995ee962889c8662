package grammar

import "github.com/planwright/planwright/shared/planning/english"

// refusals gives each refusal of the vocabulary its class and question.
var refusals = map[english.Refusal]struct{ class, question string }{
	english.Vague:       {vagueTarget, "Which products does %s mean? Name categories or SKUs, or a price range; a category's name can stand in quotation marks."},
	english.VagueAmount: {vagueAmount, "Which exact number does %s stand for?"},
	english.Schedule:    {schedule, "Should the change be made at once? A plan has no dates or times, so %s cannot be planned: send the instruction when it is due."},
	english.OutsideData: {outsideData, "Which number or which products does %s stand for? A plan knows SKU, category, price and stock, and nothing else."},
	english.DeleteRows:  {deleteRows, "Should the products be marked as out of stock instead? A plan changes prices and stock; it cannot do what %s asks."},
	english.Free:        {free, "Which price should the products get? Giving them away, as %s says, is not planned from a sentence."},
	english.Machine:     {machine, "Which prices or stock should change? %s is about the planner and not about products."},
	english.Foreign:     {foreign, "Can you say it in English? %s is not understood."},
	english.Unsupported: {unsupported, "Can you say it without %s? A plan can change prices by a percentage or an amount, set them, round to the nearest, and set the stock."},
	english.Unclear:     {unread, "What does %s mean here? Say it in other words, or leave it out; a category's name can stand in quotation marks."},
	english.OneOrTwo:    {unknownCategory, "Is %s one category or two? Write one as the list has it, in quotation marks, or each of the two in quotation marks."},
	english.Ambiguous:   {negation, "What exactly does %s rule out, or ask for?"},
}

// checkSymbols asks about everything that no rule can consume, wherever it
// stands, before any rule is tried.
func (p *parser) checkSymbols() {
	var currency english.Currency
	several := false
	for i, symbol := range p.symbols {
		switch symbol.Class {
		case english.Refused:
			p.fail(refusals[symbol.Refusal].class, i, i+1, refusals[symbol.Refusal].question)
		case english.Again:
			p.fail(scope, i, i+1, "Which rule does %s repeat, with which of its conditions? Name the products together in one rule, such as \"raise mugs and hats by 5%\", or write the rule again.")
		case english.Unknown:
			p.unknown(i)
		case english.Category:
			p.checkOccasion(i)
		case english.Stop:
			p.checkQuestion(i)
		case english.Noise:
			p.checkInverted(i)
		case english.Amount:
			if named := symbol.Amount.Currency; named != 0 {
				several = several || currency != 0 && named != currency
				currency = named
			}
		}
	}
	if several {
		p.fail(contradiction, 0, len(p.symbols), "More than one currency is named in %s. Which one are the prices in?")
	}
}

// checkOccasion asks where the category at symbol i may be why all products change:
// "everything 5% off for Christmas".
func (p *parser) checkOccasion(i int) {
	if p.symbols[i].Sense != english.Occasion {
		return
	}
	before, next := i-1, p.classAt(i+1)
	for p.classAt(before) == english.Noise {
		before--
	}
	if p.classAt(before) == english.For || p.classAt(before) == english.Stop && (next == english.Comma || next == english.Colon && p.said[english.Everything]) {
		p.fail(scope, i, i+1, "Is %s the category of that name, or why prices change? Write it in quotation marks for the category.")
	}
}

// checkInverted asks about a sentence that "should" begins: "should our rent go up,
// raise mugs by 5%" is a condition, and "should mugs be 5% off" a question.
func (p *parser) checkInverted(i int) {
	if p.startsSentence(i) && p.tokens[p.symbols[i].From].Norm == "should" {
		p.fail(nothingToDo, i, len(p.symbols)-1, "Should this be done now? %s asks or sets a condition: say what should change, such as \"increase yoga by 5%\".")
	}
}

// requesting are words that make a request of a question: could you, okay?
var requesting = map[string]bool{"can": true, "could": true, "would": true, "will": true, "may": true, "might": true, "possible": true, "ok": true, "okay": true, "yeah": true, "yes": true, "please": true, "right": true, "mind": true, "about": true, "why": true, "alright": true, "pls": true, "plz": true, "chance": true, "possibility": true}

// checkQuestion asks where the sentence that ends at symbol i has a question mark and
// is no request: "mugs up 5%?"
func (p *parser) checkQuestion(i int) {
	if p.symbols[i].Text != "?" {
		return
	}
	asks := false
	for i--; i >= 0 && p.classAt(i) != english.Stop; i-- {
		switch p.classAt(i) {
		case english.Amount, english.Times, english.Stock, english.Restock:
			asks = true
		}
		for t := p.symbols[i].From; t < p.symbols[i].To; t++ {
			if requesting[p.tokens[t].Meant()] {
				return
			}
		}
	}
	if asks {
		p.fail(nothingToDo, i+1, len(p.symbols)-1, "Should this be done? %s asks, and a plan gives no answers: write it without the question mark, or begin with \"could you\".")
	}
}

func (p *parser) unknown(i int) {
	if next := p.symbols[i].To; next < len(p.tokens) && p.tokens[next].Kind == english.Malformed { // "$1,50"
		i++
	}
	token := p.tokens[p.symbols[i].From]
	switch token.Kind {
	case english.Stray:
		p.fail(invisible, i, i+1, "Can you type the instruction again? It has an invisible or control character.")
	case english.Malformed:
		p.fail(unread, i, i+1, "Which number is %s? Write thousands as 1,000 and decimals as 10.50.")
	default:
		p.unread(i)
	}
}
