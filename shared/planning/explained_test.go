package planning_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/reader"
)

var (
	shop   = []string{"Mugs", "Green Tea", "Yoga Mats", "Men's Shoes", "Lamps", "Bath & Body"}
	makers = []string{"Nike", "The North Face", "Hario"}
	marks  = []string{"organic", "new in", "clearance"}
)

// randomPlan makes a plan of one to three operations for products that no two of
// them share.
func randomPlan(r *rand.Rand) *plan.Plan {
	p := &plan.Plan{ExecutionID: "plan_of_chance_v1", CreatedAt: "2026-01-02T03:04:05Z", SourceInstruction: "made by chance"}
	categories := r.Perm(len(shop))
	for i := range 1 + r.IntN(3) {
		op := plan.Operation{OperationID: fmt.Sprintf("op_%02d", i+1), Action: randomAction(r)}
		if op.Action.Type != plan.SetStock && op.Action.Type != plan.EndSale {
			op.Options = randomOptions(r)
			op.Options.NotBelowCost = r.IntN(6) == 0
			op.Options.AsSale = r.IntN(6) == 0 && (op.Action.Type == plan.PercentDecrease || op.Action.Type == plan.FixedDecrease || op.Action.Type == plan.SetPrice)
		}
		op.Filter = randomFilter(r)
		op.Filter.Categories = []string{shop[categories[2*i]]}
		if r.IntN(3) == 0 {
			op.Filter.Categories = append(op.Filter.Categories, shop[categories[2*i+1]])
		}
		p.Operations = append(p.Operations, op)
	}
	if op := &p.Operations[0]; len(p.Operations) == 1 && r.IntN(3) == 0 {
		op.Filter.Categories = nil
		if r.IntN(2) == 0 {
			op.Filter.ExcludeCategories = []string{shop[categories[2]]}
		}
	}
	return p
}

func decimal(r *rand.Rand, most, digits int) plan.Decimal {
	text := fmt.Sprint(1 + r.IntN(most))
	if digits > 0 && r.IntN(2) == 0 {
		text += "." + fmt.Sprint(r.IntN(9)) + fmt.Sprint(1+r.IntN(9))
	}
	return plan.MustDecimal(text)
}

func randomAction(r *rand.Rand) plan.Action {
	types := []plan.ActionType{plan.PercentIncrease, plan.PercentDecrease, plan.FixedIncrease, plan.FixedDecrease, plan.SetPrice, plan.SetStock, plan.CostPlusPercent, plan.EndSale}
	action := plan.Action{Type: types[r.IntN(len(types))]}
	if action.Type == plan.EndSale {
		return action
	}
	if action.Type == plan.SetStock {
		action.Stock = r.IntN(2) == 0
		return action
	}
	action.Value = decimal(r, 90, 2)
	return action
}

func randomOptions(r *rand.Rand) plan.Options {
	var o plan.Options
	switch r.IntN(4) {
	case 0:
		o.RoundTo = new(r.IntN(2))
	case 1:
		o.RoundTo = new(plan.DefaultRoundTo)
	}
	if o.Digits() == plan.DefaultRoundTo && r.IntN(4) == 0 {
		d := plan.MustDecimal([]string{"0.99", "0.95", "0.49"}[r.IntN(3)])
		o.PriceEnding = &d
	}
	if r.IntN(4) == 0 {
		d := decimal(r, 20, 0)
		o.MinPrice = &d
	}
	if r.IntN(4) == 0 {
		d := plan.MustDecimal(fmt.Sprint(21 + r.IntN(100)))
		o.MaxPrice = &d
	}
	return o
}

func randomFilter(r *rand.Rand) plan.Filter {
	var f plan.Filter
	if r.IntN(3) == 0 {
		in := r.IntN(2) == 0
		f.InStock = &in
	}
	if r.IntN(3) == 0 {
		d := decimal(r, 20, 2)
		f.PriceGTE = &d
	}
	if r.IntN(3) == 0 {
		d := plan.MustDecimal(fmt.Sprint(21 + r.IntN(100)))
		f.PriceLTE = &d
	}
	for _, names := range []struct {
		list         []string
		only, except *[]string
	}{{makers, &f.Brands, &f.ExcludeBrands}, {marks, &f.Tags, &f.ExcludeTags}, {[]string{"linen", "wool blend"}, &f.NameContains, &f.ExcludeNameContains}} {
		switch r.IntN(12) {
		case 0:
			*names.only = names.list[:1+r.IntN(len(names.list))]
		case 1:
			*names.except = names.list[:1]
		}
	}
	if r.IntN(8) == 0 {
		on := r.IntN(2) == 0
		f.OnSale = &on
	}
	if r.IntN(5) == 0 {
		f.ExcludeSKUs = []string{fmt.Sprintf("A-%d", 100+r.IntN(900))}
	}
	return f
}

// What a plan is said to do is an instruction for just that plan, or asked about. The plans
// have no round_step, rounding, keep_direction, outside_limits, where, quantity_gte or
// quantity_lte, and none of the actions set_compare_at, set_quantity, quantity_increase and
// quantity_decrease: the grammar has no words for them, and no wording is added to it.
func TestWhatAPlanDoesIsAnInstructionForIt(t *testing.T) {
	t.Parallel()
	tries, missed, wrong := 500, 0, 0
	if testing.Short() {
		t.Skip("one goroutine, for long")
	}
	for seed := range uint64(tries) {
		p := randomPlan(rand.New(rand.NewPCG(seed, 1)))
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(plan.Explain(p), " ")
		draft, err := reader.New().Plan(t.Context(), planning.Request{Instruction: said, ExecutionID: p.ExecutionID, Names: planning.Names{Categories: shop, Brands: makers, Tags: marks}})
		if err != nil {
			missed++
			continue
		}
		if !planning.Same(draft.Plan, p) {
			if wrong++; wrong <= 5 {
				t.Errorf("%q is understood as %q", said, strings.Join(plan.Explain(draft.Plan), " "))
			}
		}
	}
	if missed*4 > tries {
		t.Errorf("of %d plans %d are not understood", tries, missed)
	}
	t.Logf("of %d plans %d were not understood and %d otherwise", tries, missed, wrong)
}
