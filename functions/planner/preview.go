package planner

import (
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/strictjson"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// Codes of what only the table can tell.
const (
	warnMatchedNothing = "matched_no_row"
	warnSameTable      = "same_table"
	warnOutputUsed     = "output_used"
)

// preview answers POST /v1/plans/{execution_id}:preview. The table streams
// through the engine and is kept nowhere, or is one that is held.
func (h handler) preview(w http.ResponseWriter, r *http.Request, executionID string) (any, error) {
	from, id := &tableSource{}, ""
	var err error
	if isJSON(r) {
		err = web.ReadObject(w, r, func(body *strictjson.Object) { id, _ = body.Required("table").String() })
	} else {
		from, err = streamed(w, r)
	}
	if err != nil {
		return nil, err
	}
	var asked *wanted
	var given map[string]string
	err = web.ReadQuery(r, func(q *web.Query) {
		given, asked = h.readSettings(q), readWanted(q, r)
	})
	switch {
	case err != nil:
		return nil, err
	case from.once && asked.asCSV:
		return nil, errs.New(errs.Invalid, "The changes are answered as CSV for a held table: send it to POST /v1/tables, and name it here.")
	case from.once:
		from.settings, err = h.settings(given)
	default:
		from, err = h.heldSource(r, id, given)
	}
	if err != nil {
		return nil, err
	}
	return h.showPreview(w, r, executionID, from, asked)
}

// streamed is the table in a request's body.
func streamed(w http.ResponseWriter, r *http.Request) (*tableSource, error) {
	body, err := web.Body(w, r, plannerapi.MaxPreviewBytes, table.ContentTypes()...)
	read := new(bucket.Digest)
	return &tableSource{once: true, read: read, open: func() (io.ReadCloser, error) { return io.NopCloser(io.TeeReader(body, read)), nil }}, err
}

// heldSource is a held table, read as is said.
func (h handler) heldSource(r *http.Request, id string, given map[string]string) (*tableSource, error) {
	found, err := h.tableOf(r, id)
	if err != nil {
		return nil, err
	}
	return h.sourceOf(r.Context(), found, given)
}

// sourceOf is a held table that was found, read as is said.
func (h handler) sourceOf(ctx context.Context, found *tableInUse, given map[string]string) (*tableSource, error) {
	settings, err := h.settingsOf(found.Table, given)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return h.Tables.Open(ctx, found.Table) }
	return &tableSource{settings: settings, read: &found.Digest, open: open}, nil
}

// sameTable warns of plans that were carried out on a table: what comes of another one is
// without what they changed.
func (h handler) sameTable(ctx context.Context, read bucket.Digest, executionID string) (warnings []plan.Warning) {
	return coded(warnSameTable, ledger.SameTable(ctx, h.Store, ledger.File{Size: read.Size, CRC32C: read.CRC32C}, executionID))
}

// outputUsed warns of undoing an execution on an output that others went on with.
func (h handler) outputUsed(ctx context.Context, record ledger.Execution) []plan.Warning {
	return coded(warnOutputUsed, ledger.OutputUsed(ctx, h.Store, record))
}

// coded are the warnings of one code.
func coded(code string, messages []string) (warnings []plan.Warning) {
	for _, message := range messages {
		warnings = append(warnings, plan.Warning{Code: code, OperationIDs: []string{}, Message: message})
	}
	return warnings
}

// showPreview shows what a plan would do to a table.
func (h handler) showPreview(w http.ResponseWriter, r *http.Request, executionID string, from *tableSource, asked *wanted) (any, error) {
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return nil, err
	}
	engine, err := pricing.Compile(stored.Plan, from.settings)
	if err != nil {
		return nil, err
	}
	found := &changes{wanted: asked}
	summary, hash, err := from.lookAndHash(r.Context(), stored.SHA256, engine, found.see)
	if err != nil {
		return nil, withChoices(table.On(err, table.QueryParameter), stored.Plan)
	}
	if asked.asCSV {
		from.writeCSV(w, r, engine, asked, executionID)
		return nil, nil
	}
	shown, err := found.shown(r.Context(), from)
	return plannerapi.Preview{
		PlanSHA256:    stored.SHA256,
		PreviewSHA256: hash,
		Table:         summary.Table,
		Summary:       plannerapi.PreviewSummary{RowsTotal: summary.RowsTotal, RowsChanged: summary.RowsChanged, Operations: summary.Operations},
		Effect:        summary.Effect,
		Warnings:      strictjson.NotNil(slices.Concat(h.sameTable(r.Context(), *from.read, executionID), plan.Lint(stored.Plan, stored.Categories), engineWarnings(summary), unmatched(summary))),
		Changes:       shown,
		RowsFound:     found.found,
		Truncated:     summary.RowsChanged > int64(len(shown)),

		NextPageToken: found.next(),
	}, err
}

// engineWarnings are the engine's own warnings.
func engineWarnings(summary pricing.Summary) []plan.Warning {
	var warnings []plan.Warning
	for _, warning := range summary.Warnings {
		warnings = append(warnings, plan.Warning{Code: warning.Code, OperationIDs: strictjson.NotNil(warning.OperationIDs), Message: warning.Message})
	}
	return warnings
}

// unmatched warns of each operation that matched no row.
func unmatched(summary pricing.Summary) []plan.Warning {
	var warnings []plan.Warning
	for _, operation := range summary.Operations {
		if operation.RowsMatched == 0 {
			warnings = append(warnings, plan.Warning{Code: warnMatchedNothing, OperationIDs: []string{operation.OperationID},
				Message: ledger.MatchedNoRow(operation.OperationID)})
		}
	}
	return warnings
}
