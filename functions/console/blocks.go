package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// block is something to look at before the change is made.
type block struct {
	Red     bool
	Text    string
	Buttons []choice // what they do, and say
}

// Blocks are those of the result, the red ones first.
func (f result) Blocks() (all []block) {
	if f.Preview == nil {
		return nil
	}
	for _, r := range f.rules {
		if figures := f.Of(r.N); figures != nil {
			all = append(all, f.ofRule(r, figures)...)
		}
	}
	for _, shared := range f.Preview.Overlaps {
		all = append(all, f.overlap(shared))
	}
	for _, warning := range f.Preview.Warnings {
		if b, shown := f.warned(warning); shown {
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(a, b block) int {
		switch {
		case a.Red == b.Red:
			return 0
		case a.Red:
			return -1
		}
		return 1
	})
	return all
}

// ofRule are the blocks of one rule: that it is for nothing, and what it leaves alone.
func (f result) ofRule(r rule, figures *pricing.Rule) (all []block) {
	if figures.RowsMatched == 0 {
		all = append(all, block{Text: f.named(r) + emptiedText(figures.EmptiedBy)})
	}
	for _, left := range figures.LeftAlone {
		b := block{Text: f.named(r) + leftAloneText(left)}
		if left.Code == pricing.WarnAgainst {
			b.Buttons = []choice{{fmt.Sprintf("against:%d:change", r.N), "Change them anyway"}}
		}
		all = append(all, b)
	}
	return all
}

// named begins a sentence with the number of a rule, where there are several.
func (f result) named(r rule) string {
	if len(f.rules) == 1 {
		return ""
	}
	return fmt.Sprintf("Rule %d: ", r.Number())
}

// leftAloneText says why products are left alone.
func leftAloneText(left pricing.LeftAlone) string {
	words := map[string]string{
		pricing.WarnNoPrice:       "have no price and stay as they are.",
		pricing.WarnNoCost:        "have no cost and stay as they are.",
		pricing.WarnAgainst:       "would move the other way than the rule says. They are skipped.",
		pricing.WarnOutsideLimits: "would be outside the limits. They are skipped.",
		pricing.WarnNoLowerSale:   "would not be cheaper than their regular price. They are skipped.",
		pricing.WarnOddRows:       "have a cell that cannot be read and stay as they are.",
	}
	text, known := words[left.Code]
	if !known {
		text = "stay as they are (" + strings.ReplaceAll(left.Code, "_", " ") + ")."
	}
	return ofProducts(left.Rows) + " " + text
}

// ofProducts counts products.
func ofProducts(n int64) string {
	if n == 1 {
		return "1 product"
	}
	return count(n) + " products"
}

// conditionLabel is what the page calls a condition.
func conditionLabel(name string) string {
	if name == "where" {
		return "another column"
	}
	c := conditionOf(name)
	if c.Except {
		return "except " + strings.ToLower(c.Label)
	}
	return strings.ToLower(c.Label)
}

// overlap says what two rules have in common.
func (f result) overlap(shared pricing.Overlap) block {
	first, second := f.place(shared.OperationIDs[0]), f.place(shared.OperationIDs[1])
	b := block{Text: overlapText(shared, first+1, second+1)}
	for _, one := range [][2]int{{first, second}, {second, first}} {
		if field, _ := f.rules[one[0]].justNames(); field != "" {
			b.Buttons = append(b.Buttons, choice{fmt.Sprintf("only:%d:%d", one[0], one[1]), fmt.Sprintf("Rule %d only", one[0]+1)})
		}
	}
	b.Buttons = append(b.Buttons, choice{fmt.Sprintf("up:%d", second), "The other order"})
	return b
}

// place is where a rule with an id stands.
func (f result) place(id string) int {
	return max(slices.IndexFunc(f.Preview.Rules, func(r pricing.Rule) bool { return r.OperationID == id }), 0)
}

// saidByFigures are the codes of warnings whose rows stand beside the rules already.
var saidByFigures = []string{"matched_no_row", pricing.WarnNoPrice, pricing.WarnNoCost, pricing.WarnOutsideLimits, pricing.WarnNoLowerSale, "names_overlap"}

// warned is a warning as a block, where the figures do not say it already.
func (f result) warned(warning plan.Warning) (b block, shown bool) {
	var ids []string
	for _, rule := range f.Preview.Rules {
		ids = append(ids, rule.OperationID)
	}
	b.Text = plan.InWords(warning.Message, ids)
	switch {
	case slices.Contains(saidByFigures, warning.Code):
		return b, false
	case warning.Code == pricing.WarnAgainst:
		for _, id := range warning.OperationIDs {
			n := f.place(id)
			if figures := f.Of(n); slices.ContainsFunc(figures.LeftAlone, func(l pricing.LeftAlone) bool { return l.Code == pricing.WarnAgainst }) {
				return b, false
			}
			b.Buttons = append(b.Buttons, choice{fmt.Sprintf("against:%d:skip", n), "Skip these"})
		}
		b.Red = true
	case warning.Code == pricing.WarnFree:
		b.Red = true
	}
	return b, true
}
