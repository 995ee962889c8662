package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
	"github.com/planwright/planwright/shared/planning/grammar"
)

// What a number, a rounding or a name belongs to goes by where it stands. The plans
// are those of wordings that leave no doubt.
func TestGroundGoesByWhereThingsStand(t *testing.T) {
	const (
		capped, costing = "Raise mugs by 8%, maximum $110.", "Raise mugs costing at most $110 by 8%."
		bands, allDear  = "Raise toys under $10 by 8% and toys at least $10 by 5%.", "Raise all products at least $10 by 5%. Raise toys under $10 by 8%."
		thenAll         = "Raise tents by $20; then round all prices in the shop to whole dollars."
		tentsWhole      = "Raise tents by $20 and round them to whole dollars."
		bothWhole       = "Raise tents by $20 and round them to whole dollars. Then round all prices in the shop to whole dollars."
		bothInStock     = "Raise in-stock mugs by 5%. Raise in-stock lamps by 3%."
		mugsInStock     = "Raise in-stock mugs by 5%. Raise lamps by 3%."
		lampsInStock    = "Raise mugs by 5%. Raise in-stock lamps by 3%."
		mugsWhole       = "Raise tents by $20. Round mugs to whole dollars."
	)
	for _, tc := range []struct {
		instruction string
		right       string // none where it has to be asked about
		wrong       []string
	}{
		{"Raise mugs by 8%, at most $110.", capped, []string{costing}},
		{"Raise mugs by 8% (no more than $110).", capped, []string{costing}},
		{"Raise mugs by 8%, but at most $110 each.", capped, []string{costing}},
		{"Raise mugs by 8%; at most $110.", capped, []string{costing}},
		{"Raise mugs by 8% at most $110.", capped, []string{costing}},
		{"Raise mugs by 8%, $110 or less.", "", []string{costing, capped}},
		{"Cut mugs by 8%, at least $10.", "Cut mugs by 8%, minimum $10.", []string{"Cut mugs of at least $10 by 8%."}},
		{"Cut mugs by 8%, at most $10.", "", []string{"Cut mugs of at most $10 by 8%."}},
		{"Take 10% off, under $5 or over $50.", "", []string{costing}},
		{"Mugs, at most $110, go up 8%.", costing, []string{capped}},
		{"Raise mugs by 8%, but only those at most $110.", costing, []string{capped}},
		{"Raise tents by $20; after that, round all prices to whole dollars.", thenAll, []string{tentsWhole, bothWhole}},
		{"Raise tents by $20. After that, round everything to whole dollars.", thenAll, []string{tentsWhole, bothWhole}},
		{"Raise tents by $20 and then round all products to whole dollars.", thenAll, []string{tentsWhole, bothWhole}},
		{"Raise tents by $20, finally round mugs to whole dollars.", mugsWhole, []string{"Raise tents by $20 and round them to whole dollars. Round mugs to whole dollars."}},
		{"Raise tents by $20, then round mugs and hats to whole dollars.", "Raise tents by $20. Round mugs and hats to whole dollars.", []string{mugsWhole, "Raise tents and hats by $20. Round mugs to whole dollars."}},
		{"Raise tents by $20, then round them to whole dollars.", tentsWhole, []string{thenAll}},
		{"For toys: anything under $10 goes up 8%, anything from $10 up goes up 5%.", bands, []string{allDear}},
		{"In toys, anything under $10 goes up 8% and anything at $10 or more goes up 5%.", bands, []string{allDear}},
		{"Toys: items under $10 go up 8%, items of $10 and over go up 5%.", bands, []string{allDear}},
		{"For toys: anything under $10 goes up 8%, hats from $10 up go up 5%.", "Raise toys under $10 by 8% and hats at least $10 by 5%.", []string{bands, allDear}},
		{"Unless sold out, raise mugs by 5% and lamps by 3%.", bothInStock, []string{mugsInStock, lampsInStock}},
		{"Other than sold-out items, mugs go up 5% and lamps go up 3%.", bothInStock, []string{mugsInStock, lampsInStock}},
		{"Raise mugs by 5% and lamps by 3%. In-stock items only.", bothInStock, []string{mugsInStock, lampsInStock}},
		{"Raise mugs by 5%. Raise lamps by 3%. Only if in stock.", bothInStock, []string{mugsInStock, lampsInStock}},
		{"Do not raise sold-out items. Raise mugs by 5%. Lower lamps by 3%.", "Raise in-stock mugs by 5%. Lower lamps by 3%.", []string{"Raise mugs by 5%. Lower in-stock lamps by 3%.", "Raise in-stock mugs by 5%. Lower in-stock lamps by 3%."}},
		{"Except for A103, raise mugs by 5% and lamps by 3%.", "Raise mugs except A103 by 5%. Raise lamps except A103 by 3%.", []string{"Raise mugs except A103 by 5%. Raise lamps by 3%.", "Raise mugs by 5%. Raise lamps except A103 by 3%."}},
		{"Take $4 off A101 & A102, and set A103 to $12.", "Take $4 off A101 and A102. Set A103 to $12.", []string{"Take $4 off A101. Set A102 and A103 to $12."}},
		{"No item in mugs or hats may cost more than $60, and none may cost less than $6.", "Mugs and hats may not cost more than $60 or less than $6.", []string{"No mug may cost more than $60, and no hat may cost less than $6."}},
		{"Everything that is in stock, is not in mugs and costs at least $10 goes down 8%.", "Decrease in-stock items at least $10 by 8% except mugs.", []string{"Decrease in-stock items by 8% except mugs."}},
		{"Mark all hats except A101 as sold out and cut mugs by 3%.", "Mark hats except A101 as sold out. Cut mugs by 3%.", []string{"Mark hats as sold out. Cut mugs except A101 by 3%.", "Mark hats except A101 as sold out. Cut mugs except A101 by 3%."}},
		{"Take 10% off mugs and hats, then another 10%.", "Take 10% off mugs and hats, then another 10% off.", []string{"Take 10% off mugs and hats.", "Take 10% off mugs. Take 10% off hats."}},
	} {
		if tc.right != "" {
			if p := plainly(t, tc.right); planning.Ground(tc.instruction, p) != nil {
				t.Errorf("Ground(%q) = %v for %v", tc.instruction, planning.Ground(tc.instruction, p), plan.Explain(p))
			}
		}
		for _, wrong := range tc.wrong {
			if p := plainly(t, wrong); planning.Ground(tc.instruction, p) == nil {
				t.Errorf("Ground(%q) accepts %v", tc.instruction, plan.Explain(p))
			}
		}
	}
}

// plainly is the plan of a wording that the grammar reads.
func plainly(t *testing.T, instruction string) *plan.Plan {
	t.Helper()
	draft, err := grammar.Planner{}.Plan(t.Context(), planning.Request{ExecutionID: "plan_of_a_test", Instruction: instruction})
	if err != nil {
		t.Fatal(err)
	}
	return draft.Plan
}
