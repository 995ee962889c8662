package planner_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
)

// The README names every filter, action and option that a plan can have.
func TestTheReadmeNamesWhatPlansHave(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Definitions map[string]struct {
			Properties map[string]struct{ Enum []string }
		}
	}
	if err := json.Unmarshal(plan.SchemaJSON, &schema); err != nil {
		t.Fatal(err)
	}
	names := schema.Definitions["action"].Properties["type"].Enum
	for _, of := range []string{"filter", "where", "options"} {
		for name := range schema.Definitions[of].Properties {
			names = append(names, strings.TrimPrefix(name, "exclude_"))
		}
	}
	if len(names) < 30 {
		t.Fatalf("the schema has only %d names", len(names))
	}
	for _, name := range names {
		if name != "column" && !strings.Contains(string(readme), "`"+name+"`") {
			t.Errorf("README.md does not name %s", name)
		}
	}
}
