package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/paging"
	"github.com/planwright/planwright/shared/ledger/sqlite"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/pricing"
)

// Exit codes. They mean the same for every command.
const (
	exitDone     = 0 // done, or skipped because it was done before
	exitFailed   = 1 // tried and failed; stderr says why and what to do
	exitUsage    = 2 // a wrong command line; nothing was tried
	exitAsks     = 3 // no plan was made: stderr has the questions
	exitProposed = 4 // computed, and waits for an approval or its time
)

const about = `Planwright turns a sentence into a plan, and carries the plan out exactly once.

  planwright plan "5% off yoga." --plan-out plan.json
  planwright apply --plan plan.json --csv products.csv --out new.csv --audit audit.jsonl

Usage:
  planwright COMMAND [flags]    (without a command: serve)
`

const afterCommands = `
Exit codes: 0 done or skipped, 1 failed, 2 wrong command line, 3 asked, 4 proposed.
planwright COMMAND --help has examples; planwright completion bash completes commands.`

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, env environment) int {
	root := newRoot(env)
	root.SetArgs(dashedLast(root, args))
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	failed, tried := errors.AsType[*failure](err)
	if !tried {
		fmt.Fprintf(env.stderr, "%s\nSee: %s --help\n", nearPaths(err.Error()), cmd.CommandPath())
		return exitUsage
	}
	if text := failed.text(); text != "" {
		fmt.Fprintln(env.stderr, text)
	}
	if _, asks := errors.AsType[*planning.ClarificationError](err); asks {
		return exitAsks
	}
	if _, waits := errors.AsType[*proposedError](err); waits {
		return exitProposed
	}
	return exitFailed
}

// version names the program and what decides what it computes.
func version() string {
	of := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		of = info.Main.Version
	}
	return fmt.Sprintf("%s, engine build %s, %s", of, pricing.Build, runtime.Version())
}

// takes has a command take the value of a flag as its argument, too.
func takes(cmd *cobra.Command, flag, what string) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return nil
		case len(args) > 1 || cmd.Flags().Changed(flag):
			return usagef(
				"Give one %s, as an argument or with --%s. One of several words stands in quotation marks.",
				what,
				flag,
			)
		default:
			return cmd.Flags().Set(flag, args[0])
		}
	}
}

// dashedLast moves execution ids and instructions that begin with a dash to the end, where none is
// taken for a flag. A flag of the command, and what follows one that has a value, stay where they
// are.
func dashedLast(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || slices.Contains(args, "--") {
		return args
	}
	takesID, takesText := strings.Contains(cmd.Use, " ID"), strings.Contains(cmd.Use, "INSTRUCTION")
	var flags, ids []string
	takesValue := false
	for _, arg := range args {
		name, isLong := strings.CutPrefix(arg, "--")
		flag := cmd.Flags().Lookup(name)
		switch {
		case !takesValue && takesText && (strings.HasPrefix(arg, "- ") || strings.HasPrefix(arg, "-\n")):
			// of a list
			ids = append(ids, arg)
			continue
		case !takesValue && takesID && strings.HasPrefix(arg, "-") && plan.ValidExecutionID(arg) &&
			!(isLong && (flag != nil || name == "help" || name == "version")):
			ids = append(ids, arg)
			continue
		case !isLong && len(arg) == 2 && arg[0] == '-':
			flag = cmd.Flags().ShorthandLookup(arg[1:])
		case !isLong:
			flag = nil
		}
		takesValue = !takesValue && flag != nil && flag.NoOptDefVal == ""
		flags = append(flags, arg)
	}
	if len(ids) == 0 {
		return args
	}
	return slices.Concat(flags, []string{"--"}, ids)
}

// takesID has a command take an execution id as its argument; --execution is the
// same. Ids are completed from --db.
func takesID(cmd *cobra.Command) {
	takes(cmd, "execution", "execution id")
	cmd.ValidArgsFunction = completeID
	completeFlag(cmd, "execution", completeID)
}

// completeFlag has the values of a flag completed.
func completeFlag(cmd *cobra.Command, flag string, by cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, by); err != nil {
		panic(err) // there is no such flag
	}
}

