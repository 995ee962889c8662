package pricing

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestCosts: prices are made of the cost, or are not below it, in the columns of
// platforms and of plain tables, each in its own form.
func TestCosts(t *testing.T) {
	plus := func(percent string, o plan.Options) plan.Operation {
		return plan.Operation{OperationID: "op", Action: plan.Action{Type: plan.CostPlusPercent, Value: plan.MustDecimal(percent)}, Options: o}
	}
	off := func(percent string, o plan.Options) plan.Operation {
		o.NotBelowCost = true
		return plan.Operation{OperationID: "op", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal(percent)}, Options: o}
	}
	decimal := func(text string) *plan.Decimal { return new(plan.MustDecimal(text)) }
	against := func(row string) []string {
		return []string{"1 row has what customers pay moved the other way than op is to move it, by a limit, rounding, an ending, its cost or its sale: row " + row + "."}
	}
	for _, test := range []struct {
		name, text string
		settings   table.Settings
		op         plan.Operation
		want       string // prices, row by row
		warnings   []string
	}{
		{"Shopify", "Handle,Option1 Name,Variant Price,Cost per item\na,Size,10.00,4.00\nb,Size,20.00,\nc,Size,30.00,0\nd,Size,,9.00\n",
			table.Settings{}, plus("40", plan.Options{}), "5.60 20.00 30.00 ", []string{"2 rows have no cost, or one of 0, and are left alone by op; the first are rows 3, 4."}},
		{"WooCommerce", "ID,Type,SKU,Regular price,In stock?,Cost of goods\n1,simple,A,10,1,8\n", table.Settings{}, off("30", plan.Options{}), "8.00", nil},
		{"a German shop's", "Artikelnummer;Preis;Einkaufspreis\nA;100.00;12,345\nB;9.00;11,50\n", table.Settings{}, off("30", plan.Options{}), "70.00 11.50", against("3")},
		{"the form of prices says nothing of the cost's", "sku,price,cost\nA,\"1.234,50\",800.25\n", table.Settings{PriceForm: "1.234,56"}, plus("0", plan.Options{}), "800,25", nil},
		{"unless it has two readings", "sku,price,cost\nA,\"1.234,50\",1.299\n", table.Settings{PriceForm: "1.234,56"}, plus("0", plan.Options{}), "1.299,00", nil},
		{"a column that is said", "sku,price,Landed\nA,10.00,5\n", table.Settings{Columns: setting.Columns{Cost: "Landed"}}, plus("10", plan.Options{}), "5.50", nil},
		{"rounded up to the digits", "sku,price,cost\nA,10.00,7.341\nB,1.00,2.1\n", table.Settings{}, off("50", plan.Options{RoundTo: new(1)}), "7.4 2.1", against("3")},
		{"rounded up to the ending", "sku,price,cost\nA,10.00,7.05\nB,10.00,7.99\nC,10.00,8.00\n", table.Settings{}, off("50", plan.Options{PriceEnding: decimal("0.99")}), "7.99 7.99 8.99", nil},
		{"not over the most", "sku,price,cost\nA,10.00,7.05\nB,10.00,7.50\nC,10.00,7.51\n", table.Settings{}, off("50", plan.Options{PriceEnding: decimal("0.99"), MaxPrice: decimal("7.5")}), "7.50 7.50 10.00",
			[]string{"1 row has no new price within the limits of op, and is left alone: row 4."}},
		{"a price below the cost is raised", "sku,price,cost\nA,5.00,7\n", table.Settings{}, off("10", plan.Options{}), "7.00", against("2")},
		{"below zero is below the cost", "sku,price,cost\nA,5.00,7\n", table.Settings{}, plan.Operation{OperationID: "op", Action: plan.Action{Type: plan.FixedDecrease, Value: plan.MustDecimal("20")}, Options: plan.Options{NotBelowCost: true}}, "7.00", against("2")},
		{"more digits than fit in a word", "sku,price,cost\nA,5.00,123456789012345678.9\n", table.Settings{}, off("10", plan.Options{PriceEnding: decimal("0.95")}), "123456789012345678.95", against("2")},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			summary, err := compile(t, test.settings, test.op).Run(t.Context(), strings.NewReader(test.text), &out)
			if err != nil {
				t.Fatal(err)
			}
			var warnings []string
			for _, w := range summary.AllWarnings() {
				warnings = append(warnings, w.Message)
			}
			if got := pricesIn(t, out.String(), summary.Table); got != test.want {
				t.Errorf("prices %q, want %q", got, test.want)
			}
			if diff := cmp.Diff(test.warnings, warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// pricesIn are the prices of a table.
func pricesIn(t *testing.T, text string, found table.Recognized) string {
	t.Helper()
	column := -1
	for _, c := range found.Columns {
		if c.Role == table.RolePrice {
			column = c.Index
		}
	}
	var prices []string
	rows := csv.NewReader(strings.NewReader(text))
	rows.Comma = rune(found.Dialect.Delimiter.Byte())
	all, err := rows.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all[1:] {
		prices = append(prices, r[column])
	}
	return strings.Join(prices, " ")
}

// TestCostsThatCannotBeCompared: what is no cost, or in another currency, is refused.
func TestCostsThatCannotBeCompared(t *testing.T) {
	op := plan.Operation{OperationID: "op", Filter: plan.Filter{SKUs: []string{"A"}}, Action: plan.Action{Type: plan.CostPlusPercent, Value: plan.MustDecimal("10")}}
	for text, want := range map[string]string{
		"sku,price\nA,10.00\n":                                                   "row 1, column cost: the header has no title that is known for it",
		"sku,price,cost\nA,10.00,n/a\n":                                          "row 2, column cost, value n/a: not a price",
		"sku,price,cost\nA,10.00,-2\n":                                           "row 2, column cost, value -2: not a price, for it is below 0",
		"sku,price,cost\nA,$10.00,€8.00\n":                                       "is in €, and the prices are in $",
		"sku,price,cost\nA,10.00,8.00 USD\nB,10.00,8.00\nA,10.00,9.00 EUR\n":     "row 4, column cost, value 9.00 EUR: in another currency",
		"sku,price,cost\nA,10.00,1.299\n":                                        "could be 1299 or 1.299",
		"Handle,Option1 Name,Variant SKU,Variant Price\na,Size,A,10.00\n":        "cost",
		"id,type,sku,price,cost,purchase price\n1,x,A,\"1,5\",\"1,299\",\"1\"\n": "could be 1299 or 1.299",
	} {
		_, err := compile(t, table.Settings{}, op).Run(t.Context(), strings.NewReader(text), &bytes.Buffer{})
		if errs.KindOf(err) != errs.Invalid || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
