package reader

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// set is products that fulfil several conditions at once. The zero value is all
// products. A union of sets is a []set.
type set struct {
	categories, skus   []string // nil for any
	xCategories, xSKUs []string // left out
	stock              stock
	low, high          bound
}

// stock is a condition on stock, or what it is set to.
type stock int8

const (
	anyStock stock = iota
	inStock
	outOfStock
)

// bound is an end of a range of prices. A strict one does not hold the price
// itself.
type bound struct {
	given  bool
	price  plan.Decimal
	strict bool
}

// everything is all products, as a union.
var everything = []set{{}}

// intersect returns the products of both; ok is false where there can be none.
func (s set) intersect(other set) (set, bool) {
	both := s
	both.categories, both.skus = common(s.categories, other.categories), common(s.skus, other.skus)
	both.xCategories, both.xSKUs = joined(slices.Clip(s.xCategories), other.xCategories), joined(slices.Clip(s.xSKUs), other.xSKUs)
	both.categories, both.xCategories = without(both.categories, both.xCategories)
	both.skus, both.xSKUs = without(both.skus, both.xSKUs)
	if both.stock == anyStock {
		both.stock = other.stock
	}
	if l := other.low; l.given && (!s.low.given || l.price.Cmp(s.low.price) > 0 || l.price == s.low.price && l.strict) {
		both.low = l
	}
	if h := other.high; h.given && (!s.high.given || h.price.Cmp(s.high.price) < 0 || h.price == s.high.price && h.strict) {
		both.high = h
	}
	contradicted := s.stock != anyStock && other.stock != anyStock && s.stock != other.stock
	return both, !contradicted && !both.empty()
}

func (s set) empty() bool {
	if s.categories != nil && len(s.categories) == 0 || s.skus != nil && len(s.skus) == 0 {
		return true
	}
	if s.low.given && s.high.given {
		low, high := s.filter().PriceGTE, s.filter().PriceLTE
		return low.Cmp(*high) > 0
	}
	return s.high.given && s.high.strict && s.high.price.IsZero()
}

func common(a, b []string) []string {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}

// joined appends to a list what another has besides.
func joined[T comparable](a, b []T) []T {
	for _, one := range b {
		if !slices.Contains(a, one) {
			a = append(a, one)
		}
	}
	return a
}

// without takes names out of a list. Where the list holds every name, they stay
// what is left out.
func without(names, out []string) (kept, left []string) {
	if names == nil {
		return nil, out
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(out, name) }), nil
}

// intersection is the products that both unions hold.
func intersection(a, b []set) []set {
	var both []set
	for _, x := range a {
		for _, y := range b {
			if z, ok := x.intersect(y); ok {
				both = append(both, z)
			}
		}
	}
	return both
}

// complement is all other products, as sets of which no two share one.
func (s set) complement() []set {
	var others []set
	rest := set{}
	split := func(out, in set) {
		if z, ok := rest.intersect(out); ok {
			others = append(others, z)
		}
		rest, _ = rest.intersect(in)
	}
	if s.categories != nil {
		split(set{xCategories: s.categories}, set{categories: s.categories})
	}
	if s.skus != nil {
		split(set{xSKUs: s.skus}, set{skus: s.skus})
	}
	if len(s.xCategories) > 0 {
		split(set{categories: s.xCategories}, set{xCategories: s.xCategories})
	}
	if len(s.xSKUs) > 0 {
		split(set{skus: s.xSKUs}, set{xSKUs: s.xSKUs})
	}
	if s.stock != anyStock {
		split(set{stock: inStock + outOfStock - s.stock}, set{stock: s.stock})
	}
	if s.low.given {
		split(set{high: s.low.opposite()}, set{low: s.low})
	}
	if s.high.given {
		split(set{low: s.high.opposite()}, set{high: s.high})
	}
	return others
}

func (b bound) opposite() bound { return bound{given: true, price: b.price, strict: !b.strict} }

// subtract is the products of a that b does not hold.
func subtract(a, b []set) []set {
	for _, s := range b {
		a = intersection(a, s.complement())
	}
	return a
}

// apart makes of a union one of which no two sets share a product, and joins sets
// that differ in one list of names.
func apart(sets []set) []set {
	var all []set
	for _, s := range sets {
		all = append(all, subtract([]set{s}, all)...)
	}
	return compact(all)
}

// compact joins sets that differ only in the categories, or only in the SKUs, that
// they list.
func compact(sets []set) []set {
	var all []set
next:
	for _, s := range sets {
		for i := range all {
			if merged, ok := all[i].join(s); ok {
				all[i] = merged
				continue next
			}
		}
		all = append(all, s)
	}
	return all
}

func (s set) join(other set) (set, bool) {
	one, two := s, other
	switch {
	case s.categories != nil && other.categories != nil && slices.Equal(s.skus, other.skus):
		one.categories, two.categories = nil, nil
		if one.key() == two.key() {
			one.categories = joined(slices.Clip(s.categories), other.categories)
			return one, true
		}
	case s.skus != nil && other.skus != nil && s.categories == nil && other.categories == nil:
		one.skus, two.skus = nil, nil
		if one.key() == two.key() {
			one.skus = joined(slices.Clip(s.skus), other.skus)
			return one, true
		}
	}
	return s, s.key() == other.key()
}

// names is the products of the same categories and SKUs, whatever their price and
// stock.
func (s set) names() set {
	return set{categories: s.categories, skus: s.skus, xCategories: s.xCategories, xSKUs: s.xSKUs}
}

func namesOf(sets []set) []set {
	var all []set
	for _, s := range sets {
		all = append(all, s.names())
	}
	return all
}

// named reports whether a set has names.
func (s set) named() bool { return s.names().key() != (set{}).key() }

// conditional reports whether a set has more than names to it.
func (s set) conditional() bool { return s.key() != s.names().key() }

// priced reports whether a set has a condition on the price.
func (s set) priced() bool { return s.low.given || s.high.given }

// key is the same for equal sets.
func (s set) key() string {
	var b strings.Builder
	for _, names := range [][]string{s.categories, s.skus, s.xCategories, s.xSKUs} {
		fmt.Fprintf(&b, "%t%q", names != nil, slices.Sorted(slices.Values(names)))
	}
	fmt.Fprint(&b, s.stock, s.low, s.high)
	return b.String()
}

func keys(sets []set) string {
	all := make([]string, len(sets))
	for i, s := range sets {
		all[i] = s.key()
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}

// filter is the set as a plan has it.
func (s set) filter() plan.Filter {
	f := plan.Filter{Categories: s.categories, SKUs: s.skus, ExcludeCategories: s.xCategories, ExcludeSKUs: s.xSKUs}
	if s.stock != anyStock {
		in := s.stock == inStock
		f.InStock = &in
	}
	if s.low.given {
		f.PriceGTE = s.low.included(1)
	}
	if s.high.given {
		f.PriceLTE = s.high.included(-1)
	}
	return f
}

// included is the outermost price that the bound holds: under $20 is at most
// 19.99, as prices have two decimals unless the bound itself has more.
func (b bound) included(step int64) *plan.Decimal {
	price := b.price
	if b.strict {
		scale := max(2, price.Scale())
		units := price.Scaled(scale)
		if moved, err := plan.FromScaled(units.Add(units, big.NewInt(step)), scale); err == nil {
			price = moved
		}
	}
	return &price
}
