package english

import (
	"strings"
	"sync"
)

// What people ask for politely has a frame around it: "I was wondering whether you
// could", "when you have a minute,". Frames are put together from slots, so that each
// way to begin goes with each way to go on. Nothing in a frame doubts, puts off or
// takes back what is asked for: "we were going to" and "we are wondering whether to"
// are none.

// A frame is what may be said in each of its places, one after another.
type frame [][][]string

// places are the ways to say the same within frames: an underscore joins words, a
// dash is nothing at all.
var places = map[string]string{
	"I'D":     "i'd|we'd|i_would|we_would",
	"I'M":     "i'm|we're|i_am|we_are",
	"WAS":     "i'm|we're|i_am|we_are|i_was|we_were",
	"I'VE":    "i|we|i've|we've|i_have|we_have|we_have_now|we_have_just|we've_just|we_have_all|we_all",
	"IT'D":    "it'd|it_would|that'd|that_would",
	"YOU":     "you|someone|somebody|anyone|anybody|one_of_you|the_team",
	"TO":      "to|you_to|us_to|for_you_to|for_us_to|someone_to|somebody_to|the_team_to|one_of_you_to|that|that_you|that_we|for|-",
	"VERY":    "-|really|quite|perfectly|more_than|very|much|rather|very_much|most|so|ever_so|extremely|truly|kindly|all|also|additionally",
	"IF":      "if|if_you|if_we|if_you_could|if_you_can|if_you_would|if_you_might|if_you_could_please|if_you_would_please|if_we_could|if_we_can|if_someone_could|if_somebody_could|if_you_were_able_to|if_you'd|if_you'd_please|if_you_were_to|if_we_were_to|if_someone_were_to|if_somebody_were_to|were_you_to|if_it_were_possible_to|if_you_could_find_the_time_to|if_you_would_be_so_kind_as_to",
	"COULD":   "you_could|you_can|you_would|you_might|you'd|you_may|you'll|you_will|you_were_able_to|you_may_be_able_to|you_might_be_able_to|you_would_be_able_to|you'd_be_able_to|you'll_be_able_to|we_could|we_can|we_might|someone_could|someone_can|someone_might|somebody_could|somebody_can|it_would_be_possible_to|it_might_be_possible_to|it_is_possible_to|it's_possible_to",
	"GLAD":    "grateful|obliged|pleased|glad|happy|thankful|delighted",
	"CONTENT": "content|fine|ok|okay|satisfied|good|happier|better_off|comfortable|alright|all_right",
	"GREAT":   "great|good|grand|lovely|nice|super|brilliant|ideal|helpful|handy|amazing|fab|fantastic|appreciated|wonderful|perfect|best|excellent|much_appreciated|very_much_appreciated|very_helpful|really_helpful|a_great_help|a_big_help|a_huge_help",
	"MY":      "my|our|your|the|last_week's|yesterday's|this_morning's|today's",
	"MUST":    "-|must|have_to|need_to|kindly|would|would_kindly|hereby|now|also|now_have_to|also_have_to|would_now|would_also",
	"ANY":     "any|is_there|is_there_any|is_there_a|is_there_some",
	"THINK":   "think|feel|believe|reckon",
	"SHOULD":  "should|must|ought_to|need_to|have_to|had_better|had_best",
	"FITTER":  "better|best|nicer|neater|tidier|cleaner|simpler|clearer|fairer|easier|smarter|smoother",
	"VITAL":   "important|essential|vital|imperative|crucial|critical|necessary|high_time",
	"DO":      "do|action|arrange|arrange_for|implement|process|handle|carry_out|sort|sort_out|see_to|take_care_of|attend_to|deal_with|apply|put_through|organise|organize|go_ahead_with|proceed_with",
	"THAT":    "that|this|it|these|those|all_this|all_that|all_of_this|all_of_that|these_changes|those_changes|this_change|that_change|the_changes|the_change|this_request|my_request|the_above|the_following",
	"SOON":    "-|please|now|today|right_away|straight_away|asap|as_soon_as_possible|as_soon_as_you_can|when_you_can|for_me|for_us|for_me_please|for_us_please|out|out_please|out_for_me|out_for_us|accordingly",
	"LANDED":  "arrived|come|come_in|came|came_in|landed|turned_up|been_delivered|delivered|been_unpacked|been_unloaded|been_checked|been_counted",
	"WHEN":    "-|now|today|this_morning|this_afternoon|yesterday|last_night|at_last|finally|safely|early|earlier_today|just_now",
	"DUE":     "that|for|we|you|that_we|that_you",
	"TALK":    "email|mail|message|note|call|phone_call|chat|conversation|meeting|discussion|request|letter",
}

