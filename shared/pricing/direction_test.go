package pricing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
)

// TestDirection has rows that would move the other way than an operation is to move them, or
// beyond its limits, changed and told of, or left alone and told of.
func TestDirection(t *testing.T) {
	off := func(percent string, o plan.Options) plan.Operation {
		return plan.Operation{OperationID: "op", Action: plan.Action{Type: plan.PercentDecrease, Value: plan.MustDecimal(percent)}, Options: o}
	}
	up := func(percent string, o plan.Options) plan.Operation {
		op := off(percent, o)
		op.Action.Type = plan.PercentIncrease
		return op
	}
	sale := func(percent string, keep bool) plan.Operation {
		return off(percent, plan.Options{AsSale: true, KeepDirection: keep})
	}
	decimal := func(text string) *plan.Decimal { return new(plan.MustDecimal(text)) }
	const (
		moved  = " what customers pay moved the other way than op is to move it, by a limit, rounding, an ending, "
		turned = "1 row would have what customers pay moved the other way than op is to move it, and is left alone: row 2."
		beyond = "1 row has no new price within the limits of op, and is left alone: row "
	)
	against := "1 row has" + moved + "its cost or its sale: row 2."
	floor := plan.Options{MinPrice: decimal("20")}
	kept := plan.Options{MinPrice: decimal("20"), KeepDirection: true}
	for _, test := range []struct {
		name, header, rows string
		settings           table.Settings
		op                 plan.Operation
		want               string
		warnings           []string
	}{
		{"boots that customers pay less for already", wooSales, "1,simple,A,0,3999,9999,,\n2,simple,B,0,,9999,,\n", table.Settings{}, sale("15", true), "1,simple,A,0,3999,9999,,\n2,simple,B,0,8499.15,9999,,\n", []string{turned}},
		{"and are put on sale all the same", wooSales, "1,simple,A,0,3999,9999,,\n", table.Settings{}, sale("15", false), "1,simple,A,0,8499.15,9999,,\n", []string{against}},
		{"where the price before is kept", shopifySales, "a,Size,A,39.99,99.99,\nb,Size,B,99.99,,\n", table.Settings{}, sale("15", true), "a,Size,A,39.99,99.99,\nb,Size,B,84.99,99.99,\n", []string{turned}},
		{"a price that is set as the sale's", shopifySales, "a,Size,A,40,100,\nb,Size,B,100,,\n", table.Settings{}, but(putOnSale(plan.SetPrice, "50"), func(op *plan.Operation) { op.OperationID, op.Options.KeepDirection = "op", true }), "a,Size,A,40,100,\nb,Size,B,50.00,100,\n", []string{turned}},
		{"a sale that stays the same", shopifySales, "a,Size,A,80.00,100.00,\n", table.Settings{}, sale("20", true), "a,Size,A,80.00,100.00,\n", nil},
		{"dates that are not looked at", wooSales, "1,simple,A,0,3999,9999,,2030-01-01\n", table.Settings{SaleDates: table.SaleDatesIgnore}, sale("15", true), "1,simple,A,0,3999,9999,,2030-01-01\n", []string{turned}},

		{"below the floor already", "sku,price\n", "A,12.50\nB,20.50\nC,40\n", table.Settings{}, off("5", kept), "A,12.50\nB,20.00\nC,38.00\n", []string{turned}},
		{"and raised to it", "sku,price\n", "A,12.50\n", table.Settings{}, off("5", floor), "A,20.00\n", []string{against}},
		{"over the cap already", "sku,price\n", "A,62\nB,1.95\n", table.Settings{}, up("3", plan.Options{MaxPrice: decimal("2"), KeepDirection: true}), "A,62\nB,2.00\n", []string{turned}},
		{"an ending below an increase", "sku,price\n", "A,20.00\nB,20.40\n", table.Settings{}, up("1", plan.Options{PriceEnding: decimal("0.99"), KeepDirection: true}), "A,20.00\nB,20.99\n", []string{turned}},
		{"a step above a decrease", "sku,price\n", "A,48\nB,140\n", table.Settings{}, off("1", plan.Options{RoundStep: decimal("50"), KeepDirection: true}), "A,48\nB,140\n",
			[]string{"2 rows would have what customers pay moved the other way than op is to move it, and are left alone; the first are rows 2, 3."}},
		{"a cost above a decrease", "sku,price,cost\n", "A,5.00,7\nB,10.00,7\n", table.Settings{}, off("50", plan.Options{NotBelowCost: true, KeepDirection: true}), "A,5.00,7\nB,7.00,7\n", []string{turned}},
		{"what has no direction", "sku,price\n", "A,30\n", table.Settings{}, but(off("5", kept), func(op *plan.Operation) { op.Action.Type = plan.SetPrice }), "A,20.00\n", nil},
		{"nothing changes by nothing", "sku,price\n", "A,12\n", table.Settings{}, off("0", kept), "A,20.00\n", nil},

		{"customers pay the sale's price before and after", wooSales, "1,simple,A,0,5,12,,\n", table.Settings{}, off("5", kept), "1,simple,A,0,5,20.00,,\n", []string{"1 row is on sale: its price changes, and its sale price, which customers pay, stays as it is: row 2."}},
		{"it is not known what they pay", wooSales, "1,simple,A,0,5,12,,2030-01-01\n", table.Settings{}, off("5", kept), "1,simple,A,0,5,12,,2030-01-01\n", []string{turned}},

		{"within the limits alone", "sku,price\n", "A,20.50\nB,12.00\nC,40.00\n", table.Settings{}, off("5", plan.Options{MinPrice: decimal("20"), OutsideLimits: plan.LeaveAlone}), "A,20.50\nB,12.00\nC,38.00\n",
			[]string{"2 rows have no new price within the limits of op, and are left alone; the first are rows 2, 3."}},
		{"at a limit", "sku,price\n", "A,10\n", table.Settings{}, up("100", plan.Options{MaxPrice: decimal("20"), OutsideLimits: plan.LeaveAlone}), "A,20.00\n", nil},
		{"over a cap", "sku,price\n", "A,10\nB,10.01\n", table.Settings{}, up("100", plan.Options{MaxPrice: decimal("20"), OutsideLimits: plan.LeaveAlone}), "A,20.00\nB,10.01\n", []string{beyond + "3."}},
		{"below the cost", "sku,price,cost\n", "A,10,6\nB,10,4\n", table.Settings{}, off("50", plan.Options{NotBelowCost: true, OutsideLimits: plan.LeaveAlone}), "A,10,6\nB,5.00,4\n", []string{beyond + "2."}},
		{"below zero", "sku,price\n", "A,3\nB,10\n", table.Settings{}, but(off("5", plan.Options{MinPrice: decimal("1"), OutsideLimits: plan.LeaveAlone}), func(op *plan.Operation) { op.Action.Type = plan.FixedDecrease }), "A,3\nB,5.00\n", []string{beyond + "2."}},
		{"a sale beyond a limit", wooSales, "1,simple,A,0,,100,,\n2,simple,B,0,,50,,\n", table.Settings{}, off("50", plan.Options{AsSale: true, MinPrice: decimal("30"), OutsideLimits: plan.LeaveAlone}), "1,simple,A,0,50.00,100,,\n2,simple,B,0,,50,,\n", []string{beyond + "3."}},
		{"clamped, as if nothing is said", "sku,price\n", "A,30\n", table.Settings{}, off("50", plan.Options{MinPrice: decimal("20"), OutsideLimits: plan.ClampToLimits}), "A,20.00\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &plan.Plan{Operations: []plan.Operation{test.op}}
			summary, out := onSale(t, test.settings, test.header+test.rows, test.op)
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
			compare(t, p, test.settings, []byte(test.header+test.rows), 7, 1<<16)
			givesBack(t, p, test.settings, test.header+test.rows, 1<<16)
		})
	}
}

// TestDirectionOfEachOperation: an operation that is turned back counts its row as matched, and
// the next one sees what the row had before.
func TestDirectionOfEachOperation(t *testing.T) {
	ops := []plan.Operation{
		but(putOnSale(plan.PercentDecrease, "15"), func(op *plan.Operation) { op.Options.KeepDirection = true }),
		{OperationID: "up", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("100")}, Options: plan.Options{KeepDirection: true}},
		endSale(),
	}
	p := &plan.Plan{Operations: ops}
	const rows = "a,Size,A,40,100,\nb,Size,B,100,,\n"
	summary, out := onSale(t, table.Settings{}, shopifySales+rows, ops...)
	if want := shopifySales + "a,Size,A,100,,\nb,Size,B,170.00,100,\n"; out != want {
		t.Errorf("%s, want %s", out, want)
	}
	if first := summary.Operations[0]; first.RowsMatched != 2 || first.RowsChanged != 1 {
		t.Errorf("%+v", first)
	}
	compare(t, p, table.Settings{}, []byte(shopifySales+rows), 7, 1<<16)
}
