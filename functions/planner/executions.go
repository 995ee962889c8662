package planner

import (
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

const maxAuditDocuments = 100

// executionAnswer is an execution as it is shown in a list.
type executionAnswer struct {
	ExecutionID string          `json:"execution_id"`
	Status      ledger.Status   `json:"status"`
	Attempt     int             `json:"attempt"`
	CreatedAt   time.Time       `json:"created_at"`
	ExecutedAt  *time.Time      `json:"executed_at"` // null until its result is fixed
	Upload      ledger.Upload   `json:"upload"`
	Summary     *ledger.Summary `json:"summary"`   // null unless completed
	Outputs     []ledger.File   `json:"outputs"`   // what can be fetched
	Error       *ledger.Failure `json:"error"`     // null unless failed
	UndoneBy    string          `json:"undone_by"` // "" unless undone
	DueAt       *time.Time      `json:"due_at"`    // null: nothing will happen by itself
	// ApprovalDue says that a proposal waits for an approval.
	ApprovalDue bool `json:"approval_due"`
	// BytesRead is how far the newest attempt has read the table, as of its
	// last sign of life.
	BytesRead int64 `json:"bytes_read"`
}

// statusAnswer is one execution with its record.
type statusAnswer struct {
	executionAnswer
	PlanSHA256 string                 `json:"plan_sha256"` // "" until its result is fixed
	Proposal   *ledger.Proposal       `json:"proposal"`    // null unless something is proposed
	Approval   *ledger.Approval       `json:"approval"`    // null unless it was given
	UndoDue    []ledger.UndoDue       `json:"undo_due"`
	Audit      []ledger.AuditDocument `json:"audit"` // the newest first, at most 100
}

func showExecution(e ledger.Execution) executionAnswer {
	shown := executionAnswer{
		ExecutionID: e.ExecutionID, Status: e.Status, Attempt: e.Attempt, CreatedAt: e.CreatedAt,
		Upload: e.Source.Upload, Summary: e.Summary, Outputs: []ledger.File{}, Error: e.Error,
		UndoneBy: e.UndoneBy, BytesRead: e.BytesRead,
		ApprovalDue: e.Status == ledger.Proposed && e.NeedsApproval(),
	}
	if !e.DueAt.IsZero() {
		shown.DueAt = &e.DueAt
	}
	if e.Seal != nil {
		shown.ExecutedAt, shown.Attempt = &e.Seal.ExecutedAt, e.Seal.Attempt
	}
	if e.Status == ledger.Completed && e.Seal != nil {
		shown.Outputs = []ledger.File{e.Seal.Output, e.Seal.Changes}
	}
	return shown
}

// listExecutions answers GET /v1/executions.
func (h handler) listExecutions(w http.ResponseWriter, r *http.Request) error {
	asked, values, err := page(r, "status")
	if err != nil {
		return err
	}
	status, given := values["status"]
	if err := ledger.Status(status).Validate(); given && err != nil {
		return web.Problems([]strictjson.Problem{{Path: "status", Message: "must be running, proposed, completed or failed, but is " + strictjson.Shorten(status)}})
	}
	found, err := h.Store.Executions(r.Context(), ledger.Status(status), asked)
	if err != nil {
		return err
	}
	shown := make([]executionAnswer, len(found.Executions))
	for i, execution := range found.Executions {
		shown[i] = showExecution(execution)
	}
	web.WriteJSON(w, http.StatusOK, executionList{Executions: shown, NextPageToken: found.NextPageToken})
	return nil
}

type executionList struct {
	Executions    []executionAnswer `json:"executions"`
	NextPageToken string            `json:"next_page_token"` // "" on the last page
}

// changeList is a page of changes, of an execution or of a SKU.
type changeList[T any] struct {
	Changes       []T    `json:"changes"`
	NextPageToken string `json:"next_page_token"` // "" on the last page
}

// getExecution answers GET /v1/executions/{execution_id}.
func (h handler) getExecution(w http.ResponseWriter, r *http.Request, executionID string) error {
	execution, err := h.execution(r.Context(), executionID)
	if err != nil {
		return err
	}
	return h.showStatus(w, r, execution)
}

// showStatus answers with an execution.
func (h handler) showStatus(w http.ResponseWriter, r *http.Request, record ledger.Execution) error {
	audit, err := h.Store.Audit(r.Context(), record.ExecutionID, maxAuditDocuments)
	if err != nil {
		return err
	}
	answer := statusAnswer{
		executionAnswer: showExecution(record), Proposal: record.Proposal, Approval: record.Approval,
		UndoDue: strictjson.NotNil(record.UndoDue), Audit: strictjson.NotNil(audit),
	}
	if record.Seal != nil {
		answer.PlanSHA256, answer.Approval = record.Seal.PlanSHA256, record.Seal.Approval
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// execution reads a record. Where there is none it says what to do next.
func (h handler) execution(ctx context.Context, executionID string) (ledger.Execution, error) {
	execution, missing := h.Store.Execution(ctx, executionID)
	if errs.KindOf(missing) != errs.NotFound {
		return execution, missing
	}
	switch _, err := h.Store.Plan(ctx, executionID); errs.KindOf(err) {
	case "":
		return execution, errs.Wrap(errs.NotFound, missing,
			"The plan %s is stored, and no CSV was uploaded for it yet. Upload one: %s", executionID, h.UploadCommand(executionID))
	case errs.NotFound:
		return execution, errs.Wrap(errs.NotFound, missing, "There is no plan and no execution %s.", executionID)
	default:
		return execution, err
	}
}

// listChanges answers GET /v1/executions/{execution_id}/changes.
func (h handler) listChanges(w http.ResponseWriter, r *http.Request, executionID string) error {
	asked, _, err := page(r)
	if err != nil {
		return err
	}
	found, err := h.Store.Changes(r.Context(), executionID, asked)
	if err != nil {
		return err
	}
	if len(found.Changes) == 0 { // nothing changed, or nothing there?
		if _, err := h.execution(r.Context(), executionID); err != nil {
			return err
		}
	}
	web.WriteJSON(w, http.StatusOK, changeList[ledger.Change]{Changes: strictjson.NotNil(found.Changes), NextPageToken: found.NextPageToken})
	return nil
}

// listSKUChanges answers GET /v1/skus/{sku}/changes.
func (h handler) listSKUChanges(w http.ResponseWriter, r *http.Request) error {
	asked, _, err := page(r)
	if err != nil {
		return err
	}
	sku := r.PathValue("sku")
	if len(sku) > table.MaxNameBytes || !utf8.ValidString(sku) {
		return errs.New(errs.Invalid, "A SKU is at most %d bytes of UTF-8.", table.MaxNameBytes)
	}
	found, err := h.Store.SKUChanges(r.Context(), sku, asked)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, changeList[ledger.SKUChange]{Changes: strictjson.NotNil(found.Changes), NextPageToken: found.NextPageToken})
	return nil
}
