package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/english"
)

// A word that could be the name of products is no misspelt "prices", "raise" or
// "products": a plan that says nothing of it leaves it out.
func TestGroundTakesNoNameForAMisspeltWord(t *testing.T) {
	known := english.NewCategories([]string{"Mugs", "Lamps"})
	everything, mugs := plan.Filter{}, plan.Filter{Categories: []string{"Mugs"}}
	for _, tc := range []struct {
		instruction string
		right       bool
		filter      plan.Filter
	}{
		{"Raise prices by 5%", true, everything},
		{"Raise prizes by 5%", false, everything},
		{"Raise all products by 5%", true, everything},
		{"Raise all produce by 5%", false, everything},
		{"Increse Mugs by 5%", true, mugs},
		{"Mugs up 5%", true, mugs},
		{"Mugs and shades up 5%", false, mugs},
		{"Mugs and drips up 5%", false, mugs},
	} {
		p := &plan.Plan{ExecutionID: "plan_of_a_test", CreatedAt: "2026-01-02T03:04:05Z", SourceInstruction: tc.instruction, Operations: []plan.Operation{
			{OperationID: "op_01", Filter: tc.filter, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")}},
		}}
		if err := planning.GroundAmong(tc.instruction, p, known); (err == nil) != tc.right {
			t.Errorf("GroundAmong(%q, %v) = %v", tc.instruction, plan.Explain(p), err)
		}
	}
}