// oneOf has a flag completed to one of its values.
func oneOf[S ~string](cmd *cobra.Command, flag string, values ...S) {
	var offered []cobra.Completion
	for _, value := range values {
		offered = append(offered, string(value))
	}
	completeFlag(cmd, flag, cobra.FixedCompletions(offered, cobra.ShellCompDirectiveNoFileComp))
}

// completeID offers the newest ids in --db.
func completeID(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	db := cmd.Flag("db")
	if db == nil || len(args) > 0 || !isFile(db.Value.String()) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	store, err := sqlite.Open(cmd.Context(), db.Value.String(), sqlite.Options{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer store.Close()
	found, err := store.Executions(cmd.Context(), "", paging.Page{Size: paging.MaxSize})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, record := range found.Items {
		ids = append(ids, record.ExecutionID)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// form is how a command prints what it has to say.
type form string

func (f *form) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP((*string)(f), "output", "o", "text", "how the answer is printed: text or json")
	oneOf(cmd, "output", "text", "json")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if *f != "text" && *f != "json" {
			return usagef("--output must be text or json.")
		}
		return nil
	}
}

// print writes a value where JSON is asked for, and reports whether it is.
func (f form) print(out io.Writer, value any) (bool, error) {
	if f != "json" {
		return false, nil
	}
	return true, json.NewEncoder(out).Encode(value)
}

// newRoot returns the command that all others hang from.
func newRoot(env environment) *cobra.Command {
	serve := serveCommand(env)
	root := &cobra.Command{
		Use:           "planwright",
		Short:         "Plain-English instructions, validated plans, carried out exactly once",
		Version:       version(),
		Args:          noArgs,
		RunE:          serve.RunE,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.Flags().AddFlagSet(serve.Flags())
	root.SetFlagErrorFunc(flagError)
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	groups := []group{
		{"Begin here", []*cobra.Command{demoCommand(env), serve}},
		{"Change a table without a server", []*cobra.Command{
			planCommand(env), previewCommand(env), applyCommand(env), undoCommand(env), verifyCommand(env),
		}},
		{"Decide, and look at the record", []*cobra.Command{
			approveCommand(env), rejectCommand(env), executionsCommand(env), showCommand(env),
			historyCommand(env),
		}},
		{"A shop, the agents, the cloud", []*cobra.Command{
			shopCommand(env), chatCommand(env), sequenceCommand(env), consoleCommand(env), keyCommand(env),
		}},
	}
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	helpOfOthers := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == root {
			fmt.Fprintln(cmd.OutOrStdout(), about+listed(groups)+afterCommands)
		} else {
			helpOfOthers(cmd, args)
		}
	})
	refuseOtherTopics(root)
	return root
}

// refuseOtherTopics has help refuse what is no command.
func refuseOtherTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, help := range root.Commands() {
		if help.Name() == "help" {
			help.Args = func(_ *cobra.Command, topic []string) error {
				command, rest, err := root.Find(topic)
				if err != nil {
					return err
				}
				return noArgs(command, rest)
			}
		}
	}
}

// group is commands that the help lists under one title.
type group struct {
	title    string
	commands []*cobra.Command
}

// listed is a line for each command, below its group's title.
func listed(groups []group) string {
	var text strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&text, "\n%s:\n", g.title)
		for _, command := range g.commands {
			fmt.Fprintf(&text, "  %-11s %s\n", command.Name(), command.Short)
		}
	}
	return text.String()
}

// failure is an error met while doing what was asked, told apart from a
// command line that asks for nothing that can be done.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// text is what a person reads: the message of a known error alone, and the
// whole of one that is not, for here the reader owns the machine.
func (f *failure) text() string {
	if coded, ok := errors.AsType[*errs.Error](f.err); ok {
		return nearPaths(coded.Message)
	}
	return nearPaths(f.err.Error())
}

// action turns what a command does into a cobra run function whose errors are
// failures.
func action(do func(ctx context.Context) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		err := do(cmd.Context())
		if _, usage := errors.AsType[*usageError](err); usage || err == nil {
			return err
		}
		return &failure{err}
	}
}

// require refuses a command line without these flags.
func require(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // there is no such flag
		}
	}
}

// usageError is a command line that can be read but not followed.
type usageError struct{ message string }

func (u *usageError) Error() string { return u.message }

// usagef returns a usageError.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}
