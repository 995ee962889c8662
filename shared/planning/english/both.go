package english

import (
	"slices"
	"strings"
)

// What is said of all rules of a sentence, a limit, a rounding or an ending, may name
// them in many ways and on either side: "for each of them", "in both cases", "cap all
// of these at". They are written out as one word right before it, or right after the
// verb.

// boths writes out who a limit, a rounding or an ending is said of: "lower tea by 5%
// and mugs by 3%, never below $7 for either".
func boths(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		switch class := symbols[i].Class; {
		case class == For || class == In:
			who, end := forBoth(symbols, i)
			if end == i {
				continue
			}
			if apart := onlySome(symbols, i, end, who.Text == "both"); apart != nil {
				symbols, i = apart, 0
				continue
			}
			if class == In && end == i+2 && strings.EqualFold(symbols[i].Text, "in") { // in both
				continue
			}
			if end < len(symbols) && shapesNext(symbols, end) && (symbols[i-1].Class == Comma || symbols[i-1].Class == And) {
				symbols = slices.Replace(symbols, i, end, who)
				continue
			}
			if !endsBreath(&symbols[end]) {
				continue
			}
			symbols = ahead(symbols, i, end, who)
		case class == All || class == Pronoun || class == And:
			who, end := bothAt(symbols, i)
			if end > i && someNext[symbols[end].Class] && !shapesNext(symbols, end) {
				symbols = onlyAll(symbols, i, end, who.Text == "both")
				continue
			}
			if end == i || !shapesNext(symbols, end) && !(shapesPrices(symbols[i-1].Class) && (end > i+1 || class == Pronoun)) {
				continue
			}
			if bare := boundLimits[symbols[end].Class]; bare != 0 {
				symbols[end].Class = bare
			}
			if symbols[i-1].Class == Do && granting[strings.ToLower(symbols[i-1].Text)] && i > 1 && !opensBreath(symbols, i-1) {
				symbols = slices.Delete(symbols, i-1, i)
				i, end = i-1, end-1
			}
			if symbols[i-1].Class == With {
				symbols[i-1].Class = Comma
			}
			if symbols[end].Class == Rel { // both with prices ending in
				end++
			}
			symbols = slices.Replace(symbols, i, end, who)
		}
	}
	return symbols
}

var granting = set("have let get make")

// boundLimits are what the bounds are that are said of all rules.
var boundLimits = map[Class]Class{NotUnder: Floor, NotOver: Cap}

// shapesNext reports whether what says how prices shall look stands at symbol i.
func shapesNext(symbols []Symbol, i int) bool {
	if s := &symbols[i]; s.Class == Rel && firstWord(strings.ToLower(s.Text)) == "with" {
		i++
	}
	return shapesPrices(symbols[i].Class) || boundLimits[symbols[i].Class] != 0 && isMoney(&symbols[i+1])
}

// ahead puts the words from i to end, which say who something is said of, before it.
func ahead(symbols []Symbol, i, end int, who Symbol) []Symbol {
	joined := i - 1
	for joined > 0 && (!endsBreath(&symbols[joined]) || symbols[joined].Class == Noise) && !isName(&symbols[joined]) {
		joined--
	}
	first := joined + 1
	if symbols[first].Class == With && first+1 < i && symbols[first+1].Class == Alone && strings.EqualFold(symbols[first+1].Text, "the same") { // with the same floor
		first += 2
	}
	parted := symbols[joined].Class == Comma || symbols[joined].Class == And || symbols[joined].Class == Stop
	words := []Symbol{who}
	if !parted { // lamps by $15 without going over $1,999 on either
		if first = i - 2; first <= 0 || symbols[i-1].Class != Amount {
			return symbols
		}
		joined = first - 1
		words = []Symbol{{Class: Comma, Text: ","}, who}
	}
	if !shapesPrices(symbols[first].Class) {
		return symbols
	}
	for k := range words {
		words[k].From, words[k].To = symbols[first].From, symbols[first].From
	}
	return slices.Replace(slices.Delete(symbols, i, end), joined+1, first, words...)
}

