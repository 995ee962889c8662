package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// preview says what rules would do, and writes nothing; plan makes a plan of them whose
// preview is the same.
func TestPreviewOfRules(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "shop.csv", "sku,category,brand,price,in_stock\ncc-beanie,Hats,Nike,12.50,true\nA-103,Hoodies,Nike,40.00,false\nA-104,Hoodies,Adidas,9.99,true\n")
	write(t, "rules.json", `{"operations":[{"filter":{"brands":["Nike"],"exclude_skus":["A-103"]},"action":{"type":"percent_decrease","value":10}},
		{"filter":{"categories":["Hats"]},"action":{"type":"set_price","value":20}},{"filter":{"price_gte":90},"action":{"type":"set_price","value":1}}]}`)
	text := command(t, exitDone, "preview", "--csv", "shop.csv", "--rules", "rules.json")
	for _, want := range []string{
		"op_01: 1 matched, 1 changed.  Decrease the price by 10%",
		"A-103             1     exclude_skus",
		"op_03 matches no row  without it  by it alone\n  price_gte             3           0",
		"op_01 and op_02 share 1 row  row  before  by the first  by the second  by both\n  cc-beanie                    2    12.50   11.25         20.00          20.00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	var seen [2]struct {
		PreviewSHA256 string `json:"preview_sha256"`
		Overlaps      []struct{ Rows int }
	}
	command(t, exitDone, "plan", "--rules", "rules.json", "--csv", "shop.csv", "--plan-out", "plan.json")
	for i, args := range [][]string{{"preview", "--rules", "rules.json"}, {"apply", "--dry-run", "--plan", "plan.json"}} {
		if err := json.Unmarshal([]byte(command(t, exitDone, append(args, "--csv", "shop.csv", "-o", "json")...)), &seen[i]); err != nil {
			t.Fatal(err)
		}
	}
	if seen[0].PreviewSHA256 != seen[1].PreviewSHA256 || len(seen[0].PreviewSHA256) != 64 || len(seen[1].Overlaps) != 1 {
		t.Errorf("%+v", seen)
	}
	if said := command(t, exitDone, "plan", "Hats cost 20.", "--rules", "rules.json"); !strings.Contains(said, "planned    plan_hats_cost_20_v1, by you") {
		t.Error(said)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestRulesThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"shop.csv": "sku,price\nA,1\n", "bad.json": `[{"filter":{"price_gte":3,"price_lte":2}}]`, "undo.json": `{"execution_id":"undo_it_v1","created_at":"2026-01-02T03:04:05Z","source_instruction":"Undo it","undo":{"execution_id":"plan_it_v1","changes_sha256":"` + strings.Repeat("0", 64) + `"}}`} {
		write(t, name, text)
	}
	for _, tt := range []struct {
		code int
		args string
		want string
	}{
		{exitFailed, "--rules bad.json --csv shop.csv", "operations[0].action: is required\n  operations[0].filter.price_gte: is 3, above price_lte 2: no price is in that range"},
		{exitUsage, "--rules none.json --csv shop.csv", "--rules none.json cannot be read: is the path right?"},
		{exitUsage, "--csv shop.csv", "at least one of the flags"},
		{exitUsage, "--rules bad.json", `required flag(s) "csv" not set`},
		{exitFailed, "--plan undo.json --csv shop.csv", "planwright undo --dry-run"},
	} {
		if said := command(t, tt.code, append([]string{"preview"}, strings.Fields(tt.args)...)...); !strings.Contains(said, tt.want) {
			t.Errorf("%s: %s", tt.args, said)
		}
	}
}

// command runs one command line and returns all that it says.
func command(t *testing.T, wantCode int, args ...string) string {
	t.Helper()
	code, stdout, stderr := cli(t, args...)
	if code != wantCode {
		t.Errorf("%v: exit code %d, want %d\n%s%s", args, code, wantCode, stdout, stderr)
	}
	return stdout + stderr
}
