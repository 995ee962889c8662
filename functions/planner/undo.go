package planner

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// The tables that an undo can be carried out on.
const (
	undoOutput = "output" // what the execution wrote, delivered at once
	undoUpload = "upload" // a table that is dropped for it
)

// undoRequest asks for the plan that undoes an execution.
type undoRequest struct {
	executionID string // "" leaves the choice to us
	table       string
	stale       plan.Stale
}

func (u *undoRequest) read(body *strictjson.Object) {
	field := body.Optional("execution_id")
	var given bool
	if u.executionID, given = field.String(); given &&
		(!plan.ValidExecutionID(u.executionID) || plan.IsUndoID(u.executionID)) {
		field.Problem("%s, and not end in _undo", plan.ExecutionIDRule(u.executionID))
	}
	field = body.Required("table")
	if u.table, given = field.String(); given && u.table != undoOutput && u.table != undoUpload {
		field.Problem("must be %s or %s", undoOutput, undoUpload)
	}
	field = body.Optional("stale")
	stale, given := field.String()
	if u.stale = plan.Stale(stale); given && u.stale != plan.StaleReport && u.stale != plan.StaleFail &&
		u.stale != plan.StaleOverwrite {
		field.Problem("must be %s, %s or %s", plan.StaleReport, plan.StaleFail, plan.StaleOverwrite)
	}
}

// undoExecution answers POST /v1/executions/{execution_id}:undo.
func (h handler) undoExecution(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	var request undoRequest
	if err := web.ReadObject(w, r, request.read); err != nil {
		return nil, err
	}
	p := h.person(r)
	if err := p.refusal(plannerapi.ActUndo); err != nil {
		return nil, err
	}
	record, err := h.execution(r.Context(), executionID)
	if err != nil {
		return nil, err
	}
	if refusal := lineage.Refuse(r.Context(), h.Store, record, request.executionID); refusal != nil {
		return nil, errs.New(errs.Conflict, "%s", refusal.Message)
	}
	if record.Source.Shop != nil && request.table == undoOutput && h.Fetch == nil {
		return nil, errs.New(errs.Conflict, "The table of %s was fetched from %s, which is fetched again before it is undone. No shop is connected here: its operator sets SHOP_KIND, SHOP_URL, SHOP_KEY and SHOP_SECRET.", executionID, record.Source.Shop.URL)
	}
	undo := &undoCreation{handler: h, undoRequest: request, record: record, by: p.name}
	stored, created, err := undo.run(r.Context())
	if err == nil {
		web.Log(r.Context()).InfoContext(r.Context(), "undo",
			"undo_execution_id", stored.ExecutionID, "table", request.table, "by", p.name)
	}
	if err != nil {
		return nil, err
	}
	answer := h.describe(stored)
	if request.table == undoOutput {
		answer.Warnings = append(answer.Warnings, h.outputUsed(r.Context(), record)...)
		answer.Upload.Command = "" // it goes by itself
	}
	if created {
		return web.Reply{Status: http.StatusCreated, Value: answer}, nil
	}
	return answer, nil
}

// undoCreation answers one request for an undo.
type undoCreation struct {
	handler
	undoRequest
	record ledger.Execution // of the execution that is undone
	by     string
}

// run stores the plan under the id that was asked for; without one, under the
// id of an undo, or the next of that name that nothing else has become of.
func (u *undoCreation) run(ctx context.Context) (plans.Stored, bool, error) {
	if u.executionID != "" {
		stored, created, err := u.under(ctx, u.executionID)
		switch {
		case err != errTaken:
			return stored, created, err
		case !u.isFor(stored):
			return stored, false, plans.Taken(ctx, u.Store, u.executionID)
		case u.record.UndoneBy == u.executionID: // it is asked for again
			return stored, false, nil
		}
		return stored, false, errs.New(errs.Conflict, "The undo %s has had its outcome on this output, and nothing more comes of it: see what became of it. Ask for another execution_id, or for none.", u.executionID)
	}
	id := plan.UndoID(u.record.ExecutionID)
	if !plan.ValidExecutionID(id) {
		return plans.Stored{}, false, errs.New(errs.Invalid,
			"The id %s is too long for one to be made of it: choose the execution_id of the undo.",
			u.record.ExecutionID)
	}
	stored, created, err := u.under(ctx, id)
	for err == errTaken {
		stored, created, err = u.underNextVersion(ctx, id)
	}
	return stored, created, err
}

