package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/emulator/userfile"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/logging"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/setting"
	"github.com/planwright/planwright/shared/tablestore"
)

// planFlags are the flags of plan.
type planFlags struct {
	instruction string
	rules       string // a file of rules, which are then the plan's
	out         string
	executionID string
	categories  []string
	csv         string
	settings    map[string]*string // of the table, by setting.Name
	db          string
	explain     bool
	choose      []string // an answer for each open part
	terms       plan.Terms
	form        form
}

func planCommand(env environment) *cobra.Command {
	var given planFlags
	cmd := &cobra.Command{
		Use:   "plan {INSTRUCTION | --rules F} [--plan-out F]",
		Short: "Turn an instruction, or rules, into a plan",
		Long: `Turns a plain-English instruction into a validated plan and says in plain
English what the plan will do. An instruction that leaves something open is
answered by the rules as far as they are understood, what is open with its choices,
and exit code 3; --choose settles it.
--plan-out keeps the plan as a file for apply. With --csv it says what the plan would
do to that table.

The planner is the grammar, which needs no network; with GOOGLE_API_KEY, or
GOOGLE_GENAI_USE_VERTEXAI=true and GOOGLE_CLOUD_PROJECT, it is Gemini, whose
plan must be the one that the grammar reads. One of an instruction that the
grammar does not understand is applied only with an approval.

--apply-at and --revert-at say when the plan is applied and undone again. A server
keeps both times by itself; apply waits for the first, and undo is yours to run.

--explain shows how the grammar reads the instruction: each rule with the words
that it took.

With --rules nothing is read: the plan has the rules of that JSON file, a list of
operations as preview takes it. An instruction beside it says what they are meant to do.`,
		Example: `  planwright plan "Discount all yoga products by 5%."
  planwright plan "Discount all yoga products by 5%." --explain
  planwright plan "Discount all yoga products by 5" --choose 1
  planwright plan "10% off Nike, but not cc-beanie" --csv products.csv --plan-out plan.json
  planwright plan "Discount yoga by 5%." --plan-out plan.json --apply-at 2026-11-27T00:00:00+01:00 --approval always`,
		RunE: action(func(ctx context.Context) error { return given.run(ctx, env) }),
	}
	flags := cmd.Flags()
	flags.StringVar(
		&given.instruction,
		"instruction",
		"",
		"what to change, in plain English; the argument says the same",
	)
	flags.StringVar(
		&given.out,
		"plan-out",
		"",
		"where the plan goes, a JSON file; - is standard output, and what is said goes to standard error",
	)
	flags.StringVar(
		&given.executionID,
		"execution-id",
		"",
		"the plan's execution id (default made of the instruction)",
	)
	flags.StringVar(
		&given.db,
		"db",
		"executions.db",
		"the SQLite file of apply: an id that another plan has used there is not given again",
	)
	flags.StringSliceVar(
		&given.categories,
		"categories",
		nil,
		"the shop's categories, if the plan may name no others",
	)
	flags.StringVar(
		&given.csv,
		"csv",
		"",
		"the table that the plan is for: its names are the names that there are",
	)
	given.settings = addSettings(cmd)
	cmd.MarkFlagsMutuallyExclusive("csv", "categories")
	flags.StringSliceVar(
		&given.choose,
		"choose",
		nil,
		"what is meant by each open part in turn: the number of a choice, 0 to ignore its words",
	)
	flags.BoolVar(&given.explain, "explain", false, "show how the grammar reads the instruction")
	flags.StringVar(
		&given.terms.ApplyAt,
		"apply-at",
		"",
		"when the plan is applied and not before, as 2026-11-27T00:00:00+01:00",
	)
	flags.StringVar(&given.terms.RevertAt, "revert-at", "", "when what it did is undone by a server")
	flags.StringVar(
		(*string)(&given.terms.Approval),
		"approval",
		"",
		"always: a person has to approve of what it does",
	)
	oneOf(cmd, "approval", plan.ApprovalAlways)
	given.form.add(cmd)
	flags.StringVar(
		&given.rules,
		"rules",
		"",
		"a JSON file of operations that are the plan's: the instruction is not read",
	)
	takes(cmd, "instruction", "instruction")
	cmd.MarkFlagsOneRequired("instruction", "rules")
	cmd.MarkFlagsMutuallyExclusive("rules", "categories")
	cmd.MarkFlagsMutuallyExclusive("rules", "explain")
	return cmd
}

