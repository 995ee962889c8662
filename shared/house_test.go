// Package shared_test keeps the house in order: which package may import
// which, and what the deployed functions link.
package shared_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/planwright/planwright/"

// floors are the levels of the house: a package imports from floors below its
// own, or from its own subtree. The longest prefix that matches counts.
var floors = map[string]int{
	"shared/errs":           0,
	"shared/strictjson":     0,
	"shared/fold":           0,
	"shared/logging":        0,
	"shared/config":         1,
	"shared/sqlitedb":       1,
	"shared/firestoredb":    1,
	"shared/firestoretest":  1, // for tests
	"functions/browsertest": 1, // for tests
	"shared/blake3":         1,
	"shared/test/":          1, // for simulations, conformance suites and lost power
	"shared/plan":           1,
	"shared/table":          1,
	"shared/pricing":        2,
	"prompts":               2,
	// Ports, and what only passes on what it is given.
	"shared/ledger":           3,
	"shared/ledger/lineage":   3,
	"shared/ledger/notices":   2,
	"shared/ledger/paging":    2,
	"shared/ledger/postings":  3,
	"shared/ledger/plans":     3,
	"shared/ledger/merkle":    3,
	"shared/ledger/changelog": 3,
	"shared/bucket":           3,
	"shared/web":              3,
	"shared/gemini":           3,
	"shared/identity":         3,
	"shared/plannerapi":       4, // what the planner answers
	"shared/sessions":         3,
	"shared/shop":             4, // over the ledger and buckets
	// Adapters: known to the functions alone.
	"shared/ledger/":       4,
	"shared/bucket/":       4,
	"shared/sessions/":     4,
	"shared/shop/":         4,
	"shared/shop/schedule": 6, // hands tables in, as the planner does
	// What the product does.
	"shared/messages":  5,
	"shared/planning":  5,
	"shared/execution": 5,
	"shared/agents":    5,
	// Helps their tests, and is linked by nothing else.
	"shared/agents/agentstest": 7,
	"shared/cloudstores":       6, // what executor and sweeper open
	"shared/verify":            6,
	"shared/tablestore":        6,
	"functions/frameworktest":  6, // serves a deployed function in its test
	"functions/local":          8, // serves a deployed function on one machine
	"functions/planner":        7,
	"functions/executor":       7,
	"functions/session":        7,
	"functions/sweeper":        7,
	"functions/shops":          7,
	"functions/console":        7,
	"functions/emulator":       8,
	"functions/planwright":     9,
	"terraform/archive":        8,
}

// outside says who may import a library directly; every other package may not.
// Prefixes of import paths on the left, of our packages on the right.
var outside = map[string][]string{
	"cloud.google.com/go/firestore":                         {"shared/firestoredb", "shared/ledger/firestore", "shared/sessions/firestore"},
	"cloud.google.com/go/storage":                           {"shared/bucket/gcs"},
	"cloud.google.com/go/auth":                              {"shared/gemini", "shared/identity", "functions/planwright"},
	"google.golang.org/api":                                 {"shared/firestoredb", "shared/ledger/firestore", "shared/sessions/firestore", "shared/bucket/gcs", "shared/gemini"},
	"google.golang.org/grpc":                                {"shared/firestoredb", "shared/ledger/firestore", "shared/sessions/firestore", "shared/bucket/gcs"},
	"google.golang.org/genai":                               {"shared/gemini", "shared/planning", "shared/agents", "shared/sessions", "functions/session"},
	"google.golang.org/adk":                                 {"shared/agents", "shared/sessions", "functions/session", "functions/emulator/devui"},
	"modernc.org/sqlite":                                    {"shared/sqlitedb"},
	"database/sql":                                          {"shared/sqlitedb", "shared/ledger/sqlite", "shared/sessions/sqlite", "functions/emulator"},
	"github.com/spf13/":                                     {"functions/planwright"},
	"github.com/schollz/":                                   {"functions/planwright"},
	"github.com/GoogleCloudPlatform/functions-framework-go": {"functions/"},
	"github.com/cloudevents/":                               {"functions/"},
	"encoding/json/v2":                                      {"shared/strictjson"},
	"encoding/json/jsontext":                                {"shared/strictjson"},
}

