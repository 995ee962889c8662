package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// report says what came of an apply: on stdout what was done or skipped, as an
// error what failed.
func (a *applying) report(ctx context.Context, outcome ledger.AuditDocument) error {
	j, env, store := a.job, a.env, a.store.Records
	if outcome.Status == ledger.Completed && j.shown == "" { // else it was said before
		if record, err := store.Execution(ctx, outcome.ExecutionID); err == nil {
			for _, warning := range lineage.SameTable(ctx, store, record.Seal.Input, outcome.ExecutionID) {
				fmt.Fprintf(env.stderr, "warning: %s\n", warning.Message)
			}
		}
	}
	if printed, err := j.form.print(env.stdout, outcome); err != nil ||
		printed && outcome.Status != ledger.Failed {
		return err
	}
	switch outcome.Status {
	case ledger.Completed:
		fmt.Fprintf(
			env.stdout,
			"completed  %s\n%s\n",
			outcome.ExecutionID,
			counts(outcome.Explanation, plannerapi.SummaryOf(outcome.Result), outcome.Effect),
		)
		writeStale(env.stdout, outcome.Summary.Stale)
		if outcome.RowsChanged == 0 {
			fmt.Fprintf(env.stdout, "  No row was changed: %s is a copy of %s.\n", near(j.out), near(j.csv))
		}
		fmt.Fprintf(
			env.stdout,
			"  output   %s\n  changes  %s\n  audit    %s\n  records  %s\n",
			near(j.out),
			near(j.changes),
			near(j.audit),
			near(j.db),
		)
		if j.plan.RevertAt != "" {
			fmt.Fprintf(
				env.stdout,
				"  No server is here to undo it on %s. Run then, with the name of a new file for FILE:\n  planwright undo %s --csv %s --out FILE --audit %s --db %s\n",
				j.plan.RevertAt,
				outcome.ExecutionID,
				near(j.out),
				near(j.audit),
				near(j.db),
			)
		}
		return nil
	case ledger.Skipped:
		record, err := store.Execution(ctx, outcome.ExecutionID)
		if err != nil {
			return err
		}
		fmt.Fprintf(
			env.stdout,
			"skipped    %s\n  %s\n  The table was not applied again; a line in %s says so.\n",
			outcome.ExecutionID,
			carriedOut(record),
			near(j.audit),
		)
		for _, path := range a.restored {
			fmt.Fprintf(
				env.stdout,
				"  %s was missing: it is what the plan made then, copied from the store.\n",
				near(path),
			)
		}
		for _, w := range a.left {
			fmt.Fprintf(
				env.stdout,
				"  %s is not written, for %s is not the table that was read then: what the plan made is %s.\n",
				near(w.path),
				near(a.csv),
				near(w.stored),
			)
		}
		if j.plan.Undo != nil {
			fmt.Fprintf(
				env.stdout,
				"  An execution is undone once. To have again what it changed, undo %s.\n",
				outcome.ExecutionID,
			)
		} else if free, err := plans.NextFree(ctx, store, outcome.ExecutionID); err == nil {
			fmt.Fprintf(env.stdout,
				"  To apply the instruction to another table, plan it again with --execution-id %s.\n", free)
		}
		return nil
	default:
		return errs.New(
			errs.Invalid,
			"failed     %s: nothing was changed, no output was written.\n%s",
			outcome.ExecutionID,
			*outcome.Error,
		)
	}
}

// carriedOut says what a completed execution did and when.
func carriedOut(record ledger.Execution) string {
	seal := record.Seal
	return fmt.Sprintf(
		"This plan was carried out on %s over %s and changed %d of %s; a plan is carried out once.",
		minute(seal.ExecutedAt),
		path.Base(record.Source.Object),
		seal.Summary.RowsChanged,
		plural(seal.Summary.RowsTotal, "row"),
	)
}

// counts says what a run did: in one line, as notices and pages say it, and then one
// operation a line, and behind them what else its plan says.
func counts(explanation []string, did plannerapi.Summary, effect pricing.Effect) string {
	var text strings.Builder
	text.WriteString("  " + tableLine(&did.Table))
	text.WriteString("\n  " + (&ledger.Result{Summary: did.Counts, Effect: effect}).Line())
	for i, operation := range did.Operations {
		what := ""
		if i < len(explanation) {
			what = "  " + explanation[i]
		}
		fmt.Fprintf(
			&text,
			"\n  %s: %d matched, %d changed.%s",
			operation.OperationID,
			operation.RowsMatched,
			operation.RowsChanged,
			what,
		)
	}
	for _, sentence := range explanation[min(len(explanation), len(did.Operations)):] {
		fmt.Fprintf(&text, "\n  %s", sentence)
	}
	for _, warning := range did.Warnings {
		fmt.Fprintf(&text, "\n  warning: %s", warning)
	}
	return text.String()
}

// tableLine says what a table was found to be: its platform, its dialect and
// the columns that were read.
func tableLine(found *table.Recognized) string {
	if found == nil {
		return "table: not stated"
	}
	var columns []string
	for _, column := range found.Columns {
		columns = append(columns, column.String())
	}
	return fmt.Sprintf("table: %s; %s\n    %s", found.Profile, found.Dialect, strings.Join(columns, "\n    "))
}

// near is a path as a person in this folder would write it.
func near(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if relative, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(relative) {
		return relative
	}
	return path
}

// nearPaths writes the paths in a text that lie in this folder as near does.
func nearPaths(text string) string {
	here, err := os.Getwd()
	if err != nil || filepath.Dir(here) == here {
		return text
	}
	return strings.ReplaceAll(text, here+string(filepath.Separator), "")
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// problems lists everything that is wrong with a plan, a line each.
func problems(err error) string {
	invalid, ok := errors.AsType[*plan.InvalidError](err)
	if !ok {
		return errs.Message(err)
	}
	var text strings.Builder
	for _, problem := range invalid.Problems {
		fmt.Fprintf(&text, "  %s: %s\n", problem.Path, problem.Message)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
