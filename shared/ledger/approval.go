package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/notices"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/pricing"
)

// Approve gives leave to exactly what is proposed, and returns the record.
// NotFound: there is no execution. Conflict: something else is proposed by
// now, or nothing. Internal: what is proposed was edited since it was computed.
// Denied: the policy that the approval names does not let this person.
// A repeated approval by the same person changes nothing. A second person gets a
// DecidedError that names the first, a Conflict.
func Approve(ctx context.Context, store Store, executionID string, approval Approval) (Execution, error) {
	return decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		if first := record.approvalOf(approval.ProposalSHA256); first != nil {
			if strings.EqualFold(first.By, approval.By) {
				return record, Settlement{}, errDecided
			}
			return record, Settlement{}, record.approvedBefore(*first,
				"Your approval was not needed and is not on record.")
		}
		if err := record.checkProposal(approval.ProposalSHA256); err != nil {
			return record, Settlement{}, err
		}
		stored, err := plans.Load(ctx, store, executionID)
		if err != nil {
			return record, Settlement{}, err
		}
		switch {
		case stored.Plan.CheckRevert(approval.At) != nil:
			return record, Settlement{}, errs.New(errs.Conflict, "What execution %s does was to be undone on %s, which is past: it is not applied any more. Make a new plan, to be undone later or never.", executionID, stored.Plan.RevertAt)
		case record.Status == Running:
			return record, Settlement{}, errs.New(errs.Conflict,
				"Execution %s is being computed again at this moment. Look at what it proposes then.",
				executionID)
		case !approval.At.Before(record.Proposal.ExpiresAt) && record.Proposal.ApprovalDue:
			return record, Settlement{}, errs.New(errs.Conflict,
				"The proposal of execution %s has expired. Drop the table again for a new one.", executionID)
		}
		if err := approval.Check(record, stored.CreatedBy); err != nil {
			return record, Settlement{}, err
		}
		if _, err := record.ShownProposal(stored); err != nil {
			return record, Settlement{}, err
		}
		approval.ProposedAt = record.Proposal.ExecutedAt
		record.Approval = approval.rounded()
		record.owe(notices.Step{
			Kind: notices.Approved,
			At:   approval.At,
			By:   approval.By,
			Note: approval.Note,
		}, approval.ProposalSHA256, nil)
		return record.dueAfter(approval.At), Settlement{}, nil
	})
}

// approvalOf is the approval of a proposal, also once its result is sealed; nil: nobody
// has approved it.
func (e Execution) approvalOf(proposalSHA256 string) *Approval {
	if e.Approval == nil || e.Approval.ProposalSHA256 != proposalSHA256 {
		return nil
	}
	return e.Approval
}

// Rejection is what somebody says who rejects: Note is the reason.
type Rejection struct {
	Approval
	ApprovedBy string // who has approved of it, as they know; "": nobody
	ReplacedBy string // the plan that goes on in its place; "": none
}

// Reject fails an execution as long as nothing of it is sealed, for exactly
// what is proposed, and returns the record. Whatever is attempted of it from
// then on needs an approval. It is done in somebody's name: what is given has
// the fields of an approval, and its note is the reason. What somebody has approved
// of is rejected only by who knows of that, and says by whom. Its holder, if it has
// one, can change nothing any more. Errors are those of Approve.
func Reject(ctx context.Context, store Store, executionID string, given Rejection) (Execution, error) {
	if err := given.Policy.CheckApprover(given.By); err != nil {
		return Execution{}, err
	}
	what := "Rejected by " + given.By
	if given.ReplacedBy != "" {
		what = "Replaced with " + given.ReplacedBy + " by " + given.By
	}
	return end(ctx, store, executionID, given, CodeRejected, what)
}

// Withdraw does as Reject in the name of who asked for what is proposed, who may do so
// whoever decides here and needs no reason. Denied: somebody else asked for it.
func Withdraw(ctx context.Context, store Store, executionID string, given Rejection) (Execution, error) {
	record, err := store.Execution(ctx, executionID)
	if err != nil {
		return Execution{}, err
	}
	stored, err := plans.Load(ctx, store, executionID)
	if err != nil {
		return Execution{}, err
	}
	if err := record.CheckAsker(given.By, stored.CreatedBy); err != nil {
		return Execution{}, err
	}
	return end(ctx, store, executionID, given, CodeWithdrawn, "Withdrawn by "+given.By)
}

