package pricing_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/overview"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestTwoColumnsOfStock: where two columns contradict each other in rows that the plan may be
// for, it is asked which is right, once, with how many rows that are.
func TestTwoColumnsOfStock(t *testing.T) {
	const header = "sku,category,price,in_stock,Quantity\n"
	const agreeing, other, blank = "A,fitness,10,yes,5\nB,fitness,10,no,0\n", "C,yoga,10,yes,0\n", "D,fitness,10,yes,\n"
	const contradicting = "E,fitness,10,yes,0\nF,fitness,10,no,5\n"
	inStock := plan.Operation{OperationID: "op", Filter: plan.Filter{Categories: []string{"fitness"}, InStock: new(true)}, Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}}
	any := inStock
	any.Filter.InStock = nil
	soldOut := any
	soldOut.Action = plan.Action{Type: plan.SetStock}
	for _, test := range []struct {
		name, rows, said string
		op               plan.Operation
		want             string // of the question; "": it is done
	}{
		{"they agree, or say nothing", agreeing + other + blank, "", inStock, ""},
		{"they contradict each other", agreeing + contradicting, "", inStock, `and so does "Quantity", which says otherwise in 2 rows, the first of them row 4: say which is right, with the setting columns=in_stock=in_stock or the setting columns=in_stock=Quantity`},
		{"the rows are many", agreeing + strings.Repeat(agreeing, 50_000) + contradicting, "", inStock, "in 2 rows, the first of them row 100004"},
		{"stock is to be written", "E,fitness,10,yes,0\n" + agreeing, "", soldOut, "in 1 row, which is row 2"},
		{"no stock matters", contradicting, "", any, ""},
		{"somebody said the first", contradicting, "in_stock", inStock, ""},
		{"somebody said the second", contradicting, "Quantity", inStock, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, s := &plan.Plan{Operations: []plan.Operation{test.op}}, table.Settings{Columns: setting.Columns{InStock: test.said}}
			compare(t, p, s, []byte(header+test.rows), 1<<16)
			e, err := pricing.Compile(p, s)
			if err != nil {
				t.Fatal(err)
			}
			_, err = runEngine(t, e, header+test.rows)
			refused, _ := errors.AsType[*table.InputError](err)
			if test.want == "" && err != nil || test.want != "" && (refused == nil || !strings.Contains(refused.Error(), test.want)) {
				t.Errorf("%v", err)
			}
			held, err := overview.Read(t.Context(), strings.NewReader(header+test.rows), s, nil, table.UsualWorkload())
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			for _, remark := range held.Remarks {
				said += remark.Message
			}
			if asked := strings.Contains(said, "say which is right, with {columns=in_stock=in_stock}"); asked != (strings.Contains(test.rows, "yes,0") && test.said == "") {
				t.Errorf("the held table: %s", said)
			}
		})
	}
}
