package execution

import (
	"context"
	"fmt"
	"time"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// isApprovedRevert reports whether this is the undo that the approval of what it
// undoes showed: of the very output that was approved, or of the shop as it is now where
// every row that was changed goes back.
func (a *attempt) isApprovedRevert(source ledger.Source, did pricing.Counts) bool {
	if a.undone.Approval == nil || a.plan.Plan.ApplyAt == "" ||
		a.executionID != plan.UndoID(a.undone.ExecutionID) {
		return false
	}
	if a.undone.Source.Shop == nil {
		return source.OutputOf == a.undone.ExecutionID
	}
	return source.Shop != nil && *source.Shop == *a.undone.Source.Shop &&
		did.RowsStale == 0 && did.RowsChanged == a.undone.Seal.Summary.RowsChanged
}

// leaveAt is when a proposal got the last of what it waited for; zero where
// nothing is proposed.
func leaveAt(record ledger.Execution) (at time.Time) {
	if record.Proposal != nil {
		at = record.Proposal.ApplyAt
	}
	if record.Approval != nil && record.Approval.At.After(at) {
		at = record.Approval.At
	}
	return at
}

// propose puts what was computed before those who may approve of it. The
// files are dropped: the next attempt computes them again, bit for bit.
func (a *attempt) propose(ctx context.Context, proposal ledger.Proposal) error {
	a.abandon()
	if err := a.lease.Propose(ctx, a.now(), proposal); err != nil {
		return a.release(ctx, fmt.Errorf("proposing: %w", err))
	}
	a.Log.InfoContext(ctx, "proposed", "attempt", proposal.Attempt,
		"proposal_sha256", proposal.ProposalSHA256,
		"approval_due", proposal.ApprovalDue, "rows_changed", proposal.Summary.RowsChanged)
	return a.dischargeOwed(ctx, a.lease.Execution())
}

// expire fails an upload whose proposal nobody approved of in time.
func (x *Executor) expire(ctx context.Context, d delivery, record ledger.Execution) error {
	stored, err := plans.Load(ctx, x.Ledger, d.executionID)
	if err != nil {
		return err
	}
	now := x.now()
	failure := ledger.Failure{Code: ledger.CodeExpired, Message: fmt.Sprintf(
		"Nobody approved of what was proposed before %s.", record.Proposal.ExpiresAt.Format(time.RFC3339))}
	outcome := ledger.FailedDocument(record, failure, now, stored)
	updated, err := ledger.Expire(ctx, x.Ledger, record, failure, outcome)
	if err != nil {
		return x.findOutcome(ctx, d, err)
	}
	x.Log.WarnContext(ctx, "failed", "code", failure.Code, "attempt", outcome.Attempt)
	return x.dischargeOwed(ctx, updated)
}

// supersede settles an upload that came after a newer one was proposed.
func (x *Executor) supersede(ctx context.Context, d delivery, record ledger.Execution) error {
	outcome, err := x.skipped(ctx, d, record)
	if err != nil {
		return err
	}
	updated, err := ledger.Supersede(ctx, x.Ledger, record, outcome.ExecutedAt, outcome)
	if err != nil {
		return x.findOutcome(ctx, d, err)
	}
	x.Log.InfoContext(ctx, "skipped: another upload is proposed")
	return x.dischargeOwed(ctx, updated)
}

// dischargeOwed writes the notices that a record owes by a commit just made, and takes
// note that they are there: all of them, for other uploads' may be among them.
func (x *Executor) dischargeOwed(ctx context.Context, record ledger.Execution) error {
	if err := x.notifyOwed(ctx, record); err != nil {
		return err
	}
	if _, err := ledger.Discharge(ctx, x.Ledger, record, x.now()); err != nil {
		x.Log.InfoContext(ctx, "the notices will be looked for again", "cause", err.Error())
	}
	return nil
}
