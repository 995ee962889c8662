package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/bucket"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/files"
	"github.com/planwright/planwright/shared/table/setting"
)

// paths are the files that an apply reads and writes.
type paths struct{ csv, out, audit, changes, db string }

// applyFlags are the flags of apply as they were given.
type applyFlags struct {
	paths
	plan, instruction string
	settings          map[string]*string // by setting.Name
	sync, dryRun, yes bool
	form              form
	shown             string // the BLAKE3 of the table of which the effect was shown
}

func applyCommand(env environment) *cobra.Command {
	var given applyFlags
	cmd := &cobra.Command{
		Use:   "apply {INSTRUCTION | --plan F} --csv F --out F --audit F",
		Short: "Carry a plan out over a table, once",
		Long: `Applies a plan to a product table: --csv is read, --out is written in one
step, a line is added to --audit and one line for each changed row is written to
--changes. If anything is wrong, nothing is written but the audit line. A file that
is there is never written over, unless this very execution wrote it.

The table is recognised by its header: the export of a platform is read as what
it is. What it was taken for is said, and the flags of the table decide where
something else is meant.

--db remembers which execution ids were carried out: applying one again, to
whatever file, is skipped and exits 0. A plan that failed can be applied again.
With --db of a server's data folder (local/state.db), while no server runs, the
server shows what was done from then on, and can undo it.

--dry-run says what would be done and writes nothing: it needs a plan, or an
instruction, and --csv alone.`,
		Example: `  planwright apply --plan plan.json --csv products.csv --dry-run
  planwright apply --plan plan.json --csv products.csv --out products_updated.csv --audit logs/audit.jsonl
  planwright apply "10% off Nike, but not cc-beanie" --csv products.csv --out products_updated.csv --audit logs/audit.jsonl
  planwright apply ... --columns "sku=Variant SKU,price=Variant Price" --unmatched=allow`,
		RunE: action(func(ctx context.Context) error {
			if err := given.complete(); err != nil {
				return err
			}
			if given.instruction != "" {
				return given.applyWords(ctx, env)
			}
			p, err := readPlan(given.plan)
			if err != nil {
				return err
			}
			return given.run(ctx, env, p)
		}),
	}
	cmd.Flags().StringVar(&given.plan, "plan", "", "the plan, a JSON file")
	cmd.Flags().StringVar(
		&given.instruction,
		"instruction",
		"",
		"what to change, in plain English: it is planned, shown, and carried out once you agree",
	)
	cmd.Flags().BoolVar(&given.yes, "yes", false, "with --instruction: carry it out without asking")
	given.add(cmd)
	takes(cmd, "instruction", "instruction")
	cmd.MarkFlagsOneRequired("plan", "instruction")
	cmd.MarkFlagsMutuallyExclusive("plan", "instruction")
	return cmd
}

// add adds the flags of a command that carries a plan out.
func (f *applyFlags) add(cmd *cobra.Command) {
	given, flags := f, cmd.Flags()
	flags.StringVar(&given.csv, "csv", "", "the product table to read, a file ending in "+files.Endings)
	flags.StringVar(
		&given.out,
		"out",
		"",
		"where the changed table goes, a new file; nothing that is there is written over",
	)
	flags.StringVar(
		&given.audit, "audit", "", "the audit log, a new file or one of ours; each run adds one line",
	)
	flags.StringVar(&given.db, "db", "executions.db", "the SQLite file that remembers what was carried out")
	flags.StringVar(
		&given.changes,
		"changes",
		"",
		"the changes file (default changes/{execution_id}.jsonl beside --audit)",
	)
	given.settings = addSettings(cmd)
	flags.BoolVar(
		&given.sync,
		"sync",
		true,
		"wait until everything is on the disk; =false is faster, and a power cut can lose the result",
	)
	given.form.add(cmd)
	flags.BoolVar(&given.dryRun, "dry-run", false, "say what would be done, and write nothing")
}

// addSettings adds a flag for each setting of a table.
func addSettings(cmd *cobra.Command) map[string]*string {
	flags, settings := cmd.Flags(), map[string]*string{}
	for _, known := range setting.All {
		settings[string(known.Name)] = flags.String(known.Name.FlagName(), "", known.Help)
		if known.Values != nil {
			completeFlag(cmd, known.Name.FlagName(),
				func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
					return known.Values(), cobra.ShellCompDirectiveNoFileComp
				})
		}
	}
	return settings
}

// complete refuses a command line that does not say where to write.
func (f *applyFlags) complete() error {
	if f.csv == "" {
		return usagef("--csv is required.")
	}
	if !f.dryRun && (f.out == "" || f.audit == "") {
		return usagef("--out and --audit are required, unless with --dry-run.")
	}
	return nil
}

// run carries the plan out, or says what it would do.
func (f *applyFlags) run(ctx context.Context, env environment, p *plan.Plan) error {
	job, err := f.job(ctx, env, p)
	switch {
	case err != nil:
		return err
	case f.dryRun:
		f.shown, err = job.dryRun(ctx, env)
		return err
	default:
		return job.run(ctx, env)
	}
}

