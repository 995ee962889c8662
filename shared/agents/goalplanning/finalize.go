package goalplanning

import (
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
)

// finalizer is the name of the agent with the last word.
const finalizer = "FinalizeAgent"

// finalize builds FinalizeAgent. It asks the model for the words of a turn
// that saves or makes final; any other turn has its words already.
func (c Config) finalize() (agent.Agent, error) {
	inner, err := c.llmAgent(finalizer, "Answers with the reply, the action and the state.", prompts.GoalFinalize, answerSchema, lastWords,
		c.skipIf(func(s goal.Situation, state session.ReadonlyState) bool {
			return decide(s, state).Action.Type == goal.None
		}))
	if err != nil {
		return nil, err
	}
	return outcome.Guard(inner, finalizeLimit, nil, c.conclude, c.Log), nil
}

// decide says how a turn ends by what its steps came to, with the words that
// are used where the model has none.
func decide(s goal.Situation, state session.ReadonlyState) goal.Output {
	check, plan := outcome.Read(state, keyCheckOutcome), outcome.Read(state, keyPlanOutcome)
	routing, _ := state.Get(goal.KeyRouting)
	draft, _ := state.Get(goal.KeyProposed)
	proposed, _ := draft.(map[string]any)
	switch {
	case s.Closed():
		return s.Nothing("This goal is final; nothing more is planned in this session. Start a new session for another goal.")
	case s.Message == "":
		return s.Nothing("I have noted that. What would you like to plan?")
	case s.AsksAgain() && (plan.Status != outcome.Success || proposed == nil || plan.Message != ""):
		return s.Nothing(s.AskAgain())
	case check.Status != outcome.Success:
		return s.Nothing(notAnswered(check.Message))
	case routing == routeFinalize:
		return s.Finalize(goal.Final(s.Raw))
	case plan.Status == outcome.Success && plan.Message != "":
		return s.Nothing(plan.Message)
	case plan.Status == outcome.Success && proposed != nil:
		return s.Save(proposed, s.Describe(proposed))
	case plan.Status == outcome.Failure && plan.Message != "":
		return s.Nothing(plan.Message)
	default:
		return s.Nothing(notAnswered("No plan was made."))
	}
}

// conclude is the last event of a turn. The model's reply stands where the
// model took the same action for right; without one the words are ours.
func (c Config) conclude(ctx agent.InvocationContext, answer outcome.Answer) outcome.Conclusion {
	state := ctx.Session().State()
	s, err := c.basics(state, ctx.UserContent())
	if err != nil {
		return output(s, s.Nothing(notAnswered(errs.Message(err))))
	}
	decided := decide(s, state)
	if decided.Action.Type != goal.None && answer.Failure == nil {
		reply, action, err := parseAnswer(answer.Text)
		switch {
		case err != nil:
			c.logUnusable(ctx, err)
		case action == decided.Action.Type:
			decided.Reply = reply
		}
	}
	return output(s, decided)
}

// output writes the standard output into the event and into state.
func output(s goal.Situation, out goal.Output) outcome.Conclusion {
	object := out.Object()
	written := map[string]any{
		goal.KeyOutput: object, goal.KeyResponse: object,
		goal.KeyStep: out.State.Step, goal.KeyIteration: float64(out.State.Iteration), goal.KeyActive: out.State.SessionActive,
	}
	if out.Action.Type == goal.SavePreview {
		written[goal.KeyPreview] = out.Action.Payload["goalDraft"]
		keepTotal(written, s)
	}
	if unmet := s.UnmetAfter(out); unmet != s.Unmet {
		written[goal.KeyUnmet] = unmet
	}
	return outcome.Conclusion{Text: encode(object), State: written}
}

// keepTotal keeps the limit on the hours of a plan that is saved, until another is said.
func keepTotal(written map[string]any, s goal.Situation) {
	switch allowed := s.Allowed(); {
	case allowed != nil:
		written[goal.KeyTotal] = *allowed
	case s.Total != nil:
		written[goal.KeyTotal] = nil
	}
}
