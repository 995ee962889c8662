package planner_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

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
// 20,000 rows: cold in a process that has not read the table yet, warm after that. One has
// 3.6 MB; the other is of the size and the columns of a real export, with 19 MB.
func BenchmarkPreviewRules(b *testing.B) {
	b.Run("plain", func(b *testing.B) { previewRules(b, largeShop(20_000)) })
	b.Run("export", func(b *testing.B) { previewRules(b, shopifyShop(20_000)) })
}

func previewRules(b *testing.B, shop string) {
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
			var spent time.Duration
			for b.Loop() {
				if !warm {
					b.StopTimer()
					body = held()
					b.StartTimer()
				}
				before := processorTime(b)
				call("/v1/plans:preview", "application/json", body, 200)
				spent += processorTime(b) - before
			}
			b.ReportMetric(float64(spent.Microseconds())/1000/float64(b.N), "cpu-ms/op") // of all cores, whatever else runs
		})
	}
}

// processorTime is what this process has used of all processors.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
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

// shopifyShop is an export as Shopify writes it, with three variants of each product and its
// description in HTML.
func shopifyShop(rows int) string {
	var text strings.Builder
	text.WriteString("Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Variant Image,Variant Weight Unit,Variant Tax Code,Cost per item,Status\n")
	description := "<p>" + strings.Repeat("A thing for daily use, \"\"as our customers know it\"\", made with care. ", 25) + "</p>"
	for i := range rows {
		product := i / 3
		if i%3 == 0 {
			fmt.Fprintf(&text, "thing-%d,Thing number %d,\"%s\",b%d,Apparel > Tops,c%d,\"new, t%d\",true,Size,S,,,,,", product, product, description, product%7, product%20, product%9)
		} else {
			fmt.Fprintf(&text, "thing-%d,,,,,,,,,%c,,,,,", product, "SML"[i%3])
		}
		fmt.Fprintf(&text, "SKU-%05d,200,shopify,%d,deny,manual,%d.50,,true,true,,https://cdn.example.com/s/files/1/0001/0002/0003/products/thing-%d-%d.jpg?v=1700000000,1,A picture of thing number %d,false,,,,kg,,%d.00,active\n", i, i%30, 5+i%90, product, i, product, 2+i%40)
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
