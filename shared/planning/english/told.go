package english

import (
	"strings"
	"sync"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// What people tell of prices and products asks for nothing, though it may be said in
// the words of a rule: "mugs are $5 at the moment", "we sell mugs at $5", "Bob thinks
// mugs cost $5".

// present are words for how long something has been so, and not from when it is to be.
var present = lazyregexp.New(`(?i)\b(?:currently|presently|right now|these days|at (?:the moment|the minute|present))$`)

// IsPresent reports whether a symbol says that something is so now: "are currently".
func IsPresent(s Symbol) bool {
	return (s.Class == Noise || s.Class == Copula) && present().MatchString(s.Text)
}

// endsSale reports whether "off" up to end takes products out of a sale: mugs come off
// the 5% sale.
func (s *scan) endsSale(phrase *Symbol, end int) bool {
	if phrase.Class != Down || s.tokens[s.pos].Norm != "off" || end >= len(s.tokens) || !determiners[s.tokens[end].Norm] {
		return false
	}
	amount, noun := s.amountAt(end + 1)
	return noun > end+1 && noun < len(s.tokens) && amount.Unit == Percent && offers[s.tokens[noun].Norm]
}

// offers are what products are on at a lower price.
var offers = set("sale offer deal promo promotion special discount")

// practised reports whether what a sentence begins with tells what the shop does: we
// sell mugs at $5.
func (s *scan) practised(phrase *Symbol, end int) bool {
	if phrase.Class != Noise && phrase.Class != Rel || !s.begins || end != s.pos+2 {
		return false
	}
	who := s.tokens[s.pos].Norm
	return (who == "we" || who == "i") && practices[s.tokens[s.pos+1].Norm]
}

var practices = set("sell offer have carry")

// firstOf reports whether "first" here says which of several are meant: the first mugs,
// in-stock ones first.
func (s *scan) firstOf(end int) bool {
	if s.tokens[s.pos].Norm != "first" || s.pos == 0 {
		return false
	}
	before := s.tokens[s.pos-1].Norm
	return before == "ones" || determiners[before] && (s.categoryAt(end) || s.nameable(end) && !s.nameable(end+1)) // but the first aid kits
}

// lacks reports whether the verb here tells that products are not in stock yet, or what
// their price did: mugs need restocking, mugs gained 5%.
func (s *scan) lacks(phrase *Symbol) bool {
	if phrase.Class == Restock {
		return strings.HasSuffix(s.tokens[s.pos].Norm, "ing") && s.pos > 0 && wanting[s.tokens[s.pos-1].Norm]
	}
	return s.tokens[s.pos].Norm == "gained" && s.afterSubject()
}

// eitherSign reports whether a plus here goes with a minus: +/-5%.
func (s *scan) eitherSign() bool {
	next := s.pos + 1
	return s.tokens[s.pos].Text == "+/" && next < len(s.tokens) && strings.Contains("-−", s.tokens[next].Text)
}

// tooLate reports whether the verb here is of what should have been done before: mugs
// should have cost $5, you should have cut them.
func (s *scan) tooLate() bool {
	return participles[s.tokens[s.pos].Norm] && s.pos > 1 && s.tokens[s.pos-1].Norm == "have" && modal[s.tokens[s.pos-2].Norm]
}

var (
	participles = set("cost cut set put come become run hit let")
	modal       = set("should could would might must ought to may")
)

// endsChange reports whether "end" here takes back a change that was made: end these
// discounts.
func (s *scan) endsChange() bool {
	if s.tokens[s.pos].Norm != "end" {
		return false
	}
	next := s.pos + 1
	for next < len(s.tokens) && determiners[s.tokens[next].Norm] {
		next++
	}
	change, _ := s.phraseAt(next)
	return change != nil && (change.Class == Up || change.Class == Down)
}

// notOnly reports whether "not only" or "not just" here goes on with no "but also", and
// so does not say of what else a rule is.
func (s *scan) notOnly() bool {
	next := s.pos + 1
	if s.tokens[s.pos].Norm != "not" || next >= len(s.tokens) || !limited[s.tokens[next].Norm] {
		return false
	}
	for ; next < len(s.tokens) && !strings.Contains(".!?;\n", s.tokens[next].Text); next++ {
		if s.tokens[next].Norm == "but" {
			return false
		}
	}
	return true
}

var limited = set("only just merely simply")

// holding are verbs that say of what stands before them who holds something to be so,
// musing those that a thought about what follows begins with, leaping those that say of
// the products before them what their prices do, and no name ends in after a plural,
// seeming those that say before "to" what is not sure.
var (
	holding = set("buy buys bought likes loves hates wants ordered picked chose liked agreed decided thinks noted confirmed admits admitted promised heard hears noticed assumes assumed hopes hoped wishes feels felt knows knew needed")
	musing  = set("hoping wishing wanting thinking wondering expecting considering suggesting planning proposing supposing assuming believing seeing forgetting disregarding neglecting buying finding needing")
	leaping = set("jump leap shoot creep plunge surge soar tumble slump spike hop stand sit begin start hover hit reach average total")
	seeming = set("tend tends look looks appear appears deserve deserves happen happens threaten threatens promise promises continue continues")
)

// predicates reports whether the unknown words up to end are no name, for one of them
// is a verb: mugs tend to go up, Bob agreed mugs cost $5, freeze everything but mugs.
func (s *scan) predicates(end int) bool {
	if s.categories != nil || end >= len(s.tokens) || s.entitled(end) {
		return false
	}
	next, nextEnd := s.phraseAt(end)
	switch {
	case s.tokens[s.pos].Norm == "this":
		return true
	case next != nil && (next.Class == Under || next.Class == Over) && (s.tokens[end-1].Norm == "well" || s.tokens[end-1].Norm == "way"): // mugs well below $5
		return true
	case s.tokens[end].Norm == "to" && seeming[s.tokens[end-1].Norm]:
		return true
	case next != nil && next.Class == Everything && s.begins && nextEnd == end+1:
		return true
	case next != nil && next.Class == Copula && s.begins && s.tokens[s.pos].Norm == "check":
		return true
	}
	if s.begins && end > s.pos+1 && (musing[s.tokens[s.pos].Norm] || s.pluralAt(end-2) && leaping[s.tokens[end-1].Norm]) {
		return true
	}
	for i := s.pos + 1; i < end; i++ {
		word := s.tokens[i].Norm
		if holding[word] || strings.HasSuffix(word, "n't") || i+1 < end && asksNearly(word) {
			return true
		}
	}
	return false
}

// asksNearly reports whether a word is a slip of the pen away from a verb of who asks
// for something: my boss whants mugs at $5.
func asksNearly(word string) bool {
	for range verbsOfAskers().within(word, 1) {
		return true
	}
	return false
}

var verbsOfAskers = sync.OnceValue(func() nearby {
	near := nearby{}
	for verb := range set("wants wanted needs asks insists prefers requests demands suggests thinks expects wishes") {
		near.add(verb)
	}
	return near
})

// paid reports whether "us" here is who pays: mugs cost us $5.
func (n *numerals) paid() bool {
	return n.pos > 0 && strings.HasPrefix(n.tokens[n.pos-1].Norm, "cost") && n.pos+1 < len(n.tokens) && n.tokens[n.pos+1].Spaced
}
