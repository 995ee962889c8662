package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// Same reports whether two plans ask for the same: the same operations, but
// for their ids and descriptions, the order and repetition of names in a
// filter, options that are the default or have no effect, and the order of
// operations that cannot see each other.
func Same(a, b *plan.Plan) bool {
	if a.Undo != b.Undo && (a.Undo == nil || b.Undo == nil || *a.Undo != *b.Undo) {
		return false
	}
	if len(a.Operations) != len(b.Operations) {
		return false
	}
	left := normalized(b)
	for _, op := range normalized(a) {
		at := slices.IndexFunc(left, func(other normal) bool { return other.text == op.text })
		if at < 0 || slices.ContainsFunc(left[:at], func(other normal) bool {
			return !plan.Independent(other.op, op.op) || !plan.Independent(op.op, other.op)
		}) {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// sameRules reports whether two plans have the same operations in any order.
func sameRules(a, b *plan.Plan) bool {
	return len(a.Operations) == len(b.Operations) && len(onlyIn(a.Operations, b.Operations)) == 0 &&
		len(onlyIn(b.Operations, a.Operations)) == 0
}

// textOf is the canonical form of an operation, without what has no effect.
func textOf(op plan.Operation) string {
	return normalized(&plan.Plan{Operations: []plan.Operation{op}})[0].text
}

// onlyIn are the operations that others do not have, each as often.
func onlyIn(ops, others []plan.Operation) (only []plan.Operation) {
	left := map[string]int{}
	for _, op := range others {
		left[textOf(op)]++
	}
	for _, op := range ops {
		if text := textOf(op); left[text] > 0 {
			left[text]--
		} else {
			only = append(only, op)
		}
	}
	return only
}

// pairOf are, for each operation, the one of others that is the same, or else the most alike
// of those that are left; nil: there are more of the one than of the other.
func pairOf(ops, others []plan.Operation) []plan.Operation {
	if len(ops) != len(others) {
		return nil
	}
	paired, left := make([]plan.Operation, len(ops)), slices.Clone(others)
	take := func(i, at int) {
		paired[i] = left[at]
		left = slices.Delete(left, at, at+1)
	}
	var open []int
	for i, op := range ops {
		at := slices.IndexFunc(left, func(other plan.Operation) bool { return textOf(other) == textOf(op) })
		if at < 0 {
			open = append(open, i)
		} else {
			take(i, at)
		}
	}
	for _, i := range open {
		rule, best, least := RuleOf(ops[i]), 0, -1
		for at := range left {
			other := RuleOf(left[at])
			if n := rule.unlike(&other); least < 0 || n < least {
				best, least = at, n
			}
		}
		take(i, best)
	}
	return paired
}

// normal is an operation in the one form of all that mean the same.
type normal struct {
	op   plan.Operation
	text string
}

func normalized(p *plan.Plan) []normal {
	all := make([]normal, len(p.Operations))
	for i, op := range p.Operations {
		op.OperationID, op.Description = "", ""
		op.Filter.MapNames(SortedOnce)
		if op.Filter.PriceGTE != nil && op.Filter.PriceGTE.IsZero() {
			op.Filter.PriceGTE = nil // no price is below
		}
		if op.Action.Type == plan.SetStock || op.Action.Type == plan.EndSale {
			op.Options = plan.Options{}
		} else {
			digits := op.Options.Digits()
			op.Options.RoundTo = &digits
			if op.Options.Rounding.IsNearest() {
				op.Options.Rounding = ""
			}
			if op.Options.OutsideLimits == plan.ClampToLimits {
				op.Options.OutsideLimits = ""
			}
		}
		all[i] = normal{op: op, text: string(op.Canonical())}
	}
	return all
}

// SortedOnce are names in order, each of them once.
func SortedOnce(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
