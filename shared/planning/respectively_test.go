package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// What "respectively" pairs cannot be paired otherwise, and what "otherwise"
// speaks of is on the other side of the condition.
func TestGroundRefusesSwappedPairs(t *testing.T) {
	raise := func(id, category, value string, stock *bool) plan.Operation {
		return plan.Operation{OperationID: id, Filter: plan.Filter{Categories: []string{category}, InStock: stock}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal(value)}}
	}
	yes, no := true, false
	for _, tc := range []struct {
		instruction string
		right       bool
		operations  []plan.Operation
	}{
		{"Raise tea and mugs by 5% and 10% respectively", true, []plan.Operation{raise("op_01", "tea", "5", nil), raise("op_02", "mugs", "10", nil)}},
		{"Raise tea and mugs by 5% and 10% respectively", false, []plan.Operation{raise("op_01", "tea", "10", nil), raise("op_02", "mugs", "5", nil)}},
		{"Raise tea and mugs by 5% and 10% respectively", false, []plan.Operation{raise("op_01", "tea", "5", nil), raise("op_02", "tea", "10", nil)}},
		{"If in stock, raise tea by 5%, otherwise by 10%", true, []plan.Operation{raise("op_01", "tea", "5", &yes), raise("op_02", "tea", "10", &no)}},
		{"If in stock, raise tea by 5%, otherwise by 10%", false, []plan.Operation{raise("op_01", "tea", "5", &no), raise("op_02", "tea", "10", &yes)}},
		{"Raise in-stock tea by 5%, otherwise by 10%", false, []plan.Operation{raise("op_01", "tea", "5", &no), raise("op_02", "tea", "10", &yes)}},
		{"Raise in-stock tea by 5%, otherwise by 10%", true, []plan.Operation{raise("op_01", "tea", "5", &yes), raise("op_02", "tea", "10", &no)}},
	} {
		p := &plan.Plan{ExecutionID: "plan_of_a_test", CreatedAt: "2026-01-02T03:04:05Z", SourceInstruction: tc.instruction, Operations: tc.operations}
		if err := planning.Ground(tc.instruction, p); (err == nil) != tc.right {
			t.Errorf("Ground(%q, %v) = %v", tc.instruction, plan.Explain(p), err)
		}
	}
}
