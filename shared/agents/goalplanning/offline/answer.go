package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// answer answers a question with what is known: a day's tasks, when a thing is, the plan,
// or what is left.
func (t *turn) answer(c clause, _ int) string {
	c.use()
	switch plan := t.before.Preview; {
	case plan == nil:
	case t.onDays(c), t.whenIs(c):
	case c.has(strings.Fields("show list plan display see schedule summary milestones tasks everything print summarize summarise")...) && !c.has("left", "many", "much", "long", "finish", "slack"):
		t.answers = append(
			t.answers,
			fmt.Sprintf("%q takes %s hours:\n%s", plan.Title, goal.Number(plan.Hours()), plan.Outline()),
		)
	default:
		t.answers = append(t.answers, t.left())
	}
	return ""
}

// onDays answers what there is on the days of a question.
func (t *turn) onDays(c clause) bool {
	when := c.parts(days)
	if len(when) == 0 || when[0].last.Sub(when[0].first) > 31*24*time.Hour ||
		c.has("before", "by", "until", "till", "after", "sensible", "better") {
		return false
	}
	first, last := when[0].first.Format(time.DateOnly), when[0].last.Format(time.DateOnly)
	var found []string
	for _, task := range t.before.Preview.Tasks() {
		if day := task.Date[:10]; day >= first && day <= last {
			found = append(
				found,
				fmt.Sprintf("%q on %s (%s h)", task.Title, day, goal.Number(task.EstimatedHours)),
			)
		}
	}
	t.answers = append(
		t.answers,
		fmt.Sprintf(
			"From %s to %s there is: %s.",
			first,
			last,
			cmp.Or(strings.Join(found, ", "), "nothing of the plan"),
		),
	)
	return true
}

// whenIs answers when a task or a meeting is that a question names.
func (t *turn) whenIs(c clause) bool {
	if !c.has("when", "whens", "date", "day", "time") {
		return false
	}
	if i := t.meeting(c); i >= 0 {
		b := t.s.Upcoming[i]
		t.answers = append(
			t.answers,
			fmt.Sprintf(
				"%s is on %s, for %s hours.",
				b.Title,
				strings.Replace(b.Date[:min(16, len(b.Date))], "T", " at ", 1),
				goal.Number(b.EstimatedHours),
			),
		)
		return true
	}
	thing, found := t.named(c.telling())
	if !found {
		return false
	}
	for _, task := range t.tasksOf(t.draft, []goal.Thing{thing}) {
		t.answers = append(t.answers, fmt.Sprintf("%q is on %s.", task.Title, task.Date[:10]))
	}
	return len(t.answers) > 0
}

// left says what is left to do.
func (t *turn) left() string {
	pending := t.before.Pending(*t.before.Preview)
	if len(pending) == 0 {
		return "Nothing is left to do."
	}
	byDate := func(a, b *goal.Task) int { return cmp.Compare(a.Date, b.Date) }
	first, last := slices.MinFunc(pending, byDate), slices.MaxFunc(pending, byDate)
	said := fmt.Sprintf(
		"%s of %s hours are left; the next is %q on %s, the last is on %s.",
		goal.Count(len(pending), "task"),
		goal.Number(pending.Hours()),
		first.Title,
		first.Date[:10],
		last.Date[:10],
	)
	if limit, limited := t.before.Limit(*t.before.Preview); limited {
		said += fmt.Sprintf(" You have %s hours.", goal.Number(limit))
	}
	return said
}
