package offline

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// kind is what a part of a message says.
type kind int

const (
	hours  kind = iota + 1 // a number of hours
	days                   // dates and weekdays
	shift                  // so many days later or earlier
	times                  // times of a day
	quoted                 // a title in quotes
	vague                  // how often, or a season: no plan is made by it
)

// part is a piece of a message that says something by itself, wherever it stands.
type part struct {
	kind kind

	hours float64
	per   string // day, week, task or month; "" is in all
	more  int    // 1 is more, -1 is fewer

	first, last time.Time
	weekdays    []time.Weekday // of days that are named by their weekdays
	weekly      bool           // the weekdays of each week
	bare        bool           // one weekday without a word before it
	shift       int

	from, to string // "15:04"; of a point in time, to is ""
	partly   bool   // a part of the day, such as the morning

	apart bool // of days, the first and the last alone

	title string
}

const (
	numberWord  = `(?:\d+(?:\.\d+)?|half(?: an?)?|(?:a )?couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty)`
	monthWord   = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`
	weekdayWord = `(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:s|nesdays?)?|thu(?:rs?|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)\b`
	timeWord    = `(?:\d{1,2}(?:[:.]\d{2})?(?: ?[ap]m)?|noon|midnight)`
	upTo        = ` ?(?:-|to|until|till?|through|thru) ?`
	// dateWord is a date, which may lack its month beside another one.
	dateWord = `(?:` + weekdayWord +
		`,? )?(?:\d{4}-\d{2}-\d{2}|(?:the )?\d{1,2}(?:st|nd|rd|th)?(?:(?: of)? ` + monthWord + `)?|` +
		monthWord + ` (?:the )?\d{1,2}(?:st|nd|rd|th)?)\b(?:,? 20\d\d\b)?`
)

// recognisers find parts. The first group of each pattern is the part. Recognisers above
// take their words before those below.
var recognisers = []struct {
	pattern func() *regexp.Regexp
	read    func(m []string, now calendarNow) (part, bool)
}{
	{goal.Pattern(`(["“][^"”]{1,120}["”])`), readQuoted},
	{goal.Pattern(`(?:^|[\s(])('[^']{2,80}')(?:[\s,.;)]|$)`), readQuoted},
	{
		goal.Pattern(
			`\b((` + numberWord + `)( and (?:a )?half)? ?(more|extra|additional|fewer|less)?[ -]?(h|hrs?|hours?|mins?|minutes?)\b( and (?:a )?half)?(?: (more|less|extra|fewer)\b)?` +
				`(?:,? ?(?:in an?|an?|per|each|every|/) ?(day|evening|night|morning|week|task|month)\b)?)`,
		),
		readHours,
	},
	{
		goal.Pattern(
			`\b(?:hours|total)(?: [a-z]+)? (?:within|to|under|below|at most|up to|at|down to) (\d+(?:\.\d+)?)\b`,
		),
		readBareHours,
	},
	{
		goal.Pattern(`\b(\d+(?:\.\d+)?) (?:on|at) (?:the )?(?:` + weekdayWord + `|weekends?|weekdays)`),
		readBareHours,
	},
	{
		goal.Pattern(
			`\b(not (?:every|each|all) \w+|(?:the )?(?:first|second|third|last) \w+day of (?:every|each|the) month|(?:once|twice|thrice|` + numberWord + ` (?:times|sessions?|days?|evenings?|mornings?|afternoons?|nights?|weekends?|weekdays?)),? (?:an?|per|each|every|in a) (?:day|week|month|year)|` +
				`every (?:second|other|third|2nd|3rd|few) [a-z]+|bi-?weekly|fortnightly|monthly|weekly|(?:this |next |the |early |late )*(?:spring|summer|autumn|winter|easter|holidays))\b`,
		),
		readVague,
	},
	{
		goal.Pattern(
			`\b((?:the )?(day|week|weekend) (before|after) (?:(christmas|xmas|new year(?:'?s)?)(?: day)?|(` +
				dateWord + `)))\b`,
		),
		readWeekBefore,
	},
	{goal.Pattern(`\b(between (?:christmas|xmas)(?: day)? and new year(?:'?s)?(?: day)?)\b`), readHolidays},
	{
		goal.Pattern(`\b((christmas|xmas|new year(?:'?s)?|valentine(?:'?s)?|boxing)( eve)?(?: day)?( week)?)\b`),
		readFeast,
	},
	{goal.Pattern(`\b((?:(` + weekdayWord + `),? )?(\d{1,2})/(\d{1,2})(?:/(20\d\d))?)\b`), readNumbers},
	{
		goal.Pattern(
			`\b((?:from |between )?(?:the weekend of )?(` + dateWord + `)(?:` + upTo + `| ?and | ?or )(` +
				dateWord + `))`,
		),
		readDates,
	},
	{
		goal.Pattern(`\b((?:the )?(weekend|week) (?:of|from|beginning|starting) (` + dateWord + `))`),
		readWeekOf,
	},
	{goal.Pattern(`\b(` + dateWord + `)`), readDate},
	{goal.Pattern(`\b(that (?:same )?(day|week|weekend))\b`), readThat},
	{
		goal.Pattern(
			`\b((?:the )?(first|second|third|last|end|beginning|start|middle)(?: week)? (?:of|in) (?:the |this )?(next )?(month|year|week|` + monthWord + `)(?: (20\d\d))?)`,
		),
		readEdge,
	},
	{
		goal.Pattern(
			`\b(?:in|to|by|until|till?|before|from|after|during|early|late|mid|next|this)[ -](?:the )?((` +
				monthWord + `)(?: (20\d\d)\b)?)`,
		),
		readMonth,
	},
	{
		goal.Pattern(
			`\b((?:from )?(` + weekdayWord + `|mo|tu|we|th|fr|sa|su)` + upTo + `(` + weekdayWord +
				`|(?:mo|tu|we|th|fr|sa|su)\b))`,
		),
		readWeekdays,
	},
	{
		goal.Pattern(
			`\b((?:(every|each|this|next|coming) )?(?:the )?(weekends?|weekdays?|working days|workdays|every day|daily))\b`,
		),
		readGroup,
	},
	{
		goal.Pattern(
			`\b((?:(every|each|on an?|in the|this|next|coming|following|an?) )?(` + weekdayWord + `))`,
		),
		readWeekday,
	},
	{
		goal.Pattern(
			`\b(yesterday|last (?:week|month)|today|tonight|the day after tomorrow|tomorrow|(?:the )?(?:next|coming|following|this) (?:week|month|year))\b`,
		),
		readRelative,
	},
	{
		goal.Pattern(
			`\b((?:in|within|over|for) (?:about |the next |the coming )?(` + numberWord +
				`) (day|week|month)s?(?: time)?)\b`,
		),
		readAhead,
	},
	{
		goal.Pattern(
			`\b((?:by )?(` + numberWord +
				`) (day|week|month)s?(?: (later|earlier|sooner|back|forward|ahead|from now))?)\b`,
		),
		readShift,
	},
	{
		goal.Pattern(
			`\b((?:from )?(` + timeWord + `)` + upTo + `(` + timeWord + `)|between (` + timeWord + `) and (` +
				timeWord + `))\b`,
		),
		readSpan,
	},
	{goal.Pattern(`\b(?:at|after|before|until|till?|from|past|by|than) (` + timeWord + `)\b`), readTime},
	{goal.Pattern(`\b(\d{1,2}(?::\d{2}| ?[ap]m))\b`), readTime},
	{goal.Pattern(`\b(?:in the )?((mornings?|afternoons?|evenings?|nights?))\b`), readDayPart},
}

// calendarNow is the present, and the date and the month that were named last.
type calendarNow struct{ now, near, day time.Time }

// after returns what is near once a part was named: a date that is still to come.
func (n calendarNow) after(p *part) calendarNow {
	if p != nil && p.kind == days && !p.weekly && p.first.After(n.now) {
		n.day = p.first
		if len(p.weekdays) == 0 {
			n.near, _ = month(p.first)
		}
	}
	return n
}

const mostHours = 20_000 // that anybody has for a goal

func readQuoted(m []string, _ calendarNow) (part, bool) { return part{kind: quoted}, true }
func readVague([]string, calendarNow) (part, bool)      { return part{kind: vague}, true }

func readBareHours(m []string, _ calendarNow) (part, bool) {
	return part{kind: hours, hours: number(m[1])}, number(m[1]) <= mostHours
}

func readHours(m []string, _ calendarNow) (part, bool) {
	p := part{kind: hours, hours: number(m[2]), per: m[8]}
	if m[3]+m[6] != "" {
		p.hours += 0.5
	}
	if strings.HasPrefix(m[5], "m") {
		p.hours = math.Round(p.hours/60*100) / 100
	}
	switch m[4] + m[7] {
	case "more", "extra", "additional":
		p.more = 1
	case "fewer", "less":
		p.more = -1
	}
	if slices.Contains([]string{"evening", "night", "morning"}, p.per) {
		p.per = "day"
	}
	return p, p.hours <= mostHours && m[1] != "ah"
}

var numberNames = map[string]float64{
	"a":           1,
	"an":          1,
	"one":         1,
	"two":         2,
	"three":       3,
	"four":        4,
	"five":        5,
	"six":         6,
	"seven":       7,
	"eight":       8,
	"nine":        9,
	"ten":         10,
	"eleven":      11,
	"twelve":      12,
	"fifteen":     15,
	"twenty":      20,
	"thirty":      30,
	"forty":       40,
	"fifty":       50,
	"sixty":       60,
	"half":        0.5,
	"half a":      0.5,
	"half an":     0.5,
	"couple of":   2,
	"a couple of": 2,
}

// number returns the value of a number in digits or words, 0 where it is none.
func number(word string) float64 {
	if value, named := numberNames[word]; named {
		return value
	}
	value, _ := strconv.ParseFloat(word, 64)
	return value
}

// readNumbers reads day and month where they can be told apart: "23/1", "12/12".
func readNumbers(m []string, now calendarNow) (part, bool) {
	a, _ := strconv.Atoi(m[3])
	b, _ := strconv.Atoi(m[4])
	year, _ := strconv.Atoi(m[5])
	if a <= 12 && b > 12 {
		a, b = b, a
	}
	day, ok := date{day: a, month: time.Month(b), year: year, weekday: m[2]}.on(now)
	if !ok || b > 12 || a <= 12 && a != b {
		return part{kind: vague}, true
	}
	return oneDay(day), true
}

func weekdayNamed(name string) time.Weekday {
	return time.Weekday(strings.Index("su mo tu we th fr sa ", name[:2]+" ") / 3)
}

func readWeekdays(m []string, now calendarNow) (part, bool) {
	p := part{kind: days, weekly: true, first: dayAt(now.now, 1), last: dayAt(now.now, 7)}
	for d := weekdayNamed(m[2]); ; d = (d + 1) % 7 {
		p.weekdays = append(p.weekdays, d)
		if d == weekdayNamed(m[3]) {
			return p, true
		}
	}
}

func readWeekday(m []string, now calendarNow) (part, bool) {
	d := weekdayNamed(m[3])
	ahead := (int(d)-int(now.now.Weekday())+6)%7 + 1
	p := oneDay(dayAt(now.now, ahead))
	p.weekdays, p.bare = []time.Weekday{d}, m[2] == ""
	p.weekly = strings.HasSuffix(m[3], "days") || m[3] == "weds" ||
		slices.Contains([]string{"every", "each", "on a", "a", "in the"}, m[2])
	return p, true
}

func readGroup(m []string, now calendarNow) (part, bool) {
	p := part{kind: days, weekly: true, first: dayAt(now.now, 1), last: dayAt(now.now, 7)}
	switch {
	case strings.HasPrefix(m[3], "weekend"):
		saturday := monday(now.now).AddDate(0, 0, 5)
		if m[2] == "next" || saturday.Before(now.now) {
			saturday = saturday.AddDate(0, 0, 7)
		}
		p.weekdays, p.first, p.last = []time.Weekday{
			time.Saturday,
			time.Sunday,
		}, saturday, saturday.AddDate(
			0,
			0,
			1,
		)
		p.weekly = m[3] == "weekends" || m[2] == "every" || m[2] == "each"
	case m[3] != "daily" && m[3] != "every day":
		p.weekdays = []time.Weekday{1, 2, 3, 4, 5}
	default:
		p.weekdays = []time.Weekday{1, 2, 3, 4, 5, 6, 0}
	}
	return p, true
}

func readRelative(m []string, now calendarNow) (part, bool) {
	today, next := dayAt(now.now, 0), monday(now.now).AddDate(0, 0, 7)
	first, last := month(now.now)
	year := time.Date(now.now.Year(), 1, 1, 0, 0, 0, 0, now.now.Location())
	this := strings.HasPrefix(m[1], "this") || strings.HasPrefix(m[1], "the this")
	switch words := m[1]; {
	case words == "yesterday", strings.HasPrefix(words, "last "):
		return oneDay(dayAt(now.now, -1)), true
	case words == "today", words == "tonight":
		return oneDay(today), true
	case words == "tomorrow":
		return oneDay(dayAt(now.now, 1)), true
	case strings.HasSuffix(words, "tomorrow"):
		return oneDay(dayAt(now.now, 2)), true
	case strings.HasSuffix(words, "week") && this:
		return part{kind: days, first: today, last: next.AddDate(0, 0, -1)}, true
	case strings.HasSuffix(words, "week"):
		return part{kind: days, first: next, last: next.AddDate(0, 0, 6)}, true
	case strings.HasSuffix(words, "month") && this:
		return part{kind: days, first: today, last: last}, true
	case strings.HasSuffix(words, "month"):
		first, last = month(first.AddDate(0, 1, 0))
		return part{kind: days, first: first, last: last}, true
	case this:
		return part{kind: days, first: today, last: year.AddDate(1, 0, -1)}, true
	}
	return part{kind: days, first: year.AddDate(1, 0, 0), last: year.AddDate(2, 0, -1)}, true
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

func readAhead(m []string, now calendarNow) (part, bool) {
	return oneDay(ahead(now.now, number(m[2]), m[3])), true
}

func readShift(m []string, now calendarNow) (part, bool) {
	if m[4] == "from now" {
		return readAhead(m, now)
	}
	by := int(ahead(now.now, number(m[2]), m[3]).Sub(dayAt(now.now, 0)).Hours()+12) / 24
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
	am, pm := strings.HasSuffix(words, "am"), strings.HasSuffix(words, "pm")
	at, minute, _ := strings.Cut(
		strings.ReplaceAll(strings.TrimSpace(strings.TrimRight(words, "apm")), ".", ":"),
		":",
	)
	hour, err := strconv.Atoi(at)
	early := !am && !strings.HasPrefix(at, "0") && hour >= 1 && hour <= 6 // nobody meets at 3 in the night
	switch {
	case pm && hour < 12 || early && !pm:
		hour += 12
	case am && hour == 12:
		hour = 0
	}
	return twoDigits(hour) + ":" + (minute + "00")[:2], hour, err == nil && hour <= 24
}

func twoDigits(n int) string { return strconv.Itoa(100 + n)[1:] }

func readSpan(m []string, _ calendarNow) (part, bool) {
	from, at, ok := clockOf(m[2] + m[4])
	to, until, also := clockOf(m[3] + m[5])
	if strings.HasSuffix(m[3]+m[5], "pm") && !strings.HasSuffix(m[2]+m[4], "m") && at < 12 && at+12 < until {
		from = twoDigits(at+12) + from[2:] // 6 to 8pm
	} else if to <= from && until < 12 {
		to = twoDigits(until+12) + to[2:] // 9 to 5
	}
	return part{kind: times, from: from, to: to}, ok && also && from < to
}

func readTime(m []string, _ calendarNow) (part, bool) {
	at, _, ok := clockOf(m[1])
	return part{kind: times, from: at}, ok
}

func readDayPart(m []string, _ calendarNow) (part, bool) {
	spans := map[string][2]string{
		"morning":   {"06:00", "12:00"},
		"afternoon": {"12:00", "18:00"},
		"evening":   {"18:00", "24:00"},
		"night":     {"21:00", "24:00"},
	}
	span := spans[strings.TrimSuffix(m[2], "s")]
	return part{
		kind:   times,
		from:   span[0],
		to:     span[1],
		partly: true,
		weekly: strings.HasSuffix(m[2], "s"),
	}, true
}
