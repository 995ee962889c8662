package pricing_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// given is all that a run gives.
type given struct {
	Out, Changes string
	Summary      pricing.Summary
	Err          string
}

func runWhole(t *testing.T, e *pricing.Engine, data []byte) given {
	t.Helper()
	var out, changes bytes.Buffer
	summary, err := e.Run(t.Context(), bytes.NewReader(data), &out, &changes)
	if err != nil {
		return given{Err: err.Error()}
	}
	return given{out.String(), changes.String(), summary, ""}
}

// runRanges runs a table whose text behind the header is cut at these places of
// the table.
func runRanges(t *testing.T, e *pricing.Engine, data []byte, cuts ...int64) given {
	t.Helper()
	refused := func(err error) given {
		if err != nil {
			return given{Err: err.Error()}
		}
		return given{}
	}
	opened, err := e.Open(t.Context(), bytes.NewReader(data))
	if err != nil {
		return refused(err)
	}
	var surveys []row.Survey
	at := opened.Body()
	for _, cut := range append(cuts, int64(len(data))) {
		if cut < int64(len(data)) {
			cut -= (cut - opened.Body()) % opened.Unit()
		}
		if cut < at {
			continue
		}
		survey, err := opened.Survey(bytes.NewReader(data[at:cut]))
		if err != nil {
			t.Fatal(err)
		}
		surveys, at = append(surveys, survey), cut
	}
	overWire(t, &surveys)
	ranges := opened.Ranges(surveys)
	overWire(t, &ranges)
	parts := make([]*pricing.Part, len(ranges))
	var all given
	for i, r := range slices.Backward(ranges) { // as on other machines: in any order
		var out, changes bytes.Buffer
		if parts[i], err = e.RunRange(t.Context(), openAnew(t, e, data), r, bytes.NewReader(data[r.From:r.To]), &out, &changes); err != nil {
			t.Fatal(err)
		}
		overWire(t, parts[i])
		all.Out, all.Changes = out.String()+all.Out, changes.String()+all.Changes
	}
	all.Summary, err = e.Join(t.Context(), openAnew(t, e, data), ranges, parts, func(at int64) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data[at:])), nil })
	if err != nil {
		return refused(err)
	}
	return all
}

// overWire makes of a value what another machine gets of it.
func overWire[T any](t *testing.T, value *T) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var got T
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	*value = got
}

func openAnew(t *testing.T, e *pricing.Engine, data []byte) *table.Table {
	t.Helper()
	opened, err := e.Open(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// compareRanges cuts a table in several ways and compares what its ranges give
// with what it gives as a whole.
func compareRanges(t *testing.T, e *pricing.Engine, data []byte, ways ...[]int64) {
	t.Helper()
	whole := runWhole(t, e, data)
	for _, cuts := range ways {
		if diff := cmp.Diff(whole, runRanges(t, e, data, cuts...)); diff != "" {
			t.Fatalf("%q cut at %d, -whole +ranges:\n%s", data, cuts, diff)
		}
	}
}

// TestRangesOfUndo: an undo is run over the whole table.
func TestRangesOfUndo(t *testing.T) {
	const header = "sku,category,price,in_stock\n"
	e, err := pricing.Compile(variedPlan(), table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)})
	if err != nil {
		t.Fatal(err)
	}
	changes := runWhole(t, e, []byte(header+"A101,fitness,29.99,true\n")).Changes
	undo, err := pricing.CompileUndo(undoOf(changes, ""), table.Settings{}, strings.NewReader(changes))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := undo.Open(t.Context(), strings.NewReader(header)); errs.KindOf(err) != errs.Invalid {
		t.Errorf("Open: %v", err)
	}
}