// forBoth reads "for both of them" and "in each case" at symbol i, and returns its
// end, or i.
func forBoth(symbols []Symbol, i int) (who Symbol, end int) {
	if who, end = bothAt(symbols, i+1); end == i+1 {
		return who, i
	}
	cases := symbols[end].Class == Name && (strings.EqualFold(symbols[end].Text, "case") || strings.EqualFold(symbols[end].Text, "cases"))
	switch {
	case cases && strings.EqualFold(symbols[i].Text, "in"):
		return who, end + 1
	case strings.EqualFold(symbols[i+1].Text, "all"): // for all
		return who, i
	}
	return who, end
}

// bothAt reads words for all of what was named before at symbol i, and returns their
// end, or i.
func bothAt(symbols []Symbol, i int) (who Symbol, end int) {
	s := &symbols[i]
	text := strings.ToLower(s.Text)
	word := firstWord(text)
	if s.Class == Pronoun && pointing[text] && (symbols[i+1].Class == And || symbols[i+1].Class == All) { // them both
		word, end = strings.ToLower(symbols[i+1].Text), i+2
	} else if end = i + 1; s.Class == All && strings.Contains(text, " of") {
		switch next := &symbols[end]; {
		case next.Class == Pronoun && pointing[strings.ToLower(next.Text)], next.Class == Over && strings.EqualFold(next.Text, "above"):
			end++
		default:
			return who, i
		}
	}
	switch {
	case end == len(symbols) || symbols[end].Class != Price:
	case word == "both", word == "either", word == "all" && i > 0 && symbols[i-1].Class == Comma && shapesPrices(symbols[end+1].Class): // all prices ending in .90
		end++
	case (text == "those" || text == "these") && afterRule(symbols, i): // make those prices end in .90
		word, end = "all", end+1
	}
	who = Symbol{Class: Pronoun, From: s.From, To: symbols[end-1].To}
	switch {
	case word == "both", word == "either" && (s.Class == Refused || s.Class == All || s.Class == Noise):
		who.Text = "both"
	case s.Class == And: // a word that joins names
		return who, i
	case word == "each", word == "every", word == "all", text == "them all":
		who.Text = "all"
	default:
		return who, i
	}
	return who, end
}

// afterRule reports whether the sentence of symbol i has an amount before it.
func afterRule(symbols []Symbol, i int) bool {
	for i--; i >= 0 && symbols[i].Class != Stop; i-- {
		if symbols[i].Class == Amount {
			return true
		}
	}
	return false
}

var pointing = set("them these those")

func shapesPrices(class Class) bool {
	return class == Floor || class == Cap || class == Round || class == EndIn
}

