package pricing_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
	"github.com/planwright/planwright/shared/pricing/reference"
)

// FuzzNewPrice works out any price action over any price three times: on
// words, on integers of any size, and on the fractions of math/big that the
// reference uses.
func FuzzNewPrice(f *testing.F) {
	f.Add(uint64(1249), uint32(990_000_000), uint64(10), uint32(0), uint64(50), uint64(9), byte(0), byte(2), byte(4+8+16))
	f.Add(uint64(2), uint32(400_000_000), uint64(3), uint32(0), uint64(5), uint64(0), byte(3), byte(0), byte(8+32))
	f.Add(uint64(29), uint32(990_000_000), uint64(10), uint32(0), uint64(0), uint64(0), byte(0), byte(2), byte(0))
	f.Add(uint64(999_999_999_999_999_999), uint32(995_000_000), uint64(0), uint32(5_000_000), uint64(5), uint64(99), byte(2), byte(2), byte(7))
	f.Add(uint64(10), uint32(490_000_000), uint64(150), uint32(333_333_333), uint64(0), uint64(990_000), byte(1), byte(6), byte(5))
	f.Add(uint64(0), uint32(1), uint64(999_999_999_999_999_999), uint32(999_999_999), uint64(1), uint64(1), byte(4), byte(0), byte(2))
	actions := []plan.ActionType{plan.PercentIncrease, plan.PercentDecrease, plan.FixedIncrease, plan.FixedDecrease, plan.SetPrice}
	f.Fuzz(func(t *testing.T, whole uint64, fraction uint32, valueWhole uint64, valueFraction uint32, low, high uint64, action, places, given byte) {
		digits := int(places) % (plan.MaxRoundTo + 1)
		op := plan.Operation{
			Action:  plan.Action{Type: actions[int(action)%len(actions)], Value: plan.MustDecimal(decimalText(valueWhole, uint64(valueFraction), 9))},
			Options: plan.Options{RoundTo: &digits},
		}
		bounds := []string{decimalText(low, low>>20, digits), decimalText(high, high>>20, digits)}
		if rat(bounds[0]).Cmp(rat(bounds[1])) > 0 {
			bounds[0], bounds[1] = bounds[1], bounds[0]
		}
		if given&1 != 0 {
			op.Options.MinPrice = ptr(plan.MustDecimal(bounds[0]))
		}
		if given&2 != 0 {
			op.Options.MaxPrice = ptr(plan.MustDecimal(bounds[1]))
		}
		if given&4 != 0 {
			op.Options.PriceEnding = ptr(plan.MustDecimal(decimalText(0, high, digits)))
		}
		if given&8 != 0 {
			op.Options.RoundStep = ptr(plan.MustDecimal(decimalText(low, high>>10, digits)))
		}
		op.Options.Rounding = []plan.Rounding{"", plan.RoundUp, plan.RoundDown, plan.RoundNearest}[given>>4&3]
		if o := &op.Options; o.RoundStep != nil && (o.RoundStep.IsZero() || o.PriceEnding != nil && o.PriceEnding.Cmp(*o.RoundStep) >= 0) {
			return // no plan has it
		}
		old := decimalText(whole, uint64(fraction), 9)
		onWords, exactly := pricing.NewPrice(op, old)
		want, refusal := reference.NewPrice(op, old)
		if refusal == "" && rat(want).Cmp(rat(old)) == 0 { // it keeps the text it had
			want = rat(old).FloatString(digits)
		}
		if onWords != want || exactly != want {
			t.Errorf("%s %s of %s with %+v: %q on words, %q exactly, want %q %s", op.Action.Type, op.Action.Value, old, op.Options, onWords, exactly, want, refusal)
		}
	})
}

// decimalText is a decimal of at most 18 digits before the point, and of that
// many after it.
func decimalText(whole, fraction uint64, digits int) string {
	text := fmt.Sprint(whole % 1_000_000_000_000_000_000)
	if digits == 0 {
		return text
	}
	tail := fmt.Sprintf("%020d", fraction)
	return text + "." + tail[len(tail)-digits:]
}

func rat(decimal string) *big.Rat {
	r, ok := new(big.Rat).SetString(decimal)
	if !ok {
		panic("no decimal: " + decimal)
	}
	return r
}
