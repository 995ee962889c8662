package english

import (
	"slices"
	"strings"
)

// How something looks, feels or goes is told by few verbs and many adjectives.
// Those here speak of no price, no stock and no choice, so a clause of a subject
// that is no product and of one of them takes nothing from a rule.

// states are what something is, and none of what it costs, should cost or stands
// apart by.
var states = set("full empty messy tidy untidy cluttered crowded packed overflowing cramped tight tidier neater cleaner simpler clearer smarter prettier smoother friendlier tired sad ugly dull quiet dead busy weak strong solid steady brisk patchy tough rough hard bad awful terrible dreadful dismal grim brutal crazy mad insane " +
	"silly odd strange confusing chaotic endless huge massive unbelievable ridiculous greedy angry annoyed upset unhappy happy thrilled delighted pleased excited worried nervous hungry bored sunny rainy")

// looking are the verbs between what is spoken of and its state, and occurring
// those after which nothing more has to be said.
var (
	looking   = set("look looks looked feel feels felt sound sounds sounded smell smells smelled")
	occurring = set("sit sits sat rang phoned called laughed complained complain grumbled moaned closed moved shut visited retired graduated married arrived opened broke burst leaked flooded collapsed")
	degrees   = set("pretty awfully terribly rather very really quite so utterly totally completely absolutely again lately")
)

// Describes reports whether words from an unknown run end by telling how what
// they begin with is: counter menu looks messy. Where it is spoken of before them,
// they may begin with the verb.
func Describes(text string, spoken bool) bool {
	if !spoken && capital(text) { // the London shop may be one of several
		return false
	}
	words := strings.Fields(strings.ToLower(text))
	first := 1
	if spoken {
		first = 0
	}
	for i := first; i < len(words); i++ {
		rest := words[i+1:]
		if occurring[words[i]] && onlyOf(degrees, rest) {
			return true
		}
		if looking[words[i]] && len(rest) > 0 && states[rest[len(rest)-1]] && onlyOf(degrees, rest[:len(rest)-1]) {
			return true
		}
	}
	return false
}

// tradeFolk are those whom a shop deals with.
var tradeFolk = set("supplier suppliers vendor vendors competitor competitors staff warehouse customer customers visitors guests clients")

// describedIn reports whether symbols that spoke of something end by telling how it
// is: they are names and adjectives, one of which has the verb.
func describedIn(symbols []Symbol) bool {
	for k := range symbols {
		if symbols[k].Class == Refused && !tradeFolk[strings.ToLower(symbols[k].Text)] && !occurring[strings.ToLower(symbols[k].Text)] { // one of several, perhaps
			return false
		}
		if k > 0 && symbols[k].Class == Refused && occurring[strings.ToLower(symbols[k].Text)] { // the wholesaler called
			return k == len(symbols)-1
		}
		if symbols[k].Class == Name && symbols[k].Sense != InQuotes && Describes(symbols[k].Text, k > 0) {
			return !slices.ContainsFunc(symbols[k+1:], func(s Symbol) bool { return s.Class != Refused })
		}
	}
	return false
}

// keptUp reports whether "keeps jamming" stands at k.
func keptUp(symbols []Symbol, k int) bool {
	return symbols[k].Class == Leave && keepsOn[strings.ToLower(symbols[k].Text)] && symbols[k+1].Class == Name && doing().MatchString(symbols[k+1].Text)
}

var keepsOn = set("keep keeps kept")

func onlyOf(words map[string]bool, said []string) bool {
	return !slices.ContainsFunc(said, func(word string) bool { return !words[word] })
}

// sinceLong is the end of "for ages" at symbol k, or k.
func sinceLong(symbols []Symbol, k int) int {
	if symbols[k].Class != For {
		return k
	}
	last := k + 1
	for article(&symbols[last]) {
		last++
	}
	if symbols[last].Class == Name && long[strings.ToLower(symbols[last].Text)] {
		return last + 1
	}
	return k
}

var long = set("ages while yonks eternity")

// seasonAt is the end of "summer is nearly over" at symbol i, which is no date, or
// i.
func seasonAt(symbols []Symbol, i int) int {
	k := i
	for classAt(symbols, k) == Refused && yearly[strings.ToLower(symbols[k].Text)] {
		k++
	}
	switch class := classAt(symbols, k); {
	case k == i:
	case class == Arrived: // is here
		return k + 1
	case class == Copula && copulas[strings.ToLower(symbols[k].Text)]:
		for k++; classAt(symbols, k) == Refused && symbols[k].Refusal == VagueAmount; k++ {
		}
		if classAt(symbols, k) != Stop && turning[strings.ToLower(symbols[k].Text)] {
			return k + 1
		}
	}
	return i
}

// yearly are the seasons that people speak of, and turning what they do.
var (
	yearly  = set("summer winter spring autumn season holiday holidays christmas easter")
	turning = set("here over coming approaching ending around")
)
