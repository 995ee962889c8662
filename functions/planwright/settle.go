package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/functions/emulator"
	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// settling is a draft whose open parts a person settles, one after the other.
type settling struct {
	draft   planning.Draft
	ignored []string // the words that the person ignores

	confirmed []int // the rules that the person chose, by their indexes
}

// settle has a person settle what an instruction leaves open: by the answers of --choose, or
// at the terminal. Whoever settles nothing gets the questions as an error.
func (f planFlags) settle(
	ctx context.Context,
	env environment,
	request planning.Request,
	unclear *planning.ClarificationError,
) (planning.Planned, error) {
	s := settling{draft: *unclear.Draft}
	answer := f.answers(ctx, env)
	if answer == nil {
		return planning.Planned{}, questionsError(unclear)
	}
	if f.choose == nil {
		printRules(env.stderr, s.draft)
	}
	for s.passAsides(); len(s.draft.Open) > 0; s.passAsides() {
		typed, err := answer(s.draft.Open[0])
		if err != nil {
			return planning.Planned{}, err
		}
		if err := s.take(typed); err != nil {
			return planning.Planned{}, err
		}
	}
	if !s.draft.Ready() {
		return planning.Planned{}, unfinished(s.draft)
	}
	return s.planned(request)
}

// answers are those of --choose, or of the person at the terminal; nil: there is nobody.
func (f planFlags) answers(ctx context.Context, env environment) func(planning.OpenPart) (string, error) {
	switch {
	case f.choose != nil:
		left := slices.Clone(f.choose)
		return func(part planning.OpenPart) (string, error) {
			if len(left) == 0 {
				return "", usagef(
					"--choose has no answer for %q: give one for each open part, 0 to ignore its words.",
					part.Text,
				)
			}
			typed := left[0]
			left = left[1:]
			return typed, nil
		}
	case env.asks:
		lines := bufio.NewReader(env.stdin)
		return func(part planning.OpenPart) (string, error) {
			printPart(env.stderr, part)
			fmt.Fprint(env.stderr, "Its number, 0 to ignore these words, or Enter to stop: ")
			return line(ctx, lines)
		}
	}
	return nil
}

// passAsides ignores words that are far from any rule, up to the next part that is a question.
func (s *settling) passAsides() {
	for len(s.draft.Open) > 0 && s.draft.Open[0].Quiet {
		s.ignored = append(s.ignored, s.draft.Open[0].Text)
		s.draft = s.draft.Choose(0, -1)
	}
}

// take settles the first open part by an answer.
func (s *settling) take(typed string) error {
	part := s.draft.Open[0]
	if typed == "" {
		return errs.New(errs.Invalid, "No plan was made. Say the instruction in other words.")
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 0 || n > len(part.Choices) {
		return errs.New(errs.Invalid,
			"No plan was made: %q is no number from 0 to %d.", typed, len(part.Choices))
	}
	if n == 0 {
		s.ignored = append(s.ignored, part.Text)
	}
	s.draft = s.draft.Choose(0, n-1)
	switch {
	case n == 0:
	case part.Operation != nil:
		s.confirmed = append(s.confirmed, *part.Operation)
	case part.Choices[n-1].Patch.Operations != nil:
		for i := range s.draft.Operations {
			s.confirmed = append(s.confirmed, i)
		}
	}
	return nil
}

// planned is the plan of the draft's rules.
func (s *settling) planned(request planning.Request) (planning.Planned, error) {
	by, err := emulator.MachineUser()
	if err != nil {
		return planning.Planned{}, err
	}
	made := planning.ByPerson(request.Instruction, s.draft.Rules(), request.CreatedAt)
	made.Plan.ExecutionID = request.ExecutionID
	made.Plan.Terms = plan.Terms{ApplyAt: s.draft.ApplyAt, RevertAt: s.draft.RevertAt}
	if model := s.draft.Model; model != nil && model.Unconfirmed(s.draft.Rules(), s.confirmed) {
		made.Planner = model.By // which nobody vouches for
	}
	made.Planner.Confirmed = &plans.Confirmation{By: by, LeavesOut: s.ignored}
	return made, nil
}

// printRules writes the rules of a draft.
func printRules(w io.Writer, d planning.Draft) {
	fmt.Fprintln(w, "understood")
	for i := range d.Operations {
		rule := &d.Operations[i]
		look := ""
		if len(rule.Ask) > 0 {
			look = " (look at this: it was pieced together)"
		}
		fmt.Fprintf(w, "  %s%s\n", rule.Sentence(), look)
	}
	if len(d.Operations) == 0 {
		fmt.Fprintln(w, "  no rule yet")
	}
	for _, at := range []struct{ does, when string }{{"apply", d.ApplyAt}, {"undo", d.RevertAt}} {
		if at.when != "" {
			fmt.Fprintf(w, "  %s at %s\n", at.does, at.when)
		}
	}
}

// printPart writes an open part with its choices by number.
func printPart(w io.Writer, part planning.OpenPart) {
	if part.Quiet {
		fmt.Fprintf(w, "aside      %q\n", part.Text)
		return
	}
	fmt.Fprintf(w, "open       %q\n  %s\n", part.Text, part.Question)
	for i, choice := range part.Choices {
		rows := ""
		if choice.Rows != nil {
			rows = fmt.Sprintf(" (%d rows)", *choice.Rows)
		}
		fmt.Fprintf(w, "  %d  %s%s\n", i+1, choice.Label, rows)
	}
}

// unfinished says which rules are not finished, and how they can be.
func unfinished(d planning.Draft) error {
	var lines []string
	for i := range d.Operations {
		if rule := &d.Operations[i]; !rule.Finished() {
			lines = append(lines, rule.Sentence())
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "There is no rule.")
	}
	return errs.New(
		errs.Invalid,
		"No plan was made: rules are not finished. Say the instruction in other words, or give the rules with --rules.\n  %s",
		strings.Join(lines, "\n  "),
	)
}

// line reads what is typed, until the context ends.
func line(ctx context.Context, in *bufio.Reader) (string, error) {
	typed := make(chan string, 1)
	go func() {
		text, _ := in.ReadString('\n') // what was typed before the end counts
		typed <- strings.TrimSpace(text)
	}()
	select {
	case text := <-typed:
		return text, nil
	case <-ctx.Done():
		return "", errs.Wrap(errs.Deadline, ctx.Err(), "Stopped: no plan was made.")
	}
}

// questionsError puts a planner's questions, the rules and what is open before the person who can
// answer them.
func questionsError(unclear *planning.ClarificationError) error {
	var text strings.Builder
	for _, question := range unclear.Questions {
		fmt.Fprintf(&text, "\n  %s", question)
	}
	if d := unclear.Draft; d != nil {
		var shown strings.Builder
		printRules(&shown, *d)
		for _, part := range d.Open {
			printPart(&shown, part)
		}
		text.WriteString("\n" + strings.TrimRight(shown.String(), "\n"))
		text.WriteString(
			"\n--choose takes the number of a choice for each open part in turn, and 0 to ignore its words.",
		)
	}
	return errs.Wrap(
		errs.Invalid,
		unclear,
		"No plan was made: the instruction leaves something open.%s",
		text.String(),
	)
}
