package session_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/agents/agentstest"
	"github.com/planwright/planwright/shared/gemini/geminitest"
)

type streamed struct {
	event
	Partial bool
}

// stream sends a message over /run_sse and returns its events.
func (a api) stream(request object) (events []streamed) {
	a.t.Helper()
	response, err := http.Post(a.url+"/run_sse", "application/json", body(a.t, request))
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var event streamed
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				a.t.Fatal(err)
			}
			events = append(events, event)
		}
	}
	return events
}

// With "streaming": true a stream has what a model says as it says it; the
// events of the turn, and what is stored, are the same as without.
func TestPartialEvents(t *testing.T) {
	wire := &agentstest.Service{At: "FinalizeAgent", Answer: geminitest.SaysInPieces(`{"reply": "Here `, `you go.", "action": `, `{"type": "save_preview"}}`)}
	for _, streaming := range []bool{true, false} {
		a := newAPI(t, over(t, wire))
		a.read(a.call("POST", goalPath, nil), http.StatusOK, &object{})
		request := runBody("goal_planning_agent", "Build a web shop")
		request["streaming"] = streaming
		var partial, whole []string
		pieces := ""
		events := a.stream(request)
		for _, event := range events {
			if event.Partial {
				partial = append(partial, event.Author)
				pieces += map[bool]string{true: text(event.event)}[event.Author == "FinalizeAgent"]
			} else {
				whole = append(whole, event.Author)
			}
		}
		agents := []string{"CheckApprovalAgent", "PlanAgent", "FinalizeAgent"}
		if diff := cmp.Diff(agents, whole); diff != "" || events[len(events)-1].Partial {
			t.Errorf("events (-want +got):\n%s", diff)
		}
		wantPartial, wantPieces := []string(nil), ""
		if streaming {
			wantPartial = append(agents, "FinalizeAgent", "FinalizeAgent")
			wantPieces = `{"reply": "Here you go.", "action": {"type": "save_preview"}}`
		}
		if diff := cmp.Diff(wantPartial, partial); diff != "" || pieces != wantPieces {
			t.Errorf("partial events of %q (-want +got):\n%s", pieces, diff)
		}
		var stored struct{ Events []streamed }
		a.read(a.call("GET", goalPath, nil), http.StatusOK, &stored)
		if len(stored.Events) != 4 {
			t.Errorf("%d events are stored, want 4", len(stored.Events))
		}
		if reply := stored.Events[3].Actions.StateDelta["final_output"].(object)["reply"]; reply != "Here you go." {
			t.Errorf("reply %v", reply)
		}
	}
}

// The message route takes names in camelCase, as /run does.
func TestTheMessageRouteTakesCamelCase(t *testing.T) {
	a := newAPI(t)
	var snake, camel output
	a.read(a.call("POST", "/v1/agent/goal/session:message", object{"userId": "u_1", "sessionId": "s_1", "message": "Learn Spanish", "messageId": "m"}), http.StatusOK, &camel)
	a.read(a.call("POST", "/v1/agent/goal/session:message", object{"user_id": "u_1", "session_id": "s_1", "message": "Learn Spanish", "message_id": "m"}), http.StatusOK, &snake)
	if diff := cmp.Diff(snake, camel); diff != "" || camel.Action.Type != "save_preview" {
		t.Errorf("in snake_case (-) and camelCase (+):\n%s", diff)
	}
	a.refused(a.call("POST", "/v1/agent/goal/session:message", object{"userId": "u_1", "user_id": "u_1", "session_id": "s_1", "message": "x"}), http.StatusUnprocessableEntity, "invalid")
	a.refused(a.call("POST", "/v1/agent/goal/session:message", object{"session_id": "s_1", "message": "x"}), http.StatusUnprocessableEntity, "invalid")
}

// What ADK's REST API has and this service does not says so.
func TestWhatIsNotServed(t *testing.T) {
	a := newAPI(t)
	for call, says := range map[string]string{
		"GET " + goalPath + "/artifacts": "Artifacts", "POST " + goalPath + "/artifacts": "Artifacts", "GET " + goalPath + "/artifacts/a": "Artifacts",
		"DELETE " + goalPath + "/artifacts/a": "Artifacts", "GET " + goalPath + "/artifacts/a/versions": "Artifacts", "GET " + goalPath + "/artifacts/a/versions/1": "Artifacts",
		"PATCH /apps/goal_planning_agent/users/u_1/memory": "memory", "GET /run_live": "/run_sse",
	} {
		method, path, _ := strings.Cut(call, " ")
		if message := a.refused(a.call(method, path, nil), http.StatusNotImplemented, "not_implemented"); !strings.Contains(message, says) {
			t.Errorf("%s: %s", call, message)
		}
	}
}
