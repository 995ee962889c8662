package planning_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/gemini"
	"github.com/planwright/planwright/shared/ledger/plans"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/reader"
)

// scripted is a planner with one answer.
type scripted struct {
	draft planning.Planned
	err   error
}

func (s scripted) Plan(context.Context, planning.Request) (planning.Planned, error) {
	return s.draft, s.err
}

func planOf(model string, action plan.ActionType, value string, categories ...string) scripted {
	return scripted{draft: planning.Planned{
		Plan: &plan.Plan{ExecutionID: "plan_test_v1", Operations: []plan.Operation{{
			OperationID: "op_01", Description: "as " + model + " says", Filter: plan.Filter{Categories: categories},
			Action: plan.Action{Type: action, Value: plan.MustDecimal(value)},
		}}},
		Planner: plans.PlannedBy{Model: model, Attempts: 1},
	}}
}

func asks(class, question string, choices ...planning.DraftChoice) scripted {
	open := []planning.OpenPart{{Class: class, Question: question, Choices: choices}}
	return scripted{err: &planning.ClarificationError{
		Class: class, Questions: []string{question}, Draft: &planning.Draft{Operations: []planning.DraftRule{}, Open: open},
	}}
}

func fails(kind errs.Kind) scripted { return scripted{err: errs.New(kind, "no answer")} }

func judged(t *testing.T, model, reader planning.Planner) (planning.Planned, error) {
	t.Helper()
	return planning.Judge(model, reader, slog.New(slog.DiscardHandler)).Plan(t.Context(), planning.Request{Instruction: "Raise yoga by 10%.", ExecutionID: "plan_test_v1"})
}

func TestJudge(t *testing.T) {
	ten := planOf("gemini", plan.PercentIncrease, "10", "yoga")
	read := planOf("grammar", plan.PercentIncrease, "10", "yoga")
	twenty := planOf("gemini", plan.PercentIncrease, "20", "yoga")
	onSale, cheaper := planOf("gemini", plan.PercentDecrease, "20", "yoga"), planOf("grammar", plan.PercentDecrease, "20", "yoga")
	onSale.draft.Plan.Operations[0].Options.AsSale = true
	readSale := planOf("grammar", plan.PercentDecrease, "20.0", "yoga")
	readSale.draft.Plan.Operations[0].Options.AsSale = true
	readSale.draft.Plan.SettleDirections() // as the reader does
	lost, question := asks("unknown_words", "What is a flurb?"), asks("schedule", "What should change now?")
	either := asks("missing_unit", "%?", planning.ChoiceOf("Percent: ", ten.draft.Plan.Operations), planning.ChoiceOf("Money: ", twenty.draft.Plan.Operations))

	for _, tc := range []struct {
		name          string
		model, reader scripted
		agreement     string   // of the plan, if there is one
		by            string   // the model in the record
		class         string   // of the question, if there is one
		questions     int      // in it
		choices       []string // what stands before each
		kind          errs.Kind
	}{
		{name: "both agree", model: ten, reader: read, agreement: "both", by: "gemini"},
		{name: "they differ", model: twenty, reader: read, class: planning.ClassPlansDiffer, questions: 1, choices: []string{"The model", "The grammar"}},
		{name: "both put it on sale", model: onSale, reader: readSale, agreement: "both", by: "gemini"},
		{name: "they differ about a sale", model: onSale, reader: cheaper, class: planning.ClassPlansDiffer, questions: 1, choices: []string{"The model", "The grammar"}},
		{name: "only the model understands", model: ten, reader: lost, agreement: "model", by: "gemini"},
		{name: "the model plans what the reader refuses", model: ten, reader: question, class: "schedule", questions: 1, choices: []string{"The model"}},
		{name: "the model plans what the reader has choices for", model: ten, reader: either, class: "missing_unit", questions: 1, choices: []string{"The model", "Percent", "Money"}},
		{name: "the model asks", model: asks("model_question", "Which yoga?"), reader: read, class: "model_question", questions: 1, choices: []string{"The grammar"}},
		{name: "both ask", model: asks("model_question", "Which yoga?"), reader: lost, class: "unknown_words", questions: 2},
		{name: "both ask, and the reader has choices", model: question, reader: either, class: "missing_unit", questions: 2, choices: []string{"Percent", "Money"}},
		{name: "the model is down", model: fails(errs.Unavailable), reader: read, agreement: "grammar", by: "grammar"},
		{name: "the model has no quota", model: fails(errs.Exhausted), reader: read, agreement: "grammar", by: "grammar"},
		{name: "the model is slow", model: fails(errs.Deadline), reader: read, agreement: "grammar", by: "grammar"},
		{name: "the model answers nonsense", model: fails(errs.Unusable), reader: read, agreement: "grammar", by: "grammar"},
		{name: "the model may not be asked", model: fails(errs.Denied), reader: read, agreement: "grammar", by: "grammar"},
		{name: "the model answers nonsense and the reader asks", model: fails(errs.Unusable), reader: question, kind: errs.Unusable},
		{name: "the model is down and the reader asks", model: fails(errs.Unavailable), reader: question, kind: errs.Unavailable},
		{name: "the reader fails", model: ten, reader: fails(errs.Internal), kind: errs.Internal},
	} {
		t.Run(tc.name, func(t *testing.T) {
			draft, err := judged(t, tc.model, tc.reader)
			var asked *planning.ClarificationError
			switch {
			case tc.agreement != "":
				if err != nil || draft.Planner.Agreement != tc.agreement || draft.Planner.Model != tc.by {
					t.Fatalf("Plan() = %+v, %v, want agreement %s by %s", draft.Planner, err, tc.agreement, tc.by)
				}
			case tc.kind != "":
				if errs.KindOf(err) != tc.kind {
					t.Fatalf("Plan() = %v, want %s", err, tc.kind)
				}
			case !errors.As(err, &asked):
				t.Fatalf("Plan() = %v, %v, want a question", draft.Plan, err)
			default:
				var leads []string
				for _, part := range asked.Draft.Open {
					for _, choice := range part.Choices {
						lead, _, _ := strings.Cut(choice.Label, ":")
						leads = append(leads, lead)
					}
				}
				if asked.Class != tc.class || len(asked.Questions) != tc.questions || !cmp.Equal(leads, tc.choices) || asked.Draft.Complete {
					t.Errorf("asked %+v with %v, want class %s, %d questions, choices %v", asked, leads, tc.class, tc.questions, tc.choices)
				}
			}
		})
	}
}

