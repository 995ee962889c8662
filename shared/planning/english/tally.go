package english

import (
	"slices"
	"strconv"
	"strings"
)

// Products that were named may be counted where more is said of them: "then raise
// both by 5%", "and lower those three to $2". The names are written out where just as
// many are the last that were listed, or all that were named.

// counting are words for some of what was named, with their number; 0 is all of it.
var counting = map[string]int{"both": 2, "both of them": 2, "all of them": 0, "pair": 2, "duo": 2, "trio": 3}

// tally is how many of the products named before are spoken of.
type tally struct {
	number int
	points bool  // at the nearest: those two
	noun   Class // what they are called: those two SKUs
	end    int
}

// tallies writes out the names that were counted.
func tallies(symbols []Symbol) []Symbol {
	for i := 1; i < len(symbols); i++ {
		those := tallyAt(symbols, i)
		if those.end == i || !standsAlone(symbols, i, those.end) {
			continue
		}
		names := those.of(symbols[:i])
		if names == nil {
			if before := symbols[:i]; strings.HasPrefix(strings.ToLower(symbols[i].Text), "both") && !those.fits(before) {
				symbols[i].Class, symbols[i].Refusal = Refused, Unclear
			}
			continue
		}
		from, to := symbols[i].From, symbols[those.end-1].To
		if !askedBefore(symbols, i) { // mugs and hats: raise both
			symbols = slices.Replace(symbols, i, those.end, Symbol{Class: Pronoun, From: from, To: to, Text: "them"})
			continue
		}
		var written []Symbol
		for k, name := range names {
			if k > 0 {
				written = append(written, Symbol{Class: And, From: from, To: to, Text: "and"})
			}
			name.From, name.To = from, to
			written = append(written, name)
		}
		symbols = slices.Replace(symbols, i, those.end, written...)
		i += len(written) - 1
	}
	return symbols
}

// askedBefore reports whether something was asked for before symbol i in its sentence,
// or whether that has no names before it.
func askedBefore(symbols []Symbol, i int) bool {
	named := false
	for i--; i >= 0 && symbols[i].Class != Stop; i-- {
		if isValue(&symbols[i]) || symbols[i].Class == Restock || symbols[i].Class == Times {
			return true
		}
		named = named || isName(&symbols[i])
	}
	return !named
}

// tallyAt reads "both", "those two SKUs" and "all three of them" at symbol i.
func tallyAt(symbols []Symbol, i int) tally {
	t := tallied(symbols, i)
	if t.end == i {
		return t
	}
	if classAt(symbols, t.end) == Of && classAt(symbols, t.end+1) == Pronoun {
		t.end += 2
	}
	switch class := classAt(symbols, t.end); class {
	case Product, CatNoun, SKUNoun:
		t.noun = class
		t.end++
	}
	return t
}

// tallied is tallyAt without what the products are called.
func tallied(symbols []Symbol, i int) tally {
	none, next := tally{end: i}, symbols[min(i+1, len(symbols)-1)]
	class := symbols[i].Class
	if class == Pronoun || class == And {
		if number, counts := counting[strings.ToLower(symbols[i].Text)]; counts {
			return tally{number: number, end: i + 1}
		}
	}
	number := 0
	switch next.Class {
	case Amount: // those two
		number = countOf(next.Amount)
	case Name: // the pair
		if class == Noise {
			number = counting[strings.ToLower(next.Text)]
		}
	}
	if number < 2 {
		return none
	}
	switch text := strings.ToLower(symbols[i].Text); {
	case class == Pronoun && (text == "those" || text == "these"), class == All && text == "all", class == Noise && determiners[text]:
		return tally{number: number, points: class == Pronoun, end: i + 2}
	}
	return none
}

// countOf is a number that things can be counted by, or 0.
func countOf(v Value) int {
	if v.Unit != NoUnit || v.Sign != 0 || v.Fraction {
		return 0
	}
	number, err := strconv.Atoi(v.Number.String())
	if err != nil || number > maxTally {
		return 0
	}
	return number
}

// maxTally bounds how many products people count.
const maxTally = 12

