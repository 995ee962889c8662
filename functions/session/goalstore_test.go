package session_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// goalStore is a back end that keeps what it is told to keep, and nothing it
// would have to know of us: the preview is payload.goalPreview, the goal
// payload.goal with payload.milestones, where the session stands state.state.
type goalStore struct {
	api
	session   string
	preview   any
	standing  string
	goals     []object
	calendar  []any
	available float64
}

// say is one message of the user's, with what the back end knows beside it.
func (s *goalStore) say(message string) string {
	s.t.Helper()
	parts := []any{object{"text": message}}
	for _, context := range []struct {
		name, argument string
		value          any
	}{{"goal_preview_context", "goalPreview", s.preview}, {"time_context", "availableHoursLeft", s.available}, {"task_context", "upcomingTasks", s.calendar}} {
		if context.value != nil {
			parts = append(parts, object{"function_call": object{"name": context.name, "args": object{context.argument: context.value}}})
		}
	}
	var events []struct {
		Actions struct {
			StateDelta struct {
				FinalResponse struct {
					Reply  string
					Action struct {
						Type    string
						Payload object
					}
					State object
				} `json:"final_response"`
			}
		}
	}
	s.read(s.call("POST", "/run", object{"app_name": "goal_planning_agent", "user_id": "u_1", "session_id": s.session,
		"new_message": object{"role": "user", "parts": parts}}), http.StatusOK, &events)
	said := events[2].Actions.StateDelta.FinalResponse
	s.standing, _ = said.State["state"].(string)
	switch said.Action.Type {
	case "save_preview":
		s.preview = said.Action.Payload["goalPreview"]
	case "finalize_goal":
		s.keep(said.Action.Payload)
	}
	return said.Action.Type
}

// keep stores the goal; each task that has a day alone is at midnight then.
func (s *goalStore) keep(payload object) {
	s.t.Helper()
	goal, _ := payload["goal"].(object)
	milestones, _ := payload["milestones"].([]any)
	s.goals = append(s.goals, object{"title": goal["title"], "milestones": milestones})
	for _, milestone := range milestones {
		for _, each := range milestone.(object)["tasks"].([]any) {
			task := each.(object)
			at, err := time.Parse(time.DateOnly, task["date"].(string))
			if err != nil {
				s.t.Fatal(err)
			}
			s.calendar = append(s.calendar, object{"id": "t", "done": false, "title": task["title"],
				"date": at.Format("2006-01-02T15:04:05.000Z"), "estimatedHours": task["estimatedHours"]})
		}
	}
}

func (s *goalStore) begin(session string) {
	s.t.Helper()
	s.session, s.preview = session, nil
	s.read(s.call("POST", "/apps/goal_planning_agent/users/u_1/sessions/"+session,
		object{"preferred_language": "English", "init": true}), http.StatusOK, &object{})
}

// Message, refinement, approval, and a second goal that meets the calendar of
// the first.
func TestAGoalStoreKeepsTitleMilestonesAndTasks(t *testing.T) {
	s := &goalStore{api: newAPI(t), available: 40}
	s.begin("s_1")
	for _, turn := range []struct{ message, action, standing string }{
		{"Help me build a portfolio website.", "save_preview", "plan_generated"},
		{"Add a testing milestone next week.", "save_preview", "plan_iteration"},
		{"Looks great, finalize it.", "finalize_goal", "finalized"},
	} {
		if action := s.say(turn.message); action != turn.action || s.standing != turn.standing {
			t.Fatalf("%q: %s, %s", turn.message, action, s.standing)
		}
	}
	first := s.calendar
	if s.goals[0]["title"] != "Build a portfolio website" || len(s.goals[0]["milestones"].([]any)) != 4 || len(first) != 8 {
		t.Fatalf("kept: %v with %d tasks", s.goals[0], len(first))
	}
	if diff := cmp.Diff(s.preview.(object)["milestones"], s.goals[0]["milestones"]); diff != "" {
		t.Errorf("what was kept is not the last preview (-preview +goal):\n%s", diff)
	}

	s.begin("s_2")
	s.say("I want to learn Spanish for my trip")
	if action := s.say("Looks great, finalize it."); action != "finalize_goal" {
		t.Fatalf("the second goal: %s", action)
	}
	taken := map[any]bool{}
	for _, task := range first {
		taken[task.(object)["date"]] = true
	}
	for _, task := range s.calendar[len(first):] {
		if day := task.(object)["date"]; taken[day] {
			t.Errorf("%v is on %v, a day of the first goal", task.(object)["title"], day)
		}
	}
	if len(s.calendar) == len(first) {
		t.Error("the second goal has no task")
	}
}
