package english

import (
	"slices"
	"strings"
)

// restockedAt parts "put A101 back in stock at $15" into what becomes of the stock
// and what becomes of the price, and names the products again. Of products that are
// not named by SKU, "as in stock at $15" may be those of that price.
func restockedAt(sentence []Symbol) []Symbol {
	first := fillerFrom(sentence, 0)
	verb := classAt(sentence, first)
	puts := verb == Do && stocking[firstWord(sentence[first].Text)]
	if puts || verb == Restock && sentence[first].Sense == InStock {
		first++
	}
	end := namesFrom(sentence, first)
	if end == first {
		return nil
	}
	names, at := sentence[first:end], end
	skus := !slices.ContainsFunc(names, func(s Symbol) bool { return s.Class == Name || s.Class == Category })
	if verb != Restock {
		at = restocked(sentence, end, puts, skus)
	}
	if at == end && (verb != Restock || !skus) {
		return nil
	}
	change, last := priceFrom(sentence, at, skus)
	if change == nil {
		return nil
	}
	var rest []Symbol
	switch next := joint(sentence, last); {
	case onlyNoise(sentence[next:]):
		rest = sentence[next:]
	case next > last && actsClass(&sentence[next]):
		rest = slices.Concat([]Symbol{stopAfter(sentence, last)}, sentence[next:])
	default:
		return nil
	}
	return slices.Concat(sentence[:at], []Symbol{stopAfter(sentence, at)}, names, change, rest)
}

// stocking are verbs that give products a stock.
var stocking = set("put mark set make bring get list show flag move")

// restocked is the end of what says from symbol k on that products come to be in
// stock, or k. Without a verb, hats back in stock may be those that are.
func restocked(sentence []Symbol, k int, acts, skus bool) int {
	at, set := k, false
	for class := classAt(sentence, at); class == Copula || class == As || class == To || class == Do || class == Noise; class = classAt(sentence, at) {
		acts = acts || class == Copula || class == Do
		set = set || class == As || class == To
		at++
	}
	class := classAt(sentence, at)
	if class != Restock && (class != Stock || !acts) || sentence[at].Sense != InStock {
		return k
	}
	text := strings.ToLower(sentence[at].Text)
	if class == Restock || strings.HasPrefix(text, "back") || strings.HasSuffix(text, "again") || set && skus {
		return at + 1
	}
	return k
}

// priceFrom reads "at $15", "with a price of $15 each" and ", 10% off" from symbol k
// on, as a rule says it after its products. Mugs with a price of $15 may be those that
// have it.
func priceFrom(sentence []Symbol, k int, skus bool) (change []Symbol, end int) {
	at := fillerFrom(sentence, joint(sentence, fillerFrom(sentence, k)))
	lead := classAt(sentence, at)
	if lead == At || lead == For || lead == With || lead == Rel && ofPrice(&sentence[at]) {
		at++
	}
	at = fillerFrom(sentence, at)
	if classAt(sentence, at) != Amount || sentence[at].Amount.Sign != 0 {
		return nil, k
	}
	amount := sentence[at]
	shall := Symbol{Class: Copula, From: amount.From, To: amount.From, Text: "should be"}
	switch next := classAt(sentence, at+1); {
	case next == Down && !changesNext(sentence, at+2):
		return sentence[at : at+2], at + 2
	case lead == Amount || amount.Amount.Unit != Money:
		return nil, k
	case lead == Rel && !skus:
		shall = sentence[at-1]
		shall.Class, shall.Refusal = Refused, Unclear
	case next == All && strings.EqualFold(sentence[at+1].Text, "each"):
		at++
	}
	return []Symbol{shall, amount}, at + 1
}

// ofPrice reports whether a condition may be what products shall cost, too: with a
// price of.
func ofPrice(s *Symbol) bool {
	text := strings.ToLower(s.Text)
	return strings.HasPrefix(text, "with ") || strings.HasPrefix(text, "priced")
}

// fillerFrom is the end of the filler from symbol k on that gives what follows no
// reason.
func fillerFrom(sentence []Symbol, k int) int {
	for classAt(sentence, k) == Noise && !endsReason(&sentence[k]) {
		k++
	}
	return k
}
