package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

var (
	// goalEnds begin what is no part of a goal any more.
	goalEnds = wordsOf(
		`i im ive id we but not no dont cant must should can cannot only please maybe preferably ideally
		because since although while unless before after when once instead if whenever every each without
		starting start keep make though so`,
	)
	// beforeTime lead to a part that is said of a goal.
	beforeTime = wordsOf(
		`deadline tops in due by on within before until till for over at from during with under around about
		starting and to max maximum of up most than less no more only after`,
	)
	goalTails = wordsOf("which that who is are and")
	stated    = wordsOf("i im ive we were weve he she they my our his her its it that this there one")
	noGoal    = wordsOf(
		`what why who whose when where which is are am was were do does did this that it the hello hi thanks
		yes no ok whats`,
	)
)

// newPlan drafts a plan from the first clause that is a goal, and keeps what the others
// say of time. Words that are of no command are named, and are no part of a title.
func (t *turn) newPlan(clauses []clause) {
	announced := slices.ContainsFunc(
		clauses,
		func(c clause) bool { return lead(c) > 0 && lead(c) < len(c.tokens) },
	)
	for i, c := range clauses {
		first := c.tokens[0].word
		when := c.parts(days)
		approves := goal.Approves(text(c.tokens))
		switch {
		case t.draft.Title == "" && !t.ofTimeAlone(c) &&
			(i == 0 && !(announced && len(c.tokens) == 1) || lead(c) > 0 || !announced) && t.takeGoal(c):
		case approves:
			c.use()
		case len(when) > 0 && (first == "start" || first == "begin" || first == "starting"):
			t.window = window{first: when[0].first}
			c.use()
		case !c.question() && !c.conditional():
			t.do(c)
		}
		switch rest := c.rest(); {
		case rest == "" || approves:
		case c.wishes():
			t.rest = append(t.rest, rest)
		default:
			t.unused = append(t.unused, rest)
		}
	}
	t.onlyDay(clauses)
	if t.draft.Title != "" {
		return
	}
	t.rest, t.unused = nil, nil
	stands := "There is no plan yet."
	if t.before.Preview != nil {
		stands = "The plan stands until there is another."
	}
	if len(t.questions) == 0 {
		t.questions = append(
			t.questions,
			stands+" What is your goal? For example: \"Build a portfolio website within 20 hours\".",
		)
	}
}

// onlyDay takes the one day that a first message names, and nothing else uses, for the day
// of the goal.
func (t *turn) onlyDay(clauses []clause) {
	for _, c := range clauses {
		for i, k := range c.tokens {
			if k.is(days) && !k.used && !k.part.weekly && k.part.first.Equal(k.part.last) &&
				t.said.Deadline == "" &&
				!c.negated() &&
				!c.question() {
				t.said.Deadline, c.tokens[i].used = k.part.last.Format(time.DateOnly), true
				t.rest = slices.DeleteFunc(
					t.rest,
					func(rest string) bool { return strings.Contains(rest, k.text) },
				)
			}
		}
	}
	t.s, _ = t.before.Hear(t.said)
}

var (
	leadVerbs = wordsOf(
		`want wants need needs hope plan wish like love decided going trying aim intend have has wanting
		planning hoping ought got supposed`,
	)
	// anewWords say that another plan is wanted, before it.
	anewWords = polite.with(
		wordsOf(
			`start starting over from scratch new another different plan forget scrap instead it the a
				everything
		thanks there`,
		),
	)
)

// lead returns how many words of a clause come before a goal that people announce, 0 where
// they do not: "I'd like to", "we're", "help me", "my goal is", "plan for".
func lead(c clause) int {
	word := func(i int) string {
		if i < 0 || i >= len(c.tokens) {
			return ""
		}
		return c.tokens[i].word
	}
	skip := func(i int, of string) int {
		for slices.Contains(strings.Fields(of), word(i)) {
			i++
		}
		return i
	}
	article := func(i int) bool { return word(i) == "a" || word(i) == "an" }
	for i := range c.tokens {
		if word(i) == "plan" && (word(i+1) == "to" || word(i+1) == "for" || i == 0 && !article(i+1)) {
			return skip(i, "plan to for")
		}
	}
	for i, k := range c.tokens {
		switch next := word(i + 1); {
		case k.part != nil || k.word == "but":
			return 0
		case leadVerbs[k.word] && next == "to":
			return i + 2
		case leadVerbs[k.word] && word(i+2) == "to" && (next == "you" || next == "me" || next == "us"):
			return i + 3
		case k.word == "goal":
			return skip(i, "goal is to of")
		case k.word == "help" && next == "me":
			return skip(i+2, "to")
		case k.word == "must" || k.word == "should" || k.word == "let" || k.word == "lets":
			return skip(i+1, "to")
		case (k.word == "im" || k.word == "were" || k.word == "am") && strings.HasSuffix(next, "ing") &&
			!leadVerbs[next]:
			return i + 1
		case (k.word == "have" || k.word == "got" || k.word == "ive") && article(i+1):
			return i + 2
		case (k.word == "want" || k.word == "need") && i <= 2:
			return i + 1
		}
	}
	return 0
}

