package english

import "strings"

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
		case s.Class != Refused:
		case strings.EqualFold(s.Text, "no"):
			noneFor(symbols, i)
		case strings.EqualFold(s.Text, "either"):
			neitherDoes(symbols, i)
		case saysNothing(s):
			nothingIn(symbols, i)
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
	if class := classAt(symbols, i); class != Up && class != Down {
		return false
	}
	words := strings.Fields(strings.ToLower(symbols[i].Text))
	if !changeNouns[words[len(words)-1]] {
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
