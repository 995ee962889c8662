package console

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/errs"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/plannerapi"
	"github.com/planwright/planwright/shared/pricing"
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

// renderPart answers with a part of a page.
func (c *Console) renderPart(w http.ResponseWriter, r *http.Request, name, part string, shown any) error {
	var body bytes.Buffer
	if err := templates()[name].ExecuteTemplate(&body, part, shown); err != nil {
		return err
	}
	send(w, r, http.StatusOK, body.Bytes())
	return nil
}
