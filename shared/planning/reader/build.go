package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
)

// builder makes the meaning of a rule from those of its parts, which it must not
// change, and from the features that the rule gives in parentheses. It returns nil
// where the parts contradict each other.
type builder func(parts []*meaning, given *clause) *meaning

// builders are what rules may name after =>. Several are applied one after the
// other, each to what the one before made.
var builders map[string]builder

func init() {
	builders = map[string]builder{
		"list":     list,     // the parts, for the rule around a group
		"with":     with,     // the features of all parts, and those given
		"restrict": restrict, // the products that fulfil all parts
		"union":    union,    // the products of any part
		"kin": where(union, func(m *meaning) bool {
			return len(m.sets) == 1 ||
				!slices.ContainsFunc(m.sets, func(s set) bool { return s.of[phrase] == nil })
		}), // the same, of names of one kind
		"mixed": where(union, func(m *meaning) bool {
			return !slices.ContainsFunc(m.sets,
				func(s set) bool { return s.of[category] == nil && s.of[tag] == nil })
		}), // of categories and tags
		// the products of the first part that the second is a condition on: mugs, sale items
		"narrowed": narrowed,
		"others": where(
			restrict,
			func(m *meaning) bool { m.sets = subtract(everything, m.sets); return m.sets != nil },
		), // the products that fulfil no part
		"excluding": excluding, // the products of the first part but for those of the second
		"nameless": where(
			with,
			func(m *meaning) bool { return !slices.ContainsFunc(slices.Concat(m.only, m.except), set.named) },
		), // with conditions on price and stock alone
		"skus": where(
			restrict,
			skus,
		), // a name after "SKU" is one
		"ofrole": where(
			union,
			ofRole,
		), // names of the role that the word beside them says
		"except": where(union, func(m *meaning) bool {
			m.except, m.sets, m.one = append(m.except, m.sets...), nil, false
			return m.except != nil
		}), // the products of the parts are left out
		"only": where(restrict, func(m *meaning) bool {
			m.only, m.sets = m.sets, nil
			return m.only != nil && keys(m.only) != keys(everything)
		}), // no others are changed
		"newprice": where(
			with,
			func(m *meaning) bool { m.verb, m.dir = m.dir, to; return true },
		), // the amount is the new price, whatever the verb
		"rule":      whole,              // what the parts say is a rule of its own
		"rules":     concat,             // the rules of all parts, one after the other
		"last":      ofRules(last),      // what is no rule belongs to the last of the rules
		"spread":    ofRules(spread),    // what is no rule belongs to all of the rules
		"spreadall": ofRules(spreadAll), // the same where it says so: all ending in .99
		"ahead":     ofRules(ahead),     // the same of what stands before them, as a heading does
		"each":      ofRules(each),      // the products before rules are those of each of them
		"topic":     ofRules(topic),     // the same, of rules that speak of them: mugs, mark them as sold out
		"zip":       ofRules(zip),       // the first of one list with the first of the other
		"carve":     carve,              // except some, which have a rule of their own
		"result":    result,             // without the direction in which results move
		"shaped": where(
			with,
			(*meaning).shapes,
		), // only what rounds or limits prices
		"money":   as(money),
		"percent": as(percent),
		"cents":   scaled(money, 1, 100),
		"share": where(
			scaled(bare, 1, 100),
			func(m *meaning) bool { return m.amount.number.Cmp(plan.MustDecimal("0.5")) >= 0 },
		), // a part of a price as a factor, unless it may be a slip: 20% of for 20% off
		"thousand": scaled(bare, 1000, 1),
		"sum":      sum,                  // two dollars fifty
		"bound":    where(with, bounded), // a condition on the price: under, over, at least or at most that
		"between":  between,              // between two prices, or at one
		"limit":    where(with, limited), // a floor or a cap of the new price
		"ending":   where(with, ending),
	}
}

// where is a builder for only some of what another makes.
func where(build builder, holds func(*meaning) bool) builder {
	return func(parts []*meaning, given *clause) *meaning {
		if made := build(parts, given); made != nil && holds(made) {
			return made
		}
		return nil
	}
}

func list(parts []*meaning, _ *clause) *meaning { return &meaning{parts: parts} }

// with merges the features of all parts, and keeps their rules.
func with(parts []*meaning, given *clause) *meaning {
	made := &meaning{clause: *given}
	for _, part := range parts {
		if !made.merge(&part.clause) {
			return nil
		}
		made.rules = append(made.rules[:len(made.rules):len(made.rules)], part.rules...)
	}
	return made
}

