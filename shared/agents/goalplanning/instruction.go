package goalplanning

import (
	"encoding/json"
	"maps"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
)

// instruction is an agent's instruction: its prompt, and what the model must
// know of the session as data. The data is one line of JSON, which no text of a
// user's can break out of.
func (c Config) instruction(prompt string) llmagent.InstructionProvider {
	return func(ctx agent.ReadonlyContext) (string, error) {
		known, err := c.known(ctx.ReadonlyState(), ctx.UserContent())
		if err != nil {
			return "", err
		}
		return prompt + "\nContext: " + encode(known) + "\n", nil
	}
}

// known is what the model must know of the session.
func (c Config) known(state session.ReadonlyState, message *genai.Content) (map[string]any, error) {
	s, err := c.basics(state, message)
	if err != nil {
		return nil, err
	}
	known := map[string]any{
		"now": s.Now.Format(
			time.RFC3339,
		), "weekday": s.Now.Weekday().String(), "timeZone": s.Now.Location().String(),
		"preferredLanguage": s.Language, "iteration": s.Iteration, "goalPreview": s.Raw,
	}
	if s.Hours != nil {
		known["availableHoursLeft"] = *s.Hours
	}
	for _, key := range []string{
		goal.KeyUpcoming, goal.KeyRouting, goal.KeyBlocked, goal.KeyDeadline, goal.KeyTold, goal.KeyStep,
	} {
		if value, err := state.Get(key); err == nil && !empty(value) {
			known[key] = value
		}
	}
	maps.Copy(known, proposedIn(state))
	return known, nil
}

// empty reports whether a value says nothing.
func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// proposedIn returns what this turn has come to so far.
func proposedIn(state session.ReadonlyState) map[string]any {
	known := map[string]any{}
	if feedback, err := state.Get(keyFeedback); err == nil {
		if text, ok := feedback.(string); ok {
			known["feedback"] = json.RawMessage(text)
		}
	}
	if outcome.Read(state, keyPlanOutcome).Succeeded() {
		if draft, err := state.Get(goal.KeyProposed); err == nil {
			known["proposedPlan"] = draft
		}
	}
	return known
}
