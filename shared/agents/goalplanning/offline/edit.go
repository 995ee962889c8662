package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

func (t *turn) undoLast(c clause, _ int) string {
	c.use()
	t.undo = true
	return ""
}

func (t *turn) remove(c clause, at int) string {
	tokens := c.tokens[at+1:]
	for len(tokens) > 0 && slices.Contains([]string{"of", "out", "off", "away"}, tokens[0].word) {
		tokens = tokens[1:]
	}
	things, _, question := t.things(tokens)
	if from := (clause{tokens: tokens}).at("from", "in"); from > 0 {
		if where, found := t.named(tokens[from+1:]); found {
			words := nameIn(tokens[:from])
			things = slices.DeleteFunc(t.draft.Things(), func(n goal.Thing) bool {
				return n.Task < 0 || n.Milestone != where.Milestone || !goal.Names(words, t.draft.TitleOf(n))
			})
		}
	}
	c.use()
	if len(things) == 0 && c.has("anything", "any", "if") {
		t.answers = append(t.answers, "There is nothing of that in the plan.")
		return ""
	} else if len(things) == 0 {
		return question
	}
	slices.SortFunc(
		things,
		func(a, b goal.Thing) int { return cmp.Or(b.Milestone-a.Milestone, b.Task-a.Task) },
	)
	for _, n := range things {
		if n.Task < 0 {
			t.draft.Milestones = slices.Delete(t.draft.Milestones, n.Milestone, n.Milestone+1)
		} else {
			m := &t.draft.Milestones[n.Milestone]
			m.Tasks = slices.Delete(m.Tasks, n.Task, n.Task+1)
		}
	}
	t.dropEmpty()
	if len(t.draft.Milestones) == 0 {
		return "That would leave nothing of the plan. To plan something else, say \"start over\" and your goal."
	}
	return ""
}

func (t *turn) dropEmpty() {
	t.draft.Milestones = slices.DeleteFunc(
		t.draft.Milestones,
		func(m goal.Milestone) bool { return len(m.Tasks) == 0 },
	)
}

// rename takes "rename X to Y", "call X Y" and "change the name to Y".
func (t *turn) rename(c clause, at int) string {
	tokens := c.tokens[at+1:]
	old, name := []token(nil), tokens
	if i := (clause{tokens: tokens}).at("to", "into", "as"); i >= 0 && c.tokens[at].word != "call" {
		old, name = tokens[:i], tokens[i+1:]
	} else if len(tokens) > 1 && pronouns[tokens[0].word] {
		old, name = tokens[:1], tokens[1:]
	} else if _, n := t.longest(withoutArticles(tokens)); n > 0 && n < len(withoutArticles(tokens)) {
		skipped := len(tokens) - len(withoutArticles(tokens))
		old, name = tokens[:skipped+n], tokens[skipped+n:]
	}
	title := newName(name)
	if title == "" || old == nil && !(len(name) > 0 && name[0].is(quoted)) {
		return t.unclear(c)
	}
	old = slices.DeleteFunc(
		slices.Clone(old),
		func(k token) bool { return slices.Contains(strings.Fields("name title of from whole"), k.word) },
	)
	things, _, question := t.things(old)
	if ofGoal := nameIn(old) == "" || nameIn(old) == "it"; ofGoal && question != "" {
		t.draft.Title = title
		c.use()
		return ""
	}
	switch {
	case question != "":
		return question
	case things[0].Task < 0 && t.called(title):
		return fmt.Sprintf("There is a milestone %q already. Give it another name.", title)
	case things[0].Task < 0:
		t.draft.Milestones[things[0].Milestone].Title = title
	default:
		for i, n := range things {
			if len(things) > 1 {
				t.draft.Milestones[n.Milestone].Tasks[n.Task].Title = fmt.Sprintf(
					"%s%s%d",
					title,
					partOf,
					i+1,
				)
			} else {
				t.draft.Milestones[n.Milestone].Tasks[n.Task].Title = title
			}
		}
	}
	c.use()
	return ""
}

// newName returns the name that tokens give to something.
func newName(tokens []token) string {
	for _, k := range tokens {
		if k.is(quoted) {
			return capital(clip(k.part.title, 120))
		}
	}
	for len(tokens) > 0 && (polite[tokens[len(tokens)-1].word] || tokens[len(tokens)-1].word == "instead") {
		tokens = tokens[:len(tokens)-1]
	}
	return capital(clip(strings.Trim(text(tokens), `.'"`), 120))
}

