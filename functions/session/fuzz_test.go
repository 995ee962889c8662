package session_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const messagePath = "/v1/agent/goal/session:message"

// FuzzBody posts any body to every call that takes one. Whatever comes, the
// answer is JSON, in the one form where it is an error, and never a 5xx.
func FuzzBody(f *testing.F) {
	for _, body := range []string{
		`{"app_name":"goal_planning_agent","user_id":"u_1","session_id":"s_1","new_message":{"role":"user","parts":[{"text":"Build a web shop"}]}}`,
		`{"appName":"goal_planning_agent","userId":"u_1","sessionId":"s_1","newMessage":{"parts":[{"functionCall":{"name":"time_context","args":{"availableHoursLeft":3}}}]},"stateDelta":{"time_zone":"UTC"}}`,
		`{"app_name":"goal_planning_agent","user_id":"u_1","session_id":"s_1","new_message":{"parts":[{"function_call":{"name":"task_context","args":{"upcomingTasks":[{"title":"x","date":"2026-11-23","estimatedHours":1e3}]}}}]}}`,
		`{"app_name":"goal_planning_agent","user_id":"u_1","session_id":"s_1","new_message":{"parts":[{"function_call":{"name":"goal_preview_context","args":{"goalPreview":{"title":"x","milestones":[{"title":"m","tasks":[]}]}}}}]}}`,
		`{"app_name":"poc6_sequential_failure","user_id":"u_1","session_id":"s_1","new_message":{"parts":[{"text":"x"}]},"state_delta":{"fail":"panic"}}`,
		`{"app_name":"","user_id":null}`, `[]`, `{`, "", "\x00",
	} {
		f.Add(body)
	}
	f.Add(`{"user_id":"u_1","session_id":"s_1","message_id":"m_1","message":"Build a web shop"}`)
	f.Add(`{"state":{"availableHoursLeft":3,"temp:x":1}}`)
	a := newAPIFor(f)
	send := func(method, path, body string) (int, []byte) {
		request := httptest.NewRequest(method, path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		a.handler.ServeHTTP(recorder, request)
		return recorder.Code, recorder.Body.Bytes()
	}
	const other = "/apps/goal_planning_agent/users/u_1/sessions/s_2"
	fresh := func() { // sessions, so that a body does not depend on those before it
		for _, path := range []string{goalPath, sequencePath, other} {
			send("DELETE", path, "")
		}
		send("POST", goalPath, "")
		send("POST", sequencePath, "")
	}
	fresh()
	f.Fuzz(func(t *testing.T, body string) {
		accepted := false
		for _, path := range []string{"/run", messagePath, other} {
			status, answer := send("POST", path, body)
			if !json.Valid(answer) || status >= 500 {
				t.Errorf("%s: %d %s", path, status, answer)
			}
			if status != 200 && !bytes.HasPrefix(answer, []byte(`{"error":{"code":"`)) {
				t.Errorf("%s: %d %s", path, status, answer)
			}
			accepted = accepted || status == 200
		}
		if accepted {
			fresh()
		}
	})
}

// TestAnyMessageToASessionWithAPlanIsAnswered takes messages that fuzzing found
// worth keeping through whole turns: each is answered, and a plan that comes of it
// keeps within its hours. What any message may come to is FuzzPlan's of the
// offline model, and what any body may come to FuzzBody's, thousands of times as
// fast as a turn of the agents.
func TestAnyMessageToASessionWithAPlanIsAnswered(t *testing.T) {
	for _, message := range []string{
		"Build a web shop", "add a testing milestone next week", "move the design phase to 2026-12-24", "remove launch", "remove launc", "keep total hours within 3",
		"rename it to \"x\"", "start over: learn Spanish by next friday within 4 hours", "add a task called \"looks good\" to build tomorrow",
		"add a milestone", "move to next week", "Plan: a, b, c", "yes", "??", "\u202eabc", "in 99 weeks", "on february 30", "total to 0", "rename it to x, total 1 to 1",
		"rename it to \v\v\"",
	} {
		t.Run(message, func(t *testing.T) {
			a := newAPI(t)
			a.read(a.call("POST", goalPath, planned), http.StatusOK, &object{})
			got := a.call("POST", messagePath, object{"user_id": "u_1", "session_id": "s_1", "message": message})
			if got.status == http.StatusUnprocessableEntity {
				return
			}
			var out output
			if err := json.Unmarshal(got.body, &out); got.status != http.StatusOK || err != nil || out.Reply == "" {
				t.Fatalf("%d %s", got.status, got.body)
			}
			if strings.Contains(out.Reply, "could not") {
				t.Errorf("the offline model makes plans that do not fit: %s", out.Reply)
			}
			if out.Action.Type == "save_preview" && out.draft(t).hours() > 10 {
				t.Errorf("a plan of %g hours", out.draft(t).hours())
			}
		})
	}
}

// planned is the state of a session that has a plan.
const planned = `{"availableHoursLeft": 10, "step": "plan_generated", "iteration": 1, "goalPreview": {"title": "Build a web shop", "milestones": [
	{"title": "Design the web shop", "tasks": [{"title": "Sketch the web shop", "date": "2026-11-23", "estimatedHours": 2}]},
	{"title": "Build the web shop", "tasks": [{"title": "Build the first version", "date": "2026-11-24", "estimatedHours": 2.5}]},
	{"title": "Launch the web shop", "tasks": [{"title": "Try it with someone else", "date": "2026-11-25", "estimatedHours": 1}, {"title": "Publish", "date": "2026-11-26", "estimatedHours": 1}]}]}}`
