package english

import (
	"slices"
	"strings"
)

// What a change leaves as it is may be told by a noun for that change, "no discount
// on rings", or by what becomes of its products, "nothing in rings changes", "rings
// aside". It is written out as the words that leave something alone, so that one
// rule reads all.

// exempts writes out what all sentences leave as it is.
func exempts(symbols []Symbol) []Symbol {
	for i := 0; i < len(symbols); i++ {
		switch s := &symbols[i]; {
		case s.Class == With && leftAsItIs(symbols, i+1):
			s.Class = Comma
		case s.Class == But && describedAt(symbols, i+1):
			butFor(symbols, i)
		case s.Class == From:
			symbols = outOfChange(symbols, i)
		case s.Class == Except && exceptThat(symbols, i):
			s.Class = But
			symbols = slices.Delete(symbols, i+1, i+2)
		case s.Class != Refused:
		case strings.EqualFold(s.Text, "no"):
			noneFor(symbols, i)
		case strings.EqualFold(s.Text, "either"):
			neitherDoes(symbols, i)
		case saysNothing(s):
			nothingIn(symbols, i)
		case completely[strings.ToLower(s.Text)]:
			whollyOut(symbols, i)
		case apartFrom[strings.ToLower(s.Text)]:
			namesAside(symbols, i)
		}
	}
	return symbols
}

// leftAsItIs reports whether products are said to stay as they are at symbol i, and
// no more: "with rings unchanged", "with no change to rings".
func leftAsItIs(symbols []Symbol, i int) bool {
	for symbols[i].Class == Noise {
		i++
	}
	if symbols[i].Class == NoChange || changeNoun(symbols, i+1) && strings.EqualFold(symbols[i].Text, "no") {
		return true
	}
	end := namesFrom(symbols, i)
	for end > i && (symbols[end].Class == Leave || symbols[end].Class == Noise) {
		end++
	}
	return end > i && symbols[end].Class == Alone && endsBreath(&symbols[end+1])
}

// changeNouns are nouns for a change of prices.
var changeNouns = set("increase increases rise rises raise raises hike hikes uplift markup markups surcharge surcharges discount discounts reduction reductions cut cuts markdown markdowns drop drops rebate rebates")

// changeNoun reports whether a change is named at symbol i, and then its products.
func changeNoun(symbols []Symbol, i int) bool {
	if i >= len(symbols) || !isChange(&symbols[i]) {
		return false
	}
	switch classAt(symbols, i+1) {
	case For, In, To, Of:
		return namesFrom(symbols, i+2) > i+2
	}
	return false
}

// noneFor reads "no discount on rings" at symbol i as "do not discount rings".
func noneFor(symbols []Symbol, i int) {
	if !changeNoun(symbols, i+1) {
		return
	}
	symbols[i].Class, symbols[i].Refusal = DoNot, NotRefused
	symbols[i+1].Sense = Verb
	symbols[i+2].Class = Noise
}

// neitherDoes makes filler of "either" after something else that is left alone: "do
// not touch rings either".
func neitherDoes(symbols []Symbol, i int) {
	if !endsBreath(&symbols[i+1]) {
		return
	}
	start, _ := sentenceAround(symbols, i)
	for k := start; k < i; k++ {
		if class := symbols[k].Class; class == DoNot || class == Except || class == NoChange || class == Leave {
			symbols[i].Class, symbols[i].Refusal = Noise, NotRefused
			return
		}
	}
}

