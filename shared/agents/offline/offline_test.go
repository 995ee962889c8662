package offline_test

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/offline"
	"github.com/planwright/planwright/shared/errs"
)

// echo answers AgentX with what it reads of a request.
var echo = offline.Model{"AgentX": func(r offline.Request) *genai.Part {
	return genai.NewPartFromText(r.Message() + "; " + r.Instruction())
}}

func ask(ctx context.Context, request *model.LLMRequest) (response *model.LLMResponse, err error) {
	for response, err = range echo.GenerateContent(ctx, request, false) {
	}
	return response, err
}

func TestModelAnswersByTheAgentsName(t *testing.T) {
	contents := []*genai.Content{
		genai.NewContentFromText("First", genai.RoleUser), genai.NewContentFromText("Reply", genai.RoleModel), genai.NewContentFromText(" Second ", genai.RoleUser),
	}
	configOf := func(name string) *genai.GenerateContentConfig {
		return &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText(`Your internal name is "`+name+`".`, genai.RoleUser)}
	}
	response, err := ask(t.Context(), &model.LLMRequest{Contents: contents, Config: configOf("AgentX")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := response.Content.Parts[0].Text, `Second; Your internal name is "AgentX".`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if response.ModelVersion != "offline" || response.FinishReason != genai.FinishReasonStop {
		t.Errorf("%+v", response)
	}
	for name, request := range map[string]*model.LLMRequest{"another agent": {Config: configOf("AgentY")}, "no instruction": {}} {
		if _, err := ask(t.Context(), request); errs.KindOf(err) != errs.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ask(ended, &model.LLMRequest{Config: configOf("AgentX")}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context ended: %v", err)
	}
}
