// Package functions_test keeps what the functions have in common: the
// variables that they read.
package functions_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/functions/planner"
	"github.com/planwright/planwright/functions/session"
	"github.com/planwright/planwright/shared/config"
	"github.com/planwright/planwright/shared/execution"
	"github.com/planwright/planwright/shared/table/setting"
)

const example = "../.env.example"

// elsewhere are variables that libraries read for us.
var elsewhere = []string{"FIRESTORE_EMULATOR_HOST", "STORAGE_EMULATOR_HOST"}

// systems are variables of the system, which Go reads at its start: a file that is read
// later cannot set them.
var systems = []string{"TZ"}

// tool matches packages that only tests and developers run.
var tool = regexp.MustCompile(`(test|bench)/`)

var variableName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// TestTheExampleNamesEveryVariable compares .env.example with the variables
// that the code asks for by name.
func TestTheExampleNamesEveryVariable(t *testing.T) {
	read := map[string]bool{}
	for _, name := range elsewhere {
		read[name] = true
	}
	for _, setting := range setting.All {
		read[setting.Variable] = true
	}
	for _, root := range []string{".", "../shared"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || tool.MatchString(path) {
				return err
			}
			return variablesIn(path, read)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range systems {
		delete(read, name)
	}
	want, got := slices.Sorted(maps.Keys(read)), slices.Sorted(maps.Keys(values(t)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables in the code (-) and in .env.example (+):\n%s", diff)
	}
}

// variablesIn adds the names that are looked up in a file.
func variablesIn(path string, read map[string]bool) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		literal, isLiteral := call.Args[0].(*ast.BasicLit)
		if !ok || !isLiteral || literal.Kind != token.STRING {
			return true
		}
		name, err := strconv.Unquote(literal.Value)
		if err == nil && variableName.MatchString(name) && slices.Contains(lookups, method.Sel.Name) {
			read[name] = true
		}
		return true
	})
	return nil
}

// lookups are the names of functions that read a variable.
var lookups = []string{"String", "Required", "Secret", "OneOf", "Bool", "Duration", "Int", "Float", "List", "lookup", "Getenv", "LookupEnv"}

// values reads the variables of .env.example.
func values(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(example)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	found := map[string]string{}
	documented := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			documented = strings.HasPrefix(line, "#")
			continue
		}
		if _, twice := found[name]; twice || !documented {
			t.Errorf("%s stands twice or has no comment above it", name)
		}
		found[name], documented = value, false
	}
	return found
}

// TestTheExampleIsAConfiguration reads every function's Config from it, with what is
// required in the cloud.
func TestTheExampleIsAConfiguration(t *testing.T) {
	cloud := map[string]string{
		"GOOGLE_CLOUD_PROJECT": "shop", "GOOGLE_GENAI_USE_VERTEXAI": "true",
		"INBOX_BUCKET": "inbox", "OUTBOX_BUCKET": "outbox", "AUDIT_BUCKET": "audit",
	}
	set := values(t)
	for name := range cloud {
		if set[name] != "" {
			t.Errorf("a copy of the example sets %s to %q, which is nobody's", name, set[name])
		}
	}
	maps.Copy(set, cloud)
	lookup := config.Map(set)
	if _, err := planner.ReadConfig(lookup); err != nil {
		t.Errorf("planner: %v", err)
	}
	if _, err := execution.ReadConfig(lookup); err != nil {
		t.Errorf("executor and sweeper: %v", err)
	}
	if _, err := session.ReadConfig(lookup); err != nil {
		t.Errorf("session: %v", err)
	}
}
