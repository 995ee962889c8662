package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
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
			if those[strings.ToLower(symbols[i].Text)] {
				symbols = whichever(symbols, i)
			}
		}
	}
	return symbols
}

var those = set("what whatever whichever")

// anyOf reports whether "something" here is any product that fulfils the condition which
// leads a sentence: if something costs exactly $5, make it $6. Where others are named
// after it, it only has to be there: if something costs $5, raise mugs.
func (s *scan) anyOf() bool {
	if word := s.tokens[s.pos].Norm; word != "something" && word != "anything" {
		return false
	}
	paused := false
	for i := s.pos + 1; i < len(s.tokens) && !strings.Contains(".!?;\n", s.tokens[i].Text); i++ {
		paused = paused || s.tokens[i].Text == ","
		if phrase, _ := s.phraseAt(i); paused && (s.nameable(i) || s.categoryAt(i) || s.tokens[i].Kind == Code || s.tokens[i].Kind == Quoted || phrase != nil && (phrase.Class == All || phrase.Class == Everything)) {
			return false
		}
	}
	return paused
}

// whichever writes out the word at i, which products follow: all of those that fulfil
// a condition, or the price of those that cost something.
func whichever(symbols []Symbol, i int) []Symbol {
	first := i + 1
	if symbols[first].Class == Of { // whichever of the mugs
		for first++; symbols[first].Class == Noise; first++ {
		}
	}
	end := namesFrom(symbols, first)
	product := end == first && symbols[first].Class == Product
	if product {
		end++
	}
	verb := end
	for symbols[verb].Class == Noise {
		verb++
	}
	word := &symbols[i]
	switch said := &symbols[verb]; {
	case end == first:
	case said.Class == Stock, said.Class == Rel, stands(said) && conditionEnd(symbols, verb+1) > verb+1:
		word.Class, word.Refusal = All, NotRefused
		if first > i+1 {
			symbols[i+1].Class = Noise
		}
		if said.Class == Copula {
			said.Class = Rel
		}
	case costs(said) && !product && first == i+1 && !othersAfter(symbols, verb+1):
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
	return costs(verb) || verb.Class == Copula && beingSo().MatchString(verb.Text)
}

var beingSo = lazyregexp.New(`(?i)^(?:is|are)(?: (?:priced|listed|sold|selling|retailing|going)(?: at| for)?)?$`)

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
