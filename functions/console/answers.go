package console

import (
	"context"
	"encoding/json"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// planView is what is read of a stored plan.
type planView struct {
	Plan struct {
		ExecutionID       string `json:"execution_id"`
		SourceInstruction string `json:"source_instruction"`
		Undo              json.RawMessage
		Operations        []struct {
			OperationID string `json:"operation_id"`
		}
	}
	Explanation []string
	Warnings    []plan.Warning
	Agreement   string
	Planner     struct{ Model string }
	CreatedAt   time.Time `json:"created_at"`
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
	Operations  json.RawMessage
}

// previewView is what a plan would do to a table.
type previewView struct {
	Table   table.Recognized
	Summary struct {
		RowsTotal   int64                   `json:"rows_total"`
		RowsChanged int64                   `json:"rows_changed"`
		Operations  []ledger.OperationCount `json:"operations"`
	}
	Effect        *pricing.Effect
	Warnings      []plan.Warning
	Changes       []ledger.Change
	NextPageToken string `json:"next_page_token"`
}

// Shown is what it would do to prices, with the form in which the table writes
// them.
func (p previewView) Shown() effectView { return effectView{p.Effect, priceForm(p.Table.Columns)} }

// Shown is Shown of a preview.
func (p proposalView) Shown() effectView {
	shown := effectView{Effect: &p.Effect}
	if p.Summary.Table != nil {
		shown.Form = priceForm(p.Summary.Table.Columns)
	}
	return shown
}

// proposalView is what an execution would do and may not yet.
type proposalView struct {
	SHA256      string `json:"proposal_sha256"`
	ApprovalDue bool   `json:"approval_due"`
	Reasons     []string
	ApplyAt     time.Time `json:"apply_at"`
	ExpiresAt   time.Time `json:"expires_at"`
	ExecutedAt  time.Time `json:"executed_at"`
	Effect      pricing.Effect
	Summary     ledger.Summary
}

// executionView is what is read of an execution.
type executionView struct {
	ExecutionID string `json:"execution_id"`
	Status      ledger.Status
	Attempt     int
	CreatedAt   time.Time  `json:"created_at"`
	ExecutedAt  *time.Time `json:"executed_at"`
	Upload      ledger.Upload
	Summary     *ledger.Summary
	Outputs     []ledger.File
	Error       *ledger.Failure
	Proposal    *proposalView
	Approval    *ledger.Approval
	UndoneBy    string           `json:"undone_by"`
	DueAt       *time.Time       `json:"due_at"`
	ApprovalDue bool             `json:"approval_due"`
	BytesRead   int64            `json:"bytes_read"`
	UndoDue     []ledger.UndoDue `json:"undo_due"`
	Audit       []ledger.AuditDocument
}

// stored are the plans behind a client, for the search for a free id.
type stored struct{ c *Client }

// Plan reads a plan's id alone. NotFound: there is none.
func (s stored) Plan(ctx context.Context, id string) (ledger.PlanRecord, error) {
	_, err := s.c.plan(ctx, id)
	if err != nil {
		return ledger.PlanRecord{}, errs.Wrap(errs.KindOf(err), err, "%s", errs.Message(err))
	}
	return ledger.PlanRecord{ExecutionID: id}, nil
}
