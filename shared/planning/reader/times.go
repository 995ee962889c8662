package reader

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Times of an instruction: from Friday until Sunday night, tomorrow at 9, on 1 March 2027 at
// 08:00, for three days. They are proposed, and a person confirms them.

// timing is when the rules are to hold, by the caller's clock.
type timing struct {
	words         []piece
	apply, revert time.Time
	unclear       bool        // it says a time, and not which
	atOnce        bool        // it begins today
	ends          []time.Time // of which one is meant: until Sunday, said on a Sunday
}

// clock reads times by now, in the zone of the caller.
type clock struct {
	*text
	now time.Time
}

// moment is a day with an hour, as it was said.
type moment struct {
	day    time.Time // midnight
	hour   int       // -1: none was said
	minute int
	late   bool // the end of the day: Sunday night
	end    int  // the token after it
	span   int  // days that it goes on: a weekend has two
	known  bool
	weekly bool // a weekday: the next one is meant
}

// timing finds all times of the text.
func (c clock) timing() timing {
	var all timing
	for at := 0; at < len(c.tokens); at++ {
		from := at
		until, starts := false, false
		for at < len(c.tokens) && (c.word(at, "until", "till", "til", "through") ||
			c.word(at, "from", "starting", "beginning", "on", "this", "as", "of", "over", "and", "to")) {
			until = until || c.word(at, "until", "till", "til", "through") ||
				c.word(at, "to") && !all.apply.IsZero()
			starts = true
			at++
		}
		if lasts, end := c.lasts(from); end > 0 {
			all.words = append(all.words, piece{from, end})
			all.lasting(c.now, lasts)
			at = end - 1
			continue
		}
		m := c.moment(at)
		if m.end == 0 || c.word(at-1, "black", "cyber") || c.spanned(at, at+1) {
			if starts {
				at = max(from, at-1)
			}
			continue
		}
		all.words = append(all.words, piece{from, m.end})
		all.add(c, m, until)
		at = m.end - 1
	}
	return all
}

// readTimes passes over the times of the text, which say nothing else.
func (t *text) readTimes() {
	t.times = clock{t, t.known.now}.timing()
	for _, words := range t.times.words {
		for at := range t.tokens {
			t.edges[at] = slices.DeleteFunc(
				t.edges[at],
				func(e edge) bool { return at < words.end && e.end > words.from },
			)
		}
		t.refused = slices.DeleteFunc(
			t.refused,
			func(e edge) bool { return e.end >= words.from && e.end < words.end },
		)
		t.skip(words.from, words.end)
	}
}

// add takes a moment as the beginning or the end.
func (t *timing) add(c clock, m moment, until bool) {
	until = until || !t.apply.IsZero() || t.atOnce
	if until {
		m = m.from(t.apply)
	}
	t.ends = nil
	switch {
	case !m.known && m.weekly && until && !t.unclear:
		next := m
		next.day = m.day.AddDate(0, 0, 7)
		t.ends = []time.Time{c.at(m, true, t), c.at(next, true, t)}
		t.unclear = true
	case !m.known:
		t.unclear = true
	case !until && m.span == 0 && m.hour < 0 && !m.late && m.day.YearDay() == c.now.YearDay() &&
		m.day.Year() == c.now.Year():
		t.atOnce = true
	case until:
		t.revert = c.at(m, true, t)
	default:
		t.apply = c.at(m, false, t)
		if m.span > 0 {
			t.revert = t.apply.AddDate(0, 0, m.span)
		}
	}
	if !t.apply.IsZero() && !t.revert.IsZero() && !t.revert.After(t.apply) {
		t.unclear = true
	}
}

// from is the moment on or after the day of a start: on a Saturday, "from Friday until
// Sunday" ends on the Sunday after that Friday, and not tomorrow.
func (m moment) from(start time.Time) moment {
	first := time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, start.Location())
	for m.weekly && m.day.Before(first) {
		m.day, m.known = m.day.AddDate(0, 0, 7), true
	}
	return m
}

// written are the times as a plan has them; "" where there is none, or it is not clear.
func (t timing) written() (applyAt, revertAt string) {
	write := func(at time.Time) string {
		if at.IsZero() || t.unclear {
			return ""
		}
		return at.Format(time.RFC3339)
	}
	return write(t.apply), write(t.revert)
}

func (t *timing) lasting(now time.Time, days int) {
	from := t.apply
	if from.IsZero() {
		from = now
	}
	t.revert = from.AddDate(0, 0, days)
}

// at is a moment by the clock. An end without an hour is that of its day. What a change to
// or from summer time leaves out or has twice is not clear.
func (c clock) at(m moment, end bool, t *timing) time.Time {
	day, hour := m.day, m.hour
	if hour < 0 {
		hour = 0
		if end || m.late {
			day = day.AddDate(0, 0, 1)
		}
	}
	at := time.Date(day.Year(), day.Month(), day.Day(), hour, m.minute, 0, 0, c.now.Location())
	twice := func(other time.Time) bool { return other.Hour() == at.Hour() && other.Minute() == at.Minute() }
	if at.Hour() != hour || twice(at.Add(time.Hour)) || twice(at.Add(-time.Hour)) || at.Before(c.now) {
		t.unclear = true
	}
	return at
}

var weekdays = map[string]time.Weekday{
	"sunday": 0, "monday": 1, "tuesday": 2, "wednesday": 3, "thursday": 4, "friday": 5, "saturday": 6,
	"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6,
}

