package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// previewFlags are the flags of preview.
type previewFlags struct {
	rules string
	apply applyFlags
}

func previewCommand(env environment) *cobra.Command {
	var given previewFlags
	cmd := &cobra.Command{
		Use:   "preview {--plan F | --rules F} --csv F",
		Short: "Say what a plan, or rules, would do to a table",
		Long: `Says what rules would do to a product table, and writes nothing: what each rule
matches, changes and leaves alone, which rows its exceptions take out, which condition
keeps it from every row, and which rows two rules share.

--rules is a JSON file: a list of operations as a plan has them, or an object with such
a list as its operations. An operation_id may be left out.`,
		Example: `  planwright preview --plan plan.json --csv products.csv
  planwright preview --rules rules.json --csv products.csv --output json`,
		Args: noArgs,
		RunE: action(func(ctx context.Context) error { return given.run(ctx, env) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.apply.plan, "plan", "", "the plan, a JSON file")
	flags.StringVar(&given.rules, "rules", "", "the rules, a JSON file")
	flags.StringVar(&given.apply.csv, "csv", "", "the product table to read")
	given.apply.settings = addSettings(cmd)
	given.apply.form.add(cmd)
	given.apply.dryRun = true
	require(cmd, "csv")
	cmd.MarkFlagsOneRequired("plan", "rules")
	cmd.MarkFlagsMutuallyExclusive("plan", "rules")
	return cmd
}

func (f previewFlags) run(ctx context.Context, env environment) error {
	p, err := f.read()
	if err != nil {
		return err
	}
	j, err := f.apply.job(ctx, env, p)
	if err != nil {
		return err
	}
	read := bucket.NewFingerprint()
	found, err := j.preview(ctx, planIDs{}, read)
	if err != nil {
		return err
	}
	return j.show(ctx, env, planIDs{}, read, &found)
}

// read reads the plan, or makes one of the rules.
func (f previewFlags) read() (*plan.Plan, error) {
	if f.rules == "" {
		p, err := readPlan(f.apply.plan)
		if err == nil && p.Undo != nil {
			return nil, errs.New(
				errs.Invalid,
				"The plan %s is an undo: see what it would do with planwright undo --dry-run.",
				f.apply.plan,
			)
		}
		return p, err
	}
	rules, err := readRules(f.rules)
	if err != nil {
		return nil, err
	}
	instruction := plan.Instruction(rules)
	p := planning.ByPerson(instruction, rules, time.Now()).Plan
	p.ExecutionID = plans.Version(plan.Slug(instruction), 1)
	return p, nil
}

// readRules reads a file of rules. Every problem is reported at once.
func readRules(path string) ([]plan.Operation, error) {
	data, err := readSmall("--rules", path)
	if err != nil {
		return nil, err
	}
	rules, err := plan.DecodeRules(data)
	if err != nil {
		return nil, errs.Wrap(
			errs.Invalid,
			err,
			"The rules %s are not valid, and nothing was done.\n%s",
			path,
			problems(err),
		)
	}
	return rules, nil
}

// readSmall reads a file that is at most as large as a plan's.
func readSmall(flag, path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, usagef("%s %s cannot be read: is the path right?", flag, path)
	case info.Size() > execution.MaxPlanFileBytes:
		return nil, errs.New(errs.Invalid,
			"The file %s is larger than %d bytes.", path, execution.MaxPlanFileBytes)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, usagef("%s %s cannot be read: is it a file, and may you read it?", flag, path)
	}
	return data, nil
}
