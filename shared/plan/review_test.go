package plan_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// reviewed are plans whose explanation, and what depends on what in them, a person reads in
// testdata/review.golden. Each line is one operation.
var reviewed = []struct{ name, operations string }{
	{"the required instruction", `{"operation_id":"op_01","filter":{"categories":["fitness"],"in_stock":true},"action":{"type":"percent_increase","value":10},"options":{"round_to":2}}`},
	{"two unrelated rules", `
		{"operation_id":"op_01","filter":{"categories":["fitness"],"in_stock":true},"action":{"type":"percent_increase","value":15}}
		{"operation_id":"op_02","filter":{"categories":["accessories"]},"action":{"type":"set_stock","value":false}}`},
	{"every action", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_increase","value":7.5}}
		{"operation_id":"op_02","filter":{"skus":["A2"],"price_gte":20},"action":{"type":"fixed_increase","value":2},"options":{"round_to":0}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"percent_decrease","value":5},"options":{"round_to":1}}
		{"operation_id":"op_04","filter":{"skus":["A4"],"price_gte":20},"action":{"type":"fixed_decrease","value":0.5},"options":{"round_to":6}}
		{"operation_id":"op_05","filter":{"skus":["A5"]},"action":{"type":"set_price","value":15}}
		{"operation_id":"op_06","filter":{"skus":["A6"]},"action":{"type":"set_stock","value":true}}`},
	{"every condition", `
		{"operation_id":"op_01","filter":{"categories":["yoga","fitness"],"skus":["A1","A2","A3"],"in_stock":false,"price_gte":15,"price_lte":30,"exclude_categories":["clearance"],"exclude_skus":["A9","A8"]},"action":{"type":"percent_increase","value":1}}`},
	{"brands, tags and names", `
		{"operation_id":"op_01","filter":{"brands":["Nike"],"tags":["summer","new in"],"name_contains":["linen","yoga mat"],"in_stock":true,"price_lte":50,"exclude_brands":["Puma"],"exclude_tags":["sale"],"exclude_name_contains":["kids","baby"]},"action":{"type":"percent_increase","value":1}}
		{"operation_id":"op_02","filter":{"exclude_brands":["Nike","Adidas"],"name_contains":["linen"]},"action":{"type":"percent_increase","value":2}}
		{"operation_id":"op_03","filter":{"exclude_name_contains":["linen"],"brands":["Adidas","Puma"]},"action":{"type":"percent_increase","value":2}}
		{"operation_id":"op_04","filter":{"brands":["Zara"],"tags":["a"],"exclude_tags":["a"]},"action":{"type":"percent_increase","value":2}}`},
	{"a row may have several tags", `
		{"operation_id":"op_01","filter":{"tags":["a"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"tags":["b"]},"action":{"type":"set_price","value":5}}`},
	{"tags left out keep apart", `
		{"operation_id":"op_01","filter":{"tags":["a","b"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"exclude_tags":["a","b"]},"action":{"type":"set_price","value":5}}`},
	{"a tag left out of several", `
		{"operation_id":"op_01","filter":{"tags":["a","b"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"exclude_tags":["a"]},"action":{"type":"set_price","value":5}}`},
	{"sold out by tags before the increase", `
		{"operation_id":"op_01","filter":{"tags":["a","b"]},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_02","filter":{"tags":["a"],"in_stock":true},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_03","filter":{"tags":["c"],"in_stock":true},"action":{"type":"percent_increase","value":10}}`},
	{"names that have one phrase may have another", `
		{"operation_id":"op_01","filter":{"name_contains":["linen"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"name_contains":["cotton"]},"action":{"type":"set_price","value":5}}`},
	{"price ranges", `
		{"operation_id":"op_01","filter":{"categories":["a"],"price_gte":20},"action":{"type":"percent_increase","value":1}}
		{"operation_id":"op_02","filter":{"categories":["b"],"price_lte":50},"action":{"type":"percent_increase","value":1}}
		{"operation_id":"op_03","filter":{"categories":["c"],"price_gte":9.9,"price_lte":9.90},"action":{"type":"percent_increase","value":1}}`},
	{"every option", `{"operation_id":"op_01","filter":{},"action":{"type":"percent_increase","value":10},"options":{"price_ending":0.9,"min_price":5,"max_price":99.5}}`},
	{"rounding", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_increase","value":10},"options":{"round_step":50}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"percent_increase","value":10},"options":{"round_step":50,"rounding":"up","round_to":0}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"percent_increase","value":10},"options":{"price_ending":0.99,"rounding":"down"}}
		{"operation_id":"op_04","filter":{"skus":["A4"]},"action":{"type":"percent_increase","value":10},"options":{"round_step":10,"price_ending":9,"round_to":0}}
		{"operation_id":"op_05","filter":{"skus":["A5"]},"action":{"type":"percent_increase","value":10},"options":{"rounding":"up"}}
		{"operation_id":"op_06","filter":{"skus":["A6"]},"action":{"type":"percent_increase","value":10},"options":{"rounding":"nearest","round_to":1}}
		{"operation_id":"op_07","filter":{"skus":["A7"]},"action":{"type":"percent_increase","value":10},"options":{"round_step":5,"price_ending":4.99,"rounding":"up"}}`},
	{"rows that are left alone", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_decrease","value":5},"options":{"min_price":20,"keep_direction":true}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"percent_increase","value":5},"options":{"max_price":50,"keep_direction":true,"outside_limits":"clamp"}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"percent_decrease","value":15},"options":{"as_sale":true,"keep_direction":true}}
		{"operation_id":"op_04","filter":{"skus":["A4"]},"action":{"type":"set_price","value":15},"options":{"keep_direction":true}}
		{"operation_id":"op_05","filter":{"skus":["A5"]},"action":{"type":"percent_decrease","value":15},"options":{"min_price":5,"max_price":50,"not_below_cost":true,"outside_limits":"leave"}}`},
	{"other columns", `
		{"operation_id":"op_01","filter":{"where":[{"column":"Status","is":["draft",""]}]},"action":{"type":"set_price","value":999}}
		{"operation_id":"op_02","filter":{"categories":["a"],"in_stock":true,"where":[{"column":"Product Type","contains":["linen"]},{"column":"Handle","starts_with":["ab","cd"]},{"column":"Vendor","is_not":["Nike"]}]},"action":{"type":"percent_increase","value":5}}
		{"operation_id":"op_03","filter":{"where":[{"column":"Status","is":["draft"]}]},"action":{"type":"set_stock","value":false}}`},
	{"prices from before a sale", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"set_compare_at","value":1099},"options":{"round_step":5,"min_price":3,"as_sale":true}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"set_compare_at"}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"set_compare_at"},"options":{"rounding":"up","round_to":0}}`},
	{"quantities", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"set_quantity","value":9650}}
		{"operation_id":"op_02","filter":{"in_stock":true,"quantity_gte":10},"action":{"type":"percent_decrease","value":10}}
		{"operation_id":"op_03","filter":{"quantity_gte":1,"quantity_lte":5},"action":{"type":"quantity_decrease","value":2}}
		{"operation_id":"op_04","filter":{"skus":["A4"]},"action":{"type":"quantity_increase","value":7}}`},
	{"names that need quotes", `{"operation_id":"op_01","filter":{"categories":["Home & Garden","or","yoga mats","Größe-2","trailing."],"skus":["A\u202e1"]},"action":{"type":"percent_increase","value":1}}`},
	{"many names", `{"operation_id":"op_01","filter":{"skus":["S01","S02","S03","S04","S05","S06","S07","S08","S09","S10","S11","S12","S13","S14","S15","S16","S17","S18","S19","S20","S21","S22"]},"action":{"type":"percent_increase","value":1}}`},
	{"as many names as are listed", `{"operation_id":"op_01","filter":{"skus":["S01","S02","S03","S04","S05","S06","S07","S08","S09","S10","S11","S12","S13","S14","S15","S16","S17","S18","S19","S20"]},"action":{"type":"percent_increase","value":1}}`},
	{"later conditions look at what was written", `
		{"operation_id":"op_01","filter":{},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"price_lte":20},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_03","filter":{"in_stock":true},"action":{"type":"fixed_increase","value":1}}`},
	{"price bands from below", `
		{"operation_id":"low","filter":{"price_lte":19.99},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"high","filter":{"price_gte":20},"action":{"type":"percent_increase","value":5}}`},
	{"price bands from above", `
		{"operation_id":"high","filter":{"price_gte":20},"action":{"type":"percent_increase","value":5}}
		{"operation_id":"low","filter":{"price_lte":19.99},"action":{"type":"percent_increase","value":10}}`},
	{"overlap that commutes", `
		{"operation_id":"op_01","filter":{"categories":["yoga"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"skus":["A1"]},"action":{"type":"percent_decrease","value":5}}`},
	{"overlap that does not commute", `
		{"operation_id":"op_01","filter":{},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{},"action":{"type":"fixed_increase","value":1}}
		{"operation_id":"op_03","filter":{"categories":["yoga"]},"action":{"type":"set_price","value":15}}`},
	{"exclusion keeps apart", `
		{"operation_id":"op_01","filter":{"exclude_categories":["yoga"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"categories":["yoga"]},"action":{"type":"percent_increase","value":20}}`},
	{"stock keeps apart", `
		{"operation_id":"op_01","filter":{"in_stock":true},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_02","filter":{"in_stock":false},"action":{"type":"percent_decrease","value":10}}`},
	{"sold out before the increase", `
		{"operation_id":"op_01","filter":{"categories":["yoga","accessories"]},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_02","filter":{"categories":["yoga"],"in_stock":true},"action":{"type":"percent_increase","value":10}}`},
	{"some sold out before the increase", `
		{"operation_id":"op_01","filter":{"categories":["yoga"],"price_lte":5},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_02","filter":{"categories":["yoga"],"in_stock":true},"action":{"type":"percent_increase","value":10}}`},
	{"sold out already", `
		{"operation_id":"op_01","filter":{"in_stock":false},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_02","filter":{"in_stock":true},"action":{"type":"percent_increase","value":10}}`},
	{"another product is put back", `
		{"operation_id":"op_01","filter":{},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_02","filter":{"skus":["A1"]},"action":{"type":"set_stock","value":true}}
		{"operation_id":"op_03","filter":{"skus":["A2"],"in_stock":true},"action":{"type":"percent_increase","value":10}}`},
	{"stock set twice", `
		{"operation_id":"op_01","filter":{"categories":["yoga"]},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_02","filter":{"skus":["A1"]},"action":{"type":"set_stock","value":true}}`},
	{"all that is listed is excluded", `{"operation_id":"op_01","filter":{"skus":["A1"],"exclude_skus":["A1","A2"]},"action":{"type":"set_price","value":5}}`},
	{"price set out of the later range", `
		{"operation_id":"op_01","filter":{},"action":{"type":"set_price","value":50}}
		{"operation_id":"op_02","filter":{"price_lte":20},"action":{"type":"percent_decrease","value":5}}`},
	{"price set and raised out of the later range", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"set_price","value":50}}
		{"operation_id":"op_02","filter":{"skus":["A1"],"price_gte":10},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_03","filter":{"skus":["A1"],"price_lte":20},"action":{"type":"percent_decrease","value":5}}`},
	{"an ending reaches the later range", `
		{"operation_id":"op_01","filter":{"price_lte":10},"action":{"type":"set_price","value":10.6},"options":{"price_ending":0.99}}
		{"operation_id":"op_02","filter":{"price_gte":10.9},"action":{"type":"set_stock","value":true}}`},
	{"rounding does not reach the later range", `
		{"operation_id":"op_01","filter":{"price_lte":10},"action":{"type":"set_price","value":10.6}}
		{"operation_id":"op_02","filter":{"price_gte":10.9},"action":{"type":"set_stock","value":true}}`},
	{"unknown categories", `{"operation_id":"op_01","filter":{"categories":["Yoga","boats","fitness"]},"action":{"type":"percent_increase","value":1}}`},
	{"free", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_decrease","value":100}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"set_price","value":0}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"fixed_decrease","value":5}}`},
	{"decreases with a floor or a safe range", `
		{"operation_id":"op_01","filter":{"skus":["A1"],"price_gte":10},"action":{"type":"percent_decrease","value":20},"options":{"min_price":8}}
		{"operation_id":"op_02","filter":{"skus":["A2"],"price_gte":10.01},"action":{"type":"fixed_decrease","value":5}}
		{"operation_id":"op_03","filter":{"skus":["A3"],"price_gte":5},"action":{"type":"fixed_decrease","value":5}}`},
	{"large changes", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_increase","value":50}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"percent_increase","value":50.1}}
		{"operation_id":"op_03","filter":{"skus":["A3"],"price_lte":10},"action":{"type":"set_price","value":15.01}}
		{"operation_id":"op_04","filter":{"skus":["A4"],"price_gte":10,"price_lte":10},"action":{"type":"fixed_increase","value":5}}`},
	{"cap and floor", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_increase","value":10},"options":{"max_price":50}}
		{"operation_id":"op_02","filter":{"skus":["A2"],"price_lte":50},"action":{"type":"percent_increase","value":10},"options":{"max_price":50}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"percent_decrease","value":10},"options":{"min_price":12}}`},
	{"from the cost", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"cost_plus_percent","value":40},"options":{"price_ending":0.99,"max_price":99.99}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"cost_plus_percent","value":0}}
		{"operation_id":"op_03","filter":{"skus":["A3"]},"action":{"type":"percent_decrease","value":30},"options":{"not_below_cost":true}}
		{"operation_id":"op_04","filter":{"skus":["A4"]},"action":{"type":"fixed_decrease","value":5},"options":{"not_below_cost":true,"price_ending":0.9,"round_to":1,"max_price":50}}
		{"operation_id":"op_05","filter":{"skus":["A5"]},"action":{"type":"set_price","value":12},"options":{"not_below_cost":true}}
		{"operation_id":"op_06","filter":{"skus":["A6"]},"action":{"type":"set_stock","value":true},"options":{"not_below_cost":true}}`},
	{"from the cost, twice the same", `
		{"operation_id":"op_01","filter":{"brands":["Nike"]},"action":{"type":"cost_plus_percent","value":40}}
		{"operation_id":"op_02","filter":{"tags":["new"]},"action":{"type":"cost_plus_percent","value":40.0}}`},
	{"from the cost and from the price", `
		{"operation_id":"op_01","filter":{"brands":["Nike"]},"action":{"type":"cost_plus_percent","value":40}}
		{"operation_id":"op_02","filter":{"brands":["Nike"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_03","filter":{"brands":["Adidas"]},"action":{"type":"percent_increase","value":10}}
		{"operation_id":"op_04","filter":{"brands":["Adidas"]},"action":{"type":"cost_plus_percent","value":40}}`},
	{"a price from the cost may be any, and may stay", `
		{"operation_id":"op_01","filter":{"price_lte":10},"action":{"type":"cost_plus_percent","value":40},"options":{"min_price":20,"max_price":30}}
		{"operation_id":"op_02","filter":{"price_lte":10},"action":{"type":"set_stock","value":true}}
		{"operation_id":"op_03","filter":{"price_gte":20,"price_lte":30},"action":{"type":"set_stock","value":false}}
		{"operation_id":"op_04","filter":{"price_gte":11,"price_lte":19},"action":{"type":"set_stock","value":false}}`},
	{"what is not below the cost may be above any price", `
		{"operation_id":"op_01","filter":{"price_lte":10},"action":{"type":"percent_decrease","value":10},"options":{"not_below_cost":true}}
		{"operation_id":"op_02","filter":{"price_gte":500},"action":{"type":"set_stock","value":false}}`},
	{"put on sale", `
		{"operation_id":"op_01","filter":{"categories":["yoga"],"on_sale":false},"action":{"type":"percent_decrease","value":20},"options":{"as_sale":true}}
		{"operation_id":"op_02","filter":{"skus":["A1"]},"action":{"type":"set_price","value":19.99},"options":{"as_sale":true,"not_below_cost":true}}
		{"operation_id":"op_03","filter":{"brands":["Nike"],"price_gte":20,"in_stock":true,"on_sale":true},"action":{"type":"fixed_decrease","value":5},"options":{"as_sale":true,"min_price":10}}
		{"operation_id":"op_04","filter":{"brands":["Puma"]},"action":{"type":"cost_plus_percent","value":10},"options":{"as_sale":true,"not_below_cost":true,"max_price":99}}`},
	{"end the sale", `
		{"operation_id":"op_01","filter":{"categories":["yoga"]},"action":{"type":"end_sale"}}
		{"operation_id":"op_02","filter":{"categories":["fitness"],"price_lte":50},"action":{"type":"end_sale"},"options":{"round_to":2}}
		{"operation_id":"op_03","filter":{"on_sale":false,"skus":["A1"]},"action":{"type":"percent_decrease","value":5}}`},
	{"no sale", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"percent_increase","value":20},"options":{"as_sale":true,"max_price":50}}
		{"operation_id":"op_02","filter":{"skus":["A2"],"price_lte":19.99},"action":{"type":"set_price","value":19.99},"options":{"as_sale":true}}
		{"operation_id":"op_03","filter":{"skus":["A3"],"price_lte":20},"action":{"type":"percent_decrease","value":5},"options":{"as_sale":true,"min_price":20}}
		{"operation_id":"op_04","filter":{"skus":["A4"]},"action":{"type":"percent_decrease","value":0},"options":{"as_sale":true}}
		{"operation_id":"op_05","filter":{"skus":["A5"]},"action":{"type":"set_stock","value":true},"options":{"as_sale":true}}
		{"operation_id":"op_06","filter":{"skus":["A6"]},"action":{"type":"set_price","value":5},"options":{"as_sale":true}}`},
	{"what is on sale by then", `
		{"operation_id":"op_01","filter":{"tags":["summer"]},"action":{"type":"percent_decrease","value":20},"options":{"as_sale":true}}
		{"operation_id":"op_02","filter":{"on_sale":false},"action":{"type":"percent_decrease","value":5}}
		{"operation_id":"op_03","filter":{"tags":["winter"]},"action":{"type":"end_sale"}}
		{"operation_id":"op_04","filter":{"tags":["winter"],"on_sale":true,"exclude_tags":["summer"]},"action":{"type":"set_stock","value":false}}`},
	{"the sale ended, and nothing is on it", `
		{"operation_id":"op_01","filter":{},"action":{"type":"end_sale"}}
		{"operation_id":"op_02","filter":{"on_sale":true},"action":{"type":"percent_decrease","value":5}}
		{"operation_id":"op_03","filter":{},"action":{"type":"end_sale"}}`},
	{"sales of one product", `
		{"operation_id":"op_01","filter":{"brands":["Nike"]},"action":{"type":"percent_decrease","value":20},"options":{"as_sale":true}}
		{"operation_id":"op_02","filter":{"tags":["new"]},"action":{"type":"percent_decrease","value":20.0},"options":{"as_sale":true}}
		{"operation_id":"op_03","filter":{"skus":["A1"]},"action":{"type":"percent_decrease","value":30},"options":{"as_sale":true}}
		{"operation_id":"op_04","filter":{"skus":["A1"]},"action":{"type":"end_sale"}}`},
	{"nothing to do", `
		{"operation_id":"op_01","filter":{"skus":["A1"]},"action":{"type":"fixed_increase","value":0}}
		{"operation_id":"op_02","filter":{"skus":["A2"]},"action":{"type":"set_stock","value":true},"options":{"round_to":2}}`},
}

func TestReview(t *testing.T) {
	var got strings.Builder
	for _, c := range reviewed {
		p := operationsPlan(t, c.operations)
		fmt.Fprintf(&got, "== %s\n", c.name)
		for i, sentence := range plan.Explain(p) {
			if i < len(p.Operations) {
				fmt.Fprintf(&got, "%s: ", p.Operations[i].OperationID)
			}
			fmt.Fprintln(&got, sentence)
		}
		for k, later := range p.Operations {
			for _, earlier := range p.Operations[:k] {
				if !plan.Independent(earlier, later) {
					fmt.Fprintf(&got, "! %s changes again or sees what %s may have changed\n", later.OperationID, earlier.OperationID)
				}
			}
		}
		got.WriteString("\n")
	}
	golden(t, "testdata/review.golden", got.String())
}

// A filter or options that are not valid are explained as they stand.
func TestExplainInvalidPlan(t *testing.T) {
	ending := plan.MustDecimal("0.995")
	p := &plan.Plan{Operations: []plan.Operation{{
		Filter:  plan.Filter{Categories: []string{}},
		Action:  plan.Action{Type: plan.SetPrice},
		Options: plan.Options{RoundTo: new(-1), PriceEnding: &ending},
	}}}
	want := "Set the price to 0 for products in no category; round to -1 decimals, then move to the nearest price ending in .995."
	if got := plan.Explain(p)[0]; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExplainTermsAndUndo(t *testing.T) {
	p := operationsPlan(t, `{"operation_id":"op_01","filter":{},"action":{"type":"set_price","value":5}}`)
	p.Terms = plan.Terms{ApplyAt: "2026-11-27T00:00:00+01:00", RevertAt: "2026-11-30T08:30:15.5Z", Approval: plan.ApprovalAlways}
	want := []string{
		"Set the price to 5 for all products; round to 2 decimals, or as many as the prices have.",
		"Wait for a person to approve this.",
		"Apply this on Friday, 27 November 2026, 00:00 UTC+01:00, not before.",
		"Undo this on Monday, 30 November 2026, 08:30:15.5 UTC.",
	}
	if diff := cmp.Diff(want, plan.Explain(p)); diff != "" {
		t.Error(diff)
	}
	p.Operations, p.Undo, p.Terms = nil, &plan.Undo{ExecutionID: "plan_yoga_v1"}, plan.Terms{ApplyAt: "2026-11-30T08:30:00Z"}
	want = []string{
		"Undo plan_yoga_v1: give every product that it changed the price, sale and stock from before; leave those that were changed since, and list them.",
		"Apply this on Monday, 30 November 2026, 08:30 UTC, not before.",
	}
	if diff := cmp.Diff(want, plan.Explain(p)); diff != "" {
		t.Error(diff)
	}
	p.Undo.Stale, p.Terms = plan.StaleFail, plan.Terms{}
	want = []string{"Undo plan_yoga_v1: give every product that it changed the price, sale and stock from before; if one was changed since, change nothing."}
	if diff := cmp.Diff(want, plan.Explain(p)); diff != "" {
		t.Error(diff)
	}
}

// operationsPlan reads operations, one a line.
func operationsPlan(t *testing.T, lines string) *plan.Plan {
	t.Helper()
	operations := strings.Join(strings.Split(strings.TrimSpace(lines), "\n"), ",")
	p, err := plan.Decode([]byte(`{"execution_id":"plan_review_v1","created_at":"2024-06-01T10:00:00Z","source_instruction":"Review this.","operations":[` + operations + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(readFile(t, file)), got); diff != "" {
		t.Errorf("%s differs (-golden +got); if it is meant, run with -update:\n%s", file, diff)
	}
}
