package goal_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/strictjson"
)

// now is a Saturday noon.
var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

type state = map[string]any

// situation reads state as a session holds it: JSON's own types.
func situation(t *testing.T, message string, values state) goal.Situation {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	var stored state
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	s, err := goal.Read(func(key string) any { return stored[key] }, message, now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func task(title, date string, hours float64) goal.Task {
	return goal.Task{Title: title, Date: date, EstimatedHours: hours}
}

func draft(tasks ...goal.Task) goal.Draft {
	return goal.Draft{Title: "Goal", Milestones: []goal.Milestone{{Title: "Only", Tasks: tasks}}}
}

func messages(found []goal.Violation) []string {
	var list []string
	for _, v := range found {
		list = append(list, v.Path+": "+v.Message)
	}
	return list
}

func busy(title, date string, hours float64) state {
	return state{"title": title, "date": date, "estimatedHours": hours, "source": "calendar"}
}

func TestCheck(t *testing.T) {
	berlin := state{"time_zone": "Europe/Berlin"}
	tests := []struct {
		name    string
		state   state
		message string
		draft   goal.Draft
		want    []string
	}{
		{name: "all is well", state: state{"availableHoursLeft": 4, "upcomingTasks": []any{busy("Call", "2026-11-23T10:00:00Z", 1)}},
			draft: draft(task("a", "2026-11-23T08:00:00Z", 2), task("b", "2026-11-23T11:00:00Z", 2))},
		{name: "nothing to do", draft: goal.Draft{Title: "x", Milestones: []goal.Milestone{{Title: "m"}}}, want: []string{"milestones: the plan has no task"}},
		{name: "too many hours", state: state{"availableHoursLeft": 3.5}, draft: draft(task("a", "2026-11-23", 2), task("b", "2026-11-24", 2)),
			want: []string{"milestones: the tasks take 4 hours and 3.5 is the most: take 0.5 off"}},
		{name: "exactly the hours, in tenths", state: state{"availableHoursLeft": 0.3}, draft: draft(task("a", "2026-11-23", 0.1), task("b", "2026-11-24", 0.2))},
		{name: "no hours left", state: state{"availableHoursLeft": 0}, draft: draft(task("a", "2026-11-23", 0.1)),
			want: []string{"milestones: the tasks take 0.1 hours and 0 is the most: take 0.1 off"}},
		{name: "what the user said before", state: state{"availableHoursLeft": 3, "toldHours": state{"said": true, "total": 3, "wrote": 3}}, draft: draft(task("a", "2026-11-23", 4)),
			want: []string{"milestones: the tasks take 4 hours and 3 is the most: take 1 off"}},
		{name: "a client that repeats itself", state: state{"availableHoursLeft": 40, "toldHours": state{"said": true, "total": 3, "over": 40, "wrote": 3}}, draft: draft(task("a", "2026-11-23", 4)),
			want: []string{"milestones: the tasks take 4 hours and 3 is the most: take 1 off"}},
		{name: "a client that has another number", state: state{"availableHoursLeft": 36, "toldHours": state{"said": true, "total": 3, "over": 40, "wrote": 3}}, draft: draft(task("a", "2026-11-23", 4))},
		{name: "no limit any more", state: state{"availableHoursLeft": 3, "toldHours": state{"said": true, "over": 3}}, draft: draft(task("a", "2026-11-23", 4))},
		{name: "a day off", state: state{"unavailable": []any{state{"weekday": "monday"}}}, draft: draft(task("a", "2026-11-23", 1), task("b", "2026-11-24", 1)),
			want: []string{"milestones[0].tasks[0]: 2026-11-23, a Monday, is kept free"}},
		{name: "a meeting of each week", state: state{"unavailable": []any{state{"weekday": "tuesday", "from": "10:00", "to": "11:00"}}}, draft: draft(task("a", "2026-11-24T10:30:00Z", 1)),
			want: []string{"milestones[0].tasks[0]: 2026-11-24 10:30 to 11:30 is in a time that is kept free: Tuesdays from 10:00 to 11:00"}},
		{name: "hours of a day", state: state{"unavailable": []any{state{"to": "18:00"}, state{"from": "09:00", "to": "17:00"}}}, draft: draft(task("a", "2026-11-24", 6.5)),
			want: []string{"milestones[0].tasks[0]: 2026-11-24 has no room: with this task 24.5 hours of it would be taken"}},
		{name: "the deadline", state: state{"deadline": "2026-11-24"}, draft: draft(task("a", "2026-11-24", 1), task("b", "2026-11-25", 1)),
			want: []string{"milestones[0].tasks[1].date: 2026-11-25 is after 2026-11-24, by which all is to be done"}},
		{name: "hours a week", state: state{"toldHours": state{"perWeek": 3}}, draft: draft(task("a", "2026-11-23", 2), task("b", "2026-11-24", 2), task("c", "2026-11-30", 2)),
			want: []string{"milestones: in the week of 2026-11-23 the plan takes 4 hours, and 3 is the most"}},
		{name: "in no order", draft: draft(task("a", "2026-11-24", 1), task("b", "2026-11-23", 1)),
			want: []string{`milestones: "b" comes before "a", which it follows in its milestone`}},
		{name: "a test before what it tests", draft: goal.Draft{Title: "x", Milestones: []goal.Milestone{
			{Title: "Build", Tasks: []goal.Task{task("a", "2026-11-24", 1)}}, {Title: "Testing", Tasks: []goal.Task{task("b", "2026-11-23", 1)}}}},
			want: []string{`milestones: "Testing" is on 2026-11-23, before the end of "Build" on 2026-11-24`}},
		{name: "one name twice", draft: goal.Draft{Title: "x", Milestones: []goal.Milestone{
			{Title: "Build", Tasks: []goal.Task{task("a", "2026-11-24", 1)}}, {Title: "build ", Tasks: []goal.Task{task("b", "2026-11-25", 1)}}}},
			want: []string{`milestones: two milestones are called "build "`}},
		{name: "its own tasks, sent back", state: state{"goalPreview": draft(task("a", "2026-11-23", 14)).Object(), "upcomingTasks": []any{busy("a", "2026-11-23T00:00:00.000Z", 14)}}, draft: draft(task("a", "2026-11-23", 14))},
		{name: "a day that a back end keeps as its midnight", state: state{"time_zone": "America/New_York", "upcomingTasks": []any{busy("Other", "2026-11-24T00:00:00.000Z", 14)}}, draft: draft(task("a", "2026-11-24", 14)),
			want: []string{"milestones[0].tasks[0]: 2026-11-24 has no room: with this task 28 hours of it would be taken"}},
		{name: "today is not past", draft: draft(task("a", "2026-11-21", 1))},
		{name: "yesterday is", draft: draft(task("a", "2026-11-20", 1)), want: []string{"milestones[0].tasks[0].date: 2026-11-20 is in the past; today is 2026-11-21"}},
		{name: "a minute ago is", draft: draft(task("a", "2026-11-21T11:59:00Z", 1)),
			want: []string{"milestones[0].tasks[0].date: 2026-11-21 11:59 to 12:59 is in the past; today is 2026-11-21"}},
		{name: "past in UTC and not there", state: state{"time_zone": "Pacific/Pago_Pago"}, draft: draft(task("a", "2026-11-21", 1))},
		{name: "already tomorrow there", state: state{"time_zone": "Pacific/Kiritimati"}, draft: draft(task("a", "2026-11-21", 1)),
			want: []string{"milestones[0].tasks[0].date: 2026-11-21 is in the past; today is 2026-11-22"}},
		{name: "two tasks at one time", draft: draft(task("a", "2026-11-23T10:00:00Z", 2), task("b", "2026-11-23T11:59:00Z", 1)),
			want: []string{`milestones[0].tasks[1]: 2026-11-23 11:59 to 12:59 overlaps "a" (2026-11-23 10:00 to 12:00)`}},
		{name: "one after another", draft: draft(task("a", "2026-11-23T10:00:00Z", 2), task("b", "2026-11-23T12:00:00Z", 1))},
		{name: "a meeting, in another offset", state: state{"upcomingTasks": []any{busy("Team meeting", "2026-11-23T11:00:00+01:00", 1)}},
			draft: draft(task("a", "2026-11-23T10:30:00Z", 1)),
			want:  []string{`milestones[0].tasks[0]: 2026-11-23 10:30 to 11:30 overlaps "Team meeting" (2026-11-23 10:00 to 11:00)`}},
		{name: "inside a longer one", state: state{"upcomingTasks": []any{busy("Trip", "2026-11-23T00:00:00Z", 72)}}, draft: draft(task("a", "2026-11-24T09:00:00Z", 1)),
			want: []string{`milestones[0].tasks[0]: 2026-11-24 09:00 to 10:00 overlaps "Trip" (2026-11-23 00:00 to 2026-11-26 00:00)`}},
		{name: "a day has room", state: state{"upcomingTasks": []any{busy("Shift", "2026-11-23", 10)}}, draft: draft(task("a", "2026-11-23", 14))},
		{name: "a day has no room", state: state{"upcomingTasks": []any{busy("Shift", "2026-11-23", 10)}}, draft: draft(task("a", "2026-11-23", 14.5)),
			want: []string{"milestones[0].tasks[0]: 2026-11-23 has no room: with this task 24.5 hours of it would be taken"}},
		{name: "a trip leaves a day no room", state: state{"upcomingTasks": []any{busy("Trip", "2026-11-22T20:00:00Z", 30)}}, draft: draft(task("a", "2026-11-23", 1)),
			want: []string{"milestones[0].tasks[0]: 2026-11-23 has no room: with this task 25 hours of it would be taken"}},
		{name: "the day is the user's", state: state{"time_zone": "Europe/Berlin", "upcomingTasks": []any{busy("Night shift", "2026-11-22T23:00:00Z", 24)}},
			draft: draft(task("a", "2026-11-23", 1)), want: []string{"milestones[0].tasks[0]: 2026-11-23 has no room: with this task 25 hours of it would be taken"}},
		{name: "a day of 23 hours", state: berlin, draft: draft(task("a", "2027-03-28", 23), task("b", "2027-03-29", 24))},
		{name: "and no more", state: berlin, draft: draft(task("a", "2027-03-28", 23.5)),
			want: []string{"milestones[0].tasks[0]: 2027-03-28 has no room: with this task 23.5 hours of it would be taken"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, messages(situation(t, tt.message, tt.state).Check(tt.draft))); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// A reference that knows nothing of intervals: it marks quarters of an hour.
func TestCheckAgreesWithAGridOfQuarters(t *testing.T) {
	const slots = 3 * 24 * 4
	start := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var grid [slots]bool
		mark := func(from, length int) (clash bool) {
			for i := from; i < min(slots, from+length); i++ {
				clash = clash || grid[i]
				grid[i] = true
			}
			return clash
		}
		date := func(slot int) string { return start.Add(time.Duration(slot) * 15 * time.Minute).Format(time.RFC3339) }
		var upcoming []any
		for i := range r.IntN(3) {
			from, length := r.IntN(slots), 1+r.IntN(12)
			if from%96 == 0 {
				from++ // midnight is a day
			}
			mark(from, length)
			upcoming = append(upcoming, busy(fmt.Sprint("busy", i), date(from), float64(length)/4))
		}
		var tasks []goal.Task
		clashes := 0
		total := 0.0
		for i := range 1 + r.IntN(4) {
			from, length := r.IntN(slots), 1+r.IntN(12)
			if mark(from, length) {
				clashes++
			}
			total += float64(length) / 4
			tasks = append(tasks, task(fmt.Sprint("task", i), date(from), float64(length)/4))
		}
		limit := float64(r.IntN(30)) / 4
		found := situation(t, "", state{"availableHoursLeft": limit, "upcomingTasks": upcoming}).Check(draft(tasks...))
		kinds := map[goal.Breach]int{}
		for _, v := range found {
			kinds[v.Kind]++
		}
		if kinds[goal.Overlap] != clashes || (kinds[goal.HoursExceeded] == 1) != (total > limit) || kinds[goal.Past] != 0 {
			t.Fatalf("seed %d: %v; want %d overlaps, and hours %g of %g", seed, messages(found), clashes, total, limit)
		}
	}
}

// What FreeDays proposes can be planned.
func TestFreeDaysAreFree(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var upcoming []any
		for range r.IntN(20) {
			date := now.AddDate(0, 0, r.IntN(30)).Format("2006-01-02")
			if r.IntN(2) == 0 {
				date += "T22:00:00Z" // may reach into the next day
			}
			upcoming = append(upcoming, busy("b", date, float64(1+r.IntN(30))))
		}
		s := situation(t, "", state{"upcomingTasks": upcoming})
		days := s.FreeDays(goal.Draft{}, now.AddDate(0, 0, 1), 5)
		var tasks []goal.Task
		for i, day := range days {
			tasks = append(tasks, task(fmt.Sprint(i), day, 24))
		}
		if found := s.Check(draft(tasks...)); len(days) != 5 || found != nil {
			t.Fatalf("seed %d: days %v break %v", seed, days, messages(found))
		}
	}
}

func TestStateThatAClientBrings(t *testing.T) {
	tests := []struct{ key, value, want string }{
		{"availableHoursLeft", "12.5", ""},
		{"availableHoursLeft", "0", ""},
		{"availableHoursLeft", "null", ""},
		{"availableHoursLeft", "-1", "must be a number of hours"},
		{"availableHoursLeft", `"12"`, "must be a number"},
		{"availableHoursLeft", "1e400", "must be a number of hours"},
		{"upcomingTasks", "[]", ""},
		{"upcomingTasks", `[{"title":"x","date":"2026-11-23","estimatedHours":1,"id":7}]`, ""},
		{"upcomingTasks", `[{"title":"x","date":"2026-02-30","estimatedHours":1}]`, "[0].date: must be a real date"},
		{"upcomingTasks", `[{"title":"x","estimatedHours":1}]`, "[0].date: is required"},
		{"upcomingTasks", `{}`, "must be an array"},
		{"goalPreview", `{"title":"x","milestones":[]}`, ""},
		{"goalPreview", `{"title":"x","milestones":[{"title":"m","color":"red","tasks":[{"title":"t","date":"2026-11-23","estimatedHours":2,"id":1}]}],"id":"g"}`, ""},
		{"goalPreview", `{"title":" ","milestones":[]}`, "title: must not be empty"},
		{"goalPreview", `{"title":"x"}`, "milestones: is required"},
		{"goalPreview", `[]`, "must be an object"},
		{"time_zone", `"Europe/Berlin"`, ""},
		{"time_zone", `"Mars/Olympus"`, "must be the IANA name"},
		{"time_zone", `"Local"`, "must be the IANA name"},
		{"time_zone", `"../../etc/passwd"`, "must be the IANA name"},
		{"unavailable", `[{"weekday":"monday"},{"date":"2026-12-24"},{"from":"09:00","to":"17:00"}]`, ""},
		{"unavailable", `[{"weekday":"someday"}]`, "[0].weekday: must be the name of a day"},
		{"unavailable", `[{"from":"17:00","to":"09:00"}]`, "[0]: must have a weekday"},
		{"unavailable", `[{}]`, "[0]: must have a weekday"},
		{"deadline", `"2026-02-30"`, "must be a real date"},
		{"iteration", "1.5", "must be a whole number"},
		{"preferred_language", `7`, "must be a string"},
		{"init", `{"anything": [1]}`, ""},
	}
	for _, tt := range tests {
		problems := strictjson.ReadObject([]byte(`{"k":`+tt.value+`}`), func(o *strictjson.Object) {
			goal.ReadState(tt.key, o.Optional("k"))
			o.AllowUnknown()
		})
		got := strings.TrimPrefix(strictjson.Summary(problems), "k")
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s = %s: %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
}
