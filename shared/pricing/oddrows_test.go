package pricing_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestOddRows leaves a row alone, by the operations that need a cell which cannot be
// read, and by no other; what is refused without the setting says how to leave it.
func TestOddRows(t *testing.T) {
	raise := plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}
	out := plan.Action{Type: plan.SetStock}
	for name, test := range map[string]struct {
		plan     []plan.Operation
		in, want string
		told     []string
	}{
		"a price that is none": {
			[]plan.Operation{{OperationID: "up", Action: raise}, {OperationID: "out", Action: out}},
			"sku,price,in_stock\nA,NULL,true\nB,P.O.A.,true\nC,10.00,true\n", "sku,price,in_stock\nA,NULL,false\nB,P.O.A.,false\nC,11.00,false\n",
			[]string{"2 rows have a price that cannot be read, and are left alone by up; the first are rows 2, 3."},
		},
		"a price with three decimals": {
			[]plan.Operation{{OperationID: "up", Action: raise}},
			"sku,price,in_stock\nA,12.50,true\nB,1.299,true\nC,9.00,true\n", "sku,price,in_stock\nA,13.75,true\nB,1.299,true\nC,9.90,true\n",
			[]string{"1 row has a price that cannot be read, and is left alone by up: row 3."},
		},
		"rows with another number of cells": {
			[]plan.Operation{{OperationID: "up", Action: raise}},
			"sku,price,in_stock\nA,12.50,true\nB,9.00\nC,9.00,true,x\nD,10.00,true\n", "sku,price,in_stock\nA,13.75,true\nB,9.00\nC,9.00,true,x\nD,11.00,true\n",
			[]string{"2 rows have another number of cells than the header, and stay as they are; the first are rows 3, 4."},
		},
		"a stock that is none": {
			[]plan.Operation{{OperationID: "up", Action: raise}, {OperationID: "down", Filter: plan.Filter{InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("50")}}},
			"sku,price,in_stock\nA,10.00,perhaps\nB,10.00,true\nC,10.00,false\n", "sku,price,in_stock\nA,11.00,perhaps\nB,5.50,true\nC,11.00,false\n",
			[]string{"1 row has a stock that cannot be read, or is not tracked by the shop, and is left alone by down: row 2."},
		},
		"a row that no operation is for": {
			[]plan.Operation{{OperationID: "up", Filter: plan.Filter{SKUs: []string{"C"}}, Action: raise}},
			"sku,price,in_stock\nA,NULL,true\nC,10.00,true\n", "sku,price,in_stock\nA,NULL,true\nC,11.00,true\n",
			nil,
		},
		"a name that is none": {
			[]plan.Operation{{OperationID: "pots", Filter: plan.Filter{Categories: []string{"Pots"}}, Action: raise}, {OperationID: "cheap", Filter: plan.Filter{PriceLTE: ptr(plan.MustDecimal("5"))}, Action: raise}},
			"sku,category,price\nA,\"Pots\",10.00\nB,Po\"ts,4.00\nC,Cups,4.00\n", "sku,category,price\nA,\"Pots\",11.00\nB,Po\"ts,4.40\nC,Cups,4.40\n",
			[]string{"1 row has a name that cannot be read, and is left alone by pots: row 3."},
		},
		"a cost that is none": {
			[]plan.Operation{{OperationID: "down", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal("10")}, Options: plan.Options{NotBelowCost: true}}, {OperationID: "up", Filter: plan.Filter{SKUs: []string{"A"}}, Action: raise}},
			"sku,price,cost\nA,10.00,?\nB,10.00,8.00\n", "sku,price,cost\nA,11.00,?\nB,9.00,8.00\n",
			[]string{"1 row has a cost that cannot be read, and is left alone by down: row 2."},
		},
		"the price of a sale that is none": {
			[]plan.Operation{{OperationID: "end", Action: plan.Action{Type: plan.EndSale}}},
			"sku,price,sale_price\nA,10.00,?\nB,10.00,8.00\n", "sku,price,sale_price\nA,10.00,?\nB,10.00,\n",
			[]string{"1 row has a price of a sale that cannot be read, and is left alone by end: row 2."},
		},
		"a stock that the shop does not track": {
			[]plan.Operation{{OperationID: "out", Action: out}},
			"Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price\ntee,Tee,Shirts,Size,S,t-s,shopify,3,20.00\ncard,Card,Gifts,Title,Default Title,,,0,10.00\n",
			"Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price\ntee,Tee,Shirts,Size,S,t-s,shopify,0,20.00\ncard,Card,Gifts,Title,Default Title,,,0,10.00\n",
			[]string{"1 row has a stock that cannot be read, or is not tracked by the shop, and is left alone by out: row 3."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := &plan.Plan{Operations: test.plan}
			settings := table.Settings{OddRows: table.OddRowsLeave}
			got, err := runEngine(t, compiled(t, p, settings), test.in)
			if err != nil || got.out != test.want {
				t.Fatalf("%v, %q, want %q", err, got.out, test.want)
			}
			var told []string
			for _, w := range got.AllWarnings() {
				told = append(told, w.Message)
			}
			if diff := cmp.Diff(test.told, told); diff != "" {
				t.Error(diff)
			}
			compare(t, p, settings, []byte(test.in), 1, 7, 1<<16)
			if _, err := runEngine(t, compiled(t, p, table.Settings{}), test.in); test.told != nil && (err == nil || !strings.Contains(table.On(err, setting.Flags).Error(), "leave such rows alone with --odd-rows leave")) {
				t.Errorf("without the setting: %v", err)
			}
			again, err := got.Table.ReadAgain(settings, table.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			if got.RowsChanged > 0 {
				if back := undone(t, got.changes, again, got.out); back.out != test.in {
					t.Errorf("undone it is %q", back.out)
				}
			}
			compareRanges(t, compiled(t, p, settings), []byte(test.in), []int64{int64(len(test.in)) / 2}, cutEvery(int64(len(test.in)), 11))
		})
	}
}

