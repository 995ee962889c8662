package offline

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// command is one thing that is done here.
type command struct {
	name  string
	help  string   // how it is said
	verbs []string // that call it
	run   func(t *turn, c clause, verb int) (question string)
}

// commands are all that is done to a plan, beside what is said of time. The first verb
// of a clause calls one.
var commands []command

func init() {
	commands = []command{
		{"add", `add a task or milestone ("add a testing milestone next week")`, strings.Fields("add include insert create another extra throw squeeze put stick pop forgot forgotten missed"), (*turn).add},
		{"remove", `remove one ("remove the launch party")`, strings.Fields("remove delete drop scrap skip cancel cut rid lose"), (*turn).remove},
		{"rename", `rename one or the goal ("rename Launch to Go live")`, strings.Fields("rename retitle call name change"), (*turn).rename},
		{"move", `move one or all ("move the launch to Friday")`, strings.Fields("move shift push postpone delay reschedule bring pull start begin schedule moved come comes goes happen"), (*turn).move},
		{"split", `split one ("split the sketch into two")`, strings.Fields("split divide break"), (*turn).split},
		{"swap", `swap two ("swap Design and Build")`, strings.Fields("swap switch exchange trade"), (*turn).swap},
		{"hours", `set hours ("make the sketch 3 hours", "I have 20 hours")`, strings.Fields("make set give reduce shorten extend double halve increase raise lower limit cap trim spend takes take allow say"), (*turn).hours},
		{"undo", `undo the last change ("undo that")`, strings.Fields("undo revert restore back"), (*turn).undoLast},
		{"show", `show the plan ("show me the plan")`, strings.Fields("show list display see print tell remind summarize summarise"), (*turn).show},
		{"left", `say what is left ("what is left?")`, strings.Fields("left remain remains remaining"), (*turn).left},
	}
}

// others are what a message does besides, in the same list of what is understood.
var others = []string{
	`keep meetings clear ("my team meets on Tuesdays 10 to 11")`, `keep days off ("not on Mondays")`,
	`keep a deadline ("done by March")`, `make it final ("looks good, save it")`,
}

func isVerb(word string) bool {
	return slices.ContainsFunc(commands, func(c command) bool { return slices.Contains(c.verbs, word) })
}

// called returns the command of that name.
func called(name string) *command {
	return &commands[slices.IndexFunc(commands, func(c command) bool { return c.name == name })]
}

// polite are the words that may stand before the verb of a request. After any other word
// the verb belongs to a story: "they put drops in".
var polite = words(`please can could would will you youve we i id ill ive im like love want need to lets let us me also and then now just actually so maybe oh ok okay yes yeah
	no nope but wait right hmm well sorry hey hi too be kind as enough mind possible may should shall must have has got get go ahead think perhaps kindly not dont straight there if`)

// command returns the command that a clause asks for, and where its verb stands.
func (c clause) command() (found *command, at int) {
	for i, t := range c.tokens {
		if t.part != nil && t.part.kind == quoted {
			return nil, -1
		}
		for j := range commands {
			if t.word == "break" && !c.has("into", "up", "down") {
				continue
			}
			if t.word == "" || !slices.Contains(commands[j].verbs, t.word) {
				continue
			}
			switch {
			case c.has("back") && slices.Contains([]string{"put", "take", "go", "bring", "change"}, t.word) && !c.has("by") && len(c.parts(days))+len(c.parts(shift)) == 0:
				return called("undo"), i
			case t.word == "take" && c.has("out", "off", "away") && len(c.parts(amount)) == 0:
				return called("remove"), i
			}
			return &commands[j], i
		}
	}
	return nil, -1
}

// request is command where the clause asks for it, and tells no story.
func (c clause) request() (found *command, at int) {
	found, at = c.command()
	if found == nil || slices.ContainsFunc(c.tokens[:at], func(t token) bool { return t.part == nil && !polite[t.word] }) {
		return nil, -1
	}
	return found, at
}