// end fails an execution as somebody decides. What says who did what.
func end(
	ctx context.Context, store Store, executionID string, given Rejection, code, what string,
) (Execution, error) {
	if _, err := store.Execution(ctx, executionID); err != nil {
		return Execution{}, err
	}
	stored, err := plans.Load(ctx, store, executionID)
	if err != nil {
		return Execution{}, err
	}
	failure := Failure{
		Code:       code,
		Message:    sentence(what, given.Note),
		ReplacedBy: given.ReplacedBy,
		By:         given.By,
		At:         given.At,
	}
	var written string
	return decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		if record.Status == Failed && record.AuditHead == written { // the reply was lost
			return record, Settlement{}, errDecided
		}
		if err := record.checkProposal(given.ProposalSHA256); err != nil {
			return record, Settlement{}, err
		}
		if a := record.Approval; a != nil && !strings.EqualFold(a.By, given.ApprovedBy) {
			return record, Settlement{}, record.approvedBefore(*a,
				"To stop it before it is applied all the same, say approved_by "+a.By+".")
		}
		if a := record.Approval; a != nil {
			failure.Message = sentence(
				fmt.Sprintf("%s, after %s had approved of it at %s", what, a.By, a.At.Format(time.RFC3339)),
				given.Note,
			)
		}
		document := FailedDocument(record, failure, given.At, stored)
		written = document.SHA256
		return record.failed(failure, document, given.Note), Settlement{Outcome: &document}, nil
	})
}

// full is a text with a full stop at its end.
func full(text string) string { return strings.TrimRight(text, ".") + "." }

// sentence says what was decided, and why where somebody said it.
func sentence(what, why string) string {
	if why == "" {
		return what + "."
	}
	return what + ": " + why
}

// Expire fails an execution whose approval did not come in time, as it was
// read, and returns the record.
func Expire(
	ctx context.Context, store Store, record Execution, failure Failure, outcome AuditDocument,
) (Execution, error) {
	return replace(ctx, store, record, Settlement{Outcome: &outcome}, func(e Execution) Execution {
		return e.failed(failure, outcome, "")
	})
}

// Supersede skips an upload in whose place a newer one is proposed, in one
// commit with the record as it was read, and returns the record.
func Supersede(
	ctx context.Context, store Store, record Execution, at time.Time, outcome AuditDocument,
) (Execution, error) {
	return replace(ctx, store, record, Settlement{Outcome: &outcome}, func(e Execution) Execution {
		e.oweSuperseded(outcome.Upload.Upload, at, true)
		return e.dueAfter(at)
	})
}

// Discharge takes note that the notices are there which the record owed as it
// was read, and returns the record.
func Discharge(ctx context.Context, store Store, record Execution, at time.Time) (Execution, error) {
	there := record.Unwritten()
	return replace(ctx, store, record, Settlement{}, func(e Execution) Execution {
		return e.written(there).dueAfter(at)
	})
}

// ProposeOnly has an execution, of which nothing is sealed, applied only where
// somebody approves of it, as somebody asks, "" where nobody knows who, and
// returns the record. NotFound: there is no execution. Conflict: it is too late.
func ProposeOnly(ctx context.Context, store Store, executionID, by string, at time.Time) (Execution, error) {
	return decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		switch {
		case record.Seal != nil, record.Status == Failed:
			return record, Settlement{}, errs.New(errs.Conflict,
				"Execution %s is sealed or has ended: it proposes nothing any more.", executionID)
		case record.Source.ProposeOnly && (record.Proposal == nil || record.Proposal.ApprovalDue):
			return record, Settlement{}, errDecided
		}
		record.Source.ProposeOnly, record.Source.ProposedBy = true, by
		if record.Proposal != nil && !record.Proposal.ApprovalDue {
			proposal := *record.Proposal
			proposal.ApprovalDue = true
			proposal.Reasons = []string{cmp.Or(by, "Somebody") + " asked for an approval."}
			record.Proposal = &proposal
			if record.Status == Proposed {
				record.oweProposal(at, nil, "")
			}
		}
		return record.dueAfter(at), Settlement{}, nil
	})
}

// Undo has an execution's output delivered to the plan that undoes it, which is
// stored in the same commit unless it is there already, and returns the
// record. NotFound: there is no execution. Conflict: it has not completed, or
// is undone, or the id has a plan.
func Undo(
	ctx context.Context, store Store, executionID, undoID string, plan *plans.Record, at time.Time,
) (Execution, error) {
	return decide(ctx, store, executionID, func(record Execution) (Execution, Settlement, error) {
		if slices.ContainsFunc(record.UndoDue, func(due UndoDue) bool { return due.ExecutionID == undoID }) {
			return record, Settlement{}, errDecided
		}
		if err := record.CheckUndo(undoID); err != nil {
			return record, Settlement{}, err
		}
		record.UndoDue = append(slices.Clone(record.UndoDue), UndoDue{ExecutionID: undoID, At: at})
		return record.dueAfter(at), Settlement{Plan: plan}, nil
	})
}

// CheckUndo returns nil where the execution can be undone by another, and a
// Conflict that says why it cannot otherwise.
func (e Execution) CheckUndo(undoID string) error {
	if refusal := e.RefuseUndo(undoID); refusal != nil {
		return errs.New(errs.Conflict, "%s", refusal.Message)
	}
	return nil
}

