package planner

import (
	"context"
	"net/http"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/web"
)

// validatePlan answers POST /v1/plans:validate.
func (h handler) validatePlan(w http.ResponseWriter, r *http.Request) error {
	given, err := readPlan(w, r)
	if err != nil {
		return err
	}
	explanation, warnings := plan.Review(given, nil)
	web.WriteJSON(w, http.StatusOK, validAnswer{
		Valid: true, PlanSHA256: given.SHA256(),
		Explanation: explanation, Warnings: listOf(warnings),
	})
	return nil
}

// putPlan answers PUT /v1/plans/{execution_id}: a plan written by hand.
func (h handler) putPlan(w http.ResponseWriter, r *http.Request, executionID string) error {
	given, err := readPlan(w, r)
	if err != nil {
		return err
	}
	if given.ExecutionID != executionID {
		return errs.New(errs.Invalid, "The plan's execution_id is %s and the address names %s. They must be the same.", given.ExecutionID, executionID)
	}
	record := h.newRecord(given)
	switch err := h.Store.CreatePlan(r.Context(), record); errs.KindOf(err) {
	case "":
		h.answerNew(w, record, given)
		return nil
	case errs.Conflict:
	default:
		return err
	}
	stored, err := h.Store.Plan(r.Context(), executionID)
	if err != nil {
		return err
	}
	if stored.SHA256 != record.SHA256 {
		return h.taken(r.Context(), executionID, "with other content, and a stored plan never changes")
	}
	return h.answerStored(w, stored)
}

// getPlan answers GET /v1/plans/{execution_id}.
func (h handler) getPlan(w http.ResponseWriter, r *http.Request, executionID string) error {
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return err
	}
	return h.answerStored(w, stored)
}

func (h handler) storedPlan(ctx context.Context, executionID string) (ledger.PlanRecord, error) {
	stored, err := h.Store.Plan(ctx, executionID)
	if errs.KindOf(err) == errs.NotFound {
		return ledger.PlanRecord{}, errs.Wrap(errs.NotFound, err, "There is no plan %s.", executionID)
	}
	return stored, err
}

// answerNew shows a plan that was stored just now.
func (h handler) answerNew(w http.ResponseWriter, record ledger.PlanRecord, made *plan.Plan) {
	web.WriteJSON(w, http.StatusCreated, h.describe(record, made))
}

// answerStored shows a plan that was stored before.
func (h handler) answerStored(w http.ResponseWriter, record ledger.PlanRecord) error {
	stored, err := decodeStored(record)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, h.describe(record, stored))
	return nil
}

// record is what is stored of a plan, apart from how it came about. Stores keep
// microseconds, and what is answered now is what they will answer later.
func (h handler) newRecord(p *plan.Plan) ledger.PlanRecord {
	return ledger.PlanRecord{ExecutionID: p.ExecutionID, Canonical: p.Canonical(), SHA256: p.SHA256(), CreatedAt: h.Now().UTC().Truncate(time.Microsecond)}
}

// taken refuses an execution id and names one that is free.
func (h handler) taken(ctx context.Context, executionID, why string) error {
	message := "There is a plan " + executionID + " already, " + why + "."
	if free, err := planning.NextFree(ctx, h.Store, executionID); err == nil {
		message += " " + free + " is free."
	}
	return errs.New(errs.Conflict, "%s", message)
}

// readPlan reads the body as a plan.
func readPlan(w http.ResponseWriter, r *http.Request) (*plan.Plan, error) {
	data, err := web.ReadJSON(w, r)
	if err != nil {
		return nil, err
	}
	return plan.Decode(data)
}

// decodeStored reads a plan that was valid when it was stored.
func decodeStored(record ledger.PlanRecord) (*plan.Plan, error) {
	stored, err := plan.Decode(record.Canonical)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, err, "The stored plan %s cannot be read.", record.ExecutionID)
	}
	return stored, nil
}
