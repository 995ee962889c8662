package pricing_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

const (
	shopifyStock    = "Handle,Option1 Name,Variant SKU,Variant Price,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy\n"
	wooStock        = "ID,Type,SKU,Is featured?,Regular price,In stock?,Stock\n"
	magentoStock    = "sku,attribute_set_code,product_type,price,qty,is_in_stock,product_websites\n"
	lightspeedStock = "id,handle,sku,name,type,variant_option_one_name,variant_option_one_value,supply_price,retail_price,brand_name,supplier_name,active,track_inventory,inventory_Basement,inventory_JFK\n"
	squareStock     = "Token,Item Name,Variation Name,SKU,Price,Current Quantity Shop,Current Quantity Depot\n"
)

func pieces(action plan.ActionType, n string) plan.Operation {
	return plan.Operation{OperationID: "op", Action: plan.Action{Type: action, Value: plan.MustDecimal(n)}}
}

// TestPieces: what becomes of quantities, and of the word beside them, in each platform's form.
func TestPieces(t *testing.T) {
	number := func(n string) *plan.Decimal { return new(plan.MustDecimal(n)) }
	off := func(f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "op", Filter: f, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("10")}}
	}
	restock := table.Settings{InStockQuantity: new(int64(8))}
	for _, test := range []struct {
		name, header, rows string
		settings           table.Settings
		ops                []plan.Operation
		want               string
		warnings           []string
	}{
		{"Shopify", shopifyStock, "a,Size,A,10,shopify,5,deny\nb,Size,B,10,shopify,0,deny\nc,Size,C,10,,7,deny\nd,Size,D,10,shopify,,deny\n", table.Settings{}, []plan.Operation{pieces(plan.SetQuantity, "9650")},
			"a,Size,A,10,shopify,9650,deny\nb,Size,B,10,shopify,9650,deny\nc,Size,C,10,,7,deny\nd,Size,D,10,shopify,,deny\n", []string{"untracked 4 5"}},
		{"WooCommerce", wooStock, "1,simple,A,0,10,1,5\n2,simple,B,0,10,0,0\n3,simple,C,0,10,backorder,0\n4,simple,D,0,10,1,\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityIncrease, "3")},
			"1,simple,A,0,10,1,8\n2,simple,B,0,10,1,3\n3,simple,C,0,10,backorder,3\n4,simple,D,0,10,1,\n", []string{"untracked 5"}},
		{"WooCommerce, to none", wooStock, "1,simple,A,0,10,1,5\n2,simple,B,0,10,1,2\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityDecrease, "3")},
			"1,simple,A,0,10,1,2\n2,simple,B,0,10,0,0\n", []string{"quantity_below_zero 3"}},
		{"WooCommerce, a word like the quantity", wooStock, "1,simple,A,0,10,1,1\n2,simple,B,0,10,1,10\n", table.Settings{}, []plan.Operation{pieces(plan.SetQuantity, "0")},
			"1,simple,A,0,10,0,0\n2,simple,B,0,10,0,0\n", nil},
		{"WooCommerce, sold out", wooStock, "1,simple,A,0,10,1,1\n", table.Settings{}, []plan.Operation{{OperationID: "out", Action: plan.Action{Type: plan.SetStock}}},
			"1,simple,A,0,10,0,0\n", nil},
		{"the first of several places", lightspeedStock, "e2,pewter,3779,Pewter Keychain,General,Color,Silver,2.51,5.95,B,S,1,1,371,31\n", table.Settings{Columns: setting.Columns{Quantity: "inventory_Basement"}}, []plan.Operation{pieces(plan.QuantityDecrease, "2")},
			"e2,pewter,3779,Pewter Keychain,General,Color,Silver,2.51,5.95,B,S,1,1,369,31\n", nil},
		{"the word and the quantity of no platform", "sku,price,in_stock,quantity\n", "A,10,true,7\n", table.Settings{}, []plan.Operation{{OperationID: "out", Action: plan.Action{Type: plan.SetStock}}, pieces(plan.SetQuantity, "3")}, "A,10,false,3\n", []string{"quantity_stays 2"}},
		{"Magento", magentoStock, "A,Default,simple,10,5.0000,1,base\nB,Default,simple,10,0.0000,0,base\nC,Default,simple,10,-2.0000,0,base\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityIncrease, "1")},
			"A,Default,simple,10,6,1,base\nB,Default,simple,10,1,1,base\nC,Default,simple,10,0,0,base\n", []string{"quantity_below_zero 4"}},
		{"Square, one place", squareStock, "t,Mug,Small,A,$10.00,5,2\n", table.Settings{Columns: setting.Columns{Quantity: "Current Quantity Depot"}}, []plan.Operation{pieces(plan.SetQuantity, "4")},
			"t,Mug,Small,A,$10.00,5,4\n", nil},
		{"plain", "sku,price,Stock\n", "A,10,7\nB,10,0\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityDecrease, "2")}, "A,10,5\nB,10,0\n", []string{"quantity_below_zero 3"}},
		{"beside words of no platform", "sku,price,in_stock,quantity\n", "A,10,true,7\n", table.Settings{}, []plan.Operation{pieces(plan.SetQuantity, "0")}, "A,10,true,0\n", nil},
		{"beside words, both named", "sku,name,price,qty,is_in_stock\n", "A,Bag,1.00,0.0000,0\nB,Hat,1.00,3.0000,1\n", table.Settings{Columns: setting.Columns{InStock: "is_in_stock", Quantity: "qty"}}, []plan.Operation{pieces(plan.SetQuantity, "50")}, "A,Bag,1.00,50,1\nB,Hat,1.00,50,1\n", nil},
		{"both named, to none", "sku,name,price,qty,is_in_stock\n", "A,Bag,1.00,0.0000,0\nB,Hat,1.00,3.0000,1\n", table.Settings{Columns: setting.Columns{InStock: "is_in_stock", Quantity: "qty"}}, []plan.Operation{pieces(plan.SetQuantity, "0")}, "A,Bag,1.00,0.0000,0\nB,Hat,1.00,0,0\n", nil},
		{"a column of any title", "sku,price,Regal 5\n", "A,10,7\n", table.Settings{Columns: setting.Columns{Quantity: "Regal 5"}}, []plan.Operation{pieces(plan.SetQuantity, "9")}, "A,10,9\n", nil},
		{"a fraction", "sku,price,quantity\n", "A,10,7.5\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityIncrease, "2")}, "A,10,9.5\n", nil},
		{"the same", "sku,price,quantity\n", "A,10,7.0\n", table.Settings{}, []plan.Operation{pieces(plan.SetQuantity, "7")}, "A,10,7.0\n", nil},
		{"below none already", "sku,price,quantity\n", "A,10,'-5\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityIncrease, "9")}, "A,10,4\n", nil},

		{"many", shopifyStock, "a,Size,A,10,shopify,10,deny\nb,Size,B,10,shopify,9,deny\nc,Size,C,10,,99,deny\n", table.Settings{}, []plan.Operation{off(plan.Filter{QuantityGTE: number("10")})},
			"a,Size,A,9.00,shopify,10,deny\nb,Size,B,10,shopify,9,deny\nc,Size,C,10,,99,deny\n", []string{"untracked 4"}},
		{"few", wooStock, "1,simple,A,0,10,1,5\n2,simple,B,0,10,1,6\n", table.Settings{}, []plan.Operation{off(plan.Filter{QuantityLTE: number("5")})}, "1,simple,A,0,9.00,1,5\n2,simple,B,0,10,1,6\n", nil},
		{"a fraction between", "sku,price,quantity\n", "A,10,5.5\nB,10,5\n", table.Settings{}, []plan.Operation{off(plan.Filter{QuantityGTE: number("5"), QuantityLTE: number("5")})}, "A,10,5.5\nB,9.00,5\n", nil},

		{"the next sees the quantity", "sku,price,quantity\n", "A,10,5\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityIncrease, "5"), but(off(plan.Filter{QuantityGTE: number("10")}), func(op *plan.Operation) { op.OperationID = "next" })}, "A,9.00,10\n", nil},
		{"the next sees the stock", wooStock, "1,simple,A,0,10,0,0\n", table.Settings{}, []plan.Operation{pieces(plan.SetQuantity, "5"), but(off(plan.Filter{InStock: ptr(true)}), func(op *plan.Operation) { op.OperationID = "next" })}, "1,simple,A,0,9.00,1,5\n", nil},
		{"sold out, and more", wooStock, "1,simple,A,0,10,1,9\n", table.Settings{}, []plan.Operation{{OperationID: "out", Action: plan.Action{Type: plan.SetStock}}, pieces(plan.QuantityIncrease, "2")}, "1,simple,A,0,10,1,2\n", nil},
		{"more, and sold out", shopifyStock, "a,Size,A,10,shopify,5,deny\n", table.Settings{}, []plan.Operation{pieces(plan.QuantityIncrease, "2"), {OperationID: "out", Action: plan.Action{Type: plan.SetStock}}}, "a,Size,A,10,shopify,0,deny\n", nil},
		{"none, and in stock", shopifyStock, "a,Size,A,10,shopify,5,deny\n", restock, []plan.Operation{pieces(plan.SetQuantity, "0"), {OperationID: "in", Action: plan.Action{Type: plan.SetStock, Stock: true}}}, "a,Size,A,10,shopify,8,deny\n", nil},
		{"cells that cannot be read", "sku,price,quantity\n", "A,10,some\nB,10,5\n", table.Settings{OddRows: table.OddRowsLeave, Columns: setting.Columns{Quantity: "quantity"}}, []plan.Operation{pieces(plan.SetQuantity, "9"), but(off(plan.Filter{}), func(op *plan.Operation) { op.OperationID = "off" })}, "A,9.00,some\nB,9.00,9\n", []string{"odd_rows 2"}},
		{"a row without a price", "sku,price,quantity\n", "A,,5\n", table.Settings{}, []plan.Operation{pieces(plan.SetQuantity, "9")}, "A,,9\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &plan.Plan{Operations: test.ops}
			summary, out := onSale(t, test.settings, test.header+test.rows, test.ops...)
			if diff := cmp.Diff(test.header+test.want, out); diff != "" {
				t.Error(diff)
			}
			var warnings []string
			for _, w := range summary.AllWarnings() {
				rows := strings.NewReplacer(",", "", "[", "", "]", "").Replace(table.ListRows(w.FirstRows))
				warnings = append(warnings, w.Code+" "+rows)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Error(diff)
			}
			compare(t, p, test.settings, []byte(test.header+test.rows), 7, 1<<16)
			givesBack(t, p, test.settings, test.header+test.rows, 1<<16)
		})
	}
}

// TestPiecesAreReported: a change line has the quantity's cell before and afterwards.
func TestPiecesAreReported(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"its own column":     {"sku,price,in_stock,quantity\nA,10,true,7\n", `{"row":2,"sku":"A","operation_ids":["op"],"before":{"price":null,"in_stock":null,"quantity":"7"},"after":{"price":null,"in_stock":null,"quantity":"0"}}`},
		"the stock's":        {shopifyStock + "a,Size,A,10,shopify,7,deny\n", `{"row":2,"sku":"A","operation_ids":["op"],"before":{"price":null,"in_stock":true,"stock":"7","quantity":"7"},"after":{"price":null,"in_stock":false,"stock":"0","quantity":"0"}}`},
		"beside the word":    {wooStock + "1,simple,A,0,10,1,7\n", `{"row":2,"sku":"A","operation_ids":["op"],"before":{"price":null,"in_stock":true,"stock":"1","quantity":"7"},"after":{"price":null,"in_stock":false,"stock":"0","quantity":"0"}}`},
		"and the word stays": {wooStock + "1,simple,A,0,10,0,7\n", `{"row":2,"sku":"A","operation_ids":["op"],"before":{"price":null,"in_stock":false,"quantity":"7"},"after":{"price":null,"in_stock":false,"quantity":"0"}}`},
	} {
		e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{pieces(plan.SetQuantity, "0")}}, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		ran, err := runEngine(t, e, test.text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want+"\n", ran.changes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestPiecesRefused: a table without a column of quantities, or with several.
func TestPiecesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"sku,price\nA,1\n":                                    "operations[0].action: no column of quantities is known in this table: if it has one, say which, with ",
		squareStock + "t,Mug,Small,A,$10.00,5,2\n":            "operations[0].action: could be Current Quantity Shop or Current Quantity Depot: say which, with ",
		"sku,price,quantity\nA,1,1.234\n":                     "not a quantity: write a number",
		"sku,price,quantity\nA,1,many\nB,2,7\nC,3,8\nD,1,9\n": "quantity",
	} {
		p := &plan.Plan{Operations: []plan.Operation{pieces(plan.SetQuantity, "5")}}
		compare(t, p, table.Settings{}, []byte(text), 1<<16)
		e, err := pricing.Compile(p, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = runEngine(t, e, text); err == nil || !strings.Contains(errs.Message(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
