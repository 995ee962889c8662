package reader

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// role is what a name is a name of.
type role int

const (
	category role = iota
	brand
	tag    // of which a product may have several
	phrase // in the product's name
	sku
	roles
)

// set is products that fulfil several conditions at once. The zero value is all
// products. A union of sets is a []set.
type set struct {
	of, out       [roles][]string // a product has one of the names, nil for any, and none of those left out
	stock, sale   choice          // in stock, on sale
	low, high     bound
	least, most   bound        // pieces in stock
	where         []plan.Where // of other columns
	also          [][]string   // further phrases that the product's name must have
	inexpressible bool         // no filter says it: summer and clearance at once
}

// choice is a condition that holds or does not, or what it is made to be.
type choice int8

const (
	either choice = iota
	yes
	no
)

// bound is an end of a range of prices. A strict one does not hold the price
// itself.
type bound struct {
	given  bool
	price  plan.Decimal
	strict bool
}

// everything is all products, as a union, and onSale those that are on sale.
var everything, onSale = []set{{}}, []set{{sale: yes}}

// setOf is the products that have one of some names, as a union.
func setOf(r role, names ...string) []set {
	var s set
	s.of[r] = names
	return []set{s}
}

// intersect returns the products of both; ok is false where there can be none.
func (s set) intersect(other set) (set, bool) {
	both := s
	for r := range roles {
		both.out[r] = joined(slices.Clip(s.out[r]), other.out[r])
		// a product may have several: drinks, and juice
		if both.of[r] = common(s.of[r], other.of[r]); r == category {
			both.of[r], _ = without(both.of[r], both.out[r])
		} else if r != tag && r != phrase {
			both.of[r], both.out[r] = without(both.of[r], both.out[r])
		} else if least := min(len(s.of[r]), len(other.of[r])); least > 0 && len(both.of[r]) < least {
			if both.of[r] = s.of[r]; r == phrase {
				both.also = append(slices.Clip(both.also), other.of[r])
			} else {
				both.inexpressible = true
			}
		}
	}
	both.also = append(slices.Clip(both.also), other.also...)
	for _, w := range other.where {
		if !slices.ContainsFunc(both.where, func(has plan.Where) bool { return sameWhere(has, w) }) {
			both.where = append(slices.Clip(both.where), w)
		}
	}
	both.inexpressible = both.inexpressible || other.inexpressible
	both.stock, both.sale = max(s.stock, other.stock), max(s.sale, other.sale)
	both.low, both.least = s.low.higher(other.low), s.least.higher(other.least)
	both.high, both.most = s.high.lower(other.high), s.most.lower(other.most)
	contradicted := s.stock+other.stock == yes+no || s.sale+other.sale == yes+no
	return both, !contradicted && !both.empty()
}

// higher is the higher of two lower ends.
func (b bound) higher(other bound) bound {
	if other.given && (!b.given || other.price.Cmp(b.price) > 0 || other.price == b.price && other.strict) {
		return other
	}
	return b
}

// lower is the lower of two upper ends.
func (b bound) lower(other bound) bound {
	if other.given && (!b.given || other.price.Cmp(b.price) < 0 || other.price == b.price && other.strict) {
		return other
	}
	return b
}

// sameWhere reports whether two conditions on other columns are one.
func sameWhere(a, b plan.Where) bool {
	return a.Column == b.Column && a.Kind == b.Kind && slices.Equal(a.Values, b.Values)
}

