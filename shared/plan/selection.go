package plan

import "math/big"

// selection is a set of rows: those whose category, SKU, stock and price are
// each within bounds. It errs on the side of holding too many rows.
type selection struct {
	categories, skus values
	stock            [2]bool // may hold rows that are out of stock, in stock
	price            interval
}

func selected(f *Filter) selection {
	return selection{
		categories: newValues(f.Categories, f.ExcludeCategories),
		skus:       newValues(f.SKUs, f.ExcludeSKUs),
		stock:      [2]bool{f.InStock == nil || !*f.InStock, f.InStock == nil || *f.InStock},
		price:      newInterval(f.PriceGTE, f.PriceLTE),
	}
}

func (s selection) empty() bool {
	return s.categories.empty() || s.skus.empty() || s.price.empty()
}

// meets reports whether some row may be in both.
func (s selection) meets(other selection) bool {
	return s.sameProducts(other) && s.price.meets(other.price) && s.stockMeets(other)
}

func (s selection) stockMeets(other selection) bool {
	return s.stock[0] && other.stock[0] || s.stock[1] && other.stock[1]
}

// covers reports whether every row of the other is in s.
func (s selection) covers(other selection) bool {
	return s.categories.covers(other.categories) && s.skus.covers(other.skus) && other.price.within(s.price) &&
		other.stockWithin(s)
}

func (s selection) stockWithin(other selection) bool {
	return (other.stock[0] || !s.stock[0]) && (other.stock[1] || !s.stock[1])
}

// sameProducts reports whether the two may hold the same products, whatever
// their price and stock: those an operation can change.
func (s selection) sameProducts(other selection) bool {
	return s.categories.meets(other.categories) && s.skus.meets(other.skus)
}

// values is a set of names: those listed, or all, but for the excluded.
type values struct {
	all      bool
	names    []string        // listed
	listed   map[string]bool // the same as a set
	excluded map[string]bool
}

func newValues(listed, excluded []string) values {
	v := values{all: listed == nil, excluded: make(map[string]bool, len(excluded)), listed: make(map[string]bool, len(listed))}
	for _, name := range excluded {
		v.excluded[name] = true
	}
	for _, name := range listed {
		// A cell of more bytes makes a table malformed: no row has it.
		if !v.excluded[name] && len(name) <= MaxFilterValueLength {
			v.listed[name] = true
			v.names = append(v.names, name)
		}
	}
	return v
}

func (v values) empty() bool { return !v.all && len(v.listed) == 0 }

func (v values) has(name string) bool { return v.all && !v.excluded[name] || v.listed[name] }

func (v values) meets(other values) bool {
	if v.all && other.all {
		return true // names without end, of which some are excluded
	}
	if v.all || !other.all && len(other.listed) < len(v.listed) {
		v, other = other, v
	}
	for _, name := range v.names {
		if other.has(name) {
			return true
		}
	}
	return false
}

// covers reports whether every name of the other is in v.
func (v values) covers(other values) bool {
	if other.all {
		for name := range v.excluded {
			if other.has(name) {
				return false
			}
		}
		return v.all
	}
	for _, name := range other.names {
		if !v.has(name) {
			return false
		}
	}
	return true
}

// interval is the prices from low to high, in units of 10^-unitDigits. A nil
// high is no bound.
type interval struct{ low, high *big.Int }

// unitDigits are enough for any decimal changed by any percentage to be exact.
// Of what is changed again, finer digits are cut off: no price has them.
const unitDigits = 2*MaxFractionDigits + 2

func newInterval(low, high *Decimal) interval {
	i := interval{low: new(big.Int)}
	if low != nil {
		i.low = low.units()
	}
	if high != nil {
		i.high = high.units()
	}
	return i
}

func (i interval) empty() bool { return i.high != nil && i.high.Cmp(i.low) < 0 }

func (i interval) meets(other interval) bool {
	return !i.intersect(other).empty()
}

func (i interval) intersect(other interval) interval {
	if other.low.Cmp(i.low) > 0 {
		i.low = other.low
	}
	if i.high == nil || other.high != nil && other.high.Cmp(i.high) < 0 {
		i.high = other.high
	}
	return i
}

// union is the interval from the lower low to the higher high.
func (i interval) union(other interval) interval {
	if other.low.Cmp(i.low) < 0 {
		i.low = other.low
	}
	if i.high != nil && (other.high == nil || other.high.Cmp(i.high) > 0) {
		i.high = other.high
	}
	return i
}

// within reports whether i lies inside other.
func (i interval) within(other interval) bool {
	return i.low.Cmp(other.low) >= 0 && (other.high == nil || i.high != nil && i.high.Cmp(other.high) <= 0)
}

func (d Decimal) units() *big.Int { return d.Scaled(unitDigits) }
