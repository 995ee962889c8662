package english

import (
	"slices"
	"strings"
)

// ofBoth are the ways to say at the end that a limit, a rounding or an ending is one
// of all rules of its sentence.
var ofBoth = map[string]bool{
	"for both": true, "for each": true, "for either": true, "for both of them": true, "for each of them": true, "for either of them": true,
	"in both cases": true, "in each case": true, "in either case": true, "in every case": true, "in all cases": true, "on both": true, "on each": true, "on either": true,
}

// boths puts "for both" before what it says that of: "lower tea by 5% and mugs by 3%,
// never below $7 for either".
func boths(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		if symbols[i].Class != For && symbols[i].Class != In {
			continue
		}
		end, words := i, ""
		for ; !ofBoth[words] && symbols[end].Class != Stop && end < i+4; end++ {
			words = strings.TrimSpace(words + " " + strings.ToLower(symbols[end].Text))
		}
		if !ofBoth[words] || !endsBreath(&symbols[end]) {
			continue
		}
		joined := i - 1
		for joined >= 0 && (!endsBreath(&symbols[joined]) || symbols[joined].Class == Noise) && !isName(&symbols[joined]) {
			joined--
		}
		if joined < 0 || !shapesPrices(symbols[joined+1].Class) || symbols[joined].Class != Comma && symbols[joined].Class != And {
			continue
		}
		first := symbols[joined+1].From
		both := Symbol{Class: Pronoun, From: first, To: first, Text: "both"}
		symbols = slices.Insert(slices.Delete(symbols, i, end), joined+1, both)
	}
	return symbols
}

func shapesPrices(class Class) bool {
	return class == Floor || class == Cap || class == Round || class == EndIn
}
