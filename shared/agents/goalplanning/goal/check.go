package goal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/strictjson"
)

// Violation is one constraint that a draft breaks, said so that a model and a
// person can act on it.
type Violation struct {
	Path    string  `json:"path"`
	Message string  `json:"message"`
	Kind    Breach  `json:"-"`
	Over    float64 `json:"-"` // of HoursExceeded: by how many hours
}

// Breach is what kind of constraint is broken.
type Breach int

const (
	shape         Breach = iota // nothing to do in it
	HoursExceeded               // more hours than are left
	Past                        // a task planned in the past
	Overlap                     // two things at one time, or one in a time that is kept free
	Late                        // a task after the deadline
	disorder                    // in another order than it can be done
	dropped                     // something of the preview is gone that nobody asked to drop
)

// Check returns what the draft breaks, nil where it breaks nothing: there is
// something to do in it, its hours fit, no task is planned in the past or
// overlaps another or the calendar, and what the preview had is still there.
func (s Situation) Check(d Draft) []Violation {
	var found []Violation
	if len(d.Tasks()) == 0 {
		found = append(found, Violation{Path: "milestones", Message: "the plan has no task", Kind: shape})
	}
	found = append(found, s.checkHours(d)...)
	found = append(found, s.checkDates(d)...)
	found = append(found, s.checkOrder(d)...)
	return append(found, s.checkRemoved(d)...)
}

// Limit returns the most hours that the draft's pending tasks may take, and whether
// there is such a limit: what the user allows the whole plan, history included, or
// else the hours left.
func (s Situation) Limit(d Draft) (float64, bool) {
	switch {
	case s.Told.Said && s.Told.Total != nil:
		return max(0, *s.Told.Total-(d.Hours()-s.Pending(d).Hours())), true
	case !s.Told.Said && s.Hours != nil:
		return *s.Hours, true
	}
	return 0, false
}

func (s Situation) checkHours(d Draft) []Violation {
	limit, limited := s.Limit(d)
	pending := s.Pending(d)
	if !limited || pending.Within(limit) {
		return nil
	}
	total, tasks := pending.Hours(), "the tasks"
	if len(pending) < len(d.Tasks()) {
		tasks = "the tasks still to be done"
	}
	return []Violation{{Path: "milestones", Kind: HoursExceeded, Over: total - limit,
		Message: fmt.Sprintf(
			"%s take %s hours and %s is the most: take %s off",
			tasks,
			Number(total),
			Number(limit),
			Number(total-limit),
		)}}
}

// Number writes hours without needless digits.
func Number(hours float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(hours, 'f', 2, 64), "0"), ".")
}

// checkDates places the draft's tasks into the calendar one after another:
// first what is history, which stays as it is, then what is planned.
func (s Situation) checkDates(d Draft) []Violation {
	var found []Violation
	history, planned := s.split(d)
	c := s.calendar()
	c.entries = append(c.entries, history...)
	for _, p := range planned {
		day := p.when.day(c.zone)
		if s.past(p.when) {
			found = append(found, Violation{Path: p.path() + ".date", Kind: Past,
				Message: fmt.Sprintf(
					"%s is in the past; today is %s",
					c.span(p.entry),
					s.Now.Format(dayForm),
				)})
		}
		if s.Told.Deadline != "" && day > s.Told.Deadline {
			found = append(found, Violation{Path: p.path() + ".date", Kind: Late,
				Message: fmt.Sprintf("%s is after %s, by which all is to be done", day, s.Told.Deadline)})
		}
		if message := c.conflict(p.entry); message != "" {
			found = append(found, Violation{Path: p.path(), Kind: Overlap, Message: message})
		}
		c.entries = append(c.entries, p.entry)
	}
	return append(found, s.checkPace(c, planned)...)
}

// checkPace finds days and weeks with more hours than the user has for the plan.
func (s Situation) checkPace(c calendar, planned []placed) (found []Violation) {
	if s.Told.PerDay <= 0 && s.Told.PerWeek <= 0 && len(s.Told.PerWeekday) == 0 {
		return nil
	}
	days, weeks := map[string]float64{}, map[string]float64{}
	for _, p := range planned {
		c.parts(p.entry, func(day time.Time, hours float64) {
			days[day.Format(dayForm)] += hours
			weeks[mondayOf(day)] += hours
		})
	}
	for of, sums := range map[string]map[string]float64{"on %s": days, "in the week of %s": weeks} {
		for at, sum := range sums {
			day, _ := time.Parse(dayForm, at)
			most := s.Told.PerWeek
			if of == "on %s" {
				most = s.Told.MostOn(day)
			}
			if most > 0 && sum > most+tolerance {
				found = append(found, Violation{Path: "milestones", Kind: Overlap,
					Message: fmt.Sprintf(
						of+" the plan takes %s hours, and %s is the most",
						at,
						Number(sum),
						Number(most),
					)})
			}
		}
	}
	slices.SortFunc(found, func(a, b Violation) int { return strings.Compare(a.Message, b.Message) })
	return found
}

