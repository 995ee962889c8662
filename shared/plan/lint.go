package plan

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Warning is something in a valid plan that its author may not have meant.
type Warning struct {
	Code         string   `json:"code"`          // one of the Warn constants
	OperationIDs []string `json:"operation_ids"` // whom it concerns, in the plan's order; none for the plan's terms
	Message      string   `json:"message"`       // a sentence or two for people
}

// The codes of Lint's warnings. They are stable: programs may act on them.
const (
	// WarnOverlap: an operation can change a price or stock that earlier ones
	// have changed already.
	WarnOverlap = "overlapping_operations"
	// WarnOrder: in another order the operations would give other results,
	// because one sees what another wrote or undoes it.
	WarnOrder = "order_matters"
	// warnUnboundedDecrease: a decrease without min_price can reach zero, or
	// fall below it, which fails the execution.
	warnUnboundedDecrease = "unbounded_decrease"
	// WarnMatchesNothing: no row can meet the filter at that point.
	WarnMatchesNothing = "matches_nothing"
	// warnUnknownCategory: a category is not in the list that was given.
	warnUnknownCategory = "unknown_category"
	// warnLargeChange: a price can change by more than half of itself.
	warnLargeChange = "large_change"
	// WarnCapLowers: max_price can lower a price under an increase.
	WarnCapLowers = "cap_can_lower_price"
	// WarnFloorRaises: min_price can raise a price under a decrease.
	WarnFloorRaises = "floor_can_raise_price"
	// warnCostRaises: not_below_cost can make the price another than the one that is set.
	warnCostRaises = "cost_can_raise_price"
	// warnSaleNotBelow: what is to be the sale price is not below the regular price.
	warnSaleNotBelow = "sale_not_below_price"
	// warnNoEffect: the action is by zero.
	warnNoEffect = "no_effect"
	// warnUnknownAction: the action is none that there is, so the plan is not valid.
	warnUnknownAction = "unknown_action"
	// warnOptionsIgnored: options are given for set_stock or end_sale.
	warnOptionsIgnored = "options_ignored"
	// WarnTimePast: a time of the plan was past when the plan was made.
	WarnTimePast = "time_past"
)

// Lint looks for what a valid plan's author may not have meant. The warnings
// come in the order of the operations, for the last of those they concern, and
// those about the plan's terms last.
// They are advice: each may be meant. The categories are those that exist, if
// they are known; none means that they are not.
//
// Overlaps are judged from the filters and from the range of prices an
// operation can leave behind, without the table, so an overlap that is told of
// may have no row in it.
func Lint(p *Plan, categories []string) []Warning { return lint(p, newRules(p), categories) }

func lint(p *Plan, rules []*rule, categories []string) []Warning {
	l := &linter{categories: categories, known: newValues(categories, nil)}
	var earlier []*rule // that match something
	for _, r := range rules {
		l.unknownCategories(r)
		switch {
		case !r.kind.isKnown():
			l.warn(warnUnknownAction, r, "%s does nothing: its action.type %s.", r.OperationID, unknownAction(r.Action.Type))
		case !reachable(&r.rows, earlier):
			l.warn(WarnMatchesNothing, r, "No product can match the filter of %s when its turn comes.", r.OperationID)
		default:
			l.action(r)
			l.bounds(r)
			l.pairs(r, earlier)
			earlier = append(earlier, r)
		}
	}
	return append(l.warnings, lintTerms(p)...)
}

type linter struct {
	categories []string // none if they are not known
	known      values   // the same as a set
	warnings   []Warning
}

func (l *linter) warn(code string, r *rule, format string, args ...any) {
	l.warnings = append(l.warnings, Warning{Code: code, OperationIDs: []string{r.OperationID}, Message: fmt.Sprintf(format, args...)})
}

func (l *linter) unknownCategories(r *rule) {
	if len(l.categories) == 0 {
		return
	}
	var unknown []string
	for _, listed := range [][]string{r.Filter.Categories, r.Filter.ExcludeCategories} {
		for _, name := range listed {
			if !l.known.has(name) {
				unknown = append(unknown, name)
			}
		}
	}
	if unknown == nil {
		return
	}
	l.warn(warnUnknownCategory, r, "%s names %s, which the list of categories does not have.%s",
		r.OperationID, named("category", "categories", unknown, "and"), l.suggest(unknown))
}

