package offline

import (
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

func dayAt(now time.Time, ahead int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+ahead, 0, 0, 0, 0, now.Location())
}

func oneDay(day time.Time) part { return part{kind: days, first: day, last: day} }

// date is a date as it was written; what it lacks is 0.
type date struct {
	day, year int
	month     time.Month
	ordinal   bool // "12th" is a day without its month, 12 is not
	weekday   string
}

var inDate = goal.Pattern(
	`^(?:(` + weekdayWord + `),? )?(?:(\d{4})-(\d{2})-(\d{2})|(the )?(\d{1,2})(st|nd|rd|th)?(?:(?: of)? (` +
		monthWord + `))?|(` + monthWord + `) (?:the )?(\d{1,2})(?:st|nd|rd|th)?)(?:,? (20\d\d))?`,
)

func dateIn(words string) date {
	m := inDate().FindStringSubmatch(words)
	if m == nil {
		return date{}
	}
	whole := func(text string) int { n, _ := strconv.Atoi(text); return n }
	d := date{
		day:     whole(m[4] + m[6] + m[10]),
		year:    whole(m[2] + m[11]),
		month:   time.Month(whole(m[3])),
		ordinal: m[5]+m[7] != "",
		weekday: m[1],
	}
	if name := m[8] + m[9]; name != "" {
		d.month = monthOf(name)
	}
	return d
}

func monthOf(name string) time.Month {
	return time.Month(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3 + 1)
}

// on returns the day of a date, the next one where it lacks month or year. A date that
// is not there, or whose weekday is another, is none.
func (d date) on(now calendarNow) (time.Time, bool) {
	at := func(year int, month time.Month) time.Time {
		return time.Date(year, month, d.day, 0, 0, 0, 0, now.now.Location())
	}
	today, found := dayAt(now.now, 0), time.Time{}
	switch {
	case d.month == 0:
		if found = at(now.near.Year(), now.near.Month()); found.Before(today) {
			found = at(now.near.Year(), now.near.Month()+1)
		}
	case d.year == 0:
		if found = at(now.now.Year(), d.month); found.Before(today) {
			found = at(now.now.Year()+1, d.month)
		}
	default:
		found = at(d.year, d.month)
	}
	return found, found.Day() == d.day && (d.weekday == "" || found.Weekday() == weekdayNamed(d.weekday))
}

func readDate(m []string, now calendarNow) (part, bool) {
	d := dateIn(m[1])
	if d.month == 0 && !d.ordinal {
		return part{}, false
	}
	day, ok := d.on(now)
	if !ok && d.month != 0 {
		return part{kind: vague}, true // there is no such day
	}
	return oneDay(day), ok
}

// readDates reads two dates, of which one may lack its month: "12th to 19th February".
func readDates(m []string, now calendarNow) (part, bool) {
	from, to := dateIn(m[2]), dateIn(m[3])
	if from.month == 0 && to.month == 0 && !(from.ordinal && to.ordinal) {
		return part{}, false
	}
	if from.month == 0 {
		from.month, from.year = to.month, to.year
	}
	first, ok := from.on(now)
	if to.month == 0 {
		to.month = first.Month()
	}
	if to.year == 0 {
		now.now = first
	}
	last, also := to.on(now)
	if !ok || !also {
		return part{kind: vague}, true
	}
	p := part{kind: days, first: first, last: last}
	between := m[1][strings.Index(m[1], m[2])+len(m[2]) : strings.LastIndex(m[1], m[3])]
	p.apart = (strings.Contains(between, "and") || strings.Contains(between, "or")) &&
		!strings.HasPrefix(m[1], "between")
	return p, !last.Before(first)
}

// readHolidays reads "between Christmas and New Year".
func readHolidays(_ []string, now calendarNow) (part, bool) {
	first, ok := date{day: 25, month: time.December}.on(now)
	return part{kind: days, first: first, last: first.AddDate(0, 0, 7)}, ok
}