// turn is what a message comes to.
type turn struct {
	before goal.Situation
	s      goal.Situation    // with what was said of time
	draft  goal.Draft        // with what was changed
	window window            // when what has no day may be placed
	wanted map[string]window // when some tasks are to be placed, by their titles

	said      goal.Context         // of time
	notBefore map[string]time.Time // by the titles of tasks that were moved by some days
	moved     map[string]bool      // the titles of tasks that were moved by themselves
	pinned    []*goal.Task         // whose hours were said
	undo      bool
	heard     bool // something was understood
	answers   []string
	questions []string
	rest      []string // what was not understood
	unused    []string // what a first message tells beside the goal
	mentioned clause   // the story that was told last
	last      string   // what the user said before
	added     string   // the title of the task that was added last
	lastDays  []part   // that the message named last
	workdays  [7]bool  // that the user works on
	only      bool     // and on no others
}

// follow does what the clauses ask for, and returns what to ask where one cannot be done.
func (t *turn) follow(clauses []clause) (question string) {
	var aside []string
	for _, c := range clauses {
		if goal.Approves(text(c.tokens)) && !c.asks {
			continue // the reply says how to make it final
		}
		if question := t.one(c); question != "" {
			return question
		}
		rest := c.rest()
		if called, _ := c.request(); called != nil && rest == "" {
			t.heard = true
		}
		switch story := c.story(); {
		case story && (!c.question() || t.mentioned.tokens == nil):
			t.mentioned = c
		case rest != "" && c.has("should", "must", "has", "have", "needs", "need") && len(c.parts(days)) == 0:
			t.mentioned = c
			aside = append(aside, rest)
		case rest != "" && c.wishes():
			t.rest = append(t.rest, rest)
		case rest != "":
			aside = append(aside, rest)
		}
	}
	if !t.understood() {
		t.rest = append(t.rest, aside...)
	}
	return ""
}

// understood reports whether something of the message was done, kept or answered.
func (t *turn) understood() bool {
	return t.heard || t.undo || len(t.answers) > 0 || len(t.said.Object()) > 0 || !reflect.DeepEqual(t.draft, *t.before.Preview)
}

// wishes reports whether a clause that was not understood asks for something.
func (c clause) wishes() bool {
	called, _ := c.request()
	return called != nil || c.has(wanting...) || c.at("dont", "not", "no") == 0 ||
		slices.ContainsFunc(c.tokens, token.open)
}

// open reports whether a token is a day, a time or hours that nothing has used.
func (k token) open() bool { return k.part != nil && !k.used && !k.part.vague }

var wanting = strings.Fields("want need should must please instead rather prefer make use")

// story reports whether a clause tells something that no plan needs: it begins with
// whoever does it, and has no wish, day or hours in it.
func (c clause) story() bool {
	if c.has(wanting...) {
		return false
	}
	if slices.ContainsFunc(c.tokens, token.open) {
		return false
	}
	for _, k := range c.tokens {
		if subjects[k.word] {
			return true
		} else if !fillers[k.word] {
			return false
		}
	}
	return true
}

var subjects = words(`thanks thank i im ive id ill we were weve my our he shes she hes it its they theyre theyve there theres that thats this the one everyone everything nobody somebody you youre lol wow how oh what anyway how`)

// conditional reports whether a clause may or may not ask for something.
func (c clause) conditional() bool {
	or := c.at("or")
	list := or > 0 && or+1 < len(c.tokens) && c.tokens[or+1].part != nil // "weekends or Mondays"
	at := c.at("if", "unless", "otherwise", "whether", "except")
	if at == 0 && len(c.tokens) > 2 && (c.tokens[1].word == "not" || c.tokens[1].word == "so") {
		at = -1 // "if not, add it" answers a question of the same message
	}
	if at >= 0 && at+1 < len(c.tokens) && slices.Contains([]string{"its", "thats", "you", "youd", "possible", "i"}, c.tokens[at+1].word) || at >= 0 && c.has("isnt") {
		at = -1 // "if it isn't too much trouble"
	}
	if _, verb := c.request(); verb >= 0 && at > verb && slices.ContainsFunc(c.tokens[at:], func(t token) bool { return t.word == "youve" || t.word == "possible" || t.word == "thats" }) {
		at = -1 // "if that's possible"
	}
	return at >= 0 || or >= 0 && !list && !c.has("anything", "similar")
}

