package llm

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// wireRequest is the body of a call, the same for the Gemini API and Vertex AI.
type wireRequest struct {
	Contents          []*genai.Content `json:"contents,omitempty"`
	SystemInstruction *genai.Content   `json:"systemInstruction,omitempty"`
	Tools             []*genai.Tool    `json:"tools,omitempty"`
	GenerationConfig  wireGeneration   `json:"generationConfig"`
}

type wireGeneration struct {
	Temperature      *float32        `json:"temperature,omitempty"`
	ResponseMIMEType string          `json:"responseMimeType,omitempty"`
	ResponseSchema   json.RawMessage `json:"responseSchema,omitempty"`
}

// encode writes the body of a call. A request for anything that would not be
// in it is refused.
func (m *Model) encode(request *model.LLMRequest) ([]byte, error) {
	var rest genai.GenerateContentConfig
	if request.Config != nil {
		rest = *request.Config
	}
	schema, err := m.schema(rest.ResponseSchema)
	if err != nil {
		return nil, err
	}
	body := wireRequest{request.Contents, rest.SystemInstruction, rest.Tools, wireGeneration{rest.Temperature, rest.ResponseMIMEType, schema}}
	rest.SystemInstruction, rest.Tools, rest.Temperature, rest.ResponseMIMEType, rest.ResponseSchema = nil, nil, nil, "", nil
	if !reflect.ValueOf(&rest).Elem().IsZero() || request.Model != "" && request.Model != m.name {
		return nil, errs.New(errs.Internal, "The agent asks the model for something that is not sent.")
	}
	text, err := json.Marshal(body)
	return text, unwritable(err)
}

// schema writes a schema. An agent has one for all of its calls, which is
// written once.
func (m *Model) schema(of *genai.Schema) (json.RawMessage, error) {
	if of == nil {
		return nil, nil
	}
	if known, ok := m.schemas.Load(of); ok {
		return known.(json.RawMessage), nil
	}
	text, err := json.Marshal(of)
	if err != nil {
		return nil, unwritable(err)
	}
	m.schemas.Store(of, json.RawMessage(text))
	return text, nil
}

func unwritable(err error) error {
	if err == nil {
		return nil
	}
	return errs.Wrap(errs.Internal, err, "The request to the model cannot be written as JSON.")
}

// wireResponse is what is read of an answer.
type wireResponse struct {
	Candidates []struct {
		Content      *genai.Content     `json:"content"`
		FinishReason genai.FinishReason `json:"finishReason"`
	} `json:"candidates"`
	UsageMetadata *genai.GenerateContentResponseUsageMetadata `json:"usageMetadata"`
	ModelVersion  string                                      `json:"modelVersion"`
}

// decode reads an answer as ADK's model does: a candidate that says nothing,
// though it did not come to its end, is an error of the model's.
func decode(answer []byte) (*model.LLMResponse, error) {
	var read wireResponse
	if err := json.Unmarshal(answer, &read); err != nil {
		return nil, err
	}
	if len(read.Candidates) == 0 { // the prompt was blocked
		return nil, errors.New("the answer has no candidate")
	}
	first := read.Candidates[0]
	response := &model.LLMResponse{FinishReason: first.FinishReason, UsageMetadata: read.UsageMetadata, ModelVersion: read.ModelVersion}
	if first.Content != nil && len(first.Content.Parts) > 0 || first.FinishReason == genai.FinishReasonStop {
		response.Content = first.Content
	} else {
		response.ErrorCode = string(first.FinishReason)
	}
	return response, nil
}

// refusal is the error of an answer that is none.
func refusal(response *http.Response, answer []byte) error {
	var read struct {
		Error *genai.APIError `json:"error"`
	}
	if err := json.Unmarshal(answer, &read); err != nil || read.Error == nil {
		return genai.APIError{Code: response.StatusCode, Status: response.Status, Message: string(answer)}
	}
	return *read.Error
}
