package emulator

import (
	"context"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/agents"
	"github.com/planwright/planwright/shared/agents/failuresequence"
	sequenceoffline "github.com/planwright/planwright/shared/agents/failuresequence/offline"
	"github.com/planwright/planwright/shared/agents/goalplanning"
	goaloffline "github.com/planwright/planwright/shared/agents/goalplanning/offline"
	"github.com/planwright/planwright/shared/agents/offline"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
)

// AgentModels answer for the agents: Gemini where the environment asks for it,
// and rules otherwise. The name is shown wherever a model is.
func AgentModels(ctx context.Context, lookup config.Lookup) (models session.Models, name string, err error) {
	if !gemini.Available(lookup) {
		return session.Models{goalplanning.App: goaloffline.Model, failuresequence.App: sequenceoffline.Model}, offline.Name, nil
	}
	r := config.Read(lookup)
	settings := gemini.ReadConfig(r)
	if err := r.Err(); err != nil {
		return nil, "", err
	}
	model, err := agents.NewModel(ctx, settings, gemini.Options{})
	if err != nil {
		return nil, "", err
	}
	return session.OneModel(model), settings.Model, nil
}
