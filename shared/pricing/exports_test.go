package pricing_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
)

var update = flag.Bool("update", false, "rewrite testdata/exports/*/expected.txt and testdata/frozen.txt")

// TestExports carries a plan out over a small table in the form of each
// platform's export, without a setting but that rows with cells that cannot be read, such
// as a price that is made at the till, are left alone. What was recognised and what became of
// the rows stands in expected.txt, to be read by a person.
func TestExports(t *testing.T) {
	tables, err := filepath.Glob("../../testdata/exports/*/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{}
	for _, planFile := range tables {
		folder := filepath.Dir(planFile)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			summary, got := carryOut(t, planFile, exportIn(t, folder))
			covered[summary.Table.Profile] = true
			expected := filepath.Join(folder, "expected.txt")
			if *update {
				if err := os.WriteFile(expected, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-expected.txt +got:\n%s", diff)
			}
		})
	}
	for _, p := range profile.Profiles() {
		if !covered[p.Name] {
			t.Errorf("testdata/exports has no table in the form of %s", p.Name)
		}
	}
}

// exportIn returns the table in a folder: the file that is neither the plan nor
// what is expected.
func exportIn(t *testing.T, folder string) string {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f os.DirEntry) bool {
		return !slices.Contains([]string{"plan.json", "expected.txt", "sentences.tsv"}, f.Name())
	})
	if i < 0 {
		t.Fatal("there is no table")
	}
	return filepath.Join(folder, files[i].Name())
}

// carryOut runs a plan and says what it did, one fact a line.
func carryOut(t *testing.T, planFile, tableFile string) (pricing.Summary, string) {
	t.Helper()
	planText, err := os.ReadFile(planFile)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Decode(planText)
	if err != nil {
		t.Fatal(err)
	}
	input, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	e, err := pricing.Compile(p, table.Settings{OddRows: table.OddRowsLeave})
	if err != nil {
		t.Fatal(err)
	}
	var out, changes bytes.Buffer
	summary, err := e.Run(t.Context(), bytes.NewReader(input), &out, &changes)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	fmt.Fprintf(&said, "profile %s; %s\n", summary.Table.Profile, summary.Table.Dialect)
	for _, c := range summary.Table.Columns {
		fmt.Fprintf(&said, "%s: %s\n", c.Title, strings.TrimSuffix(string(c.Role)+", "+c.Form, ", "))
	}
	fmt.Fprintf(&said, "%d rows, %d matched, %d changed\n", summary.RowsTotal, summary.Operations[0].RowsMatched, summary.RowsChanged)
	for _, w := range summary.AllWarnings() {
		fmt.Fprintf(&said, "warning: %s\n", w.Message)
	}
	for line := range strings.Lines(changes.String()) {
		var c pricing.Change
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&said, "row %d %s: %s -> %s\n", c.Row, c.SKU, shown(c.Before), shown(c.After))
	}
	compare(t, p, table.Settings{}, input, 37, 1<<16) // with the reference, byte for byte
	return summary, said.String()
}

// shown is what a plan of one operation changes in a row: its price, or whether
// it is in stock.
func shown(s pricing.State) string {
	switch {
	case s.Price != nil:
		return *s.Price
	case *s.InStock:
		return "in stock"
	default:
		return "out of stock"
	}
}