// RefuseUndo returns why the execution cannot be undone by another; nil: it can.
func (e Execution) RefuseUndo(undoID string) *Failure {
	switch {
	case e.Status != Completed:
		return &Failure{
			Code: "not_completed",
			Message: fmt.Sprintf("Execution %s has not completed, so there is nothing to undo.",
				e.ExecutionID),
		}
	case e.UndoneBy != "" && e.UndoneBy != undoID && e.RowsLeft == 0:
		return &Failure{
			Code:    CodeUndoneAlready,
			Message: fmt.Sprintf("Execution %s was undone by %s already.", e.ExecutionID, e.UndoneBy),
		}
	}
	return nil
}

// undone is the record once another has undone it. Rows that are left can be undone by
// one more: those that none has undone, and those of its table that had changed since.
func (e Execution) undone(by string, did pricing.Counts) *Execution {
	left, changed := e.Seal.Summary.RowsChanged, int64(0)
	if e.UndoneBy != "" {
		left, e.UndoneBefore = e.RowsLeft, e.Undos()
	}
	for _, row := range did.Stale {
		if row.Found != nil && row.Found.String() != row.Before.String() {
			changed++
		}
	}
	e.UndoneBy, e.RowsLeft = by, max(left-did.RowsChanged, changed)
	return &e
}

// UndoDelivered takes note that an output needs no more delivery to an undo.
func UndoDelivered(
	ctx context.Context, store Store, record Execution, undoID string, at time.Time,
) (Execution, error) {
	return replace(ctx, store, record, Settlement{}, func(e Execution) Execution {
		e.UndoDue = slices.DeleteFunc(slices.Clone(e.UndoDue), func(due UndoDue) bool {
			return due.ExecutionID == undoID
		})
		return e.dueAfter(at)
	})
}

// UndoWaits takes note that an undo, whose time has come, proposes something that is to be
// decided first. Of a table that was dropped for it people were told before its time, so
// they are told once more.
func UndoWaits(ctx context.Context, store Store, record, undo Execution, at time.Time) (Execution, error) {
	var with Settlement
	if undo.NeedsApproval() && undo.Source.OutputOf == "" {
		undo.oweProposal(at, nil, ".due")
		with.Also = &undo
	}
	return replace(ctx, store, record, with, func(e Execution) Execution {
		e.UndoDue = slices.Clone(e.UndoDue)
		for i := range e.UndoDue {
			e.UndoDue[i].Waits = e.UndoDue[i].Waits || e.UndoDue[i].ExecutionID == undo.ExecutionID
		}
		return e.dueAfter(at)
	})
}

// failed is the record of an execution that was ended from outside: nobody holds it.
func (e Execution) failed(failure Failure, outcome AuditDocument, note string) Execution {
	e.fail(failure, outcome, note)
	e.Holder = ""
	return e.dueAfter(outcome.ExecutedAt)
}

// checkProposal compares what is proposed with what somebody has seen.
func (e Execution) checkProposal(seen string) error {
	switch {
	case e.Seal != nil && e.approvalOf(seen) != nil:
		return e.approvedBefore(*e.approvalOf(seen),
			"It is being applied or was: it is too late. It can be undone once it has completed.")
	case e.Seal != nil:
		return errs.New(errs.Conflict, "Execution %s is being applied or has completed: it is too late. It can be undone once it has completed.", e.ExecutionID)
	case e.Proposal == nil && e.Error != nil && IsRejection(e.Error.Code):
		return &DecidedError{
			e.ExecutionID, Decided{e.Error.Code, e.Error.By, e.Error.At}, full(e.Error.Message),
		}
	case e.Proposal == nil:
		why := ""
		if e.Error != nil {
			why = " " + e.Error.Message
		}
		return errs.New(errs.Conflict, "Execution %s proposes nothing: it is %s.%s",
			e.ExecutionID, e.Status, why)
	case e.Proposal.ProposalSHA256 != seen:
		return errs.New(errs.Conflict,
			"Execution %s does not propose that: by now it proposes %s. Look at that first.",
			e.ExecutionID, e.Proposal.ProposalSHA256)
	}
	return nil
}

// errDecided says that the record is already as it was to become.
var errDecided = errs.New(errs.Conflict, "decided already")

// maxDecisions is how often a decision is tried on a record that others change meanwhile.
const maxDecisions = 5

// decide changes a record that nobody needs to hold, by one compare-and-set on
// the record as it is then: what is decided again after a refused or
// unanswered write sees whether the change is there.
func decide(
	ctx context.Context,
	store Store,
	executionID string,
	change func(Execution) (Execution, Settlement, error),
) (Execution, error) {
	var refusal error
	for range maxDecisions {
		record, err := store.Execution(ctx, executionID)
		if err != nil {
			return Execution{}, err
		}
		next, with, err := change(record)
		if err == errDecided {
			return record, nil
		} else if err != nil {
			return Execution{}, err
		}
		updated, err := store.UpdateExecution(ctx, next, with)
		if err == nil {
			return updated, nil
		}
		refusal = err
		if errs.KindOf(err) != errs.Stale && !errs.Retryable(err) {
			break
		}
	}
	return Execution{}, refusal
}
