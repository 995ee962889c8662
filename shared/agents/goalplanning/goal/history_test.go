package goal_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// A preview whose dates have passed is refined like any other: what the message
// does not touch stays on its date, and nothing new or moved may be past.
func TestWhatHasPassedIsHistory(t *testing.T) {
	const day, before = "2026-11-18", "2026-11-17"
	sketch, colours := task("Sketch", day+"T09:00:00Z", 2), task("Pick colours", day, 3)
	launch := task("Launch", "2026-11-30", 1)
	old := draft(sketch, colours, launch)
	past := func(at int, span string) string {
		return fmt.Sprintf("milestones[0].tasks[%d].date: %s is in the past; today is 2026-11-21", at, span)
	}
	tests := []struct {
		name, message string
		state         state
		draft         goal.Draft
		want          []string
	}{
		{name: "untouched", draft: old},
		{name: "with another offset", draft: draft(task("Sketch", day+"T10:00:00+01:00", 2), colours, launch)},
		{name: "with other hours", draft: draft(sketch, task("Pick colours", day, 5), launch)},
		{name: "a task renamed", message: "Rename the sketch task to Wireframe", draft: draft(task("Wireframe", day+"T09:00:00Z", 2), colours, launch)},
		{name: "in the way of another", state: state{"upcomingTasks": []any{busy("Trip", before+"T00:00:00Z", 72)}}, draft: old},
		{name: "moved ahead", draft: draft(task("Sketch", "2026-11-24", 2), colours, launch)},
		{name: "moved further back", draft: draft(sketch, task("Pick colours", before, 3), launch), want: []string{past(1, before)}},
		{name: "a day where it had a time", draft: draft(task("Sketch", day, 2), colours, launch), want: []string{past(0, day)}},
		{name: "a new one beside it", draft: draft(sketch, colours, launch, task("Review", day, 1)), want: []string{past(3, day)}},
		{name: "the same twice", draft: draft(sketch, colours, launch, colours), want: []string{past(3, day)}},
		{name: "a new one where one has left", draft: draft(sketch, task("Pick colours", "2026-11-24", 3), launch, task("Review", day, 1)), want: []string{past(3, day)}},
		{name: "two that change dates", message: "Swap the sketch and the colours", draft: draft(task("Sketch", day, 2), task("Pick colours", day+"T09:00:00Z", 3), launch),
			want: []string{past(0, day), past(1, "2026-11-18 09:00 to 12:00")}},
		{name: "another plan altogether", message: "Start over", draft: old, want: []string{past(0, "2026-11-18 09:00 to 11:00"), past(1, day)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			values := state{"goalPreview": old.Object()}
			for key, value := range tt.state {
				values[key] = value
			}
			if diff := cmp.Diff(tt.want, messages(situation(t, tt.message, values).Check(tt.draft))); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// Hours that are left are left for what is still to be done; a total that the
// user said counts what is history too.
func TestHoursOfHistoryAreSpent(t *testing.T) {
	old := draft(task("Sketch", "2026-11-18", 6), task("Launch", "2026-11-30", 4))
	tests := []struct {
		name, message string
		left, told    float64
		draft         goal.Draft
		want          []string
	}{
		{name: "as many as are left", left: 4, draft: old},
		{name: "fewer are left", left: 3, draft: old, want: []string{"milestones: the tasks still to be done take 4 hours and 3 is the most: take 1 off"}},
		{name: "the past task moved ahead", left: 4, draft: draft(task("Sketch", "2026-11-24", 6), task("Launch", "2026-11-30", 4)),
			want: []string{"milestones: the tasks take 10 hours and 4 is the most: take 6 off"}},
		{name: "a total that fits", told: 10, left: 20, draft: old},
		{name: "a total that does not", told: 8, left: 20, draft: old,
			want: []string{"milestones: the tasks still to be done take 4 hours and 2 is the most: take 2 off"}},
		{name: "a total that is spent", told: 5, left: 20, draft: old,
			want: []string{"milestones: the tasks still to be done take 4 hours and 0 is the most: take 4 off"}},
		{name: "another plan altogether", message: "Start over", left: 4, draft: draft(task("Sketch", "2026-11-24", 6)),
			want: []string{"milestones: the tasks take 6 hours and 4 is the most: take 2 off"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			told := state{}
			if tt.told > 0 {
				told = state{"said": true, "total": tt.told, "over": tt.left}
			}
			s := situation(t, tt.message, state{"goalPreview": old.Object(), "availableHoursLeft": tt.left, "toldHours": told})
			if diff := cmp.Diff(tt.want, messages(s.Check(tt.draft))); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// What has begun and goes on is history and takes its time all the same.
func TestWhatGoesOnTakesItsTime(t *testing.T) {
	running := task("Workshop", "2026-11-21T11:00:00Z", 3)
	s := situation(t, "Add a call", state{"goalPreview": draft(running).Object()})
	want := []string{`milestones[0].tasks[0]: 2026-11-21 13:30 to 14:30 overlaps "Workshop" (2026-11-21 11:00 to 14:00)`}
	if diff := cmp.Diff(want, messages(s.Check(draft(task("Call", "2026-11-21T13:30:00Z", 1), running)))); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
}

// Any plan that was good when it was made is good for ever as it is, and with
// one of its dates moved into the past it never is.
func TestTimeBreaksNoPlan(t *testing.T) {
	for seed := range uint64(1_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		var tasks []goal.Task
		for i := range 1 + r.IntN(8) {
			date := now.AddDate(0, 0, r.IntN(20))
			form := time.DateOnly
			if r.IntN(2) == 0 {
				date, form = date.Add(time.Duration(1+r.IntN(40))*time.Hour/4), time.RFC3339
			}
			tasks = append(tasks, task(fmt.Sprint("task ", r.IntN(4), i), date.Format(form), float64(1+r.IntN(8))/4))
			if situation(t, "", nil).Check(draft(tasks...)) != nil {
				tasks = tasks[:len(tasks)-1]
			}
		}
		if len(tasks) == 0 {
			continue
		}
		later := situation(t, "Rename it to Shop", state{"goalPreview": draft(tasks...).Object()})
		later.Now = now.Add(time.Duration(r.IntN(25*24)) * time.Hour)
		if found := later.Check(draft(tasks...)); found != nil {
			t.Fatalf("seed %d: unchanged at %s: %v", seed, later.Now, messages(found))
		}
		moved := slices.Clone(tasks)
		moved[r.IntN(len(moved))].Date = now.AddDate(0, 0, -1-r.IntN(5)).Format(time.DateOnly)
		if found := later.Check(draft(moved...)); len(found) != 1 || found[0].Kind != goal.Past {
			t.Fatalf("seed %d: moved into the past at %s: %v", seed, later.Now, messages(found))
		}
	}
}
