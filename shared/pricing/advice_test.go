package pricing_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestAdviceIsNotRepeated: whoever does as a refusal says is not told the same again, and comes
// to a result.
func TestAdviceIsNotRepeated(t *testing.T) {
	raise := plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}
	out, in := plan.Action{Type: plan.SetStock}, plan.Action{Type: plan.SetStock, Stock: true}
	const header = "sku,category,price,in_stock\n"
	for _, test := range []struct {
		name, rows string
		filter     plan.Filter
		action     plan.Action
	}{
		{"a word for no price", header + "A,x,10.00,true\nB,x,NULL,true\n", plan.Filter{}, raise},
		{"a stock that is none", header + "A,x,10.00,true\nB,x,10.00,perhaps\n", plan.Filter{InStock: ptr(true)}, raise},
		{"prices that could be thousands", "sku;category;price\nA;x;1,299\nB;x;2,499\n", plan.Filter{}, raise},
		{"a price in another form", "sku;price\nA;1.234,56\nB;4.90\nC;10,50\n", plan.Filter{}, raise},
		{"whole prices without a mark", "sku,price\nA,\"€ 8\"\nB,\"€ 19\"\n", plan.Filter{}, raise},
		{"words of stock", "sku,price,in_stock\nA,10.00,zzyes\nB,10.00,zzno\n", plan.Filter{InStock: ptr(true)}, raise},
		{"no quantity to write", "sku,price,Quantity\nA,10.00,0\nB,10.00,5\n", plan.Filter{}, in},
		{"no header", "A,x,10.50,true\nB,x,9.00,true\n", plan.Filter{}, raise},
		{"a title in quotes", "sku,\"\"\"Price-Regular-Price\"\"\",\"\"\"Price-Member-Price\"\"\"\nA,3.00,2.00\nB,8.00,2.00\n", plan.Filter{}, raise},
		{"a title with a comma", "sku,\"Preis, brutto\",\"Preis, netto\"\nA,3.00,2.00\nB,8.00,2.00\n", plan.Filter{}, raise},
		{"two columns of stock", "sku,price,in_stock,Quantity\nA,10.00,yes,0\nB,10.00,yes,3\n", plan.Filter{InStock: ptr(true)}, raise},
		{"names that look the same", header + "A,Hats,10.00,true\nB,hats,10.00,true\n", plan.Filter{Categories: []string{"Hats"}}, raise},
		{"only a look-alike", header + "A,Hats,10.00,true\n", plan.Filter{Categories: []string{"hats"}}, raise},
		{"only a look-alike, left out", header + "A,Hats,10.00,true\nB,x,10.00,true\n", plan.Filter{ExcludeCategories: []string{"hats"}}, raise},
		{"a name that no row has", header + "A,Hats,10.00,true\n", plan.Filter{Categories: []string{"Lamps"}}, raise},
		{"dates of sales", "ID,Type,SKU,Is featured?,Categories,Regular price,Sale price,Date sale price ends,In stock?\n1,simple,A,0,x,10,8,2030-01-01,1\n", plan.Filter{OnSale: ptr(true)}, raise},
		{"an untracked stock", "Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price\ncard,Card,Gifts,Title,Default Title,,,0,10.00\n", plan.Filter{}, out},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &plan.Plan{Operations: []plan.Operation{{OperationID: "op", Filter: test.filter, Action: test.action}}}
			given := map[string]string{}
			for {
				settings, err := table.Settings{}.With(given)
				if err != nil {
					t.Fatalf("%v is refused: %v", given, err)
				}
				e, err := pricing.Compile(p, settings)
				if err != nil {
					t.Fatal(err)
				}
				_, err = runEngine(t, e, test.rows)
				if err == nil && len(given) == 0 {
					t.Error("nothing was asked")
				}
				if err == nil {
					return
				}
				more, said := adviceOf(err)
				if len(more) == 0 {
					t.Fatalf("with %v there is no way on: %s", given, said)
				}
				for name, value := range more {
					if given[name] != "" && (given[name] == value || name != "columns") {
						t.Fatalf("with %v, %s=%s is advised again: %s", given, name, value, said)
					}
				}
				maps.Copy(given, more)
			}
		})
	}
}

// chosen are the values of settings of which a refusal does not give one: a person knows them.
var chosen = map[setting.Name]string{"price_form": "1,234.56", "in_stock_quantity": "5"}

// adviceOf are the settings that a refusal gives with a value, the first of each.
func adviceOf(err error) (advised map[string]string, said string) {
	advised = map[string]string{}
	said = table.On(err, func(name setting.Name, value string) string {
		if value == "" {
			value = chosen[name]
		}
		if advised[string(name)] == "" && value != "" && !strings.Contains(value, "TITLE") {
			advised[string(name)] = value
		}
		return string(name) + "=" + value
	}).Error()
	return advised, said
}
