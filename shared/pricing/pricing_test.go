package pricing

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// result is all that a run gives.
type result struct {
	Out, Changes string
	Summary      Summary
}

// run carries a plan out over a table; every error fails the test.
func runTable(t *testing.T, e *Engine, text string) result {
	t.Helper()
	var out, changes bytes.Buffer
	summary, err := e.Run(t.Context(), strings.NewReader(text), &out, &changes)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	summary.Table, summary.Warnings, summary.Figures, summary.Effect = table.Recognized{}, nil, Figures{}, Effect{} // other tests look at them
	return result{out.String(), changes.String(), summary}
}

// compile compiles a plan for tables that need not have all its names.
func compile(t testing.TB, s table.Settings, operations ...plan.Operation) *Engine {
	t.Helper()
	p := &plan.Plan{Operations: operations}
	s.Unmatched = setting.RepriceAll(p.Excluded()...)
	e, err := Compile(p, s)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return e
}

func shared(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func ptr[T any](v T) *T { return &v }

func TestExample(t *testing.T) {
	e := compile(t, table.Settings{}, plan.Operation{
		OperationID: "op1",
		Filter:      plan.Filter{Categories: []string{"fitness"}, InStock: ptr(true)},
		Action:      plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("10")},
	})
	got := runTable(t, e, shared(t, "products.csv"))
	want := result{
		Out: shared(t, "products_updated.csv"),
		Changes: `{"row":2,"sku":"A101","operation_ids":["op1"],"before":{"price":"29.99","in_stock":true},"after":{"price":"32.99","in_stock":true}}` + "\n" +
			`{"row":3,"sku":"A102","operation_ids":["op1"],"before":{"price":"39.99","in_stock":true},"after":{"price":"43.99","in_stock":true}}` + "\n",
		Summary: Summary{Counts: Counts{RowsTotal: 7, RowsChanged: 2, Operations: []OperationCount{{"op1", 2, 2}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
