package offline

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// change is one kind of change that a message may ask for. apply returns what
// to ask where it cannot be done.
type change struct {
	pattern func() *regexp.Regexp
	apply   func(e *editor, found []string) (question string)
}

// name is what people call a thing; as name + "?" the shortest that fits.
const name = `[^\s,.;!?"“”][^,.;!?"“”]{0,79}`

const kindWord = `(?:milestone|phase|step|stage|task|part)`

var changes = []change{
	{goal.Pattern(`(?i)\badd (?:a |an |another |the )?(?:new )?["“']?(` + name + `?)["”']? (?:milestone|phase|stage)(?: (?:for |on |in )?(` + whenWords + `))?(?:[,.;!?]|$| but | and )`), (*editor).addMilestone},
	{goal.Pattern(`(?i)\bmove (?:the |my )?["“']?(` + name + `?)["”']?(?: (` + kindWord + `))? to (` + whenWords + `)`), (*editor).move},
	{goal.Pattern(`(?i)\b(?:keep|limit|reduce|cut|bring)?\s*(?:the |my )?total(?: number of| workload)?(?: hours)?(?: down)? (?:to|within|under|below|at most|at|up to)\s+(\d{1,5}(?:\.\d+)?)(?:\s*(?:hours?|hrs?|h)\b)?(?: in total)?`), (*editor).keepWithin},
	{goal.Pattern(`(?i)\b(?:keep (?:it|everything|the plan)? ?)?(?:within|under|at most|no more than) (\d{1,5}(?:\.\d+)?)\s*(?:hours?|hrs?|h)\b(?: in total| total| overall)?`), (*editor).keepWithin},
	{goal.Pattern(goal.Unlimited), func(*editor, []string) string { return "" }},
	{goal.Pattern(`(?i)\b(?:remove|drop|delete|cut) (?:the |my )?["“']?(` + name + `?)["”']?(?: (` + kindWord + `))?(?:[,.;!?]|$| but | and )`), (*editor).remove},
	// What is kept anyway needs no doing.
	{goal.Pattern(`(?i)\b(?:do ?n[o'’]?t|avoid|without|no)\s*(?:any )?(?:overlap(?:s|ping)?|conflicts?|clash(?:es|ing)?)(?: with [^,.;!?]+)?`), func(*editor, []string) string { return "" }},
}

// idle are words that ask for nothing.
var idle = goal.Pattern(`(?i)\b(?:yes|no|ok|okay|please|thanks|thank you|but|and|then|also|now|so|well|great|good|nice|looks?|it|that|this|is|the|plan|can|could|would|you|i|i'd|like|to|want|just|not yet|otherwise|instead|a|hi|hello)\b`)

// changedPlan applies to the preview what the message asks for, all of it or
// nothing: what is not understood is asked about.
func changedPlan(s goal.Situation) (goal.Draft, string) {
	e := &editor{s: s, draft: s.Preview.Clone()}
	done := 0
	rest := s.Message
	for range 20 {
		c, found := firstChange(rest)
		if found == nil {
			break
		}
		if question := c.apply(e, texts(rest, found)); question != "" {
			return goal.Draft{}, question
		}
		done++
		rest = rest[:found[0]] + " , " + rest[found[1]:]
	}
	if left := letters().FindString(idle().ReplaceAllString(rest, " ")); left != "" || done == 0 {
		return goal.Draft{}, "I did not understand all of that, so nothing was changed. I can: add a milestone (\"add a testing milestone next week\"), " +
			"move one or a task (\"move the design phase to next week\"), remove one, and keep the total within some hours. " +
			e.milestones()
	}
	if len(e.draft.Tasks()) == 0 {
		return goal.Draft{}, "That would leave nothing of the plan. To plan something else, say \"start over\" and your goal."
	}
	if limit, limited := s.Limit(e.draft); limited && !shrink(s.Pending(e.draft), limit) {
		return goal.Draft{}, e.tooFew(limit)
	}
	return e.draft, ""
}

func firstChange(text string) (asked change, at []int) {
	for _, c := range changes {
		if found := c.pattern().FindStringSubmatchIndex(text); found != nil && (at == nil || found[0] < at[0]) {
			asked, at = c, found
		}
	}
	return asked, at
}

func texts(text string, found []int) []string {
	list := make([]string, len(found)/2)
	for i := range list {
		if found[2*i] >= 0 {
			list[i] = strings.TrimSpace(text[found[2*i]:found[2*i+1]])
		}
	}
	return list
}