// one does what one clause asks for.
func (t *turn) one(c clause) (question string) {
	asked := c.question()
	called, verb := c.request()
	switch {
	case asked:
		return t.asked(c)
	case c.conditional() && (called != nil || len(c.parts(days))+len(c.parts(amount)) > 0 || !c.story()):
		return "" // named as what was not understood
	case called != nil && called.name == "undo":
		return t.undoLast(c, verb)
	case called != nil && (called.name == "show" || called.name == "left") && t.before.Preview != nil:
		return t.asked(c)
	case c.has("limit", "unlimited", "cap") && (c.negated() || c.has("lift", "remove", "drop", "forget", "unlimited")) && len(c.parts(amount)) == 0:
		t.said.Total, t.said.Unlimited = nil, true
		t.s, _ = t.before.Hear(t.said)
		c.useAll()
		return ""
	case t.rescheduled(c):
		return ""
	case t.added != "" && called == nil && len(c.words()) == 0 && len(c.parts(amount)) > 0:
		return t.addedDetail(c)
	case t.before.Preview != nil && called == nil && wantsThing(c):
		return t.add(c, c.at("want", "need", "needs"))
	case t.hearTime(c, called):
		return ""
	case t.before.Preview == nil:
		return "" // named as what was not understood
	case called != nil:
		return called.run(t, c, verb)
	case t.placedBeside(c):
		return ""
	case len(c.parts(amount)) > 0:
		return t.hoursOf(c)
	case c.has("need", "want", "should", "needs") && c.has("milestone", "phase", "stage", "task", "step"):
		return t.add(c, c.at("need", "want", "should", "needs"))
	case c.tokens[0].word != "" && slices.Contains([]string{"and", "also", "plus", "then"}, c.tokens[0].word) && len(c.tokens) > 2 && slices.Contains([]string{"a", "an", "another", "one"}, c.tokens[1].word):
		return t.add(c, 0) // to what the message before added
	}
	return ""
}

// wantsThing reports whether a clause wants something new: "I want a trial run on Friday".
func wantsThing(c clause) bool {
	at := c.at("want", "need", "needs")
	return at >= 0 && at+1 < len(c.tokens) && slices.Contains([]string{"a", "an", "another"}, c.tokens[at+1].word) && !c.has("more", "day", "break") && !c.negated()
}

// addedDetail takes hours and a day of what the message added just before.
func (t *turn) addedDetail(c clause) string {
	if when := c.parts(days); len(when) > 0 {
		for i := range t.draft.Milestones {
			for j := range t.draft.Milestones[i].Tasks {
				if task := &t.draft.Milestones[i].Tasks[j]; task.Title == t.added {
					t.wanted[t.added], t.moved[t.added], task.Date = window{when[0].first, when[0].last}, true, ""
				}
			}
		}
	}
	return t.hoursOf(c)
}

// hoursOf takes an amount that stands by itself: of what was just added, of what is named,
// or of the whole plan.
func (t *turn) hoursOf(c clause) string {
	if added, found := t.thing(t.added); found && !c.has("total", "plan", "all", "within", "keep", "altogether") {
		p := c.take(amount)[0]
		c.useAll()
		return t.setHours(added, p, false, false)
	}
	if c.has("too") {
		c.useAll() // what somebody thinks of it
		return ""
	}
	strange := func(k token) bool { return !hourless[k.word] && !isVerb(k.word) }
	if _, found := t.thing(t.nameIn(c.words())); !found && slices.ContainsFunc(c.words(), strange) && !c.has("each", "every") {
		return "" // named as what was not understood
	}
	return t.hours(c, 0)
}

