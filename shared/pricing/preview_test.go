package pricing

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// previewOf returns what is found of rules in a table, with blocks of so many bytes.
func previewOf(t *testing.T, rules, input string, settings table.Settings, size int) Preview {
	t.Helper()
	operations, err := plan.DecodeRules([]byte(rules))
	if err != nil {
		t.Fatal(err)
	}
	again := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(input)), nil }
	found, err := compile(t, settings, operations...).WithBlocks(size, 2).Preview(t.Context(), strings.NewReader(input), again, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// In words: each rule and each two rules in a line.
func inWords(p Preview) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, r := range p.Rules {
		add("%s: %d matched, %d changed", r.OperationID, r.RowsMatched, r.RowsChanged)
		for _, left := range r.LeftAlone {
			add("%s: %d left alone, %s", r.OperationID, left.Rows, left.Code)
		}
		for _, e := range r.Exceptions {
			add("%s: %s %s and %d more takes out %d", r.OperationID, strings.TrimSpace(e.Condition+" "+e.Column), strings.Join(e.Names, ","), e.More, e.Rows)
		}
		for _, e := range r.EmptiedBy {
			add("%s: %d without %s, %d by it alone", r.OperationID, e.RowsWithout, strings.TrimSpace(e.Condition+" "+e.Column), e.RowsAlone)
		}
	}
	for _, o := range p.Overlaps {
		add("%s and %s: %d", o.OperationIDs[0], o.OperationIDs[1], o.Rows)
		for _, s := range o.Samples {
			add("row %d %s: %s, first %s, second %s, both %s", s.Row, s.SKU, s.Before, s.First, s.Second, s.Both)
		}
	}
	return lines
}