// editor changes a draft.
type editor struct {
	s     goal.Situation
	draft goal.Draft
}

func (e *editor) addMilestone(found []string) string {
	w, question := windowOf(found[2], e.s.Now)
	if question != "" {
		return question
	}
	e.draft.Milestones = append(e.draft.Milestones, milestone(title(found[1]), "Prepare "+found[1], "Carry out "+found[1]))
	return w.place(e.s, e.draft)
}

func (e *editor) move(found []string) string {
	w, question := windowOf(found[3], e.s.Now)
	if question != "" {
		return question
	}
	what, question := e.find(found[1], found[2])
	if question != "" {
		return question
	}
	tasks := e.draft.Milestones[what.milestone].Tasks
	if what.task >= 0 {
		tasks = tasks[what.task : what.task+1]
	}
	for i := range tasks {
		tasks[i].Date = ""
	}
	return w.place(e.s, e.draft)
}

func (e *editor) remove(found []string) string {
	what, question := e.find(found[1], found[2])
	m := what.milestone
	switch {
	case question != "":
		return question
	case what.task < 0:
		e.draft.Milestones = slices.Delete(e.draft.Milestones, m, m+1)
	default:
		e.draft.Milestones[m].Tasks = slices.Delete(e.draft.Milestones[m].Tasks, what.task, what.task+1)
	}
	return ""
}

func (e *editor) keepWithin(found []string) string {
	hours, err := strconv.ParseFloat(found[1], 64)
	pending := e.s.Pending(e.draft)
	if done := e.draft.Hours() - pending.Hours(); err != nil || !shrink(pending, max(0, hours-done)) {
		return e.tooFew(hours)
	}
	return ""
}

func (e *editor) tooFew(hours float64) string {
	return fmt.Sprintf("%s h in all is too little for %s. Which should go? Or say another limit, such as \"keep total hours within 40\", or \"no limit on the hours\".", goal.Number(hours), goal.Count(len(e.draft.Tasks()), "task"))
}

// named is a milestone of the draft, or a task of it; task is -1 for a milestone.
type named struct {
	title           string
	milestone, task int
}

// find returns what the words name: the thing at that place in the preview, or the milestone
// of just that title, else the only milestone that has them, else the only task. Where there
// is not one, or a number may be a place and a part of a title, it returns what to ask.
func (e *editor) find(words, kind string) (named, string) {
	var all []named
	for i, m := range e.draft.Milestones {
		all = append(all, named{m.Title, i, -1})
		for j, t := range m.Tasks {
			all = append(all, named{t.Title, i, j})
		}
	}
	place := strings.TrimSpace(words + " " + kind)
	isPlace, numbered := goal.IsPlace(place)
	if !isPlace {
		return e.findNamed(all, words)
	}
	byName, notNamed := e.findNamed(all, words)
	for _, at := range e.s.Preview.Placed(place) {
		m := e.s.Preview.Milestones[at.Milestone]
		i := slices.IndexFunc(all, func(n named) bool {
			return (n.task < 0) == (at.Task < 0) && e.draft.Milestones[n.milestone].Title == m.Title && (n.task < 0 || n.title == m.Tasks[at.Task].Title)
		})
		if i >= 0 && (!numbered || notNamed != "" || byName == all[i]) {
			return all[i], ""
		}
	}
	return named{}, e.ask(place)
}

// findNamed returns which of all the words name.
func (e *editor) findNamed(all []named, words string) (named, string) {
	for _, differs := range []func(n named) bool{
		func(n named) bool { return n.task >= 0 || !strings.EqualFold(n.title, words) },
		func(n named) bool { return n.task >= 0 || !goal.Names(words, n.title) },
		func(n named) bool { return !goal.Names(words, n.title) },
	} {
		if meant := slices.DeleteFunc(slices.Clone(all), differs); len(meant) == 1 {
			return meant[0], ""
		} else if len(meant) > 1 {
			break
		}
	}
	return named{}, e.ask(words)
}

func (e *editor) ask(words string) string {
	return fmt.Sprintf("%q is not the name of just one thing in the plan, so nothing was changed. %s Which do you mean?", words, e.milestones())
}

// milestones says which there are.
func (e *editor) milestones() string {
	var names []string
	for _, m := range e.s.Preview.Milestones {
		names = append(names, strconv.Quote(m.Title))
	}
	return "The milestones are: " + cmp.Or(strings.Join(names, ", "), "none") + "."
}
