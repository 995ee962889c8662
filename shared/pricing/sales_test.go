package pricing

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestRowsOnSale: what customers pay is said where a plan's new prices are not
// it, with the rows.
func TestRowsOnSale(t *testing.T) {
	up := plan.Operation{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	down := plan.Operation{OperationID: "down", Filter: plan.Filter{PriceGTE: ptr(plan.MustDecimal("1"))}, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("50")}}
	const shopify = "Handle,Option1 Name,Variant SKU,Variant Price,Variant Compare At Price\n" +
		"a,Size,A,95.00,100.00\nb,Size,B,90.00,100.00\nc,Size,C,100.00,100.00\nd,Size,D,100.00,\ne,Size,E,1.00,0.00\nf,Size,F,1.00,none\n"
	const woo = "ID,Type,SKU,Is featured?,Sale price,Regular price\n1,simple,A,0,80,100\n2,simple,B,0,40,100\n3,simple,C,0,,100\n4,simple,D,0,0,100\n5,simple,E,0,100,100\n6,simple,F,0,\"80,00\",100.00\n"
	squarespace := "Product ID [Non Editable],Variant ID [Non Editable],SKU,Price,Sale Price,On Sale\n1,1,A,100.00,80.00,Yes\n2,2,B,100.00,80.00,No\n3,3,C,100.00,0.00,Yes\n"
	const dated = "ID,Type,SKU,Is featured?,Sale price,Regular price,Date sale price starts,Date sale price ends\n1,simple,A,0,80,100,,2026-01-01\n2,simple,B,0,ask,100,,\n3,simple,C,0,,100,,2026-01-01\n4,simple,D,0,120,100,2026-01-01,\n"
	for _, test := range []struct {
		name, text string
		settings   table.Settings
		op         plan.Operation
		want       []string
	}{
		{"a compare-at price that is reached", shopify, table.Settings{}, up, []string{"moves_past_sale no more reduced [up] 1 [2] 1 row is on sale, and its new price is not below its compare-at price: it is no more shown as reduced: row 2."}},
		{"a compare-at price, and less", shopify, table.Settings{}, down, []string{"moves_past_sale reduced [down] 1 [4] 1 row was not on sale, and its new price is below its compare-at price: it is now shown as reduced, though the plan asks for no sale: row 4."}},
		{"a sale price", woo, table.Settings{}, up, []string{"moves_past_sale sale stays [up] 3 [2 3 7] 3 rows are on sale: their price changes, and their sale price, which customers pay, stays as it is; the first are rows 2, 3, 7.",
			"moves_past_sale sale begins [up] 1 [6] 1 row was not on sale, and its new price is above the sale price beside it: a sale begins that the plan does not ask for, and customers pay the sale price: row 6."}},
		{"a sale price, and less", woo, table.Settings{}, down, []string{"moves_past_sale sale stays [down] 1 [3] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 3.",
			"moves_past_sale sale ends [down] 2 [2 7] 2 rows are on sale, and their new price is not above their sale price: the sale ends; the first are rows 2, 7."}},
		{"a sale price that is switched on", squarespace, table.Settings{}, up, []string{"moves_past_sale sale stays [up] 1 [2] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2."}},
		{"another column's price", squarespace, table.Settings{Columns: setting.Columns{Price: "Sale Price"}}, up, nil},
		{"a sale with dates", dated, table.Settings{}, up, []string{"sale_unreadable [up] 2 [2 3] 2 rows may be on sale: the dates of their sales are not looked at, or the sales' prices cannot be read, so what customers pay is not known, and the effect tells of their price alone; the first are rows 2, 3."}},
		{"its dates, which do not matter", dated, table.Settings{SaleDates: table.SaleDatesIgnore}, up, []string{"sale_unreadable [up] 1 [3] 1 row may be on sale: the dates of its sale are not looked at, or the sale's price cannot be read, so what customers pay is not known, and the effect tells of its price alone: row 3.",
			"moves_past_sale sale stays [up] 1 [2] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2."}},
		{"columns of dates that are not known", "ID,Tipo,COD,In primo piano?,Prezzo di listino,Prezzo in offerta\n1,simple,A,0,100.00,80.00\n", table.Settings{}, up, []string{"sale_unreadable [up] 1 [2] 1 row may be on sale: the dates of its sale are not looked at, or the sale's price cannot be read, so what customers pay is not known, and the effect tells of its price alone: row 2."}},
		{"a price for an offer, which no profile knows", "sku,price,Promo price\nA,10.00,8.00\nB,10.00,\nC,10.00,0.00\n", table.Settings{}, up, []string{"other_prices_stay [up] 1 [2] 1 row has prices in other columns too, which stay as they are (Promo price): row 2."}},
		{"and in a platform's table", "Handle,Option1 Name,Variant SKU,Variant Price,Aktionspreis\na,Size,A,10.00,8.00\n", table.Settings{}, up, []string{"other_prices_stay [up] 1 [2] 1 row has prices in other columns too, which stay as they are (Aktionspreis): row 2."}},
		{"several of a title", "sku,price,sale_price,sale_price\nA,10.00,5.00,\n", table.Settings{}, up, []string{"moves_past_sale sale stays [up] 1 [2] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2."}},
		{"a regular price, as it is said", "sku,price,Regular price,Sale price\nA,5.00,10.00,5.00\n", table.Settings{Columns: setting.Columns{Price: "Regular price"}}, up, []string{"moves_past_sale sale stays [up] 1 [2] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2.",
			"other_prices_stay [up] 1 [2] 1 row has prices in other columns too, which stay as they are (price): row 2."}},
		{"a sale's price in one word", "sku,price,saleprice\nA,10.00,5.00\n", table.Settings{}, up, []string{"moves_past_sale sale stays [up] 1 [2] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2."}},
		{"plain columns", "sku,price,Sale price\nA,10.00,5.00\n", table.Settings{}, up, []string{"moves_past_sale sale stays [up] 1 [2] 1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2."}},
	} {
		t.Run(test.name, func(t *testing.T) {
			summary, err := compile(t, test.settings, test.op).Run(t.Context(), strings.NewReader(test.text), &bytes.Buffer{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range summary.AllWarnings() {
				if w.Code == WarnPastSale {
					w.Code += " " + w.Arguments[0]
				}
				got = append(got, fmt.Sprint(w.Code, " ", w.OperationIDs, " ", w.Rows, " ", w.FirstRows, " ", w.Message))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestASaleThatIsThereAlready: an operation that makes the same sale price as the one before
// changes nothing, nor how the price is written.
func TestASaleThatIsThereAlready(t *testing.T) {
	sale := func(id string, digits int) plan.Operation {
		return plan.Operation{OperationID: id, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("20")}, Options: plan.Options{RoundTo: &digits, AsSale: true}}
	}
	var out bytes.Buffer
	if _, err := compile(t, table.Settings{}, sale("first", 2), sale("again", 4)).Run(t.Context(), strings.NewReader("sku,price,sale_price\nA,8.00,\n"), &out); err != nil {
		t.Fatal(err)
	}
	if want := "sku,price,sale_price\nA,8.00,6.40\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
