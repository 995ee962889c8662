package goalplanning

import (
	"context"
	"iter"
	"slices"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
)

// Recall returns what later turns need of an event: who said what. The last
// agent's answer becomes its reply, and what the agents told each other goes:
// it is in state where it matters.
func Recall(event *session.Event) *session.Event {
	if event.Author == genai.RoleUser && textOf(event.Content) != "" {
		return said(event, event.Content)
	}
	output, ok := event.Actions.StateDelta[goal.KeyOutput].(map[string]any)
	if event.Author != finalizer || !ok {
		return nil
	}
	reply, _ := output["reply"].(string)
	return said(event, genai.NewContentFromText(reply, genai.RoleModel))
}

func said(event *session.Event, content *genai.Content) *session.Event {
	return &session.Event{Author: event.Author, LLMResponse: model.LLMResponse{Content: content}}
}

// How many of the newest messages and replies go to the model. Who plans sees
// what led to the preview; who judges the newest message, or answers it, needs
// what it answers.
const (
	planHistory = 12
	lastWords   = 3
)

// Recalled is how many of the messages and replies before it a turn needs.
const Recalled = planHistory - 1

// informed is an agent that is shown what was said in the session. ADK would
// show it what the agents told each other too, that as the user's words.
type informed struct {
	agent.Agent
	most int // messages and replies
}

type saidKey struct{}

// Run runs the agent with the conversation in its context, for a callback sees
// no events, and in a session without events, so that ADK makes nothing of
// them.
func (i informed) Run(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
	said := context.WithValue(ctx, saidKey{}, heard(ctx.Session().Events(), i.most))
	return i.Agent.Run(quiet{ctx.WithContext(said)})
}

// quiet is a context of an agent to which its session shows no events.
type quiet struct{ agent.InvocationContext }

func (q quiet) Session() session.Session { return quietSession{q.InvocationContext.Session()} }

func (q quiet) WithContext(ctx context.Context) agent.InvocationContext {
	return quiet{q.InvocationContext.WithContext(ctx)}
}

func (q quiet) WithICDelta(delta *agent.InvocationContextDelta) agent.InvocationContext {
	return quiet{q.InvocationContext.WithICDelta(delta)}
}

type quietSession struct{ session.Session }

func (quietSession) Events() session.Events { return noEvents{} }

type noEvents struct{}

func (noEvents) All() iter.Seq[*session.Event] { return func(func(*session.Event) bool) {} }
func (noEvents) Len() int                      { return 0 }
func (noEvents) At(int) *session.Event         { return nil }

// heard returns the newest messages and replies in order, at most so many. They
// begin with the user's.
func heard(events session.Events, most int) []*genai.Content {
	var newest []*genai.Content
	for i := events.Len() - 1; i >= 0 && len(newest) < most; i-- {
		event := events.At(i)
		if (event.Author == genai.RoleUser || event.Author == finalizer) && textOf(event.Content) != "" {
			newest = append(newest, event.Content)
		}
	}
	slices.Reverse(newest)
	for len(newest) > 0 && newest[0].Role != genai.RoleUser {
		newest = newest[1:]
	}
	return newest
}
