package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
)

func TestMeant(t *testing.T) {
	yes := true
	for name, test := range map[string]struct {
		from    plan.Filter
		column  plan.Column
		name    string
		as      plan.Column
		written string
		want    plan.Filter
		same    bool
	}{
		"an exception by its SKU": {plan.Filter{ExcludeCategories: []string{"cc-beanie", "Hats"}, ExcludeSKUs: []string{"z"}}, plan.ColumnCategory, "cc-beanie", plan.ColumnSKU, "CC-Beanie",
			plan.Filter{ExcludeCategories: []string{"Hats"}, ExcludeSKUs: []string{"CC-Beanie", "z"}}, true},
		"the only exception":        {plan.Filter{ExcludeCategories: []string{"cc-beanie"}}, plan.ColumnCategory, "cc-beanie", plan.ColumnSKU, "cc-beanie", plan.Filter{ExcludeSKUs: []string{"cc-beanie"}}, true},
		"the only category a brand": {plan.Filter{Categories: []string{"nike"}, InStock: &yes}, plan.ColumnCategory, "nike", plan.ColumnBrand, "Nike", plan.Filter{Brands: []string{"Nike"}, InStock: &yes}, true},
		"one of two categories":     {plan.Filter{Categories: []string{"nike", "Hats"}}, plan.ColumnCategory, "nike", plan.ColumnBrand, "Nike", plan.Filter{}, false},
		"beside brands":             {plan.Filter{Categories: []string{"nike"}, Brands: []string{"Adidas"}}, plan.ColumnCategory, "nike", plan.ColumnBrand, "Nike", plan.Filter{}, false},
		"in another case":           {plan.Filter{Categories: []string{"hats", "Yoga"}}, plan.ColumnCategory, "hats", plan.ColumnCategory, "Hats", plan.Filter{Categories: []string{"Hats", "Yoga"}}, true},
		"a column without names":    {plan.Filter{Categories: []string{"hats"}}, plan.ColumnCategory, "hats", plan.ColumnPrice, "Hats", plan.Filter{}, false},
		"not named":                 {plan.Filter{SKUs: []string{"a"}}, plan.ColumnCategory, "a", plan.ColumnBrand, "A", plan.Filter{SKUs: []string{"a"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, same := test.from.Meant(test.column, test.name, test.as, test.written)
			if same != test.same {
				t.Fatalf("keeps its meaning: %v, want %v", same, test.same)
			}
			if diff := cmp.Diff(test.want, got); same && diff != "" {
				t.Errorf("the filter (-want +got):\n%s", diff)
			}
		})
	}
}