// outOfChange makes of "exclude A101 from the 5% increase", from its "from", what
// "exclude A101 the increase" is, where that increase is asked for.
func outOfChange(symbols []Symbol, i int) []Symbol {
	first, out := i, false
	for first > 0 && symbols[first].Class != Except && (exceptable[symbols[first-1].Class] || excluding(&symbols[first-1])) {
		first--
		out = out || excluding(&symbols[first])
	}
	change, end := -1, i+1
	for ; !endsBreath(&symbols[end]) || symbols[end].Class == Noise; end++ {
		switch class := symbols[end].Class; {
		case change < 0 && isChange(&symbols[end]):
			change = end
		case class != Noise && class != Price && class != Amount && class != Name && class != Category && class != Of && class != In && class != For && class != To:
			return symbols
		}
	}
	if !out || change < 0 || !asksFor(slices.Concat(symbols[:first], symbols[end:]), symbols[i+1:end]) {
		return symbols
	}
	if symbols[first].Class == Except { // of the change that it stands beside
		opposite := map[Class]Class{Up: Down, Down: Up}[symbols[change].Class]
		if slices.ContainsFunc(symbols[:first], func(s Symbol) bool { return s.Class == opposite }) {
			return symbols
		}
		return slices.Delete(symbols, i, end)
	}
	return slices.Replace(symbols, i, end, symbols[change])
}

// excluding reports whether a symbol leaves products out: exclude, is exempt.
func excluding(s *Symbol) bool { return s.Class == Skip || s.Class == Alone || s.Class == Except }

// isChange reports whether a symbol is a noun for a change of prices.
func isChange(s *Symbol) bool {
	return (s.Class == Up || s.Class == Down) && changeNouns[lastWord(strings.ToLower(s.Text))]
}

// asksFor reports whether rules have no amounts but that of what tells of a change, and
// are of no products but the one that it names.
func asksFor(rules, change []Symbol) bool {
	for i := range change {
		switch told := &change[i]; told.Class {
		case Amount:
			if slices.ContainsFunc(rules, func(s Symbol) bool { return s.Class == Amount && s.Amount != told.Amount }) {
				return false
			}
		case Name, Category:
			if of := names(rules); len(of) != 1 || !of[strings.ToLower(told.Text)] {
				return false
			}
		}
	}
	return true
}

// exceptThat reports whether "except that" at symbol i says of products what becomes of
// them instead, or how far all prices may go: "except that rings go up 5%", "except that
// nothing goes below $3". "Except that which is sold out" leaves products out.
func exceptThat(symbols []Symbol, i int) bool {
	if that := &symbols[i+1]; that.Class != Refused || !strings.EqualFold(that.Text, "that") {
		return false
	}
	verb := namesFrom(symbols, i+2)
	for verb > i+2 && (symbols[verb].Class == Noise || symbols[verb].Class == Only) {
		verb++
	}
	switch s := &symbols[verb]; s.Class {
	case Do, Up, Down, Copula, DoNot, Leave, Alone:
		return verb > i+2
	case Floor, Cap:
		return verb == i+2 && s.Sense != 0
	}
	return false
}

// completely are words that say of something left out what "at all" does.
var completely = set("altogether completely entirely totally wholly fully")

// whollyOut makes filler of "completely" beside what leaves products alone: "skip
// rings completely", "leave rings entirely alone". "Not completely" may be a part.
func whollyOut(symbols []Symbol, i int) {
	start, _ := sentenceAround(symbols, i)
	if slices.ContainsFunc(symbols[start:i], func(s Symbol) bool { return s.Class == DoNot || s.Class == Refused }) {
		return
	}
	leaves := symbols[i+1].Class == Alone || symbols[i+1].Class == Skip
	if endsBreath(&symbols[i+1]) {
		k := i - 1
		for k > start && exceptable[symbols[k].Class] {
			k--
		}
		class := symbols[max(k, 0)].Class
		leaves = class == Skip || class == Except || class == Alone
	}
	if leaves {
		symbols[i].Class, symbols[i].Refusal = Noise, NotRefused
	}
}

// nothingIn reads "nothing in rings changes" and "nothing in rings is to change",
// from its "nothing", as "do not change rings".
func nothingIn(symbols []Symbol, i int) {
	if symbols[i+1].Class != In && symbols[i+1].Class != For && symbols[i+1].Class != Of {
		return
	}
	end := namesFrom(symbols, i+2)
	if end == i+2 {
		return
	}
	last := end
	for symbols[last].Class == Copula || symbols[last].Class == To || symbols[last].Class == Noise {
		last++
	}
	told := last == end && strings.HasSuffix(strings.ToLower(symbols[last].Text), "ed") // nothing in rings changed
	if symbols[last].Class != Change || told || !endsBreath(&symbols[last+1]) {
		return
	}
	symbols[i].Class, symbols[i].Refusal = DoNot, NotRefused
	symbols[i+1].Class = Change
	for k := end; k <= last; k++ {
		symbols[k].Class = Noise
	}
}

