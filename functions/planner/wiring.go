package planner

import (
	"context"
	"log/slog"

	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/model"
	"github.com/planwright/planwright/shared/planning/reader"
)

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
