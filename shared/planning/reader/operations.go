package reader

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// operations writes the rules as operations, in an order in which they mean what
// was said.
func (c *compiler) operations() ([]operation, problem) {
	var all []operation
	var group []operation
	for i := range c.rules {
		if !c.known.say(c.rules[i].sets) {
			return nil, problem{"unsupported", c.rules[i].from, c.rules[i].to}
		}
		made := c.rules[i].operations(&c.known.given)
		for k := range made {
			made[k].said = piece{c.rules[i].from, c.rules[i].to}
		}
		group = append(group, made...)
		if slices.ContainsFunc(group, func(op operation) bool {
			least, _ := plan.FromScaled(big.NewInt(5), op.Options.Digits()+1)
			return op.Action.Type == plan.SetPrice && op.Action.Value.Cmp(least) < 0
		}) {
			return nil, problem{"free", c.rules[i].from, c.rules[i].to} // to 0.004, which is rounded
		}
		if len(all)+len(group) > plan.MaxOperations {
			return nil, problem{class: "too_many"}
		}
		if i+1 < len(c.rules) && !c.rules[i+1].then && !c.overwrites(i+1) {
			continue
		}
		ordered, class := c.arrange(group)
		if class != "" {
			return nil, problem{class: class}
		}
		for _, op := range ordered {
			op.OperationID = operationID(len(all))
			all = append(all, op)
		}
		group = nil
	}
	return all, problem{}
}

// operationID is the id of an operation at a place of a plan.
func operationID(place int) string { return fmt.Sprintf("op_%02d", place+1) }

// overwrites reports whether a rule gives SKUs, or products by their names, a price of
// their own after rules for categories: whatever those do to them, they have that price in the end.
func (c *compiler) overwrites(i int) bool {
	bySKU := func(s set) bool { return s.of[sku] != nil || s.of[phrase] != nil }
	if slices.ContainsFunc(
		c.rules[:i],
		func(r clause) bool { return r.act != change || slices.ContainsFunc(r.sets, bySKU) },
	) {
		return false
	}
	r := c.rules[i]
	return r.dir == to &&
		!slices.ContainsFunc(r.sets, func(s set) bool { return !bySKU(s) || s.conditional() })
}

// operation is one of a plan, with the products it was said of.
type operation struct {
	plan.Operation
	products set
	said     piece // the tokens of its rule
}

func newOperation(s set, action plan.Action, options plan.Options, given *planning.Names) operation {
	op := plan.Operation{Filter: s.filter(), Action: action, Options: options}
	op.SettleRounding(given.WholePrices)
	op.SettleDirection()
	return operation{Operation: op, products: s}
}

// operations are those of a rule, of a table perhaps, of which what is lowered to a price
// is what was above it.
func (r *clause) operations(given *planning.Names) []operation {
	var all []operation
	beyond := map[direction]set{
		down: {low: bound{true, r.amount.number, true}},
		up:   {high: bound{true, r.amount.number, true}},
	}
	for _, s := range r.sets {
		switch r.act {
		case stocks:
			all = append(
				all,
				newOperation(s, plan.Action{Type: plan.SetStock, Stock: r.stock == yes},
					plan.Options{}, given),
			)
		case unsale:
			all = append(all, newOperation(s, plan.Action{Type: plan.EndSale}, plan.Options{}, given))
		case limit:
			all = append(all, r.limits(s, given)...)
		default:
			op := r.operation(s, given)
			if moved, ok := s.intersect(beyond[r.verb]); ok && given.Whole && r.dir == to {
				op.Filter = moved.filter()
			}
			all = append(all, op)
		}
	}
	return all
}

func (r *clause) operation(s set, given *planning.Names) operation {
	action := plan.Action{Type: actions[r.dir][r.amount.unit], Value: r.amount.number}
	switch {
	case r.act == shape:
		action.Type = plan.PercentIncrease
	case r.column != "":
		action.Type = columnActions[r.column][r.dir]
	}
	return newOperation(s, action, r.options(), given)
}

