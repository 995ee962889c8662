package english

import (
	"strings"
	"unicode"
)

// Merchants greet, sign, give reasons and put headings over what they ask for.
// None of it changes a plan, so it is taken out of the symbols before any rule
// reads them; but only where it holds nothing that could limit a rule.

// addressees are whom a greeting is for, besides a name.
var addressees = set("assistant all team folks everyone everybody guys there support sir madam friends colleagues friend pricing store shop ops crew and again")

// greetings begin an address, closings the end of a letter.
var greetings = set("hi hello hey dear good greetings morning hiya")

const closings = "much appreciated, very much appreciated, with thanks, with many thanks, with best wishes, with kind regards, gratefully, ta, best regards, kind regards, warm regards, regards, best, best wishes, sincerely, yours, yours faithfully, yours sincerely, yours truly, faithfully, thanks, thank you, many thanks, thx, ty, cheers, all the best, thank you ever so much, thanks ever so much, thank you kindly, thanks again, thank you so much, thanks so much"

// ordinals count sentences.
const ordinals = "second, third, fourth, fifth, last"

// sales are headings that announce a sale of no date.
const sales = "flash sale, flash sale alert, sale alert, sale time, big sale, clearance sale, sale"

// headings stand before a colon, a dash or the end of a sentence.
var headings = "voice note, voice memo, quick favour, first one, second one, third one, last one, first thing, second thing, third thing, last thing, changes for today, price changes for today, updates for today, price updates for today, today's changes, today's price changes, today's updates, today's prices, today's list, price update, price updates, price change, price changes, price change request, pricing update, pricing change, pricing changes, pricing request, quick one, quick request, quick update, quick change, quick note, quick favor, small update, " +
	"small change, small request, heads up, fyi, subject, re, request, change request, to do, todo, task, tasks, note, changes, " +
	"take the following actions, please take the following actions, carry out the following, please carry out the following, make the following changes, please make the following changes, make these changes, please make these changes, apply the following changes, please apply the following changes, the following please, action the following, please action the following, update the following, please update the following, to be updated, updates, new prices, price list, pricing, repricing, the changes, please do the following, do the following, instructions, here goes, next up, here's what i need, here is what i need, here's what we need, here is what we need, what i need, what we need, here's the plan, important, urgent, hope you're well, stock, stock update, inventory update, also, announcement, " +
	ordinals + ", " +
	sales + announced()

// announced are the sales as sentences: "we're running a flash sale".
func announced() string {
	var all strings.Builder
	for _, opener := range []string{"we're running", "we are running", "we're having", "we are having", "we're doing", "we are doing", "we have", "it's", "time for", "running", "having"} {
		for sale := range strings.SplitSeq(sales, ", ") {
			all.WriteString(", " + opener + " a " + sale)
		}
	}
	return all.String()
}

// aside takes an address, a heading or the end of a letter that begins here,
// and reports whether there was one.
func (s *scan) aside() bool {
	if s.tokens[s.pos].Kind != Word {
		return false
	}
	if end := s.signedEnd(); end > s.pos && !s.categoryHere() {
		s.push(Symbol{Class: Noise}, end)
		return true
	}
	if s.canClose() {
		if end := s.tailAt(s.pos); end > s.pos {
			return s.take(Symbol{Class: Noise}, end)
		}
	}
	if s.categoryHere() {
		return false
	}
	if !s.begins {
		end := s.infinitiveEnd()
		if end == s.pos && (s.follows(And) || s.follows(But) || s.follows(Comma)) { // and could you also
			end = s.leadingEnd()
		}
		return end > s.pos && s.take(Symbol{Class: Noise}, end)
	}
	if s.standing() {
		s.push(Symbol{Class: Refused, Refusal: Unclear}, s.pos+1)
		return true
	}
	for _, endOf := range asides {
		if end := endOf(s); end > s.pos {
			s.push(Symbol{Class: Noise}, end)
			return true
		}
	}
	if greetings[s.tokens[s.pos].Norm] && s.nameable(s.pos+1) { // Hello Kitty
		s.push(Symbol{Class: Refused, Refusal: Unclear}, s.pos+1)
		return true
	}
	return false
}

// asides find where each kind of aside at the beginning of a sentence ends.
var asides = []func(*scan) int{(*scan).leadingEnd, (*scan).possiblyEnd, (*scan).regainedEnd, (*scan).allowedEnd, (*scan).clauseEnd, (*scan).standingEnd, (*scan).hopedEnd, (*scan).headingEnd, (*scan).labelEnd, (*scan).tiersEnd, (*scan).aimEnd, (*scan).announcementEnd, (*scan).addressEnd, (*scan).courtesyEnd, (*scan).openerEnd, (*scan).vocativeEnd, (*scan).calledEnd, (*scan).introductionEnd}

// headingEnd is the end of a heading with its mark.
func (s *scan) headingEnd() int { return s.headingFrom(s.pos) }

