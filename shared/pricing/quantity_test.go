package pricing_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestQuantityNextToTheWord writes both where a platform goes by the quantity, and
// gives both back, also where the shop has written the 0 otherwise since.
func TestQuantityNextToTheWord(t *testing.T) {
	const header = "ID,Type,SKU,Name,Visibility in catalog,In stock?,Regular price,Categories,Stock\n"
	row := func(word, quantity string) string {
		return header + "1,simple,A,Mug,visible," + word + ",12,Mugs," + quantity + "\n"
	}
	five := table.Settings{InStockQuantity: new(int64(5))}
	for _, test := range []struct {
		word, quantity string
		in             bool
		settings       table.Settings
		want, becomes  string // "": refused
	}{
		{"1", "7", false, table.Settings{}, "0", "0"},
		{"1", "7.0000", false, table.Settings{}, "0", "0"},
		{"1", "", false, table.Settings{}, "0", ""},
		{"1", "-2", false, table.Settings{}, "0", "-2"},
		{"1", "parent", false, table.Settings{}, "0", "parent"},
		{"0", "0", true, five, "1", "5"},
		{"backorder", "'-3", true, five, "1", "5"},
		{"0", "", true, table.Settings{}, "1", ""},
		{"0", "3", true, table.Settings{}, "1", "3"},
		{"0", "3", false, table.Settings{}, "0", "3"}, // it is out of stock already
		{"0", "0", true, table.Settings{}, "", ""},
		{"0", "0.0", true, table.Settings{}, "", ""},
	} {
		p := &plan.Plan{Operations: []plan.Operation{{OperationID: "stock", Action: plan.Action{Type: plan.SetStock, Stock: test.in}}}}
		input := row(test.word, test.quantity)
		if test.want == "" {
			e, err := pricing.Compile(p, test.settings)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = runEngine(t, e, input); err == nil || !strings.Contains(err.Error(), "Stock") || !strings.Contains(err.Error(), "in_stock_quantity") {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		}
		got := compare(t, p, test.settings, []byte(input), 1<<16)
		if want := row(test.want, test.becomes); got.Out != want {
			t.Errorf("%+v: %q, want %q", test, got.Out, want)
		}
		if got.RowsChanged == 0 {
			continue
		}
		if tells := strings.Contains(got.Changes, `"quantity":"`+test.becomes+`"}}`); tells != (test.becomes != test.quantity) {
			t.Errorf("%+v: %s", test, got.Changes)
		}
		since := strings.Replace(got.Out, "Mugs,0\n", "Mugs,0.0000\n", 1)
		for _, now := range []string{got.Out, since} {
			if back := undone(t, got.Changes, test.settings, now); back.out != input {
				t.Errorf("%+v: undone to %q", test, back.out)
			}
		}
	}
}

// quantities is a plan for rows of some quantities alone.
func quantities(least, most string, a plan.Action) *plan.Plan {
	op := plan.Operation{OperationID: "op", Action: a}
	if least != "" {
		op.Filter.QuantityGTE = ptr(plan.MustDecimal(least))
	}
	if most != "" {
		op.Filter.QuantityLTE = ptr(plan.MustDecimal(most))
	}
	return &plan.Plan{Operations: []plan.Operation{op}}
}

// TestRowsOfOtherQuantities: a row whose quantity no operation is for comes to nothing,
// whatever else it has; one whose quantity is not known is told of.
func TestRowsOfOtherQuantities(t *testing.T) {
	up := plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("1")}
	const header = "sku,price,quantity,category,cost\n"
	for name, test := range map[string]struct {
		rows, least, most, want string
		settings                table.Settings
		refused                 bool
	}{
		"within":                {rows: "A,10,5,x,\nB,10,50,x,\nC,10,,x,\nD,10,5.0,x,\n", least: "50", want: "A,10,5,x,\nB,11.00,50,x,\nC,10,,x,\nD,10,5.0,x,\n"},
		"between":               {rows: "A,10,5,x,\nB,10,50,x,\nC,10,12345678901,x,\nD,10,'-5,x,\n", least: "4", most: "9", want: "A,11.00,5,x,\nB,10,50,x,\nC,10,12345678901,x,\nD,10,'-5,x,\n"},
		"a price that is none":  {rows: "A,10,50,x,\nB,x,5,x,\n", least: "50", refused: true},
		"none, left alone":      {rows: "A,10,50,x,\nB,x,5,x,\n", least: "50", settings: table.Settings{OddRows: table.OddRowsLeave}, want: "A,11.00,50,x,\nB,x,5,x,\n"},
		"a quantity is none":    {rows: "A,10,50,x,\nB,10,few,x,\n", least: "50", refused: true},
		"another currency":      {rows: "A,10 EUR,50,x,\nB,10 USD,5,x,\nC,10 EUR,60,x,\n", least: "50", refused: true},
		"a doubtful price":      {rows: "A,10.50,50,x,\nB,1.299,5,x,\n", least: "50", want: "A,11.50,50,x,\nB,1.299,5,x,\n"},
		"as many as there were": {rows: "A,10,0,x,\nB,10,7,x,\n", most: "0", want: "A,11.00,0,x,\nB,10,7,x,\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := quantities(test.least, test.most, up)
			got := compare(t, p, test.settings, []byte(header+test.rows), 1, 7, 1<<16)
			switch {
			case test.refused && got.Out != "":
				t.Errorf("%q", got.Out)
			case !test.refused && got.Out != header+test.want:
				t.Errorf("%q, want %q", got.Out, header+test.want)
			}
		})
	}
	cost := plan.Operation{OperationID: "cost", Filter: plan.Filter{QuantityGTE: ptr(plan.MustDecimal("50"))}, Action: plan.Action{Type: plan.CostPlusPercent, Value: plan.MustDecimal("50")}}
	compare(t, &plan.Plan{Operations: []plan.Operation{cost}}, table.Settings{Columns: setting.Columns{Cost: "cost"}}, []byte(header+"A,10,50,x,5\nB,10,5,x,five\n"), 1, 7, 1<<16)
}

