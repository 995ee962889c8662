package plan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
)

const corpus = "../../testdata/plans/"

// invalidCase says where Decode must find fault with a plan, and nowhere else.
// GoOnly is why the JSON Schema accepts it all the same.
type invalidCase struct {
	Paths  []string `json:"paths"`
	GoOnly string   `json:"go_only"`
}

func TestValidPlans(t *testing.T) {
	schema := compile(t, decodeJSON(t, plan.SchemaJSON))
	for name, text := range readPlans(t, corpus+"valid") {
		t.Run(name, func(t *testing.T) {
			p, err := plan.Decode(text)
			if err != nil {
				t.Fatalf("Decode: %v", err)
			}
			if err := schemaError(t, schema, text); err != nil {
				t.Errorf("the schema refuses it: %v", err)
			}
			checkRoundTrip(t, p)
		})
	}
}

func TestInvalidPlans(t *testing.T) {
	schema := compile(t, decodeJSON(t, plan.SchemaJSON))
	var cases map[string]invalidCase
	if err := json.Unmarshal(readFile(t, corpus+"invalid.json"), &cases); err != nil {
		t.Fatal(err)
	}
	plans := readPlans(t, corpus+"invalid")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(cases)), slices.Sorted(maps.Keys(plans))); diff != "" {
		t.Fatalf("invalid.json and the files differ (-listed +present):\n%s", diff)
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := plan.Decode(plans[name])
			if diff := cmp.Diff(slices.Sorted(slices.Values(want.Paths)), problemPaths(t, err)); diff != "" {
				t.Errorf("paths of problems (-want +got):\n%s\n%v", diff, err)
			}
			if !errors.Is(err, errs.Invalid) || errs.Message(err) != err.Error() {
				t.Errorf("kind %q and message %q, want %q and the text %q", errs.KindOf(err), errs.Message(err), errs.Invalid, err)
			}
			accepted := schemaError(t, schema, plans[name]) == nil
			if accepted != (want.GoOnly != "") {
				t.Errorf("the schema accepts it: %t, but go_only is %q", accepted, want.GoOnly)
			}
		})
	}
}

func TestExamplePlans(t *testing.T) {
	for name, want := range map[string]string{
		"example_plan.json":               "plan_fitness_price_increase_10pct_v1",
		"example_plan_yoga_discount.json": "plan_yoga_discount_5pct_v1",
		"example_plan_mixed_ops.json":     "plan_mixed_ops_v1",
	} {
		p, err := plan.Decode(readFile(t, "../../testdata/"+name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.ExecutionID != want {
			t.Errorf("%s: execution id %q, want %q", name, p.ExecutionID, want)
		}
	}
}

// checkRoundTrip: the canonical form decodes to the same plan, the same bytes
// and the same hash.
func checkRoundTrip(t *testing.T, p *plan.Plan) {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatalf("decoded, but Validate says: %v", err)
	}
	again, err := plan.Decode(p.Canonical())
	if err != nil {
		t.Fatalf("Decode of the canonical form: %v\n%s", err, p.Canonical())
	}
	if diff := cmp.Diff(p, again, cmp.AllowUnexported(plan.Decimal{})); diff != "" {
		t.Errorf("changed by encoding and decoding (-before +after):\n%s", diff)
	}
	if !bytes.Equal(p.Canonical(), again.Canonical()) || p.SHA256() != again.SHA256() {
		t.Errorf("another canonical form:\n%s\n%s", p.Canonical(), again.Canonical())
	}
}

func problemPaths(t *testing.T, err error) []string {
	t.Helper()
	var invalid *plan.InvalidError
	if !errors.As(err, &invalid) {
		t.Fatalf("error %v, want an InvalidError", err)
	}
	paths := map[string]bool{}
	for _, problem := range invalid.Problems {
		paths[problem.Path] = true
	}
	return slices.Sorted(maps.Keys(paths))
}

func compile(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.DefaultDraft(jsonschema.Draft7)
	if err := compiler.AddResource("schema.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// schemaError validates as a user of the schema would: read, then validate.
func schemaError(t testing.TB, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

func decodeJSON(t testing.TB, text []byte) any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func readPlans(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no plans in %s: %v", folder, err)
	}
	plans := map[string][]byte{}
	for _, file := range files {
		plans[strings.TrimSuffix(filepath.Base(file), ".json")] = readFile(t, file)
	}
	return plans
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
