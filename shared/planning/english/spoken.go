package english

import (
	"slices"
	"strings"
)

// namesSoon reports whether products are named at token i: mugs, all the mugs, those
// in stock.
func (s *scan) namesSoon(i int) bool {
	if s.nameable(i) || s.categoryAt(i) || i < len(s.tokens) && s.tokens[i].Kind == Code {
		return true
	}
	phrase, end := s.phraseAt(i)
	if phrase == nil {
		return false
	}
	switch phrase.Class {
	case Product, All, Everything, Pronoun, Stock:
		return true
	case Noise:
		return determiners[s.tokens[end-1].Norm]
	}
	return false
}

// whereSo reports whether "where they are" up to i begins a condition, "where they are
// in stock", and does not say where things are left.
func (s *scan) whereSo(i int) bool {
	next, _ := s.phraseAt(i)
	if s.tokens[s.pos].Norm != "where" || next == nil || !condition[next.Class] {
		return false
	}
	for k := len(s.symbols) - 1; k >= 0 && !endsBreath(&s.symbols[k]); k-- {
		if s.symbols[k].Class == Leave {
			return false
		}
	}
	return true
}

// floats reports whether "both" here only says once more that a stock is that of two
// things named before: A101 and A102 are both sold out.
func (s *scan) floats() bool {
	if word := s.tokens[s.pos].Norm; word != "both" && word != "each" || !s.follows(Copula) && !s.afterSubject() {
		return false
	}
	next, _ := s.phraseAt(s.pos + 1)
	return next != nil && next.Class == Stock
}

// returned reports whether "stock" at i ends what products are brought to: return
// A101 to stock.
func (s *scan) returned(i int) bool {
	if i >= len(s.tokens) || s.tokens[i].Norm != "stock" {
		return false
	}
	_, after := s.phraseAt(i)
	if next := i + 1; next < len(s.tokens) && after == next && !s.pauses(next) && s.tokens[next].Norm != "and" && s.tokens[next].Norm != "?" {
		return false
	}
	for k := len(s.symbols) - 1; k >= 0 && s.symbols[k].Class != Stop; k-- {
		if s.symbols[k].Class == Do {
			return returning[strings.ToLower(s.symbols[k].Text)]
		}
	}
	return false
}

// returns reports whether "return" or "reinstate" brings products back to stock
// here, and nothing else.
func (s *scan) returns() bool {
	switch s.tokens[s.pos].Norm {
	case "return", "reinstate", "restore", "relist", "reactivate":
	default:
		return false
	}
	for i := s.pos + 1; i+1 < len(s.tokens) && !strings.Contains(".!?;\n", s.tokens[i].Text); i++ {
		if verb, _ := s.phraseAt(i); verb != nil && actsClass(verb) { // reinstate the discount on mugs, mark hats as available
			return false
		}
		if word := s.tokens[i].Norm; word == "to" || word == "as" {
			stock, _ := s.phraseAt(i + 1)
			return s.tokens[i+1].Norm == "stock" || stock != nil && stock.Class == Stock && stock.Sense == InStock
		}
	}
	return false
}

var returning = set("return reinstate restore bring put move")

// allOfThem reports whether a number at i counts things named before: drop all
// three to $18.
func (s *scan) allOfThem(i int) bool {
	if i >= len(s.tokens) || smallNumbers[s.tokens[i].Norm] < 2 {
		return false
	}
	if s.namesSoFar() != smallNumbers[s.tokens[i].Norm] {
		return false
	}
	next := i + 1
	if next == len(s.tokens) || s.pauses(next) || s.tokens[next].Norm == "cases" {
		return true
	}
	phrase, _ := s.phraseAt(next)
	return phrase != nil && !s.categoryAt(next) && afterAll[phrase.Class]
}

// namesSoFar counts the names before this token.
func (s *scan) namesSoFar() int64 {
	named := int64(0)
	for k := range s.symbols {
		if isName(&s.symbols[k]) {
			named++
		}
	}
	return named
}

// afterAll are the classes of what can be said of all things that are counted.
var afterAll = map[Class]bool{To: true, By: true, As: true, At: true, In: true, With: true, Floor: true, Cap: true, NotUnder: true, NotOver: true, Round: true, EndIn: true}

// orNot reports whether the phrase up to end ends in "or not", and a condition that
// "not" may be of follows.
func (s *scan) orNot(end int) bool {
	if end-s.pos < 3 || s.tokens[end-1].Norm != "not" || s.tokens[end-2].Norm != "or" {
		return false
	}
	next, _ := s.phraseAt(end)
	return next != nil && (next.Class == Over || next.Class == Under || next.Class == AtLeast || next.Class == AtMost || next.Class == Between)
}

// addsNothing reports whether "all of it" up to end only says once more that all is
// meant: Grooming is back, all of it.
func (s *scan) addsNothing(end int) bool {
	if !s.follows(Comma) || end-s.pos < 2 || end < len(s.tokens) && !strings.Contains(".!\n", s.tokens[end].Text) {
		return false
	}
	switch normal(s.Source[s.tokens[s.pos].Start:s.tokens[end-1].End]) {
	case "all of it", "all of them", "the lot", "the whole lot", "every one", "every single one", "each one":
		return true
	}
	return false
}

