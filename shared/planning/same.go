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
