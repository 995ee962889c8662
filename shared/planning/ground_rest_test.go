package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Everything else is all that is not left alone nor of another rule, and no less.
func TestGroundHoldsTheRestToWhatIsLeftAlone(t *testing.T) {
	yes := true
	raise := func(id, value string, f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: id, Filter: f, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal(value)}}
	}
	soldOut := func(id string, f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: id, Filter: f, Action: plan.Action{Type: plan.SetStock}}
	}
	under2, two := plan.MustDecimal("1.99"), plan.MustDecimal("2")
	inStock, mugsInStock := plan.Filter{InStock: &yes}, plan.Filter{Categories: []string{"mugs"}, InStock: &yes}
	notMugs := plan.Filter{ExcludeCategories: []string{"mugs"}}
	above, below := plan.MustDecimal("20.01"), plan.MustDecimal("20")
	dear, cheap := plan.Filter{Categories: []string{"mugs"}, PriceGTE: &above}, plan.Filter{Categories: []string{"mugs"}, PriceLTE: &below}
	for _, tc := range []struct {
		instruction string
		right       bool
		operations  []plan.Operation
	}{
		{"Leave sold-out items alone. Raise everything else by 4%.", true, []plan.Operation{raise("op_01", "4", inStock)}},
		{"Leave sold-out items alone. Raise everything else by 4%.", false, []plan.Operation{raise("op_01", "4", plan.Filter{})}},
		{"Leave sold-out mugs alone. Raise everything else by 4%.", true, []plan.Operation{raise("op_01", "4", notMugs), raise("op_02", "4", mugsInStock)}},
		{"Leave sold-out mugs alone. Raise everything else by 4%.", false, []plan.Operation{raise("op_01", "4", notMugs)}},
		{"Leave sold-out mugs alone. Raise everything else by 4%.", false, []plan.Operation{raise("op_01", "4", inStock)}},
		{"Leave sold-out items alone. Raise mugs by 3%. Everything else goes up by 4%.", true, []plan.Operation{raise("op_01", "3", mugsInStock), raise("op_02", "4", plan.Filter{InStock: &yes, ExcludeCategories: notMugs.ExcludeCategories})}},
		{"Leave sold-out items alone. Raise mugs by 3%. Everything else goes up by 4%.", false, []plan.Operation{raise("op_01", "3", mugsInStock), raise("op_02", "4", notMugs)}},
		{"Raise mugs over $20 by 5%. Raise everything else by 3%.", true, []plan.Operation{raise("op_01", "5", dear), raise("op_02", "3", cheap), raise("op_03", "3", notMugs)}},
		{"Raise mugs over $20 by 5%. Raise everything else by 3%.", false, []plan.Operation{raise("op_01", "5", dear), raise("op_02", "3", cheap)}},
		{"Raise mugs over $20 by 5%. Raise everything else by 3%.", false, []plan.Operation{raise("op_01", "5", dear), raise("op_02", "3", cheap), raise("op_03", "3", plan.Filter{})}},
		{"Raise mugs over $20 by 5%. Raise all other mugs by 3%.", true, []plan.Operation{raise("op_01", "5", dear), raise("op_02", "3", cheap)}},
		{"Mark everything under $2 as sold out and raise everything else by 4%.", true, []plan.Operation{soldOut("op_01", plan.Filter{PriceLTE: &under2}), raise("op_02", "4", plan.Filter{PriceGTE: &two})}},
		{"Mark everything under $2 as sold out and raise everything else by 4%.", false, []plan.Operation{soldOut("op_01", plan.Filter{PriceLTE: &under2}), raise("op_02", "4", plan.Filter{})}},
	} {
		p := &plan.Plan{ExecutionID: "plan_of_a_test", CreatedAt: "2026-01-02T03:04:05Z", SourceInstruction: tc.instruction, Operations: tc.operations}
		if err := planning.Ground(tc.instruction, p); (err == nil) != tc.right {
			t.Errorf("Ground(%q, %v) = %v", tc.instruction, plan.Explain(p), err)
		}
	}
}