func TestPreview(t *testing.T) {
	const shop = "sku,category,brand,price,cost,in_stock\nA,shoes,Nike,10,4,true\nB,shoes,Puma,20,,true\nC,shoes,Nike,30,50,false\nD,hats,Puma,40,5,true\nE,hats,Asics,,1,true\n"
	blanks := table.Settings{BlankPrice: "keep"}
	tests := []struct {
		name, rules string
		want        []string
		paid        Paid
	}{
		{"one rule", `[{"filter":{"categories":["shoes"]},"action":{"type":"percent_increase","value":10}}]`,
			[]string{"op_01: 3 matched, 3 changed"}, Paid{Dearer: 3, Unchanged: 2}},
		{"rows that are left alone", `[{"filter":{},"action":{"type":"percent_decrease","value":50},"options":{"not_below_cost":true,"max_price":45}}]`,
			[]string{"op_01: 4 matched, 2 changed", "op_01: 1 left alone, no_price", "op_01: 1 left alone, no_cost", "op_01: 1 left alone, outside_limits"}, Paid{Cheaper: 2, Unchanged: 3}},
		{"rows that would move the other way", `[{"filter":{},"action":{"type":"percent_decrease","value":10},"options":{"min_price":15,"keep_direction":true}}]`,
			[]string{"op_01: 4 matched, 3 changed", "op_01: 1 left alone, no_price", "op_01: 1 left alone, against_direction"}, Paid{Cheaper: 3, Unchanged: 2}},
		{"exceptions", `[{"filter":{"price_lte":35,"exclude_brands":["Nike","Asics"],"exclude_skus":["B"]},"action":{"type":"set_price","value":1}}]`,
			[]string{"op_01: 0 matched, 0 changed",
				"op_01: exclude_brands Nike and 0 more takes out 2", "op_01: exclude_brands Asics and 0 more takes out 0", "op_01: exclude_skus B and 0 more takes out 1",
				"op_01: 2 without exclude_brands, 2 by it alone", "op_01: 1 without exclude_skus, 3 by it alone", "op_01: 1 without price_lte, 3 by it alone"},
			Paid{Unchanged: 5}},
		{"a condition that empties a rule when its turn comes", `[{"filter":{"categories":["shoes"]},"action":{"type":"set_price","value":100}},
			{"filter":{"categories":["shoes"],"price_lte":30,"in_stock":true},"action":{"type":"percent_increase","value":10}}]`,
			[]string{"op_01: 3 matched, 3 changed", "op_02: 0 matched, 0 changed",
				"op_02: 0 without categories, 3 by it alone", "op_02: 0 without in_stock, 3 by it alone", "op_02: 2 without price_lte, 0 by it alone",
				"op_01 and op_02: 2", "row 2 A: 10, in stock, first 100.00, in stock, second 11.00, in stock, both 100.00, in stock",
				"row 3 B: 20, in stock, first 100.00, in stock, second 22.00, in stock, both 100.00, in stock"}, Paid{Dearer: 3, Unchanged: 2}},
		{"two rules of the same rows", `[{"filter":{"categories":["shoes"]},"action":{"type":"percent_increase","value":10}},
			{"filter":{"brands":["Nike"]},"action":{"type":"set_price","value":99}}]`,
			[]string{"op_01: 3 matched, 3 changed", "op_02: 2 matched, 2 changed", "op_01 and op_02: 2",
				"row 2 A: 10, first 11.00, second 99.00, both 99.00", "row 4 C: 30, first 33.00, second 99.00, both 99.00"}, Paid{Dearer: 3, Unchanged: 2}},
		{"rules that meet by what the first makes", `[{"filter":{"skus":["A"]},"action":{"type":"set_price","value":100}},
			{"filter":{"price_gte":90},"action":{"type":"set_price","value":95}}]`,
			[]string{"op_01: 1 matched, 1 changed", "op_02: 1 matched, 1 changed", "op_02: 1 left alone, no_price", "op_01 and op_02: 1",
				"row 2 A: 10, first 100.00, second 10, both 95.00"}, Paid{Dearer: 1, Unchanged: 4}},
		{"rules that meet as the table is", `[{"filter":{"skus":["A"]},"action":{"type":"set_price","value":100}},
			{"filter":{"price_lte":15},"action":{"type":"set_price","value":12}}]`,
			[]string{"op_01: 1 matched, 1 changed", "op_02: 0 matched, 0 changed", "op_02: 1 left alone, no_price", "op_02: 4 without price_lte, 0 by it alone", "op_01 and op_02: 1",
				"row 2 A: 10, first 100.00, second 12.00, both 100.00"}, Paid{Dearer: 1, Unchanged: 4}},
		{"one whose result alone would be refused", `[{"filter":{"skus":["A"]},"action":{"type":"set_price","value":100}},
			{"filter":{"skus":["A"]},"action":{"type":"fixed_decrease","value":30}}]`,
			[]string{"op_01: 1 matched, 1 changed", "op_02: 1 matched, 1 changed", "op_01 and op_02: 1",
				"row 2 A: 10, first 100.00, second refused, both 70.00"}, Paid{Dearer: 1, Unchanged: 4}},
		{"other columns", `[{"filter":{"where":[{"column":"Brand","is_not":["Nike","Asics"]},{"column":"cost","is":["5","50"]},{"column":"category","starts_with":["sho"]}]},"action":{"type":"set_price","value":9}}]`,
			[]string{"op_01: 0 matched, 0 changed", "op_01: where Brand Nike and 0 more takes out 1", "op_01: where Brand Asics and 0 more takes out 0",
				"op_01: 1 without where Brand, 2 by it alone", "op_01: 1 without where category, 3 by it alone", "op_01: 1 without where cost, 2 by it alone"}, Paid{Unchanged: 5}},
		{"price and stock", `[{"filter":{"skus":["A","C"]},"action":{"type":"set_stock","value":false}},
			{"filter":{"categories":["shoes"],"in_stock":false},"action":{"type":"percent_decrease","value":10}}]`,
			[]string{"op_01: 2 matched, 1 changed", "op_02: 2 matched, 2 changed", "op_01 and op_02: 2",
				"row 2 A: 10, in stock, first 10, out of stock, second 10, in stock, both 9.00, out of stock",
				"row 4 C: 30, out of stock, first 30, out of stock, second 27.00, out of stock, both 27.00, out of stock"}, Paid{Cheaper: 2, Unchanged: 3}},
	}
	for _, tt := range tests {
		for _, size := range []int{32, 1 << 16} {
			t.Run(fmt.Sprint(tt.name, size), func(t *testing.T) {
				found := previewOf(t, tt.rules, shop, blanks, size)
				if diff := cmp.Diff(tt.want, inWords(found)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(tt.paid, found.Paid); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// A long list of exceptions is counted in one, and a sale is told in what customers pay.
func TestPreviewOfALongListAndOfSales(t *testing.T) {
	var skus []string
	for i := range 30 {
		skus = append(skus, fmt.Sprintf("%q", fmt.Sprint("S", i)))
	}
	input := "sku,price,sale_price\n"
	for i := range 40 {
		input += fmt.Sprintf("S%d,20,%d\n", i, 10+i%2*10)
	}
	found := previewOf(t, `[{"filter":{"exclude_skus":[`+strings.Join(skus, ",")+`]},"action":{"type":"end_sale"}},{"filter":{"skus":["S30"]},"action":{"type":"percent_increase","value":50}}]`, input, table.Settings{}, 1<<16)
	want := []string{"op_01: 10 matched, 5 changed", "op_01: exclude_skus " + strings.ReplaceAll(strings.Join(skus[:20], ","), `"`, "") + " and 10 more takes out 30",
		"op_02: 1 matched, 1 changed", "op_01 and op_02: 1", "row 32 S30: 10, first 20, second 10, both 30.00"}
	if diff := cmp.Diff(want, inWords(found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// As many rules as there may be, each with exceptions and one that matches nothing, are
// looked at in as many passes as they need.
func TestPreviewOfManyRules(t *testing.T) {
	var rules []string
	for i := range plan.MaxOperations {
		rules = append(rules, fmt.Sprintf(`{"filter":{"skus":["A%d"],"exclude_categories":["c%d","c%d"],"price_gte":5,"in_stock":%t},"action":{"type":"set_price","value":7}}`, i, i%5, i%5+1, i%10 != 0))
	}
	input := "sku,category,price,in_stock\n"
	for i := range plan.MaxOperations {
		input += fmt.Sprintf("A%d,c%d,9,true\n", i, i%7)
	}
	found := previewOf(t, "["+strings.Join(rules, ",")+"]", input, table.Settings{}, 1<<16)
	for i, r := range found.Rules {
		takesOut := func(c int) int64 {
			if c == i%7 && i%10 != 0 {
				return 1
			}
			return 0
		}
		if got, want := [2]int64{r.Exceptions[0].Rows, r.Exceptions[1].Rows}, [2]int64{takesOut(i % 5), takesOut(i%5 + 1)}; got != want {
			t.Errorf("%s: exceptions take out %v, want %v", r.OperationID, got, want)
		}
		if (len(r.EmptiedBy) == 4) != (r.RowsMatched == 0) {
			t.Errorf("%s matches %d rows, and %d conditions are told of", r.OperationID, r.RowsMatched, len(r.EmptiedBy))
		}
	}
	if len(found.Overlaps) != 0 {
		t.Errorf("overlaps: %v", found.Overlaps)
	}
}

// A table that can be read but once has no second look: nothing is said of what takes it.
func TestPreviewOfAStream(t *testing.T) {
	found, err := compile(t, table.Settings{}, setPrice("11"), setPriceTo("again", "12")).Preview(t.Context(), strings.NewReader("sku,price\nA,1\n"), nil, nil)
	if err != nil || found.Overlaps != nil || found.Rules[0].Exceptions != nil || found.Rules[0].EmptiedBy != nil || found.Paid.Dearer != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func setPriceTo(id, value string) plan.Operation {
	op := setPrice(value)
	op.OperationID = id
	return op
}
