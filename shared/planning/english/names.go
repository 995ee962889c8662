package english

import (
	"strings"

	"github.com/planwright/planwright/shared/lazyregexp"
)

// A category's name may be made of words of the vocabulary: running shoes, tea
// sets, first aid kits. To take the verb or filler out of such a name would be
// to change other products, so a word that stands where no verb can stand is
// part of the name beside it.

// nounForms are forms of verbs that say nothing of a product they stand right
// after: gift sets, name tags.
var nounForms = set("sets tags labels lists flags switches marks puts charges offers runs shows uses turns classes fixes")

// movements are forms that say of a product that it rises or falls, unless the
// clause says what happens to it in other words: cough drops, cold cuts.
var movements = set("drops cuts bumps trims lifts boosts chops slices docks scales steps hikes falls raises markups")

// plainVerbs are -ing forms that begin no name.
var plainVerbs = set("bring increasing decreasing raising lowering reducing discounting making giving")

// owning are verbs that begin none in any form.
var owning = set("has have having gets")

// comparing are words that begin no name: "everything 5% off less tea" leaves
// the tea out.
var comparing = set("less more minus off cheaper higher")

// describing are words that add nothing to a rule and much to a name: extra
// virgin oil, flat screens.
var describing = set("flat extra another further additional existing current great perfect")

// modals are nouns too: can openers.
var modals = set("can will must")

// actsClass reports whether a class is that of a verb.
func actsClass(symbol *Symbol) bool {
	switch symbol.Class {
	case Do, Change, Restock:
		return true
	case Up, Down:
		return symbol.Sense == Verb
	}
	return false
}

// inName reports whether the phrase up to end is the beginning of a name, or
// all of it.
func (s *scan) inName(phrase *Symbol, end int) bool {
	word, single, noVerb := s.tokens[s.pos].Norm, end == s.pos+1, s.noVerbHere
	participle := single && strings.HasSuffix(word, "ing") && !plainVerbs[word] && !s.minds() && !s.saysWho()
	switch {
	case owning[word]:
		return false
	case single && actsClass(phrase) && noVerb() && (participle || strings.HasSuffix(word, "s")):
		return true // "raise lifting and climbing gear", "raise all lifts"
	case actsClass(phrase) && noVerb() && !strings.HasSuffix(word, "ed"):
		return s.nameable(end) || end < len(s.tokens) && nounForms[s.tokens[end].Norm]
	case !s.nameable(end):
		return false
	}
	switch phrase.Class {
	case Up, Down:
		return participle || phrase.Sense == Particle && single && noVerb() && !comparing[word] // "5% off down jackets"
	case Do, Change, Restock:
		return participle
	case Noise:
		return describing[word] && single || greetings[word] && noVerb() || word == "thank" || word == "first" || modals[word] && single && s.modalNoun(end)
	case Copula:
		return word == "cost" && single && noVerb() // cost sheets
	case RoundUnit:
		return single && !s.rounding()
	case Except:
		return s.bar(end) == Name
	case Floor, Cap: // floor lamps; but cap hats at $9
		return single && (s.changed(end) || noVerb() && !s.follows(Do))
	case Times: // double blankets
		return single && noVerb() && !strings.HasSuffix(word, "ed") && !participle
	}
	return false
}

// modalNoun tells "raise can openers" and "can openers should be $5" from "and can
// hats be $5".
func (s *scan) modalNoun(end int) bool {
	return s.noVerbHere() || (s.linked() || s.subjectTo(end)) && !s.bareVerb(end)
}

// bareVerb reports whether "be" follows the unknown words from i on.
func (s *scan) bareVerb(i int) bool {
	for s.nameable(i) {
		i++
	}
	return i < len(s.tokens) && s.tokens[i].Norm == "be"
}

