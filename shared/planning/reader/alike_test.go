package reader

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// TestAlikeNames: what is typed is the names of the table that look so, all of
// them, for the engine to tell of. Of SKUs it is the one that is typed, or asked about.
func TestAlikeNames(t *testing.T) {
	for _, test := range []struct {
		text  string
		names planning.Names
		want  []string
	}{
		{"raise Men's by 5%", planning.Names{Categories: []string{"Men's", "Men\u2019s"}}, []string{"Men's", "Men\u2019s"}},
		{"raise Men\u2019s by 5%", planning.Names{Categories: []string{"Men's", "Hats"}}, []string{"Men's"}},
		{"raise T-Shirts by 5%", planning.Names{Categories: []string{"T-Shirts", "T\u2011Shirts"}}, []string{"T-Shirts", "T\u2011Shirts"}},
		{"raise Kids & Toys by 5%", planning.Names{Categories: []string{"Kids &amp; Toys", "Kids & Toys"}}, []string{"Kids & Toys", "Kids &amp; Toys"}},
		{"raise Kids and Toys by 5%", planning.Names{Categories: []string{"Kids &amp; Toys"}}, []string{"Kids &amp; Toys"}},
		{"raise home gym by 5%", planning.Names{Categories: []string{"Home  Gym", "Home Gym"}}, []string{"Home  Gym", "Home Gym"}},
		{"raise cables by 5%", planning.Names{Categories: []string{"\u0421ables"}}, []string{"\u0421ables"}},
		{`raise "Men's" by 5%`, planning.Names{Categories: []string{"Men's", "Men\u2019s"}}, []string{"Men's"}},
		{"raise SKU 007 by 5%", planning.Names{SKUs: []string{"007", "7"}}, []string{"007"}},
		{"raise SKU A-1 by 5%", planning.Names{SKUs: []string{"A-1", "A\u20111"}}, []string{"A-1"}},
		{"raise SKU 7 by 5%", planning.Names{SKUs: []string{"007", "8"}}, []string{"007"}},
		{"raise SKU 0077 by 5%", planning.Names{SKUs: []string{"77"}}, []string{"77"}},
	} {
		t.Run(test.text, func(t *testing.T) {
			test.names.Whole = true
			u := New().Read(planning.Request{Instruction: test.text, Names: test.names})
			if len(u.Candidates) != 1 || u.Asked != nil {
				t.Fatalf("%d candidates, asked %v", len(u.Candidates), u.Asked)
			}
			f := u.Candidates[0].Operations[0].Filter
			categories, _ := f.Names(plan.ColumnCategory)
			skus, _ := f.Names(plan.ColumnSKU)
			if diff := cmp.Diff(test.want, slices.Sorted(slices.Values(slices.Concat(categories, skus)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
