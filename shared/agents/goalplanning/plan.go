package goalplanning

import (
	"iter"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/session"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/errs"
)

// attempts is how often PlanAgent is asked: what a draft breaks goes back to the model twice.
const attempts = 3

// plan builds PlanAgent. It is skipped where the approval check failed, and
// where there is nothing to plan.
func (c Config) plan() (agent.Agent, error) {
	step := outcome.Step{Key: keyPlanOutcome}
	inner, err := c.llmAgent("PlanAgent", "Drafts or refines the plan.", prompts.GoalPlan, proposalSchema, planHistory,
		step.SkipUnlessSucceeded(keyCheckOutcome),
		c.skipIf(func(s goal.Situation, state session.ReadonlyState) bool {
			routing, err := state.Get(goal.KeyRouting)
			return nothingToDo(s) || err == nil && routing == routeFinalize
		}))
	if err != nil {
		return nil, err
	}
	return outcome.Guard(&drafting{inner, c}, planLimit, nil, func(_ agent.InvocationContext, answer outcome.Answer) outcome.Conclusion {
		if answer.Failure == nil {
			return outcome.Conclusion{Text: answer.Text}
		}
		result := outcome.Failed(notAnswered(errs.Message(answer.Failure))).String()
		return outcome.Conclusion{Text: result, State: map[string]any{keyPlanOutcome: result}}
	}, c.Log), nil
}

// drafting runs PlanAgent until its draft breaks nothing, at most so many
// times, and ends with one event.
type drafting struct {
	agent.Agent
	config Config
}

// Run yields one event, or why there is none, and before it what the model
// says in parts.
func (d *drafting) Run(ctx agent.InvocationContext) iter.Seq2[*session.Event, error] {
	return func(yield func(*session.Event, error) bool) {
		listening := true
		answer, result, draft := d.draft(ctx, func(event *session.Event) bool {
			listening = yield(event, nil)
			return listening
		})
		if !listening {
			return
		}
		if answer.Failure != nil {
			yield(nil, answer.Failure)
			return
		}
		conclusion := outcome.Conclusion{Text: result.String(), State: map[string]any{keyPlanOutcome: result.String()}}
		if draft != nil {
			conclusion.Text = encode(map[string]any{"goalDraft": draft})
			conclusion.State[goal.KeyProposed] = draft
		}
		yield(outcome.NewEvent(ctx, d.Name(), answer, conclusion), nil)
	}
}

// draft asks the model, gives back what its draft breaks, and returns the
// outcome with the draft that breaks nothing. A question of the model's is a
// success without a draft, its words the message.
func (d *drafting) draft(ctx agent.InvocationContext, forward func(*session.Event) bool) (answer outcome.Answer, result outcome.Outcome, draft map[string]any) {
	s, err := goal.Read(getter(ctx.Session().State()), textOf(ctx.UserContent()), d.config.Now())
	if err != nil {
		return outcome.Answer{Failure: err}, result, nil
	}
	for range attempts {
		var listening bool
		if answer, listening = outcome.Collect(ctx, d.Agent, attemptLimit, forward); !listening {
			return answer, result, nil
		}
		if answer.Failure != nil {
			return answer, result, nil
		}
		proposed, broken := parseProposal(answer.Text)
		switch {
		case len(broken) > 0:
			if was, err := outcome.Parse(answer.Text); err == nil && was.Status == outcome.Skipped {
				return answer, was, nil
			}
			result = outcome.Failed(notAnswered("The model's answers were not plans."))
		case proposed.question != "":
			return answer, outcome.Outcome{Status: outcome.Success, Message: proposed.question}, nil
		default:
			restored := s.Restore(proposed.draft)
			if broken = s.Check(restored); len(broken) == 0 {
				return answer, outcome.Outcome{Status: outcome.Success}, restored.Object()
			}
			result = outcome.Failed(s.Explain(restored, broken))
		}
		d.feedBack(ctx, answer.Text, broken)
	}
	return answer, result, nil
}

// feedBack leaves for the next attempt what was wrong with this one.
func (d *drafting) feedBack(ctx agent.InvocationContext, refused string, broken []goal.Violation) {
	const most = 20
	feedback := map[string]any{"refusedAnswer": clip(refused, 20_000), "reasons": broken[:min(most, len(broken))]}
	if err := ctx.Session().State().Set(keyFeedback, encode(feedback)); err != nil {
		d.config.Log.WarnContext(ctx, "feedback for the model was lost", "error", err.Error())
	}
}
