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

// remainder says what subtract could do.
type remainder uint8

const (
	some   remainder = iota // what is left
	none                    // no row is left
	unable                  // what is left is no conjunction
)

// subtract leaves the rows of f that are not in g. A plan's filter is a
// conjunction, so g may differ from f in one respect only: who, stock or price.
func subtract(f cut, g rows) (cut, remainder) {
	if apart(&f.rows, &g) || excluded(&f, &g) {
		return f, some
	}
	stockDiffers := g.stock != nil && f.stock == nil
	priceDiffers := !within(f.conditions, g.conditions)
	whoDiffers := g.listed() && !covers(g, f.rows)
	switch {
	case !stockDiffers && !priceDiffers && !whoDiffers:
		return f, none
	case stockDiffers && !priceDiffers && !whoDiffers:
		other := !*g.stock
		f.stock = &other
		return f, some
	case priceDiffers && !stockDiffers && !whoDiffers:
		return outsideBand(f, g)
	case whoDiffers && !stockDiffers && !priceDiffers:
		return withoutNames(f, g), some
	}
	return f, unable
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
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func all(a, b []string) bool {
	return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
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

// outsideBand leaves the prices of f outside g's band, where that is one band.
//
// A band that came of "under $20" ends at 19.99, and one step above that is 20
// again: leaving out what is under $20 keeps what is at least $20.
func outsideBand(f cut, g rows) (cut, remainder) {
	lower, upper := g.gte, g.lte
	if lower != nil && f.gte != nil && f.gte.Cmp(*lower) >= 0 {
		lower = nil
	}
	if upper != nil && f.lte != nil && f.lte.Cmp(*upper) <= 0 {
		upper = nil
	}
	switch {
	case lower != nil && upper != nil:
		return f, unable
	case lower != nil:
		scaled, scale := priceStep(*lower)
		if scaled.Sign() == 0 {
			return f, none
		}
		f.lte = unscaled(scaled.Sub(scaled, big.NewInt(1)), scale)
	default:
		f.gte = above(upper)
	}
	return f, some
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

func union(a, b []string) []string {
	joined := slices.Clone(a)
	for _, s := range b {
		joined = appendOnce(joined, s)
	}
	return joined
}
