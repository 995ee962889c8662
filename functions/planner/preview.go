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
// through the engine and is kept nowhere.
func (h handler) preview(w http.ResponseWriter, r *http.Request, executionID string) error {
	body, err := web.Body(w, r, plannerapi.MaxPreviewBytes, table.ContentTypes()...)
	if err != nil {
		return err
	}
	answer, err := h.previewed(r, executionID, body)
	if err != nil {
		return cmp.Or(web.Drain(body), err)
	}
	web.WriteJSON(w, http.StatusOK, answer)
	return nil
}

func (h handler) previewed(r *http.Request, executionID string, body io.Reader) (plannerapi.Preview, error) {
	settings, changes, err := h.previewQuery(r)
	if err != nil {
		return plannerapi.Preview{}, err
	}
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
		return plannerapi.Preview{}, table.On(err, table.QueryParameter)
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

// previewQuery reads which changes are asked for, and the settings of the table:
// those of the query, and else the configuration's.
func (h handler) previewQuery(r *http.Request) (table.Settings, *changeReader, error) {
	asked, values, err := page(r, settingNames("search")...)
	if err != nil {
		return table.Settings{}, nil, err
	}
	changes, err := newChangeReader(asked, values["search"])
	if err != nil {
		return table.Settings{}, nil, err
	}
	settings, err := h.settings(values)
	return settings, changes, err
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