// onlySome makes a sentence of its own of what is said to hold for both of two rules,
// or for all of them, from i to end: "lower tea by 5% and mugs by 3%, only in-stock ones
// in both cases", "... but leave A101 alone in either". A category says nothing beside others.
func onlySome(symbols []Symbol, i, end int, two bool) []Symbol {
	start, some, named, categories := i, false, false, false
	for start > 0 && (!endsBreath(&symbols[start-1]) || symbols[start-1].Class == Noise) {
		start--
		switch s := &symbols[start]; {
		case s.Class == Only || s.Class == Except || s.Class == Skip || s.Class == DoNot || s.Class == Leave || s.Class == Rel && strings.HasPrefix(strings.ToLower(s.Text), "only "):
			some = true
		case s.Class == SKU, s.Class == Name, s.Class == Category:
			named = true
			categories = categories || s.Class != SKU
		case s.Class != Stock && s.Class != Product && s.Class != Noise && s.Class != Change && s.Class != Alone && s.Class != SKUNoun && s.Class != CatNoun:
			return nil
		}
	}
	if start > 0 && symbols[start-1].Class == But {
		start--
	}
	last := end
	for symbols[last].Class != Stop {
		if class := symbols[last].Class; isName(&symbols[last]) || class == Up || class == Down || class == By { // a rule of its own
			return nil
		}
		last++
	}
	for _, s := range symbols[last:] {
		if s.Class != Stop && s.Class != Noise {
			return nil
		}
	}
	if !some || symbols[max(start-1, 0)].Class != Comma || !endsBreath(&symbols[end]) {
		return nil
	}
	if rules := amountsIn(symbols[:start]); rules < 2 || two && rules > 2 {
		return nil
	}
	only := slices.ContainsFunc(symbols[start:i], func(s Symbol) bool { return s.Class == Only || s.Class == Rel })
	if named && only || categories && slices.ContainsFunc(symbols[:start], func(s Symbol) bool { return isName(&s) }) {
		return nil
	}
	alone := slices.Clone(symbols[start:i])
	for k := range alone {
		switch s := &alone[k]; s.Class {
		case Rel:
			s.Class = Only
		case Product:
			s.Text = "items"
		}
	}
	stop := Symbol{Class: Stop, From: symbols[start-1].From, To: symbols[start-1].To}
	return slices.Concat(symbols[:start-1], symbols[end:last+1], alone, []Symbol{stop}, symbols[last+1:])
}

// someNext are the classes of what says which products alone a rule is for.
var someNext = [256]bool{Only: true, If: true, Unless: true, Except: true, Rel: true}

// onlyAll makes a sentence of its own of the condition that is said of both of two rules,
// or of each of several, by the words from i to end: "lower tea by 5% and mugs by 3%,
// both only if in stock". Where that cannot be, it is a question.
func onlyAll(symbols []Symbol, i, end int, two bool) []Symbol {
	start, last := sentenceAround(symbols, i)
	rules := amountsIn(symbols[start:i])
	if rules < 2 || i == 0 || symbols[i-1].Class != Comma && symbols[i-1].Class != And && symbols[i-1].Class != But {
		return symbols
	}
	pause := end
	for pause < last && symbols[pause].Class != Comma && !ruleOfItsOwn(symbols, pause) {
		pause++
	}
	if described := symbols[end].Class == Rel || symbols[end].Class == Except; described && ruleOfItsOwn(symbols, pause) { // and all that cost over $9 by 3%
		return symbols
	}
	named := slices.ContainsFunc(symbols[end:pause], func(s Symbol) bool { return isName(&s) })
	if named || start > 0 || !onlyStops(symbols[pause:]) || two && rules > 2 {
		symbols[i].Class, symbols[i].Refusal = Refused, Unclear
		return symbols
	}
	stop := Symbol{Class: Stop, From: symbols[i-1].From, To: symbols[i-1].To}
	return slices.Concat(symbols[:i-1], []Symbol{stop}, symbols[end:])
}

// ruleOfItsOwn reports whether symbol i says what becomes of products, and so that those
// before it are others than before.
func ruleOfItsOwn(symbols []Symbol, i int) bool {
	switch s := &symbols[i]; s.Class {
	case By, To, Copula, Leave, Alone, NoChange:
		return true
	case Amount:
		return !condition[symbols[i-1].Class]
	default:
		return actsClass(s)
	}
}

// onlyStops reports whether nothing follows a sentence.
func onlyStops(symbols []Symbol) bool {
	return !slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class != Stop && s.Class != Noise })
}

// amountsIn counts the amounts of one sentence that are no bounds; none are counted
// where it is more than one.
func amountsIn(symbols []Symbol) int {
	count := 0
	for i := range symbols {
		switch symbols[i].Class {
		case Stop:
			return 0
		case Amount:
			if i == 0 || !condition[symbols[i-1].Class] {
				count++
			}
		}
	}
	return count
}
