package pricing

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestUnknownNames: a name that no row has, as filter or as exclusion, fails
// the run, also where one is written nearly so; allowed, it is a warning.
func TestUnknownNames(t *testing.T) {
	raise := func(f plan.Filter) plan.Operation {
		return plan.Operation{OperationID: "up", Filter: f, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	}
	unknown := func(column table.Role, name string, excluded bool, nearest []string) table.UnknownName {
		found := table.UnknownName{Column: column, Name: name, Excluded: excluded, OperationIDs: []string{"up"}, Nearest: nearest}
		if excluded {
			found.Confirm = setting.Reprice(name)
		}
		return found
	}
	category := func(name string, excluded bool, nearest ...string) table.UnknownName {
		return unknown(recognize.RoleCategory, name, excluded, nearest)
	}
	sku := func(name string, excluded bool, nearest ...string) table.UnknownName {
		return unknown(recognize.RoleSKU, name, excluded, nearest)
	}
	alike := func(name table.UnknownName) table.UnknownName {
		name.Alike = []names.Spelling{{Name: name.Nearest[0], Rows: 1}}
		return name
	}
	rows := header + "A101,fitness,10,true\nA102,Caf\u00e9,10,true\nA103,home gym,10,false\n" + strings.Repeat("B1,other,10,true\n", 20_000)
	for _, test := range []struct {
		name   string
		filter plan.Filter
		want   []table.UnknownName
	}{
		{"exactly as they are", plan.Filter{Categories: []string{"fitness", "other"}, ExcludeSKUs: []string{"A103"}}, nil},
		{"a row that no other condition lets pass has it too", plan.Filter{Categories: []string{"home gym"}, InStock: ptr(true)}, nil},
		{"an exclusion in another case", plan.Filter{ExcludeCategories: []string{"Fitness"}}, []table.UnknownName{alike(category("Fitness", true, "fitness"))}},
		{"a filter in another case", plan.Filter{Categories: []string{"FITNESS", "other"}}, []table.UnknownName{alike(category("FITNESS", false, "fitness"))}},
		{"other blanks", plan.Filter{ExcludeCategories: []string{"home  gym"}}, []table.UnknownName{alike(category("home  gym", true, "home gym"))}},
		{"another Unicode form", plan.Filter{ExcludeCategories: []string{"Cafe\u0301"}}, []table.UnknownName{alike(category("Cafe\u0301", true, "Caf\u00e9"))}},
		{"a SKU", plan.Filter{ExcludeSKUs: []string{"a101"}}, []table.UnknownName{alike(sku("a101", true, "A101", "A102", "A103"))}},
		{"nothing like it", plan.Filter{SKUs: []string{"ZZZZZZ"}}, []table.UnknownName{sku("ZZZZZZ", false)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := Compile(&plan.Plan{Operations: []plan.Operation{raise(test.filter)}}, table.Settings{})
			if err != nil {
				t.Fatal(err)
			}
			var out, changes bytes.Buffer
			_, err = e.Run(t.Context(), strings.NewReader(rows), &out, &changes)
			var unknown *names.UnknownNamesError
			if errors.As(err, &unknown) != (test.want != nil) {
				t.Fatalf("Run: %v", err)
			}
			if test.want == nil {
				return
			}
			if diff := cmp.Diff(test.want, unknown.Names, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			allowed, err := Compile(&plan.Plan{Operations: []plan.Operation{raise(test.filter)}}, table.Settings{Unmatched: setting.UnmatchedAllow})
			if err != nil {
				t.Fatal(err)
			}
			if _, err = allowed.Run(t.Context(), strings.NewReader(rows), &out, &changes); (err != nil) != (test.want[0].Excluded || test.want[0].Alike != nil) {
				t.Errorf("a flag lets go of what is left out, or of what the table writes in another way: %v", err)
			}
			if !test.want[0].Excluded && test.want[0].Alike != nil {
				return
			}
			out.Reset()
			changes.Reset()
			summary, err := compile(t, table.Settings{}, raise(test.filter)).Run(t.Context(), strings.NewReader(rows), &out, &changes)
			if err != nil || len(summary.Figures.Unmatched.Names) != len(test.want) {
				t.Fatalf("allowed: %+v, %v", summary.Figures, err)
			}
			told := slices.DeleteFunc(summary.AllWarnings(), func(w Warning) bool { return w.Code != UnmatchedName })
			for i, w := range told {
				if w.Arguments != nil || !cmp.Equal(w.UnknownName, &test.want[i], cmpopts.EquateEmpty()) || w.Message != "No row has the "+test.want[i].String()+"." {
					t.Errorf("a warning of %+v: %+v", test.want[i], w)
				}
			}
		})
	}
}

// TestManyUnknownNames lists the first twenty.
func TestManyUnknownNames(t *testing.T) {
	op := tenPercent()
	op.Filter.SKUs = nil
	for i := range 150 {
		op.Filter.SKUs = append(op.Filter.SKUs, fmt.Sprint("S", i))
	}
	e, err := Compile(&plan.Plan{Operations: []plan.Operation{op}}, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Run(t.Context(), strings.NewReader(header+"A,fitness,1,true\n"), &bytes.Buffer{}, &bytes.Buffer{})
	var unknown *names.UnknownNamesError
	if !errors.As(err, &unknown) || len(unknown.Names) != 20 || unknown.More != 130 {
		t.Errorf("Run: %v", err)
	}
}

// TestQuantities: above 0 is in stock; out of stock is written 0; in stock
// needs the quantity to write.
func TestQuantities(t *testing.T) {
	const rows = "sku,category,price,Qty\nA,x,1,12\nB,x,1,0\nC,x,1,-3\n"
	out, in := stock("s", false, plan.Filter{}), stock("s", true, plan.Filter{})
	settings := table.Settings{Columns: setting.Columns{InStock: "Qty"}}
	got := runTable(t, compile(t, settings, out), rows)
	if want := strings.Replace(rows, ",12", ",0", 1); got.Out != want || !strings.Contains(got.Changes, `"before":{"price":null,"in_stock":true,"stock":"12"},"after":{"price":null,"in_stock":false,"stock":"0"}`) {
		t.Errorf("out of stock: %q, %s", got.Out, got.Changes)
	}
	if fault := refusal(t, compile(t, settings, in), rows).Faults[0]; fault.Row != 3 || !strings.Contains(fault.Message, "in_stock_quantity") {
		t.Errorf("in stock, not said with how many: %+v", fault)
	}
	settings.InStockQuantity = new(int64(5))
	if got := runTable(t, compile(t, settings, in), rows); got.Out != strings.NewReplacer(",0", ",5", ",-3", ",5").Replace(rows) {
		t.Errorf("in stock: %q", got.Out)
	}
}

// TestColumnsThatAreNotNeeded: what a plan never looks at may be missing, or
// hold anything.
func TestColumnsThatAreNotNeeded(t *testing.T) {
	all := tenPercent()
	all.Filter = plan.Filter{}
	if got := runTable(t, compile(t, table.Settings{}, all), "sku,price\nA,10\n"); got.Out != "sku,price\nA,11.00\n" || !strings.Contains(got.Changes, `"in_stock":null`) {
		t.Errorf("%q, %s", got.Out, got.Changes)
	}
	const odd = header + "A,=1+1,10,perhaps\n"
	if got := runTable(t, compile(t, table.Settings{}, all), odd); got.Summary.RowsChanged != 1 {
		t.Errorf("%+v", got)
	}
	if fault := refusal(t, compile(t, table.Settings{}, tenPercent()), "sku,category,price\nA,x,10\n").Faults[0]; fault.Column != "in_stock" {
		t.Errorf("a plan about stock: %+v", fault)
	}
}

// TestSKUInAnotherColumn: of a SKU that no row has it is said in which column it stands,
// where one has it and nothing says what that is.
func TestSKUInAnotherColumn(t *testing.T) {
	op := plan.Operation{OperationID: "up", Filter: plan.Filter{SKUs: []string{"PS-1"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	for rows, want := range map[string]string{
		"ProductID,IdProd,price\n7,PS-1,10.00\n8,PS-2,10.00\n":         "\n\"PS-1\" stands in \"IdProd\" (PS-1, PS-2): if that is the sku, say so, with --columns sku=IdProd.",
		"ProductID,IdProd,Reihe,price\n7,PS-1,PS-1,9\n8,PS-2,PS-2,9\n": "",
		"ProductID,IdProd,price\n7,PS-3,10.00\n8,PS-2,10.00\n":         "",
	} {
		e, err := Compile(&plan.Plan{Operations: []plan.Operation{op}}, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Run(t.Context(), strings.NewReader(rows), &bytes.Buffer{}, &bytes.Buffer{})
		unknown, is := errors.AsType[*names.UnknownNamesError](err)
		if !is || !strings.Contains(table.On(err, setting.Flags).Error(), want) || (want == "") != (unknown.Holding == "") {
			t.Errorf("%q: %v", rows, table.On(err, setting.Flags))
		}
	}
}
