package english

import (
	"slices"
	"strings"
)

// unlesses reads "but not if" and "except when" as the "unless" that they are. "Not
// only if" is another thing.
func unlesses(symbols []Symbol) []Symbol {
	for i := 0; i+1 < len(symbols); i++ {
		if symbols[i].Class != If || i == 0 || symbols[i-1].Class != Except || exceptsFor(symbols[i-1].Text) || firstWord(symbols[i].Text) == "only" {
			continue
		}
		first := i - 1
		for first > 0 && (symbols[first-1].Class == But || symbols[first-1].Class == Only || symbols[first-1].Class == Noise && strings.EqualFold(symbols[first-1].Text, "just")) {
			first--
		}
		_, rest, _ := strings.Cut(symbols[i].Text, " ")
		symbols[i] = Symbol{Class: Unless, From: symbols[first].From, To: symbols[i].To, Text: strings.TrimSpace("unless " + rest)}
		symbols = slices.Delete(symbols, first, i)
		i = first
	}
	return symbols
}

// exceptsFor reports whether an exception ends so that products follow, and no
// condition: "not those if", "except for if".
func exceptsFor(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	return words[len(words)-1] == "those" || words[len(words)-1] == "the"
}
