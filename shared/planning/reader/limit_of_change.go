package reader

import (
	"math/big"
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// ofChange reports whether a limit behind a change may be one of the change: up 3%, but no more than
// 2 euro; 10% off, at least 2 euro.
func (t *text) ofChange(r *clause, used []*meaning) bool {
	limit := r.ceiling
	if r.dir == down {
		limit = r.floor
	}
	if limit.unit == noUnit || r.floor.unit != noUnit && r.ceiling.unit != noUnit || r.ofPrice ||
		r.dir != up && r.dir != down {
		return false
	}
	for i := r.from; i < len(used); i++ {
		leaf := used[i]
		if i > 0 && t.norm(i-1) == "to" || t.norm(i) == "to" { // to no more than $40
			continue
		}
		denied := i > 0 && t.phrase(i-1, "NEVER", "NO") // not more than
		if leaf == nil || leaf.from != i ||
			!slices.Contains([]string{"WITHIN", "LIMIT", "LIMITNOUN"}, leaf.symbol) &&
				!(denied && leaf.symbol == "OUTSIDE") {
			continue
		}
		counts, plainly := t.ofAmount(leaf)
		limits := t.amountAt(used, leaf.to, limit) || t.amountAt(used, leaf.from-2, limit) // 2 euro max
		if counts && limits && t.mayLimit(r, limit, plainly) {
			return true
		}
	}
	return false
}

// amountAt reports whether an amount stands at a token or the next, beside a sign of its currency.
func (t *text) amountAt(used []*meaning, at int, a amount) bool {
	return slices.ContainsFunc(used[max(0, at):min(len(used), at+2)], func(leaf *meaning) bool {
		return leaf != nil && leaf.amount.unit != noUnit && leaf.amount.number.Cmp(a.number) == 0
	})
}

// ofAmount reports whether a limit is put as one of an amount is: no more than, at most, max; and
// whether it is by the first.
func (t *text) ofAmount(leaf *meaning) (counts, plainly bool) {
	for i := leaf.from; i < leaf.to; i++ {
		plainly = plainly || t.norm(i) == "more"
		counts = counts ||
			slices.Contains(
				[]string{"most", "less", "least", "max", "max.", "maximum", "min", "min.", "minimum"},
				t.norm(i),
			)
	}
	return counts || plainly, plainly
}

// mayLimit reports whether a change of some price may be as much as a limit. Of a cut it asks only
// where no new price is below the limit. Where no prices are known, what is plainly said of an amount
// may always be one of a rise.
func (t *text) mayLimit(r *clause, limit amount, plainly bool) bool {
	if r.amount.unit != percent {
		return r.dir == up && limit.number.Cmp(r.amount.number) <= 0
	}
	least, failed := plan.ParseDecimal(t.known.given.Prices[0])
	greatest, err := plan.ParseDecimal(t.known.given.Prices[1])
	if failed != nil || err != nil {
		return r.dir == up && plainly
	}
	if high, known := highest(r.sets); known && high.Cmp(greatest) < 0 {
		greatest = high
	}
	share := rational(r.amount.number)
	share.Quo(share, big.NewRat(100, 1))
	if r.dir == down {
		kept := share.Sub(big.NewRat(1, 1), share)
		return rational(limit.number).Cmp(kept.Mul(kept, rational(least))) <= 0
	}
	return rational(limit.number).Cmp(share.Mul(share, rational(greatest))) <= 0
}

// highest is the highest price that products of a union may have, where all of them have one.
func highest(sets []set) (price plan.Decimal, known bool) {
	for _, s := range sets {
		if !s.high.given {
			return price, false
		}
		if s.high.price.Cmp(price) > 0 {
			price = s.high.price
		}
	}
	return price, len(sets) > 0
}

func rational(d plan.Decimal) *big.Rat {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(plan.MaxFractionDigits), nil)
	return new(big.Rat).SetFrac(d.Scaled(plan.MaxFractionDigits), unit)
}
