package english

import "strings"

// People who ask aloud begin with "Right so", call one another "mate", say who
// they are and end with "ta". Each of these stands apart: at the beginning of a
// sentence before a pause, or at its end with nothing after.

// vocatives are what people are called by. Words that name goods as well, as
// honey and duck do, are none.
var vocatives = set("mate mates love hun hon darling sweetheart buddy pal dude bro guys folks lads boss chief team everyone")

// openers begin what is said aloud, before a pause.
const openers = "yeah, yep, yeah so, yes so, do one thing, oi, oi oi, hi both, hello both, morning both, oh, oh and, oh also, oh and also, ah, right, right so, right then, sure, sure look, look, listen, well, well now, now then, so, so basically, grand, big news, good news, great news, bad news, yo, hey so, hi so, ok so, okay so, hiya, howdy, g'day, " +
	"morning, good day, evening, afternoon, morning all, evening all, afternoon all, sorry to bother you, sorry for the short notice, sorry for the late notice"

// interjections are openers that are no other word, so that no pause has to
// follow.
var interjections = set("oi oh ah yo hiya howdy g'day yeah yep")

// greetingTimes are openers that are times as well, and so greet only where
// everything begins.
var greetingTimes = set("morning evening afternoon")

// tags end what is said aloud.
const tags = "please, pls, plz, thanks, thank you, thanks a lot, thanks so much, thank you so much, thanks very much, thank you very much, many thanks, thanks again, thanks a million, thanks a bunch, thank you ever so much, thanks ever so much, thank you kindly, thanks in advance, thx, ty, ta, ta very much, cheers, much appreciated, " +
	"would you, could you, will you, can you, would ya, could ya, will ya, can ya, shall we, will we, yeah, eh, alright, ok, okay, right, x, xx, xxx, will you please, would you please, go on, no rush, no hurry, no bother, fingers crossed, long overdue, it's overdue, it's long overdue, they're overdue, they're long overdue, about time, about time too, nothing fancy, no excuses, no exceptions, no exception, no exceptions at all, without exception, without exceptions, without any exception, without any exceptions, simple as that, that's all for today, that's all for now, let's see how it goes, let's see what happens, and let's see how it goes, and let's see what happens, we'll see how it goes, that would be great, that'd be great, that would be lovely, that'd be lovely, that would be wonderful, if that's all right"

// openerEnd is the end of what a sentence said aloud opens with.
func (s *scan) openerEnd() int {
	opener, end := lexicon().openers.longest(s.tokens, s.pos)
	if opener == nil || greetingTimes[s.tokens[s.pos].Norm] && len(s.symbols) > 0 {
		return s.pos
	}
	if end < len(s.tokens) && vocatives[s.tokens[end].Norm] {
		end++
	}
	switch word := s.tokens[s.pos].Norm; {
	case greetingTimes[word]:
		if end < len(s.tokens) && strings.Contains(",!.\n", s.tokens[end].Text) {
			return end
		}
	case interjections[word], s.pauses(end), s.headingFrom(end) > end:
		return end
	}
	return s.pos
}

// pauses reports whether a mark parts what ends at i from the rest.
func (s *scan) pauses(i int) bool {
	if i >= len(s.tokens) {
		return false
	}
	text := s.tokens[i].Text
	return strings.Contains(",!.\n", text) || text == ":" || isDash(text) && s.tokens[i].Spaced
}

// vocativeEnd is the end of "Mate" before a pause or a request.
func (s *scan) vocativeEnd() int {
	next := s.pos + 1
	if vocatives[s.tokens[s.pos].Norm] && (s.pauses(next) || next+1 < len(s.tokens) && asking[s.tokens[next].Norm] && s.tokens[next+1].Norm == "you") {
		return next
	}
	return s.pos
}

var asking = set("could can would will")

// requests begin what somebody who was addressed by name is asked.
var requests = set("please pls kindly could can would")

// pleads reports whether what could be done here is asked for, in a sentence that
// ends with a plea: mugs could go up 5%, please. Without that it may be what
// could happen, as it may where mugs could be sold out.
func (s *scan) pleads() bool {
	if be, end := s.phraseAt(s.pos + 1); be != nil && be.Class == Copula && end == s.pos+2 {
		if stock, _ := s.phraseAt(end); stock != nil && stock.Class == Stock {
			return false
		}
	}
	for i := s.pos + 1; i < len(s.tokens) && !strings.Contains(".!?;\n", s.tokens[i].Text); i++ {
		comma := s.tokens[i].Text == ","
		if comma {
			i++
		}
		if i < len(s.tokens) && pleas[s.tokens[i].Norm] {
			return s.tailAt(i) > i
		}
		if comma {
			return false
		}
	}
	return false
}

var pleas = set("please pls plz kindly")

// calledEnd is the end of "Anna," before a request. "Mugs, please lower by 5%"
// names what is to be lowered.
func (s *scan) calledEnd() int {
	mark := s.pos + 1
	if s.pos > 0 || mark+1 >= len(s.tokens) || !capital(s.tokens[s.pos].Text) || !s.nameable(s.pos) || s.tokens[mark].Text != "," || !requests[s.tokens[mark+1].Norm] {
		return s.pos
	}
	for i := mark + 1; i < len(s.tokens); i++ {
		if s.categoryAt(i) || s.tokens[i].Kind == Code {
			return mark + 1
		}
	}
	return s.pos
}

