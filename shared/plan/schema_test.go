package plan_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/strictjson"
)

// responseKeywords are those that Gemini's structured output supports and that
// do not count against its limits.
var responseKeywords = []string{"type", "description", "properties", "propertyOrdering", "required", "items", "enum", "anyOf"}

// TestResponseSchemaIsThatOfAPlan derives it from the plan's schema; -update writes it anew.
func TestResponseSchemaIsThatOfAPlan(t *testing.T) {
	const file = "response_schema.json"
	schema, problems := strictjson.Parse(plan.SchemaJSON)
	if problems != nil {
		t.Fatal(problems)
	}
	definitions, _ := schema.Member("definitions")
	properties, _ := schema.Member("properties")
	operations, _ := properties.Member("operations")
	derived, err := json.MarshalIndent(map[string]any{
		"type":             "object",
		"properties":       map[string]any{"operations": loosen(operations, definitions)},
		"required":         []any{"operations"},
		"propertyOrdering": []any{"operations"},
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	derived = append(derived, '\n')
	if *update {
		if err := os.WriteFile(file, derived, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(readFile(t, file), derived) {
		t.Errorf("%s is not what follows from the plan's schema: run go test ./shared/plan -run %s -update", file, t.Name())
	}
}

func TestResponseSchemaUsesSupportedKeywords(t *testing.T) {
	walkSchema(plan.ResponseSchema(), "", func(path string, schema map[string]any) {
		for keyword := range schema {
			if !slices.Contains(responseKeywords, keyword) {
				t.Errorf("%s has the keyword %q", path, keyword)
			}
		}
		properties, _ := schema["properties"].(map[string]any)
		if order, _ := schema["propertyOrdering"].([]any); len(order) != len(properties) {
			t.Errorf("%s has %d properties and an order of %d", path, len(properties), len(order))
		}
		if _, typed := schema["type"].(string); !typed && schema["anyOf"] == nil {
			t.Errorf("%s has type %v, want one name", path, schema["type"])
		}
	})
}

func TestResponseSchemaAcceptsEveryValidPlan(t *testing.T) {
	schema := compile(t, toJSON(t, plan.ResponseSchema()))
	for name, text := range readPlans(t, corpus+"valid") {
		p, err := plan.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if p.Undo != nil {
			continue // no instruction asks for it
		}
		for i := range p.Operations {
			p.Operations[i].Filter.Where = nil // which a model writes in another form
		}
		if err := schemaError(t, schema, p.Canonical()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestResponseSchemaHasTheFieldsOfAPlan(t *testing.T) {
	text := readPlans(t, corpus+"valid")["every_field"]
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	walkDocument(document["operations"], "operations", want)
	for _, name := range notAsked {
		delete(want, "operations.options."+name)
	}
	for _, kind := range []string{"is", "is_not", "contains", "starts_with"} { // a model writes them as a value
		delete(want, "operations.filter.where."+kind)
	}
	want["operations.filter.where.op"], want["operations.filter.where.values"] = true, true
	got := map[string]bool{}
	walkSchema(plan.ResponseSchema(), "", func(path string, schema map[string]any) {
		if len(path) > 0 {
			got[path[1:]] = true
		}
	})
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("fields of a plan with every field (-) and of the schema (+):\n%s", diff)
	}
}

func TestResponseSchemaIsNewAtEachCall(t *testing.T) {
	plan.ResponseSchema()["properties"].(map[string]any)["operations"] = "changed"
	if diff := cmp.Diff(plan.ResponseSchema(), plan.ResponseSchema()); diff != "" {
		t.Error(diff)
	}
	if plan.ResponseSchema()["properties"].(map[string]any)["operations"] == "changed" {
		t.Error("a caller's change shows in the next call")
	}
}

// kept are the keywords that mean the same to a model as in Draft-7. Bounds of numbers are
// Validate's: they count against the limits of structured output.
var kept = []string{"description", "required"}

// whereOfModel is a condition on a column as a model writes it: with the kind as a value, so
// that each field has one type.
func whereOfModel(properties strictjson.Value, loose map[string]any) map[string]any {
	text := func(description string) map[string]any {
		return map[string]any{"type": "string", "description": description}
	}
	var kinds []any
	var meanings []string
	for _, property := range properties.Members() {
		meaning, _ := property.Value.Member("description")
		if property.Name != "column" {
			kinds = append(kinds, property.Name)
			meanings = append(meanings, property.Name+": "+meaning.Text())
		}
	}
	op := text(strings.Join(meanings, " "))
	op["enum"] = kinds
	loose["properties"] = map[string]any{
		"column": text("The column's title."),
		"op":     op,
		"values": map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
	}
	order := []any{"column", "op", "values"}
	loose["required"], loose["propertyOrdering"] = order, order
	loose["description"] = "A condition on a column."
	return loose
}

// notAsked are the fields that no instruction names and no model fills in.
var notAsked = []string{"keep_direction", "outside_limits"}

// loosen rewrites one schema, references resolved. What stands beside a
// reference wins over what it refers to.
func loosen(schema, definitions strictjson.Value) map[string]any {
	loose := map[string]any{}
	for _, keyword := range schema.Members() {
		switch value := keyword.Value; keyword.Name {
		case "type":
			loose["type"] = typeOtherThanNull(value)
		case "items":
			loose["items"] = loosen(value, definitions)
		case "enum":
			loose["enum"] = slices.DeleteFunc(value.Any().([]any), func(choice any) bool { return choice == nil })
		case "properties":
			if column, is := value.Member("starts_with"); is && column.Members() != nil {
				return whereOfModel(value, loose)
			}
			loose["properties"], loose["propertyOrdering"] = loosenProperties(value, definitions)
		case "$ref":
			definition, _ := definitions.Member(path.Base(value.Text()))
			merge(loose, loosen(definition, definitions))
		case "allOf", "anyOf", "oneOf":
			merge(loose, alternatives(value, definitions))
		default:
			if slices.Contains(kept, keyword.Name) {
				loose[keyword.Name] = value.Any()
			}
		}
	}
	return loose
}

func loosenProperties(properties, definitions strictjson.Value) (loose map[string]any, order []any) {
	loose = map[string]any{}
	for _, property := range properties.Members() {
		if slices.Contains(notAsked, property.Name) {
			continue
		}
		loose[property.Name] = loosen(property.Value, definitions)
		order = append(order, property.Name)
	}
	return loose, order
}

func typeOtherThanNull(types strictjson.Value) string {
	for _, name := range types.Items() {
		if name.Text() != "null" {
			return name.Text()
		}
	}
	return types.Text()
}

// alternatives keeps those that are not null: one as it is, several as anyOf.
func alternatives(schemas, definitions strictjson.Value) map[string]any {
	var loose []any
	for _, schema := range schemas.Items() {
		if alternative := loosen(schema, definitions); alternative["type"] != "null" {
			loose = append(loose, alternative)
		}
	}
	if len(loose) == 1 {
		return loose[0].(map[string]any)
	}
	return map[string]any{"anyOf": loose}
}

func merge(into, from map[string]any) {
	for keyword, value := range from {
		if _, set := into[keyword]; !set {
			into[keyword] = value
		}
	}
}

// walkSchema visits a schema and those of its fields, with paths such as
// .operations.filter.skus: arrays have the path of their items.
func walkSchema(schema map[string]any, path string, visit func(string, map[string]any)) {
	visit(path, schema)
	if items, ok := schema["items"].(map[string]any); ok {
		walkSchema(items, path, visit)
	}
	alternatives, _ := schema["anyOf"].([]any)
	for _, alternative := range alternatives {
		walkSchema(alternative.(map[string]any), path, visit)
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		walkSchema(property.(map[string]any), path+"."+name, visit)
	}
}

func walkDocument(value any, path string, visited map[string]bool) {
	visited[path] = true
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			walkDocument(item, path, visited)
		}
	case map[string]any:
		for name, member := range value {
			walkDocument(member, path+"."+name, visited)
		}
	}
}

func toJSON(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return decodeJSON(t, text)
}
