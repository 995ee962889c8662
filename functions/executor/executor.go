// Package executor is the deployed function Executor: Cloud Storage tells it,
// through Pub/Sub, of every object that is finalised in the inbox, and it
// carries the plan out over it. It calls no model.
package executor

import (
	"crypto/rand"
	"log/slog"
	"time"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/table"
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
		Surface:   table.Metadata,
		Limits:    execution.DefaultLimits,
		Now:       time.Now,
		NewHolder: rand.Text,
		Log:       log,
	}
}