// changed reports whether the unknown words from i on, with the conditions after them,
// are what changes: "floor lamps by $9", "cap guns over $8 down by $1".
func (s *scan) changed(i int) bool {
	for s.nameable(i) {
		i++
	}
	for i < len(s.tokens) && !changes[s.tokens[i].Norm] {
		phrase, end := s.phraseAt(i)
		_, amountEnd := s.amountAt(i)
		if amountEnd == i && (phrase == nil || !condition[phrase.Class] && phrase.Class != And) {
			return false
		}
		i = max(end, amountEnd)
	}
	return i < len(s.tokens)
}

// changes are words that a change of what they follow begins with.
var changes = set("by : up down are as get gets go goes")

// minds reports whether filler right before asks for doing something, which is a verb
// and no name: would you mind cutting tea by 5%.
func (s *scan) minds() bool {
	return s.follows(Noise) && minding().MatchString(s.symbols[len(s.symbols)-1].Text)
}

// minding is filler that a verb in -ing follows.
var minding = lazyregexp.New(`(?i) mind\b|(?:in advance for|your help (?:in|with)|appreciate you|of you|your|suggest|recommend|propose|about| by| of|'d be .* with)$`)

// linked reports whether a connector stands right before.
func (s *scan) linked() bool {
	return len(s.symbols) > 0 && s.symbols[len(s.symbols)-1].Class == And
}

// subjectTo reports whether the unknown words from i on are what something is
// said of: "openers: 5% off", "openers are sold out".
func (s *scan) subjectTo(i int) bool {
	for s.nameable(i) {
		i++
	}
	if i >= len(s.tokens) {
		return false
	}
	switch s.tokens[i].Norm {
	case ":", "up", "down", "are", "is", "to", "goes", "should", "must", "->", "=":
		return true
	}
	return false
}

// nameable reports whether a word outside the vocabulary stands at i.
func (s *scan) nameable(i int) bool {
	if i >= len(s.tokens) || s.tokens[i].Kind != Word {
		return false
	}
	_, phraseEnd := s.phraseAt(i)
	_, amountEnd := s.amountAt(i)
	return phraseEnd == i && amountEnd == i && !s.categoryAt(i)
}

// noVerbHere reports whether the last word that says something is one that no
// verb can follow: a verb, a preposition, "5% off", "all".
func (s *scan) noVerbHere() bool {
	for i := len(s.symbols) - 1; i >= 0; i-- {
		switch symbol := &s.symbols[i]; symbol.Class {
		case Noise:
		case All, Of, In, For, Except:
			return true
		case Down:
			return symbol.Sense == Verb || i > 0 && s.symbols[i-1].Class == Amount
		default:
			return actsClass(symbol) && !wanting[strings.ToLower(symbol.Text)] // mugs need setting to $5
		}
	}
	return false
}

// rounding reports whether the words before ask for a unit to round to.
func (s *scan) rounding() bool {
	if len(s.symbols) == 0 {
		return false
	}
	switch s.symbols[len(s.symbols)-1].Class {
	case Nearest, Round, To:
		return true
	}
	return false
}

// endsName reports whether the word at i, right after a name, is the end of it
// and not what happens to it.
func (s *scan) endsName(i int) bool {
	word := s.tokens[i].Norm
	switch {
	case nounForms[word]:
		return true
	case word == "can" || word == "bar": // trash can, cereal bar
		return !s.pluralAt(i-1) && (s.closes(i+1) || s.agrees(i+1))
	case movements[word]:
		return s.clauseActs() || s.actsAt(i+1)
	case word == "set": // "offer a gift set for $45"
		if actor := s.actor(); actor != nil && !causes(actor) && i+1 < len(s.tokens) && s.tokens[i+1].Norm == "for" {
			return true
		}
	}
	phrase, end := s.phraseAt(i)
	plural := strings.HasSuffix(word, "s")
	if phrase == nil || end > i+1 || !actsClass(phrase) || light[word] || strings.HasSuffix(word, "ed") {
		return false
	}
	actor := s.actor()
	if phrase.Class == Up || phrase.Class == Down { // the discount on yoga, and no goods
		return actor != nil && s.closes(end) && (plural || !causes(actor) && !s.pluralAt(i-1)) // "raise chair lift by 5%", but "make tea drop by 5%"
	}
	return actor != nil && s.closes(end) || plural && s.actsAt(end)
}

