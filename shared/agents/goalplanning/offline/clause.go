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
	comma bool // a pause follows
	used  bool // it has been understood
}

// clause is a piece of a message that asks for one thing.
type clause struct {
	tokens []token
	asks   bool // it ends with a question mark
}

// fillers are words that ask for nothing by themselves.
var fillers = words(`a an the this that these those it its is be been are was were am im ive id ill we were well i you me my mine our us your
	please can could would will shall should may might must lets let just also then now ok okay so and but hi hello hey dear thanks thank great good nice cool
	perfect sure yes yeah yep fine right alright well oh ah hmm um sorry actually really very much quite too as there here have has had got get some any
	going go want wants like need needs think guess wish rather again instead after all with of on in at to for by from into than about until till up
	plan goal schedule thing things stuff one ones milestone milestones phase phases stage stages task tasks todo step steps part parts item
	hour hours time times day days week work working works do does did make makes made give given put both each every per no more total overall altogether
	everything anything nothing something what which who when how where why already still only least most within under over around
	id love loved theres thats whats youre youve maybe possible possibly currently usually always normally ideally currently currently because since kind bit little`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// starters begin a clause of their own after "and" or a comma.
var starters = words(`can could would so plus i im ive id ill we my our no not dont never only keep it its lets please also then but maybe make sure there nothing`)

// read takes a message apart into clauses. A day of a month without its month is in the
// month that was named last.
func read(message string, now time.Time) (clauses []clause) {
	message = listMark().ReplaceAllString(clocks(message), ". ")
	if dashes := dashMark().FindAllStringIndex(message, -1); len(dashes) > 1 {
		message = dashMark().ReplaceAllString(message, ". $1")
	}
	near := now
	for _, sentence := range sentences(message) {
		asks := strings.HasSuffix(strings.TrimSpace(sentence), "?")
		tokens := withoutWeekdays(tokensOf(strings.TrimRight(sentence, "?"), now, near))
		for _, k := range tokens {
			if k.part != nil && k.part.kind == days && len(k.part.weekdays) == 0 && k.part.first.After(now) {
				near, _ = month(k.part.first)
			}
		}
		for _, tokens := range split(tokens) {
			if len(tokens) > 0 {
				clauses = append(clauses, clause{tokens, asks})
			}
		}
	}
	return clauses
}

var (
	listMark = goal.Pattern(`\s\((?:[a-h]|\d)\)\s|(?:^|\s)\d\)\s`)
	dashMark = goal.Pattern(`\s-\s+([a-zA-Z])`)
	oclock   = goal.Pattern(`(?i)\b(\d{1,2}) ?o'?clock\b`)
	pastHour = goal.Pattern(`(?i)\b(half past|quarter past|quarter to) (\w+)\b`)
	hourName = goal.Pattern(`(?i)\b(at|until|till?|from|past|to) (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b( (?:hours?|h|hrs?|minutes?|days?|weeks?|months?|milestones?|tasks?|parts?)\b)?`)
)

// spellings are long words that are taken for where one letter is wrong.
var spellings = strings.Fields("weekdays weekends weekend monday tuesday wednesday thursday friday saturday sunday january february september october november december tomorrow deadline milestone actually")

var misspelt = goal.Pattern(`[a-zA-Z]{5,}`)

// spelt returns the word that is meant where one letter of it is left out, doubled, or another.
func spelt(word string) string {
	lower := strings.ToLower(word)
	if slices.Contains(spellings, lower) || slices.Contains(spellings, lower+"s") || slices.Contains(spellings, strings.TrimSuffix(lower, "s")) {
		return word
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

// clocks writes times of a day in one way.
func clocks(message string) string {
	message = misspelt().ReplaceAllStringFunc(message, spelt)
	message = strings.NewReplacer("’", "'", "a.m.", "am", "p.m.", "pm", "e.g.", "", "–", "-", "—", ", ").Replace(message)
	message = oclock().ReplaceAllString(message, "$1:00")
	message = pastHour().ReplaceAllStringFunc(message, func(said string) string {
		m := pastHour().FindStringSubmatch(strings.ToLower(said))
		hour, minute := int(number(m[2])), map[string]string{"half past": ":30", "quarter past": ":15", "quarter to": ":45"}[m[1]]
		if hour == 0 {
			return said
		} else if m[1] == "quarter to" {
			hour--
		}
		return strconv.Itoa(hour) + minute
	})
	return hourName().ReplaceAllStringFunc(message, func(said string) string {
		m := hourName().FindStringSubmatch(said)
		if m[3] != "" || strings.EqualFold(m[1], "to") && !strings.Contains(message, ":") {
			return said
		}
		return m[1] + " " + strconv.Itoa(int(number(strings.ToLower(m[2]))))
	})
}

// placeWord follows the place of something in the plan: "the 2nd task".
var placeWord = goal.Pattern(`^ (?:milestone|phase|stage|task|step|one|half|part|time)\b`)

var sentenceEnd = goal.Pattern(`[.!?;]+(?:\s+|$)|\n+`)

func sentences(message string) (list []string) {
	from := 0
	for _, end := range sentenceEnd().FindAllStringIndex(message, -1) {
		list = append(list, strings.TrimRight(message[from:end[1]], " .!;\n"))
		from = end[1]
	}
	return append(list, message[from:])
}

// tokensOf finds the parts of a sentence, and the words between them.
func tokensOf(sentence string, now, near time.Time) (tokens []token) {
	masked, found := []byte(strings.ToLower(sentence)), map[int]*part{}
	if len(masked) != len(sentence) { // letters whose small form has another length
		sentence = string(masked)
	}
	ends := map[int]int{}
	for _, r := range recognisers {
		for _, at := range r.pattern().FindAllSubmatchIndex(masked, -1) {
			m := make([]string, len(at)/2)
			for i := range m {
				if at[2*i] >= 0 {
					m[i] = string(masked[at[2*i]:at[2*i+1]])
				}
			}
			from := now
			if r.near {
				from = near
			}
			p, ok := r.read(m, from)
			negative := at[2] > 0 && masked[at[2]-1] == '-' && (at[2] == 1 || masked[at[2]-2] == ' ')
			if !ok || negative || r.near && placeWord().Match(masked[at[3]:]) {
				continue
			}
			if p.kind == quoted {
				p.title = strings.Trim(sentence[at[2]:at[3]], `"“”' `)
			}
			found[at[2]], ends[at[2]] = &p, at[3]
			for i := at[2]; i < at[3]; i++ {
				masked[i] = 0
			}
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

// withoutWeekdays drops the weekday that stands beside its date: "Tuesday 8 December".
func withoutWeekdays(tokens []token) (list []token) {
	for i, k := range tokens {
		if i+1 < len(tokens) && k.part != nil && k.part.kind == days && (len(k.part.weekdays) == 1 || len(k.part.weekdays) == 2) && !k.part.weekly {
			next := tokens[i+1].part
			if next == nil && (tokens[i+1].word == "the" || tokens[i+1].word == "on" || tokens[i+1].word == "of") && i+2 < len(tokens) {
				next = tokens[i+2].part
			}
			if next != nil && next.kind == days && len(next.weekdays) == 0 {
				continue
			}
		}
		list = append(list, k)
	}
	return list
}

// appendWord adds a word, or notes the pause that a comma is.
func appendWord(tokens []token, text string) []token {
	trimmed := strings.TrimFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.So, r) && r != '+' && r != '#' && r != '&'
	})
	pause := strings.HasPrefix(text, ",") || strings.HasPrefix(text, ":") || strings.HasPrefix(text, "(") || text == "-"
	if pause && len(tokens) > 0 {
		tokens[len(tokens)-1].comma = true
	}
	if trimmed == "" {
		return tokens
	}
	word := strings.ReplaceAll(strings.ToLower(trimmed), "'", "")
	return append(tokens, token{text: trimmed, word: word, comma: strings.HasSuffix(text, ":") || strings.HasSuffix(text, ")")})
}

// split parts a sentence where a pause or "and" is followed by what begins a clause.
func split(tokens []token) (list [][]token) {
	from := 0
	for i := 1; i < len(tokens); i++ {
		joined := i
		for joined < len(tokens) && (tokens[joined].word == "and" || tokens[joined].word == "then" || tokens[joined].word == "but" || tokens[joined].word == "so" || tokens[joined].word == "also") {
			joined++
		}
		if joined == i && !tokens[i-1].comma || joined >= len(tokens) {
			continue
		}
		next := tokens[joined].word
		if tokens[i].word == "but" || starters[next] || isVerb(next) {
			list = append(list, tokens[from:i])
			from = i
		}
		i = max(i, joined-1)
	}
	return append(list, tokens[from:])
}

// at returns where the first of some words stands, and -1 where none does.
func (c clause) at(wanted ...string) int {
	return slices.IndexFunc(c.tokens, func(t token) bool { return t.word != "" && slices.Contains(wanted, t.word) })
}

func (c clause) has(wanted ...string) bool { return c.at(wanted...) >= 0 }

// take returns the parts of a kind, which are understood then.
func (c clause) take(k kind) (parts []part) {
	for i := range c.tokens {
		if p := c.tokens[i].part; p != nil && p.kind == k {
			c.tokens[i].used = true
			parts = append(parts, *p)
		}
	}
	return parts
}

func (c clause) parts(k kind) (parts []part) {
	for _, t := range c.tokens {
		if t.part != nil && t.part.kind == k {
			parts = append(parts, *t.part)
		}
	}
	return parts
}

// before reports whether one of some words stands just before the first part of a kind.
func (c clause) before(k kind, wanted ...string) bool {
	for i, t := range c.tokens {
		if t.part != nil && t.part.kind == k {
			return i > 0 && slices.Contains(wanted, c.tokens[i-1].word)
		}
	}
	return false
}

// use says that some words have been understood.
func (c clause) use(wanted ...string) {
	for i := range c.tokens {
		if slices.Contains(wanted, c.tokens[i].word) {
			c.tokens[i].used = true
		}
	}
}

// useAll says that the whole clause has been understood.
func (c clause) useAll() {
	for i := range c.tokens {
		c.tokens[i].used = true
	}
}

// text returns tokens as they were typed.
func text(tokens []token) string {
	var list []string
	for _, t := range tokens {
		list = append(list, t.text)
	}
	return strings.Join(list, " ")
}

// rest returns what has not been understood, in the words of the message.
func (c clause) rest() string {
	first, last := -1, -1
	for i, t := range c.tokens {
		if !t.used && !fillers[t.word] && (t.part != nil || strings.ContainsFunc(t.word, unicode.IsLetter) || strings.ContainsFunc(t.word, unicode.IsDigit)) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return ""
	}
	return text(c.tokens[first : last+1])
}