// merged is with for parts whose sets have been dealt with.
func merged(parts []*meaning, given *clause, sets []set) *meaning {
	made := &meaning{clause: *given}
	made.sets = nil
	for _, part := range parts {
		features := part.clause
		features.sets = nil
		if !made.merge(&features) {
			return nil
		}
	}
	made.sets = sets
	return made
}

func restrict(parts []*meaning, given *clause) *meaning {
	sets := given.sets
	for _, part := range parts {
		switch {
		case part.sets == nil:
		case sets == nil:
			sets = part.sets
		default:
			if sets = intersection(sets, part.sets); sets == nil {
				return nil
			}
		}
	}
	return merged(parts, given, sets)
}

func narrowed(parts []*meaning, given *clause) *meaning {
	if names, last := parts[0].sets, parts[len(parts)-1].sets; !slices.ContainsFunc(names, set.named) ||
		slices.ContainsFunc(last, set.named) ||
		!slices.ContainsFunc(last, set.conditional) {
		return nil
	}
	return restrict(parts, given)
}

func union(parts []*meaning, given *clause) *meaning {
	var sets []set
	for _, part := range parts {
		for _, s := range part.sets {
			if slices.ContainsFunc(sets, s.repeats) {
				return nil // mugs and lamps, mugs never below cost
			}
		}
		sets = append(sets, part.sets...)
	}
	sets = compact(sets)
	if len(sets) > 1 && slices.ContainsFunc(sets, func(s set) bool { return s.key() == allKey }) {
		return nil // all products and some more
	}
	return merged(parts, given, sets)
}

func excluding(parts []*meaning, given *clause) *meaning {
	var all [][]set
	for _, part := range parts {
		if part.sets != nil {
			all = append(all, part.sets)
		}
	}
	made := merged(parts, given, nil)
	if made == nil || len(all) != 2 ||
		made.mere && slices.ContainsFunc(all[0], categorized) && slices.ContainsFunc(all[1], categorized) {
		return nil
	}
	made.mere, made.one, made.sets, made.except = false, false, all[0], append(
		slices.Clip(made.except),
		all[1]...)
	return made
}

func skus(m *meaning) bool {
	if len(m.sets) != 1 || m.sets[0].of[category] == nil ||
		slices.ContainsFunc(m.sets[0].of[category], func(name string) bool {
			return name != strings.ToUpper(name) && !strings.Contains(name, "-") // the product table
		}) {
		return false
	}
	m.sets = setOf(sku, m.sets[0].of[category]...)
	return true
}

func ofRole(m *meaning) bool {
	said := m.role
	m.role = 0
	return len(m.sets) == 1 && (said == 0 || m.sets[0].of[said-1] != nil)
}

func categorized(s set) bool { return s.of[category] != nil }

// whole makes a rule of a clause.
func whole(parts []*meaning, given *clause) *meaning {
	made := with(parts, given)
	if made == nil || made.rules != nil {
		return nil
	}
	return &meaning{rules: []clause{made.clause}}
}

// concat joins rules. Features beside them belong to the rule that follows.
func concat(parts []*meaning, given *clause) *meaning {
	made := &meaning{}
	pending := *given
	for _, part := range parts {
		if !pending.merge(&part.clause) {
			return nil
		}
		if part.rules == nil {
			continue
		}
		rules := append([]clause(nil), part.rules...)
		if !rules[0].merge(&pending) {
			return nil
		}
		pending = clause{}
		made.rules = append(made.rules, rules...)
	}
	return made
}

// ofRules is a builder for the rules of all parts, and the features beside them.
func ofRules(build func(rules []clause, beside clause) []clause) builder {
	return func(parts []*meaning, given *clause) *meaning {
		beside := *given
		var rules []clause
		for _, part := range parts {
			rules = append(rules, part.rules...)
			if !beside.merge(&part.clause) {
				return nil
			}
		}
		if rules != nil {
			rules = build(rules, beside)
		}
		if rules == nil {
			return nil
		}
		return &meaning{rules: rules}
	}
}

func last(rules []clause, beside clause) []clause {
	owner := &rules[len(rules)-1]
	if beside.all || owner.act == keep && beside.shapes() || !owner.merge(&beside) {
		return nil
	}
	return rules
}

// shapes reports whether a clause says something of new prices.
func (c *clause) shapes() bool {
	return c.covered || c.regular || c.floor.unit != noUnit || c.ceiling.unit != noUnit || c.round != 0 ||
		c.ending.unit != noUnit || c.step.unit != noUnit || c.rounding != ""
}