// suggest names the known category that differs from an unknown one in case
// or outer space alone.
func (l *linter) suggest(unknown []string) string {
	for _, name := range unknown {
		for _, known := range l.categories {
			if strings.EqualFold(strings.TrimSpace(name), strings.TrimSpace(known)) {
				return " Did you mean " + plainName(known) + "? Names must match exactly."
			}
		}
	}
	return ""
}

func (l *linter) action(r *rule) {
	switch {
	case !r.writesPrice() && r.Action.Type != SetCompareAt && r.Options != (Options{}):
		l.warn(warnOptionsIgnored, r, "%s has options, which do nothing for %s.", r.OperationID, r.Action.Type)
	case !r.writesPrice():
	case r.asSale() && r.isNoSale():
		l.warn(warnSaleNotBelow, r, "%s makes a sale price that is not below the regular price: such products are left alone, so it puts nothing on sale.", r.OperationID)
	case r.fromCost(): // what becomes of a price is the cost's to say
	case r.keepsPrice() && (r.Options == Options{RoundTo: r.Options.RoundTo}):
		l.warn(warnNoEffect, r, "%s changes prices by 0: it rounds them at most.", r.OperationID)
	case changesMuch(r):
		l.warn(warnLargeChange, r, "%s can change a price by more than 50%%.", r.OperationID)
	}
}

// isNoSale reports whether nothing that the rule makes is below the price that it is
// made of.
func (r *rule) isNoSale() bool {
	highest := r.rows.price.high
	notBelow := func(least Decimal) bool { return !least.bound().below(highest) }
	return r.kind.direction == raises || r.price.isIdentity() && !r.fromCost() ||
		r.Action.Type == SetPrice && notBelow(r.Action.Value) || r.Options.MinPrice != nil && notBelow(*r.Options.MinPrice)
}

// changesMuch reports whether a price at an end of the filter's range changes
// by more than half of itself. For an open range only the actions whose share
// is the same for every price can tell.
func changesMuch(r *rule) bool {
	if r.price.isProportional() {
		return moreThanHalf(r.price.Factor, powerOfTen(r.price.Shift))
	}
	for _, price := range []*big.Int{r.rows.price.low.exact, r.rows.price.high.exact} {
		if price != nil && price.Sign() != 0 && moreThanHalf(r.price.of(price), price) {
			return true
		}
	}
	return false
}

// moreThanHalf reports whether two numbers differ by more than half of the second.
func moreThanHalf(changed, from *big.Int) bool {
	change := new(big.Int).Sub(changed, from)
	return change.Lsh(change, 1).CmpAbs(from) > 0
}

func (l *linter) bounds(r *rule) {
	floor, ceiling := r.Options.MinPrice, r.Options.MaxPrice
	switch r.kind.direction {
	case eitherWay:
		if r.Options.NotBelowCost && r.Action.Type == SetPrice {
			l.warn(warnCostRaises, r, "%s sets the price to %s, but to more where the cost is above that.", r.OperationID, r.Action.Value)
		}
	case raises:
		if r.asSale() {
			return // it raises nothing
		}
		if ceiling != nil && ceiling.bound().below(r.rows.price.high) {
			l.warn(WarnCapLowers, r, "%s increases prices, but lowers those that are above its highest price of %s already. To leave them alone, say \"priced at most %s\".", r.OperationID, ceiling, ceiling)
		}
	case lowers:
		if floor == nil && !r.Options.NotBelowCost && r.price.canReachZero(r.rows.price.low.exact) {
			l.warn(warnUnboundedDecrease, r, "%s can bring a price to zero, or below zero, where the whole execution fails. Say \"but never below\" and a price.", r.OperationID)
		}
		if floor != nil && !r.asSale() && r.rows.price.low.below(floor.bound()) {
			l.warn(WarnFloorRaises, r, "%s decreases prices, but raises those that are below its lowest price of %s already. To leave them alone, say \"priced at least %s\".", r.OperationID, floor, floor)
		}
	}
}

// canReachZero reports whether the function brings a price, of which the lowest
// is given, to zero or below. One that is zero already does not count.
func (l Linear) canReachZero(lowest *big.Int) bool {
	if l.isProportional() {
		return l.Factor.Sign() <= 0
	}
	return l.of(lowest).Sign() <= 0
}

