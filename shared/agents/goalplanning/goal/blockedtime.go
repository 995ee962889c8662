package goal

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/strictjson"
)

// Blocked is time that tasks must keep clear of: a day of each week, one date, or
// each day, and where From and To are given those hours of it, as "15:04".
type Blocked struct {
	Weekday string `json:"weekday,omitempty"` // "monday"
	Date    string `json:"date,omitempty"`    // YYYY-MM-DD
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
}

const maxBlocked = 400

func decodeBlocked(field strictjson.Field) (list []Blocked) {
	field.Array(func(_ int, item strictjson.Field) {
		item.Object(func(o *strictjson.Object) {
			o.AllowUnknown()
			var b Blocked
			weekday := o.Optional("weekday")
			b.Weekday, _ = weekday.String()
			b.Weekday = strings.ToLower(b.Weekday)
			if _, known := weekdayOf(b.Weekday); !known && b.Weekday != "" {
				weekday.Problem("must be the name of a day, such as monday")
			}
			if at := o.Optional("date"); at.Given() {
				b.Date = day(date(at))
			}
			b.From, b.To = clock(o.Optional("from")), clock(o.Optional("to"))
			if b == (Blocked{}) || b.From != "" && b.To != "" && b.From >= b.To {
				item.Problem("must have a weekday, a date or hours, from before to")
			}
			list = append(list, b)
		})
	})
	if len(list) > maxBlocked {
		field.Problem("has more than %d entries", maxBlocked)
	}
	return list
}

// clock reads a time of a day, "" where there is none. The end of a day is 24:00.
func clock(field strictjson.Field) string {
	value, ok := field.String()
	if !ok || value == "24:00" {
		return value
	}
	at, err := time.Parse("15:04", value)
	if err != nil {
		field.Problem("must be a time such as 09:30, but is %s", strictjson.Quote(value))
	}
	return at.Format("15:04")
}

// next is the same time of the day after.
func (b Blocked) next() Blocked {
	if at, err := time.Parse(dayForm, b.Date); err == nil {
		b.Date = at.AddDate(0, 0, 1).Format(dayForm)
	}
	if d, known := weekdayOf(b.Weekday); known {
		b.Weekday = strings.ToLower(((d + 1) % 7).String())
	}
	return b
}

// String names a blocked time as people do: "Mondays from 10:00 to 11:00".
func (b Blocked) String() string {
	text := b.Date
	if d, known := weekdayOf(b.Weekday); known {
		text = d.String() + "s"
	}
	if b.From != "" || b.To != "" {
		text = fmt.Sprintf(
			"%s from %s to %s",
			cmp.Or(text, "every day"),
			cmp.Or(b.From, "00:00"),
			cmp.Or(b.To, "24:00"),
		)
	}
	return text
}

// on reports whether a blocked time lies on a day.
func (b Blocked) on(day time.Time) bool {
	return (b.Weekday == "" || strings.EqualFold(day.Weekday().String(), b.Weekday)) &&
		(b.Date == "" || b.Date == day.Format(dayForm))
}

func (b Blocked) wholeDay() bool { return b.From == "" && b.To == "" }

// quarter returns the quarter of an hour of a day in which a time is.
func (b Blocked) quarter(clock string, otherwise int) int {
	hour, minute := 0, 0
	if n, _ := fmt.Sscanf(clock, "%d:%d", &hour, &minute); n < 2 {
		return otherwise
	}
	return min(24*4, hour*4+minute/15)
}

// span returns a blocked time's hours of a day.
func (b Blocked) span(day time.Time) (from, to time.Time) {
	at := func(clock, otherwise string) time.Time {
		hour, minute := 0, 0
		_, _ = fmt.Sscanf(cmp.Or(clock, otherwise), "%d:%d", &hour, &minute) // checked when it was read
		return time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, day.Location())
	}
	return at(b.From, "00:00"), at(b.To, "24:00")
}
