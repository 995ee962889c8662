package pricing_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
)

func TestCountRows(t *testing.T) {
	const shop = "sku,price,category,status\nA,1.05,Mugs,draft\nB,2,Mugs,active\nC,3,Lamps,draft\nD,4,Lamps,\n"
	two := plan.MustDecimal("2")
	count := func(filters ...plan.Filter) []int64 {
		open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(shop)), nil }
		return pricing.CountRows(t.Context(), open, table.Settings{}, filters)
	}
	draft := plan.Filter{Where: []plan.Where{{Column: "status", Kind: plan.WhereIs, Values: []string{"draft"}}}}
	got := count(plan.Filter{}, plan.Filter{Categories: []string{"Mugs"}}, draft, plan.Filter{PriceGTE: &two}, plan.Filter{Categories: []string{"Mugs"}})
	if want := []int64{4, 2, 2, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("the filters match %v rows, want %v", got, want)
	}
	if got := count(plan.Filter{Categories: []string{"Rugs"}}); got != nil {
		t.Errorf("a name that the table has not matches %v rows", got)
	}
}