// TestRangesThatWereMisread: a range that had a fault and has none when it is
// read again was read with other bytes.
func TestRangesThatWereMisread(t *testing.T) {
	const text = "sku,category,price,in_stock\nA101,fitness,29.99,true\n"
	e, err := pricing.Compile(variedPlan(), table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for want, in := range map[error]io.Reader{row.ErrMisread: strings.NewReader(text[28:]), broken: iotest.ErrReader(broken)} {
		opened := openAnew(t, e, []byte(text))
		_, err := e.Join(t.Context(), opened, []table.Range{{From: opened.Body(), To: int64(len(text)), Row: 2}}, []*pricing.Part{{Scanned: &table.Scanned{Fault: true}}}, func(int64) (io.ReadCloser, error) { return io.NopCloser(in), nil })
		if !errors.Is(err, want) {
			t.Errorf("Join: %v, want %v", err, want)
		}
	}
}

// TestRangesWithoutNearNames: where the beginning of a table cannot be read once
// more, nobody is told that nothing like a missing name was found.
func TestRangesWithoutNearNames(t *testing.T) {
	e, err := pricing.Compile(variedPlan(), table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	text := "sku,category,price,in_stock\n" + strings.Repeat("A101,x,29.99,true\n", 20_000) // more than is read to open it
	broken := errors.New("broken")
	opened, err := e.Open(t.Context(), io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
	if err != nil {
		t.Fatal(err)
	}
	ranges := []table.Range{{From: opened.Body(), To: int64(len(text)), Row: 2}}
	part, err := e.RunRange(t.Context(), opened, ranges[0], strings.NewReader(text[opened.Body():]), io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Join(t.Context(), opened, ranges, []*pricing.Part{part}, nil); !errors.Is(err, broken) {
		t.Errorf("Join: %v", err)
	}
}

// TestRangesBeginWithRows: the range of a stretch begins with its first row,
// however far that is behind.
func TestRangesBeginWithRows(t *testing.T) {
	e, err := pricing.Compile(variedPlan(), table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)})
	if err != nil {
		t.Fatal(err)
	}
	opened := openAnew(t, e, []byte("sku,category,price,in_stock\n"))
	surveys := make([]row.Survey, 4)
	for i, text := range []string{"A,x,1,true\nB,", strings.Repeat("x", 300_000), "y,1,true\nC,x,", "1,true\nD,x,1,true\n"} {
		if surveys[i], err = opened.Survey(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	body := opened.Body()
	third := body + 300_022
	fourth := third + 11
	want := []table.Range{{From: body, To: third, Row: 2}, {From: third, To: fourth, Row: 4}, {From: fourth, To: fourth + 11, Row: 5}}
	if diff := cmp.Diff(want, opened.Ranges(surveys)); diff != "" {
		t.Error(diff)
	}
	if survey, err := opened.Survey(strings.NewReader(strings.Repeat("x", 300_000) + "\n")); err != nil || survey.Reading[0].First != 300_001 {
		t.Errorf("%+v, %v", survey, err)
	}
	if _, err := opened.Survey(iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Survey of what cannot be read: %v", err)
	}
}

// TestRangesOfEmptyLines: a table may end with as many ranges of empty lines as
// it is cut into, behind which no row may follow.
func TestRangesOfEmptyLines(t *testing.T) {
	e, err := pricing.Compile(variedPlan(), table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)})
	if err != nil {
		t.Fatal(err)
	}
	const rows = "sku,category,price,in_stock\nA101,fitness,29.99,true\n"
	at := int64(len(rows))
	for _, end := range []string{"\n\n\n\n", "\n\n\n\nA101,fitness,29.99,true\n"} {
		compareRanges(t, e, []byte(rows+end), []int64{at, at + 2}, []int64{at + 1, at + 3}, []int64{at, at + 1, at + 2, at + 3, at + 4})
	}
}

// TestRangesOfTrickyTables cuts each table at every byte, once, and into up to
// nine ranges at random bytes.
func TestRangesOfTrickyTables(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	step := len(variedPlans()) // each cut with one of the plans
	if testing.Short() {
		step *= 60
	}
	for name, text := range trickyTables(t) {
		t.Run(name, func(t *testing.T) {
			settings := table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)}
			if name == "shop" {
				settings = shopSettings(t)
			}
			for i, p := range variedPlans() {
				e, err := pricing.Compile(p, settings)
				if err != nil {
					t.Fatal(err)
				}
				e = e.WithBlocks(64, 2)
				data := []byte(text)
				ways := manyCuts(random, len(data), 5)
				for cut := i; cut <= len(data); cut += step {
					ways = append(ways, []int64{int64(cut)})
				}
				compareRanges(t, e, data, ways...)
			}
		})
	}
}

