package planner

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/web"
)

// preview answers POST /v1/plans/{execution_id}:preview, of a held table or of one in the
// request's body, which is kept until it is answered.
func (h handler) preview(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	var from *tableSource
	if isJSON(r) {
		var id string
		err := web.ReadObject(w, r, func(body *strictjson.Object) { id, _ = body.Required("table").String() })
		if err != nil {
			return nil, err
		}
		if from, err = h.readSource(r, nil, id); err != nil {
			return nil, err
		}
	} else {
		body, err := web.Body(w, r, plannerapi.MaxPreviewBytes, files.ContentTypes()...)
		if err != nil {
			return nil, err
		}
		done, err := h.awaitTurn(r.Context())
		if err != nil {
			return nil, err
		}
		defer done()
		text, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		if from, err = h.readSource(r, text, ""); err != nil {
			return nil, err
		}
	}
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return nil, err
	}
	return h.showPreview(w, r, previewOf{plan: stored.Plan, stored: &stored, from: from})
}

// awaitTurn waits for the turn of one who keeps a table in memory while it is looked at. Whoever
// has it calls done.
func (h handler) awaitTurn(ctx context.Context) (done func(), err error) {
	select {
	case h.looking <- struct{}{}:
		return func() { <-h.looking }, nil
	case <-ctx.Done():
		return nil, errs.Wrap(errs.Deadline, ctx.Err(),
			"Time ran out before it was this table's turn: others were being looked through.")
	}
}

// rulesRequest asks what rules would do to a held table.
type rulesRequest struct {
	table      string
	operations []plan.Operation
	terms      plan.Terms
	sample     int // how many changes are shown, of different kinds; 0: the first ones
}

func (q *rulesRequest) decode(data []byte) error {
	problems := strictjson.ReadObject(data, func(body *strictjson.Object) {
		q.table, _ = body.Required("table").String()
		q.operations = plan.ReadRules(body.Required("operations"))
		q.terms = plan.ReadTerms(body)
		q.sample, _ = body.Optional("sample").Int(1, maxSample)
	})
	return web.Problems(append(problems, plan.CheckOperations(q.operations, problems)...))
}

// previewRules answers POST /v1/plans:preview.
func (h handler) previewRules(w http.ResponseWriter, r *http.Request) (any, error) {
	var request rulesRequest
	if err := web.ReadJSON(w, r, request.decode); err != nil {
		return nil, err
	}
	from, err := h.readSource(r, nil, request.table)
	if err != nil {
		return nil, err
	}
	of := &plan.Plan{Operations: request.operations, Terms: request.terms}
	return h.showPreview(w, r, previewOf{plan: of, from: from, sample: request.sample})
}

// readSource reads from a request's parameters how its table is read, and which changes
// are asked for. The table is the request's body, or where that is nil the held one of the id.
func (h handler) readSource(r *http.Request, body []byte, id string) (from *tableSource, err error) {
	var asked *wanted
	var given map[string]string
	err = web.ReadQuery(r, func(q *web.Query) {
		given, asked = h.readSettings(q), readWanted(q, r)
	})
	if err != nil {
		return nil, err
	}
	if body == nil {
		from, err = h.tableSource(r, id, given)
	} else {
		from, err = h.bodySource(body, given)
	}
	if err != nil {
		return nil, err
	}
	from.asked = asked
	return from, nil
}

// bodySource is the table in a request's body, read as is said.
func (h handler) bodySource(body []byte, given map[string]string) (*tableSource, error) {
	settings, err := h.settings(given)
	if err != nil {
		return nil, err
	}
	read := new(bucket.Digest)
	_, _ = read.Write(body) // a counter has no errors
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return &tableSource{settings: settings, read: read, open: open}, nil
}

// tableSource is a held table, read as is said.
func (h handler) tableSource(r *http.Request, id string, given map[string]string) (*tableSource, error) {
	found, err := h.tableOf(r, id)
	if err != nil {
		return nil, err
	}
	return h.sourceOf(r.Context(), found, given)
}

// sourceOf is a held table that was found, read as is said.
func (h handler) sourceOf(
	ctx context.Context, found *tableInUse, given map[string]string,
) (*tableSource, error) {
	settings, err := h.settingsOf(found.Table, given)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return h.Tables.Open(ctx, found.Table) }
	return &tableSource{settings: settings, read: &found.Digest, open: open, fetched: found.Shop != nil}, nil
}

