// Package session is the function behind which the agents' conversations are:
// ADK's REST API over our own transactional sessions, and one call that
// answers with the standard output of goal planning alone.
//
// NewHandler holds every call; the deployed function wires it to Firestore and
// Gemini on its first request.
package session

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"
	_ "time/tzdata" // users' time zones, wherever the function runs

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/agents"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/sessions/firestore"
	"github.com/planwright/planwright/shared/web"
)

// requestTimeout is below the two minutes after which the platform ends a
// request, so that the caller gets an answer and the turn is stored.
const requestTimeout = 110 * time.Second

func init() { functions.HTTP("Session", deployed().ServeHTTP) }

// deployed is the function as the platform runs it.
func deployed() http.Handler {
	log := logging.New(os.Stdout, slog.LevelInfo)
	service := web.Service{Name: "session", Project: os.Getenv("GOOGLE_CLOUD_PROJECT"), Log: log, Timeout: requestTimeout}
	return service.Serve(web.Lazy(func(ctx context.Context) (http.Handler, error) {
		settings, err := ReadConfig(os.LookupEnv)
		if err != nil {
			return nil, err
		}
		store, err := firestore.Open(ctx, settings.Project, settings.Database)
		if err != nil {
			return nil, err
		}
		model, err := agents.NewModel(ctx, settings.Gemini, gemini.Options{})
		if err != nil {
			return nil, err
		}
		return NewHandler(Dependencies{Store: store, Models: OneModel(model), SessionTTL: settings.TTL, Log: log})
	}))
}