// job is an apply whose command line makes sense. Its paths are absolute.
type job struct {
	paths
	plan     *plan.Plan
	size     int64
	noSync   bool
	settings table.Settings
	given    map[string]string // the settings by their names, as they were written
	policy   ledger.Policy     // what needs an approval
	form     form
	shown    string // the BLAKE3 of the one table that may be read; "": any may
}

// job checks that the files named can be what they are to be, before anything
// is touched. The paths of files that are not named are "".
func (f applyFlags) job(ctx context.Context, env environment, p *plan.Plan) (job, error) {
	settings, given, err := f.tableSettings(env)
	if err != nil {
		return job{}, err
	}
	if f.changes == "" && f.audit != "" {
		f.changes = filepath.Join(filepath.Dir(f.audit), "changes", p.ExecutionID+".jsonl")
	}
	j := job{
		paths:    f.paths,
		plan:     p,
		noSync:   !f.sync,
		settings: settings,
		given:    given,
		form:     f.form,
		shown:    f.shown,
	}
	for _, path := range []*string{&j.csv, &j.out, &j.audit, &j.changes, &j.db} {
		if *path != "" {
			if *path, err = resolve(*path); err != nil {
				return job{}, err
			}
		}
	}
	reader := config.Read(env.lookup)
	j.policy = execution.ReadPolicy(reader)
	if err := reader.Err(); err != nil {
		return job{}, usagef("%s", errs.Message(err))
	}
	return j, j.check(ctx, &f)
}

// tableSettings are those of the environment, but for what flags say, and each as it was
// written.
func (f applyFlags) tableSettings(env environment) (table.Settings, map[string]string, error) {
	reader := config.Read(env.lookup)
	settings := setting.Read(reader)
	if err := reader.Err(); err != nil {
		return settings, nil, usagef("%s", errs.Message(err))
	}
	given := map[string]string{}
	for name, value := range f.settings {
		if *value != "" {
			given[name] = *value
		}
	}
	settings, err := settings.With(given)
	if refused, ok := errors.AsType[*setting.Error](err); ok {
		return settings, nil, usagef("--%s: %s", refused.Name.FlagName(), refused.Message)
	}
	for _, known := range setting.All {
		if value, set := env.lookup(known.Variable); set && value != "" && given[string(known.Name)] == "" {
			given[string(known.Name)] = value
		}
	}
	return settings, given, err
}

// check refuses a command line on which two files are one, or the table is
// none.
func (j *job) check(ctx context.Context, f *applyFlags) error {
	info, err := os.Stat(j.csv)
	_, isTable := files.ContentType(filepath.Base(j.csv))
	switch {
	case err != nil && (f.dryRun || !j.completed(ctx)): // of one that has completed nothing is read
		return usagef("--csv %s cannot be read: is the path right?", f.csv)
	case !isTable:
		return usagef("--csv %s %s.", f.csv, files.WhyNoTable(f.csv))
	}
	if err := bucket.ValidateName(filepath.Base(j.csv)); err != nil {
		return usagef("--csv: %s", errs.Message(err))
	}
	if err == nil {
		j.size = info.Size()
	}
	all := []named{
		{"--csv", j.csv}, {"--out", j.out}, {"--audit", j.audit}, {"--changes", j.changes}, {"--db", j.db},
		{"--plan", f.plan},
	}
	if err := checkDistinct(all, "--audit", "--plan"); err != nil {
		return err
	}
	return j.checkTargets(ctx)
}

// completed reports whether the plan was carried out before.
func (j *job) completed(ctx context.Context) bool {
	record, err := j.recorded(ctx)
	return err == nil && record.Status == ledger.Completed
}

// same reports whether two paths lead to one file, also by links. Where names differ in
// case alone, they do on many disks.
func same(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	first, err := os.Stat(a)
	second, secondErr := os.Stat(b)
	return err == nil && secondErr == nil && os.SameFile(first, second)
}

// resolve makes a path absolute and follows links, so that what is replaced is
// the file and not a link to it.
func resolve(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", usagef("%s is not a path.", path)
	}
	rest := "" // what is not there yet
	for there := absolute; ; there = filepath.Dir(there) {
		if resolved, err := filepath.EvalSymlinks(there); err == nil {
			return filepath.Join(resolved, rest), nil
		}
		if there == filepath.Dir(there) {
			return absolute, nil
		}
		rest = filepath.Join(filepath.Base(there), rest)
	}
}

// readPlan reads and validates a plan file. Every problem is reported at once.
func readPlan(path string) (*plan.Plan, error) {
	data, err := readSmall("--plan", path)
	if err != nil {
		return nil, err
	}
	p, err := plan.Decode(data)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, err, "The plan %s is not valid, and nothing was done.\n%s",
			path, problems(err))
	}
	return p, nil
}