// underNextVersion takes the last version of an undo's id, or the one after it where
// nothing more comes of that.
func (u *undoCreation) underNextVersion(ctx context.Context, id string) (plans.Stored, bool, error) {
	versions, err := u.Store.PlanVersions(ctx, id, plans.Request{})
	if err != nil {
		return plans.Stored{}, false, err
	}
	if versions.Last > 1 {
		stored, created, err := u.under(ctx, plans.Version(id, versions.Last))
		if err != errTaken {
			return stored, created, err
		}
	}
	return u.under(ctx, plans.Version(id, max(1, versions.Last)+1))
}

// errTaken says that a plan is not what is asked for, or that nothing more comes of it.
var errTaken = errors.New("the id is taken")

// under finds the plan that is stored under an id, or stores one.
func (u *undoCreation) under(
	ctx context.Context, undoID string,
) (stored plans.Stored, created bool, err error) {
	stored, err = plans.Load(ctx, u.Store, undoID)
	switch {
	case errs.KindOf(err) == errs.NotFound:
	case err != nil:
		return stored, false, err
	case !u.isFor(stored):
		return stored, false, errTaken
	default:
		if over, err := u.isOver(ctx, undoID); err != nil || over {
			return stored, false, cmp.Or(err, errTaken)
		}
		if u.table == undoUpload {
			return stored, false, nil
		}
		// it may have been stored for a table that was to be dropped
		_, err = ledger.Undo(ctx, u.Store, u.record.ExecutionID, undoID, nil, u.now())
		return stored, false, err
	}
	of, err := plans.Load(ctx, u.Store, u.record.ExecutionID)
	if err != nil {
		return stored, false, err
	}
	made := plans.Undo(of.Plan, undoID, u.record.Seal.Changes.SHA256, u.now())
	made.Undo.Stale = u.stale
	stored = u.newStoredPlan(made)
	stored.CreatedBy = u.by
	err = u.store(ctx, stored)
	return stored, err == nil, err
}

func (u *undoCreation) store(ctx context.Context, stored plans.Stored) error {
	if u.table == undoUpload {
		return u.Store.CreatePlan(ctx, stored.Record)
	}
	_, err := ledger.Undo(ctx, u.Store, u.record.ExecutionID, stored.ExecutionID, &stored.Record, u.now())
	return err
}

// isFor reports whether a stored plan is what is asked for, at once.
func (u *undoCreation) isFor(stored plans.Stored) bool {
	undo := stored.Plan.Undo
	return undo != nil && undo.ExecutionID == u.record.ExecutionID && undo.Stale == u.stale &&
		stored.Plan.ApplyAt == ""
}

// isOver reports whether an undo has completed, which left rows, or was undone since, or
// the output has had its outcome under it, as one that was rejected has: it is not computed
// again.
func (u *undoCreation) isOver(ctx context.Context, undoID string) (bool, error) {
	record, err := u.Store.Execution(ctx, undoID)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return false, nil
	case err != nil || record.Status == ledger.Completed || u.table == undoUpload:
		return record.Status == ledger.Completed, err
	}
	audit, err := u.Store.Audit(ctx, undoID, plannerapi.MaxAudit)
	return slices.ContainsFunc(audit, func(d ledger.AuditDocument) bool {
		return d.Upload.OutputOf == u.record.ExecutionID
	}), err
}
