// Package offline answers in place of the model, by rules and always the same. Each agent
// that it stands in for has a function that reads what the agent was told. These functions
// lie beside the agents, in the offline packages of their apps.
package offline

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// Name is the model's, wherever one is shown.
const Name = "offline"

// Model answers for the agents of those names.
type Model map[string]func(Request) *genai.Part

var _ model.LLM = Model(nil)

// Name implements model.LLM.
func (Model) Name() string { return Name }

// GenerateContent implements model.LLM. It does not stream.
func (m Model) GenerateContent(
	ctx context.Context,
	request *model.LLMRequest,
	_ bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) { yield(m.answer(ctx, Request{request})) }
}

func (m Model) answer(ctx context.Context, request Request) (*model.LLMResponse, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer, known := m[request.agent()]
	if !known {
		return nil, errs.New(errs.Internal, "The offline model does not know this agent.")
	}
	return &model.LLMResponse{
		Content:      genai.NewContentFromParts([]*genai.Part{answer(request)}, genai.RoleModel),
		FinishReason: genai.FinishReasonStop,
		ModelVersion: Name,
	}, nil
}

// Request is what an agent asks.
type Request struct{ *model.LLMRequest }

// identity is the sentence by which ADK tells an agent its name.
var identity = regexp.MustCompile(`Your internal name is "([^"]+)"`)

func (r Request) agent() string {
	if found := identity.FindStringSubmatch(r.Instruction()); found != nil {
		return found[1]
	}
	return ""
}

// Instruction returns what the agent was told to do.
func (r Request) Instruction() string {
	if r.Config == nil {
		return ""
	}
	return textOf(r.Config.SystemInstruction, "\n")
}

// Message returns the newest words of the user.
func (r Request) Message() string {
	for _, content := range slices.Backward(r.Contents) {
		if content.Role == genai.RoleUser {
			return strings.TrimSpace(textOf(content, ""))
		}
	}
	return ""
}

func textOf(content *genai.Content, separator string) string {
	if content == nil {
		return ""
	}
	var texts []string
	for _, part := range content.Parts {
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, separator)
}

// ToolResponse returns what the named tool answered in this turn, nil if it was not called yet.
func (r Request) ToolResponse(name string) map[string]any {
	for _, content := range r.Contents {
		for _, part := range content.Parts {
			if part.FunctionResponse != nil && part.FunctionResponse.Name == name {
				return part.FunctionResponse.Response
			}
		}
	}
	return nil
}
