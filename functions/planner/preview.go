package planner

import (
	"cmp"
	"errors"
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
	values, changes, err := previewQuery(r)
	if isJSON(r) {
		if err != nil {
			return err
		}
		return h.previewHeld(w, r, executionID, values, changes)
	}
	body, bodyErr := web.Body(w, r, plannerapi.MaxPreviewBytes, table.ContentTypes()...)
	if bodyErr != nil {
		return bodyErr
	}
	var answer plannerapi.Preview
	if err == nil {
		var settings table.Settings
		if settings, err = h.settings(values); err == nil {
			answer, err = h.previewed(r, executionID, body, settings, changes)
		}
	}
	if err != nil {
		return cmp.Or(web.Drain(body), err)
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

// previewHeld shows what a plan would do to a held table.
func (h handler) previewHeld(w http.ResponseWriter, r *http.Request, executionID string, values map[string]string, changes *changeReader) error {
	var id string
	if err := web.ReadObject(w, r, func(body *strictjson.Object) { id, _ = body.Required("table").String() }); err != nil {
		return err
	}
	found, err := h.tableOf(r, id)
	if err != nil {
		return err
	}
	settings, err := h.settingsOf(found.Table, values)
	if err != nil {
		return err
	}
	in, err := h.Tables.Open(r.Context(), found.Table)
	if err != nil {
		return err
	}
	defer in.Close()
	answer, err := h.previewed(r, executionID, in, settings, changes)
	if err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

func (h handler) previewed(r *http.Request, executionID string, body io.Reader, settings table.Settings, changes *changeReader) (plannerapi.Preview, error) {
	stored, err := h.storedPlan(r.Context(), executionID)
	if err != nil {
		return plannerapi.Preview{}, err
	}
	engine, err := pricing.Compile(stored.Plan, settings)
	if err != nil {
		return plannerapi.Preview{}, err
	}
	source := &keptError{Reader: body}
	summary, err := engine.Run(r.Context(), source, io.Discard, changes)
	switch {
	case source.err != nil:
		return plannerapi.Preview{}, source.err
	case changes.err != nil:
		return plannerapi.Preview{}, errs.Wrap(errs.Internal, changes.err, "The preview's changes cannot be read.")
	case err != nil:
		return plannerapi.Preview{}, withChoices(table.On(err, table.QueryParameter), stored.Plan)
	}
	return plannerapi.Preview{
		PlanSHA256: stored.SHA256,
		Table:      summary.Table,
		Summary:    plannerapi.PreviewSummary{RowsTotal: summary.RowsTotal, RowsChanged: summary.RowsChanged, Operations: summary.Operations},
		Effect:     summary.Effect,
		Warnings:   strictjson.NotNil(slices.Concat(plan.Lint(stored.Plan, stored.Categories), engineWarnings(summary), unmatched(summary), againstAction(summary.Operations, stored.Plan))),
		Changes:    strictjson.NotNil(changes.page),
		Truncated:  changes.count > int64(len(changes.page)),

		NextPageToken: changes.next(),
	}, nil
}

// previewQuery reads which changes are asked for, and the settings of the table.
func previewQuery(r *http.Request) (settings map[string]string, changes *changeReader, err error) {
	asked, values, err := page(r, settingNames("search")...)
	if err != nil {
		return nil, nil, err
	}
	changes, err = newChangeReader(asked, values["search"])
	return values, changes, err
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

// keptError is a reader that remembers why it failed: a body that is too
// large or broke off must not be told as a fault of the table.
type keptError struct {
	io.Reader
	err error
}

func (k *keptError) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	if err != nil && err != io.EOF {
		k.err = err
	}
	return n, err
}
