package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// What ends several rules is of no fewer of them than all where a comma parts it from the
// last, and what is left out between two rules after "but", or after a comma and "except", is
// left out of the first alone. What all of them leave alone is left out of each.
func TestGroundHoldsEndsToTheirRules(t *testing.T) {
	whole := 0
	change := func(id string, kind plan.ActionType, category, value string) plan.Operation {
		return plan.Operation{OperationID: id, Filter: plan.Filter{Categories: []string{category}}, Action: plan.Action{Type: kind, Value: plan.MustDecimal(value)}}
	}
	rounded := func(op plan.Operation) plan.Operation {
		op.Options.RoundTo = &whole
		return op
	}
	without := func(op plan.Operation) plan.Operation {
		op.Filter.ExcludeSKUs = []string{"A101"}
		return op
	}
	mugs, hats := change("op_01", plan.PercentIncrease, "mugs", "5"), change("op_02", plan.PercentDecrease, "hats", "3")
	const (
		ends  = "Raise mugs by 5% and lower hats by 3%, rounded to whole dollars"
		midst = "Raise mugs by 5%, but leave A101 as it is, and lower hats by 3%"
		aside = "Raise mugs by 5%, except for A101, and lower hats by 3%"
		last  = "Raise mugs by 5% and lower hats by 3%, but leave A101 alone"
		first = "Leaving A101 alone, raise mugs by 5% and lower hats by 3%"
	)
	for _, tc := range []struct {
		instruction string
		right       bool
		operations  []plan.Operation
	}{
		{ends, true, []plan.Operation{rounded(mugs), rounded(hats)}},
		{ends, false, []plan.Operation{mugs, rounded(hats)}},
		{ends, false, []plan.Operation{rounded(mugs), hats}},
		{midst, true, []plan.Operation{without(mugs), hats}},
		{midst, false, []plan.Operation{without(mugs), without(hats)}},
		{midst, false, []plan.Operation{mugs, without(hats)}},
		{aside, true, []plan.Operation{without(mugs), hats}},
		{aside, false, []plan.Operation{without(mugs), without(hats)}},
		{aside, false, []plan.Operation{mugs, without(hats)}},
		{last, true, []plan.Operation{without(mugs), without(hats)}},
		{last, false, []plan.Operation{without(mugs), hats}},
		{last, false, []plan.Operation{mugs, without(hats)}},
		{first, true, []plan.Operation{without(mugs), without(hats)}},
		{first, false, []plan.Operation{without(mugs), hats}},
		{first, false, []plan.Operation{mugs, without(hats)}},
	} {
		p := &plan.Plan{ExecutionID: "plan_of_a_test", CreatedAt: "2026-01-02T03:04:05Z", SourceInstruction: tc.instruction, Operations: tc.operations}
		if err := planning.Ground(tc.instruction, p); (err == nil) != tc.right {
			t.Errorf("Ground(%q, %v) = %v", tc.instruction, plan.Explain(p), err)
		}
	}
}

// A condition after several rules, or among the names that lead them, is of each of them;
// one of a rule that names other products is of that one.
func TestGroundHoldsConditionsToTheirRules(t *testing.T) {
	const both, first, last = "Hats in stock up 5%. Mugs in stock up 7%.", "Hats in stock up 5%. Mugs up 7%.", "Hats up 5%. Mugs in stock up 7%."
	for instruction, plans := range map[string][]string{ // the right one first
		"Hats up 5% and mugs up 7%, in-stock items only.":                                 {both, first, last},
		"Hats up 5% and mugs up 7%, skipping sold-out items.":                             {both, first, last},
		"Hats up 5% and mugs up 7% for anything in stock.":                                {both, first, last},
		"Hats up 5% and everything else up 7%, but skip whatever is out of stock.":        {"Hats in stock up 5%. Everything in stock except hats up 7%.", "Hats up 5%. Everything in stock except hats up 7%."},
		"Hats up 5% and mugs up 7%, except items under $2.":                               {"Hats for $2 or more up 5%. Mugs for $2 or more up 7%.", "Hats up 5%. Mugs for $2 or more up 7%."},
		"For in-stock mugs, take 5% off those under $15 and 12% off those at $15 and up.": {"Mugs in stock under $15 down 5%. Mugs in stock for $15 or more down 12%.", "Mugs under $15 down 5%. Mugs in stock for $15 or more down 12%."},
		"Limit all in-stock mugs to a maximum of $40 and give hats 10% off.":              {"Cap in-stock mugs at $40. Hats down 10%.", "Cap mugs at $40. Hats in stock down 10%.", "Cap in-stock mugs at $40. Hats in stock down 10%."},
		"Make all mugs prices end in .95 and bring the sold-out mugs back in stock.":      {"Make all mugs prices end in .95. Mark sold-out mugs as in stock.", "Make sold-out mugs prices end in .95. Mark sold-out mugs as in stock."},
		"Raise mugs by 15%, up to $45 at most and ending in .95.":                         {"Raise mugs by 15%, never above $45, ending in .95.", "Raise mugs under $45.01 by 15%, ending in .95."},
	} {
		for i, text := range plans {
			p := plainly(t, text)
			if err := planning.Ground(instruction, p); (err == nil) != (i == 0) {
				t.Errorf("Ground(%q, %v) = %v", instruction, plan.Explain(p), err)
			}
		}
	}
}