func (t *turn) called(title string) bool {
	return slices.ContainsFunc(
		t.draft.Milestones,
		func(m goal.Milestone) bool { return strings.EqualFold(m.Title, title) },
	)
}

// unclear says that a command was heard and not what it is about.
func (t *turn) unclear(c clause) string {
	return notUnderstood([]string{text(c.tokens)}, text(c.tokens))
}

// swap exchanges two milestones, with their days, or two tasks.
func (t *turn) swap(c clause, at int) string {
	tokens := slices.DeleteFunc(slices.Clone(c.tokens[at+1:]), func(k token) bool {
		return slices.Contains(strings.Fields("order dates places of round around over"), k.word)
	})
	for i := range tokens {
		if tokens[i].word == "with" || tokens[i].word == "for" {
			tokens[i] = token{text: "and", word: "and"}
		}
	}
	things, _, question := t.things(tokens)
	if question != "" || len(things) != 2 || (things[0].Task < 0) != (things[1].Task < 0) {
		return cmp.Or(question, "Which two should I swap? For example: \"swap Design and Build\".")
	}
	c.use()
	a, b := things[0], things[1]
	if a.Milestone > b.Milestone || a.Milestone == b.Milestone && a.Task > b.Task {
		a, b = b, a
	}
	list := t.draft.Milestones
	if a.Task < 0 {
		list[a.Milestone], list[b.Milestone] = list[b.Milestone], list[a.Milestone]
		t.orderDays(list[a.Milestone : b.Milestone+1])
		return ""
	}
	one, two := &list[a.Milestone].Tasks[a.Task], &list[b.Milestone].Tasks[b.Task]
	*one, *two = *two, *one
	one.Date, two.Date = two.Date, one.Date
	return ""
}

// orderDays gives the days of milestones to their tasks in their new order.
func (t *turn) orderDays(of []goal.Milestone) {
	pending := t.s.Pending(t.draft)
	var dates []string
	var tasks []*goal.Task
	for i := range of {
		for j := range of[i].Tasks {
			if task := &of[i].Tasks[j]; slices.Contains(pending, task) {
				dates, tasks = append(dates, task.Date), append(tasks, task)
			}
		}
	}
	slices.Sort(dates)
	for i, task := range tasks {
		task.Date = dates[i]
	}
}

// split divides a task or a milestone: into so many, or into parts with names and hours.
func (t *turn) split(c clause, at int) string {
	things, rest, question := t.things(c.tokens[at+1:])
	if question != "" || len(things) != len(t.family(things[0])) {
		return cmp.Or(question, t.unclear(c))
	}
	n := t.join(things)
	pieces := piecesIn(rest, t.draft.TitleOf(n))
	c.use()
	if n.Task < 0 {
		return t.splitMilestone(n.Milestone, pieces)
	}
	m := &t.draft.Milestones[n.Milestone]
	task := m.Tasks[n.Task]
	for i := range pieces {
		if pieces[i].EstimatedHours > 0 {
			t.pinned[pieces[i].Title] = true
		} else {
			pieces[i].EstimatedHours = max(quarter, roundDown(task.EstimatedHours/float64(len(pieces))))
		}
	}
	pieces[0].Date = task.Date
	m.Tasks = slices.Replace(m.Tasks, n.Task, n.Task+1, pieces...)
	return ""
}

// join makes one task again of the parts of one.
func (t *turn) join(things []goal.Thing) goal.Thing {
	n := things[0]
	if len(things) == 1 {
		return n
	}
	m := &t.draft.Milestones[n.Milestone]
	title, _, _ := strings.Cut(t.draft.TitleOf(n), partOf)
	whole := goal.Task{
		Title:          title,
		Date:           m.Tasks[n.Task].Date,
		EstimatedHours: t.tasksOf(t.draft, things).Hours(),
	}
	m.Tasks = slices.DeleteFunc(
		m.Tasks,
		func(task goal.Task) bool { return strings.HasPrefix(task.Title, title+partOf) },
	)
	m.Tasks = slices.Insert(m.Tasks, n.Task, whole)
	return n
}