// A plan made without the model says why, and what the model has cost all the same.
func TestAPlanWithoutTheModelSaysWhy(t *testing.T) {
	tokens := &plans.Tokens{Prompt: 900, Answer: 80}
	for _, tc := range []struct {
		err  error
		want string
	}{
		{gemini.Failed(errs.Unavailable, gemini.CredentialsRefused, nil, "no"), "credentials_refused"},
		{fmt.Errorf("asked: %w", gemini.Failed(errs.Unusable, gemini.AnswerBlocked, nil, "no")), "blocked"},
		{errors.New("a defect"), "internal"},
	} {
		failing := scripted{draft: planning.Planned{Planner: plans.PlannedBy{Model: "gemini", Tokens: tokens}}, err: tc.err}
		draft, err := judged(t, failing, planOf("grammar", plan.PercentIncrease, "10", "yoga"))
		want := plans.PlannedBy{Model: "grammar", Attempts: 1, Agreement: "grammar", WithoutModel: tc.want, Tokens: tokens}
		if diff := cmp.Diff(want, draft.Planner); err != nil || diff != "" {
			t.Errorf("Plan() = %v, planner (-want +got):\n%s", err, diff)
		}
		if warned := draft.Planner.Warnings(); len(warned) != 1 || warned[0].Code != plans.WarnWithoutModel || !strings.Contains(warned[0].Message, tc.want) {
			t.Errorf("warnings %+v", warned)
		}
	}
}

// slow is a model that answers nothing until its time is up.
type slow struct{}

func (slow) Plan(ctx context.Context, _ planning.Request) (planning.Planned, error) {
	<-ctx.Done()
	return planning.Planned{}, ctx.Err()
}

