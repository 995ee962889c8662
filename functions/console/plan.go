package console

import (
	"encoding/json"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
)

// planView is a stored plan, with what is shown of its own fields.
type planView struct {
	plannerapi.StoredPlan
	Plan struct {
		ExecutionID       string `json:"execution_id"`
		SourceInstruction string `json:"source_instruction"`
		CreatedAt         string `json:"created_at"`
		ApplyAt           string `json:"apply_at"`
		RevertAt          string `json:"revert_at"`
		Approval          plan.Approval
		Undo              json.RawMessage
		Operations        []struct {
			OperationID string `json:"operation_id"`
		}
	} `json:"plan"`
}

// ruleIDs are those of the plan's rules, in their order.
func (p planView) ruleIDs() (ids []string) {
	for _, step := range p.Plan.Operations {
		ids = append(ids, step.OperationID)
	}
	return ids
}

// plannedBy says how the rules came about.
func (p planView) plannedBy() string {
	switch {
	case p.Agreement == plans.AgreementModel:
		return "Read by " + p.Planner.Model + " alone, so somebody must approve the result."
	case p.Agreement == planning.AgreementBoth:
		return "Read by " + p.Planner.Model + ", and in the same way without it."
	case p.Agreement == planning.AgreementPerson || p.Planner.Model == "":
		return "The rules were filled in or finished by a person."
	}
	return "All words of the sentence were understood."
}

// PlannedBy is plannedBy with what a person left out, and what the model was paid for.
func (p planView) PlannedBy() string {
	text := p.plannedBy()
	if confirmed := p.Planner.Confirmed; confirmed != nil && len(confirmed.LeavesOut) > 0 {
		text += " Not used: " + shown(plans.Quoted(confirmed.LeavesOut)) + "."
	}
	if p.Planner.Tokens != nil {
		text += " Tokens: " + p.Planner.Tokens.String() + "."
	}
	return text
}
