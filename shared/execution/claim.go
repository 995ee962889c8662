package execution

import (
	"context"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
)

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
			return errs.New(errs.Unavailable, "execution %s is being worked on by another delivery",
				d.executionID)
		case ledger.Granted, ledger.Finish:
			err := (&attempt{Executor: x, delivery: d, lease: claim.Lease}).run(ctx, *claim.Execution)
			if err != nil || claim.Decision == ledger.Granted {
				return err
			}
		}
	}
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
func (x *Executor) skipped(
	ctx context.Context, d delivery, record ledger.Execution,
) (ledger.AuditDocument, error) {
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
