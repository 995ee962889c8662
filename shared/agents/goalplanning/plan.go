package goalplanning

import (
	"iter"
	"reflect"

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
	inner, err := c.llmAgent(
		"PlanAgent",
		"Drafts or refines the plan.",
		prompts.GoalPlan,
		proposalSchema,
		planHistory,
		step.SkipUnlessSucceeded(keyCheckOutcome),
		c.skipIf(func(s goal.Situation, state session.ReadonlyState) bool {
			routing, err := state.Get(goal.KeyRouting)
			return nothingToDo(s) || err == nil && routeOf(routing) == routeFinalize || asksAgain(state)
		}),
	)
	if err != nil {
		return nil, err
	}
	return outcome.Guard(
		&drafting{inner, c},
		planLimit,
		nil,
		func(_ agent.InvocationContext, answer outcome.Answer) outcome.Conclusion {
			if answer.Failure == nil {
				return outcome.Conclusion{Text: answer.Text}
			}
			result := outcome.Failed(notAnswered(errs.Message(answer.Failure))).String()
			return outcome.Conclusion{Text: result, State: map[string]any{keyPlanOutcome: result}}
		},
		c.Log,
	), nil
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
		answer, planned := d.draft(ctx, func(event *session.Event) bool {
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
		yield(outcome.NewEvent(ctx, d.Name(), answer, planned.conclusion(getter(ctx.Session().State()))), nil)
	}
}

// planned is what PlanAgent's step came to.
type planned struct {
	outcome   outcome.Outcome
	situation goal.Situation // with what the message says of the user's time
	before    goal.Situation
	draft     map[string]any // nil where the plan stays
	kept      []string       // what is kept of the message, a sentence each
	answer    string
	question  string
	undone    bool
}

// conclusion is the step's event: what later steps read, and the state that is new.
func (p planned) conclusion(get func(string) any) outcome.Conclusion {
	text := map[string]any{}
	for name, words := range map[string]string{"answer": p.answer, "question": p.question} {
		if words != "" {
			text[name] = words
		}
	}
	state := map[string]any{keyPlanOutcome: p.outcome.String()}
	if p.outcome.Status != outcome.Success {
		return outcome.Conclusion{Text: p.outcome.String(), State: state}
	}
	state[keyPlanned] = encode(turnPlan{p.draft != nil, p.kept, p.answer, p.question})
	written := map[string]any{}
	if p.draft != nil {
		text["goalDraft"], state[goal.KeyProposed] = p.draft, p.draft
	}
	told := !p.situation.Told.Equal(p.before.Told)
	if told || p.draft != nil {
		written = p.situation.Told.State(p.situation)
		if p.before.Raw != nil {
			written[goal.KeyPrevious] = p.before.Remember()
		}
		if p.undone {
			written[goal.KeyPrevious] = "" // nothing is done again
		}
	}
	for key, value := range written {
		if !reflect.DeepEqual(get(key), value) {
			state[key] = value
		}
	}
	if told {
		text["kept"] = p.kept
	}
	return outcome.Conclusion{Text: encode(text), State: state}
}

// draft asks the model, gives back what its draft breaks, and returns what came of it.
func (d *drafting) draft(
	ctx agent.InvocationContext,
	forward func(*session.Event) bool,
) (answer outcome.Answer, result planned) {
	s, err := goal.Read(getter(ctx.Session().State()), textOf(ctx.UserContent()), d.config.Now())
	if err != nil {
		return outcome.Answer{Failure: err}, result
	}
	for range attempts {
		var listening bool
		if answer, listening = outcome.Collect(ctx, d.Agent, attemptLimit, forward); !listening ||
			answer.Failure != nil {
			return answer, result
		}
		proposed, broken := parseProposal(answer.Text)
		if len(broken) > 0 {
			if was, err := outcome.Parse(answer.Text); err == nil && was.Status == outcome.Skipped {
				return answer, planned{outcome: was}
			}
			result = planned{outcome: outcome.Failed(notAnswered("The model's answers were not plans."))}
		} else if result, broken = settle(s, proposed); len(broken) == 0 {
			return answer, result
		}
		d.feedBack(ctx, answer.Text, broken)
	}
	return answer, result
}

// settle says what a proposal comes to, or what it breaks.
func settle(s goal.Situation, proposed proposal) (planned, []goal.Violation) {
	if proposed.undo {
		p := undone(s)
		p.question = proposed.question
		var kept []string
		p.situation, kept = p.situation.Hear(proposed.context)
		p.kept = append(p.kept, kept...)
		if p.draft != nil && len(kept) > 0 {
			draft := goal.DraftOf(p.draft)
			if broken := p.situation.Check(draft); len(broken) > 0 {
				return planned{outcome: outcome.Failed(p.situation.Explain(draft, broken))}, broken
			}
		}
		return p, nil
	}
	p := planned{
		outcome:  outcome.Outcome{Status: outcome.Success},
		before:   s,
		answer:   proposed.answer,
		question: proposed.question,
	}
	p.situation, p.kept = s.Hear(proposed.context)
	draft := s.Preview
	if proposed.draft != nil {
		restored := p.situation.Restore(*proposed.draft)
		draft = &restored
	}
	if draft == nil || proposed.draft == nil && p.situation.Told.Equal(s.Told) {
		return p, nil
	}
	if broken := p.situation.Check(*draft); len(broken) > 0 {
		return planned{outcome: outcome.Failed(p.situation.Explain(*draft, broken))}, broken
	}
	if s.Preview == nil || !reflect.DeepEqual(*draft, *s.Preview) {
		p.draft, p.situation.Preview = draft.Object(), draft
	} else if len(p.kept) == 0 && p.answer+p.question == "" {
		p.question = "That changes nothing: the plan stays as it is. What should be different?"
	}
	return p, nil
}

// undone goes back to what was before the last change.
func undone(s goal.Situation) planned {
	p := planned{outcome: outcome.Outcome{Status: outcome.Success}, before: s, situation: s}
	previous := s.Previous()
	if previous == nil || reflect.DeepEqual(previous.Preview, s.Raw) && previous.Told.Equal(s.Told) {
		p.answer = "There is nothing to undo."
		return p
	}
	p.situation = s.Tell(previous.Told)
	p.draft = previous.Preview
	p.kept = []string{"I took the last change back."}
	p.undone = true
	return p
}

// feedBack leaves for the next attempt what was wrong with this one.
func (d *drafting) feedBack(ctx agent.InvocationContext, refused string, broken []goal.Violation) {
	const most = 20
	feedback := map[string]any{
		"refusedAnswer": clip(refused, 20_000),
		"reasons":       broken[:min(most, len(broken))],
	}
	if err := ctx.Session().State().Set(keyFeedback, encode(feedback)); err != nil {
		d.config.Log.WarnContext(ctx, "feedback for the model was lost", "error", err.Error())
	}
}
