package emulator

import (
	"context"
	"log/slog"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

// NewPlanner returns who plans here, and its name: Gemini where the
// environment asks for it, and the grammar alone otherwise.
func NewPlanner(ctx context.Context, lookup config.Lookup, log *slog.Logger) (planning.Planner, string, error) {
	if !gemini.Available(lookup) {
		return reader.New(), "grammar", nil
	}
	r := config.Read(lookup)
	settings := gemini.ReadConfig(r)
	if err := r.Err(); err != nil {
		return nil, "", err
	}
	plans, err := planner.NewPlanner(ctx, settings, log)
	return plans, settings.Model, err
}
