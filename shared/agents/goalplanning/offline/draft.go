package offline

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// leadIn is what people say before the goal itself.
var leadIn = goal.Pattern(`(?i)^\s*(?:(?:hi|hello|hey|please|thanks|no|ok|okay|so|well|instead|let'?s start over|start(?:ing)? over|from scratch|forget (?:it|the plan)|scrap (?:it|the plan|everything)|(?:a )?(?:new|another|different) plan|there)[,!:. ]+)*` +
	`(?:(?:can|could|would|will) you\s+(?:please\s+)?|please\s+|i(?:'d| would) like(?: you)? to\s+|i (?:really )?(?:want|need|plan|intend|have|hope) (?:you )?to\s+|(?:need|want) to\s+|i(?:'m| am) (?:going|planning|trying|hoping|wanting) to\s+|let'?s\s+|help me(?: to)?\s+|my goal is(?: to)?\s+|the goal is(?: to)?\s+|goal:\s*|i (?:want|need)\s+)*` +
	`(?:(?:help me\s+)?(?:make|create|draft|write|give|build|prepare|set up|draw up)(?: me)? (?:a |an |the |my )?(?:goal |project |study |training |work |weekly )?plan\s+(?:for|to|on|about)\s+|plan(?: for| to)?\s+)?(?:how to\s+)?(?:my goal (?:of|to)\s+)?`)

// goalLead is how people announce a goal anywhere in a clause. After doing, a goal follows
// only where it says what somebody does: "we're redoing our kitchen".
var (
	goalLead = goal.Pattern(`(?i)(?:^|[ ,])(?:(?:i|we)(?:'d| would| should)?(?: really)? (?:want|need|have|hope|plan|wish|like|love)(?: you)? to |i(?:'m| am) (?:planning|trying|hoping|wanting) to |` +
		`(?:my|the|our) goal (?:is(?: to)?|of) |goal[:,]? |help me(?: to)? |(?:i(?:'ve| have)(?: got)?) an? |` + doing + `)|^(?:(?:hi|hello|hey|please|so),? )*(?:(?:need|want|going) to |plan )`)
	goalDoing = goal.Pattern(`(?i)^[ ,]?` + doing + `$`)
)

const doing = `(?:i(?:'m| am)|we(?:'re| are)) `

var (
	// goalEnds begin what is no part of a goal any more.
	goalEnds = wordsOf("i im ive id we but not no dont cant must should can cannot only please maybe preferably ideally because since although while unless before after when once instead if whenever every each without starting start keep make though so")
	// beforeTime lead to a part that is said of a goal.
	beforeTime = wordsOf("in due by on within before until till for over at from during with under around about starting and to max maximum of up most than less no more only after")
	stated     = wordsOf("i im ive we were weve he she they my our his her its it that this there one")
	noGoal     = wordsOf("what why who whose when where which is are am was were do does did this that it the hello hi thanks yes no ok whats")
)

