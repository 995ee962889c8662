package plan

import "math/big"

// bound is an end of a range of prices.
type bound struct {
	exact *big.Int // in units of 10^-unitDigits, never changed; nil is above all prices
}

// unitDigits are enough for any decimal changed by any percentage to be exact.
// Of what is changed again, finer digits are cut off: no price has them.
const unitDigits = 2*MaxFractionDigits + 2

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
