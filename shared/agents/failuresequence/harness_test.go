package failuresequence_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/plugin"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/agentstest"
	"github.com/planwright/planwright/shared/agents/failuresequence"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/gemini/geminitest"
)

// fault is what goes wrong at one agent. Its parts are all optional.
type fault struct {
	at       string                                      // the agent, or several
	answer   geminitest.Answer                           // instead of the model's service
	callback func(agent.Context) (*genai.Content, error) // before the agent, as an ADK plugin
}

// result is all that one run of the sequence did.
type result struct {
	events   []*session.Event
	errors   []error
	state    map[string]any
	calls    func(agent string) int // of the model
	messages []string               // logged
	took     time.Duration
}

// run runs the sequence once, with state and with fault.
func run(t *testing.T, ctx context.Context, state map[string]any, fault fault) result {
	t.Helper()
	return runUntil(t, ctx, state, fault, -1)
}

// runUntil is run with a reader that leaves after so many events.
func runUntil(t *testing.T, ctx context.Context, state map[string]any, fault fault, events int) result {
	t.Helper()
	log := &messages{}
	wire := &agentstest.Service{At: fault.at, Answer: fault.answer}
	root, err := failuresequence.New(failuresequence.Config{
		Model: agentstest.Model(t, wire), StepTimeout: 5 * time.Second, Reserve: 3 * time.Second, Log: slog.New(log),
	})
	if err != nil {
		t.Fatal(err)
	}
	service := session.InMemoryService()
	run, err := runner.New(runner.Config{
		AppName: failuresequence.App, Agent: root, SessionService: service,
		PluginConfig: runner.PluginConfig{Plugins: plugins(t, fault)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Create(ctx, &session.CreateRequest{AppName: failuresequence.App, UserID: "u", SessionID: "s", State: state}); err != nil {
		t.Fatal(err)
	}
	r := result{calls: wire.Calls, state: map[string]any{}}
	started := time.Now()
	for event, err := range run.Run(ctx, "u", "s", genai.NewContentFromText("Run the sequence.", genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			r.errors = append(r.errors, err)
			continue
		}
		if r.events = append(r.events, event); len(r.events) == events {
			break
		}
	}
	r.took = time.Since(started)
	r.messages = log.lines
	stored, err := service.Get(context.Background(), &session.GetRequest{AppName: failuresequence.App, UserID: "u", SessionID: "s"})
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range stored.Session.State().All() {
		r.state[key] = value
	}
	return r
}

func plugins(t *testing.T, fault fault) []*plugin.Plugin {
	t.Helper()
	if fault.callback == nil {
		return nil
	}
	p, err := plugin.New(plugin.Config{Name: "fault", BeforeAgentCallback: func(ctx agent.Context) (*genai.Content, error) {
		if !strings.Contains(fault.at, ctx.AgentName()) {
			return nil, nil
		}
		return fault.callback(ctx)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return []*plugin.Plugin{p}
}

// outcomes reads what state holds for A, B and C.
func (r result) outcomes(t *testing.T) [3]outcome.Outcome {
	t.Helper()
	var read [3]outcome.Outcome
	for i, key := range []string{failuresequence.KeyA, failuresequence.KeyB, failuresequence.KeyC} {
		text, ok := r.state[key].(string)
		if !ok {
			t.Fatalf("state %s is %v, not a JSON string", key, r.state[key])
		}
		parsed, err := outcome.Parse(text)
		if err != nil {
			t.Fatalf("state %s: %v", key, err)
		}
		read[i] = parsed
	}
	return read
}

// last returns the text of the last event and its author.
func (r result) last() (author, text string) {
	if len(r.events) == 0 {
		return "", ""
	}
	event := r.events[len(r.events)-1]
	return event.Author, textOf(event)
}

func textOf(event *session.Event) string {
	var text strings.Builder
	if event.Content != nil {
		for _, part := range event.Content.Parts {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

// messages is a log handler that keeps the messages.
type messages struct{ lines []string }

func (m *messages) Enabled(context.Context, slog.Level) bool { return true }
func (m *messages) Handle(_ context.Context, record slog.Record) error {
	m.lines = append(m.lines, record.Message)
	return nil
}
func (m *messages) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m *messages) WithGroup(string) slog.Handler      { return m }
