package offline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

const (
	taskHours    = 2.0  // of a task, where nothing is said of hours
	workdayHours = 8.0  // the most of a day
	quarter      = 0.25 // the least that a task takes, and by how much it changes
)

// leadIn is what people say before the goal itself.
var leadIn = goal.Pattern(`(?i)^\s*(?:(?:hi|hello|hey|please|thanks|no|ok|okay|so|well|instead|let'?s start over|start(?:ing)? over|from scratch|forget (?:it|the plan)|scrap (?:it|the plan|everything)|(?:a )?(?:new|another|different) plan|there)[,!:. ]+)*` +
	`(?:(?:can|could|would|will) you\s+(?:please\s+)?|please\s+|i(?:'d| would) like(?: you)? to\s+|i (?:really )?(?:want|need|plan|intend|have|hope) (?:you )?to\s+|(?:need|want) to\s+|i(?:'m| am) (?:going|planning|trying|hoping|wanting) to\s+|let'?s\s+|help me(?: to)?\s+|my goal is(?: to)?\s+|the goal is(?: to)?\s+|goal:\s*|i (?:want|need)\s+)*` +
	`(?:(?:help me\s+)?(?:make|create|draft|write|give|build|prepare|set up|draw up)(?: me)? (?:a |an |the |my )?(?:goal |project |study |training |work |weekly )?plan\s+(?:for|to|on|about)\s+|plan(?: for| to)?\s+)?(?:how to\s+)?(?:my goal (?:of|to)\s+)?`)

// ends of a goal: what follows is a wish.
var (
	wishes = words("i im ive id we but not no dont cant must should can cannot only please maybe preferably ideally because since although while unless before after while when once instead if whenever every each without starting start keep make although though so")
	preps  = words("in due by on within before until till for over at from during with under around about starting and to max maximum of up most than less no more only after")
	stated = words("i im ive we were weve he she they my our his her it its that this there one") // what is told is no goal
	noGoal = words("what why who whose when where which is are am was were do does did this that it the hello hi thanks yes no ok what's")
)

// newPlan drafts a plan from the first clause that is a goal, or returns what to ask.
func (t *turn) newPlan(clauses []clause) (question string) {
	goalAt, spoke := -1, false
	if slices.ContainsFunc(clauses, leads) {
		spoke = true // the goal is where somebody says that it is
	}
	for i, c := range clauses {
		if goalAt < 0 && !t.ofTimeAlone(c) && (i == 0 || leads(c) || !spoke) {
			if title := t.takeGoal(c); title != "" {
				goalAt, t.draft = i, goal.Draft{Title: capital(clip(title, 120)), Milestones: milestonesFor(clip(title, 120))}
			}
		} else if when := c.parts(days); len(when) > 0 && (c.tokens[0].word == "start" || c.tokens[0].word == "begin" || c.tokens[0].word == "starting") {
			t.window = window{when[0].first, when[0].first.AddDate(2, 0, 0)}
			c.useAll()
		} else if called, _ := c.command(); goal.Approves(text(c.tokens)) || t.hearTime(c, called) {
			c.useAll()
		}
		if rest := c.rest(); rest != "" && !goal.Approves(text(c.tokens)) && c.wishes() {
			t.rest = append(t.rest, rest)
		} else if rest != "" && !goal.Approves(text(c.tokens)) {
			t.unused = append(t.unused, rest)
		}
	}
	t.hearOnlyDay(clauses)
	if goalAt < 0 {
		t.rest, t.unused = nil, nil
		if len(t.questions) == 0 {
			stands := "There is no plan yet."
			if t.before.Preview != nil {
				stands = "The plan stands until there is another."
			}
			t.questions = append(t.questions, stands+" What is your goal? For example: \"Build a portfolio website within 20 hours\".")
		}
		return ""
	}
	return ""
}

