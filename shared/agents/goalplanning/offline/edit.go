package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// nameIn returns the words of tokens that may name something, as they were typed.
func (t *turn) nameIn(tokens []token) string {
	var list []string
	for _, k := range tokens {
		if k.part != nil && k.part.kind == quoted {
			return k.part.title
		}
		if k.part == nil && !nameless[k.word] && !isTimeWord(k.word) {
			list = append(list, k.text)
		}
	}
	return strings.Join(list, " ")
}

// nameless are words around a name that are none of it.
var nameless = words(`the a an my our this that please i we have has had id ill im also just then and now to on at by for of in is are be it its called named titled
	ive weve should would could can must will need needs want you me there new another extra more only so but every each whole`)

func isTimeWord(word string) bool {
	return slices.Contains(dues, word) || slices.Contains(negatives, word)
}

// find returns what words name: things by their places or their names, several where
// "and" or a comma is between them. Where one is not found, it returns what to ask.
func (t *turn) find(words string) (things []goal.Thing, question string) {
	words = strings.TrimPrefix(strings.TrimPrefix(words, "the "), "The ")
	if thing, found := t.thing(words); found {
		return []goal.Thing{thing}, ""
	}
	if strings.TrimSpace(words) == "" {
		return nil, notUnderstood([]string{t.before.Message}, t.before.Message)
	}
	if row := inRow().FindStringSubmatch(words); row != nil {
		return t.row(row)
	}
	for _, name := range strings.Split(strings.NewReplacer(" and ", "\x00", ", ", "\x00", " & ", "\x00").Replace(words), "\x00") {
		name = strings.TrimPrefix(strings.TrimSpace(name), "the ")
		thing, found := t.thing(name)
		if !found {
			return nil, fmt.Sprintf("%q is not the name of just one thing in the plan, so nothing was changed. %s Which do you mean?", name, t.names())
		}
		things = append(things, thing)
	}
	return things, ""
}

// inRow is how people name several by their place: "first two milestones".
var inRow = goal.Pattern(`(?i)^(?:the )?(first|last) (two|three|four|2|3|4) (milestones|phases|stages|tasks)(?: round| around| over)?$`)

func (t *turn) row(found []string) (things []goal.Thing, question string) {
	for _, n := range t.draft.Things() {
		if (n.Task >= 0) == (strings.ToLower(found[3]) == "tasks") {
			things = append(things, n)
		}
	}
	count := int(number(strings.ToLower(found[2])))
	if count > len(things) {
		return nil, fmt.Sprintf("There are only %d. %s Which do you mean?", len(things), t.names())
	}
	if strings.EqualFold(found[1], "last") {
		return things[len(things)-count:], ""
	}
	return things[:count], ""
}

// thing returns the one thing that words name: by its place, its whole title, as the
// only milestone or as the only task. What is one thing by place and another by name is none.
func (t *turn) thing(words string) (thing goal.Thing, found bool) {
	byPlace := t.placed(words)
	is, numbered := goal.IsPlace(strings.TrimSpace(words))
	if len(byPlace) == 1 && is && !numbered {
		return byPlace[0], true
	}
	all := t.draft.Things()
	label := func(title string) string { before, _, _ := strings.Cut(title, ":"); return before }
	bare := kindWord().ReplaceAllString(words, "")
	for _, fits := range []func(goal.Thing) bool{
		func(n goal.Thing) bool { return strings.EqualFold(label(t.draft.TitleOf(n)), bare) },
		func(n goal.Thing) bool { return strings.EqualFold(t.draft.TitleOf(n), words) },
		func(n goal.Thing) bool { return n.Task < 0 && goal.Names(words, t.draft.TitleOf(n)) },
		func(n goal.Thing) bool { return n.Task >= 0 && goal.Names(words, t.draft.TitleOf(n)) },
	} {
		meant := slices.DeleteFunc(slices.Clone(all), func(n goal.Thing) bool { return !fits(n) })
		if len(meant) > 1 && !is {
			return thing, false
		}
		if len(meant) == 1 {
			return meant[0], !is || len(byPlace) == 1 && byPlace[0] == meant[0]
		}
	}
	if is && len(byPlace) == 1 {
		return byPlace[0], true
	}
	return t.nearestThing(words)
}