// leading frames go over into what is asked for without a pause.
var leading = framesOf(
	"I'D VERY like|love|prefer|want|wish TO",
	"I'D VERY appreciate|love|like|prefer it IF",
	"I'D be VERY GLAD IF",
	"i_would|we_would|i'd|we'd like|love to request|ask|propose|suggest|see TO",
	"WAS -|just|really|rather hoping|wondering that|if|whether|- COULD",
	"WAS -|just|really|rather hoping for|to_have|to_see|we_could_have|you_could_do",
	"i|we wonder|hope that|if|whether|- COULD",
	"I'VE decided|agreed|chosen|resolved|opted|voted|elected to|that|that_we_will|that_we_should|we_should",
	"it was|has_been|is|has_now_been decided|agreed that|to",
	"it's been|- decided|agreed that|to",
	"the|our|my decision|plan|request|wish|instruction|proposal|suggestion|preference|idea|aim|goal|intention|recommendation is|would_be to|that|that_you|that_we|for|for_you_to|for_us_to",
	"it_is|it's|this_is our|my decision|plan|request|wish|instruction|preference|aim|intention|recommendation to|that|that_you|that_we",
	"what|all i|we|i'd|we'd -|would like|want|need|ask|request|love is|was -|for you_to|that_you|that_we|to|that|-",
	"i|we -|really|much prefer|require TO",
	"I'M VERY keen|eager|planning|looking|hoping|going|ready to",
	"I'M VERY keen|eager for you_to|us_to",
	"I'D be VERY keen|eager to|for_you_to|for_us_to",
	"i|we intend|aim|propose|wish|plan to",
	"i|we|you SHOULD",
	"i|we THINK -|that i|we|you SHOULD",
	"i|we THINK -|that it's|it_is -|high|about time -|to|that",
	"it's|it_is -|high|about time -|DUE",
	"time|high_time|about_time DUE",
	"I'D|i|we propose|suggest|recommend|request|kindly_request|hereby_request TO",
	"i|we|i'd|we'd MUST ask|request|beg|urge|instruct|insist to|you_to|that|that_you|that_we|for|on", // "we ask $5 for mugs" says what they cost
	"i|we -|also|really|now want|need|require someone_to|somebody_to|one_of_you_to|the_team_to|for_you_to",
	"i|we also|really|now want|need TO",
	"I'D VERY appreciate -|you|your|having|seeing|getting",
	"I'D|i'll|we'll|i_will|we_will|i'm_going_to|we're_going_to -|also|really|now|then need TO",
	"i've|we've been asked|told|instructed|requested to",
	"it's|it_is VERY VITAL that|to|for",
	"thanks|thank_you|many_thanks|thank_you_very_much|thank_you_so_much|thanking_you in_advance for -|your_help_in|your_help_with",
	"I'M -|just|really asking|looking|pushing for|for_you_to",
	"i'm|i_am|we're|we_are|just|this_is writing|asking|getting_in_touch|- to -|kindly ask|request TO",
	"may|can|could|might i|we -|please|kindly|just ask|request TO",
	"would|will|might it be -|at_all possible|ok|okay|alright|all_right|too_much_trouble|too_much_bother|much_trouble|much_bother|a_problem|a_bother|too_much_to_ask to|for_you_to|for_us_to|if|if_you|if_we|if_you_could",
	"is it -|at_all possible|ok|okay|alright|all_right to|for_you_to|for_us_to|if|if_you|if_we",
	"I'D VERY|much rather|sooner -|that|you|we|that_you|that_we",
	"you may|might want|wish|like to",
	"IT'D -|really|certainly be GREAT -|for_us|for_me IF|to|for",
	"IT'D -|really|certainly make -|more|good|perfect|a_lot_of sense IF|to",
	"IT'D -|really|certainly be|look|seem -|much|far|a_lot|even FITTER IF",
	"IT'D -|really|certainly|greatly mean_a_lot|mean_a_great_deal|help|help_us|help_me|help_a_lot|help_us_a_lot IF|to|for",
	"could|can|would|will|might YOU -|please|kindly|just possibly|perhaps|maybe|quickly|please|kindly|be_able_to|-",
	"could|can|would|will YOU -|please|kindly help_me|help_us|help to|-",
	"would|do you mind if_you|if_we",
	"please help me|us to|-",
	"just|this_is|this_is_just a quick|short|small|brief note|one|message|thing|word|reminder to say|ask TO|please",
	"I'D be VERY GLAD to have|see",
	"I'D be VERY GLAD for",
	"I'D settle|opt|plump for",
	"i_should|we_should|i_will|we_will|i'll|we'll be VERY GLAD IF",
	"I'D -|really|also welcome",
	"i|we need your help to|with",
	"do me|us a favour|favor and",
	"be a dear|star|pet and",
	"may|can|could|might i|we trouble|bother|get|ask you_to|someone_to|somebody_to|you_for|for_you_to|you_please_to|you_to_please",
	"ANY way|chance|possibility|hope that|- COULD",
	"i|we don't|do_not|didn't|couldn't suppose that|- COULD",
	"do you think|reckon|suppose that|- COULD",
	"perhaps|maybe|possibly you|someone|somebody could|can|would|might -|please",
	"you|you'd be|would_be doing|do me|us a -|great|big|huge favour|favor if|by -|you_could|you_would|you",
	"you'd|you_would do me|us a -|great|big|huge favour|favor if|by -|you_could|you_would|you",
	"i'd|we'd|i_would|we_would owe you one|a_favour|a_favor|a_drink|a_coffee if|if_you|if_you_could|if_you_can|if_you_would",
	"I'D be over_the_moon|in_your_debt|forever_in_your_debt|happier|much_happier|far_happier IF",
	"IT'D -|really make|suit|please|delight me|us|my_day|our_day|my_week|our_week IF",
	"pretty please -|could_you|can_you|would_you|will_you",
	"would you care to",
	"please -|do remember|make_sure|be_sure to|that|you|that_you",
	"please|do -|please see to_it that|that_you",
	"I'D VERY appreciate|value -|it your|you help|assistance|support|taking_the_time -|in|with|to",
	"let's|let_us start|begin|kick_off|finish|end -|off by|with",
	"may|can|could|might i|we -|suggest|have|get -|that_we",
	"would|do you mind -|awfully|terribly|very_much|please",
	"would|are you be|- so_good_as|kind_enough|good_enough|ok|okay|willing|happy|open to",
	"be so_good_as|so_kind_as|kind_enough|good_enough|a_dear_and to|-",
)

