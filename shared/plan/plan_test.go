package plan_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

func TestExecutionID(t *testing.T) {
	for id, want := range map[string]bool{
		"plan_v1x":                 true,
		strings.Repeat("aZ_-", 16): true,
		"--------":                 true,
		"":                         false,
		"plan_v1":                  false,
		strings.Repeat("a", 65):    false,
		"../../etc/passwd":         false,
		"plan/yoga_v1":             false,
		"plan yoga v1":             false,
		"plan_yoga_v1\n":           false,
		"plan_yög_v1":              false,
		"plan_yoga_v1\x00":         false,
		"__.._.._":                 false,
		"_unclaimed":               false,
		"_UNclaimed":               false,
		"_unclaimed_":              true,
		"__plan__":                 false,
		"__plan_v1":                true,
	} {
		if got := plan.ValidExecutionID(id); got != want {
			t.Errorf("ValidExecutionID(%q) = %t, want %t", id, got, want)
		}
		err := plan.CheckExecutionID(id)
		if (err == nil) != want || err != nil && !errors.Is(err, errs.Invalid) {
			t.Errorf("CheckExecutionID(%q) = %v", id, err)
		}
	}
	if got := errs.Message(plan.CheckExecutionID("_unclaimed")); !strings.Contains(got, "kept for files of no plan") {
		t.Errorf("message %q", got)
	}
	want := `The execution id "../x" is not valid: it must be 8 to 64 characters, each a letter a-z or A-Z, a digit, _ or -.`
	if got := errs.Message(plan.CheckExecutionID("../x")); got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{
		"every_field": `{"created_at":"2024-06-01T12:00:00.123456789+02:00","execution_id":"plan_every_field_v1","operations":[` +
			`{"action":{"type":"percent_increase","value":7.5},"description":"Raise the middle of the range.","filter":{"brands":["Nike","Adidas"],"categories":["yoga","fitness"],"exclude_brands":["Puma"],"exclude_categories":["clearance"],"exclude_name_contains":["kids"],"exclude_skus":["A103"],"exclude_tags":["new"],"in_stock":true,"name_contains":["yoga mat"],"on_sale":false,"price_gte":10,"price_lte":50.5,"quantity_gte":1,"quantity_lte":99,"skus":["A101","A102"],"tags":["summer"],"where":[{"column":"Handle","starts_with":["yo"]},{"column":"Status","is_not":["draft"]},{"column":"Title","contains":["mat"]},{"column":"Vendor","is":["A","B"]}]},"operation_id":"op_01","options":{"as_sale":true,"keep_direction":true,"max_price":60.25,"min_price":5,"not_below_cost":true,"outside_limits":"leave","price_ending":0.99,"round_step":1,"round_to":2,"rounding":"nearest"}},` +
			`{"action":{"type":"set_stock","value":true},"filter":{"skus":["A103"]},"operation_id":"op-2"}],` +
			`"source_instruction":"Raise yoga and fitness prices between 10 and 50 by 7.5%, except A103, ending in .99, from 5 to 60.","summary_prompt":"Two sentences for the shop owner."}`,
		"field_order_and_space":    `{"created_at":"2024-06-01T10:00:00Z","execution_id":"plan_any_order_v1","operations":[{"action":{"type":"set_price","value":15},"filter":{},"operation_id":"op_01"}],"source_instruction":"Set all to 15."}`,
		"every_term":               `{"apply_at":"2024-06-07T00:00:00+02:00","approval":"always","created_at":"2024-06-01T10:00:00Z","execution_id":"plan_weekend_sale_v1","operations":[{"action":{"type":"set_price","value":15},"filter":{},"operation_id":"op_01"}],"revert_at":"2024-06-10T00:00:00.5+02:00","source_instruction":"Set all to 15."}`,
		"undo_stale_fail":          `{"created_at":"2024-06-01T10:00:00Z","execution_id":"plan_weekend_sale_v1","source_instruction":"Set all to 15.","undo":{"changes_sha256":"` + strings.Repeat("0123456789abcdef", 4) + `","execution_id":"plan_yoga_up_v1","stale":"fail"}}`,
		"undo_stale_overwrite":     `{"created_at":"2024-06-01T10:00:00Z","execution_id":"plan_weekend_sale_v1","source_instruction":"Set all to 15.","undo":{"changes_sha256":"` + strings.Repeat("0123456789abcdef", 4) + `","execution_id":"plan_yoga_up_v1","stale":"overwrite"}}`,
		"value_written_with_zeros": `{"created_at":"2024-06-01T10:00:00Z","execution_id":"plan_yoga_set_price_v1","operations":[{"action":{"type":"set_price","value":15.5},"filter":{"categories":["yoga"]},"operation_id":"op_01"}],"source_instruction":"Set all yoga products to $15."}`,
		"instruction_escapes":      `{"created_at":"2024-06-01T10:00:00Z","execution_id":"plan_yoga_set_price_v1","operations":[{"action":{"type":"set_price","value":15},"filter":{"categories":["yoga"]},"operation_id":"op_01"}],"source_instruction":"Café 😀 ` + "\u2028" + ` \"quoted\" / \n\t"}`,
	} {
		if got := string(decodeFile(t, corpus+"valid/"+name+".json").Canonical()); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}

// A plan has its operations as each is written by itself, none where it has an
// undo, and else a list of none.
func TestCanonicalOperations(t *testing.T) {
	p := decodeFile(t, corpus+"valid/every_field.json")
	for _, op := range p.Operations {
		if marshalled, err := json.Marshal(op); err != nil || !strings.Contains(string(p.Canonical()), string(op.Canonical())) || string(marshalled) != string(op.Canonical()) {
			t.Errorf("%s, marshalled %s, %v, is not in\n%s", op.Canonical(), marshalled, err, p.Canonical())
		}
	}
	for _, operations := range [][]plan.Operation{nil, {}} {
		none, undo := (&plan.Plan{Operations: operations}).Canonical(), (&plan.Plan{Operations: operations, Undo: &plan.Undo{}}).Canonical()
		if !strings.Contains(string(none), `"operations":[]`) || strings.Contains(string(undo), "operations") {
			t.Errorf("%s, and an undo %s", none, undo)
		}
	}
}

// The canonical keys are in order at every level, whatever fields there are.
func TestCanonicalKeysAreSorted(t *testing.T) {
	var check func(strictjson.Value)
	check = func(v strictjson.Value) {
		var names []string
		for _, member := range v.Members() {
			names = append(names, member.Name)
			check(member.Value)
		}
		if !slices.IsSorted(names) {
			t.Errorf("keys %v are not in order", names)
		}
		for _, item := range v.Items() {
			check(item)
		}
	}
	for _, name := range []string{"every_field", "every_term", "undo_stale_fail", "undo_stale_overwrite"} {
		value, problems := strictjson.Parse(decodeFile(t, corpus+"valid/"+name+".json").Canonical())
		if problems != nil {
			t.Fatal(problems)
		}
		check(value)
	}
}

// Stored plans are compared by these hashes: they must never change.
func TestSHA256(t *testing.T) {
	got := map[string]string{}
	for _, name := range []string{"example_plan", "example_plan_yoga_discount", "example_plan_mixed_ops"} {
		got[name] = decodeFile(t, "../../testdata/"+name+".json").SHA256()
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintf(&text, "%s  %s\n", got[name], name)
	}
	golden(t, "testdata/sha256.golden", text.String())
}

func TestPlanInsideAnotherDocument(t *testing.T) {
	p := decodeFile(t, "../../testdata/example_plan.json")
	text, err := json.Marshal(map[string]any{"plan": p, "value": *p})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"plan":` + string(p.Canonical()) + `,"value":` + string(p.Canonical()) + `}`; string(text) != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	var again struct{ Plan, Value plan.Plan }
	if err := json.Unmarshal(text, &again); err != nil || again.Plan.SHA256() != p.SHA256() {
		t.Errorf("read back as %v, %v", again.Plan, err)
	}
	if err := json.Unmarshal([]byte(`{"plan":{"execution_id":"x"}}`), &again); !errors.Is(err, errs.Invalid) {
		t.Errorf("an invalid plan inside: %v", err)
	}
}

func TestValidateBuiltPlans(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*plan.Plan)
		want   []string
	}{
		"unchanged":      {func(*plan.Plan) {}, nil},
		"zero":           {func(p *plan.Plan) { *p = plan.Plan{} }, []string{"created_at", "execution_id", "operations", "source_instruction"}},
		"zero operation": {func(p *plan.Plan) { p.Operations[0] = plan.Operation{} }, []string{"operations[0].action.type", "operations[0].operation_id"}},
		"empty lists, which would match everything": {func(p *plan.Plan) {
			p.Operations[0].Filter = plan.Filter{Categories: []string{}, ExcludeSKUs: []string{}}
		}, []string{"operations[0].filter.categories", "operations[0].filter.exclude_skus"}},
		"invalid UTF-8": {func(p *plan.Plan) {
			p.SourceInstruction, p.SummaryPrompt, p.Operations[0].Description, p.Operations[0].Filter.SKUs = "\xff up 5", "\xff", "\xff", []string{"A1", "\xff"}
		}, []string{"operations[0].description", "operations[0].filter.skus[1]", "source_instruction", "summary_prompt"}},
		"terms":              {func(p *plan.Plan) { p.Terms = plan.Terms{ApplyAt: "tomorrow", RevertAt: "later", Approval: "mine"} }, []string{"apply_at", "approval", "revert_at"}},
		"undo":               {func(p *plan.Plan) { p.Undo = &plan.Undo{Stale: "x"} }, []string{"undo", "undo.changes_sha256", "undo.execution_id", "undo.stale"}},
		"round_to too large": {func(p *plan.Plan) { p.Operations[0].Options.RoundTo = new(7) }, []string{"operations[0].options.round_to"}},
		"round_to negative":  {func(p *plan.Plan) { p.Operations[0].Options.RoundTo = new(-1) }, []string{"operations[0].options.round_to"}},
		"repeated ids": {func(p *plan.Plan) {
			p.Operations = append(p.Operations, p.Operations[0], p.Operations[0])
		}, []string{"operations[1].operation_id", "operations[2].operation_id"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := decodeFile(t, "../../testdata/example_plan.json")
			c.change(p)
			err := p.Validate()
			if c.want == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(c.want, problemPaths(t, err)); diff != "" {
				t.Errorf("paths (-want +got):\n%s\n%v", diff, err)
			}
		})
	}
}

// What a person reads about a plan that is wrong in every way.
func TestProblemMessages(t *testing.T) {
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(readPlans(t, corpus+"invalid"))) {
		_, err := plan.Decode(readFile(t, corpus+"invalid/"+name+".json"))
		var invalid *plan.InvalidError
		if !errors.As(err, &invalid) {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&text, "== %s\n", name)
		for _, problem := range invalid.Details().([]strictjson.Problem) {
			fmt.Fprintln(&text, problem)
		}
	}
	golden(t, "testdata/problems.golden", text.String())
}

func TestReadOperations(t *testing.T) {
	var got []plan.Operation
	problems := strictjson.ReadObject([]byte(`{"note":"x","operations":[{"operation_id":"op_01","filter":{},"action":{"type":"set_stock","value":1}}]}`), func(o *strictjson.Object) {
		o.Optional("note").String()
		got = plan.ReadOperations(o.Required("operations"))
	})
	want := []strictjson.Problem{{Path: "operations[0].action.value", Message: "must be a boolean, but is a number"}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Error(diff)
	}
	if len(got) != 1 || got[0].OperationID != "op_01" {
		t.Errorf("operations %+v", got)
	}
}

// Terms that stand in a request are read by the rules of a plan's.
func TestReadTerms(t *testing.T) {
	read := func(text string) (terms plan.Terms, problems []strictjson.Problem) {
		problems = strictjson.ReadObject([]byte(text), func(o *strictjson.Object) { terms = plan.ReadTerms(o) })
		return terms, problems
	}
	want := plan.Terms{ApplyAt: "2024-06-07T00:00:00Z", RevertAt: "2024-06-08T00:00:00+02:00", Approval: plan.ApprovalAlways}
	got, problems := read(`{"apply_at":"2024-06-07T00:00:00Z","revert_at":"2024-06-08T00:00:00+02:00","approval":"always"}`)
	if problems != nil || got != want {
		t.Errorf("got %+v, %v", got, problems)
	}
	if got := got.RevertTime().Sub(got.ApplyTime()); got != 22*time.Hour {
		t.Errorf("it is reverted after %v", got)
	}
	_, problems = read(`{"apply_at":"2024-06-07T00:00:00Z","revert_at":"2024-06-06T00:00:00Z","approval":7,"approve":true}`)
	var paths []string
	for _, problem := range problems {
		paths = append(paths, problem.Path)
	}
	if diff := cmp.Diff([]string{"approval", "revert_at", "approve"}, paths); diff != "" {
		t.Error(diff)
	}
}

func TestUndoID(t *testing.T) {
	if id := plan.UndoID("plan_yoga_v1"); id != "plan_yoga_v1_undo" || !plan.IsUndoID(id) || plan.IsUndoID("plan_yoga_v1") {
		t.Errorf("the undo of plan_yoga_v1 has the id %s", id)
	}
}

func decodeFile(t testing.TB, name string) *plan.Plan {
	t.Helper()
	p, err := plan.Decode(readFile(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// What an action makes of a price, and which way it is meant to move it.
func TestActionPrice(t *testing.T) {
	for _, c := range []struct {
		action                    plan.ActionType
		value                     string
		factor, addend, direction int64
		shift                     int
	}{
		{plan.PercentIncrease, "7.5", 1075, 0, 1, 3},
		{plan.PercentDecrease, "7.5", 925, 0, -1, 3},
		{plan.FixedIncrease, "0.5", 10, 5, 1, 1},
		{plan.FixedDecrease, "0.5", 10, -5, -1, 1},
		{plan.SetPrice, "0.5", 0, 5, 0, 1},
		{plan.FixedDecrease, "0", 1, 0, 0, 0},
	} {
		got, err := (&plan.Action{Type: c.action, Value: plan.MustDecimal(c.value)}).Price()
		if err != nil || got.Factor.Int64() != c.factor || got.Addend.Int64() != c.addend || got.Shift != c.shift || int64(got.Direction()) != c.direction {
			t.Errorf("%s by %s: %v with direction %d, %v; want %+v", c.action, c.value, got, got.Direction(), err, c)
		}
	}
}

// Rules are read as strictly as a plan's operations, and may come without ids.
func TestDecodeRules(t *testing.T) {
	const rule = `{"filter":{"categories":["yoga"]},"action":{"type":"set_price","value":15}}`
	tests := []struct {
		name, json string
		want       string // the ids of the rules, or what is wrong
	}{
		{"a list", `[` + rule + `,` + rule + `]`, "op_01 op_02"},
		{"an object", `{"operations":[` + rule + `]}`, "op_01"},
		{"with an id", `[{"operation_id":"mine",` + rule[1:] + `]`, "mine"},
		{"none", `[]`, "operations: must hold 1 to 100 operations, but holds 0"},
		{"no list", `{"operations":7}`, "operations: must be an array, but is a number"},
		{"nothing", `{}`, "operations: is required"},
		{"another field", `{"operations":[` + rule + `],"plan":1}`, "plan: is not a known field; known are operations"},
		{"no filter", `[{"action":{"type":"set_price","value":15}}]`, "operations[0].filter: is required"},
		{"every problem once", `[{"filter":{"price_gte":-1,"price_lte":2},"action":{"type":"halve","value":1}},{"operation_id":"op_01","filter":{},"action":{"type":"end_sale"}}]`,
			"operations[0].filter.price_gte: must not be negative, but is -1 (and 2 more problems)"},
		{"no JSON", `[`, "expected a value, not the end of the document."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules, err := plan.DecodeRules([]byte(tt.json))
			var ids []string
			for _, rule := range rules {
				ids = append(ids, rule.OperationID)
			}
			got := strings.Join(ids, " ")
			if err != nil {
				got = strings.TrimPrefix(err.Error(), "The plan is not valid: ")
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
