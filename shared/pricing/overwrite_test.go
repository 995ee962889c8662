package pricing_test

import (
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

// An undo that overwrites gives rows that were changed since back what they had, says what
// they had in between, and is undone to the byte.
func TestUndoOverwrites(t *testing.T) {
	const before = "sku,price,in_stock\nA,10.00,yes\nB,20.00,no\nC,30.00,yes\n"
	raise := []plan.Operation{
		{OperationID: "raise", Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")}},
		{OperationID: "stock", Action: plan.Action{Type: plan.SetStock, Stock: true}},
	}
	forth, err := runEngine(t, compileSales(t, table.Settings{}, raise...), before)
	if err != nil {
		t.Fatal(err)
	}
	now := strings.NewReplacer("11.00", "12.50", "22.00,yes", "25.00,no").Replace(forth.out)
	now = strings.Replace(now, "C,33.00,yes\n", "", 1) // it is gone
	e, err := pricing.CompileUndo(undoOf(forth.changes, plan.StaleOverwrite), table.Settings{}, strings.NewReader(forth.changes))
	if err != nil {
		t.Fatal(err)
	}
	back, err := runEngine(t, e, now)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(before, "C,30.00,yes\n", "", 1); back.out != want || back.RowsStale != 1 || back.RowsChanged != 2 {
		t.Errorf("%d stale, %d changed:\n%s", back.RowsStale, back.RowsChanged, back.out)
	}
	for _, want := range []string{`"before":{"price":"12.50"`, `"before":{"price":"25.00"`} {
		if !strings.Contains(back.changes, want) {
			t.Errorf("no %s in\n%s", want, back.changes)
		}
	}
	if again := undone(t, back.changes, table.Settings{}, back.out); again.out != now {
		t.Errorf("undone once more it is\n%s", again.out)
	}
}