// A model that takes all the time there is leaves enough to store the reader's plan.
func TestASlowModelLeavesTimeForTheReadersPlan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 110*time.Second)
		defer cancel()
		judge := planning.Judge(slow{}, planOf("grammar", plan.PercentIncrease, "10", "yoga"), slog.New(slog.DiscardHandler))
		draft, err := judge.Plan(ctx, planning.Request{Instruction: "Raise yoga by 10%."})
		if err != nil || draft.Planner.WithoutModel != string(errs.Deadline) || ctx.Err() != nil {
			t.Errorf("Plan() = %+v, %v, and the caller's time: %v", draft.Planner, err, ctx.Err())
		}
	})
}

func TestTheStoredPlanHasNoWordsOfTheModel(t *testing.T) {
	draft, err := judged(t, planOf("gemini", plan.PercentIncrease, "10", "yoga"), planOf("grammar", plan.PercentIncrease, "10", "yoga"))
	if err != nil || draft.Plan.Operations[0].Description != "as grammar says" {
		t.Errorf("Plan() = %+v, %v, want the reader's operations", draft.Plan, err)
	}
}

// Whoever chooses the model's plan sees all that it does, and gets all of it.
func TestTheModelsPlanIsShownWhole(t *testing.T) {
	made := planOf("gemini", plan.PercentIncrease, "10", "yoga")
	_, err := judged(t, made, asks("scope", "What is meant?"))
	var asked *planning.ClarificationError
	if !errors.As(err, &asked) {
		t.Fatalf("Plan() = %v, want a question", err)
	}
	chosen := asked.Draft.Choose(0, 0)
	if !strings.HasSuffix(asked.Draft.Open[0].Choices[0].Label, plan.Explain(made.draft.Plan)[0]) || !planning.Same(&plan.Plan{Operations: chosen.Rules()}, made.draft.Plan) {
		t.Errorf("the model's plan is %+v, chosen %+v", asked.Draft.Open[0], chosen)
	}
}

// Where both have a plan, the draft has what they agree on.
func TestTheDraftOfTwoPlansHasWhatTheyAgreeOn(t *testing.T) {
	_, err := judged(t, planOf("gemini", plan.PercentIncrease, "10", "yoga"), planOf("grammar", plan.PercentDecrease, "10", "yoga"))
	var asked *planning.ClarificationError
	if !errors.As(err, &asked) {
		t.Fatalf("Plan() = %v, want a question", err)
	}
	rule := asked.Draft.Operations[0]
	if rule.Finished() || !slices.Equal(rule.Filter.Categories, []string{"yoga"}) || rule.Action.Value.String() != "10" || !rule.Asks(planning.SlotAction) || rule.Asks(planning.SlotFilter) {
		t.Errorf("the rule is %+v", rule)
	}
}

// rules is a planner with several operations.
func rules(ops ...plan.Operation) scripted {
	return scripted{draft: planning.Planned{Plan: &plan.Plan{ExecutionID: "plan_test_v1", Operations: ops}, Planner: plans.PlannedBy{Model: "gemini", Attempts: 1}}}
}

func rule(percent string, categories ...string) plan.Operation {
	return plan.Operation{OperationID: "op_01", Filter: plan.Filter{Categories: categories}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal(percent)}}
}

// Rules that both have are settled, and each of the others is a question of its own.
func TestPlansAreComparedRuleByRule(t *testing.T) {
	_, err := judged(t, rules(rule("5", "c"), rule("10", "a"), rule("30", "b")), rules(rule("10", "a"), rule("20", "b"), rule("5", "c")))
	var asked *planning.ClarificationError
	if !errors.As(err, &asked) || len(asked.Draft.Operations) != 3 || len(asked.Draft.Open) != 1 {
		t.Fatalf("Plan() = %+v, want one question of three rules", err)
	}
	part, settled := asked.Draft.Open[0], asked.Draft.Operations
	if part.Operation == nil || *part.Operation != 1 || len(part.Choices) != 2 || len(settled[0].Ask)+len(settled[2].Ask) > 0 || settled[2].Filter.Categories[0] != "c" {
		t.Errorf("the draft is %+v", asked.Draft)
	}
	for choice, want := range []string{"30", "20"} {
		chosen := asked.Draft.Choose(0, choice)
		if got := chosen.Rules(); len(got) != 3 || got[1].Action.Value.String() != want || got[1].Filter.Categories[0] != "b" {
			t.Errorf("choice %d is %+v", choice, got)
		}
	}
	model := asked.Draft.Model
	if model == nil || len(model.Rules) != 1 || model.By.Agreement != planning.AgreementModel {
		t.Fatalf("the model's rules are %+v", model)
	}
	chosen := asked.Draft.Choose(0, 0).Rules()
	if !model.Unconfirmed(chosen, nil) || model.Unconfirmed(chosen, []int{1}) || model.Unconfirmed(asked.Draft.Choose(0, 1).Rules(), nil) {
		t.Error("whose rules are a model's is not told")
	}
}