var months = map[string]time.Month{
	"january":   1,
	"february":  2,
	"march":     3,
	"april":     4,
	"may":       5,
	"june":      6,
	"july":      7,
	"august":    8,
	"september": 9,
	"october":   10,
	"november":  11,
	"december":  12,
}

// moment reads the day that stands at a token, with its hour; its end is 0 where none does.
func (c clock) moment(at int) moment {
	today := time.Date(c.now.Year(), c.now.Month(), c.now.Day(), 0, 0, 0, 0, c.now.Location())
	m := moment{hour: -1, known: true}
	norm := c.norm(at)
	weekday, isWeekday := weekdays[norm]
	switch {
	case c.word(at, "black", "cyber", "good") && isDayWord(c.norm(at+1)):
		m.known, m.end = false, at+2 // a day that has a name
	case norm == "today", norm == "tonight":
		m.day, m.late, m.end = today, norm == "tonight", at+1
	case norm == "tomorrow":
		m.day, m.end = today.AddDate(0, 0, 1), at+1
	case norm == "weekend" && c.norm(at-1) != "next":
		m.day, m.span, m.end = today.AddDate(0, 0, (int(time.Saturday)-int(today.Weekday())+7)%7), 2, at+1
	case norm == "next" && (isDayWord(c.norm(at + 1))):
		m.known, m.end = false, at+2 // this week's or the one after
	case isWeekday && len(norm) > 3 || isWeekday && hasCapital(c.tokens[at].text):
		days := (int(weekday) - int(today.Weekday()) + 7) % 7
		m.day, m.known, m.weekly, m.end = today.AddDate(0, 0, days), days > 0, true, at+1
	default:
		m.day, m.end = c.date(at, today)
		if m.end == 0 {
			return moment{}
		}
	}
	return c.withHour(m)
}

func isDayWord(norm string) bool {
	_, weekday := weekdays[norm]
	return weekday || norm == "week" || norm == "month" || norm == "weekend"
}

// date reads 1 March 2027, March 1, and 2027-03-01.
func (c clock) date(at int, today time.Time) (time.Time, int) {
	if at >= len(c.tokens) {
		return today, 0
	}
	if day, err := time.ParseInLocation(time.DateOnly, c.tokens[at].text, c.now.Location()); err == nil {
		return day, at + 1
	}
	number := func(at int) int {
		digits := strings.TrimRight(c.norm(at), "stndrh")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > 31 {
			return 0
		}
		return n
	}
	month, day, end := months[c.norm(at)], number(at+1), at+2
	if month == 0 || day == 0 {
		day, month = number(at), months[c.norm(at+1)]
		if c.norm(at+1) == "of" {
			month, end = months[c.norm(at+2)], at+3
		}
	}
	if day == 0 || month == 0 {
		return today, 0
	}
	in := today.Year()
	if n, err := strconv.Atoi(c.norm(end)); err == nil && year.MatchString(c.norm(end)) {
		in, end = n, end+1
	}
	found := time.Date(in, month, day, 0, 0, 0, 0, c.now.Location())
	if found.Before(today) && in == today.Year() {
		found = found.AddDate(1, 0, 0)
	}
	if found.Day() != day {
		return today, 0 // 31 February
	}
	return found, end
}

// withHour reads the hour that may follow a day: at 9, at 08:00, 9am, noon, night.
func (c clock) withHour(m moment) moment {
	at := m.end
	if c.word(at, "night", "evening") {
		m.late, m.end = true, at+1
		return m
	}
	said := c.word(at, "at", "from", "by")
	if said {
		at++
	}
	switch {
	case c.word(at, "noon"):
		m.hour, m.end = 12, at+1
		return m
	case c.word(at, "midnight"):
		m.hour, m.end = 0, at+1
		return m
	}
	text := c.norm(at)
	afternoon := strings.HasSuffix(text, "pm") || c.word(at+1, "pm")
	half := afternoon || strings.HasSuffix(text, "am") || c.word(at+1, "am")
	hour, err := strconv.Atoi(strings.TrimRight(text, "apm"))
	minutes, end := 0, at+1
	if c.norm(at+1) == ":" && c.tokens[at].end == c.tokens[at+1].start {
		if minutes, err = strconv.Atoi(c.norm(at + 2)); err == nil {
			end, half = at+3, true
		}
	}
	if err != nil || hour > 24 || minutes > 59 || !said && !half {
		return m
	}
	if c.word(end, "am", "pm") {
		end++
	}
	if afternoon && hour < 12 {
		hour += 12
	}
	m.hour, m.minute, m.end = hour, minutes, end
	if c.word(end, "utc", "gmt", "cet", "est", "pst") {
		m.end, m.known = end+1, c.now.Location().String() == strings.ToUpper(c.norm(end))
	}
	return m
}

// lasts reads "for three days" and "for a week"; the end is 0 where it does not stand there.
func (c clock) lasts(at int) (days, end int) {
	if !c.word(at, "for") {
		return 0, 0
	}
	n, is := wordValues[c.norm(at+1)]
	if number, err := strconv.Atoi(c.norm(at + 1)); err == nil {
		n, is = int64(number), true
	}
	if c.word(at+1, "a", "one") {
		n, is = 1, true
	}
	unit := map[string]int{"day": 1, "days": 1, "week": 7, "weeks": 7}[c.norm(at+2)]
	if !is || unit == 0 || n < 1 || n > 366 {
		return 0, 0
	}
	return int(n) * unit, at + 3
}

func (c clock) word(at int, words ...string) bool { return slices.Contains(words, c.norm(at)) }
