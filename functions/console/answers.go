package console

import (
	"encoding/json"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
)

// planView is a stored plan, with what is shown of its own fields.
type planView struct {
	plannerapi.StoredPlan
	Plan struct {
		ExecutionID       string `json:"execution_id"`
		SourceInstruction string `json:"source_instruction"`
		Approval          plan.Approval
		Undo              json.RawMessage
		Operations        []struct {
			OperationID string `json:"operation_id"`
		}
	} `json:"plan"`
}

// question is what the planner asks back.
type question struct {
	Questions         []string
	Readings          []reading
	ExecutionID       string `json:"execution_id"`
	CreatedAt         string `json:"created_at"`
	SourceInstruction string `json:"source_instruction"`
}

// reading is one of the plans that an instruction could mean.
type reading struct {
	Instruction string
	Sentences   []string
	LeavesOut   []string `json:"leaves_out"`
	Assumes     []string
	Operations  json.RawMessage
}

// effectOf is what a preview or a proposal would do to prices, with the form in
// which the table writes them.
func effectOf(shown any) effectView {
	switch shown := shown.(type) {
	case *plannerapi.Preview:
		return effectView{&shown.Effect, priceForm(&shown.Table)}
	case *ledger.Proposal:
		return effectView{&shown.Effect, priceForm(shown.Summary.Table)}
	}
	panic("a page shows the effect of something else")
}
