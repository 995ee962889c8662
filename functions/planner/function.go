// Package planner is the function that people talk to: it turns an instruction
// into a stored plan, previews a plan over a table, and shows what became of
// it. It changes no product and reads no bucket.
//
// NewHandler holds every call; the deployed function wires it to Firestore and
// Gemini on its first request.
package planner

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/model"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/web"
)

// requestTimeout is below the two minutes after which the platform ends a
// request, so that the caller gets an answer.
const requestTimeout = 110 * time.Second

func init() { functions.HTTP("Planner", deployed().ServeHTTP) }

// deployed is the function as the platform runs it.
func deployed() http.Handler {
	log := logging.New(os.Stdout, slog.LevelInfo)
	service := web.Service{
		Name: "planner", Project: os.Getenv("GOOGLE_CLOUD_PROJECT"),
		Log: log, Timeout: requestTimeout,
	}
	return service.Serve(web.Lazy(func(ctx context.Context) (http.Handler, error) {
		settings, err := ReadConfig(os.LookupEnv)
		if err != nil {
			return nil, err
		}
		dependencies, err := wire(ctx, settings, log)
		if err != nil {
			return nil, err
		}
		return NewHandler(dependencies), nil
	}))
}

// wire builds what the deployed function works with: plans and executions in
// Firestore, and the model's plans judged by the reader.
func wire(ctx context.Context, c Config, log *slog.Logger) (Dependencies, error) {
	plans, err := NewPlanner(ctx, c.Gemini, log)
	if err != nil {
		return Dependencies{}, err
	}
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return Dependencies{}, err
	}
	return Dependencies{Store: store, Planner: plans, InboxBucket: c.InboxBucket, Settings: c.Settings}, nil
}

// NewPlanner returns the planner that asks Gemini and lets the reader judge its
// plan.
func NewPlanner(ctx context.Context, c gemini.Config, log *slog.Logger) (planning.Planner, error) {
	client, err := gemini.NewClient(ctx, c, gemini.Options{})
	if err != nil {
		return nil, err
	}
	own := reader.New()
	return planning.Judge(model.New(client, c.Model, planning.Objections(own), log), own, log), nil
}
