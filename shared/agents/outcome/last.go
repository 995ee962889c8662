package outcome

import (
	"log/slog"
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
)

// Last is the step that always runs and reports on those before it. It leaves
// no outcome. Where its model fails, its report is the deterministic one.
type Last struct {
	Limit Limit
	// Report is the deterministic report, from what the steps left in state.
	Report func(session.ReadonlyState) string
	// Accept says whether the model's own words may stand for it.
	Accept func(words string, state session.ReadonlyState) bool
	Log    *slog.Logger // nil discards
}

// OnModelError answers for a model that failed with the deterministic report.
func (l Last) OnModelError(ctx agent.Context, _ *model.LLMRequest, err error) (*model.LLMResponse, error) {
	return answerFor(l.Log, ctx, err, func(error) string { return l.Report(ctx.ReadonlyState()) })
}

// Guard wraps the last step's agent so that it always ends with exactly one
// event, its report, and never with an error.
func (l Last) Guard(inner agent.Agent) agent.Agent {
	return Guard(inner, l.Limit, nil, func(ctx agent.InvocationContext, answer Answer) Conclusion {
		state := ctx.Session().State()
		words := strings.TrimSpace(answer.Text)
		if answer.Failure != nil || !l.Accept(words, state) {
			return Conclusion{Text: l.Report(state)}
		}
		return Conclusion{Text: words}
	}, l.Log)
}
