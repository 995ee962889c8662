package goal

import (
	"fmt"
	"math"
	"time"
)

const dayForm = "2006-01-02"

// moment is what a date says: a day, or a time on it.
type moment struct {
	at    time.Time // midnight UTC of the day, or the time
	timed bool
}

func parseDate(text string) (moment, error) {
	if day, err := time.Parse(dayForm, text); err == nil {
		return moment{at: day}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	return moment{at: at, timed: true}, err
}

func (m moment) equal(other moment) bool { return m.timed == other.timed && m.at.Equal(other.at) }

// day returns the calendar day of a moment in a zone, as YYYY-MM-DD.
func (m moment) day(zone *time.Location) string {
	if m.timed {
		return m.at.In(zone).Format(dayForm)
	}
	return m.at.Format(dayForm)
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

// calendar is what is on in a user's zone.
type calendar struct {
	zone    *time.Location
	entries []entry
}

// tolerance absorbs what floats lose in a sum of hours.
const tolerance = 1e-6

// taken returns the hours of a day that are taken, and how many it has: 24,
// but where clocks change.
func (c calendar) taken(day string) (taken, length float64) {
	start, err := time.ParseInLocation(dayForm, day, c.zone)
	if err != nil {
		return 0, 24
	}
	end := start.AddDate(0, 0, 1)
	for _, e := range c.entries {
		switch {
		case !e.when.timed:
			if e.when.day(c.zone) == day {
				taken += e.hours
			}
		case e.when.at.Before(end) && start.Before(e.end()):
			from, to := e.when.at, e.end()
			if from.Before(start) {
				from = start
			}
			if to.After(end) {
				to = end
			}
			taken += to.Sub(from).Hours()
		}
	}
	return taken, end.Sub(start).Hours()
}

func (c calendar) days(e entry) []string {
	first := e.when.day(c.zone)
	if !e.when.timed || e.hours <= 0 {
		return []string{first}
	}
	last := moment{at: e.end().Add(-time.Nanosecond), timed: true}.day(c.zone)
	if first == last {
		return []string{first}
	}
	days := []string{first}
	for day, err := time.Parse(dayForm, first); err == nil && days[len(days)-1] != last; {
		day = day.AddDate(0, 0, 1)
		days = append(days, day.Format(dayForm))
	}
	return days
}

// calendar returns what is on already.
func (s Situation) calendar() calendar {
	c := calendar{zone: s.Now.Location()}
	for _, busy := range s.Upcoming {
		if when, err := parseDate(busy.Date); err == nil {
			c.entries = append(c.entries, entry{name: busy.Title, when: when, hours: busy.EstimatedHours})
		}
	}
	return c
}

// FreeDays returns the first count weekdays from a day on, of which neither the
// calendar nor the draft takes any time. It looks at two years and returns what it
// found.
func (s Situation) FreeDays(draft Draft, from time.Time, count int) []string {
	c := s.calendar()
	c.add(draft)
	var free []string
	for i := 0; i < 730 && len(free) < count; i++ {
		day := from.AddDate(0, 0, i)
		if taken, _ := c.taken(day.Format(dayForm)); taken == 0 && !weekend(day) {
			free = append(free, day.Format(dayForm))
		}
	}
	return free
}

func weekend(day time.Time) bool {
	return day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
}

// FreestDay returns the day, YYYY-MM-DD, on which the calendar and the draft take the
// fewest hours, the first of those, and these hours. Weekends are
// passed over unless it is one day that is meant.
func (s Situation) FreestDay(draft Draft, first, last time.Time) (freest string, hours float64) {
	c := s.calendar()
	c.add(draft)
	hours = math.Inf(1)
	for at := first; !at.After(last) && hours > 0; at = at.AddDate(0, 0, 1) {
		if weekend(at) && !first.Equal(last) {
			continue
		}
		day := at.Format(dayForm)
		if taken, _ := c.taken(day); taken < hours {
			freest, hours = day, taken
		}
	}
	return freest, hours
}

func (c *calendar) add(draft Draft) {
	for _, task := range draft.Tasks() {
		if e, err := task.entry(); err == nil {
			c.entries = append(c.entries, e)
		}
	}
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