// leadIn returns how many words of a clause are said before a goal.
func leadIn(c clause) int {
	n := lead(c)
	for i, k := range c.tokens {
		if !anewWords[k.word] {
			break
		}
		if k.pause || i+1 == len(c.tokens) ||
			polite[k.word] && k.word != "go" && k.word != "get" && k.word != "call" {
			n = max(n, i+1)
		}
	}
	return n
}

// ofTimeAlone reports whether a clause of a first message speaks of the user's time, or of
// a plan that is not there, and of no goal.
func (t *turn) ofTimeAlone(c clause) bool {
	first, announced := c.tokens[0].word, lead(c) > 0
	led := leadIn(c) > 0
	cmd, _ := c.request()
	timed := len(c.parts(days))+len(c.parts(times))+len(c.parts(hours)) > 0
	switch {
	case c.any(pronouns) && !led,
		cmd != nil && !announced && (c.any(kinds) || c.has("it", "everything", "hours")):
		return true // of a plan that is not there
	case !led && (first == "dear" || first == "hi" || first == "hello" || first == "hey") &&
		len(c.tokens) <= 3:
		return true // a greeting
	case negatives[first],
		goalEnds[first] && !led,
		stated[first] && !announced,
		goal.Approves(text(c.tokens)):
		return true
	}
	meets := c.any(meetings) && !announced && (len(c.clocks()) > 0 || stated[first])
	return timed &&
		(meets || c.negated() ||
			!slices.ContainsFunc(c.tokens, func(k token) bool { return k.part == nil && !fillers[k.word] }))
}

// takeGoal drafts a plan for the goal of a clause, and hears what the clause says of time
// beside it. It reports whether there is a goal.
func (t *turn) takeGoal(c clause) bool {
	skip := min(len(c.tokens), leadIn(c))
	tokens := c.tokens[skip:]
	end := 0
	for end < len(tokens) && (tokens[end].part == nil || tokens[end].is(quoted) || inNoun(tokens, end)) {
		end++
	}
	for i := 1; i < end; i++ {
		if goalEnds[tokens[i].word] || tokens[i-1].pause ||
			tokens[i].word == "with" && (clause{tokens: tokens[i:]}).any(kinds) {
			end = i
		}
	}
	named := end
	for named > 0 && end < len(tokens) && tokens[end].part != nil && beforeTime[tokens[named-1].word] {
		named--
	}
	for named > 0 && goalTails[tokens[named-1].word] {
		named-- // "which is", before a date
	}
	title := strings.Trim(text(tokens[:named]), " ,.!")
	if len(tokens) == 0 || noGoal[tokens[0].word] || c.asks && skip == 0 || !tells(tokens[:named]) ||
		pronouns[tokens[max(0, named-1)].word] {
		return false
	}
	clause{tokens: c.tokens[:skip+end]}.use()
	title = clip(title, 120)
	t.draft = goal.Draft{Title: capital(title), Milestones: milestonesFor(title)}
	of := clause{tokens: tokens[max(0, named-5):named]}
	t.hearRest(clause{tokens: tokens[named:], asks: c.asks}, of.has("for", "before"))
	return true
}

// inNoun reports whether a part belongs to the noun behind it: "summer fair", "Friday club".
func inNoun(tokens []token, i int) bool {
	if i == 0 || i+1 >= len(tokens) || tokens[i].pause || tokens[i].is(hours) || tokens[i].is(shift) {
		return false
	}
	before, next := tokens[i-1], tokens[i+1]
	return !beforeTime[before.word] && next.part == nil && !fillers[next.word] && !beforeTime[next.word] &&
		!goalEnds[next.word] &&
		!strings.Contains(tokens[i].text, " ")
}

