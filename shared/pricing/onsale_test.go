package pricing_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

const (
	shopifySales = "Handle,Option1 Name,Variant SKU,Variant Price,Variant Compare At Price,Price / International\n"
	wooSales     = "ID,Type,SKU,Is featured?,Sale price,Regular price,Date sale price starts,Date sale price ends\n"
	squareSales  = "Product ID [Non Editable],Variant ID [Non Editable],SKU,Price,Sale Price,On Sale\n"
	googleSales  = "id\timage_link\tavailability\tprice\tsale_price\tsale_price_effective_date\n"
)

// putOnSale makes something of the regular price the sale price.
func putOnSale(a plan.ActionType, value string) plan.Operation {
	return plan.Operation{OperationID: "sale", Action: plan.Action{Type: a, Value: plan.MustDecimal(value)}, Options: plan.Options{AsSale: true}}
}

func changePrice(a plan.ActionType, value string) plan.Operation {
	return but(putOnSale(a, value), func(op *plan.Operation) { op.OperationID, op.Options = "change", plan.Options{} })
}

func offForSale() plan.Operation { return putOnSale(plan.PercentDecrease, "20") }

func endSale() plan.Operation {
	return plan.Operation{OperationID: "end", Action: plan.Action{Type: plan.EndSale}}
}

