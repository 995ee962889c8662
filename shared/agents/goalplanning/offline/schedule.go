package offline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

const (
	taskHours    = 2.0  // of a task, where nothing is said of hours
	workdayHours = 8.0  // the most of a day
	quarter      = 0.25 // the least that a task takes, and by how much it changes
)

// window is when something may be placed: from one day to another; a zero last is open.
type window struct{ first, last time.Time }

func (t *turn) today() time.Time    { return dayAt(t.s.Now, 0) }
func (t *turn) tomorrow() time.Time { return dayAt(t.s.Now, 1) }

// settle makes the draft fit what is known: its hours, and a day for each task.
func (t *turn) settle() (question string) {
	if question := t.fit(); question != "" {
		return question
	}
	for _, wanted := range t.wanted {
		if !wanted.last.IsZero() && wanted.last.Before(t.today()) {
			return fmt.Sprintf("%s is over. Which day do you mean?", wanted.last.Format(time.DateOnly))
		}
	}
	if end := t.s.Told.Deadline; end != "" && end != t.before.Told.Deadline &&
		end < t.today().Format(time.DateOnly) {
		return fmt.Sprintf("%s is over. By which day do you mean?", end)
	}
	question = t.placeAll(t.draft)
	if question != "" && t.mayPlaceAnew() {
		anew := t.draft.Clone()
		for _, task := range t.tasksOf(anew, everything(anew)) {
			if !t.moved[task.Title] {
				task.Date = ""
			}
		}
		if t.placeAll(anew) == "" {
			return ""
		}
	}
	return question
}

// mayPlaceAnew reports whether tasks that the message does not name may move: where there
// is less time than before, or a test must come after what it tests.
func (t *turn) mayPlaceAnew() bool {
	tests := slices.ContainsFunc(t.draft.Milestones, func(m goal.Milestone) bool {
		_, wanted := t.wanted[m.Tasks[0].Title]
		return wanted && m.Tests()
	})
	return tests || !t.s.Told.Equal(t.before.Told)
}

// placeAll gives each task of a draft its day. Where it can, it keeps the days that there
// are, and it takes as little of a day as it can.
func (t *turn) placeAll(draft goal.Draft) (question string) {
	for _, keeps := range []bool{true, false} {
		for most := 0.0; most <= workdayHours && !(keeps && most > workdayHours/2); most += 2 {
			placed := draft.Clone()
			question = t.place(placed, most, keeps)
			if question == "" {
				t.draft = placed
				return ""
			}
		}
	}
	return question
}

// placing is one attempt to place a draft's tasks.
type placing struct {
	*turn
	draft    goal.Draft
	pending  goal.Pending
	calendar goal.Days
	most     float64             // hours of a day that has something already
	keeps    bool                // a task that has its day keeps it
	taken    map[*goal.Task]bool // that are in the calendar
}

// place gives each task without a day the first that has room. What was moved by itself
// comes first; the others come in their order. A task keeps its day where that still holds.
func (t *turn) place(draft goal.Draft, most float64, keeps bool) (question string) {
	p := placing{t, draft, t.s.Pending(draft), t.s.Days(goal.Draft{}), most, keeps, map[*goal.Task]bool{}}
	for _, moved := range []bool{true, false} {
		open := false // a task before has no day
		for i := range draft.Milestones {
			for j := range draft.Milestones[i].Tasks {
				task := &draft.Milestones[i].Tasks[j]
				switch fixed := !slices.Contains(p.pending, task) || len(task.Date) > len(time.DateOnly); {
				case t.moved[task.Title] != moved:
				case task.Date == "" || !fixed && (t.unfit(*task) || !p.calendar.Paced(*task)):
					task.Date, open = "", true
				case fixed || moved || keeps || !open:
					p.take(task)
				}
			}
		}
	}
	for i := range draft.Milestones {
		earliest := ""
		for j := range draft.Milestones[i].Tasks {
			task := &draft.Milestones[i].Tasks[j]
			if !t.moved[task.Title] || task.Date != "" {
				continue
			}
			if question := p.set(task, earliest); question != "" {
				return question
			}
			earliest = task.Date
		}
	}
	return p.placeRest()
}

func (p placing) take(task *goal.Task) {
	p.calendar.TakeTask(*task)
	p.taken[task] = true
}

