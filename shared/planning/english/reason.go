package english

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
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
var asideRefusals = [256]bool{Vague: true, VagueAmount: true, OutsideData: true, Unclear: true, DeleteRows: true}

// reasons makes filler of why something is asked: "because costs went up", "our
// supplier raised prices, so". It leaves what a rule could need.
func reasons(symbols []Symbol) []Symbol {
	if !slices.ContainsFunc(symbols, func(s Symbol) bool { return s.Class == Cause || s.Class == Fact }) {
		return symbols
	}
	for i := 1; i+1 < len(symbols); i++ {
		if symbols[i].Class == Fact && symbols[i-1].Class == Comma && symbols[i+1].Class == Stop && apposed[firstWord(symbols[i].Text)] && !ofLast(&symbols[i]) {
			symbols[i].Class, symbols[i].Refusal = Refused, OutsideData // of Acme, our supplier
		}
	}
	kept := make([]Symbol, 0, len(symbols))
	opens := true // a rule may begin here
	tried := 0    // what does not begin with a cause is no reason before here
	for i := 0; i < len(symbols); i++ {
		if symbols[i].Class == Cause || (opens || aside(symbols, i)) && i >= tried {
			end, read := reasonEnd(symbols, i, opens)
			if end > i && namesProducts(symbols, i, end) && decides(symbols, i, end) {
				kept = append(kept, subject(symbols, i, end)...)
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

// ofLast reports whether words tell what became of the last of the products.
func ofLast(s *Symbol) bool { return strings.HasPrefix(strings.ToLower(s.Text), "the last ") }

// apposed begin who states something, which alone after a comma says who was named.
var apposed = set("our the")

// aside reports whether symbol i begins what stands between parentheses or after
// a dash.
func aside(symbols []Symbol, i int) bool {
	return i > 0 && symbols[i-1].Class == Comma && symbols[i-1].Text == "("
}

// announces reports whether a colon after what begins with a symbol parts it from
// a rule: "as discussed with Anna:", and not "our costs are:".
func announces(first *Symbol) bool {
	return first.Class == Cause || first.Class == Fact && strings.HasPrefix(strings.ToLower(first.Text), "i ")
}

// predicatedAt reports whether a known category or SKU that something is said of
// at once stands at i, and so a rule.
func predicatedAt(symbols []Symbol, i int) bool {
	for symbols[i].Class == Noise || symbols[i].Class == All {
		i++
	}
	if symbols[i].Class != Category && symbols[i].Class != SKU {
		return false
	}
	for i++; symbols[i].Class == Noise || symbols[i].Class == Price || symbols[i].Class == Product; i++ {
	}
	switch symbols[i].Class {
	case Do, Copula, Up, Down, Amount:
		return true
	}
	return false
}

// subject makes filler of the reason from i to end. Where the rule after it
// speaks of "them", the categories and SKUs of the reason stay, for those are
// meant: "since we have too many maps, drop them by 20%".
func subject(symbols []Symbol, i, end int) []Symbol {
	filler := Symbol{Class: Noise, From: symbols[i].From, To: symbols[end-1].To, Text: "because"}
	pronoun := false
	for k := end; symbols[k].Class != Stop; k++ {
		pronoun = pronoun || symbols[k].Class == Pronoun
		if isName(&symbols[k]) || symbols[k].Class == Everything {
			return []Symbol{filler}
		}
	}
	var named []Symbol
	for k := i; k < end && pronoun; k++ {
		if symbols[k].Class != Category && symbols[k].Class != SKU {
			continue
		}
		if named != nil {
			named = append(named, Symbol{Class: And, From: symbols[k].From, To: symbols[k].From + 1, Text: "and"})
		}
		named = append(named, symbols[k])
	}
	if named == nil {
		return []Symbol{filler}
	}
	last := named[len(named)-1]
	told := Symbol{Class: Arrived, From: last.From, To: last.To, Text: last.Text}
	return append(named, told, Symbol{Class: Comma, From: last.From, To: last.To, Text: ","})
}

// reasonEnd returns the end of the reason that begins at symbol i, or i, and up
// to where it read: at the start of a sentence up to "so" or the comma before
// its verb, or all of it; after a rule, "because" and its like up to the end of
// the sentence.
func reasonEnd(symbols []Symbol, i int, opens bool) (end, read int) {
	stated, joined := symbols[i].Class == Cause, false
	for k := i; k < len(symbols); k++ {
		symbol := &symbols[k]
		stated = stated || symbol.Class == Fact
		switch {
		case symbol.Class == Stop:
			return ended(stated, i, k), k
		case opens && symbol.Class == Noise && k > i && endsReason(symbol):
			return ended(stated, i, k+1), k
		case !opens && symbol.Class == Comma && namesNext(symbols, k+1), aside(symbols, i) && (symbol.Class == Category || symbol.Class == SKU):
			return i, k // "since tea went up, mugs too"
		case symbol.Class == Comma && symbol.Text == ")":
			return ended(stated, i, k), k
		case opens && symbol.Class == Colon && announces(&symbols[i]), opens && stated && symbol.Class == Comma && predicatedAt(symbols, k+1):
			return k + 1, k
		case opens && (symbol.Class == Comma || symbol.Class == Colon) && beginsRule(symbols, k+1, stated):
			return ended(stated, i, k+1), k
		case !harmless(symbol) && !counts(symbols, k) && !(stated && !joined && symbol.Class == Amount) && !lasted(symbols, k):
			return i, k
		}
		joined = joined || joinsFigure(symbols, k)
	}
	return i, len(symbols)
}

// endsReason reports whether filler parts a reason from what it is for.
func endsReason(symbol *Symbol) bool {
	text := strings.ToLower(symbol.Text)
	return strings.HasPrefix(text, "so") || strings.HasSuffix(text, "decided to")
}

// namesNext reports whether a name stands at k, maybe after "and".
func namesNext(symbols []Symbol, k int) bool {
	for symbols[k].Class == And || symbols[k].Class == Noise {
		k++
	}
	return isName(&symbols[k])
}

func ended(stated bool, i, end int) int {
	if !stated {
		return i
	}
	return end
}

func harmless(symbol *Symbol) bool {
	return !limiting[symbol.Class] && !retracts(symbol) && (symbol.Class != Refused || asideRefusals[symbol.Refusal] || isPast(symbol.Text))
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

// joinsFigure reports whether the symbol at k joins a number after it to what
// could be a rule of its own, or is what a rule could be about. Then the number is
// none of a reason.
func joinsFigure(symbols []Symbol, k int) bool {
	switch symbols[k].Class {
	case And, Comma, For, Colon, Category:
		return true
	case Name:
		return symbols[k+1].Class == Copula // "since tea is up 5%, ..."
	}
	return false
}

// lasted reports whether the word at k is how long something has been so, or how that
// time was: it's been 2 years since, it's been a good year.
func lasted(symbols []Symbol, k int) bool {
	if symbols[k].Refusal == Schedule && (durations[strings.ToLower(symbols[k].Text)] || yearly[strings.ToLower(symbols[k].Text)]) && wentBy(symbols, k) {
		return true
	}
	if k < 2 || symbols[k].Refusal != Schedule || symbols[k-1].Class != Amount || !durations[strings.ToLower(symbols[k].Text)] {
		return false
	}
	return symbols[k-2].Class == Fact || strings.EqualFold(symbols[k+1].Text, "since") || strings.EqualFold(symbols[k+1].Text, "ago")
}

// wentBy reports whether what stands before the word at k tells of a time that is past:
// we've had a slow.
func wentBy(symbols []Symbol, k int) bool {
	for k--; k >= 0 && (symbols[k].Class == Name || symbols[k].Class == Noise || symbols[k].Class == Refused && symbols[k].Refusal != Schedule); k-- {
	}
	return k >= 0 && symbols[k].Class == Fact && past().MatchString(symbols[k].Text)
}

// past are facts of what was so for some time.
var past = lazyregexp.New(`(?i)^(?:it(?:'s| has) been|we(?:'ve| have)? had)$`)

var durations = set("day days week weeks month months quarter season year years")

// decides reports whether the rule beside the reason from i to end says itself
// what shall be done, where the reason has numbers that could say it too.
func decides(symbols []Symbol, i, end int) bool {
	figures, priced := false, false
	for k := i; k < end; k++ {
		figures = figures || symbols[k].Class == Amount && !counts(symbols, k)
		priced = priced || symbols[k].Class == Amount && symbols[k].Amount.Unit != NoUnit
	}
	if !figures {
		return true
	}
	start, stop := sentenceAround(symbols, i)
	acts := false
	for k := start; k < stop; k++ {
		if k >= i && k < end {
			continue
		}
		switch symbols[k].Class {
		case Amount, Stock, Restock, Times:
			acts = true
		case Pronoun:
			if priced { // it may be what costs so much
				return false
			}
		}
	}
	return acts
}

// isPast reports whether words name a time that nothing can be asked for at.
func isPast(text string) bool {
	text = strings.ToLower(text)
	return strings.HasPrefix(text, "yesterday") || text == "ago" || strings.HasPrefix(text, "last ") || strings.HasPrefix(text, "this ")
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
