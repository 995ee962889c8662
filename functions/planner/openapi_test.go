package planner_test

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/planwright/planwright/functions/planner"
)

// description is openapi.json, with the schemas of its answers compiled when
// they are first asked for.
type description struct {
	root     map[string]any
	compiler *jsonschema.Compiler
}

func describe(t testing.TB) description {
	t.Helper()
	data, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", root); err != nil {
		t.Fatal(err)
	}
	return description{root.(map[string]any), compiler}
}

// pointerStep writes a name as a step of a JSON pointer in a URL.
var pointerStep = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")

// at follows the steps into the document, through references.
func (d description) at(t testing.TB, steps ...string) (node any, pointer string) {
	t.Helper()
	node = d.root
	for _, step := range steps {
		object, ok := node.(map[string]any)
		if !ok || object[step] == nil {
			t.Fatalf("openapi.json has no %s in %q", step, steps)
		}
		node, pointer = object[step], pointer+"/"+pointerStep.Replace(step)
		for {
			object, _ := node.(map[string]any)
			reference, ok := object["$ref"].(string)
			if !ok {
				break
			}
			node, pointer = d.follow(t, reference)
		}
	}
	return node, pointer
}

func (d description) follow(t testing.TB, reference string) (any, string) {
	t.Helper()
	path, local := strings.CutPrefix(reference, "#/")
	if !local {
		t.Fatalf("the reference %s leaves the document", reference)
	}
	return d.at(t, strings.Split(path, "/")...)
}

// check fails the test where an answer is not as it is described.
func (d description) check(t testing.TB, method, path string, got answer) {
	t.Helper()
	if method == http.MethodHead || got.status == http.StatusMethodNotAllowed || got.status == http.StatusNoContent {
		return
	}
	mediaType, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	_, pointer := d.at(t, "paths", path, strings.ToLower(method), "responses", strconv.Itoa(got.status), "content", mediaType, "schema")
	schema, err := d.compiler.Compile("openapi.json#" + pointer)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(got.body))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("the answer of %s %s is not as described: %v", method, path, err)
	}
}

// route returns the path of the description that a request is for.
func (d description) route(t *testing.T, path string) string {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	paths, _ := d.at(t, "paths")
	for _, known := range slices.Sorted(maps.Keys(paths.(map[string]any))) {
		if matches(known, path) {
			return known
		}
	}
	t.Fatalf("openapi.json does not describe %s", path)
	return ""
}

func matches(known, path string) bool {
	a, b := strings.Split(known, "/"), strings.Split(path, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		_, suffix, wildcard := strings.Cut(a[i], "}")
		switch {
		case !wildcard && a[i] != b[i]:
			return false
		case wildcard && (!strings.HasSuffix(b[i], suffix) || suffix == "" && strings.Contains(b[i], ":")):
			return false
		}
	}
	return true
}

func TestOpenAPIMatchesTheRoutes(t *testing.T) {
	d := describe(t)
	var described []string
	operations := map[string]bool{}
	paths, _ := d.at(t, "paths")
	for path, item := range paths.(map[string]any) {
		for method, operation := range item.(map[string]any) {
			if method == "parameters" {
				continue
			}
			described = append(described, strings.ToUpper(method)+" "+path)
			id := operation.(map[string]any)["operationId"].(string)
			if operations[id] {
				t.Errorf("operationId %s stands twice", id)
			}
			operations[id] = true
		}
	}
	routes := planner.Routes()
	slices.Sort(routes)
	slices.Sort(described)
	if diff := cmp.Diff(routes, described); diff != "" {
		t.Errorf("routes (-) and openapi.json (+):\n%s", diff)
	}
}

func TestOpenAPIReferencesResolve(t *testing.T) {
	d := describe(t)
	used := map[string]bool{}
	var visit func(any)
	visit = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, item := range node {
				visit(item)
			}
		case map[string]any:
			if reference, ok := node["$ref"].(string); ok {
				d.follow(t, reference)
				used[reference] = true
			}
			for _, item := range node {
				visit(item)
			}
		}
	}
	visit(d.root)
	security, _ := d.at(t, "security")
	for _, needed := range security.([]any) {
		for scheme := range needed.(map[string]any) {
			used["#/components/securitySchemes/"+scheme] = true
		}
	}
	components, _ := d.at(t, "components")
	for kind, named := range components.(map[string]any) {
		for name := range named.(map[string]any) {
			if !used["#/components/"+kind+"/"+name] {
				t.Errorf("%s %s is used by nothing", kind, name)
			}
		}
	}
	schemas, _ := d.at(t, "components", "schemas")
	for name := range schemas.(map[string]any) {
		if _, err := d.compiler.Compile("openapi.json#/components/schemas/" + name); err != nil {
			t.Errorf("schema %s: %v", name, err)
		}
	}
}

func TestPathParametersAreDescribed(t *testing.T) {
	d := describe(t)
	paths, _ := d.at(t, "paths")
	for path, item := range paths.(map[string]any) {
		var described []string
		list, _ := item.(map[string]any)["parameters"].([]any)
		for _, reference := range list {
			parameter, _ := d.follow(t, reference.(map[string]any)["$ref"].(string))
			described = append(described, "{"+parameter.(map[string]any)["name"].(string)+"}")
		}
		for _, name := range described {
			if !strings.Contains(path, name) {
				t.Errorf("%s has no %s", path, name)
			}
		}
		if strings.Count(path, "{") != len(described) {
			t.Errorf("%s describes %v", path, described)
		}
	}
}

func TestMethodsThatAreNotThere(t *testing.T) {
	s := open(t)
	request := httptest.NewRequest("DELETE", "/v1/plans/plan_a_v1", nil)
	recorder := httptest.NewRecorder()
	s.Config.Handler.ServeHTTP(recorder, request)
	if recorder.Code != 405 || recorder.Header().Get("Allow") != "GET, HEAD, PUT" {
		t.Errorf("%d, Allow %q", recorder.Code, recorder.Header().Get("Allow"))
	}
}
