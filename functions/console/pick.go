package console

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/names"
)

// maxPicked is how many names a list shows beside those that are ticked.
const maxPicked = 40

// picker is a list of a table's names to tick.
type picker struct {
	shownCondition
	Find  string // what is searched for
	Names []pickedName
	Found int  // names that the search finds
	all   bool // of them are shown, not the first alone
}

// pickedName is a name in a list.
type pickedName struct {
	names.Spelling
	Chosen bool
	Known  bool // the table has it
}

// Pick is the list of a condition: the names that are ticked, and the most frequent ones
// of those that a search finds.
func (t tableView) Pick(c shownCondition, all bool) picker {
	found := picker{shownCondition: c, Find: c.Rule.Text("find." + c.Name), all: all}
	known := t.namesOf(strings.TrimPrefix(c.Name, "exclude_"))
	chosen := c.Rule.Names(c.Name)
	for _, name := range chosen {
		at := slices.IndexFunc(known, func(s names.Spelling) bool { return s.Name == name })
		one := pickedName{Spelling: names.Spelling{Name: name}, Chosen: true, Known: at >= 0}
		if at >= 0 {
			one.Rows = known[at].Rows
		}
		found.Names = append(found.Names, one)
	}
	wanted := strings.ToLower(found.Find)
	for _, name := range known {
		if !strings.Contains(strings.ToLower(name.Name), wanted) || slices.Contains(chosen, name.Name) {
			continue
		}
		found.Found++
		if found.Found <= maxPicked || found.all {
			found.Names = append(found.Names, pickedName{Spelling: name, Known: true})
		}
	}
	return found
}

// Chips are the names that are ticked.
func (p picker) Chips() []pickedName {
	return p.Names[:slices.IndexFunc(append(slices.Clone(p.Names), pickedName{}), func(n pickedName) bool {
		return !n.Chosen
	})]
}

// More counts the names that are found and not shown.
func (p picker) More() int {
	if p.all {
		return 0
	}
	return max(p.Found-maxPicked, 0)
}

// ID is the list's in the page.
func (p picker) ID() string { return strings.ReplaceAll(p.Rule.Field(p.Name), ".", "-") }

// namesOf are the table's names of a kind, the most frequent first.
func (t tableView) namesOf(kind string) []names.Spelling {
	switch kind {
	case "categories":
		return t.Names.Categories
	case "brands":
		return t.Names.Brands
	case "tags":
		return t.Names.Tags
	}
	return nil
}

// Offered are the conditions that can be added to a rule over the table: those of whose
// names it has none are left out.
func (t tableView) Offered(r rule, except bool) (offered []condition) {
	for _, c := range r.missing(except) {
		if c.Kind != "picker" || len(t.namesOf(strings.TrimPrefix(c.Name, "exclude_"))) > 0 {
			offered = append(offered, c)
		}
	}
	return offered
}
