package pricing_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// TestMeasure: changes that were made move prices as far as the engine said when it made
// them, by the table that was written.
func TestMeasure(t *testing.T) {
	const rows = "\"1.234,50 €\";x\n"
	for name, test := range map[string]struct {
		text  string
		plain bool // the changes tell all that is measured
		ops   []plan.Operation
	}{
		"plain":               {"sku,price,in_stock\nA,29.99,true\nB,0,true\nC,3,false\n", true, []plan.Operation{changePrice(plan.FixedIncrease, "3")}},
		"commas":              {"sku;price;category\nA;" + rows + "B;" + rows, true, []plan.Operation{changePrice(plan.PercentDecrease, "12.5")}},
		"far":                 {"sku,price\nA,0.01\nB,1000\n", true, []plan.Operation{changePrice(plan.SetPrice, "99")}},
		"Shopify, a sale":     {shopifySales + "a,Title,A,20.00,,\nb,Title,B,20.00,25.00,\n", true, []plan.Operation{offForSale()}},
		"Shopify, dearer":     {shopifySales + "a,Title,A,20.00,,\nb,Title,B,20.00,25.00,\n", true, []plan.Operation{changePrice(plan.PercentIncrease, "10")}},
		"Shopify, the end":    {shopifySales + "a,Title,A,20.00,,\nb,Title,B,20.00,25.00,\n", true, []plan.Operation{endSale()}},
		"WooCommerce, sale":   {wooSales + "1,simple,A,0,9.00,10.00,,\n2,simple,B,0,,10.00,,\n", true, []plan.Operation{offForSale()}},
		"Square, both prices": {squareSales + "1,1,A,10.00,8.00,Y\n2,2,B,10.00,,N\n", false, []plan.Operation{changePrice(plan.PercentIncrease, "10")}},
	} {
		t.Run(name, func(t *testing.T) {
			var output, lines bytes.Buffer
			var said []pricing.Seen
			if _, err := compileSales(t, table.Settings{}, test.ops...).Run(t.Context(), strings.NewReader(test.text), &output, &lines); err != nil {
				t.Fatal(err)
			}
			summary, err := compileSales(t, table.Settings{}, test.ops...).EachChange(t.Context(), strings.NewReader(test.text), func(s pricing.Seen) error {
				said = append(said, s)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			measure, err := pricing.NewMeasure(&output, table.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			var seen []pricing.Seen
			for changes := json.NewDecoder(&lines); ; {
				var change pricing.Change
				if err := changes.Decode(&change); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				seen = append(seen, measure.See(change))
			}
			if !test.plain { // what only the row says is not measured, and not measured wrongly
				for i := range seen {
					if seen[i].Moved != nil && *seen[i].Moved != *said[i].Moved {
						t.Errorf("%+v, want %+v", seen[i], said[i])
					}
				}
				return
			}
			if diff := cmp.Diff(said, seen); diff != "" {
				t.Error(diff)
			}
			want, got := summary.Effect, measure.Effect()
			want.Changes, want.LargestRises, want.LargestFalls, want.LargestRegular = got.Changes, got.LargestRises, got.LargestFalls, got.LargestRegular
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
