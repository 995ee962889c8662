package plan

import "math/big"

// rule is an operation with the rows that its filter selects.
type rule struct {
	*Operation
	rows    selection
	changed *selection // what left returns; nil before it is asked

	asked, answered interval // what leaves was asked last of prices
}

func newRules(p *Plan) []*rule {
	all, rules := make([]rule, len(p.Operations)), make([]*rule, len(p.Operations))
	for i := range p.Operations {
		op := &p.Operations[i]
		all[i] = rule{Operation: op, rows: selected(&op.Filter)}
		rules[i] = &all[i]
	}
	return rules
}

// left is where the rows can be once the rule has changed them. Most rules meet
// no other, and are never asked.
func (r *rule) left() *selection {
	if r.changed == nil {
		changed := r.after(r.rows)
		r.changed = &changed
	}
	return r.changed
}

// changesRowsOf reports whether r, running before the later rule, can bring
// rows into its selection or take them out of it. What r does not write of
// price and stock must meet the later condition anyway.
func (r *rule) changesRowsOf(later *rule) bool {
	from, to, into := &r.rows, r.left(), &later.rows
	var moves bool
	if r.Action.Type == SetStock {
		moves = from.price.meets(&into.price) &&
			(from.stockMeets(into) && !to.stockWithin(into) || !from.stockWithin(into) && to.stockMeets(into))
	} else {
		moves = from.stockMeets(into) &&
			(from.price.meets(&into.price) && !to.price.within(&into.price) || !from.price.within(&into.price) && to.price.meets(&into.price))
	}
	return moves && from.sameProducts(into)
}

// leaves is after for some of the rows of r. For all of its prices it is known,
// and for others what it was asked last: rules of the same products ask alike.
func (r *rule) leaves(s selection) selection {
	switch {
	case !r.Action.Type.isPrice():
		return r.after(s)
	case s.price == r.rows.price:
		s.price = r.left().price
		return s
	case s.price != r.asked:
		r.asked, r.answered = s.price, r.pricesAfter(s.price)
	}
	s.price = r.answered
	return s
}

// after returns where the rows of s can be once op has changed them. All
// products of s stay in it.
func (op *Operation) after(s selection) selection {
	if op.Action.Type == SetStock {
		s.stock = [2]bool{!op.Action.Stock, op.Action.Stock}
		return s
	}
	s.price = op.pricesAfter(s.price)
	return s
}

// pricesAfter bounds the prices that op makes of those in i. Rounding and
// ending move a price by no more than slack, so the bounds are that much wider
// than exact ones.
func (op *Operation) pricesAfter(i interval) interval {
	slack := op.Options.slack()
	low := op.Action.newPrice(i.low.exact)
	var high *big.Int
	switch {
	case !i.high.isUnbounded():
		high = op.Action.newPrice(i.high.exact)
	case op.Action.Type == SetPrice:
		high = op.Action.Value.units()
	case op.Action.isTotal():
		high = new(big.Int)
	}
	if high != nil && high.Cmp(low) < 0 {
		low, high = high, low // more than 100% off: the dearest falls lowest
	}
	after := interval{low: newBound(low.Sub(low, slack)), high: unbounded}
	if high != nil {
		after.high = newBound(high.Add(high, slack))
	}
	return op.Options.clamp(after)
}

// newPrice is the price an action computes from one, before the options.
func (a *Action) newPrice(price *big.Int) *big.Int {
	switch a.Type {
	case PercentIncrease, PercentDecrease:
		change := a.Value.Scaled(MaxFractionDigits)
		change.Mul(change, price)
		change.Div(change, hundred)
		if a.Type == PercentIncrease {
			return change.Add(price, change)
		}
		return change.Sub(price, change)
	case FixedIncrease:
		value := a.Value.units()
		return value.Add(price, value)
	case FixedDecrease:
		value := a.Value.units()
		return value.Sub(price, value)
	default:
		return a.Value.units()
	}
}

var hundred = powerOfTen(MaxFractionDigits + 2)

// isTotal reports whether the action leaves nothing of any price.
func (a *Action) isTotal() bool {
	return a.Type == PercentDecrease && a.Value.Cmp(MustDecimal("100")) >= 0
}

// slack is the most by which rounding and ending move a price: half a unit of
// the last digit, and less than 1 for the nearest ending above zero.
func (o *Options) slack() *big.Int {
	unit := powerOfTen(unitDigits - max(0, min(o.Digits(), unitDigits)))
	slack := new(big.Int).Rsh(unit, 1)
	if o.PriceEnding != nil {
		slack.Add(slack, powerOfTen(unitDigits))
	}
	return slack
}

// clamp moves both ends into what min_price and max_price allow, and to zero,
// below which no price is written.
func (o *Options) clamp(i interval) interval {
	bounds := newInterval(o.MinPrice, o.MaxPrice)
	move := func(price bound) bound {
		switch {
		case bounds.high.below(price):
			return bounds.high
		case price.below(bounds.low):
			return bounds.low
		}
		return price
	}
	return interval{low: move(i.low), high: move(i.high)}
}
