// Package agentstest gives tests of agents a model that answers as the offline
// one does, but for the agents that are in trouble. It stands where the
// network is: ADK, the model's client and its retries are the real ones.
package agentstest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/adk/v2/model"

	"github.com/planwright/planwright/shared/agents/llm"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/gemini/offline"
)

// Answer is what the model's service does with a request.
type Answer func(*http.Request) (*http.Response, error)

// Object is a JSON object.
type Object = map[string]any

// Wire is the model's service: offline, but for the agents in trouble.
type Wire struct {
	At     string // the agents in trouble, separated by spaces
	Answer Answer // what they get; nil is no trouble

	mu    sync.Mutex
	calls map[string]int
}

// Set puts other agents into trouble while the service runs; "" and nil end
// all trouble.
func (w *Wire) Set(at string, answer Answer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.At, w.Answer = at, answer
}

var internalName = regexp.MustCompile(`internal name is \\"([^"\\]+)\\"`)

// RoundTrip answers for the model.
func (w *Wire) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	name := ""
	if found := internalName.FindSubmatch(body); found != nil {
		name = string(found[1])
	}
	w.mu.Lock()
	if w.calls == nil {
		w.calls = map[string]int{}
	}
	w.calls[name]++
	at, answer := w.At, w.Answer
	w.mu.Unlock()
	if answer != nil && strings.Contains(at, name) {
		return answer(r)
	}
	return offline.Transport{}.RoundTrip(r)
}

// Calls returns how often an agent asked.
func (w *Wire) Calls(agent string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[agent]
}

// Settings are those of a client over transport that tries twice.
func Settings(transport http.RoundTripper) (gemini.Config, gemini.Options) {
	return gemini.Config{APIKey: "k", Model: offline.Model, Timeout: time.Hour},
		gemini.Options{Transport: transport, Retry: gemini.Retry{Attempts: 2, Base: time.Nanosecond}}
}

// Model returns a model over transport.
func Model(t testing.TB, transport http.RoundTripper) model.LLM {
	t.Helper()
	c, options := Settings(transport)
	asked, err := llm.New(context.Background(), c, options)
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
