package planning

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// Agreed are the rules of the first of several lists of operations, with what all lists
// agree on: where they differ, a slot is empty and asks.
func Agreed(why string, first []plan.Operation, others ...[]plan.Operation) []DraftRule {
	var rules []DraftRule
	for _, op := range first {
		rule := RuleOf(op)
		for _, other := range others {
			rule.agree(why, other)
		}
		rules = append(rules, rule)
	}
	return rules
}

// RuleOf is an operation as a rule of a draft.
func RuleOf(op plan.Operation) DraftRule {
	return DraftRule{
		Filter:  op.Filter,
		Action:  DraftOf(op.Action),
		Options: op.Options,
		From:    []Span{},
		Ask:     []Ask{},
	}
}

// RulesOf are operations as a draft has them.
func RulesOf(ops []plan.Operation) []DraftRule {
	rules := []DraftRule{}
	for _, op := range ops {
		rules = append(rules, RuleOf(op))
	}
	return rules
}

// ChoiceOf offers operations in the place of all rules.
func ChoiceOf(lead string, ops []plan.Operation) DraftChoice {
	label := strings.Join(plan.Explain(&plan.Plan{Operations: ops}), " ")
	return DraftChoice{Label: lead + label, Patch: DraftPatch{Operations: RulesOf(ops)}}
}

// agree empties the slots in which the most alike of other operations differs.
func (r *DraftRule) agree(why string, others []plan.Operation) {
	var nearest *DraftRule
	least := -1
	for _, op := range others {
		other := RuleOf(op)
		if n := r.unlike(&other); least < 0 || n < least {
			nearest, least = &other, n
		}
	}
	if nearest == nil {
		nearest = &DraftRule{}
	}
	before := *r
	if canonical(r.Filter) != canonical(nearest.Filter) {
		r.Filter = agreedFilter(r.Filter, nearest.Filter)
	}
	if r.Action.Type != nearest.Action.Type {
		r.Action.Type = ""
	}
	r.Action.Value = same(r.Action.Value, nearest.Action.Value)
	r.Action.Stock = same(r.Action.Stock, nearest.Action.Stock)
	if canonical(r.Options) != canonical(nearest.Options) {
		r.Options = agreedOptions(r.Options, nearest.Options)
	}
	r.askWhereDiffers(why, &before, nearest)
}

// askWhereDiffers asks for the slots in which either of two rules is not what they agree on.
func (r *DraftRule) askWhereDiffers(why string, a, b *DraftRule) {
	differ := func(of func(*DraftRule) string) bool { return of(a) != of(r) || of(b) != of(r) }
	for slot, of := range map[Slot]func(*DraftRule) string{
		SlotFilter:  func(x *DraftRule) string { return canonical(x.Filter) },
		SlotAction:  func(x *DraftRule) string { return canonical(x.Action) },
		SlotOptions: func(x *DraftRule) string { return canonical(x.Options) },
	} {
		if differ(of) && !r.Asks(slot) {
			r.Ask = append(r.Ask, Ask{Slot: slot, Why: why})
		}
	}
	slices.SortFunc(r.Ask, func(a, b Ask) int { return strings.Compare(string(a.Slot), string(b.Slot)) })
}

// agreedFilter are the conditions that two filters have.
func agreedFilter(f, g plan.Filter) plan.Filter {
	return plan.Filter{
		Categories: both(
			f.Categories,
			g.Categories,
		), ExcludeCategories: both(f.ExcludeCategories, g.ExcludeCategories),
		SKUs: both(f.SKUs, g.SKUs), ExcludeSKUs: both(f.ExcludeSKUs, g.ExcludeSKUs),
		Brands: both(f.Brands, g.Brands), ExcludeBrands: both(f.ExcludeBrands, g.ExcludeBrands),
		Tags: both(f.Tags, g.Tags), ExcludeTags: both(f.ExcludeTags, g.ExcludeTags),
		NameContains: both(
			f.NameContains,
			g.NameContains,
		), ExcludeNameContains: both(f.ExcludeNameContains, g.ExcludeNameContains),
		InStock: same(f.InStock, g.InStock), OnSale: same(f.OnSale, g.OnSale),
		PriceGTE: same(f.PriceGTE, g.PriceGTE), PriceLTE: same(f.PriceLTE, g.PriceLTE),
		QuantityGTE: same(f.QuantityGTE, g.QuantityGTE), QuantityLTE: same(f.QuantityLTE, g.QuantityLTE),
		Where: bothWheres(f.Where, g.Where),
	}
}

// agreedOptions are the options that two rules have.
func agreedOptions(o, p plan.Options) plan.Options {
	agreed := plan.Options{
		RoundTo: same(
			o.RoundTo,
			p.RoundTo,
		), PriceEnding: same(o.PriceEnding, p.PriceEnding), RoundStep: same(o.RoundStep, p.RoundStep),
		MinPrice: same(o.MinPrice, p.MinPrice), MaxPrice: same(o.MaxPrice, p.MaxPrice),
		NotBelowCost: o.NotBelowCost &&
			p.NotBelowCost, AsSale: o.AsSale && p.AsSale, KeepDirection: o.KeepDirection && p.KeepDirection,
	}
	if o.OutsideLimits == p.OutsideLimits {
		agreed.OutsideLimits = o.OutsideLimits
	}
	if o.Rounding == p.Rounding {
		agreed.Rounding = o.Rounding
	}
	return agreed
}

// bothWheres are the conditions on other columns that two filters have.
func bothWheres(a, b []plan.Where) (agreed []plan.Where) {
	for _, where := range a {
		if slices.ContainsFunc(b,
			func(other plan.Where) bool { return canonical(other) == canonical(where) }) {
			agreed = append(agreed, where)
		}
	}
	return agreed
}

// same is a value that two have; nil where they differ.
func same[T comparable](a, b *T) *T {
	if a == nil || b == nil || *a != *b {
		return nil
	}
	return a
}

// both are the names that two lists have; nil: none.
func both(a, b []string) (names []string) {
	for _, name := range a {
		if slices.Contains(b, name) {
			names = append(names, name)
		}
	}
	return names
}

// unlike counts in how much two rules differ.
func (r *DraftRule) unlike(other *DraftRule) (n int) {
	for _, column := range plan.NameColumns() {
		only, except := r.Filter.Names(column)
		otherOnly, otherExcept := other.Filter.Names(column)
		if !slices.Equal(only, otherOnly) {
			n++
		}
		if !slices.Equal(except, otherExcept) {
			n++
		}
	}
	if r.Action.Type != other.Action.Type {
		n++
	}
	if same(r.Action.Value, other.Action.Value) == nil {
		n++
	}
	return n
}
