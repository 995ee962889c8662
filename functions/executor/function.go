// Package executor is the deployed function Executor. Pub/Sub calls it for every object
// that is finalised in the inbox, and it carries out the object's plan. It calls no model.
package executor

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"

	"github.com/GoogleCloudPlatform/functions-framework-go/functions"
	cloudevents "github.com/cloudevents/sdk-go/v2"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"

	"github.com/planwright/planwright/shared/cloudstores"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/tree"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/web"
)

func init() { functions.CloudEvent("Executor", deployed()) }

// deployed is the function as the platform runs it. The first event builds
// what it works with; an event that finds this impossible is delivered again.
func deployed() func(context.Context, cloudevents.Event) error {
	log := logging.New(os.Stdout, slog.LevelInfo).With("service", "executor")
	opened := web.Once[*cloudstores.Stores]{Build: func(ctx context.Context) (*cloudstores.Stores, error) {
		settings, err := execution.ReadConfig(os.LookupEnv)
		if err != nil {
			return nil, err
		}
		return cloudstores.Open(ctx, settings)
	}}
	return func(ctx context.Context, event cloudevents.Event) error {
		defer web.Begin()()
		ctx = logging.Scope(ctx, slog.String("event_id", event.ID()))
		stores, err := opened.Get(ctx)
		if err != nil {
			return redeliver(ctx, log, fmt.Errorf("the executor cannot start: %w", err))
		}
		if err := handle(ctx, stores.Executor(log), event, log); err != nil {
			return err
		}
		// The event is acknowledged whatever becomes of the tree: what is not in it
		// yet, the next event or the next minute adds.
		tree.Report(ctx, log, stores.Sign(ctx))
		return nil
	}
}

// handle takes one event. One that is not for this executor never will be: it
// is logged and acknowledged. Of the others the executor decides.
func handle(ctx context.Context, x *execution.Executor, event cloudevents.Event, log *slog.Logger) error {
	upload, err := decode(event, x.Inbox.Name())
	if err != nil {
		log.ErrorContext(ctx, "an event that is not for this executor", "cause", err.Error())
		return nil
	}
	if err := x.HandleNamed(ctx, upload); err != nil {
		return redeliver(ctx, log, err)
	}
	return nil
}

// redeliver asks for another delivery with 503, without a back end's text. Pub/Sub
// says by itself when it comes: nothing reads a Retry-After there.
func redeliver(ctx context.Context, log *slog.Logger, err error) error {
	log.WarnContext(ctx, "the event will be delivered again", "cause", err.Error())
	return cehttp.NewResult(http.StatusServiceUnavailable, "deliver this event again; the log has the reason")
}
