package main

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// choose asks the person at the terminal which reading is meant. Whoever picks
// none gets the questions as an error.
func choose(ctx context.Context, env environment, request planning.Request, unclear *planning.ClarificationError) (planning.Planned, error) {
	offered := slices.DeleteFunc(slices.Clone(unclear.Readings), func(r planning.Reading) bool { return len(r.Operations) == 0 })
	if len(offered) == 0 {
		return planning.Planned{}, asked(unclear)
	}
	for _, question := range unclear.Questions {
		fmt.Fprintln(env.stderr, question)
	}
	for i, reading := range offered {
		fmt.Fprintf(env.stderr, "  %d  %s\n", i+1, said(reading))
	}
	fmt.Fprintf(env.stderr, "Which is meant? Its number, or Enter for none: ")
	typed, err := line(ctx, env)
	if err != nil {
		return planning.Planned{}, err
	}
	if typed == "" {
		return planning.Planned{}, errs.New(errs.Invalid, "No plan was made. Say the instruction in other words.")
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 1 || n > len(offered) {
		return planning.Planned{}, errs.New(errs.Invalid, "No plan was made: %q is no number from 1 to %d.", typed, len(offered))
	}
	by, err := emulator.MachineUser()
	if err != nil {
		return planning.Planned{}, err
	}
	chosen := offered[n-1]
	return planning.Planned{Planner: chosen.ConfirmedBy(by), Plan: &plan.Plan{
		ExecutionID: request.ExecutionID, CreatedAt: request.CreatedAt.Format(time.RFC3339),
		SourceInstruction: request.Instruction, Operations: chosen.Operations,
	}}, nil
}

// line reads what is typed, until the context ends.
func line(ctx context.Context, env environment) (string, error) {
	typed := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(env.stdin).ReadString('\n') // what was typed before the end counts
		typed <- strings.TrimSpace(text)
	}()
	select {
	case text := <-typed:
		return text, nil
	case <-ctx.Done():
		return "", errs.Wrap(errs.Deadline, ctx.Err(), "Stopped: no plan was made.")
	}
}

// asked puts a planner's questions before the person who can answer them.
func asked(unclear *planning.ClarificationError) error {
	lines := slices.Clone(unclear.Questions)
	for _, reading := range unclear.Readings {
		lines = append(lines, "It may mean: "+said(reading))
	}
	return errs.Wrap(errs.Invalid, unclear, "No plan was made: the instruction can be understood in more than one way, or not at all.\n  %s",
		strings.Join(lines, "\n  "))
}

// said is a reading in a line, with what it leaves out and what it assumes.
func said(r planning.Reading) string {
	text := strings.Join(r.Sentences, " ")
	if r.Instruction != "" {
		text = strconv.Quote(r.Instruction)
	}
	if len(r.LeavesOut) > 0 {
		text += " Leaves out: " + ledger.Quoted(r.LeavesOut) + "."
	}
	return strings.Join(append([]string{text}, r.Assumes...), " ")
}
