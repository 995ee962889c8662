package goal_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// preview is what a client keeps: with ids and colours of its own.
var preview = state{
	"title": "Portfolio website", "description": "For my job search", "id": "g-1",
	"milestones": []any{
		state{"title": "Design", "color": "red", "tasks": []any{
			state{"title": "Sketch", "description": "On paper", "date": "2026-11-23", "estimatedHours": 2, "id": "t-1"},
			state{"title": "Pick colours", "date": "2026-11-24", "estimatedHours": 1, "id": "t-2"},
		}},
		state{"title": "Build", "tasks": []any{state{"title": "Write HTML", "date": "2026-11-25", "estimatedHours": 3}}},
	},
}

// answered is a model's next draft over the preview.
func answered(title string, milestones ...goal.Milestone) goal.Draft {
	return goal.Draft{Title: title, Milestones: milestones}
}

var (
	design = goal.Milestone{Title: "design ", Tasks: []goal.Task{task("Sketch", "2026-12-01", 2), task("Pick colours", "2026-12-02", 1)}}
	build  = goal.Milestone{Title: "Build", Tasks: []goal.Task{task("Write HTML", "2026-11-25", 3)}}
	late   = goal.Milestone{Title: "Testing", Tasks: []goal.Task{task("Try it", "2026-12-26", 1)}}
	tests  = goal.Milestone{Title: "Testing", Tasks: []goal.Task{task("Try it", "2026-11-26", 1)}}
)

func TestAPreviewIsRefinedNotReplaced(t *testing.T) {
	missing := func(what, title string) string {
		return "milestones: the " + what + ` "` + title + `" of the preview is missing, and the message does not ask to drop it`
	}
	tests := []struct {
		name, message string
		draft         goal.Draft
		want          []string
	}{
		{"all kept and one added", "Add a testing milestone", answered("x", design, build, tests), nil},
		{"a milestone gone", "Add a testing milestone", answered("x", design, late), []string{missing("milestone", "Build")}},
		{"a milestone gone that the message names", "I do not want to build it myself", answered("x", design), nil},
		{"a milestone gone that the message names by its place", "remove the second milestone", answered("x", design), nil},
		{"another than at that place", "remove the first milestone", answered("x", design), []string{missing("milestone", "Build")}},
		{"a task gone", "Add a testing milestone", answered("x", goal.Milestone{Title: "Design", Tasks: design.Tasks[:1]}, build, tests),
			[]string{missing("task", "Pick colours")}},
		{"a task gone that the message names", "The colours are picked already", answered("x", goal.Milestone{Title: "Design", Tasks: design.Tasks[:1]}, build), nil},
		{"tasks gone where hours are to be saved", "Keep total hours within 5", answered("x", goal.Milestone{Title: "Design", Tasks: design.Tasks[:1]}, build), nil},
		{"a milestone gone where hours are to be saved", "Keep total hours within 4", answered("x", design), []string{missing("milestone", "Build")}},
		{"another plan, on two lines", "Let's start\n\tover: learn Spanish", answered("x", tests), nil},
		{"another plan altogether", "Forget it, start over: learn Spanish", answered("x", tests), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, messages(situation(t, tt.message, state{"goalPreview": preview}).Check(tt.draft))); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

// What names a thing speaks of it, so that what a message names may go.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		said, title string
		want        bool
	}{
		{"launch", "Launch the web shop", true},
		{"the LAUNCHES", "Launch the web shop", true},
		{"launc", "Launch the web shop", true},
		{"tests", "Testing", true},
		{"the ux milestone", "UX design", true},
		{"part 2", "Part 2", true},
		{"part 2", "Part 1", false},
		{"the plan", "The plan", true},
		{"the plan", "Plan the trip", false},
		{"la", "Launch", false},
		{"the", "Build the shop", false},
		{"launch party", "Launch", false},
		{"", "Launch", false},
		{"🎉", "🎉", false},
	} {
		if got := goal.Names(tt.said, tt.title); got != tt.want {
			t.Errorf("%q names %q: %t", tt.said, tt.title, got)
		}
		preview := state{"title": "x", "milestones": []any{state{"title": tt.title, "tasks": []any{}}}}
		dropped := situation(t, "remove "+tt.said+" now", state{"goalPreview": preview}).Check(answered("x", tests))
		if tt.want && dropped != nil {
			t.Errorf("%q may not drop %q: %v", tt.said, tt.title, dropped)
		}
	}
}