// nearestThing returns the one thing whose title shares the most words with what was said,
// and at least half of those.
func (t *turn) nearestThing(words string) (thing goal.Thing, found bool) {
	best := 0
	for _, n := range t.draft.Things() {
		shared, of := goal.Shared(words, t.draft.TitleOf(n))
		if 2*shared >= of && shared > best {
			best, thing, found = shared, n, true
		} else if shared == best {
			found = false
		}
	}
	return thing, found
}

// meant returns words in which "it" and "that" stand for what the user spoke of before.
func (t *turn) meant(words string) string {
	if !pronoun().MatchString(words) {
		return words
	}
	if t.added != "" {
		return t.added
	}
	for _, before := range []string{text(t.mentioned.tokens), t.last} {
		if n, found := t.spokenOf(before); found {
			return t.draft.TitleOf(n)
		}
	}
	return words
}

var pronoun = goal.Pattern(`(?i)^(?:it|that|this|that one|this one|the name)?$`)

// spokenOf returns the one thing that a message speaks of most.
func (t *turn) spokenOf(message string) (thing goal.Thing, found bool) {
	best := 0
	for _, n := range t.draft.Things() {
		shared, _ := goal.Shared(t.draft.TitleOf(n), message)
		if shared > best {
			best, thing, found = shared, n, true
		} else if shared == best {
			found = false
		}
	}
	return thing, found && best > 1
}

// placed returns the things that stand, in the preview, at the places that words name.
func (t *turn) placed(words string) (things []goal.Thing) {
	if t.before.Preview == nil || t.before.StartsOver {
		return nil
	}
	for _, at := range t.before.Preview.Placed(words) {
		milestone, title := t.before.Preview.Milestones[at.Milestone].Title, t.before.Preview.TitleOf(at)
		i := slices.IndexFunc(t.draft.Things(), func(n goal.Thing) bool {
			return (n.Task < 0) == (at.Task < 0) && t.draft.TitleOf(n) == title && t.draft.Milestones[n.Milestone].Title == milestone
		})
		if i >= 0 {
			things = append(things, t.draft.Things()[i])
		}
	}
	return things
}

var kindWord = goal.Pattern(`(?i) (?:milestone|phase|stage|task|step)s?$`)

// names says which milestones there are.
func (t *turn) names() string {
	var list []string
	for _, m := range t.draft.Milestones {
		list = append(list, strconv.Quote(m.Title))
	}
	return "The milestones are: " + cmp.Or(strings.Join(list, ", "), "none") + "."
}

// until cuts tokens at the first of some words, or at a part that is no title.
func until(tokens []token, stops ...string) (before, after []token) {
	for i, k := range tokens {
		if k.part != nil && k.part.kind != quoted || slices.Contains(stops, k.word) {
			return tokens[:i], tokens[i:]
		}
	}
	return tokens, nil
}

func (t *turn) remove(c clause, verb int) string {
	if len(c.parts(amount)) > 0 {
		return t.hours(c, verb)
	}
	if verb+1 < len(c.tokens) && (c.tokens[verb+1].word == "of" || c.tokens[verb+1].word == "out") {
		verb++
	}
	named, _ := until(c.tokens[verb+1:], "from", "please", "entirely", "completely", "of", "if")
	if len(named) > 0 && c.has("of") {
		named = c.tokens[verb+1:] // "the second task of the launch"
	}
	words := strings.TrimPrefix(strings.TrimPrefix(text(named), "of "), "the ")
	things, question := t.find(strings.TrimPrefix(words, "my "))
	if at := c.at("from"); at > verb && question != "" {
		if from, found := t.thing(t.nameIn(c.tokens[at+1:])); found {
			things = slices.DeleteFunc(t.draft.Things(), func(n goal.Thing) bool {
				return n.Task < 0 || n.Milestone != from.Milestone || !goal.Names(words, t.draft.TitleOf(n))
			})
		}
	}
	if len(things) == 0 && c.has("anything", "any", "if") {
		t.answers = append(t.answers, "There is nothing of that in the plan.")
		c.useAll()
		return ""
	}
	if question != "" && len(things) == 0 {
		return question
	}
	slices.SortFunc(things, func(a, b goal.Thing) int { return cmp.Or(b.Milestone-a.Milestone, b.Task-a.Task) })
	for _, n := range things {
		if n.Task < 0 {
			t.draft.Milestones = slices.Delete(t.draft.Milestones, n.Milestone, n.Milestone+1)
			continue
		}
		m := &t.draft.Milestones[n.Milestone]
		m.Tasks = slices.Delete(m.Tasks, n.Task, n.Task+1)
	}
	c.useAll()
	if len(t.draft.Tasks()) == 0 {
		return "That would leave nothing of the plan. To plan something else, say \"start over\" and your goal."
	}
	t.draft.Milestones = slices.DeleteFunc(t.draft.Milestones, func(m goal.Milestone) bool { return len(m.Tasks) == 0 })
	return ""
}