// hearOnlyDay takes the one day that a first message names, and nothing else uses, for
// the day of the goal.
func (t *turn) hearOnlyDay(clauses []clause) {
	for _, c := range clauses {
		for i, k := range c.tokens {
			if k.part != nil && k.part.kind == days && !k.used && !k.part.weekly && k.part.first.Equal(k.part.last) && t.said.Deadline == "" && !c.negated() && !c.question() {
				t.said.Deadline, c.tokens[i].used = k.part.last.Format(time.DateOnly), true
				t.rest = slices.DeleteFunc(t.rest, func(rest string) bool { return rest == k.text })
			}
		}
	}
	t.s, _ = t.before.Hear(t.said)
}

// leads reports whether a clause has words with which people say what they want to reach.
func leads(c clause) bool { return lead(c) > 0 }

// lead returns how many words of a clause come before a goal that people announce, 0
// where they do not.
func lead(c clause) int {
	typed := joined(c.tokens) + " "
	for _, at := range goalLead().FindAllStringIndex(typed, -1) {
		words, length := 0, 0
		for ; words < len(c.tokens) && length < at[1]; words++ {
			length += len(joined(c.tokens[words:words+1])) + 1
		}
		doing := goalDoing().MatchString(typed[at[0]:at[1]])
		if words < len(c.tokens) && (!doing || strings.HasSuffix(c.tokens[words].word, "ing")) {
			return words
		}
	}
	return 0
}

var (
	goalLead = goal.Pattern(`(?i)(?:^|[ ,])(?:(?:i|we)(?:'d| would| should)?(?: really)? (?:want|need|have|hope|plan|wish|like|love)(?: you)? to |i(?:'m| am) (?:planning|trying|hoping|wanting) to |` +
		`(?:my|the|our) goal (?:is(?: to)?|of) |goal[:,]? |help me(?: to)? |(?:i(?:'ve| have)(?: got)?) an? |` + doing + `)|^(?:(?:hi|hello|hey|please|so),? )*(?:(?:need|want|going) to |plan )`)
	goalDoing = goal.Pattern(`(?i)^[ ,]?` + doing + `$`)
)

// doing begins a goal where what somebody does follows: "we're redoing our kitchen".
const doing = `(?:i(?:'m| am)|we(?:'re| are)) `

// ofTimeAlone reports whether a clause of a first message speaks of the user's time and
// of no goal.
func (t *turn) ofTimeAlone(c clause) bool {
	first := c.tokens[0].word
	if c.has("it", "them", "those", "that") && leadIn().FindString(text(c.tokens)) == "" && !leads(c) {
		return true // of something that is not there
	}
	if called, _ := c.command(); called != nil && !leads(c) && c.has("milestone", "milestones", "task", "tasks", "phase", "stage", "it", "everything", "hours") {
		return true // of a plan that is not there
	}
	if slices.Contains(negatives, first) || wishes[first] && !leads(c) && leadIn().FindString(joined(c.tokens)+" ") == "" || stated[first] && !leads(c) || goal.Approves(text(c.tokens)) {
		return true
	}
	timed := len(c.parts(days))+len(c.parts(clock))+len(c.parts(amount)) > 0
	return timed && (c.has(meetings...) || c.negated() || !slices.ContainsFunc(c.tokens, func(k token) bool { return k.part == nil && !fillers[k.word] }))
}

// takeGoal returns the goal of a clause, "" where it has none, and hears what the clause
// says of time beside it.
func (t *turn) takeGoal(c clause) string {
	typed := joined(c.tokens)
	skip := max(len(strings.Fields(leadIn().FindString(typed+" "))), lead(c))
	tokens := c.tokens[min(skip, len(c.tokens)):]
	end := len(tokens)
	for i, k := range tokens {
		if k.part != nil && k.part.kind != quoted || i > 0 && (wishes[k.word] || ofSteps(tokens[i:]) || tokens[i-1].comma) {
			end = i
			break
		}
	}
	named := end
	for named > 0 && end < len(tokens) && tokens[end].part != nil && preps[tokens[named-1].word] {
		named--
	}
	title := strings.Trim(joined(tokens[:named]), " ,.!")
	if len(tokens) == 0 || noGoal[tokens[0].word] || c.asks && skip == 0 || !hasWord(tokens[:named]) {
		return ""
	}
	for i := range tokens[:end] {
		tokens[i].used = true
	}
	for i := range c.tokens[:min(skip, len(c.tokens))] {
		c.tokens[i].used = true
	}
	t.hearBeside(clause{tokens[named:], c.asks})
	return title
}