// piecesIn reads into what something is to be split: "two tasks of 3 hours, one for A and
// one for B", "shooting and editing, 7 and 5", "three".
func piecesIn(tokens []token, title string) (pieces []goal.Task) {
	count, named := 0, false
	var numbers []float64
	var name []token
	end := func() {
		if words := plainTitle(name); words != "" {
			if suffixed := len(name) > 1 && name[0].word == "for"; suffixed {
				words = title + " " + text(name)
			}
			pieces, named = append(pieces, goal.Task{Title: words}), true
		}
		name = nil
	}
	for i, k := range tokens {
		value := number(k.word)
		switch {
		case k.is(hours):
			end()
			numbers = append(numbers, k.part.hours)
		case k.word == "half" || k.word == "halves":
			count = 2
		case k.word == "one" && i+1 < len(tokens) && tokens[i+1].word == "for",
			k.word == "and",
			k.word == "into" || k.word == "in" || k.word == "up" || k.word == "down":
			end()
		case value >= 1 && value <= 24 && len(name) == 0:
			if count == 0 && !named {
				count = int(value)
			} else {
				numbers = append(numbers, value)
			}
		case kinds[k.word], k.word == "of", k.word == "each", k.word == "parts", k.word == "pieces":
		default:
			name = append(name, k)
		}
		if k.pause {
			end()
		}
	}
	end()
	if len(pieces) < 2 {
		pieces = nil
		for i := range min(10, max(2, count)) {
			pieces = append(pieces, goal.Task{Title: fmt.Sprintf("%s%s%d", title, partOf, i+1)})
		}
	}
	for i := range pieces {
		if len(numbers) == len(pieces) {
			pieces[i].EstimatedHours = min(workdayHours, max(quarter, numbers[i]))
		} else if len(numbers) == 1 {
			pieces[i].EstimatedHours = min(workdayHours, max(quarter, numbers[0]))
		}
	}
	return pieces
}

func (t *turn) splitMilestone(at int, pieces []goal.Task) string {
	m, count := t.draft.Milestones[at], len(pieces)
	if len(m.Tasks) < count {
		return fmt.Sprintf(
			"%q has %s, which is too few for %d milestones. Add a task first.",
			m.Title,
			goal.Count(len(m.Tasks), "task"),
			count,
		)
	}
	var parts []goal.Milestone
	for i, piece := range pieces {
		tasks := slices.Clone(m.Tasks[i*len(m.Tasks)/count : (i+1)*len(m.Tasks)/count])
		if piece.EstimatedHours > 0 {
			resize(
				t.tasksOf(goal.Draft{Milestones: []goal.Milestone{{Tasks: tasks}}}, []goal.Thing{{Task: -1}}),
				piece.EstimatedHours,
			)
		}
		for _, task := range tasks {
			t.pinned[task.Title] = t.pinned[task.Title] || piece.EstimatedHours > 0
		}
		parts = append(parts, goal.Milestone{Title: piece.Title, Tasks: tasks})
	}
	t.draft.Milestones = slices.Replace(t.draft.Milestones, at, at+1, parts...)
	return ""
}

// setHours sets those of one thing, of each task, or of the whole plan.
func (t *turn) setHours(c clause, at int) string {
	amounts := c.parts(hours)
	factor := map[string]float64{"double": 2, "halve": 0.5}[c.tokens[at].word]
	if len(amounts) == 0 && factor == 0 {
		return t.unclear(c)
	}
	things, _, question := t.things(withoutEnds(c.tokens[at+1:]))
	if factor > 0 && question == "" {
		c.use()
		for _, task := range t.tasksOf(t.draft, things) {
			task.EstimatedHours = min(workdayHours, max(quarter, task.EstimatedHours*factor))
			t.pinned[task.Title] = true
		}
		return ""
	} else if len(amounts) == 0 {
		return question
	}
	return t.hoursOf(c, amounts[0], things, question)
}

// withoutEnds drops words that stand before a name: "put 2 hours on the sketch".
func withoutEnds(tokens []token) []token {
	before := wordsOf("to on for from up")
	for len(tokens) > 0 && (tokens[0].part != nil && !tokens[0].is(quoted) || before[tokens[0].word]) {
		tokens = tokens[1:]
	}
	return tokens
}

