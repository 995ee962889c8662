// Package goalplanning is the app goal_planning_agent: a conversation that
// drafts a plan for a goal, refines it, and makes it final once the user
// approves it.
//
//	GoalPlanningWorkflow   ADK's sequential agent
//	  CheckApprovalAgent   does the message approve the stored preview?
//	  PlanAgent            drafts or refines; skipped where it does
//	  FinalizeAgent        answers with the standard output
//
// The three ask the model; what counts is decided in code, in package goal:
// what approves, whether a draft fits hours and calendar, which action and
// state a turn ends with. A turn always yields exactly three events. A model
// that fails costs what it alone could have given: without CheckApprovalAgent's
// answer nothing is approved, without PlanAgent's nothing is planned, and
// without FinalizeAgent's the reply is a sentence of ours.
package goalplanning

import (
	"cmp"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/agents/goalplanning/goal"
	"github.com/planwright/planwright/shared/agents/outcome"
	"github.com/planwright/planwright/shared/logging"
)

// App is the name under which clients reach the workflow.
const App = "goal_planning_agent"

// Contexts maps the function calls by which a message brings context to the
// state key, and argument, of each.
var Contexts = map[string]string{
	"goal_preview_context": goal.KeyPreview,
	"time_context":         goal.KeyHours,
	"task_context":         goal.KeyUpcoming,
}

// Where the steps leave their outcomes. They end with the turn.
const (
	keyCheckOutcome = session.KeyPrefixTemp + "check_outcome"
	keyPlanOutcome  = session.KeyPrefixTemp + "plan_outcome"
	keyPlanned      = session.KeyPrefixTemp + "planned"
	keyAskAgain     = session.KeyPrefixTemp + "ask_again"
	keyFeedback     = session.KeyPrefixTemp + "plan_feedback"
)

// Values of the state key routing.
const (
	routeFinalize = "finalize_only"
	routePlan     = "needs_planning"
)

// Times of the steps. Together they stay within the 100 s of a turn: each
// keeps back what the steps after it need.
var (
	checkLimit    = outcome.Limit{Timeout: 20 * time.Second, Reserve: 50 * time.Second}
	attemptLimit  = outcome.Limit{Timeout: 40 * time.Second, Reserve: time.Second}
	planLimit     = outcome.Limit{Timeout: 70 * time.Second, Reserve: 15 * time.Second} // all attempts
	finalizeLimit = outcome.Limit{Timeout: 20 * time.Second, Reserve: time.Second}
)

// Config is what the workflow is built from.
type Config struct {
	Model model.LLM
	Now   func() time.Time // nil is time.Now
	Log   *slog.Logger     // nil discards
}

// New returns the workflow.
func New(c Config) (agent.Agent, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Log = cmp.Or(c.Log, logging.Discard)
	return outcome.Sequence(
		"GoalPlanningWorkflow",
		"Checks approval, plans, and answers.",
		c.checkApproval,
		c.plan,
		c.finalize,
	)
}

// basics is what a step knows of the turn, without the plan in the preview.
func (c Config) basics(state session.ReadonlyState, message *genai.Content) (goal.Situation, error) {
	return goal.ReadBasics(getter(state), textOf(message), c.Now())
}

// getter reads state as package goal does; what is not there is nil.
func getter(state session.ReadonlyState) func(string) any {
	return func(key string) any {
		value, err := state.Get(key)
		if err != nil {
			return nil
		}
		return value
	}
}

func textOf(content *genai.Content) string {
	var text strings.Builder
	if content != nil {
		for _, part := range content.Parts {
			text.WriteString(part.Text)
		}
	}
	return strings.TrimSpace(text.String())
}

