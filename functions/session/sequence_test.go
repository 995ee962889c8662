package session_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sequenceApp = "poc6_sequential_failure"

func TestTheSequenceOverHTTP(t *testing.T) {
	a := newAPI(t)
	var created object
	a.read(a.call("POST", sequencePath, nil), http.StatusOK, &created)

	var events []event
	a.read(a.call("POST", "/run", runBody(sequenceApp, "Go.")), http.StatusOK, &events)
	var authors []string
	for _, e := range events {
		authors = append(authors, e.Author)
		if e.Timestamp == 0 {
			t.Errorf("the event of %s has no time", e.Author)
		}
	}
	if diff := cmp.Diff([]string{"AgentA", "AgentA", "AgentA", "AgentB", "AgentC", "AgentD"}, authors); diff != "" {
		t.Errorf("authors (-want +got):\n%s", diff)
	}
	if got, want := text(events[5]), "Agent A failed, B and C were skipped, D completed."; got != want {
		t.Errorf("D said %q, want %q", got, want)
	}

	var stored struct {
		State  map[string]any
		Events []event
	}
	a.read(a.call("GET", sequencePath, nil), http.StatusOK, &stored)
	want := map[string]any{
		"agent_a_outcome": `{"status":"failure","message":"Tool failed: Simulated failure"}`,
		"agent_b_outcome": `{"status":"skipped","message":"Skipped due to Agent A failure."}`,
		"agent_c_outcome": `{"status":"skipped","message":"Skipped due to Agent B outcome."}`,
	}
	if diff := cmp.Diff(want, stored.State); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if len(stored.Events) != 7 || stored.Events[0].Author != "user" {
		t.Errorf("%d events are stored, want the user's and six", len(stored.Events))
	}
}

func TestStateChoosesTheFailure(t *testing.T) {
	for mode, want := range map[string]string{
		"none":  "Agents A, B and C succeeded, D completed.",
		"b":     "Agent A succeeded, B failed, C was skipped, D completed.",
		"panic": "Agent A failed, B and C were skipped, D completed.",
	} {
		a := newAPI(t)
		a.read(a.call("POST", sequencePath, object{"fail": mode}), http.StatusOK, &object{})
		var events []event
		a.read(a.call("POST", "/run", runBody(sequenceApp, "Go.")), http.StatusOK, &events)
		if got := text(events[len(events)-1]); got != want {
			t.Errorf("%s: D said %q, want %q", mode, got, want)
		}
	}
}

