package console

import (
	"math/big"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/pricing"
)

// money is what the change moves in all, with its sign; "" where that is not known.
func (f result) money() string {
	effect := f.Preview.Effect
	up, down := new(big.Rat), new(big.Rat)
	for text, into := range map[*string]*big.Rat{effect.Raised: up, effect.Lowered: down} {
		if text == nil {
			continue
		}
		if _, ok := into.SetString(*text); !ok {
			return ""
		}
	}
	sum := up.Sub(up, down)
	if sum.Sign() == 0 {
		return ""
	}
	sign := "+"
	if sum.Sign() < 0 {
		sign = "−"
	}
	view := effectView{&f.Preview.Effect, priceForm(&f.Preview.Table)}
	return sign + view.money(sum.Abs(sum).FloatString(2))
}

// Largest are the five largest moves.
func (f result) Largest() []signedMove {
	var all []signedMove
	for _, move := range f.Preview.Effect.LargestRises {
		all = append(all, signedMove{move, "+"})
	}
	for _, move := range f.Preview.Effect.LargestFalls {
		all = append(all, signedMove{move, "−"})
	}
	slices.SortStableFunc(all, func(a, b signedMove) int { return b.share().Cmp(a.share()) })
	return all[:min(len(all), 5)]
}

// signedMove is a move of a price with its direction.
type signedMove struct {
	pricing.Move
	Sign string
}

// share is how far the price moves; one from 0 moves further than any other.
func (m signedMove) share() *big.Rat {
	share := new(big.Rat).SetInt64(1 << 62)
	if m.Percent != nil {
		share.SetString(*m.Percent)
	}
	return share
}

// halfOfIt is 50 percent.
var halfOfIt = plan.MustDecimal("50")

// movesMuch reports whether the button asks once more: more than a quarter of many rows
// change, or a price moves by more than half.
func (f result) movesMuch() bool {
	if f.Preview == nil {
		return false // nobody can see it before it is approved
	}
	s := f.Preview.Summary
	return s.RowsTotal >= 20 && s.RowsChanged*4 > s.RowsTotal || f.Preview.Effect.Exceeding(halfOfIt) != nil
}
