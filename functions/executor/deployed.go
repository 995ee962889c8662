package executor

import (
	"context"
	"log/slog"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"
	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

func init() { functions.CloudEvent("Executor", deployed()) }

// deployed is the function as the platform runs it. The first event builds
// what it works with; an event that finds this impossible is delivered again.
func deployed() func(context.Context, cloudevents.Event) error {
	log := logging.New(os.Stdout, slog.LevelInfo).With("service", "executor")
	executor := web.Once[*execution.Executor]{Build: func(ctx context.Context) (*execution.Executor, error) {
		settings, err := ReadConfig(os.LookupEnv)
		if err != nil {
			return nil, err
		}
		return wire(ctx, settings, log)
	}}
	return func(ctx context.Context, event cloudevents.Event) error {
		ctx = logging.Scope(ctx, slog.String("event_id", event.ID()))
		x, err := executor.Get(ctx)
		if err != nil {
			// Whatever its kind: another delivery may find it mended.
			err = errs.Wrap(errs.Unavailable, err, "the executor cannot start")
			return acknowledge(ctx, log, err)
		}
		return acknowledge(ctx, log, deliver(ctx, x, event))
	}
}

// wire opens Firestore and Cloud Storage.
func wire(ctx context.Context, c Config, log *slog.Logger) (*execution.Executor, error) {
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return nil, err
	}
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return nil, err
	}
	return NewExecutor(Ports{
		Ledger: store,
		Inbox:  gcs.New(client, c.Inbox, gcs.Options{}),
		Outbox: gcs.New(client, c.Outbox, gcs.Options{}),
		Audit:  gcs.New(client, c.Audit, gcs.Options{}),
	}, c, log), nil
}