// allowing frames let something be done that a verb after them says: you may lower
// mugs, why don't we lower mugs.
var allowing = framesOf(
	"you|we may|can|could -|now|also|then|just|please -|go_ahead_and",
	"you_are|you're -|also|now free|welcome|allowed|permitted|authorised|authorized to",
	"you|you've have|- -|my|our permission|approval|blessing|leave|go_ahead to",
	"why don't|do_not you|we|i -|also|just|please|simply",
	"why not -|also|just|simply",
)

// standing frames are parted by a pause from what is asked for, or end it.
var standing = framesOf(
	"when|whenever|once|if|as_soon_as you|you've have|get|find|got|have_got|can_spare|could_spare|could_find a|a_spare|a_free|a_quiet|the|some|five|two|- moment|minute|second|sec|mo|chance|time|opportunity|minutes",
	"when|whenever you -|next|do have|get|find|get_round|get_around|come_round|come_around to|a -|it|this|that|moment|minute|second|sec|chance",
	"when you've -|got a|five|two -|spare|free|quiet moment|minute|second|sec|mo|chance|minutes -|spare|free|to_spare",
	"when|if time allows|permits",
	"in your own time", "with your permission|blessing|approval|leave|help", "if i may -|ask",
	"there's|there_is|it's no -|great|real|particular rush|hurry|urgency",
	"no rush|hurry|urgency -|at_all|whatsoever|on_this|with_this|on_this_one but|-",
	"when|if|whenever it|it's|this suits|is|- you|convenient|convenient_for_you",
	"at|when your|you're -|earliest|next convenience|opportunity|free",
	"if it's_not|it_is_not|it_isn't|that's_not|that_is_not|that_isn't|this_isn't|it_wouldn't_be|it_won't_be too|- much|any|a|- trouble|bother|hassle|to_ask|problem",
	"if it's|it_is|that's|that_is|this_is no|ok|okay|alright|all_right|fine trouble|bother|hassle|problem|with_you|by_you|-",
	"if you don't|do_not|wouldn't|would_not mind",
	"if you'd|you_would be so kind",
	"further_to|following|following_up_on|as_per|per|with_reference_to|in_reference_to|referring_to|as_mentioned_in|as_stated_in|as_in MY -|last|earlier|previous|recent TALK",
	"as i|we -|already said|mentioned|discussed|agreed|wrote|explained -|earlier|before|yesterday|last_week|this_morning|today|on_the_phone|in_my_email|in_my_last_email",
	"as discussed|agreed|mentioned|promised|requested|planned|instructed|said|noted|explained -|earlier|before|already -|yesterday|last_week|this_morning|today|on_the_phone|by_phone|by_email|in_my_email|in_my_last_email|in_the_meeting",
	"could|can|will you|someone|somebody|the_team -|please|kindly|just|also|quickly DO THAT SOON",
	"would you please|kindly DO THAT SOON",
	"please|kindly|just|so|and|then -|please|kindly|could_you|can_you|could_you_please|can_you_please|go_ahead_and DO THAT SOON",
	"could|can|will|would|please|kindly|just|so|and|then -|you|you_please|please|could_you|could_you_please make that|this|it|these_changes so|happen SOON",
	"DO THAT SOON",
	"make that|this|it so|happen SOON",
	"thanks|many_thanks|thank_you|thank_you_very_much|thank_you_so_much|thanks_a_lot|thanks_so_much for -|all -|your|the|understanding help|time|patience|support|assistance|work|trouble|understanding|attention",
	"and thanks|many_thanks|thank_you|thank_you_very_much|thank_you_so_much|thanks_a_lot|thanks_so_much -|again|in_advance|for_your_help|for_your_time|for_all_your_help|for_your_patience|for_your_support",
	"the|our|my|a|today's|this_morning's|last_week's -|new|latest|last|fresh|big delivery|shipment|consignment|order|stock|truck|lorry -|has|have|was -|just|now|finally|already|all|only_just LANDED WHEN",
	"the|our|my|today's|this_morning's -|new|latest|last|big delivery|shipment|consignment|truck|lorry is -|finally|now|all here|in WHEN",
	"i|we|i've|we've|i_have|we_have -|just|now|already|all counted|recounted|checked|double_checked|inspected -|it|them|them_all|everything|the_stock|the_shelves|the_delivery WHEN",
	"long story short", "in short|brief|a_nutshell",
	"as usual|always",
	"for a -|bit_of_a|completely fresh|clean|new start|slate", "for a change", "for good measure",
	"for -|the_sake_of|reasons_of simplicity|consistency|clarity|tidiness|fairness|simplicity's_sake|consistency's_sake",
)

