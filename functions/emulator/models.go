package emulator

import (
	"context"
	"log/slog"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/agents"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

// NewPlanner returns who plans here, and its name: Gemini where the
// environment asks for it, and the grammar alone otherwise.
func NewPlanner(
	ctx context.Context, lookup config.Lookup, log *slog.Logger,
) (planning.Planner, string, error) {
	settings, err := readGemini(lookup)
	if err != nil || settings == nil {
		return reader.New(), reader.Model, err
	}
	plans, err := planner.NewPlanner(ctx, *settings, gemini.Options{}, log)
	return plans, settings.Model, err
}

// AgentModel answers for the agents: Gemini where the environment asks for it,
// and rules otherwise.
func AgentModel(ctx context.Context, lookup config.Lookup) (session.Model, error) {
	settings, err := readGemini(lookup)
	if err != nil || settings == nil {
		return session.Offline(), err
	}
	return agents.NewModel(ctx, *settings, gemini.Options{})
}

// readGemini reads how Gemini is reached; nil: the environment does not ask for it.
func readGemini(lookup config.Lookup) (*gemini.Config, error) {
	r := config.Read(lookup)
	settings := gemini.ReadOptionalConfig(r)
	return settings, r.Err()
}
