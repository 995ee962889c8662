package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// addition is what is to be added, and where.
type addition struct {
	title     string
	milestone bool // it was said to be one
	task      bool
	into      int      // the milestone of a task; -1 is not said
	tasks     []string // of a milestone
	beside    *goal.Thing
	behind    bool
	first     bool // at the start
	hours     float64
	when      window
}

var (
	milestoneWords = wordsOf("milestone milestones phase phases stage stages")
	taskWords      = wordsOf("task tasks step todo item")
)

// add adds a milestone or task, or several that the message lists.
func (t *turn) add(c clause, at int) string {
	if at < 0 && (t.wantsItems(c) || t.listsMore(c)) {
		return t.addItems(c)
	}
	order := addition{into: -1}
	start := at + 1
	if at < 0 {
		start, order.into = t.wishBegins(c)
	}
	region := c.tokens[start:]
	if things, question, is := t.hoursAdded(c, region); is {
		return t.hoursOf(c, c.parts(hours)[0], things, question)
	}
	rest := clause{tokens: region}
	if every := rest.at("every", "each"); every > 0 && every+1 < len(region) && kinds[region[every+1].word] {
		return t.addToAll(c, plainTitle(region[:every]), c.parts(hours))
	}
	if with := rest.at("with"); with > 0 && (clause{tokens: region[with:]}).any(plurals) {
		if order.tasks = listed(region[with:]); len(order.tasks) == 0 {
			t.rest = append(t.rest, text(region[with:]))
		}
		region = region[:with]
	}
	region, question := t.target(&order, region)
	if question != "" {
		return question
	}
	t.describe(&order, c, region)
	if titles := listed(region); len(titles) > 1 {
		return t.addEach(c, order, titles)
	}
	if question := t.name(&order, c, region, at < 0); question != "" {
		return question
	}
	c.use()
	return t.insert(order)
}

// addItems adds what the message lists, or lists after an addition.
func (t *turn) addItems(c clause) string {
	if t.listsMore(c) {
		t.items = namesIn(c.tokens)
	}
	titles := t.items
	t.items, t.rest = nil, nil
	return t.addEach(c, addition{into: -1, milestone: c.any(milestoneWords)}, titles)
}

// addEach adds several of one kind. Hours that were said are of none of them.
func (t *turn) addEach(c clause, order addition, titles []string) string {
	c.use()
	for _, title := range titles {
		order.title, order.hours = title, 0
		if question := t.insert(order); question != "" {
			return question
		}
	}
	return ""
}

// hoursAdded reports whether a clause adds hours to things, and nothing new: "add 2 hours
// to the sketch".
func (t *turn) hoursAdded(c clause, region []token) (things []goal.Thing, question string, is bool) {
	about := clause{tokens: region}
	if len(c.parts(hours)) == 0 || about.any(kinds) || len(c.parts(quoted)) > 0 {
		return nil, "", false
	}
	things, _, question = t.things(withoutEnds(region))
	toThings := question == "" && about.at("to", "on") >= 0 && region[0].is(hours)
	return things, question, toThings || nameIn(region) == "" && !about.any(pronouns)
}

// describe reads what is added from a clause: its kind, its hours and its days.
func (t *turn) describe(order *addition, c clause, region []token) {
	about := clause{tokens: region}
	order.task = about.any(taskWords)
	order.milestone = about.any(milestoneWords) && !order.task
	for _, p := range c.parts(hours) {
		order.hours += p.hours
	}
	switch when := c.parts(days); {
	case weekly(when):
		t.rest = append(t.rest, "each week") // it is added once
	case len(when) > 0:
		order.when = window{when[0].first, when[0].last}
		if c.before(days, "by", "before") {
			order.when.first = t.tomorrow()
		}
	}
}

// name gives what is added its title, or returns what to ask.
func (t *turn) name(order *addition, c clause, region []token, statement bool) (question string) {
	order.title = plainTitle(region)
	if titles := c.parts(quoted); len(titles) == 1 && order.beside == nil && order.into < 0 {
		order.title = capital(clip(titles[0].title, 120))
	}
	if strings.HasPrefix(order.title, "Each ") || strings.HasPrefix(order.title, "Every ") {
		return "What are their names? For example: \"add tasks: first draft, second draft\"."
	}
	if statement && c.has("own", "separate") {
		order.title = plainTitle(untilPart(c.tokens, obligations))
		order.milestone = !order.task
	}
	if pronouns[strings.ToLower(order.title)] || order.title == "" {
		must := t.must
		order.title, order.task = t.mustTitle(), true
		if at := must.at("before", "after"); at >= 0 {
			_, _ = t.target(order, must.tokens[at:]) // the start, where the plan does not name it
		}
	}
	if order.title == "" {
		return "What should I call it? For example: \"add a testing milestone\"."
	}
	return ""
}

