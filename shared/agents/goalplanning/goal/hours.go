package goal

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/strictjson"
)

// Hours is what is known of a user's time beside the calendar. What the user says
// stays until the user says otherwise.
type Hours struct {
	Unavailable []Blocked `json:"-"` // under a key of its own
	Deadline    string    `json:"-"` // under a key of its own; YYYY-MM-DD

	Open    []string `json:"open,omitempty"` // days of the weekend that may be used
	PerWeek float64  `json:"perWeek,omitempty"`
	PerDay  float64  `json:"perDay,omitempty"`
	// PerWeekday are hours of the days that have others than PerDay, such as "saturday" or "2026-12-14".
	PerWeekday map[string]float64 `json:"perWeekday,omitempty"`

	Meetings []Busy `json:"meetings,omitempty"` // that the user told, as upcomingTasks has them too
	// Total is the most hours of the whole plan, as the user said; nil is no limit.
	Total *float64 `json:"total,omitempty"`
	// Said is whether the user has spoken of the hours in all. Until a client brings
	// another number than Over and Wrote, it counts.
	Said  bool     `json:"said,omitempty"`
	Over  *float64 `json:"over,omitempty"`  // what the client had when the user said so
	Wrote *float64 `json:"wrote,omitempty"` // what was left in the state for the client
}

// Context is what one message says of the user's time.
type Context struct {
	Total       *float64
	Unlimited   bool
	PerWeek     *float64
	PerDay      *float64
	PerWeekday  map[string]float64
	Upcoming    []Busy
	Unavailable []Blocked
	Available   []Blocked // that may be used again
	Deadline    string
}

// Object returns the context as a model says it.
func (c Context) Object() map[string]any {
	object := map[string]any{}
	for name, value := range map[string]*float64{
		"availableHoursLeft": c.Total,
		"hoursPerWeek":       c.PerWeek,
		"hoursPerDay":        c.PerDay,
	} {
		if value != nil {
			object[name] = *value
		}
	}
	for name, list := range map[string][]Blocked{"unavailable": c.Unavailable, "available": c.Available} {
		if len(list) > 0 {
			object[name] = plain(list)
		}
	}
	if len(c.PerWeekday) > 0 {
		list := []any{}
		for _, day := range slices.Sorted(maps.Keys(c.PerWeekday)) {
			list = append(list, map[string]any{"weekday": day, "hours": c.PerWeekday[day]})
		}
		object["hoursPerWeekday"] = list
	}
	if len(c.Upcoming) > 0 {
		object["upcomingTasks"] = plain(c.Upcoming)
	}
	if c.Deadline != "" {
		object["deadline"] = c.Deadline
	}
	if c.Unlimited {
		object["unlimitedHours"] = true
	}
	return object
}

// DecodeContext reads the context of a model's answer.
func DecodeContext(field strictjson.Field) (c Context) {
	number := func(field strictjson.Field) *float64 {
		if !field.Given() {
			return nil
		}
		value := hours(field, -1, maxHours)
		return &value
	}
	field.Object(func(o *strictjson.Object) {
		o.AllowUnknown()
		c.Total = number(o.Optional("availableHoursLeft"))
		c.Unlimited, _ = o.Optional("unlimitedHours").Bool()
		c.PerWeek, c.PerDay = number(o.Optional("hoursPerWeek")), number(o.Optional("hoursPerDay"))
		if weekdays := o.Optional("hoursPerWeekday"); weekdays.Given() {
			c.PerWeekday = decodeWeekdays(weekdays)
		}
		if tasks := o.Optional("upcomingTasks"); tasks.Given() {
			c.Upcoming = decodeBusy(tasks)
		}
		if blocked := o.Optional("unavailable"); blocked.Given() {
			c.Unavailable = decodeBlocked(blocked)
		}
		if open := o.Optional("available"); open.Given() {
			c.Available = decodeBlocked(open)
		}
		if deadline := o.Optional("deadline"); deadline.Given() {
			c.Deadline = day(date(deadline))
		}
	})
	return c
}

