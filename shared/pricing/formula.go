package pricing

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/amount"
)

// A formula is a compiled price action. All have one shape,
//
//	price * mul / 10^shift + add / 10^shift
//
// rounded to digits half away from zero, brought to a price that the step and the ending
// allow and clamped, and then not below the row's cost.
// What is optional is nil.
type formula struct {
	digits   int
	shift    int
	mul, add *big.Int
	step     *big.Int // of prices of that many digits, as the next four are; nil: all of them are allowed
	ending   *big.Int // 0 where there is none
	min, max *big.Int
	limit    *big.Int // the first number with too many digits before the point
	// ofCost: the price that it is a formula of is the cost.
	ofCost, notBelowCost bool
	needsCost            bool // a row without a cost is left alone
	rounding             plan.Rounding
	// roundsFirst: a result is rounded to digits before it is brought to a price that is allowed.
	roundsFirst bool
	leaves      bool // a row whose result the limits would change is left alone

	fast *fastFormula // nil where a number does not fit into a word
}

// newFormula compiles an action that writes the price; another is errs.Invalid.
func newFormula(action plan.Action, options plan.Options) (formula, error) {
	price, err := action.Price()
	if err != nil {
		return formula{}, err
	}
	f := formula{
		digits: options.Digits(),
		shift:  price.Shift,
		mul:    price.Factor,
		add:    price.Addend,
		leaves: options.OutsideLimits == plan.LeaveAlone,
	}
	f.ofCost = action.Type.UsesCost()
	f.setSteps(options)
	f.min = scaledTo(options.MinPrice, f.digits)
	f.max = scaledTo(options.MaxPrice, f.digits)
	f.limit = amount.BigPower(plan.MaxIntegerDigits + f.digits)
	if f.notBelowCost = options.NotBelowCost; f.notBelowCost && f.min == nil {
		f.min = new(big.Int) // the cost is a floor for results below zero too
	}
	f.needsCost = f.ofCost || f.notBelowCost
	f.fast = newFastFormula(f)
	return f, nil
}

// setSteps sets which prices the options allow.
func (f *formula) setSteps(o plan.Options) {
	f.rounding, f.ending = o.Rounding, new(big.Int)
	switch {
	case o.RoundStep != nil:
		f.step = o.RoundStep.Scaled(f.digits)
	case o.PriceEnding != nil:
		f.step = amount.BigPower(f.digits)
	case !f.rounding.IsNearest():
		f.step = big.NewInt(1)
	}
	if o.PriceEnding != nil {
		f.ending = o.PriceEnding.Scaled(f.digits)
	}
	f.roundsFirst = f.rounding.IsNearest() && (f.step == nil || o.PriceEnding != nil)
}

// finerFormulas are those of an action whose rounding nobody gave, one for each number of
// decimals above the least: a table's prices may have as many.
func finerFormulas(action plan.Action, options plan.Options) (finer []formula, err error) {
	for digits := options.Digits() + 1; options.RoundTo == nil && digits <= plan.MaxRoundTo; digits++ {
		at := options
		at.RoundTo = &digits
		f, err := newFormula(action, at)
		if err != nil {
			return nil, err
		}
		finer = append(finer, f)
	}
	return finer, nil
}

// namesMoney reports whether an amount of money is in the formula, which means
// nothing where a column has several currencies.
func (f *formula) namesMoney() bool {
	return f.ofCost || f.add.Sign() != 0 || f.mul.Sign() == 0 || f.min != nil || f.max != nil
}

func scaledTo(d *plan.Decimal, digits int) *big.Int {
	if d == nil {
		return nil
	}
	return d.Scaled(digits)
}

// apply returns the price that the formula makes of a price.
func (f *formula) apply(price amount.Amount) (amount.Amount, table.Kind) {
	if f.fast != nil && price.Wide == nil {
		if units, fault, done := f.fast.apply(price); done {
			return amount.Amount{Units: units, Scale: f.digits}, fault
		}
	}
	return f.applyExactly(price)
}