// The stream has the events of run, in order, and ends.
func TestStream(t *testing.T) {
	a := newAPI(t)
	a.read(a.call("POST", sequencePath, nil), http.StatusOK, &object{})
	got := a.call("POST", "/run_sse", runBody(sequenceApp, "Go."))
	if kind := got.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/event-stream") {
		t.Errorf("Content-Type %s", kind)
	}
	var authors []string
	for lines := bufio.NewScanner(bytes.NewReader(got.body)); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var e event
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatal(err)
			}
			authors = append(authors, e.Author)
		}
	}
	if diff := cmp.Diff([]string{"AgentA", "AgentA", "AgentA", "AgentB", "AgentC", "AgentD"}, authors); diff != "" {
		t.Errorf("authors (-want +got):\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	const other = "/apps/poc6_sequential_failure/users/u_1/sessions/other"
	run := func(change func(object)) object {
		body := runBody(sequenceApp, "Go.")
		change(body)
		return body
	}
	parts := func(parts ...any) func(object) {
		return func(b object) { b["new_message"] = object{"role": "user", "parts": parts} }
	}
	tests := []struct {
		name, method, path string
		body               any
		status             int
		code, says         string
	}{
		{"create twice", "POST", sequencePath, nil, 409, "conflict", "already"},
		{"create in an unknown app", "POST", "/apps/x/users/u/sessions/s", nil, 404, "not_found", "poc6_sequential_failure"},
		{"create with a body that is not JSON", "POST", other, "{", 400, "malformed", "line 1"},
		{"create with an array", "POST", other, "[1]", 422, "invalid", "must be an object"},
		{"create with a duplicate key", "POST", other, `{"a":1,"a":2}`, 422, "invalid", "a"},
		{"create with shared state", "POST", other, object{"app:x": 1}, 422, "invalid", "cannot be set here"},
		{"create with too much state", "POST", other, object{"x": strings.Repeat("x", 720<<10)}, 413, "too_large", "Nothing was stored"},
		{"create with an id that is too long", "POST", other + strings.Repeat("x", 128), nil, 422, "invalid", "128 bytes"},
		{"create with a control character", "POST", other + "%00", nil, 422, "invalid", "control characters"},
		{"a body over 1 MiB", "POST", other, `{"x":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "too_large", "1 MiB"},
		{"get what is not there", "GET", other, nil, 404, "not_found", "no session"},
		{"get with a bad count", "GET", sequencePath + "?num_recent_events=0", nil, 422, "invalid", "1 to 5000"},
		{"delete what is not there", "DELETE", other, nil, 404, "not_found", "no session"},
		{"another method", "PUT", sequencePath, object{}, 405, "method_not_allowed", "PUT"},
		{"another path", "GET", "/apps", nil, 404, "not_found", "/apps"},
		{"run an unknown app", "POST", "/run", run(func(b object) { b["app_name"] = "x" }), 404, "not_found", "no app"},
		{"run an unknown session", "POST", "/run", run(func(b object) { b["session_id"] = "x" }), 404, "not_found", "no session"},
		{"run without a user", "POST", "/run", run(func(b object) { delete(b, "user_id") }), 422, "invalid", "user_id: is required"},
		{"run with both spellings", "POST", "/run", run(func(b object) { b["userId"] = "u" }), 422, "invalid", "given twice"},
		{"run without a message", "POST", "/run", run(func(b object) { delete(b, "new_message") }), 422, "invalid", "new_message: is required"},
		{"run without text", "POST", "/run", run(parts()), 422, "invalid", "must hold a text"},
		{"run with a file", "POST", "/run", run(parts(object{"inline_data": object{}})), 422, "invalid", "parts[0].inline_data"},
		{"run with a context the app does not take", "POST", "/run", run(parts(object{"function_call": object{"name": "time_context", "args": object{}}})), 422, "invalid", "not a context"},
		{"run as the model", "POST", "/run", run(func(b object) {
			b["new_message"] = object{"role": "model", "parts": []any{object{"text": "x"}}}
		}), 422, "invalid", "role"},
		{"run with shared state", "POST", "/run", run(func(b object) { b["state_delta"] = object{"user:x": 1} }), 422, "invalid", "cannot be set here"},
		{"run with a message that is too long", "POST", "/run", run(parts(object{"text": strings.Repeat("é", 10_001)})), 422, "invalid", "10000 characters"},
		{"run as a form", "POST", "/run", nil, 415, "unsupported_media_type", "application/json"},
	}
	a := newAPI(t)
	a.read(a.call("POST", sequencePath, nil), http.StatusOK, &object{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := api{t: t, url: a.url}
			if message := a.refused(a.call(tt.method, tt.path, tt.body), tt.status, tt.code); !strings.Contains(message, tt.says) {
				t.Errorf("%s does not say %q", message, tt.says)
			}
		})
	}
	var stored struct{ Events []event }
	a.read(a.call("GET", sequencePath, nil), http.StatusOK, &stored)
	if len(stored.Events) != 0 {
		t.Errorf("a refused request left %d events", len(stored.Events))
	}
	var list []object
	a.read(a.call("GET", "/apps/poc6_sequential_failure/users/u_1/sessions", nil), http.StatusOK, &list)
	if len(list) != 1 {
		t.Errorf("%d sessions, want the one that was created", len(list))
	}
}
