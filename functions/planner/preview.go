package planner

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

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
	warnAgainstAction  = "moves_against_action"
)

// preview answers POST /v1/plans/{execution_id}:preview. The table streams
// through the engine and is kept nowhere, or is one that is held.
func (h handler) preview(w http.ResponseWriter, r *http.Request, executionID string) error {
	values, asked, err := previewQuery(r)
	if isJSON(r) {
		if err != nil {
			return err
		}
		return h.previewHeld(w, r, executionID, values, asked)
	}
	body, bodyErr := web.Body(w, r, plannerapi.MaxPreviewBytes, table.ContentTypes()...)
	if bodyErr != nil {
		return bodyErr
	}
	if err == nil && asked.asCSV {
		err = errs.New(errs.Invalid, "The changes are answered as CSV for a held table: send it to POST /v1/tables, and name it here.")
	}
	if err == nil {
		from := &tableSource{once: true, open: func() (io.ReadCloser, error) { return io.NopCloser(body), nil }}
		if from.settings, err = h.settings(values); err == nil {
			err = h.showPreview(w, r, executionID, from, asked)
		}
	}
	if err != nil {
		return cmp.Or(web.Drain(body), err)
	}
	return nil
}

// previewHeld shows what a plan would do to a held table.
func (h handler) previewHeld(w http.ResponseWriter, r *http.Request, executionID string, values map[string]string, asked *wanted) error {
	var id string
	if err := web.ReadObject(w, r, func(body *strictjson.Object) { id, _ = body.Required("table").String() }); err != nil {
		return err
	}
	found, err := h.tableOf(r, id)
	if err != nil {
		return err
	}
	from := &tableSource{open: func() (io.ReadCloser, error) { return h.Tables.Open(r.Context(), found.Table) }}
	if from.settings, err = h.settingsOf(found.Table, values); err != nil {
		return err
	}
	return h.showPreview(w, r, executionID, from, asked)
}

// showPreview answers with what a plan would do to a table.
func (h handler) showPreview(w http.ResponseWriter, r *http.Request, executionID string, from *tableSource, asked *wanted) error {
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return err
	}
	engine, err := pricing.Compile(stored.Plan, from.settings)
	if err != nil {
		return err
	}
	found := &changes{wanted: asked}
	summary, err := from.look(r.Context(), engine, found.see)
	if err != nil {
		return withChoices(table.On(err, table.QueryParameter), stored.Plan)
	}
	if asked.asCSV {
		return from.writeCSV(w, r, engine, asked, executionID)
	}
	shown, err := found.shown(r.Context(), from)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, plannerapi.Preview{
		PlanSHA256: stored.SHA256,
		Table:      summary.Table,
		Summary:    plannerapi.PreviewSummary{RowsTotal: summary.RowsTotal, RowsChanged: summary.RowsChanged, Operations: summary.Operations},
		Effect:     summary.Effect,
		Warnings:   strictjson.NotNil(slices.Concat(plan.Lint(stored.Plan, stored.Categories), engineWarnings(summary), unmatched(summary), againstAction(summary.Operations, stored.Plan))),
		Changes:    shown,
		RowsFound:  found.found,
		Truncated:  summary.RowsChanged > int64(len(shown)),

		NextPageToken: found.next(),
	})
	return nil
}

// previewQuery reads which changes are asked for, and the settings of the table.
func previewQuery(r *http.Request) (settings map[string]string, asked *wanted, err error) {
	of, values, err := page(r, settingNames(wantedParameters...)...)
	if err != nil {
		return nil, nil, err
	}
	asked, err = readWanted(r, of, values)
	return values, asked, err
}

// settings are those that are given, and else the configuration's.
func (h handler) settings(given map[string]string) (table.Settings, error) {
	settings, err := h.Settings.With(given)
	var refused *table.SettingError
	if errors.As(err, &refused) {
		return table.Settings{}, web.Problems([]strictjson.Problem{{Path: string(refused.Name), Message: refused.Message}})
	}
	return settings, err
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

// againstAction warns of operations that move prices against what they are to
// do, by rounding, ending, floor or cap.
func againstAction(operations []pricing.OperationCount, p *plan.Plan) []plan.Warning {
	var warnings []plan.Warning
	for i, operation := range operations {
		if operation.RowsAgainst == 0 {
			continue
		}
		word := "an increase lowers"
		if price, err := p.Operations[i].Action.Price(); err == nil && price.Direction() < 0 {
			word = "a decrease raises"
		}
		warnings = append(warnings, plan.Warning{Code: warnAgainstAction, OperationIDs: []string{operation.OperationID},
			Message: fmt.Sprintf("In %d rows %s the price, by rounding, ending, floor or cap (%s).", operation.RowsAgainst, word, operation.OperationID)})
	}
	return warnings
}
