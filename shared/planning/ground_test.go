package planning_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
)

// These hold plans of instructions that the planner still asks about;
// Ground need not accept those, and must refuse them changed.
const (
	otherHand = "../../testdata/instructions_other_hand.jsonl"
	thirdHand = "../../testdata/instructions_third_hand.jsonl"
)

func corpus(t *testing.T, more ...string) []*eval.Case {
	t.Helper()
	var all []*eval.Case
	for _, name := range append(more, "../../testdata/instructions.jsonl", "grammar/testdata/reviewed.jsonl") {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cases, err := eval.Load(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cases...)
	}
	return all
}

func TestGroundAcceptsEveryRightPlan(t *testing.T) {
	for _, c := range corpus(t, otherHand) {
		if c.Want == nil {
			continue
		}
		if err := planning.Ground(c.Instruction, c.Want); err != nil {
			t.Errorf("%s: Ground(%q) = %v\n%v", c.ID, c.Instruction, errs.Message(err), plan.Explain(c.Want))
		}
	}
}

func TestGroundRejectsEveryMutation(t *testing.T) {
	for _, c := range corpus(t, otherHand, thirdHand) {
		if c.Want == nil {
			continue
		}
		for i := range c.Want.Operations {
			for _, m := range mutations {
				mutant := clone(t, c.Want)
				if !m.mutate(mutant, &mutant.Operations[i], &mutant.Operations[i]) || planning.Same(mutant, c.Want) {
					continue
				}
				if planning.Ground(c.Instruction, mutant) != nil {
					continue
				}
				if same, err := eval.Equivalent(t.Context(), mutant, c.Want); err != nil || !same {
					t.Errorf("%s %s: Ground(%q) accepts %v", c.ID, m.name, c.Instruction, plan.Explain(mutant))
				}
			}
		}
	}
}

func clone(t *testing.T, p *plan.Plan) *plan.Plan {
	t.Helper()
	copied, err := plan.Decode(p.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

func ExampleGround() {
	p := &plan.Plan{Operations: []plan.Operation{{
		OperationID: "op_01", Filter: plan.Filter{Categories: []string{"toys"}},
		Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	}}}
	fmt.Println(errs.Message(planning.Ground("Discount yoga by 10%.", p)))
	// Output:
	// op_01: the instruction does not ask for percent_increase 10. op_01: toys is not in the instruction. The plan does not do what "10%" asks for. The plan says nothing of "yoga".
}