// decodeWeekdays reads [{"weekday": "saturday", "hours": 4}]. A date stands in the place of
// a weekday where it has hours of its own.
func decodeWeekdays(field strictjson.Field) map[string]float64 {
	found := map[string]float64{}
	field.Array(func(_ int, item strictjson.Field) {
		item.Object(func(o *strictjson.Object) {
			o.AllowUnknown()
			day := o.Required("weekday")
			name, _ := day.String()
			name = strings.ToLower(name)
			if _, err := parseDate(name); err != nil && !slices.Contains(weekdays, name) {
				day.Problem("must be the name of a day, such as monday, or a date")
			}
			found[name] = hours(o.Required("hours"), -1, 24)
		})
	})
	return found
}

func weekdayOf(name string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(d.String(), name) {
			return d, true
		}
	}
	return 0, false
}

// with returns the hours with what a message says of them, and a sentence for each
// thing that is kept.
func (h Hours) with(c Context, client *float64) (Hours, []string) {
	var kept []string
	say := func(format string, args ...any) { kept = append(kept, fmt.Sprintf(format, args...)) }
	if c.Total != nil || c.Unlimited {
		h.Said, h.Total, h.Over = true, c.Total, client
		if c.Total != nil {
			say("I will keep the plan within %s hours.", Number(*c.Total))
		} else {
			say("There is no limit on the hours now.")
		}
	}
	if c.PerWeek != nil {
		h.PerWeek = *c.PerWeek
		say("I will plan at most %s a week.", inHours(h.PerWeek))
	}
	if c.PerDay != nil {
		h.PerDay, h.PerWeekday = *c.PerDay, nil
		say("I will plan at most %s a day.", inHours(h.PerDay))
	}
	if len(c.PerWeekday) > 0 {
		h.PerWeekday = maps.Clone(h.PerWeekday)
		if h.PerWeekday == nil {
			h.PerWeekday = map[string]float64{}
		}
		maps.Copy(h.PerWeekday, c.PerWeekday)
		say(
			"I will plan at most %s.",
			sentenceOf(hoursOf(c.PerWeekday), func(text string) string { return text }),
		)
	}
	if c.Deadline != "" {
		h.Deadline = c.Deadline
		say("I will have all done by %s.", h.Deadline)
	}
	if len(c.Available) > 0 {
		h.open(c.Available)
		say("I may use %s now.", names(c.Available))
	}
	if len(c.Upcoming) > 0 {
		h.Meetings = union(h.Meetings, c.Upcoming)
		say(
			"I will keep clear of %s.",
			sentenceOf(c.Upcoming, func(b Busy) string { return b.Title + " (" + atWhat(b) + ")" }),
		)
	}
	if len(c.Unavailable) > 0 {
		h.Unavailable = union(h.Unavailable, c.Unavailable)
		h.Open = slices.DeleteFunc(slices.Clone(h.Open), func(d string) bool {
			return slices.Contains(c.Unavailable, Blocked{Weekday: d}) ||
				slices.Contains(c.Unavailable, Blocked{Date: d})
		})
		say("I will keep %s free.", names(c.Unavailable))
	}
	return h, kept
}

// weekdays are the days of a week by their names, as a week goes.
var weekdays = strings.Fields("monday tuesday wednesday thursday friday saturday sunday")

