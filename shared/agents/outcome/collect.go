package outcome

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/errs"
)

// maxEvents ends a step whose model calls tools, or thinks, without end.
const maxEvents = 32

// Answer is what came of one run of an agent.
type Answer struct {
	// Text is what the agent said at its end, without its thoughts; "" where Failure is set.
	Text string
	// Failure says why there is no usable text; nil if there is. Its message
	// (errs.Message) may be shown to people.
	Failure error
	// ToolFailure is the message of a tool whose last call failed, or "".
	ToolFailure string
	// State is what the agent's callbacks put into state.
	State map[string]any
	// Event is the agent's last event, nil if there was none.
	Event *session.Event
}

// Collect runs an agent within limit and returns what came of it; no error, no
// panic and no hang of the agent passes through. Events before the last, such
// as tool calls and partial ones, go to forward as they happen; where forward returns false
// nobody listens any more, the agent is stopped, and so is Collect, with ok false.
func Collect(
	ctx agent.InvocationContext,
	inner agent.Agent,
	limit Limit,
	forward func(*session.Event) bool,
) (answer Answer, ok bool) {
	limited, cancel := limit.apply(ctx)
	defer cancel()
	c := &collector{tools: map[string]string{}, answer: Answer{State: map[string]any{}}}
	running := ctx.WithContext(platform.WithTaskRunner(limited, inline))
	err, ok := contained(
		limited,
		func(hand func(*session.Event) bool) { c.fail(limited, c.run(running, inner, hand)) },
		forward,
	)
	if !ok {
		return Answer{}, false
	}
	c.fail(limited, err)
	return c.finish(), true
}

// collector follows an agent in the goroutine that runs it, and is asked for
// the answer in another, which does not wait for an agent that was given up.
type collector struct {
	mu       sync.Mutex
	answer   Answer
	text     *session.Event    // the last event that says something
	tools    map[string]string // failure message of each tool's last call
	finished bool              // what comes now is too late
}

func (c *collector) run(
	ctx agent.InvocationContext,
	inner agent.Agent,
	hand func(*session.Event) bool,
) error {
	events := 0
	for event, err := range inner.Run(ctx) {
		if err == nil && event != nil && event.Partial {
			if !hand(event) {
				return nil
			}
			continue
		}
		switch events++; {
		case err != nil:
			return err
		case events > maxEvents:
			return errs.New(errs.Unusable, "The step went on without an answer and was stopped.")
		case event == nil:
		case event.IsFinalResponse():
			c.final(event)
		default:
			c.note(event)
			if !hand(event) {
				return nil
			}
		}
	}
	return nil
}

// fail keeps the first reason why there is no answer.
func (c *collector) fail(ctx context.Context, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && !c.finished && c.answer.Failure == nil {
		c.answer.Failure = failure(ctx, err)
	}
}

// note follows what the agent's tools answer.
func (c *collector) note(event *session.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, part := range parts(event) {
		if response := part.FunctionResponse; response != nil && !c.finished {
			c.tools[response.Name] = toolFailure(response)
		}
	}
}

// final keeps an event that ends a run. There may be several: state set by a
// callback comes as an event without content.
func (c *collector) final(event *session.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.finished {
		return
	}
	maps.Copy(c.answer.State, event.Actions.StateDelta)
	if event.Content != nil || event.ErrorCode != "" {
		c.text = event
	}
}

func (c *collector) finish() Answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finished = true
	answer := c.answer
	answer.Event = c.text
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		if c.tools[name] != "" {
			answer.ToolFailure = c.tools[name]
			break
		}
	}
	if answer.Failure == nil {
		answer.Text, answer.Failure = textOf(c.text)
	}
	return answer
}

// textOf returns the text of a model's last event, or why it cannot be used. The
// finish reason comes first: text that was cut off may still look whole.
func textOf(event *session.Event) (string, error) {
	if event == nil {
		return "", errs.New(errs.Unusable, "The model's answer was empty.")
	}
	switch event.FinishReason {
	case "", genai.FinishReasonStop, genai.FinishReasonUnspecified:
	case genai.FinishReasonMaxTokens:
		return "", errs.New(errs.Unusable, "The model's answer was cut off.")
	default:
		return "", errs.New(errs.Unusable, "The model blocked its answer.")
	}
	if event.ErrorCode != "" {
		return "", errs.New(errs.Unusable, "The model blocked the request.")
	}
	var text strings.Builder
	for _, part := range parts(event) {
		if !part.Thought {
			text.WriteString(part.Text)
		}
	}
	if strings.TrimSpace(text.String()) == "" {
		return "", errs.New(errs.Unusable, "The model's answer was empty.")
	}
	return text.String(), nil
}

func parts(event *session.Event) []*genai.Part {
	if event.Content == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(event.Content.Parts), func(p *genai.Part) bool { return p == nil })
}

// toolFailure returns why a tool's answer is a failure, or "": by ADK's
// convention it has "error", by ours "status": "error" and a message.
func toolFailure(response *genai.FunctionResponse) string {
	_, broke := response.Response["error"]
	if !broke && response.Response["status"] != "error" {
		return ""
	}
	message, _ := response.Response["message"].(string)
	return "Tool " + response.Name + " failed: " + cmp.Or(message, "it reported an error")
}
