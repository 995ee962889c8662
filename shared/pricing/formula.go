package pricing

import (
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
// rounded to digits half away from zero, moved to the ending and clamped, and then
// not below the row's cost.
// What is optional is nil.
type formula struct {
	digits    int
	direction int // in which it is to move prices: 1 up, -1 down, 0 neither
	shift     int
	mul, add  *big.Int
	ending    *big.Int // of a price of that many digits, as the next three are
	min, max  *big.Int
	limit     *big.Int // the first number with too many digits before the point
	// ofCost: the price that it is a formula of is the cost.
	ofCost, notBelowCost bool

	fast *fastFormula // nil where a number does not fit into a word
}

// newFormula compiles an action that writes the price; another is errs.Invalid.
func newFormula(action plan.Action, options plan.Options) (formula, error) {
	price, err := action.Price()
	if err != nil {
		return formula{}, err
	}
	f := formula{digits: options.Digits(), shift: price.Shift, mul: price.Factor, add: price.Addend, direction: price.Direction()}
	if f.ofCost = action.Type.UsesCost(); f.ofCost {
		f.direction = 0
	}
	f.ending = scaledTo(options.PriceEnding, f.digits)
	f.min = scaledTo(options.MinPrice, f.digits)
	f.max = scaledTo(options.MaxPrice, f.digits)
	f.limit = amount.BigPower(plan.MaxIntegerDigits + f.digits)
	if f.notBelowCost = options.NotBelowCost; f.notBelowCost && f.min == nil {
		f.min = new(big.Int) // the cost is a floor for results below zero too
	}
	f.fast = newFastFormula(f)
	return f, nil
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

// needsCost reports whether a row without a cost is left alone.
func (f *formula) needsCost() bool { return f.ofCost || f.notBelowCost }

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
	units = roundedAway(units, price.Scale+f.shift-f.digits)
	if units.Sign() < 0 && f.min == nil {
		return amount.Amount{}, negativePrice
	}
	if f.ending != nil {
		units = nearestEnding(units, f.ending, amount.BigPower(f.digits))
	}
	if f.min != nil && units.Cmp(f.min) < 0 {
		units = f.min
	}
	if f.max != nil && units.Cmp(f.max) > 0 {
		units = f.max
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

// roundedUp returns the first number of the formula's digits and ending that is not
// below an amount.
func (f *formula) roundedUp(a amount.Amount) *big.Int {
	units, scale := a.Big(), a.Scale
	if f.digits > scale {
		units, scale = new(big.Int).Mul(units, amount.BigPower(f.digits-scale)), f.digits
	}
	step, first := amount.BigPower(scale-f.digits), new(big.Int)
	if f.ending != nil {
		first.Mul(f.ending, step)
		step = amount.BigPower(scale)
	}
	// What is missing to the next step behind the first.
	missing := new(big.Int).Mod(new(big.Int).Sub(first, units), step)
	units = missing.Add(missing, units)
	if units.Cmp(first) < 0 {
		units = first
	}
	return units.Quo(units, amount.BigPower(scale-f.digits))
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

// nearestEnding returns the number nearest to units, and not below zero, that
// is ending more than a multiple of whole; of two equally near the upper.
func nearestEnding(units, ending, whole *big.Int) *big.Int {
	above := new(big.Int).Sub(units, ending)
	if above.Sign() <= 0 {
		return ending
	}
	rest := new(big.Int).Mod(above, whole)
	lower := new(big.Int).Sub(units, rest)
	if rest.Cmp(new(big.Int).Sub(whole, rest)) >= 0 {
		return lower.Add(lower, whole)
	}
	return lower
}

// fastFormula is the same formula on words; it gives up where one overflows.
type fastFormula struct {
	digits, shift int
	mul, add      int64
	ending        int64 // -1: none
	min, max      int64 // -1 and math.MaxInt64: none
	floored       bool  // a minimum takes the place of results below zero
}

func newFastFormula(f formula) *fastFormula {
	fast := &fastFormula{digits: f.digits, shift: f.shift, ending: -1, min: -1, max: math.MaxInt64, floored: f.min != nil}
	for _, number := range []struct {
		from *big.Int
		to   *int64
	}{{f.mul, &fast.mul}, {f.add, &fast.add}, {f.ending, &fast.ending}, {f.min, &fast.min}, {f.max, &fast.max}} {
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
	sum := product + addend
	if !productFits || !addendFits || (product < 0) == (addend < 0) && (sum < 0) != (product < 0) {
		return 0, table.Fine, false
	}
	units, fits := roundFast(sum, price.Scale+f.shift-f.digits)
	if !fits {
		return 0, table.Fine, false
	}
	if units < 0 && !f.floored {
		return 0, negativePrice, true
	}
	if f.ending >= 0 {
		if units, fits = endingFast(units, f.ending, amount.Powers[f.digits]); !fits {
			return 0, table.Fine, false
		}
	}
	units = min(max(units, f.min), f.max)
	return units, table.Fine, units < amount.Powers[amount.MaxFastDigits]
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

// endingFast is nearestEnding on words.
func endingFast(units, ending, whole int64) (int64, bool) {
	if units <= ending {
		return ending, true
	}
	rest := (units - ending) % whole
	lower := units - rest
	if rest >= whole-rest {
		return lower + whole, lower <= math.MaxInt64-whole
	}
	return lower, true
}