// hoursOf names the hours of weekdays, days with the same hours together.
func hoursOf(perWeekday map[string]float64) (list []string) {
	for i := 0; i < len(weekdays); i++ {
		most, there := perWeekday[weekdays[i]]
		first := i
		for there && i+1 < len(weekdays) && hasHours(perWeekday, weekdays[i+1], most) {
			i++
		}
		d, _ := weekdayOf(weekdays[first])
		e, _ := weekdayOf(weekdays[i])
		switch {
		case !there:
		case i > first:
			list = append(list, fmt.Sprintf("%s a day from %s to %s", inHours(most), d, e))
		default:
			list = append(list, fmt.Sprintf("%s on %ss", inHours(most), d))
		}
	}
	for _, day := range slices.Sorted(maps.Keys(perWeekday)) {
		if !slices.Contains(weekdays, day) {
			list = append(list, fmt.Sprintf("%s on %s", inHours(perWeekday[day]), day))
		}
	}
	return list
}

// inHours writes hours with their unit.
func inHours(hours float64) string {
	if hours == 1 {
		return "1 hour"
	}
	return Number(hours) + " hours"
}

func hasHours(perWeekday map[string]float64, day string, most float64) bool {
	of, there := perWeekday[day]
	return there && of == most
}

// MostOn returns the most hours of the plan on a day, 0 where there is no limit.
func (h Hours) MostOn(day time.Time) float64 {
	if most, there := h.PerWeekday[day.Format(dayForm)]; there {
		return most
	}
	return h.mostOn(day.Weekday())
}

func (h Hours) mostOn(day time.Weekday) float64 {
	if most, there := h.PerWeekday[strings.ToLower(day.String())]; there {
		return most
	}
	return h.PerDay
}

// MostOfADay returns the most hours that a task can have, at most so many.
func (h Hours) MostOfADay(most float64) float64 {
	longest := 0.0
	for _, name := range weekdays {
		d, _ := weekdayOf(name)
		weekend := d == time.Saturday || d == time.Sunday
		switch of := h.mostOn(d); {
		case slices.Contains(h.Unavailable, Blocked{Weekday: name}),
			weekend && of == 0 && !slices.Contains(h.Open, name):
		case of == 0:
			longest = most
		default:
			longest = max(longest, of)
		}
	}
	if longest == 0 {
		longest = most
	}
	if h.PerWeek > 0 {
		longest = min(longest, h.PerWeek)
	}
	return min(longest, most)
}

// LeastOfADay returns the fewest hours that there are on a day, 0 where days do not differ.
func (h Hours) LeastOfADay() (least float64) {
	for day, of := range h.PerWeekday {
		if slices.Contains(weekdays, day) && of > 0 && (least == 0 || of < least) {
			least = of
		}
	}
	return least
}

// open lets days be used again, those of the weekend too, and meetings on them go.
func (h *Hours) open(days []Blocked) {
	h.Unavailable = slices.DeleteFunc(slices.Clone(h.Unavailable), func(b Blocked) bool {
		return slices.ContainsFunc(days, func(day Blocked) bool {
			return day.Weekday == b.Weekday && day.Date == b.Date && (day.From == "" || day == b)
		})
	})
	h.Meetings = slices.DeleteFunc(slices.Clone(h.Meetings), func(b Busy) bool {
		return slices.ContainsFunc(days, func(day Blocked) bool {
			when, err := parseDate(b.Date)
			return err == nil && when.timed && day.Date == when.at.Format(dayForm) &&
				(day.From == "" || day.From == when.at.Format("15:04"))
		})
	})
	for _, day := range days {
		switch {
		case day.Weekday == "saturday", day.Weekday == "sunday":
			h.Open = union(h.Open, []string{day.Weekday})
		case day.Date != "" && day.From == "":
			h.Open = union(h.Open, []string{day.Date})
		}
	}
}