// neithers reads "products neither in wine nor in beer" as products except those.
func neithers(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		if symbols[i].Class != Refused || !strings.EqualFold(symbols[i].Text, "neither") || symbols[i-1].Class != Product && symbols[i-1].Class != Everything && symbols[i-1].Class != Rel {
			continue
		}
		nor := i + 1
		for symbols[nor].Class == In || symbols[nor].Class == Noise || isName(&symbols[nor]) || symbols[nor].Class == Comma {
			nor++
		}
		if !strings.EqualFold(symbols[nor].Text, "nor") || !isName(&symbols[nor-1]) {
			continue
		}
		first := nor + 1
		for symbols[first].Class == In || symbols[first].Class == Noise {
			first++
		}
		if !isName(&symbols[first]) {
			continue
		}
		symbols[i].Class, symbols[nor].Class = Except, And
		symbols = slices.Delete(symbols, nor+1, first)
	}
	return symbols
}

// commas puts one between rules that nothing parts: rice +3% beans +4%.
func commas(symbols []Symbol) []Symbol {
	for i := 1; i+2 < len(symbols); i++ {
		if signedAfterName(symbols, i) && signedAfterName(symbols, i+2) {
			symbols = slices.Insert(symbols, i+1, Symbol{Class: Comma, From: symbols[i+1].From, To: symbols[i+1].From, Text: ","})
		}
	}
	return symbols
}

// signedAfterName reports whether an amount with a sign stands at i, after a name.
func signedAfterName(symbols []Symbol, i int) bool {
	return symbols[i].Class == Amount && symbols[i].Amount.Sign != 0 && isName(&symbols[i-1])
}

// wheres reads "where category is mugs and the item is sold out" as one condition.
func wheres(symbols []Symbol) []Symbol {
	for i := 0; i < len(symbols); i++ {
		if symbols[i].Class != In || len(symbols[i].Text) < len("whose category") { // where category is, whose category is
			continue
		}
		if word := firstWord(symbols[i].Text); word != "where" && word != "whose" {
			continue
		}
		for k := i + 1; symbols[k].Class != Stop; k++ {
			item := k + 1
			for symbols[item].Class == Noise {
				item++
			}
			if symbols[k].Class == And && strings.EqualFold(symbols[k].Text, "and") && (symbols[item].Class == Pronoun || OneThing(symbols, item)) && symbols[item+1].Class == Copula {
				symbols[k] = Symbol{Class: Rel, From: symbols[k].From, To: symbols[item+1].To, Text: "that is"}
				symbols = slices.Delete(symbols, k+1, item+2)
			}
		}
	}
	return symbols
}

// semicolons makes commas of those between rules that a condition or names lead by a
// colon: "in stock: mugs +5%; hats +3%", "mugs: under $5, +$1; $5 and up, +$2". The
// commas within rules for ranges of prices go.
func semicolons(symbols []Symbol) []Symbol {
	for i := 1; i+1 < len(symbols); i++ {
		if symbols[i].Class != Stop || symbols[i].Text != ";" {
			continue
		}
		start, _ := sentenceAround(symbols, i-1)
		led := conditionLeads(symbols, start)
		banded := beginsBand(symbols, i+1) && (led || leadEnd(symbols, start) > start)
		if banded || led && pricesNext(symbols, i+1) {
			symbols[i].Class, symbols[i].Text = Comma, ","
		}
		if banded {
			symbols = withoutInner(symbols, start)
			i = start
		}
	}
	return symbols
}

// withoutInner takes out the commas between a range of prices or a stock and its
// change in the sentence from i on.
func withoutInner(symbols []Symbol, i int) []Symbol {
	for i++; symbols[i].Class != Stop; i++ {
		if symbols[i].Class != Comma {
			continue
		}
		switch symbols[i-1].Class {
		case Amount, AndUp, AndDown, Stock:
		default:
			continue
		}
		if next := &symbols[i+1]; beginsBand(symbols, i+1) || next.Class != Amount && !actsClass(next) {
			continue
		}
		symbols = slices.Delete(symbols, i, i+1)
		i--
	}
	return symbols
}

// conditionLeads reports whether a stock or a range of prices, and a colon, begin the
// sentence at i.
func conditionLeads(symbols []Symbol, i int) bool {
	limited := false
	for ; ; i++ {
		switch class := symbols[i].Class; class {
		case Noise, For, In, From, At, To, Dash, And, AndUp, AndDown, All, Everything, Product, Price, Only, Rel, Copula, Amount:
			limited = limited || class == AndUp || class == AndDown
		case Colon:
			return limited
		default:
			if !bounded[class] {
				return false
			}
			limited = true
		}
	}
}

