package gemini_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cloud.google.com/go/auth"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
)

func TestReadConfig(t *testing.T) {
	low := gemini.Sampling{Thinking: genai.ThinkingLevelLow}
	tests := []struct {
		name     string
		vars     map[string]string
		want     gemini.Config
		problems []string
	}{
		{"a key", map[string]string{"GOOGLE_API_KEY": "k", "GOOGLE_CLOUD_PROJECT": "shop"},
			gemini.Config{Project: "shop", Location: "global", APIKey: "k", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: low}, nil},
		{"a key under the other name", map[string]string{"GEMINI_API_KEY": "k"}, gemini.Config{Location: "global", APIKey: "k", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: low}, nil},
		{"two keys", map[string]string{"GEMINI_API_KEY": "k", "GOOGLE_API_KEY": "wins"}, gemini.Config{Location: "global", APIKey: "wins", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: low}, nil},
		{"Vertex AI with a project alone", map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "True", "GOOGLE_CLOUD_PROJECT": "shop"},
			gemini.Config{VertexAI: true, Project: "shop", Location: "global", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: low}, nil},
		{"a multi-region under the other name", map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "True", "GOOGLE_CLOUD_PROJECT": "shop", "GOOGLE_CLOUD_REGION": "eu"},
			gemini.Config{VertexAI: true, Project: "shop", Location: "eu", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: low}, nil},
		{"a location that does not serve the model", map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "True", "GOOGLE_CLOUD_PROJECT": "shop", "GOOGLE_CLOUD_LOCATION": "us-central1"},
			gemini.Config{}, []string{`gemini-3.8-flash is not served at the location "us-central1", only at global, us, eu`}},
		{"sampling", map[string]string{"GEMINI_API_KEY": "k", "GEMINI_TEMPERATURE": "0", "GEMINI_TOP_P": "0.5"}, gemini.Config{
			Location: "global", APIKey: "k", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: gemini.Sampling{Temperature: new(float32(0)), TopP: new(float32(0.5)), Thinking: genai.ThinkingLevelLow}}, nil},
		{"thinking", map[string]string{"GEMINI_API_KEY": "k", "GEMINI_THINKING": "medium"}, gemini.Config{
			Location: "global", APIKey: "k", Model: "gemini-3.8-flash", Timeout: 45 * time.Second, Sampling: gemini.Sampling{Thinking: genai.ThinkingLevelMedium}}, nil},
		{"a model that has no thinking level", map[string]string{"GEMINI_API_KEY": "k", "GEMINI_MODEL": "gemini-2.5-flash-lite"}, gemini.Config{
			Location: "global", APIKey: "k", Model: "gemini-2.5-flash-lite", Timeout: 45 * time.Second}, nil},
		{"no thinking level", map[string]string{"GEMINI_API_KEY": "k", "GEMINI_THINKING": "minimal"}, gemini.Config{}, []string{`GEMINI_THINKING is "minimal"; it must be one of low, medium, high`}},
		{"the one model from Gemini 3 on that regions serve", map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "True", "GOOGLE_CLOUD_PROJECT": "shop", "GOOGLE_CLOUD_LOCATION": "europe-west4", "GEMINI_MODEL": "gemini-3.5-flash"},
			gemini.Config{VertexAI: true, Project: "shop", Location: "europe-west4", Model: "gemini-3.5-flash", Timeout: 45 * time.Second, Sampling: low}, nil},
		{"sampling out of bounds", map[string]string{"GEMINI_API_KEY": "k", "GEMINI_TEMPERATURE": "3", "GEMINI_TOP_P": "NaN"}, gemini.Config{}, []string{"GEMINI_TEMPERATURE", "GEMINI_TOP_P"}},
		{"Vertex AI", map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "True", "GOOGLE_CLOUD_PROJECT": "shop", "GOOGLE_CLOUD_LOCATION": "europe-west4", "GEMINI_MODEL": "m", "GEMINI_TIMEOUT": "9s"},
			gemini.Config{VertexAI: true, Project: "shop", Location: "europe-west4", Model: "m", Timeout: 9 * time.Second, Sampling: low}, nil},
		{"no way in", map[string]string{"GOOGLE_CLOUD_PROJECT": "shop"}, gemini.Config{}, []string{"no way to reach Gemini"}},
		{"all at once", map[string]string{"GOOGLE_GENAI_USE_VERTEXAI": "1", "GEMINI_TIMEOUT": "soon"}, gemini.Config{},
			[]string{"GOOGLE_CLOUD_PROJECT is not set", "GEMINI_TIMEOUT"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := config.Read(config.Map(tt.vars))
			got := gemini.ReadConfig(r)
			for _, problem := range tt.problems {
				if r.Err() == nil || !strings.Contains(r.Err().Error(), problem) {
					t.Errorf("%v does not say %q", r.Err(), problem)
				}
			}
			if tt.problems != nil {
				return
			}
			if r.Err() != nil {
				t.Fatal(r.Err())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadOptionalConfig(t *testing.T) {
	for name, want := range map[string]bool{"": false, "GOOGLE_API_KEY": true, "GEMINI_API_KEY": true, "GOOGLE_GENAI_USE_VERTEXAI": true, "GOOGLE_CLOUD_PROJECT": false} {
		r := config.Read(config.Map(map[string]string{name: "1"}))
		if got := gemini.ReadOptionalConfig(r); (got != nil) != want {
			t.Errorf("with %q set: %+v, want a configuration: %t", name, got, want)
		}
		if complete := name != "GOOGLE_GENAI_USE_VERTEXAI"; (r.Err() == nil) != complete {
			t.Errorf("with %q set: error %v", name, r.Err())
		}
	}
}

// script answers each request with the next step, and remembers what was sent.
type script struct {
	steps  []func(*http.Request) (*http.Response, error)
	bodies []string
	urls   []string
	header http.Header
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.bodies, s.urls, s.header = append(s.bodies, string(body)), append(s.urls, r.URL.String()), r.Header
	if len(s.bodies) > len(s.steps) {
		return nil, fmt.Errorf("request %d is not in the script", len(s.bodies))
	}
	return s.steps[len(s.bodies)-1](r)
}

func answer(status int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		response := &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}
		for i := 0; i+1 < len(header); i += 2 {
			response.Header.Set(header[i], header[i+1])
		}
		return response, nil
	}
}

func failure(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

const (
	good      = `{"candidates":[{"content":{"role":"model","parts":[{"text":"hello"}]},"finishReason":"STOP"}]}`
	busy      = `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`
	quota     = `{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}}`
	quotaWait = `{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}]}}`
	badKey    = `{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}`
)

func TestCalls(t *testing.T) {
	reset := &net.OpError{Op: "read", Err: errors.New("connection reset")}
	step := func(steps ...func(*http.Request) (*http.Response, error)) []func(*http.Request) (*http.Response, error) {
		return steps
	}
	tests := []struct {
		name  string
		steps []func(*http.Request) (*http.Response, error)
		kind  errs.Kind // "" is success
		tries int
		took  time.Duration
		upTo  time.Duration // random, beside took
	}{
		{"good", step(answer(200, good)), "", 1, 0, 0},
		{"503, then good", step(answer(503, busy), answer(200, good)), "", 2, 0, 500 * time.Millisecond},
		{"503 three times, then good", step(answer(503, busy), answer(503, busy), answer(503, busy), answer(200, good)), "", 4, 0, 3500 * time.Millisecond},
		{"503 to the end", step(answer(503, busy), answer(503, busy), answer(503, busy), answer(503, busy)), errs.Unavailable, 4, 0, 3500 * time.Millisecond},
		{"429 to the end", step(answer(429, quota), answer(429, quota), answer(429, quota), answer(429, quota)), errs.Unavailable, 4, 0, 3500 * time.Millisecond},
		{"Retry-After in seconds", step(answer(429, quota, "Retry-After", "7"), answer(200, good)), "", 2, 7 * time.Second, 0},
		{"Retry-After as a date", step(answer(503, busy, "Retry-After", "Sat, 01 Jan 2000 00:00:05 GMT"), answer(200, good)), "", 2, 5 * time.Second, 0},
		{"RetryInfo in the body", step(answer(429, quotaWait), answer(200, good)), "", 2, 3 * time.Second, 0},
		{"a wait past the deadline is not begun", step(answer(429, quota, "Retry-After", "31")), errs.Unavailable, 1, 0, 0},
		{"broken connection, then good", step(failure(reset), answer(200, good)), "", 2, 0, 500 * time.Millisecond},
		{"connection broken to the end", step(failure(reset), failure(reset), failure(reset), failure(reset)), errs.Unavailable, 4, 0, 3500 * time.Millisecond},
		{"hang", step(hang), errs.Deadline, 1, 30 * time.Second, 0},
		{"500 is not tried again", step(answer(500, `{"error":{"code":500,"message":"internal"}}`)), errs.Unavailable, 1, 0, 0},
		{"502 in HTML", step(answer(502, "<html>")), errs.Unavailable, 1, 0, 0},
		{"key refused", step(answer(400, badKey)), errs.Unavailable, 1, 0, 0},
		{"denied", step(answer(403, `{"error":{"code":403,"message":"denied"}}`)), errs.Unavailable, 1, 0, 0},
		{"model gone", step(answer(404, `{"error":{"code":404,"message":"no such model"}}`)), errs.Unavailable, 1, 0, 0},
		{"our request is wrong", step(answer(400, `{"error":{"code":400,"message":"bad schema","status":"INVALID_ARGUMENT"}}`)), errs.Unusable, 1, 0, 0},
		{"not JSON", step(answer(200, "{\"candidates\": [")), errs.Unusable, 1, 0, 0},
		{"not the wire format", step(answer(200, `{"candidates": 5}`)), errs.Unusable, 1, 0, 0},
		{"endless", step(answer(200, strings.Repeat("[", 9<<20))), errs.Unusable, 1, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := &script{steps: tt.steps}
				client, err := gemini.NewClient(t.Context(), gemini.Config{APIKey: "k-secret", Timeout: 30 * time.Second},
					gemini.Options{Transport: script})
				if err != nil {
					t.Fatal(err)
				}
				started := time.Now()
				response, err := gemini.Generate(t.Context(), client, "m", genai.Text("hi"), nil)
				if got := errs.KindOf(err); got != tt.kind {
					t.Fatalf("kind %q of %v, want %q", got, err, tt.kind)
				}
				if err == nil && response.Text() != "hello" {
					t.Errorf("text %q", response.Text())
				}
				if len(script.bodies) != tt.tries {
					t.Errorf("%d tries, want %d", len(script.bodies), tt.tries)
				}
				if waited := time.Since(started) - tt.took; waited < min(tt.upTo, 1) || waited > tt.upTo {
					t.Errorf("took %s, want %s and up to %s", waited+tt.took, tt.took, tt.upTo)
				}
				for _, body := range script.bodies {
					if body != script.bodies[0] || body == "" {
						t.Errorf("attempts differ: %q and %q", script.bodies[0], body)
					}
				}
				if err != nil && strings.Contains(err.Error(), "k-secret") {
					t.Errorf("the key shows in %v", err)
				}
			})
		})
	}
}

type token struct{}

func (token) Token(context.Context) (*auth.Token, error) {
	return &auth.Token{Value: "ya29.test", Type: "Bearer"}, nil
}

func TestVertexAIIsAuthorizedAndNamed(t *testing.T) {
	script := &script{steps: []func(*http.Request) (*http.Response, error){answer(200, good)}}
	c := gemini.Config{VertexAI: true, Project: "shop", Location: "europe-west4", Timeout: time.Minute}
	client, err := gemini.NewClient(t.Context(), c, gemini.Options{
		Transport:   script,
		Credentials: auth.NewCredentials(&auth.CredentialsOptions{TokenProvider: token{}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Models.GenerateContent(t.Context(), "gemini-3.8-flash", genai.Text("hi"), nil); err != nil {
		t.Fatal(err)
	}
	const want = "https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/shop/locations/europe-west4/publishers/google/models/gemini-3.8-flash:generateContent"
	if script.urls[0] != want {
		t.Errorf("URL %s, want %s", script.urls[0], want)
	}
	if got := script.header.Get("Authorization"); got != "Bearer ya29.test" {
		t.Errorf("Authorization %q", got)
	}
}
