package pricing_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// TestRemarks tells of rows of which a person might not think, with their numbers.
func TestRemarks(t *testing.T) {
	up := func(o plan.Options) []plan.Operation {
		return []plan.Operation{{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}, Options: o}}
	}
	decimal := func(text string) *plan.Decimal { return new(plan.MustDecimal(text)) }
	cap20 := plan.Options{MaxPrice: decimal("20")}
	for name, test := range map[string]struct {
		text string
		ops  []plan.Operation
		want []string // code, and rows
	}{
		"a cap lowers what is above it":    {"sku,price\nA,10\nB,59.00\nC,20.00\nD,21\n", up(cap20), []string{pricing.WarnAgainst + " 3, 5"}},
		"also before another operation":    {"sku,price\nA,59.00\n", append(up(cap20), plan.Operation{OperationID: "on", Action: plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("50")}}), []string{pricing.WarnAgainst + " 2"}},
		"a floor raises":                   {"sku,price\nA,3.00\n", []plan.Operation{{OperationID: "off", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("10")}, Options: plan.Options{MinPrice: decimal("5")}}}, []string{pricing.WarnAgainst + " 2"}},
		"a price that is set goes any way": {"sku,price\nA,30.00\n", []plan.Operation{{OperationID: "to", Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("5")}}}, nil},

		"yen":                            {"sku,price\nA,1500 JPY\nB,¥980\n", up(plan.Options{}), []string{pricing.WarnFractions + " 2, 3"}},
		"yen in the title":               {"sku,Price (JPY)\nA,1500\n", up(plan.Options{}), []string{pricing.WarnFractions + " 2"}},
		"yen, rounded":                   {"sku,price\nA,1500 JPY\n", up(plan.Options{RoundTo: new(0)}), nil},
		"yuan, as their fractions say":   {"sku,price\nA,¥15\nB,¥9.80\n", up(plan.Options{}), nil},
		"dollars without their fraction": {"sku,price\nA,$15\n", up(plan.Options{}), nil},

		"a sum":                           {"sku,name,price\nA,Mug,10\nB,,20\n,Hat,5\n,,35\n", up(plan.Options{}), []string{pricing.WarnNameless + " 5"}},
		"a sum that is called one":        {"sku,name,price\nA,Mug,10\nTotal:,,10\n", up(plan.Options{}), []string{pricing.WarnNameless + " 3"}},
		"a name like one":                 {"sku,name,price\nA,Mug,10\n,Total Gym,10\n", up(plan.Options{}), nil},
		"variants named by their product": {"handle,name,price\nmug,Mug,10\nmug,,12\n", up(plan.Options{}), nil},
		"nothing that could name rows":    {"category,price\nx,10\n", up(plan.Options{}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plan.Plan{Operations: test.ops}
			compare(t, p, table.Settings{}, []byte(test.text), 1, 1<<16)
			e, err := pricing.Compile(p, table.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			ran, err := runEngine(t, e, test.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, warning := range ran.Warnings {
				if slices.Contains([]string{pricing.WarnAgainst, pricing.WarnFractions, pricing.WarnNameless}, warning.Code) {
					got = append(got, warning.Code+" "+table.ListRows(warning.FirstRows))
					if !strings.Contains(warning.Message, table.ListRows(warning.FirstRows)) {
						t.Errorf("it says %q", warning.Message)
					}
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