// readRules reads the rules, if there are any. Without an instruction they get one that
// says what they do.
func (f *planFlags) readRules() (rules []plan.Operation, err error) {
	if f.rules == "" {
		return nil, nil
	}
	if rules, err = readRules(f.rules); err == nil {
		f.instruction = cmp.Or(f.instruction, plan.Instruction(rules))
	}
	return rules, err
}

// request is what the flags ask for. Its id is the first that the instruction's name has.
func (f planFlags) request(ctx context.Context, env environment) (planning.Request, error) {
	none := planning.Request{}
	if n := utf8.RuneCountInString(f.instruction); n < plan.MinInstructionLength ||
		n > plan.MaxInstructionLength {
		return none, usagef(
			"--instruction must be %d to %d characters, but is %d.",
			plan.MinInstructionLength,
			plan.MaxInstructionLength,
			n,
		)
	}
	if plannerapi.IsPast(&f.terms, time.Now()) {
		return none, usagef(
			"--apply-at %s is past: leave it out to apply at once, or choose a later time.",
			f.terms.ApplyAt,
		)
	}
	if f.terms.CheckRevert(time.Now()) != nil {
		return none, usagef("--revert-at %s is past: choose a later time, or leave it out.", f.terms.RevertAt)
	}
	id := cmp.Or(f.executionID, plans.Version(plan.Slug(f.instruction), 1))
	if err := plan.CheckExecutionID(id); err != nil {
		return none, usagef("%s", errs.Message(err))
	}
	names, err := f.names(ctx, env)
	return planning.Request{
		Instruction: f.instruction,
		ExecutionID: id,
		Names:       names,
		CreatedAt:   time.Now().UTC(),
		Zone:        time.Local,
	}, err
}

// names are those of --categories, or of the table that --csv names.
func (f planFlags) names(ctx context.Context, env environment) (planning.Names, error) {
	if f.csv == "" || f.rules != "" {
		return planning.Names{Categories: f.categories}, nil
	}
	settings, _, err := applyFlags{settings: f.settings}.tableSettings(env)
	if err != nil {
		return planning.Names{}, err
	}
	if _, isTable := files.ContentType(filepath.Base(f.csv)); !isTable {
		return planning.Names{}, usagef("--csv %s %s.", f.csv, files.WhyNoTable(f.csv))
	}
	in, err := os.Open(f.csv)
	if err != nil {
		return planning.Names{}, usagef("--csv %s cannot be read: is the path right, and may you read it?",
			f.csv)
	}
	defer in.Close()
	found, err := overview.Read(
		ctx, in, settings, overview.NewInstruction(f.instruction), table.UsualWorkload(),
	)
	if err != nil {
		return planning.Names{}, table.On(err, setting.Flags)
	}
	names := tablestore.Names(found)
	open := func() (io.ReadCloser, error) { return os.Open(f.csv) }
	names.SameHere = func(a, b []plan.Operation) bool { return pricing.SameResult(ctx, open, settings, a, b) }
	names.CountRows = func(filters []plan.Filter) []int64 {
		return pricing.CountRows(ctx, open, settings, filters)
	}
	return names, nil
}

func (f planFlags) run(ctx context.Context, env environment) error {
	stdout := env.stdout
	rules, err := f.readRules()
	if err != nil {
		return err
	}
	request, err := f.request(ctx, env)
	if err != nil {
		return err
	}
	if f.out == "-" { // the plan alone
		env.stdout = env.stderr
	}
	if f.explain {
		printMeanings(env.stdout, reader.New().Read(request))
		if f.out == "" {
			return nil
		}
	}
	if err := f.checkOut(); err != nil {
		return err
	}
	made, by, err := f.made(ctx, env, request, rules)
	if err != nil {
		return err
	}
	if err := f.keep(ctx, made.Plan, by); err != nil {
		return err
	}
	if err := f.write(stdout, made.Plan); err != nil {
		return err
	}
	return f.tell(ctx, env, made, by)
}

// made takes the rules, or has the instruction planned: it is the draft with its terms,
// under its id.
func (f planFlags) made(
	ctx context.Context, env environment, request planning.Request, rules []plan.Operation,
) (usedPlan, plans.PlannedBy, error) {
	draft := planning.ByPerson(request.Instruction, rules, request.CreatedAt)
	draft.Plan.ExecutionID = request.ExecutionID
	if rules == nil {
		var err error
		if draft, err = f.drafted(ctx, env, request); err != nil {
			return usedPlan{}, draft.Planner, err
		}
	}
	ids, err := openPlanIDs(ctx, f.db)
	if err != nil {
		return usedPlan{}, draft.Planner, err
	}
	defer ids.Close()
	draft.Plan.Terms = f.termsWith(draft.Plan.Terms)
	if draft.Planner.Agreement == planning.AgreementModel {
		draft.Plan.Approval = plan.ApprovalAlways
	}
	if err := draft.Plan.Validate(); err != nil {
		return usedPlan{}, draft.Planner, usagef("The plan would not be valid:\n%s", problems(err))
	}
	find, id := ids.versioned, plan.Slug(f.instruction)
	if f.executionID != "" {
		find, id = ids.under, f.executionID
	}
	used, err := find(ctx, draft.Plan, id)
	return used, draft.Planner, err
}