// Where only the order differs, it is asked if that matters to the table.
func TestOrderIsAQuestionWhereItMatters(t *testing.T) {
	a, all := rule("10", "a"), rule("5")
	for _, test := range []struct {
		here func(a, b []plan.Operation) bool
		asks bool
	}{
		{nil, true}, // without a table nobody knows
		{func(a, b []plan.Operation) bool { return false }, true},
		{func(a, b []plan.Operation) bool { return true }, false},
	} {
		request := planning.Request{Instruction: "Raise a by 10% and all by 5%.", ExecutionID: "plan_test_v1"}
		request.SameHere = test.here
		made, err := planning.Judge(rules(all, a), rules(a, all), slog.New(slog.DiscardHandler)).Plan(t.Context(), request)
		var asked *planning.ClarificationError
		switch {
		case test.asks && (!errors.As(err, &asked) || asked.Class != planning.OpenOrder || len(asked.Draft.Open[0].Choices) != 2):
			t.Errorf("Plan() = %v, %v, want a question about the order", made.Plan, err)
		case !test.asks && (err != nil || made.Planner.Agreement != planning.AgreementBoth || len(made.Plan.Operations[0].Filter.Categories) != 1):
			t.Errorf("Plan() = %v, %v, want the sentence's order", made.Plan, err)
		}
	}
}

func TestAModelsPlanIsChecked(t *testing.T) {
	made := planOf("gemini", plan.PercentIncrease, "10", "yoga")
	made.draft.Planner.Agreement = planning.AgreementModel
	for instruction, class := range map[string]string{"Raise yoga by 10%.": "", "Raise yoga by 10%, the rest by 3%.": planning.OpenNumber} {
		_, err := planning.Checked(made, func(string) bool { return false }).Plan(t.Context(), planning.Request{Instruction: instruction})
		var asked *planning.ClarificationError
		if is := errors.As(err, &asked); is != (class != "") || is && (asked.Class != class || asked.Draft.Model == nil || asked.Draft.Complete) {
			t.Errorf("%q: %v, want %q", instruction, err, class)
		}
	}
	made.draft.Planner.Agreement = planning.AgreementBoth // the reader has used each word
	if _, err := planning.Checked(made, func(string) bool { return false }).Plan(t.Context(), planning.Request{Instruction: "Raise yoga by 10%, not by 3%."}); err != nil {
		t.Error(err)
	}
}

func TestJudgeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	both := planning.Judge(fails(errs.Deadline), planOf("grammar", plan.PercentIncrease, "10", "yoga"), slog.New(slog.DiscardHandler))
	if _, err := both.Plan(ctx, planning.Request{Instruction: "Raise yoga by 10%."}); !errors.Is(err, context.Canceled) {
		t.Errorf("Plan() = %v, want the context's error", err)
	}
}

var every = flag.Int("every", 25, "take each nth instruction, and of the wrong plans each nth/5: with 1 all 200,000")

// sample is each nth of the cases that have a plan. A short run, as with the race
// detector, has no use for what one goroutine does for long.
func sample(t *testing.T, n int, files ...string) []*eval.Case {
	t.Helper()
	if testing.Short() {
		t.Skip("one goroutine, for long")
	}
	cases, err := eval.Load(files...)
	if err != nil {
		t.Fatal(err)
	}
	if *every == 1 {
		n = 1
	}
	return slices.DeleteFunc(eval.Every(n, cases), func(c *eval.Case) bool { return c.Want == nil })
}