// gladdening frames say of what is asked for that it is welcome, beside it.
var gladdening = framesOf(
	"IT'D be GREAT",
	"IT'D -|really|certainly|greatly mean_a_lot|help|help_us|help_a_lot|help_us_a_lot",
	"I'D be VERY GLAD",
	"I'D VERY appreciate it|that|this",
)

// frameLists are what framesOf has made: the lexicon knows the words of them all.
var frameLists []func() map[string][]frame

// framesOf are the frames of patterns, by their first word.
func framesOf(patterns ...string) func() map[string][]frame {
	frames := sync.OnceValue(func() map[string][]frame {
		byFirst := map[string][]frame{}
		for _, pattern := range patterns {
			var f frame
			for _, place := range strings.Fields(pattern) {
				f = append(f, waysOf(place))
			}
			first := map[string]bool{}
			for _, way := range f[0] {
				if !first[way[0]] {
					byFirst[way[0]] = append(byFirst[way[0]], f)
				}
				first[way[0]] = true
			}
		}
		return byFirst
	})
	frameLists = append(frameLists, frames)
	return frames
}

// waysOf are the ways to say what a place of a pattern stands for.
func waysOf(place string) [][]string {
	var ways [][]string
	for way := range strings.SplitSeq(place, "|") {
		switch named, ok := places[way]; {
		case ok:
			ways = append(ways, waysOf(named)...)
		case way == "-":
			ways = append(ways, nil)
		default:
			ways = append(ways, strings.Split(way, "_"))
		}
	}
	return ways
}

