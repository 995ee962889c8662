package english

import "strings"

// OfAll is the sense of a Floor or Cap that is said of every product: "no item
// may cost less than". Said in a sentence of its own it is wider than a rule
// for some products.
const OfAll = 1

// OfPrices is the sense of a Floor or Cap that is said of prices, "no price should
// go below": of those that the rules before speak of, or else of all.
const OfPrices = 2

// Bare is the sense of a NotUnder or NotOver that does not say what it limits:
// "10% off, max $5" may mean the price or the discount.
const Bare = 1

// The parts of "no item may cost less than" and its like: one of each, in this
// order. Floors and caps differ in the last part alone.
var (
	limitSubjects = []string{"nothing", "none", "none of them", "none of these", "none of those", "none of it", "none of which", "neither", "neither of them", "neither of these", "neither of those", "not one", "not one of them", "no item", "no items", "no product", "no products"}
	limitPrices   = []string{"no price", "no prices"}
	limitVerbs    = []string{
		"may cost", "should cost", "must cost", "can cost", "shall cost", "will cost", "costs", "cost", "to cost", "may be", "should be", "must be", "can be",
		"should be priced", "may be priced", "should sell for", "should go", "may go", "can go", "must go", "should fall", "may fall", "can fall", "should drop", "may drop", "can drop",
		"should end up", "may end up", "may end up costing", "should end up costing", "can end up costing", "ends up", "ends up costing", "may be priced", "can be priced", "must be priced", "may dip", "should dip", "may sell for", "can sell for", "should get", "may get", "may be sold for", "can be sold for", "should be sold for", "must be sold for",
		"is", "goes", "falls", "drops",
		"to be", "to be priced", "to go", "to fall", "to drop", "to end up", "is to cost", "is to be", "is to go", "is to fall", "is to drop",
	}
	limitsBelow    = []string{"less than", "below", "under", "beneath", "lower than", "cheaper than"}
	limitsNotBelow = []string{"at or above", "at or over", "at least", "no lower than", "not below", "no less than", "not less than", "at a minimum of", "a minimum of"}
	limitsNotAbove = []string{"at or below", "at or under", "at most", "no higher than", "not above", "no more than", "not more than", "at a maximum of", "a maximum of"}
	limitsAbove    = []string{"more than", "above", "over", "higher than", "past", "beyond"}
)

// insertLimits adds every such phrase that the vocabulary does not have.
func (n node) insertLimits() {
	n.insertLimitsOf(limitSubjects, OfAll)
	n.insertLimitsOf(limitPrices, OfPrices)
	n.insertKept()
	n.insertMusts()
	n.insertLimitNouns()
	n.insertLimitKinds()
}

// insertLimitsOf adds the limits that are said of subjects in one sense.
func (n node) insertLimitsOf(subjects []string, sense int32) {
	floor, ceiling := &Symbol{Class: Floor, Sense: sense}, &Symbol{Class: Cap, Sense: sense}
	for _, subject := range subjects {
		start := n.end(subject)
		for _, verb := range limitVerbs {
			start := start.end(verb)
			start.insertNew(limitsBelow, floor)
			start.insertNew(limitsAbove, ceiling)
		}
		start.insertNew([]string{"should exceed", "may exceed", "must exceed", "can exceed", "exceeds", "to exceed", "is to exceed", "should ever exceed", "may ever exceed"}, ceiling)
	}
}

// insertLimitNouns adds "minimum resulting price" and its like.
func (n node) insertLimitNouns() {
	for _, which := range []string{"resulting", "final", "selling", "retail", "sale", "new", "end", "unit", "list", "shelf", "allowed", "permitted"} {
		for limit, class := range map[string]Class{"minimum": Floor, "min": Floor, "lowest": Floor, "maximum": Cap, "max": Cap, "highest": Cap} {
			n.end(limit).end(which).insertNew([]string{"price", "price of"}, &Symbol{Class: class})
		}
		n.end("price").insertNew([]string{"minimum", "minimum of"}, &Symbol{Class: Floor})
		n.end("price").insertNew([]string{"maximum", "maximum of"}, &Symbol{Class: Cap})
	}
}

