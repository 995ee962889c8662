package offline

import (
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

const dayForm = "2006-01-02"

const months = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`

// monthWords name a month; by it is by its first day.
const monthWords = months + `(?: \d{4})?`

// whenWords is every way of naming a day that is understood here.
const whenWords = `(?:today|tomorrow|next week|next month|in \d{1,2} (?:days?|weeks?)|` +
	`(?:next |on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:on )?\d{4}-\d{2}-\d{2}|` +
	`(?:on )?` + months + ` \d{1,2}(?:st|nd|rd|th)?|` + endWords + `)`

const endWords = `(?:the )?end of (?:(?:the|this|next) (?:week|month|year)|` + monthWords + `)`

var (
	daySuffix = goal.Pattern(`(\d)(?:st|nd|rd|th)$`)
	inSome    = goal.Pattern(`^in (\d{1,2}) (day|week)`)
	endOf     = goal.Pattern(`^(?:the )?end of (?:(the|this|next) (week|month|year)|(` + months + `)(?: (\d{4}))?)$`)
)

// dayOf returns the first day that words name, counted from today. "Next week" is its Monday.
func dayOf(words string, today time.Time) (time.Time, bool) {
	words = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(words)), "on ")
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	switch words {
	case "today":
		return today, true
	case "tomorrow":
		return today.AddDate(0, 0, 1), true
	case "next week":
		return monday.AddDate(0, 0, 7), true
	case "next month":
		return time.Date(today.Year(), today.Month()+1, 1, 0, 0, 0, 0, today.Location()), true
	}
	if found := inSome().FindStringSubmatch(words); found != nil {
		n, _ := strconv.Atoi(found[1]) // two digits
		if found[2] == "week" {
			n *= 7
		}
		return today.AddDate(0, 0, n), true
	}
	if found := endOf().FindStringSubmatch(words); found != nil {
		return lastDay(found, today, monday), true
	}
	if day, err := time.ParseInLocation(dayForm, words, today.Location()); err == nil {
		return day, true
	}
	if day, ok := weekday(words, today, monday); ok {
		return day, true
	}
	if day, err := time.ParseInLocation("January 2006", title(words), today.Location()); err == nil {
		return day, true
	}
	return monthDay(words, today)
}

// lastDay reads "end of": "this" or "next" with a week, month or year, or a
// month's name, this year's or, where that is past, the next.
func lastDay(found []string, today, monday time.Time) time.Time {
	next := 0
	if found[1] == "next" {
		next = 1
	}
	year, month := today.Year(), today.Month()
	switch found[2] {
	case "week":
		return monday.AddDate(0, 0, 6+7*next)
	case "month":
		return endOfMonth(year, month+time.Month(next), today)
	case "year":
		return endOfMonth(year+next, time.December, today)
	}
	for month = time.January; !strings.EqualFold(month.String(), found[3]); {
		month++
	}
	if named, err := strconv.Atoi(found[4]); err == nil {
		return endOfMonth(named, month, today)
	}
	if month < today.Month() {
		year++
	}
	return endOfMonth(year, month, today)
}

func endOfMonth(year int, month time.Month, today time.Time) time.Time {
	return time.Date(year, month+1, 0, 0, 0, 0, 0, today.Location())
}

// weekday reads "friday", the next to come, and "next friday", that of next week.
func weekday(words string, today, monday time.Time) (time.Time, bool) {
	name, next := strings.CutPrefix(words, "next ")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(d.String(), name) {
			if next {
				return monday.AddDate(0, 0, 7+(int(d)+6)%7), true
			}
			return today.AddDate(0, 0, (int(d)-int(today.Weekday())+6)%7+1), true
		}
	}
	return time.Time{}, false
}

// monthDay reads "march 3" and "march", its first day, this year's or, where
// that is past, the next.
func monthDay(words string, today time.Time) (time.Time, bool) {
	words = daySuffix().ReplaceAllString(words, "$1")
	for _, year := range []int{today.Year(), today.Year() + 1} {
		for _, form := range []string{"January 2 2006", "January 2006"} {
			day, err := time.ParseInLocation(form, title(words)+" "+strconv.Itoa(year), today.Location())
			if err == nil && !day.Before(today) {
				return day, true
			}
		}
	}
	return time.Time{}, false
}

func title(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	runes := []rune(text)
	return strings.ToUpper(string(runes[0])) + string(runes[1:])
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