func (t *turn) rename(c clause, verb int) string {
	i := slices.IndexFunc(c.tokens[verb:], func(k token) bool { return k.word == "to" || k.word == "into" || k.word == "as" })
	old, name := t.named(c.tokens[verb+1:])
	switch {
	case i > 0:
		old, name = c.tokens[verb+1:verb+i], c.tokens[verb+i+1:]
	case c.tokens[verb].word == "call":
		old, name = until(c.tokens[verb+1:], "it")
		if len(name) > 0 && name[0].word == "it" {
			name = name[1:]
		} else if len(name) == 0 {
			old, name = t.named(c.tokens[verb+1:])
		}
	}
	if len(name) == 0 {
		return t.unclear(c)
	}
	title := capital(clip(strings.Trim(quotedOr(name), `.'"`), 120))
	if i < 0 && len(old) == 0 && quotedOr(name) == text(name) && !startsCapital(name[0].text) {
		return t.unclear(c) // "let's call it a day"
	}
	words := t.nameIn(slices.DeleteFunc(slices.Clone(old), func(k token) bool {
		return slices.Contains(strings.Fields("name title of from it goal plan whole"), k.word)
	}))
	if c.has("it", "that") {
		words = t.meant(words)
	}
	if words == "" {
		t.draft.Title = title
		c.useAll()
		return ""
	}
	things, question := t.find(words)
	if question != "" {
		return question
	}
	if things[0].Task < 0 && t.called(title) {
		return fmt.Sprintf("There is a milestone %q already. Give it another name.", title)
	}
	t.setTitle(things[0], title)
	c.useAll()
	return ""
}

func startsCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}

// named parts tokens after the longest beginning that names a thing.
func (t *turn) named(tokens []token) (thing, rest []token) {
	for i := len(tokens) - 1; i > 0; i-- {
		if words := t.nameIn(tokens[:i]); words != "" {
			if _, found := t.thing(words); found {
				return tokens[:i], tokens[i:]
			}
		}
	}
	return nil, nil
}

func quotedOr(tokens []token) string {
	for _, k := range tokens {
		if k.part != nil && k.part.kind == quoted {
			return k.part.title
		}
	}
	return text(tokens)
}

func (t *turn) called(title string) bool {
	return slices.ContainsFunc(t.draft.Milestones, func(m goal.Milestone) bool { return strings.EqualFold(m.Title, title) })
}

func (t *turn) setTitle(n goal.Thing, title string) {
	if n.Task < 0 {
		t.draft.Milestones[n.Milestone].Title = title
	} else {
		t.draft.Milestones[n.Milestone].Tasks[n.Task].Title = title
	}
}

// unclear says that a command was heard and not what it is about.
func (t *turn) unclear(c clause) string {
	return notUnderstood([]string{text(c.tokens)}, text(c.tokens))
}

// tasksOf returns the tasks of things that are still to be done.
func (t *turn) tasksOf(things []goal.Thing) (list []*goal.Task) {
	pending := t.s.Pending(t.draft)
	for _, n := range things {
		m := &t.draft.Milestones[n.Milestone]
		for j := range m.Tasks {
			if (n.Task < 0 || n.Task == j) && slices.Contains(pending, &m.Tasks[j]) {
				list = append(list, &m.Tasks[j])
			}
		}
	}
	return list
}

// placeAnew has things placed anew, in a window.
func (t *turn) placeAnew(things []goal.Thing, wanted window) {
	for _, n := range things {
		if len(things) < len(t.draft.Milestones) {
			t.moved[t.draft.TitleOf(n)] = true
		}
	}
	for _, task := range t.tasksOf(things) {
		t.wanted[task.Title], task.Date = wanted, ""
	}
}

func (t *turn) everything() (things []goal.Thing) {
	for i := range t.draft.Milestones {
		things = append(things, goal.Thing{Milestone: i, Task: -1})
	}
	return things
}

