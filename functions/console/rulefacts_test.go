package console

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
)

func TestRuleFacts(t *testing.T) {
	price := func(text string) *pricing.Outcome { return &pricing.Outcome{Price: &text} }
	count := func(id string) pricing.OperationCount { return pricing.OperationCount{OperationID: id} }
	one := pricing.Rule{OperationCount: count("a"), Exceptions: []pricing.Exception{
		{Condition: "exclude_skus", Names: []string{"A1", "A\u202e2"}, More: 1_200, Rows: 1}, {Condition: "exclude_brands", Names: []string{"Nike"}, Rows: 24},
	}}
	two := pricing.Rule{OperationCount: count("b"), EmptiedBy: []pricing.Emptying{{Condition: "price_lte", RowsWithout: 2}, {Condition: "brands"}}}
	got := ruleFacts(plannerapi.RuleFigures{Rules: []pricing.Rule{one, two}, Overlaps: []pricing.Overlap{{
		OperationIDs: [2]string{"a", "b"}, Rows: 1_000,
		Samples: []pricing.Sample{{SKU: "A1", Before: price("10"), First: price("9"), Both: price("8")}},
	}}})
	want := []string{
		"Rule 1: “except sku: A1, A\ufffd2 and 1,200 more” takes out 1 product.",
		"Rule 1: “except brand: Nike” takes out 24 products.",
		"Rule 2: no product fits. Without “price”, 2 products would. Nothing fits “brand” alone.",
		"Rules 1 and 2 are both for 1,000 products. They are changed by both, in this order. A1: 10, by rule 1 alone 9, by rule 2 alone refused, by both 8.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if alone := ruleFacts(plannerapi.RuleFigures{Rules: []pricing.Rule{{Exceptions: one.Exceptions[1:]}}}); len(alone) != 1 || alone[0] != "“except brand: Nike” takes out 24 products." {
		t.Errorf("%q", alone)
	}
}