// ofSteps reports whether tokens begin to list the steps of a plan.
func ofSteps(tokens []token) bool {
	return tokens[0].word == "with" && slices.ContainsFunc(tokens, func(k token) bool {
		return slices.Contains([]string{"milestones", "milestone", "phases", "steps", "tasks", "parts", "stages"}, k.word)
	})
}

func hasWord(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(k token) bool {
		return k.part != nil || !fillers[k.word] && strings.ContainsFunc(k.word, unicode.IsLetter) && utf8.RuneCountInString(k.word) > 1
	})
}

// hearBeside hears what stands beside a goal: a day to begin on or to have it done by,
// hours, and days off.
func (t *turn) hearBeside(c clause) {
	if len(c.tokens) == 0 {
		return
	}
	for i := range c.tokens {
		k := &c.tokens[i]
		if k.part == nil {
			continue
		}
		before := ""
		if i > 0 {
			before = c.tokens[i-1].word
		}
		switch p := *k.part; {
		case p.kind == amount && slices.ContainsFunc(c.parts(days), func(p part) bool { return p.weekly }):
			k.used = true
			t.hearDaily(clause{c.tokens[i : i+1], false}, nil)
		case p.kind == amount:
			k.used = true
			t.hearAmount(p)
		case p.kind != days || c.negated() || c.has("only") || p.weekly:
		case before == "from" || before == "starting" || before == "after" || before == "start" || before == "beginning":
			k.used, t.window = true, window{p.first, p.first.AddDate(2, 0, 0)}
		default:
			k.used = true
			end := p.last
			if before == "before" {
				end = p.first.AddDate(0, 0, -1)
			} else if before == "by" && p.last.Sub(p.first) > 20*24*time.Hour && p.first.After(t.s.Now) {
				end = p.first
			}
			if before != "by" && before != "until" && before != "before" && p.first.After(tomorrow(t.s)) && p.last.Sub(p.first) < 8*24*time.Hour && !p.first.Equal(p.last) {
				t.window.first = p.first
			}
			t.said.Deadline = end.Format(time.DateOnly)
		}
	}
	c.use("starting", "start", "beginning", "by", "until", "before", "max", "maximum")
	t.s, _ = t.before.Hear(t.said)
	if c.negated() || c.has("only") {
		t.hearTime(c, nil)
	}
}

// builds are goals that end in something built; what it matches first is not
// what the goal is about.
var builds = goal.Pattern(`(?i)^(?:(?:build|create|make|develop|design|launch|open|set up|start|code|program)\s+|` +
	`(?:(?:an?|the|my|our)\s+)?(?:[\w-]+\s+){0,2}?(?:web ?site|app|application|site|blog|portfolio|shop|store|game|tool|api|dashboard|prototype|product)\b)`)

// What is built and other goals are gone about in these milestones of two tasks;
// %s is what the goal is about, up to its first comma.
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

// window is when what has no day may be placed: from one day to another.
type window struct{ first, last time.Time }

func tomorrow(s goal.Situation) time.Time { return dayAt(s.Now, 1) }