// LimitKinds are words for how much of a limit one is, and on which side.
const LimitKinds = "hard|absolute|strict|firm|overall|upper|top|lower|bottom"

// insertLimitKinds adds "hard cap of", "upper limit" and their like.
func (n node) insertLimitKinds() {
	for kind := range strings.SplitSeq(LimitKinds, "|") {
		start, floors, caps := n.end(kind), []string{"floor", "minimum", "min"}, []string{"cap", "ceiling", "maximum", "max", "limit"}
		switch kind {
		case "upper", "top":
			floors, caps = nil, []string{"limit", "bound"}
		case "lower", "bottom":
			floors, caps = []string{"limit", "bound"}, nil
		}
		for _, by := range []string{"", " of", " at"} {
			for _, limit := range floors {
				start.insertNew([]string{limit + by}, &Symbol{Class: Floor})
			}
			for _, limit := range caps {
				start.insertNew([]string{limit + by}, &Symbol{Class: Cap})
			}
		}
	}
}

// limitSubject is where one of the subjects ends, after which any name can stand.
func limitSubject() node {
	no, _ := lexicon().next("no")
	item, _ := no.next("item")
	return item
}

// noneOf reads "no toy may cost more than": all of a category, and its limit.
func (s *scan) noneOf() bool {
	if s.tokens[s.pos].Norm != "no" {
		return false
	}
	category, end := s.category(s.pos + 1)
	if category == nil {
		category, end = &Symbol{Class: Name}, s.pos+1
		for end < len(s.tokens) && end-s.pos <= maxNameTokens && (s.nameable(end) || joins(s.tokens, end)) {
			end++
		}
	}
	limit, limitEnd := limitSubject().longest(s.tokens, end)
	if end == s.pos+1 || limit == nil {
		return false
	}
	if category.Class == Name && (s.headOfNamed(end) || end == s.pos+2 && s.portionOfNamed()) { // "raise laptop bags by 10%, but no bag may cost more than $50"
		s.push(Symbol{Class: limit.Class}, limitEnd)
		return true
	}
	s.push(Symbol{Class: All}, s.pos+1)
	s.push(*category, end)
	s.push(Symbol{Class: limit.Class}, limitEnd)
	return true
}

// portionOfNamed reports whether the word after this one is what a category of the
// list that the sentence is about is sold by: "raise dog food by 8%, but no bag may
// cost more than $70".
func (s *scan) portionOfNamed() bool {
	if !portions[s.tokens[s.pos+1].Norm].one {
		return false
	}
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if s.symbols[i].Class == Category {
			return true
		}
	}
	return false
}

// headOfNamed reports whether the one word up to end is the last of the name that
// the sentence is about.
func (s *scan) headOfNamed(end int) bool {
	if end != s.pos+2 {
		return false
	}
	head := stem(s.tokens[s.pos+1].Norm)
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if name := &s.symbols[i]; name.Class == Name || name.Class == Category {
			return stem(s.tokens[name.To-1].Norm) == head
		}
	}
	return false
}

// insertKept adds "keep it at or above" and its like.
func (n node) insertKept() {
	for _, keep := range []string{"keep", "keeping", "stay", "stays", "staying", "remain", "remains", "must stay", "should stay", "must remain", "should remain", "has to stay", "have to stay"} {
		start := n.end(keep)
		for _, what := range []string{"", "it", "them", "both", "all", "each", "all of them", "both of them", "each of them", "prices", "the price", "the prices", "every price"} {
			start.end(what).insertBoth(limitsNotBelow, limitsNotAbove)
		}
	}
}

