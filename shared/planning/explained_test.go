package planning_test

import (
	"encoding/json"
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

// newFields gives an operation some of the fields that instructions have no words for.
func newFields(r *rand.Rand, op *plan.Operation) {
	if r.IntN(3) == 0 {
		kind := []plan.WhereKind{plan.WhereIs, plan.WhereIsNot, plan.WhereContains, plan.WhereStartsWith}[r.IntN(4)]
		values := [][]string{{"draft"}, {"draft", "in review", "or"}, {"A, B", "x;y"}}[r.IntN(3)]
		if kind == plan.WhereIs {
			values = append(values, "")
		}
		op.Filter.Where = []plan.Where{{Column: []string{"Status", "Google Shopping / Gender", "is not"}[r.IntN(3)], Kind: kind, Values: values}}
	}
	if r.IntN(4) == 0 {
		least, most := plan.MustDecimal(fmt.Sprint(r.IntN(9))), plan.MustDecimal(fmt.Sprint(9+r.IntN(2)))
		op.Filter.QuantityGTE = []*plan.Decimal{&least, nil}[r.IntN(2)]
		op.Filter.QuantityLTE = []*plan.Decimal{&most, nil}[r.IntN(2)]
	}
	switch r.IntN(8) {
	case 0:
		types := []plan.ActionType{plan.SetQuantity, plan.QuantityIncrease, plan.QuantityDecrease}
		op.Action, op.Options = plan.Action{Type: types[r.IntN(3)], Value: decimal(r, 500, 0)}, plan.Options{}
		return
	case 1:
		op.Action, op.Options = plan.Action{Type: plan.SetCompareAt, NoValue: r.IntN(2) == 0}, op.Options.Rounded()
		if !op.Action.NoValue {
			op.Action.Value = decimal(r, 90, 2)
		}
	}
	if op.Action.Type == plan.SetStock || op.Action.Type == plan.EndSale {
		return
	}
	if r.IntN(3) == 0 {
		step := plan.MustDecimal([]string{"0.05", "5", "50"}[r.IntN(3)])
		op.Options.RoundStep, op.Options.PriceEnding = &step, nil
		if ending := plan.MustDecimal("4.99"); r.IntN(2) == 0 && ending.Cmp(step) < 0 {
			op.Options.PriceEnding = &ending
		}
		op.Options.RoundTo = nil
	}
	op.Options.Rounding = []plan.Rounding{"", plan.RoundUp, plan.RoundDown}[r.IntN(3)]
	limited := op.Options.MinPrice != nil || op.Options.MaxPrice != nil || op.Options.NotBelowCost
	if limited && r.IntN(2) == 0 {
		op.Options.OutsideLimits = plan.LeaveAlone
	}
	op.Options.KeepDirection = op.Direction() != 0 && r.IntN(2) == 0
}

// actionTypes are those that the schema of plans has.
func actionTypes(t *testing.T) []string {
	t.Helper()
	var schema struct {
		Definitions struct {
			Action struct {
				Properties struct{ Type struct{ Enum []string } }
			}
		}
	}
	if err := json.Unmarshal(plan.SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	types := schema.Definitions.Action.Properties.Type.Enum
	if len(types) == 0 {
		t.Fatal("the schema has no actions")
	}
	return types
}

// What a plan is said to do is an instruction for just that plan.
func TestWhatAPlanDoesIsAnInstructionForIt(t *testing.T) {
	t.Parallel()
	tries := 2_000
	if testing.Short() {
		tries = 200
	}
	made, drawn := 0, map[string]bool{}
	for seed := range uint64(tries) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := randomPlan(r)
		if seed%2 == 0 {
			for i := range p.Operations {
				newFields(r, &p.Operations[i])
			}
		}
		if err := p.Validate(); err != nil {
			continue
		}
		made++
		for _, op := range p.Operations {
			drawn[string(op.Action.Type)] = true
		}
		said := strings.Join(plan.Explain(p), " ")
		draft, err := reader.New().Plan(t.Context(), planning.Request{Instruction: said, ExecutionID: p.ExecutionID, Names: planning.Names{Categories: shop, Brands: makers, Tags: marks}})
		if err != nil {
			t.Errorf("%q is not understood: %v", said, err)
		} else if !planning.Same(draft.Plan, p) {
			t.Errorf("%q is understood as %q", said, strings.Join(plan.Explain(draft.Plan), " "))
		}
		if t.Failed() {
			break
		}
	}
	if made < tries*3/4 {
		t.Errorf("of %d plans only %d are valid", tries, made)
	}
	for _, action := range actionTypes(t) {
		if !drawn[action] && !t.Failed() {
			t.Errorf("no plan has %s: add it to randomAction or newFields", action)
		}
	}
}
