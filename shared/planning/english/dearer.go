package english

import (
	"slices"
	"strings"
)

// "Cheaper ones" and "those that cost more" are products on the other side of the
// ranges of prices that the rules before are for: "lamps up to $30 by 5%, those that
// cost more by 3%", "everything from $100 up by 5%; leave cheaper items alone". They
// are written out with the price.

// dearness are the words that compare prices, with the side of a bound that they say.
var dearness = map[string]Class{
	"more": Over, "higher": Over, "dearer": Over, "pricier": Over, "costlier": Over, "more expensive": Over, "higher priced": Over,
	"less": Under, "lower": Under, "cheaper": Under, "less expensive": Under, "lower priced": Under,
}

// dearers writes out the prices of products that are told by what others cost.
func dearers(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols)-1; i++ {
		class := symbols[i].Class
		if class != Up && class != Down && class != Refused || actsClass(&symbols[i]) {
			continue
		}
		side, compares := dearness[dearnessAt(symbols, i)]
		if !compares || !comparesAfter(symbols, i) && !comparesBefore(symbols, i) {
			continue
		}
		bound, ok := boundOf(symbols, i, side)
		if !ok {
			continue
		}
		symbols[i].Class, symbols[i].Sense, symbols[i].Refusal = side, 0, NotRefused
		at := i
		if comparesBefore(symbols, i) {
			symbols[i], symbols[i+1] = symbols[i+1], symbols[i]
			at++
		}
		symbols = slices.Insert(symbols, at+1, Symbol{Class: Amount, From: symbols[at].From, To: symbols[at].To, Text: symbols[at].Text, Amount: bound})
		ofNamed(symbols[:at])
	}
	return symbols
}

// dearnessAt is the word at i as dearness has it.
func dearnessAt(symbols []Symbol, i int) string {
	return strings.ReplaceAll(strings.ToLower(symbols[i].Text), "-", " ")
}

// comparesAfter reports whether the word at i says of products before it what they
// cost: those that cost more, if they are cheaper, anything dearer.
func comparesAfter(symbols []Symbol, i int) bool {
	switch before := &symbols[i-1]; before.Class {
	case If:
		return true
	case Rel: // "lamps priced higher by 5%" become so
		text := strings.ToLower(before.Text)
		return strings.HasPrefix(text, "where ") || text != "priced" && i > 1 && namedBefore(symbols, i-2)
	case Everything: // but not "make everything cheaper", "anything cheaper by 5%"
		next := &symbols[i+1]
		change := next.Class == By || next.Class == Amount && next.Amount.Sign == 0
		return !change && (i < 2 || symbols[i-2].Class != Do && symbols[i-2].Class != Copula)
	}
	return false
}

// comparesBefore reports whether the word at i says of the products after it what they
// cost: the cheaper ones, dearer lamps.
func comparesBefore(symbols []Symbol, i int) bool {
	if numeral[dearnessAt(symbols, i)] || symbols[i+1].Class != Product && !namedBefore(symbols, i+1) || OneThing(symbols, i+1) {
		return false
	}
	before := i - 1
	for before >= 0 && (symbols[before].Class == Noise || symbols[before].Class == All) {
		before--
	}
	return before >= 0 && symbols[before].Class != Do && symbols[before].Class != Copula && symbols[before].Class != Amount // "make cheaper items", "5% cheaper items"
}

// numeral are the words of dearness that a number or a verb can be meant by before
// products: more items, lower items.
var numeral = set("more less higher lower")

// namedBefore reports whether the products at i were named before, or have no name.
func namedBefore(symbols []Symbol, i int) bool {
	switch symbols[i].Class {
	case Pronoun, Product, Everything:
		return true
	}
	return isName(&symbols[i]) && slices.ContainsFunc(symbols[:i], func(s Symbol) bool { return isName(&s) && strings.EqualFold(s.Text, symbols[i].Text) })
}

// boundOf is the bound that the word at i stands for: where the ranges of prices end
// that the rules before are for. What costs just that must be within one of them, so
// that it is no cheaper and no dearer, unless the word is of products that stay as
// they are, which no rule takes it for.
func boundOf(symbols []Symbol, i int, side Class) (Value, bool) {
	kept := staysAround(symbols, i)
	from := comparedFrom(symbols, i, kept)
	if kept && from > 0 || !namedAlike(symbols[from:namesFrom(symbols, i+1)]) {
		return Value{}, false
	}
	bands, ok := bandsOf(symbols[from:breathAt(symbols, from, i)])
	if !ok {
		return Value{}, false
	}
	edge := bands[0].end(side)
	for _, b := range bands {
		end := b.end(side)
		if !end.set {
			return Value{}, false
		}
		if order := end.Number.Cmp(edge.Number); order > 0 && side == Over || order < 0 && side == Under || order == 0 && end.within {
			edge = end
		}
	}
	return edge.Value, edge.within || kept
}