// insertMusts adds "must cost at least" and "must not cost less than".
func (n node) insertMusts() {
	for _, must := range []string{"should", "must", "shall", "has to", "have to", "needs to", "need to", "ought to"} {
		start := n.end(must)
		for _, verb := range []string{"cost", "be", "be priced at", "be priced", "sell for", "stay", "remain", "be kept"} {
			start.end(verb).insertBoth(limitsNotBelow, limitsNotAbove)
		}
	}
	for _, not := range []string{"should not", "shouldn't", "must not", "mustn't", "may not", "can't", "cannot", "can not", "should never", "must never", "never", "don't let it", "don't let them", "don't let prices", "do not let it", "do not let them", "do not let prices", "without letting it", "without letting them", "without letting prices"} {
		start := n.end(not)
		for _, verb := range []string{"cost", "be", "go", "fall", "drop", "dip", "sell for", "be priced", "get", "end up", "sink"} {
			start.end(verb).insertBoth(limitsBelow, limitsAbove)
		}
	}
}

// insertPortions adds "of its current price", "on top of the price" and their like.
func (n node) insertPortions() {
	n.end("of").insertPriceNow(&Symbol{Class: Noise, Sense: OfPrice})
	n.end("on top of").insertPriceNow(&Symbol{Class: Up, Sense: Particle})
}

// insertPriceNow adds "its current price" and its like.
func (n node) insertPriceNow(symbol *Symbol) {
	for _, whose := range []string{"", "the", "its", "their", "our", "my", "each", "each one's"} {
		owned := n.end(whose)
		for _, which := range []string{"", "current", "existing", "present", "original", "regular", "normal", "usual", "full", "list", "retail", "selling"} {
			owned.end(which).insertNew([]string{"price", "prices"}, symbol)
		}
	}
	n.insertNew([]string{"what it costs", "what they cost", "what it costs now", "what they cost now", "what it is now", "what they are now", "what it costs today", "what they cost today", "what we charge now", "what we charge today", "what it currently costs", "what they currently cost", "the current value"}, symbol)
}

// insertNots adds "don't go higher than" and "not going over".
func (n node) insertNots() {
	forms := map[string][]string{
		"don't, do not, please don't, please do not, doesn't, does not, never, not to, but not to, mustn't, cannot, can't, won't, should not, shouldn't": {"go", "drop", "fall", "dip", "rise", "climb", "get", "sink", "end up", "sell", "sell any", "sell them", "sell it", "sell anything", "price", "price any", "price them", "price it", "let any go", "let any fall", "let any drop", "let any of them go", "let any of them drop", "let any of them fall", "let one go", "let one drop", "let one fall", "let it end up", "let them end up", "let any end up", "let any price drop", "let any price fall", "let any price go"},
		"not, without, never, but not, avoid": {"going", "dropping", "falling", "dipping", "rising", "climbing", "getting", "sinking", "ending up", "selling", "selling any", "selling them", "selling it", "pricing", "pricing any"},
	}
	for _, verb := range []string{"go", "going", "drop", "dropping", "fall", "falling", "dip", "dipping", "rise", "rising", "climb", "climbing", "get", "end up", "to go", "to drop", "to fall", "to rise"} {
		n.end(verb).insertBoth([]string{"no lower than", "no cheaper than", "no less than", "not below", "not under", "not lower than"}, []string{"no higher than", "no more than", "not above", "not over", "not higher than"})
	}
	for nots, verbs := range forms {
		for not := range strings.SplitSeq(nots, ", ") {
			start := n.end(not)
			start.insertNew([]string{"allow", "permit", "allowing", "permitting"}, &Symbol{Class: DoNot})
			for _, verb := range verbs {
				start.end(verb).insertBoth(limitsBelow, limitsAbove)
			}
		}
	}
}

// insertThanNow adds "less than now" and its like, which say of an amount that
// it comes off the price.
func (n node) insertThanNow() {
	for _, way := range []struct {
		words []string
		class Class
	}{{[]string{"less", "cheaper", "lower"}, Down}, {[]string{"more", "higher", "dearer", "more expensive"}, Up}} {
		for _, word := range way.words {
			n.end(word).end("than").insertNow(&Symbol{Class: way.class, Sense: Particle})
		}
	}
}