// pure packages compute: no file, no network, no process, no cloud.
var (
	pure       = []string{"shared/errs", "shared/strictjson", "shared/fold", "shared/plan", "shared/table", "shared/pricing"}
	impure     = []string{"os", "net", "database", "log", "cloud.google.com", "google.golang.org", "modernc.org", "github.com/GoogleCloudPlatform"}
	adapters   = []string{"shared/ledger/", "shared/bucket/", "shared/sessions/", "shared/shop/", "shared/sqlitedb", "shared/web"}
	mayAdapter = []string{"shared/ledger/", "shared/bucket/", "shared/sessions/", "shared/cloudstores", "functions/"}
)

// overPorts lie among the adapters and are none: they work on any of them.
var overPorts = []string{
	"shared/ledger/tree", "shared/ledger/lineage", "shared/ledger/notices", "shared/ledger/paging",
	"shared/ledger/postings", "shared/ledger/changelog", "shared/ledger/plans", "shared/ledger/merkle",
}

// beneath are the rooms of a family of which another knows the face alone. What
// pricing knows of a table are rows and edits, and no byte. Amounts are numbers.
var beneath = map[string][]string{
	"shared/pricing": {
		"shared/table/cell", "shared/table/dialect", "shared/table/faults", "shared/table/files", "shared/table/names",
		"shared/table/overview", "shared/table/profile", "shared/table/recognize", "shared/table/row", "shared/table/scan",
		"shared/table/screen", "shared/table/setting",
	},
}

// rooms are those of a table, from the lowest: each imports from those before it alone.
var rooms = []string{
	"cell", "amount", "files", "faults", "scan", "dialect", "screen", "profile", "recognize", "setting", "names", "row", "overview",
}

// closed are the rooms of a table that read its bytes: no other package looks into them,
// but for tests, which link what they like, and the reference, which reads bytes by itself.
var (
	closed = []string{"shared/table/scan", "shared/table/screen"}
	reads  = []string{"shared/table", "shared/pricing/reference"}
)

// linked says what a deployed function must not contain, however it came in.
var linked = map[string][]string{
	"functions/planner":  {"modernc.org/sqlite", "google.golang.org/adk"},
	"functions/executor": {"modernc.org/sqlite", "google.golang.org/adk", "google.golang.org/genai"},
	"functions/sweeper":  {"modernc.org/sqlite", "google.golang.org/adk", "google.golang.org/genai"},
	"functions/shops":    {"modernc.org/sqlite", "google.golang.org/adk", "google.golang.org/genai"},
	"functions/session":  {"modernc.org/sqlite", "google.golang.org/adk/v2/cmd", "google.golang.org/adk/v2/server", "github.com/gorilla/mux"},
}

// listed is what go list says of a package.
type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func TestArrowsPointInward(t *testing.T) {
	for _, p := range ours(t) {
		for _, fault := range faults(strings.TrimPrefix(p.ImportPath, module), p.Imports) {
			t.Error(fault)
		}
	}
}

func TestArrowsWithinTheTableRunDown(t *testing.T) {
	place := func(path string) int {
		room, inner := strings.CutPrefix(path, module+"shared/table/")
		if at := slices.Index(rooms, room); !inner || at >= 0 {
			return at
		}
		t.Fatalf("%s has no place among %v", path, rooms)
		return 0
	}
	found := 0
	for _, p := range ours(t) {
		if !strings.HasPrefix(p.ImportPath, module+"shared/table/") {
			continue
		}
		found++
		for _, imported := range p.Imports {
			if imported == module+"shared/table" || place(imported) >= place(p.ImportPath) {
				t.Errorf("%s imports %s, which stands above it", p.ImportPath, imported)
			}
		}
	}
	if found != len(rooms) {
		t.Errorf("%d rooms, %d are listed", found, len(rooms))
	}
}

