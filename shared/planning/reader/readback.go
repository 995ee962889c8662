package reader

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// readBack is the draft of an instruction that is the explanation of a plan.
func readBack(instruction string, ops []plan.Operation) (planning.Draft, planning.Understanding) {
	rules := planning.RulesOf(ops)
	for i := range rules {
		rules[i].From = []planning.Span{{End: len(instruction)}}
	}
	whole := &planning.Derivation{Symbol: "explanation", Text: instruction}
	candidate := planning.Candidate{
		Sentences:  plan.Explain(&plan.Plan{Operations: ops}),
		Operations: ops,
		Derivation: whole,
	}
	draft := planning.Draft{Operations: rules, Open: []planning.OpenPart{}, Complete: true}
	return draft, planning.Understanding{Candidates: []planning.Candidate{candidate}}
}

// hasAll reports whether the lists have all names of some operations, and the table the columns
// that they look at.
func (c *index) hasAll(ops []plan.Operation) bool {
	for i := range ops {
		f := &ops[i].Filter
		for r := range roles {
			only, except := f.Names(columns[r])
			if r != phrase && !c.lists(r, only) || r != phrase && !c.lists(r, except) {
				return false
			}
		}
		missing := func(w plan.Where) bool { return !slices.Contains(c.given.Titles, w.Column) }
		if c.given.Titles != nil && slices.ContainsFunc(f.Where, missing) {
			return false
		}
		needsCost := ops[i].Action.Type.UsesCost() || ops[i].Options.NotBelowCost
		if needsCost && c.given.Columns != nil && !c.tells("cost") {
			return false
		}
	}
	return true
}

// lists reports whether all names are among those of a role, where these are known.
func (c *index) lists(r role, names []string) bool {
	known := [roles][]string{
		category: c.given.Categories,
		brand:    c.given.Brands,
		tag:      c.given.Tags,
		sku:      c.given.SKUs,
	}
	return !c.closed[r] ||
		!slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(known[r], name) })
}
