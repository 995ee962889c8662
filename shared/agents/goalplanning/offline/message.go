package offline

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// token is a word of a message, or a part of it.
type token struct {
	text  string // as typed
	word  string // in small letters without apostrophes; "" of a part
	part  *part
	pause bool // a comma follows
	used  bool // something was done with it
}

// clause is a piece of a message that asks for one thing.
type clause struct {
	tokens []token
	asks   bool // it ends with a question mark
	item   bool // it stands in a numbered list
}

// What words do in a clause, whatever it is about.
var (
	// fillers ask for nothing by themselves.
	fillers = wordsOf(
		`a an the this that these those it its is be been are was were am im ive id ill we were weve well i
			you me my mine our us your
		please can could would will shall should may might must lets let just also then now ok okay so and but
		hi hello hey dear thanks thank great good nice cool
		perfect sure yes yeah yep fine right alright oh ah hmm um sorry actually really very much quite too as
		there here have has had got get some any
		going go want wants like need needs think guess wish rather again instead after all with of on in at
		to for by from into than about until till up
		plan goal schedule thing things stuff one ones milestone milestones phase phases stage stages task
		tasks todo step steps part parts item
		hour hours time times day days week weeks work working works do does did make makes made give given
		put both each every per no more total overall altogether
		everything anything nothing something what which who when how where why already still only least most
		within under over around
		love loved theres thats whats youre youve maybe possible possibly currently usually always normally
		ideally because since kind bit little`,
	)
	// polite may stand before the verb of a request. After another word the verb tells a story.
	polite = wordsOf(
		`please can could would will you youve we i id ill im ive like love want need to lets let us me also
			and then now just actually so maybe oh ok okay yes yeah if
		no nope but wait right hmm well sorry hey hi too be kind as enough mind possible may should shall must
		have has had got get go ahead think perhaps kindly not dont straight there nah yo btw`,
	)
	// starters begin a clause of their own after "and" or a comma.
	starters = wordsOf(
		`can could would so plus i im ive id ill we my our no not dont never only keep it its lets please
		also then but maybe make sure there nothing count`,
	)
	// subjects begin what people tell.
	subjects = wordsOf(
		`thanks thank i im ive id ill we weve my our he shes she hes it its they theyre theyve there theres
			that thats this the everyone everything
		nobody somebody you youre lol wow how oh what anyway dont`,
	)
	wishes = wordsOf(
		`want need needs should must has have please instead rather prefer make use dont not no`,
	)
	obligations = wordsOf(`should must has have needs need want`)
	denials     = wordsOf(
		`not no dont never cant cannot wont without avoid off away unavailable busy isnt arent doesnt none
		nothing shant`,
	)
	absences = wordsOf(
		`holiday holidays vacation travelling traveling out closed break pause rest except sick booked
		blocked block`,
	)
	meetings = wordsOf(
		`meet meets meeting meetings appointment appointments standup standups class classes lecture lectures
		lesson lessons dentist doctor call calls shift shifts practice rehearsal interview conference
		seminar course exam exams visit`,
	)
	dues = wordsOf(
		`deadline due finish finished done ready complete completed deliver delivered end ends`,
	)
	availability = wordsOf(
		`only just free available fine ok okay can use works work good prefer best possible again after`,
	)
	questions   = wordsOf(`what whats when whens where wheres which who whos why how hows whose`)
	auxiliaries = wordsOf(
		`is are am was were do does did has isnt arent doesnt shouldnt wouldnt may will would should can
		could`,
	)
	reductions = wordsOf(`reduce shorten lower trim cut less fewer shorter`)
	kinds      = wordsOf(`milestone milestones phase phases stage stages task tasks step steps todo item items`)
	plurals    = wordsOf(`milestones phases stages tasks steps`)
	conditions = wordsOf(`if unless otherwise whether`)
)

var negatives = denials.with(absences)

// read takes a message apart into clauses. A day without its month is in the month that
// was named last.
func read(message string, now time.Time) (clauses []clause) {
	message = listMark().ReplaceAllString(plainly(message), ". "+itemMark)
	if dashes := dashMark().FindAllStringIndex(message, -1); len(dashes) > 1 {
		message = dashMark().ReplaceAllString(message, ". $1")
	}
	at := calendarNow{now: now, near: now}
	for _, sentence := range sentences(message) {
		if inTurn := stagesInTurn().FindStringSubmatch(sentence); inTurn != nil {
			sentence = "The stages are " + thenMark().ReplaceAllString(inTurn[1], ", ")
		}
		asks := strings.HasSuffix(strings.TrimSpace(sentence), "?")
		sentence, item := strings.CutPrefix(strings.TrimLeft(sentence, " "), itemMark)
		tokens := tokensOf(strings.TrimRight(sentence, "? "), at)
		for _, k := range tokens {
			at = at.after(k.part)
		}
		pieces := split(tokens)
		for i, tokens := range pieces {
			if len(tokens) > 2 && tokens[0].word == "if" &&
				(tokens[1].word == "not" || tokens[1].word == "so") {
				tokens = tokens[2:] // the answer to a question of the same message
			}
			tokens = active(tokens)
			if len(tokens) > 0 {
				clauses = append(clauses, clause{tokens, asks && i+1 == len(pieces), item})
			}
		}
	}
	return clauses
}

