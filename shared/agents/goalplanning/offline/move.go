package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// move moves things to days, by days, or beside other things.
func (t *turn) move(c clause, at int) string {
	tokens := c.tokens[at+1:]
	region := untilPart(tokens, endings)
	things, rest, question := everything(t.draft), tokens, ""
	all := nameIn(region) == "" &&
		!slices.ContainsFunc(region, func(k token) bool { return pronouns[k.word] })
	if whole := wholes[strings.ToLower(nameIn(region))] || all; !whole ||
		len(region) > 0 && pronouns[region[0].word] {
		if things, rest, question = t.things(tokens); question != "" {
			return question
		}
	}
	return t.moveTo(c, things, rest, c.tokens[at].word)
}

// moveNamed moves what a statement names: "the launch is on Friday", "A must come before B".
func (t *turn) moveNamed(c clause, _ int) string {
	before := c.tokens
	if at := c.at("before", "after"); at > 0 && len(c.parts(days)) == 0 {
		before = c.tokens[:at]
	}
	things := t.spokenOf()
	if thing, found := t.named((clause{tokens: before}).telling()); found {
		things = t.family(thing)
	}
	if len(things) == 0 {
		return ""
	}
	return t.moveTo(c, things, c.tokens[min(len(before), len(c.tokens)):], "")
}

// moveTo moves things as a clause says: rest is what follows their names.
func (t *turn) moveTo(c clause, things []goal.Thing, rest []token, verb string) string {
	when, by := c.parts(days), c.parts(shift)
	switch {
	case len(when) > 0:
		p := when[len(when)-1]
		w := window{p.first, p.last}
		all := len(things) == len(t.draft.Milestones) && things[0].Task < 0
		if verb == "start" || verb == "begin" || c.before(days, "after") || all && verb != "" {
			w.last = time.Time{}
		}
		if c.before(days, "by", "before") {
			w = window{t.tomorrow(), p.last}
		}
		c.use()
		t.placeIn(things, func(goal.Task) window { return w })
	case len(by) > 0:
		days := by[0].shift
		if c.has("earlier", "forward", "sooner", "ahead") && days > 0 {
			days = -days
		}
		c.use()
		t.placeIn(things, func(task goal.Task) window {
			at, _ := time.ParseInLocation(
				time.DateOnly,
				task.Date[:min(10, len(task.Date))],
				t.s.Now.Location(),
			)
			return window{first: at.AddDate(0, 0, days)}
		})
	default:
		return t.moveNextTo(c, things, rest)
	}
	return ""
}

// placeIn has the tasks of things placed anew, each in its window.
func (t *turn) placeIn(things []goal.Thing, in func(goal.Task) window) {
	for _, n := range things {
		if len(things) < len(t.draft.Milestones) {
			t.moved[t.draft.TitleOf(n)] = true
		}
	}
	for _, task := range t.tasksOf(t.draft, things) {
		w := in(*task)
		t.wanted[task.Title], task.Date = w, ""
		t.openFor(w, task.EstimatedHours)
	}
}

// openFor opens a day that is one of those off each week, or lets it have more hours than
// others, where something is wanted on that very day.
func (t *turn) openFor(w window, hours float64) {
	if !w.first.Equal(w.last) {
		return
	}
	day := goal.Blocked{Date: w.first.Format(time.DateOnly)}
	off := slices.Contains(
		t.s.Told.Unavailable,
		goal.Blocked{Weekday: strings.ToLower(w.first.Weekday().String())},
	)
	if off && !slices.Contains(t.s.Told.Unavailable, day) {
		t.said.Available = append(t.said.Available, day)
	}
	if most := t.s.Told.MostOn(w.first); most > 0 && hours > most && hours <= workdayHours {
		t.hoursOn(day.Date, hours)
	}
	t.s, _ = t.before.Hear(t.said)
}

// hoursOn keeps the hours of a weekday or a date.
func (t *turn) hoursOn(day string, most float64) {
	if t.said.PerWeekday == nil {
		t.said.PerWeekday = map[string]float64{}
	}
	t.said.PerWeekday[day] = most
}

// moveNextTo moves a thing in front of another, behind it, or into it.
func (t *turn) moveNextTo(c clause, things []goal.Thing, rest []token) string {
	at := (clause{tokens: rest}).at("before", "after", "into", "to", "in", "under", "at", "up")
	n := things[0]
	if at < 0 || len(things) != 1 {
		return fmt.Sprintf(
			"To when should I move that? For example: \"move %s to Friday\".",
			strings.ToLower(t.draft.TitleOf(n)),
		)
	}
	behind := rest[at].word == "after"
	target := goal.Thing{Milestone: 0, Task: -1}
	switch place := (clause{tokens: rest[at+1:]}); {
	case place.has("end", "last", "back"):
		target.Milestone, behind = len(t.draft.Milestones)-1, true
	case place.has("start", "front", "beginning", "top", "first"):
	default:
		found, _, question := t.things(rest[at+1:])
		switch {
		case question == "":
			target = found[0]
		case t.added != "" && rest[at].word == "before": // of what the plan does not name
		default:
			return question
		}
	}
	c.use()
	if n.Task < 0 {
		t.moveMilestone(n.Milestone, target.Milestone, behind)
		return ""
	}
	t.moveTask(n, target, behind)
	return ""
}

func (t *turn) moveMilestone(from, to int, behind bool) {
	m := t.draft.Milestones[from]
	t.draft.Milestones = slices.Delete(t.draft.Milestones, from, from+1)
	place := to
	if from < place {
		place--
	}
	if behind {
		place++
	}
	t.draft.Milestones = slices.Insert(t.draft.Milestones, place, m)
	t.orderDays(t.draft.Milestones[min(place, from) : max(place, from)+1])
}

func (t *turn) moveTask(n, to goal.Thing, behind bool) {
	from := &t.draft.Milestones[n.Milestone]
	task := from.Tasks[n.Task]
	from.Tasks = slices.Delete(from.Tasks, n.Task, n.Task+1)
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
	t.dropEmpty()
}
