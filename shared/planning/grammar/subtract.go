package grammar

import (
	"math/big"
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// cut is what one operation selects: rows without those of other categories
// and SKUs. It is a plan.Filter before it is written down.
type cut struct {
	rows
	withoutCategories []string
	withoutSKUs       []string
}

func (f cut) filter() plan.Filter {
	return plan.Filter{
		Categories: f.categories, SKUs: f.skus, InStock: f.stock, PriceGTE: f.gte, PriceLTE: f.lte,
		ExcludeCategories: f.withoutCategories, ExcludeSKUs: f.withoutSKUs,
	}
}

// subtract leaves the rows of f that are not in g: none, one cut, or several
// that share no row. A plan's filter is a conjunction, so all but in-stock yoga
// is two: all but yoga, and the yoga that is not in stock. ok is false where no
// filter can say what is left.
func subtract(f cut, g rows) (left []cut, ok bool) {
	if apart(&f.rows, &g) || excluded(&f, &g) {
		return []cut{f}, true
	}
	if g.listed() && !covers(g, f.rows) {
		left = append(left, withoutNames(f, g))
		if f, ok = narrowed(f, g); !ok && !g.none() {
			return nil, false
		}
	}
	if g.none() {
		return left, true
	}
	byStock := g.stock != nil && f.stock == nil
	if byStock && !within(f.conditions, g.conditions) {
		return nil, false // by both: nobody reads three rules in an exception
	}
	if byStock {
		other, same := f, *g.stock
		opposite := !same
		other.stock, f.stock = &opposite, &same
		left = append(left, other)
	}
	return append(left, outsideBand(f, g)...), true
}

// narrowed leaves those of f that g names. Categories and SKUs at once are no
// filter that anybody asked for.
func narrowed(f cut, g rows) (cut, bool) {
	switch {
	case g.categories != nil && f.skus == nil:
		f.categories = minus(common(f.categories, g.categories), f.withoutCategories)
		f.withoutCategories = nil
	case g.skus != nil && f.categories == nil:
		f.skus = minus(common(f.skus, g.skus), f.withoutSKUs)
		f.withoutSKUs = nil
	default:
		return f, false
	}
	return f, true
}

// common is the names that are in both lists; no list has every name.
func common(list, names []string) []string {
	if list == nil {
		return names
	}
	return minus(list, minus(list, names))
}

// apart reports whether two sets certainly share no row.
func apart(f, g *rows) bool {
	_, overlap := merge(f.conditions, g.conditions)
	return !overlap || namesApart(f, g)
}

// namesApart reports whether two sets name different products, whatever their
// conditions.
func namesApart(f, g *rows) bool {
	return f.categories != nil && g.categories != nil && !share(f.categories, g.categories) ||
		f.skus != nil && g.skus != nil && !share(f.skus, g.skus)
}

// excluded reports whether f leaves out all of g by name.
func excluded(f *cut, g *rows) bool {
	return g.categories != nil && all(g.categories, f.withoutCategories) || g.skus != nil && all(g.skus, f.withoutSKUs)
}

func share(a, b []string) bool {
	for _, s := range a {
		if slices.Contains(b, s) {
			return true
		}
	}
	return false
}

func all(a, b []string) bool {
	for _, s := range a {
		if !slices.Contains(b, s) {
			return false
		}
	}
	return true
}

// covers reports whether the names of g hold all those of f.
func covers(g, f rows) bool {
	if g.categories != nil {
		return f.categories != nil && all(f.categories, g.categories)
	}
	return f.skus != nil && all(f.skus, g.skus)
}

// within reports whether prices that fulfil f fulfil g too.
func within(f, g conditions) bool {
	lower := g.gte == nil || f.gte != nil && f.gte.Cmp(*g.gte) >= 0
	upper := g.lte == nil || f.lte != nil && f.lte.Cmp(*g.lte) <= 0
	return lower && upper
}

// outsideBand leaves the prices of f that are under g's band and over it.
//
// A band that came of "under $20" ends at 19.99, and one step above that is 20
// again: leaving out what is under $20 keeps what is at least $20.
func outsideBand(f cut, g rows) []cut {
	var left []cut
	if lower := g.gte; lower != nil && (f.gte == nil || f.gte.Cmp(*lower) < 0) {
		if scaled, scale := priceStep(*lower); scaled.Sign() > 0 {
			under := f
			under.lte = unscaled(scaled.Sub(scaled, big.NewInt(1)), scale)
			left = append(left, under)
		}
	}
	if upper := g.lte; upper != nil && (f.lte == nil || f.lte.Cmp(*upper) > 0) {
		over := f
		over.gte = above(upper)
		left = append(left, over)
	}
	return left
}

// withoutNames leaves out g's categories or SKUs: of f's own list where both
// are lists of the same thing, by an exclusion where they are not.
func withoutNames(f cut, g rows) cut {
	switch {
	case g.categories != nil && f.categories != nil:
		f.categories = minus(f.categories, g.categories)
	case g.categories != nil:
		f.withoutCategories = union(f.withoutCategories, g.categories)
	case f.skus != nil:
		f.skus = minus(f.skus, g.skus)
	default:
		f.withoutSKUs = union(f.withoutSKUs, g.skus)
	}
	return f
}

func minus(a, b []string) []string {
	var left []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			left = append(left, s)
		}
	}
	return left
}

func union(a, b []string) []string { return distinct(slices.Concat(a, b)) }