// termsWith are the flags' terms, and the times of the instruction where no flag has one.
func (f planFlags) termsWith(said plan.Terms) plan.Terms {
	terms := f.terms
	if terms.ApplyAt == "" && terms.RevertAt == "" {
		terms.ApplyAt, terms.RevertAt = said.ApplyAt, said.RevertAt
	}
	return terms
}

// drafted has the instruction planned. Where it leaves something open and somebody settles
// that, it is the plan of the rules as they are then; else the draft is printed where the
// output is JSON.
func (f planFlags) drafted(
	ctx context.Context,
	env environment,
	request planning.Request,
) (planning.Planned, error) {
	planner, _, err := emulator.NewPlanner(ctx, env.lookup, logging.Discard)
	if err != nil {
		return planning.Planned{}, err
	}
	draft, err := planner.Plan(ctx, request)
	var unclear *planning.ClarificationError
	switch {
	case !errors.As(err, &unclear):
		return draft, err
	case env.asks || f.choose != nil:
		return f.settle(ctx, env, request, unclear)
	default:
		_, printErr := f.form.print(
			env.stdout,
			map[string]any{"questions": unclear.Questions, "draft": unclear.Draft},
		)
		return draft, errors.Join(questionsError(unclear), printErr)
	}
}

// keep stores a plan whose rules a person finished in --db, where apply finds it
// with who did that, if there is a plan to apply. Others are stored when they are applied.
func (f planFlags) keep(ctx context.Context, made *plan.Plan, by plans.PlannedBy) error {
	if by.Confirmed == nil || f.out == "" {
		return nil
	}
	store, err := sqlite.Open(ctx, f.db, sqlite.Options{})
	if err != nil {
		return errs.Wrap(errs.KindOf(err), err, "--db %s: %s", f.db, errs.Message(err))
	}
	defer store.Close()
	stored := plans.New(made)
	stored.Planner, stored.Instruction, stored.Categories = by, f.instruction, f.categories
	stored.CreatedAt, stored.CreatedBy = time.Now(), by.Confirmed.By
	_, _, err = plans.Save(ctx, store, stored)
	return err
}

// checkOut makes a path of --plan-out. What is there already must be a plan.
func (f *planFlags) checkOut() (err error) {
	if f.out == "-" || f.out == "" {
		return nil
	}
	all := []named{{"--plan-out", f.out}, {"--csv", f.csv}, {"--db", f.db}}
	for i := range all {
		if all[i].path == "" {
			continue
		}
		if all[i].path, err = resolve(all[i].path); err != nil {
			return err
		}
	}
	if err := checkDistinct(all, "--csv"); err != nil {
		return err
	}
	f.out = all[0].path
	return guard(all[2].path, target{"--plan-out", f.out, isPlan, "no plan"})
}

// write writes the plan to --plan-out, where there is one; "-" is standard output.
func (f planFlags) write(stdout io.Writer, made *plan.Plan) error {
	switch f.out {
	case "":
		return nil
	case "-":
		_, err := io.WriteString(stdout, indented(made))
		return err
	default: // in the place of what is there
		return userfile.Write(f.out, strings.NewReader(indented(made)), false)
	}
}

// try says what the plan would do to the table that --csv names, if it names one, and warns
// of one that apply refuses. It writes nothing.
func (f planFlags) try(
	ctx context.Context,
	env environment,
	made *plan.Plan,
) (*plannerapi.Summary, []plan.Warning, error) {
	if f.csv == "" {
		return nil, nil, nil
	}
	given := applyFlags{paths: paths{csv: f.csv, db: f.db}, settings: f.settings, dryRun: true}
	j, err := given.job(ctx, env, made)
	var found pricing.Preview
	if err == nil {
		found, err = j.preview(ctx, planIDs{}, io.Discard)
	}
	switch {
	case ctx.Err() != nil: // which says nothing of the table
		return nil, nil, err
	case err != nil:
		return nil, []plan.Warning{
			{Code: "table_refused", Message: "apply will refuse the table. " + errs.Message(err)},
		}, nil
	}
	return new(plannerapi.SummaryOfRun(found.Summary)), nil, nil
}