func (p placing) set(task *goal.Task, earliest string) (question string) {
	day, found := p.dayFor(*task, p.calendar, earliest, p.most)
	if !found {
		return p.noRoom(*task, earliest)
	}
	task.Date = day
	p.take(task)
	return ""
}

// placeRest places what was not moved by itself, in its order.
func (p placing) placeRest() (question string) {
	end := ""
	for i := range p.draft.Milestones {
		m := &p.draft.Milestones[i]
		earliest := p.earliest(p.draft, i)
		_, wanted := p.wanted[m.Tasks[0].Title]
		if fresh := !slices.ContainsFunc(m.Tasks,
			func(task goal.Task) bool { return task.Date != "" }); fresh &&
			!wanted {
			earliest = max(earliest, end) // a milestone without a day follows the one before
		}
		for j := range m.Tasks {
			task := &m.Tasks[j]
			if p.moved[task.Title] {
				continue
			}
			if question := p.keepOrSet(task, earliest); question != "" {
				return question
			}
			earliest = max(earliest, task.Date[:10])
		}
		if slices.ContainsFunc(m.Tasks, func(task goal.Task) bool { return p.moved[task.Title] }) {
			slices.SortStableFunc(
				m.Tasks,
				func(a, b goal.Task) int { return cmp.Compare(a.Date[:10], b.Date[:10]) },
			)
		}
		end = max(end, lastDay(*m))
	}
	return ""
}

// keepOrSet leaves a task on its day where that is not too early and has room.
func (p placing) keepOrSet(task *goal.Task, earliest string) (question string) {
	early := task.Date != "" && task.Date < earliest && len(task.Date) == len(time.DateOnly) &&
		slices.Contains(p.pending, task)
	switch {
	case early && p.keeps:
		return p.noRoom(*task, earliest)
	case early && p.taken[task]:
		back := *task
		back.EstimatedHours = -back.EstimatedHours
		p.calendar.TakeTask(back)
	case task.Date != "" && p.taken[task]:
		return ""
	case task.Date != "" && !early:
		if at, err := time.ParseInLocation(time.DateOnly, task.Date, p.s.Now.Location()); err == nil &&
			p.calendar.Free(at, task.EstimatedHours, workdayHours) {
			p.take(task)
			return ""
		}
	}
	return p.set(task, earliest)
}

// earliest returns the day before which a milestone must not begin: a test not before what
// it tests ends, and one that followed another in the preview not before that does.
func (t *turn) earliest(d goal.Draft, i int) (day string) {
	if i > 0 && d.Milestones[i].Tests() {
		day = lastDay(d.Milestones[i-1])
	}
	for _, m := range d.Milestones[:i] {
		if t.isNew(m) && !t.moved[d.Milestones[i].Title] {
			day = max(day, lastDay(m)) // what was put before this one comes before it
		}
	}
	for k := i - 1; k >= 0; k-- {
		if t.followed(d.Milestones[k], d.Milestones[i]) {
			day = max(day, lastDay(d.Milestones[k]))
		}
	}
	return day
}

// isNew reports whether a milestone is none of the preview's.
func (t *turn) isNew(m goal.Milestone) bool {
	return t.fresh || !slices.ContainsFunc(t.before.Preview.Milestones, func(was goal.Milestone) bool {
		return strings.EqualFold(was.Title, m.Title) ||
			len(m.Tasks) > 0 && len(was.Tasks) > 0 && was.Tasks[0].Title == m.Tasks[0].Title
	})
}

// followed reports whether a milestone began after another in the preview, and neither was
// moved by itself since.
func (t *turn) followed(before, m goal.Milestone) bool {
	if t.fresh || t.moved[m.Title] || t.moved[before.Title] {
		return false
	}
	was := func(title string) *goal.Milestone {
		for _, other := range t.before.Preview.Milestones {
			if strings.EqualFold(other.Title, title) && len(other.Tasks) > 0 {
				return &other
			}
		}
		return nil
	}
	one, two := was(before.Title), was(m.Title)
	return one != nil && two != nil && two.Tasks[0].Date >= lastDay(*one)
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
	broken := alone.Check(
		goal.Draft{Title: "x", Milestones: []goal.Milestone{{Title: "x", Tasks: []goal.Task{task}}}},
	)
	return slices.ContainsFunc(
		broken,
		func(v goal.Violation) bool { return v.Kind == goal.Overlap || v.Kind == goal.Late },
	)
}