func union[T comparable](list, more []T) []T {
	list = slices.Clone(list)
	for _, one := range more {
		if !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	return list
}

func atWhat(b Busy) string {
	if when, err := parseDate(b.Date); err == nil && when.timed {
		return when.at.Format("2006-01-02 15:04")
	}
	return b.Date
}

func sentenceOf[T any](list []T, name func(T) string) string {
	const most = 6
	var all []string
	for i, one := range list {
		if i == most {
			all = append(all, fmt.Sprintf("%d more", len(list)-most))
			break
		}
		all = append(all, name(one))
	}
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}

// names says which times those are. A row of dates is named by its ends.
func names(list []Blocked) string {
	rows := []string{}
	for i := 0; i < len(list); i++ {
		first := i
		for i+1 < len(list) && list[i].next() == list[i+1] {
			i++
		}
		if i == first+1 && list[first].Weekday != "" {
			i-- // "Saturdays and Sundays"
		}
		text := list[first].String()
		if i > first {
			start := Blocked{Weekday: list[first].Weekday, Date: list[first].Date}
			text = start.String() + " to " + list[i].String()
		}
		rows = append(rows, text)
	}
	return sentenceOf(rows, func(row string) string { return row })
}

// readHours takes the hours from state.
func readHours(get func(string) any, list *strictjson.List) (h Hours) {
	if told, ok := get(KeyTold).(map[string]any); ok && len(told) > 0 {
		text, err := json.Marshal(told)
		if err == nil {
			err = json.Unmarshal(text, &h)
		}
		if err != nil {
			list.Add(nil, "%s cannot be read", KeyTold)
		}
	}
	if blocked := get(KeyBlocked); !empty(blocked) {
		h.Unavailable = decodeBlocked(field(blocked, list))
	}
	h.Deadline, _ = get(KeyDeadline).(string)
	return h
}

// empty reports whether a list of state is not there or has nothing in it.
func empty(value any) bool {
	list, is := value.([]any)
	return value == nil || is && len(list) == 0
}

// State returns the state that keeps the hours, and the calendar with what the user
// told of it.
func (h Hours) State(s Situation) map[string]any {
	state := map[string]any{KeyDeadline: nil, KeyBlocked: []any{}}
	if len(h.Unavailable) > 0 {
		state[KeyBlocked] = plain(h.Unavailable)
	}
	if h.Deadline != "" {
		state[KeyDeadline] = h.Deadline
	}
	state[KeyHours] = nil
	s.Told = h
	if left, limited := s.leftNow(); limited {
		state[KeyHours], h.Wrote = left, &left
	}
	upcoming := append([]any{}, s.rawUpcoming...)
	for _, b := range h.Meetings {
		if !slices.Contains(s.Upcoming, b) || !s.inState(b) {
			upcoming = append(upcoming, plain(b))
		}
	}
	state[KeyUpcoming] = upcoming
	state[KeyTold] = map[string]any{}
	if !h.Equal(Hours{}) || h.Wrote != nil {
		state[KeyTold] = plain(h)
	}
	return state
}

// leftNow is what is left for the tasks still to be done of the plan as it stands.
func (s Situation) leftNow() (float64, bool) {
	if s.Preview == nil {
		return s.Limit(Draft{})
	}
	return s.Limit(*s.Preview)
}

func (s Situation) inState(b Busy) bool { return slices.ContainsFunc(s.rawUpcoming, b.is) }

// is reports whether that is what state has of the calendar.
func (b Busy) is(raw any) bool {
	task, _ := raw.(map[string]any)
	return task["title"] == b.Title && task["date"] == b.Date
}

// plain returns a value as JSON's own types.
func plain(v any) (value any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &value)
	}
	if err != nil {
		panic(err) // strings and numbers of ours
	}
	return value
}

// Equal reports whether two hours say the same.
func (h Hours) Equal(other Hours) bool {
	sameTotal := h.Total == other.Total || h.Total != nil && other.Total != nil && *h.Total == *other.Total
	return sameTotal && h.Said == other.Said && h.PerWeek == other.PerWeek && h.PerDay == other.PerDay &&
		h.Deadline == other.Deadline &&
		maps.Equal(h.PerWeekday, other.PerWeekday) &&
		slices.Equal(h.Open, other.Open) &&
		slices.Equal(h.Meetings, other.Meetings) &&
		slices.Equal(h.Unavailable, other.Unavailable)
}
