package english

import (
	"slices"
	"strings"
)

// "What" and "whatever" stand for everything that a condition follows, "whatever
// is in stock", and for the products or the price of what is named behind them:
// "whatever mugs we have in stock", "whatever mugs cost now".

// whatevers writes out what they stand for.
func whatevers(symbols []Symbol) []Symbol {
	for i := 0; i < len(symbols); i++ {
		switch symbols[i].Class {
		case Rel:
			if word := firstWord(symbols[i].Text); strings.HasPrefix(word, "what") {
				symbols = slices.Insert(symbols, i, Symbol{Class: Everything, From: symbols[i].From, To: symbols[i].From + 1, Text: word})
				i++
			}
		case Refused:
			if strings.EqualFold(symbols[i].Text, "what") || strings.EqualFold(symbols[i].Text, "whatever") {
				symbols = whichever(symbols, i)
			}
		}
	}
	return symbols
}

// whichever writes out the word at i, which names follow: all of those that fulfil
// a condition, or the price of those that cost something.
func whichever(symbols []Symbol, i int) []Symbol {
	end := namesFrom(symbols, i+1)
	verb := end
	for symbols[verb].Class == Noise {
		verb++
	}
	word := &symbols[i]
	switch said := &symbols[verb]; {
	case end == i+1:
	case said.Class == Stock, said.Class == Rel, stands(said) && bounded[symbols[verb+1].Class]:
		word.Class, word.Refusal = All, NotRefused
		if said.Class == Copula {
			said.Class = Rel
		}
	case costs(said) && !othersAfter(symbols, verb+1):
		word.Class, word.Refusal = Price, NotRefused
		said.Class = Noise
		symbols = slices.Insert(symbols, i+1, Symbol{Class: Of, From: word.From, To: word.To, Text: "of"})
	}
	return symbols
}

// othersAfter reports whether a comma and names follow at i: "whatever hats cost,
// mugs are $5" is not about hats.
func othersAfter(symbols []Symbol, i int) bool {
	for symbols[i].Class == Noise {
		i++
	}
	return symbols[i].Class == Comma && namesFrom(symbols, i+1) > i+1
}

// costs reports whether a verb tells what products cost now.
func costs(verb *Symbol) bool {
	return verb.Class == Copula && charging[strings.ToLower(verb.Text)]
}

var charging = map[string]bool{"cost": true, "costs": true, "sells for": true, "sells at": true, "retail at": true, "retails at": true, "retail for": true, "retails for": true}

// stands reports whether a verb tells how products are now.
func stands(verb *Symbol) bool {
	return costs(verb) || verb.Class == Copula && (strings.EqualFold(verb.Text, "is") || strings.EqualFold(verb.Text, "are"))
}

// bounded are the classes that begin a condition.
var bounded = map[Class]bool{Stock: true, Under: true, Over: true, AtLeast: true, AtMost: true, Between: true, Exactly: true}

// inTwo reports whether "in two" ends what is said of a price that is cut.
func (s *scan) inTwo(two int) bool {
	if two >= len(s.tokens) || s.tokens[two].Norm != "two" || two+1 < len(s.tokens) && !s.pauses(two+1) {
		return false
	}
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if actsClass(&s.symbols[i]) || s.symbols[i].Class == Amount {
			return cutting[strings.ToLower(s.symbols[i].Text)]
		}
	}
	return false
}

var cutting = set("cut cuts cutting chop chopped chopping slice sliced slicing slash slashed slashing")
