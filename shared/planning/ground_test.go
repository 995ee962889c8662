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

// mutations are the ways in which a model's answer is wrong and still a plan.
// Each changes one element of operation i, and reports whether it could.
var mutations = []struct {
	name   string
	mutate func(p *plan.Plan, op *plan.Operation) bool
}{
	{"number", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Action.Type == plan.SetStock || op.Action.Value.IsZero() {
			return false
		}
		op.Action.Value = plan.MustDecimal("7.77")
		return true
	}},
	{"number times ten", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Action.Type == plan.SetStock || op.Action.Value.IsZero() {
			return false
		}
		op.Action.Value = plan.MustDecimal(op.Action.Value.Scaled(9).String() + "0")
		return true
	}},
	{"sku", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Filter.SKUs == nil {
			return false
		}
		op.Filter.SKUs[len(op.Filter.SKUs)-1] = "QX99"
		return true
	}},
	{"sku longer", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Filter.SKUs == nil {
			return false
		}
		op.Filter.SKUs[0] += "0"
		return true
	}},
	{"sku missing", func(_ *plan.Plan, op *plan.Operation) bool {
		if len(op.Filter.SKUs) < 2 {
			return false
		}
		op.Filter.SKUs = op.Filter.SKUs[1:]
		return true
	}},
	{"category", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Filter.Categories == nil {
			return false
		}
		op.Filter.Categories[0] = "aquariums"
		return true
	}},
	{"category missing", func(_ *plan.Plan, op *plan.Operation) bool {
		if len(op.Filter.Categories) < 2 {
			return false
		}
		op.Filter.Categories = op.Filter.Categories[1:]
		return true
	}},
	{"no category", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.Categories != nil
		op.Filter.Categories = nil
		return had
	}},
	{"no sku", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.SKUs != nil
		op.Filter.SKUs = nil
		return had
	}},
	{"category left out", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.Categories != nil
		op.Filter.ExcludeCategories, op.Filter.Categories = op.Filter.Categories, nil
		return had
	}},
	{"exclusion dropped", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.ExcludeCategories != nil || op.Filter.ExcludeSKUs != nil
		op.Filter.ExcludeCategories, op.Filter.ExcludeSKUs = nil, nil
		return had
	}},
	{"exclusion added", func(_ *plan.Plan, op *plan.Operation) bool {
		op.Filter.ExcludeSKUs = append(op.Filter.ExcludeSKUs, "QX99")
		return true
	}},
	{"exclusion included", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.ExcludeCategories != nil && op.Filter.Categories == nil
		if had {
			op.Filter.Categories, op.Filter.ExcludeCategories = op.Filter.ExcludeCategories, nil
		}
		return had
	}},
	{"direction", func(_ *plan.Plan, op *plan.Operation) bool {
		opposite := map[plan.ActionType]plan.ActionType{
			plan.PercentIncrease: plan.PercentDecrease, plan.PercentDecrease: plan.PercentIncrease,
			plan.FixedIncrease: plan.FixedDecrease, plan.FixedDecrease: plan.FixedIncrease, plan.SetPrice: plan.FixedIncrease,
		}[op.Action.Type]
		if opposite == "" || op.Action.Value.IsZero() || opposite == plan.PercentDecrease && op.Action.Value.Cmp(plan.MustDecimal("100")) > 0 {
			return false
		}
		op.Action.Type = opposite
		return true
	}},
	{"unit", func(_ *plan.Plan, op *plan.Operation) bool {
		other := map[plan.ActionType]plan.ActionType{
			plan.PercentIncrease: plan.FixedIncrease, plan.PercentDecrease: plan.FixedDecrease,
			plan.FixedIncrease: plan.PercentIncrease, plan.FixedDecrease: plan.SetPrice,
		}[op.Action.Type]
		if other == "" || op.Action.Value.IsZero() {
			return false
		}
		op.Action.Type = other
		return true
	}},
	{"stock set", func(_ *plan.Plan, op *plan.Operation) bool {
		op.Action.Stock = !op.Action.Stock
		return op.Action.Type == plan.SetStock
	}},
	{"stock condition", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Filter.InStock == nil {
			return false
		}
		other := !*op.Filter.InStock
		op.Filter.InStock = &other
		return true
	}},
	{"stock condition dropped", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.InStock != nil
		op.Filter.InStock = nil
		return had
	}},
	{"stock condition added", func(p *plan.Plan, op *plan.Operation) bool {
		for i := range p.Operations {
			if p.Operations[i].Filter.InStock != nil {
				return false
			}
		}
		in := true
		op.Filter.InStock = &in
		return true
	}},
	{"upper bound", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Filter.PriceLTE == nil {
			return false
		}
		moved := plan.MustDecimal("7777.77")
		op.Filter.PriceLTE = &moved
		return true
	}},
	{"lower bound", func(_ *plan.Plan, op *plan.Operation) bool {
		if op.Filter.PriceGTE == nil {
			return false
		}
		moved := plan.MustDecimal("0.07")
		op.Filter.PriceGTE = &moved
		return true
	}},
	{"bounds dropped", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Filter.PriceGTE != nil || op.Filter.PriceLTE != nil
		op.Filter.PriceGTE, op.Filter.PriceLTE = nil, nil
		return had
	}},
	{"bounds swapped", func(_ *plan.Plan, op *plan.Operation) bool {
		had := (op.Filter.PriceGTE == nil) != (op.Filter.PriceLTE == nil)
		op.Filter.PriceGTE, op.Filter.PriceLTE = op.Filter.PriceLTE, op.Filter.PriceGTE
		return had
	}},
	{"floor added", func(_ *plan.Plan, op *plan.Operation) bool {
		floor := plan.MustDecimal("3")
		had := op.Options.MinPrice == nil && op.Action.Type != plan.SetStock
		op.Options.MinPrice = &floor
		return had
	}},
	{"floor dropped", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Options.MinPrice != nil || op.Options.MaxPrice != nil
		op.Options.MinPrice, op.Options.MaxPrice = nil, nil
		return had
	}},
	{"rounding", func(_ *plan.Plan, op *plan.Operation) bool {
		four := 4
		op.Options.RoundTo = &four
		return op.Action.Type != plan.SetStock
	}},
	{"ending dropped", func(_ *plan.Plan, op *plan.Operation) bool {
		had := op.Options.PriceEnding != nil
		op.Options.PriceEnding = nil
		return had
	}},
	{"operation dropped", func(p *plan.Plan, _ *plan.Operation) bool {
		if len(p.Operations) < 2 {
			return false
		}
		p.Operations = p.Operations[1:]
		return true
	}},
	{"operation added", func(p *plan.Plan, _ *plan.Operation) bool {
		p.Operations = append(p.Operations, plan.Operation{OperationID: "op_99", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("99")}})
		return true
	}},
}

func TestGroundRejectsEveryMutation(t *testing.T) {
	for _, c := range corpus(t, otherHand, thirdHand) {
		if c.Want == nil {
			continue
		}
		for i := range c.Want.Operations {
			for _, m := range mutations {
				mutant := clone(t, c.Want)
				if !m.mutate(mutant, &mutant.Operations[i]) || planning.Same(mutant, c.Want) {
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
