package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// A sentence that begins with names and parts them from its rules is about those
// throughout: in "mugs: $20 and up get 12% off, anything below gets 6% off"
// anything is any of the mugs. Such words are written out as "ones", which are
// always of what was named.

// ones writes out the words for products that stand for some of those that lead
// their sentence.
func ones(symbols []Symbol) []Symbol {
	for start := 0; start < len(symbols); {
		lead := leadEnd(symbols, start)
		asked := false // a change was asked for
		i := start
		for ; symbols[i].Class != Stop; i++ {
			asked = asked || symbols[i].Class == Amount
			if lead > start && i > lead && asked && symbols[i-1].Class != In && limitedHead(symbols, i) {
				symbols[i] = Symbol{Class: Product, From: symbols[i].From, To: symbols[i].To, Text: "ones"}
			}
		}
		start = i + 1
	}
	return symbols
}

// otherOnes writes "and those that are sold out" out as "ones", which are others of
// what was named than those that something was said of before, and "for those that
// are sold out" as "for those sold out" is.
func otherOnes(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		those := &symbols[i]
		split := those.Class == Rel && thoseThat().MatchString(those.Text)
		if !split && (those.Class != Pronoun || !strings.EqualFold(those.Text, "those")) {
			continue
		}
		end := conditionEnd(symbols, i+1)
		before := symbols[i-1].Class
		of := split && (before == For || before == In)
		if end == i+1 || !of && before != And && (before != Comma || !movedAt(symbols, end)) {
			continue
		}
		ones := Symbol{Class: Product, From: those.From, To: those.To, Text: "ones"}
		if of {
			ones.Class, ones.Text = Pronoun, "those"
		}
		if split {
			ones.To = those.To - 2
			those.From = ones.To
			symbols = slices.Insert(symbols, i, ones)
			continue
		}
		symbols[i] = ones
	}
	return symbols
}

// thoseThat is what joins a condition to products that it stands for, too.
var thoseThat = lazyregexp.New(`(?i)^(?:those|the ones) (?:that|which) are$`)

// conditionEnd is the end of the stock or the bound of prices at symbol i, or i.
func conditionEnd(symbols []Symbol, i int) int {
	k := i
	for symbols[k].Class == Rel || symbols[k].Class == Noise {
		k++
	}
	switch class := symbols[k].Class; {
	case class == Stock:
		return k + 1
	case class == Between:
		return k + 4
	case bounded[class]:
		return k + 2
	case class == Amount && (symbols[k+1].Class == AndUp || symbols[k+1].Class == AndDown):
		return k + 2
	}
	return i
}

// movedAt reports whether what products of a condition before i are to cost or to
// be marked as follows it.
func movedAt(symbols []Symbol, i int) bool {
	switch classAt(symbols, i) {
	case By, At, To, As, Copula, Up, Down, Amount, Do, Colon:
		return true
	}
	return false
}

// restOfThem names again what "the rest of them" is of, where nothing else was named
// before.
func restOfThem(symbols []Symbol) []Symbol {
	for i := range symbols {
		if symbols[i].Class != Rest || !strings.HasSuffix(strings.ToLower(symbols[i].Text), " them") {
			continue
		}
		first := slices.IndexFunc(symbols[:i], func(s Symbol) bool { return isName(&s) })
		if first < 0 {
			continue
		}
		last := namesFrom(symbols, first)
		if !speaksOf(symbols[last:i], nil) || !speaksOf(symbols[:first], nil) {
			continue
		}
		names := slices.Clone(symbols[first:last])
		for k := range names {
			names[k].From, names[k].To = symbols[i].To-1, symbols[i].To
		}
		symbols[i].Text = strings.TrimSuffix(strings.ToLower(symbols[i].Text), " them")
		return slices.Insert(symbols, i+1, names...)
	}
	return symbols
}

// lots writes "the lot" and "the whole category" out as "them" where a stock was
// told of products before them in the sentence: "bulbs are gone, mark the lot as
// out of stock".
func lots(symbols []Symbol) []Symbol {
	told := false
	for i := 0; i < len(symbols); i++ {
		symbol := &symbols[i]
		switch {
		case symbol.Class == Stop:
			told = false
		case symbol.Class == Stock || symbol.Class == Restock:
			told = true
		case told && symbol.Class == Everything && theLot[strings.ToLower(symbol.Text)] && (symbols[i+1].Class == As || symbols[i+1].Class == Stock):
			symbol.Class, symbol.Text = Pronoun, "them"
		case told && symbol.Class == CatNoun && symbols[i-1].Class == All && symbols[max(i-2, 0)].Class == Do && symbols[i+1].Class == As:
			symbol.Class, symbol.Text = Pronoun, "them"
			symbols = slices.Delete(symbols, i-1, i)
			i--
		}
	}
	return symbols
}

var theLot = map[string]bool{"the lot": true, "the whole lot": true}

// LedByNames reports whether names lead the sentence of symbol i.
func LedByNames(symbols []Symbol, i int) bool {
	start, _ := sentenceAround(symbols, i)
	return leadEnd(symbols, start) > start
}

// leadEnd returns where the names that lead the sentence at i are parted from the
// rest of it, or i: "mugs and hats:", "for mugs,".
func leadEnd(symbols []Symbol, i int) int {
	at, opened := i, false
	for symbols[at].Class == Noise {
		at++
	}
	if class := symbols[at].Class; class == For || class == In {
		at, opened = at+1, true
	}
	named := false
	for ; ; at++ {
		switch symbols[at].Class {
		case Name, Category, SKU:
			named = true
		case Noise, All, Product, Price, CatNoun, SKUNoun, And:
		case Colon:
			if named {
				return at
			}
			return i
		case Comma:
			if named && opened && !isName(&symbols[at+1]) {
				return at
			}
			if !named || !isName(&symbols[at+1]) {
				return i
			}
		default:
			return i
		}
	}
}

// limitedHead reports whether the symbol at i is a word for products of which a
// price or a stock says which are meant.
func limitedHead(symbols []Symbol, i int) bool {
	switch symbols[i].Class {
	case Everything:
		if text := strings.ToLower(symbols[i].Text); text != "anything" && text != "everything" && !strings.HasPrefix(text, "what") {
			return false
		}
	case Product:
		if !strings.HasSuffix(strings.ToLower(symbols[i].Text), "s") || isName(&symbols[i-1]) {
			return false
		}
		if symbols[i-1].Class == Stock {
			return true
		}
	default:
		return false
	}
	for i++; ; i++ {
		switch symbols[i].Class {
		case Noise:
			if Shopwide(&symbols[i]) {
				return false
			}
		case Rel, Copula, Price, From, At:
		case Under, Over, AtLeast, AtMost, Between, Stock:
			return true
		case Amount: // items $20 and up, but not "items $2 off"
			next := symbols[i+1].Class
			return next == AndUp || next == AndDown || next == To || next == Dash
		default:
			return false
		}
	}
}
