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
	soldOut := []plan.Operation{{OperationID: "out", Action: plan.Action{Type: plan.SetStock}}}
	const woo = "In stock?,Is featured?,SKU,Stock,Regular price,Backorders allowed?\n"
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

		"yen":                            {"sku;price\nA;1501 JPY\nB;¥981\n", up(plan.Options{}), []string{pricing.NotedFractions + " 2, 3"}},
		"yen in the title":               {"sku,Price (JPY)\nA,1501\n", up(plan.Options{}), []string{pricing.NotedFractions + " 2"}},
		"yen, rounded":                   {"sku,price\nA,1500 JPY\n", up(plan.Options{RoundTo: new(0)}), nil},
		"yuan, as their fractions say":   {"sku,price\nA,¥15\nB,¥9.80\n", up(plan.Options{}), nil},
		"yuan, as their code says":       {"sku,price,currency\nA,¥15.00,CNY\n", up(plan.Options{}), nil},
		"yuan, as the title says":        {"sku,Price (RMB)\nA,¥15.00\n", up(plan.Options{}), nil},
		"yen, as their code says":        {"sku,price,currency\nA,1501,jpy\n", up(plan.Options{}), []string{pricing.NotedFractions + " 2"}},
		"yen among dollars":              {"sku,price,currency\nA,15.50,USD\nB,1501,JPY\nC,9,\n", up(plan.Options{}), []string{pricing.NotedFractions + " 3"}},
		"a column of no codes":           {"sku,price,currency\nA,1500,yen\n", up(plan.Options{}), nil},
		"dollars without their fraction": {"sku,price\nA,$15.00\n", up(plan.Options{}), nil},

		"backorders":                       {woo + "1,0,A,9,10,1\n0,0,B,0,10,notify\n1,0,C,9,10,0\n1,0,D,,10,\nbackorder,0,E,,10,0\n", soldOut, []string{pricing.NotedBackorder + " 2, 3, 6"}},
		"backorders of what is in stock":   {woo + "0,0,A,0,10,1\n", []plan.Operation{{OperationID: "in", Action: plan.Action{Type: plan.SetStock, Stock: true}}}, nil},
		"backorders of what is not meant":  {woo + "1,0,A,9,10,1\n", up(plan.Options{}), nil},
		"sold below nothing":               {"Handle,Title,Option1 Name,Variant SKU,Variant Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy\na,A,Title,A,10,shopify,3,continue\nb,B,Title,B,10,shopify,3,deny\n", soldOut, []string{pricing.NotedBackorder + " 2"}},
		"sold unless it is the last stock": {"ordernumber,mainnumber,price_EK,instock,laststock\nA,A,10,3,0\nB,B,10,3,1\n", soldOut, []string{pricing.NotedBackorder + " 2"}},

		"a quantity beside the word":   {"sku,price,in_stock,quantity\nA,10,true,7\nB,10,false,0\nC,10,true,4\nD,10,true,\n", soldOut, []string{pricing.NotedOtherStock + " 2, 4"}},
		"a quantity that goes with it": {woo + "1,7,A,9,10,0\n", soldOut, nil},
		"no stock is set":              {"sku,price,in_stock,quantity\nA,10,false,7\n", up(plan.Options{}), nil},

		"what rounds to nothing":          {"sku,price\nA,0.01\nB,0.00\nC,50\n", []plan.Operation{{OperationID: "off", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("99")}}}, []string{pricing.WarnFree + " 2"}},
		"a sum":                           {"sku,name,price\nA,Mug,10\nB,,20\n,Hat,5\n,,35\n", up(plan.Options{}), []string{pricing.WarnOddRows + " 5"}},
		"a blank that is no name":         {"sku,price\nA,10\n ,20\n", up(plan.Options{}), []string{pricing.WarnOddRows + " 3"}},
		"a sum that is called one":        {"sku,name,price\nA,Mug,10\nTotal:,,10\n", up(plan.Options{}), []string{pricing.WarnOddRows + " 3"}},
		"a name like one":                 {"sku,name,price\nA,Mug,10\n,Total Gym,10\n", up(plan.Options{}), nil},
		"variants named by their product": {"handle,name,price\nmug,Mug,10\nmug,,12\n", up(plan.Options{}), nil},
		"prices that stay":                {"sku,price,price_eur,MSRP,net price,price_min_qty_10,tax_rate,unit cost\nA,10,9,12,8,7,19,4\nB,10,0,,,,19,4\n", up(plan.Options{}), []string{pricing.WarnOtherPrices + " 2"}},
		"nothing that could name rows":    {"category,price\nx,10\n", up(plan.Options{}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plan.Plan{Operations: test.ops}
			settings := table.Settings{InStockQuantity: new(int64(5))}
			compare(t, p, settings, []byte(test.text), 1, 1<<16)
			e, err := pricing.Compile(p, settings)
			if err != nil {
				t.Fatal(err)
			}
			ran, err := runEngine(t, e, test.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, warning := range ran.AllWarnings() {
				if slices.Contains([]string{pricing.WarnAgainst, pricing.NotedFractions, pricing.WarnOddRows, pricing.WarnFree, pricing.NotedBackorder, pricing.WarnOtherPrices, pricing.NotedOtherStock}, warning.Code) {
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

// TestCurrenciesNextToPrices has amounts of money be for rows in one currency.
func TestCurrenciesNextToPrices(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Action: plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("2")}}}}
	const text = "sku,price,currency\nA,10,EUR\nB,10,USD\nC,10,eur\nD,10,\n"
	if done := compare(t, p, table.Settings{}, []byte(text), 1, 1<<16); done.RowsTotal != 0 {
		t.Errorf("not refused: %+v", done)
	}
	p.Operations[0].Filter.ExcludeSKUs = []string{"B"}
	if done := compare(t, p, table.Settings{}, []byte(text), 1, 1<<16); done.RowsChanged != 3 {
		t.Errorf("rows in one of two currencies: %+v", done)
	}
}

// TestExceptionsWithoutRows warns of what is left out of rows that none has, and of nothing
// that leaves a row out, is for another operation, or is in no row at all.
func TestExceptionsWithoutRows(t *testing.T) {
	const text = "sku,category,tags,name,price\nA,Drinks,\"cold, new\",Cola,2\nB,Drinks,,Tea,3\nC,Pans,non-stick,Red Pan,20\nD,\"Juice\",,Red Juice,4\n"
	up := func(f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "up", Filter: f, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")}}
	}
	for name, test := range map[string]struct {
		ops  []plan.Operation
		want string
	}{
		"a tag of others":            {[]plan.Operation{up(plan.Filter{Categories: []string{"Drinks"}, ExcludeTags: []string{"cold", "non-stick"}})}, `Leaving out the tag "non-stick" takes no row out of up: no row that it is otherwise for has that.`},
		"a category of no such rows": {[]plan.Operation{up(plan.Filter{Categories: []string{"Drinks"}, ExcludeCategories: []string{"Juice"}})}, `Leaving out the category "Juice" takes no row out of up: no row that it is otherwise for has that.`},
		"words of other names":       {[]plan.Operation{up(plan.Filter{Categories: []string{"Drinks"}, ExcludeNameContains: []string{"red"}})}, `Leaving out the product with the words "red" takes no row out of up: no row that it is otherwise for has that.`},
		"of all":                     {[]plan.Operation{up(plan.Filter{ExcludeCategories: []string{"Juice"}, ExcludeSKUs: []string{"A"}, ExcludeTags: []string{"new"}})}, ""},
		"of another operation":       {[]plan.Operation{up(plan.Filter{Categories: []string{"Drinks"}, ExcludeTags: []string{"non-stick"}}), {OperationID: "down", Filter: plan.Filter{Tags: []string{"non-stick"}}, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("5")}}}, ""},
	} {
		p := &plan.Plan{Operations: test.ops}
		compare(t, p, table.Settings{}, []byte(text), 1, 1<<16)
		e, err := pricing.Compile(p, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		ran, err := runEngine(t, e, text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, warning := range ran.AllWarnings() {
			if warning.Code == pricing.UnmatchedException {
				got = append(got, warning.Message)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestATableWithoutRows is refused, so that it does not use its plan up.
func TestATableWithoutRows(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	for _, text := range []string{"sku,price\n", "sku,price", "sku,price\n\n\n"} {
		if done := compare(t, p, table.Settings{}, []byte(text), 1, 1<<16); done.Out != "" {
			t.Errorf("%q gives %+v", text, done)
		}
	}
}
