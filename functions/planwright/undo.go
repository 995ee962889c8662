package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
)

// undoFlags are the flags of undo as they were given.
type undoFlags struct {
	applyFlags
	executionID, stale, address string
}

func undoCommand(env environment) *cobra.Command {
	var given undoFlags
	cmd := &cobra.Command{
		Use:   "undo ID --csv F --out F --audit F",
		Short: "Take back what an execution changed",
		Long: `Makes a plan that undoes an execution and applies it to a product table: every
row that still has the price and stock which the execution gave it gets back what
it had. Rows that were changed since are left alone and listed, and so are those
of one SKU of which it is not certain which is which. The table is read as it was
when it was changed: flags that say otherwise are refused. An output that was
not edited becomes the original table again, byte for byte.

The undo is an execution like another: it is carried out once, has its line in
--audit, and can be undone itself.

With --url, or --db of a server's data folder, the server undoes one of its
executions on the output of it; the table files are the server's then.`,
		Example: `  planwright undo plan_sale_v1 --csv updated.csv --dry-run
  planwright undo plan_sale_v1 --csv updated.csv --out restored.csv --audit logs/audit.jsonl
  planwright undo plan_sale_v1 --url ` + localPlanner,
		RunE: action(func(ctx context.Context) error {
			if given.address == "" {
				given.address = servedPlanner(given.db)
			}
			switch {
			case given.address != "":
				return given.onServer(ctx, env)
			case given.csv == "" && emulator.Serving(emulator.PlaceOf(given.db)):
				return usagef("--db %s is of a server behind a proxy that signs people in: undo it on the server's pages.", given.db)
			}
			if given.csv == "" {
				return usagef("--csv is required: the table that gets back what it had. A server undoes on what it wrote: start it, then undo again.")
			}
			if err := given.complete(); err != nil {
				return err
			}
			p, err := given.undoPlan(ctx)
			if err != nil {
				return err
			}
			return given.run(ctx, env, p)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.executionID, "execution", "",
		"the execution that is undone, which may also stand as the argument")
	flags.StringVar(&given.stale, "stale", string(plan.StaleReport), "what becomes of rows that were changed since: report leaves and lists them, fail undoes nothing, overwrite undoes them all the same")
	flags.StringVar(&given.address, "url", "",
		"address of a planner, such as "+localPlanner+", instead of the table files")
	oneOf(cmd, "stale", plan.StaleReport, plan.StaleFail, plan.StaleOverwrite)
	flags.BoolVar(&given.yes, "yes", false, "on a server: though others were carried out on its output")
	given.add(cmd)
	require(cmd, "execution")
	takesID(cmd)
	return cmd
}

// servedPlanner is the address of the planner that serves the folder of a state file; ""
// where none does, or a proxy stands before it.
func servedPlanner(db string) string {
	if address := emulator.Address(emulator.PlaceOf(db)); address != "" {
		return address + "/planner"
	}
	return ""
}

// onServer has a server undo one of its executions.
func (f *undoFlags) onServer(ctx context.Context, env environment) error {
	switch {
	case f.csv+f.out+f.audit+f.changes != "" || f.dryRun:
		return usagef("The server at %s undoes what it wrote on its own output: leave the table files and --dry-run out, or stop the server.", strings.TrimSuffix(f.address, "/planner"))
	case !plan.ValidExecutionID(f.executionID):
		return usagef("%s", errs.Message(plan.CheckExecutionID(f.executionID)))
	}
	c, err := remote(f.address)
	if err != nil {
		return err
	}
	var record plannerapi.Record
	if err := c.Get(ctx, "/v1/executions/"+f.executionID, &record); err != nil {
		return err
	}
	for _, warning := range record.Warnings {
		if warning.Code == "output_used" && record.UndoneBy == "" && !f.yes {
			return errs.New(errs.Conflict,
				"%s With --yes it is undone on that output all the same.", warning.Message)
		}
	}
	var answer struct {
		Plan struct {
			ExecutionID string `json:"execution_id"`
		} `json:"plan"`
		Explanation []string `json:"explanation"`
	}
	asked := map[string]string{"table": "output", "stale": f.stale}
	if err := c.Send(ctx, http.MethodPost, "/v1/executions/"+f.executionID+":undo", asked,
		&answer); err != nil {
		return err
	}
	if printed, err := f.form.print(env.stdout, answer); printed || err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "undoing    %s\n  %s\n  What became of it: planwright show %s --url %s\n",
		f.executionID, strings.Join(answer.Explanation, "\n  "), answer.Plan.ExecutionID, f.address)
	return nil
}

// undoPlan returns the plan that undoes the execution: the one that did so
// before, if there is one.
func (f *undoFlags) undoPlan(ctx context.Context) (*plan.Plan, error) {
	if !plan.ValidExecutionID(f.executionID) {
		return nil, usagef("%s", errs.Message(plan.CheckExecutionID(f.executionID)))
	}
	stale := plan.Stale(f.stale)
	if stale != plan.StaleReport && stale != plan.StaleFail && stale != plan.StaleOverwrite {
		return nil, usagef("--stale must be %s, %s or %s.",
			plan.StaleReport, plan.StaleFail, plan.StaleOverwrite)
	}
	ids, err := openPlanIDs(ctx, f.db)
	if err != nil {
		return nil, err
	}
	defer ids.Close()
	record, err := ids.completed(ctx, f.executionID, f.db)
	if err != nil {
		return nil, err
	}
	of, err := plans.Load(ctx, ids.store, f.executionID)
	if err != nil {
		return nil, err
	}
	made := plans.Undo(of.Plan, "", record.Seal.Changes.SHA256, time.Now().UTC())
	made.Undo.Stale = stale
	name := "undo_" + f.executionID
	used, err := ids.versioned(ctx, made, name)
	for n := 2; err == nil && used.completed != nil && record.CheckUndo("") == nil &&
		!f.wasReadBy(used.completed.Seal); n++ {
		used, err = ids.under(ctx, made, plans.Version(name, n)) // that one left rows, or was undone since
	}
	if err != nil {
		return nil, err
	}
	return used.Plan, record.CheckUndo(used.ExecutionID)
}

// wasReadBy reports whether an execution read this very table: the command is typed again.
func (f *undoFlags) wasReadBy(seal *ledger.Seal) bool {
	file, err := os.Open(f.csv)
	if err != nil {
		return true // which is told where it is read
	}
	defer file.Close()
	var read bucket.Digest
	_, err = io.Copy(&read, file)
	return err != nil || read.Size == seal.Input.Size && read.CRC32C == seal.Input.CRC32C
}

// completed returns the record of an execution that can be undone.
func (ids planIDs) completed(ctx context.Context, executionID, db string) (ledger.Execution, error) {
	unknown := errs.New(errs.Invalid,
		"%s knows of no execution %s. Is it the --db that it was carried out with?", db, executionID)
	if ids.store == nil {
		return ledger.Execution{}, unknown
	}
	record, err := ids.store.Execution(ctx, executionID)
	switch {
	case errs.KindOf(err) == errs.NotFound:
		return record, unknown
	case err != nil:
		return record, err
	case record.Status != ledger.Completed:
		return record, errs.New(errs.Invalid,
			"Execution %s has not completed, so there is nothing to undo.", executionID)
	}
	return record, nil
}