func (t *turn) move(c clause, verb int) string {
	named, _ := until(c.tokens[verb+1:], "to", "on", "until", "by", "back", "forward", "before", "after", "into", "at", "in", "up", "out", "from", "not", "no", "earlier", "later")
	words := t.nameIn(named)
	things, question := t.everything(), ""
	if words != "" && !slices.Contains([]string{"it", "everything", "all", "it all", "plan", "whole plan", "all tasks", "tasks", "work", "working", "start", "goal"}, strings.ToLower(words)) {
		if things, question = t.find(words); question != "" && len(c.parts(quoted)) > 0 {
			return t.add(c, verb)
		} else if question != "" {
			return question
		}
	}
	when, by := c.parts(days), c.parts(shift)
	switch {
	case len(when) > 0:
		p := when[len(when)-1]
		wanted := window{p.first, p.last}
		if starts := c.tokens[verb].word == "start" || c.tokens[verb].word == "begin" || c.before(days, "after"); starts || words == "" {
			wanted.last = wanted.first.AddDate(2, 0, 0)
		}
		if c.before(days, "by", "before") {
			wanted = window{tomorrow(t.s), p.last}
		}
		t.placeAnew(things, wanted)
	case len(by) > 0:
		return t.shiftBy(c, things, by[0].shift)
	default:
		return t.moveBeside(c, things)
	}
	c.useAll()
	return ""
}

// shiftBy moves tasks by days, to the next day that has room.
func (t *turn) shiftBy(c clause, things []goal.Thing, by int) string {
	if c.has("earlier", "forward", "sooner", "ahead") && by > 0 {
		by = -by
	}
	for _, task := range t.tasksOf(things) {
		at, err := time.ParseInLocation(time.DateOnly, task.Date[:10], t.s.Now.Location())
		if err != nil {
			continue
		}
		t.notBefore[task.Title] = at.AddDate(0, 0, by)
		task.Date = ""
	}
	c.useAll()
	return ""
}

// moveBeside moves a thing in front of another, or behind it, or a task into a milestone.
func (t *turn) moveBeside(c clause, things []goal.Thing) string {
	at := c.at("before", "after", "into", "to", "in", "under")
	if at < 0 || len(things) != 1 {
		return fmt.Sprintf("To when should I move that? For example: \"move %s to Friday\".", strings.ToLower(t.draft.TitleOf(things[0])))
	}
	words := t.nameIn(c.tokens[at+1:])
	n := things[0]
	other, question := t.find(words)
	end := slices.Contains([]string{"end", "start", "front", "beginning", "top", "first", "last"}, strings.ToLower(words))
	if end && n.Task < 0 {
		other, question = []goal.Thing{{Milestone: 0, Task: -1}}, ""
		if words == "end" || words == "last" {
			other[0].Milestone = len(t.draft.Milestones) - 1
		}
	}
	if question != "" {
		return question
	}
	c.useAll()
	to := other[0]
	behind := c.has("after") || words == "end" || words == "last"
	if n.Task < 0 && to.Task < 0 {
		m := t.draft.Milestones[n.Milestone]
		t.draft.Milestones = slices.Delete(t.draft.Milestones, n.Milestone, n.Milestone+1)
		place := to.Milestone
		if n.Milestone < place {
			place--
		}
		if behind {
			place++
		}
		t.draft.Milestones = slices.Insert(t.draft.Milestones, place, m)
		t.reorderDates(t.draft.Milestones[min(place, n.Milestone) : max(place, n.Milestone)+1])
		return ""
	}
	if n.Task < 0 {
		return t.unclear(c)
	}
	task := t.draft.Milestones[n.Milestone].Tasks[n.Task]
	t.draft.Milestones[n.Milestone].Tasks = slices.Delete(t.draft.Milestones[n.Milestone].Tasks, n.Task, n.Task+1)
	into := &t.draft.Milestones[to.Milestone]
	place := len(into.Tasks)
	if to.Task >= 0 {
		place = to.Task
		if to.Milestone == n.Milestone && n.Task < place {
			place--
		}
		if behind {
			place++
		}
	}
	task.Date = ""
	into.Tasks = slices.Insert(into.Tasks, place, task)
	for i := place; i < len(into.Tasks); i++ {
		into.Tasks[i].Date = ""
	}
	t.draft.Milestones = slices.DeleteFunc(t.draft.Milestones, func(m goal.Milestone) bool { return len(m.Tasks) == 0 })
	return ""
}

