package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cloud.google.com/go/auth"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	adkgemini "google.golang.org/adk/v2/model/gemini"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/agentstest"
	"github.com/planwright/planwright/shared/agents/failuresequence"
	"github.com/planwright/planwright/shared/agents/goalplanning"
	"github.com/planwright/planwright/shared/agents/llm"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/gemini/offline"
)

// backends are the two ways in.
var backends = map[string]gemini.Config{
	"Gemini API": {APIKey: "k", Model: offline.Model, Timeout: 45 * time.Second},
	"Vertex AI":  {VertexAI: true, Project: "shop", Location: "europe-west4", Model: offline.Model, Timeout: 45 * time.Second},
}

type token struct{}

func (token) Token(context.Context) (*auth.Token, error) {
	return &auth.Token{Value: "ya29.test", Type: "Bearer"}, nil
}

// wire is the model's service, which keeps the last request.
type wire struct {
	answer agentstest.Answer
	sent   sent
}

// sent is a request as it leaves us.
type sent struct {
	Method, URL string
	Header      http.Header
	Body        any
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w.sent = sent{Method: r.Method, URL: r.URL.String(), Header: r.Header}
	if err := json.Unmarshal(body, &w.sent.Body); err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return w.answer(r)
}

// pair asks ours and ADK's own model, and compares what was sent and what was
// made of the answer.
type pair struct {
	t             *testing.T
	ours, library model.LLM
	to            [2]*wire
	asked         int
}

func newPair(t *testing.T, c gemini.Config, answer agentstest.Answer) *pair {
	p := &pair{t: t, to: [2]*wire{{answer: answer}, {answer: answer}}}
	options := gemini.Options{Retry: gemini.Retry{Attempts: 1}, Credentials: auth.NewCredentials(&auth.CredentialsOptions{TokenProvider: token{}})}
	var err error
	options.Transport = p.to[0]
	if p.ours, err = llm.New(t.Context(), c, options); err != nil {
		t.Fatal(err)
	}
	options.Transport = p.to[1]
	settings, err := gemini.ClientConfig(c, options)
	if err != nil {
		t.Fatal(err)
	}
	if p.library, err = adkgemini.NewModel(t.Context(), c.Model, settings); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *pair) Name() string { return p.ours.Name() }

func (p *pair) GenerateContent(ctx context.Context, request *model.LLMRequest, stream bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		p.asked++
		response, err := only(p.ours.GenerateContent(ctx, request, stream))
		same, sameErr := only(p.library.GenerateContent(ctx, request, stream))
		if diff := cmp.Diff(p.to[1].sent, p.to[0].sent); diff != "" {
			p.t.Errorf("request (-library +ours):\n%s", diff)
		}
		if diff := cmp.Diff(same, response); diff != "" {
			p.t.Errorf("response (-library +ours):\n%s", diff)
		}
		if diff := cmp.Diff(said(sameErr), said(err)); diff != "" {
			p.t.Errorf("error (-library +ours):\n%s", diff)
		}
		yield(response, err)
	}
}

// said is what people are told of an error.
func said(err error) string {
	if err == nil {
		return ""
	}
	return errs.Message(gemini.Translate(err))
}

func only(all iter.Seq2[*model.LLMResponse, error]) (response *model.LLMResponse, err error) {
	for response, err = range all {
	}
	return response, err
}

// Whatever our agents ask goes out as ADK's own model sends it, and comes back
// as it reads it.
func TestRequestsAreTheLibrarys(t *testing.T) {
	for name, c := range backends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				goal := newPair(t, c, offline.Transport{}.RoundTrip)
				workflow, err := goalplanning.New(goalplanning.Config{Model: goal})
				if err != nil {
					t.Fatal(err)
				}
				talk(t, workflow, nil, "Build a web shop", "Rename it to <Shop> & Söhne", "Looks good, save it")
				if goal.asked != 8 {
					t.Errorf("the model was asked %d times", goal.asked)
				}
				steps := newPair(t, c, offline.Transport{}.RoundTrip)
				sequence, err := failuresequence.New(failuresequence.Config{Model: steps})
				if err != nil {
					t.Fatal(err)
				}
				talk(t, sequence, map[string]any{"fail": "a"}, "Go")
				talk(t, sequence, map[string]any{"fail": "none"}, "Go")
				if steps.asked != 8 {
					t.Errorf("the model was asked %d times", steps.asked)
				}
			})
		})
	}
}

