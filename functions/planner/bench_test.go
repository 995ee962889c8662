package planner_test

import (
	"encoding/json"
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

// BenchmarkPreviewRules is what a person waits for who changes rules over a held table of
// 20,000 rows and 3.6 MB: cold in a process that has not read the table yet, warm after that.
func BenchmarkPreviewRules(b *testing.B) {
	const rules = `[{"filter":{"categories":["c3"],"exclude_brands":["b1"]},"action":{"type":"percent_increase","value":10},"options":{"price_ending":0.99}},` +
		`{"filter":{"in_stock":true,"price_lte":40},"action":{"type":"percent_decrease","value":5}},` +
		`{"filter":{"brands":["b2"],"price_gte":5000},"action":{"type":"set_price","value":9}}]`
	c := talking(b)
	call := func(path, contentType, body string, want int) string {
		request := httptest.NewRequest("POST", path, strings.NewReader(body))
		request.Header.Set("Content-Type", contentType)
		recorder := httptest.NewRecorder()
		c.Config.Handler.ServeHTTP(recorder, request)
		if recorder.Code != want {
			b.Fatal(recorder.Code, recorder.Body)
		}
		return recorder.Body.String()
	}
	shop := largeShop(20_000)
	held := func() string {
		var table struct{ Table string }
		if err := json.Unmarshal([]byte(call("/v1/tables?file=shop.csv", "text/csv", shop, 201)), &table); err != nil {
			b.Fatal(err)
		}
		return fmt.Sprintf(`{"table":%q,"operations":%s}`, table.Table, rules)
	}
	body := held()
	for _, warm := range []bool{false, true} {
		b.Run(fmt.Sprintf("warm=%t", warm), func(b *testing.B) {
			for b.Loop() {
				if !warm {
					b.StopTimer()
					body = held()
					b.StartTimer()
				}
				call("/v1/plans:preview", "application/json", body, 200)
			}
		})
	}
}

// largeShop is a table with a description in each row.
func largeShop(rows int) string {
	var text strings.Builder
	text.WriteString("sku,name,description,category,brand,price,in_stock\n")
	description := strings.Repeat("A thing for daily use, as our customers know it. ", 2)
	for i := range rows {
		fmt.Fprintf(&text, "SKU-%05d,Thing number %d,\"%s\",c%d,b%d,%d.50,%t\n", i, i, description, i%20, i%7, 5+i%90, i%3 > 0)
	}
	return text.String()
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
