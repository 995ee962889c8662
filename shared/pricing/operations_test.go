package pricing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

func set(id, price string, f plan.Filter, digits int) plan.Operation {
	return plan.Operation{OperationID: id, Filter: f, Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal(price)}, Options: plan.Options{RoundTo: &digits}}
}

func stock(id string, in bool, f plan.Filter) plan.Operation {
	return plan.Operation{OperationID: id, Filter: f, Action: plan.Action{Type: plan.SetStock, Stock: in}}
}

// TestOperations shows what operations see, count and write.
func TestOperations(t *testing.T) {
	const input = header + "A,fitness,30,true\nB,yoga,40.0,False\n"
	change := func(row int, sku, ids, before, after string) string {
		return fmt.Sprintf(`{"row":%d,"sku":"%s","operation_ids":[%s],"before":{%s},"after":{%s}}`+"\n", row, sku, ids, before, after)
	}
	for _, test := range []struct {
		name       string
		operations []plan.Operation
		want       result
	}{
		{"a price that is the same number keeps its bytes",
			[]plan.Operation{set("s", "40", plan.Filter{}, 2)},
			result{header + "A,fitness,40.00,true\nB,yoga,40.0,False\n",
				change(2, "A", `"s"`, `"price":"30","in_stock":null`, `"price":"40.00","in_stock":null`),
				Summary{Counts: Counts{RowsTotal: 2, RowsChanged: 1, Operations: []OperationCount{{"s", 2, 1}}}}}},
		{"each operation sees what the one before left",
			[]plan.Operation{
				set("s", "50", plan.Filter{PriceGTE: decimal("40")}, 0),
				set("t", "60", plan.Filter{PriceGTE: decimal("50"), PriceLTE: decimal("50")}, 1),
				stock("u", true, plan.Filter{PriceLTE: decimal("60"), PriceGTE: decimal("60")}),
				set("v", "1", plan.Filter{InStock: ptr(false)}, 0),
			},
			result{header + "A,fitness,30,true\nB,yoga,60.0,True\n",
				change(3, "B", `"s","t","u"`, `"price":"40.0","in_stock":false,"stock":"False"`, `"price":"60.0","in_stock":true,"stock":"True"`),
				Summary{Counts: Counts{RowsTotal: 2, RowsChanged: 1, Operations: []OperationCount{{"s", 1, 1}, {"t", 1, 1}, {"u", 1, 1}, {"v", 0, 0}}}}}},
		{"a row put back as it was is unchanged",
			[]plan.Operation{set("s", "50", plan.Filter{}, 2), set("t", "30.00", plan.Filter{SKUs: []string{"A"}}, 2), set("u", "40", plan.Filter{SKUs: []string{"B"}}, 2)},
			result{input, "", Summary{Counts: Counts{RowsTotal: 2, RowsChanged: 0, Operations: []OperationCount{{"s", 2, 2}, {"t", 1, 1}, {"u", 1, 1}}}}}},
		{"an ending that turns a rise around",
			[]plan.Operation{{OperationID: "s", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("1.5")}, Options: plan.Options{PriceEnding: decimal("0.99")}}},
			result{header + "A,fitness,29.99,true\nB,yoga,40.99,False\n",
				change(2, "A", `"s"`, `"price":"30","in_stock":null`, `"price":"29.99","in_stock":null`) + change(3, "B", `"s"`, `"price":"40.0","in_stock":null`, `"price":"40.99","in_stock":null`),
				Summary{Counts: Counts{RowsTotal: 2, RowsChanged: 2, Operations: []OperationCount{{"s", 2, 2}}}}}},
		{"stock alone",
			[]plan.Operation{stock("s", true, plan.Filter{})},
			result{header + "A,fitness,30,true\nB,yoga,40.0,True\n",
				change(3, "B", `"s"`, `"price":null,"in_stock":false,"stock":"False"`, `"price":null,"in_stock":true,"stock":"True"`),
				Summary{Counts: Counts{RowsTotal: 2, RowsChanged: 1, Operations: []OperationCount{{"s", 2, 1}}}}}},
		{"conditions are ANDed, and exclusions win",
			[]plan.Operation{
				set("s", "1", plan.Filter{Categories: []string{"fitness", "yoga"}, SKUs: []string{"B", "C"}}, 0),
				set("t", "2", plan.Filter{Categories: []string{"fitness"}, ExcludeSKUs: []string{"A"}}, 0),
				set("u", "3", plan.Filter{ExcludeCategories: []string{"fitness"}, SKUs: []string{"A"}}, 0),
			},
			result{header + "A,fitness,30,true\nB,yoga,1,False\n",
				change(3, "B", `"s"`, `"price":"40.0","in_stock":null`, `"price":"1","in_stock":null`),
				Summary{Counts: Counts{RowsTotal: 2, RowsChanged: 1, Operations: []OperationCount{{"s", 1, 1}, {"t", 0, 0}, {"u", 0, 0}}}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := runTable(t, compile(t, table.Settings{}, test.operations...), input)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestHundredOperations has as many operations as a plan may have, each for a
// category of its own, and as many names as fit.
func TestHundredOperations(t *testing.T) {
	var operations []plan.Operation
	var in, out strings.Builder
	in.WriteString(header)
	out.WriteString(header)
	for i := range plan.MaxOperations {
		var skus []string
		for j := range 400 {
			skus = append(skus, fmt.Sprintf("S%d-%d", i, j))
		}
		op := set(fmt.Sprint("op", i), fmt.Sprint(1000+i), plan.Filter{Categories: []string{fmt.Sprint("c", i)}, SKUs: skus}, 0)
		operations = append(operations, op)
		fmt.Fprintf(&in, "S%d-%d,c%d,5,true\nS%d-399,c%d,5,true\nS%d-0,c0,5,true\n", i, i, i, i, (i+1)%100, i+1)
		fmt.Fprintf(&out, "S%d-%d,c%d,%d,true\nS%d-399,c%d,5,true\nS%d-0,c0,5,true\n", i, i, i, 1000+i, i, (i+1)%100, i+1)
	}
	got := runTable(t, compile(t, table.Settings{}, operations...), in.String())
	if diff := cmp.Diff(out.String(), got.Out); diff != "" {
		t.Error(diff)
	}
	for i, count := range got.Summary.Operations {
		if count != (OperationCount{fmt.Sprint("op", i), 1, 1}) {
			t.Errorf("operation %d counted %+v", i, count)
		}
	}
}

// TestChangeLines compares the lines with what encoding/json writes, for names
// that need escapes and for those that do not.
func TestChangeLines(t *testing.T) {
	skus := []string{"A", "", "<&>", `back\slash`, "tab\tinside", "bell\a", "del\x7f", "Größe", "\u2028", "\u2029", "😀", `say ""hi""`, "a, b", "line\r\nbreak\b\f"}
	var input strings.Builder
	input.WriteString(header)
	for _, sku := range skus {
		fmt.Fprintf(&input, "\"%s\",fitness,10,true\n", sku)
	}
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	for i, sku := range skus {
		err := encoder.Encode(Change{
			Row: int64(i + 2), SKU: strings.ReplaceAll(sku, `""`, `"`), OperationIDs: []string{"op1"},
			Before: State{Price: new("10"), InStock: new(true)}, After: State{Price: new("11.00"), InStock: new(true)},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want.String(), runTable(t, compile(t, table.Settings{}, tenPercent()), input.String()).Changes); diff != "" {
		t.Error(diff)
	}
}

// TestShop carries a plan out over a shop's export with its column mapping:
// rows without a price are its further pictures.
func TestShop(t *testing.T) {
	columns, err := setting.ParseColumns(strings.TrimSpace(shared(t, "shopify_columns.txt")))
	if err != nil {
		t.Fatal(err)
	}
	input := shared(t, "shopify_export.csv")
	op := tenPercent()
	op.Filter.Categories = []string{"Fitness"}
	refused := refusal(t, compile(t, table.Settings{Columns: columns, BlankPrice: profile.BlankPriceError}, op), input)
	if first := refused.Faults[0]; first.Row != 3 || first.Column != "Variant Price" || !strings.Contains(first.Message, "blank_price=keep") {
		t.Errorf("without blank_price: %+v", first)
	}
	got := runTable(t, compile(t, table.Settings{Columns: columns, BlankPrice: profile.BlankPriceKeep}, op), input)
	want := strings.NewReplacer(`"39.90"`, `"43.89"`, ",14.95,", ",16.45,").Replace(input)
	if diff := cmp.Diff(want, got.Out); diff != "" {
		t.Error(diff)
	}
	if got.Summary.RowsTotal != 7 || got.Summary.RowsChanged != 2 {
		t.Errorf("%+v", got.Summary)
	}
}

func TestCompileRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		operations []plan.Operation
		settings   table.Settings
	}{
		"no operations":          {nil, table.Settings{}},
		"too many operations":    {make([]plan.Operation, plan.MaxOperations+1), table.Settings{}},
		"an unknown action":      {[]plan.Operation{{OperationID: "s", Action: plan.Action{Type: "unheard_of"}}}, table.Settings{}},
		"an unknown blank_price": {[]plan.Operation{tenPercent()}, table.Settings{BlankPrice: "zero"}},
	} {
		if _, err := Compile(&plan.Plan{Operations: test.operations}, test.settings); errs.KindOf(err) != errs.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