const itemMark = "\u2022"

// items returns the names that a clause lists: as one of a numbered list, or after "are"
// or a colon.
func (c clause) items() (names []string) {
	tokens := c.tokens
	if at := c.at("are", "is", "called", "named"); !c.item && at < 0 {
		return nil
	} else if !c.item {
		tokens = tokens[at+1:]
	}
	names = namesIn(tokens)
	if !c.item && len(names) < 2 {
		return nil
	}
	return names
}

// namesIn returns the names that tokens list: "A, B and C".
func namesIn(tokens []token) (names []string) {
	if len(tokens) == 0 || slices.ContainsFunc(tokens, func(k token) bool { return k.part != nil }) {
		return nil
	}
	from := 0
	for i := 1; i <= len(tokens); i++ {
		if i == len(tokens) || tokens[i].word == "and" || tokens[i-1].pause {
			for from < i && (articles[tokens[from].word] || tokens[from].word == "and") {
				from++
			}
			if name := newName(tokens[from:i]); name != "" && i-from <= 6 {
				names = append(names, name)
			}
			from = i
		}
	}
	return names
}

// active turns "could the launch be moved to Friday" into "move the launch to Friday".
func active(tokens []token) []token {
	modal := slices.IndexFunc(
		tokens,
		func(k token) bool {
			return slices.Contains(strings.Fields("can could should must may would"), k.word)
		},
	)
	be := slices.IndexFunc(tokens, func(k token) bool { return k.word == "be" })
	if modal < 0 || be < modal || be+1 >= len(tokens) {
		return tokens
	}
	done := tokens[be+1].word
	for _, verb := range []string{
		done, strings.TrimSuffix(done, "d"), strings.TrimSuffix(done, "ed"), done[:max(0, len(done)-3)],
	} {
		if called(verb, "remove", "move", "split", "swap", "add", "rename") {
			object := slices.Concat(tokens[:modal], tokens[modal+1:be])
			return slices.Concat([]token{{text: verb, word: verb}}, object, tokens[be+2:])
		}
	}
	return tokens
}

var (
	chatWord = goal.Pattern(`(?i)\b(?:u|ur|tmrw|tmr|2moro|pls|plz|wanna|gonna|gotta)\b`)
	possible = goal.Pattern(
		`(?i)\b(?:(?:would|will) it be|is it) possible to (?:have )?|\bwould you mind |\bdo you think you could `,
	)
	numbers   = goal.Pattern(`(?i)\b(task|milestone)s (\d{1,2}) (?:and|with|&) (\d{1,2})\b`)
	greeting  = goal.Pattern(`(?i)\bgood (?:morning|afternoon|evening|day)\b`)
	placePair = goal.Pattern(
		`(?i)\b(first|second|third|fourth|last)(?: milestone| task)? (?:and|with) (?:the )?(first|second|third|fourth|last) (milestone|task|phase|stage)s?\b`,
	)
	listMark     = goal.Pattern(`\s\((?:[a-h]|\d)\)\s|(?:^|\s)\d\)\s`)
	dashMark     = goal.Pattern(`\s-\s+([a-zA-Z])`)
	stagesInTurn = goal.Pattern(`(?i)^\s*(?:hm+,? |ok,? |so |well,? )?first,? (.+? then .+)$`)
	thenMark     = goal.Pattern(`(?i),?\s*(?:and )?then\s+`)
	hourMinute   = goal.Pattern(`\b(\d{1,2})h(\d{2})\b`)
	oclock       = goal.Pattern(`(?i)\b(\d{1,2}) ?o'?clock\b`)
	pastHour     = goal.Pattern(`(?i)\b(half past|quarter past|quarter to) (\w+)\b`)
	hourName     = goal.Pattern(
		`(?i)\b(at|until|till?|from|past|to) (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b( (?:h|hrs?|hours?|minutes?|days?|weeks?|months?|milestones?|tasks?|parts?|pieces|of|for)\b)?`,
	)
	longWord = goal.Pattern(`[a-zA-Z]{4,}`)
)

