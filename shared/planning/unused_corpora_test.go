package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/eval"
	"github.com/planwright/planwright/shared/planning/reader"
)

// mostUnused is the share of right plans of which something is asked: remarks with numbers,
// times that stand in the text, and products that are named to be left alone.
const mostUnused = 0.03

// Of instructions that have a plan, what they say is in that plan; without one of its rules
// something is missing.
func TestUnusedInRightPlans(t *testing.T) {
	cases, err := eval.Load(eval.Own, eval.Open)
	if err != nil {
		t.Fatal(err)
	}
	common := reader.New().Common
	plans, asked, cut, found := 0, 0, 0, 0
	for _, c := range cases {
		if c.Want == nil {
			continue
		}
		plans++
		if len(planning.Unused(c.Request(), c.Want.Operations, common)) > 0 {
			asked++
			continue
		}
		if ops := c.Want.Operations; len(ops) > 1 {
			cut++
			if len(planning.Unused(c.Request(), ops[1:], common)) > 0 {
				found++
			}
		}
	}
	if float64(asked) > mostUnused*float64(plans) {
		t.Errorf("of %d plans that are right %d are asked about", plans, asked)
	}
	if float64(found) < 0.75*float64(cut) {
		t.Errorf("of %d plans without their first rule %d are asked about", cut, found)
	}
	t.Logf("%d of %d right plans are asked about, and %d of %d without their first rule", asked, plans, found, cut)
}
