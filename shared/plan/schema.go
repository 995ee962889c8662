package plan

import (
	_ "embed"
	"encoding/json"
)

// SchemaJSON is the JSON Schema (Draft-7) of a plan. What it refuses Decode
// refuses; Decode also checks what Draft-7 cannot say, which the schema's
// description lists. It must not be changed.
//
//go:embed execution_plan_schema.json
var SchemaJSON []byte

// responseSchema is written by TestResponseSchemaIsThatOfAPlan, with -update.
//
//go:embed response_schema.json
var responseSchema []byte

// ResponseSchema returns the schema that a model's answer is held to: an
// object whose one field, operations, holds a plan's operations. It is derived
// from SchemaJSON and looser, because structured output supports few keywords
// and rejects large limits: types, names and enums are kept,
// while patterns, lengths, counts, bounds of numbers and the tie between an action's type and its
// value are left to Validate. Optional fields are left out rather than null.
//
// The map is new at each call, so a caller may add fields of its own.
func ResponseSchema() (schema map[string]any) {
	if err := json.Unmarshal(responseSchema, &schema); err != nil {
		panic(err) // it is part of the program
	}
	return schema
}
