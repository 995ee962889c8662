package planning

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// Classes of the questions that Cross asks itself.
const (
	ClassReadingsDiffer = "readings_differ"
	ClassUngrounded     = "ungrounded"
)

// Cross returns a planner that asks a model and a grammar and lets neither
// decide alone what it can help:
//
//	model            grammar   answer
//	plan             same      the plan, agreement both
//	grounded plan    question  the model's plan, agreement model
//	ungrounded plan  question  *ClarificationError with the grammar's questions
//	any plan         open      *ClarificationError with the grammar's questions
//	plan             other     *ClarificationError with both readings
//	question         plan      *ClarificationError with the grammar's reading
//	question         question  *ClarificationError with the questions of both
//	no answer        plan      the grammar's plan, agreement grammar
//	other error      any       the error
//
// A question is open where the grammar understood every word and still has to
// ask: the instruction does not say it, and a model that plans has guessed.
// No answer is one that errs.Retryable expects later, the model being down, slow
// or out of quota, and three plans that Ground refused: none of them speaks
// against the grammar's plan.
func Cross(model, grammar Planner, log *slog.Logger) Planner {
	return &crossed{model: model, grammar: grammar, log: log}
}

type crossed struct {
	model, grammar Planner
	log            *slog.Logger
}

// Plan implements Planner.
func (c *crossed) Plan(ctx context.Context, r Request) (Draft, error) {
	r = r.Indexed()
	read, notRead := c.grammar.Plan(ctx, r)
	var asked *ClarificationError
	if notRead != nil && !errors.As(notRead, &asked) {
		return Draft{}, notRead
	}
	made, err := c.model.Plan(ctx, r)
	if ctx.Err() != nil {
		return Draft{}, ctx.Err()
	}
	switch {
	case err != nil && asked != nil:
		return Draft{}, bothAsk(err, asked)
	case err != nil:
		return c.withoutModel(ctx, read, r, err)
	case asked == nil:
		return compare(made, read)
	}
	return alone(r, made, asked)
}

// alone accepts a plan of the model that is grounded, unless the grammar has
// understood the instruction and asks: the model has guessed the answer then.
func alone(r Request, made Draft, asked *ClarificationError) (Draft, error) {
	class := asked.Class
	if !asked.Open {
		if GroundAmong(r.Instruction, made.Plan, r.Known()) == nil {
			made.Planner.Agreement = AgreementModel
			return made, nil
		}
		class = ClassUngrounded
	}
	return Draft{}, &ClarificationError{Class: class, Open: asked.Open, Questions: asked.Questions, Readings: append(asked.Readings, reading("model", made.Plan))}
}

// withoutModel answers with the grammar's plan. Where the model asked a
// question instead of failing, there are two opinions, and a person decides.
func (c *crossed) withoutModel(ctx context.Context, read Draft, r Request, err error) (Draft, error) {
	var asked *ClarificationError
	switch questions := errors.As(err, &asked); {
	case !questions && !errs.Retryable(err):
		return Draft{}, err
	case questions && asked.Class != ClassUngrounded:
		return Draft{}, &ClarificationError{Class: asked.Class, Questions: asked.Questions, Readings: append(asked.Readings, reading("grammar", read.Plan))}
	}
	c.log.WarnContext(ctx, "planned without the model", "execution_id", r.ExecutionID, "kind", errs.KindOf(err), "error", err)
	read.Planner.Agreement = AgreementGrammar
	return read, nil
}

// bothAsk joins the questions. A model that failed has none: then the caller
// hears of the failure, because the model may well understand the instruction.
func bothAsk(err error, grammar *ClarificationError) error {
	var model *ClarificationError
	if !errors.As(err, &model) {
		return err
	}
	questions := slices.Clone(grammar.Questions)
	for _, question := range model.Questions {
		if model.Class != ClassUngrounded && !slices.Contains(questions, question) {
			questions = append(questions, question)
		}
	}
	return &ClarificationError{Class: grammar.Class, Questions: questions, Readings: slices.Concat(model.Readings, grammar.Readings)}
}

// compare accepts what both planners say. The plan kept is the grammar's: it
// has no words in it that a model wrote.
func compare(made, read Draft) (Draft, error) {
	if !Same(made.Plan, read.Plan) {
		return Draft{}, &ClarificationError{
			Class:     ClassReadingsDiffer,
			Questions: []string{"The instruction can be read in two ways. Which one is meant? Say it in other words, one rule a sentence."},
			Readings:  []Reading{reading("model", made.Plan), reading("grammar", read.Plan)},
		}
	}
	record := made.Planner
	record.Agreement = AgreementBoth
	return Draft{Plan: read.Plan, Planner: record}, nil
}

func reading(by string, p *plan.Plan) Reading {
	return Reading{By: by, Sentences: plan.Explain(p)}
}
