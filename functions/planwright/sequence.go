package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/agents/failuresequence"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/sessions/sqlite"
	"github.com/planwright/planwright/shared/sqlitedb"
	"github.com/planwright/planwright/shared/web"
)

// Times of one run of the sequence. It ends within 30 s whatever goes wrong.
const (
	sequenceTime = 25 * time.Second // the whole turn
	sequenceTurn = 18 * time.Second // the agents' part of it
)

// sequenceFaults are the values of --fail.
var sequenceFaults = []string{"none", "a", "b", "c", "model", "timeout", "panic"}

func sequenceCommand(env environment) *cobra.Command {
	fail := "a"
	var as form
	cmd := &cobra.Command{
		Use:   "sequence",
		Short: "Run four agents: a failure skips the next, and the last always reports",
		Long: `Runs the agents A, B, C and D in order and shows the outcome of each. A failure
skips the steps after it; D always runs and says what happened. The model
is Gemini where its variables are set, and an offline one otherwise.`,
		Example: "  planwright sequence --fail b",
		Args:    cobra.NoArgs,
		RunE: action(func(ctx context.Context) error {
			if !slices.Contains(sequenceFaults, fail) {
				return usagef("--fail is %q; it must be one of %s", fail, strings.Join(sequenceFaults, ", "))
			}
			return runSequence(ctx, env, as, fail)
		}),
	}
	cmd.Flags().StringVar(&fail, "fail", fail, "what goes wrong: "+strings.Join(sequenceFaults, ", "))
	oneOf(cmd, "fail", sequenceFaults...)
	as.add(cmd)
	return cmd
}

// runSequence runs one turn of the sequence, as any client of the session function
// would, over a fresh file, and prints what happens.
func runSequence(ctx context.Context, env environment, as form, fail string) (err error) {
	folder, err := os.MkdirTemp("", "planwright-sequence-")
	if err != nil {
		return errs.Wrap(errs.Unavailable, err, "Cannot make a temporary folder.")
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	store, err := sqlite.Open(ctx, filepath.Join(folder, "state.db"), sqlitedb.Options{NoSync: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	model, err := emulator.AgentModel(ctx, env.lookup)
	if err != nil {
		return err
	}
	log := &milestones{}
	handler, err := session.NewHandler(
		session.Dependencies{Store: store, Model: model, TurnTimeout: sequenceTurn, Log: slog.New(log)},
	)
	if err != nil {
		return err
	}
	var events []agentEvent
	show := func(event agentEvent) { events = append(events, event) }
	if as != "json" {
		fmt.Fprintf(env.stdout, "%s, model %s, --fail %s\n\n", failuresequence.App, model.Name(), fail)
		show = func(event agentEvent) { printEvent(env.stdout, event) }
	}
	service := web.Service{Name: "session", Timeout: sequenceTime}
	client := &web.Client{Base: "http://localhost", HTTP: web.InProcess(service.Serve(handler))}
	if err := tellSequence(ctx, client, fail, show); err != nil {
		return err
	}
	if printed, err := as.print(env.stdout, events); printed || err != nil {
		return err
	}
	for _, message := range log.messages {
		fmt.Fprintln(env.stdout, message)
	}
	return nil
}

// tellSequence runs the turn and hands on each of its events.
func tellSequence(ctx context.Context, client *web.Client, fail string, show func(agentEvent)) error {
	c := conversation{client, failuresequence.App, "local", "sequence"}
	if err := c.create(ctx, map[string]any{"fail": fail}); err != nil {
		return err
	}
	reported := false
	err := c.stream(ctx, "Run the sequence.", func(event agentEvent) {
		show(event)
		reported = reported || event.Author == "AgentD"
	})
	if err == nil && !reported {
		err = errs.New(errs.Internal, "AgentD did not report.")
	}
	return err
}

// printEvent prints what an agent did, one line for each thing, and the state
// that it wrote.
func printEvent(out io.Writer, event agentEvent) {
	for _, part := range event.Content.Parts {
		switch {
		case part.FunctionCall != nil:
			fmt.Fprintf(out, "%-7s calls %s\n", event.Author, part.FunctionCall.Name)
		case part.FunctionResponse != nil:
			answer := part.FunctionResponse
			fmt.Fprintf(
				out,
				"%-7s gets from %s: %s\n",
				event.Author,
				answer.Name,
				oneLine(fmt.Sprintf("%v: %v", answer.Response["status"], answer.Response["message"])),
			)
		default:
			fmt.Fprintf(out, "%-7s %s\n", event.Author, oneLine(readable(part.Text)))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(event.Actions.StateDelta)) {
		fmt.Fprintf(out, "%-7s state %s = %s\n", "", key, oneLine(fmt.Sprint(event.Actions.StateDelta[key])))
	}
}

// readable shows an outcome as "failure: message", and other text as it is.
func readable(text string) string {
	var outcome struct{ Status, Message string }
	if json.Unmarshal([]byte(text), &outcome) != nil || outcome.Status == "" {
		return text
	}
	return strings.TrimSuffix(outcome.Status+": "+outcome.Message, ": ")
}

// milestones is a log handler that keeps what was logged as information.
type milestones struct{ messages []string }

func (m *milestones) Enabled(_ context.Context, level slog.Level) bool {
	return level == slog.LevelInfo
}
func (m *milestones) Handle(_ context.Context, record slog.Record) error {
	m.messages = append(m.messages, record.Message)
	return nil
}
func (m *milestones) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m *milestones) WithGroup(string) slog.Handler      { return m }