// Whatever a model makes of an instruction, no plan is carried out unseen that
// does something else than the expected one: it is shown with a question, or
// stored as one that needs an approval. Sealed rows are left out, for a failure
// would print them.
func TestNoWrongPlanIsCarriedOutUnseen(t *testing.T) {
	t.Parallel()
	tried, total, toApprove, turn := map[string]int{}, 0, 0, 0
	for _, c := range sample(t, *every, eval.Own, eval.Open) {
		read, err := reader.New().Plan(t.Context(), c.Request())
		answer := scripted{draft: read, err: err}
		for name, mutant := range mutants(c.Want) {
			if turn++; turn%((*every+4)/5) != 0 {
				continue
			}
			tried[name]++
			total++
			model := scripted{draft: planning.Planned{Plan: mutant, Planner: plans.PlannedBy{Model: "gemini"}}}
			draft, err := planning.Judge(model, answer, slog.New(slog.DiscardHandler)).Plan(t.Context(), c.Request())
			var asked *planning.ClarificationError
			switch {
			case err == nil && draft.Planner.Agreement == planning.AgreementModel:
				toApprove++
			case err == nil && !c.IsWanted(draft.Plan):
				t.Errorf("%s/%s, %s: %q is carried out as %v", c.Batch, c.ID, name, c.Instruction, plan.Explain(draft.Plan))
			case err != nil && !errors.As(err, &asked):
				t.Errorf("%s/%s, %s: %v", c.Batch, c.ID, name, err)
			case err != nil && !slices.ContainsFunc(asked.Draft.Open, func(o planning.OpenPart) bool {
				return slices.ContainsFunc(o.Choices, func(c planning.DraftChoice) bool { return strings.HasPrefix(c.Label, "The model: ") })
			}):
				t.Errorf("%s/%s, %s: the model's plan is not shown", c.Batch, c.ID, name)
			}
		}
	}
	for _, m := range mutations {
		if tried[m.name] == 0 && *every == 1 {
			t.Errorf("no plan has a %s", m.name)
		}
	}
	t.Logf("%d wrong plans, %d of them stored to be approved", total, toApprove)
}

// A model's rounding that the instruction does not ask for would take decimals from a table
// that has three.
func TestJudgeDropsUnrequestedRounding(t *testing.T) {
	lost := scripted{err: &planning.ClarificationError{Class: "unknown_words", Questions: []string{"?"}}}
	for instruction, want := range map[string]int{
		"Zork the yoga by 10%.": -1, "Take 50 cents off the yoga zorks.": -1,
		"Zork the yoga by 10%, rounded to 2 decimals.": 2, "Zork the yoga by 10%, to the nearest cent.": 2,
	} {
		made := planOf("gemini", plan.PercentIncrease, "10", "yoga")
		made.draft.Plan.Operations[0].Options.RoundTo = new(2)
		request := planning.Request{Instruction: instruction, ExecutionID: "plan_test_v1"}
		draft, err := planning.Judge(made, lost, slog.New(slog.DiscardHandler)).Plan(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		got := -1
		if digits := draft.Plan.Operations[0].Options.RoundTo; digits != nil {
			got = *digits
		}
		if got != want {
			t.Errorf("%q keeps round_to %d, want %d", instruction, got, want)
		}
	}
}

// TestJudgeOfWholePrices: a model that says nothing of rounding agrees with the reader.
func TestJudgeOfWholePrices(t *testing.T) {
	for _, value := range []string{"7", "7.5"} {
		read := planOf("grammar", plan.PercentDecrease, value, "yoga")
		read.draft.Plan.Operations[0].Options.RoundTo = new(0)
		request := planning.Request{Instruction: "Yoga off.", ExecutionID: "plan_test_v1", Names: planning.Names{WholePrices: true}}
		made, err := planning.Judge(planOf("gemini", plan.PercentDecrease, value, "yoga"), read, slog.New(slog.DiscardHandler)).Plan(t.Context(), request)
		if err != nil || made.Planner.Agreement != "both" {
			t.Errorf("%s: %+v, %v", value, made.Planner, err)
		}
	}
}
