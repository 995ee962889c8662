package session_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/errs"
)

// Where callers are verified, none uses the sessions of another user, by any
// call that names one, and each uses its own.
func TestACallerUsesItsOwnSessionsAlone(t *testing.T) {
	caller := "ana@example.com"
	a := newAPI(t, func(d *session.Dependencies) {
		d.Caller = func(*http.Request) (string, error) {
			if caller == "" {
				return "", errs.New(errs.Denied, "Who are you?")
			}
			return caller, nil
		}
	})
	const own, others = "ana@example.com", "ben@example.com"
	all := func(user string) string { return "/apps/poc6_sequential_failure/users/" + user + "/sessions" }
	run := runBody("poc6_sequential_failure", "Go")
	run["session_id"] = "s_1"
	calls := []struct {
		method, path string
		body         object
		status       int // for one's own
	}{
		{"POST", all("USER") + "/s_1", object{}, http.StatusOK},
		{"POST", all("USER"), nil, http.StatusOK},
		{"GET", all("USER"), nil, http.StatusOK},
		{"GET", all("USER") + "/s_1", nil, http.StatusOK},
		{"PATCH", all("USER") + "/s_1", object{"state_delta": object{"a": 1}}, http.StatusOK},
		{"POST", "/run", run, http.StatusOK},
		{"POST", "/run_sse", run, http.StatusOK},
		{"POST", "/v1/agent/goal/session:message", object{"session_id": "g_1", "message": "Build a web shop"}, http.StatusOK},
		{"DELETE", all("USER") + "/s_1", nil, http.StatusOK},
	}
	for _, call := range calls {
		ask := func(user string) answer {
			body := any(nil)
			if call.body != nil {
				named := maps.Clone(call.body)
				if strings.Contains(call.path, "run") || strings.Contains(call.path, "goal") {
					named["user_id"] = user
				}
				body = named
			}
			return a.call(call.method, strings.Replace(call.path, "USER", user, 1), body)
		}
		if got := ask(own); got.status != call.status {
			t.Errorf("%s %s for one's own: %d %s", call.method, call.path, got.status, got.body)
		}
		a.refused(ask(others), http.StatusForbidden, "denied")
		caller = ""
		a.refused(ask(own), http.StatusForbidden, "denied")
		caller = own
	}
	caller = others
	var listed []object
	a.read(a.call("GET", all(others), nil), http.StatusOK, &listed)
	if len(listed) != 0 {
		t.Errorf("others made sessions of %s: %v", others, listed)
	}
}
