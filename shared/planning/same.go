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
	x, y := normalized(a), normalized(b)
	taken := make([]bool, len(y))
	matched := make([]int, len(x))
	for i := range x {
		matched[i] = -1
		for j := range y {
			if !taken[j] && x[i].text == y[j].text {
				taken[j], matched[i] = true, j
				break
			}
		}
		if matched[i] < 0 {
			return false
		}
	}
	for i := range x {
		for k := range i {
			if matched[k] > matched[i] && !commute(&x[k].op, &x[i].op) {
				return false
			}
		}
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
		f := &op.Filter
		f.Categories, f.SKUs = sorted(f.Categories), sorted(f.SKUs)
		f.ExcludeCategories, f.ExcludeSKUs = sorted(f.ExcludeCategories), sorted(f.ExcludeSKUs)
		if op.Action.Type == plan.SetStock {
			op.Options = plan.Options{}
		} else {
			digits := op.Options.Digits()
			op.Options.RoundTo = &digits
		}
		all[i] = normal{op: op, text: string(op.Canonical())}
	}
	return all
}

func sorted(names []string) []string {
	switch len(names) {
	case 0:
		return nil
	case 1:
		return names
	}
	copied := slices.Clone(names)
	slices.Sort(copied)
	return slices.Compact(copied)
}

// commute reports whether two operations do the same in either order: no row
// fulfils both filters, or neither changes what the other reads or writes.
func commute(a, b *plan.Operation) bool {
	aStock, bStock := a.Action.Type == plan.SetStock, b.Action.Type == plan.SetStock
	switch {
	case disjoint(&a.Filter, &b.Filter):
		return true
	case aStock && bStock:
		return false
	case aStock:
		return b.Filter.InStock == nil && a.Filter.PriceGTE == nil && a.Filter.PriceLTE == nil
	case bStock:
		return a.Filter.InStock == nil && b.Filter.PriceGTE == nil && b.Filter.PriceLTE == nil
	}
	return a.Filter.InStock != nil && b.Filter.InStock != nil && *a.Filter.InStock != *b.Filter.InStock
}

// disjoint reports whether no row fulfils both filters whatever operations
// write: prices and stock change, categories and SKUs do not.
func disjoint(a, b *plan.Filter) bool {
	return apart(a.Categories, b.Categories) || apart(a.SKUs, b.SKUs) ||
		within(a.Categories, b.ExcludeCategories) || within(b.Categories, a.ExcludeCategories) ||
		within(a.SKUs, b.ExcludeSKUs) || within(b.SKUs, a.ExcludeSKUs)
}

func apart(a, b []string) bool {
	if a == nil || b == nil {
		return false
	}
	for _, name := range a {
		if slices.Contains(b, name) {
			return false
		}
	}
	return true
}

func within(names, excluded []string) bool {
	for _, name := range names {
		if !slices.Contains(excluded, name) {
			return false
		}
	}
	return names != nil
}
