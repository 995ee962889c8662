package planner_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
)

// BenchmarkCreatePlan is what the function itself costs beside the planner it
// asks: reading, choosing an id, validating, storing, explaining.
func BenchmarkCreatePlan(b *testing.B) {
	for _, rules := range []int{1, plan.MaxOperations} {
		b.Run(fmt.Sprintf("rules=%d", rules), func(b *testing.B) {
			s := open(b)
			s.planner.more = bands(rules - 1)
			n := 0
			for b.Loop() {
				n++
				request := httptest.NewRequest("POST", "/v1/plans", strings.NewReader(fmt.Sprintf(`{"instruction":%q,"execution_id":"plan_bench_v%d"}`, raise, n)))
				request.Header.Set("Content-Type", "application/json")
				recorder := httptest.NewRecorder()
				s.Config.Handler.ServeHTTP(recorder, request)
				if recorder.Code != 201 {
					b.Fatal(recorder.Body)
				}
			}
		})
	}
}

// bands are rules for products that all of them may be about, of which each
// must be compared with each.
func bands(n int) []plan.Operation {
	var operations []plan.Operation
	for i := range n {
		low, high := plan.MustDecimal(fmt.Sprint(10*i)), plan.MustDecimal(fmt.Sprintf("%d.99", 10*i+9))
		operations = append(operations, plan.Operation{
			OperationID: fmt.Sprintf("band_%d", i), Filter: plan.Filter{PriceGTE: &low, PriceLTE: &high},
			Action: plan.Action{Type: plan.PercentIncrease, Value: plan.MustDecimal("5")},
		})
	}
	return operations
}