// talk sends messages to an agent.
func talk(t *testing.T, root agent.Agent, state map[string]any, messages ...string) {
	t.Helper()
	service := session.InMemoryService()
	key := session.CreateRequest{AppName: "a", UserID: "u", SessionID: "s", State: state}
	if _, err := service.Create(t.Context(), &key); err != nil {
		t.Fatal(err)
	}
	r, err := runner.New(runner.Config{AppName: "a", Agent: root, SessionService: service})
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range messages {
		for _, err := range r.Run(t.Context(), "u", "s", genai.NewContentFromText(message, genai.RoleUser), agent.RunConfig{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What goes wrong is told as with ADK's own model.
func TestAnswersAreReadAsByTheLibrary(t *testing.T) {
	object := func(text string) agentstest.Answer { return agentstest.JSON(http.StatusOK, json.RawMessage(text)) }
	answers := map[string]agentstest.Answer{
		"text":             agentstest.Says("Hello"),
		"usage":            object(`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"finishReason":"STOP","safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"index":0}],"usageMetadata":{"promptTokenCount":3,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":3}]},"modelVersion":"v","responseId":"r"}`),
		"a thought":        agentstest.Candidate("STOP", agentstest.Object{"text": "hm", "thought": true, "thoughtSignature": "AQID"}),
		"a call":           agentstest.Candidate("STOP", agentstest.Object{"functionCall": agentstest.Object{"name": "f", "args": agentstest.Object{"n": 1.5}}}),
		"two candidates":   object(`{"candidates":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]}}]}`),
		"cut off":          agentstest.Candidate("MAX_TOKENS", agentstest.Object{"text": "Hel"}),
		"blocked":          agentstest.Candidate("SAFETY"),
		"recited":          agentstest.Candidate("RECITATION"),
		"empty":            agentstest.Candidate("STOP"),
		"no parts":         agentstest.Candidate("STOP", []any{}...),
		"a blocked prompt": agentstest.Blocked,
		"an empty object":  object(`{}`),
		"refused":          agentstest.Refusal(http.StatusBadRequest),
		"no quota":         agentstest.Refusal(http.StatusTooManyRequests),
		"broken":           agentstest.Refusal(http.StatusInternalServerError),
		"an odd error":     agentstest.JSON(http.StatusBadGateway, "oops"),
		"reset":            agentstest.Reset,
		"garbage":          agentstest.Garbage,
		"hang":             agentstest.Hang,
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPair(t, backends["Gemini API"], answer)
				only(p.GenerateContent(t.Context(), &model.LLMRequest{Contents: genai.Text("Hello")}, false))
				if p.asked != 1 || p.to[0].sent.URL == "" {
					t.Error("nothing was sent")
				}
			})
		})
	}
}

// An answer of another shape than any model gives is an error; the library
// panics.
func TestAnAnswerOfAnotherShape(t *testing.T) {
	c, options := agentstest.Settings(&wire{answer: agentstest.JSON(http.StatusOK, agentstest.Object{"candidates": 5})})
	asked, err := llm.New(t.Context(), c, options)
	if err != nil {
		t.Fatal(err)
	}
	_, err = only(asked.GenerateContent(t.Context(), &model.LLMRequest{Contents: genai.Text("Hello")}, false))
	if kind := errs.KindOf(gemini.Translate(err)); kind != errs.Unusable {
		t.Errorf("%s: %v", kind, err)
	}
}

// What cannot be sent is refused, rather than asked without it.
func TestRefusesWhatItDoesNotSend(t *testing.T) {
	asked := agentstest.Model(t, &wire{answer: func(*http.Request) (*http.Response, error) {
		t.Error("the model was asked")
		return nil, http.ErrServerClosed
	}})
	for name, request := range map[string]*model.LLMRequest{
		"a limit":       {Config: &genai.GenerateContentConfig{MaxOutputTokens: 5}},
		"safety":        {Config: &genai.GenerateContentConfig{SafetySettings: []*genai.SafetySetting{{}}}},
		"headers":       {Config: &genai.GenerateContentConfig{HTTPOptions: &genai.HTTPOptions{}}},
		"another model": {Model: "another"},
	} {
		_, err := only(asked.GenerateContent(t.Context(), request, false))
		if errs.KindOf(err) != errs.Internal || !strings.Contains(err.Error(), "not sent") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := only(asked.GenerateContent(t.Context(), &model.LLMRequest{}, true)); errs.KindOf(err) != errs.Internal {
		t.Errorf("a stream: %v", err)
	}
}
