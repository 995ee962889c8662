package planner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/web"
)

// Without credentials the grammar plans, and one warning says so.
func TestOpenPlannerWithoutCredentials(t *testing.T) {
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", t.TempDir()+"/none.json")
	vertex := &gemini.Config{VertexAI: true, Project: "shop", Location: "global", Model: gemini.DefaultModel, Timeout: time.Second}
	tests := []struct {
		name       string
		config     *gemini.Config
		asksGemini bool
		cause      string
	}{
		{"not configured", nil, false, "neither GOOGLE_GENAI_USE_VERTEXAI nor GOOGLE_API_KEY is set"},
		{"no application default credentials", vertex, false, "There are no Google credentials for Vertex AI."},
		{"a key", &gemini.Config{APIKey: "k", Model: gemini.DefaultModel, Timeout: time.Second}, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log strings.Builder
			plans, asksGemini, err := planner.OpenPlanner(t.Context(), tt.config, gemini.Options{}, logging.New(&log, nil))
			if err != nil || asksGemini != tt.asksGemini {
				t.Fatalf("asks Gemini: %t, %v; want %t", asksGemini, err, tt.asksGemini)
			}
			if tt.asksGemini {
				if log.Len() > 0 {
					t.Errorf("logged %s", &log)
				}
				return
			}
			if got := log.String(); strings.Count(got, `"severity":"WARNING"`) != 1 || !strings.Contains(got, tt.cause) {
				t.Errorf("logged %s, want one warning with %q", got, tt.cause)
			}
			draft, err := plans.Plan(t.Context(), planning.Request{Instruction: raise, ExecutionID: "plan_by_grammar_v1", CreatedAt: time.Now()})
			if err != nil || draft.Planner.Model != "grammar" || draft.Planner.Agreement != planning.AgreementGrammar {
				t.Errorf("planned by %+v, %v", draft.Planner, err)
			}
		})
	}
}

func TestMeNamesThePlanner(t *testing.T) {
	for asksGemini, want := range map[bool]string{false: "grammar", true: "gemini"} {
		service := web.Service{}.Serve(planner.NewHandler(planner.Dependencies{AsksGemini: asksGemini}))
		got := send(service, "GET", "/v1/me", "")
		describe(t).check(t, "GET", "/v1/me", got)
		if got.field(t, "planner") != want {
			t.Errorf("%s, want the planner %s", got.body, want)
		}
	}
}
