package planner_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const twoRules = `[{"filter":{"brands":["Nike"],"exclude_skus":["A-103"]},"action":{"type":"percent_decrease","value":10}},` +
	`{"filter":{"categories":["Hats"]},"action":{"type":"set_price","value":20}},` +
	`{"filter":{"categories":["Hats"],"price_lte":15},"action":{"type":"end_sale"}}]`

// Rules are previewed before there is a plan. The plan that is made of them has the same
// preview, and what was seen is carried out.
func TestPreviewOfRules(t *testing.T) {
	c := talking(t)
	id := c.hold(t, "sku,category,brand,price,sale_price,in_stock\ncc-beanie,Hats,Nike,12.50,,true\nA-103,Hoodies,Nike,40.00,,false\nA-104,Hoodies,Adidas,9.99,,true\n")
	seen := c.as(t, "ana", "POST", "/v1/plans:preview", "application/json", `{"table":"`+id+`","operations":`+twoRules+`}`)
	for _, want := range []string{
		`"summary":{"rows_total":3,"rows_changed":1,`,
		`"paid":{"cheaper":0,"dearer":1,"unchanged":2}`,
		`"rules":[{"operation_id":"op_01","rows_matched":1,"rows_changed":1,"left_alone":[],"exceptions":[{"condition":"exclude_skus","names":["A-103"],"more":0,"rows":1}],"emptied_by":[]}`,
		`{"operation_id":"op_03","rows_matched":0,"rows_changed":0,"left_alone":[],"exceptions":[],"emptied_by":[{"condition":"categories","rows_without":1,"rows_alone":1},{"condition":"price_lte","rows_without":1,"rows_alone":1}]}]`,
		`"overlaps":[{"operation_ids":["op_01","op_02"],"rows":1,"samples":[{"row":2,"sku":"cc-beanie","before":{"price":"12.50","in_stock":null},"first":{"price":"11.25","in_stock":null},"second":{"price":"20.00","in_stock":null},"both":{"price":"20.00","in_stock":null}}]}`,
		`"figures":{"unmatched":{"operations":["op_03"]}}`,
	} {
		if seen.status != 200 || !strings.Contains(seen.body, want) {
			t.Fatalf("%d %s, want %s", seen.status, seen.body, want)
		}
	}
	if strings.Contains(seen.body, "plan_sha256") {
		t.Errorf("there is no plan: %s", seen.body)
	}
	if plans := c.as(t, "ana", "GET", "/v1/plans", "", ""); !strings.Contains(plans.body, `"plans":[]`) {
		t.Errorf("stored: %s", plans.body)
	}
	made := c.as(t, "ana", "POST", "/v1/plans", "application/json", `{"table":"`+id+`","execution_id":"rules_v1","operations":`+twoRules+`}`)
	stored := c.as(t, "ana", "POST", "/v1/plans/rules_v1:preview", "application/json", `{"table":"`+id+`"}`)
	if made.status != 201 || stored.field(t, "preview_sha256") != seen.field(t, "preview_sha256") {
		t.Errorf("%d %s, and %s", made.status, made.body, stored.body)
	}
	execute := func(hash any) answer {
		return c.as(t, "ana", "POST", "/v1/plans/rules_v1:execute", "application/json", fmt.Sprintf(`{"table":%q,"preview_sha256":%q}`, id, hash))
	}
	if got := execute(strings.Repeat("0", 64)); got.status != 409 || !strings.Contains(got.body, "preview_changed") {
		t.Errorf("another preview: %d %s", got.status, got.body)
	}
	if got := execute(seen.field(t, "preview_sha256")); got.status != 202 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestPreviewOfRulesRefuses(t *testing.T) {
	c := talking(t)
	id := c.hold(t, heldShop)
	const all = `[{"filter":{},"action":{"type":"set_price","value":1}}]`
	tests := []struct {
		name, body string
		status     int
		want       string
	}{
		{"no table", `{"operations":` + all + `}`, 422, `{"path":"table","message":"is required"}`},
		{"another's table", `{"table":"ABCDEFGHIJKLMNOPQRSTUVWXYZ","operations":` + all + `}`, 404, `"code":"not_found"`},
		{"no rules", `{"table":"` + id + `"}`, 422, `{"path":"operations","message":"is required"}`},
		{"a rule that can never match", `{"table":"` + id + `","operations":[{"filter":{"price_gte":3,"price_lte":2},"action":{"type":"end_sale"}}]}`, 422, `"path":"operations[0].filter.price_gte"`},
		{"terms", `{"table":"` + id + `","operations":` + all + `,"apply_at":"tomorrow"}`, 422, `"path":"apply_at"`},
		{"a sample", `{"table":"` + id + `","operations":` + all + `,"sample":101}`, 422, `"path":"sample"`},
		{"a name that no row has", `{"table":"` + id + `","operations":[{"filter":{"brands":["Nikee"]},"action":{"type":"set_price","value":1}}]}`, 422, `"nearest":["Nike"]`},
		{"no such column", `{"table":"` + id + `","operations":[{"filter":{},"action":{"type":"end_sale"}}]}`, 422, `sale`},
	}
	for _, tt := range tests {
		if got := c.as(t, "ana", "POST", "/v1/plans:preview", "application/json", tt.body); got.status != tt.status || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s: %d %s, want %d with %s", tt.name, got.status, got.body, tt.status, tt.want)
		}
	}
}