// headingFrom is the end of the heading at token i, or i.
func (s *scan) headingFrom(i int) int {
	if i+1 >= len(s.tokens) {
		return i
	}
	first := i
	if s.tokens[i].Norm == "a" {
		first++
	}
	heading, end := lexicon().headings.longest(s.tokens, first)
	if heading == nil {
		end = s.countedEnd(i)
	} else {
		_, end = lexicon().forMe.longest(s.tokens, end)
	}
	if end == i || end >= len(s.tokens) {
		return i
	}
	switch mark := &s.tokens[end]; {
	case mark.Text == ":", isDash(mark.Text) && mark.Spaced:
		return end + 1
	case strings.Contains("!.?\n", mark.Text), mark.Text == "," && (end > i+1 || strings.Contains(ordinals, s.tokens[i].Norm)):
		return end
	}
	return i
}

// labels are what an instruction came as, before a colon: "Ticket #4521:", "Memo
// from the owner:", "Dictated by Ms. Hale:".
var (
	labels  = set("ticket memo note message reminder email mail voicemail task job dictated dictation transcript transcribed request from per fwd fw")
	senders = set("by from for to of number no")
)

// maxLabel bounds the tokens of a label.
const maxLabel = 8

// labelEnd is the end of a label with its colon. A word that could be a
// category's is none, nor what says of products which are meant: "ticket holders:",
// "from the items in stock:".
func (s *scan) labelEnd() int {
	if !labels[s.tokens[s.pos].Norm] {
		return s.pos
	}
	next := s.pos + 1
	if next < len(s.tokens) && s.tokens[next].Kind == Word && !senders[s.tokens[next].Norm] && s.tokens[s.pos].Norm != "from" && s.tokens[s.pos].Norm != "per" {
		return s.pos
	}
	for i := next; i < len(s.tokens) && i < s.pos+maxLabel && !s.categoryAt(i); i++ {
		if phrase, _ := s.phraseAt(i); phrase != nil && (phrase.Class == Stock || narrowing[phrase.Class]) {
			return s.pos
		}
		switch token := &s.tokens[i]; {
		case token.Text == ":":
			return i + 1
		case token.Kind == Word, token.Kind == Number, token.Kind == Code, token.Text == "#", token.Text == "'", token.Text == "." && abbreviations[s.tokens[i-1].Norm]:
		default:
			return s.pos
		}
	}
	return s.pos
}

func isDash(text string) bool { return text == "-" || text == "–" || text == "—" || text == "--" }

// addressEnd is the end of "Hi team" before a mark. A name that nobody is
// called by could be a product's, so a list does not follow it.
func (s *scan) addressEnd() int {
	if !greetings[s.tokens[s.pos].Norm] {
		return s.pos
	}
	_, end := s.phraseAt(s.pos)
	end = max(end, s.pos+1)
	known, words := true, 0
	for ; end < len(s.tokens) && s.tokens[end].Kind == Word && words < 3; end++ {
		word := s.tokens[end].Norm
		if !addressees[word] && !s.nameable(end) {
			return s.pos
		}
		known, words = known && addressees[word], words+1
	}
	if words == 0 || end >= len(s.tokens) {
		return s.pos
	}
	switch mark := s.tokens[end].Text; {
	case strings.Contains("!.\n", mark):
		return end
	case mark == "," && (known || !s.nameable(end+1)), known && (mark == ":" || isDash(mark)):
		return end + 1
	case known && s.tokens[end].Kind == Word:
		return end
	}
	return s.pos
}

// signedEnd is the end of the instruction where a closing begins a sentence or
// comes after a pause.
func (s *scan) signedEnd() int {
	switch {
	case !s.begins && !s.follows(Comma):
		return s.pos
	case s.begins && s.follows(Comma) && isDash(s.symbols[len(s.symbols)-1].Text): // "... by 5%. - Joe"
		if strings.HasSuffix(s.tokens[s.pos].Norm, "s") { // it may be more products
			return s.pos
		}
		return s.signature(s.pos, s.pos)
	}
	return s.closingEnd()
}

// closingEnd is the end of the instruction after "Thanks, Anna".
func (s *scan) closingEnd() int {
	closing, end := lexicon().closings.longest(s.tokens, s.pos)
	if closing == nil {
		return s.pos
	}
	return s.signature(end, end+1)
}

// signature is the end of the instruction where nothing but the name of who sends
// it follows from token i on, which begins at first or later.
func (s *scan) signature(i, first int) int {
	for words := 0; i < len(s.tokens); i++ {
		switch token := &s.tokens[i]; {
		case token.Kind == Mark && strings.Contains(",.!\n-–—", token.Text):
		case token.Kind == Word && words < 3 && capital(token.Text) && s.nameable(i) && i >= first:
			words++
		default:
			return s.pos
		}
	}
	return len(s.tokens)
}

func capital(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.ToLower(r) != r })
}