// causes reports whether a verb says that what follows does something: let tea drop
// to $5.
func causes(verb *Symbol) bool { return causing[strings.ToLower(verb.Text)] }

var causing = set("make makes making let lets letting have having has get gets getting see sees want need needs")

// agrees reports whether a direction or a verb stands at i that cannot follow another
// verb: up, cheaper, goes.
func (s *scan) agrees(i int) bool {
	symbol, _ := s.phraseAt(i)
	switch {
	case symbol == nil:
		return false
	case symbol.Class == Up || symbol.Class == Down:
		return symbol.Sense == Particle && !rising[s.tokens[i].Norm] || s.pluralAt(i)
	}
	return (symbol.Class == Do || symbol.Class == Copula) && s.pluralAt(i)
}

// rising are directions that are verbs as well.
var rising = set("rise climb fall")

// pluralAt reports whether the word at i looks like a noun in the plural.
func (s *scan) pluralAt(i int) bool {
	word := s.tokens[i].Norm
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// light are forms of verbs that are no nouns, so that what follows them happens to the
// name before them, and those that are the change itself.
var light = set("goes gets comes sees takes makes gives receives becomes sells brings go get come see take make give receive become sell bring discounts increases decreases reduces lowers discount increase decrease reduce lower markup markdown have has having need needs put move push")

// Light reports whether a verb is no noun, so that nothing is named by it.
func Light(verb string) bool { return light[strings.ToLower(verb)] }

// actor is what says what happens, where the clause has gone on with nothing but
// names since, or nil: "lower drones and selfie", "25% off selfie".
func (s *scan) actor() *Symbol {
	for i := len(s.symbols) - 1; i >= 0; i-- {
		switch symbol := &s.symbols[i]; symbol.Class {
		case Noise, All, And, Comma, Name, Category, SKU, Stock, Of, In, For, Price, Product, Everything, Except:
		case Down:
			if symbol.Sense == Verb || i > 0 && s.symbols[i-1].Class == Amount {
				return symbol
			}
			return nil
		default:
			if actsClass(symbol) {
				return symbol
			}
			return nil
		}
	}
	return nil
}

// closes reports whether what stands at i can follow the end of a name, and not a
// verb: "selfie sticks by 5%", "selfie sticks and drones".
func (s *scan) closes(i int) bool {
	if i == len(s.tokens) || s.pauses(i) {
		return true
	}
	symbol, _ := s.phraseAt(i)
	if symbol == nil {
		_, end := s.amountAt(i)
		return end > i
	}
	switch symbol.Class {
	case By, To, As, At, And, But, Except, Rel, Under, Over, Between, AtLeast, AtMost, Stock, If, Unless:
		return true
	}
	return false
}

// clauseActs reports whether a verb stands in the clause so far.
func (s *scan) clauseActs() bool {
	for i := len(s.symbols) - 1; i >= 0; i-- {
		switch class := s.symbols[i].Class; {
		case class == Stop || class == But || class == Then || class == Colon:
			return false
		case actsClass(&s.symbols[i]) || class == Amount:
			return true
		}
	}
	return false
}

// actsAt reports whether what stands at i, or after an amount there, says what
// happens.
func (s *scan) actsAt(i int) bool {
	_, end := s.amountAt(i)
	if end < len(s.tokens) && s.tokens[end].Text == ":" {
		return true
	}
	symbol, _ := s.phraseAt(end)
	return symbol != nil && (symbol.Class == Up || symbol.Class == Down || symbol.Class == Copula || symbol.Class == Do)
}
