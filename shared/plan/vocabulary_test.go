package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/strictjson"
)

// The schema has the actions of the table, in its order and with its formulas.
func TestSchemaHasTheActions(t *testing.T) {
	actionType := schemaAt(t, "definitions", "action", "properties", "type")
	names, _ := actionType.Member("enum")
	description, _ := actionType.Member("description")
	var want, got, formulas []string
	for _, rule := range actionRules {
		want = append(want, string(rule.name))
		formulas = append(formulas, string(rule.name)+": "+rule.formula+".")
	}
	for _, name := range names.Items() {
		got = append(got, name.Text())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("actions (-table +schema):\n%s", diff)
	}
	if want := strings.Join(formulas, " "); description.Text() != want {
		t.Errorf("the schema describes the types as\n%s\nwant\n%s", description.Text(), want)
	}
}

// The schema has the fields of a filter that the table has, of their types.
func TestSchemaHasTheFilterFields(t *testing.T) {
	var want, got []string
	for i := range filterFields {
		field := &filterFields[i]
		switch {
		case field.column == ColumnName:
			want = append(want, field.name+" #/definitions/phrases")
		case field.names != nil:
			want = append(want, field.name+" #/definitions/values")
		case field.boolean != nil:
			want = append(want, field.name+" boolean")
		case field.column == ColumnQuantity:
			want = append(want, field.name+" #/definitions/optional_quantity")
		case field.wheres != nil:
			want = append(want, field.name+" array")
		default:
			want = append(want, field.name+" #/definitions/optional_decimal")
		}
	}
	for _, property := range schemaAt(t, "definitions", "filter", "properties").Members() {
		got = append(got, property.Name+" "+typeOf(property.Value))
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-table, in canonical order; +schema):\n%s", diff)
	}
}

func typeOf(schema strictjson.Value) string {
	if all, found := schema.Member("allOf"); found {
		reference, _ := all.Items()[0].Member("$ref")
		return reference.Text()
	}
	types, _ := schema.Member("type")
	return types.Items()[0].Text()
}

func schemaAt(t *testing.T, path ...string) strictjson.Value {
	t.Helper()
	value, problems := strictjson.Parse(SchemaJSON)
	if problems != nil {
		t.Fatal(problems)
	}
	for _, name := range path {
		member, found := value.Member(name)
		if !found {
			t.Fatalf("the schema has no %v", path)
		}
		value = member
	}
	return value
}

// Every column that a filter compares with names has the words to say so, and
// at most one field for each of the two lists.
func TestEveryNameFieldHasItsColumn(t *testing.T) {
	seen := map[string]bool{}
	for i := range filterFields {
		field := &filterFields[i]
		if field.names == nil {
			continue
		}
		if !slices.ContainsFunc(nameColumns[:], func(c nameColumn) bool { return c.column == field.column }) {
			t.Errorf("%s compares names of %s, which is not among nameColumns", field.name, field.column)
		}
		kind := string(field.column)
		if field.excludes {
			kind += " excluded"
		}
		if seen[kind] {
			t.Errorf("%s is the second field for %s", field.name, kind)
		}
		seen[kind] = true
	}
}

// No part of the package takes an action of an unknown type for another.
func TestUnknownAction(t *testing.T) {
	p := &Plan{Operations: []Operation{{OperationID: "op_01", Action: Action{Type: "unheard_of", Value: MustDecimal("2")}}}}
	var invalid *InvalidError
	if err := p.Validate(); !errors.As(err, &invalid) || !slices.ContainsFunc(invalid.Problems, func(problem strictjson.Problem) bool {
		return problem.Path == "operations[0].action.type"
	}) {
		t.Errorf("Validate: %v", err)
	}
	if _, err := p.Operations[0].Action.Type.Writes(); !errors.Is(err, errs.Invalid) {
		t.Errorf("Writes: %v", err)
	}
	if _, err := p.Operations[0].Action.Price(); !errors.Is(err, errs.Invalid) {
		t.Errorf("Price: %v", err)
	}
	var names []string
	for _, rule := range actionRules {
		names = append(names, string(rule.name))
	}
	must := `must be one of ` + strings.Join(names, ", ") + `, but is "unheard_of"`
	known := Operation{OperationID: "op_02", Action: Action{Type: SetStock, Stock: true}}
	p.Operations = append(p.Operations, known)
	explanation := Explain(p)
	if diff := cmp.Diff([]string{"Nothing can be done: action.type " + must + ".", "Mark as in stock for all products."}, explanation); diff != "" {
		t.Errorf("Explain: %s", diff)
	}
}

// The price of an action that writes another column is no price.
func TestPriceOfStock(t *testing.T) {
	if _, err := (&Action{Type: SetStock}).Price(); !errors.Is(err, errs.Invalid) {
		t.Errorf("set_stock has a price: %v", err)
	}
}
