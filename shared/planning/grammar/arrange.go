package grammar

import (
	"math/big"

	"github.com/planwright/planwright/shared/plan"
)

// arrange puts the operations in an order in which the plan means what the
// instruction says, or asks. The conditions of a rule speak of prices and
// stock as they stand; only "then" makes a rule see what another did.
func (p *parser) arrange(ops []operation) []operation {
	ops = p.override(ops)
	before := make([][]bool, len(ops)) // before[i][j]: i must come before j
	for i := range before {
		before[i] = make([]bool, len(ops))
	}
	for j := range ops {
		for i := range j {
			if p.failed != nil {
				return nil
			}
			if meet(ops[i].cut, ops[j].cut) {
				p.relate(ops, i, j, before)
			}
		}
	}
	return p.ordered(ops, before)
}

// override reads "increase everything by 10% but yoga by 5%": what "but" names
// is left out of the rules before it.
func (p *parser) override(ops []operation) []operation {
	for j := range ops {
		if !ops[j].clause.but || ops[j].clause.then {
			continue
		}
		for i := range j {
			if ops[i].clause != ops[j].clause && ops[i].prices() == ops[j].prices() && len(ops[j].withoutCategories)+len(ops[j].withoutSKUs) == 0 {
				if left, result := subtract(ops[i].cut, ops[j].rows); result == some {
					ops[i].cut = left
				}
			}
		}
	}
	return ops
}

// meet reports whether a row can be in both, whatever its price.
func meet(a, b cut) bool {
	anyPrice := func(r rows) rows {
		r.gte, r.lte = nil, nil
		return r
	}
	x, y := a, b
	x.rows, y.rows = anyPrice(a.rows), anyPrice(b.rows)
	return !apart(x.rows, y.rows) && !excluded(x, y.rows) && !excluded(y, x.rows)
}

// relate finds which of two rules with common rows comes first, or asks.
func (p *parser) relate(ops []operation, i, j int, before [][]bool) {
	first, second := &ops[i], &ops[j]
	switch {
	case second.clause.then || p.thenBetween(first.clause, second.clause):
		before[i][j] = true
	case first.prices() && second.prices():
		p.relatePrices(ops, i, j, before)
	case first.prices() != second.prices():
		p.relateStock(ops, i, j, before)
	case first.action.Stock == second.action.Stock:
	case narrower(second.rows, first.rows):
		before[i][j] = true
	case apart(first.rows, second.rows): // by their stock, which each changes
		p.ask(ops, i, j)
	default:
		p.contradict(ops, i, j)
	}
}

// thenBetween reports whether a clause between two says "then", which parts
// what comes before it from what comes after.
func (p *parser) thenBetween(first, second *clause) bool {
	for _, c := range p.clauses {
		if c.then && c.from > first.from && c.from <= second.from {
			return true
		}
	}
	return false
}

// relateStock orders a price rule and a stock rule. Each may read what the
// other writes; in the order of the text it must not.
func (p *parser) relateStock(ops []operation, i, j int, before [][]bool) {
	first, second := &ops[i], &ops[j]
	unseen := first.prices() && bandsApart(first.conditions, second.conditions) && !reaches(*first, second.conditions)
	if !unseen && first.prices() && (second.gte != nil || second.lte != nil) || !first.prices() && second.stock != nil {
		p.ask(ops, i, j)
		return
	}
	before[i][j] = true
}

// relatePrices orders two price rules: bands that share no price so that none
// gets what the other wrote; a price set for fewer products after a rule for
// more. Anything else is a question.
func (p *parser) relatePrices(ops []operation, i, j int, before [][]bool) {
	first, second := &ops[i], &ops[j]
	switch {
	case bandsApart(first.conditions, second.conditions):
		before[i][j] = reaches(*second, first.conditions)
		before[j][i] = reaches(*first, second.conditions)
		if before[i][j] && before[j][i] {
			p.ask(ops, i, j)
		}
	case second.action.Type == plan.SetPrice && second.gte == nil && second.lte == nil && narrower(second.rows, first.rows):
		before[i][j] = true
	default:
		p.contradict(ops, i, j)
	}
}

func bandsApart(a, b conditions) bool {
	a.stock, b.stock = nil, nil
	_, overlap := merge(a, b)
	return !overlap
}

