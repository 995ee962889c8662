// Package executor is the deployed function Executor: Cloud Storage tells it,
// through Pub/Sub, of every object that is finalised in the inbox, and it
// carries the plan out over it. It calls no model.
package executor

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
)

// Ports are the stores an executor works on.
type Ports struct {
	Ledger               ledger.Store
	Inbox, Outbox, Audit bucket.Bucket
}

// NewExecutor returns an executor with real time and random holders.
func NewExecutor(ports Ports, c Config, log *slog.Logger) *execution.Executor {
	return &execution.Executor{
		Ledger: ports.Ledger, Inbox: ports.Inbox, Outbox: ports.Outbox, Audit: ports.Audit,
		Engine:    execution.Pricing{},
		Names:     execution.BucketNames{},
		Settings:  c.Settings,
		Limits:    execution.DefaultLimits,
		Now:       time.Now,
		NewHolder: rand.Text,
		Log:       log,
	}
}

// acknowledge turns what became of an event into what Pub/Sub understands:
// nil ends its deliveries, an error asks for another. What no other delivery
// can mend is logged and acknowledged.
func acknowledge(ctx context.Context, log *slog.Logger, err error) error {
	switch errs.KindOf(err) {
	case "":
		return nil
	case errs.Invalid:
		log.ErrorContext(ctx, "an event that is not for this executor", "cause", err.Error())
		return nil
	default:
		log.WarnContext(ctx, "the event will be delivered again", "cause", err.Error())
		return errors.New("deliver this event again; the log has the reason")
	}
}
