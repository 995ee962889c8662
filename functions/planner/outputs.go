package planner

import (
	"context"
	"net/http"
	"path"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/tablestore"
	"github.com/planwright/planwright/shared/web"
)

// holdOutput answers POST /v1/tables with {"output_of"}: what an execution wrote is held as
// a table that was sent, to go on with it.
func (h handler) holdOutput(w http.ResponseWriter, r *http.Request) (any, error) {
	var id string
	err := web.ReadObject(w, r, func(body *strictjson.Object) { id, _ = body.Required("output_of").String() })
	if err != nil {
		return nil, err
	}
	sent, err := h.sent(r, "", nil)
	if err != nil {
		return nil, err
	}
	record, err := h.completed(r.Context(), id)
	if err != nil {
		return nil, err
	}
	if record.UndoneBy != "" {
		undos, err := lineage.Follow(r.Context(), h.Store, record)
		if err != nil {
			return nil, err
		}
		if undos.Again() {
			return nil, errs.New(errs.Conflict,
				"Nobody goes on with what %s wrote any more. %s Go on with the output of %s.",
				id, undos, undos.Newest())
		}
		return nil, errs.New(errs.Conflict, "%s was undone by %s: what it wrote has changes that were taken back. Go on with the output of %[2]s.", id, record.UndoneBy)
	}
	output, err := h.outputOf(r.Context(), record)
	if err != nil {
		return nil, err
	}
	sent.File = path.Base(output.Name)
	sent.Settings = settingsOfOutput(record)
	settings, err := h.settings(sent.Settings)
	if err != nil {
		return nil, err
	}
	answer, err := h.Tables.HoldCopy(r.Context(), h.Outbox, output, sent, settings)
	return web.Reply{Status: http.StatusCreated, Value: answer}, table.On(err, setting.QueryParameter)
}

// completed is the record of an execution whose result is there.
func (h handler) completed(ctx context.Context, executionID string) (ledger.Execution, error) {
	record, err := h.execution(ctx, executionID)
	if err == nil && record.Status != ledger.Completed {
		err = errs.New(errs.Conflict,
			"Execution %s is %s, so it has written nothing that anybody could go on with.",
			executionID, record.Status)
	}
	return record, err
}

// outputOf is the object that a completed execution wrote.
func (h handler) outputOf(ctx context.Context, record ledger.Execution) (bucket.Object, error) {
	wrote := record.Seal.Output
	switch {
	case h.Outbox == nil:
		return bucket.Object{}, web.NotImplemented("This planner may not read what executions write: its operator lets it with OUTBOX_BUCKET and AUDIT_BUCKET. Until then fetch %s and send it.", wrote)
	case wrote.Size > tablestore.MaxUploadBytes:
		return bucket.Object{}, errs.New(errs.Invalid, "What %s wrote has %d bytes, more than the 4 GiB that are held: apply the next plan where the table is, with planwright apply.", record.ExecutionID, wrote.Size)
	}
	object, err := h.Outbox.Stat(ctx, wrote.Object)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return object, errs.Wrap(errs.NotFound, err, "What %s wrote is not in the outbox any more: somebody removed %s. Export the table from the shop and send it.", record.ExecutionID, wrote.Object)
	case err == nil && (object.Size != wrote.Size || object.CRC32C != wrote.CRC32C):
		return object, errs.New(errs.Conflict, "%s has other bytes than %s wrote: somebody replaced it. Export the table from the shop and send it.", wrote.Object, record.ExecutionID)
	}
	return object, err
}

// ofOnePlan are the settings that decide about one plan alone: another plan on the same
// rows is asked again.
var ofOnePlan = []string{"unmatched", "in_stock_quantity", "sale_dates"}

// settingsOfOutput are those by which an execution read its table, and by which what it
// wrote is read.
func settingsOfOutput(record ledger.Execution) map[string]string {
	given := record.Seal.ReadBy(record.Source).Given()
	for _, name := range ofOnePlan {
		delete(given, name)
	}
	return given
}
