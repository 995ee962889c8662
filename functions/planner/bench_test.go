package planner_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkCreatePlan is what the function itself costs beside the planner it
// asks: reading, choosing an id, validating, storing, explaining.
func BenchmarkCreatePlan(b *testing.B) {
	s := open(b)
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
}