// manyCuts returns so many ways to cut a text into one to nine ranges.
func manyCuts(random *rand.Rand, size, ways int) [][]int64 {
	all := make([][]int64, ways)
	for i := range all {
		for range random.IntN(9) {
			all[i] = append(all[i], random.Int64N(int64(size)+1))
		}
		slices.Sort(all[i])
	}
	return all
}

// TestRangesOfDialects cuts tables of all dialects.
func TestRangesOfDialects(t *testing.T) {
	const text = "sku,category,price,in_stock,note\nA101,Größe,29.99,true,\"two\nlines, and \"\"quotes\"\"\"\n\"B\",fitness,10,No,ü\nC301,accessories,9.99,1,\"\n\n\"\nÜ,fitness,40,true,€\n"
	random := rand.New(rand.NewPCG(7, 8))
	e, err := pricing.Compile(variedPlan(), table.Settings{Unmatched: setting.RepriceAll(variedPlan().Excluded()...)})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialectsToRun() {
		data := written(t, text, d)
		compareRanges(t, e.WithBlocks(50, 1), data, manyCuts(random, len(data), 5)...)
		compareRanges(t, e.WithBlocks(50, 1), data[:len(data)-1], manyCuts(random, len(data)-1, 1)...) // within a character, where one has two bytes
	}
}

// TestRangesOfProfiles cuts random tables of all profiles, some with faults.
func TestRangesOfProfiles(t *testing.T) {
	for seed := range seeds(500) {
		g := pricingtest.New(seed)
		data, p, s := g.Table(12), g.Plan(), g.Settings()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			e, err := pricing.Compile(p, s)
			if err != nil {
				t.Fatal(err)
			}
			compareRanges(t, e.WithBlocks(200, 1), data, manyCuts(g.Rand, len(data), 2)...)
		})
	}
}

// TestRangesOfManyChanges has more changes than an effect has room to tell of,
// the first that has none longer than those behind it, and prices that move alike.
func TestRangesOfManyChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	p := &plan.Plan{Operations: []plan.Operation{
		{OperationID: "up", Action: plan.Action{Type: plan.FixedIncrease, Value: plan.MustDecimal("1")}},
		{OperationID: "cap", Filter: plan.Filter{PriceGTE: ptr(plan.MustDecimal("6"))}, Action: plan.Action{Type: plan.SetPrice, Value: plan.MustDecimal("3")}},
	}}
	e, err := pricing.Compile(p, table.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, longest := range []int{480, 1} { // and more changes than are told of
		var text bytes.Buffer
		text.WriteString("sku,category,price,in_stock\n")
		var rows []int64
		for i := range 200 {
			rows = append(rows, int64(text.Len()))
			fmt.Fprintf(&text, "\"S<%d>%s\",x,%d.%02d,true\n", i, bytes.Repeat([]byte{1}, i*i*7919%longest), i%7, i%100)
		}
		compareRanges(t, e.WithBlocks(300, 2), text.Bytes(), manyCuts(random, text.Len(), int(seeds(25)))...)
		compareRanges(t, e.WithBlocks(300, 2), text.Bytes(), []int64{rows[1], rows[50]}) // the second has no room for its last change, and the third has a shorter one
		changes := strings.TrimSpace(runWhole(t, e, text.Bytes()).Changes)
		if !json.Valid([]byte("[" + strings.ReplaceAll(changes, "\n", ",") + "]")) {
			t.Errorf("SKUs with control characters are not written as JSON has them:\n%q", changes)
		}
	}
}
