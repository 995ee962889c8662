package verify

import (
	"context"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
)

// leave proves that what was sealed is what was approved of, that nobody had to
// approve of it where nobody did, by the policy that was sealed with it, and that
// its time had come.
func (c *comparison) leave(ctx context.Context) error {
	stored, err := c.storedPlan(ctx)
	if err != nil {
		return err
	}
	given, proposal := c.seal.Approval, ledger.ProposalSHA256(c.record.Source, c.seal)
	reasons := c.seal.Reasons(stored, c.record.Source, &c.effect)
	switch {
	case given == nil && len(reasons) > 0:
		return differs("nobody approved of it, and it was not to be applied without an approval: %s", strings.Join(reasons, " "))
	case given == nil && c.seal.Policy.OverPercent != "" && !c.computed:
		return differs("nobody approved of it, and whether a price moved by more than %s%%, which needed an approval, cannot be told without the table", c.seal.Policy.OverPercent)
	case given == nil && c.wasRejected():
		return differs("nobody approved of it after it had been rejected")
	case given != nil && given.ProposalSHA256 != proposal:
		return differs("%s approved of the proposal %s, and what was applied is %s", given.By, given.ProposalSHA256, proposal)
	case stored.Plan.ApplyTime().After(c.seal.ExecutedAt):
		return differs("it was applied before its time, %s", stored.Plan.ApplyAt)
	}
	return nil
}

// proposal compares what waits for an approval, or for its time, with its hash
// and with the plan.
func (c *comparison) proposal(ctx context.Context) error {
	proposal, given := c.record.Proposal, c.record.Approval
	if proposal == nil {
		return errNotKept
	}
	stored, err := ledger.LoadPlan(ctx, c.Ledger, c.record.ExecutionID)
	switch {
	case err != nil:
		return err
	case proposal.PlanSHA256 != stored.SHA256:
		return differs("it is of another plan than the stored one")
	case proposal.ProposalSHA256 != ledger.ProposalSHA256(c.record.Source, proposal.Seal):
		return differs("it does not have the hash of what would be sealed")
	case given != nil && given.ProposalSHA256 != proposal.ProposalSHA256:
		return differs("%s approved of the proposal %s, and %s is proposed", given.By, given.ProposalSHA256, proposal.ProposalSHA256)
	case !proposal.ApprovalDue && (c.wasRejected() || proposal.Seal.Reasons(stored, c.record.Source, &proposal.Effect) != nil):
		return differs("it is to be applied without an approval, and a rejection, the policy, the plan or its upload asks for one")
	case !proposal.ApplyAt.Equal(stored.Plan.ApplyTime()):
		return differs("it is to be applied at another time than the plan says")
	}
	return nil
}

// wasRejected reports whether a document before that of the record's own upload
// says that somebody rejected what was proposed.
func (c *comparison) wasRejected() bool {
	return slices.ContainsFunc(c.documents, func(d ledger.AuditDocument) bool {
		return d.ErrorCode == ledger.CodeRejected && d.Upload.ID != c.record.Source.Upload.ID()
	})
}

// undos compares an execution with those that undid it or will, and with the one
// that it undid.
func (c *comparison) undos(ctx context.Context) error {
	id := c.record.ExecutionID
	stored, err := c.storedPlan(ctx)
	if err != nil {
		return err
	}
	if undo := stored.Plan.Undo; undo != nil {
		undone, err := c.Ledger.Execution(ctx, undo.ExecutionID)
		if errs.KindOf(err) == errs.NotFound || err == nil && (undone.UndoneBy != id || undone.Seal == nil || undone.Seal.ChangesSHA256 != undo.ChangesSHA256) {
			return differs("it undid %s, whose record does not say so", undo.ExecutionID)
		} else if err != nil {
			return err
		}
	}
	if by := c.record.UndoneBy; by != "" {
		record, err := c.Ledger.Execution(ctx, by)
		if errs.KindOf(err) == errs.NotFound || err == nil && record.Seal == nil {
			return differs("it is said to be undone by %s, which did nothing", by)
		} else if err != nil {
			return err
		}
		if err := c.isUndo(ctx, by); err != nil {
			return err
		}
	}
	waits := false
	for _, due := range c.record.UndoDue {
		if err := c.isUndo(ctx, due.ExecutionID); err != nil {
			return err
		}
		waits = waits || due.ExecutionID == plan.UndoID(id)
	}
	if stored.Plan.RevertAt == "" || waits {
		return nil
	}
	_, err = c.Ledger.Execution(ctx, plan.UndoID(id))
	if errs.KindOf(err) == errs.NotFound {
		return differs("it is to be undone on %s, and nothing waits to do so", stored.Plan.RevertAt)
	}
	return err
}

// isUndo checks that an execution has the plan to undo this one.
func (c *comparison) isUndo(ctx context.Context, by string) error {
	stored, err := ledger.LoadPlan(ctx, c.Ledger, by)
	if err != nil {
		return err
	}
	if undo := stored.Plan.Undo; undo == nil || undo.ExecutionID != c.record.ExecutionID || undo.ChangesSHA256 != c.seal.ChangesSHA256 {
		return differs("%s is said to undo it, and its plan does not", by)
	}
	return nil
}
