package pricing_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/pricingtest"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

const frozenFile = "testdata/frozen.txt"

// TestFrozen carries a hundred plans out over each of testdata/exports. What
// comes of each, output, changes, summary and message, is what frozen.txt has
// the hash of: a line for each export, a hash for each plan, below the build that
// made it. A change that means to change some of it is another build, so that what
// was sealed is not held against it; -update then rewrites the file. Refusals may
// be worded anew.
func TestFrozen(t *testing.T) {
	folders, err := filepath.Glob("../../testdata/exports/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no exports: %v", err)
	}
	want := frozen(t)
	sameBuild := slices.Equal(want["build"], []string{pricing.Build})
	if !sameBuild && !*update {
		t.Errorf("%s is of build %s, this is %s: rewrite it with -update", frozenFile, want["build"], pricing.Build)
	}
	text := bytes.NewBufferString("build " + pricing.Build + "\n")
	carriedOut, changed, shown := 0, 0, 0
	for _, folder := range folders {
		name := filepath.Base(folder)
		input, err := os.ReadFile(exportIn(t, folder))
		if err != nil {
			t.Fatal(err)
		}
		plans := frozenPlans(t, folder)
		if len(want[name]) != len(plans) && !*update {
			t.Errorf("%s has %d hashes in %s, and there are %d plans", name, len(want[name]), frozenFile, len(plans))
		}
		text.WriteString(name)
		for i, p := range plans {
			if testing.Short() && !*update && i%10 > 0 {
				continue // the race detector looks at every tenth
			}
			result, hash := freeze(t, p, frozenSettings(i, p), input)
			if result.Error == "" {
				carriedOut++
			}
			if result.Summary.RowsChanged > 0 {
				changed++
			}
			text.WriteString(" " + hash)
			if i < len(want[name]) && want[name][i] != hash && (sameBuild && result.Error == "" || !*update) {
				t.Errorf("%s, plan %d is not what it was: raise pricing.Build where that is meant", name, i)
				if shown++; shown <= 3 {
					t.Logf("%s%s", pricingtest.PlanText(p), result)
				}
			}
		}
		text.WriteByte('\n')
	}
	t.Logf("%d plans were carried out, %d changed something", carriedOut, changed)
	if carriedOut < int(seeds(1500)) || changed < int(seeds(1000)) {
		t.Errorf("only %d plans were carried out, and only %d changed anything: they prove little", carriedOut, changed)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(frozenFile, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// frozen reads the hashes by their export.
func frozen(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(frozenFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	hashes := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			hashes[words[0]] = words[1:]
		}
	}
	return hashes
}

// frozenResult is all that a run says.
type frozenResult struct {
	Out, Changes string
	Summary      frozenSummary
	Error        string
}

// frozenSummary is a summary in the form of which the hashes are.
type frozenSummary struct {
	RowsTotal, RowsChanged int64
	Operations             []pricing.OperationCount
	Table                  table.Recognized
	Warnings               []pricing.Warning
	Figures                pricing.Figures
	Effect                 pricing.Effect
	RowsStale              int64
	Stale                  []pricing.StaleRow
}

func frozenOf(s *pricing.Summary) frozenSummary {
	return frozenSummary{s.RowsTotal, s.RowsChanged, s.Operations, s.Table, s.Warnings, s.Figures, s.Effect, s.RowsStale, s.Stale}
}

func (r frozenResult) String() string {
	summary, _ := json.MarshalIndent(r.Summary, "", "  ") // it always encodes
	return fmt.Sprintf("error: %s\nchanges:\n%ssummary: %s\noutput:\n%q", r.Error, r.Changes, summary, r.Out)
}

func freeze(t *testing.T, p *plan.Plan, s table.Settings, input []byte) (result frozenResult, hash string) {
	t.Helper()
	e, err := pricing.Compile(p, s)
	if err != nil {
		t.Fatal(err)
	}
	var out, changes bytes.Buffer
	did, err := e.WithBlocks(8<<10, 2).Run(t.Context(), bytes.NewReader(input), &out, &changes)
	result.Summary = frozenOf(&did)
	if err != nil {
		result.Error = err.Error()
	} else {
		result.Out, result.Changes = out.String(), changes.String()
	}
	for i := range result.Summary.Warnings {
		result.Summary.Warnings[i].Arguments, result.Summary.Warnings[i].UnknownName = nil, nil // the message names them
	}
	text, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.ReplaceAll(text, []byte("\ufffd"), []byte(`\ufffd`)) // a bad byte of an output, as the hashes were made
	sum := sha256.Sum256(text)
	return result, hex.EncodeToString(sum[:4])
}

// frozenSettings are the settings of the plan that has a number.
func frozenSettings(i int, p *plan.Plan) table.Settings {
	all := setting.RepriceAll(p.Excluded()...)
	return []table.Settings{
		{},
		{Unmatched: all, BlankPrice: profile.BlankPriceKeep, InStockQuantity: ptr(int64(7))},
		{Unmatched: all},
	}[i%3]
}

var changedRow = regexp.MustCompile(`(?m)^row \d+ (.+): .* -> `)

// frozenPlans are ten filters times ten actions, with names that the export
// has: those of its plan, and of the rows that it changes.
func frozenPlans(t *testing.T, folder string) (plans []*plan.Plan) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := plan.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	expected, err := os.ReadFile(filepath.Join(folder, "expected.txt"))
	if err != nil {
		t.Fatal(err)
	}
	skus := []string{"none"}
	for _, row := range changedRow.FindAllStringSubmatch(string(expected), 2) {
		skus = append(skus, row[1])
	}
	filter := own.Operations[0].Filter
	categories := append([]string{"None"}, filter.Categories...)
	last := len(categories) - 1
	decimal := func(s string) *plan.Decimal { return ptr(plan.MustDecimal(s)) }
	filters := []plan.Filter{
		{},
		filter,
		{Categories: categories[last:], PriceGTE: decimal("20")},
		{ExcludeCategories: categories[last:], InStock: ptr(true)},
		{InStock: ptr(false)},
		{PriceGTE: decimal("9.99"), PriceLTE: decimal("60.005")},
		{SKUs: skus[len(skus)-1:]},
		{ExcludeSKUs: skus[1:], InStock: filter.InStock},
		{Categories: []string{strings.ToUpper(categories[last]), categories[last] + " "}},
		{SKUs: skus, Categories: categories},
	}
	for _, filter := range filters {
		for _, operations := range frozenActions(filter) {
			plans = append(plans, &plan.Plan{Operations: operations})
		}
	}
	return plans
}

