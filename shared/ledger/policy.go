package ledger

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/faults"
)

// Approvals are the results that need somebody's approval.
type Approvals string

// What needs an approval. Plans and uploads may ask for one where the policy
// does not, and never the other way round.
const (
	ApproveNever  Approvals = "never"
	ApproveAlways Approvals = "always"
	ApproveOver   Approvals = "over" // those that pass a limit or have warnings
)

// Policy says which results are applied only with an approval. The zero value
// asks for none.
type Policy struct {
	Approval Approvals `json:"approval,omitempty"` // "" is never
	// OverRows and OverPercent are the limits of ApproveOver: of rows changed,
	// where 0 is none, and of the move of one price, a decimal, where "" is none.
	OverRows    int64  `json:"over_rows,omitempty"`
	OverPercent string `json:"over_percent,omitempty"`
}

// Decisions say who may decide about proposals. The zero value lets everybody.
type Decisions struct {
	// Approvers (APPROVERS, callers separated by commas) may approve and
	// reject; where there are none, every caller may.
	Approvers []string `json:"approvers,omitempty"`
	// ByAnother (APPROVAL_BY_ANOTHER) keeps the author of a plan from approving
	// of what it does, and those who prepared its table.
	ByAnother bool `json:"by_another,omitempty"`
}

// Any reports whether some may decide and others not.
func (d Decisions) Any() bool { return len(d.Approvers) > 0 || d.ByAnother }

// CheckApprover refuses whoever may not decide. Its kind is errs.Denied.
func (d Decisions) CheckApprover(by string) error {
	if len(d.Approvers) > 0 && !slices.ContainsFunc(d.Approvers,
		func(approver string) bool { return strings.EqualFold(approver, by) }) {
		return errs.New(errs.Denied, "%s may not decide about proposals: APPROVERS names who may.", by)
	}
	return nil
}

// CheckAnother refuses the approval of the plan's own author, of whoever handed in the
// table, and of whoever sent it or said how it is read, where another is asked for. Of a
// plan file in the inbox nobody knows the author.
func (d Decisions) CheckAnother(by string, e Execution, author string) error {
	switch {
	case !d.ByAnother:
		return nil
	case strings.EqualFold(author, by):
		return errs.New(errs.Denied, "%s made the plan %s: another must approve of what it does.",
			by, e.ExecutionID)
	case author == "":
		return errs.New(errs.Denied, "It is not known who made the plan %s, so nobody is known to be another. Store it through the planner under a new id.", e.ExecutionID)
	case strings.EqualFold(e.Source.UploadedBy, by):
		return errs.New(errs.Denied,
			"%s handed in the table of %s: another must approve of what becomes of it.", by, e.ExecutionID)
	case slices.ContainsFunc(e.Source.PreparedBy,
		func(name string) bool { return strings.EqualFold(name, by) }):
		return errs.New(errs.Denied,
			"%s sent the table of %s or said how it is read: another must approve of what becomes of it.",
			by, e.ExecutionID)
	default:
		return nil
	}
}

// Check returns nil where the approval keeps to the policy that it names, of an
// execution whose plan the author made.
func (a Approval) Check(e Execution, author string) error {
	if err := a.Policy.CheckApprover(a.By); err != nil {
		return err
	}
	return a.Policy.CheckAnother(a.By, e, author)
}

// NeedsApproval reports whether what is proposed waits for somebody's approval.
func (e Execution) NeedsApproval() bool {
	return e.Proposal != nil && e.Proposal.ApprovalDue && e.Approval == nil
}

// Reasons says why what is to be sealed of the execution needs an approval under the
// policy that the seal names; none: it needs none.
func (e Execution) Reasons(s Seal, stored plans.Stored) (reasons []string) {
	add := func(applies bool, format string, args ...any) {
		if applies {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	p, source := s.Policy, e.Source
	add(p.Approval == ApproveAlways, "Every execution here needs an approval.")
	if p.Approval == ApproveOver {
		add(p.OverRows > 0 && s.Summary.RowsChanged > p.OverRows, "%d rows change, more than %d.",
			s.Summary.RowsChanged, p.OverRows)
		if limit, err := plan.ParseDecimal(p.OverPercent); err == nil {
			if move := s.Effect.Exceeding(limit); move != nil {
				add(true, "A price moves by more than %s%%: that of %s, from %s to %s.",
					limit, faults.Shown(move.SKU), move.Before, move.After)
			}
		}
		add(len(s.Sentences()) > 0, "There are warnings.")
	}
	add(stored.Plan.Approval == plan.ApprovalAlways, "The plan asks for an approval.")
	add(stored.Planner.Agreement == plans.AgreementModel, plans.NotVouchedFor)
	if beyond := s.Settings.Columns.Beyond(source.Settings.Columns); stored.Plan.Undo == nil {
		add(len(beyond) > 0, "Nobody said it, and no title does: %s, found by what stands in it.",
			strings.Join(beyond, ", "))
	}
	add(source.ProposeOnly && source.ProposedBy == "", "The table was uploaded to be proposed.")
	add(source.ProposeOnly && source.ProposedBy != "", "%s asked for an approval.", source.ProposedBy)
	add(e.Rejected, "Somebody rejected an earlier proposal of this execution.")
	return reasons
}
