package prompts_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/planwright/planwright/prompts"
	"github.com/planwright/planwright/shared/plan"
)

// given are the names of the planner's prompt that are not of the schema.
var given = []string{"instruction", "categories", "products", "problems", "operations", "questions"}

var quoted = regexp.MustCompile("`([a-z_]+)(?:: [^`]*)?`")

// TestThePlannersPromptSpeaksTheSchemasLanguage keeps the prompt and the
// schema from drifting apart: what the one names, the other has, and every
// condition, action and option is explained.
func TestThePlannersPromptSpeaksTheSchemasLanguage(t *testing.T) {
	names := schemaNames(t)
	mentioned := map[string]bool{}
	for _, match := range quoted.FindAllStringSubmatch(prompts.Planning, -1) {
		mentioned[match[1]] = true
		if !names[match[1]] && !slices.Contains(given, match[1]) {
			t.Errorf("the prompt names %s, which no plan has", match[1])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !mentioned[name] && !slices.Contains([]string{"operation_id", "description", "filter", "action", "options", "type", "value", "keep_direction", "outside_limits"}, name) {
			t.Errorf("the prompt does not explain %s", name)
		}
	}
}

// schemaNames are what an operation can say: its fields and action types.
func schemaNames(t *testing.T) map[string]bool {
	t.Helper()
	var schema struct {
		Definitions map[string]struct {
			Properties map[string]struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(plan.SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, definition := range []string{"operation", "filter", "action", "options"} {
		for name := range schema.Definitions[definition].Properties {
			names[name] = true
		}
	}
	for _, action := range schema.Definitions["action"].Properties["type"].Enum {
		names[action] = true
	}
	if len(names) < 20 {
		t.Fatalf("the schema has only %d names", len(names))
	}
	return names
}
