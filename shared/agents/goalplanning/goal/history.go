package goal

import (
	"fmt"
	"slices"
)

// placed is a task of a draft in the calendar, and where the draft has it.
type placed struct {
	entry
	milestone, task int
}

func (p placed) path() string { return fmt.Sprintf("milestones[%d].tasks[%d]", p.milestone, p.task) }

// split parts the draft's tasks into history and what is planned. A task is
// history where its date has passed and is the preview's: the plan was good
// when it was made, and to change something else is no reason to move it.
func (s Situation) split(d Draft) (history []entry, planned []placed) {
	before := s.passed(d)
	for i, milestone := range d.Milestones {
		for j, task := range milestone.Tasks {
			e, err := task.entry()
			switch {
			case err != nil: // a problem of its shape, found when it was read
			case before.take(e):
				history = append(history, e)
			default:
				planned = append(planned, placed{e, i, j})
			}
		}
	}
	return history, planned
}

// Pending returns the tasks of the draft that are no history: those whose hours
// are still to be found. They can be changed in place.
func (s Situation) Pending(d Draft) Pending {
	before := s.passed(d)
	var pending Pending
	for i := range d.Milestones {
		for j := range d.Milestones[i].Tasks {
			task := &d.Milestones[i].Tasks[j]
			if e, err := task.entry(); err != nil || !before.take(e) {
				pending = append(pending, task)
			}
		}
	}
	return pending
}

func (s Situation) past(when moment) bool {
	if when.timed {
		return when.at.Before(s.Now)
	}
	return when.at.Format(dayForm) < s.Now.Format(dayForm)
}

// passed is what the preview has in the past and no task of the draft has taken yet.
type passed struct {
	preview *Draft
	entries []passedEntry
}

type passedEntry struct {
	entry
	gone bool // the draft has no task of that title
}

func (s Situation) passed(d Draft) passed {
	p := passed{preview: s.Preview}
	if s.Preview == nil || s.StartsOver {
		return p
	}
	for _, task := range s.Preview.Tasks() {
		if e, err := task.entry(); err == nil && s.past(e.when) {
			p.entries = append(p.entries, passedEntry{e, !d.has(task.Title)})
		}
	}
	return p
}

// take reports whether the entry is one of the preview's, on its date and under
// its title or a new one, and takes it: a second of the kind is not.
func (p *passed) take(e entry) bool {
	if len(p.entries) == 0 {
		return false
	}
	added := !p.preview.has(e.name)
	i := slices.IndexFunc(p.entries, func(was passedEntry) bool {
		return was.when.equal(e.when) && (same(was.name, e.name) || added && was.gone)
	})
	if i < 0 {
		return false
	}
	p.entries = slices.Delete(p.entries, i, i+1)
	return true
}

func (d Draft) has(title string) bool {
	return slices.ContainsFunc(d.Milestones, func(m Milestone) bool { return m.has(title) })
}