// windowOf returns when a task may be placed.
func (t *turn) windowOf(task goal.Task) window {
	w, wanted := t.wanted[task.Title]
	if !wanted {
		w = t.window
	}
	if w.first.Before(t.today()) {
		w.first = t.tomorrow()
	}
	return w
}

func (t *turn) dayFor(task goal.Task, calendar goal.Days, earliest string, most float64) (string, bool) {
	w := t.windowOf(task)
	last := w.last
	if last.IsZero() {
		last = w.first.AddDate(2, 0, 0)
	}
	asked := w.first.Equal(w.last) ||
		w.first.Weekday() == time.Saturday && last.Sub(w.first) < 48*time.Hour // one day, or a weekend
	for day := w.first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if day.Format(time.DateOnly) < earliest || !asked && !t.s.Told.Workday(day) {
			continue
		}
		if calendar.Free(day, task.EstimatedHours, most) {
			return day.Format(time.DateOnly), true
		}
	}
	return "", false
}

func (t *turn) noRoom(task goal.Task, earliest string) string {
	w := t.windowOf(task)
	first, last := max(w.first.Format(time.DateOnly), earliest), t.s.Told.Deadline
	if !w.last.IsZero() {
		last = w.last.Format(time.DateOnly)
	}
	if last != "" {
		return fmt.Sprintf(
			"There is no room for %q between %s and %s. Which other days, or how many hours, would do?",
			task.Title,
			first,
			last,
		)
	}
	return fmt.Sprintf(
		"There is no room for %q from %s on. Which other days, or how many hours, would do?",
		task.Title,
		first,
	)
}

// fit brings the hours of what is to be done within the limits, and lets them grow back
// where they were at the limit before.
func (t *turn) fit() (question string) {
	most := max(quarter, t.s.Told.MostOfADay(workdayHours))
	t.divide(most)
	pending := t.s.Pending(t.draft)
	for _, task := range pending {
		if least := t.s.Told.LeastOfADay(); least > 0 && !t.s.Told.Said && task.EstimatedHours == taskHours &&
			!t.pinned[task.Title] {
			task.EstimatedHours = min(task.EstimatedHours, max(quarter, least)) // fits on each day
		}
		at, err := time.Parse(time.DateOnly, task.Date)
		if w := t.wanted[task.Title]; err != nil && w.first.Equal(w.last) {
			at = w.first
		}
		task.EstimatedHours = min(task.EstimatedHours, max(most, t.s.Told.MostOn(at)))
	}
	limit, limited := t.s.Limit(t.draft)
	switch {
	case !limited:
		return ""
	case limit < quarter*float64(len(pending)):
		return fmt.Sprintf(
			"%s h in all is too little for %s. Which should go? Or say another limit, such as \"I have 40 hours\", or \"no limit on the hours\".",
			goal.Number(limit),
			goal.Count(len(pending), "task"),
		)
	case pending.Within(limit) && !t.fills && !t.grows(pending, limit):
		return ""
	case pending.Within(limit) && !t.s.Told.Said: // the client's limit is none to be used up
		limit = max(pending.Hours(), min(limit, taskHours*float64(len(pending))))
	}
	if t.fills && pending.Hours() > 0 {
		return t.fill(pending, limit)
	}
	free := slices.DeleteFunc(
		slices.Clone(pending),
		func(task *goal.Task) bool { return t.pinned[task.Title] },
	)
	limit -= pending.Hours() - free.Hours()
	if limit < quarter*float64(len(free)) {
		return fmt.Sprintf(
			"That is more than fits into %s hours. Say fewer, or another limit, such as \"I have 40 hours\".",
			goal.Number(limit+pending.Hours()-free.Hours()),
		)
	}
	resize(free, limit)
	return ""
}

