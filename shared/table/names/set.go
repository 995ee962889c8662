package names

import (
	"math"
	"math/bits"
)

// Set is a set of a query's conditions, by position.
type Set struct{ Low, High uint64 }

// MaxConditions is how many conditions a query may have.
const MaxConditions = 128

// EverySet has every condition that a query may have.
var EverySet = Set{math.MaxUint64, math.MaxUint64}

// With returns the set with one condition more.
func (s Set) With(i int) Set {
	if i < 64 {
		s.Low |= 1 << i
	} else {
		s.High |= 1 << (i - 64)
	}
	return s
}

// Or returns what is in either set.
func (s Set) Or(t Set) Set { return Set{s.Low | t.Low, s.High | t.High} }

// AndNot returns what is in this set alone.
func (s Set) AndNot(t Set) Set { return Set{s.Low &^ t.Low, s.High &^ t.High} }

// And returns what is in both sets.
func (s Set) And(t Set) Set { return Set{s.Low & t.Low, s.High & t.High} }

// Has reports whether a condition is in it.
func (s Set) Has(i int) bool { return !s.And(Set{}.With(i)).Empty() }

// Empty reports whether nothing is in it.
func (s Set) Empty() bool { return s.Low|s.High == 0 }

// Next returns the set's first condition and the set without it. The set must not be empty.
func (s Set) Next() (int, Set) {
	if s.Low != 0 {
		return bits.TrailingZeros64(s.Low), Set{s.Low & (s.Low - 1), s.High}
	}
	return 64 + bits.TrailingZeros64(s.High), Set{0, s.High & (s.High - 1)}
}
