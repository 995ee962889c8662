package plan

import (
	_ "embed"
	"path"
	"slices"

	"github.com/planwright/planwright/shared/strictjson"
)

// SchemaJSON is the JSON Schema (Draft-7) of a plan. What it refuses Decode
// refuses; Decode also checks what Draft-7 cannot say, which the schema's
// description lists. It must not be changed.
//
//go:embed execution_plan_schema.json
var SchemaJSON []byte

// ResponseSchema returns the schema that a model's answer is held to: an
// object whose one field, operations, holds a plan's operations. It is derived
// from SchemaJSON and looser, because structured output supports few keywords
// and rejects large limits: types, names, enums and lower bounds are kept,
// while patterns, lengths, counts and the tie between an action's type and its
// value are left to Validate. Optional fields are left out rather than null.
//
// The map is new at each call, so a caller may add fields of its own.
func ResponseSchema() map[string]any {
	schema, _ := strictjson.Parse(SchemaJSON)
	definitions, _ := schema.Member("definitions")
	properties, _ := schema.Member("properties")
	operations, _ := properties.Member("operations")
	return map[string]any{
		"type":             "object",
		"properties":       map[string]any{"operations": loosen(operations, definitions)},
		"required":         []any{"operations"},
		"propertyOrdering": []any{"operations"},
	}
}

// kept are the keywords that mean the same to a model as in Draft-7.
var kept = []string{"description", "enum", "minimum", "maximum", "required"}

// loosen rewrites one schema, references resolved. What stands beside a
// reference wins over what it refers to.
func loosen(schema, definitions strictjson.Value) map[string]any {
	loose := map[string]any{}
	for _, keyword := range schema.Members() {
		switch value := keyword.Value; keyword.Name {
		case "type":
			loose["type"] = typeBesideNull(value)
		case "items":
			loose["items"] = loosen(value, definitions)
		case "properties":
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
		loose[property.Name] = loosen(property.Value, definitions)
		order = append(order, property.Name)
	}
	return loose, order
}

func typeBesideNull(types strictjson.Value) string {
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