// plainly writes times of a day in one way, and words of time without one wrong letter.
func plainly(message string) string {
	message = possible().ReplaceAllString(message, "please ")
	message = numbers().ReplaceAllString(message, "$1 $2 and $1 $3")
	message = greeting().ReplaceAllString(message, "hello")
	message = placePair().ReplaceAllString(message, "$1 $3 and the $2 $3")
	message = chatWord().ReplaceAllStringFunc(message, func(word string) string {
		return chatWords[strings.ToLower(word)]
	})
	message = longWord().ReplaceAllStringFunc(message, spelt)
	message = strings.NewReplacer(
		"’", "'", "a.m.", "am", "p.m.", "pm", "e.g.", "", "w/", "with", "–", "-", "—", ", ",
	).Replace(message)
	message = hourMinute().ReplaceAllString(message, "$1:$2")
	message = oclock().ReplaceAllString(message, "$1:00")
	message = pastHour().ReplaceAllStringFunc(message, func(said string) string {
		m := pastHour().FindStringSubmatch(strings.ToLower(said))
		hour := int(number(m[2]))
		switch {
		case hour == 0:
			return said
		case m[1] == "quarter to":
			return strconv.Itoa(hour-1) + ":45"
		case m[1] == "quarter past":
			return strconv.Itoa(hour) + ":15"
		}
		return strconv.Itoa(hour) + ":30"
	})
	return hourName().ReplaceAllStringFunc(message, func(said string) string {
		m := hourName().FindStringSubmatch(said)
		if m[3] != "" || strings.EqualFold(m[1], "to") && !strings.Contains(message, ":") {
			return said
		}
		return m[1] + " " + strconv.Itoa(int(number(strings.ToLower(m[2]))))
	})
}

var chatWords = map[string]string{
	"u":     "you",
	"ur":    "your",
	"tmrw":  "tomorrow",
	"tmr":   "tomorrow",
	"2moro": "tomorrow",
	"pls":   "please",
	"plz":   "please",
	"wanna": "want to",
	"gonna": "going to",
	"gotta": "have to",
}

var spellings = strings.Fields(
	`first weekdays weekends weekend monday tuesday wednesday thursday friday saturday sunday january
	february september october november december tomorrow deadline milestone actually`,
)

// spelt returns the word of time that is meant where one letter is missing, doubled or wrong.
func spelt(word string) string {
	lower := strings.ToLower(word)
	for _, right := range spellings {
		if strings.TrimSuffix(lower, "s") == strings.TrimSuffix(right, "s") {
			return word
		}
	}
	for _, right := range spellings {
		head := 0
		for head < min(len(lower), len(right)) && lower[head] == right[head] {
			head++
		}
		tail := 0
		for tail < min(len(lower), len(right))-head && lower[len(lower)-1-tail] == right[len(right)-1-tail] {
			tail++
		}
		if head > 0 && max(len(lower), len(right))-head-tail == 1 {
			return right
		}
	}
	return word
}

var sentenceEnd = goal.Pattern(`[.!?;]+(?:\s+|$)|\n+`)

func sentences(message string) (list []string) {
	from := 0
	for _, end := range sentenceEnd().FindAllStringIndex(message, -1) {
		list = append(list, strings.TrimRight(message[from:end[1]], " .!;\n"))
		from = end[1]
	}
	return append(list, message[from:])
}

// notADay follows a number that is a place in the plan: "the 2nd task".
var notADay = goal.Pattern(`^ (?:milestone|phase|stage|task|step|one|half|part|time|birthday|anniversary)\b`)

// tokensOf finds the parts of a sentence, and the words between them.
func tokensOf(sentence string, now calendarNow) (tokens []token) {
	masked := []byte(strings.ToLower(sentence))
	if len(masked) != len(sentence) { // letters whose small form has another length
		sentence = string(masked)
	}
	found, ends := map[int]*part{}, map[int]int{}
	for _, r := range recognisers {
		for _, at := range r.pattern().FindAllSubmatchIndex(masked, -1) {
			p, ok := r.read(groups(masked, at), now)
			from, to := at[2], at[3]
			negative := from > 0 && masked[from-1] == '-' && (from == 1 || masked[from-2] == ' ')
			if !ok || negative || p.kind == days && notADay().Match(masked[to:]) {
				continue
			}
			if p.kind == quoted {
				p.title = strings.Trim(sentence[from:to], `"“”' `)
			}
			found[from], ends[from] = &p, to
			now = now.after(&p)
			clear(masked[from:to])
		}
	}
	for i := 0; i < len(sentence); {
		if p := found[i]; p != nil {
			tokens = append(tokens, token{text: sentence[i:ends[i]], part: p})
			i = ends[i]
			continue
		}
		end := i + 1
		for end < len(sentence) && found[end] == nil && sentence[end] != ' ' && sentence[end] != ',' {
			end++
		}
		tokens = appendWord(tokens, sentence[i:end])
		i = end
	}
	return tokens
}