// end is the furthest that the frame reaches from token i, or less than i.
func (f frame) end(tokens []Token, i int) int {
	if len(f) == 0 {
		return i
	}
	furthest := -1
	for _, way := range f[0] {
		if saidAt(tokens, i, way, len(f) == 1) {
			furthest = max(furthest, f[1:].end(tokens, i+len(way)))
		}
	}
	return furthest
}

// saidAt reports whether words stand at token i, with slips of the pen.
func saidAt(tokens []Token, i int, words []string, last bool) bool {
	if i+len(words) > len(tokens) {
		return false
	}
	for k, word := range words {
		if tokens[i+k].Norm != word && !slipOf(&tokens[i+k], word, last) {
			return false
		}
	}
	return true
}

// slipOf reports whether a word that nothing else knows is a slip of one of a frame.
// What stands around that keeps it from being a name, unless it is the last there: for
// charity is not for clarity. And wouldn is not would.
func slipOf(token *Token, word string, last bool) bool {
	said := token.Norm
	if token.word != 0 || token.Kind != Word || len(word) < 5 || said[0] != word[0] || strings.HasPrefix(said, word+"n") {
		return false
	}
	if last && len(said) == len(word) && !swapped(said, word) {
		return false
	}
	return Distance(said, word) <= max(1, slips(min(len(said), len(word))))
}

// asked are words of requests that are looked for in slips wherever they stand.
var asked = [...]string{"could", "would", "might", "please", "perhaps", "whenever", "thanks", "possible"}

// Meant is the word of a request that a token is a slip of, or what it says.
func (t *Token) Meant() string {
	if t.word != 0 || t.Kind != Word {
		return t.Norm
	}
	for _, word := range asked {
		if slipOf(t, word, false) {
			return word
		}
	}
	return t.Norm
}

// framed is the furthest that one of frames reaches from token i, or i.
func (s *scan) framed(frames map[string][]frame, i int) int {
	if s.tokens[i].starts&aFrame == 0 {
		return i
	}
	furthest := i
	first := s.tokens[i].Norm
	if next := i + 1; next < len(s.tokens) && s.tokens[next].word != 0 {
		first = s.tokens[i].Meant()
	}
	for _, f := range frames[first] {
		furthest = max(furthest, f.end(s.tokens, i))
	}
	for k := i; k < furthest; k++ {
		if s.categoryAt(k) {
			return i
		}
	}
	return furthest
}

