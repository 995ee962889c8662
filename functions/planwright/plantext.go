package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
)

// tell says what the plan will do, to the table too, and how it came about.
func (f planFlags) tell(ctx context.Context, env environment, made usedPlan, by plans.PlannedBy) error {
	out := env.stdout
	explanation := append(plan.Explain(made.Plan), by.Caveats()...)
	warnings := append(made.Warnings(), by.Warnings()...)
	tried, refused, err := f.try(ctx, env, made.Plan)
	if err != nil {
		return err
	}
	warnings = append(warnings, refused...)
	if printed, err := f.form.print(out, map[string]any{
		"plan":        json.RawMessage(made.Canonical()),
		"explanation": explanation,
		"warnings":    strictjson.NotNil(warnings),
		"planner":     by,
		"completed":   made.completed != nil,
		"summary":     tried,
	}); printed || err != nil {
		return err
	}
	fmt.Fprintf(out, "planned    %s, by %s\n", made.ExecutionID, plannedBy(by))
	for _, sentence := range explanation {
		fmt.Fprintf(out, "  %s\n", sentence)
	}
	for _, warning := range warnings {
		fmt.Fprintf(out, "  warning: %s\n", inWords(made.Plan, warning.Message))
	}
	if tried != nil {
		fmt.Fprintf(
			out,
			"  table    %s: %s, of which it would change %d\n",
			near(f.csv),
			plural(tried.RowsTotal, "row"),
			tried.RowsChanged,
		)
		for _, warning := range tried.Warnings {
			fmt.Fprintf(out, "  warning: %s\n", inWords(made.Plan, warning))
		}
	}
	if by.Tokens != nil {
		fmt.Fprintf(out, "  tokens   %s\n", by.Tokens)
	}
	switch f.out {
	case "-":
	case "":
		fmt.Fprintln(out, "  plan     not written: --plan-out F keeps it for apply")
	default:
		fmt.Fprintf(out, "  plan     %s\n", near(f.out))
	}
	return tellCompleted(ctx, out, f.db, made)
}

func inWords(p *plan.Plan, warning string) string {
	var ids []string
	for _, operation := range p.Operations {
		ids = append(ids, operation.OperationID)
	}
	return plan.InWords(warning, ids)
}

// plannedBy names the planners that made a plan.
func plannedBy(by plans.PlannedBy) string {
	switch by.Agreement {
	case planning.AgreementBoth:
		return by.Model + " and grammar"
	case planning.AgreementModel:
		return by.Model + " alone"
	case planning.AgreementPerson:
		return "you"
	}
	return cmp.Or(by.Model, "a model, as you chose")
}

// indented is a plan's JSON with a line for each field, as a person reads it.
func indented(p *plan.Plan) string {
	var text bytes.Buffer
	if err := json.Indent(&text, p.Canonical(), "", "  "); err != nil {
		panic("a canonical plan is not JSON: " + err.Error())
	}
	return text.String() + "\n"
}