// applyExactly is the formula on numbers of any size.
func (f *formula) applyExactly(price amount.Amount) (amount.Amount, table.Kind) {
	units := new(big.Int).Mul(price.Big(), f.mul)
	units.Add(units, new(big.Int).Mul(f.add, amount.BigPower(price.Scale)))
	units, below := f.allowed(units, price.Scale+f.shift)
	if below && f.min == nil {
		return amount.Amount{}, negativePrice
	}
	result := units
	if f.min != nil && units.Cmp(f.min) < 0 {
		units = f.min
	}
	if f.max != nil && units.Cmp(f.max) > 0 {
		units = f.max
	}
	if f.leaves && (below || units.Cmp(result) != 0) {
		return amount.Amount{}, outsideLimits
	}
	if units.Cmp(f.limit) >= 0 {
		return amount.Amount{}, priceTooLarge
	}
	return f.sized(units), table.Fine
}

// atLeast returns the lowest price that the rounding, the ending and the maximum
// allow and that is not below a cost. Above reports that the cost is above that maximum.
func (f *formula) atLeast(cost amount.Amount) (price amount.Amount, above bool, fault table.Kind) {
	units := f.roundedUp(cost)
	if f.max != nil && units.Cmp(f.max) > 0 {
		if units = f.max; f.sized(units).Cmp(cost) < 0 {
			return price, true, table.Fine
		}
	}
	if units.Cmp(f.limit) >= 0 {
		return price, false, priceTooLarge
	}
	return f.sized(units), false, table.Fine
}

// roundedUp returns the first price that is allowed and not below an amount.
func (f *formula) roundedUp(a amount.Amount) *big.Int {
	up := *f
	up.rounding, up.roundsFirst = plan.RoundUp, false
	if up.step == nil {
		up.step = big.NewInt(1)
	}
	units, _ := up.allowed(a.Big(), a.Scale)
	return units
}

// allowed returns the price that a result of so many digits becomes. Below reports that the
// result is below zero, as far as it is rounded without regard to that.
func (f *formula) allowed(units *big.Int, scale int) (price *big.Int, below bool) {
	if f.roundsFirst {
		units, scale = roundedAway(units, scale-f.digits), f.digits
	}
	if f.step == nil {
		return units, units.Sign() < 0
	}
	step, ending := f.step, f.ending
	if finer := scale - f.digits; finer > 0 {
		step = new(big.Int).Mul(step, amount.BigPower(finer))
		ending = new(big.Int).Mul(ending, amount.BigPower(finer))
	} else {
		units = new(big.Int).Mul(units, amount.BigPower(-finer))
	}
	steps, rest := new(big.Int).DivMod(new(big.Int).Sub(units, ending), step, new(big.Int))
	if goesUp(f.rounding, rest.Sign(), rest.Cmp(new(big.Int).Sub(step, rest))) {
		steps.Add(steps, big.NewInt(1))
	}
	below = units.Sign() < 0
	if f.rounding.IsNearest() && !f.roundsFirst {
		below = steps.Sign() < 0 // for it is rounded to the step alone
	}
	if steps.Sign() < 0 {
		steps.SetInt64(0)
	}
	return steps.Mul(steps, f.step).Add(steps, f.ending), below
}

// goesUp reports whether a result becomes the price above it, given the sign of what it
// has beyond the one below and how that compares with what is missing to the one above.
func goesUp(rounding plan.Rounding, beyond, toMissing int) bool {
	switch rounding {
	case plan.RoundUp:
		return beyond > 0
	case plan.RoundDown:
		return false
	}
	return toMissing >= 0
}

// sized is an amount of the formula's digits.
func (f *formula) sized(units *big.Int) amount.Amount {
	if units.IsInt64() && units.Int64() < amount.Powers[amount.MaxFastDigits] {
		return amount.Amount{Units: units.Int64(), Scale: f.digits}
	}
	return amount.Amount{Scale: f.digits, Wide: units}
}

