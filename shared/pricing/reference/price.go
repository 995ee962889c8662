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
		only, except := f.Names(column)
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
	costTooHigh = "cost_above_max_price"
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
		if price, refusal = NewPrice(op, cost); price == cost {
			price = rat(cost).FloatString(op.Options.Digits()) // whatever it is written like there
		}
	} else {
		price, refusal = NewPrice(op, old)
	}
	if floor && (refusal == "negative" || refusal == "" && rat(price).Cmp(rat(cost)) < 0) {
		x := firstFrom(rat(cost), op.Options)
		if most := op.Options.MaxPrice; most != nil && x.Cmp(rat(most.String())) > 0 {
			if x = rat(most.String()); x.Cmp(rat(cost)) < 0 {
				return "", costTooHigh
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

// firstFrom returns the lowest price from one on that the options' digits and ending
// allow.
func firstFrom(x *big.Rat, o plan.Options) *big.Rat {
	step, at := rat("1"), new(big.Rat)
	if o.PriceEnding != nil {
		at = rat(o.PriceEnding.String())
	} else {
		step.Quo(step, rat("1"+strings.Repeat("0", o.Digits())))
	}
	steps := new(big.Rat).Quo(new(big.Rat).Sub(x, at), step)
	whole := new(big.Int).Quo(steps.Num(), steps.Denom())
	for at.Add(at, new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)); at.Sign() < 0 || at.Cmp(x) < 0; {
		at.Add(at, step)
	}
	return at
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
	x = round(x, o.Digits())
	if x.Sign() < 0 && o.MinPrice == nil {
		return "", "negative"
	}
	if o.PriceEnding != nil {
		x = nearestEnding(x, rat(o.PriceEnding.String()))
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

// nearestEnding tries the whole numbers around x, each with the ending.
func nearestEnding(x, ending *big.Rat) *big.Rat {
	around := new(big.Int).Quo(x.Num(), x.Denom())
	var best *big.Rat
	for offset := int64(-2); offset <= 2; offset++ {
		candidate := new(big.Rat).SetInt(new(big.Int).Add(around, big.NewInt(offset)))
		candidate.Add(candidate, ending)
		if candidate.Sign() >= 0 && (best == nil || distance(candidate, x).Cmp(distance(best, x)) <= 0) {
			best = candidate
		}
	}
	if best == nil { // x is far below zero
		return ending
	}
	return best
}

func distance(a, b *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(a, b)
	return d.Abs(d)
}
