package planning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/strictjson"
)

func TestObjections(t *testing.T) {
	said := func(path, value string) strictjson.Problem {
		return strictjson.Problem{Path: path, Message: value + " is not said in the instruction"}
	}
	unused := func(what string) strictjson.Problem {
		return strictjson.Problem{Path: "operations", Message: "the instruction says " + what + ", which the plan does not use"}
	}
	rule := func(value string, f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "op_" + value, Filter: f, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal(value)}}
	}
	yes, price := true, plan.MustDecimal("19.99")
	yoga, tea := plan.Filter{Categories: []string{"yoga"}}, plan.Filter{Categories: []string{"tea"}}
	for _, tc := range []struct {
		name       string
		made, read []plan.Operation
		want       []strictjson.Problem
	}{
		{"the same", []plan.Operation{rule("10", yoga)}, []plan.Operation{rule("10.0", yoga)}, nil},
		{"another number", []plan.Operation{rule("12", yoga)}, []plan.Operation{rule("10", yoga)},
			[]strictjson.Problem{said("operations[0].action.value", "12"), unused("action.value 10")}},
		{"a condition too many", []plan.Operation{rule("10", plan.Filter{Categories: []string{"yoga"}, InStock: &yes})}, []plan.Operation{rule("10", yoga)},
			[]strictjson.Problem{said("operations[0].filter.in_stock", "true")}},
		{"a bound too few", []plan.Operation{rule("10", yoga)}, []plan.Operation{rule("10", plan.Filter{Categories: []string{"yoga"}, PriceLTE: &price})},
			[]strictjson.Problem{unused("filter.price_lte 19.99")}},
		{"a rule too many", []plan.Operation{rule("10", yoga), rule("5", tea)}, []plan.Operation{rule("10", yoga)},
			[]strictjson.Problem{said("operations[1].action.type", "percent_increase"), said("operations[1].action.value", "5"), said("operations[1].filter.categories", "tea")}},
		{"names exchanged", []plan.Operation{rule("10", tea), rule("5", yoga)}, []plan.Operation{rule("10", yoga), rule("5", tea)},
			[]strictjson.Problem{{Path: "operations", Message: "their parts are all said in the instruction, but not together or not in this order"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			read := scripted{draft: planning.Planned{Plan: &plan.Plan{ExecutionID: "plan_read_v1", Operations: tc.read}}}
			got := planning.Objections(read)(t.Context(), planning.Request{}, &plan.Plan{ExecutionID: "plan_made_v1", Operations: tc.made})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Objections (-want +got):\n%s", diff)
			}
		})
	}
	if got := planning.Objections(fails(errs.Invalid))(t.Context(), planning.Request{}, &plan.Plan{}); got != nil {
		t.Errorf("a reader that has no plan objects: %v", got)
	}
}
