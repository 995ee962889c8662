package reference

import (
	"math/big"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

func rat(decimal string) *big.Rat {
	r, ok := new(big.Rat).SetString(decimal)
	if !ok {
		panic("reference: no decimal: " + decimal)
	}
	return r
}

// matches reports whether a filter lets a row pass. A name in a filter stands
// for every name that the row has; the blank one for a row without any.
func matches(f plan.Filter, has names, now values) bool {
	if !namesMatch(f, has) {
		return false
	}
	switch {
	case f.InStock != nil && *f.InStock != now.stock,
		f.PriceGTE != nil && rat(now.price).Cmp(rat(f.PriceGTE.String())) < 0,
		f.PriceLTE != nil && rat(now.price).Cmp(rat(f.PriceLTE.String())) > 0:
		return false
	}
	return true
}

// notKnown stands for the names that a row would have from a product that is not known.
const notKnown = "\x00"

func namesMatch(f plan.Filter, has names) bool { return namesMatchBut(f, has, "", "") }

// namesMatchBut is namesMatch where one name of a column is not left out.
func namesMatchBut(f plan.Filter, has names, of plan.Column, but string) bool {
	for column, names := range has {
		hasAny := func(wanted []string) bool {
			return slices.ContainsFunc(wanted, func(name string) bool { return slices.Contains(names, name) })
		}
		only, except := asks(f, column)
		if column == of {
			except = slices.DeleteFunc(slices.Clone(except), func(name string) bool { return name == but })
		}
		if len(only)+len(except) > 0 && (slices.Contains(names, notKnown) || slices.Contains(names, unread)) {
			return false
		}
		if only != nil && !hasAny(only) || hasAny(except) {
			return false
		}
	}
	return true
}

// Why an operation leaves a row alone.
const (
	withoutCost = "no_cost"
	outside     = "outside_limits"
)

// costed returns what the operation makes of a price, given the cost, "" where there
// is none; or why it refuses to, or leaves the row alone.
func costed(op plan.Operation, old, cost string) (price, refusal string) {
	floor := op.Options.NotBelowCost
	if !floor && op.Action.Type != plan.CostPlusPercent {
		return NewPrice(op, old)
	}
	if cost == "" || rat(cost).Sign() == 0 {
		return "", withoutCost
	}
	if op.Action.Type == plan.CostPlusPercent {
		op.Action.Type = plan.PercentIncrease
		if price, refusal = NewPrice(op, cost); refusal == "" && price == cost {
			price = rat(cost).FloatString(op.Options.Digits()) // whatever it is written like there
		}
	} else {
		price, refusal = NewPrice(op, old)
	}
	if floor && op.Options.OutsideLimits == plan.LeaveAlone &&
		(refusal == "negative" || refusal == "" && rat(price).Cmp(rat(cost)) < 0) {
		return "", outside
	}
	if floor && (refusal == "negative" || refusal == "" && rat(price).Cmp(rat(cost)) < 0) {
		o := op.Options
		o.Rounding = plan.RoundUp
		x, _ := brought(rat(cost), o)
		if most := op.Options.MaxPrice; most != nil && x.Cmp(rat(most.String())) > 0 {
			if x = rat(most.String()); x.Cmp(rat(cost)) < 0 {
				return "", outside
			}
		}
		if x.Cmp(rat("1"+strings.Repeat("0", 18))) >= 0 {
			return "", "more than 18 digits"
		}
		price, refusal = x.FloatString(op.Options.Digits()), ""
	}
	if refusal == "" && rat(price).Cmp(rat(old)) == 0 {
		price = old
	}
	return price, refusal
}

// NewPrice returns what the operation makes of a price, the same text where
// that is the same number, or why it refuses to.
func NewPrice(op plan.Operation, old string) (price, refusal string) {
	was, value := rat(old), rat(op.Action.Value.String())
	percent := new(big.Rat).Mul(was, new(big.Rat).Quo(value, rat("100")))
	x := new(big.Rat)
	switch op.Action.Type {
	case plan.PercentIncrease:
		x.Add(was, percent)
	case plan.PercentDecrease:
		x.Sub(was, percent)
	case plan.FixedIncrease:
		x.Add(was, value)
	case plan.FixedDecrease:
		x.Sub(was, value)
	case plan.SetPrice:
		x.Set(value)
	}
	o := op.Options
	x, below := brought(x, o)
	if below && o.MinPrice == nil {
		return "", "negative"
	}
	leaves := o.OutsideLimits == plan.LeaveAlone
	if leaves && (below || o.MinPrice != nil && x.Cmp(rat(o.MinPrice.String())) < 0 ||
		o.MaxPrice != nil && x.Cmp(rat(o.MaxPrice.String())) > 0) {
		return "", outside
	}
	if o.MinPrice != nil && x.Cmp(rat(o.MinPrice.String())) < 0 {
		x = rat(o.MinPrice.String())
	}
	if o.MaxPrice != nil && x.Cmp(rat(o.MaxPrice.String())) > 0 {
		x = rat(o.MaxPrice.String())
	}
	if x.Cmp(rat("1"+strings.Repeat("0", 18))) >= 0 {
		return "", "more than 18 digits"
	}
	if x.Cmp(was) == 0 {
		return old, ""
	}
	return x.FloatString(o.Digits()), "" // exact: x has no more digits
}

// brought returns the price that a result becomes: the nearest, the next or the last that
// is a multiple of the step and the ending more, and whether it is below zero before.
func brought(x *big.Rat, o plan.Options) (price *big.Rat, below bool) {
	step, ending := rat("1"), new(big.Rat)
	if o.PriceEnding == nil {
		step.Quo(step, rat("1"+strings.Repeat("0", o.Digits())))
	} else {
		ending = rat(o.PriceEnding.String())
	}
	if o.RoundStep != nil {
		step = rat(o.RoundStep.String())
	}
	nearest := o.Rounding == "" || o.Rounding == plan.RoundNearest
	if nearest && (o.RoundStep == nil || o.PriceEnding != nil) {
		x = round(x, o.Digits())
	}
	below = x.Sign() < 0
	steps := new(big.Rat).Sub(x, ending)
	steps.Quo(steps, step)
	lower := new(big.Int).Div(steps.Num(), steps.Denom())
	upper := new(big.Int).Add(lower, big.NewInt(1))
	at := func(steps *big.Int) *big.Rat {
		p := new(big.Rat).Mul(new(big.Rat).SetInt(steps), step)
		return p.Add(p, ending)
	}
	chosen := lower
	switch {
	case x.Cmp(at(lower)) == 0 || o.Rounding == plan.RoundDown:
	case o.Rounding == plan.RoundUp, distance(at(upper), x).Cmp(distance(at(lower), x)) <= 0:
		chosen = upper
	}
	if nearest && o.RoundStep != nil && o.PriceEnding == nil {
		below = chosen.Sign() < 0
	}
	if chosen.Sign() < 0 {
		chosen = new(big.Int)
	}
	return at(chosen), below
}

// round rounds to digits after the point, halves away from zero.
func round(x *big.Rat, digits int) *big.Rat {
	power := rat("1" + strings.Repeat("0", digits))
	scaled := new(big.Rat).Mul(new(big.Rat).Abs(x), power)
	scaled.Add(scaled, rat("0.5"))
	whole := new(big.Rat).SetInt(new(big.Int).Quo(scaled.Num(), scaled.Denom()))
	if x.Sign() < 0 {
		whole.Neg(whole)
	}
	return whole.Quo(whole, power)
}

func distance(a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(a, b)
	return d.Abs(d)
}