func spreadAll(rules []clause, beside clause) []clause {
	if !beside.all {
		return nil
	}
	return spread(rules, beside)
}

func spread(rules []clause, beside clause) (spread []clause) {
	for i := range rules {
		if rules[i].act == keep || rules[i].act == shape && rules[i].ref == them && !beside.shapes() {
			continue
		}
		if spread = rules; !rules[i].merge(&beside) {
			return nil
		}
	}
	return spread
}

func ahead(rules []clause, beside clause) []clause {
	rules = spread(rules, beside)
	for i := range rules {
		rules[i].under = beside.only
	}
	return rules
}

// each narrows rules to the products said before them: "in toys, raise A1 by 5%".
func each(rules []clause, beside clause) []clause {
	sets := beside.sets
	beside.sets = nil
	for i := range rules {
		r := &rules[i]
		if r.ref == missing || r.ref == them && i == 0 {
			r.ref = byName
		}
		if r.under = sets; r.sets == nil {
			r.sets, r.under = everything, everything
		}
		if r.sets = intersection(r.sets, sets); r.sets == nil ||
			r.act == stocks && keys(r.sets) == keys(everything) ||
			!r.merge(&beside) {
			return nil
		}
		r.single = false // the products before them are named
	}
	return rules
}

// topic gives products to rules that speak of them alone.
func topic(rules []clause, beside clause) []clause {
	if slices.ContainsFunc(rules, func(r clause) bool { return r.ref != them }) {
		return nil
	}
	return each(rules, beside)
}

// carve leaves products out of a rule and gives them one of their own.
func carve(parts []*meaning, _ *clause) *meaning {
	if len(parts) < 2 || len(parts[0].rules) == 0 {
		return nil
	}
	rules, added := slices.Clone(parts[0].rules), []clause(nil)
	owner := &rules[len(rules)-1]
	for _, carved := range parts[1:] {
		own := append([]clause(nil), carved.rules...)
		if carved.sets != nil && len(own) == 1 {
			own[0].sets, own[0].problem = carved.sets, cmp.Or(own[0].problem, carved.problem)
		}
		for i := range own {
			r := &own[i]
			if r.sets == nil || r.ref != byName || r.act != change && r.act != stocks {
				return nil
			}
			if owner.act != keep ||
				intersection(owner.sets, r.sets) != nil { // do not change earrings, but raise rings
				owner.except = append(owner.except[:len(owner.except):len(owner.except)], r.sets...)
			}
			var within []set
			// tables up 5% except Nordik, which go up 2%: SKUs alone are whatever they are
			for _, s := range r.sets {
				if of := namesOf(owner.sets); s.of[category] != nil { // whatever the price and stock
					for i := range of {
						if of[i].ofOther(s) { // drinks, but juice only 2%
							of[i].of[category], of[i].out[category] = nil, nil
						}
					}
					within = append(within, intersection(of, []set{s})...)
				} else if of := owner.sets; s.of[sku] == nil {
					within = append(within, intersection(of, []set{s})...)
				} else {
					within = append(within, s)
				}
			}
			if carved.symbol == "clause" && keys(within) != keys(r.sets) {
				r.problem = cmp.Or(r.problem, "scope") // but raise Nordik by 3%: all of it, or its tables?
			}
			r.sets = within
		}
		added = append(added, own...)
	}
	if owner.leavesOutOthers(func(set) bool { return true }) {
		if slices.ContainsFunc(owner.except, func(s set) bool { return s.of[sku] != nil }) {
			return nil
		}
		owner.problem = cmp.Or(owner.problem, "others")
	}
	if slices.ContainsFunc(added, func(r clause) bool { return r.sets == nil }) {
		return nil
	}
	return &meaning{rules: append(rules, added...)}
}

func result(parts []*meaning, given *clause) *meaning {
	return with(
		slices.DeleteFunc(slices.Clone(parts), func(part *meaning) bool { return part.dir != noDirection }),
		given,
	)
}

// zip joins two lists of as many rules one by one: "mugs and hats by 5% and 8%
// respectively".
func zip(rules []clause, beside clause) []clause {
	n := len(rules) / 2
	named := rules[len(rules)-1].amount.unit
	for i, next := range rules[n:] {
		if next.amount.unit == bare && named == percent { // 3, 4 and 5 percent
			next.amount.unit = named
		}
		if i == n || next.sets != nil || !rules[i].merge(&next) || !rules[i].merge(&beside) {
			return nil
		}
	}
	return rules[:n]
}
