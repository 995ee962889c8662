package offline

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// part is a piece of a message that says something by itself, wherever it stands.
type part struct {
	kind        kind
	hours       float64        // of an amount
	per         string         // of an amount: day, week, task; "" is in all
	more        int            // of an amount: 1 is more, -1 fewer
	first, last time.Time      // of days
	weekdays    []time.Weekday // of days that come again each week, or a day that is named by its weekday
	weekly      bool
	bare        bool   // a weekday by itself: "wed"
	shift       int    // days
	from, to    string // of a day
	title       string
	vague       bool // of a clock: a part of the day
}

type kind int

const (
	amount kind = iota + 1
	days
	shift
	clock
	quoted
	rate // how often, which is not planned for
)

const (
	numberWord  = `(?:\d+(?:\.\d+)?|half(?: an?)?|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty)`
	monthWord   = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`
	dayNumber   = `\d{1,2}(?:st|nd|rd|th)?`
	dateWord    = `(?:\d{4}-\d{2}-\d{2}|(?:the )?(?:` + dayNumber + `(?: of)? ` + monthWord + `|` + monthWord + ` ` + dayNumber + `)\b(?:,? \d{4}\b)?)`
	weekdayWord = `(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:s|nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)\b`
	timeWord    = `(?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?|noon|midnight)`
	upTo        = ` ?(?:-|–|to|until|till?|through|and|or) ?`
)

// recognisers find parts. Those above take their words before those below.
var recognisers = []struct {
	pattern func() *regexp.Regexp // its first group is the part
	read    func(m []string, now time.Time) (part, bool)
	near    bool // it is near the date before it
}{
	{goal.Pattern(`(["“][^"”]{1,120}["”])`), readQuoted, false},
	{goal.Pattern(`(?:^|[\s(])('[^']{2,80}')(?:[\s,.;)]|$)`), readQuoted, false},
	{goal.Pattern(`\b((` + numberWord + `)( and (?:a )?half)? ?(more|extra|additional|fewer|less)?[ -]?(h|hrs?|hours?|mins?|minutes?)\b( and (?:a )?half)?(?: (more|less|extra|fewer)\b)?(?: (?:in (?:total|all)|total|altogether|overall)\b)?(?:,? ?(?:an?|per|each|every|/) ?(day|evening|night|morning|week|task|month)\b)?)`), readAmount, false},
	{goal.Pattern(`\b(?:hours|total)(?: [a-z]+)? (?:within|to|under|below|at most|up to|at|down to) (\d+(?:\.\d+)?)\b`), readTotal, false},
	{goal.Pattern(`\b(not (?:every|each|all) \w+)\b`), readRate, false},
	{goal.Pattern(`\b((?:(?:once|twice|thrice|` + numberWord + `)(?: (?:times|sessions?|days?|evenings?|mornings?|afternoons?|nights?|weekends?|weekdays?))?,? (?:an?|per|each|every|in a) (?:day|week|month|year)|every (?:second|other|third|2nd|3rd|few) [a-z]+|(?:bi-?weekly|fortnightly|monthly|weekly)))\b`), readRate, false},
	{goal.Pattern(`\b((?:this |next |the |early |late )*(?:spring|summer|autumn|fall|winter|easter|holidays))\b`), readRate, false},
	{goal.Pattern(`\b(((?:christmas|xmas|new year(?:'?s)?|valentine(?:'?s)?|boxing)(?: eve| day)?))\b`), readFeast, false},
	{goal.Pattern(`\b((?:the )?(first|second|third|fourth|last|1st|2nd|3rd|4th) week (?:of|in) (` + monthWord + `)(?: (\d{4}))?)`), readWeekOf, false},
	{goal.Pattern(`\b(between ` + dateWord + upTo + dateWord + `|(?:from )?` + dateWord + upTo + dateWord + `)`), readRange, false},
	{goal.Pattern(`\b((?:from |between )?(` + monthWord + `) (` + dayNumber + `)` + upTo + `(` + dayNumber + `))\b`), readDays, false},
	{goal.Pattern(`\b((?:from |between )?(?:the )?(` + dayNumber + `)` + upTo + `(?:the )?(` + dateWord + `))`), readDayTo, false},
	{goal.Pattern(`\b((?:from )?(?:the )?(\d{1,2})(?:st|nd|rd|th)` + upTo + `(?:the )?(\d{1,2})(?:st|nd|rd|th))\b`), readDaysOfMonth, true},
	{goal.Pattern(`\b(` + dateWord + `)`), readDate, false},
	{goal.Pattern(`\b(?:on|by|until|till|before|from|after|and|or|` + weekdayWord + `),? ((?:the )?(\d{1,2})(?:st|nd|rd|th))\b`), readOfMonth, true},
	{goal.Pattern(`\b((?:the )(\d{1,2})(?:st|nd|rd|th))\b`), readOfMonth, true},
	{goal.Pattern(`\b((?:the )?(end|beginning|start|middle) of (?:the |this |next )?(month|year|week|` + monthWord + `)(?: (\d{4}))?)`), readEdge, false},
	{goal.Pattern(`\b(?:in|by|until|till|before|from|after|during|early|late|mid|next|this)[ -](?:the )?((` + monthWord + `)(?: (\d{4})\b)?)`), readMonth, false},
	{goal.Pattern(`\b((?:from )?(` + weekdayWord + `) ?(?:-|–|to|until|till|through) ?(` + weekdayWord + `))`), readWeekdays, false},
	{goal.Pattern(`\b((?:(every|each|this|next|coming|on) )?(?:the )?(weekends?|weekdays|working days|workdays|every day|daily))\b`), readGroup, false},
	{goal.Pattern(`\b((?:(every|each|on an?|on|in the|this|next|coming|following|an?) )?(` + weekdayWord + `))`), readWeekday, false},
	{goal.Pattern(`\b((yesterday|last (?:week|month)|today|tonight|the day after tomorrow|tomorrow|(?:the )?(?:next|coming|following) week|this week|(?:the )?next month|this month|this year|next year))\b`), readRelative, false},
	{goal.Pattern(`\b((?:in|within|over|for) (?:about |the next |the coming )?(` + numberWord + `) (day|week|month)s?(?: time)?)\b`), readAhead, false},
	{goal.Pattern(`\b((?:by )?(` + numberWord + `) (day|week|month)s?(?: (later|earlier|sooner|back|forward|ahead|from now))?)\b`), readShift, false},
	{goal.Pattern(`\b((?:from |between )?(` + timeWord + `)` + upTo + `(` + timeWord + `))\b`), readSpan, false},
	{goal.Pattern(`\b(?:at|after|before|until|till|from|past|by|than) (` + timeWord + `)\b`), readTime, false},
	{goal.Pattern(`\b(\d{1,2}(?::\d{2}| ?[ap]m))\b`), readTime, false},
	{goal.Pattern(`\b(?:in the )?((mornings?|afternoons?|evenings?|nights?))\b`), readDayPart, false},
}

// mostHours is the most that anybody has for a goal.
const mostHours = 20_000

func readQuoted(m []string, _ time.Time) (part, bool) {
	return part{kind: quoted, title: strings.Trim(m[1], `"“”' `)}, true
}

func readFeast(m []string, now time.Time) (part, bool) {
	day := map[byte]string{'c': "25 december", 'x': "25 december", 'n': "1 january", 'v': "14 february", 'b': "26 december"}[m[2][0]]
	p, ok := oneDay(dateOf(day, now))
	if strings.HasSuffix(m[2], "eve") {
		p.first, p.last = p.first.AddDate(0, 0, -1), p.last.AddDate(0, 0, -1)
	}
	return p, ok && m[2] != "boxing"
}

func readWeekOf(m []string, now time.Time) (part, bool) {
	of, _ := readMonth([]string{"", "", m[3], m[4]}, now)
	first, last := month(of.last)
	start := monday(first.AddDate(0, 0, 6)) // the first Monday
	if m[2] == "last" {
		start = monday(last)
	} else {
		nth := map[string]int{"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3}
		start = start.AddDate(0, 0, 7*nth[m[2]])
	}
	return part{kind: days, first: start, last: start.AddDate(0, 0, 6)}, true
}

func readTotal(m []string, _ time.Time) (part, bool) {
	return part{kind: amount, hours: number(m[1])}, number(m[1]) <= mostHours
}

func readRate([]string, time.Time) (part, bool) { return part{kind: rate}, true }

var numberNames = map[string]float64{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
	"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "half": 0.5, "half a": 0.5, "half an": 0.5, "a couple of": 2}

func number(word string) float64 {
	if value, named := numberNames[word]; named {
		return value
	}
	value, _ := strconv.ParseFloat(word, 64) // the patterns take no other
	return value
}

func readAmount(m []string, _ time.Time) (part, bool) {
	if m[1] == "ah" {
		return part{}, false
	}
	p := part{kind: amount, hours: number(m[2]), per: m[8]}
	if m[3] != "" || m[6] != "" {
		p.hours += 0.5
	}
	if strings.HasPrefix(m[5], "m") {
		p.hours /= 60
	}
	switch m[4] + m[7] {
	case "more", "extra", "additional":
		p.more = 1
	case "fewer", "less":
		p.more = -1
	}
	if p.per == "evening" || p.per == "night" || p.per == "morning" {
		p.per = "day"
	}
	return p, p.hours <= mostHours
}

func dayAt(now time.Time, ahead int) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+ahead, 0, 0, 0, 0, now.Location())
}

var inDate = goal.Pattern(`(?:(\d+)\w*(?: of)? (` + monthWord + `)|(` + monthWord + `) (\d+)\w*)(?:,? (\d{4}))?`)

// dateOf reads a date, the next of it where no year is said.
func dateOf(words string, now time.Time) (day time.Time, ok bool) {
	if day, err := time.ParseInLocation(time.DateOnly, words, now.Location()); err == nil {
		return day, true
	}
	m := inDate().FindStringSubmatch(words)
	if m == nil {
		return day, false
	}
	year, _ := strconv.Atoi(m[5])
	return dayOf(m[1]+m[4], m[2]+m[3], year, now)
}

func dayOf(number, monthName string, year int, now time.Time) (time.Time, bool) {
	n, _ := strconv.Atoi(strings.TrimRight(number, "stndrh"))
	month := monthOf(monthName)
	at := func(year int) time.Time { return time.Date(year, month, n, 0, 0, 0, 0, now.Location()) }
	day := at(year)
	if year == 0 {
		if day = at(now.Year()); day.Before(dayAt(now, 0)) {
			day = at(now.Year() + 1)
		}
	}
	return day, day.Day() == n
}

func monthOf(name string) time.Month {
	return time.Month(strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", name[:3])/3 + 1)
}

func oneDay(day time.Time, ok bool) (part, bool) {
	return part{kind: days, first: day, last: day}, ok
}

func readDate(m []string, now time.Time) (part, bool) { return oneDay(dateOf(m[1], now)) }

func readRange(m []string, now time.Time) (part, bool) {
	found := goal.Pattern(dateWord)().FindAllString(m[1], 2)
	if len(found) < 2 {
		return part{}, false
	}
	first, ok := dateOf(found[0], now)
	last, also := dateOf(found[1], first)
	return part{kind: days, first: first, last: last}, ok && also
}

func readDays(m []string, now time.Time) (part, bool) {
	first, ok := dayOf(m[3], m[2], 0, now)
	last, also := dayOf(m[4], m[2], 0, now)
	return part{kind: days, first: first, last: last}, ok && also && !last.Before(first)
}

func readDayTo(m []string, now time.Time) (part, bool) {
	last, ok := dateOf(m[3], now)
	first, also := dayOf(m[2], strings.ToLower(last.Month().String()), last.Year(), now)
	return part{kind: days, first: first, last: last}, ok && also && first.Before(last)
}

func readDaysOfMonth(m []string, now time.Time) (part, bool) {
	first, ok := readOfMonth([]string{"", "", m[2]}, now)
	last, also := readOfMonth([]string{"", "", m[3]}, first.first)
	first.last = last.last
	return first, ok && also
}

func readOfMonth(m []string, now time.Time) (part, bool) {
	n, _ := strconv.Atoi(m[2])
	day := time.Date(now.Year(), now.Month(), n, 0, 0, 0, 0, now.Location())
	if day.Before(dayAt(now, 0)) {
		day = day.AddDate(0, 1, 0)
	}
	return oneDay(day, day.Day() == n)
}

// month returns the first and last day of the month that a day is in.
func month(day time.Time) (first, last time.Time) {
	first = time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, day.Location())
	return first, first.AddDate(0, 1, -1)
}

func readMonth(m []string, now time.Time) (part, bool) {
	year, _ := strconv.Atoi(m[3])
	first, _ := dayOf("1", m[2], year, now)
	if this := now.Month() == monthOf(m[2]); this && year == 0 {
		first = dayAt(now, 0)
	}
	_, last := month(first)
	return part{kind: days, first: first, last: last}, true
}

func readEdge(m []string, now time.Time) (part, bool) {
	next := 0
	if strings.Contains(m[1], "next ") {
		next = 1
	}
	var last time.Time
	first, _ := month(now)
	switch m[3] {
	case "week":
		first = monday(now).AddDate(0, 0, 7*next)
		last = first.AddDate(0, 0, 6)
		if m[2] == "end" {
			return part{kind: days, first: last.AddDate(0, 0, -2), last: last}, true
		}
	case "month":
		first, last = month(first.AddDate(0, next, 0))
	case "year":
		first, last = time.Date(now.Year(), 1, 1, 0, 0, 0, 0, now.Location()), time.Date(now.Year(), 12, 31, 0, 0, 0, 0, now.Location())
	default:
		p, _ := readMonth([]string{"", "", m[3], m[4]}, now)
		first, last = month(p.last)
	}
	switch m[2] {
	case "end":
		return part{kind: days, first: last.AddDate(0, 0, -6), last: last}, true
	case "middle":
		return oneDay(first.AddDate(0, 0, 14), true)
	}
	return part{kind: days, first: first, last: first.AddDate(0, 0, 6)}, true
}

func monday(day time.Time) time.Time { return dayAt(day, -(int(day.Weekday())+6)%7) }

func weekdayNamed(name string) time.Weekday {
	return time.Weekday(strings.Index("sunmontuewedthufrisat", name[:3]) / 3)
}

func readWeekdays(m []string, now time.Time) (part, bool) {
	p := part{kind: days, weekly: true, first: dayAt(now, 1), last: dayAt(now, 7)}
	for d := weekdayNamed(m[2]); ; d = (d + 1) % 7 {
		p.weekdays = append(p.weekdays, d)
		if d == weekdayNamed(m[3]) {
			return p, true
		}
	}
}

func readWeekday(m []string, now time.Time) (part, bool) {
	d := weekdayNamed(m[3])
	ahead := (int(d)-int(now.Weekday())+7)%7 + 7
	if ahead > 7 {
		ahead -= 7
	}
	p, _ := oneDay(dayAt(now, ahead), true)
	p.weekdays, p.bare = []time.Weekday{d}, m[2] == ""
	p.weekly = strings.HasSuffix(m[3], "days") || m[3] == "weds" || slices.Contains([]string{"every", "each", "on a", "a", "in the"}, m[2])
	return p, true
}

func readGroup(m []string, now time.Time) (part, bool) {
	p := part{kind: days, weekly: true, first: dayAt(now, 1), last: dayAt(now, 7)}
	switch {
	case strings.HasPrefix(m[3], "weekend"):
		saturday := monday(now).AddDate(0, 0, 5)
		if m[2] == "next" || saturday.Before(now) {
			saturday = saturday.AddDate(0, 0, 7)
		}
		p.weekdays, p.first, p.last = []time.Weekday{time.Saturday, time.Sunday}, saturday, saturday.AddDate(0, 0, 1)
		p.weekly = m[3] == "weekends" || m[2] == "every" || m[2] == "each"
	case m[3] != "daily" && m[3] != "every day":
		p.weekdays = []time.Weekday{1, 2, 3, 4, 5}
	}
	return p, true
}

func readRelative(m []string, now time.Time) (part, bool) {
	next := monday(now).AddDate(0, 0, 7)
	first, last := month(now)
	switch words := m[2]; {
	case words == "yesterday", strings.HasPrefix(words, "last "):
		return oneDay(dayAt(now, -1), true)
	case words == "today", words == "tonight":
		return oneDay(dayAt(now, 0), true)
	case words == "tomorrow":
		return oneDay(dayAt(now, 1), true)
	case strings.HasSuffix(words, "tomorrow"):
		return oneDay(dayAt(now, 2), true)
	case words == "this week":
		return part{kind: days, first: dayAt(now, 0), last: next.AddDate(0, 0, -1)}, true
	case strings.HasSuffix(words, "week"):
		return part{kind: days, first: next, last: next.AddDate(0, 0, 6)}, true
	case strings.HasSuffix(words, "year"):
		year := now.Year()
		if strings.HasPrefix(words, "next") {
			year++
		}
		return part{kind: days, first: later(dayAt(now, 0), time.Date(year, 1, 1, 0, 0, 0, 0, now.Location())), last: time.Date(year, 12, 31, 0, 0, 0, 0, now.Location())}, true
	case words == "this month":
		return part{kind: days, first: dayAt(now, 0), last: last}, true
	}
	first, last = month(first.AddDate(0, 1, 0))
	return part{kind: days, first: first, last: last}, true
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func ahead(now time.Time, n float64, unit string) time.Time {
	switch unit {
	case "week":
		return dayAt(now, int(7*n))
	case "month":
		return dayAt(now, 0).AddDate(0, int(n), 0)
	}
	return dayAt(now, int(n))
}

func readAhead(m []string, now time.Time) (part, bool) {
	return oneDay(ahead(now, number(m[2]), m[3]), true)
}

func readShift(m []string, now time.Time) (part, bool) {
	if m[4] == "from now" {
		return readAhead(m, now)
	}
	by := int(ahead(now, number(m[2]), m[3]).Sub(dayAt(now, 0)).Hours()+12) / 24
	if slices.Contains([]string{"earlier", "sooner", "forward", "ahead"}, m[4]) {
		by = -by
	}
	return part{kind: shift, shift: by}, by != 0
}

// clockOf reads a time of a day as "15:04".
func clockOf(words string) (text string, hour int, ok bool) {
	switch words {
	case "noon":
		return "12:00", 12, true
	case "midnight":
		return "24:00", 24, true
	}
	half := strings.HasSuffix(words, "pm")
	plain := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(words, "am"), "pm"))
	at, minute, _ := strings.Cut(strings.Replace(plain, ".", ":", 1), ":")
	hour, err := strconv.Atoi(at)
	early := !strings.HasPrefix(at, "0") && !strings.HasSuffix(words, "am") && hour >= 1 && hour <= 6
	if half && hour < 12 || early && !half { // nobody meets at 3 in the night
		hour += 12
	} else if strings.HasSuffix(words, "am") && hour == 12 {
		hour = 0
	}
	return twoDigits(hour) + ":" + (minute + "00")[:2], hour, err == nil && hour <= 24
}

func twoDigits(n int) string { return strconv.Itoa(100 + n)[1:] }

func readSpan(m []string, _ time.Time) (part, bool) {
	from, at, ok := clockOf(m[2])
	to, until, also := clockOf(m[3])
	if strings.HasSuffix(m[3], "pm") && !strings.HasSuffix(m[2], "m") && at < 12 && at+12 < until {
		from = twoDigits(at+12) + from[2:] // 6 to 8pm
	} else if to <= from && until < 12 {
		to = twoDigits(until+12) + to[2:] // 9 to 5
	}
	return part{kind: clock, from: from, to: to}, ok && also && from < to
}

func readTime(m []string, _ time.Time) (part, bool) {
	at, _, ok := clockOf(m[1])
	return part{kind: clock, from: at}, ok
}

func readDayPart(m []string, _ time.Time) (part, bool) {
	spans := map[string][2]string{"morning": {"06:00", "12:00"}, "afternoon": {"12:00", "18:00"}, "evening": {"18:00", "24:00"}, "night": {"21:00", "24:00"}}
	span := spans[strings.TrimSuffix(m[2], "s")]
	return part{kind: clock, from: span[0], to: span[1], vague: true, weekly: strings.HasSuffix(m[2], "s")}, true
}