// hoursNamed takes hours that stand without a verb: of what was just added, of what is
// named, or of the whole plan.
func (t *turn) hoursNamed(c clause, _ int) string {
	p := c.parts(hours)[0]
	if t.fresh || p.per != "" && p.per != "task" {
		t.limit(c, p)
		return ""
	}
	if len(c.parts(hours)) > 1 {
		return t.hoursInTurn(c)
	}
	if thing, found := t.named(c.telling()); found && !(t.added != "" && c.any(pronouns)) {
		return t.hoursOf(c, p, []goal.Thing{thing}, "")
	}
	whole := c.has(
		"total",
		"plan",
		"all",
		"within",
		"keep",
		"altogether",
		"have",
		"only",
		"most",
		"max",
		"maximum",
		"limit",
		"budget",
	)
	if t.added != "" && !whole {
		return t.hoursOf(c, p, t.spokenOf(), "")
	}
	if len(t.strangeHours(c)) > 0 {
		return "" // named as what was not understood
	}
	return t.hoursOf(c, p, nil, "")
}

// hoursInTurn takes the hours of several things, each after its name.
func (t *turn) hoursInTurn(c clause) string {
	from := 0
	for i, k := range c.tokens {
		if !k.is(hours) {
			continue
		}
		piece := clause{tokens: c.tokens[from : i+1]}
		from = i + 1
		if thing, found := t.named(piece.telling()); found {
			if question := t.hoursOf(piece, *k.part, []goal.Thing{thing}, ""); question != "" {
				return question
			}
		}
	}
	return ""
}

// strangeHours returns the words beside hours that are about something else.
func (t *turn) strangeHours(c clause) []token {
	return slices.DeleteFunc(c.telling(), func(k token) bool { return hourWords[k.word] || isVerb(k.word) })
}

var hourWords = wordsOf(
	`keep total within under most max maximum than no up down around about budget limit altogether all overall
		whole spend allow left available now per much instead
	actually really some something like roughly takes take lasts last long short free realistically only`,
)

// hoursOf sets the hours of things, or of the whole plan where the clause names none.
func (t *turn) hoursOf(c clause, p part, things []goal.Thing, question string) string {
	if p.per == "task" || c.has("each", "every", "all") && c.has("task", "tasks") {
		c.use()
		for _, task := range t.tasksOf(t.draft, everything(t.draft)) {
			task.EstimatedHours = min(p.hours, workdayHours)
		}
		return ""
	}
	less := c.any(reductions) && c.has("by")
	if len(things) == 0 {
		if names := t.strangeHours(c); len(names) > 0 && question != "" {
			return question
		}
		if less && p.more == 0 {
			p.more = -1
		}
		vague := c.any(pronouns) && t.s.Told.PerDay == 0 && p.per == "" && p.more == 0 &&
			p.hours < t.draft.Hours()/2
		if vague &&
			!c.has(
				"total",
				"plan",
				"within",
				"under",
				"most",
				"max",
				"limit",
				"all",
				"overall",
				"altogether",
				"i",
				"have",
				"only",
			) {
			return fmt.Sprintf(
				"Is that for the whole plan, which takes %s hours? Then say \"keep the plan within %s hours\", or name the task.",
				goal.Number(t.draft.Hours()),
				goal.Number(p.hours),
			)
		}
		t.limit(c, p)
		t.fills = p.per == "" && c.has("make", "set", "increase", "raise", "extend") &&
			!c.has("within", "under", "most", "max", "maximum", "limit")
		return ""
	}
	c.use()
	for i, n := range things {
		tasks := t.tasksOf(t.draft, []goal.Thing{n})
		if family := t.family(n); len(family) > 1 {
			if tasks = t.tasksOf(t.draft, family); i > 0 {
				break // all parts share the hours
			}
		}
		want := p.hours
		switch {
		case less || p.more < 0:
			want = tasks.Hours() - p.hours
		case p.more > 0 || c.has("by", "add", "another", "extra"):
			want = tasks.Hours() + p.hours
		}
		if len(tasks) == 1 && want > workdayHours && want <= 20*workdayHours {
			tasks[0].EstimatedHours, t.pinned[tasks[0].Title] = want, true // in parts
			continue
		}
		if len(tasks) == 0 || want > workdayHours*float64(len(tasks)) {
			return fmt.Sprintf(
				"%q cannot take %s hours: %s is the most of a day, for each of its tasks. Split it, or add a task.",
				t.draft.TitleOf(n),
				goal.Number(want),
				goal.Number(workdayHours),
			)
		}
		resize(tasks, max(want, quarter*float64(len(tasks))))
		for _, task := range tasks {
			t.pinned[task.Title] = true
		}
	}
	return ""
}