func compileSales(t *testing.T, s table.Settings, ops ...plan.Operation) *pricing.Engine {
	t.Helper()
	e, err := pricing.Compile(&plan.Plan{Operations: ops}, s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func but(op plan.Operation, change func(*plan.Operation)) plan.Operation {
	change(&op)
	return op
}

// TestSales: what a sale, and its end, makes of rows in each form that platforms have.
func TestSales(t *testing.T) {
	for _, test := range []struct {
		name, header, rows string
		op                 plan.Operation
		want               string
		warnings           []string
	}{
		{"where the price before is kept", shopifySales, "a,Size,A,100.00,,\n", offForSale(), "a,Size,A,80.00,100.00,\n", nil},
		{"a row that is on sale", shopifySales, "a,Size,A,90.00,100.00,\n", offForSale(), "a,Size,A,80.00,100.00,\n", nil},
		{"a price before that is none", shopifySales, "a,Size,A,100.00,100.00,\nb,Size,B,100,0.00,\n", offForSale(), "a,Size,A,80.00,100.00,\nb,Size,B,80.00,100,\n", nil},
		{"the end of it", shopifySales, "a,Size,A,80.00,100.00,\nb,Size,B,80.00,,\nc,Size,C,80.00,80.00,\n", endSale(), "a,Size,A,100.00,,\nb,Size,B,80.00,,\nc,Size,C,80.00,80.00,\n", nil},
		{"marks of thousands, put into quotes", shopifySales, "a,Size,A,\"1,299.00\",,\n", offForSale(), "a,Size,A,\"1,039.20\",\"1,299.00\",\n", nil},
		{"and out of them", shopifySales, "a,Size,A,\"1,039.20\",\"1,299.00\",\n", endSale(), "a,Size,A,\"1,299.00\",,\n", nil},
		{"all in quotes", shopifySales, "\"a\",\"Size\",\"A\",\"1,039.20\",\"1,299.00\",\"\"\n", endSale(), "\"a\",\"Size\",\"A\",\"1,299.00\",\"\",\"\"\n", nil},
		{"prices elsewhere", shopifySales, "a,Size,A,100.00,,90.00\nb,Size,B,100.00,,\n", offForSale(), "a,Size,A,80.00,100.00,90.00\nb,Size,B,80.00,100.00,\n",
			[]string{"1 row has prices in other columns too, which stay as they are (Price / International): row 2."}},
		{"what variants cost more, which is not in the price", "handleId,fieldType,collection,sku,price,surcharge,inventory\n", "a,Product,x,A,10.0,,1\na,Variant,,B,,2.5,1\na,Variant,,C,,0.0,1\n", changePrice(plan.PercentIncrease, "10"), "a,Product,x,A,11.00,,1\na,Variant,,B,,2.5,1\na,Variant,,C,,0.0,1\n",
			[]string{"1 row has prices in other columns too, which stay as they are (surcharge): row 3."}},
		{"beside the price", wooSales, "1,simple,A,0,,100,,\n2,simple,B,0,90,100,,\n3,simple,C,0,,,,\n", offForSale(), "1,simple,A,0,80.00,100,,\n2,simple,B,0,80.00,100,,\n3,simple,C,0,,,,\n", nil},
		{"its end", wooSales, "1,simple,A,0,80.00,100,,\n2,simple,B,0,100,100,,\n3,simple,C,0,0,100,,\n", endSale(), "1,simple,A,0,,100,,\n2,simple,B,0,100,100,,\n3,simple,C,0,0,100,,\n", nil},
		{"a switch", squareSales, "1,1,A,100.00,0.00,No\n2,2,B,100.00,80.00,No\n3,3,C,100.00,80.00,YES\n", offForSale(), "1,1,A,100.00,80.00,Yes\n2,2,B,100.00,80.00,Yes\n3,3,C,100.00,80.00,YES\n", nil},
		{"switched off", squareSales, "1,1,A,100.00,80.00,Yes\n2,2,B,100.00,80.00,No\n3,3,C,50.00,0.00,No\n", endSale(), "1,1,A,100.00,0.00,No\n2,2,B,100.00,80.00,No\n3,3,C,50.00,0.00,No\n", nil},
		{"none that needs its quotes", "ordernumber,mainnumber,price_EK,pseudoprice_EK,instock\n", "A,A,\"50,00\",\"0,00\",1\nB,B,\"80,00\",\"100,00\",1\n", endSale(), "A,A,\"50,00\",\"0,00\",1\nB,B,\"100,00\",\"0,00\",1\n", nil},
		{"none as the table writes it", squareSales, "1,1,A,50.00,0,no\n2,2,B,100.00,80.00,yes\n", endSale(), "1,1,A,50.00,0,no\n2,2,B,100.00,0,no\n", nil},
		{"a currency", googleSales, "A\tx\tin stock\t352.00 AED\t\t\nB\tx\tin stock\t95.00 AED\t90.00 AED\t\n", offForSale(), "A\tx\tin stock\t352.00 AED\t281.60 AED\t\nB\tx\tin stock\t95.00 AED\t76.00 AED\t\n", nil},
		{"a sale price that is set, or no lower", wooSales, "1,simple,A,0,,100,,\n2,simple,B,0,,19.99,,\n3,simple,C,0,,5,,\n", putOnSale(plan.SetPrice, "19.99"), "1,simple,A,0,19.99,100,,\n2,simple,B,0,,19.99,,\n3,simple,C,0,,5,,\n",
			[]string{"2 rows would not be on sale for less than their regular price, or for nothing, and are left alone by sale; the first are rows 3, 4."}},
		{"for nothing", wooSales, "1,simple,A,0,,100,,\n", putOnSale(plan.PercentDecrease, "100"), "1,simple,A,0,,100,,\n",
			[]string{"1 row would not be on sale for less than its regular price, or for nothing, and is left alone by sale: row 2."}},
		{"of what is not on sale", wooSales, "1,simple,A,0,80,100,,\n2,simple,B,0,,100,,\n", but(offForSale(), func(op *plan.Operation) { op.Filter.OnSale = ptr(false) }), "1,simple,A,0,80,100,,\n2,simple,B,0,80.00,100,,\n", nil},
		{"of what is", shopifySales, "a,Size,A,90.00,100.00,\nb,Size,B,100.00,,\n", plan.Operation{OperationID: "up", Filter: plan.Filter{OnSale: ptr(true)}, Action: plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("5")}}, "a,Size,A,95.00,100.00,\nb,Size,B,100.00,,\n", nil},
		{"conditions look at the price's column", shopifySales, "a,Size,A,90.00,100.00,\nb,Size,B,100.00,,\n", but(offForSale(), func(op *plan.Operation) { op.Filter.PriceGTE = ptr(plan.MustDecimal("95")) }), "a,Size,A,90.00,100.00,\nb,Size,B,80.00,100.00,\n", nil},
		{"a compare-at price that a new price falls below", shopifySales, "a,Size,A,40.00,40.00,\nb,Size,B,40.00,36.00,\n", changePrice(plan.PercentDecrease, "10"), "a,Size,A,36.00,40.00,\nb,Size,B,36.00,36.00,\n",
			[]string{"1 row was not on sale, and its new price is below its compare-at price: it is now shown as reduced, though the plan asks for no sale: row 2."}},
		{"sale prices that new prices pass", wooSales, "1,simple,A,0,6.00,6.00,,\n2,simple,B,0,6.50,6.00,,\n3,simple,C,0,6.60,6.00,,\n4,simple,D,0,0,6.00,,\n", changePrice(plan.PercentIncrease, "10"), "1,simple,A,0,6.00,6.60,,\n2,simple,B,0,6.50,6.60,,\n3,simple,C,0,6.60,6.60,,\n4,simple,D,0,0,6.60,,\n",
			[]string{"2 rows were not on sale, and their new price is above the sale price beside it: a sale begins that the plan does not ask for, and customers pay the sale price; the first are rows 2, 3."}},
		{"a sale price that is passed, and switched off", squareSales, "1,1,A,80.00,80.00,No\n", changePrice(plan.PercentIncrease, "10"), "1,1,A,88.00,80.00,No\n", nil},
		{"a sale price that is passed, and has dates", wooSales, "1,simple,A,0,6.00,6.00,,2026-01-01\n", changePrice(plan.PercentIncrease, "10"), "1,simple,A,0,6.00,6.60,,2026-01-01\n",
			[]string{"1 row may be on sale: the dates of its sale are not looked at, or the sale's price cannot be read, so what customers pay is not known, and the effect tells of its price alone: row 2."}},
		{"a bad sale price of no concern", wooSales, "1,simple,A,0,none,100,,\n2,simple,B,0,,200,,\n", but(offForSale(), func(op *plan.Operation) { op.Filter.PriceGTE = ptr(plan.MustDecimal("150")) }), "1,simple,A,0,none,100,,\n2,simple,B,0,160.00,200,,\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			summary, out := onSale(t, table.Settings{}, test.header+test.rows, test.op)
			if diff := cmp.Diff(test.header+test.want, out); diff != "" {
				t.Error(diff)
			}
			var warnings []string
			for _, w := range summary.AllWarnings() {
				warnings = append(warnings, w.Message)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Error(diff)
			}
			compare(t, &plan.Plan{Operations: []plan.Operation{test.op}}, table.Settings{}, []byte(test.header+test.rows), 7, 1<<16)
			givesBack(t, &plan.Plan{Operations: []plan.Operation{test.op}}, table.Settings{}, test.header+test.rows, 1<<16)
		})
	}
}

