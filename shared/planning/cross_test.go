package planning_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/ledger"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// scripted is a planner with one answer.
type scripted struct {
	draft planning.Draft
	err   error
}

func (s scripted) Plan(context.Context, planning.Request) (planning.Draft, error) {
	return s.draft, s.err
}

func planOf(model string, action plan.ActionType, value string, categories ...string) scripted {
	return scripted{draft: planning.Draft{
		Plan: &plan.Plan{ExecutionID: "plan_test_v1", Operations: []plan.Operation{{
			OperationID: "op_01", Description: "as " + model + " says", Filter: plan.Filter{Categories: categories},
			Action: plan.Action{Type: action, Value: plan.MustDecimal(value)},
		}}},
		Planner: ledger.Planner{Model: model, Attempts: 1},
	}}
}

func asks(class, question string) scripted {
	return scripted{err: &planning.ClarificationError{Class: class, Questions: []string{question}}}
}

func fails(kind errs.Kind) scripted { return scripted{err: errs.New(kind, "no answer")} }

// listener remembers the index of categories that it was given.
type listener struct {
	scripted
	known *english.Categories
}

func (l *listener) Plan(ctx context.Context, r planning.Request) (planning.Draft, error) {
	l.known = r.Known()
	return l.scripted.Plan(ctx, r)
}

func TestCrossIndexesTheCategoriesOnce(t *testing.T) {
	model := &listener{scripted: planOf("gemini", plan.PercentIncrease, "10", "yoga")}
	grammar := &listener{scripted: planOf("grammar", plan.PercentIncrease, "10", "yoga")}
	if _, err := planning.Cross(model, grammar, nil).Plan(t.Context(), planning.Request{Categories: []string{"yoga"}}); err != nil {
		t.Fatal(err)
	}
	if model.known == nil || model.known != grammar.known {
		t.Error("the model and the grammar have an index each")
	}
}

func TestCross(t *testing.T) {
	const instruction = "Raise yoga by 10%."
	ten := planOf("gemini", plan.PercentIncrease, "10", "yoga")
	grammar := planOf("grammar", plan.PercentIncrease, "10", "yoga")
	twenty := planOf("gemini", plan.PercentIncrease, "20", "yoga")
	question := asks("unknown_words", "What is a flurb?")
	open := scripted{err: &planning.ClarificationError{Class: "schedule", Open: true, Questions: []string{"Now?"}}}
	either := scripted{err: &planning.ClarificationError{Class: "missing_unit", Questions: []string{"%?"}, Readings: []planning.Reading{{By: "grammar"}, {By: "grammar"}}}}

	for _, tc := range []struct {
		name           string
		model, grammar scripted
		agreement      string   // of the plan, if there is one
		by             string   // the model in the record
		class          string   // of the question, if there is one
		questions      int      // in it
		readings       []string // whose
		kind           errs.Kind
	}{
		{name: "both agree", model: ten, grammar: grammar, agreement: "both", by: "gemini"},
		{name: "only the model, grounded", model: ten, grammar: question, agreement: "model", by: "gemini"},
		{name: "only the model, not grounded", model: twenty, grammar: question, class: planning.ClassUngrounded, questions: 1, readings: []string{"model"}},
		{name: "only the model, and the grammar knows what is open", model: ten, grammar: open, class: "schedule", questions: 1, readings: []string{"model"}},
		{name: "they differ", model: twenty, grammar: grammar, class: planning.ClassReadingsDiffer, questions: 1, readings: []string{"model", "grammar"}},
		{name: "the model asks", model: asks("model_question", "Which yoga?"), grammar: grammar, class: "model_question", questions: 1, readings: []string{"grammar"}},
		{name: "both ask", model: asks("model_question", "Which yoga?"), grammar: question, class: "unknown_words", questions: 2},
		{name: "both ask, and the grammar has readings", model: question, grammar: either, class: "missing_unit", questions: 2, readings: []string{"grammar", "grammar"}},
		{name: "the grammar has readings, the model another", model: twenty, grammar: either, class: planning.ClassUngrounded, questions: 1, readings: []string{"grammar", "grammar", "model"}},
		{name: "the model is down", model: fails(errs.Unavailable), grammar: grammar, agreement: "grammar", by: "grammar"},
		{name: "the model has no quota", model: fails(errs.Exhausted), grammar: grammar, agreement: "grammar", by: "grammar"},
		{name: "the model is slow", model: fails(errs.Deadline), grammar: grammar, agreement: "grammar", by: "grammar"},
		{name: "the model answers nothing grounded", model: asks(planning.ClassUngrounded, "?"), grammar: grammar, agreement: "grammar", by: "grammar"},
		{name: "the model answers nonsense", model: fails(errs.Unusable), grammar: grammar, kind: errs.Unusable},
		{name: "the model may not be asked", model: fails(errs.Denied), grammar: grammar, kind: errs.Denied},
		{name: "the model is down and the grammar asks", model: fails(errs.Unavailable), grammar: question, kind: errs.Unavailable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			both := planning.Cross(tc.model, tc.grammar, slog.New(slog.NewTextHandler(io.Discard, nil)))
			draft, err := both.Plan(t.Context(), planning.Request{Instruction: instruction, ExecutionID: "plan_test_v1", CreatedAt: time.Unix(0, 0)})
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
				var by []string
				for _, r := range asked.Readings {
					by = append(by, r.By)
				}
				if asked.Class != tc.class || len(asked.Questions) != tc.questions || !cmp.Equal(by, tc.readings) {
					t.Errorf("asked %+v, want class %s, %d questions, readings by %v", asked, tc.class, tc.questions, tc.readings)
				}
			}
		})
	}
}

