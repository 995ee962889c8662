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
	"net/http"
	"regexp"
	"strings"
	"sync"
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
	"github.com/planwright/planwright/shared/gemini/geminitest"
)

// Service is the model's service: offline, but for the agents that are to fail.
type Service struct {
	At     string            // the agents that are to fail, separated by spaces
	Answer geminitest.Answer // what they get; nil is what all get

	mu    sync.Mutex
	calls map[string]int
}

// Set has other agents fail while the service runs; "" and nil have none.
func (s *Service) Set(at string, answer geminitest.Answer) {
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
	said, err := ask(r)
	if err != nil {
		return nil, err
	}
	return geminitest.JSON(http.StatusOK, &genai.GenerateContentResponse{
		ModelVersion: said.ModelVersion,
		Candidates:   []*genai.Candidate{{FinishReason: said.FinishReason, Content: said.Content}},
	})(r)
}

// Failures are the ways in which a model fails, at answers of the offline models.
func Failures() []geminitest.Failure {
	return geminitest.Failures(func(r *http.Request) (string, error) {
		said, err := ask(r)
		if err != nil {
			return "", err
		}
		return said.Content.Parts[0].Text, nil
	})
}

// ask returns what the offline models say to a call of generateContent.
func ask(r *http.Request) (*model.LLMResponse, error) {
	var call struct {
		SystemInstruction *genai.Content   `json:"systemInstruction"`
		Contents          []*genai.Content `json:"contents"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return nil, err
	}
	request := &model.LLMRequest{
		Contents: call.Contents,
		Config:   &genai.GenerateContentConfig{SystemInstruction: call.SystemInstruction},
	}
	for said, err := range offlineModel.GenerateContent(r.Context(), request, false) {
		if err != nil {
			return nil, err
		}
		return said, nil
	}
	return nil, io.ErrUnexpectedEOF
}

// Model returns ADK's model over transport. It tries twice.
func Model(t testing.TB, transport http.RoundTripper) model.LLM {
	t.Helper()
	asked, err := agents.NewModel(
		context.Background(),
		gemini.Config{APIKey: "k", Model: offline.Name, Timeout: time.Hour},
		gemini.Options{
			Transport: transport,
			Retry:     gemini.Retry{Attempts: 2, Backoff: gax.Backoff{Initial: time.Nanosecond}},
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	return asked
}
