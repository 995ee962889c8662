package console

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table/setting"
)

// Pages have words of their own for the planner's codes.
func TestWordsOnAPage(t *testing.T) {
	ids := []string{"op_01", "op_02"}
	for _, tc := range []struct {
		warning plan.Warning
		want    string
	}{
		{plan.Warning{Code: plan.WarnTimePast, Arguments: []string{"apply_at"}}, "The start time has passed. The change is made as soon as it is asked for."},
		{plan.Warning{Code: pricing.WarnNoCost, Rows: 1}, "1 product left alone: no cost."},
		{plan.Warning{Code: pricing.WarnAgainst, Rows: 1290, OperationIDs: ids[1:]}, "1,290 products moved against rule 2, because of rounding, a limit, the cost or a sale."},
		{plan.Warning{Code: pricing.WarnAgainst, Rows: 2, OperationIDs: ids, Arguments: []string{"left alone"}}, "2 products left alone: rules 1, 2 would move the price the wrong way."},
		{plan.Warning{Code: "matched_no_row", OperationIDs: ids[:1]}, "Rule 1 is for no product."},
		{plan.Warning{Code: "matched_no_row", OperationIDs: []string{"undo"}}, "No product still has what is to be undone."},
		{plan.Warning{Code: "newer_than_this_page", Message: "As the planner says it."}, "As the planner says it."},
	} {
		if got, _ := warningOf(tc.warning, ids); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
	for date, want := range map[string]string{"2026-11-30": "30 Nov 2026", "2026-11-30T08:00:00+02:00": "30 Nov 2026", "soon": "soon"} {
		if got := day(date); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var said tableView
	said.Settings = map[string]string{"delimiter": ";"}
	for _, setting := range said.ReadSettings() {
		if setting.Label == "" || setting.Value != said.Settings[setting.Name] || setting.Value != "" && setting.Choices[len(setting.Choices)-1] != setting.Value {
			t.Errorf("%+v", setting)
		}
	}
	if got := len(said.ReadSettings()) + len(decisions); got != len(setting.All) {
		t.Errorf("%d settings", got)
	}
}

// Every code that the planner answers with has words. The codes are those in its sources.
func TestEveryCodeHasWords(t *testing.T) {
	fileAbout := map[string]string{}
	for code, words := range fileWords {
		_, about, _ := strings.Cut(code, " ")
		fileAbout[about] = words
	}
	for _, of := range []struct {
		file, form string
		words      map[string]string
	}{
		{"pricing/warnings.go", `\tWarn\w+ += "(\w+)"`, warningWords},
		{"pricing/figures.go", `\t(?:Left|Noted|Unmatched)\w+ += "(\w+)"`, warningWords},
		{"table/overview/remarks.go", `\t(?:Odd|Sale|About)\w+ += "([\w ]+)"`, fileAbout},
		{"table/faults/faults.go", `\b[A-Z]\w+: +"([a-z]+_[a-z_]+)"`, cellWords},
	} {
		source, err := os.ReadFile(filepath.Join("..", "..", "shared", of.file))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(of.form).FindAllSubmatch(source, -1)
		if len(found) < 9 {
			t.Fatalf("%s: %d codes", of.file, len(found))
		}
		for _, match := range found {
			code := string(match[1])
			if of.words[code] == "" && code != pricing.WarnOddRows && code != pricing.WarnPastSale {
				t.Errorf("%s: no words for %s", of.file, code)
			}
		}
	}
	for _, what := range []string{pricing.SaleStays, pricing.SaleEnds, pricing.NoMoreReduced, pricing.SaleBegins, pricing.Reduced, pricing.SaleLeftAlone, pricing.ReducedLeftAlone} {
		if warningWords[pricing.WarnPastSale+" "+what] == "" {
			t.Errorf("no words for %q", what)
		}
	}
	for _, cell := range []string{"empty line", "quote within a value", "number of cells", "name", "price", "cost", "price of a sale", "stock"} {
		if warningWords[pricing.WarnOddRows+" "+cell] == "" {
			t.Errorf("no words for odd rows of %q", cell)
		}
	}
}

// jargon are words of programs and of our own making that stand on no page.
var jargon = []string{
	"apply_at", "revert_at", "--columns", "columns=", "--apply", "query parameter", "sale_dates", "APPROVERS", "handed in", "hand in", "carried out",
	"taken back", "take it back", "its own output", "to the byte", "Mark ", "our own grammar", "Read it so", "That did not work", "looked through",
	"execution id", "op_0", "compare-at", "round_to", "min_price",
}

// No template and no words of ours have jargon in what people read.
func TestNoJargon(t *testing.T) {
	for _, words := range []map[string]string{warningWords, fileWords, cellWords, valueWords} {
		for code, text := range words {
			for _, word := range jargon {
				if strings.Contains(text, word) {
					t.Errorf("%s: %q has %q", code, text, word)
				}
			}
		}
	}
}
