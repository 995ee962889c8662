package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/reference"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/setting"
)

// TestTables generates each shape twice, and carries each of the plans out
// over it with the engine and with the reference.
func TestTables(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs beside it that other tests do not run, and it is slow under the race detector")
	}
	for shape, changed := range map[string]struct{ least, most float64 }{"narrow": {0.05, 0.09}, "wide": {0.05, 0.09}} {
		t.Run(shape, func(t *testing.T) {
			var text, again bytes.Buffer
			rows, err := generate(&text, shape, 300_000, 7)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := generate(&again, shape, 300_000, 7); err != nil || !bytes.Equal(text.Bytes(), again.Bytes()) {
				t.Errorf("the same seed gives another table (%v)", err)
			}
			allowed := table.Settings{Unmatched: setting.UnmatchedAllow} // a small table lacks some of the plans' SKUs
			for name, path := range (&bench{dir: t.TempDir()}).plans() {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				p, err := plan.Decode(data)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				e, err := pricing.Compile(p, allowed)
				if err != nil {
					t.Fatal(err)
				}
				var got, gotChanges bytes.Buffer
				summary, err := e.Run(t.Context(), bytes.NewReader(text.Bytes()), &got, &gotChanges)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if name == "hundred" {
					continue // the reference takes a minute for so many SKUs
				}
				want, err := reference.Run(p, allowed, summary.Table.Dialect, text.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				if got.String() != want.Out || gotChanges.String() != want.Changes {
					t.Errorf("%s: the engine's output is not the reference's", name)
				}
				share := float64(summary.RowsChanged) / float64(summary.RowsTotal)
				if summary.RowsTotal != rows || name == "some" && (share < changed.least || share > changed.most) {
					t.Errorf("%s: %+v of %d rows", name, summary, rows)
				}
			}
		})
	}
	if _, err := generate(io.Discard, "round", 1, 1); err == nil {
		t.Error("a table of no known shape")
	}
}

func TestReport(t *testing.T) {
	second := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	floor := &contender{name: "floor", measured: []measurement{{second(0.5), second(0.4), 2 << 20}}}
	idle := &contender{name: "idle", args: []string{"planwright", "--help"}, measured: []measurement{{second(0.1), second(0.1), 26<<20 + 1<<19}}}
	apply := &contender{name: "apply", args: []string{"planwright", "apply"}, floor: floor, idle: idle, measured: []measurement{
		{second(9), second(1), 40 << 20}, {second(1), second(1.2), 41 << 20}, {second(0.8), second(9), 39 << 20},
	}}
	var got strings.Builder
	if err := report(&got, "narrow", "1GB", []*contender{floor, apply, idle}); err != nil {
		t.Fatal(err)
	}
	want := `
1GB of narrow rows

|       | wall, s | CPU, s | peak, MiB | over idle | wall / floor | CPU / floor |
|---    |---      |---     |---        |---        |---           |---          |
| floor | 0.50    | 0.40   | 2         |           |              |             |
| apply | 1.00    | 1.20   | 40        | 13        | 2.00         | 3.00        |
| idle  | 0.10    | 0.10   | 26        |           |              |             |
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
	with := withBuild([]*contender{floor, apply, idle}, "old", idle)
	if len(with) != 5 || with[2].args[0] != "old" || with[2].args[1] != "apply" || with[2].floor != floor || with[2].idle != with[4] || with[4].args[0] != "old" {
		t.Errorf("beside another build: %+v", with)
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"100MB": 100_000_000, "1GB": 1_000_000_000, "512": 512} {
		if got, err := parseSize(text); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "GB", "-1MB", "0", "1.5GB", "1TB"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