// TestStraysInBlocks has the first quote within a value somewhere in many blocks, before
// quoted values with line ends: records are told apart as if all were one block.
func TestStraysInBlocks(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"pots", "caps"}, InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	for _, at := range []int{0, 1, 40, 99} {
		for _, stray := range []string{`2" pipe`, `2" by 3" pipe`, `a "b" c "`} {
			var text strings.Builder
			text.WriteString("sku,category,note,price,in_stock\n")
			for i := range 100 {
				note := pick(i, "plain", "\"two\nlines, \"\"quoted\"\"\"", "\"\"", "\"\n\"")
				if i == at || i > at && i%7 == 0 {
					note = stray
				}
				fmt.Fprintf(&text, "A%d,%s,%s,%d.50,%s\n", i, pick(i, "pots", "Pots ", "caps", "mugs"), note, i, pick(i, "true", "false", "true"))
			}
			settings := table.Settings{NearNames: table.NearNamesExact}
			want := compare(t, p, settings, []byte(text.String()), 1, 7, 64, 300, 1<<16)
			if want.RowsChanged == 0 {
				t.Error("nothing changes")
			}
			size := int64(text.Len())
			compareRanges(t, compiled(t, p, settings), []byte(text.String()), []int64{size / 2}, []int64{size / 4, size / 3, size / 2}, cutEvery(size, 37))
			compare(t, p, table.Settings{}, []byte(text.String()), 1, 64, 1<<16)
		}
	}
}

func pick(i int, from ...string) string { return from[i%len(from)] }

func cutEvery(size, step int64) (cuts []int64) {
	for at := step; at < size; at += step {
		cuts = append(cuts, at)
	}
	return cuts
}