// listed returns the titles that tokens list: "tasks A, B and C".
func listed(tokens []token) (titles []string) {
	for _, p := range (clause{tokens: tokens}).parts(quoted) {
		titles = append(titles, capital(clip(p.title, 120)))
	}
	if len(titles) > 1 {
		return titles
	}
	titles = nil
	start := (clause{tokens: tokens}).find(plurals)
	if start < 0 {
		return nil
	}
	from := start + 1
	for i := from; i <= len(tokens); i++ {
		if i < len(tokens) && tokens[i].word != "and" && !tokens[i-1].pause {
			continue
		}
		if title := plainTitle(tokens[from:i]); title != "" {
			titles = append(titles, title)
		}
		from = i
	}
	return titles
}

// wishBegins returns where a statement begins to name what it wants, and the milestone
// that needs it, -1 where none is named.
func (t *turn) wishBegins(c clause) (at, milestone int) {
	if at = c.wishAt(); kinds[c.tokens[0].word] {
		return 0, -1
	} else if at < 0 {
		return max(0, slices.IndexFunc(c.tokens, func(k token) bool { return k.is(quoted) })), -1
	}
	if thing, found := t.named(c.tokens[:at]); found {
		return at + 1, thing.Milestone
	}
	return at + 1, -1
}

// stages puts stages in the place of the milestones that nobody has changed since the plan
// was drafted. They take the hours of these. A list and nothing else adds its stages.
func (t *turn) stages(c clause, _ int) string {
	names := t.stagesIn(c)
	c.use()
	drafted := milestonesFor(t.draft.Title)
	untouched := func(m goal.Milestone) bool {
		return t.before.Regroups() &&
			slices.ContainsFunc(
				drafted,
				func(d goal.Milestone) bool { return strings.EqualFold(d.Title, m.Title) },
			)
	}
	var stages []goal.Milestone
	sum := 0.0
	for _, m := range t.draft.Milestones {
		if untouched(m) {
			sum += t.tasksOf(goal.Draft{Milestones: []goal.Milestone{m}}, []goal.Thing{{Task: -1}}).Hours()
		}
	}
	for _, name := range names {
		if t.called(name) {
			return fmt.Sprintf("There is a milestone %q already. Give the stage another name.", name)
		}
		m := milestone(name, name+partOf+"1", name+partOf+"2")
		for i := range m.Tasks {
			m.Tasks[i].EstimatedHours = min(
				workdayHours,
				max(quarter, roundDown(cmp.Or(sum, taskHours*6)/float64(2*len(names)))),
			)
		}
		stages = append(stages, m)
	}
	kept := slices.DeleteFunc(slices.Clone(t.draft.Milestones), untouched)
	t.draft.Milestones = append(stages, kept...)
	t.items = nil
	t.rest = nil
	return ""
}

// addToAll adds a task to each milestone.
func (t *turn) addToAll(c clause, title string, amounts []part) string {
	estimated := taskHours
	if len(amounts) > 0 {
		estimated = min(workdayHours, max(quarter, amounts[0].hours))
	}
	c.use()
	for i := range t.draft.Milestones {
		m := &t.draft.Milestones[i]
		if !slices.ContainsFunc(
			m.Tasks,
			func(task goal.Task) bool { return strings.EqualFold(task.Title, title) },
		) {
			m.Tasks = append(m.Tasks, goal.Task{Title: title, EstimatedHours: estimated})
		}
	}
	return ""
}

// aroundTitle are words before and after a title that are none of it.
var (
	beforeTitle = wordsOf(
		`these oh ok so well hmm straight right a an the another new extra one two three four five more some
		milestone milestones phase phases stage stages task tasks step steps item called named titled for
		about with also and in there to of on as it please just maybe something sth can could you we us me i
		would like also then`,
	)
	afterTitle = beforeTitle.with(
		wordsOf(
			`before after because since by from into too well again instead now is are be it that this
				everything
		somewhere at or with`,
		),
	)
	inTitle = wordsOf("up in out off over down on")
)

// plainTitle returns the words of tokens as a title: without those around it, and without
// a wish.
func plainTitle(tokens []token) string {
	for _, k := range tokens {
		if k.is(quoted) {
			return capital(clip(k.part.title, 120))
		}
	}
	if at := (clause{tokens: tokens}).at("called", "named", "titled"); at >= 0 {
		tokens = tokens[at+1:]
	}
	tokens = untilPart(tokens, nil)
	for len(tokens) > 0 && beforeTitle[tokens[0].word] {
		tokens = tokens[1:]
	}
	for i := 1; i < len(tokens); i++ {
		wish := slices.Contains(
			strings.Fields(
				"i we because since which who whose although though while until where should must needs please so if but",
			),
			tokens[i].word,
		)
		if tokens[i-1].pause || wish ||
			(tokens[i].word == "before" || tokens[i].word == "after") && i+1 < len(tokens) &&
				(tokens[i+1].word == "i" || tokens[i+1].word == "we") {
			tokens = tokens[:i]
			break
		}
	}
	for len(tokens) > 0 {
		last := tokens[len(tokens)-1].word
		if !afterTitle[last] ||
			inTitle[last] && len(tokens) > 1 && !fillers[tokens[len(tokens)-2].word] && last != "in" &&
				last != "on" {
			break
		}
		tokens = tokens[:len(tokens)-1]
	}
	return capital(clip(text(tokens), 120))
}

