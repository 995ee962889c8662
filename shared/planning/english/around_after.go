package english

import "strings"

// afterChange reads "keep mugs above $5 after a 10% cut" as a limit with a cut, where
// nothing else asks for a change that the cut could be.
func afterChange(symbols []Symbol) []Symbol {
	after, limits := -1, false
	for i := range symbols {
		switch s := &symbols[i]; {
		case after >= 0 && i < changeEnd(symbols, after):
		case s.Class == Refused && strings.EqualFold(s.Text, "after") && after < 0:
			after = i
		case s.Class == Floor || s.Class == Cap:
			limits = true
		case actsClass(s) || s.Class == Times || s.Class == Stock || s.Class == Amount && (i == 0 || symbols[i-1].Class != Floor && symbols[i-1].Class != Cap):
			return symbols
		}
	}
	if limits && after >= 0 && changeEnd(symbols, after) > after {
		symbols[after].Class, symbols[after].Refusal = With, NotRefused
	}
	return symbols
}

// changeEnd is the end of "after a 10% cut" at symbol i, where nothing else follows, or i.
func changeEnd(symbols []Symbol, i int) int {
	if text := strings.ToLower(symbols[i+1].Text); text != "a" && text != "an" {
		return i
	}
	change := &symbols[min(i+3, len(symbols)-1)]
	if symbols[i+2].Class != Amount || change.Class != Up && change.Class != Down || symbols[min(i+4, len(symbols)-1)].Class != Stop {
		return i
	}
	return i + 4
}
