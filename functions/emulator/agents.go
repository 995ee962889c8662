package emulator

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/gemini/offline"
	"github.com/planwright/planwright/shared/sessions"
)

// AgentsModel says who answers for the agents: Gemini where the environment
// asks for it, and rules otherwise. The name is shown wherever a model is.
func AgentsModel(lookup config.Lookup) (gemini.Config, gemini.Options, error) {
	if !gemini.Available(lookup) {
		settings, options := offline.Settings()
		return settings, options, nil
	}
	r := config.Read(lookup)
	settings := gemini.ReadConfig(r)
	return settings, gemini.Options{}, r.Err()
}

// SessionHandler serves the agents' sessions over a store. The agents' part of
// a turn ends within turn; 0 is the deployed function's time.
func SessionHandler(ctx context.Context, store sessions.Store, lookup config.Lookup, turn time.Duration, log *slog.Logger) (http.Handler, error) {
	settings, options, err := AgentsModel(lookup)
	if err != nil {
		return nil, err
	}
	return session.NewHandler(ctx, session.Dependencies{
		Store: store, Gemini: settings, Options: options, TurnTimeout: turn, Log: log,
	})
}