func TestRestoreKeepsWhatAModelDoesNotCarry(t *testing.T) {
	restored := func(message string) string {
		s := situation(t, message, state{"goalPreview": preview})
		text, err := json.MarshalIndent(s.Restore(answered("My site", design, tests)).Object(), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := `{
 "description": "For my job search",
 "id": "g-1",
 "milestones": [
  {
   "color": "red",
   "tasks": [
    {
     "date": "2026-12-01",
     "description": "On paper",
     "estimatedHours": 2,
     "id": "t-1",
     "title": "Sketch"
    },
    {
     "date": "2026-12-02",
     "estimatedHours": 1,
     "id": "t-2",
     "title": "Pick colours"
    }
   ],
   "title": "Design"
  },
  {
   "tasks": [
    {
     "date": "2026-11-26",
     "estimatedHours": 1,
     "title": "Try it"
    }
   ],
   "title": "Testing"
  }
 ],
 "title": "Portfolio website"
}`
	if diff := cmp.Diff(want, restored("Move the design phase, drop build")); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	var renamed struct{ Title string }
	if err := json.Unmarshal([]byte(restored("Rename it to My site")), &renamed); err != nil || renamed.Title != "My site" {
		t.Errorf("renamed to %q, %v", renamed.Title, err)
	}
}

// A task keeps its own fields where it moves to another milestone, and two of
// one title keep each theirs.
func TestMovedTasksKeepTheirFields(t *testing.T) {
	numbered := func(title string, id int) goal.Task {
		return goal.Task{Title: title, Date: "2026-12-01", EstimatedHours: 1, Extra: map[string]any{"id": float64(id)}}
	}
	old := goal.Draft{Title: "Site", Milestones: []goal.Milestone{
		{Title: "Design", Tasks: []goal.Task{numbered("Sketch", 1), numbered("Review", 2)}},
		{Title: "Build", Tasks: []goal.Task{numbered("Code", 3), numbered("Review", 4)}},
	}}
	s := situation(t, "Move the sketch to build, rename design to UX", state{"goalPreview": old.Object()})
	restored := s.Restore(goal.Draft{Title: "Site", Milestones: []goal.Milestone{
		{Title: "UX", Tasks: []goal.Task{{Title: "review"}, {Title: "New"}}},
		{Title: "build", Tasks: []goal.Task{{Title: "Code"}, {Title: "Review"}, {Title: "Sketch"}}},
	}})
	var ids []any
	for _, task := range restored.Tasks() {
		ids = append(ids, task.Extra["id"])
	}
	if diff := cmp.Diff([]any{2.0, nil, 3.0, 4.0, 1.0}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

// A preview comes back as it went in, extra fields and all.
func TestPreviewRoundTrip(t *testing.T) {
	s := situation(t, "", state{"goalPreview": preview})
	if diff := cmp.Diff(s.Raw, s.Preview.Object()); diff != "" {
		t.Errorf("preview (-stored +written):\n%s", diff)
	}
}

func TestOutputs(t *testing.T) {
	first := situation(t, "", nil)
	if out := first.Nothing("r"); out.State != (goal.OutputState{Step: "plan_generated", Iteration: 0, SessionActive: true}) || len(out.Action.Payload) != 0 {
		t.Errorf("nothing yet: %+v", out)
	}
	if out := first.Save(state{}, "r"); out.State != (goal.OutputState{Step: "plan_generated", Iteration: 1, SessionActive: true}) || out.Action.Payload["iteration"] != 1.0 {
		t.Errorf("first preview: %+v", out)
	}
	later := situation(t, "", state{"goalPreview": preview, "iteration": 2, "step": "plan_iteration", "sessionActive": true})
	if out := later.Save(state{}, "r"); out.State != (goal.OutputState{Step: "plan_iteration", Iteration: 3, SessionActive: true}) {
		t.Errorf("later preview: %+v", out)
	}
	if out := later.Nothing("r"); out.State != (goal.OutputState{Step: "plan_iteration", Iteration: 2, SessionActive: true}) {
		t.Errorf("nothing later: %+v", out)
	}
	out := later.Finalize("r")
	if out.State != (goal.OutputState{Step: "finalized", Iteration: 2, SessionActive: false}) {
		t.Errorf("final: %+v", out)
	}
	if diff := cmp.Diff(later.Raw, out.Action.Payload["goalDraft"]); diff != "" {
		t.Errorf("the final draft is not the stored one:\n%s", diff)
	}
}