// fill brings tasks to so many hours in all. Those that are longer than a day become parts.
func (t *turn) fill(pending goal.Pending, total float64) (question string) {
	const most = 150 // tasks
	day := max(quarter, t.s.Told.MostOfADay(workdayHours))
	if total/day+float64(len(pending)) > most {
		return fmt.Sprintf(
			"%s hours would be more than %d tasks with %s hours a day. Say more hours a day, or fewer in all.",
			goal.Number(total),
			most,
			goal.Number(day),
		)
	}
	factor := total / pending.Hours()
	for _, task := range pending {
		task.EstimatedHours = max(quarter, roundDown(task.EstimatedHours*factor))
		t.pinned[task.Title] = true
	}
	pending[len(pending)-1].EstimatedHours += max(0, roundDown(total-pending.Hours()))
	t.divide(day)
	return ""
}

// divide splits tasks whose hours were said into parts that fit into a day.
func (t *turn) divide(most float64) {
	for i := range t.draft.Milestones {
		m := &t.draft.Milestones[i]
		for j := len(m.Tasks) - 1; j >= 0; j-- {
			task := m.Tasks[j]
			if w := t.wanted[task.Title]; !t.pinned[task.Title] || task.EstimatedHours <= most+1e-9 ||
				w.first.Equal(w.last) && !w.first.IsZero() {
				continue
			}
			parts := make([]goal.Task, int(math.Ceil(task.EstimatedHours/most)))
			for n := range parts {
				parts[n] = goal.Task{
					Title:          fmt.Sprintf("%s%s%d", task.Title, partOf, n+1),
					EstimatedHours: math.Round(100*min(most, task.EstimatedHours-float64(n)*most)) / 100,
				}
				t.pinned[parts[n].Title], t.moved[parts[n].Title] = true, t.moved[task.Title]
				if w, wanted := t.wanted[task.Title]; wanted {
					t.wanted[parts[n].Title] = w
				}
			}
			parts[0].Date = task.Date
			m.Tasks = slices.Replace(m.Tasks, j, j+1, parts...)
		}
		t.number(m)
	}
}

// number counts the parts of each task of a milestone from 1 on.
func (t *turn) number(m *goal.Milestone) {
	counts := map[string]int{}
	for j := range m.Tasks {
		task := &m.Tasks[j]
		base, _, part := strings.Cut(task.Title, partOf)
		if !part {
			continue
		}
		counts[base]++
		title := fmt.Sprintf("%s%s%d", base, partOf, counts[base])
		t.pinned[title], t.moved[title] = t.pinned[task.Title], t.moved[task.Title]
		if w, wanted := t.wanted[task.Title]; wanted {
			t.wanted[title] = w
		}
		task.Title = title
	}
}

// grows reports whether the hours of a plan are to take up a new limit: those of a new
// plan are, and those that were at the limit before.
func (t *turn) grows(pending goal.Pending, limit float64) bool {
	if t.fresh {
		return true
	}
	before, limited := t.before.Limit(*t.before.Preview)
	return limited && limit > before &&
		t.before.Pending(*t.before.Preview).Hours() > before-quarter*float64(len(pending))
}

func roundDown(hours float64) float64 { return math.Floor(hours/quarter+1e-9) * quarter }

// resize brings tasks to so many hours in all, as near as quarters and days allow.
func resize(tasks goal.Pending, hours float64) {
	sum := tasks.Hours()
	for _, task := range tasks {
		task.EstimatedHours = min(workdayHours, max(quarter, roundDown(task.EstimatedHours*hours/sum)))
	}
	byHours := func(a, b *goal.Task) int { return cmp.Compare(a.EstimatedHours, b.EstimatedHours) }
	for range 10 * len(tasks) {
		left := hours - tasks.Hours()
		shortest, longest := slices.MinFunc(tasks, byHours), slices.MaxFunc(tasks, byHours)
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

// tasksOf returns the tasks of things of a draft that are still to be done.
func (t *turn) tasksOf(draft goal.Draft, things []goal.Thing) (list goal.Pending) {
	pending := t.s.Pending(draft)
	for _, n := range things {
		tasks := draft.Milestones[n.Milestone].Tasks
		for j := range tasks {
			if (n.Task < 0 || n.Task == j) && slices.Contains(pending, &tasks[j]) &&
				!slices.Contains(list, &tasks[j]) {
				list = append(list, &tasks[j])
			}
		}
	}
	return list
}

// everything is all milestones of a draft.
func everything(draft goal.Draft) (things []goal.Thing) {
	for i := range draft.Milestones {
		things = append(things, goal.Thing{Milestone: i, Task: -1})
	}
	return things
}
