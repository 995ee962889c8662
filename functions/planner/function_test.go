package planner_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/planwright/planwright/functions/frameworktest"
	"github.com/planwright/planwright/shared/firestoretest"
)

// gemini answers every call with the operations, in the form of the wire.
func geminiServer(t *testing.T, operations string) *httptest.Server {
	t.Helper()
	text, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/models/gemini-3.8-flash:generateContent") || r.Header.Get("X-Goog-Api-Key") != "key-of-the-test" {
			http.Error(w, "unexpected "+r.URL.Path, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":`+string(text)+`}]},"finishReason":"STOP"}]}`)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestDeployed serves the function as the platform does: by its name, through
// the framework, with its configuration in the environment, on Firestore.
func TestDeployed(t *testing.T) {
	project := firestoretest.Project(t)
	model := geminiServer(t, `{"operations":[{"operation_id":"a","filter":{"categories":["fitness"],"in_stock":true},"action":{"type":"percent_increase","value":10}}]}`)
	t.Setenv("GOOGLE_GEMINI_BASE_URL", model.URL)
	for _, name := range []string{"GOOGLE_CLOUD_PROJECT", "INBOX_BUCKET", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"} {
		t.Setenv(name, "")
	}
	s := &shop{Server: &httptest.Server{URL: frameworktest.Serve(t, "Planner")}}

	if got := s.call(t, "GET", "/v1/executions", ""); got.status != 503 || strings.Contains(got.body, "GOOGLE") {
		t.Fatalf("without configuration: %d %s", got.status, got.body)
	}
	t.Setenv("GOOGLE_CLOUD_PROJECT", project)
	t.Setenv("INBOX_BUCKET", "shop-inbox")
	t.Setenv("GOOGLE_API_KEY", "key-of-the-test")

	got := s.call(t, "POST", "/v1/plans", `{"instruction":"`+raise+`"}`)
	if got.status != 201 || got.field(t, "agreement") != "both" || got.field(t, "planner.model") != "gemini-3.8-flash" {
		t.Fatalf("plan: %d %s", got.status, got.body)
	}
	id := got.field(t, "plan.execution_id").(string)
	if again := s.call(t, "POST", "/v1/plans", `{"instruction":"`+raise+`"}`); again.status != 200 || again.field(t, "plan_sha256") != got.field(t, "plan_sha256") {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	if preview := s.call(t, "POST", "/v1/plans/"+id+":preview", products); preview.status != 200 || preview.field(t, "summary.rows_changed") != 2.0 {
		t.Errorf("preview: %d %s", preview.status, preview.body)
	}
	if status := s.call(t, "GET", "/v1/executions/"+id, ""); status.status != 404 || !strings.Contains(status.body, "gs://shop-inbox/"+id+"/") {
		t.Errorf("status: %d %s", status.status, status.body)
	}
	if list := s.call(t, "GET", "/v1/executions?status=completed", ""); list.status != 200 {
		t.Errorf("list: %d %s", list.status, list.body)
	}
	if missing := s.call(t, "GET", "/v1/plans/plan_none_v1", ""); missing.status != 404 {
		t.Errorf("missing: %d %s", missing.status, missing.body)
	}
}
