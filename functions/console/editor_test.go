package console

import (
	"encoding/json"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/planwright/planwright/shared/plan"
)

// ruled are operations that have every field which the page has one for.
const ruled = `[
	{"filter": {"categories": ["a, b"], "brands": ["x"], "tags": ["t"], "skus": ["1", "2"], "name_contains": ["two words"],
		"exclude_categories": ["c"], "exclude_brands": ["y"], "exclude_tags": ["u"], "exclude_skus": ["3"], "exclude_name_contains": ["n"],
		"where": [{"column": "Season", "is": ["Winter", ""]}, {"column": "Supplier, EU", "starts_with": ["K"]}],
		"in_stock": false, "on_sale": true, "price_gte": 1.5, "price_lte": 20, "quantity_gte": 1, "quantity_lte": 5},
	 "action": {"type": "percent_decrease", "value": 12.5},
	 "options": {"round_to": 3, "round_step": 5, "price_ending": 0.9, "rounding": "down", "min_price": 1, "max_price": 99, "not_below_cost": true,
		"as_sale": true, "keep_direction": true, "outside_limits": "leave"}},
	{"operation_id": "mine", "description": "As Ana said.", "filter": {}, "action": {"type": "set_stock", "value": false}},
	{"filter": {}, "action": {"type": "percent_increase", "value": 3}, "options": {"max_price": 9}},
	{"filter": {}, "action": {"type": "end_sale"}},
	{"filter": {}, "action": {"type": "quantity_decrease", "value": 3}},
	{"filter": {}, "action": {"type": "set_compare_at"}, "options": {"round_step": 1}}
]`

