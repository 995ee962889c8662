package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/shared/errs"
)

// Exit codes. They mean the same for every command.
const (
	exitDone   = 0 // done, or skipped because it was done before
	exitFailed = 1 // tried and failed, or it waits; stderr says why and what to do
	exitUsage  = 2 // a wrong command line; nothing was tried
)

const about = `Planwright turns a sentence into a plan, and carries the plan out exactly once.

  planwright demo                     see it work in a fresh folder
  planwright serve                    everything over HTTP, under ./local
  planwright plan --instruction "Discount all yoga products by 5%." --plan-out plan.json
  planwright apply --plan plan.json --csv products.csv --out updated.csv --audit audit.jsonl
  planwright undo --execution ID --csv updated.csv --out products.csv --audit audit.jsonl

Exit codes: 0 done, or skipped because it was done before; 1 failed, or waits for an
approval or its time; 2 wrong command line.`

// run carries out one command line and returns the exit code.
func run(ctx context.Context, args []string, env environment) int {
	root := newRoot(env)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	var failed *failure
	if !errors.As(err, &failed) {
		fmt.Fprintf(env.stderr, "%v\nSee: %s --help\n", err, cmd.CommandPath())
		return exitUsage
	}
	if text := failed.text(); text != "" {
		fmt.Fprintln(env.stderr, text)
	}
	return exitFailed
}

// newRoot returns the command that all others hang from.
func newRoot(env environment) *cobra.Command {
	serve := serveCommand(env)
	root := &cobra.Command{
		Use:           "planwright",
		Short:         "Plain-English instructions, validated plans, carried out exactly once",
		Long:          about,
		Args:          cobra.NoArgs,
		RunE:          serve.RunE,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.Flags().AddFlagSet(serve.Flags())
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	add(root, "Begin here:", demoCommand(env), serve)
	add(root, "Change a table on this machine, without a server:", planCommand(env), applyCommand(env), undoCommand(env), verifyCommand(env))
	add(root, "Decide, and look at the record:", approveCommand(env), rejectCommand(env), executionsCommand(env), showCommand(env), historyCommand(env), tokenCommand(env))
	add(root, "Talk to the agents:", chatCommand(env), sequenceCommand(env))
	add(root, "Use what is deployed:", consoleCommand(env), keyCommand(env))
	return root
}

// add adds commands that the help lists under one title.
func add(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, command := range commands {
		command.GroupID = title
		root.AddCommand(command)
	}
}

// failure is an error met while doing what was asked, told apart from a
// command line that asks for nothing that can be done.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// text is what a person reads: the message of a known error alone, and the
// whole of one that is not, for here the reader owns the machine.
func (f *failure) text() string {
	var coded *errs.Error
	if errors.As(f.err, &coded) {
		return coded.Message
	}
	return f.err.Error()
}

// action turns what a command does into a cobra run function whose errors are
// failures.
func action(do func(ctx context.Context) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		err := do(cmd.Context())
		if err == nil {
			return nil
		}
		var asked *usageError
		if errors.As(err, &asked) {
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
