package verify

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
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
	given := c.record.Approval
	if err := c.approver(given, stored); err != nil {
		return err
	}
	switch reasons := c.record.Reasons(c.seal, stored); {
	case given == nil && len(reasons) > 0:
		return differs("nobody approved of it, and it was not to be applied without an approval: %s",
			strings.Join(reasons, " "))
	case given != nil && given.ProposalSHA256 != c.seal.Result.SHA256():
		return differs("%s approved of the proposal %s, and what was applied is another",
			given.By, given.ProposalSHA256)
	case stored.Plan.ApplyTime().After(c.seal.ExecutedAt):
		return differs("it was applied before its time, %s", stored.Plan.ApplyAt)
	}
	return nil
}

// approver proves that who approved could, under the policy that the approval
// was given under.
func (c *comparison) approver(given *ledger.Approval, stored plans.Stored) error {
	if given == nil {
		return nil
	}
	if err := given.Check(c.record, stored.CreatedBy); err != nil {
		return differs("it was approved by %s under a policy that did not let them: %s",
			given.By, errs.Message(err))
	}
	return nil
}

// proposal compares what waits for an approval, or for its time, with its hash,
// with the plan, and with what plan and table make.
func (c *comparison) proposal(ctx context.Context) error {
	proposal, given := c.record.Proposal, c.record.Approval
	if proposal == nil {
		return errNotKept
	}
	stored, err := plans.Load(ctx, c.Ledger, c.record.ExecutionID)
	if err != nil {
		return err
	}
	if err := c.approver(given, stored); err != nil {
		return err
	}
	if err := c.proposedNotice(ctx); err != nil {
		return err
	}
	shown, err := c.record.ShownProposal(stored)
	switch {
	case err != nil:
		return err
	case given != nil && given.ProposalSHA256 != proposal.ProposalSHA256:
		return differs("%s approved of the proposal %s, and %s is proposed",
			given.By, given.ProposalSHA256, proposal.ProposalSHA256)
	case !proposal.ApprovalDue && (c.wasRejected() || c.record.Reasons(proposal.Seal, stored) != nil):
		return differs("it is to be applied without an approval, and a rejection, the policy, the plan or its upload asks for one")
	case !proposal.ApplyAt.Equal(stored.Plan.ApplyTime()):
		return differs("it is to be applied at another time than the plan says")
	}
	if !slices.Equal(proposal.Explanation, shown.Explanation) { // it is shown as the plan says it today
		c.note("its explanation was written by an older wording")
	}
	return c.ofBuild(proposal.EngineBuild, c.recomputeProposal(ctx, stored))
}

// proposedNotice looks for the notice about what is proposed, once it is not owed any more.
func (c *comparison) proposedNotice(ctx context.Context) error {
	for _, owed := range c.record.Unwritten() {
		if *owed.Upload == c.record.Source.Upload {
			return nil
		}
	}
	_, err := c.Outbox.Stat(ctx, execution.ProposedName(c.record))
	return err
}

// recomputeProposal runs the engine over plan and table and compares what comes
// of it with what is proposed.
func (c *comparison) recomputeProposal(ctx context.Context, stored plans.Stored) error {
	proposal := c.record.Proposal
	var output, changed bucket.Digest
	changes := sha256.New()
	did, err := c.compute(ctx, stored.Plan, &proposal.Seal, &output, &changed, changes)
	if err != nil {
		return err
	}
	if err := sameSize(output, proposal.Output); err != nil {
		return err
	}
	if err := sameSize(changed, proposal.Changes); err != nil {
		return err
	}
	return c.sameResult(stored, did, changes, proposal.Result)
}

// wasRejected reports whether a document before that of the record's own upload
// says that somebody rejected what was proposed.
func (c *comparison) wasRejected() bool {
	return slices.ContainsFunc(c.documents, func(d ledger.AuditDocument) bool {
		return ledger.IsRejection(d.Code()) && d.Upload.ID != c.record.Source.Upload.ID()
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
		if errs.KindOf(err) == errs.NotFound || err == nil && (!c.saysUndone(undone) || undone.Seal == nil ||
			undone.Seal.Changes.SHA256 != undo.ChangesSHA256) {
			return differs("it undid %s, whose record does not say so", undo.ExecutionID)
		} else if err != nil {
			return err
		}
	}
	if left := c.record.RowsLeft; left < 0 || left > c.seal.Summary.RowsChanged ||
		left > 0 && c.record.UndoneBy == "" {
		return differs("it is said to be undone but for %d of %d rows", left, c.seal.Summary.RowsChanged)
	}
	for _, by := range c.record.Undos() {
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

// saysUndone reports whether the record of what this one undid says so.
func (c *comparison) saysUndone(undone ledger.Execution) bool {
	return slices.Contains(undone.Undos(), c.record.ExecutionID)
}

// isUndo checks that an execution has the plan to undo this one.
func (c *comparison) isUndo(ctx context.Context, by string) error {
	stored, err := plans.Load(ctx, c.Ledger, by)
	if err != nil {
		return err
	}
	if undo := stored.Plan.Undo; undo == nil || undo.ExecutionID != c.record.ExecutionID ||
		undo.ChangesSHA256 != c.seal.Changes.SHA256 {
		return differs("%s is said to undo it, and its plan does not", by)
	}
	return nil
}