// question reports whether a clause asks to know something, and for no change.
func (c clause) question() bool {
	first := 0
	for first < len(c.tokens)-1 && slices.Contains([]string{"and", "so", "but", "ok", "okay", "hmm", "anyway", "oh", "also", "now", "wait", "remind", "me", "tell", "right", "nice", "cool"}, c.tokens[first].word) {
		first++
	}
	called, _ := c.request()
	asks := called != nil && called.name != "show" && called.name != "left"
	aux := first+1 < len(c.tokens) && auxiliaries[c.tokens[first].word] && subjects[c.tokens[first+1].word] &&
		(c.tokens[first].word != "do" || slices.Contains([]string{"i", "we", "you", "they"}, c.tokens[first+1].word))
	return questions[c.tokens[first].word] || !asks && (c.asks || aux)
}

var questions = words(`what whats when whens where wheres which who whos why how hows whose`)

var auxiliaries = words(`is are am was were do does did has isnt arent doesnt dont shouldnt wouldnt may will would should can could`)

// asked answers a question with what is known: a day's tasks, when a thing is, the plan,
// or what is left.
func (t *turn) asked(c clause) string {
	c.useAll()
	if t.before.Preview == nil {
		return ""
	}
	switch {
	case t.onDays(c), t.whenIs(c):
		return ""
	case c.has("show", "list", "plan", "display", "see", "schedule", "summary", "milestones", "tasks", "everything", "print", "summarize", "summarise") && !c.has("left", "many", "much", "long"):
		return t.show(c, 0)
	}
	return t.left(c, 0)
}

// onDays answers what there is on the days of a question.
func (t *turn) onDays(c clause) bool {
	when := c.parts(days)
	if len(when) == 0 || when[0].last.Sub(when[0].first) > 14*24*time.Hour || c.has("before", "by", "until", "till", "after", "sensible", "better") {
		return false
	}
	first, last := when[0].first.Format(time.DateOnly), when[0].last.Format(time.DateOnly)
	var found []string
	for _, task := range t.before.Preview.Tasks() {
		if day := task.Date[:10]; day >= first && day <= last {
			found = append(found, fmt.Sprintf("%q on %s (%s h)", task.Title, day, goal.Number(task.EstimatedHours)))
		}
	}
	t.answers = append(t.answers, fmt.Sprintf("From %s to %s there is: %s.", first, last, cmp.Or(strings.Join(found, ", "), "nothing of the plan")))
	return true
}

// whenIs answers when a task or a meeting is that a question names.
func (t *turn) whenIs(c clause) bool {
	if !c.has("when", "whens", "date", "day", "time") {
		return false
	}
	if i := t.meeting(c); i >= 0 {
		b := t.s.Upcoming[i]
		t.answers = append(t.answers, fmt.Sprintf("%s is on %s, for %s hours.", b.Title, strings.Replace(b.Date[:min(16, len(b.Date))], "T", " at ", 1), goal.Number(b.EstimatedHours)))
		return true
	}
	thing, found := t.thing(t.nameIn(c.tokens))
	if !found {
		return false
	}
	for _, task := range t.tasksOf([]goal.Thing{thing}) {
		t.answers = append(t.answers, fmt.Sprintf("%q is on %s.", task.Title, task.Date[:10]))
	}
	return len(t.answers) > 0
}

// meeting returns which of the calendar a clause names, -1 where none.
func (t *turn) meeting(c clause) int {
	return slices.IndexFunc(t.s.Upcoming, func(b goal.Busy) bool {
		return slices.ContainsFunc(c.tokens, func(k token) bool {
			return k.part == nil && len(k.word) > 3 && !fillers[k.word] && !slices.Contains(meetings, k.word) && goal.Names(k.text, b.Title)
		})
	})
}