// introductionEnd is the end of "Rosie here" and "It's Moira from the Leith shop"
// before a pause: one or two names that nothing else is called by.
func (s *scan) introductionEnd() int {
	name := s.pos
	if s.tokens[name].Norm == "it's" {
		name++
	}
	end := name
	for end < len(s.tokens) && end < name+2 && s.tokens[end].Kind == Word && capital(s.tokens[end].Text) && s.nameable(end) {
		end++
	}
	if end == name || end >= len(s.tokens) || s.tokens[end].Norm != "here" && !(name > s.pos && workplaces[s.tokens[end].Norm]) {
		return s.pos
	}
	if s.tokens[end].Norm == "here" {
		end++
	}
	if end < len(s.tokens) && workplaces[s.tokens[end].Norm] {
		for end++; end < s.pos+maxIntroduction && end < len(s.tokens) && s.tokens[end].Kind == Word && !s.categoryAt(end); end++ {
		}
	}
	if s.pauses(end) {
		return end
	}
	return s.pos
}

// workplaces lead from who speaks to where.
var workplaces = set("from at in")

// maxIntroduction bounds the words of an introduction.
const maxIntroduction = 8

// tailAt is the end of the sentence from token i on where nothing but tags and
// vocatives stands there, or i.
func (s *scan) tailAt(i int) int {
	end := i
	for said := 0; end < len(s.tokens); said++ {
		token := &s.tokens[end]
		if token.Kind == Mark && (strings.Contains(".!?", token.Text) || token.Text == "\n") {
			break
		}
		next := s.tagEnd(end)
		if end > i && token.Text == "," {
			next = end + 1
		}
		if next == end || said == maxTail {
			return i
		}
		end = next
	}
	return end
}

// canClose reports whether the sentence can end here: after "all" or "the" a
// vocative names products.
func (s *scan) canClose() bool {
	n := len(s.symbols)
	if n == 0 {
		return false
	}
	switch last := &s.symbols[n-1]; last.Class {
	case All, Only, If, Unless, Rel, Except, And, But, For, Of, In, To, At, By, With, From, As, Do, Change, Leave, Skip:
		return false
	case Up, Down:
		return last.Sense == Particle
	case Noise:
		return !determiners[strings.ToLower(last.Text)]
	}
	return true
}

var determiners = set("the a an our my your these those")

// maxTail bounds the tags, vocatives and commas of a tail.
const maxTail = 8

// tagEnd is the end of the tag or vocative at token i, or i.
func (s *scan) tagEnd(i int) int {
	_, end := lexicon().tags.longest(s.tokens, i)
	if polite := max(s.framed(standing(), i), s.framed(gladdening(), i), s.possibleEnd(i)); polite > end && s.endsSaying(polite) {
		end = polite
	}
	if end > i && s.categoryAt(i) || s.tokens[i].Norm == "x" && i > 0 && s.tokens[i-1].Kind == Number { // 1.5x
		return i
	}
	return end
}

// howMany, little and jobs are the words of "three wee jobs".
var (
	howMany = set("one two three four five six seven few couple some")
	little  = set("of quick small wee little more simple other easy")
	jobs    = set("thing things job jobs change changes update updates task tasks request requests bit bits")
)

// countedEnd is the end of a count of what follows: "three wee jobs".
func (s *scan) countedEnd(i int) int {
	_, end := lexicon().askings.longest(s.tokens, i)
	end = max(end, i)
	if end < len(s.tokens) && s.tokens[end].Norm == "a" || s.tokens[min(end, len(s.tokens)-1)].Norm == "just" {
		end++
	}
	if end >= len(s.tokens) || !howMany[s.tokens[end].Norm] {
		return i
	}
	for end++; end < len(s.tokens) && little[s.tokens[end].Norm]; end++ {
	}
	if end < len(s.tokens) && jobs[s.tokens[end].Norm] {
		end++
		if _, after := lexicon().forMe.longest(s.tokens, end); after > end {
			return after
		}
		return end
	}
	return i
}

// tiers are what a list of ranges of prices is announced by.
var tiers = set("tiers bands levels brackets steps")

// tiersEnd is the end of "three tiers" before "for" or a colon.
func (s *scan) tiersEnd() int {
	i := s.pos
	if _, end := lexicon().askings.longest(s.tokens, i); end > i {
		i = end
	}
	if i+2 >= len(s.tokens) || !howMany[s.tokens[i].Norm] && s.tokens[i].Kind != Number {
		return s.pos
	}
	for i++; i+1 < len(s.tokens) && (little[s.tokens[i].Norm] || s.tokens[i].Norm == "price"); i++ {
	}
	if next := i + 1; tiers[s.tokens[i].Norm] && next < len(s.tokens) && (s.tokens[next].Norm == "for" || s.tokens[next].Norm == "on" || s.tokens[next].Text == ":") {
		return next
	}
	return s.pos
}

// askings stand before a count of what follows, and forMe after it.
const (
	askings = "could you do, can you do, please do, i need, i have, i've got, we have, we've got, there are, here are"
	forMe   = "for me, for us, from me, from us, for me please, please, today"
)

// closesOnly reports whether the word up to end only closes what was said before
// a pause: "should cost $10 instead", "not on A101 though".
func (s *scan) closesOnly(end int) bool {
	n := len(s.symbols)
	if n == 0 || end < len(s.tokens) && !s.pauses(end) && s.tokens[end].Text != "?" {
		return false
	}
	switch s.tokens[s.pos].Norm {
	case "instead":
		return s.symbols[n-1].Class == Amount
	case "even":
		return s.symbols[n-1].Class == Amount && isMoney(&s.symbols[n-1])
	case "though":
		return end == s.pos+1
	}
	return false
}
