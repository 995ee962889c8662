package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/ledger/lineage"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// block is something to look at before the change is made.
type block struct {
	Red     bool
	Text    string
	Buttons []blockButton
	Links   []string // other changes that it speaks of
}

// blockButton is what can be done about a block. Pressed is what holds already.
type blockButton struct {
	choice
	Pressed bool
}

// press is a button of a block.
func press(value, name string) blockButton { return blockButton{choice{value, name}, false} }

// Blocks are those of the result, the red ones first.
func (f result) Blocks() (all []block) {
	if f.Preview == nil {
		return nil
	}
	if f.alreadyChanged() {
		all = append(all, f.changedBefore())
	}
	for _, r := range f.rules {
		if figures := f.Of(r.N); figures != nil {
			all = append(all, f.ofRule(r, figures)...)
		}
	}
	for _, shared := range f.Preview.Overlaps {
		if b, open := f.overlap(shared); open {
			all = append(all, b)
		}
	}
	for _, change := range f.Scheduled {
		all = append(all, change.block())
	}
	for _, warning := range f.Preview.AllWarnings() {
		all = append(all, f.warned(warning)...)
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

// alreadyChanged reports whether this very file was changed before, and nobody has said
// yet that the change is to be made of it all the same.
func (f result) alreadyChanged() bool {
	return f.Preview != nil && len(f.Preview.ChangedBefore) > 0 && f.state.Get("original") == ""
}

// changedBefore asks on which of the two the change is to be made: what it makes of the
// original is without what was changed before.
func (f result) changedBefore() block {
	before := f.Preview.ChangedBefore
	times := "once"
	if n := len(before); n > 1 {
		times = count(int64(n)) + " times"
	}
	text := "You changed this file " + times + " already. Add this on top?"
	return block{Text: text, Buttons: []blockButton{
		press("upon:"+before[len(before)-1].ExecutionID, "Yes, on the latest result"),
		press("original", "No, on the original"),
	}}
}

// ofRule are the blocks of one rule: that it is for nothing, what it leaves alone, and what
// ends below its cost.
func (f result) ofRule(r rule, figures *pricing.Rule) (all []block) {
	if figures.RowsMatched == 0 {
		all = append(all, f.emptied(r, figures.EmptiedBy))
	}
	for _, left := range figures.LeftAlone {
		if left.Code == pricing.WarnAgainst {
			all = append(all, f.against(r, left.Rows, true))
			continue
		}
		if left.Code != pricing.WarnOddRows { // whose warning says which cell it is
			all = append(all, block{Text: f.named(r) + leftAloneText(left)})
		}
	}
	if rows := f.BelowCost[r.N]; rows > 0 {
		text := f.named(r) + ofProducts(rows) + " would end below cost."
		all = append(all, block{
			Text:    text,
			Buttons: []blockButton{press(fmt.Sprintf("above-cost:%d", r.N), "Leave them out")},
		})
	}
	return all
}

// emptied says that a rule is for nothing, with a button for each condition that keeps it
// from the products that all others fit.
func (f result) emptied(r rule, by []pricing.Emptying) block {
	b := block{Text: f.named(r) + emptiedText(by)}
	for _, one := range by {
		if one.RowsWithout > 0 {
			name := fmt.Sprintf("Remove “%s” (%s)",
				labelOf(one.Condition, one.Column, false), ofProducts(one.RowsWithout))
			b.Buttons = append(b.Buttons, press(
				fmt.Sprintf("drop:%d:%s", r.N, r.conditionNamed(one.Condition, one.Column)), name,
			))
		}
	}
	return b
}

// conditionNamed is the rule's condition that a preview speaks of.
func (r rule) conditionNamed(name, column string) string {
	for _, c := range r.wheres() {
		if column != "" && fold.Names.Fold(r.Text(c.Name+".column")) == fold.Names.Fold(column) {
			return c.Name
		}
	}
	return conditionOf(name).Name
}

// against says that products move, or would move, against the direction of a rule.
func (f result) against(r rule, rows int64, skipped bool) block {
	way := "dearer"
	if r.raises() {
		way = "cheaper"
	}
	of, these := ofProducts(rows), "Skip these "+count(rows)
	if rows == 0 {
		of, these = "some products", "Skip these"
	}
	text := f.named(r) + of + " would get " + way + r.because() + "."
	skip := press(fmt.Sprintf("against:%d:skip", r.N), these)
	change := press(fmt.Sprintf("against:%d:change", r.N), "Change them anyway")
	skip.Pressed, change.Pressed = skipped, !skipped
	show := press(fmt.Sprintf("tab:against:%d", r.N), "Show")
	show.Pressed = f.Tab() == fmt.Sprintf("against:%d", r.N)
	return block{Red: true, Text: text, Buttons: []blockButton{skip, change, show}}
}

// because says what in a rule can turn its direction.
func (r rule) because() string {
	switch {
	case r.Text("min_price") != "" && !r.raises():
		return " because of “not below " + r.Text("min_price") + "”"
	case r.Text("max_price") != "" && r.raises():
		return " because of “not above " + r.Text("max_price") + "”"
	case r.Text("not_below_cost") != "" && !r.raises():
		return " because of “not below cost”"
	case r.CanBeSale() && r.Text("as_sale") != "":
		return ": they are further below their regular price already"
	case r.Text("price_ending")+r.Text("round_step") != "":
		return " because of the rounding"
	}
	return ""
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
		pricing.WarnNoPrice:       "left alone: no price.",
		pricing.WarnNoCost:        "left alone: no cost.",
		pricing.WarnAgainst:       "would move the other way than the rule says: skipped.",
		pricing.LeftOutsideLimits: "would be outside the limits: skipped.",
		pricing.WarnPastSale:      "would not be cheaper than the regular price: skipped.",
	}
	text, known := words[left.Code]
	if !known {
		text = "left alone (" + strings.ReplaceAll(left.Code, "_", " ") + ")."
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

// overlap asks which of two rules is for the products that both are for. Open is false
// where somebody has said that both are.
func (f result) overlap(shared pricing.Overlap) (b block, open bool) {
	first, second := f.place(shared.OperationIDs[0]), f.place(shared.OperationIDs[1])
	both := fmt.Sprintf("%d:%d", first, second)
	if slices.Contains(f.state.Values["together"], both) ||
		f.rules[first].changes() != f.rules[second].changes() {
		return b, false
	}
	b = block{Text: overlapText(shared, first+1, second+1)}
	for _, one := range [][2]int{{first, second}, {second, first}} {
		if field, _ := f.rules[one[0]].justNames(); field != "" {
			b.Buttons = append(
				b.Buttons,
				press(fmt.Sprintf("only:%d:%d", one[0], one[1]), fmt.Sprintf("Rule %d only", one[0]+1)),
			)
		}
	}
	b.Buttons = append(
		b.Buttons,
		press("together:"+both, "Both, in this order"),
		press(fmt.Sprintf("up:%d", second), "Both, in the other order"),
	)
	return b, true
}

// block says that a change is scheduled for some of the same products.
func (s scheduledOverlap) block() block {
	title := cmp.Or(s.SourceInstruction, s.ExecutionID)
	text := fmt.Sprintf("%s of these are in a change that is scheduled for %s: “%s”. Its file is made of your products as they were when that was scheduled, without this change.",
		ofProducts(s.Rows), s.ApplyAt.Local().Format("Mon 2 Jan, 15:04"), shown(title))
	return block{Text: text}
}

// place is where a rule with an id stands.
func (f result) place(id string) int {
	return max(slices.IndexFunc(f.Preview.Rules, func(r pricing.Rule) bool { return r.OperationID == id }), 0)
}

// saidByFigures are the codes of warnings whose rows stand beside the rules already, or
// that a block says.
var saidByFigures = []string{
	pricing.UnmatchedOperation, "names_overlap", pricing.WarnNoPrice, pricing.WarnNoCost,
	pricing.LeftOutsideLimits,
	pricing.WarnPastSale + " " + pricing.SaleLeftAlone,
}

// warned are the blocks of a warning, where the figures do not say it already.
func (f result) warned(warning plan.Warning) (all []block) {
	code := warning.Code + " " + strings.Join(warning.Arguments, ", ")
	switch {
	case slices.Contains(saidByFigures, warning.Code),
		slices.Contains(saidByFigures, code),
		warning.Code == lineage.WarnSameTable && len(f.Preview.ChangedBefore) > 0:
		return nil
	case warning.Code == pricing.WarnAgainst:
		for _, id := range warning.OperationIDs {
			all = append(all, f.movesAgainst(f.rules[f.place(id)], warning)...)
		}
		return all
	}
	var ids []string
	for _, rule := range f.Preview.Rules {
		ids = append(ids, rule.OperationID)
	}
	text, _ := warningOf(warning, ids)
	return []block{{Red: warning.Code == pricing.WarnFree, Text: text}}
}

// movesAgainst is the block of a rule that moves products against its direction, where it
// does not leave them alone. How many they are is known where it is the only such rule.
func (f result) movesAgainst(r rule, warning plan.Warning) []block {
	leftAlone := func(l pricing.LeftAlone) bool { return l.Code == pricing.WarnAgainst }
	if slices.ContainsFunc(f.Of(r.N).LeftAlone, leftAlone) {
		return nil
	}
	rows := int64(0)
	if len(warning.OperationIDs) == 1 {
		rows = warning.Rows
	}
	return []block{f.against(r, rows, false)}
}

// maxFacts is how many facts of one kind a page tells.
const maxFacts = 20

// firstFacts are the first of many facts, and how many more there are.
func firstFacts(facts []string, more string) []string {
	if len(facts) <= maxFacts {
		return facts
	}
	rest := int64(len(facts) - maxFacts)
	return append(facts[:maxFacts:maxFacts], count(rest)+" "+more)
}

func exceptionText(e pricing.Exception) string {
	names := shown(strings.Join(e.Names, ", "))
	if e.More > 0 {
		names += fmt.Sprintf(" and %s more", count(int64(e.More)))
	}
	return fmt.Sprintf("“%s: %s” takes out %s.",
		labelOf(e.Condition, e.Column, true), names, ofProducts(e.Rows))
}

// labelOf is what the page calls a condition: one on another column by its title.
func labelOf(name, title string, excepts bool) string {
	switch {
	case title == "":
		return conditionLabel(name)
	case excepts:
		return "except " + shown(title)
	}
	return shown(title)
}

// emptiedText says which condition keeps a rule from being for anything.
func emptiedText(conditions []pricing.Emptying) string {
	text := "no product fits."
	for _, by := range conditions {
		label := labelOf(by.Condition, by.Column, false)
		switch {
		case by.RowsWithout > 0:
			text += fmt.Sprintf(" Without “%s”, %s would.", label, ofProducts(by.RowsWithout))
		case by.RowsAlone == 0:
			text += fmt.Sprintf(" Nothing fits “%s” alone.", label)
		}
	}
	return text
}

// overlapText says what two rules, by their numbers, have in common.
func overlapText(shared pricing.Overlap, first, second int) string {
	text := fmt.Sprintf("Rules %d and %d are both for %s. They are changed by both, in this order.",
		first, second, ofProducts(shared.Rows))
	if len(shared.Samples) > 0 {
		s := shared.Samples[0]
		text += fmt.Sprintf(" %s: %s, by rule %d alone %s, by rule %d alone %s, by both %s.",
			shown(s.SKU), s.Before, first, s.First, second, s.Second, s.Both)
	}
	return text
}
