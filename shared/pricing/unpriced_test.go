package pricing_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
)

// TestRowsWithoutAPrice leaves them alone in a table of no platform's, and tells of
// those that an operation was for; where a setting says that there are none, the table
// is refused.
func TestRowsWithoutAPrice(t *testing.T) {
	in := []byte("sku,category,price,in_stock\n" + "A,fitness,,true\nB,fitness,,false\nC,fitness,10,true\nD,other,,true\nE,fitness,,TRUE\n")
	const header = "sku,category,price,in_stock\n"
	p := &plan.Plan{Operations: []plan.Operation{{OperationID: "up", Filter: plan.Filter{Categories: []string{"fitness"}, InStock: ptr(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}}}
	if want := compare(t, p, table.Settings{}, in, 1, 7, 1<<16); want.RowsChanged != 1 {
		t.Errorf("%d rows change, want 1", want.RowsChanged)
	}
	compiled := func(s table.Settings) *pricing.Engine {
		e, err := pricing.Compile(p, s)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	got, err := runEngine(t, compiled(table.Settings{}), string(in))
	if err != nil {
		t.Fatal(err)
	}
	var warned []string
	for _, w := range got.AllWarnings() {
		text, _ := w.Sentence()
		warned = append(warned, w.Code+": "+text)
	}
	if want := []string{"no_price: 2 rows have no price, and are left alone by up; the first are rows 2, 6."}; !slices.Equal(warned, want) {
		t.Errorf("warns %q, want %q", warned, want)
	}
	bare := []byte(header + "A,fitness,,\nB,fitness,10,true\nC,other,,\nD,fitness,,true\n") // nor a stock
	compare(t, p, table.Settings{}, bare, 1, 7, 1<<16)
	if got, err = runEngine(t, compiled(table.Settings{}), string(bare)); err != nil || len(got.AllWarnings()) != 1 || !slices.Equal(got.AllWarnings()[0].FirstRows, []int64{2, 5}) {
		t.Errorf("warns %v, %v", got.AllWarnings(), err)
	}
	off := &plan.Plan{Operations: []plan.Operation{{OperationID: "off", Action: plan.Action{Type: plan.SetStock}}}}
	if want := compare(t, off, table.Settings{}, bare, 1, 7, 1<<16); want.RowsChanged != 2 {
		t.Errorf("%d rows change, want those that have a stock", want.RowsChanged)
	}
	p.Operations[0].Filter.InStock = nil // nor is the stock read
	compare(t, p, table.Settings{}, []byte("name,category,price\nA,fitness,\nB,fitness,\nC,fitness,10\nD,other,\n"), 1, 7, 1<<16)
	for row, way := range map[string]string{
		"A,fitness,,true\n": "blank_price=keep", "A,fitness,variable,true\n": "odd_rows=leave", "A,fitness,-5,true\n": "odd_rows=leave", "A,fitness,$ -5.00,true\n": "odd_rows=leave",
	} {
		_, err := engineOutcome(t, compiled(table.Settings{BlankPrice: profile.BlankPriceError}), []byte(header+row))
		if err == nil || !strings.Contains(err.Error(), "leave such rows alone with the setting "+way) {
			t.Errorf("%q: %v", row, err)
		}
	}
}
