package planner

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// Decisions say who may decide about proposals.
type Decisions struct {
	// Approvers (APPROVERS, callers separated by commas) may approve and
	// reject; where there are none, every caller may.
	Approvers []string
	// ByAnother (APPROVAL_BY_ANOTHER) keeps the author of a plan from approving
	// of what it does.
	ByAnother bool
}

// proposeExecution answers POST /v1/executions/{execution_id}:propose.
func (h handler) proposeExecution(w http.ResponseWriter, r *http.Request, executionID string) error {
	if _, err := h.execution(r.Context(), executionID); err != nil {
		return err
	}
	record, err := ledger.ProposeOnly(r.Context(), h.Store, executionID, "Somebody asked for an approval.", h.now())
	if err != nil {
		return err
	}
	return h.showStatus(w, r, record)
}

// approveExecution answers POST /v1/executions/{execution_id}:approve.
func (h handler) approveExecution(w http.ResponseWriter, r *http.Request, executionID string) error {
	var given decision
	if err := web.ReadObject(w, r, func(body *strictjson.Object) { given.read(body, body.Optional("note")) }); err != nil {
		return err
	}
	by, err := h.approver(r)
	if err != nil {
		return err
	}
	if err := h.checkAuthor(r.Context(), executionID, by); err != nil {
		return err
	}
	approval := ledger.Approval{ProposalSHA256: given.proposalSHA256, By: by, At: h.now(), Note: given.text}
	record, err := ledger.Approve(r.Context(), h.Store, executionID, approval)
	if err != nil {
		return err
	}
	web.Log(r.Context()).InfoContext(r.Context(), "approved", "proposal_sha256", given.proposalSHA256, "by", by)
	return h.showStatus(w, r, record)
}

// rejectExecution answers POST /v1/executions/{execution_id}:reject.
func (h handler) rejectExecution(w http.ResponseWriter, r *http.Request, executionID string) error {
	var given decision
	if err := web.ReadObject(w, r, func(body *strictjson.Object) { given.read(body, body.Required("reason")) }); err != nil {
		return err
	}
	by, err := h.approver(r)
	if err != nil {
		return err
	}
	if _, err := h.execution(r.Context(), executionID); err != nil {
		return err
	}
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return err
	}
	at := h.now()
	failure := ledger.Failure{Code: ledger.CodeRejected, Message: "Rejected by " + by + ": " + given.text}
	record, err := ledger.Reject(r.Context(), h.Store, executionID, given.proposalSHA256, at, failure, func(record ledger.Execution) ledger.AuditDocument {
		return ledger.FailedDocument(record, failure, at, stored)
	})
	if err != nil {
		return err
	}
	web.Log(r.Context()).InfoContext(r.Context(), "rejected", "proposal_sha256", given.proposalSHA256, "by", by)
	return h.showStatus(w, r, record)
}

// decision is what somebody says of a proposal.
type decision struct {
	proposalSHA256 string
	text           string // the note, or the reason
}

// maxDecisionText is the longest note or reason, in bytes.
const maxDecisionText = 2_000

func (d *decision) read(body *strictjson.Object, text strictjson.Field) {
	d.proposalSHA256, _ = body.Required("proposal_sha256").String()
	given := false
	if d.text, given = text.String(); given && (d.text == "" || len(d.text) > maxDecisionText) {
		text.Problem("must be 1 to %d bytes long", maxDecisionText)
	}
}

// approver returns the caller, who must be one of those who may decide.
func (h handler) approver(r *http.Request) (string, error) {
	by, err := h.Caller(r)
	if err != nil {
		return "", err
	}
	if len(h.Decisions.Approvers) > 0 && !slices.ContainsFunc(h.Decisions.Approvers, func(approver string) bool { return strings.EqualFold(approver, by) }) {
		return "", errs.New(errs.Denied, "%s may not decide about proposals: APPROVERS names who may.", by)
	}
	return by, nil
}

// checkAuthor refuses the approval of a plan's own author, where another is
// asked for. Of a plan file in the inbox nobody knows the author.
func (h handler) checkAuthor(ctx context.Context, executionID, by string) error {
	if _, err := h.execution(ctx, executionID); err != nil || !h.Decisions.ByAnother {
		return err
	}
	stored, err := h.storedPlan(ctx, executionID)
	switch {
	case err != nil:
		return err
	case stored.CreatedBy == by:
		return errs.New(errs.Denied, "%s made the plan %s: another must approve of what it does.", by, executionID)
	case stored.CreatedBy == "":
		return errs.New(errs.Denied, "It is not known who made the plan %s, so nobody is known to be another. Store it through the planner under a new id.", executionID)
	default:
		return nil
	}
}
