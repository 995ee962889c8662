package pricing_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table"
)

// TestUndoAgainstTheReference takes back, in tables that were edited since, what
// random plans did: the engine alone, as TestLives has commands and a server do it.
func TestUndoAgainstTheReference(t *testing.T) {
	for seed := range seeds(300) {
		l := pricingtest.NewLife(seed)
		if l.Want.RowsChanged == 0 {
			continue
		}
		l.SameUndo(t, "undone", l.Edit(), func(edited []byte) (string, bool) { return undoAlone(t, l, edited) })
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, l)
		}
	}
}

// undoAlone has the engine undo the plan on an edited table.
func undoAlone(t *testing.T, l *pricingtest.Life, edited []byte) (back string, done bool) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	e, err := pricing.Compile(l.Plan, l.Settings)
	must(err)
	forth, err := runEngine(t, e, string(l.Input))
	must(err)
	again, err := forth.Table.ReadAgain(l.Settings, table.Settings{})
	must(err)
	undo, err := pricing.CompileUndo(undoOf(forth.changes, ""), again, strings.NewReader(forth.changes))
	must(err)
	if undo, err = undo.BySKU(t.Context(), bytes.NewReader(l.Input), bytes.NewReader(edited)); err != nil {
		return "", false
	}
	got, err := runEngine(t, undo, string(edited))
	return got.out, err == nil
}