// reorderDates gives the days of milestones to their tasks in their new order.
func (t *turn) reorderDates(of []goal.Milestone) {
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

func (t *turn) swap(c clause, verb int) string {
	words := t.nameIn(slices.DeleteFunc(slices.Clone(c.tokens[verb+1:]), func(k token) bool { return k.word == "order" || k.word == "dates" || k.word == "places" }))
	if i := slices.IndexFunc(c.tokens, func(k token) bool { return k.word == "with" || k.word == "and" || k.word == "for" }); i > verb {
		words = t.nameIn(c.tokens[verb+1:i]) + " and " + t.nameIn(c.tokens[i+1:])
	}
	things, question := t.find(words)
	if question != "" || len(things) != 2 || (things[0].Task < 0) != (things[1].Task < 0) {
		return cmp.Or(question, "Which two should I swap? For example: \"swap Design and Build\".")
	}
	a, b := things[0], things[1]
	c.useAll()
	if a.Milestone > b.Milestone || a.Milestone == b.Milestone && a.Task > b.Task {
		a, b = b, a
	}
	if a.Task < 0 {
		t.draft.Milestones[a.Milestone], t.draft.Milestones[b.Milestone] = t.draft.Milestones[b.Milestone], t.draft.Milestones[a.Milestone]
		t.reorderDates(t.draft.Milestones[a.Milestone : b.Milestone+1])
		return ""
	}
	one, two := &t.draft.Milestones[a.Milestone].Tasks[a.Task], &t.draft.Milestones[b.Milestone].Tasks[b.Task]
	*one, *two = *two, *one
	one.Date, two.Date = two.Date, one.Date
	return ""
}

func (t *turn) split(c clause, verb int) string {
	named, into := until(c.tokens[verb+1:], "into", "in", "up", "down", "to")
	things, question := t.find(t.nameIn(named))
	if question != "" || len(things) != 1 {
		return cmp.Or(question, t.unclear(c))
	}
	n := things[0]
	titles, count := []string{}, 2
	for i, k := range into {
		if value := number(k.word); value >= 2 && value <= 10 {
			count = int(value)
			into = nil
			break
		} else if k.word == "half" || k.word == "halves" {
			into = nil
			break
		} else if i > 0 && (k.word == "and" || k.comma) {
			titles = append(titles, "")
		}
	}
	if len(titles) > 0 {
		titles = strings.Split(strings.NewReplacer(", and ", "\x00", " and ", "\x00", ", ", "\x00").Replace(joined(into[1:])), "\x00")
		count = len(titles)
	}
	titled := func(i int) string {
		if len(titles) > 0 {
			return capital(strings.TrimSpace(titles[i]))
		}
		return fmt.Sprintf("%s, part %d", t.draft.TitleOf(n), i+1)
	}
	c.useAll()
	if n.Task < 0 {
		return t.splitMilestone(n.Milestone, count, titled)
	}
	m := &t.draft.Milestones[n.Milestone]
	task := m.Tasks[n.Task]
	parts := make([]goal.Task, count)
	for i := range parts {
		parts[i] = goal.Task{Title: titled(i), EstimatedHours: max(quarter, roundDown(task.EstimatedHours/float64(count)))}
	}
	parts[0].Date = task.Date
	m.Tasks = slices.Replace(m.Tasks, n.Task, n.Task+1, parts...)
	return ""
}

func joined(tokens []token) string {
	var all strings.Builder
	for i, k := range tokens {
		if i > 0 {
			all.WriteByte(' ')
		}
		all.WriteString(k.text)
		if k.comma {
			all.WriteByte(',')
		}
	}
	return all.String()
}

func (t *turn) splitMilestone(at, count int, titled func(int) string) string {
	m := t.draft.Milestones[at]
	if len(m.Tasks) < count {
		return fmt.Sprintf("%q has %s, which is too few for %d milestones. Add a task first.", m.Title, goal.Count(len(m.Tasks), "task"), count)
	}
	var parts []goal.Milestone
	for i := range count {
		from, to := i*len(m.Tasks)/count, (i+1)*len(m.Tasks)/count
		parts = append(parts, goal.Milestone{Title: titled(i), Tasks: slices.Clone(m.Tasks[from:to])})
	}
	t.draft.Milestones = slices.Replace(t.draft.Milestones, at, at+1, parts...)
	return ""
}

// hours sets those of one thing, of each task, or of the whole plan.
func (t *turn) hours(c clause, verb int) string {
	amounts := c.take(amount)
	if len(amounts) == 0 {
		return t.scaled(c, verb)
	}
	p := amounts[0]
	if c.has("each", "every", "all") && c.has("task", "tasks") || p.per == "task" {
		for _, task := range t.tasksOf(t.everything()) {
			task.EstimatedHours = min(p.hours, workdayHours)
		}
		c.useAll()
		return ""
	}
	words := t.nameIn(slices.DeleteFunc(slices.Clone(c.tokens), func(k token) bool {
		return k.part != nil && k.part.kind != quoted || isVerb(k.word) || hourless[k.word]
	}))
	if !slices.ContainsFunc(strings.Fields(words), func(word string) bool { return !fillers[strings.ToLower(word)] }) {
		words = ""
	}
	if words == "" {
		if isReduction(c) && p.more == 0 && c.has("by") {
			p.more = -1
		}
		whole := c.has("total", "plan", "within", "under", "most", "max", "limit", "all", "overall", "altogether", "i", "have", "only", "up")
		if c.has("it", "that", "this") && !whole && p.per == "" && p.more == 0 && p.hours < t.draft.Hours()/2 {
			return fmt.Sprintf("Is that for the whole plan, which takes %s hours? Then say \"keep the plan within %s hours\", or name the task.", goal.Number(t.draft.Hours()), goal.Number(p.hours))
		}
		c.use(strings.Fields("make set give reduce shorten extend increase raise lower limit cap trim cut spend takes take allow keep have")...)
		t.hearAmount(p)
		return ""
	}
	things, question := t.find(words)
	if question != "" {
		return question
	}
	c.useAll()
	for _, n := range things {
		if question := t.setHours(n, p, isReduction(c) && c.has("by"), c.has("by", "add", "another", "extra")); question != "" {
			return question
		}
	}
	return ""
}

var hourless = words(`keep total plan goal hours hour within under at most max maximum no than up down around about budget limit altogether all overall it whole everything
	got only spend allow left available now time per much as instead actually really some something like roughly takes take lasts last long short`)

func isReduction(c clause) bool {
	return c.has("reduce", "shorten", "lower", "trim", "cut", "less", "fewer", "shorter")
}

func (t *turn) setHours(n goal.Thing, p part, less, relative bool) string {
	tasks := t.tasksOf([]goal.Thing{n})
	sum := 0.0
	for _, task := range tasks {
		sum += task.EstimatedHours
	}
	want := p.hours
	switch {
	case less || p.more < 0:
		want = sum - p.hours
	case relative || p.more > 0:
		want = sum + p.hours
	}
	if len(tasks) == 0 || want > workdayHours*float64(len(tasks)) {
		return fmt.Sprintf("%q cannot take %s hours: %s is the most of a day, for each of its tasks. Split it, or add a task.", t.draft.TitleOf(n), goal.Number(want), goal.Number(workdayHours))
	}
	t.resize(tasks, max(want, quarter*float64(len(tasks))))
	t.pinned = append(t.pinned, tasks...)
	return ""
}

// scaled doubles or halves.
func (t *turn) scaled(c clause, verb int) string {
	factor := map[string]float64{"double": 2, "halve": 0.5}[c.tokens[verb].word]
	if factor == 0 {
		return t.unclear(c)
	}
	things, question := t.find(t.nameIn(c.tokens[verb+1:]))
	if question != "" {
		return question
	}
	for _, task := range t.tasksOf(things) {
		task.EstimatedHours = min(workdayHours, max(quarter, task.EstimatedHours*factor))
	}
	c.useAll()
	return ""
}

// add adds milestones or tasks.
func (t *turn) add(c clause, verb int) string {
	if len(c.parts(amount)) > 0 && !c.has("task", "milestone", "phase", "stage", "step") && len(c.parts(quoted)) == 0 {
		if words := t.nameIn(c.tokens[verb+1:]); (words == "" || c.has("to")) && (t.wished() == "" || !c.has("it", "that")) {
			return t.hours(c, verb)
		}
	}
	order := addition{hours: c.take(amount)}
	rest := c.tokens[verb+1:]
	if at := c.at("every", "each"); at > verb+1 && at+1 < len(c.tokens) && slices.Contains([]string{"milestone", "phase", "stage"}, c.tokens[at+1].word) {
		return t.addToAll(c, titleOf(c.tokens[verb+1:at]), order.hours)
	}
	if question := t.target(&order, &rest); question != "" {
		return question
	}
	about := clause{rest, false}
	order.milestone = about.has("milestone", "milestones", "phase", "phases", "stage", "stages") && !about.has("task", "tasks")
	order.task = about.has("task", "tasks", "step", "todo", "item")
	if when := c.parts(days); len(when) > 0 {
		order.when = window{when[0].first, when[0].last}
		if c.before(days, "by", "before") {
			order.when.first = tomorrow(t.s)
		}
	}
	title, _ := until(rest, "by")
	order.title = titleOf(title)
	if quotes := c.parts(quoted); len(quotes) == 1 && order.beside == nil && order.into < 0 {
		order.title = titleOf([]token{{part: &quotes[0]}})
	}
	if slices.Contains([]string{"", "It", "That", "This", "Them"}, order.title) {
		order.title = t.wished()
	}
	if order.title == "" {
		return "What should I call it? For example: \"add a testing milestone\"."
	}
	c.useAll()
	return t.insert(order)
}

// addToAll adds a task to each milestone.
func (t *turn) addToAll(c clause, title string, hours []part) string {
	estimated := taskHours
	if len(hours) > 0 {
		estimated = min(workdayHours, max(quarter, hours[0].hours))
	}
	for i := range t.draft.Milestones {
		if m := &t.draft.Milestones[i]; !slices.ContainsFunc(m.Tasks, func(task goal.Task) bool { return strings.EqualFold(task.Title, title) }) {
			m.Tasks = append(m.Tasks, goal.Task{Title: title, EstimatedHours: estimated})
		}
	}
	c.useAll()
	return ""
}

// wished returns what the message says must be done before it asks to add that: "I should
// call my sister. Can you put that in?"
func (t *turn) wished() string {
	c := t.mentioned
	at := c.at("should", "must", "has", "have", "needs", "need")
	if at < 0 {
		return ""
	}
	tokens, _ := until(c.tokens, "before", "after", "and", "so", "because")
	if at < len(tokens) && polite[c.tokens[max(0, at-1)].word] {
		tokens = tokens[at+1:] // of oneself
	} else if at >= len(tokens) {
		tokens, _ = until(c.tokens[at+1:], "before", "after", "and", "so", "because")
	}
	for len(tokens) > 0 && (tokens[0].word == "to" || tokens[0].word == "really" || tokens[0].word == "also") {
		tokens = tokens[1:]
	}
	return titleOf(tokens)
}

// addition is what is to be added, and where.
type addition struct {
	title           string
	milestone, task bool
	into            int // the milestone of a task; -1 is not said
	beside          *goal.Thing
	behind          bool
	first           bool // at the start
	hours           []part
	when            window
}

// target reads to which milestone, or beside which thing, something is added, and takes
// that from the tokens.
func (t *turn) target(order *addition, tokens *[]token) string {
	order.into = -1
	for i := len(*tokens) - 1; i > 0; i-- {
		word := (*tokens)[i].word
		beside := word == "before" || word == "after"
		if word == "first" && i == len(*tokens)-1 {
			order.first = true
			*tokens = (*tokens)[:i]
			return ""
		}
		if !beside && !slices.Contains([]string{"to", "in", "into", "under", "within", "at", "as", "near"}, word) {
			continue
		}
		named, _ := until((*tokens)[i+1:], "on", "by")
		words := t.nameIn(named)
		if beside && len(named) > 0 && (named[0].word == "i" || named[0].word == "we" || named[0].word == "anything" || named[0].word == "everything") {
			order.first = true // of what the plan does not name
			*tokens = (*tokens)[:i]
			return ""
		}
		if slices.Contains([]string{"plan", "list", "end", "it", "start", "beginning", "front", "top", "somewhere", ""}, words) {
			order.first = words == "start" || words == "beginning" || words == "front" || words == "top"
			*tokens = slices.Delete(slices.Clone(*tokens), i, i+1+len(named))
			return ""
		}
		thing, found := t.thing(words)
		switch {
		case !found && beside && words != "":
			return fmt.Sprintf("%q is not the name of just one thing in the plan, so nothing was changed. %s Which do you mean?", words, t.names())
		case !found:
			continue
		case beside:
			order.beside, order.behind = &thing, word == "after"
		default:
			order.into = thing.Milestone
		}
		*tokens = slices.Delete(slices.Clone(*tokens), i, i+1+len(named))
		return ""
	}
	return ""
}

// titleOf returns the words of what is added, without those around them.
func titleOf(tokens []token) string {
	around := words("a an the another new extra one more milestone milestones phase phases stage stages task tasks step item called named titled for about with also and in there to of on")
	for _, k := range tokens {
		if k.part != nil && k.part.kind == quoted {
			return capital(clip(k.part.title, 120))
		}
	}
	if at := (clause{tokens, false}).at("called", "named", "titled"); at >= 0 {
		tokens = tokens[at+1:]
	}
	for len(tokens) > 0 && around[tokens[0].word] {
		tokens = tokens[1:]
	}
	if pause := slices.IndexFunc(tokens, func(k token) bool { return k.comma }); pause >= 0 {
		tokens = tokens[:pause+1]
	}
	for len(tokens) > 0 && (around[tokens[len(tokens)-1].word] || fillers[tokens[len(tokens)-1].word] && tokens[len(tokens)-1].word != "up") {
		tokens = tokens[:len(tokens)-1]
	}
	return capital(clip(text(tokens), 120))
}

func (t *turn) insert(order addition) string {
	hours := 0.0
	for _, p := range order.hours {
		hours += p.hours
	}
	dated := len(order.hours) > 0 && !order.when.first.IsZero()
	if !order.milestone && (order.task || dated || order.into >= 0 || order.beside != nil && order.beside.Task >= 0) {
		return t.insertTask(order, cmp.Or(hours, taskHours))
	}
	if t.called(order.title) {
		return fmt.Sprintf("There is a milestone %q already. Give it another name, or say what to change of it.", order.title)
	}
	lower := strings.ToLower(order.title[:1]) + order.title[1:]
	m := milestone(order.title, "Prepare "+lower, "Carry out "+lower)
	for i := range m.Tasks {
		m.Tasks[i].EstimatedHours = min(workdayHours, max(quarter, cmp.Or(hours/2, taskHours)))
	}
	if !order.when.first.IsZero() {
		for _, task := range m.Tasks {
			t.wanted[task.Title] = order.when
		}
	}
	place := len(t.draft.Milestones)
	if order.first {
		place = 0
	} else if order.beside != nil {
		place = order.beside.Milestone
		if order.behind {
			place++
		}
	} else if m.Tests() {
		place = t.beforeLaunch()
	}
	t.draft.Milestones = slices.Insert(t.draft.Milestones, place, m)
	t.added = m.Title
	return ""
}

// beforeLaunch is where a test belongs: before what is launched, or at the end.
func (t *turn) beforeLaunch() int {
	i := slices.IndexFunc(t.draft.Milestones, func(m goal.Milestone) bool {
		return goal.Names("launch", m.Title) || goal.Names("publish", m.Title) || goal.Names("release", m.Title)
	})
	if i <= 0 {
		return len(t.draft.Milestones)
	}
	return i
}

func (t *turn) insertTask(order addition, hours float64) string {
	into, place := order.into, -1
	if order.beside != nil {
		into = order.beside.Milestone
		if place = order.beside.Task; place >= 0 && order.behind {
			place++
		}
	}
	if order.first && into < 0 {
		into, place = 0, 0
	} else if into < 0 {
		into = len(t.draft.Milestones) - 1
		for i, m := range t.draft.Milestones {
			if goal.Names(m.Title, order.title) {
				into = i
			}
		}
	}
	m := &t.draft.Milestones[into]
	if place < 0 {
		place = len(m.Tasks)
	}
	if slices.ContainsFunc(m.Tasks, func(other goal.Task) bool { return strings.EqualFold(other.Title, order.title) }) {
		return fmt.Sprintf("There is a task %q in %q already. Give it another name.", order.title, m.Title)
	}
	if order.first {
		place = 0
	}
	if !order.when.first.IsZero() {
		t.wanted[order.title], t.moved[order.title] = order.when, true
	}
	t.added = order.title
	m.Tasks = slices.Insert(m.Tasks, place, goal.Task{Title: order.title, EstimatedHours: min(hours, workdayHours)})
	return ""
}