// standsAlone reports whether the symbols from i to end are what a rule is for, and
// not words beside names or of how all prices shall look.
func standsAlone(symbols []Symbol, i, end int) bool {
	last := i - 1
	for last > 0 && symbols[last].Class == Noise {
		last--
	}
	for symbols[end].Class == Noise {
		end++
	}
	amount := symbols[end].Class == Amount && (symbols[end].Amount.Unit == NoUnit || classAt(symbols, end+1) == Name)
	switch before, after := symbols[last].Class, symbols[end].Class; {
	case isName(&symbols[end]), after == Of, amount, shapesPrices(after), shapesPrices(before):
		return false
	case before == Down || before == Up || before == Do || before == Change || before == Times || before == Restock:
		return true
	case before == To || before == For || before == In || before == From || before == Of && classAt(symbols, last-1) == Price:
		return endsBreath(&symbols[end]) || after == By
	case before == Stop || before == Then || before == And:
		return after == Do || after == Up || after == Down || becomes(symbols, end)
	}
	return false
}

// of are the names before that are counted, or nil where others may be meant.
func (t tally) of(before []Symbol) []Symbol {
	start := 0
	for i := range before {
		if before[i].Class == Stop {
			start = i + 1
		}
	}
	sentence := before[start:]
	all := namesIn(sentence)
	if everywhere := namesIn(before); len(all) < max(t.number, 1) || t.number == 0 && len(all) < len(everywhere) {
		sentence, all = before, everywhere
		if t.number == 0 { // of one sentence, or of several
			return nil
		}
	}
	nearest, leftOut := lastList(sentence)
	excepts := slices.ContainsFunc(sentence, func(s Symbol) bool { return leaving[s.Class] })
	switch {
	case slices.ContainsFunc(sentence, func(s Symbol) bool { return narrowing[s.Class] }), narrowedByStock(sentence):
		return nil
	case !excepts && (t.number == 0 || t.number == len(all)):
	case t.number == len(nearest) && (t.points || leftOut):
		all = nearest
	default:
		return nil
	}
	for i := range all {
		if t.noun != 0 && (t.noun == CatNoun) == (all[i].Class == SKU) {
			return nil
		}
	}
	return all
}

// fits reports whether as many names as are counted are listed before, or are all.
func (t tally) fits(before []Symbol) bool {
	names := namesIn(before)
	return len(names) == 0 || len(names) == t.number || slices.ContainsFunc(listsOf(before, isName), func(list series) bool { return len(list.ends) == t.number })
}

// Those that leave products out, and those that say which of a name are meant.
var (
	leaving   = map[Class]bool{Except: true, But: true, Skip: true, Leave: true, Alone: true, DoNot: true, NoChange: true}
	narrowing = map[Class]bool{Under: true, Over: true, AtLeast: true, AtMost: true, Between: true, Exactly: true, AndUp: true, AndDown: true, Rel: true, If: true, Unless: true, Only: true, Otherwise: true, Dash: true}
)

// narrowedByStock reports whether a stock stands beside a name, and may say which of
// that name are meant.
func narrowedByStock(symbols []Symbol) bool {
	for i := range symbols {
		if symbols[i].Class == Stock && (i > 0 && isName(&symbols[i-1]) || i+1 < len(symbols) && isName(&symbols[i+1])) {
			return true
		}
	}
	return false
}

// namesIn are the names in symbols, each once.
func namesIn(symbols []Symbol) []Symbol {
	var names []Symbol
	for _, s := range symbols {
		if isName(&s) && !slices.ContainsFunc(names, func(n Symbol) bool { return n.Class == s.Class && strings.EqualFold(n.Text, s.Text) }) {
			names = append(names, s)
		}
	}
	return names
}

// lastList are the names that are joined last in symbols, and whether they are left
// out of something.
func lastList(symbols []Symbol) (names []Symbol, leftOut bool) {
	from, to := 0, 0
	for i := range symbols {
		if i >= to && isName(&symbols[i]) {
			from, to = i, namesFrom(symbols, i)
		}
	}
	first := from - 1
	for first > 0 && (symbols[first].Class == Noise || symbols[first].Class == SKUNoun) {
		first--
	}
	return namesIn(symbols[from:to]), leaving[classAt(symbols, max(first, 0))]
}
