package english

import (
	"slices"
	"strings"
)

// "Nothing" is what becomes of products that a change leaves as they are: "add 8%
// to rings and nothing to brooches", or of all but those that a sentence is about:
// "nothing changes except rings, which go up 5%".

// nothings writes out that a change beside others is none. Beside a price, nothing
// is one.
func nothings(symbols []Symbol) []Symbol {
	changed := false
	for i := 0; i < len(symbols); i++ {
		switch symbols[i].Class {
		case Stop:
			changed = false
		case Up, Down:
			changed = true
		case To: // "lower rings to $5, brooches to nothing"
			changed = changed && !isMoney(&symbols[i+1])
		case Refused:
			if changed && saysNothing(&symbols[i]) {
				symbols = noneOf(symbols, i)
			}
		}
	}
	return symbols
}

func saysNothing(s *Symbol) bool { return s.Class == Refused && strings.EqualFold(s.Text, "nothing") }

// noneOf reads "nothing to brooches", "to brooches nothing" and "brooches nothing",
// from its "nothing".
func noneOf(symbols []Symbol, i int) []Symbol {
	end := i + 1
	if symbols[end].Class == At && symbols[end+1].Class == All { // nothing at all
		end += 2
	}
	nothing := Symbol{Class: Alone, From: symbols[i].From, To: symbols[end-1].To, Text: "unchanged"}
	if symbols[end].Class == To && namesFrom(symbols, end+1) > end+1 {
		nothing.Class = NoChange
		return slices.Replace(symbols, i, end+1, nothing)
	}
	if !endsBreath(&symbols[end]) {
		return symbols
	}
	verb := i
	if before := strings.ToLower(symbols[i-1].Text); symbols[i-1].Class == By || before == "get" || before == "gets" {
		verb--
	}
	first := verb
	for first > 0 && (isName(&symbols[first-1]) || symbols[first-1].Class == Noise || symbols[first-1].Class == All) {
		first--
	}
	if first == verb {
		return symbols
	}
	switch opener := symbols[first-1].Class; {
	case opener == To && verb == i:
		symbols = slices.Replace(symbols, verb, end, nothing)
		return slices.Delete(symbols, first-1, first)
	case opener == Comma || opener == And:
		return slices.Replace(symbols, verb, end, nothing)
	}
	return symbols
}

// onlyThese leaves of "nothing changes except rings, which go up 5%" what is said
// of the rings, where nothing else is asked for.
func onlyThese(symbols []Symbol) []Symbol {
	first := 0
	for symbols[first].Class == Noise {
		first++
	}
	except := allUnchanged(symbols, first)
	if except == first {
		return symbols
	}
	which := except + 1
	for exceptable[symbols[which].Class] {
		which++
	}
	if symbols[which].Class != Which || symbols[which-1].Class != Comma || which < except+3 {
		return symbols
	}
	last := which
	for symbols[last].Class != Stop {
		switch symbols[last].Class {
		case Leave, Alone, NoChange:
			return symbols
		}
		last++
	}
	if slices.ContainsFunc(symbols[last:], func(s Symbol) bool { return s.Class != Stop && s.Class != Noise }) {
		return symbols
	}
	symbols = slices.Delete(symbols, which-1, which+1)
	return slices.Delete(symbols, first, except+1)
}

// exceptable are the classes of what an exception names.
var exceptable = [256]bool{Name: true, Category: true, SKU: true, SKUNoun: true, CatNoun: true, Product: true, Price: true, Stock: true, Noise: true, All: true, And: true, Comma: true, Of: true}

// allUnchanged is where the "except" of a sentence stands that begins by leaving all
// products as they are, or i.
func allUnchanged(symbols []Symbol, i int) int {
	unchanged, change, no := false, false, false
	for k := i; ; k++ {
		switch symbols[k].Class {
		case NoChange, Leave, Alone:
			unchanged = true
		case Change:
			change = true
		case DoNot:
			no = true
		case Refused:
			if !saysNothing(&symbols[k]) {
				return i
			}
			no = true
		case Noise, All, Everything, Product, Price, Copula:
		case Except:
			if unchanged || change && no {
				return k
			}
			return i
		default:
			return i
		}
	}
}

// saidAgain takes out a sentence that leaves all but some products as they are, where
// every other sentence is of these, and all of them change: "mugs up 5%. Leave everything except mugs alone."
func saidAgain(symbols []Symbol) []Symbol {
	for start := 0; start < len(symbols); {
		_, end := sentenceAround(symbols, start)
		if except := allButUnchanged(symbols[start:end]); except > 0 {
			others := slices.Concat(symbols[:start], symbols[end:])
			if these := names(symbols[start+except : end]); solelyOf(others, these) && len(names(others)) == len(these) {
				return slices.Delete(symbols, start, min(end+1, len(symbols)-1))
			}
		}
		start = end + 1
	}
	return symbols
}

// allButUnchanged is where the "except" of a sentence stands that says of all products
// but some that they stay as they are, and no more; or 0.
func allButUnchanged(sentence []Symbol) int {
	except, whole, named, stay, change, no := 0, false, false, false, false, false
	for k := range sentence {
		switch s := &sentence[k]; s.Class {
		case Everything:
			whole = true
		case Except, But:
			if except > 0 || k == 0 {
				return 0
			}
			except = k
		case Leave, Alone, NoChange, Skip:
			stay = true
		case Change:
			change = true
		case DoNot:
			no = true
		case Refused:
			if !saysNothing(s) {
				return 0
			}
			no, whole = true, true
		case Name, Category, SKU:
			if except == 0 {
				return 0
			}
			named = true
		case Noise, All, Product, Price, CatNoun, SKUNoun, Copula, Colon, And, Comma, For, To, In:
			whole = whole || s.Class == All && except == 0
		default:
			return 0
		}
	}
	if !whole || !named || stay == (no && change) || no != change {
		return 0
	}
	return except
}

// names is what is named among symbols.
func names(symbols []Symbol) map[string]bool {
	all := map[string]bool{}
	for i := range symbols {
		if isName(&symbols[i]) {
			all[strings.ToLower(symbols[i].Text)] = true
		}
	}
	return all
}

// solelyOf reports whether each sentence is of these products and of no others.
func solelyOf(symbols []Symbol, these map[string]bool) bool {
	named, said := false, false
	for i := range symbols {
		switch s := &symbols[i]; s.Class {
		case Stop:
			if said && !named {
				return false
			}
			named, said = false, false
		case Name, Category, SKU:
			if !these[strings.ToLower(s.Text)] {
				return false
			}
			named = true
		case Everything, Rest:
			return false
		case Noise:
		default:
			said = true
		}
	}
	return named || !said
}