// A plan that is opened on the page and saved again is the same plan.
func TestAPlanStaysTheSame(t *testing.T) {
	want, err := plan.DecodeRules([]byte(ruled))
	if err != nil {
		t.Fatal(err)
	}
	e := editor{url.Values{}}
	if err := e.fill(json.RawMessage(ruled)); err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(e.address())
	if err != nil {
		t.Fatal(err)
	}
	operations, wrong := editor{address.Query()}.operations()
	text, err := json.Marshal(operations)
	if err != nil || len(wrong) > 0 {
		t.Fatal(wrong, err)
	}
	got, err := plan.DecodeRules(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for i := range want {
		a, _ := json.Marshal(want[i])
		b, _ := json.Marshal(got[i])
		if string(a) != string(b) {
			t.Errorf("it was\n%s\nand is\n%s", a, b)
		}
	}
}

// Every field that the schema of a plan has is on the page, so that no plan loses one there.
func TestEveryFieldOfAPlanIsOnThePage(t *testing.T) {
	var schema struct {
		Definitions map[string]struct {
			Properties map[string]struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(plan.SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	elsewhere := []string{"keep_direction", "where"} // the fields against and w0.column have them
	for name := range schema.Definitions["filter"].Properties {
		if _, known := filterFields[name]; !slices.Contains(elsewhere, name) && (!known || conditionOf(name).Kind == "") {
			t.Errorf("there is no field for the filter %s", name)
		}
	}
	for name := range schema.Definitions["options"].Properties {
		if _, known := optionFields[name]; !known && !slices.Contains(elsewhere, name) {
			t.Errorf("there is no field for the option %s", name)
		}
	}
	for _, name := range schema.Definitions["action"].Properties["type"].Enum {
		if !slices.ContainsFunc(actions, func(c choice) bool { return c.Value == name }) {
			t.Errorf("there is no choice for the action %s", name)
		}
		if short := actionInShort(map[string]any{"type": name}); short == actionInShort(nil) {
			t.Errorf("rulewords.go has no words for the action %s", name)
		}
	}
	if err := (editor{url.Values{}}).fill(json.RawMessage(`[{"filter": {"colour": ["red"]}, "action": {"type": "end_sale"}}]`)); err == nil {
		t.Error("a plan with a field that the page has not is opened")
	}
}

// A condition that is not filled in is no condition that all products meet.
func TestAnEmptyConditionIsNotAll(t *testing.T) {
	state := func(query string) editor {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		return editor{values}
	}
	e := state("r0.show=brands&r0.action=percent_increase&r0.value=5")
	if _, wrong := e.operations(); wrong["r0.brands"] == "" {
		t.Errorf("%v", wrong)
	}
	e = state("r0.brands=Samsnug&r0.action=percent_increase&r0.value=5")
	if err := e.do("swap", `{"from": "Samsnug"}`); err != nil {
		t.Fatal(err)
	}
	if _, wrong := e.operations(); wrong["r0.brands"] == "" {
		t.Errorf("without its only name the rule is for all products: %v", e.Values)
	}
}

func TestDo(t *testing.T) {
	now := time.Date(2026, 12, 2, 15, 0, 0, 0, time.UTC) // a Wednesday
	for _, test := range []struct{ before, verb, argument, want string }{
		{"r0.action=end_sale&rules=1", "add-rule", "", "/new?r0.action=end_sale&rules=2"},
		{"r0.action=end_sale&r1.brands=x&rules=2", "up", "1", "/new?r0.brands=x&r1.action=end_sale&rules=2"},
		{"r0.action=end_sale&r1.brands=x&rules=2", "remove", "0", "/new?r0.brands=x&rules=1"},
		{"r0.brands=x&rules=1", "copy", "0", "/new?r0.brands=x&r1.brands=x&rules=2"},
		{"r0.brands=x&r0.show=brands&rules=1", "drop", "0:brands", "/new?rules=1"},
		{"r0.exclude_skus=1&rules=2", "leave", "0,1:A:B", "/new?r0.exclude_skus=1&r0.exclude_skus=A%3AB&r1.exclude_skus=A%3AB&rules=2"},
		{"r0.brands=x&r1.skus=1&rules=2", "only", "0:1", "/new?r0.brands=x&r1.exclude_brands=x&r1.skus=1&rules=2"},
		{"r0.brands=x&r0.price_gte=1&rules=2", "only", "0:1", "/new?r0.brands=x&r0.price_gte=1&rules=2"},
		{"r0.exclude_brands=Sony&r0.brands=Sony&rules=1", "swap", `{"from":"Sony","to":["SONY","sony"],"excluded":true}`, "/new?r0.brands=Sony&r0.exclude_brands=SONY&r0.exclude_brands=sony&rules=1"},
		{"zone=Europe/Rome", "preset", "weekend", "/new?apply_at=2026-12-04T00%3A00&revert_at=2026-12-06T23%3A59&zone=Europe%2FRome"},
		{"apply_at=2026-12-04T00%3A00", "preset", "now", "/new?"},
		{"r0.brands=x&rules=1", "against", "0:change", "/new?r0.against=change&r0.brands=x&rules=1"},
		{"r0.brands=x&rules=1", "up", "7", "/new?r0.brands=x&rules=1"},
		{"rules=1", "set", "columns=price", "/new?rules=1"},
		{"rules=1", "set", "near_names=exact", "/new?near_names=exact&rules=1"},
	} {
		values, err := url.ParseQuery(test.before)
		if err != nil {
			t.Fatal(err)
		}
		e := editor{values}
		if test.verb == "preset" {
			err = e.preset(test.argument, now)
		} else {
			err = e.do(test.verb, test.argument)
		}
		if got := e.address(); err != nil || got != test.want {
			t.Errorf("%s %s: %s, %v, want %s", test.verb, test.argument, got, err, test.want)
		}
	}
}

func TestPlainNumber(t *testing.T) {
	for text, want := range map[string]string{"20": "20", " .90": "0.9", "19,95": "19.95", "20 %": "20", "1299.5": "1299.5", "1,299": "", "-5": "", "1.299,00": "", "x": "", "1e3": ""} {
		if got, err := plainNumber(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
