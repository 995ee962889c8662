package goal

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/strictjson"
)

func text(field strictjson.Field, most int, required bool) string {
	value, ok := field.String()
	value = strings.TrimSpace(value)
	switch {
	case ok && required && value == "":
		field.Problem("must not be empty")
	case utf8.RuneCountInString(value) > most:
		field.Problem("is longer than %d characters", most)
	}
	return value
}

func date(field strictjson.Field) string {
	value, ok := field.String()
	if !ok {
		return ""
	}
	if _, err := parseDate(value); err != nil {
		field.Problem(
			"must be a real date, YYYY-MM-DD or an RFC 3339 timestamp, but is %s",
			strictjson.Quote(value),
		)
	}
	return value
}

// hours reads a number of hours above least, or from 0 where least is
// negative, and at most most.
func hours(field strictjson.Field, least, most float64) float64 {
	value, ok := field.Number()
	if !ok {
		return 0
	}
	number, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(number, 0) || number <= least || number < 0 || number > most {
		field.Problem(
			"must be a number of hours above %g and at most %g, but is %s",
			max(0, least),
			most,
			strictjson.Shorten(value),
		)
		return 0
	}
	return number
}

const (
	maxBusy      = 1_000
	maxBusyHours = 24 * 31
	maxHours     = 100_000
	maxIteration = 1_000_000
)

// Own reports whether a state key is the session's alone: what a client says of it is
// passed over.
func Own(key string) bool {
	return slices.Contains([]string{KeyStep, KeyActive, KeyTold, KeyPrevious, KeyUnmet}, key)
}

// ReadState returns what is kept of a value that a client brings for a state
// key, and notes what is wrong with it. Keys that goal planning does not read may hold anything.
func ReadState(key string, value strictjson.Field) any {
	switch key {
	case KeyPreview:
		if value.Given() {
			return DecodePreview(value).Object()
		}
	case KeyHours:
		hours(value, -1, maxHours)
	case KeyBlocked:
		decodeBlocked(value)
	case KeyDeadline:
		date(value)
	case KeyUpcoming:
		decodeBusy(value)
	case KeyZone:
		if name, ok := value.String(); ok {
			if _, err := zone(name); err != nil {
				value.Problem(
					"must be the IANA name of a time zone, such as Europe/Berlin, but is %s",
					strictjson.Quote(name),
				)
			}
		}
	case KeyLanguage:
		text(value, 60, false)
	case KeyIteration:
		value.Int(0, maxIteration)
	}
	return value.Value().Plain()
}

func decodeBusy(field strictjson.Field) []Busy {
	var list []Busy
	field.Array(func(_ int, item strictjson.Field) {
		item.Object(func(o *strictjson.Object) {
			o.AllowUnknown()
			list = append(list, Busy{
				Title:          text(o.Required("title"), maxTitle, false),
				Date:           date(o.Required("date")),
				EstimatedHours: hours(o.Required("estimatedHours"), -1, maxBusyHours),
			}.settled())
		})
	})
	if len(list) > maxBusy {
		field.Problem("has more than %d tasks", maxBusy)
	}
	return list
}

// settled returns a task of the calendar as it is meant: a back end that keeps
// timestamps sends a day as its midnight in UTC.
func (b Busy) settled() Busy {
	when, err := parseDate(b.Date)
	if err == nil && when.timed && strings.HasSuffix(b.Date, "Z") &&
		when.at.Equal(when.at.Truncate(24*time.Hour)) &&
		b.EstimatedHours <= maxTaskHours {
		b.Date = when.at.Format(dayForm)
	}
	return b
}

// zone returns the time zone of that name, UTC for none. "Local" is the
// server's zone and nobody's.
func zone(name string) (*time.Location, error) {
	if name == "" {
		return time.UTC, nil
	}
	if name == "Local" {
		return nil, strconv.ErrSyntax
	}
	return time.LoadLocation(name)
}

// field makes a value of state readable like a document.
func field(value any, list *strictjson.List) strictjson.Field {
	text, err := json.Marshal(value)
	if err != nil {
		return strictjson.FieldOf(strictjson.Value{}, nil, list)
	}
	parsed, _ := strictjson.Parse(text)
	return strictjson.FieldOf(parsed, nil, list)
}
