package grammar

import (
	"math/big"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// span is the prices from low to high, in units of 10^-spanDigits. A nil end is
// no bound.
type span struct{ low, high *big.Int }

// spanDigits are enough for any price changed by any percentage to be exact.
const spanDigits = 2*plan.MaxFractionDigits + 2

func units(d plan.Decimal) *big.Int { return d.Scaled(spanDigits) }

func unitsOrNil(d *plan.Decimal) *big.Int {
	if d == nil {
		return nil
	}
	return units(*d)
}

// meets reports whether some price is in both spans.
func (s span) meets(other span) bool {
	return !isAbove(s.low, other.high) && !isAbove(other.low, s.high)
}

func isAbove(low, high *big.Int) bool { return low != nil && high != nil && low.Cmp(high) > 0 }

// read is the prices that the conditions of an operation let through.
func (o *operation) read() span { return span{unitsOrNil(o.gte), unitsOrNil(o.lte)} }

// written is the prices that an operation can write. It errs towards more: by
// a unit for an ending or by half of the last digit.
func (o *operation) written() span {
	slack := one
	if o.options.ending == nil {
		slack = halves[o.options.digits()]
	}
	var lowest plan.Decimal
	if o.gte != nil {
		lowest = *o.gte
	}
	low := image(o.action, lowest)
	low.Sub(low, slack)
	var high *big.Int
	switch {
	case o.lte != nil:
		high = image(o.action, *o.lte)
		high.Add(high, slack)
	case o.action.Type == plan.SetPrice:
		high = units(o.action.Value)
	case o.options.max != nil:
		high = units(*o.options.max)
	}
	return span{o.options.clamp(low), o.options.clamp(high)}
}

// one, a hundred percent and halves, of the last of so many digits, must not be changed.
var (
	one     = units(plan.MustDecimal("1"))
	hundred = whole(100).Scaled(plan.MaxFractionDigits)
	halves  = func() (all [plan.MaxFractionDigits]*big.Int) {
		for digits := range all {
			all[digits] = units(plan.MustDecimal("0." + strings.Repeat("0", digits) + "5"))
		}
		return all
	}()
)

// image is the price that an action makes of a price, before rounding.
func image(a plan.Action, price plan.Decimal) *big.Int {
	switch a.Type {
	case plan.PercentIncrease, plan.PercentDecrease:
		share := a.Value.Scaled(plan.MaxFractionDigits)
		if a.Type == plan.PercentDecrease {
			share.Neg(share)
		}
		share.Add(share, hundred)
		return share.Mul(share, price.Scaled(plan.MaxFractionDigits)) // the two digits more divide by a hundred
	case plan.FixedIncrease:
		return new(big.Int).Add(units(price), units(a.Value))
	case plan.FixedDecrease:
		return new(big.Int).Sub(units(price), units(a.Value))
	default:
		return units(a.Value)
	}
}

func (o options) clamp(price *big.Int) *big.Int {
	if least := unitsOrNil(o.min); isAbove(least, price) {
		price = least
	}
	if most := unitsOrNil(o.max); isAbove(price, most) {
		price = most
	}
	return price
}

// priceStep is the step between prices: a strict bound becomes the price one
// step further, because a plan's bounds include their ends. The step is a
// cent, or the last digit of the bound where it has more. A catalogue with
// prices such as 19.995 says the bound it means: "at most $19.995".
func priceStep(d plan.Decimal) (*big.Int, int) {
	scale := max(d.Scale(), plan.DefaultRoundTo)
	return d.Scaled(scale), scale
}

// below is the highest price under d.
func (p *parser) below(d *plan.Decimal, from, to int) *plan.Decimal {
	scaled, scale := priceStep(*d)
	if scaled.Sign() == 0 {
		p.fail(nothingToDo, from, to, "No price is %s. Which price is meant?")
		return d
	}
	return unscaled(scaled.Sub(scaled, big.NewInt(1)), scale)
}

// above is the lowest price over d.
func above(d *plan.Decimal) *plan.Decimal {
	scaled, scale := priceStep(*d)
	return unscaled(scaled.Add(scaled, big.NewInt(1)), scale)
}

// unscaled is n times 10^-scale. A number past a plan's digits stays within
// them, where no price can be either.
func unscaled(n *big.Int, scale int) *plan.Decimal {
	value, err := plan.FromScaled(n, scale)
	if err != nil {
		value = plan.MustDecimal("999999999999999999.99")
	}
	return &value
}