// llmAgent returns an agent that asks the model and answers with JSON of a schema.
func (c Config) llmAgent(
	name, description, prompt string,
	schema *genai.Schema,
	maxContents int,
	skip ...agent.BeforeAgentCallback,
) (agent.Agent, error) {
	built, err := llmagent.New(llmagent.Config{
		Name: name, Description: description, Model: c.Model,
		InstructionProvider:      c.instruction(prompt),
		OutputSchema:             schema,
		IncludeContents:          llmagent.IncludeContentsNone, // setContents does
		BeforeAgentCallbacks:     skip,
		BeforeModelCallbacks:     []llmagent.BeforeModelCallback{setContents},
		OnModelErrorCallbacks:    []llmagent.OnModelErrorCallback{outcome.MarkModelError},
		DisallowTransferToParent: true, DisallowTransferToPeers: true,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return withHistory{built, maxContents}, nil
}

// notAnswered is what the user is told where a step did not work out.
func notAnswered(why string) string {
	return "I could not answer this message, and nothing was changed. " + why
}

// checkApproval asks the model whether the message approves the preview. The
// answer counts as consent only if the message reads as one by itself and
// there is a preview.
func (c Config) checkApproval() (agent.Agent, error) {
	inner, err := c.llmAgent(
		"CheckApprovalAgent",
		"Detects whether the message approves the current plan.",
		prompts.GoalCheckApproval,
		approvalSchema,
		lastWords,
		c.skipIf(func(s goal.Situation, _ session.ReadonlyState) bool { return nothingToDo(s) }),
	)
	if err != nil {
		return nil, err
	}
	return outcome.Guard(
		inner,
		checkLimit,
		nil,
		func(ctx agent.InvocationContext, answer outcome.Answer) outcome.Conclusion {
			approval, again, result := c.approval(ctx, answer)
			return outcome.Conclusion{Text: encode(approval), State: map[string]any{
				goal.KeyRouting: map[string]any{
					"routing":         approval.Routing,
					"detectedConsent": approval.DetectedConsent,
				},
				goal.KeyConsent: approval.DetectedConsent,
				keyAskAgain:     again,
				keyCheckOutcome: result.String(),
			}}
		},
		c.Log,
	), nil
}

// approval says what the message is, whether the user is to be asked again, and why
// that could not be found out. A message that reads as no approval is none whatever
// the model says or fails to say; one that does is neither taken for consent nor
// planned with where the model has no answer.
func (c Config) approval(
	ctx agent.InvocationContext,
	answer outcome.Answer,
) (_ approval, again bool, _ outcome.Outcome) {
	none, succeeded := approval{Routing: routePlan}, outcome.Outcome{Status: outcome.Success}
	s, err := c.basics(ctx.Session().State(), ctx.UserContent())
	switch {
	case err != nil:
		return none, false, failed(err)
	case nothingToDo(s) || s.Closed() || s.Raw == nil || !s.MayApprove():
		return none, false, succeeded
	case s.AsksAgain():
		return none, true, succeeded
	case answer.Failure != nil && !s.Approves(): // an approval in another language is the model's to find
		return none, false, succeeded
	case answer.Failure != nil:
		return none, false, failed(answer.Failure)
	}
	said, err := parseApproval(answer.Text)
	if err != nil {
		c.logUnusable(ctx, err)
		return none, false, failed(err)
	}
	if !said.DetectedConsent || said.Routing != routeFinalize {
		return none, false, succeeded
	}
	if s.Unmet != "" {
		return none, true, succeeded
	}
	return said, false, succeeded
}

// routeOf reads the state key routing.
func routeOf(value any) string {
	read, _ := value.(map[string]any)
	route, _ := read["routing"].(string)
	return route
}

// asksAgain reports whether this turn asks before it makes the plan final.
func asksAgain(state session.ReadonlyState) bool { return getter(state)(keyAskAgain) == true }

// logUnusable tells the operator of an answer that came and said nothing.
func (c Config) logUnusable(ctx agent.InvocationContext, err error) {
	c.Log.WarnContext(ctx, "the model's answer cannot be used",
		"agent", ctx.Agent().Name(), "error", err.Error())
}

// nothingToDo reports whether a turn needs no model: the message brought context
// alone, or approves what is final.
func nothingToDo(s goal.Situation) bool { return s.Message == "" || s.Closed() && s.Approves() }

// skipIf is a before-agent callback that keeps an agent from its model.
func (c Config) skipIf(skip func(goal.Situation, session.ReadonlyState) bool) agent.BeforeAgentCallback {
	return func(ctx agent.Context) (*genai.Content, error) {
		s, err := c.basics(ctx.ReadonlyState(), ctx.UserContent())
		if err != nil || !skip(s, ctx.ReadonlyState()) {
			return nil, err
		}
		skipped := outcome.Outcome{Status: outcome.Skipped, Message: "There is nothing to plan in this turn."}
		return genai.NewContentFromText(skipped.String(), genai.RoleModel), nil
	}
}