// pairs compares a rule with each that runs before it. There is at most one
// warning of a code, which names all of the earlier ones.
func (l *linter) pairs(r *rule, before []*rule) {
	var overlapping, ordered []string
	for _, earlier := range before {
		overlap, order := earlier.meddles(r)
		if overlap {
			overlapping = append(overlapping, earlier.OperationID)
		}
		if order {
			ordered = append(ordered, earlier.OperationID)
		}
	}
	l.warnPair(WarnOverlap, overlapping, r, "%s can change products that %s changed already: both changes apply, one after the other.")
	l.warnPair(WarnOrder, ordered, r, "%s works on what %s left behind. In another order the result would differ, so check that this is the order you mean.")
}

func (l *linter) warnPair(code string, earlier []string, later *rule, format string) {
	if earlier == nil {
		return
	}
	l.warnings = append(l.warnings, Warning{
		Code:         code,
		OperationIDs: append(slices.Clip(earlier), later.OperationID),
		Message:      fmt.Sprintf(format, later.OperationID, strings.TrimSpace(named("", "", earlier, "and"))),
	})
}

// meddles reports whether a rule changes rows of a later one that writes the same,
// and whether the result would differ in the other order.
func (r *rule) meddles(later *rule) (overlap, order bool) {
	overlap = r.changesPrices() == later.changesPrices() && r.left().meets(&later.rows)
	return overlap, overlap && !commute(r, later) || r.changesRowsOf(later)
}

// commute reports whether two rules that write the same column give the same
// values in either order, the last digit's rounding aside.
func commute(a, b *rule) bool {
	switch {
	case !a.changesPrices():
		return a.Action.Stock == b.Action.Stock
	case a.Action.Type == SetCompareAt || b.Action.Type == SetCompareAt || a.endsSale() || b.endsSale() || a.asSale() || b.asSale(): // each begins with the regular price
		return a.Action == b.Action && a.Options.equal(&b.Options)
	}
	if a.fromCost() != b.fromCost() || a.fromCost() && a.Action != b.Action {
		return false
	}
	return a.Options.onlyRound() && b.Options.onlyRound() && a.Options.Digits() == b.Options.Digits() && a.price.commutes(b.price)
}

func (o *Options) onlyRound() bool {
	return !o.KeepDirection && o.RoundStep == nil && o.Rounding.IsNearest() && o.PriceEnding == nil && o.MinPrice == nil && o.MaxPrice == nil && !o.NotBelowCost
}

func (o *Options) equal(other *Options) bool {
	same := func(a, b *Decimal) bool { return a == nil && b == nil || a != nil && b != nil && a.Cmp(*b) == 0 }
	return o.AsSale == other.AsSale && o.KeepDirection == other.KeepDirection && o.OutsideLimits == other.OutsideLimits && o.Digits() == other.Digits() && o.NotBelowCost == other.NotBelowCost &&
		same(o.RoundStep, other.RoundStep) && o.Rounding == other.Rounding && same(o.PriceEnding, other.PriceEnding) && same(o.MinPrice, other.MinPrice) && same(o.MaxPrice, other.MaxPrice)
}

// reachable reports whether some product of rows can be in them after the
// earlier operations. It follows the bounds of price, sale and stock that these products can have.
func reachable(rows *selection, earlier []*rule) bool {
	state := selected(&Filter{})
	state.names = rows.names
	for _, op := range earlier {
		all := op.rows.covers(&state)
		if !all && state.anyPriceAndStock() || !op.rows.meets(&state) {
			continue // what changes for some of all that is possible leaves all possible
		}
		touched := state
		touched.price = touched.price.intersect(op.rows.price)
		changed := op.after(touched)
		if all {
			state = changed
			continue
		}
		state.price = state.price.union(changed.price)
		state.stock, state.sale = state.stock.union(changed.stock), state.sale.union(changed.sale)
	}
	return state.meets(rows)
}

// ownID is an id that the planners give to an operation, in a text. Other ids may be
// words that stand in it for themselves.
var ownID = regexp.MustCompile(`(\bOperation )?\bop_\d+\b`)

// InWords is a warning about a plan's operations, of these ids, as people speak of them:
// as the plan, or one of its steps.
func InWords(warning string, ids []string) string {
	return ownID.ReplaceAllStringFunc(warning, func(found string) string {
		id, name := strings.TrimPrefix(found, "Operation "), "the plan"
		at := slices.Index(ids, id)
		switch {
		case at < 0:
			return found
		case len(ids) > 1:
			name = "step " + strconv.Itoa(at+1)
		}
		if id != found || strings.HasPrefix(warning, id) {
			name = strings.ToUpper(name[:1]) + name[1:]
		}
		return name
	})
}
