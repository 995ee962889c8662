package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"
)

// scriptedModel is a script in the place of the model: what it answers depends on
// what it is asked and on nothing else. A draft names the message that it is for
// and the plan that it was made from, so that a plan made from a preview that
// is no longer the stored one can be told.
type scriptedModel struct{}

// approval is the one message that approves a plan; every other asks for one.
const approval = "Looks good, save it"

// Name implements model.LLM.
func (scriptedModel) Name() string { return "scripted" }

// GenerateContent is a call of the delivery that the context belongs to.
func (scriptedModel) GenerateContent(ctx context.Context, request *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) { yield(answerFor(ctx, request)) }
}

func answerFor(ctx context.Context, request *model.LLMRequest) (*model.LLMResponse, error) {
	instruction, message := textOf(request.Config.SystemInstruction), ""
	if n := len(request.Contents); n > 0 {
		message = textOf(request.Contents[n-1])
	}
	var agent string
	var answer object
	switch {
	case strings.Contains(instruction, `"CheckApprovalAgent"`):
		agent, answer = "CheckApprovalAgent", object{"routing": "needs_planning", "detectedConsent": false}
		if message == approval {
			answer = object{"routing": "finalize_only", "detectedConsent": true}
		}
	case strings.Contains(instruction, `"PlanAgent"`):
		agent, answer = "PlanAgent", object{"goalDraft": draft(message, after(shown(instruction)))}
	default:
		agent, answer = "FinalizeAgent", object{"reply": "As you say.", "action": object{"type": "save_preview"}}
	}
	if err := trip(ctx, asking+agent, func() error { return nil }); err != nil {
		return nil, err
	}
	content := genai.NewContentFromText(string(must(json.Marshal(answer))), genai.RoleModel)
	return &model.LLMResponse{Content: content, FinishReason: genai.FinishReasonStop}, nil
}

func textOf(content *genai.Content) string {
	var all strings.Builder
	if content == nil {
		return ""
	}
	for _, part := range content.Parts {
		all.WriteString(part.Text)
	}
	return all.String()
}

type object = map[string]any

// draft is a plan of one task, far enough away not to be past.
func draft(title, description string) object {
	task := object{"title": "Begin", "date": "2027-06-01", "estimatedHours": 1}
	return object{"title": title, "description": description, "milestones": []any{object{"title": "First", "tasks": []any{task}}}}
}

// after describes a plan that was made from the one with the title.
func after(title string) string { return fmt.Sprintf("Comes after %q.", title) }

// shown is the title of the preview that the model was shown.
func shown(instruction string) string {
	_, context, _ := strings.Cut(instruction, "\nContext: ")
	var known struct{ GoalPreview struct{ Title string } }
	if err := json.NewDecoder(strings.NewReader(context)).Decode(&known); err != nil {
		return "unreadable context"
	}
	return known.GoalPreview.Title
}

// must is for JSON of our own making.
func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}
