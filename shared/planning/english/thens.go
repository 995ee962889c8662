package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// What a rule after "then" speaks of is what the rule before left of its products:
// "then take $2 off the ones still above $9" is "then take $2 off those above $9".

// thens writes out which products are meant after "then".
func thens(symbols []Symbol) []Symbol {
	then := false
	for i := 0; i < len(symbols); i++ {
		switch s := &symbols[i]; {
		case s.Class == Then:
			then = true
		case s.Class == Stop:
			then = false
		case !then || conditionEnd(symbols, i+1) == i+1:
		case s.Class == Refused && strings.EqualFold(s.Text, "still"):
			if before := &symbols[i-1]; before.Class == Everything { // anything still above $9
				before.Class, before.Text = Pronoun, "those"
			}
			symbols = slices.Delete(symbols, i, i+1)
			i -= 2 // back to what is told of
		case s.Class == Rel && (thoseThat().MatchString(s.Text) || whatStill().MatchString(s.Text)):
			those := Symbol{Class: Pronoun, From: s.From, To: s.From + 1, Text: "those"}
			s.From, s.Text = those.To, "that are"
			symbols = slices.Insert(symbols, i, those)
			i++
		case s.Class == All && (symbols[i+1].Class != Stock || movedAt(symbols, i+2) || endsBreath(&symbols[i+2]) && symbols[i-1].Class != Do), s.Class == Product && strings.EqualFold(s.Text, "ones"):
			s.Class, s.Text = Pronoun, "those"
		}
	}
	return symbols
}

// whatStill is what joins a condition to what is left of the products before.
var whatStill = lazyregexp.New(`(?i)^what(?:ever)? (?:is|are)? ?still\b`)

// BoundsResult reports whether what stands at symbol i, right after a range of prices,
// makes it one of the prices to come: "if they cost at most $20 afterwards".
func BoundsResult(symbols []Symbol, i int) bool {
	if symbols[i].Class != Then {
		return false
	}
	switch symbols[i+1].Class {
	case Stop, Comma, By, To:
		return true
	}
	return false
}