func onSale(t *testing.T, s table.Settings, text string, ops ...plan.Operation) (pricing.Summary, string) {
	t.Helper()
	var out bytes.Buffer
	summary, err := compileSales(t, s, ops...).Run(t.Context(), strings.NewReader(text), &out)
	if err != nil {
		t.Fatal(err)
	}
	return summary, out.String()
}

// TestSalesAreTakenBack: where nothing was on sale, the end of a sale gives the table
// back that there was before it.
func TestSalesAreTakenBack(t *testing.T) {
	for name, text := range map[string]string{
		"shopify":     shopifySales + "a,Size,A,\"1,299.00\",,\nb,Size,B,19.9,,\nc,Size,C,,,\n",
		"woocommerce": wooSales + "1,simple,A,0,,100,,\n2,variable,B,0,,,,\n3,variation,C,0,,7.5,,\n",
		"squarespace": squareSales + "1,1,A,100.00,0.00,No\n,2,B,5,0.00,No\n",
		"google":      googleSales + "A\tx\tin stock\t1,352.00 AED\t\t\n",
		"plain":       "sku;Preis;Streichpreis\nA;1.299,90 €;\nB;5 €;\n",
	} {
		_, sold := onSale(t, table.Settings{}, text, offForSale())
		if _, back := onSale(t, table.Settings{}, sold, endSale()); sold == text || back != text {
			t.Errorf("%s: put on sale\n%s\nand given back\n%s", name, sold, back)
		}
	}
}

