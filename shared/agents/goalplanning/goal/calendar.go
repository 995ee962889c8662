package goal

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const dayForm = "2006-01-02"

// moment is what a date says: a day, or a time on it.
type moment struct {
	at    time.Time // midnight UTC of the day, or the time
	timed bool
	text  string // as it was written
}

func parseDate(text string) (moment, error) {
	if day, err := time.Parse(dayForm, text); err == nil {
		return moment{at: day, text: text}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	return moment{at: at, timed: true, text: text}, err
}

func (m moment) equal(other moment) bool { return m.timed == other.timed && m.at.Equal(other.at) }

// day returns the calendar day of a moment in a zone, as YYYY-MM-DD.
func (m moment) day(zone *time.Location) string {
	if m.timed {
		return m.at.In(zone).Format(dayForm)
	}
	return m.text
}

// entry is a task in the calendar. A timed one takes the time from its start
// on; one with a day alone takes its hours somewhere on that day.
type entry struct {
	name  string
	when  moment
	hours float64
}

func (t Task) entry() (entry, error) {
	when, err := parseDate(t.Date)
	return entry{name: t.Title, when: when, hours: t.EstimatedHours}, err
}

func (e entry) end() time.Time {
	return e.when.at.Add(time.Duration(e.hours * float64(time.Hour)))
}

// overlaps reports whether two timed entries share time. Ends do not belong to them.
func (e entry) overlaps(other entry) bool {
	return e.when.timed && other.when.timed && e.when.at.Before(other.end()) && other.when.at.Before(e.end())
}

// hoursOn returns how many hours of a day an entry takes.
func (e entry) hoursOn(day time.Time) float64 {
	if !e.when.timed {
		if e.when.at.Day() == day.Day() && e.when.at.Month() == day.Month() &&
			e.when.at.Year() == day.Year() {
			return e.hours
		}
		return 0
	}
	from, to, next := e.when.at, e.end(), day.AddDate(0, 0, 1)
	if from.Before(day) {
		from = day
	}
	if to.After(next) {
		to = next
	}
	return max(0, to.Sub(from).Hours())
}

// calendar is what is on in a user's zone.
type calendar struct {
	zone    *time.Location
	entries []entry
	blocked []Blocked
	open    []string // dates that may be used though their weekday is blocked
}

// tolerance absorbs what floats lose in a sum of hours.
const tolerance = 1e-6

// calendar returns what is on already. Tasks of the plan itself, which a back end sends
// back once the plan is final, are not.
func (s Situation) calendar() calendar {
	c := calendar{zone: s.Now.Location(), blocked: s.Told.Unavailable, open: s.Told.Open}
	for _, busy := range s.Upcoming {
		if when, err := parseDate(busy.Date); err == nil && !s.ours(busy) {
			c.entries = append(c.entries, entry{name: busy.Title, when: when, hours: busy.EstimatedHours})
		}
	}
	return c
}

func (s Situation) ours(busy Busy) bool {
	return s.Preview != nil && slices.ContainsFunc(s.Preview.Tasks(), func(t Task) bool {
		return same(t.Title, busy.Title) &&
			(Busy{t.Title, t.Date, t.EstimatedHours}.settled().Date) == busy.Date
	})
}

// parts calls with the hours that an entry takes of each of its days.
func (c calendar) parts(e entry, with func(day time.Time, hours float64)) {
	if !e.when.timed {
		with(time.Date(e.when.at.Year(), e.when.at.Month(), e.when.at.Day(), 0, 0, 0, 0, c.zone), e.hours)
		return
	}
	end := e.end()
	for from := e.when.at.In(c.zone); ; {
		day := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, c.zone)
		next := day.AddDate(0, 0, 1)
		if !next.Before(end) {
			with(day, end.Sub(from).Hours())
			return
		}
		with(day, next.Sub(from).Hours())
		from = next
	}
}

// blockedOn returns how many hours of a day are blocked, how many of these between 7
// and 23, and by what the whole day is.
func (c calendar) blockedOn(day time.Time) (all, waking float64, whole *Blocked) {
	var quarters [24 * 4]bool
	for _, b := range c.blocked {
		opened := b.Date == "" && b.wholeDay() && slices.Contains(c.open, day.Format(dayForm))
		if !b.on(day) || opened {
			continue
		}
		if b.wholeDay() {
			return 0, 0, &b
		}
		for i := b.quarter(b.From, 0); i < b.quarter(b.To, len(quarters)); i++ {
			quarters[i] = true
		}
	}
	for i, is := range quarters {
		if !is {
			continue
		}
		all += 0.25
		if i >= 7*4 && i < (7+awake)*4 {
			waking += 0.25
		}
	}
	return all, waking, nil
}

