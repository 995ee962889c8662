package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/gemini/geminitest"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	sessions "github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

const operations = `{"questions":[],"operations":[{"operation_id":"a","filter":{"categories":["fitness"],"in_stock":true},"action":{"type":"percent_increase","value":10},"options":{"price_ending":0.99}}]}`

// counted answers as the service does, with what it counted.
func counted(r *http.Request) (*http.Response, error) {
	answer, err := geminitest.JSON(http.StatusOK, geminitest.Object{
		"candidates":    []any{geminitest.Object{"finishReason": "STOP", "content": geminitest.Object{"role": "model", "parts": []any{geminitest.Object{"text": operations}}}}},
		"usageMetadata": geminitest.Object{"promptTokenCount": 900, "candidatesTokenCount": 80, "thoughtsTokenCount": 220},
	})(r)
	return answer, err
}

// plannerWith is the planner over a model's service; nil: it has none.
func plannerWith(t *testing.T, service geminitest.Answer) *web.Client {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	var settings *gemini.Config
	if service != nil {
		settings = &gemini.Config{APIKey: "k", Model: gemini.DefaultModel, Timeout: 10 * time.Second}
	}
	plans, asksGemini, err := planner.OpenPlanner(t.Context(), settings, gemini.Options{Transport: service}, logging.Discard)
	if err != nil {
		t.Fatal(err)
	}
	handler := planner.NewHandler(planner.Dependencies{
		Store: store, Planner: plans, AsksGemini: asksGemini, InboxBucket: "inbox",
		Caller: func(*http.Request) (string, error) { return "ana@example.com", nil },
	})
	return &web.Client{Base: "http://localhost", HTTP: web.InProcess(web.Service{}.Serve(handler))}
}

// sessionWithoutModel is the session function whose agents answer by rules.
func sessionWithoutModel(t *testing.T) *web.Client {
	t.Helper()
	store, err := sessions.Open(t.Context(), filepath.Join(t.TempDir(), "sessions.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	handler, err := session.NewHandler(session.Dependencies{Store: store, Model: session.Offline(), Log: logging.Discard})
	if err != nil {
		t.Fatal(err)
	}
	return &web.Client{Base: "http://localhost", HTTP: web.InProcess(web.Service{}.Serve(handler))}
}

func TestTheModelMustHaveAnswered(t *testing.T) {
	down := geminitest.Refusal(http.StatusForbidden)
	tests := []struct {
		name    string
		service geminitest.Answer
		printed string
		err     string
	}{
		{"no credentials", nil, "", "The planner plans by the grammar"},
		{"refused", down, "", "The plan was made without the model after"},
		{"a plan, and a turn without a model", counted, "1 attempts, agreement both\n      tokens: 900 read (0 cached), 80 written, 220 thought", "The turn was answered without the model after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			try := trial{out: &out, now: time.Now, planner: plannerWith(t, tt.service), session: sessionWithoutModel(t)}
			err := try.run(t.Context())
			if err == nil || !strings.Contains(errs.Message(err), tt.err) || !strings.Contains(out.String(), tt.printed) {
				t.Errorf("%v, printed %q; want %q and %q", err, &out, tt.err, tt.printed)
			}
		})
	}
}

func TestATurnIsPrinted(t *testing.T) {
	var events []event
	err := json.Unmarshal([]byte(`[
		{"author":"CheckApprovalAgent","usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":10,"thoughtsTokenCount":5}},
		{"author":"PlanAgent","usageMetadata":{"promptTokenCount":200,"candidatesTokenCount":20,"thoughtsTokenCount":6,"cachedContentTokenCount":50}},
		{"author":"FinalizeAgent","usageMetadata":{"promptTokenCount":300,"candidatesTokenCount":30},"actions":{"stateDelta":{"final_output":{"reply":"Here is a plan.","action":{"type":"save_preview"}}}}}]`), &events)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := (trial{out: &out}).tell(events, 4200*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	const want = "turn  4.2s  3 events, action save_preview\n      tokens: 600 read (50 cached), 60 written, 11 thought\n      Here is a plan.\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", &out, want)
	}
}

// Without an installation or credentials it says so in one sentence, and asks nothing.
func TestWithoutCredentials(t *testing.T) {
	if err := smoke(t.Context(), io.Discard, "", ""); !strings.Contains(errs.Message(err), "run make deploy first") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir()) // no gcloud
	err := smoke(context.Background(), io.Discard, "http://localhost:1", "http://localhost:1")
	if errs.KindOf(err) != errs.Denied || !strings.Contains(errs.Message(err), "There are no Google credentials here") {
		t.Error(err)
	}
}