// conflict says what a new entry collides with, or nothing: a time that is
// taken or kept free, or a day without so many hours left.
func (c calendar) conflict(e entry) (message string) {
	for _, other := range c.entries {
		if e.overlaps(other) {
			return fmt.Sprintf("%s overlaps %s (%s)", c.span(e), strictjson.Quote(other.name), c.span(other))
		}
	}
	c.parts(e, func(day time.Time, hours float64) {
		blocked, _, whole := c.blockedOn(day)
		sum := blocked + hours
		for _, other := range c.entries {
			sum += other.hoursOn(day)
		}
		_, length := day.Zone()
		_, after := day.AddDate(0, 0, 1).Zone()
		switch {
		case message != "":
		case whole != nil:
			message = fmt.Sprintf("%s, a %s, is kept free", day.Format(dayForm), day.Weekday())
		case sum > 24+float64(length-after)/3600+tolerance:
			message = fmt.Sprintf(
				"%s has no room: with this task %s hours of it would be taken",
				day.Format(dayForm),
				Number(sum),
			)
		default:
			message = c.inSpan(e, day)
		}
	})
	return message
}

// inSpan says which hours of a day that are kept free a timed entry takes.
func (c calendar) inSpan(e entry, day time.Time) string {
	for _, b := range c.blocked {
		if !b.on(day) || b.wholeDay() || !e.when.timed {
			continue
		}
		if from, to := b.span(day); e.when.at.Before(to) && from.Before(e.end()) {
			return fmt.Sprintf("%s is in a time that is kept free: %s", c.span(e), b)
		}
	}
	return ""
}

// checkOrder finds what comes in another order than it can be done: a task before the
// one that it follows, a test before what it tests. Two milestones of one name cannot
// be told apart. What the preview had so may stay.
func (s Situation) checkOrder(d Draft) []Violation {
	before := map[string]bool{}
	if s.Preview != nil && !s.StartsOver {
		for _, message := range s.disorder(*s.Preview) {
			before[message] = true
		}
	}
	var found []Violation
	for _, message := range s.disorder(d) {
		if !before[message] {
			found = append(found, Violation{Path: "milestones", Kind: disorder, Message: message})
		}
	}
	return found
}

func (s Situation) disorder(d Draft) (found []string) {
	zone := s.Now.Location()
	for i, m := range d.Milestones {
		for j := 1; j < len(m.Tasks); j++ {
			if day := m.Tasks[j].on(zone); day < m.Tasks[j-1].on(zone) && day >= s.Now.Format(dayForm) {
				found = append(
					found,
					fmt.Sprintf(
						"%s comes before %s, which it follows in its milestone",
						strictjson.Quote(m.Tasks[j].Title),
						strictjson.Quote(m.Tasks[j-1].Title),
					),
				)
			}
		}
		if i == 0 {
			continue
		}
		if slices.ContainsFunc(
			d.Milestones[:i],
			func(other Milestone) bool { return same(other.Title, m.Title) },
		) {
			found = append(found, fmt.Sprintf("two milestones are called %s", strictjson.Quote(m.Title)))
		}
		if last := d.Milestones[i-1].last(zone); len(m.Tasks) > 0 && m.Tasks[0].on(zone) < last && m.Tests() {
			found = append(
				found,
				fmt.Sprintf(
					"%s is on %s, before the end of %s on %s",
					strictjson.Quote(m.Title),
					m.Tasks[0].on(zone),
					strictjson.Quote(d.Milestones[i-1].Title),
					last,
				),
			)
		}
	}
	return found
}

// Tests reports whether a milestone tests what comes before it.
func (m Milestone) Tests() bool { return has(spoken(m.Title), "test") }

// on returns the day of a task.
func (t Task) on(zone *time.Location) string {
	when, err := parseDate(t.Date)
	if len(t.Date) == len(dayForm) || err != nil {
		return t.Date
	}
	return when.day(zone)
}

// last returns the day on which a milestone ends, "" where it has no task.
func (m Milestone) last(zone *time.Location) (last string) {
	for _, t := range m.Tasks {
		last = max(last, t.on(zone))
	}
	return last
}
