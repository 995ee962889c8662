package planning_test

import (
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

func TestEquivalent(t *testing.T) {
	bound := func(s string) *plan.Decimal { d := plan.MustDecimal(s); return &d }
	op := func(kind plan.ActionType, value string, f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "op_" + value, Filter: f, Action: plan.Action{Type: kind, Value: plan.MustDecimal(value)}}
	}
	up := func(value string, f plan.Filter) []plan.Operation {
		return []plan.Operation{op(plan.PercentIncrease, value, f)}
	}
	costed := func(ops []plan.Operation) []plan.Operation {
		for i := range ops {
			ops[i].Options.NotBelowCost = true
		}
		return ops
	}
	yes := true
	var many []string
	for i := range 5000 {
		many = append(many, "A"+plan.MustDecimal("1").String()+string(rune('A'+i%26))+string(rune('A'+i/26%26))+string(rune('A'+i/676)))
	}
	for _, tc := range []struct {
		name string
		a, b []plan.Operation
		want bool
	}{
		{"a number written otherwise", up("10", plan.Filter{}), up("10.0", plan.Filter{}), true},
		{"a bound no price is under", up("10", plan.Filter{}), up("10", plan.Filter{PriceGTE: bound("0")}), true},
		{"another number", up("10", plan.Filter{}), up("11", plan.Filter{}), false},
		{"a bound one cent off", up("10", plan.Filter{PriceLTE: bound("20")}), up("10", plan.Filter{PriceLTE: bound("19.99")}), false},
		{"a stock condition more", up("10", plan.Filter{}), up("10", plan.Filter{InStock: &yes}), false},
		{"a SKU left out", up("10", plan.Filter{}), up("10", plan.Filter{ExcludeSKUs: []string{"A1"}}), false},
		{"a brand more", up("10", plan.Filter{}), up("10", plan.Filter{Brands: []string{"Nike"}}), false},
		{"a brand for a tag", up("10", plan.Filter{Tags: []string{"Nike"}}), up("10", plan.Filter{Brands: []string{"Nike"}}), false},
		{"a rule for each brand", up("10", plan.Filter{Brands: []string{"a", "b"}}),
			append(up("10", plan.Filter{Brands: []string{"a"}}), up("10.0", plan.Filter{Brands: []string{"b"}})...), true},
		{"a rule for each tag, of which a product may have both", up("10", plan.Filter{Tags: []string{"a", "b"}}),
			append(up("10", plan.Filter{Tags: []string{"a"}}), up("10.0", plan.Filter{Tags: []string{"b"}})...), false},
		{"a rule for the second tag without the first", up("10", plan.Filter{Tags: []string{"a", "b"}}),
			append(up("10", plan.Filter{Tags: []string{"a"}}), up("10.0", plan.Filter{Tags: []string{"b"}, ExcludeTags: []string{"a"}})...), true},
		{"tags with commas, left out or not", up("10", plan.Filter{}), up("10", plan.Filter{ExcludeTags: []string{"a, b"}}), false},
		{"a rule for each word of the name", up("10", plan.Filter{NameContains: []string{"linen", "wool"}}),
			append(up("10", plan.Filter{NameContains: []string{"linen"}}), up("10.0", plan.Filter{NameContains: []string{"wool"}})...), false},
		{"a word of the name in another case", up("10", plan.Filter{NameContains: []string{"Linen"}}), up("10", plan.Filter{NameContains: []string{"linen"}}), true},
		{"words of the name in another order", up("10", plan.Filter{NameContains: []string{"yoga mat"}}), up("10", plan.Filter{NameContains: []string{"mat yoga"}}), false},
		{"words in the name left out, or asked for", up("10", plan.Filter{NameContains: []string{"5 kg"}}), up("10", plan.Filter{ExcludeNameContains: []string{"5 kg"}}), false},
		{"not below the cost", up("10", plan.Filter{}), costed(up("10", plan.Filter{})), false},
		{"not below the cost, said twice", costed(up("10", plan.Filter{})), costed(up("10.0", plan.Filter{})), true},
		{"from the cost, or from the price", up("40", plan.Filter{}), []plan.Operation{op(plan.CostPlusPercent, "40", plan.Filter{})}, false},
		{"from the cost, by another share", []plan.Operation{op(plan.CostPlusPercent, "40", plan.Filter{})}, []plan.Operation{op(plan.CostPlusPercent, "40.1", plan.Filter{})}, false},
		{"from the cost, and not below it where that is rounded down", rounded(op(plan.CostPlusPercent, "0", plan.Filter{})), costed(rounded(op(plan.CostPlusPercent, "0", plan.Filter{}))), false},
		{"another category", up("10", plan.Filter{Categories: []string{"a"}}), up("10", plan.Filter{Categories: []string{"b"}}), false},
		{"one rule for two, and a rule each",
			up("10", plan.Filter{Categories: []string{"a", "b"}}),
			append(up("10", plan.Filter{Categories: []string{"a"}}), up("10.0", plan.Filter{Categories: []string{"b"}})...), true},
		{"many names, one of them missing", up("10", plan.Filter{SKUs: many}), up("10", plan.Filter{SKUs: many[1:]}), false},
		{"many names in two rules", up("10", plan.Filter{SKUs: many}),
			append(up("10", plan.Filter{SKUs: many[:99]}), up("10.0", plan.Filter{SKUs: many[99:]})...), true},
		{"a bound on what the first rule left, a cent off",
			append(up("7", plan.Filter{}), op(plan.FixedDecrease, "1", plan.Filter{PriceGTE: bound("77.77")})),
			append(up("7", plan.Filter{}), op(plan.FixedDecrease, "1", plan.Filter{PriceGTE: bound("77.78")})), false},
		{"names that no table may hold", up("10", plan.Filter{Categories: []string{"=a"}}), up("20", plan.Filter{Categories: []string{"=a"}}), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := &plan.Plan{ExecutionID: "plan_a_v1", Operations: tc.a}, &plan.Plan{ExecutionID: "plan_b_v1", Operations: tc.b}
			got, err := planning.Equivalent(t.Context(), a, b)
			if err != nil || got != tc.want {
				t.Errorf("Equivalent() = %v, %v, want %v", got, err, tc.want)
			}
		})
	}
}

