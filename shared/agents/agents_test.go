package agents_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/gemini/geminitest"
)

// Sampling is the model's own unless it is set; then it is set in every call, and
// the agent's other settings stay as they are.
func TestSampling(t *testing.T) {
	for name, tc := range map[string]struct {
		sampling gemini.Sampling
		want     string
	}{
		"left to the model": {gemini.Sampling{}, `{"maxOutputTokens":7}`},
		"set":               {gemini.Sampling{Temperature: new(float32(0.5)), TopP: new(float32(0.25))}, `{"maxOutputTokens":7,"temperature":0.5,"topP":0.25}`},
		"a thinking level":  {gemini.Sampling{Thinking: genai.ThinkingLevelLow}, `{"maxOutputTokens":7,"thinkingConfig":{"thinkingLevel":"LOW"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var sent struct{ GenerationConfig map[string]any }
			answer := geminitest.Answer(func(r *http.Request) (*http.Response, error) {
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
					return nil, err
				}
				return geminitest.Says("hello")(r)
			})
			llm, err := agents.NewModel(t.Context(), gemini.Config{APIKey: "k", Model: "gemini-3.5-flash", Sampling: tc.sampling}, gemini.Options{Transport: answer})
			if err != nil {
				t.Fatal(err)
			}
			request := &model.LLMRequest{Contents: genai.Text("hi"), Config: &genai.GenerateContentConfig{MaxOutputTokens: 7}}
			for response, err := range llm.GenerateContent(t.Context(), request, false) {
				if err != nil || response.Content.Parts[0].Text != "hello" {
					t.Errorf("%+v, %v", response, err)
				}
			}
			got, err := json.Marshal(sent.GenerationConfig)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("settings sent (-want +got):\n%s", diff)
			}
			if request.Config.Temperature != nil {
				t.Error("the agent's own settings were changed")
			}
			google, ok := llm.(interface{ GetGoogleLLMVariant() genai.Backend })
			if !ok || google.GetGoogleLLMVariant() != genai.BackendGeminiAPI {
				t.Error("ADK cannot tell which of the two ways in is used")
			}
		})
	}
}

// A call that sets no bound of its answer has one.
func TestAnAnswerIsBounded(t *testing.T) {
	var sent struct{ GenerationConfig struct{ MaxOutputTokens int } }
	answer := geminitest.Answer(func(r *http.Request) (*http.Response, error) {
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			return nil, err
		}
		return geminitest.Says("hello")(r)
	})
	llm, err := agents.NewModel(t.Context(), gemini.Config{APIKey: "k", Model: "gemini-3.8-flash"}, gemini.Options{Transport: answer})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range llm.GenerateContent(t.Context(), &model.LLMRequest{Contents: genai.Text("hi")}, false) {
		if err != nil {
			t.Error(err)
		}
	}
	if sent.GenerationConfig.MaxOutputTokens != 16<<10 {
		t.Errorf("sent %+v", sent)
	}
}
