package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// applyWords plans an instruction in the words of the table, shows what the plan
// would do to it, and carries it out once somebody agrees.
func (f *applyFlags) applyWords(ctx context.Context, env environment) error {
	if !f.yes && !f.dryRun && !env.asks {
		return usagef("--yes is required where nobody can be asked. See first what would be done: --dry-run.")
	}
	words := planFlags{
		instruction: f.instruction,
		csv:         f.csv,
		settings:    f.settings,
		db:          f.db,
		form:        f.form,
		out:         "-",
	}
	request, err := words.request(ctx, env)
	if err != nil {
		return err
	}
	used, by, err := words.made(ctx, env, request, nil)
	if err != nil {
		return err
	}
	made := used.Plan
	if f.form == "json" && f.dryRun {
		return f.run(ctx, env, made)
	}
	text := env
	if f.form == "json" {
		text.stdout = env.stderr
	}
	fmt.Fprintf(text.stdout, "planned    %s, by %s\n", made.ExecutionID, plannedBy(by))
	for _, sentence := range append(plan.Explain(made), by.Caveats()...) {
		fmt.Fprintf(text.stdout, "  %s\n", sentence)
	}
	shown := *f
	shown.dryRun, shown.form = true, "text"
	if err := shown.run(ctx, text, made); err != nil || f.dryRun {
		return err
	}
	f.shown = shown.shown
	if err := f.agreed(ctx, env); err != nil {
		return err
	}
	if err := words.keep(ctx, made, by); err != nil {
		return err
	}
	return f.run(ctx, env, made)
}

// agreed asks whether to go on, unless --yes says so.
func (f *applyFlags) agreed(ctx context.Context, env environment) error {
	if f.yes {
		return nil
	}
	fmt.Fprintf(env.stderr, "\nCarry this out on %s? yes, or Enter for no: ", near(f.csv))
	typed, err := line(ctx, bufio.NewReader(env.stdin))
	if err != nil {
		return err
	}
	if answer := strings.ToLower(typed); answer != "yes" && answer != "y" {
		return errs.New(errs.Invalid, "Nothing was carried out, and nothing written.")
	}
	return nil
}
