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

// KeepEvent returns what later turns need of an event: who said what. The last
// agent's answer becomes its reply, and what the agents told each other goes:
// it is in state where it matters.
func KeepEvent(event *session.Event) *session.Event {
	if event.Author == genai.RoleUser && textOf(event.Content) != "" {
		return eventLike(event, event.Content)
	}
	output, ok := event.Actions.StateDelta[goal.KeyOutput].(map[string]any)
	if event.Author != finalizer || !ok {
		return nil
	}
	reply, _ := output["reply"].(string)
	return eventLike(event, genai.NewContentFromText(reply, genai.RoleModel))
}

func eventLike(event *session.Event, content *genai.Content) *session.Event {
	return &session.Event{Author: event.Author, LLMResponse: model.LLMResponse{Content: content}}
}

// How many of the newest messages and replies go to the model. Who plans sees
// what led to the preview; who judges the newest message, or answers it, needs what it answers.
const (
	planHistory = 12
	lastWords   = 3
)

// MaxHistory is how many of the messages and replies before it a turn needs.
const MaxHistory = planHistory - 1

// withHistory runs an LLM agent on what was said in the session, the newest
// messages and replies, instead of the contents that ADK would build: those have
// what the agents told each other too, as the user's words. A before-model
// callback has no session, so the history reaches it in the context.
type withHistory struct {
	agent.Agent
	maxContents int
}

type historyKey struct{}

func (a withHistory) Run(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
	contents := history(ctx.Session().Events(), a.maxContents)
	return a.Agent.Run(ctx.WithContext(context.WithValue(ctx, historyKey{}, contents)))
}

// setContents is a before-model callback that asks with the history.
func setContents(ctx agent.Context, request *model.LLMRequest) (*model.LLMResponse, error) {
	request.Contents, _ = ctx.Value(historyKey{}).([]*genai.Content)
	return nil, nil
}

// history returns the newest messages and replies in order, at most so many. They
// begin with the user's.
func history(events session.Events, most int) []*genai.Content {
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