// leadingEnd is the end of the frame that leads over to what is asked for.
func (s *scan) leadingEnd() int {
	end := s.framed(leading(), s.pos)
	if !s.beyondPhrase(end) || s.mindsThings(end) {
		return s.pos
	}
	return end
}

// mindsThings reports whether the frame up to end asks whether somebody minds, and not
// doing something: do you mind mugs at $5?
func (s *scan) mindsThings(end int) bool {
	mind := s.pos + 2
	return s.tokens[mind].Norm == "mind" && !s.doingAt(end) && s.tokens[end-1].Norm != "you" && s.tokens[end-1].Norm != "we"
}

// allowedEnd is the end of the frame that lets something be done, before a verb of
// one who does it. "You may see mugs go up 5%" lets nobody do so.
func (s *scan) allowedEnd() int {
	end := s.framed(allowing(), s.pos)
	if !s.beyondPhrase(end) || undergone[s.tokens[end].Norm] {
		return s.pos
	}
	if verb, _ := s.phraseAt(end); verb == nil || !actsClass(verb) {
		return s.pos
	}
	return end
}

// undergone are verbs of what happens to those who are spoken to, or is so already.
var undergone = set("see get have receive need require sell charge offer come list stick run use let show")

// beyondPhrase reports whether a frame up to end is longer than any phrase here, and
// something is left to ask for.
func (s *scan) beyondPhrase(end int) bool {
	_, phraseEnd := s.phraseAt(s.pos)
	return end > phraseEnd && end < len(s.tokens)
}

// standingEnd is the end of a frame that a pause parts from what is asked for.
func (s *scan) standingEnd() int {
	if end := s.framed(standing(), s.pos); end > s.pos && s.endsSaying(end) {
		return end
	}
	return s.pos
}

// hopedEnd is the end of the "if" that a wish follows, "if you raised mugs", "if mugs
// were $5", where the sentence ends by saying that this would be welcome.
func (s *scan) hopedEnd() int {
	if s.tokens[s.pos].Norm != "if" {
		return s.pos
	}
	wish := s.pos + 1
	if verb := wish + 1; verb < len(s.tokens) && hoped[s.tokens[wish].Norm] {
		if s.didChange(verb) && s.welcomed(verb, true) {
			return verb
		}
		return s.pos
	}
	for i := wish; i < len(s.tokens) && s.tokens[i].Kind != Mark; i++ {
		if ifSo[s.tokens[i].Norm] && s.welcomed(i, false) {
			return wish
		}
	}
	return s.pos
}

// welcomed reports whether the sentence ends by saying that what is wished for from
// token i on would be welcome, and asks for nothing else on that condition. After a
// comma it may go on with names, where the verb is before them.
func (s *scan) welcomed(i int, named bool) bool {
	for ; i+1 < len(s.tokens); i++ {
		next := i
		switch token := &s.tokens[i]; {
		case strings.Contains(".!?;\n", token.Text) || token.Norm == "then":
			return false
		case token.Text == ",":
			next++
		}
		if end := s.framed(gladdening(), next); end > next && s.endsSaying(end) {
			return true
		}
		if next > i && (!named || s.actsAt(next) && !s.didChange(next)) { // if you raised mugs, lower hats
			return false
		}
	}
	return false
}

// ifSo are verbs of what is not so yet.
var ifSo = set("could were was went")

// hoped are those who may do what is hoped for.
var hoped = set("you we someone somebody")

// didChange reports whether a verb in the past that changes something stands at i.
func (s *scan) didChange(i int) bool {
	return s.actsAt(i) && strings.HasSuffix(s.tokens[i].Norm, "ed")
}

// endsSaying reports whether what was said ends at i.
func (s *scan) endsSaying(i int) bool {
	return i == len(s.tokens) || s.pauses(i) || s.tokens[i].Text == "?"
}