// settle makes the draft fit what is known: its hours, and a day for each task.
func (t *turn) settle() (question string) {
	if question := t.fit(); question != "" {
		return question
	}
	if t.window.first.IsZero() {
		t.window.first = tomorrow(t.s)
	}
	for _, wanted := range t.wanted {
		if wanted.last.Before(dayAt(t.s.Now, 0)) {
			return fmt.Sprintf("%s is over. Which day do you mean?", wanted.last.Format(time.DateOnly))
		}
	}
	if end := t.s.Told.Deadline; end != "" && end != t.before.Told.Deadline && end < dayAt(t.s.Now, 0).Format(time.DateOnly) {
		return fmt.Sprintf("%s is over. By which day do you mean?", end)
	}
	t.free()
	placed := t.draft
	if question = t.placeAll(placed); question != "" && t.makeRoom(placed) {
		return t.placeAll(placed)
	}
	if question != "" && !t.s.Told.Equal(t.before.Told) && t.before.Preview != nil {
		t.draft = placed.Clone()
		for _, task := range t.tasksOf(t.everything()) {
			if !t.moved[task.Title] {
				task.Date = "" // there may be room where all move
			}
		}
		if t.placeAll(t.draft) == "" {
			return ""
		}
	}
	return question
}

// placeAll places what has no day, with as much in a day as it takes.
func (t *turn) placeAll(draft goal.Draft) (question string) {
	for limit := 0.0; limit <= workdayHours; limit += 2 {
		t.draft = draft.Clone()
		const most = 20
		for n := 0; ; n++ {
			if question = t.place(limit); question != "" || !t.free() {
				break
			} else if n == most {
				question = "I cannot find days for all of that. Say it in two messages."
				break
			}
		}
		if question == "" {
			return ""
		}
	}
	return question
}

// makeRoom takes the days away from what a new test tests, so that it ends before the
// days that the test was asked for. It reports whether there is such a test.
func (t *turn) makeRoom(d goal.Draft) bool {
	t.draft = d
	for i, m := range d.Milestones {
		wanted, is := t.wanted[m.Tasks[0].Title]
		if i == 0 || !is || !m.Tests() {
			continue
		}
		for k := range i {
			for _, task := range t.tasksOf([]goal.Thing{{Milestone: k, Task: -1}}) {
				t.wanted[task.Title], task.Date = window{tomorrow(t.s), wanted.last}, ""
			}
		}
		return true
	}
	return false
}

// free takes the day away from tasks that may not stay on it: it is kept free, too late,
// or before what they follow. A task that was moved stays, and those of its milestone
// come in the order of their days. It reports whether there was one.
func (t *turn) free() (found bool) {
	pending := t.s.Pending(t.draft)
	calendar := t.s.Days(goal.Draft{})
	for i := range t.draft.Milestones {
		m := &t.draft.Milestones[i]
		if slices.ContainsFunc(m.Tasks, func(task goal.Task) bool { return t.moved[task.Title] && task.Date != "" }) {
			slices.SortStableFunc(m.Tasks, func(a, b goal.Task) int {
				if a.Date == "" || b.Date == "" {
					return 0
				}
				return cmp.Compare(a.Date, b.Date)
			})
			pending = t.s.Pending(t.draft)
		}
		earliest := t.earliest(t.draft, i)
		for j := range m.Tasks {
			task := &m.Tasks[j]
			early := task.Date < earliest && !t.moved[task.Title] && len(task.Date) == len(time.DateOnly)
			if slices.Contains(pending, task) && task.Date != "" && (early || t.unfit(*task) || !calendar.Paced(*task)) {
				task.Date, found = "", true
			}
			calendar.TakeTask(*task)
			earliest = max(earliest, task.Date)
		}
	}
	return found
}

// earliest returns the day before which a milestone must not begin: a test not before
// what it tests ends, and one that followed another in the preview not before that does.
func (t *turn) earliest(d goal.Draft, i int) (day string) {
	if i > 0 && d.Milestones[i].Tests() {
		day = lastDay(d.Milestones[i-1])
	}
	for k := i - 1; k >= 0; k-- {
		if t.followed(d.Milestones[k], d.Milestones[i]) {
			for _, between := range d.Milestones[k:i] {
				day = max(day, lastDay(between))
			}
			return day
		}
	}
	return day
}