// newPlan drafts a plan from the first clause that is a goal, and keeps what the others
// say of time. Words that are of no command are named, and are no part of a title.
func (t *turn) newPlan(clauses []clause) {
	announced := slices.ContainsFunc(clauses, func(c clause) bool { return lead(c) > 0 })
	for i, c := range clauses {
		first := c.tokens[0].word
		when := c.parts(days)
		approves := goal.Approves(text(c.tokens))
		switch {
		case t.draft.Title == "" && !t.ofTimeAlone(c) && (i == 0 || lead(c) > 0 || !announced) && t.takeGoal(c):
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
		t.questions = append(t.questions, stands+" What is your goal? For example: \"Build a portfolio website within 20 hours\".")
	}
}

// onlyDay takes the one day that a first message names, and nothing else uses, for the day
// of the goal.
func (t *turn) onlyDay(clauses []clause) {
	for _, c := range clauses {
		for i, k := range c.tokens {
			if k.is(days) && !k.used && !k.part.weekly && k.part.first.Equal(k.part.last) && t.said.Deadline == "" && !c.negated() && !c.question() {
				t.said.Deadline, c.tokens[i].used = k.part.last.Format(time.DateOnly), true
				t.rest = slices.DeleteFunc(t.rest, func(rest string) bool { return rest == k.text })
			}
		}
	}
	t.s, _ = t.before.Hear(t.said)
}

// lead returns how many words of a clause come before a goal that people announce, 0 where
// they do not.
func lead(c clause) int {
	typed := text(c.tokens) + " "
	for _, at := range goalLead().FindAllStringIndex(typed, -1) {
		words, length := 0, 0
		for ; words < len(c.tokens) && length < at[1]; words++ {
			length += len(text(c.tokens[words:words+1])) + 1
			if c.tokens[words].pause {
				length++
			}
		}
		doing := goalDoing().MatchString(typed[at[0]:at[1]])
		if words < len(c.tokens) && (!doing || strings.HasSuffix(c.tokens[words].word, "ing")) {
			return words
		}
	}
	return 0
}

// ofTimeAlone reports whether a clause of a first message speaks of the user's time, or of
// a plan that is not there, and of no goal.
func (t *turn) ofTimeAlone(c clause) bool {
	first, announced := c.tokens[0].word, lead(c) > 0
	led := announced || leadIn().FindString(text(c.tokens)+" ") != ""
	cmd, _ := c.request()
	timed := len(c.parts(days))+len(c.parts(times))+len(c.parts(hours)) > 0
	switch {
	case c.any(pronouns) && !led, cmd != nil && !announced && (c.any(kinds) || c.has("it", "everything", "hours")):
		return true // of a plan that is not there
	case negatives[first], goalEnds[first] && !led, stated[first] && !announced, goal.Approves(text(c.tokens)):
		return true
	}
	return timed && (c.any(meetings) || c.negated() || !slices.ContainsFunc(c.tokens, func(k token) bool { return k.part == nil && !fillers[k.word] }))
}

// takeGoal drafts a plan for the goal of a clause, and hears what the clause says of time
// beside it. It reports whether there is a goal.
func (t *turn) takeGoal(c clause) bool {
	skip := min(len(c.tokens), max(len(strings.Fields(leadIn().FindString(text(c.tokens)+" "))), lead(c)))
	tokens := c.tokens[skip:]
	end := slices.IndexFunc(tokens, func(k token) bool { return k.part != nil && !k.is(quoted) })
	if end < 0 {
		end = len(tokens)
	}
	for i := 1; i < end; i++ {
		if goalEnds[tokens[i].word] || tokens[i-1].pause || tokens[i].word == "with" && (clause{tokens: tokens[i:]}).any(kinds) {
			end = i
		}
	}
	named := end
	for named > 0 && end < len(tokens) && tokens[end].part != nil && beforeTime[tokens[named-1].word] {
		named--
	}
	title := strings.Trim(text(tokens[:named]), " ,.!")
	if len(tokens) == 0 || noGoal[tokens[0].word] || c.asks && skip == 0 || !tells(tokens[:named]) {
		return false
	}
	clause{tokens: c.tokens[:skip+end]}.use()
	title = clip(title, 120)
	t.draft = goal.Draft{Title: capital(title), Milestones: milestonesFor(title)}
	t.hearBeside(clause{tokens[named:], c.asks})
	return true
}

// tells reports whether tokens say anything by themselves.
func tells(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(k token) bool {
		return k.part != nil || !fillers[k.word] && strings.ContainsFunc(k.word, unicode.IsLetter) && utf8.RuneCountInString(k.word) > 1
	})
}

// hearBeside hears what stands beside a goal: a day to begin on or to have it done by,
// hours, and days off.
func (t *turn) hearBeside(c clause) {
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
		case slices.Contains([]string{"from", "starting", "after", "start", "beginning"}, before):
			c.tokens[i].used = true
			t.window = window{first: k.part.first}
		default:
			c.tokens[i].used = true
			of := clause{tokens: c.tokens[max(0, i-1) : i+1]}
			span := !k.part.first.Equal(k.part.last) && k.part.last.Sub(k.part.first) < 8*24*time.Hour
			if span && before != "by" && before != "until" && before != "before" && k.part.first.After(t.tomorrow()) {
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

// builds are goals that end in something built; what it matches first is not what the goal
// is about.
var builds = goal.Pattern(`(?i)^(?:(?:build|create|make|develop|design|launch|open|set up|start|code|program)\s+|` +
	`(?:(?:an?|the|my|our)\s+)?(?:[\w-]+\s+){0,2}?(?:web ?site|app|application|site|blog|portfolio|shop|store|game|tool|api|dashboard|prototype|product)\b)`)

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
	article = goal.Pattern(`(?i)^an? `)
)

// milestonesFor words the milestones of a kind of goal from the message.
func milestonesFor(topic string) (list []goal.Milestone) {
	about, way := topic, anything
	if found := builds().FindString(topic); found != "" {
		way = building
		if strings.HasSuffix(found, " ") {
			about = topic[len(found):]
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