// TestHeaders: a first row that holds a price is no header, and without one columns are
// called by their numbers.
func TestHeaders(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	const rows = "\"03024\",\"LEASH\",\"4016598030240\",\"11,99\"\n\"05190\",\"CHAIN\",\"4016598051900\",\"3,99\"\n"
	for _, columns := range []setting.Columns{{}, {Price: "11,99"}} {
		_, err := runEngine(t, compiled(t, p, table.Settings{Columns: columns}), rows)
		if err == nil || !strings.Contains(table.On(err, setting.Flags).Error(), "the first row is no header, for it holds a price: say so, and which column is what, with --header none --columns price=4") {
			t.Errorf("%v", err)
		}
	}
	_, err := runEngine(t, compiled(t, p, table.Settings{}), "aa,bb,cc\nk1,Lamp,\"1,590.00\"\n")
	if err == nil || !strings.Contains(table.On(err, setting.QueryParameter).Error(), "the query parameter header=none and the query parameter columns=price=3") {
		t.Errorf("%v", err)
	}
	settings := table.Settings{Header: recognize.HeaderNone, Columns: setting.Columns{Price: "4"}}
	got, err := runEngine(t, compiled(t, p, settings), rows)
	if want := strings.NewReplacer("11,99", "13,19", "3,99", "4,39").Replace(rows); err != nil || got.out != want || got.RowsTotal != 2 || !strings.HasPrefix(got.changes, `{"row":1,`) {
		t.Errorf("%v, %q, %s", err, got.out, got.changes)
	}
	compare(t, p, settings, []byte(rows), 1, 7, 1<<16)
	compareRanges(t, compiled(t, p, settings), []byte(rows), []int64{50})
	again, err := got.Table.ReadAgain(settings, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if back := undone(t, got.changes, again, got.out); back.out != rows {
		t.Errorf("undone it is %q", back.out)
	}
	if _, err := got.Table.ReadAgain(settings, table.Settings{Header: recognize.HeaderFirst}); err == nil {
		t.Error("it is read again as if it had a header")
	}
}

// TestStockWordsSetting writes the words that somebody said, and asks for them with
// those of the column where it does not show what they mean.
func TestStockWordsSetting(t *testing.T) {
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "out", Filter: plan.Filter{SKUs: []string{"a1"}}, Action: plan.Action{Type: plan.SetStock}}}}
	const text = "sku,price,stock\na1,4.00,Da\na2,5.00,Weg\na3,5.00,Weg\n"
	_, err := runEngine(t, compiled(t, p, table.Settings{}), text)
	if want := "the column has Weg (2), Da (1): say which two words it has, with --stock-words 'in=Weg,out=Da' or --stock-words 'in=Da,out=Weg'"; err == nil || !strings.Contains(table.On(err, setting.Flags).Error(), want) {
		t.Errorf("%v", err)
	}
	settings := table.Settings{StockWords: profile.StockWords{In: "Da", Out: "Weg"}, Dialect: dialect.Dialect{Encoding: dialect.UTF8}}
	got, err := runEngine(t, compiled(t, p, settings), text)
	if want := strings.Replace(text, "Da", "Weg", 1); err != nil || got.out != want {
		t.Fatalf("%v, %q", err, got.out)
	}
	compare(t, p, settings, []byte(text), 1, 1<<16)
	again, err := got.Table.ReadAgain(settings, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if back := undone(t, got.changes, again, got.out); back.out != text {
		t.Errorf("undone it is %q", back.out)
	}
}

// TestVariablePrices: where Square and Loyverse ask for the price at the till, the row is left
// alone, and every other price is changed.
func TestVariablePrices(t *testing.T) {
	for _, export := range []string{"square/catalog.csv", "loyverse/export_items.csv"} {
		data, err := os.ReadFile("../../testdata/exports/" + export)
		if err != nil {
			t.Fatal(err)
		}
		for _, action := range []plan.Action{
			{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
			{Type: plan.FixedIncrease, Value: plan.MustDecimal("1")},
			{Type: plan.SetPrice, Value: plan.MustDecimal("12")},
		} {
			op := plan.Operation{OperationID: "op", Action: action}
			e, err := pricing.Compile(&plan.Plan{Operations: []plan.Operation{op}}, table.Settings{OddRows: table.OddRowsLeave})
			if err != nil {
				t.Fatal(err)
			}
			got, err := runEngine(t, e, string(data))
			if err != nil {
				t.Errorf("%s, %s: %v", export, action.Type, err)
				continue
			}
			if strings.Count(got.out, ",variable,") != 1 || got.RowsChanged < got.RowsTotal-2 {
				t.Errorf("%s, %s: %d of %d rows are changed:\n%s", export, action.Type, got.RowsChanged, got.RowsTotal, got.out)
			}
		}
	}
}
