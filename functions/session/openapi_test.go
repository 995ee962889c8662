package session

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

// described is the part of openapi.json that the test follows.
type described struct {
	Paths map[string]map[string]json.RawMessage
}

func TestOpenAPIDescribesEveryCall(t *testing.T) {
	h := newTestHandler(t)
	var doc described
	if err := json.Unmarshal(OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	var calls []string
	for path, methods := range doc.Paths {
		for method := range methods {
			if method != "parameters" {
				calls = append(calls, strings.ToUpper(method)+" "+path)
			}
		}
	}
	routes := h.routes().Patterns()
	slices.Sort(calls)
	slices.Sort(routes)
	if diff := cmp.Diff(routes, calls); diff != "" {
		t.Errorf("routes (-) and openapi.json (+):\n%s", diff)
	}
}

// What is answered is as it is described, and what the description's examples
// of a conversation send is taken.
func TestAnswersAreAsDescribed(t *testing.T) {
	h := newTestHandler(t)
	served := web.Service{Name: "session"}.Serve(h.routes())
	compiler := jsonschema.NewCompiler()
	var root any
	if err := json.Unmarshal(OpenAPI, &root); err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("openapi.json", root); err != nil {
		t.Fatal(err)
	}
	const all = "/apps/goal_planning_agent/users/u/sessions"
	const session = all + "/s"
	run := `{"app_name":"goal_planning_agent","user_id":"u","session_id":"s","new_message":{"role":"user","parts":[
		{"function_call":{"name":"time_context","args":{"availableHoursLeft":20}}},{"text":"Build a web shop"}]}}`
	for _, step := range []struct{ method, path, body, request, schema string }{
		{"GET", "/list-apps", "", "", "/paths/~1list-apps/get/responses/200/content/application~1json/schema"},
		{"POST", session, `{"preferred_language":"English","init":true}`, "InitialState", "/components/schemas/Session"},
		{"POST", session, `{}`, "InitialState", "/components/schemas/Error"},
		{"POST", "/run", run, "Run", "/paths/~1run/post/responses/200/content/application~1json/schema"},
		{"POST", "/run", `{}`, "", "/components/schemas/Error"},
		{"POST", "/v1/agent/goal/session:message", `{"user_id":"u","session_id":"s","message":"Add a testing milestone next week","message_id":"1"}`, "GoalMessage", "/components/schemas/Output"},
		{"POST", "/v1/agent/goal/session:message", `{"user_id":"u","session_id":"s","message":"Hm?"}`, "GoalMessage", "/components/schemas/Output"},
		{"POST", "/v1/agent/goal/session:message", `{"user_id":"u","session_id":"s","message":"Looks good, save it"}`, "GoalMessage", "/components/schemas/Output"},
		{"GET", session, "", "", "/components/schemas/Session"},
		{"PATCH", session, `{"state_delta":{"time_zone":"Europe/Berlin"}}`, "StateUpdate", "/components/schemas/Session"},
		{"PATCH", session, `{}`, "", "/components/schemas/Error"},
		{"POST", all, `{"state":{"init":true}}`, "NewSession", "/components/schemas/Session"},
		{"GET", "/version", "", "", "/paths/~1version/get/responses/200/content/application~1json/schema"},
		{"GET", all, "", "", "/paths/~1apps~1%7Bapp%7D~1users~1%7Buser%7D~1sessions/get/responses/200/content/application~1json/schema"},
		{"DELETE", session, "", "", "/paths/~1apps~1%7Bapp%7D~1users~1%7Buser%7D~1sessions~1%7Bsession%7D/delete/responses/200/content/application~1json/schema"},
	} {
		if step.request != "" {
			validate(t, compiler, "/components/schemas/"+step.request, []byte(step.body), "the request of "+step.method+" "+step.path)
		}
		request := httptest.NewRequest(step.method, step.path, strings.NewReader(step.body))
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		served.ServeHTTP(recorder, request)
		validate(t, compiler, step.schema, recorder.Body.Bytes(), step.method+" "+step.path)
	}
}

func validate(t *testing.T, compiler *jsonschema.Compiler, pointer string, body []byte, what string) {
	t.Helper()
	schema, err := compiler.Compile("openapi.json#" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v in %s", what, err, body)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v\n%s", what, err, body)
	}
}

func newTestHandler(t *testing.T) handler {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h, err := newHandler(Dependencies{Store: store, Model: Offline()})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The deployed function refuses to work without its settings, and says so to
// the log alone.
func TestDeployedNeedsItsSettings(t *testing.T) {
	t.Setenv("GOOGLE_CLOUD_PROJECT", "")
	recorder := httptest.NewRecorder()
	web.Deployed("session", build).ServeHTTP(recorder, httptest.NewRequest("GET", "/list-apps", nil))
	if recorder.Code != http.StatusServiceUnavailable || strings.Contains(recorder.Body.String(), "GOOGLE") {
		t.Errorf("%d %s", recorder.Code, recorder.Body)
	}
}

// Whom a token is for must be known, and is not what a request says.
func TestCallersAreNotVerifiedWithoutAnAudience(t *testing.T) {
	_, err := ReadConfig(func(name string) (string, bool) {
		value, set := map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "SESSION_USER": "verified", "GOOGLE_API_KEY": "k"}[name]
		return value, set
	})
	if err == nil || !strings.Contains(err.Error(), "TOKEN_AUDIENCES is not set") {
		t.Error(err)
	}
}

// A deployed function that verifies its callers lets none in without a token.
func TestUsersAreVerifiedAsTheSettingsSay(t *testing.T) {
	request := httptest.NewRequest("GET", "/apps/goal_planning_agent/users/u/sessions", nil)
	for value, want := range map[string]struct {
		verified bool
		problem  string
	}{"": {}, "named": {}, "verified": {verified: true}, "anybody": {problem: "SESSION_USER"}} {
		settings, err := ReadConfig(func(name string) (string, bool) {
			value, set := map[string]string{"GOOGLE_CLOUD_PROJECT": "p", "SESSION_USER": value, "GOOGLE_API_KEY": "k", "TOKEN_AUDIENCES": "https://session.example"}[name]
			return value, set && value != ""
		})
		if want.problem != "" {
			if err == nil || !strings.Contains(err.Error(), want.problem) {
				t.Errorf("SESSION_USER=%s: %v", value, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		caller, err := callerOf(settings)
		if err != nil || (caller != nil) != want.verified {
			t.Fatalf("SESSION_USER=%s: verified %v, %v", value, caller != nil, err)
		}
		if caller != nil {
			if _, err := caller(request); errs.KindOf(err) != errs.Denied {
				t.Errorf("a caller without a token: %v", err)
			}
		}
	}
}