// Days is how much of each day is taken.
type Days struct {
	calendar calendar
	told     Hours
	taken    map[string]float64
	planned  map[string]float64 // by the plan alone
	weeks    map[string]float64 // of the plan, by their Mondays
}

// What a person can do in a day: so much for a plan, of the hours between 7 and 23.
const (
	workday = 8
	awake   = 16
)

// Paced reports whether a task fits into the hours that the user has for the plan in its
// day and week, and into the day itself.
func (d Days) Paced(t Task) bool {
	paced := true
	if e, err := t.entry(); err == nil {
		d.calendar.parts(e, func(day time.Time, hours float64) {
			blocked, _, _ := d.calendar.blockedOn(day)
			paced = paced && d.inPace(day, hours) &&
				blocked+d.taken[day.Format(dayForm)]+hours <= 24+tolerance
		})
	}
	return paced
}

func (d Days) inPace(day time.Time, hours float64) bool {
	most := d.told.MostOn(day)
	return (most <= 0 || d.planned[day.Format(dayForm)]+hours <= most+tolerance) &&
		(d.told.PerWeek <= 0 || d.weeks[mondayOf(day)]+hours <= d.told.PerWeek+tolerance)
}

// Days returns the days with what the calendar and the draft take of them.
func (s Situation) Days(draft Draft) Days {
	d := Days{s.calendar(), s.Told, map[string]float64{}, map[string]float64{}, map[string]float64{}}
	for _, e := range d.calendar.entries {
		d.calendar.parts(e, func(day time.Time, hours float64) { d.taken[day.Format(dayForm)] += hours })
	}
	for _, task := range draft.Tasks() {
		if e, err := task.entry(); err == nil {
			d.take(e)
		}
	}
	return d
}

// take adds a task of the plan.
func (d Days) take(e entry) {
	d.calendar.parts(e, func(day time.Time, hours float64) {
		d.taken[day.Format(dayForm)] += hours
		d.planned[day.Format(dayForm)] += hours
		d.weeks[mondayOf(day)] += hours
	})
}

// TakeTask adds a task of the plan that has its day.
func (d Days) TakeTask(t Task) {
	if e, err := t.entry(); err == nil {
		d.take(e)
	}
}

func mondayOf(day time.Time) string {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7).Format(dayForm)
}

// Free reports whether a day has room for so many hours of the plan, where at most so
// many of it may be taken then; an empty day may be filled whatever that is.
func (d Days) Free(day time.Time, hours, most float64) bool {
	_, blocked, whole := d.calendar.blockedOn(day)
	name := day.Format(dayForm)
	taken := d.taken[name] + hours
	switch {
	case whole != nil,
		taken > min(workday, awake-blocked)+tolerance,
		d.taken[name] > 0 && taken > most+tolerance:
		return false
	case !d.inPace(day, hours):
		return false
	case d.told.Deadline != "" && name > d.told.Deadline:
		return false
	}
	return true
}

// Workday reports whether a plan may use a day without being told so: not at weekends,
// unless the user has them or nothing else.
func (h Hours) Workday(day time.Time) bool {
	if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
		return true
	}
	blocked := 0
	for _, b := range h.Unavailable {
		if d, known := weekdayOf(b.Weekday); known && b.wholeDay() && d != time.Saturday && d != time.Sunday {
			blocked++
		}
	}
	return blocked >= 5 || slices.Contains(h.Open, strings.ToLower(day.Weekday().String())) ||
		slices.Contains(h.Open, day.Format(dayForm))
}

// FreeDays returns the first count days from a day on of which nothing is taken.
func (s Situation) FreeDays(draft Draft, from time.Time, count int) (free []string) {
	days := s.Days(draft)
	for i := 0; i < 730 && len(free) < count; i++ {
		if day := from.AddDate(0, 0, i); s.Told.Workday(day) && days.Free(day, 1, 0) {
			free = append(free, day.Format(dayForm))
		}
	}
	return free
}

// span says when an entry is, for people.
func (c calendar) span(e entry) string {
	if !e.when.timed {
		return e.when.day(c.zone)
	}
	from, to := e.when.at.In(c.zone), e.end().In(c.zone)
	if from.Format(dayForm) == to.Format(dayForm) {
		return fmt.Sprintf("%s to %s", from.Format("2006-01-02 15:04"), to.Format("15:04"))
	}
	return fmt.Sprintf("%s to %s", from.Format("2006-01-02 15:04"), to.Format("2006-01-02 15:04"))
}
