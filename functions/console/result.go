package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/web"
)

// result is what the rules of the page would do to its table.
type result struct {
	Preview *plannerapi.Preview
	LeftOut *plannerapi.Preview // what the exceptions keep from changing; nil where there are none
	Wrong   map[string]string   // what is wrong with the rules, by the field of the page
	Fault   *tableFault         // why the table cannot be used for them
	Tab     string              // changes, left or unmatched
	Search  string
	rules   []rule
}

// samples are how many products are shown.
const samples = 10

// lookAt finds out what the rules would do.
func (c *Console) lookAt(r *http.Request, shown *newPage) (found result, err error) {
	operations, wrong := shown.operations()
	found = result{Wrong: wrong, Tab: shown.Get("tab"), Search: strings.TrimSpace(shown.Get("search")), rules: shown.rules()}
	if len(wrong) > 0 || shown.Table.TooLarge() {
		return found, nil
	}
	query := url.Values{"search": {found.Search}}
	decided(shown.Values).addTo(query)
	body := map[string]any{"table": shown.Get("table"), "operations": operations, "sample": samples}
	var seen plannerapi.Preview
	err = c.Planner.Send(r.Context(), http.MethodPost, "/v1/plans:preview"+queryOf(query), body, &seen)
	if errs.KindOf(err) == errs.Invalid {
		found.refused(err)
		return found, nil
	} else if err != nil {
		return found, err
	}
	found.Preview = &seen
	if apart := leftOut(operations); len(apart) > 0 {
		body["operations"] = apart
		query.Set("unmatched", "allow") // the rules themselves were not refused
		var left plannerapi.Preview
		if err := c.Planner.Send(r.Context(), http.MethodPost, "/v1/plans:preview"+queryOf(query), body, &left); err == nil {
			found.LeftOut = &left
		} else if errs.KindOf(err) != errs.Invalid {
			return found, err
		}
	}
	return found, nil
}

// leftOut are operations for the products that the exceptions of rules take out: what
// would become of these without them. A product stands in one of them at most.
func leftOut(operations []map[string]any) (apart []map[string]any) {
	for _, operation := range operations {
		filter := operation["filter"].(map[string]any)
		var before []string
		for _, c := range conditions {
			names, given := filter[c.Name]
			if !c.Except || !given {
				continue
			}
			taken := map[string]any{}
			for name, value := range filter {
				if !strings.HasPrefix(name, "exclude_") || slices.Contains(before, name) {
					taken[name] = value
				}
			}
			before = append(before, c.Name)
			included := strings.TrimPrefix(c.Name, "exclude_")
			both, possible := inBoth(c, filter[included], names)
			if !possible {
				continue
			}
			taken[included] = both
			apart = append(apart, map[string]any{"filter": taken, "action": operation["action"], "options": operation["options"]})
		}
	}
	return apart[:min(len(apart), plan.MaxOperations)]
}

// inBoth are the names that a product must have one of, so that a list takes it in and
// another one takes it out. Possible is false where a filter cannot say that.
func inBoth(c condition, in, out any) (names []string, possible bool) {
	excluded, _ := out.([]string)
	included, given := in.([]string)
	if !given {
		return excluded, true
	}
	if c.Name == "exclude_tags" || c.Name == "exclude_name_contains" || c.Name == "exclude_categories" {
		return nil, false // a product may have several
	}
	for _, name := range excluded {
		if slices.Contains(included, name) {
			names = append(names, name)
		}
	}
	return names, len(names) > 0
}

// inPlan is a path in the operations of a plan.
var inPlan = regexp.MustCompile(`^operations\[(\d+)\]\.(?:filter|action|options)\.(\w+)`)

// inWhere is the number of a condition on another column.
var inWhere = regexp.MustCompile(`(?:where\[)(\d+)`)