// priceBand is a range of prices.
type priceBand struct{ lower, upper bandEnd }

// bandEnd is an end of a range of prices, if it has one there.
type bandEnd struct {
	Value
	set, within bool
}

// end is where a range ends on one side.
func (b priceBand) end(side Class) bandEnd {
	if side == Over {
		return b.upper
	}
	return b.lower
}

// bandsOf is the ranges of prices of rules that have one range and one change each.
func bandsOf(symbols []Symbol) (bands []priceBand, ok bool) {
	changes := 0
	for k := 0; k < len(symbols); k++ {
		switch class := symbols[k].Class; class {
		case Floor, Cap, NotUnder, NotOver, Round, Nearest, EndIn:
			return nil, false
		case Times:
			changes++
		default:
			if band, end := bandAt(symbols, k); end > k {
				bands = append(bands, band)
				k = end - 1
			} else if class == Amount {
				changes++
			}
		}
		if d := len(bands) - changes; d < -1 || d > 1 {
			return nil, false
		}
	}
	return bands, changes > 0 && len(bands) == changes
}

// bandAt reads a range of prices at symbol k, and returns its end, or k.
func bandAt(symbols []Symbol, k int) (b priceBand, end int) {
	money := func(k int) bool { return k < len(symbols) && isMoney(&symbols[k]) && symbols[k].Amount.Sign == 0 }
	at := func(k int, within bool) bandEnd { return bandEnd{symbols[k].Amount, true, within} }
	switch class, next := symbols[k].Class, classAt(symbols, k+1); {
	case class == Between && money(k+1) && money(k+3):
		return priceBand{at(k+1, true), at(k+3, true)}, k + 4
	case (class == Over || class == AtLeast) && money(k+1):
		return priceBand{lower: at(k+1, class == AtLeast)}, k + 2
	case (class == Under || class == AtMost) && money(k+1):
		return priceBand{upper: at(k+1, class == AtMost)}, k + 2
	case money(k) && (next == To || next == Dash) && money(k+2):
		return priceBand{at(k, true), at(k+2, true)}, k + 3
	case money(k) && next == AndUp:
		return priceBand{lower: at(k, true)}, k + 2
	case money(k) && next == AndDown:
		return priceBand{upper: at(k, true)}, k + 2
	}
	return b, k
}

// comparedFrom is where the rules begin that what is said at i is compared with: in its
// own sentence, or in those right before it that have a range of prices each. What
// stays as it is is compared with both.
func comparedFrom(symbols []Symbol, i int, kept bool) int {
	from, _ := sentenceAround(symbols, i)
	for from > 0 && (kept || !hasBand(symbols[from:i])) {
		before, _ := sentenceAround(symbols, from-1)
		if !hasBand(symbols[before : from-1]) {
			break
		}
		from = before
	}
	return from
}

func hasBand(symbols []Symbol) bool {
	for k := range symbols {
		if _, end := bandAt(symbols, k); end > k {
			return true
		}
	}
	return false
}

// namedAlike reports whether symbols name the same products throughout, or none.
func namedAlike(symbols []Symbol) bool {
	var first []string
	for k := 0; k < len(symbols); k++ {
		if !isName(&symbols[k]) {
			continue
		}
		var names []string
		end := namesFrom(symbols, k)
		for ; k < end; k++ {
			if isName(&symbols[k]) {
				names = append(names, strings.ToLower(symbols[k].Text))
			}
		}
		if first != nil && !slices.Equal(first, names) {
			return false
		}
		first = names
	}
	return true
}

// breathAt is where what is said at i begins, after from.
func breathAt(symbols []Symbol, from, i int) int {
	for i > from && (symbols[i-1].Class == Noise || !endsBreath(&symbols[i-1])) {
		i--
	}
	return i
}

// staysAround reports whether the products at i are to stay as they are, in the same
// breath.
func staysAround(symbols []Symbol, i int) bool {
	stays := false
	for k := breathAt(symbols, 0, i); k < i; k++ {
		switch symbols[k].Class {
		case Amount, Times:
			return false
		case Leave, Skip, NoChange, DoNot:
			stays = true
		}
	}
	for k := i + 1; symbols[k].Class == Noise || !endsBreath(&symbols[k]); k++ {
		switch symbols[k].Class {
		case Amount, Times:
			return false
		case Leave, Alone, NoChange, DoNot:
			stays = true
		}
	}
	return stays
}