func TestDeployedFunctionsLinkOnlyWhatTheyNeed(t *testing.T) {
	for _, p := range ours(t) {
		for _, banned := range linked[strings.TrimPrefix(p.ImportPath, module)] {
			for _, dep := range p.Deps {
				if under(dep, banned) {
					t.Errorf("%s links %s", p.ImportPath, dep)
				}
			}
		}
	}
}

// ofBytes are words for the bytes of a table. Of what holds them, pricing says no
// more than that a price which it wrote was quoted, as changes record it.
var (
	ofBytes  = regexp.MustCompile(`\w*(Span|Block|Delimiter|Family|Quote|Records)\w*`)
	recorded = []string{"Quoted", "SalePriceQuoted", "CompareAtQuoted"}
)

func TestPricingKnowsNoByte(t *testing.T) {
	files, err := filepath.Glob("pricing/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	said := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range ofBytes.FindAllString(string(text), -1) {
			if said++; !strings.HasSuffix(file, "_test.go") && !slices.Contains(recorded, word) {
				t.Errorf("%s says %s: that is the table's", file, word)
			}
		}
	}
	if said == 0 {
		t.Error("not even the tests have such a word: the rule finds nothing")
	}
}

// ownJSON are the methods by which encoding/json lets a type write or read itself
// since Go 1.27. It prefers them to MarshalJSON, which hashes are made of.
var ownJSON = regexp.MustCompile(`(?m)^func \(.*\) (MarshalJSONTo|UnmarshalJSONFrom)\(`)

// TestOneWayToWriteJSON lets a type have MarshalJSON alone. What strictjson wraps
// around JSON has nothing but the other.
func TestOneWayToWriteJSON(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if !ownJSON.Match(text) {
			return err
		}
		if found++; filepath.ToSlash(path) != "../shared/strictjson/canonical.go" {
			t.Errorf("%s: write MarshalJSON instead", path)
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d types have one, %v: the rule finds nothing", found, err)
	}
}

// TestNoProgramIsCommitted lets a checkout hold sources alone: what go build leaves
// behind is tens of megabytes, for ever.
func TestNoProgramIsCommitted(t *testing.T) {
	kept, err := exec.Command("git", "-C", "..", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("no checkout: %v", err)
	}
	const most = 4 << 20 // bytes; the largest is 2 MB of instructions
	for name := range strings.SplitSeq(strings.TrimRight(string(kept), "\x00"), "\x00") {
		if info, err := os.Stat(filepath.Join("..", name)); err == nil && info.Size() > most {
			t.Errorf("%s has %d bytes: keep no file that is built", name, info.Size())
		}
	}
}