// followed reports whether a milestone began after another in the preview, and neither
// was moved by itself since.
func (t *turn) followed(before, m goal.Milestone) bool {
	if t.before.Preview == nil || t.before.StartsOver || t.moved[m.Title] || t.moved[before.Title] {
		return false
	}
	was := func(title string) int {
		return slices.IndexFunc(t.before.Preview.Milestones, func(other goal.Milestone) bool { return strings.EqualFold(other.Title, title) })
	}
	i, j := was(before.Title), was(m.Title)
	if i < 0 || j < 0 || len(t.before.Preview.Milestones[j].Tasks) == 0 {
		return false
	}
	return t.before.Preview.Milestones[j].Tasks[0].Date >= lastDay(t.before.Preview.Milestones[i])
}

func lastDay(m goal.Milestone) (last string) {
	for _, task := range m.Tasks {
		last = max(last, task.Date)
	}
	return last
}

// unfit reports whether a task by itself breaks what is known of the user's time.
func (t *turn) unfit(task goal.Task) bool {
	alone := t.s
	alone.Preview = nil
	broken := alone.Check(goal.Draft{Title: "x", Milestones: []goal.Milestone{{Title: "x", Tasks: []goal.Task{task}}}})
	return slices.ContainsFunc(broken, func(v goal.Violation) bool { return v.Kind == goal.Overlap || v.Kind == goal.Late })
}

// place gives each task without a day the first that has room, where at most so many
// hours of a day are to be taken.
func (t *turn) place(limit float64) (question string) {
	draft, calendar := t.draft.Clone(), goal.Days{}
	undated := func(d goal.Draft) goal.Draft {
		d = d.Clone()
		for i := range d.Milestones {
			d.Milestones[i].Tasks = slices.DeleteFunc(d.Milestones[i].Tasks, func(task goal.Task) bool { return task.Date == "" })
		}
		return d
	}
	calendar = t.s.Days(undated(draft))
	end := ""
	for i := range draft.Milestones {
		m := &draft.Milestones[i]
		earliest := t.earliest(draft, i)
		_, wanted := t.wanted[m.Tasks[0].Title]
		if !slices.ContainsFunc(m.Tasks, func(task goal.Task) bool { return task.Date != "" }) && !wanted {
			earliest = max(earliest, end) // a milestone without a day follows the one before
		}
		for j := range m.Tasks {
			task := &m.Tasks[j]
			if task.Date == "" {
				day, found := t.dayFor(*task, calendar, earliest, limit)
				if !found {
					return t.noRoom(*task, earliest)
				}
				task.Date = day
				calendar.TakeTask(*task)
			}
			earliest = max(earliest, task.Date[:10])
		}
		end = max(end, earliest)
	}
	t.draft = draft
	return ""
}

func (t *turn) dayFor(task goal.Task, calendar goal.Days, earliest string, limit float64) (string, bool) {
	first, last := t.window.first, t.window.last
	if wanted, is := t.wanted[task.Title]; is {
		first, last = wanted.first, wanted.last
	}
	if from, moved := t.notBefore[task.Title]; moved {
		first = from
	}
	if first.Before(dayAt(t.s.Now, 0)) {
		first = tomorrow(t.s)
	}
	if last.IsZero() {
		last = first.AddDate(2, 0, 0)
	}
	single := first.Equal(last)
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if day.Format(time.DateOnly) < earliest && !t.moved[task.Title] || !single && !t.s.Told.Workday(day) && !t.weekendAlone(first, last) {
			continue
		}
		if calendar.Free(day, task.EstimatedHours, limit) {
			return day.Format(time.DateOnly), true
		}
	}
	return "", false
}

// weekendAlone reports whether a window is a weekend.
func (t *turn) weekendAlone(first, last time.Time) bool {
	return first.Weekday() == time.Saturday && last.Sub(first) < 48*time.Hour
}