// insertNow adds "now", "the current price", "it does now" and their like.
func (n node) insertNow(symbol *Symbol) {
	n.insertNew([]string{"now", "today", "currently", "at present", "at the moment", "before", "it was", "they were", "the current price", "the current prices", "their current price", "their current prices", "its current price", "what we charge", "what we charge now", "we charge now"}, symbol)
	for subject, verbs := range map[string][]string{
		"it": {"is", "does", "costs"}, "that": {"is", "does", "costs"}, "they": {"are", "do", "cost"}, "those": {"are", "do", "cost"},
		"what it": {"is", "costs"}, "what they": {"are", "cost"},
	} {
		start := n.end(subject)
		for _, verb := range verbs {
			start.end(verb).insertNew([]string{"", "now", "today", "currently", "at present", "at the moment", "right now"}, symbol)
			start.end("currently").insertNew([]string{verb}, symbol)
		}
	}
}

// insertBoth adds a floor for each phrase of the first list, and a cap for each
// of the second.
func (n node) insertBoth(floors, caps []string) {
	n.insertNew(floors, &Symbol{Class: Floor})
	n.insertNew(caps, &Symbol{Class: Cap})
}

// insertCopulas adds "should now be priced at" and its like.
func (n node) insertCopulas() {
	copula := &Symbol{Class: Copula}
	being := []string{"priced at", "priced", "set to", "set at", "sold for", "sold at", "listed at", "offered at", "retailing at", "retailing for", "selling at", "selling for", "going for", "on sale for", "on sale at", "offered for", "available for", "available at"}
	n.end("be").insertNew(being, copula)
	for _, must := range []string{"should", "must", "shall", "will", "needs to", "need to", "has to", "have to", "is to", "are to", "to", "is going to", "are going to"} {
		start := n.end(must)
		for _, now := range []string{"", "now", "all", "each", "only", "just"} {
			start.end(now).end("be").insertNew(being, copula)
			start.end(now).insertNew([]string{"be", "cost", "sell for", "sell at", "retail for", "retail at", "go for", "become", "carry a price of", "have a price of", "come to", "list at", "list for"}, copula)
		}
	}
	for _, must := range []string{"be", "should be", "must be", "shall be", "will be", "to be", "is to be", "are to be", "needs to be", "need to be", "has to be", "have to be", "should all be", "should now be"} {
		n.end(must).insertNew([]string{"marked", "marked as", "set as", "set to", "listed as", "flagged as", "shown as", "labelled as", "labeled as", "put back", "changed to", "moved to"}, copula)
	}
	for _, ends := range []string{"end up", "ends up", "ending up", "should end up", "must end up", "may end up", "winding up", "wind up"} {
		n.end(ends).insertNew([]string{"", "at", "costing", "priced at"}, copula)
	}
	for _, now := range []string{"is now", "are now", "now", "is", "are"} {
		n.end(now).insertNew([]string{"priced at", "costs", "cost", "sells for", "sell for", "sells at", "sell at", "going to be", "going for", "retailing at", "retailing for", "selling for", "selling at", "listed at", "available at", "available for"}, copula)
	}
}

// insertNew adds phrases unless they are there: what the vocabulary says of a
// phrase goes before what it is made of.
func (n node) insertNew(phrases []string, symbol *Symbol) {
	for _, phrase := range phrases {
		_ = n.insert(phrase, symbol) // its only error is that the phrase is there
	}
}

// bothLimits reads a maximum that is joined to a minimum of the new prices as their
// cap, and a minimum that is joined to a maximum as their floor: "with a minimum of
// $12 and a maximum of $30".
func bothLimits(symbols []Symbol) []Symbol {
	for i := 3; i+1 < len(symbols); i++ {
		symbol := &symbols[i]
		limit := symbols[i-3].Class
		switch {
		case symbols[i-1].Class != And || symbols[i-2].Class != Amount || symbols[i+1].Class != Amount:
		case classAt(symbols, i+2) != Stop && classAt(symbols, i+2) != Comma:
		case symbol.Class == AtMost && limit == Floor && limitNoun(symbol.Text):
			symbol.Class = Cap
		case symbol.Class == AtLeast && limit == Cap && limitNoun(symbol.Text):
			symbol.Class = Floor
		}
	}
	return symbols
}

// limitNoun reports whether a limit is called a minimum or a maximum.
func limitNoun(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "max") || strings.Contains(text, "min")
}
