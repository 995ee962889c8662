// Package geminitest stands in tests where Gemini's service is. It answers on
// the wire, so that genai's client, our retries and all that is above them are
// the real ones: as a transport (Answer) or over HTTP (Serve), for
// generateContent and, as server-sent events, for streamGenerateContent.
//
// Failures are the fourteen ways in which a model fails.
package geminitest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// Answer is what the service does with a request. It is an http.RoundTripper.
type Answer func(*http.Request) (*http.Response, error)

// RoundTrip answers.
func (a Answer) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

// Object is a JSON object.
type Object = map[string]any

// Serve answers over HTTP, for programs that are led here by
// GOOGLE_GEMINI_BASE_URL or GOOGLE_VERTEX_BASE_URL, and returns the base URL.
// An answer that is an error breaks the connection.
func Serve(t testing.TB, answer Answer) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // a caller that leaves is noticed only after its body
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		response, err := answer(r)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		maps.Copy(w.Header(), response.Header)
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body) // a caller that left has no use for it
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// JSON answers with a status and a body.
func JSON(status int, body any) Answer {
	return func(r *http.Request) (*http.Response, error) { return encoded(r, status, body) }
}

func encoded(r *http.Request, status int, bodies ...any) (*http.Response, error) {
	var all bytes.Buffer
	streamed := status == http.StatusOK && strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
	for _, body := range bodies {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		if streamed {
			data = append(append([]byte("data: "), data...), "\r\n\r\n"...)
		}
		all.Write(data)
	}
	response := written(r, status, all.Bytes())
	if streamed {
		response.Header.Set("Content-Type", "text/event-stream")
	}
	return response, nil
}

func written(r *http.Request, status int, data []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(data)),
	}
}

// Refusal answers as the service does when it refuses a call. The text is one
// that no user may see.
func Refusal(status int) Answer { return refusal(status, "X") }

func refusal(status int, name string) Answer {
	return JSON(
		status,
		Object{"error": Object{"code": status, "message": "quota_project 4711 said no", "status": name}},
	)
}

// exhausted answers 429, and when to try again.
func exhausted(r *http.Request) (*http.Response, error) {
	response, err := refusal(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED")(r)
	if err == nil {
		response.Header.Set("Retry-After", RetryAfter)
	}
	return response, err
}

// RetryAfter is what the failure 429 asks for, in seconds.
const RetryAfter = "17"

func candidate(finish string, parts ...any) Object {
	candidate := Object{}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	if parts != nil {
		candidate["content"] = Object{"role": "model", "parts": parts}
	}
	return Object{"candidates": []any{candidate}}
}

// Candidate answers with one candidate; without parts it has no content.
func Candidate(finish string, parts ...any) Answer {
	return JSON(http.StatusOK, candidate(finish, parts...))
}

// Says answers with a text.
func Says(text string) Answer { return Candidate("STOP", Object{"text": text}) }

// SaysInPieces answers with a text that comes in pieces to who asked for a
// stream.
func SaysInPieces(pieces ...string) Answer {
	return func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
			return Says(strings.Join(pieces, ""))(r)
		}
		bodies := make([]any, len(pieces))
		for i, piece := range pieces {
			finish := ""
			if i == len(pieces)-1 {
				finish = "STOP"
			}
			bodies[i] = candidate(finish, Object{"text": piece})
		}
		return encoded(r, http.StatusOK, bodies...)
	}
}

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
	return written(r, http.StatusOK, []byte("<html>")), nil
}
