package planning

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// Who a reading is by.
const (
	ByModel  = "model"
	ByReader = "grammar"
	ByBoth   = "both"
)

// ClassReadingsDiffer is the class of the question where the model and the
// reader have a plan each.
const ClassReadingsDiffer = "readings_differ"

// Judge returns a planner that asks a model and a reader, which vouches for the
// model's plan where it does what the one and only reading of the instruction does.
//
// The README of this package has the table of who is believed.
//
// The reader is lost where it does not understand the words: it has nothing to
// say against a plan. Its other questions no model overrules.
func Judge(model, reader Planner, log *slog.Logger) Planner {
	return &judge{model: model, reader: reader, log: log}
}

type judge struct {
	model, reader Planner
	log           *slog.Logger
}

// Plan implements Planner.
func (j *judge) Plan(ctx context.Context, r Request) (Planned, error) {
	read, readerAsks, err := drafted(j.reader.Plan(ctx, r))
	if err != nil {
		return Planned{}, err
	}
	asking, cancel := leaving(ctx, storeTime)
	made, modelAsks, err := drafted(j.model.Plan(asking, r))
	cancel()
	dropRounding(made.Plan, r.Instruction)
	made.Plan.SettleWhole(r.Names.WholePrices)
	switch {
	case ctx.Err() != nil:
		return Planned{}, ctx.Err()
	case err != nil && readerAsks == nil:
		read.Planner.Agreement, read.Planner.WithoutModel = AgreementGrammar, reasonOf(err)
		read.Planner.Tokens = made.Planner.Tokens
		j.log.WarnContext(ctx, "planned without the model", "execution_id", r.ExecutionID, "reason", read.Planner.WithoutModel, "error", err)
		return read, nil
	case err != nil:
		return Planned{}, err
	case modelAsks == nil && readerAsks == nil:
		return j.compare(ctx, r, made, read)
	case modelAsks == nil && lost[readerAsks.Class]:
		made.Planner.Agreement = AgreementModel
		return made, nil
	}
	return Planned{}, j.ask(ctx, r, made, modelAsks, read, readerAsks)
}

// storeTime is what the model leaves of the caller's time, to store the reader's plan in.
const storeTime = 10 * time.Second

// leaving returns a context that ends by that much before ctx, where ctx has an end.
func leaving(ctx context.Context, rest time.Duration) (context.Context, context.CancelFunc) {
	deadline, ends := ctx.Deadline()
	if !ends {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, deadline.Add(-rest))
}

// reasonOf is why a planner gave no plan, in one term.
func reasonOf(err error) string {
	if failed, ok := errors.AsType[interface {
		error
		Reason() string
	}](err); ok {
		return failed.Reason()
	}
	return string(errs.KindOf(err))
}

// lost are the classes of the reader's questions about words that it does not
// understand.
var lost = map[string]bool{"unknown_words": true, "together": true, "unfinished": true, "too_long": true}

// drafted tells a planner's question from its other errors.
func drafted(d Planned, err error) (Planned, *ClarificationError, error) {
	var asked *ClarificationError
	if errors.As(err, &asked) {
		return Planned{}, asked, nil
	}
	return d, nil, err
}

// compare accepts what both planners say. The plan kept is the reader's: it has
// no words in it that a model wrote.
func (j *judge) compare(ctx context.Context, r Request, made, read Planned) (Planned, error) {
	if !Same(made.Plan, read.Plan) {
		return Planned{}, &ClarificationError{
			Class:     ClassReadingsDiffer,
			Questions: []string{"The instruction can be read in two ways. Which one is meant? Confirm its plan, or say it in other words, one rule a sentence."},
			Readings:  []Reading{j.reading(ctx, r, ByModel, made.Plan), j.reading(ctx, r, ByReader, read.Plan)},
		}
	}
	made.Planner.Agreement, made.Planner.Assumes = AgreementBoth, read.Planner.Assumes
	return Planned{Plan: read.Plan, Planner: made.Planner}, nil
}

// ask joins the questions of those who ask and shows the plan of who does not.
func (j *judge) ask(ctx context.Context, r Request, made Planned, modelAsks *ClarificationError, read Planned, readerAsks *ClarificationError) error {
	asked := &ClarificationError{}
	for _, question := range []*ClarificationError{readerAsks, modelAsks} {
		if question != nil {
			asked.Class = cmp.Or(asked.Class, question.Class)
			asked.Questions = append(asked.Questions, question.Questions...)
			asked.Readings = append(asked.Readings, question.Readings...)
		}
	}
	switch {
	case modelAsks == nil:
		j.showModel(ctx, r, asked, made.Plan)
	case readerAsks == nil:
		asked.Readings = append(asked.Readings, j.reading(ctx, r, ByReader, read.Plan))
	}
	return asked
}

// showModel puts the model's plan first among the readings that a question
// offers, once where the reader has it too.
func (j *judge) showModel(ctx context.Context, r Request, asked *ClarificationError, made *plan.Plan) {
	shown := j.reading(ctx, r, ByModel, made)
	i := slices.IndexFunc(asked.Readings, func(reading Reading) bool {
		return Same(made, &plan.Plan{Operations: reading.Operations}) // one that is not whole is no plan
	})
	if i >= 0 {
		shown = asked.Readings[i] // before Delete moves the others there
		shown.By = ByBoth
		asked.Readings = slices.Delete(asked.Readings, i, i+1)
	}
	asked.Readings = append([]Reading{shown}, asked.Readings...)
	asked.Questions = append(asked.Questions, "The model understood it so: "+strings.Join(shown.Sentences, " ")+" Is this meant? Then confirm that plan.")
}

// reading shows a plan. Where what it does, said in plain English, is an
// instruction that the reader understands as the same plan, that is offered too.
func (j *judge) reading(ctx context.Context, r Request, by string, p *plan.Plan) Reading {
	shown := Reading{By: by, Sentences: plan.Explain(p), Operations: p.Operations}
	r.Instruction = strings.Join(shown.Sentences, " ")
	if again, err := j.reader.Plan(ctx, r); err == nil && Same(again.Plan, p) {
		shown.Instruction = r.Instruction
	}
	return shown
}

// ofRounding finds what an instruction says of how to round.
var ofRounding = regexp.MustCompile(`(?i)\b(round\w*|decimals?|digits?|nearest|to the (cent|penny))\b`)

// dropRounding removes round_to 2 from a model's plan if the instruction does not say how
// to round, so that prices keep the decimals that the table has.
func dropRounding(p *plan.Plan, instruction string) {
	if p == nil || ofRounding.MatchString(instruction) {
		return
	}
	for i := range p.Operations {
		if o := &p.Operations[i].Options; o.RoundTo != nil && *o.RoundTo == plan.DefaultRoundTo {
			o.RoundTo = nil
		}
	}
}