func (s set) empty() bool {
	for r := range roles {
		if left, _ := without(s.of[r], s.out[r]); left != nil && len(left) == 0 {
			return true
		}
	}
	if s.low.given && s.high.given {
		low, high := s.filter().PriceGTE, s.filter().PriceLTE
		return low.Cmp(*high) > 0
	}
	if s.least.given && s.most.given {
		least, most := s.filter().QuantityGTE, s.filter().QuantityLTE
		return most == nil || least.Cmp(*most) > 0
	}
	none := func(end bound) bool { return end.given && end.strict && end.price.IsZero() }
	return none(s.high) || none(s.most)
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
	for _, element := range b {
		if !slices.Contains(a, element) {
			a = append(a, element)
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
	return slices.DeleteFunc(
		slices.Clone(names),
		func(name string) bool { return slices.Contains(out, name) },
	), nil
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

// repeats reports whether a set of nothing but names has one that another has, too.
func (s set) repeats(other set) bool {
	both, meet := s.intersect(other)
	for r := range roles {
		meet = meet && (s.of[r] == nil) == (other.of[r] == nil)
	}
	return meet && !both.inexpressible && both.also == nil && !s.conditional() && !other.conditional() &&
		both.named()
}

// complement is all other products, as sets of which no two share one. They are told by
// the categories first, or last: of drinks that are juice, too, no filter says more.
func (s set) complement(categoriesLast bool) []set {
	if s.also != nil {
		return []set{{inexpressible: true}}
	}
	var others []set
	rest := set{}
	split := func(out, in set) {
		if z, ok := rest.intersect(out); ok {
			others = append(others, z)
		}
		rest, _ = rest.intersect(in)
	}
	byName := func(r role) {
		var has, hasNot set
		if has.of[r], hasNot.out[r] = s.of[r], s.of[r]; s.of[r] != nil {
			split(hasNot, has)
		}
		has, hasNot = set{}, set{}
		if has.of[r], hasNot.out[r] = s.out[r], s.out[r]; len(s.out[r]) > 0 {
			split(has, hasNot)
		}
	}
	if !categoriesLast {
		byName(category)
	}
	for r := category + 1; r < roles; r++ {
		byName(r)
	}
	if s.stock != either {
		split(set{stock: yes + no - s.stock}, set{stock: s.stock})
	}
	if s.sale != either {
		split(set{sale: yes + no - s.sale}, set{sale: s.sale})
	}
	if s.low.given {
		split(set{high: s.low.opposite()}, set{low: s.low})
	}
	if s.high.given {
		split(set{low: s.high.opposite()}, set{high: s.high})
	}
	if s.least.given {
		split(set{most: s.least.opposite()}, set{least: s.least})
	}
	if s.most.given {
		split(set{least: s.most.opposite()}, set{most: s.most})
	}
	for _, w := range s.where {
		other := w
		other.Kind = map[plan.WhereKind]plan.WhereKind{
			plan.WhereIs:    plan.WhereIsNot,
			plan.WhereIsNot: plan.WhereIs,
		}[w.Kind]
		split(set{where: []plan.Where{other}}, set{where: []plan.Where{w}})
	}
	if categoriesLast {
		byName(category)
	}
	return others
}

func (b bound) opposite() bound { return bound{given: true, price: b.price, strict: !b.strict} }

// subtract is the products of a that b does not hold.
func subtract(a, b []set) []set {
	for _, s := range b {
		var left []set
		for _, x := range a {
			left = append(left, intersection([]set{x}, s.complement(x.ofOther(s)))...)
		}
		a = left
	}
	return a
}

// ofOther reports whether two sets have categories, and none in common. A product may be
// in both all the same.
func (s set) ofOther(other set) bool {
	both := common(s.of[category], other.of[category])
	return s.of[category] != nil && other.of[category] != nil && len(both) == 0
}

// disjoint makes of a union one of which no two sets share a product, and joins sets
// that differ in one list of names. Of a table that was read, those of other categories
// may share some, and those told by words of products' names need not.
func (c *index) disjoint(sets []set) []set {
	var all []set
	for _, s := range sets {
		others := slices.DeleteFunc(slices.Clone(all), func(other set) bool {
			return !c.given.Whole && s.ofOther(other) || c.apart(s.filter(), other.filter())
		})
		all = append(all, subtract([]set{s}, others)...)
	}
	return compact(all)
}

// compact joins sets that differ only in the names of one role that they list.
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
	for r := range roles {
		left, right := s, other
		if left.of[r], right.of[r] = nil, nil; s.of[r] != nil && other.of[r] != nil &&
			left.key() == right.key() {
			left.of[r] = joined(slices.Clip(s.of[r]), other.of[r])
			return left, true
		}
	}
	if len(s.where) == 1 && len(other.where) == 1 && s.where[0].Column == other.where[0].Column &&
		s.where[0].Kind == plan.WhereIs {
		left, right := s, other
		if left.where, right.where = nil, nil; left.key() == right.key() &&
			other.where[0].Kind == plan.WhereIs {
			joint := s.where[0] // draft and archived products
			joint.Values = joined(slices.Clip(joint.Values), other.where[0].Values)
			left.where = []plan.Where{joint}
			return left, true
		}
	}
	return s, s.key() == other.key()
}

// names is the products of the same names, whatever their price and stock.
func (s set) names() set {
	return set{of: s.of, out: s.out, where: s.where, also: s.also, inexpressible: s.inexpressible}
}

func namesOf(sets []set) []set {
	var all []set
	for _, s := range sets {
		all = append(all, s.names())
	}
	return all
}

// first is a name that the products of a set have.
func (s set) first() string {
	for _, names := range s.of {
		if len(names) > 0 {
			return names[0]
		}
	}
	return ""
}

// named reports whether a set has names.
func (s set) named() bool { return keyOf(s.names()) != allKey }

// conditional reports whether a set has more than names to it.
func (s set) conditional() bool { return s.key() != keyOf(s.names()) }

// priced reports whether a set has a condition on the price.
func (s set) priced() bool { return s.low.given || s.high.given }

// allKey is that of all products.
var allKey = keyOf(set{})

func keyOf(s set) string { return s.key() }

// key is the same for equal sets.
func (s *set) key() string { return string(s.appendKey(nil)) }

func (s *set) appendKey(to []byte) []byte {
	list := func(sign byte, r role, names []string) {
		to = append(to, sign, '0'+byte(r))
		for _, name := range slices.Sorted(slices.Values(names)) {
			to = strconv.AppendQuote(to, name)
		}
	}
	for r := range roles {
		if s.of[r] != nil {
			list('+', r, s.of[r])
		}
		if len(s.out[r]) > 0 {
			list('-', r, s.out[r])
		}
	}
	to = append(to, '0'+byte(s.stock), '0'+byte(s.sale))
	for _, end := range []*bound{&s.low, &s.high, &s.least, &s.most} {
		to = end.appendKey(to)
	}
	for _, w := range s.where {
		to = fmt.Appendf(to, "where %q %s %q", w.Column, w.Kind, w.Values)
	}
	for _, phrases := range s.also {
		to = fmt.Appendf(to, "also %q", phrases)
	}
	if s.inexpressible {
		to = append(to, '!')
	}
	return to
}

func (b *bound) appendKey(to []byte) []byte {
	if !b.given {
		return append(to, ',')
	}
	if b.strict {
		to = append(to, '<')
	}
	return append(append(to, b.price.String()...), ',')
}

func keys(sets []set) string {
	if len(sets) == 0 {
		return ""
	}
	all := make([]string, len(sets))
	for i := range sets {
		all[i] = sets[i].key()
	}
	slices.Sort(all)
	return strings.Join(all, "|")
}

// filter is the set as a plan has it.
func (s set) filter() plan.Filter {
	f := plan.Filter{
		Categories:          s.of[category],
		ExcludeCategories:   s.out[category],
		SKUs:                s.of[sku],
		ExcludeSKUs:         s.out[sku],
		Brands:              s.of[brand],
		ExcludeBrands:       s.out[brand],
		Tags:                s.of[tag],
		ExcludeTags:         s.out[tag],
		NameContains:        s.of[phrase],
		ExcludeNameContains: s.out[phrase],
		InStock:             s.stock.option(),
		OnSale:              s.sale.option(),
	}
	if s.low.given {
		f.PriceGTE = s.low.included(1)
	}
	if s.high.given {
		f.PriceLTE = s.high.included(-1)
	}
	if s.least.given {
		f.QuantityGTE = s.least.pieces(1)
	}
	if s.most.given {
		f.QuantityLTE = s.most.pieces(-1)
	}
	f.Where = s.where
	return f
}

// option is the choice as a plan has it.
func (c choice) option() *bool {
	if c == either {
		return nil
	}
	is := c == yes
	return &is
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

// pieces is the outermost whole number that the bound holds: fewer than 5 is at most 4. It is
// nil where there is none.
func (b bound) pieces(step int64) *plan.Decimal {
	pieces := b.price
	if b.strict {
		moved, err := plan.FromScaled(new(big.Int).Add(pieces.Scaled(0), big.NewInt(step)), 0)
		if err != nil {
			return nil
		}
		pieces = moved
	}
	return &pieces
}
