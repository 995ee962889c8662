package english

import "strings"

// Some who ask put the verb last, or begin a question with it and end it otherwise, or
// say "to" again with each thing they want: "would 10% off mugs be possible?", "might
// mugs be lowered by 5%?", "we want to lower mugs and to raise hats".

// possible frames end a question whether something can be had.
var possible = framesOf("be -|at_all possible|feasible|doable|arranged|managed|organised|organized|ok|okay|alright|all_right|fine|acceptable|too_much_to_ask|too_much_trouble -|with_you|for_you|by_you|at_all -|please")

// askable are the verbs that such a question begins with.
var askable = set("would will might could can")

// possiblyEnd is the end of the verb that a question whether something can be had
// begins with.
func (s *scan) possiblyEnd() int {
	next := s.pos + 1
	if !askable[s.tokens[s.pos].Norm] || s.categories == nil && s.doingAt(next) && !plainVerbs[s.tokens[next].Norm] { // cutting boards
		return s.pos
	}
	for i := next; i < len(s.tokens) && !strings.Contains(".!?;\n", s.tokens[i].Text); i++ {
		if s.possibleFrom(i) > i {
			return next
		}
	}
	return s.pos
}

// possibleFrom is the end of what ends such a question at token i, or i.
func (s *scan) possibleFrom(i int) int {
	if end := s.framed(possible(), i); end > i && s.endsSaying(end) {
		return end
	}
	return i
}

// possibleEnd is possibleFrom in a sentence that has the verb which it belongs to.
func (s *scan) possibleEnd(i int) int {
	if s.tokens[i].Norm != "be" {
		return i
	}
	for k := len(s.symbols) - 1; k >= 0 && s.symbols[k].Class != Stop; k-- {
		if s.symbols[k].Class == Noise && askable[strings.ToLower(s.symbols[k].Text)] {
			return s.possibleFrom(i)
		}
	}
	return i
}

// mayBe reports whether "might" or "may" here asks that something be done: might mugs
// be lowered by 5%, may they go up 5%, please. That mugs may be sold out asks for
// nothing.
func (s *scan) mayBe() bool {
	if word := s.tokens[s.pos].Norm; word != "might" && word != "may" {
		return false
	}
	for i := s.pos + 1; i+1 < len(s.tokens) && !strings.Contains(",.!?;\n", s.tokens[i].Text); i++ {
		if s.tokens[i].Norm == "be" {
			return s.doneAt(i + 1)
		}
	}
	return s.pleads()
}

// doneAt reports whether a verb in the passive stands at i: lowered, tripled, marked as.
func (s *scan) doneAt(i int) bool {
	verb, _ := s.phraseAt(i)
	return verb != nil && !verbal(s.tokens[i].Norm) && (actsClass(verb) || verb.Class == Times || verb.Class == Round || passives[s.tokens[i].Norm])
}

// passives are verbs that begin a phrase of their own: marked as, applied to.
var passives = set("marked applied given")

// infinitiveEnd is the end of a "to" that is said again before a verb: we want to lower
// mugs and to raise hats. After a comma alone it may be what for: we want to lower mugs,
// to sell more.
func (s *scan) infinitiveEnd() int {
	next := s.pos + 1
	if s.tokens[s.pos].Norm != "to" || !s.plainVerbAt(next) {
		return s.pos
	}
	joint := len(s.symbols) - 1
	for joint > 0 && s.symbols[joint].Class == Noise { // and also to
		joint--
	}
	if class := s.symbols[joint].Class; class != And && class != Then && (class != Comma || !s.infinitiveAgain(next)) {
		return s.pos
	}
	for k := joint - 1; k >= 0 && s.symbols[k].Class != Stop; k-- {
		if s.symbols[k].Class == Noise && s.tokens[s.symbols[k].To-1].Norm == "to" {
			return next
		}
	}
	return s.pos
}

// infinitiveAgain reports whether "and to" with a verb follows in the sentence.
func (s *scan) infinitiveAgain(i int) bool {
	for ; i+2 < len(s.tokens) && !strings.Contains(".!?;\n", s.tokens[i].Text); i++ {
		if s.tokens[i].Norm == "and" && s.tokens[i+1].Norm == "to" && s.plainVerbAt(i+2) {
			return true
		}
	}
	return false
}

// plainVerbAt reports whether a verb that asks for something to be done stands at i in
// its plain form.
func (s *scan) plainVerbAt(i int) bool {
	verb, _ := s.phraseAt(i)
	if verb == nil || strings.HasSuffix(s.tokens[i].Norm, "s") || verbal(s.tokens[i].Norm) && s.tokens[i].Norm != "bring" {
		return false
	}
	return actsClass(verb) || verb.Class == Times || verb.Class == Round || verb.Class == Leave
}

// regaining frames say before some products, and "again" or "back" after them, that
// there are some.
var regaining = framesOf("i|we have|have_got|got|now_have", "i've|we've -|got")

// regainedEnd is the end of such a frame, before products that there are again: we have
// the mugs again.
func (s *scan) regainedEnd() int {
	end := s.framed(regaining(), s.pos)
	if end == s.pos || !s.namesSoon(end) {
		return s.pos
	}
	for i := end; i < len(s.tokens) && s.tokens[i].Kind == Word; i++ {
		if s.regained(i) {
			return end
		}
	}
	return s.pos
}

// regained reports whether "again" or "back" at i ends what is said.
func (s *scan) regained(i int) bool {
	word, next := s.tokens[i].Norm, i+1
	return (word == "again" || word == "back") && (s.endsSaying(next) || s.tokens[next].Norm == "so")
}

// again reports whether "again" here says of the products before it that there are some.
func (s *scan) again() bool {
	if !s.regained(s.pos) || !s.afterSubject() {
		return false
	}
	for k := len(s.symbols) - 1; k >= 0 && s.symbols[k].Class != Stop; k-- {
		if first := s.symbols[k].From; s.symbols[k].Class == Noise && s.framed(regaining(), first) == s.symbols[k].To {
			return true
		}
	}
	return false
}
