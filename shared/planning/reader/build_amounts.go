package reader

import (
	"math/big"

	"github.com/planwright/planwright/shared/plan"
)

// as takes a number alone, or one of the unit, for an amount of the unit.
func as(wanted unit) builder {
	return where(with, func(m *meaning) bool {
		had := m.amount.unit
		m.amount.unit = wanted
		return had == bare || had == wanted
	})
}

// scaled is a number in another unit.
func scaled(wanted unit, times, by int64) builder {
	return where(with, func(m *meaning) bool {
		number, ok := ratio(m.amount.number, times, by)
		had := m.amount.unit
		m.amount = amount{wanted, number}
		return ok && had != noUnit
	})
}

// ratio is a number times one number by another, cut to the digits of a decimal.
func ratio(number plan.Decimal, times, by int64) (plan.Decimal, bool) {
	scaled := number.Scaled(plan.MaxFractionDigits)
	scaled.Mul(scaled, big.NewInt(times))
	scaled.Quo(scaled, big.NewInt(by))
	result, err := plan.FromScaled(scaled, plan.MaxFractionDigits)
	return result, err == nil
}

func sum(parts []*meaning, given *clause) *meaning {
	total := new(big.Int)
	for _, part := range parts {
		total.Add(total, part.amount.number.Scaled(plan.MaxFractionDigits))
	}
	number, err := plan.FromScaled(total, plan.MaxFractionDigits)
	if err != nil {
		return nil
	}
	return &meaning{clause: clause{amount: amount{money, number}}}
}

// bounded makes a condition on the price of an amount and its side.
func bounded(m *meaning) bool {
	end, s := bound{given: true, price: m.amount.number, strict: m.side == under || m.side == over}, set{}
	if m.side == under || m.side == atMost {
		s.high = end
	} else {
		s.low = end
	}
	counts := m.counts()
	m.clause = clause{sets: []set{s}}
	return counts && !s.empty()
}

// counts reports whether an amount may be of money.
func (m *meaning) counts() bool { return m.amount.unit == money || m.amount.unit == bare }

// between makes a condition on the price of one amount or two.
func between(parts []*meaning, _ *clause) *meaning {
	var ends []bound
	for _, part := range parts {
		if part.counts() {
			ends = append(ends, bound{given: true, price: part.amount.number})
		}
	}
	if len(ends) == 0 || len(ends) > 2 {
		return nil
	}
	s := set{low: ends[0], high: ends[len(ends)-1]}
	if s.empty() {
		return nil
	}
	return &meaning{clause: clause{sets: []set{s}}}
}

// limited makes a floor or a cap of an amount: what is not to be under it, or is to
// be at least it, has a floor.
func limited(m *meaning) bool {
	end, counts, least := &m.ceiling, m.counts(), m.side == under || m.side == atLeast
	if least {
		end = &m.floor
	}
	if m.side = noSide; m.covered {
		return least // the cost is no cap
	}
	*end, m.amount = amount{money, m.amount.number}, amount{}
	return counts
}

// ending makes a price ending of .99, of 99 cents or of 99.
func ending(m *meaning) bool {
	number := m.amount.number
	if !m.counts() || m.amount.unit == money && number.Cmp(plan.MustDecimal("0.1")) < 0 {
		return false // 9 cents, or any nine?
	}
	if whole := plan.MustDecimal("1"); number.Cmp(whole) >= 0 {
		hundredth, ok := ratio(number, 1, 100)
		if !ok || m.amount.unit != bare || number.Scale() > 0 || number.Cmp(plan.MustDecimal("10")) < 0 ||
			hundredth.Cmp(whole) >= 0 {
			return false
		}
		number = hundredth
	}
	m.ending, m.amount = amount{money, number}, amount{}
	return true
}
