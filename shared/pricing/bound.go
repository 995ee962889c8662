package pricing

import (
	"math"
	"math/big"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table/amount"
)

// A bound is one end of a price filter, ready for prices of every scale.
type bound struct {
	exact plan.Decimal
	// units[s] is the bound times 10^s, rounded into the range it allows, or
	// math.MaxInt64 where that is more than any amount of one word.
	units [plan.MaxFractionDigits + 1]int64
}

func newBound(d plan.Decimal, roundUp bool) *bound {
	b := &bound{exact: d}
	whole := d.Scaled(plan.MaxFractionDigits)
	for s := range b.units {
		quotient, rest := new(big.Int).QuoRem(whole, amount.BigPower(plan.MaxFractionDigits-s), new(big.Int))
		if roundUp && rest.Sign() > 0 {
			quotient.Add(quotient, big.NewInt(1))
		}
		b.units[s] = math.MaxInt64
		if quotient.IsInt64() {
			b.units[s] = quotient.Int64()
		}
	}
	return b
}

// above and below report whether a price is outside the bound.
func (b *bound) above(a amount.Amount) bool {
	if a.Wide == nil {
		return a.Units > b.units[a.Scale]
	}
	return b.compareWide(a) > 0
}

func (b *bound) below(a amount.Amount) bool {
	if a.Wide == nil {
		return a.Units < b.units[a.Scale]
	}
	return b.compareWide(a) < 0
}

// compareWide compares an amount, whose scale is at most 9, with the bound.
func (b *bound) compareWide(a amount.Amount) int {
	scaled := new(big.Int).Mul(a.Wide, amount.BigPower(plan.MaxFractionDigits-a.Scale))
	return scaled.Cmp(b.exact.Scaled(plan.MaxFractionDigits))
}