func groups(text []byte, at []int) []string {
	list := make([]string, len(at)/2)
	for i := range list {
		if at[2*i] >= 0 {
			list[i] = string(text[at[2*i]:at[2*i+1]])
		}
	}
	return list
}

// appendWord adds a word, or notes the pause that a comma is.
func appendWord(tokens []token, text string) []token {
	trimmed := strings.TrimFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.So, r) && r != '+' &&
			r != '#' &&
			r != '&'
	})
	if pause := text == "-" || strings.HasPrefix(text, ",") || strings.HasPrefix(text, ":") ||
		strings.HasPrefix(text, "("); pause &&
		len(tokens) > 0 {
		tokens[len(tokens)-1].pause = true
	}
	if trimmed == "" {
		return tokens
	}
	word := strings.ReplaceAll(strings.ToLower(trimmed), "'", "")
	return append(
		tokens,
		token{text: trimmed, word: word, pause: strings.HasSuffix(text, ":") || strings.HasSuffix(text, ")")},
	)
}

// joiners stand between clauses.
var joiners = wordsOf("and then but so also")

// split parts a sentence where a pause or "and" is followed by what begins a clause.
func split(tokens []token) (list [][]token) {
	from := 0
	for i := 1; i < len(tokens); i++ {
		next := i
		for next < len(tokens) && joiners[tokens[next].word] {
			next++
		}
		if tokens[i].word == "except" {
			list = append(list, tokens[from:i])
			from = i
			continue
		}
		if next == i && !tokens[i-1].pause || next >= len(tokens) {
			continue
		}
		before := clause{tokens: tokens[from:i]}
		if !slices.ContainsFunc(
			before.tokens,
			func(k token) bool { return !polite[k.word] && !isVerb(k.word) },
		) {
			tokens[i-1].pause = false // "add: call the bank"
		} else if tokens[i].word == "but" || before.endsAt(tokens[next:]) {
			list = append(list, before.tokens)
			from = i
		}
		i = max(i, next-1)
	}
	return append(list, tokens[from:])
}

// meetsToo reports whether tokens begin with something else on its own day, after something
// that has its day: "dentist on Monday at 3, plumber on 14 December".
func meetsToo(before, after []token) bool {
	dated := func(k token) bool { return k.is(days) && !k.part.weekly }
	first := after[0]
	if first.part != nil || fillers[first.word] || polite[first.word] || !slices.ContainsFunc(before, dated) {
		return false
	}
	end := slices.IndexFunc(after, func(k token) bool { return k.pause })
	if end < 0 {
		end = len(after) - 1
	}
	return slices.ContainsFunc(after[:end+1], dated)
}

// dueNext reports whether tokens begin with a day by which something is to be done:
// "by 14 February", "usable by 14 February".
func dueNext(tokens []token) bool {
	for i := range min(2, len(tokens)-1) {
		if slices.Contains([]string{"by", "before", "until", "due"}, tokens[i].word) &&
			tokens[i+1].is(days) &&
			!tokens[i+1].part.weekly {
			return true
		}
	}
	return false
}

func titled(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(k token) bool { return k.is(quoted) })
}

func (k token) is(of kind) bool { return k.part != nil && k.part.kind == of }

// exact reports whether a token is a time, and no part of the day.
func (k token) exact() bool { return k.is(times) && !k.part.partly }

// open reports whether a token is a part that nothing was done with.
func (k token) open() bool { return k.part != nil && !k.used && !k.part.partly }

// telling returns the words of a clause that tell something by themselves.
func (c clause) telling() []token {
	return slices.DeleteFunc(slices.Clone(c.tokens), func(k token) bool {
		return k.part != nil && k.part.kind != quoted || k.part == nil && (fillers[k.word] || polite[k.word])
	})
}

// text returns tokens as they were typed.
func text(tokens []token) string {
	var all strings.Builder
	for i, k := range tokens {
		if i > 0 {
			all.WriteByte(' ')
		}
		all.WriteString(k.text)
		if k.pause && i+1 < len(tokens) {
			all.WriteByte(',')
		}
	}
	return all.String()
}
