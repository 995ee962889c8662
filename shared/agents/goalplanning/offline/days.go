package offline

import (
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

const dayForm = "2006-01-02"

// whenWords is every way of naming a day that is understood here.
const whenWords = `(?:today|tomorrow|next week|next month|in \d{1,2} (?:days?|weeks?)|` +
	`(?:next |on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:on )?\d{4}-\d{2}-\d{2})`

var inSome = goal.Pattern(`^in (\d{1,2}) (day|week)`)

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
	if day, err := time.ParseInLocation(dayForm, words, today.Location()); err == nil {
		return day, true
	}
	return weekday(words, today, monday)
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
