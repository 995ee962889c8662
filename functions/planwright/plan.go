package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/planwright/files"
	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

// planFlags are the flags of plan.
type planFlags struct {
	instruction string
	out         string
	executionID string
	categories  []string
	db          string
	explain     bool
	terms       plan.Terms
}

func planCommand(env environment) *cobra.Command {
	var given planFlags
	cmd := &cobra.Command{
		Use:   "plan --instruction S {--plan-out F | --explain}",
		Short: "Turn an instruction into a plan file, without a server",
		Long: `Turns a plain-English instruction into a validated plan and says in plain
English what the plan will do. An instruction that can be understood in more
than one way, or not at all, is answered by questions and exit code 1.

The planner is the grammar, which needs no network; with GOOGLE_API_KEY, or
GOOGLE_GENAI_USE_VERTEXAI=true and GOOGLE_CLOUD_PROJECT, it is Gemini, whose
plan must be the one that the grammar reads. One of an instruction that the
grammar does not understand is applied only with an approval.

--apply-at and --revert-at say when the plan is applied and undone again. A server
keeps both times by itself; apply waits for the first, and undo is yours to run.

--explain shows how the grammar reads the instruction: each rule with the words
that it took.`,
		Example: `  planwright plan --instruction "Discount all yoga products by 5%." --plan-out plan.json
  planwright plan --instruction "Discount all yoga products by 5%." --explain
  planwright plan --instruction "Discount yoga by 5%." --plan-out plan.json --apply-at 2026-11-27T00:00:00+01:00 --approval always`,
		Args: cobra.NoArgs,
		RunE: action(func(ctx context.Context) error { return given.run(ctx, env) }),
	}
	flags := cmd.Flags()
	flags.StringVar(&given.instruction, "instruction", "", "what to change, in plain English")
	flags.StringVar(&given.out, "plan-out", "", "where the plan goes, a JSON file")
	flags.StringVar(&given.executionID, "execution-id", "", "the plan's execution id (default made of the instruction)")
	flags.StringVar(&given.db, "db", "executions.db", "the SQLite file of apply: an id that another plan has used there is not given again")
	flags.StringSliceVar(&given.categories, "categories", nil, "the shop's categories, if the plan may name no others")
	flags.BoolVar(&given.explain, "explain", false, "show how the grammar reads the instruction")
	flags.StringVar(&given.terms.ApplyAt, "apply-at", "", "when the plan is applied and not before, as 2026-11-27T00:00:00+01:00")
	flags.StringVar(&given.terms.RevertAt, "revert-at", "", "when what it did is undone by a server")
	flags.StringVar((*string)(&given.terms.Approval), "approval", "", "always: a person has to approve of what it does")
	require(cmd, "instruction")
	cmd.MarkFlagsOneRequired("plan-out", "explain")
	return cmd
}

func (f planFlags) run(ctx context.Context, env environment) error {
	if n := utf8.RuneCountInString(f.instruction); n < plan.MinInstructionLength || n > plan.MaxInstructionLength {
		return usagef("--instruction must be %d to %d characters, but is %d.", plan.MinInstructionLength, plan.MaxInstructionLength, n)
	}
	name := plan.Slug(f.instruction)
	id := planning.Version(name, 1)
	if f.executionID != "" {
		id = f.executionID
	}
	if err := plan.CheckExecutionID(id); err != nil {
		return usagef("%s", errs.Message(err))
	}
	request := planning.Request{Instruction: f.instruction, ExecutionID: id, Categories: f.categories, CreatedAt: time.Now().UTC()}
	if f.explain {
		printReadings(env.stdout, reader.New().Read(request))
		if f.out == "" {
			return nil
		}
	}
	ids, err := openPlanIDs(ctx, f.db)
	if err != nil {
		return err
	}
	defer ids.Close()
	planner, by, err := emulator.NewPlanner(ctx, env.lookup, logging.New(env.stderr, slog.LevelWarn))
	if err != nil {
		return err
	}
	draft, err := planner.Plan(ctx, request)
	if err != nil {
		return asked(err)
	}
	draft.Plan.Terms = f.terms
	caveats := draft.Planner.Caveats()
	if caveats != nil {
		draft.Plan.Approval = plan.ApprovalAlways
	}
	if err := draft.Plan.Validate(); err != nil {
		return usagef("The plan would not be valid:\n%s", problems(err))
	}
	made, err := f.identified(ctx, ids, draft.Plan, name)
	if err != nil {
		return err
	}
	path, err := resolve(f.out)
	if err != nil {
		return err
	}
	if err := writePlan(ctx, path, made.Plan); err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "planned    %s, by %s\n", made.ExecutionID, by)
	explanation, warnings := plan.Review(made.Plan, f.categories)
	for _, sentence := range append(explanation, caveats...) {
		fmt.Fprintf(env.stdout, "  %s\n", sentence)
	}
	for _, warning := range append(warnings, draft.Planner.Warnings()...) {
		fmt.Fprintf(env.stdout, "  warning: %s\n", warning.Message)
	}
	fmt.Fprintf(env.stdout, "  plan     %s\n", near(path))
	return ids.tellCompleted(ctx, env.stdout, made)
}

// identified gives the plan the id asked for, or one made of its instruction.
func (f planFlags) identified(ctx context.Context, ids planIDs, made *plan.Plan, name string) (usedPlan, error) {
	if f.executionID != "" {
		return ids.under(ctx, made, f.executionID)
	}
	return ids.versioned(ctx, made, name)
}

// asked puts a planner's questions before the person who can answer them.
func asked(err error) error {
	var unclear *planning.ClarificationError
	if !errors.As(err, &unclear) {
		return err
	}
	lines := slices.Clone(unclear.Questions)
	for _, reading := range unclear.Readings {
		if reading.Instruction != "" {
			lines = append(lines, fmt.Sprintf("It may mean: %q", reading.Instruction))
		} else {
			lines = append(lines, "It may mean: "+strings.Join(reading.Sentences, " "))
		}
	}
	return errs.New(errs.Invalid, "No plan was made: the instruction can be understood in more than one way, or not at all.\n  %s",
		strings.Join(lines, "\n  "))
}

// writePlan writes a plan as a person reads it, in the place of what is there.
func writePlan(ctx context.Context, path string, p *plan.Plan) error {
	_, err := bucket.Put(ctx, files.Output{}, path, bucket.CreateOptions{}, strings.NewReader(indented(p)))
	return err
}

// indented is a plan's JSON with a line for each field.
func indented(p *plan.Plan) string {
	var text bytes.Buffer
	if err := json.Indent(&text, p.Canonical(), "", "  "); err != nil {
		panic("a canonical plan is not JSON: " + err.Error())
	}
	return text.String() + "\n"
}
