package ledger

import (
	"slices"
	"time"
)

// dueAfter returns the record with the time at which somebody should look at it next, as
// of a change at that time. Every change of a record ends with it.
func (e Execution) dueAfter(at time.Time) Execution {
	e.DueAt = e.due(at)
	return e
}

func (e Execution) due(at time.Time) time.Time {
	switch {
	case e.Status == Running && !e.LeaseUntil.IsZero():
		return e.LeaseUntil
	case e.Status == Running, len(e.Unwritten()) > 0:
		return at
	case e.Status == Proposed && e.NeedsApproval():
		return e.Proposal.ExpiresAt
	case e.Status == Proposed && e.Proposal.ApplyAt.After(at):
		return e.Proposal.ApplyAt
	case e.Status == Proposed:
		return at
	case e.Status == Completed && len(e.UndoDue) > 0:
		return slices.MinFunc(e.UndoDue, func(a, b UndoDue) int { return a.At.Compare(b.At) }).At
	default:
		return time.Time{}
	}
}

// NeedsApproval reports whether what is proposed waits for somebody's approval.
func (e Execution) NeedsApproval() bool {
	return e.Proposal != nil && e.Proposal.ApprovalDue && e.Approval == nil
}

// fail ends an attempt, or a proposal, with its outcome: nobody holds the record then.
func (e *Execution) fail(failure Failure, outcome AuditDocument, note string) {
	e.Status, e.Error = Failed, &failure
	e.Proposal, e.Approval = nil, nil
	e.AuditHead = outcome.SHA256
	e.LeaseUntil = time.Time{}
	e.oweFailure(outcome, failure.By, note)
}