// apartFrom are words that set apart what is named before them.
var apartFrom = set("aside apart")

// namesAside reads "rings aside" at its last symbol, where it is all between two
// pauses, as "rings excepted".
func namesAside(symbols []Symbol, i int) {
	if !endsBreath(&symbols[i+1]) {
		return
	}
	first := i
	for first > 0 && (isName(&symbols[first-1]) || symbols[first-1].Class == And || symbols[first-1].Class == Noise || symbols[first-1].Class == All) {
		first--
	}
	if first == i || !isName(&symbols[i-1]) || first > 0 && symbols[first-1].Class != Stop && symbols[first-1].Class != Comma {
		return
	}
	symbols[i].Class, symbols[i].Refusal = Alone, NotRefused
}

// targetBefore reports whether products are spoken of right before symbol i, and
// whether those are all: every item, all of our prices.
func targetBefore(symbols []Symbol, i int) (named, all bool) {
	for i--; i >= 0; i-- {
		switch s := &symbols[i]; {
		case s.Class == Everything || s.Class == All && !named:
			return true, true
		case s.Class == Product || s.Class == Price || s.Class == CatNoun || isName(s):
			named = true
		case s.Class != Noise:
			return named, false
		}
	}
	return named, false
}

// describedAt reports whether products are spoken of at symbol i by more than their
// names: the items in rings, what is sold out.
func describedAt(symbols []Symbol, i int) bool {
	for symbols[i].Class == Noise || symbols[i].Class == Stock {
		i++
	}
	switch symbols[i].Class {
	case Product, Price, CatNoun, SKUNoun, All, Everything, Rel, Pronoun:
		return true
	case Under, Over, Between:
		return isMoney(&symbols[i+1])
	}
	return false
}

// butFor reads "all prices but those of rings" and "raise rings but those under $5 by
// 3%", from its "but", as what they are except those. What follows that "but" may be a
// rule of its own where the one before it has said its own: no rule reads that.
func butFor(symbols []Symbol, i int) {
	last := i
	if i > 0 && symbols[i-1].Class == Comma { // "raise everything, but those under $5 by 3%"
		last--
	}
	target, all := targetBefore(symbols, last)
	start, end := sentenceAround(symbols, i)
	begun, asked := false, false
	for k := start; k < i; k++ {
		asked = asked || asksChange(symbols, k)
		begun = begun || asked || actsClass(&symbols[k])
	}
	switch {
	case !target || (!all || last < i) && (asked || !begun):
		return
	case last < i:
		symbols[i].Class, symbols[i].Refusal = Refused, Unclear
		return
	}
	for k := i + 1; k < end && symbols[k].Class != Comma && symbols[k].Class != Then; k++ {
		changes := asksChange(symbols, k)
		if begun && (symbols[k].Class == Copula || actsClass(&symbols[k])) || asked && changes {
			symbols[i].Class, symbols[i].Refusal = Refused, Unclear
			return
		}
		if changes {
			break
		}
	}
	symbols[i].Class = Except
}

// asksChange reports whether the amount at symbol k is one to change prices by, or
// the price to set, and no bound of those that are meant.
func asksChange(symbols []Symbol, k int) bool {
	if symbols[k].Class != Amount || k == 0 {
		return symbols[k].Class == Times || symbols[k].Class == Amount
	}
	switch symbols[k-1].Class {
	case Under, Over, AtLeast, AtMost, Exactly, Between, NotUnder, NotOver, Rel, EndIn, Nearest, Floor, Cap:
		return false
	case And, Dash:
		return k < 3 || symbols[k-2].Class != Amount
	}
	next := symbols[k+1].Class
	return next != AndUp && next != AndDown && next != Dash
}
