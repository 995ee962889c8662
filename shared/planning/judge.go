package planning

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

// ClassPlansDiffer is the class of the question where the model and the reader have a plan
// each.
const ClassPlansDiffer = "plans_differ"

// Judge returns a planner that asks a model and a reader, which vouches for the
// model's plan where it does what the one and only candidate of the instruction does.
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
	settleModels(made.Plan, r)
	switch {
	case ctx.Err() != nil:
		return Planned{}, ctx.Err()
	case err != nil && readerAsks == nil:
		read.Planner.Agreement, read.Planner.WithoutModel = AgreementGrammar, reasonOf(err)
		read.Planner.Tokens = made.Planner.Tokens
		j.log.WarnContext(ctx, "planned without the model",
			"execution_id", r.ExecutionID, "reason", read.Planner.WithoutModel, "error", err)
		return read, nil
	case err != nil:
		return Planned{}, err
	case modelAsks == nil && readerAsks == nil:
		return j.compare(ctx, r, made, read)
	case modelAsks == nil && lost[readerAsks.Class]:
		made.Planner.Agreement = AgreementModel
		return made, nil
	}
	return Planned{}, j.ask(r, made, modelAsks, read, readerAsks)
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
// no words in it that a model wrote. Where only the order of the rules differs, the
// reader's holds, which is the sentence's, unless that matters to the table.
func (j *judge) compare(ctx context.Context, r Request, made, read Planned) (Planned, error) {
	model, reader := made.Plan.Operations, read.Plan.Operations
	same := Same(made.Plan, read.Plan)
	if !same && sameRules(made.Plan, read.Plan) {
		if r.SameHere == nil || !r.SameHere(model, reader) {
			return Planned{}, inWhichOrder(r, model, reader)
		}
		same = true
	}
	if !same {
		return Planned{}, differing(r, made, reader)
	}
	made.Planner.Agreement, made.Planner.Assumes = AgreementBoth, read.Planner.Assumes
	return Planned{Plan: read.Plan, Planner: made.Planner}, nil
}

// What stands before the rules of each planner where a person has to choose.
const (
	byModel  = "The model: "
	byReader = "The grammar: "
)

// inWhichOrder asks which of two orders of the same rules is meant.
func inWhichOrder(r Request, model, reader []plan.Operation) *ClarificationError {
	const question = "Some products are in several of these rules, so their order matters. Which one is meant?"
	part := wholeOf(r, OpenOrder, question, ChoiceOf(byModel, model), ChoiceOf(byReader, reader))
	return &ClarificationError{
		Class:     OpenOrder,
		Questions: []string{question},
		Draft:     &Draft{Operations: RulesOf(reader), Open: []OpenPart{part}},
	}
}

// differing asks which of two plans is meant, rule by rule: those that both have are settled.
// Where one has more rules than the other, all of them are asked at once.
func differing(r Request, made Planned, reader []plan.Operation) *ClarificationError {
	model := made.Plan.Operations
	draft := &Draft{Open: []OpenPart{}, Model: rulesOfModel(made.Planner, onlyIn(model, reader))}
	asked := &ClarificationError{Class: ClassPlansDiffer, Draft: draft}
	ask := func(part OpenPart) {
		draft.Open, asked.Questions = append(draft.Open, part), append(asked.Questions, part.Question)
	}
	others := pairOf(reader, model)
	if others == nil {
		draft.Operations = Agreed(ClassPlansDiffer, reader, model)
		for i := range draft.Operations {
			draft.Operations[i].From = []Span{{End: len(r.Instruction)}}
		}
		ask(
			wholeOf(
				r,
				ClassPlansDiffer,
				"The instruction can be understood in two ways. Which one is meant?",
				ChoiceOf(byModel, model),
				ChoiceOf(byReader, reader),
			),
		)
		return asked
	}
	for i, op := range reader {
		if textOf(op) == textOf(others[i]) {
			draft.Operations = append(draft.Operations, RuleOf(op))
			continue
		}
		rule := Agreed(ClassPlansDiffer, []plan.Operation{op}, []plan.Operation{others[i]})[0]
		rule.From = []Span{{End: len(r.Instruction)}}
		draft.Operations = append(draft.Operations, rule)
		question := "This rule can be understood in two ways. Which one is meant?"
		if len(reader) == 1 {
			question = "The instruction can be understood in two ways. Which one is meant?"
		}
		part := wholeOf(r, ClassPlansDiffer, question,
			choiceOfRule(byModel, others[i]), choiceOfRule(byReader, op))
		part.Operation = new(i)
		ask(part)
	}
	return asked
}

// choiceOfRule offers an operation in the place of the rule that a part is about.
func choiceOfRule(lead string, op plan.Operation) DraftChoice {
	label := strings.Join(plan.Explain(&plan.Plan{Operations: []plan.Operation{op}}), " ")
	rule := RuleOf(op)
	return DraftChoice{
		Label: lead + label,
		Patch: DraftPatch{Filter: &rule.Filter, Action: &rule.Action, Options: &rule.Options},
	}
}

// wholeOf is an open part about the whole instruction.
func wholeOf(r Request, class, question string, choices ...DraftChoice) OpenPart {
	return OpenPart{
		Span: Span{End: len(r.Instruction)}, Text: r.Instruction, Class: class, Question: question,
		Choices: append([]DraftChoice{}, choices...),
	}
}

// ask joins the questions of those who ask, and offers the plan of the one who does not.
func (j *judge) ask(
	r Request,
	made Planned,
	modelAsks *ClarificationError,
	read Planned,
	readerAsks *ClarificationError,
) error {
	asked := &ClarificationError{Draft: &Draft{Operations: []DraftRule{}, Open: []OpenPart{}}}
	if readerAsks != nil && readerAsks.Draft != nil {
		asked.Draft = readerAsks.Draft
	}
	for _, question := range []*ClarificationError{readerAsks, modelAsks} {
		if question != nil {
			asked.Class = cmp.Or(asked.Class, question.Class)
			asked.Questions = append(asked.Questions, question.Questions...)
		}
	}
	switch {
	case modelAsks == nil:
		choice := ChoiceOf(byModel, made.Plan.Operations)
		draft := *asked.Draft
		draft.Model = rulesOfModel(made.Planner, made.Plan.Operations)
		draft.Open = append(
			[]OpenPart{wholeOf(r, asked.Class, "Is what the model understood meant?", choice)},
			draft.Open...)
		asked.Draft = &draft
	case readerAsks == nil:
		choice := ChoiceOf(byReader, read.Plan.Operations)
		part := wholeOf(r, asked.Class, strings.Join(modelAsks.Questions, " "), choice)
		asked.Draft = &Draft{Operations: RulesOf(read.Plan.Operations), Open: []OpenPart{part}}
	}
	return asked
}

// settleModels sets what code decides and no model is asked for: decimals, and that no
// rule moves a price against its direction.
func settleModels(p *plan.Plan, r Request) {
	dropRounding(p, r.Instruction)
	p.SettleWhole(r.Names.WholePrices)
	p.SettleDirections()
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