// refused puts what is wrong with rules beside their fields, or says why the table cannot
// be used.
func (f *result) refused(err error) {
	back, ok := errors.AsType[*web.Refused](err)
	var problems []struct{ Path, Message string }
	if ok && json.Unmarshal(back.Details, &problems) == nil {
		for _, problem := range problems {
			at := inPlan.FindStringSubmatch(problem.Path)
			if at == nil {
				continue
			}
			n, _ := strconv.Atoi(at[1])
			name := at[2]
			if name == "where" {
				name = "w0"
				if number := inWhere.FindStringSubmatch(problem.Path); number != nil {
					name = "w" + number[1]
				}
			}
			if name == "type" {
				name = "action"
			}
			f.Wrong[fmt.Sprintf("r%d.%s", n, conditionOf(name).Name)] = strings.ToUpper(problem.Message[:1]) + problem.Message[1:] + "."
		}
	}
	if len(f.Wrong) == 0 {
		f.Fault = faultOf(err)
	}
}

// Ready reports whether there is something to do.
func (f result) Ready() bool { return f.Preview != nil && f.Preview.Summary.RowsChanged > 0 }

// Begun reports whether a rule says what to do: before, nothing is wrong yet.
func (f result) Begun() bool {
	return slices.ContainsFunc(f.rules, func(r rule) bool { return r.Begun() })
}

// Of are the figures of one rule; nil where there are none.
func (f result) Of(n int) *pricing.Rule {
	if f.Preview == nil || n >= len(f.Preview.Rules) {
		return nil
	}
	return &f.Preview.Rules[n]
}

// WrongIn is what is wrong with a field of the page, once its rule says what to do.
func (f result) WrongIn(r rule, name string) string {
	if !r.Begun() {
		return ""
	}
	return f.Wrong[r.Field(name)]
}

// Problems are all that is wrong, by rule.
func (f result) Problems() (all []string) {
	for _, r := range f.rules {
		var of []string
		for field, text := range f.Wrong {
			if n, name, ok := ruleField(field); ok && n == r.N {
				if c := conditionOf(name); c.Kind != "" {
					text = c.Label + ": " + text
				}
				of = append(of, fmt.Sprintf("Rule %d. %s", r.Number(), text))
			}
		}
		slices.Sort(of)
		all = append(all, of...)
	}
	return all
}

// TabIs reports whether a tab is looked at.
func (f result) TabIs(name string) bool {
	return f.Tab == name || f.Tab == "" && name == "changes"
}

// RowsLeftOut counts the products that the exceptions take out.
func (f result) RowsLeftOut() (rows int64) {
	if f.LeftOut == nil {
		return 0
	}
	for _, rule := range f.LeftOut.Rules {
		rows += rule.RowsMatched
	}
	return rows
}

// RowsUnmatched counts the products that no rule is for. Known is false where more than
// two rules share some.
func (f result) RowsUnmatched() (rows int64) {
	rows = f.Preview.Summary.RowsTotal - f.RowsLeftOut()
	for _, rule := range f.Preview.Rules {
		rows -= rule.RowsMatched
	}
	for _, shared := range f.Preview.Overlaps {
		rows += shared.Rows
	}
	return max(rows, 0)
}

// UnmatchedKnown reports whether RowsUnmatched is exact.
func (f result) UnmatchedKnown() bool {
	exact := func(r rule) bool { return len(r.Shown(true)) == 0 }
	if len(f.rules) == 1 {
		return f.LeftOut != nil || exact(f.rules[0])
	}
	return len(f.Preview.Overlaps) == 0 && !slices.ContainsFunc(f.rules, func(r rule) bool { return !exact(r) })
}

// Money is what the change moves in all, with its sign; "" where that is not known.
func (f result) Money() string {
	effect := f.Preview.Effect
	up, down := new(big.Rat), new(big.Rat)
	for text, into := range map[*string]*big.Rat{effect.Raised: up, effect.Lowered: down} {
		if text == nil {
			continue
		}
		if _, ok := into.SetString(*text); !ok {
			return ""
		}
	}
	sum := up.Sub(up, down)
	if sum.Sign() == 0 && effect.Raised == nil {
		return ""
	}
	sign := "+"
	if sum.Sign() < 0 {
		sign = "−"
	}
	return sign + effectOf(f.Preview).Money(sum.Abs(sum).FloatString(2))
}

// Largest are the five largest moves.
func (f result) Largest() []signedMove {
	var all []signedMove
	for _, move := range f.Preview.Effect.LargestRises {
		all = append(all, signedMove{move, "+"})
	}
	for _, move := range f.Preview.Effect.LargestFalls {
		all = append(all, signedMove{move, "−"})
	}
	slices.SortStableFunc(all, func(a, b signedMove) int { return b.share().Cmp(a.share()) })
	return all[:min(len(all), 5)]
}

