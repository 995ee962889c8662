package outcome

import (
	"cmp"
	"errors"
	"iter"
	"log/slog"
	"maps"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/workflowagents/sequentialagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
)

// defaultSkipMessage is why a step is skipped that has no words of its own.
const defaultSkipMessage = "Skipped due to prior step outcome."

// Step is one step of a sequence that leaves an outcome. Build its LLM agent
// with OutputKey set to Key and the methods below as callbacks, and put
// Guard(agent) into the sequence.
type Step struct {
	Key         string       // where in state the outcome is kept
	SkipMessage string       // "" is "Skipped due to prior step outcome."
	Limit       Limit        // of the step's time
	Log         *slog.Logger // nil discards
}

// SkipUnlessSucceeded is a before-agent callback: unless the outcome under
// previousKey is a success, this step does not run, and its own outcome is
// that it was skipped.
func (s Step) SkipUnlessSucceeded(previousKey string) agent.BeforeAgentCallback {
	return func(ctx agent.Context) (*genai.Content, error) {
		if Read(ctx.State(), previousKey).Succeeded() {
			return nil, nil
		}
		skipped := Outcome{Status: Skipped, Message: cmp.Or(s.SkipMessage, defaultSkipMessage)}.String()
		if err := ctx.State().Set(s.Key, skipped); err != nil {
			return nil, err
		}
		return genai.NewContentFromText(skipped, genai.RoleModel), nil
	}
}

// OnToolError gives the model a tool's error in our words: what ADK would pass
// on is the error's own text, with the stack of a panic.
func (s Step) OnToolError(
	ctx agent.Context,
	broken tool.Tool,
	_ map[string]any,
	err error,
) (map[string]any, error) {
	cmp.Or(s.Log, logging.Discard).
		ErrorContext(ctx, "tool failed", "agent", ctx.AgentName(),
			"tool", broken.Name(), "error", err.Error())
	message := "the tool could not do it"
	if coded, ok := errors.AsType[*errs.Error](err); ok {
		message = coded.Message
	}
	return map[string]any{"status": "error", "message": message}, nil
}

// Guard wraps the step's agent so that it always ends with exactly one event
// that holds a readable outcome, in its text and in state under Key, and never
// with an error. A tool that failed and was not called again with success
// makes the step a failure, whatever the model says of it.
func (s Step) Guard(inner agent.Agent) agent.Agent {
	return Guard(inner, s.Limit, s.forward, func(_ agent.InvocationContext, answer Answer) Conclusion {
		outcome := s.outcome(answer)
		text := outcome.String()
		return Conclusion{Text: text, State: map[string]any{s.Key: text}}
	}, s.Log)
}

// forward takes the "" out of state that ADK's output key leaves there with every tool call.
func (s Step) forward(event *session.Event) { delete(event.Actions.StateDelta, s.Key) }

func (s Step) outcome(answer Answer) Outcome {
	if answer.Failure != nil {
		return Failed(errs.Message(answer.Failure))
	}
	outcome, err := Parse(answer.Text)
	switch {
	case err != nil:
		return Failed("The model's answer is not an outcome.")
	case outcome.Succeeded() && answer.ToolFailure != "":
		return Failed(answer.ToolFailure)
	default:
		return outcome
	}
}

// Conclusion is the last event of a guarded agent.
type Conclusion struct {
	Text  string
	State map[string]any
}

// Guard wraps an agent in Collect: its last event is what conclude makes of
// the answer, whatever happened. The events before it pass forward, which may
// change them; where it is nil they end here, but for partial ones. State that the
// agent's callbacks set is kept where conclude does not set it.
func Guard(
	inner agent.Agent,
	limit Limit,
	forward func(*session.Event),
	conclude func(agent.InvocationContext, Answer) Conclusion,
	log *slog.Logger,
) agent.Agent {
	return &guarded{inner, limit, forward, conclude, cmp.Or(log, logging.Discard)}
}

// guarded keeps the name and the place in the tree of the agent it wraps.
type guarded struct {
	agent.Agent
	limit    Limit
	forward  func(*session.Event)
	conclude func(agent.InvocationContext, Answer) Conclusion
	log      *slog.Logger
}

// Run runs the wrapped agent. It yields no error.
func (g *guarded) Run(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
	return func(yield func(*session.Event, error) bool) {
		answer, listening := Collect(ctx, g.Agent, g.limit, func(event *session.Event) bool {
			switch {
			case event.Partial:
			case g.forward == nil:
				return true
			default:
				g.forward(event)
			}
			return yield(event, nil)
		})
		if !listening {
			return
		}
		if answer.Failure != nil {
			g.log.WarnContext(ctx, "step failed", append(logged(answer.Failure), "agent", g.Name())...)
		}
		yield(NewEvent(ctx, g.Name(), answer, g.conclude(ctx, answer)), nil)
	}
}

// NewEvent returns the event that ends an agent's run: the conclusion, with
// what the model's own last event says of tokens and versions.
func NewEvent(
	ctx agent.InvocationContext,
	author string,
	answer Answer,
	conclusion Conclusion,
) *session.Event {
	event := session.NewEvent(ctx, ctx.InvocationID())
	event.Author = author
	event.Branch = ctx.Branch()
	event.Content = genai.NewContentFromText(conclusion.Text, genai.RoleModel)
	if answer.Event != nil {
		event.UsageMetadata, event.ModelVersion = answer.Event.UsageMetadata, answer.Event.ModelVersion
	}
	for _, state := range []map[string]any{answer.State, conclusion.State} {
		maps.Copy(event.Actions.StateDelta, state)
	}
	return event
}

// MarkModelError is a model-error callback: it marks the error as the model's, for
// Answer.Failure. Guard makes of it how the agent ends.
func MarkModelError(_ agent.Context, _ *model.LLMRequest, err error) (*model.LLMResponse, error) {
	return nil, modelError{err}
}

// Sequence builds the agents of a sequence, which run in their order.
func Sequence(name, description string, builders ...func() (agent.Agent, error)) (agent.Agent, error) {
	steps := make([]agent.Agent, len(builders))
	for i, build := range builders {
		var err error
		if steps[i], err = build(); err != nil {
			return nil, err
		}
	}
	return sequentialagent.New(
		sequentialagent.Config{
			AgentConfig: agent.Config{Name: name, Description: description, SubAgents: steps},
		},
	)
}
