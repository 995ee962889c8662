package console

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/pricing"
)

// planView is a stored plan, with what is shown of its own fields.
type planView struct {
	plannerapi.StoredPlan
	Plan struct {
		ExecutionID       string `json:"execution_id"`
		SourceInstruction string `json:"source_instruction"`
		CreatedAt         string `json:"created_at"`
		ApplyAt           string `json:"apply_at"`
		RevertAt          string `json:"revert_at"`
		Approval          plan.Approval
		Undo              json.RawMessage
		Operations        []struct {
			OperationID string `json:"operation_id"`
		}
	} `json:"plan"`
}

// effectOf is what a preview or a proposal would do to prices, with the form in
// which the table writes them.
func effectOf(shown any) effectView {
	switch shown := shown.(type) {
	case *plannerapi.Preview:
		return effectView{&shown.Effect, priceForm(&shown.Table)}
	case *ledger.Proposal:
		return effectView{&shown.Effect, priceForm(shown.Summary.Table)}
	}
	panic("a page shows the effect of something else")
}

// sentence is one of those that say what a plan does: of a step, where there are
// several, with its number and, where that tells more than the sum, its rows.
type sentence struct {
	Number int
	Text   string
	Count  *ledger.OperationCount
}

// Sentences are those of the plan, with the rows of its steps where they are counted.
func (p planView) Sentences(counts []ledger.OperationCount) (all []sentence) {
	steps := p.Plan.Operations
	for i, text := range p.Explanation {
		said := sentence{Text: text}
		if i < len(steps) && len(steps) > 1 {
			said.Number = i + 1
		}
		at := slices.IndexFunc(counts, func(c ledger.OperationCount) bool { return i < len(steps) && c.OperationID == steps[i].OperationID })
		if at >= 0 && (len(counts) > 1 || counts[at].RowsMatched != counts[at].RowsChanged) {
			said.Count = &counts[at]
		}
		all = append(all, said)
	}
	return all
}

// toldWarning is a warning on a page. Against: rows move the other way than is meant.
type toldWarning struct {
	Text    string
	Against bool
	Plans   []string // other changes that it is about, by their ids
}

// Told are warnings in words for people. Of sentences, the first are those of the engine's
// warnings, where these are given; that a rule is for nothing stands beside the rules.
func (p planView) Told(warnings any, engine ...[]pricing.Warning) (all []toldWarning) {
	var coded []plan.Warning
	switch warnings := warnings.(type) {
	case []string:
		for _, warning := range slices.Concat(engine...) {
			coded = append(coded, plannerapi.WarningOf(warning))
		}
		if len(coded) == 0 { // from before there were codes
			for _, text := range warnings {
				coded = append(coded, plan.Warning{Message: text})
			}
		}
	case []plan.Warning:
		coded = warnings
	}
	for _, warning := range coded {
		told := toldWarning{Against: warning.Code == pricing.WarnAgainst}
		if told.Text, _ = warningOf(warning, p.ruleIDs()); warning.Code == ledger.WarnSameTable || warning.Code == ledger.WarnOutputUsed {
			told.Plans = warning.Arguments
		}
		all = append(all, told)
	}
	return all
}

// ruleIDs are those of the plan's rules, in their order.
func (p planView) ruleIDs() (ids []string) {
	for _, step := range p.Plan.Operations {
		ids = append(ids, step.OperationID)
	}
	return ids
}

// rows are changed rows of a plan's table.
type rows struct {
	Changes []plannerapi.SeenChange
	plan    planView
}

// Rows are some of those that the plan changes.
func (p planView) Rows(changes []plannerapi.SeenChange) rows { return rows{changes, p} }

// Named reports whether a row has its product's name.
func (r rows) Named() bool {
	return slices.ContainsFunc(r.Changes, func(c plannerapi.SeenChange) bool { return c.Name != "" || c.Picture != "" })
}

// Moved reports whether it is known how far the rows' prices move.
func (r rows) Moved() bool {
	return slices.ContainsFunc(r.Changes, func(c plannerapi.SeenChange) bool { return c.MovedPercent != nil })
}

// Stock reports whether something is known of a row's stock.
func (r rows) Stock() bool {
	return slices.ContainsFunc(r.Changes, func(c plannerapi.SeenChange) bool { return c.Before.StockWords()+c.After.StockWords() != "" })
}

// Steps reports whether the plan has several, so that a row says which changed it.
func (r rows) Steps() bool { return len(r.plan.Plan.Operations) > 1 }

// By are the numbers of the steps that changed a row.
func (r rows) By(ids []string) string {
	var numbers []string
	for i, step := range r.plan.Plan.Operations {
		if slices.Contains(ids, step.OperationID) {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	return strings.Join(numbers, ", ")
}

// plannedBy says what made the plan.
func (p planView) plannedBy() string {
	switch {
	case p.Agreement == ledger.AgreementModel:
		return "Planned by " + p.Planner.Model + " alone: our own grammar cannot read the sentence, so look closely."
	case p.Agreement == planning.AgreementBoth:
		return "Planned by " + p.Planner.Model + " and read the same way by our own grammar."
	case p.Planner.Model != "":
		return "Read word by word by our own grammar."
	}
	return "Chosen or written by a person."
}

// PlannedBy is plannedBy with what the model was paid for.
func (p planView) PlannedBy() string {
	if p.Planner.Tokens == nil {
		return p.plannedBy()
	}
	return p.plannedBy() + " Tokens: " + p.Planner.Tokens.String() + "."
}
