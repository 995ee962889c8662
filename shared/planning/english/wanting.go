package english

import "strings"

// What products need is to be done: "mugs need raising by 5%", "lamps want 5%
// knocking off". Other people want things, too, so a want is one of products only
// where the verb that they need follows it.

var wanting = set("need needs want wants require requires")

// wants reports whether "want" here says of the products right before what is to
// be done to them. An amount with no verb, "want 5% off", is wanted by products
// alone where nobody else can be named.
func (s *scan) wants() bool {
	if word := s.tokens[s.pos].Norm; word != "want" && word != "wants" || len(s.symbols) == 0 {
		return false
	}
	named := false
	switch subject := &s.symbols[len(s.symbols)-1]; subject.Class {
	case Category, SKU, Price:
		named = true
	case Name:
		if s.categories != nil { // whoever it is
			return false
		}
	case Product, Everything, Pronoun, Stock, Amount, AndUp, AndDown:
	default:
		return false
	}
	next := s.pos + 1
	if next < len(s.tokens) && s.tokens[next].Norm == "a" {
		next++
	}
	_, end := s.amountAt(next)
	return s.participleAt(end) || named && end > next
}

// participleAt reports whether a verb in -ing stands at i that asks for a change,
// and begins no name: cutting boards.
func (s *scan) participleAt(i int) bool {
	verb, end := s.phraseAt(i)
	if verb == nil || !strings.HasSuffix(s.tokens[i].Norm, "ing") || s.nameable(end) {
		return false
	}
	return actsClass(verb) || verb.Class == Times || verb.Class == Round || verb.Class == EndIn
}
