package planner

import (
	"context"
	"net/http"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/web"
)

// withdrawExecution answers POST /v1/executions/{execution_id}:withdraw: who asked for what
// is proposed takes it back.
func (h handler) withdrawExecution(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	var said ledger.Rejection
	text := func(body *strictjson.Object) strictjson.Field {
		said.ApprovedBy, _ = body.Optional("approved_by").String()
		return body.Optional("reason")
	}
	return h.decide(w, r, executionID, plannerapi.ActWithdraw, text, func(
		ctx context.Context, store ledger.Store, id string, given ledger.Approval,
	) (ledger.Execution, error) {
		said.Approval = given
		return ledger.Withdraw(ctx, store, id, said)
	})
}

// remindExecution answers POST /v1/executions/{execution_id}:remind: the approvers are told
// once more that something waits for them.
func (h handler) remindExecution(_ http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	p, err := h.acting(r, executionID, plannerapi.ActRemind)
	if err != nil {
		return nil, err
	}
	if err := h.checkNotices(); err != nil {
		return nil, err
	}
	record, err := ledger.Remind(r.Context(), h.Store, executionID, p.name, h.now())
	if err != nil {
		return nil, err
	}
	web.Log(r.Context()).InfoContext(r.Context(), "reminded", "by", p.name)
	return h.showStatus(r, record)
}

// checkNotices refuses a reminder where nobody would hear of it.
func (h handler) checkNotices() error {
	if h.Notifies {
		return nil
	}
	return errs.New(errs.Conflict, "Nobody is told anything here: this installation has no webhook (NOTIFY_URL). Tell the approvers yourself.")
}

// noteImported answers POST /v1/executions/{execution_id}:imported: the caller has imported
// the result into the shop. The first note stands.
func (h handler) noteImported(_ http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	p, err := h.acting(r, executionID, plannerapi.ActImported)
	if err != nil {
		return nil, err
	}
	record, err := h.execution(r.Context(), executionID)
	switch {
	case err != nil:
		return nil, err
	case record.Status != ledger.Completed:
		return nil, errs.New(errs.Conflict,
			"Execution %s is %s and has no result that anybody could import.", executionID, record.Status)
	}
	note := ledger.Import{ExecutionID: executionID, By: p.name, At: h.now()}
	if note, err = h.Store.NoteImport(r.Context(), note); err != nil {
		return nil, err
	}
	web.Log(r.Context()).InfoContext(r.Context(), "imported", "by", note.By)
	return h.showStatus(r, record)
}

// acting is who sends a request to do something with an execution that there is, and may.
func (h handler) acting(r *http.Request, executionID string, act plannerapi.Action) (person, error) {
	p := h.person(r)
	if err := p.refusal(act); err != nil {
		return p, err
	}
	_, err := h.execution(r.Context(), executionID)
	return p, err
}

// imports are the notes of who imported the results of some executions, in one round trip.
func (h handler) imports(ctx context.Context, of []ledger.Execution) (map[string]ledger.Import, error) {
	var completed []string
	for _, e := range of {
		if e.Status == ledger.Completed {
			completed = append(completed, e.ExecutionID)
		}
	}
	if len(completed) == 0 {
		return nil, nil
	}
	return h.Store.Imports(ctx, completed...)
}
