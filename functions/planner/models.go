package planner

import (
	"context"
	"errors"
	"log/slog"

	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/model"
	"github.com/planwright/planwright/shared/planning/reader"
)

// OpenPlanner returns the planner of an installation, and whether it asks Gemini. If c is
// nil or the environment has no credentials, the grammar plans alone and a warning says so:
// reads, previews and approvals need no model.
func OpenPlanner(
	ctx context.Context, c *gemini.Config, options gemini.Options, log *slog.Logger,
) (plans planning.Planner, asksGemini bool, err error) {
	if c == nil {
		log.WarnContext(ctx, "plans are made by the grammar alone",
			"cause", "neither GOOGLE_GENAI_USE_VERTEXAI nor GOOGLE_API_KEY is set")
		return reader.New(), false, nil
	}
	plans, err = NewPlanner(ctx, *c, options, log)
	if errors.Is(err, gemini.ErrNoCredentials) {
		log.WarnContext(ctx, "plans are made by the grammar alone", "cause", err.Error())
		return reader.New(), false, nil
	}
	return plans, true, err
}

// NewPlanner returns the planner that asks Gemini and lets the reader judge its
// plan.
func NewPlanner(
	ctx context.Context, c gemini.Config, options gemini.Options, log *slog.Logger,
) (planning.Planner, error) {
	client, err := gemini.NewClient(ctx, c, options)
	if err != nil {
		return nil, err
	}
	own := reader.New()
	asked := planning.Patient(model.New(client, c, planning.Objections(own), log), nil, log)
	return planning.Checked(planning.Judge(asked, own, log), own.Common), nil
}