// rescheduled moves something of the calendar to the day that a clause names.
func (t *turn) rescheduled(c clause) bool {
	i := t.meeting(c)
	if i < 0 || !c.has(called("move").verbs...) {
		return false
	}
	was := t.s.Upcoming[i]
	at, err := time.Parse(time.RFC3339, was.Date)
	if err != nil {
		return false
	}
	at = at.In(t.s.Now.Location())
	to := at
	if when := c.parts(days); len(when) > 0 {
		day := when[len(when)-1].first
		to = time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, at.Location())
	} else if by := c.parts(shift); len(by) > 0 {
		to = at.AddDate(0, 0, by[0].shift)
	}
	if hours := c.parts(clock); len(hours) > 0 {
		start := minutes(hours[0].from)
		to = time.Date(to.Year(), to.Month(), to.Day(), start/60, start%60, 0, 0, at.Location())
	}
	if to.Equal(at) {
		return false
	}
	t.said.Available = append(t.said.Available, goal.Blocked{Date: at.Format(time.DateOnly), From: at.Format("15:04")})
	t.said.Upcoming = append(t.said.Upcoming, goal.Busy{Title: was.Title, Date: to.Format(time.RFC3339), EstimatedHours: was.EstimatedHours})
	t.s, _ = t.before.Hear(t.said)
	c.useAll()
	return true
}

// placedBeside moves a thing that must come before or after another: "A has to happen before B".
func (t *turn) placedBeside(c clause) bool {
	at := c.at("before", "after")
	if at <= 0 || !c.has("should", "must", "has", "have", "needs", "need", "comes", "goes") {
		return false
	}
	thing, found := t.thing(t.nameIn(c.tokens[:at]))
	if _, other := t.thing(t.nameIn(c.tokens[at+1:])); !found || !other {
		return false
	}
	return t.moveBeside(c, []goal.Thing{thing}) == ""
}

func (t *turn) show(c clause, _ int) string {
	d := t.before.Preview
	c.useAll()
	t.answers = append(t.answers, fmt.Sprintf("%q takes %s hours:\n%s", d.Title, goal.Number(d.Hours()), d.Outline()))
	return ""
}

func (t *turn) left(c clause, _ int) string {
	c.useAll()
	pending := t.before.Pending(*t.before.Preview)
	if len(pending) == 0 {
		t.answers = append(t.answers, "Nothing is left to do.")
		return ""
	}
	first, last := pending[0], pending[0]
	for _, task := range pending {
		if task.Date < first.Date {
			first = task
		}
		if task.Date > last.Date {
			last = task
		}
	}
	said := fmt.Sprintf("%s of %s hours are left; the next is %q on %s, the last is on %s.", goal.Count(len(pending), "task"),
		goal.Number(pending.Hours()), first.Title, first.Date[:10], last.Date[:10])
	if limit, limited := t.before.Limit(*t.before.Preview); limited {
		said += fmt.Sprintf(" You have %s hours.", goal.Number(limit))
	}
	t.answers = append(t.answers, said)
	return ""
}

func (t *turn) undoLast(c clause, _ int) string {
	c.useAll()
	t.undo = true
	return ""
}

// notUnderstood names what was not understood, with the two of the list that are nearest.
func notUnderstood(rest []string, message string) string {
	const most = 12
	cut := strings.Fields(strings.Join(rest, "; "))
	if len(cut) > most {
		cut = append(cut[:most], "…")
	}
	near := nearest(message)
	return fmt.Sprintf("I did not understand: %q. I can %s, or %s.", strings.Join(cut, " "), near[0], near[1])
}

// nearest returns the two things of the list whose words a message shares most with.
func nearest(message string) []string {
	type scored struct {
		help  string
		score int
	}
	var all []scored
	said := strings.Fields(strings.ToLower(message))
	score := func(words []string) (n int) {
		for _, word := range said {
			if slices.ContainsFunc(words, func(w string) bool {
				return len(word) > 2 && (strings.HasPrefix(word, w) || strings.HasPrefix(w, word))
			}) {
				n++
			}
		}
		return n
	}
	for _, c := range commands {
		all = append(all, scored{c.help, 2*score(c.verbs) + score(strings.Fields(c.help))})
	}
	for _, help := range others {
		all = append(all, scored{help, score(strings.Fields(help))})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return []string{all[0].help, all[1].help}
}
