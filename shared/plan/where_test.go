package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// TestModelWhere reads conditions on columns as a model writes them, with the paths of their
// faults.
func TestModelWhere(t *testing.T) {
	read := func(where string) (operations []plan.Operation, problems []strictjson.Problem) {
		text := `{"operations": [{"operation_id": "op_01", "filter": {"where": ` + where + `}, "action": {"type": "end_sale"}}]}`
		problems = strictjson.ReadObject([]byte(text), func(o *strictjson.Object) { operations = plan.ReadModelOperations(o.Required("operations")) })
		return operations, append(problems, plan.CheckOperations(operations, problems)...)
	}
	operations, problems := read(`[{"column": "Status", "op": "is_not", "values": ["draft", ""]}]`)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := []plan.Where{{Column: "Status", Kind: plan.WhereIsNot, Values: []string{"draft", ""}}}
	if diff := cmp.Diff(want, operations[0].Filter.Where); diff != "" {
		t.Error(diff)
	}
	for where, path := range map[string]string{
		`[{"column": "Status", "op": "like", "values": ["a"]}]`: "operations[0].filter.where[0]",
		`[{"column": "Status", "is": ["a"]}]`:                   "operations[0].filter.where[0].op",
		`[{"column": "Status", "op": "is", "values": []}]`:      "operations[0].filter.where[0].is",
	} {
		if _, problems := read(where); len(problems) == 0 || problems[0].Path != path {
			t.Errorf("%s: %v, want a problem of %s", where, problems, path)
		}
	}
}

// TestMeantWhere takes a value of a column by its title for another of that column, and for
// none of another.
func TestMeantWhere(t *testing.T) {
	from := plan.Filter{Where: []plan.Where{{Column: "Status", Kind: plan.WhereIs, Values: []string{"Draft", "x"}}}}
	got, same := from.Meant("Status", "Draft", "Status", "draft")
	if diff := cmp.Diff([]plan.Where{{Column: "Status", Kind: plan.WhereIs, Values: []string{"draft", "x"}}}, got.Where); !same || diff != "" {
		t.Error(same, diff)
	}
	if _, same := from.Meant("Status", "Draft", plan.ColumnCategory, "Draft"); same {
		t.Error("a value of a column is meant as a category")
	}
	if from.Where[0].Values[0] != "Draft" {
		t.Error("the filter is changed")
	}
}
