package simulation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/gemini"
)

// model is a script in the place of the model: what it answers depends on what
// it is asked and on nothing else. A draft names the message that it is for
// and the plan that it was made from, so that a plan made from a preview that
// is no longer the stored one can be told.
type model struct{}

// approval is the one message that approves a plan; every other asks for one.
const approval = "Looks good, save it"

func settings() (gemini.Config, gemini.Options) {
	return gemini.Config{APIKey: "k", Model: "scripted", Timeout: time.Hour},
		gemini.Options{Transport: model{}, Retry: gemini.Retry{Attempts: 1}}
}

// asked is what the model reads of a request.
type asked struct {
	SystemInstruction content
	Contents          []content
}

type content struct {
	Parts []struct{ Text string }
}

func (c content) text() string {
	var all strings.Builder
	for _, part := range c.Parts {
		all.WriteString(part.Text)
	}
	return all.String()
}

// RoundTrip is a call of the delivery that the request belongs to.
func (model) RoundTrip(r *http.Request) (*http.Response, error) {
	var q asked
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		return nil, err
	}
	instruction, message := q.SystemInstruction.text(), ""
	if n := len(q.Contents); n > 0 {
		message = q.Contents[n-1].text()
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
	err := trip(r.Context(), asking+agent, func() error { return nil })
	if err != nil {
		return nil, err
	}
	return reply(r, answer), nil
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

func reply(r *http.Request, answer object) *http.Response {
	text := must(json.Marshal(answer))
	body := must(json.Marshal(object{"candidates": []any{object{
		"finishReason": "STOP", "content": object{"role": "model", "parts": []any{object{"text": string(text)}}},
	}}}))
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}
}

// must is for JSON of our own making.
func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}
