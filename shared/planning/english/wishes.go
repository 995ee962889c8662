package english

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// A wish has what is asked for in a clause of its own, whose verb says that it is
// not so yet: "I was hoping that mugs could go up 5%", "I think mugs should cost $5",
// "it would be great if mugs were $5". Without such a verb the same words only tell
// something: "I think mugs cost $5".

// hoping and opining frames lead over to a clause of what could be so, and of what
// should be, chances to a price or a verb.
var (
	hoping = framesOf(
		"WAS -|just|really|rather hoping|wondering that|if|whether|-",
		"i|we -|do|really|just hope that|if|whether|-",
		"ANY chance|possibility|hope|way that|-",
		"do you think|reckon|suppose that|-",
		"i|we don't|do_not suppose that|-",
	)
	wondering = framesOf("i|we -|do|really|just wonder that|if|whether|-")
	opining   = framesOf(
		"i|we -|do|also|really|just THINK|suggest that|-",
		"i'd|we'd say|suggest that|-",
	)
	deciding = framesOf("let's|let_us -|just say|agree that|-")
	content  = framesOf("I'D be VERY GLAD|CONTENT with|about")
	chances  = framesOf(
		"ANY chance|possibility|hope of -|you|getting|having|getting_you_to|someone|somebody",
		"let's|let_us -|just say|agree_on|settle_on|settle_for|call_it",
	)
	could  = set("could can might")
	can    = set("could can") // I wonder if mugs might go up
	should = set("should ought could")
	shall  = set("should must ought shall may") // nothing may cost more than $9
)

// clauseEnd is the end of the frame here that leads over to a clause of a wish.
func (s *scan) clauseEnd() int {
	if end := s.framed(hoping(), s.pos); s.beyondPhrase(end) && s.saidIn(end, could) {
		return end
	}
	if end := s.framed(wondering(), s.pos); s.beyondPhrase(end) && s.saidIn(end, can) {
		return end
	}
	if end := s.framed(chances(), s.pos); s.beyondPhrase(end) && (s.handsOver(end) || s.doingAt(end)) {
		return end
	}
	if end := s.framed(opining(), s.pos); s.beyondPhrase(end) && s.saidIn(end, should) {
		return end
	}
	if end := s.framed(deciding(), s.pos); s.beyondPhrase(end) && s.saidIn(end, shall) {
		return end
	}
	if end := s.framed(content(), s.pos); s.beyondPhrase(end) && (s.handsOver(end) || s.doingAt(end) || s.saidIn(end, becoming)) {
		return end
	}
	return s.pos
}

// becoming are words between products and what they are to become.
var becoming = set("at being going coming")

// doingAt reports whether a verb in -ing stands at i that asks for a change.
func (s *scan) doingAt(i int) bool {
	verb, _ := s.phraseAt(i)
	return verb != nil && actsClass(verb) && strings.HasSuffix(s.tokens[i].Norm, "ing")
}

// saidIn reports whether one of words stands after i before any pause. What could
// be in stock is not marked so by a wish.
func (s *scan) saidIn(i int, words map[string]bool) bool {
	for ; i < len(s.tokens) && s.tokens[i].Kind != Mark; i++ {
		if words[s.tokens[i].Norm] {
			be, _ := s.phraseAt(i + 2)
			return be == nil || be.Class != Stock
		}
	}
	return false
}

// couldBe are the last words of filler that a wish follows, of what could be so and
// of what were so.
var (
	couldBe = set("if think reckon believe feel say suggest suppose hoping hope wondering wonder whether chance possibility way")
	wereBe  = set("if time rather sooner")
)

// wished reports whether the verb here is that of a wish: it would be great if mugs
// could come down by $1, if they were $5.
func (s *scan) wished() bool {
	switch s.tokens[s.pos].Norm {
	case "could", "can", "might":
		return s.wishes(couldBe)
	case "were", "was", "had", "got", "went":
		return s.wishes(wereBe)
	}
	return false
}

// wishes reports whether filler of the sentence so far ends in one of words, maybe
// before "that".
func (s *scan) wishes(words map[string]bool) bool {
	for i := len(s.symbols) - 1; i >= 0 && s.symbols[i].Class != Stop; i-- {
		if symbol := &s.symbols[i]; symbol.Class == Noise {
			last := symbol.To - 1
			if last > symbol.From && s.tokens[last].Norm == "that" {
				last--
			}
			if words[s.tokens[last].Norm] {
				return true
			}
		}
	}
	return false
}

// wish takes the verb of a wish: if mugs were $5, if they were marked as sold out or at
// least $5, if they had prices ending in .99, if they went up 5%.
func (s *scan) wish() {
	next := s.pos + 1
	_, amountEnd := s.amountAt(next)
	if exactly, end := s.phraseAt(next); exactly != nil && exactly.Class == Exactly {
		_, amountEnd = s.amountAt(end)
	}
	being, beingEnd := lexicon().being.longest(s.tokens, next)
	after, _ := s.phraseAt(next)
	switch word := s.tokens[s.pos].Norm; {
	case could[word]:
		s.push(Symbol{Class: Noise}, next)
	case amountEnd > next:
		s.push(Symbol{Class: Copula}, next)
	case being != nil && (word == "were" || word == "was"):
		s.push(*being, beingEnd)
	case word[0] == 'w' && after != nil && (after.Class == Stock || bounded[after.Class]):
		s.push(Symbol{Class: Copula}, next)
	case word == "had" || word == "got":
		s.push(Symbol{Class: Do}, next)
	default:
		s.push(Symbol{Class: Noise}, next)
	}
}

// becomes reports whether the copula at symbol i says what products are to be, and not
// what they are: should cost, make all mugs cost, I'd be glad if mugs cost.
func becomes(symbols []Symbol, i int) bool {
	if symbols[i].Class != Copula {
		return false
	}
	if demanding().MatchString(symbols[i].Text) || ensured(symbols, i) {
		return true
	}
	return caused(symbols, i)
}

// caused reports whether what is said at symbol i is to be so for a verb before: make
// all mugs cost.
func caused(symbols []Symbol, i int) bool {
	for i--; i >= 0; i-- {
		switch symbol := &symbols[i]; symbol.Class {
		case Do:
			return causes(symbol)
		case Noise, All, Everything, Name, Category, SKU, And, Comma, Product, CatNoun, SKUNoun, In:
		default:
			return false
		}
	}
	return false
}

// demanding are copulas of what is to become so.
var demanding = lazyregexp.New(`(?i)^(?:should|must|shall|will|(?:(?:need|ha|i)s|need|have|are|ought) to|to|be) |^(?:should|be)$`)