// TestEquivalentSales compares plans on what they do to tables with sales.
func TestEquivalentSales(t *testing.T) {
	bound := func(s string) *plan.Decimal { d := plan.MustDecimal(s); return &d }
	yes, no := true, false
	off := func(value string, sale bool, f plan.Filter) []plan.Operation {
		return []plan.Operation{{OperationID: "off_" + value, Filter: f, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal(value)}, Options: plan.Options{AsSale: sale}}}
	}
	costed := func(ops []plan.Operation) []plan.Operation {
		for i := range ops {
			ops[i].Options.NotBelowCost = true
		}
		return ops
	}
	end := func(f plan.Filter) []plan.Operation {
		return []plan.Operation{{OperationID: "end", Filter: f, Action: plan.Action{Type: plan.EndSale}}}
	}
	yoga, shoes := plan.Filter{Categories: []string{"yoga"}}, plan.Filter{Categories: []string{"shoes"}}
	for _, tc := range []struct {
		name string
		a, b []plan.Operation
		want bool
	}{
		{"a sale price, or a price", off("20", true, yoga), off("20", false, yoga), false},
		{"a sale price written otherwise", off("20", true, yoga), off("20.0", true, yoga), true},
		{"another sale price", off("20", true, yoga), off("21", true, yoga), false},
		{"what is on sale, or is not", off("20", false, plan.Filter{OnSale: &yes}), off("20", false, plan.Filter{OnSale: &no}), false},
		{"what is on sale, or everything", off("20", false, plan.Filter{OnSale: &yes}), off("20", false, plan.Filter{}), false},
		{"what is not on sale, or everything", off("20", true, plan.Filter{OnSale: &no}), off("20", true, plan.Filter{}), false},
		{"on sale, written otherwise", off("20", false, plan.Filter{OnSale: &yes}), off("20.0", false, plan.Filter{OnSale: &yes}), true},
		{"what is on sale and what is not, or everything", append(off("20", true, plan.Filter{OnSale: &yes}), off("20.0", true, plan.Filter{OnSale: &no})...), off("20", true, plan.Filter{}), true},
		{"the end of a sale, or nothing more", append(off("20", false, yoga), end(shoes)...), off("20", false, yoga), false},
		{"the end of all sales, or of one category's", end(plan.Filter{}), end(yoga), false},
		{"the end of sales, of what is on sale", end(yoga), end(plan.Filter{Categories: []string{"yoga"}, OnSale: &yes}), true},
		{"the end of the sales of two, and of each", end(plan.Filter{Categories: []string{"yoga", "shoes"}}), append(end(yoga), end(shoes)...), true},
		{"the end of a sale, or a cheaper one", end(yoga), off("20", true, yoga), false},
		{"a price of what is on sale, a cent off", off("20", false, plan.Filter{OnSale: &yes, PriceLTE: bound("50")}), off("20", false, plan.Filter{OnSale: &yes, PriceLTE: bound("49.99")}), false},
		{"a sale price not below the cost", off("20", true, yoga), costed(off("20", true, yoga)), false},
		{"a sale price not below the cost, said twice", costed(off("20", true, yoga)), costed(off("20.0", true, yoga)), true},
		{"what is on sale, not below the cost", off("20", false, plan.Filter{OnSale: &yes}), costed(off("20", false, plan.Filter{OnSale: &yes})), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, b := &plan.Plan{ExecutionID: "plan_a_v1", Operations: tc.a}, &plan.Plan{ExecutionID: "plan_b_v1", Operations: tc.b}
			for range 2 {
				got, err := planning.Equivalent(t.Context(), a, b)
				if err != nil || got != tc.want {
					t.Errorf("Equivalent() = %v, %v, want %v", got, err, tc.want)
				}
				a, b = b, a
			}
		})
	}
}

// rounded has an operation round to two decimals, whatever decimals the prices have.
func rounded(op plan.Operation) []plan.Operation {
	op.Options.RoundTo = new(2)
	return []plan.Operation{op}
}
