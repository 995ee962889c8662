// Package execution carries a stored plan out over an uploaded table exactly
// once, whatever fails on the way. It is the one place that knows the order
// of the steps: claim, apply, seal, publish, record, complete.
//
// Delivery is at least once, unordered and sometimes concurrent, and a
// delivery that was given up may still be running. So nothing here rests on
// time: the lease saves double work, but what keeps an execution from being
// done twice is the compare-and-set on its record, and what keeps a half-done
// one from being lost is the seal. Before the seal nothing is visible and
// anything may fail; after it the execution can only complete, with the bytes
// that were sealed, and anyone may finish it.
package execution

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// Executor handles deliveries. All fields but those of which it is said when they are
// set must be set.
type Executor struct {
	Ledger ledger.Store
	Buckets
	Engine Engine
	// Computer, where it is set, computes in place of this process, but for
	// undos, whose rows are read in their order.
	Computer Computer
	// Settings are used where an upload brings none of its own.
	Settings table.Settings
	// Surface says how those who drop files write a setting.
	Surface setting.Surface
	Limits  Limits
	Policy  ledger.Policy
	Now     func() time.Time
	// NewHolder returns a random id, one per delivery.
	NewHolder func() string
	Log       *slog.Logger
	// Progress, where it is set, hears how far a table has been read.
	Progress func(bytesRead int64)
}

// Engine applies a plan to a table. It is a pure function of its arguments;
// Build names its behaviour.
type Engine interface {
	Build() string
	Run(
		ctx context.Context, task Task, in io.Reader, out io.Writer, changes ...io.Writer,
	) (pricing.Summary, error)
}

// Task is what is to be done to a table.
type Task struct {
	Plan     *plan.Plan
	Settings table.Settings
	// Undone is the changes file of the execution that the plan undoes; nil
	// where it undoes none.
	Undone io.ReadCloser
	// undo tells the rows of its table apart; nil: each stands where it stood.
	undo *undoTask
}
