package goalplanning

import (
	"encoding/json"
	"maps"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// asking is a before-model callback that gives the request what was said in the
// session, the task, what the model must know of the session as data, and the
// schema of the answer. The data is one line of JSON, which no text of a user's
// can break out of. Of an agent's own instruction and configuration ADK would
// make copies at every call.
func (c Config) asking(prompt string, schema *genai.Schema) llmagent.BeforeModelCallback {
	task := genai.NewPartFromText("\n\n" + prompt)
	return func(ctx agent.Context, request *model.LLMRequest) (*model.LLMResponse, error) {
		known, err := c.known(ctx.ReadonlyState(), ctx.UserContent())
		if err != nil {
			return nil, err
		}
		text, err := strictjson.AppendPlain(append(make([]byte, 0, 2<<10), "\nContext: "...), known)
		if err != nil {
			return nil, errs.Wrap(errs.Internal, err, "The context of this session cannot be written down.")
		}
		told := request.Config.SystemInstruction // by ADK: who the agent is
		told.Parts = append(told.Parts, task, genai.NewPartFromText(string(append(text, '\n'))))
		request.Contents, _ = ctx.Value(saidKey{}).([]*genai.Content)
		request.Config.Temperature = genai.Ptr[float32](0.2)
		request.Config.ResponseMIMEType = "application/json"
		request.Config.ResponseSchema = schema
		return nil, nil
	}
}

// known is what the model must know of the session.
func (c Config) known(state session.ReadonlyState, message *genai.Content) (map[string]any, error) {
	s, err := c.glance(state, message)
	if err != nil {
		return nil, err
	}
	known := map[string]any{
		"now": s.Now.Format(time.RFC3339), "weekday": s.Now.Weekday().String(), "timeZone": s.Now.Location().String(),
		"preferredLanguage": s.Language, "iteration": s.Iteration, "goalPreview": s.Raw,
	}
	if s.Hours != nil {
		known["availableHoursLeft"] = *s.Hours
	}
	for name, key := range map[string]string{"upcomingTasks": goal.KeyUpcoming, "routing": goal.KeyRouting} {
		if value, err := state.Get(key); err == nil {
			known[name] = value
		}
	}
	maps.Copy(known, proposedIn(state))
	return known, nil
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
