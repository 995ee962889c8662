package plan

import "math/big"

// rule is an operation with the rows that its filter selects.
type rule struct {
	*Operation
	kind    *actionRule
	price   Linear // where it writes the price
	rows    selection
	changed *selection // what left returns; nil before it is asked
}

// writesPrice tells the rules that compute a price, be it a sale's, and changesPrices
// those after which the price's column may hold another one: where a table keeps the
// price from before a sale, the end of it is a price too.
func (r *rule) writesPrice() bool { return r.kind.writes == ColumnPrice }
func (r *rule) changesPrices() bool {
	return r.writesPrice() || r.endsSale() || r.Action.Type == SetCompareAt
}

// asSale tells the rules whose price is the sale's, and endsSale those that end one.
func (r *rule) asSale() bool   { return r.writesPrice() && r.Options.AsSale }
func (r *rule) endsSale() bool { return r.kind.writes == ColumnOnSale }

// fromCost tells the rules that make the price of the cost, and needsCost those
// that leave a row without a cost alone.
func (r *rule) fromCost() bool  { return r.kind.from == ColumnCost }
func (r *rule) needsCost() bool { return r.writesPrice() && (r.fromCost() || r.Options.NotBelowCost) }

// direction is the way in which the rule is to move what customers pay: 1 up, -1 down, 0
// neither.
func (r *rule) direction() int {
	if !r.writesPrice() {
		return 0
	}
	return r.Operation.Direction()
}

// keepsPrice tells the rules whose action alone changes no price: what they do, their
// options do.
func (r *rule) keepsPrice() bool {
	return r.writesPrice() && !r.asSale() && !r.fromCost() && r.price.isIdentity()
}

func newRules(p *Plan) []*rule {
	all, rules := make([]rule, len(p.Operations)), make([]*rule, len(p.Operations))
	for i := range p.Operations {
		op := &p.Operations[i]
		all[i] = rule{Operation: op, kind: op.Action.Type.rule(), rows: selected(&op.Filter)}
		if all[i].writesPrice() {
			all[i].price = all[i].kind.price(op.Action.Value)
		}
		rules[i] = &all[i]
	}
	return rules
}

// Independent reports whether the second of two operations neither changes what the first
// changed nor sees what it wrote, whatever the table. Where it cannot be told, they are not.
func Independent(first, second Operation) bool {
	rules := newRules(&Plan{Operations: []Operation{first, second}})
	earlier, later := rules[0], rules[1]
	both := earlier.changesPrices() == later.changesPrices() && earlier.left().meets(&later.rows)
	return !both && !earlier.changesRowsOf(later)
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
// price, sale and stock must meet the later condition anyway.
func (r *rule) changesRowsOf(later *rule) bool {
	from, to, into := &r.rows, r.left(), &later.rows
	var moves bool
	counted := later.Filter.QuantityGTE != nil || later.Filter.QuantityLTE != nil
	if counted && !r.changesPrices() {
		moves = true // a state of stock may be a quantity
	} else if !r.changesPrices() {
		moves = from.price.meets(&into.price) && from.sale.meets(into.sale) &&
			from.stock.moves(to.stock, into.stock)
	} else {
		moves = from.stock.meets(into.stock) && (from.sale.moves(to.sale, into.sale) ||
			from.price.meets(&into.price) && !to.price.within(&into.price) ||
			!from.price.within(&into.price) && to.price.meets(&into.price))
	}
	return moves && from.sameProducts(into)
}

// after returns where the rows of s can be once r has changed them. All
// products of s stay in it.
func (r *rule) after(s selection) selection {
	switch {
	case r.Action.Type == SetCompareAt:
		s.sale = anyState
		return s
	case r.endsSale():
		s.sale, s.price.high = states{true, false}, unbounded
		return s
	case r.Action.Type.SetsQuantity():
		s.stock = anyState
		return s
	case !r.writesPrice():
		s.stock = states{!r.Action.Stock, r.Action.Stock}
		return s
	}
	s.sale = anyState // a price passes the sale's, or the one from before it
	prices := r.pricesAfter(s.price)
	if r.asSale() {
		// The regular price of a row on sale may be above the column's.
		prices = r.pricesAfter(interval{s.price.low, unbounded})
		prices = prices.union(s.price) // of rows that keep it there, or are left alone
	}
	if r.needsCost() {
		prices.high = r.Options.clamp(interval{high: unbounded, low: zero}).high // a cost may be any
		// of rows that are left alone
		prices = prices.union(s.price)
	}
	s.price = prices
	return s
}

// pricesAfter bounds the prices that r makes of those in i. Rounding and
// ending move a price by no more than slack, so the bounds are that much wider than exact ones.
func (r *rule) pricesAfter(i interval) interval {
	if r.fromCost() {
		i = interval{zero, unbounded}
	}
	slack := r.Options.slack()
	low := r.price.of(i.low.exact)
	var high *big.Int
	switch {
	case !i.high.isUnbounded():
		high = r.price.of(i.high.exact)
	case r.price.Factor.Sign() == 0:
		high = new(big.Int).Set(low)
	case r.price.Factor.Sign() < 0:
		low, high = new(big.Int), low // without end below zero, where clamp ends it
	}
	if high != nil && high.Cmp(low) < 0 {
		low, high = high, low // more than 100% off: the dearest falls lowest
	}
	after := interval{low: bound{low.Sub(low, slack)}, high: unbounded}
	if high != nil {
		after.high = bound{high.Add(high, slack)}
	}
	return r.Options.clamp(after)
}

// of returns the function's value for a price; both are in units.
func (l Linear) of(price *big.Int) *big.Int {
	value := new(big.Int).Mul(price, l.Factor)
	value.Div(value, powerOfTen(l.Shift))
	return value.Add(value, new(big.Int).Mul(l.Addend, powerOfTen(unitDigits-l.Shift)))
}

// isIdentity reports whether every price stays what it is.
func (l Linear) isIdentity() bool {
	return l.Addend.Sign() == 0 && l.Factor.Cmp(powerOfTen(l.Shift)) == 0
}

// slack is the most by which rounding and ending move a price: half a unit of
// the last digit, and less than 1 for the nearest ending above zero.
func (o *Options) slack() *big.Int {
	unit := powerOfTen(unitDigits - max(0, min(o.Digits(), unitDigits)))
	slack := new(big.Int).Rsh(unit, 1)
	switch {
	case o.RoundStep != nil:
		slack.Add(slack, o.RoundStep.Scaled(unitDigits))
	case o.PriceEnding != nil:
		slack.Add(slack, powerOfTen(unitDigits))
	case !o.Rounding.IsNearest():
		slack.Add(slack, unit)
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
