package console

import (
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/table/names"
)

// Tab is the one that is looked at: changes, left, unmatched or against:0, of rule 1.
func (f result) Tab() string {
	tab := f.state.Get("tab")
	if f.Against != nil || slices.Contains([]string{"left", "unmatched"}, tab) {
		return tab
	}
	return "changes"
}

// TabIs reports whether a tab is looked at.
func (f result) TabIs(name string) bool { return f.Tab() == name }

// againstRule is the rule whose products that would move the other way are looked at; -1:
// none.
func (e editor) againstRule() int {
	text, is := strings.CutPrefix(e.Get("tab"), "against:")
	n, err := strconv.Atoi(text)
	if !is || err != nil || n < 0 || n >= len(e.rules()) {
		return -1
	}
	return n
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

// RowsUnmatched counts the products that no rule is for.
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

// UnmatchedKnown reports whether RowsUnmatched is exact: more than two rules may share some
// products, and what one rule leaves out another may be for.
func (f result) UnmatchedKnown() bool {
	if len(f.rules) == 1 {
		return f.LeftOutKnown
	}
	excepts := func(r rule) bool { return len(r.Shown(true)) > 0 }
	return (len(f.Preview.Overlaps) == 0 || len(f.rules) == 2) && !slices.ContainsFunc(f.rules, excepts)
}

// unnamed are names of a list of the table that no rule has, the most frequent first.
type unnamed struct {
	Label string
	Names []names.Spelling
	More  int
}

// maxUnnamed is how many names of a list are shown.
const maxUnnamed = 20

// unnamed are the names that no rule has, of the lists that rules choose products by.
func (t tableView) unnamed(rules []rule) (all []unnamed) {
	for _, c := range conditions {
		var named []string
		for _, r := range rules {
			named = append(named, r.Names(c.Name)...)
		}
		if c.Kind != "picker" || c.Except || len(named) == 0 {
			continue
		}
		names := slices.DeleteFunc(slices.Clone(t.namesOf(c.Name)), func(s names.Spelling) bool {
			return slices.Contains(named, s.Name)
		})
		shown := names[:min(len(names), maxUnnamed)]
		all = append(all, unnamed{c.Label, shown, len(names) - len(shown)})
	}
	return all
}

// Exceptions say what each exception takes out.
func (f result) Exceptions() (all []string) {
	for _, r := range f.rules {
		if figures := f.Of(r.N); figures != nil {
			for _, exception := range figures.Exceptions {
				all = append(all, f.named(r)+exceptionText(exception))
			}
		}
	}
	return firstFacts(all, "more exceptions are not listed here.")
}