// pricesNext reports whether names and what becomes of their prices follow
// at i.
func pricesNext(symbols []Symbol, i int) bool {
	end := namesFrom(symbols, i)
	if !isName(&symbols[i]) { // "all lamps" may be more than those that the condition is of
		return false
	}
	for {
		switch symbols[end].Class {
		case Colon, To, By, Up, Down, Do:
			end++
		default:
			return symbols[end].Class == Amount
		}
	}
}

// beginsBand reports whether a range of prices or a stock is what the rule at i begins
// with.
func beginsBand(symbols []Symbol, i int) bool {
	for symbols[i].Class == Noise || symbols[i].Class == Price {
		i++
	}
	switch symbols[i].Class {
	case Under, Over, AtLeast, AtMost, Between, Stock:
		return true
	case Amount:
		next := symbols[i+1].Class
		return symbols[i].Amount.Sign == 0 && isMoney(&symbols[i]) && (next == AndUp || next == AndDown || next == To || next == Dash)
	}
	return false
}

// aims are verbs that say what a rule is for, which no category is called by.
var aims = set("tidy simplify help encourage reward recover attract support fund tempt celebrate")

// maxAim bounds the words of an aim.
const maxAim = 10

// aimEnd is the end of "To tidy up," before a rule.
func (s *scan) aimEnd() int {
	verb := s.pos + 1
	if s.tokens[s.pos].Norm != "to" || !s.nameable(verb) || s.categories == nil && !aims[s.tokens[verb].Norm] {
		return s.pos
	}
	for i := verb + 1; i < len(s.tokens) && i < s.pos+maxAim && !s.categoryAt(i); i++ {
		token := &s.tokens[i]
		if token.Text == "," {
			return i + 1
		}
		phrase, _ := s.phraseAt(i)
		_, amountEnd := s.amountAt(i)
		if token.Kind != Word || amountEnd > i || limitWords[token.Norm] || phrase != nil && !aiming(phrase) && token.Norm != "up" && token.Norm != "out" {
			return s.pos
		}
	}
	return s.pos
}

// aiming reports whether a phrase can be part of an aim.
func aiming(phrase *Symbol) bool {
	switch phrase.Class {
	case Noise, Price, Product, In, Of, And:
		return true
	case Refused:
		return asideRefusals[phrase.Refusal]
	}
	return false
}

var limitWords = set("only except all every")

// soDo reads "and so do hats" as hats too, or as said to stay as they are.
func soDo(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		if symbols[i].Class != And || len(symbols[i].Text) < len("and so do") || !strings.HasPrefix(strings.ToLower(symbols[i].Text), "and so d") {
			continue
		}
		end := i + 1
		for isName(&symbols[end]) || symbols[end].Class == Noise || symbols[end].Class == And || symbols[end].Class == Comma || symbols[end].Class == SKUNoun || symbols[end].Class == All {
			end++
		}
		last := symbols[end-1]
		if !isName(&last) {
			continue
		}
		said := Symbol{Class: Noise, Text: "too"}
		if symbols[i-1].Class == Alone {
			said = symbols[i-1]
		}
		said.From, said.To = last.From, last.To
		symbols[i].Text = "and"
		symbols = slices.Insert(symbols, end, said)
	}
	return symbols
}

// unlikes are what the others are called of which something is not so.
const unlikes = "the ones we don't, those we don't, the ones we do not, those we do not, the ones that aren't, those that aren't, the ones that are not, those that are not, the ones which aren't, those which aren't, ones that aren't, any that aren't, anything that isn't, the ones we don't have, those we don't have"

// unlike reads "those that aren't" as the ones of the other stock than the sentence
// speaks of: 5% off mugs in stock and 8% off those that aren't.
func (s *scan) unlike() bool {
	switch s.tokens[s.pos].Norm {
	case "those", "ones", "any", "anything":
	case "the":
		if s.pos+1 == len(s.tokens) || s.tokens[s.pos+1].Norm != "ones" {
			return false
		}
	default:
		return false
	}
	phrase, end := lexicon().unlikes.longest(s.tokens, s.pos)
	if phrase == nil || end < len(s.tokens) && !s.pauses(end) && s.tokens[end].Norm != "?" && !s.actsAt(end) && !s.amountBehind(end) {
		return false
	}
	last := len(s.symbols) - 1
	if s.begins { // of the sentence before
		last--
	}
	for i := last; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if said := s.symbols[i]; said.Class == Stock {
			ones := end - 1
			s.push(Symbol{Class: Stock, Sense: InStock + OutOfStock - said.Sense}, ones)
			s.push(Symbol{Class: Product, Text: "ones"}, end)
			return true
		}
	}
	return false
}

// amountBehind reports whether a preposition with an amount behind it stands at i:
// by 5%, at $15.
func (s *scan) amountBehind(i int) bool {
	phrase, next := s.phraseAt(i)
	_, end := s.amountAt(next)
	return end > next && phrase != nil && (phrase.Class == By || phrase.Class == At || phrase.Class == To || phrase.Class == For)
}