// narrower reports whether a names fewer rows than b, so that it is the
// exception to b's rule.
func narrower(a, b rows) bool {
	switch {
	case a.skus != nil:
		return b.skus == nil || all(a.skus, b.skus) && len(a.skus) < len(b.skus)
	case a.categories != nil:
		return b.skus == nil && (b.categories == nil || all(a.categories, b.categories) && len(a.categories) < len(b.categories))
	default:
		return false
	}
}

func (p *parser) ask(ops []operation, i, j int) {
	p.fail(overlap, ops[i].clause.from, ops[j].clause.to, "One rule changes what another looks at in %s. Which comes first? Join them with \"then\", in the order that is meant.")
}

func (p *parser) contradict(ops []operation, i, j int) {
	class, question := overlap, "Some products are in both rules of %s. Is only one of them meant for those (\"except ...\"), or one after the other (\"then\")?"
	if sameRows(ops[i].cut, ops[j].cut) {
		class, question = contradiction, "The same products are changed twice in %s. Which change is meant? Join them with \"then\" if it is both, in that order."
	}
	p.fail(class, ops[i].clause.from, ops[j].clause.to, question)
}

// reaches reports whether a price that op writes can lie in the band. It errs
// towards yes: by a unit for an ending or by half of the last digit.
func reaches(op operation, band conditions) bool {
	low, high := new(big.Rat), (*big.Rat)(nil)
	if op.gte != nil {
		low = rational(*op.gte)
	}
	if op.lte != nil {
		high = rational(*op.lte)
	}
	slack := new(big.Rat).SetFrac64(1, 1)
	if op.options.ending == nil {
		slack.SetString("0." + zeros(op.options.digits()) + "5")
	}
	low = new(big.Rat).Sub(image(op, low), slack)
	low, high = limited(op, low), limitedOrNil(op, high, slack)
	if band.lte != nil && rational(*band.lte).Cmp(low) < 0 {
		return false
	}
	return band.gte == nil || high == nil || rational(*band.gte).Cmp(high) <= 0
}

func zeros(n int) string { return "000000"[:min(n, 6)] }

func rational(d plan.Decimal) *big.Rat {
	r, _ := new(big.Rat).SetString(d.String())
	return r
}

// image is the price that an action makes of a price, before rounding.
func image(op operation, price *big.Rat) *big.Rat {
	value := rational(op.action.Value)
	percent := new(big.Rat).Quo(value, big.NewRat(100, 1))
	switch op.action.Type {
	case plan.PercentIncrease:
		return new(big.Rat).Mul(price, percent.Add(percent, big.NewRat(1, 1)))
	case plan.PercentDecrease:
		return new(big.Rat).Mul(price, percent.Sub(big.NewRat(1, 1), percent))
	case plan.FixedIncrease:
		return new(big.Rat).Add(price, value)
	case plan.FixedDecrease:
		return new(big.Rat).Sub(price, value)
	default:
		return value
	}
}

func limitedOrNil(op operation, high, slack *big.Rat) *big.Rat {
	switch {
	case high != nil:
		return limited(op, new(big.Rat).Add(image(op, high), slack))
	case op.action.Type == plan.SetPrice:
		return limited(op, image(op, new(big.Rat)))
	case op.options.max != nil:
		return rational(*op.options.max)
	}
	return nil
}

func limited(op operation, price *big.Rat) *big.Rat {
	if floor := op.options.min; floor != nil && price.Cmp(rational(*floor)) < 0 {
		price = rational(*floor)
	}
	if ceiling := op.options.max; ceiling != nil && price.Cmp(rational(*ceiling)) > 0 {
		price = rational(*ceiling)
	}
	return price
}

// ordered sorts the operations so that every required order holds, and
// otherwise as they were said.
func (p *parser) ordered(ops []operation, before [][]bool) []operation {
	var sorted []operation
	done := make([]bool, len(ops))
	for len(sorted) < len(ops) && p.failed == nil {
		next := -1
		for j := range ops {
			if !done[j] && !waits(j, before, done) {
				next = j
				break
			}
		}
		if next < 0 {
			p.fail(overlap, 0, len(p.symbols), "No order of the rules keeps each from seeing what another did in %s. Which comes first? Join them with \"then\".")
			return nil
		}
		done[next] = true
		sorted = append(sorted, ops[next])
	}
	return sorted
}

func waits(j int, before [][]bool, done []bool) bool {
	for i := range before {
		if before[i][j] && !done[i] {
			return true
		}
	}
	return false
}