func (t *turn) noRoom(task goal.Task, earliest string) string {
	asked := t.window
	if wanted, is := t.wanted[task.Title]; is {
		asked = wanted
	}
	first, last := max(asked.first.Format(time.DateOnly), earliest), t.s.Told.Deadline
	if !asked.last.IsZero() {
		last = asked.last.Format(time.DateOnly)
	}
	if last != "" {
		return fmt.Sprintf("There is no room for %q between %s and %s. Which other days, or how many hours, would do?", task.Title, first, last)
	}
	return fmt.Sprintf("There is no room for %q from %s on. Which other days, or how many hours, would do?", task.Title, first)
}

// fit brings the hours of what is to be done within the limits, and lets them grow back
// where they were at the limit before.
func (t *turn) fit() (question string) {
	pending := t.s.Pending(t.draft)
	most := workdayHours
	for _, limit := range []float64{t.s.Told.PerDay, t.s.Told.PerWeek} {
		if limit > 0 {
			most = min(most, limit)
		}
	}
	for _, task := range t.pinned {
		if task.EstimatedHours > max(most, quarter)+1e-9 {
			return fmt.Sprintf("%q cannot take %s hours: %s is the most of a day. Split it, or say how many hours a day or week there are.", task.Title, goal.Number(task.EstimatedHours), goal.Number(most))
		}
	}
	for _, task := range pending {
		task.EstimatedHours = min(task.EstimatedHours, max(most, quarter))
	}
	limit, limited := t.s.Limit(t.draft)
	if !limited {
		return ""
	}
	if limit < quarter*float64(len(pending)) {
		return fmt.Sprintf("%s h in all is too little for %s. Which should go? Or say another limit, such as \"I have 40 hours\", or \"no limit on the hours\".",
			goal.Number(limit), goal.Count(len(pending), "task"))
	}
	if pending.Within(limit) {
		if !t.grows(pending, limit) {
			return ""
		}
		if !t.s.Told.Said { // the client's limit is none to be used up
			limit = max(pending.Hours(), min(limit, taskHours*float64(len(pending))))
		}
	}
	free := slices.DeleteFunc(slices.Clone(pending), func(task *goal.Task) bool { return slices.Contains(t.pinned, task) })
	kept := pending.Hours() - goal.Pending(free).Hours()
	if limit-kept < quarter*float64(len(free)) {
		return fmt.Sprintf("That is more than fits into %s hours. Say fewer, or another limit, such as \"I have 40 hours\".", goal.Number(limit))
	}
	if len(free) == 0 {
		return ""
	}
	t.resize(free, limit-kept)
	return ""
}

// grows reports whether the hours of a plan are to take up a new limit: those of a new
// plan are, and those that were at the limit before.
func (t *turn) grows(pending goal.Pending, limit float64) bool {
	if t.before.Preview == nil || t.before.StartsOver {
		return true
	}
	before, limited := t.before.Limit(*t.before.Preview)
	return limited && limit > before && t.before.Pending(*t.before.Preview).Hours() > before-quarter*float64(len(pending))
}

func roundDown(hours float64) float64 { return math.Floor(hours/quarter+1e-9) * quarter }

// resize brings tasks to so many hours in all, as near as quarters and days allow.
func (t *turn) resize(tasks []*goal.Task, hours float64) {
	sum := goal.Pending(tasks).Hours()
	for _, task := range tasks {
		task.EstimatedHours = min(workdayHours, max(quarter, roundDown(task.EstimatedHours*hours/sum)))
	}
	for range 10 * len(tasks) {
		left := hours - goal.Pending(tasks).Hours()
		shortest := slices.MinFunc(tasks, func(a, b *goal.Task) int { return cmp.Compare(a.EstimatedHours, b.EstimatedHours) })
		longest := slices.MaxFunc(tasks, func(a, b *goal.Task) int { return cmp.Compare(a.EstimatedHours, b.EstimatedHours) })
		switch {
		case left < -1e-9 && longest.EstimatedHours > quarter:
			longest.EstimatedHours -= quarter
		case left >= quarter && shortest.EstimatedHours < workdayHours:
			shortest.EstimatedHours += quarter
		default:
			return
		}
	}
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