// signedMove is a move of a price with its direction.
type signedMove struct {
	pricing.Move
	Sign string
}

// share is how far the price moves; one from 0 moves further than any other.
func (m signedMove) share() *big.Rat {
	share := new(big.Rat).SetInt64(1 << 62)
	if m.Percent != nil {
		share.SetString(*m.Percent)
	}
	return share
}

// halfOfIt is 50 percent.
var halfOfIt = plan.MustDecimal("50")

// MovesMuch reports whether the button asks once more: more than a quarter of many rows
// change, or a price moves by more than half.
func (f result) MovesMuch() bool {
	s := f.Preview.Summary
	return s.RowsTotal >= 20 && s.RowsChanged*4 > s.RowsTotal || f.Preview.Effect.Exceeding(halfOfIt) != nil
}

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

// Seen are the samples of the tab that is looked at.
func (f result) Seen() []seenRow {
	of := f.Preview
	if f.TabIs("left") {
		of = f.LeftOut
	}
	if of == nil {
		return nil
	}
	var all []seenRow
	for _, change := range of.Changes {
		all = append(all, seenRow{SeenChange: change, result: f})
	}
	return all
}

// seenRow is a product of the result.
type seenRow struct {
	plannerapi.SeenChange
	result result
}

// Cells are its prices and its stock, before and after.
func (s seenRow) Cells() changedCells { return changed(s.Change) }

// Way is how its price moves: up, down or "".
func (s seenRow) Way() string {
	switch {
	case s.MovedPercent == nil:
		return ""
	case strings.HasPrefix(*s.MovedPercent, "-"):
		return "down"
	}
	return "up"
}

// LeaveOut is what the button does that leaves the product out; "" where it has no name to
// do so by.
func (s seenRow) LeaveOut() string {
	if s.SKU == "" || !s.result.TabIs("changes") || len(s.OperationIDs) == 0 {
		return ""
	}
	var rules []string
	for _, id := range s.OperationIDs {
		rules = append(rules, strconv.Itoa(s.result.place(id)))
	}
	return "leave:" + strings.Join(rules, ",") + ":" + s.SKU
}

// Swaps are what can be done about a name that no row has: its nearest ones, all that look
// the same, and going without it.
func (f tableFault) Swaps() (all []swapOf) {
	for _, name := range f.Names {
		one := swapOf{Name: name}
		for _, near := range name.Nearest {
			one.Buttons = append(one.Buttons, choice{"swap:" + swapText(name, near), "Use “" + shown(near) + "”"})
		}
		if len(name.Alike) > 0 {
			var to []string
			for _, alike := range name.Alike {
				to = append(to, alike.Name)
			}
			one.Buttons = append(one.Buttons, choice{"swap:" + swapText(name, to...), "They are the same: take all of them"}, choice{"set:near_names=exact", "They are different things"})
		} else {
			one.Buttons = append(one.Buttons, choice{"swap:" + swapText(name), "Remove “" + shown(name.Name) + "”"})
		}
		all = append(all, one)
	}
	return all
}

// swapOf is a name that no row has, with what to do about it.
type swapOf struct {
	Name    plannerapi.UnknownName
	Buttons []choice
}

func swapText(name plannerapi.UnknownName, to ...string) string {
	text, err := json.Marshal(swapped{From: name.Name, To: to, Excluded: name.Excluded})
	if err != nil {
		panic(err) // of strings
	}
	return string(text)
}

// OddCells reports whether it is cells that cannot be read, so that their rows can be left
// alone.
func (f tableFault) OddCells() bool {
	return len(f.Faults) > 0 && len(f.Roles) == 0 && !slices.ContainsFunc(f.Faults, func(t table.Fault) bool { return t.Row <= 1 })
}

// renderPart answers with a part of a page.
func (c *Console) renderPart(w http.ResponseWriter, r *http.Request, name, part string, shown any) error {
	var body bytes.Buffer
	if err := templates()[name].ExecuteTemplate(&body, part, shown); err != nil {
		return err
	}
	send(w, r, http.StatusOK, body.Bytes())
	return nil
}
