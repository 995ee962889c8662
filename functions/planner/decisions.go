package planner

import (
	"context"
	"net/http"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// proposeExecution answers POST /v1/executions/{execution_id}:propose.
func (h handler) proposeExecution(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	p := h.person(r)
	if err := p.refusal(plannerapi.ActPropose); err != nil {
		return nil, err
	}
	if _, err := h.execution(r.Context(), executionID); err != nil {
		return nil, err
	}
	record, err := ledger.ProposeOnly(r.Context(), h.Store, executionID, p.name, h.now())
	if err != nil {
		return nil, err
	}
	return h.showStatus(r, record)
}

// approveExecution answers POST /v1/executions/{execution_id}:approve.
func (h handler) approveExecution(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	return h.decide(w, r, executionID, plannerapi.ActApprove,
		func(body *strictjson.Object) strictjson.Field { return body.Optional("note") }, ledger.Approve)
}

// rejectExecution answers POST /v1/executions/{execution_id}:reject.
func (h handler) rejectExecution(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	var said ledger.Rejection
	text := func(body *strictjson.Object) strictjson.Field {
		said.ApprovedBy, _ = body.Optional("approved_by").String()
		field := body.Optional("replaced_by")
		var given bool
		if said.ReplacedBy, given = field.String(); given && !plan.ValidExecutionID(said.ReplacedBy) {
			field.Problem("%s", plan.ExecutionIDRule(said.ReplacedBy))
		}
		return body.Required("reason")
	}
	return h.decide(w, r, executionID, plannerapi.ActReject, text, func(
		ctx context.Context, store ledger.Store, id string, given ledger.Approval,
	) (ledger.Execution, error) {
		said.Approval = given
		return ledger.Reject(ctx, store, id, said)
	})
}

// decide answers a request that decides about a proposal in the caller's name.
func (h handler) decide(
	w http.ResponseWriter,
	r *http.Request,
	executionID string,
	act plannerapi.Action,
	text func(*strictjson.Object) strictjson.Field,
	by func(context.Context, ledger.Store, string, ledger.Approval) (ledger.Execution, error),
) (any, error) {
	var given decision
	if err := web.ReadObject(w, r,
		func(body *strictjson.Object) { given.read(body, text(body)) }); err != nil {
		return nil, err
	}
	p := h.person(r)
	if err := p.refusal(act); err != nil {
		return nil, err
	}
	if _, err := h.execution(r.Context(), executionID); err != nil {
		return nil, err
	}
	record, err := by(r.Context(), h.Store, executionID,
		ledger.Approval{
			ProposalSHA256: given.proposalSHA256,
			By:             p.name,
			At:             h.now(),
			Note:           given.text,
			Policy:         h.Decisions,
		})
	if err != nil {
		return nil, err
	}
	web.Log(r.Context()).InfoContext(r.Context(), "decided", "action", act,
		"proposal_sha256", given.proposalSHA256, "by", p.name)
	return h.showStatus(r, record)
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