// options are what a rule says of new prices, as a plan has it.
func (r *clause) options() plan.Options {
	var digits *int
	if r.round > 0 {
		digits = new(int(r.round) - 1)
	}
	return plan.Options{
		RoundTo: digits, PriceEnding: r.ending.option(), RoundStep: r.step.option(), Rounding: r.rounding,
		MinPrice: r.floor.option(), MaxPrice: r.ceiling.option(), AsSale: r.sale, NotBelowCost: r.covered,
	}
}

var actions = map[direction]map[unit]plan.ActionType{
	up:     {percent: plan.PercentIncrease, money: plan.FixedIncrease},
	down:   {percent: plan.PercentDecrease, money: plan.FixedDecrease},
	to:     {money: plan.SetPrice},
	onCost: {percent: plan.CostPlusPercent},
}

func (a amount) option() *plan.Decimal {
	if a.unit == noUnit {
		return nil
	}
	return &a.number
}

// limits moves the prices beyond a floor or a cap to it.
func (r *clause) limits(s set, given *planning.Names) []operation {
	var all []operation
	move := func(end amount, beyond set) {
		if both, ok := s.intersect(beyond); ok && end.unit != noUnit {
			all = append(
				all,
				newOperation(both, plan.Action{Type: plan.SetPrice, Value: end.number},
					plan.Options{}, given),
			)
		}
	}
	move(r.floor, set{high: bound{given: true, price: r.floor.number}})
	move(r.ceiling, set{low: bound{given: true, price: r.ceiling.number}})
	return all
}

// arrange orders operations that were said to hold at once. Where no order keeps
// them apart, it says so.
func (c *compiler) arrange(ops []operation) ([]operation, string) {
	ops = distinct(ops)
	after := make([][]bool, len(ops)) // after[i][k]: i must run after k
	var sorted []operation
	var left []int
	for i := range ops {
		after[i], left = make([]bool, len(ops)), append(left, i)
		for k := range i {
			rows, counted := c.known.shared(ops[k].products, ops[i].products)
			if counted && rows == 0 || c.known.apart(ops[k].Filter, ops[i].Filter) {
				continue
			}
			seen := !plan.Independent(ops[k].Operation, ops[i].Operation)
			sees := !plan.Independent(ops[i].Operation, ops[k].Operation)
			// rather than that what one leaves comes into the other
			_, shared := ops[k].products.intersect(ops[i].products)
			if seen && (sees || shared) || counted && c.known.twice(ops[k], ops[i], rows) {
				return nil, "overlap"
			}
			after[k][i], after[i][k] = seen, sees
		}
	}
	for len(left) > 0 {
		next := slices.IndexFunc(
			left,
			func(i int) bool { return !slices.ContainsFunc(left, func(k int) bool { return after[i][k] }) },
		)
		if next < 0 {
			return nil, "overlap"
		}
		sorted, left = append(sorted, ops[left[next]]), slices.Delete(left, next, next+1)
	}
	return sorted, ""
}

// twice reports whether operations that share rows change the same prices, unless the later one
// says what those of its own come to, whatever they were: wine up 5%, red wine to $10.
func (c *index) twice(first, then operation, rows int64) bool {
	prices := func(op operation) bool {
		column, err := op.Action.Type.Writes()
		return err == nil && column == plan.ColumnPrice
	}
	whatever := then.Action.Type == plan.SetPrice || then.Options.AsSale ||
		then.Action.Type == plan.PercentIncrease && then.Action.Value.IsZero()
	return prices(first) && prices(then) && !(whatever && rows >= c.count(then.products))
}

// distinct leaves out operations that are said twice: "A1 is sold out, so mark it
// as out of stock".
func distinct(ops []operation) []operation {
	var all []operation
	for _, op := range ops {
		if op.Action.Type != plan.SetStock && op.Action.Type != plan.EndSale ||
			!slices.ContainsFunc(all, func(other operation) bool {
				return op.Action == other.Action && op.products.key() == other.products.key()
			}) {
			all = append(all, op)
		}
	}
	return all
}
