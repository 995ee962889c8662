package english

import "strings"

// limiting are the classes that a reason must not have, for they could be part
// of a rule.
var limiting = map[Class]bool{
	Amount: true, SKU: true, Stock: true, Restock: true, Times: true, Only: true, If: true, Unless: true, Except: true, DoNot: true, Leave: true, Skip: true, NoChange: true, Alone: true,
	Under: true, Over: true, AtLeast: true, AtMost: true, Between: true, Exactly: true, AndUp: true, AndDown: true, Floor: true, Cap: true, NotUnder: true, NotOver: true,
	Round: true, Nearest: true, RoundUnit: true, Digits: true, NoDigits: true, EndIn: true, Again: true, Rest: true, Then: true, Unknown: true,
}

// asideRefusals are the refusals that a reason may have: what no plan knows
// cannot be asked for in it either.
var asideRefusals = map[Refusal]bool{Vague: true, VagueAmount: true, OutsideData: true, Unclear: true, DeleteRows: true}

// reasons makes filler of why something is asked: "because costs went up", "our
// supplier raised prices, so". It leaves what a rule could need.
func reasons(symbols []Symbol) []Symbol {
	kept := symbols[:0:0]
	for i := 0; i < len(symbols); i++ {
		end := reasonEnd(symbols, i, len(kept) == 0 || opensRule(kept))
		if end == i || !namesProducts(symbols, i, end) {
			kept = append(kept, symbols[i])
			continue
		}
		kept = append(kept, Symbol{Class: Noise, From: symbols[i].From, To: symbols[end-1].To, Text: "because"})
		i = end - 1
	}
	return kept
}

// opensRule reports whether a rule begins after the symbols.
func opensRule(before []Symbol) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch before[i].Class {
		case Stop:
			return true
		case Noise, Comma, But:
		default:
			return false
		}
	}
	return true
}

// reasonEnd returns the end of the reason that begins at symbol i: at the start
// of a sentence up to "so" or the comma before its verb, or all of it; after a
// rule, "because" and its like up to the end of the sentence.
func reasonEnd(symbols []Symbol, i int, opens bool) int {
	if !opens {
		if symbols[i].Class != Cause {
			return i
		}
		return restOfSentence(symbols, i)
	}
	stated := symbols[i].Class == Cause || symbols[i].Class == Fact
	for k := i; k < len(symbols); k++ {
		symbol := symbols[k]
		stated = stated || symbol.Class == Fact
		switch {
		case symbol.Class == Stop:
			return ended(stated, i, k)
		case symbol.Class == Noise && k > i && endsReason(symbol), (symbol.Class == Comma || symbol.Class == Colon) && beginsRule(symbols, k+1, stated):
			return ended(stated, i, k+1)
		case !harmless(symbol):
			return i
		}
	}
	return i
}

// endsReason reports whether filler parts a reason from what it is for.
func endsReason(symbol Symbol) bool {
	text := strings.ToLower(symbol.Text)
	return strings.HasPrefix(text, "so") || strings.HasSuffix(text, "decided to")
}

func ended(stated bool, i, end int) int {
	if !stated {
		return i
	}
	return end
}

func restOfSentence(symbols []Symbol, i int) int {
	for k := i; k < len(symbols); k++ {
		if symbols[k].Class == Stop {
			return k
		}
		if !harmless(symbols[k]) {
			return i
		}
	}
	return i
}

func harmless(symbol Symbol) bool {
	return !limiting[symbol.Class] && (symbol.Class != Refused || asideRefusals[symbol.Refusal] || isPast(symbol.Text))
}

// isPast reports whether words name a time that nothing can be asked for at.
func isPast(text string) bool {
	text = strings.ToLower(text)
	return text == "yesterday" || text == "ago" || strings.HasPrefix(text, "last ") || strings.HasPrefix(text, "this ")
}

// beginsRule reports whether what stands at k, after a comma, is not more of a
// reason: a verb, "all", an amount.
func beginsRule(symbols []Symbol, k int, stated bool) bool {
	for k < len(symbols) && symbols[k].Class == Noise && !strings.HasPrefix(strings.ToLower(symbols[k].Text), "so") {
		k++
	}
	if k >= len(symbols) || !stated {
		return false
	}
	switch symbol := symbols[k]; symbol.Class {
	case Do, Change, Amount, All, Everything, Times, Restock:
		return true
	case Up, Down:
		return symbol.Sense == Verb
	}
	return false
}

// namesProducts reports whether the instruction says without the symbols from
// i to end which products it is about.
func namesProducts(symbols []Symbol, i, end int) bool {
	for k, symbol := range symbols {
		if k >= i && k < end {
			continue
		}
		switch symbol.Class {
		case Name, Category, SKU, Everything, All, Pronoun:
			return true
		}
	}
	return false
}
