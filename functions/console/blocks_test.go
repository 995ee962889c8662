package console

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/pricing"
)

func TestRuleFacts(t *testing.T) {
	price := func(text string) *pricing.Outcome { return &pricing.Outcome{Price: &text} }
	exceptions := []pricing.Exception{
		{Condition: "exclude_skus", Names: []string{"A1", "A\u202e2"}, More: 1_200, Rows: 1}, {Condition: "exclude_brands", Names: []string{"Nike"}, Rows: 24},
	}
	overlap := pricing.Overlap{
		OperationIDs: [2]string{"a", "b"}, Rows: 1_000,
		Samples: []pricing.Sample{{SKU: "A1", Before: price("10"), First: price("9"), Both: price("8")}},
	}
	got := []string{
		exceptionText(exceptions[0]),
		exceptionText(exceptions[1]),
		emptiedText([]pricing.Emptying{{Condition: "price_lte", RowsWithout: 2}, {Condition: "brands"}}),
		overlapText(overlap, 1, 2),
	}
	want := []string{
		"“except sku: A1, A\ufffd2 and 1,200 more” takes out 1 product.",
		"“except brand: Nike” takes out 24 products.",
		"no product fits. Without “price”, 2 products would. Nothing fits “brand” alone.",
		"Rules 1 and 2 are both for 1,000 products. They are changed by both, in this order. A1: 10, by rule 1 alone 9, by rule 2 alone refused, by both 8.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