// TestUntrackedPlaces: of a table with a column for each place, too, rows whose quantity the
// shop does not keep are left alone and told of.
func TestUntrackedPlaces(t *testing.T) {
	const header = "handle,sku,product_category,retail_price,track_inventory,inventory_A,inventory_B\n"
	const rows = "a,A,Cups,10,1,0,3\nb,B,Cups,10,0,0,3\nc,C,Cups,10,1,9,3\n"
	p := quantities("", "0", plan.Action{Type: plan.SetQuantity, Value: plan.MustDecimal("5")})
	settings := table.Settings{Columns: setting.Columns{Quantity: "inventory_A"}}
	got := compare(t, p, settings, []byte(header+rows), 1, 1<<16)
	if want := header + strings.Replace(rows, "1,0,3", "1,5,3", 1); got.Out != want {
		t.Errorf("%q, want %q", got.Out, want)
	}
	e := compiled(t, p, settings)
	ran, err := runEngine(t, e, header+rows)
	const want = "1 row has no quantity, or one that the shop does not track, and is left alone by op: to change it too, have the shop track its stock and export the table again: row 3."
	if err != nil || len(ran.AllWarnings()) != 1 || ran.AllWarnings()[0].Message != want {
		t.Errorf("%v, %+v", err, ran.AllWarnings())
	}
}

// TestQuantityOfTheRowBefore: a quantity that one row was given is told of no row behind it.
// In these tables the quantity is what tells the stock.
func TestQuantityOfTheRowBefore(t *testing.T) {
	count := plan.Operation{OperationID: "count", Filter: plan.Filter{SKUs: []string{"A"}}, Action: plan.Action{Type: plan.SetQuantity, Value: plan.MustDecimal("3")}}
	price := plan.Operation{OperationID: "price", Filter: plan.Filter{SKUs: []string{"B"}}, Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("12")}}
	p := &plan.Plan{Operations: []plan.Operation{count, price}}
	got := compare(t, p, table.Settings{}, []byte("sku,price,quantity\nA,10,1\nB,10,7\n"), 1<<16)
	if got.Out != "sku,price,quantity\nA,10,3\nB,12.00,7\n" || strings.Count(got.Changes, `"quantity":"3"`) != 1 {
		t.Errorf("%s\n%s", got.Out, got.Changes)
	}
}
