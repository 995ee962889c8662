// Package offline answers for the model where there is none: an
// http.RoundTripper under the genai client, so that the agents, ADK and genai
// run as they do against Gemini, with no network and always the same answers.
//
// It is no language model. Each agent it stands in for has a function that
// reads what the agent was told and answers by rules; an agent it does not
// know gets the error of a model that does not exist. Wherever a model is
// named, its name is "offline".
package offline

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/lazyregexp"
)

// Model is the name of the model.
const Model = "offline"

// maxRequestBytes bounds what is read of one request.
const maxRequestBytes = 8 << 20

// request is what an agent sent.
type request struct {
	SystemInstruction *genai.Content   `json:"systemInstruction"`
	Contents          []*genai.Content `json:"contents"`
}

// answerer answers for one agent.
type answerer func(request) *genai.Part

// answerers by the agents' names, as ADK tells them to the model.
var answerers = map[string]answerer{
	"AgentA": callAndReport,
	"AgentB": succeed("Agent B completed."),
	"AgentC": succeed("Agent C completed."),
	"AgentD": sumUp,

	"CheckApprovalAgent": checkApproval,
	"PlanAgent":          makePlan,
	"FinalizeAgent":      finish,
}

// Settings are those of a client that is answered here.
func Settings() (gemini.Config, gemini.Options) {
	return gemini.Config{APIKey: Model, Model: Model, Timeout: time.Minute}, gemini.Options{Transport: Transport{}}
}

// Transport answers POST .../models/offline:generateContent.
type Transport struct{}

// RoundTrip answers the request from rules. It never fails but for a body that
// cannot be read.
func (Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || !strings.HasSuffix(r.URL.Path, "/models/"+Model+":generateContent") {
		return refuse(r, http.StatusNotFound, "the offline model answers generateContent alone"), nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBytes))
	if err != nil {
		return nil, err
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var asked request
	if err := json.Unmarshal(body, &asked); err != nil {
		return refuse(r, http.StatusBadRequest, "the request is not JSON"), nil
	}
	answer, known := answerers[asked.agent()]
	if !known {
		return refuse(r, http.StatusNotFound, "the offline model does not know this agent"), nil
	}
	return reply(r, http.StatusOK, &genai.GenerateContentResponse{
		ModelVersion: Model,
		Candidates: []*genai.Candidate{{
			FinishReason: genai.FinishReasonStop,
			Content:      genai.NewContentFromParts([]*genai.Part{answer(asked)}, genai.RoleModel),
		}},
	}), nil
}

// identity is the sentence by which ADK tells an agent its name.
var identity = lazyregexp.New(`Your internal name is "([^"]+)"`)

func (r request) agent() string {
	if found := identity().FindStringSubmatch(r.instruction()); found != nil {
		return found[1]
	}
	return ""
}

// instruction returns what the agent was told to do.
func (r request) instruction() string {
	var text strings.Builder
	if r.SystemInstruction != nil {
		for _, part := range r.SystemInstruction.Parts {
			text.WriteString(part.Text)
			text.WriteString("\n")
		}
	}
	return text.String()
}

// toolAnswer returns what the named tool answered in this turn, nil if it was
// not called yet.
func (r request) toolAnswer(name string) map[string]any {
	for _, content := range r.Contents {
		for _, part := range content.Parts {
			if part.FunctionResponse != nil && part.FunctionResponse.Name == name {
				return part.FunctionResponse.Response
			}
		}
	}
	return nil
}

func refuse(r *http.Request, status int, message string) *http.Response {
	return reply(r, status, map[string]any{"error": genai.APIError{Code: status, Message: message}})
}

func reply(r *http.Request, status int, answer any) *http.Response {
	body, err := json.Marshal(answer)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error":{"code":500}}`)
	}
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       r,
	}
}