// TestSalesOfExportsAreTakenBack: in each of testdata/exports whose platform has sales,
// the end of a sale leaves what the end of what was on sale before would have left, byte
// for byte: where nothing was, the table that there was.
func TestSalesOfExportsAreTakenBack(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/exports/*")
	if err != nil {
		t.Fatal(err)
	}
	sold, given := 0, 0
	for _, folder := range folders {
		text, err := os.ReadFile(exportIn(t, folder))
		if err != nil {
			t.Fatal(err)
		}
		ended := func(text string) string {
			_, out := onSale(t, table.Settings{}, text, endSale())
			return out
		}
		var out bytes.Buffer
		if _, err := compileSales(t, table.Settings{}, offForSale()).Run(t.Context(), bytes.NewReader(text), &out); err != nil {
			continue // it has no sales
		}
		sold++
		before, back := ended(string(text)), ended(out.String())
		before, back = strings.ReplaceAll(before, "__EMPTY__VALUE__", ""), strings.ReplaceAll(back, "__EMPTY__VALUE__", "") // which Magento takes for none, too
		if back != before {
			t.Errorf("%s: the end of what was on sale before leaves\n%s\nand after another sale\n%s", folder, before, back)
		}
		if back == string(text) {
			given++
		}
	}
	if sold < 15 || given < 5 {
		t.Errorf("only %d exports had a sale, and %d were given back", sold, given)
	}
}

// TestSaleLines: a change line tells all that was written, and the effect what
// customers pay, with the regular price beside it.
func TestSaleLines(t *testing.T) {
	const text = squareSales + "1,1,A,100.00,0.00,No\n2,2,B,100.00,90.00,Yes\n"
	var out, changes bytes.Buffer
	summary, err := compileSales(t, table.Settings{}, offForSale()).Run(t.Context(), strings.NewReader(text), &out, &changes)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"row":2,"sku":"A","operation_ids":["sale"],"before":{"price":"100.00","in_stock":null,"sale_price":"0.00","on_sale":"No"},"after":{"price":"100.00","in_stock":null,"sale_price":"80.00","on_sale":"Yes"}}` + "\n" +
		`{"row":3,"sku":"B","operation_ids":["sale"],"before":{"price":"100.00","in_stock":null,"sale_price":"90.00"},"after":{"price":"100.00","in_stock":null,"sale_price":"80.00"}}` + "\n"
	if diff := cmp.Diff(want, changes.String()); diff != "" {
		t.Error(diff)
	}
	regular := ptr("100.00")
	falls := []pricing.Move{
		{Row: 2, SKU: "A", Before: "100.00", After: "80.00", Percent: ptr("20"), RegularAfter: regular},
		{Row: 3, SKU: "B", Before: "90.00", After: "80.00", Percent: ptr("11.1111"), RegularBefore: regular, RegularAfter: regular},
	}
	if diff := cmp.Diff(falls, summary.Effect.LargestFalls); diff != "" || *summary.Effect.Lowered != "30" {
		t.Errorf("lowered by %s: %s", *summary.Effect.Lowered, diff)
	}
	up := plan.Operation{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("400")}}
	summary, _ = onSale(t, table.Settings{}, text, up)
	moves := []pricing.Move{{Row: 3, SKU: "B", Before: "100.00", After: "500.00", Percent: ptr("400")}}
	if diff := cmp.Diff(moves, summary.Effect.LargestRegular); diff != "" || summary.Effect.RowsRegular != 1 || summary.Effect.RowsRaised != 1 {
		t.Errorf("%d regular prices moved, %d rows cost more: %s", summary.Effect.RowsRegular, summary.Effect.RowsRaised, diff)
	}
	summary, _ = onSale(t, table.Settings{}, squareSales+"2,2,B,100.00,90.00,Yes\n", up)
	if over := summary.Effect.Exceeding(plan.MustDecimal("50")); over == nil || over.Row != 2 {
		t.Errorf("a regular price that nobody pays may move by any share: %v", over)
	}
}

// TestDatedSales: the dates of a sale refuse the table, are blanked, or are left.
func TestDatedSales(t *testing.T) {
	const text = wooSales + "1,simple,A,0,80,100,2026-01-01,2026-02-01\n2,simple,B,0,,100,,2026-02-01\n3,simple,C,0,,100,,\n"
	wanted := map[string]string{}
	for _, test := range []struct {
		dates setting.SaleDates
		op    plan.Operation
		want  string
	}{
		{setting.SaleDatesClear, offForSale(), "1,simple,A,0,80,100,,\n2,simple,B,0,80.00,100,,\n3,simple,C,0,80.00,100,,\n"},
		{table.SaleDatesIgnore, offForSale(), "1,simple,A,0,80,100,2026-01-01,2026-02-01\n2,simple,B,0,80.00,100,,2026-02-01\n3,simple,C,0,80.00,100,,\n"},
		{setting.SaleDatesClear, endSale(), "1,simple,A,0,,100,,\n2,simple,B,0,,100,,2026-02-01\n3,simple,C,0,,100,,\n"},
		{table.SaleDatesIgnore, endSale(), "1,simple,A,0,,100,2026-01-01,2026-02-01\n2,simple,B,0,,100,,2026-02-01\n3,simple,C,0,,100,,\n"},
	} {
		s := table.Settings{SaleDates: test.dates}
		if _, out := onSale(t, s, text, test.op); out != wooSales+test.want {
			t.Errorf("%s, %s:\n%s", test.dates, test.op.Action.Type, out)
		}
		compare(t, &plan.Plan{Operations: []plan.Operation{test.op}}, s, []byte(text), 7, 1<<16)
		givesBack(t, &plan.Plan{Operations: []plan.Operation{test.op}}, s, text, 1<<16)
	}
	sold := plan.Operation{OperationID: "up", Filter: plan.Filter{OnSale: ptr(false)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")}}
	for _, op := range []plan.Operation{offForSale(), endSale(), sold} {
		_, err := compileSales(t, table.Settings{}, op).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{})
		var dated *table.InputError
		if !errors.As(err, &dated) || dated.Code() != row.CodeDatedSales || errs.KindOf(err) != errs.Invalid {
			t.Fatalf("%s: %v", op.OperationID, err)
		}
		wanted[op.OperationID] = table.On(err, setting.Flags).Error()
		compare(t, &plan.Plan{Operations: []plan.Operation{op}}, table.Settings{}, []byte(text), 7, 1<<16)
	}
	const advice = " is for the row. A date that is past hides a sale, and one to come ends it: to blank the dates, which an undo gives back, say --sale-dates clear; to leave them as they are and not look at them, --sale-dates ignore"
	const dates = "as dates between which a sale price is in force (Date sale price starts, Date sale price ends), and "
	if diff := cmp.Diff(map[string]string{
		"sale": "The table was refused and nothing was changed. It has 2 faults.\nH" + dates + "sale" + advice + ":\n  row 2\n  row 3",
		"end":  "The table was refused and nothing was changed: row 2: h" + dates + "end" + advice + ".",
		"up":   "The table was refused and nothing was changed: row 2: h" + dates + "up" + advice + ".",
	}, wanted); diff != "" {
		t.Error(diff)
	}
}

// TestNoSales: a table in which no column of sale prices is known is refused.
func TestNoSales(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"etsy", "TITLE,PRICE,CURRENCY_CODE,QUANTITY,IMAGE1\nA,5.00,EUR,1,x\n", "make the sale there, or lower the price itself"},
		{"wix", "handleId,fieldType,name,collection,sku,price,surcharge,inventory,discountMode,discountValue\na,Product,A,x,A,5.00,,1,PERCENT,0\n", "make the sale there, or lower the price itself"},
		{"square", "Token,Item Name,Variation Name,SKU,Price,Online Sale Price\n1,A,B,A,5.00,\n", "--columns sale_price=TITLE"},
		{"two forms", "sku,price,sale_price,compare_at_price\nA,5,,\n", "say which alone, with"},
		{"neither", "sku,price\nA,5\n", "the header has no title that is known for the prices of sales, nor for those from before"},
		{"shopify without its column", "Handle,Option1 Name,Variant SKU,Variant Price\na,Size,A,5\n", "compare_at=TITLE"},
		{"dates in a language that is not known", "SKU,Prezzo di listino,In primo piano?,Prezzo in offerta\nA,5,0,\n", "say --sale-dates ignore"},
	} {
		_, err := compileSales(t, table.Settings{}, offForSale()).Run(t.Context(), strings.NewReader(test.text), &bytes.Buffer{})
		if message := fmt.Sprint(table.On(err, setting.Flags)); errs.KindOf(err) != errs.Invalid || !strings.Contains(message, strings.ReplaceAll(test.want, "'", "\"")) && !strings.Contains(message, test.want) {
			t.Errorf("%s: %v", test.name, message)
		}
	}
	for _, text := range []string{"sku,price,sale_price,compare_at_price\nA,5,,\n", "sku,price,reduced\nA,5,\n"} {
		s := table.Settings{Columns: setting.Columns{SalePrice: strings.Split(strings.SplitN(text, "\n", 2)[0], ",")[2]}}
		if _, out := onSale(t, s, text, offForSale()); !strings.Contains(out, "A,5,4.00") {
			t.Errorf("a column that is said: %s", out)
		}
	}
}

// TestUndoOfASale: what customers pay again goes by the price, the sale's and the switch
// beside it; and a table that has lost the sale's column is refused.
func TestUndoOfASale(t *testing.T) {
	forth, err := runEngine(t, compileSales(t, table.Settings{}, offForSale()), squareSales+"1,1,A,100.00,0.00,No\n2,2,B,100.00,90.00,Yes\n")
	if err != nil {
		t.Fatal(err)
	}
	effect := undone(t, forth.changes, table.Settings{}, forth.out).Effect
	regular := ptr("100.00")
	rises := []pricing.Move{
		{Row: 2, SKU: "A", Before: "80.00", After: "100.00", Percent: ptr("25"), RegularBefore: regular},
		{Row: 3, SKU: "B", Before: "80.00", After: "90.00", Percent: ptr("12.5"), RegularBefore: regular, RegularAfter: regular},
	}
	if diff := cmp.Diff(rises, effect.LargestRises); diff != "" || *effect.Raised != "30" {
		t.Errorf("raised by %s: %s", *effect.Raised, diff)
	}
	ended, err := runEngine(t, compileSales(t, table.Settings{}, endSale()), squareSales+"2,2,B,100.00,90.00,Yes\n")
	if err != nil {
		t.Fatal(err)
	}
	falls := []pricing.Move{{Row: 2, SKU: "B", Before: "100.00", After: "90.00", Percent: ptr("10"), RegularAfter: regular}}
	if diff := cmp.Diff(falls, undone(t, ended.changes, table.Settings{}, ended.out).Effect.LargestFalls); diff != "" {
		t.Errorf("on sale again: %s", diff)
	}
	e, err := pricing.CompileUndo(undoOf(forth.changes, ""), table.Settings{}, strings.NewReader(forth.changes))
	if err != nil {
		t.Fatal(err)
	}
	_, err = runEngine(t, e, strings.ReplaceAll(forth.out, ",Sale Price,", ",Other,"))
	var refused *table.InputError
	if !errors.As(err, &refused) || refused.Faults[0].Column != "sale_price" {
		t.Errorf("without its column: %v", err)
	}
}
