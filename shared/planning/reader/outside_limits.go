package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// leaveOutside has the rules of a draft, and those of its choices, leave alone what their limits
// would change. Whoever wants such prices moved to the limit says so where the rule is shown.
func (b *drafting) leaveOutside() {
	for i := range b.rules {
		leavesOutside(&b.rules[i])
	}
	for i := range b.open {
		for k := range b.open[i].Choices {
			choice := &b.open[i].Choices[k]
			before := explained(choice.Patch.Operations)
			choice.Patch.Operations = slices.Clone(choice.Patch.Operations)
			changed := false
			for n := range choice.Patch.Operations {
				changed = leavesOutside(&choice.Patch.Operations[n]) || changed
			}
			if changed {
				choice.Label = strings.TrimSuffix(choice.Label, before) + explained(choice.Patch.Operations)
			}
		}
	}
}

// leavesOutside reports whether a rule with limits now leaves rows alone.
func leavesOutside(rule *planning.DraftRule) bool {
	if !rule.Finished() {
		return false
	}
	op, o := rule.Operation(""), &rule.Options
	limited := o.MinPrice != nil || o.MaxPrice != nil || o.NotBelowCost
	if !limited || o.OutsideLimits != "" || op.Direction() == 0 {
		return false
	}
	o.OutsideLimits = plan.LeaveAlone
	return true
}

// explained says what rules do.
func explained(rules []planning.DraftRule) string {
	ops := make([]plan.Operation, len(rules))
	for i := range rules {
		ops[i] = rules[i].Operation(operationID(i))
	}
	return strings.Join(plan.Explain(&plan.Plan{Operations: ops}), " ")
}