// A sample shows what moves furthest, what is usual and what is not.
func TestSample(t *testing.T) {
	c := talking(t)
	var rows strings.Builder
	for i := range 300 {
		fmt.Fprintf(&rows, "S%d,14.00\n", i)
	}
	id := c.hold(t, "sku,price\n"+rows.String()+"rise,1\nodd,13\nzero,0\nfall,60\n")
	got := c.as(t, "ana", "POST", "/v1/plans:preview", "application/json", `{"table":"`+id+`","sample":5,"operations":[{"filter":{},"action":{"type":"set_price","value":15}}]}`)
	var skus []string
	for _, change := range got.field(t, "changes").([]any) {
		skus = append(skus, change.(map[string]any)["sku"].(string))
	}
	if want := "S0 rise odd zero fall"; strings.Join(skus, " ") != want || got.field(t, "rows_found") != 304.0 || got.field(t, "changes_truncated") != true {
		t.Errorf("%v, want %s: %s", skus, want, got.body)
	}
}

// A table in the request's body is answered as one that is held: with what two rules share,
// and as CSV with the names of products.
func TestATableInTheBodyIsPreviewedAsAStoredOne(t *testing.T) {
	c := openCounter(t)
	held := c.as(t, "ana", "POST", "/v1/tables", "text/csv", heldShop).field(t, "table").(string)
	rules := `{"operations":[{"filter":{"brands":["Nike"]},"action":{"type":"percent_decrease","value":10}},{"filter":{"categories":["Hats"],"exclude_skus":["A-104"]},"action":{"type":"set_price","value":20}}],"execution_id":"plan_body_v1","table":"` + held + `"}`
	if got := c.as(t, "ana", "POST", "/v1/plans", "application/json", rules); got.status != 201 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	const path = "/v1/plans/plan_body_v1:preview"
	sent := c.as(t, "ana", "POST", path, "text/csv", heldShop)
	named := c.as(t, "ana", "POST", path, "application/json", `{"table":"`+held+`"}`)
	if sent.body != named.body || !strings.Contains(sent.body, `"overlaps":[{"operation_ids":["op_01","op_02"],"rows":1`) {
		t.Errorf("in the body:\n%s\nheld:\n%s", sent.body, named.body)
	}
	request, err := http.NewRequestWithContext(t.Context(), "POST", c.URL+path, strings.NewReader(heldShop))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "text/csv")
	request.Header.Set("Accept", "text/csv")
	if got := answerOf(t, request); got.status != 200 || !strings.HasPrefix(got.body, "row,sku,name,") || !strings.Contains(got.body, "cc-beanie") {
		t.Errorf("as CSV: %d %s", got.status, got.body)
	}
}

// Whatever is passed over unread is counted, and each page has what its order says.
func TestPagesOfManyChanges(t *testing.T) {
	c := openCounter(t)
	var shop strings.Builder
	shop.WriteString("sku,price\n")
	for i := range 300 {
		fmt.Fprintf(&shop, "S%03d,%d.00\n", i, 10+(i*37)%100)
	}
	held := c.as(t, "ana", "POST", "/v1/tables", "text/csv", shop.String()).field(t, "table").(string)
	body := `{"table":"` + held + `","operations":[{"filter":{},"action":{"type":"fixed_increase","value":1}}]}`
	for _, sort := range []string{"row", "rise", "fall"} {
		seen, token, last := map[string]bool{}, "", 0.0
		for range 100 {
			got := c.as(t, "ana", "POST", "/v1/plans:preview?page_size=7&sort="+sort+"&page_token="+token, "application/json", body)
			if got.field(t, "rows_found") != 300.0 {
				t.Fatalf("%s: %v are found", sort, got.field(t, "rows_found"))
			}
			for _, one := range got.field(t, "changes").([]any) {
				change := one.(map[string]any)
				seen[change["sku"].(string)] = true
				moved, err := strconv.ParseFloat(change["moved_percent"].(string), 64)
				if err != nil || sort == "rise" && last != 0 && moved > last || sort == "fall" && moved < last {
					t.Fatalf("%s: %v after %v, %v", sort, moved, last, err)
				}
				last = moved
			}
			if token = got.field(t, "next_page_token").(string); token == "" {
				break
			}
		}
		if len(seen) != 300 || token != "" {
			t.Errorf("%s lists %d of 300 changes", sort, len(seen))
		}
	}
}
