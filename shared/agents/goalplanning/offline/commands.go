package offline

import (
	"cmp"
	"fmt"
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
		{"add", `add a task or milestone ("add a testing milestone next week")`, strings.Fields("add include insert create another extra throw squeeze"), (*turn).add},
		{"remove", `remove one ("remove the launch party")`, strings.Fields("remove delete drop scrap skip cancel cut rid lose"), (*turn).remove},
		{"rename", `rename one or the goal ("rename Launch to Go live")`, strings.Fields("rename retitle call name change"), (*turn).rename},
		{"move", `move one or all ("move the launch to Friday")`, strings.Fields("move shift push postpone delay reschedule bring pull start begin schedule put"), (*turn).move},
		{"split", `split one ("split the sketch into two")`, strings.Fields("split divide break"), (*turn).split},
		{"swap", `swap two ("swap Design and Build")`, strings.Fields("swap switch exchange trade"), (*turn).swap},
		{"hours", `set hours ("make the sketch 3 hours", "I have 20 hours")`, strings.Fields("make set give reduce shorten extend double halve increase raise lower limit cap trim spend takes take allow"), (*turn).hours},
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

// command returns the command that the first verb of a clause calls, and where it stands.
func (c clause) command() (found *command, at int) {
	for i, t := range c.tokens {
		for j := range commands {
			if t.word == "break" && !c.has("into", "up", "down") {
				continue
			}
			if t.word != "" && slices.Contains(commands[j].verbs, t.word) {
				return &commands[j], i
			}
		}
	}
	return nil, -1
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
}

// follow does what the clauses ask for, and returns what to ask where one cannot be done.
func (t *turn) follow(clauses []clause) (question string) {
	for _, c := range clauses {
		if goal.Approves(text(c.tokens)) && len(clauses) > 1 {
			continue // the reply says how to make it final
		}
		if c.conditional() {
			t.rest = append(t.rest, text(c.tokens))
			continue
		}
		if question := t.one(c); question != "" {
			return question
		}
		if rest := c.rest(); rest != "" {
			t.rest = append(t.rest, rest)
		} else if called, _ := c.command(); called != nil {
			t.heard = true
		}
	}
	return ""
}

// conditional reports whether a clause may or may not ask for something.
func (c clause) conditional() bool {
	or := c.at("or")
	list := or > 0 && or+1 < len(c.tokens) && c.tokens[or+1].part != nil // "weekends or Mondays"
	return c.has("if", "unless", "otherwise", "whether", "except") || or >= 0 && !list
}

// one does what one clause asks for.
func (t *turn) one(c clause) (question string) {
	called, verb := c.command()
	switch {
	case c.asks && !politely(c), c.has("whats"):
		return t.asked(c)
	case called != nil && (called.name == "undo" && (verb == 0 || c.tokens[verb].word != "back") || c.has("back") && c.has("take", "put", "go", "that") && called.name != "move"):
		return t.undoLast(c, verb)
	case c.has("limit", "unlimited", "cap") && (c.negated() || c.has("lift", "remove", "drop", "forget", "unlimited")) && len(c.parts(amount)) == 0:
		t.said.Total, t.said.Unlimited = nil, true
		t.s, _ = t.before.Hear(t.said)
		c.useAll()
		return ""
	case t.hearTime(c, called):
		return ""
	case t.before.Preview == nil:
		return "" // named as what was not understood
	case called != nil && called.name != "undo":
		return called.run(t, c, verb)
	case len(c.parts(amount)) > 0:
		return t.hours(c, 0)
	case c.tokens[0].word != "" && slices.Contains([]string{"and", "also", "plus", "then"}, c.tokens[0].word) && len(c.tokens) > 2 && slices.Contains([]string{"a", "an", "another", "one"}, c.tokens[1].word):
		return t.add(c, 0) // to what the message before added
	case c.has("need", "want", "should") && c.has("milestone", "phase", "stage", "task", "step"):
		return t.add(c, c.at("need", "want", "should"))
	}
	return ""
}

// politely reports whether a question asks for a change: "could you move it?"
func politely(c clause) bool {
	called, _ := c.command()
	return called != nil && called.name != "left" && len(c.tokens) > 1 && slices.Contains([]string{"can", "could", "would", "will", "please", "lets"}, c.tokens[0].word) && called.name != "show"
}

// asked answers a question about the plan.
func (t *turn) asked(c clause) string {
	if t.before.Preview == nil {
		return ""
	}
	switch {
	case c.has("left", "remain", "remains", "remaining", "many", "much", "long", "when", "next", "hours"):
		return t.left(c, 0)
	case c.has("show", "see", "plan", "list", "look", "looks", "schedule", "now", "summary", "milestones", "tasks"):
		return t.show(c, 0)
	}
	return ""
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
