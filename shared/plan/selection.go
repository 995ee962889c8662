package plan

import (
	"math/big"
	"slices"
)

// selection is a set of rows: those whose names, stock, sale and price are
// each within bounds. It errs on the side of holding too many rows. Products are
// compared last, for filters can name thousands of them.
type selection struct {
	names [len(nameColumns)]values
	stock states // may hold rows that are out of stock, in stock
	sale  states // not on sale, on sale
	price interval
}

// states are those of two that rows may be in.
type states [2]bool

var anyState = states{true, true}

func statesOf(only *bool) states {
	return states{only == nil || !*only, only == nil || *only}
}

func (s states) meets(other states) bool { return s[0] && other[0] || s[1] && other[1] }

func (s states) within(other states) bool { return (other[0] || !s[0]) && (other[1] || !s[1]) }

// moves reports whether rows that go from s to others come into the given ones, or
// leave them.
func (s states) moves(to, into states) bool {
	return s.meets(into) && !to.within(into) || !s.within(into) && to.meets(into)
}

func selected(f *Filter) selection {
	s := selection{
		stock: statesOf(f.InStock),
		sale:  statesOf(f.OnSale),
		price: newInterval(f.PriceGTE, f.PriceLTE),
	}
	for i := range nameColumns {
		s.names[i] = newValues(f.Names(nameColumns[i].column))
		s.names[i].repeats = nameColumns[i].column.repeats()
	}
	return s
}

// meets reports whether some row may be in both.
func (s *selection) meets(other *selection) bool {
	return s.stock.meets(other.stock) && s.sale.meets(other.sale) && s.price.meets(&other.price) &&
		s.sameProducts(other)
}

// sameProducts reports whether the two may hold the same products, whatever
// their price, sale and stock: those an operation can change.
func (s *selection) sameProducts(other *selection) bool {
	for i := range s.names {
		if !s.names[i].meets(&other.names[i]) {
			return false
		}
	}
	return true
}

// values is a set of names: those listed, or all, but for the excluded. Where a
// row may have several of them it stands for the rows that have one of those
// listed and none of the excluded.
type values struct {
	all      bool
	repeats  bool
	names    []string        // listed
	listed   map[string]bool // the same as a set, where they are many
	excluded map[string]bool
}

func newValues(listed, excluded []string) values {
	v := values{all: listed == nil}
	if excluded != nil {
		v.excluded = make(map[string]bool, len(excluded))
	}
	for _, name := range excluded {
		v.excluded[name] = true
	}
	// A cell of more bytes makes a table malformed: no row has it.
	never := func(name string) bool { return v.excluded[name] || len(name) > maxFilterValueLength }
	v.names = listed
	if slices.ContainsFunc(listed, never) {
		v.names = slices.DeleteFunc(slices.Clone(listed), never)
	}
	if len(v.names) > fewNames {
		v.listed = make(map[string]bool, len(v.names))
		for _, name := range v.names {
			v.listed[name] = true
		}
	}
	return v
}

// fewNames are looked through faster than they are made a set of.
const fewNames = 8

func (v *values) has(name string) bool {
	switch {
	case v.all:
		return !v.excluded[name]
	case v.listed == nil:
		return slices.Contains(v.names, name)
	}
	return v.listed[name]
}

func (v *values) meets(other *values) bool {
	if v.all && other.all {
		return true // names without end, of which some are excluded
	}
	if v.repeats {
		return v.leaves(other) && other.leaves(v)
	}
	if v.all || !other.all && len(other.names) < len(v.names) {
		v, other = other, v
	}
	return slices.ContainsFunc(v.names, other.has)
}

// leaves reports whether a row that has one of v's names, of which a row may have
// several, may be among the other's.
func (v *values) leaves(other *values) bool {
	return v.all || slices.ContainsFunc(v.names, func(name string) bool { return !other.excluded[name] })
}

// interval is the prices from low to high.
type interval struct{ low, high bound }

func newInterval(low, high *Decimal) interval {
	i := interval{low: zero, high: unbounded}
	if low != nil {
		i.low = low.bound()
	}
	if high != nil {
		i.high = high.bound()
	}
	return i
}

func (i *interval) empty() bool { return i.high.below(i.low) }

func (i *interval) meets(other *interval) bool {
	return !i.high.below(other.low) && !other.high.below(i.low) && !i.empty() && !other.empty()
}

// union is the interval from the lower low to the higher high.
func (i interval) union(other interval) interval {
	if other.low.below(i.low) {
		i.low = other.low
	}
	if i.high.below(other.high) {
		i.high = other.high
	}
	return i
}

func (i *interval) within(other *interval) bool {
	return !i.low.below(other.low) && !other.high.below(i.high)
}

// bound is an end of a range of prices.
type bound struct {
	exact *big.Int // in units of 10^-unitDigits, never changed; nil is above all prices
}

var (
	unbounded = bound{}
	zero      = bound{new(big.Int)}
)

func (d Decimal) bound() bound { return bound{d.Scaled(unitDigits)} }

func (b bound) isUnbounded() bool { return b.exact == nil }

func (b bound) below(other bound) bool {
	switch {
	case b.isUnbounded():
		return false
	case other.isUnbounded():
		return true
	}
	return b.exact != other.exact && b.exact.Cmp(other.exact) < 0
}
