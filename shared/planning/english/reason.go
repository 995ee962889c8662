package english

import (
	"slices"
	"strings"
)

// limiting are the classes that a reason must not have, for they could be part
// of a rule.
var limiting = [256]bool{
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
	if !slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class == Cause || s.Class == Fact }) {
		return symbols
	}
	kept := make([]Symbol, 0, len(symbols))
	opens := true // a rule may begin here
	tried := 0    // what does not begin with a cause is no reason before here
	for i := 0; i < len(symbols); i++ {
		if symbols[i].Class == Cause || opens && i >= tried {
			end, read := reasonEnd(symbols, i, opens)
			if end > i && namesProducts(symbols, i, end) {
				kept = append(kept, Symbol{Class: Noise, From: symbols[i].From, To: symbols[end-1].To, Text: "because"})
				i = end - 1
				continue
			}
			tried = max(tried, read)
		}
		kept = append(kept, symbols[i])
		switch symbols[i].Class {
		case Stop:
			opens = true
		case Noise, Comma, But:
		default:
			opens = false
		}
	}
	return kept
}

// reasonEnd returns the end of the reason that begins at symbol i, or i, and up
// to where it read: at the start of a sentence up to "so" or the comma before
// its verb, or all of it; after a rule, "because" and its like up to the end of
// the sentence.
func reasonEnd(symbols []Symbol, i int, opens bool) (end, read int) {
	stated := symbols[i].Class == Cause
	for k := i; k < len(symbols); k++ {
		symbol := &symbols[k]
		stated = stated || symbol.Class == Fact
		switch {
		case symbol.Class == Stop:
			return ended(stated, i, k), k
		case opens && symbol.Class == Noise && k > i && endsReason(symbol):
			return ended(stated, i, k+1), k
		case opens && (symbol.Class == Comma || symbol.Class == Colon) && beginsRule(symbols, k+1, stated):
			return ended(stated, i, k+1), k
		case !harmless(symbol) && !counts(symbols, k):
			return i, k
		}
	}
	return i, len(symbols)
}

// endsReason reports whether filler parts a reason from what it is for.
func endsReason(symbol *Symbol) bool {
	text := strings.ToLower(symbol.Text)
	return strings.HasPrefix(text, "so") || strings.HasSuffix(text, "decided to")
}

func ended(stated bool, i, end int) int {
	if !stated {
		return i
	}
	return end
}

func harmless(symbol *Symbol) bool {
	return !limiting[symbol.Class] && (symbol.Class != Refused || asideRefusals[symbol.Refusal] || isPast(symbol.Text))
}

// counts reports whether the number at i only says how many are spoken of: the
// three categories.
func counts(symbols []Symbol, i int) bool {
	if symbols[i].Class != Amount || symbols[i].Amount.Unit != NoUnit {
		return false
	}
	switch symbols[i+1].Class {
	case CatNoun, SKUNoun, Product:
		return true
	}
	return false
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