func TestCrossKeepsNoWordsOfTheModel(t *testing.T) {
	both := planning.Cross(planOf("gemini", plan.PercentIncrease, "10", "yoga"), planOf("grammar", plan.PercentIncrease, "10", "yoga"), slog.Default())
	draft, err := both.Plan(t.Context(), planning.Request{Instruction: "Raise yoga by 10%."})
	if err != nil || draft.Plan.Operations[0].Description != "as grammar says" {
		t.Errorf("Plan() = %+v, %v, want the grammar's operations", draft.Plan, err)
	}
}

func TestCrossEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	both := planning.Cross(fails(errs.Deadline), planOf("grammar", plan.PercentIncrease, "10", "yoga"), slog.Default())
	if _, err := both.Plan(ctx, planning.Request{Instruction: "Raise yoga by 10%."}); !errors.Is(err, context.Canceled) {
		t.Errorf("Plan() = %v, want the context's error", err)
	}
}

func TestSame(t *testing.T) {
	yes, no := true, false
	two := 2
	op := func(t plan.ActionType, value string, f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "op_01", Filter: f, Action: plan.Action{Type: t, Value: plan.MustDecimal(value)}}
	}
	up, down := op(plan.PercentIncrease, "10", plan.Filter{Categories: []string{"a", "b"}}), op(plan.PercentDecrease, "5", plan.Filter{Categories: []string{"c"}})
	all := op(plan.FixedIncrease, "1", plan.Filter{})
	rounded := up
	rounded.Options.RoundTo = &two
	reordered := op(plan.PercentIncrease, "10.0", plan.Filter{Categories: []string{"b", "a", "a"}})
	renamed := up
	renamed.OperationID, renamed.Description = "x", "y"
	inStock, outOfStock := op(plan.PercentIncrease, "10", plan.Filter{InStock: &yes}), op(plan.PercentDecrease, "5", plan.Filter{InStock: &no})

	for _, tc := range []struct {
		name string
		a, b []plan.Operation
		want bool
	}{
		{"the same", []plan.Operation{up}, []plan.Operation{up}, true},
		{"the default written out", []plan.Operation{up}, []plan.Operation{rounded}, true},
		{"names in another order", []plan.Operation{up}, []plan.Operation{reordered}, true},
		{"other ids and words", []plan.Operation{up}, []plan.Operation{renamed}, true},
		{"rules for other products swapped", []plan.Operation{up, down}, []plan.Operation{down, up}, true},
		{"rules for the same products swapped", []plan.Operation{up, all}, []plan.Operation{all, up}, false},
		{"rules that only stock parts swapped", []plan.Operation{inStock, outOfStock}, []plan.Operation{outOfStock, inStock}, true},
		{"another action", []plan.Operation{up}, []plan.Operation{down}, false},
		{"one more", []plan.Operation{up}, []plan.Operation{up, down}, false},
		{"the same twice", []plan.Operation{up, up}, []plan.Operation{up, down}, false},
	} {
		if got := planning.Same(&plan.Plan{Operations: tc.a}, &plan.Plan{Operations: tc.b}); got != tc.want {
			t.Errorf("%s: Same() = %v, want %v", tc.name, got, tc.want)
		}
	}
}