// readWeekBefore reads "the week before Christmas".
func readWeekBefore(m []string, now calendarNow) (part, bool) {
	p, ok := readDate([]string{"", m[5]}, now)
	if m[4] != "" {
		p, ok = readFeast([]string{"", "", m[4], ""}, now)
	}
	length := map[string]int{"day": 1, "week": 7, "weekend": 2}[m[2]]
	first := p.first.AddDate(0, 0, -length)
	if m[3] == "after" {
		first = p.first.AddDate(0, 0, 1)
	}
	for m[2] == "weekend" && first.Weekday() != time.Saturday {
		first = first.AddDate(0, 0, map[string]int{"before": -1, "after": 1}[m[3]])
	}
	return part{kind: days, first: first, last: first.AddDate(0, 0, length-1)}, ok && p.kind == days
}

// readWeekOf reads the week or the weekend that a date is in.
func readWeekOf(m []string, now calendarNow) (part, bool) {
	d := dateIn(m[3])
	day, ok := d.on(now)
	p := part{kind: days, first: monday(day)}
	if m[2] == "weekend" {
		p.first = p.first.AddDate(0, 0, 5)
	}
	p.last = monday(day).AddDate(0, 0, 6)
	return p, ok && (d.month > 0 || d.ordinal)
}

// readThat reads "that weekend", which is the one of the date before.
func readThat(m []string, now calendarNow) (part, bool) {
	p := part{kind: days, first: now.day, last: now.day}
	if m[2] != "day" {
		p.first = monday(now.day)
		p.last = p.first.AddDate(0, 0, 6)
	}
	if m[2] == "weekend" {
		p.first = p.first.AddDate(0, 0, 5)
	}
	return p, !now.day.IsZero()
}

func readFeast(m []string, now calendarNow) (part, bool) {
	d := map[byte]date{
		'c': {day: 25, month: 12},
		'x': {day: 25, month: 12},
		'n': {day: 1, month: 1},
		'v': {day: 14, month: 2},
		'b': {day: 26, month: 12},
	}[m[2][0]]
	day, ok := d.on(now)
	if m[3] != "" {
		day = day.AddDate(0, 0, -1)
	}
	if len(m) > 4 && m[4] != "" {
		return part{kind: days, first: monday(day), last: monday(day).AddDate(0, 0, 6)}, ok
	}
	return oneDay(day), ok
}

// month returns the first and last day of the month that a day is in.
func month(day time.Time) (first, last time.Time) {
	first = time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, day.Location())
	return first, first.AddDate(0, 1, -1)
}

func monday(day time.Time) time.Time { return dayAt(day, -(int(day.Weekday())+6)%7) }

func readMonth(m []string, now calendarNow) (part, bool) {
	year, _ := strconv.Atoi(m[3])
	first, _ := date{day: 1, month: monthOf(m[2]), year: year}.on(now)
	if year == 0 && now.now.Month() == monthOf(m[2]) {
		first = dayAt(now.now, 0)
	}
	_, last := month(first)
	return part{kind: days, first: first, last: last}, true
}

// readEdge reads a week of a span: "end of January", "the second week of March".
func readEdge(m []string, now calendarNow) (part, bool) {
	next, span := 0, part{}
	if m[3] != "" {
		next = 1
	}
	switch m[4] {
	case "week":
		span.first = monday(now.now).AddDate(0, 0, 7*next)
		span.last = span.first.AddDate(0, 0, 6)
	case "month":
		first, _ := month(now.now)
		span.first, span.last = month(first.AddDate(0, next, 0))
	case "year":
		span.first = time.Date(now.now.Year()+next, 1, 1, 0, 0, 0, 0, now.now.Location())
		span.last = span.first.AddDate(1, 0, -1)
	default:
		span, _ = readMonth([]string{"", "", m[4], m[5]}, now)
		span.first, span.last = month(span.last)
	}
	length := min(6, int(span.last.Sub(span.first).Hours()+1)/24)
	if m[4] == "week" {
		length = 2
	}
	start := span.first
	switch m[2] {
	case "end", "last":
		start = span.last.AddDate(0, 0, -length)
	case "middle":
		start = span.first.AddDate(0, 0, 11)
	case "second", "third":
		start = span.first.AddDate(0, 0, map[string]int{"second": 7, "third": 14}[m[2]])
	}
	return part{kind: days, first: start, last: start.AddDate(0, 0, length)}, true
}