// tells reports whether tokens say anything by themselves.
func tells(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(k token) bool {
		return k.part != nil ||
			!fillers[k.word] && strings.ContainsFunc(k.word, unicode.IsLetter) &&
				utf8.RuneCountInString(k.word) > 1
	})
}

// hearRest hears what stands beside a goal: a day to begin on or to have it done by,
// hours, and days off. What begins then may be what the goal is for: "for a new job
// starting in March".
func (t *turn) hearRest(c clause, forSomething bool) {
	when := c.parts(days)
	switch {
	case len(c.tokens) == 0:
		return
	case c.negated() || c.has("only") || weekly(when):
		t.do(c)
		return
	}
	for i, k := range c.tokens {
		before := ""
		if i > 0 {
			before = c.tokens[i-1].word
		}
		switch {
		case k.is(hours):
			c.tokens[i].used = true
			t.limit(clause{tokens: c.tokens[i : i+1]}, *k.part)
		case !k.is(days):
		case !forSomething &&
			slices.Contains([]string{"from", "starting", "after", "start", "beginning"}, before):
			c.tokens[i].used = true
			t.window = window{first: k.part.first}
		default:
			for j := range i + 1 {
				c.tokens[j].used = c.tokens[j].used || j == i ||
					c.tokens[j].part == nil // "before our trip on 10 April"
			}
			of := clause{tokens: c.tokens[max(0, i-1) : i+1]}
			span := !k.part.first.Equal(k.part.last) && k.part.last.Sub(k.part.first) < 8*24*time.Hour
			if span && before != "by" && before != "until" && before != "before" &&
				k.part.first.After(t.tomorrow()) {
				t.window.first = k.part.first
			}
			t.said.Deadline = t.endOf(of, *k.part).Format(time.DateOnly)
		}
	}
	for i, k := range c.tokens {
		c.tokens[i].used = k.used || beforeTime[k.word]
	}
	t.s, _ = t.before.Hear(t.said)
}

// builds are goals that end in something that is published; what it matches first is not
// what the goal is about.
var builds = goal.Pattern(
	`(?i)^(?:(?:build|create|make|develop|design|launch|open|set up|start|code|program)\s.*\b|(?:an?|the|my|our)\s(?:[\w-]+\s){0,2})?` +
		`(?:web ?site|app|site|blog|portfolio|shop|store|game|tool|api|dashboard|prototype|product|podcast)s?\b`,
)

// What is built and other goals are gone about in these milestones of two tasks; %s is what
// the goal is about, up to its first comma.
var (
	building = [][3]string{
		{"Design %s", "Write down what %s must do", "Sketch %s"},
		{"Build %s", "Build the first version of %s", "Fill in what %s still lacks"},
		{"Launch %s", "Try %s with someone else", "Publish %s"},
	}
	anything = [][3]string{
		{"Prepare: %s", "Find out what it takes", "Gather what is needed"},
		{"Do: %s", "The first half", "The second half"},
		{"Review: %s", "Check the result", "Fix what is open"},
	}
	article   = goal.Pattern(`(?i)^an? `)
	goalVerbs = wordsOf("build create make develop design launch open up start code program")
)

// milestonesFor words the milestones of a kind of goal from the message.
func milestonesFor(topic string) (list []goal.Milestone) {
	about, way := topic, anything
	if builds().MatchString(topic) {
		way = building
		if verb, rest, _ := strings.Cut(strings.TrimPrefix(topic, "set "),
			" "); goalVerbs[strings.ToLower(verb)] {
			about = rest
		}
	}
	about, _, _ = strings.Cut(article().ReplaceAllString(about, "the "), ",")
	for _, m := range way {
		words := func(i int) string { return strings.ReplaceAll(m[i], "%s", about) }
		list = append(list, milestone(words(0), words(1), words(2)))
	}
	return list
}

func milestone(name string, tasks ...string) goal.Milestone {
	m := goal.Milestone{Title: name}
	for _, task := range tasks {
		m.Tasks = append(m.Tasks, goal.Task{Title: task, EstimatedHours: taskHours})
	}
	return m
}