// mustTitle returns what the message says must be done before it asks to add that: "I
// should call my sister" is "Call my sister", "the electrician has to rewire" is
// "Electrician: rewire".
func (t *turn) mustTitle() string {
	c := t.must
	t.must = clause{}
	at := c.find(obligations)
	if at < 0 {
		return ""
	}
	who, what := c.tokens[:at], clause{tokens: c.tokens[at+1:]}
	if end := what.at("before", "after", "and", "so", "because", "since", "if", "when"); end >= 0 {
		what.tokens = what.tokens[:end]
	}
	what.tokens = slices.DeleteFunc(
		slices.Clone(what.tokens),
		func(k token) bool { return k.word == "really" || k.word == "to" && k.text == what.tokens[0].text },
	)
	title, subject := plainTitle(what.tokens), ""
	if at > 0 && !polite[who[at-1].word] && len(who) <= 4 {
		subject = plainTitle(who)
	}
	if subject == "" || title == "" {
		return title
	}
	return subject + ": " + strings.ToLower(title[:1]) + title[1:]
}

func (t *turn) insert(order addition) string {
	if !order.milestone && len(order.tasks) == 0 {
		return t.insertTask(order)
	}
	if t.called(order.title) {
		return fmt.Sprintf(
			"There is a milestone %q already. Give it another name, or say what to change of it.",
			order.title,
		)
	}
	m := milestone(order.title, order.title+partOf+"1", order.title+partOf+"2")
	if len(order.tasks) > 0 {
		m = milestone(order.title, order.tasks...)
	}
	for i := range m.Tasks {
		m.Tasks[i].EstimatedHours = max(quarter, cmp.Or(order.hours/2, taskHours))
		t.pinned[m.Tasks[i].Title] = order.hours > 0
		if !order.when.first.IsZero() {
			t.wanted[m.Tasks[i].Title] = order.when
		}
	}
	place := len(t.draft.Milestones)
	switch {
	case order.first:
		place = 0
	case order.beside != nil:
		place = order.beside.Milestone
		if order.behind {
			place++
		}
	case m.Tests():
		place = t.beforeLaunch()
	}
	t.draft.Milestones = slices.Insert(t.draft.Milestones, place, m)
	t.added = m.Title
	return ""
}

// beforeLaunch is where a test belongs: before what is launched, or at the end.
func (t *turn) beforeLaunch() int {
	i := slices.IndexFunc(t.draft.Milestones, func(m goal.Milestone) bool {
		return goal.Names("launch", m.Title) || goal.Names("publish", m.Title) ||
			goal.Names("release", m.Title)
	})
	if i <= 0 {
		return len(t.draft.Milestones)
	}
	return i
}

func (t *turn) insertTask(order addition) string {
	into, place := order.into, -1
	switch {
	case order.beside != nil:
		into = order.beside.Milestone
		if place = order.beside.Task; place >= 0 && order.behind {
			place++
		}
	case order.first && into < 0:
		into = 0
	case into < 0:
		into = len(t.draft.Milestones) - 1
		for i, m := range t.draft.Milestones {
			if goal.Names(m.Title, order.title) {
				into = i
			}
		}
	}
	m := &t.draft.Milestones[into]
	if order.first {
		place = 0
	} else if place < 0 {
		place = len(m.Tasks)
	}
	if slices.ContainsFunc(
		m.Tasks,
		func(other goal.Task) bool { return strings.EqualFold(other.Title, order.title) },
	) {
		return fmt.Sprintf("There is a task %q in %q already. Give it another name.", order.title, m.Title)
	}
	if !order.when.first.IsZero() {
		t.wanted[order.title], t.moved[order.title] = order.when, true
		t.openFor(order.when, order.hours)
	}
	if order.hours > 0 {
		t.pinned[order.title] = true
	}
	t.added = order.title
	m.Tasks = slices.Insert(
		m.Tasks,
		place,
		goal.Task{Title: order.title, EstimatedHours: max(quarter, cmp.Or(order.hours, taskHours))},
	)
	return ""
}

// detail takes hours, a day or a place of what the message added just before.
func (t *turn) detail(c clause) bool {
	things := t.spokenOf()
	if len(things) == 0 {
		return false
	}
	amounts, when := c.parts(hours), c.parts(days)
	first := c.has("start", "beginning", "front", "first", "top")
	if len(amounts)+len(when) == 0 && !first {
		return false
	}
	c.use()
	if len(amounts) > 0 && t.hoursOf(c, amounts[0], things, "") != "" {
		return false
	}
	if len(when) > 0 {
		t.placeIn(things, func(goal.Task) window { return window{when[0].first, when[0].last} })
	}
	if n := things[0]; first && n.Task >= 0 {
		t.moveTask(n, goal.Thing{}, false)
	} else if first {
		t.moveMilestone(n.Milestone, 0, false)
	}
	return true
}

// capital begins a text with a capital letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

func clip(text string, most int) string {
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), most)]))
}
