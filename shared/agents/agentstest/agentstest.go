// Package agentstest gives tests of agents a model's service that answers as the
// offline models do, but for the agents that are to fail. It stands where the
// network is: ADK, its model, genai's client and our retries are the real ones.
package agentstest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/googleapis/gax-go/v2"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents"
	sequenceoffline "github.com/planwright/planwright/shared/agents/failuresequence/offline"
	goaloffline "github.com/planwright/planwright/shared/agents/goalplanning/offline"
	"github.com/planwright/planwright/shared/agents/offline"
	"github.com/planwright/planwright/shared/gemini"
)

// Answer is what the model's service does with a request.
type Answer func(*http.Request) (*http.Response, error)

// Object is a JSON object.
type Object = map[string]any

// Service is the model's service: offline, but for the agents that are to fail.
type Service struct {
	At     string // the agents that are to fail, separated by spaces
	Answer Answer // what they get; nil is what all get

	mu    sync.Mutex
	calls map[string]int
}

// Set has other agents fail while the service runs; "" and nil have none.
func (s *Service) Set(at string, answer Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.At, s.Answer = at, answer
}

var internalName = regexp.MustCompile(`internal name is \\"([^"\\]+)\\"`)

// RoundTrip answers for the model.
func (s *Service) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	name := ""
	if found := internalName.FindSubmatch(body); found != nil {
		name = string(found[1])
	}
	s.mu.Lock()
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	s.calls[name]++
	at, answer := s.At, s.Answer
	s.mu.Unlock()
	if answer != nil && strings.Contains(at, name) {
		return answer(r)
	}
	return Offline(r)
}

// Calls returns how often an agent asked.
func (s *Service) Calls(agent string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[agent]
}

// offlineModel answers for the agents of every app.
var offlineModel = merged(goaloffline.Model, sequenceoffline.Model)

func merged(models ...offline.Model) offline.Model {
	all := offline.Model{}
	for _, m := range models {
		maps.Copy(all, m)
	}
	return all
}

// Offline answers a call of generateContent with what the offline models say to it.
func Offline(r *http.Request) (*http.Response, error) {
	var call struct {
		SystemInstruction *genai.Content   `json:"systemInstruction"`
		Contents          []*genai.Content `json:"contents"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return nil, err
	}
	request := &model.LLMRequest{Contents: call.Contents, Config: &genai.GenerateContentConfig{SystemInstruction: call.SystemInstruction}}
	for said, err := range offlineModel.GenerateContent(r.Context(), request, false) {
		if err != nil {
			return nil, err
		}
		return JSON(http.StatusOK, &genai.GenerateContentResponse{
			ModelVersion: said.ModelVersion,
			Candidates:   []*genai.Candidate{{FinishReason: said.FinishReason, Content: said.Content}},
		})(r)
	}
	return nil, io.ErrUnexpectedEOF
}

// Model returns ADK's model over transport. It tries twice.
func Model(t testing.TB, transport http.RoundTripper) model.LLM {
	t.Helper()
	asked, err := agents.NewModel(context.Background(), gemini.Config{APIKey: "k", Model: offline.Name, Timeout: time.Hour},
		gemini.Options{Transport: transport, Retry: gemini.Retry{Attempts: 2, Backoff: gax.Backoff{Initial: time.Nanosecond}}})
	if err != nil {
		t.Fatal(err)
	}
	return asked
}

// JSON answers with a status and a body.
func JSON(status int, body any) Answer {
	return func(r *http.Request) (*http.Response, error) {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		return response(r, status, data), nil
	}
}

func response(r *http.Request, status int, data []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(data)),
	}
}

// Refusal answers as the service does when it refuses a call.
func Refusal(status int) Answer {
	return JSON(status, Object{"error": Object{"code": status, "message": "quota_project 4711 said no", "status": "X"}})
}

// Candidate answers with one candidate; without parts it has no content.
func Candidate(finish string, parts ...any) Answer {
	one := Object{"finishReason": finish}
	if parts != nil {
		one["content"] = Object{"role": "model", "parts": parts}
	}
	return JSON(http.StatusOK, Object{"candidates": []any{one}})
}

// Says answers with a text.
func Says(text string) Answer { return Candidate("STOP", Object{"text": text}) }

// Blocked answers that the prompt is blocked.
func Blocked(r *http.Request) (*http.Response, error) {
	return JSON(http.StatusOK, Object{"promptFeedback": Object{"blockReason": "SAFETY"}})(r)
}

// Reset breaks the connection.
func Reset(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
}

// Hang answers when the caller has given up.
func Hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// Garbage answers with something else than JSON.
func Garbage(r *http.Request) (*http.Response, error) {
	return response(r, http.StatusOK, []byte("<html>")), nil
}
