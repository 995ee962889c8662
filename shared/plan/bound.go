package plan

import (
	"math"
	"math/big"
)

// bound is an end of a range of prices. Each is compared with many others, so
// it has a rounded form beside the exact one: where the two of a pair differ
// when rounded, that is their order.
type bound struct {
	exact *big.Int // in units of 10^-unitDigits, never changed; nil is above all prices
	near  float64  // exact rounded, which keeps the order
}

// unitDigits are enough for any decimal changed by any percentage to be exact.
// Of what is changed again, finer digits are cut off: no price has them.
const unitDigits = 2*MaxFractionDigits + 2

var (
	unbounded = bound{near: math.Inf(1)}
	zero      = newBound(new(big.Int))
)

func newBound(exact *big.Int) bound {
	near, _ := exact.Float64()
	return bound{exact: exact, near: near}
}

func (d Decimal) bound() bound { return newBound(d.Scaled(unitDigits)) }

func (b bound) isUnbounded() bool { return b.exact == nil }

// below is small enough to be inlined, for it runs many times for each pair of operations.
func (b bound) below(other bound) bool {
	return b.near < other.near || b.near == other.near && b.exactlyBelow(other)
}

func (b bound) exactlyBelow(other bound) bool {
	switch {
	case b.isUnbounded():
		return false
	case other.isUnbounded():
		return true
	}
	return b.exact != other.exact && b.exact.Cmp(other.exact) < 0
}
