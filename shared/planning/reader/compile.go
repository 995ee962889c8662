package reader

import (
	"cmp"
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// compile makes operations of the rules of a candidate. It returns the class of a
// question where what was understood cannot be done.
func compile(rules []clause, known *index) ([]plan.Operation, problem) {
	all, failed := compiledOf(rules, known)
	var ops []plan.Operation
	for _, op := range all {
		ops = append(ops, op.Operation)
	}
	return ops, failed
}

// compiledOf is compile, with the rules that the operations are of.
func compiledOf(rules []clause, known *index) ([]operation, problem) {
	c := &compiler{rules: slices.Clone(rules), known: known}
	for _, step := range []func(){
		c.complete, c.headed, c.refer, c.attach, c.leaveAlone, c.theRest, c.narrow,
	} {
		if step(); c.problem.class != "" {
			return nil, c.problem
		}
	}
	return c.operations()
}

type compiler struct {
	rules     []clause
	leftAlone []set // what is left alone
	known     *index
	problem   problem
}

// fail notes the first problem, and the words of the rule that has it.
func (c *compiler) fail(r *clause, class string) {
	if c.problem.class == "" {
		c.problem = problem{class, r.from, r.to}
	}
}

// complete settles what a rule takes over from the one before, and what its amount comes to.
func (c *compiler) complete() {
	var before direction
	for i := range c.rules {
		r := &c.rules[i]
		class := r.problem
		if class == "" {
			class = c.takeOver(i, before)
		}
		if class == "" && r.one && r.dir == to {
			class = "several" // the helmet to $50: which?
		}
		if class == "" && r.act == change {
			if before = r.dir; r.dir == to {
				before = r.verb // lower tea to $5 and coffee by $2
			}
			class = r.checkAmount()
		}
		class = cmp.Or(class, r.limited())
		if class == "" && (r.covered || r.dir == onCost) && c.known.given.Columns != nil &&
			!c.known.tells("cost") {
			class = "no_cost"
		}
		if class != "" {
			c.fail(r, class)
			return
		}
	}
}

// headed asks whether the heading of a rule is for those after it, too: Antinori: red up 5%; white
// up 3%.
func (c *compiler) headed() {
	underHeadings(c.rules, func(r *clause, heading []set) {
		if c.known.given.Whole {
			c.fail(r, "heading")
		}
	})
}

// underHeadings calls for each rule by names that has no heading, and stands behind one that
// a heading narrows, or that does more to a brand or a tag than change prices: Abus: end the sale.
func underHeadings(rules []clause, do func(r *clause, heading []set)) {
	heading, narrows := []set(nil), false
	for i := range rules {
		switch r := &rules[i]; {
		case r.under == nil && heading != nil && r.ref == byName && slices.ContainsFunc(r.sets, set.named) &&
			(narrows || intersection(heading, r.sets) != nil):
			do(r, heading)
		case r.under != nil && keys(r.under) != keys(everything):
			heading, narrows = r.under, true
		case r.under != nil && r.act != change && !slices.ContainsFunc(r.sets, categorized):
			heading, narrows = r.sets, false
		case r.under != nil:
			heading = nil
		}
	}
}

// takeOver gives a rule what it has from the one before.
func (c *compiler) takeOver(i int, before direction) string {
	r := &c.rules[i]
	switch {
	case r.act == likewise && i == 0,
		// mugs to 90% of the price, lamps 5%
		r.act == change && r.dir == inherit &&
			(before == noDirection || before == factor && r.amount.unit == percent):
		return "missing_direction"
	case r.act == change && r.dir == up && i > 0 && c.rules[i-1].dir == onCost:
		return "scope" // drinks at cost plus 20% and dairy plus 30%: of the cost?
	case r.act == likewise && r.amount.unit == noUnit && (i > 1 || c.rules[0].conditioned()):
		return "scope" // the same as which, and under the same conditions?
	case r.act == stocks && r.dir == inherit && (i == 0 || c.rules[i-1].act != stocks),
		// some are that already
		r.act == stocks &&
			slices.ContainsFunc(r.sets, func(s set) bool { return s.stock == r.stock && r.stock != either }):
		return "contradiction"
	case r.act == likewise:
		r.like(&c.rules[i-1])
	case r.act == change && !r.sale && !r.then && (r.dir == to || r.dir == down) && i > 0 &&
		c.rules[i-1].sale:
		return "scope" // shoes on sale for $20 and socks for $5: on sale too?
	case r.act == change && r.dir == inherit && c.rules[i-1].sale:
		r.dir, r.sale = before, true
	case r.act == change && r.dir == inherit:
		r.dir = before
	case r.act == stocks && r.stock == either:
		r.stock = c.rules[i-1].stock
	}
	return ""
}

// limited says what speaks against the limits of a rule.
func (r *clause) limited() string {
	floor, ceiling := r.floor.unit != noUnit, r.ceiling.unit != noUnit
	switch {
	case floor && ceiling && r.floor.number.Cmp(r.ceiling.number) > 0:
		return "floor_over_ceiling"
	case r.dir == to && (floor && r.amount.number.Cmp(r.floor.number) < 0 ||
		ceiling && r.amount.number.Cmp(r.ceiling.number) > 0):
		return "contradiction"
	case !r.ofPrice && (r.dir == down && ceiling && !floor || r.dir == up && floor && !ceiling):
		return "limit" // of the change, or of the price?
	}
	return ""
}

// like makes a rule with an amount of its own one such as that before.
func (r *clause) like(other *clause) {
	r.act, r.dir, r.sale = other.act, other.dir, other.sale
	if r.amount.unit == noUnit { // the same for yoga
		r.amount, r.stock, r.column = other.amount, other.stock, other.column
		r.floor = other.floor
		r.ceiling = other.ceiling
		r.round = other.round
		r.ending = other.ending
		r.step = other.step
		r.rounding = other.rounding
		return
	}
	switch at := (amount{money, r.amount.number}); {
	case r.act == limit && other.floor.unit != noUnit:
		r.floor, r.amount = at, amount{}
	case r.act == limit:
		r.ceiling, r.amount = at, amount{}
	}
}

// conditioned reports whether a clause says more of its products than their names,
// or limits their prices.
func (c *clause) conditioned() bool {
	return c.shapes() || c.except != nil || c.only != nil || slices.ContainsFunc(c.sets, set.conditional)
}

// checkAmount turns factors into percentages, and refuses amounts that no price can be changed by.
func (r *clause) checkAmount() string {
	if r.column != "" {
		return r.checkColumn()
	}
	hundred := plan.MustDecimal("100")
	if r.dir == factor { // times 1.2 is 20% more
		times, ok := ratio(r.amount.number, 100, 1)
		if !ok {
			return "unsupported"
		}
		scale := plan.MaxFractionDigits
		left := times.Scaled(scale)
		if r.dir = up; left.Sub(left, hundred.Scaled(scale)).Sign() < 0 {
			r.dir = down
		}
		r.amount.unit = percent
		r.amount.number, _ = plan.FromScaled(left.Abs(left), scale)
	}
	switch zero := r.amount.number.IsZero(); {
	case r.amount.unit == noUnit:
		return "missing_amount"
	case r.dir == noDirection:
		return "missing_direction"
	case r.dir == to && r.amount.unit == percent:
		return "unsupported"
	case r.dir == to:
		r.amount.unit = money
	case r.amount.unit == bare:
		return "missing_unit"
	case r.amount.unit == money && r.amount.number.Scale() > max(2, int(r.round)-1):
		return "rounding"
	case zero:
		return "nothing_to_do"
	case r.dir == down && r.amount.unit == percent && r.amount.number.Cmp(hundred) >= 0:
		return "full_decrease"
	}
	return ""
}

// checkColumn refuses what no plan does to another column than the price.
func (r *clause) checkColumn() string {
	switch {
	case r.amount.unit == noUnit:
		return "missing_amount"
	case r.dir == noDirection:
		return "missing_direction"
	case r.shapes() || r.sale || r.amount.unit == percent || columnActions[r.column][r.dir] == "":
		return "unsupported"
	case r.column == plan.ColumnQuantity && r.amount.number.Scale() > 0:
		return "unsupported"
	}
	return ""
}

// columnActions are what rules do to other columns than the price.
var columnActions = map[plan.Column]map[direction]plan.ActionType{
	plan.ColumnCompareAt: {to: plan.SetCompareAt},
	plan.ColumnQuantity:  {to: plan.SetQuantity, up: plan.QuantityIncrease, down: plan.QuantityDecrease},
}
