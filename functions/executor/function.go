// Package executor is the deployed function Executor: Cloud Storage tells it,
// through Pub/Sub, of every object that is finalised in the inbox, and it
// carries the plan out over it. It calls no model.
package executor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"
	cloudevents "github.com/cloudevents/sdk-go/v2"

	"github.com/planwright/planwright/shared/bucket/gcs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/firestore"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

func init() { functions.CloudEvent("Executor", deployed()) }

// deployed is the function as the platform runs it. The first event builds
// what it works with; an event that finds this impossible is delivered again.
func deployed() func(context.Context, cloudevents.Event) error {
	log := logging.New(os.Stdout, slog.LevelInfo).With("service", "executor")
	executor := web.Once[function]{Build: func(ctx context.Context) (function, error) {
		settings, err := ReadConfig(os.LookupEnv)
		if err != nil {
			return function{}, err
		}
		return wire(ctx, settings, log)
	}}
	return func(ctx context.Context, event cloudevents.Event) error {
		ctx = logging.Scope(ctx, slog.String("event_id", event.ID()))
		f, err := executor.Get(ctx)
		if err != nil {
			return redeliver(ctx, log, fmt.Errorf("the executor cannot start: %w", err))
		}
		if err := handle(ctx, f.Executor, event, log); err != nil {
			return err
		}
		f.sign(ctx, log)
		return nil
	}
}

// function is the executor with the tree that its outcomes go into.
type function struct {
	*execution.Executor
	tree *tree.Log // nil: no key was given to sign it with
}

// sign takes new outcomes into the signed tree. An event is acknowledged all the
// same: what is not in the tree yet the next event, or the next minute, adds.
func (f function) sign(ctx context.Context, log *slog.Logger) {
	if f.tree != nil {
		tree.Report(ctx, log, f.tree.Append(ctx))
	}
}

// handle takes one event. One that is not for this executor never will be: it
// is logged and acknowledged. Of the others the executor decides.
func handle(ctx context.Context, x *execution.Executor, event cloudevents.Event, log *slog.Logger) error {
	upload, err := decode(ctx, event, x.Inbox.Name())
	if err != nil {
		log.ErrorContext(ctx, "an event that is not for this executor", "cause", err.Error())
		return nil
	}
	if err := x.Handle(ctx, upload); err != nil {
		return redeliver(ctx, log, err)
	}
	return nil
}

// redeliver asks for another delivery, without a back end's text.
func redeliver(ctx context.Context, log *slog.Logger, err error) error {
	log.WarnContext(ctx, "the event will be delivered again", "cause", err.Error())
	return errors.New("deliver this event again; the log has the reason")
}

// wire opens Firestore and Cloud Storage.
func wire(ctx context.Context, c Config, log *slog.Logger) (function, error) {
	store, err := firestore.Open(ctx, c.Project, c.Database)
	if err != nil {
		return function{}, err
	}
	client, err := gcs.NewClient(ctx)
	if err != nil {
		return function{}, err
	}
	f := function{Executor: execution.New(execution.Ports{
		Ledger: store,
		Inbox:  gcs.New(client, c.Inbox, gcs.Options{}),
		Outbox: gcs.New(client, c.Outbox, gcs.Options{}),
		Audit:  gcs.New(client, c.Audit, gcs.Options{}),
	}, c, log)}
	if key := c.AuditKey.Reveal(); key != "" {
		f.tree, err = tree.New(store, f.Audit, key)
	}
	return f, err
}
