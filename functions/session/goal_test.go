package session_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goalPath = "/apps/goal_planning_agent/users/u_1/sessions/s_1"

// output is the standard output of goal planning.
type output struct {
	Reply  string
	Action struct {
		Type    string
		Payload map[string]any
	}
	State struct {
		Step          string
		Iteration     int
		SessionActive bool
	}
}

// say sends one message and returns the standard output.
func (a api) say(message string) output {
	a.t.Helper()
	var out output
	a.read(a.call("POST", "/v1/agent/goal/session:message", object{
		"user_id": "u_1", "session_id": "s_1", "message": message}), http.StatusOK, &out)
	return out
}

// draftOf reads the draft of an action.
func (o output) draft(t *testing.T) draft {
	t.Helper()
	data, err := json.Marshal(o.Action.Payload["goalDraft"])
	if err != nil {
		t.Fatal(err)
	}
	var d draft
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

type draft struct {
	Title      string
	Milestones []struct {
		Title string
		Tasks []struct {
			Title          string
			Date           string
			EstimatedHours float64
		}
	}
}

func (d draft) hours() (sum float64) {
	for _, m := range d.Milestones {
		for _, task := range m.Tasks {
			sum += task.EstimatedHours
		}
	}
	return sum
}

func (d draft) titles() (titles []string) {
	for _, m := range d.Milestones {
		titles = append(titles, m.Title)
	}
	return titles
}

// The conversation of the original, as its back end holds it: sessions by
// ADK's route, turns by /run in snake_case, the answer at index 2 under
// final_response, context as function calls.
func TestTheConversationOfTheOriginal(t *testing.T) {
	a := newAPI(t)
	first := object{"preferred_language": "English", "init": true}
	var created struct{ State map[string]any }
	a.read(a.call("POST", goalPath, first), http.StatusOK, &created)
	if diff := cmp.Diff(first, created.State); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	a.refused(a.call("POST", goalPath, first), http.StatusConflict, "conflict")

	turn := func(parts ...any) output {
		t.Helper()
		var events []struct {
			Author  string
			Content struct{ Parts []struct{ Text string } }
			Actions struct {
				StateDelta struct {
					FinalOutput   output `json:"final_output"`
					FinalResponse output `json:"final_response"`
				}
			}
		}
		a.read(a.call("POST", "/run", object{"app_name": "goal_planning_agent", "user_id": "u_1", "session_id": "s_1",
			"new_message": object{"role": "user", "parts": parts}}), http.StatusOK, &events)
		if len(events) != 3 || events[0].Author != "CheckApprovalAgent" || events[1].Author != "PlanAgent" || events[2].Author != "FinalizeAgent" {
			t.Fatalf("events %+v", events)
		}
		delta := events[2].Actions.StateDelta
		if diff := cmp.Diff(delta.FinalOutput, delta.FinalResponse); diff != "" {
			t.Errorf("final_output and final_response differ:\n%s", diff)
		}
		var said output
		if err := json.Unmarshal([]byte(events[2].Content.Parts[0].Text), &said); err != nil {
			t.Errorf("the text of the last event is not the standard output: %v", err)
		}
		if diff := cmp.Diff(delta.FinalOutput, said); diff != "" {
			t.Errorf("final_output and the text differ:\n%s", diff)
		}
		return delta.FinalResponse
	}
	say := func(text string) any { return object{"text": text} }
	context := func(name string, args object) any { return object{"function_call": object{"name": name, "args": args}} }

	noted := turn(context("time_context", object{"availableHoursLeft": 20}),
		object{"functionCall": object{"id": "c1", "name": "task_context", "args": object{"upcomingTasks": []any{
			object{"title": "Team meeting", "date": "2026-11-23T10:00:00Z", "estimatedHours": 1},
			object{"title": "Dentist", "date": "2026-11-24", "estimatedHours": 3}}}}})
	if noted.Action.Type != "none" || noted.State.Step != "plan_generated" || noted.State.Iteration != 0 || !noted.State.SessionActive {
		t.Errorf("context alone: %+v", noted)
	}

	planned := turn(say("Build a portfolio website"))
	if planned.Action.Type != "save_preview" || planned.State.Step != "plan_generated" || planned.State.Iteration != 1 {
		t.Fatalf("first plan: %+v", planned)
	}
	d := planned.draft(t)
	if d.hours() > 20 || len(d.Milestones) == 0 {
		t.Errorf("a plan of %g hours: %v", d.hours(), d.titles())
	}
	refined := turn(say("Add a testing milestone next week, but keep total hours within 20"))
	d2 := refined.draft(t)
	if refined.Action.Type != "save_preview" || refined.State.Step != "plan_iteration" || refined.State.Iteration != 2 || d2.hours() > 20 {
		t.Errorf("refined: %+v", refined)
	}
	if diff := cmp.Diff(slices.Insert(d.titles(), 2, "Testing"), d2.titles()); diff != "" {
		t.Errorf("milestones (-want +got):\n%s", diff)
	}
	for _, task := range d2.Milestones[2].Tasks {
		if task.Date < "2026-11-23" || task.Date > "2026-11-27" || task.Date == "2026-11-24" {
			t.Errorf("testing is on %s, not on a day of next week that is free of the dentist", task.Date)
		}
	}

	final := turn(say("Looks good, save it"))
	if final.Action.Type != "finalize_goal" || final.State.Step != "finalized" || final.State.SessionActive {
		t.Errorf("approved: %+v", final)
	}
	if diff := cmp.Diff(d2, final.draft(t)); diff != "" {
		t.Errorf("the final draft is not the stored one (-stored +final):\n%s", diff)
	}
	after := turn(say("Thank you!"))
	if after.Action.Type != "none" || after.State.Step != "finalized" || after.State.SessionActive {
		t.Errorf("after the end: %+v", after)
	}
	again := turn(say("Add a garden party"))
	if again.Action.Type != "save_preview" || again.State.Step != "plan_iteration" || again.State.Iteration != 3 || !again.State.SessionActive {
		t.Errorf("a change of mind: %+v", again)
	}
}

func TestApprovalTraps(t *testing.T) {
	for message, asksAgain := range map[string]bool{
		"yes, but move the design phase to next week": false, "not yet, looks good otherwise": true, "save me from this plan": true,
		`add a task titled "looks good"`: false, "looks good?": false, "show me the plan": false, "Not on Mondays": false, "make it sing": true,
	} {
		a := newAPI(t)
		a.say("Build a portfolio website")
		out := a.say(message)
		if out.Action.Type == "finalize_goal" || !out.State.SessionActive {
			t.Errorf("%q: %+v", message, out)
		}
		if asksAgain { // of what was asked something was not done: the plan is shown before it is final
			if out := a.say("Looks good, save it"); out.Action.Type != "none" || !strings.Contains(out.Reply, "Before this is made final") {
				t.Errorf("after %q: %+v", message, out)
			}
		}
		if out := a.say("Looks good, save it"); out.Action.Type != "finalize_goal" {
			t.Errorf("after %q the plan cannot be approved: %s", message, out.Reply)
		}
	}
	a := newAPI(t)
	if out := a.say("Looks good, save it"); out.Action.Type != "none" || out.State.Step != "plan_generated" {
		t.Errorf("consent without a preview: %+v", out)
	}
}

// The message route makes the session, and the same message id gives the same
// answer without another turn.
func TestAMessageIDMakesATurnHappenOnce(t *testing.T) {
	a := newAPI(t)
	body := object{"user_id": "u_1", "session_id": "s_1", "message": "Learn Spanish", "message_id": "m-1"}
	first := a.call("POST", "/v1/agent/goal/session:message", body)
	again := a.call("POST", "/v1/agent/goal/session:message", body)
	if first.status != 200 || !bytes.Equal(first.body, again.body) {
		t.Errorf("%d %s\n%d %s", first.status, first.body, again.status, again.body)
	}
	body["message"] = "Learn French"
	a.refused(a.call("POST", "/v1/agent/goal/session:message", body), http.StatusConflict, "conflict")
	var stored struct{ Events []event }
	a.read(a.call("GET", goalPath, nil), http.StatusOK, &stored)
	if len(stored.Events) != 4 {
		t.Errorf("%d events, want one turn of 4", len(stored.Events))
	}
	var run []event
	a.read(a.call("POST", "/run", object{"appName": "goal_planning_agent", "userId": "u_1", "sessionId": "s_1", "messageId": "m-1",
		"newMessage": object{"parts": []any{object{"text": "Learn Spanish"}}}}), http.StatusOK, &run)
	if len(run) != 3 || run[2].ID != stored.Events[3].ID {
		t.Errorf("the same message over /run is another turn: %+v", run)
	}
}

func TestDifferentGoalsGiveDifferentPlans(t *testing.T) {
	goals := []string{"Build a portfolio website", "I want to learn Spanish for my trip", "Help me organise a birthday party", "Run a marathon", "Tidy the garage"}
	seen := map[string]string{}
	for _, g := range goals {
		a := newAPI(t)
		out := a.say(g)
		titles := out.draft(t).titles()
		key := strings.Join(titles, "|")
		if out.Action.Type != "save_preview" || len(titles) < 2 || seen[key] != "" {
			t.Errorf("%q: %s %v, as for %q", g, out.Action.Type, titles, seen[key])
		}
		seen[key] = g
	}
	for _, nonsense := range []string{"hello", "???", "thanks", "What is the weather like?"} {
		a := newAPI(t)
		if out := a.say(nonsense); out.Action.Type != "none" || !strings.Contains(out.Reply, "?") {
			t.Errorf("%q: %+v", nonsense, out)
		}
	}
}

// State that cannot be true is refused where it comes in.
func TestGoalContextIsChecked(t *testing.T) {
	a := newAPI(t)
	for _, state := range []object{
		{"availableHoursLeft": -1}, {"upcomingTasks": []any{object{"title": "x", "date": "2026-13-01", "estimatedHours": 1}}},
		{"goalPreview": object{"title": "x"}}, {"time_zone": "Nowhere"},
	} {
		a.refused(a.call("POST", goalPath, state), http.StatusUnprocessableEntity, "invalid")
	}
	a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
	bad := runBody("goal_planning_agent", "Go")
	bad["state_delta"] = object{"availableHoursLeft": "many"}
	a.refused(a.call("POST", "/run", bad), http.StatusUnprocessableEntity, "invalid")
	a.refused(a.call("POST", "/run", runBody("goal_planning_agent", " ")), http.StatusUnprocessableEntity, "invalid")
}

// A preview that the client brings is refined, with the fields of its own.
func TestAClientsPreviewIsRefined(t *testing.T) {
	a := newAPI(t)
	a.read(a.call("POST", goalPath, object{"goalPreview": object{"id": "g-1", "title": "Site", "milestones": []any{
		object{"title": "Design", "color": "red", "tasks": []any{object{"id": "t-1", "title": "Sketch", "date": "2026-11-24", "estimatedHours": 2}}}}}}), http.StatusOK, &object{})
	out := a.say("Move the design phase to 2026-12-07")
	data, err := json.Marshal(out.Action.Payload["goalDraft"])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"g-1","milestones":[{"color":"red","tasks":[{"date":"2026-12-07","estimatedHours":2,"id":"t-1","title":"Sketch"}],"title":"Design"}],"title":"Site"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("draft (-want +got):\n%s\n%s", diff, out.Reply)
	}
}

// A preview whose dates have passed can still be shortened, and nothing of it
// moved to where it would be past.
func TestAPreviewOutlivesItsDates(t *testing.T) {
	a := newAPI(t)
	a.read(a.call("POST", goalPath, object{"goalPreview": object{"title": "Site", "milestones": []any{
		object{"title": "Design", "tasks": []any{object{"title": "Sketch", "date": "2026-11-02", "estimatedHours": 2}}}}}}), http.StatusOK, &object{})
	if out := a.say("Move the design phase to 2026-11-03"); out.Action.Type != "none" {
		t.Errorf("moved to a past day: %+v", out)
	}
	if out := a.say("Keep total hours within 1"); out.Action.Type != "none" {
		t.Errorf("two hours of it are history, and it is kept within 1: %+v", out)
	}
	if out := a.say("Keep total hours within 5"); out.Action.Type != "none" || !strings.Contains(out.Reply, "I will keep the plan within 5 hours.") {
		t.Errorf("kept within 5 hours: %+v", out)
	}
}
