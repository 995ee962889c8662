package reader

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// compile makes operations of the rules of a candidate. It returns the class of a
// question where what was understood cannot be done.
func compile(said []clause, known *index) ([]plan.Operation, problem) {
	all, failed := compiledOf(said, known)
	var ops []plan.Operation
	for _, op := range all {
		ops = append(ops, op.Operation)
	}
	return ops, failed
}

// compiledOf is compile, with the rules that the operations are of.
func compiledOf(said []clause, known *index) ([]operation, problem) {
	c := &compiler{rules: slices.Clone(said), known: known}
	for _, step := range []func(){c.complete, c.headed, c.refer, c.attach, c.leaveAlone, c.theRest, c.narrow} {
		if step(); c.problem.class != "" {
			return nil, c.problem
		}
	}
	return c.operations()
}

type compiler struct {
	rules   []clause
	kept    []set // what is left alone
	known   *index
	problem problem
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
		if class == "" && (r.covered || r.dir == onCost) && c.known.given.Columns != nil && !c.known.tells("cost") {
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
		case r.under == nil && heading != nil && r.ref == byName && slices.ContainsFunc(r.sets, set.named) && (narrows || intersection(heading, r.sets) != nil):
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
	case r.act == likewise && i == 0, r.act == change && r.dir == inherit && (before == noDirection || before == factor && r.amount.unit == percent): // mugs to 90% of the price, lamps 5%
		return "missing_direction"
	case r.act == change && r.dir == up && i > 0 && c.rules[i-1].dir == onCost:
		return "scope" // drinks at cost plus 20% and dairy plus 30%: of the cost?
	case r.act == likewise && r.amount.unit == noUnit && (i > 1 || c.rules[0].conditioned()):
		return "scope" // the same as which, and under the same conditions?
	case r.act == stocks && r.dir == inherit && (i == 0 || c.rules[i-1].act != stocks),
		r.act == stocks && slices.ContainsFunc(r.sets, func(s set) bool { return s.stock == r.stock && r.stock != either }): // some are that already
		return "contradiction"
	case r.act == likewise:
		r.like(&c.rules[i-1])
	case r.act == change && !r.sale && !r.then && (r.dir == to || r.dir == down) && i > 0 && c.rules[i-1].sale:
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
	case r.dir == to && (floor && r.amount.number.Cmp(r.floor.number) < 0 || ceiling && r.amount.number.Cmp(r.ceiling.number) > 0):
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
		r.floor, r.ceiling, r.round, r.ending, r.step, r.rounding = other.floor, other.ceiling, other.round, other.ending, other.step, other.rounding
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

// refer finds the products of rules that speak of those before.
func (c *compiler) refer() {
	for i := range c.rules {
		r := &c.rules[i]
		if r.ref == byName && r.sets == nil {
			r.ref = missing
		}
		before, ofOthers := c.before(i), r.act == limit || r.act == shape
		if r.loose && keys(r.sets) == keys(everything) && ofOthers && slices.ContainsFunc(c.rules[:i], changes) {
			if r.sets, r.ref = nil, them; keys(r.except) == keys(c.rules[i-1].except) {
				r.except = nil // said of all rules
			}
		}
		switch {
		case r.single && (before == nil && r.only == nil || before != nil && (len(before.sets) != 1 || len(slices.Concat(before.sets[0].of[:]...)) != 1)):
			c.fail(r, "vague_target")
		case before != nil && r.loose && keys(r.sets) == keys(before.sets) && before.except == nil && before.only == nil:
		case c.otherHalf(i), r.loose && i > 0 && r.only == nil && keys(r.sets) == keys(everything) && !ofOthers:
			c.fail(r, "scope") // of all products, or of those named before?
		case r.ref == byName || r.ref == rest || ofOthers && r.ref == missing:
		case r.ref == them && i > 0 && slices.ContainsFunc(r.only, set.named):
			c.fail(r, "contradiction") // told by what was said before, and by name
		default:
			c.speaksOf(i, before)
		}
	}
}

// speaksOf gives a rule the products that it speaks of, by a rule before it.
func (c *compiler) speaksOf(i int, before *clause) {
	r := &c.rules[i]
	if before != nil && r.ref == them && r.all {
		before = c.allBefore(i)
	}
	switch {
	case before == nil && (r.ref == those || r.only != nil && r.sets == nil):
		r.sets, r.ref = orEverything(r.sets), byName
	case before == nil:
		c.fail(r, "missing_target")
	case r.ref == those && before.narrower(r), r.ref == them && r.then && before.moves(),
		r.ref == them && r.act == change && before.act == stocks && slices.ContainsFunc(before.sets, set.priced),
		r.ref == them && r.act == stocks && keys(before.sets) == keys(everything):
		c.fail(r, "scope")
	case r.ref == them && (r.act == limit || r.act == shape):
	case r.ref == them && !r.all && len(c.sameSentence(i)) > 1 && !(r.single && r.act == stocks && c.rules[i-1].act == stocks): // is gone, mark it
		c.fail(r, "scope")
	case r.ref == otherwise:
		if r.sets, r.ref = before.left(), byName; len(r.sets) != 1 || i > 1 && c.rules[i-2].conditioned() {
			c.fail(r, "scope") // of two conditions, which is not fulfilled?
		}
	case r.ref == cheaper, r.ref == dearer:
		spoken := before.beyond(r.ref == cheaper, r.act == keep)
		if r.sets, r.ref = intersection(spoken, orEverything(r.sets)), byName; len(r.sets) != 1 {
			c.fail(r, "scope")
		}
	default:
		spoken := before.sets
		if r.ref == them {
			r.except, r.only = append(slices.Clone(before.except), r.except...), intersection(orEverything(r.only), orEverything(before.only))
		} else {
			spoken = namesOf(before.sets)
		}
		if r.sets, r.ref = compact(intersection(spoken, orEverything(r.sets))), byName; len(r.sets) == 0 {
			c.fail(r, "contradiction")
		}
	}
}

func changes(r clause) bool { return r.act == change }

// otherHalf reports whether a rule has no names, and its condition leaves out what
// a rule with names is for: "tea under $5 by 5%, items over $5 by 10%".
func (c *compiler) otherHalf(i int) bool {
	r := &c.rules[i]
	if r.act != change || r.ref != byName || len(r.sets) != 1 || r.sets[0].named() {
		return false
	}
	for _, other := range c.rules[:i] {
		for _, s := range other.sets {
			_, meet := set{stock: s.stock, low: s.low, high: s.high}.intersect(r.sets[0])
			if other.act == change && s.named() && !meet {
				return true
			}
		}
	}
	return false
}

// narrower reports whether a rule has a condition of a kind that those of another,
// which speaks of "those", do not take the place of.
func (r *clause) narrower(other *clause) bool {
	price := slices.ContainsFunc(other.sets, set.priced)
	stock := slices.ContainsFunc(other.sets, func(s set) bool { return s.stock != either })
	return r.except != nil || slices.ContainsFunc(r.only, set.named) || slices.ContainsFunc(r.sets, func(s set) bool {
		return s.priced() && !price || s.stock != either && !stock
	})
}

// left is the products of the same names as those of a rule that its conditions do
// not let in.
func (r *clause) left() []set {
	return subtract(compact(namesOf(r.sets)), intersection(r.sets, orEverything(r.only)))
}

// beyond is the products of the same names as those of a rule that are cheaper, or
// dearer, than all that its condition on the price lets in. Where the condition leaves
// out the price it names, nobody knows whose that is, but for those that stay.
func (r *clause) beyond(cheaper, stay bool) []set {
	sets := intersection(r.sets, orEverything(r.only))
	if len(sets) != 1 {
		return nil
	}
	others, end := sets[0].names(), &sets[0].high
	if cheaper {
		end = &sets[0].low
	}
	if !end.given || end.strict && !stay || sets[0].stock != either {
		return nil
	}
	if others.low = end.opposite(); cheaper {
		others.low, others.high = bound{}, others.low
	}
	return []set{others}
}

// moves reports whether a rule writes what its own conditions ask for, so that they
// no longer find its products.
func (r *clause) moves() bool {
	return slices.ContainsFunc(append(slices.Clone(r.sets), r.only...), func(s set) bool {
		return r.act == stocks && s.stock != either || r.act == change && (s.low.given || s.high.given)
	})
}

func orEverything(sets []set) []set {
	if sets == nil {
		return everything
	}
	return sets
}

// before is the rule before one that names its products.
func (c *compiler) before(i int) *clause {
	for n := i - 1; n >= 0; n-- {
		if r := &c.rules[n]; r.act != keep && r.ref == byName && r.sets != nil {
			return r
		}
	}
	return nil
}

// allBefore is the products of all rules before one, where none of them leaves any
// out.
func (c *compiler) allBefore(i int) *clause {
	all := &clause{}
	for _, r := range c.rules[:i] {
		if r.act == keep {
			continue
		}
		if r.except != nil || r.only != nil {
			all.only = []set{} // nothing: it must ask
		}
		all.sets = append(all.sets, r.sets...)
	}
	all.sets = c.known.disjoint(all.sets)
	return all
}

// sameSentence are the rules before one whose products it may speak of, as sets
// that differ.
func (c *compiler) sameSentence(i int) []string {
	var all []string
	for n := i - 1; n >= 0; n-- {
		r := &c.rules[n]
		if r.act == keep || r.sets == nil {
			continue
		}
		if key := keys(r.sets); !slices.Contains(all, key) {
			all = append(all, key)
		}
		if c.rules[n].then {
			break
		}
	}
	return all
}

// attach gives limits and roundings that speak of other rules to those rules.
func (c *compiler) attach() {
	var rules []clause
	for i := range c.rules {
		r := &c.rules[i]
		if r.act != limit && r.act != shape {
			rules = append(rules, *r)
			continue
		}
		owners := c.owners(i, rules)
		switch {
		case owners == nil && (r.ref != byName || r.sets == nil):
			c.fail(r, "missing_target")
		case owners == nil && r.covered:
			c.fail(r, "guard")
		case owners == nil:
			rules = append(rules, *r)
			continue
		case r.except != nil, r.only != nil, r.all && slices.ContainsFunc(c.rules[i:], changes):
			c.fail(r, "scope") // all of those before, or all?
		}
		options := r.shape()
		options.dir, options.regular, options.ofPrice = r.dir, r.regular, r.ofPrice
		for _, owner := range owners {
			if !owner.merge(&options) {
				c.fail(r, "contradiction")
			}
			if problem := owner.limited(); problem != "" {
				c.fail(r, problem)
			}
		}
	}
	c.rules = rules
}

// shape is what a clause says of new prices.
func (c *clause) shape() clause {
	return clause{
		covered: c.covered, floor: c.floor, ceiling: c.ceiling, round: c.round, ending: c.ending, step: c.step, rounding: c.rounding,
	}
}

// owners are the rules before that a limit or rounding belongs to: all of them, or
// the one with the same products.
func (c *compiler) owners(i int, rules []clause) []*clause {
	r := &c.rules[i]
	var owners []*clause
	for n := range rules {
		if rules[n].act == change && (r.ref == them || r.ref == missing || rules[n].ref == r.ref && keys(rules[n].sets) == keys(r.sets)) {
			owners = append(owners, &rules[n])
		}
	}
	apart := slices.ContainsFunc(owners[min(1, len(owners)):], func(owner *clause) bool { return owner.then })
	limits := r.floor.unit != noUnit || r.ceiling.unit != noUnit
	if (r.ref == missing || limits || apart) && !r.all && len(owners) > 1 {
		c.fail(r, "scope")
	}
	return owners
}

// leaveAlone takes what is left alone out of all rules.
func (c *compiler) leaveAlone() {
	var rules []clause
	for i := range c.rules {
		r := c.rules[i]
		if !c.known.given.Whole && r.leavesOutOthers(set.conditional) {
			c.fail(&r, "contradiction") // without a table nobody knows that drinks may be juice
		}
		switch {
		case r.act != keep:
			rules = append(rules, r)
			continue
		case r.ref == rest, r.loose && !slices.ContainsFunc(c.rules, func(other clause) bool { return other.act != keep && other.act != stocks }):
			continue // the prices stay, of what is sold out
		}
		if r.except != nil && len(intersection(r.sets, r.except)) == 0 {
			c.fail(&r, "scope") // not mugs, not lamps: do lamps change?
		}
		kept := intersection(subtract(r.sets, r.except), orEverything(r.only))
		c.kept = append(c.kept, kept...)
		for n := range c.rules { // first or last it holds for all, amid rules for those before
			if n > i && len(rules) > 0 && c.rules[n].act != keep && c.rules[n].names(kept) {
				c.fail(&r, "scope") // for those after it too?
			}
			if n < i || n > i && len(rules) == 0 {
				c.rules[n].except = append(slices.Clone(c.rules[n].except), kept...)
			}
		}
		for n := range rules {
			rules[n].except = append(slices.Clone(rules[n].except), kept...)
			if n > 0 && rules[n].then && slices.ContainsFunc(kept, set.conditional) {
				c.fail(&r, "scope")
			}
		}
	}
	if len(rules) == 0 {
		c.fail(&clause{}, "nothing_to_do")
	}
	c.rules = rules
}

// names reports whether a rule is for some of the products, and not for those alone.
func (r *clause) names(products []set) bool {
	both := intersection(r.sets, products)
	return len(both) > 0 && keys(both) != keys(r.sets) && both[0].of[sku] == nil
}

// theRest finds the products that no other rule names.
func (c *compiler) theRest() {
	var named []set
	narrowed := false
	for i := range c.rules {
		if r := &c.rules[i]; r.ref != rest {
			named = append(named, r.sets...)
			for _, s := range r.sets {
				narrowed = narrowed || s.of[category] != nil && (s.low.given || s.high.given || s.stock != either || s.of[brand] != nil || s.of[tag] != nil)
			}
		}
	}
	for i := range c.rules {
		r := &c.rules[i]
		if r.ref != rest {
			continue
		}
		if len(named)+len(c.kept) == 0 || narrowed && keys(r.sets) == keys(everything) {
			c.fail(r, "scope")
			return
		}
		r.sets, r.except, r.ref = subtract(r.sets, named), append(slices.Clone(r.except), named...), byName
	}
}

// narrow applies what rules leave out and what they are only for.
func (c *compiler) narrow() {
	for i := range c.rules {
		r := &c.rules[i]
		only := orEverything(r.only)
		gone := func(s set) bool { return intersection([]set{s}, only) == nil } // dog beds and cats, Nike only
		lost := slices.ContainsFunc(r.sets, gone)
		if r.sets = subtract(intersection(r.sets, only), r.except); len(r.sets) == 0 || lost {
			c.fail(r, "contradiction")
			return
		}
		r.sets = c.known.disjoint(r.sets)
	}
}

// leavesOutOthers reports whether a rule for categories leaves out others than it is for,
// of those that are asked for.
func (r *clause) leavesOutOthers(of func(set) bool) bool {
	return slices.ContainsFunc(r.except, func(out set) bool {
		return out.of[category] != nil && out.of[sku] == nil && of(out) && !slices.ContainsFunc(r.sets, func(s set) bool {
			return s.of[category] == nil || !s.ofOther(out)
		})
	})
}

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
	if slices.ContainsFunc(c.rules[:i], func(r clause) bool { return r.act != change || slices.ContainsFunc(r.sets, bySKU) }) {
		return false
	}
	r := c.rules[i]
	return r.dir == to && !slices.ContainsFunc(r.sets, func(s set) bool { return !bySKU(s) || s.conditional() })
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
	beyond := map[direction]set{down: {low: bound{true, r.amount.number, true}}, up: {high: bound{true, r.amount.number, true}}}
	for _, s := range r.sets {
		switch r.act {
		case stocks:
			all = append(all, newOperation(s, plan.Action{Type: plan.SetStock, Stock: r.stock == yes}, plan.Options{}, given))
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
			all = append(all, newOperation(both, plan.Action{Type: plan.SetPrice, Value: end.number}, plan.Options{}, given))
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
			seen, sees := !plan.Independent(ops[k].Operation, ops[i].Operation), !plan.Independent(ops[i].Operation, ops[k].Operation)
			_, shared := ops[k].products.intersect(ops[i].products) // rather than that what one leaves comes into the other
			if seen && (sees || shared) || counted && c.known.twice(ops[k], ops[i], rows) {
				return nil, "overlap"
			}
			after[k][i], after[i][k] = seen, sees
		}
	}
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(i int) bool { return !slices.ContainsFunc(left, func(k int) bool { return after[i][k] }) })
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
	whatever := then.Action.Type == plan.SetPrice || then.Options.AsSale || then.Action.Type == plan.PercentIncrease && then.Action.Value.IsZero()
	return prices(first) && prices(then) && !(whatever && rows >= c.count(then.products))
}

// distinct leaves out operations that are said twice: "A1 is sold out, so mark it
// as out of stock".
func distinct(ops []operation) []operation {
	var all []operation
	for _, op := range ops {
		if op.Action.Type != plan.SetStock && op.Action.Type != plan.EndSale || !slices.ContainsFunc(all, func(other operation) bool {
			return op.Action == other.Action && op.products.key() == other.products.key()
		}) {
			all = append(all, op)
		}
	}
	return all
}
