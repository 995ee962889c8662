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

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/logging"
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
	Run(ctx context.Context, task Task, in io.Reader, out io.Writer, changes ...io.Writer) (pricing.Summary, error)
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

// Event says that an object was finalised.
type Event struct {
	Bucket     string
	Object     string
	Generation int64
	// ReadGeneration is the one that is read, where this delivery is a run of its
	// own over an object whose upload has its outcome; 0 where it is Generation.
	ReadGeneration int64
	Size           int64
	Metadata       map[string]string
	CreatedAt      time.Time
	// Deadline is when this delivery will be cut off; zero is never.
	Deadline time.Time
	// FoundAt is when the object was found without an event having come; zero where one has.
	FoundAt time.Time
}

func (e Event) upload() ledger.Upload {
	return ledger.Upload{Bucket: e.Bucket, Object: e.Object, Generation: e.Generation}
}

// Handle takes one delivery. The event is acknowledged if and only if Handle
// returns nil: its upload has its outcome then, or is the one that the record
// proposes, or is one that gets none. Any error asks for the event to be delivered again.
func (x *Executor) Handle(ctx context.Context, event Event) error {
	target := route(event.Object, event.Metadata)
	ctx = logging.Scope(ctx, slog.String("upload", event.upload().ID()), slog.String("object", event.Object))
	if target.executionID != "" {
		logging.Add(ctx, slog.String("execution_id", target.executionID))
	}
	switch target.kind {
	case tableFile:
		return x.execute(ctx, x.delivery(event, target))
	case planFile:
		return x.storePlan(ctx, event, target)
	case unclaimed, wrongKind:
		return x.notifyStray(ctx, event, target)
	default:
		x.Log.InfoContext(ctx, "ignored: a placeholder or a hidden file")
		return nil
	}
}

// delivery is one delivery of one table.
type delivery struct {
	executionID string
	file        string // last segment of the object's name
	size        int64
	source      ledger.Source
	holder      string
	deadline    time.Time
	refused     error // why the upload cannot be read at all
	guesses     bool  // columns are guessed where the table does not tell them
}

func (x *Executor) delivery(event Event, target target) delivery {
	settings, refused := x.Settings.With(event.Metadata)
	if refused != nil {
		settings, refused = x.Settings, refuse("invalid_settings", "%s", errs.Message(refused))
	}
	intent, unknown := readIntent(event.Metadata)
	for _, reason := range []error{unknown, target.refused} {
		if refused == nil {
			refused = reason
		}
	}
	source := ledger.Source{
		Upload:      event.upload(),
		UploadedAt:  event.CreatedAt.UTC().Truncate(time.Microsecond),
		Settings:    settings,
		ProposeOnly: intent == IntentPropose,
		UploadedBy:  uploadedBy(event.Object, event.Metadata),
		PreparedBy:  preparedBy(event.Object, event.Metadata),
		FoundAt:     event.FoundAt,
		Shop:        fetchedFrom(event.Object, event.Metadata),

		ReadGeneration: event.ReadGeneration,
		Log:            event.Metadata[LogKey],
	}
	return delivery{
		executionID: target.executionID,
		file:        target.file,
		size:        event.Size,
		source:      source,
		holder:      x.NewHolder(),
		deadline:    event.Deadline,
		refused:     refused,
		guesses:     intent != IntentApply,
	}
}

// execute claims the execution and does what the claim allows. Finishing what
// another delivery sealed comes back to look for the outcome of our own.
func (x *Executor) execute(ctx context.Context, d delivery) error {
	for {
		claim, err := ledger.Acquire(ctx, x.Ledger, ledger.ClaimRequest{
			ExecutionID: d.executionID,
			Source:      d.source,
			Holder:      d.holder,
			Now:         x.now(),
			LeaseUntil:  x.leaseUntil(d),
		})
		if err != nil {
			return err
		}
		x.Log.InfoContext(ctx, "claim", "decision", string(claim.Decision))
		switch claim.Decision {
		case ledger.Settled:
			return x.notify(ctx, *claim.Outcome)
		case ledger.Waiting:
			return x.notifyProposal(ctx, *claim.Execution)
		case ledger.Expired:
			return x.expire(ctx, d, *claim.Execution)
		case ledger.Superseded:
			return x.supersede(ctx, d, *claim.Execution)
		case ledger.Done:
			return x.skip(ctx, d, *claim.Execution)
		case ledger.Busy:
			return errs.New(errs.Unavailable, "execution %s is being worked on by another delivery", d.executionID)
		case ledger.Granted, ledger.Finish:
			err := (&attempt{Executor: x, delivery: d, lease: claim.Lease}).run(ctx)
			if err != nil || claim.Decision == ledger.Granted {
				return err
			}
		}
	}
}

// skip settles an upload that came after its execution had completed. Its
// notice comes first, for the record does not change and owes none.
func (x *Executor) skip(ctx context.Context, d delivery, completed ledger.Execution) error {
	outcome, err := x.skipped(ctx, d, completed)
	if err != nil {
		return err
	}
	if err := x.notify(ctx, outcome); err != nil {
		return err
	}
	if err := x.Ledger.CreateOutcome(ctx, outcome); err != nil {
		return x.findOutcome(ctx, d, err)
	}
	x.Log.InfoContext(ctx, "skipped: the execution has completed already")
	return nil
}

// skipped is the outcome of an upload that is not applied, as of a record.
func (x *Executor) skipped(ctx context.Context, d delivery, record ledger.Execution) (ledger.AuditDocument, error) {
	stored, err := plans.Load(ctx, x.Ledger, d.executionID)
	if err != nil {
		return ledger.AuditDocument{}, err
	}
	return ledger.SkippedDocument(record, d.source, x.now(), stored), nil
}

// findOutcome is for an outcome that was refused or unanswered: where there is one
// all the same, a copy of this event was quicker or our reply was lost.
func (x *Executor) findOutcome(ctx context.Context, d delivery, refusal error) error {
	found, err := x.Ledger.Snapshot(ctx, d.executionID, d.source.Upload.ID())
	if err != nil || found.Outcome == nil {
		return refusal
	}
	return x.notify(ctx, *found.Outcome)
}

// now is in UTC and to the microsecond: what every store keeps.
func (x *Executor) now() time.Time { return x.Now().UTC().Truncate(time.Microsecond) }

func (x *Executor) leaseUntil(d delivery) time.Time {
	until := x.now().Add(x.Limits.Lease)
	if !d.deadline.IsZero() && d.deadline.Before(until) {
		return d.deadline.UTC().Truncate(time.Microsecond)
	}
	return until
}
