package pricing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// TestEncodedTables carries out a plan, and takes it back, in tables that Python's
// codecs wrote: the rows change that change in UTF-8, and no other byte does.
func TestEncodedTables(t *testing.T) {
	files, err := filepath.Glob("../table/dialect/testdata/encoded/*.csv")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	category := map[string]string{"ja": "運動", "zh-cn": "运动", "zh-tw": "運動", "ko": "요가", "ru": "Фитнес"}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p *plan.Plan
		for language, name := range category {
			if strings.HasPrefix(filepath.Base(file), language) {
				p = &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{name}, InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
			}
		}
		if want := compare(t, p, table.Settings{}, raw, 1, 7, 1<<16); want.RowsChanged == 0 {
			t.Errorf("%s: nothing changes", file)
		}
		e, err := pricing.Compile(p, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		forth, err := runEngine(t, e, string(raw))
		if err != nil {
			t.Fatal(err)
		}
		again, err := forth.Table.ReadAgain(table.Settings{}, table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if back := undone(t, forth.changes, again, forth.out); back.out != string(raw) {
			t.Errorf("%s is not given back", file)
		}
		compareRanges(t, e, raw, []int64{300})
	}
}

// TestGarbledNames refuses a table whose names were saved in another encoding than they
// were read in, where a plan looks at them.
func TestGarbledNames(t *testing.T) {
	text := "sku,category,name,price\nA,Fitness,Mat,9.50\nB,Möbel,CafÃ© Stuhl,5\nC,MÃ¶bel,x,4\n"
	by := func(f plan.Filter) *plan.Plan {
		return &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: f, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	}
	for row, f := range map[int64]plan.Filter{4: {Categories: []string{"Fitness"}}, 3: {NameContains: []string{"Stuhl"}}, 0: {SKUs: []string{"A"}}} {
		e, err := pricing.Compile(by(f), table.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := engineOutcome(t, e, []byte(text))
		if got.FaultRow != row || row > 0 && !strings.Contains(err.Error(), "export it again from the shop") {
			t.Errorf("%+v: row %d, error %v, want row %d", f, got.FaultRow, err, row)
		}
		compare(t, by(f), table.Settings{}, []byte(text), 1, 1<<16)
	}
}

// TestTwoEncodingsReadAsWell says which they are and what differs, and keeps the bytes.
func TestTwoEncodingsReadAsWell(t *testing.T) {
	const text = "sku,category,price,name\nA1,Flour,10.00,m\xb9ka\nA2,Flour,2.00,m\xb9ka\nA3,Ham,3.00,r\xb9banka\n"
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"Flour"}}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	e, err := pricing.Compile(p, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := runEngine(t, e, text)
	if err != nil || got.out != strings.NewReplacer("10.00", "11.00", "2.00", "2.20").Replace(text) {
		t.Fatalf("%v, %q", err, got.out)
	}
	const want = "The table reads as well in windows-1250 as in ISO-8859-2, and was read in the first: in row 2, column name, that is mąka, and mška in the other. What the plan does not change keeps its bytes; where it is the other, say so with the setting encoding=ISO-8859-2."
	if len(got.Warnings) != 1 || got.Warnings[0].Code != pricing.WarnEncoding || got.Warnings[0].Message != want {
		t.Errorf("the warnings: %+v", got.Warnings)
	}
	compareRanges(t, e, []byte(text), []int64{60})
}
