package english

import "strings"

// courtesies are the words of sentences that are only polite: "sorry to bother
// you", "let me know when it is done". None of them can be part of a rule, so a
// sentence of nothing else asks for nothing.
var courtesies = set("thanks thank you for your help yesterday support time patience sorry to bother the late short notice request this that hope had have a an good great nice lovely simple easy clear let me us know when if it's it is done finished ready complete completed live any questions question issues problems just ask call ping email text shout reach out anything unclear missing should do please confirm double check appreciate appreciated much very really cheers best urgent rush hurry worries whenever can could get chance moment minute forgot mention add oh ah well i i'd be would kindly it with all so and in advance love ps p s quick one hi hello dear there on that's thats its my apologies pardon excuse interruption intrusion looking forward hearing from soon am are having had keeping finds find message email note trust trusting going enjoying sunshine everyone everybody you're you've i'm we're doing all trouble pain extra work about hate busy me need anything else reply response answer owe star legend lifesaver angel wonderful perfect fantastic brilliant")

// anchors are those of them without which a sentence is none of these.
var anchors = set("thanks thank sorry hope know questions question issues problems ask call unclear confirm check appreciate appreciated cheers urgent rush hurry chance moment forgot mention apologies pardon excuse forward should bother oh ps worries love trust trouble busy owe star legend lifesaver angel")

// times are those that somebody is wished, and pleasant how.
var (
	times    = set("weekend day week morning evening afternoon holiday summer year start")
	pleasant = set("good great nice lovely wonderful pleasant perfect fantastic brilliant super")
)

// oncemore stand before an "again" that asks for nothing to be done again.
var oncemore = set("you me thanks sorry")

// courtesyEnd is the end of a sentence that is only polite, or of the first part
// of one up to a comma, a dash or a colon. Where there is none, what is in the
// way is in the way of each word up to it.
func (s *scan) courtesyEnd() int {
	if s.pos < s.noCourtesy {
		return s.pos
	}
	anchored := false
	i := s.pos
words:
	for ; i < len(s.tokens); i++ {
		token := &s.tokens[i]
		switch {
		case i > s.pos && (times[token.Norm] && (pleasant[s.tokens[i-1].Norm] || s.tokens[i-1].Norm == "your") || pleasant[token.Norm] && s.tokens[i-1].Norm == "be"): // a good weekend, that would be lovely
			anchored = true
			continue
		case i > s.pos && token.Norm == "again" && oncemore[s.tokens[i-1].Norm]:
			anchored = true
			continue
		case negatesNothing(s.tokens, i): // not urgent, no rush
			anchored = true
			continue
		case token.Kind == Word && courtesies[token.Norm]:
			anchored = anchored || anchors[token.Norm]
			continue
		case token.Text == "." && i > s.pos && len(s.tokens[i-1].Text) == 1: // P.S.
			continue
		case !anchored:
			break words
		case token.Kind == Mark && strings.Contains(".!?;\n", token.Text):
			return i
		case token.Text == ",", token.Text == ":", isDash(token.Text) && token.Spaced:
			return i + 1
		default:
			break words
		}
	}
	if anchored && i == len(s.tokens) {
		return i
	}
	s.noCourtesy = i
	return s.pos
}

// negatesNothing reports whether "not urgent" or "no rush" stands at i. Any other
// "no" takes back what was asked for.
func negatesNothing(tokens []Token, i int) bool {
	if i+1 >= len(tokens) || tokens[i].Norm != "no" && tokens[i].Norm != "not" {
		return false
	}
	switch tokens[i+1].Norm {
	case "urgent", "rush", "hurry", "worries", "questions":
		return true
	}
	return false
}
