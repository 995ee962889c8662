package reader

import (
	"encoding/json"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// countRows tells of each choice how many rows of the table its rule would match. A choice of
// several rules has none.
func (b *drafting) countRows() {
	if b.known.given.CountRows == nil {
		return
	}
	at := map[string]int{}
	var filters []plan.Filter
	each := func(do func(choice *planning.DraftChoice, filter string)) {
		for i := range b.open {
			for k := range b.open[i].Choices {
				choice := &b.open[i].Choices[k]
				filter, one := b.filterOf(&b.open[i], choice)
				if !one {
					continue
				}
				key := canonicalFilter(filter)
				if _, known := at[key]; !known {
					at[key] = len(filters)
					filters = append(filters, filter)
				}
				do(choice, key)
			}
		}
	}
	each(func(*planning.DraftChoice, string) {})
	if len(filters) == 0 {
		return
	}
	rows := b.known.given.CountRows(filters)
	if len(rows) != len(filters) {
		return // the table cannot be read so
	}
	each(func(choice *planning.DraftChoice, filter string) { choice.Rows = &rows[at[filter]] })
}

// filterOf is the filter of the rule that a choice makes; false: it makes several, or none.
func (b *drafting) filterOf(part *planning.OpenPart, choice *planning.DraftChoice) (plan.Filter, bool) {
	switch patch := choice.Patch; {
	case len(patch.Operations) == 1:
		return patch.Operations[0].Filter, true
	case patch.Operations != nil || part.Operation == nil || *part.Operation >= len(b.rules):
		return plan.Filter{}, false
	case patch.Filter != nil:
		return *patch.Filter, true
	}
	return b.rules[*part.Operation].Filter, true
}

func canonicalFilter(f plan.Filter) string {
	text, err := json.Marshal(f)
	if err != nil {
		panic("a filter is not JSON: " + err.Error())
	}
	return string(text)
}