// sameTable warns of plans that were carried out on a table: what comes of another one is
// without what they changed.
func (h handler) sameTable(
	ctx context.Context, read bucket.Digest, executionID string,
) (warnings []plan.Warning) {
	return lineage.SameTable(ctx, h.Store, ledger.File{Size: read.Size, CRC32C: read.CRC32C}, executionID)
}

// outputUsed warns of undoing an execution on an output that others went on with.
func (h handler) outputUsed(ctx context.Context, record ledger.Execution) []plan.Warning {
	return lineage.OutputUsed(ctx, h.Store, record)
}

// previewOf is what a preview is of.
type previewOf struct {
	plan   *plan.Plan
	stored *plans.Stored // nil: the rules are in no plan yet
	from   *tableSource
	sample int
}

// showPreview shows what a plan would do to a table.
func (h handler) showPreview(w http.ResponseWriter, r *http.Request, of previewOf) (any, error) {
	from, name := of.from, "preview"
	answer := plannerapi.Preview{}
	if of.stored != nil {
		name, answer.PlanSHA256 = of.stored.ExecutionID, of.stored.SHA256
	}
	found := &changes{wanted: from.asked}
	some := &sample{wanted: from.asked, size: of.sample, kinds: map[int]*kindOfMove{}}
	see, skip := found.see, found.skip
	if of.sample > 0 {
		see, skip = some.see, some.skip
	}
	if err := from.checkForShop(of.plan); err != nil {
		return nil, err
	}
	seen, err := from.preview(r.Context(), of.plan, see, skip)
	if err != nil {
		return nil, withChoices(table.On(err, setting.QueryParameter), of.plan)
	}
	if from.asked.asCSV {
		from.writeCSV(w, r, seen.engine, name)
		return nil, nil
	}
	if of.sample > 0 {
		found.page, found.found = some.page(), some.found
	}
	answer.PreviewSHA256, answer.Table, answer.Effect = seen.sha256, seen.Table, seen.Effect
	answer.Summary = plannerapi.PreviewSummaryOf(seen.Counts)
	answer.RuleFigures = plannerapi.FiguresOf(&seen.Preview)
	answer.Warnings = strictjson.NotNil(h.previewWarnings(r.Context(), of, seen.Summary))
	answer.ChangedBefore = h.changedBefore(r.Context(), of)
	answer.Changes, err = found.shown(r.Context(), from)
	answer.RowsFound, answer.NextPageToken = found.found, found.next()
	answer.Truncated = seen.RowsChanged > int64(len(answer.Changes))
	return answer, err
}

// previewWarnings are all that there are of a plan on a table.
func (h handler) previewWarnings(ctx context.Context, of previewOf, summary pricing.Summary) []plan.Warning {
	var id string
	var ofPlan []plan.Warning
	if of.stored != nil {
		id, ofPlan = of.stored.ExecutionID, of.plan.Warnings()
	}
	return slices.Concat(h.sameTable(ctx, *of.from.read, id), ofPlan, engineWarnings(summary))
}

// changedBefore are the executions that changed the table of a preview before. Where they
// cannot be looked up, sameTable says so.
func (h handler) changedBefore(ctx context.Context, of previewOf) (all []plannerapi.ChangedBefore) {
	id := ""
	if of.stored != nil {
		id = of.stored.ExecutionID
	}
	found, _ := lineage.ChangedBefore(ctx, h.Store, ledger.File{
		Size:   of.from.read.Size,
		CRC32C: of.from.read.CRC32C,
	}, id)
	for _, execution := range found {
		all = append(all, plannerapi.ChangedBefore{
			ExecutionID: execution.ExecutionID,
			ExecutedAt:  execution.Seal.ExecutedAt,
		})
	}
	return all
}

// engineWarnings are the engine's own warnings.
func engineWarnings(summary pricing.Summary) []plan.Warning {
	var warnings []plan.Warning
	for _, warning := range summary.Warnings {
		warnings = append(warnings, plannerapi.WarningOf(warning))
	}
	return warnings
}