// frozenActions are what plans do with the rows of a filter, and then with all.
func frozenActions(filter plan.Filter) [][]plan.Operation {
	decimal := func(s string) *plan.Decimal { return ptr(plan.MustDecimal(s)) }
	price := func(action plan.ActionType, value string, o plan.Options) plan.Operation {
		return plan.Operation{OperationID: string(action), Filter: filter, Action: plan.Action{Type: action, Value: plan.MustDecimal(value)}, Options: o}
	}
	stock := func(to bool) plan.Operation {
		return plan.Operation{OperationID: fmt.Sprint("stock_", to), Filter: filter, Action: plan.Action{Type: plan.SetStock, Stock: to}}
	}
	capped := price(plan.PercentDecrease, "5", plan.Options{MaxPrice: decimal("45"), MinPrice: decimal("8")})
	capped.OperationID, capped.Filter = "capped", plan.Filter{}
	return [][]plan.Operation{
		{price(plan.PercentIncrease, "10", plan.Options{})},
		{price(plan.PercentDecrease, "12.5", plan.Options{RoundTo: ptr(3)})},
		{price(plan.FixedIncrease, "0.015", plan.Options{PriceEnding: decimal("0.99")})},
		{price(plan.FixedDecrease, "30", plan.Options{})},
		{price(plan.FixedDecrease, "30", plan.Options{MinPrice: decimal("1.5"), MaxPrice: decimal("1000")})},
		{price(plan.SetPrice, "1234.5", plan.Options{RoundTo: ptr(0)})},
		{stock(false)},
		{stock(true)},
		{price(plan.PercentIncrease, "7", plan.Options{}), capped},
		{stock(false), price(plan.SetPrice, "19.9", plan.Options{})},
	}
}