// roundedAway returns units / 10^drop, halves rounded away from zero.
func roundedAway(units *big.Int, drop int) *big.Int {
	if drop <= 0 {
		return new(big.Int).Mul(units, amount.BigPower(-drop))
	}
	power := amount.BigPower(drop)
	quotient, rest := new(big.Int).QuoRem(units, power, new(big.Int))
	if rest.CmpAbs(new(big.Int).Sub(power, new(big.Int).Abs(rest))) >= 0 {
		quotient.Add(quotient, big.NewInt(int64(units.Sign())))
	}
	return quotient
}

// fastFormula is the same formula on words; it gives up where one overflows.
type fastFormula struct {
	digits, shift int
	mul, add      int64
	step, ending  int64 // 0: none
	min, max      int64 // -1 and math.MaxInt64: none
	floored       bool  // a minimum takes the place of results below zero
	rounding      plan.Rounding
	roundsFirst   bool
	leaves        bool
}

func newFastFormula(f formula) *fastFormula {
	fast := &fastFormula{
		digits: f.digits, shift: f.shift, min: -1, max: math.MaxInt64, floored: f.min != nil,
		rounding: f.rounding, roundsFirst: f.roundsFirst, leaves: f.leaves,
	}
	for _, number := range []struct {
		from *big.Int
		to   *int64
	}{
		{f.mul, &fast.mul}, {f.add, &fast.add}, {f.step, &fast.step}, {f.ending, &fast.ending},
		{f.min, &fast.min}, {f.max, &fast.max},
	} {
		if number.from == nil {
			continue
		}
		if !number.from.IsInt64() {
			return nil
		}
		*number.to = number.from.Int64()
	}
	return fast
}

func (f *fastFormula) apply(price amount.Amount) (units int64, fault table.Kind, done bool) {
	product, productFits := multiply(price.Units, f.mul)
	addend, addendFits := multiply(f.add, amount.Powers[price.Scale])
	units = product + addend
	if !productFits || !addendFits || (product < 0) == (addend < 0) && (units < 0) != (product < 0) {
		return 0, table.Fine, false
	}
	drop, fits := price.Scale+f.shift-f.digits, true
	if f.roundsFirst {
		if units, fits = roundFast(units, drop); !fits {
			return 0, table.Fine, false
		}
		if units < 0 && !f.floored {
			return 0, negativePrice, true
		}
		drop = 0
	}
	if f.step > 0 {
		if units, fits = f.allowed(units, drop); !fits {
			return 0, table.Fine, false
		}
	}
	result := units
	if units = min(max(units, f.min), f.max); f.leaves && units != result {
		return 0, outsideLimits, true
	}
	return units, table.Fine, units < amount.Powers[amount.MaxFastDigits]
}

// allowed is the formula's, of a result with so many digits more than its prices have.
func (f *fastFormula) allowed(units int64, drop int) (price int64, fits bool) {
	if units < 0 || drop > amount.MaxFastDigits {
		return 0, false
	}
	step, ending, fitsToo := f.step, f.ending, true
	if drop > 0 {
		step, fits = multiply(step, amount.Powers[drop])
		ending, fitsToo = multiply(ending, amount.Powers[drop])
	} else {
		units, fits = multiply(units, amount.Powers[-drop])
	}
	if !fits || !fitsToo {
		return 0, false
	}
	above := units - ending
	if above <= 0 {
		return f.ending, true
	}
	steps, rest := above/step, above%step
	if goesUp(f.rounding, cmp.Compare(rest, 0), cmp.Compare(rest, step-rest)) {
		steps++
	}
	price, fits = multiply(steps, f.step)
	return price + f.ending, fits && price <= math.MaxInt64-f.ending
}

// multiply returns a * b and whether that fits.
func multiply(a, b int64) (int64, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	high -= uint64(a>>63&b + b>>63&a) // for what the signs were taken to be worth
	return int64(low), int64(high) == int64(low)>>63
}

// roundFast is roundedAway on words.
func roundFast(units int64, drop int) (int64, bool) {
	if drop <= 0 {
		return multiply(units, amount.Powers[-drop])
	}
	if drop > amount.MaxFastDigits {
		return 0, false
	}
	power := amount.Powers[drop]
	half := power / 2
	if units < 0 {
		half = -half
	}
	if sum := units + half; (sum < 0) == (units < 0) {
		return sum / power, true
	}
	return 0, false
}
