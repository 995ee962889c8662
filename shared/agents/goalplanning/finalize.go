package goalplanning

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// finalizer is the name of the agent with the last word.
const finalizer = "FinalizeAgent"

// finalize builds FinalizeAgent. It asks the model for the words of a turn
// that saves or makes final; any other turn has its words already.
func (c Config) finalize() (agent.Agent, error) {
	inner, err := c.llmAgent(
		finalizer,
		"Answers with the reply, the action and the state.",
		prompts.GoalFinalize,
		answerSchema,
		lastWords,
		c.skipIf(func(s goal.Situation, state session.ReadonlyState) bool {
			decided, _ := decide(s, state)
			return decided.Action.Type == goal.None
		}),
	)
	if err != nil {
		return nil, err
	}
	return outcome.Guard(inner, finalizeLimit, nil, c.conclude, c.Log), nil
}

// turnPlan is what PlanAgent leaves for the last step.
type turnPlan struct {
	Draft    bool     `json:"draft"` // there is a new one
	Kept     []string `json:"kept"`
	Answer   string   `json:"answer"`
	Question string   `json:"question"`
}

// done says what was kept, answered and not done, in that order.
func (p turnPlan) done(reply string) string {
	parts := append(slices.Clone(p.Kept), p.Answer, reply, p.Question)
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// decide says how a turn ends by what its steps came to, with the words that
// are used where the model has none, and whether the message asked for something that
// was not done. The words of a new draft are written when they are used.
func decide(s goal.Situation, state session.ReadonlyState) (out goal.Output, unmet bool) {
	check, plan := outcome.Read(state, keyCheckOutcome), outcome.Read(state, keyPlanOutcome)
	draft, _ := getter(state)(goal.KeyProposed).(map[string]any)
	planned := plannedIn(state)
	switch {
	case s.Message == "":
		return s.Nothing("I have noted that. What would you like to plan?"), s.Unmet != ""
	case s.Closed() && s.Approves():
		return s.Nothing(
			"Your goal is final already. Say what to change, and there is a new draft of it.",
		), false
	case asksAgain(state):
		return s.Nothing(s.AskAgain()), false
	case check.Status != outcome.Success:
		return s.Nothing(notAnswered(check.Message)), s.Unmet != ""
	case routeOf(getter(state)(goal.KeyRouting)) == routeFinalize:
		return s.Finalize(goal.Final(s.Raw)), false
	case plan.Status != outcome.Success:
		return s.Nothing(cmp.Or(plan.Message, notAnswered("No plan was made."))), true
	case planned.Draft:
		return s.Save(draft, ""), planned.Question != ""
	}
	if len(planned.Kept) > 0 && s.Raw == nil && planned.Question == "" {
		planned.Question = "What is your goal?"
	}
	return s.Nothing(cmp.Or(planned.done(""), notAnswered("No plan was made."))), planned.Question != ""
}

func plannedIn(state session.ReadonlyState) (p turnPlan) {
	text, _ := getter(state)(keyPlanned).(string)
	_ = json.Unmarshal([]byte(text), &p) // ours, or there is none
	return p
}

// conclude is the last event of a turn. The model's reply stands where the
// model took the same action for right; without one the words are ours.
func (c Config) conclude(ctx agent.InvocationContext, answer outcome.Answer) outcome.Conclusion {
	state := ctx.Session().State()
	s, err := c.basics(state, ctx.UserContent())
	if err != nil {
		return output(s, s.Nothing(notAnswered(errs.Message(err))), true)
	}
	decided, unmet := decide(s, state)
	switch reply, said := c.reply(ctx, answer, decided.Action.Type); {
	case decided.Action.Type == goal.None:
	case !said: // our words tell of all changes
		whole, err := goal.Read(getter(state), s.Message, c.Now())
		if err == nil && decided.Action.Type == goal.SavePreview {
			draft, _ := decided.Action.Payload["goalDraft"].(map[string]any)
			decided.Reply = plannedIn(state).done(whole.Describe(draft))
		}
	case s.English() && decided.Action.Type == goal.SavePreview:
		planned := plannedIn(state)
		planned.Answer = ""
		decided.Reply = planned.done(reply) // whatever the model says of it
	default:
		decided.Reply = reply
	}
	return output(s, decided, unmet)
}

// reply returns the model's words for an action, and whether there are any.
func (c Config) reply(ctx agent.InvocationContext, answer outcome.Answer, action string) (string, bool) {
	if answer.Failure != nil || action == goal.None {
		return "", false
	}
	reply, forAction, err := parseAnswer(answer.Text)
	if err != nil {
		c.logUnusable(ctx, err)
	}
	return reply, err == nil && forAction == action
}

// output writes the standard output into the event and into state.
func output(s goal.Situation, out goal.Output, unmet bool) outcome.Conclusion {
	object := out.Object()
	written := map[string]any{
		goal.KeyOutput:    object,
		goal.KeyResponse:  object,
		goal.KeyStep:      out.State.Step,
		goal.KeyIteration: float64(out.State.Iteration),
		goal.KeyActive:    out.State.SessionActive,
	}
	if out.Action.Type == goal.SavePreview {
		written[goal.KeyPreview] = out.Action.Payload["goalDraft"]
	}
	message := ""
	if unmet {
		message = strictjson.Shorten(cmp.Or(s.Message, s.Unmet))
	}
	if message != s.Unmet {
		written[goal.KeyUnmet] = message
	}
	return outcome.Conclusion{Text: encode(object), State: written}
}