// TestFaults proves that the rules above can fail.
func TestFaults(t *testing.T) {
	tests := []struct {
		name, from, to string
		want           []string
	}{
		{"a port may use a pure package", "shared/ledger", module + "shared/plan", nil},
		{"an adapter may use its port", "shared/ledger/sqlite", module + "shared/ledger", nil},
		{"the emulator may use a function", "functions/emulator", module + "functions/planner", nil},
		{"the binary may use the emulator", "functions/planwright", module + "functions/emulator", nil},
		{"a package may use its own subtree", "shared/plan/a", module + "shared/plan", nil},
		{"outward", "shared/plan", module + "shared/ledger", []string{"shared/plan must not import shared/ledger: arrows point inward"}},
		{"two functions", "functions/planner", module + "functions/executor", []string{"functions/planner must not import functions/executor: arrows point inward"}},
		{"an adapter in the protocol", "shared/execution", module + "shared/ledger/sqlite", []string{"shared/execution must not import shared/ledger/sqlite: adapters are wired by the functions and shared/cloudstores"}},
		{"what works on any adapter", "shared/verify", module + "shared/ledger/tree", nil},
		{"a room without a floor", "shared/util", "fmt", []string{"shared/util has no place in the house: name its floor in shared/house_test.go"}},
		{"a library in the wrong room", "shared/execution", "cloud.google.com/go/storage", []string{"shared/execution must not import cloud.google.com/go/storage: only [shared/bucket/gcs] may"}},
		{"pricing reads bytes", "shared/pricing", module + "shared/table/dialect", []string{"shared/pricing must not import shared/table/dialect: it knows shared/table alone"}},
		{"the reference reads bytes", "shared/pricing/reference", module + "shared/table/scan", nil},
		{"pricing looks into rows", "shared/pricing", module + "shared/table/row", []string{"shared/pricing must not import shared/table/row: it knows shared/table alone"}},
		{"a page scans", "functions/console", module + "shared/table/scan", []string{"functions/console must not import shared/table/scan: the table alone reads bytes"}},
		{"a page says what a table has", "functions/console", module + "shared/table/overview", nil},
		{"a pure package reads files", "shared/pricing", "os", []string{"shared/pricing must not import os: it is pure"}},
		{"a pure package may print to a string", "shared/pricing", "fmt", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, faults(test.from, []string{test.to})); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// faults returns what is wrong with the imports of one of our packages.
func faults(from string, imports []string) []string {
	floor, known := floorOf(from)
	if !known {
		return []string{from + " has no place in the house: name its floor in shared/house_test.go"}
	}
	var found []string
	for _, path := range imports {
		if to, ok := strings.CutPrefix(path, module); ok {
			found = append(found, inside(from, floor, to)...)
			continue
		}
		if anyUnder(from, pure) && anyUnder(path, impure) {
			found = append(found, from+" must not import "+path+": it is pure")
		}
		for library, rooms := range outside {
			if under(path, library) && !anyUnder(from, rooms) {
				found = append(found, from+" must not import "+path+": only ["+strings.Join(rooms, " ")+"] may")
			}
		}
	}
	return found
}

// inside judges an import of one of our own packages.
func inside(from string, floor int, to string) []string {
	target, _ := floorOf(to)
	family := root(from) == root(to)
	switch {
	case slices.Contains(closed, to) && !anyUnder(from, reads):
		return []string{from + " must not import " + to + ": the table alone reads bytes"}
	case slices.Contains(beneath[from], to):
		return []string{from + " must not import " + to + ": it knows " + root(to) + " alone"}
	case anyUnder(to, adapters) && !anyUnder(to, overPorts) && !anyUnder(from, mayAdapter) && !family:
		return []string{from + " must not import " + to + ": adapters are wired by the functions and shared/cloudstores"}
	case target >= floor && !family:
		return []string{from + " must not import " + to + ": arrows point inward"}
	}
	return nil
}

// floorOf finds the floor of a package by its longest matching prefix.
func floorOf(path string) (int, bool) {
	longest, floor := "", 0
	for prefix, level := range floors {
		if under(path, prefix) && len(prefix) > len(longest) {
			longest, floor = prefix, level
		}
	}
	return floor, longest != ""
}

// root returns the room of a package: its first two path segments.
func root(path string) string {
	segments := strings.SplitN(path, "/", 3)
	return strings.Join(segments[:min(2, len(segments))], "/")
}

// under reports whether path is prefix or lies below it. A prefix that ends in
// a slash matches only what lies below.
func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}

func anyUnder(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return under(path, prefix) })
}

// ours asks the go command for every package of the module that is built.
func ours(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		if len(p.Imports) > 0 {
			packages = append(packages, p)
		}
	}
	if len(packages) == 0 {
		t.Fatal("go list found no package")
	}
	return packages
}
