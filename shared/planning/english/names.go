package english

import "strings"

// A category's name may be made of words of the vocabulary: running shoes, tea
// sets, first aid kits. To take the verb or filler out of such a name would be
// to change other products, so a word that stands where no verb can stand is
// part of the name beside it.

// nounForms are forms of verbs that say nothing of a product they stand right
// after: gift sets, name tags.
var nounForms = set("sets tags labels lists flags switches marks puts charges offers")

// movements are forms that say of a product that it rises or falls, unless the
// clause says what happens to it in other words: cough drops, cold cuts.
var movements = set("drops cuts bumps trims lifts boosts chops slices docks steps hikes falls raises markups")

// plainVerbs are -ing forms that begin no name.
var plainVerbs = set("bring increasing decreasing raising lowering reducing discounting")

// describing are words that add nothing to a rule and much to a name: extra
// virgin oil, flat screens.
var describing = set("flat extra another further additional existing current")

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

// inName reports whether the phrase up to end is the beginning of a name.
func (s *scan) inName(phrase *Symbol, end int) bool {
	word := s.tokens[s.pos].Norm
	switch {
	case strings.HasSuffix(word, "ing") && !plainVerbs[word] && end == s.pos+1 && actsClass(phrase) && s.afterVerb():
		return true
	case !s.nameable(end):
		return false
	case strings.HasSuffix(word, "ing") && !plainVerbs[word] && end == s.pos+1 && (actsClass(phrase) || phrase.Class == Up || phrase.Class == Down):
		return true
	case actsClass(phrase):
		return s.afterVerb() && !strings.HasSuffix(word, "ed")
	case word == "first" && phrase.Class == Noise:
		return true
	case phrase.Class == Noise:
		return describing[word] && end == s.pos+1 || word == "thank"
	case phrase.Class == RoundUnit:
		return end == s.pos+1 && !s.rounding()
	}
	return false
}

// nameable reports whether a word outside the vocabulary stands at i.
func (s *scan) nameable(i int) bool {
	if i >= len(s.tokens) || s.tokens[i].Kind != Word {
		return false
	}
	_, phraseEnd := lexicon().longest(s.tokens, i)
	_, amountEnd := readAmount(s.tokens, i)
	return phraseEnd == i && amountEnd == i && !s.categoryAt(i)
}

// afterVerb reports whether the last word that says something is a verb, which
// a second one cannot follow.
func (s *scan) afterVerb() bool {
	for i := len(s.symbols) - 1; i >= 0; i-- {
		switch s.symbols[i].Class {
		case Noise, All:
		default:
			return actsClass(&s.symbols[i])
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
	case movements[word]:
		return s.clauseActs() || s.actsAt(i+1)
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
	_, end := readAmount(s.tokens, i)
	if end < len(s.tokens) && s.tokens[end].Text == ":" {
		return true
	}
	symbol, _ := lexicon().longest(s.tokens, end)
	return symbol != nil && (symbol.Class == Up || symbol.Class == Down || symbol.Class == Copula || symbol.Class == Do)
}
