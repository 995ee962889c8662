package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

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
