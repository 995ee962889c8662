package reader

import (
	"cmp"
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// The rules that were put together become those of the draft: as a plan has them where they make
// one, else each by itself.

// drafted is a rule of the draft that comes of an unfinished one.
type drafted struct {
	rule     planning.DraftRule
	from     *unfinished
	products []set
	class    string // of the question that it leaves open
}

// operations makes draft rules of what was put together: those of a plan where it makes
// one, else each by itself.
func (c *combiner) operations() []drafted {
	whole, failed := c.compiled()
	if c.failed = failed; failed.class == "" {
		return whole
	}
	if all := failed.to == 0 || failed.class == "scope" || failed.class == "contradiction"; all {
		for i := range c.rules {
			c.rules[i].askAll(whyProblem)
		}
	} else {
		c.rules[failed.from].askAll(whyProblem)
	}
	c.attach()
	var all []drafted
	for i := range c.rules {
		all = append(all, c.alone(i)...)
	}
	return all
}

// attach gives limits and roundings to the changes before them that they speak of, and
// those of some of a change's products to a rule of these.
func (c *combiner) attach() {
	var rules []unfinished
	for _, r := range c.rules {
		if r.act != limit && r.act != shape {
			rules = append(rules, r)
			continue
		}
		named := slices.ContainsFunc(r.sets, set.named)
		options := r.shape()
		given := false
		for k := len(rules) - 1; k >= 0 && !given; k-- {
			switch {
			case rules[k].act != change:
			case named:
				rules, given = splitOff(rules, k, &r, &options)
			default:
				for n := range rules {
					if rules[n].act == change && (r.all || n == k || rules[n].sentence == rules[k].sentence) {
						rules[n].merge(&options)
						rules[n].askAll(whyPieced)
					}
				}
				given = true
			}
		}
		if !given {
			rules = append(rules, r)
		}
	}
	c.rules = rules
}

// splitOff gives options to the part of a rule's products that they are said of. It is false
// where those are no part of them.
func splitOff(rules []unfinished, k int, said *unfinished, options *clause) ([]unfinished, bool) {
	owner := &rules[k]
	both := intersection(owner.sets, said.sets)
	if len(both) == 0 || keys(both) != keys(said.sets) {
		return rules, false
	}
	own := *owner
	own.sets, own.spans = said.sets, append(slices.Clone(owner.spans), said.spans...)
	own.why = nil
	own.askAll(whyPieced)
	if !own.merge(options) {
		return rules, false
	}
	owner.sets = subtract(owner.sets, said.sets)
	owner.askAll(whyPieced)
	if len(owner.sets) == 0 {
		rules[k] = own
		return rules, true
	}
	return slices.Insert(rules, k+1, own), true
}

// clauses are the rules as they were said.
func (c *combiner) clauses() []clause {
	rules := make([]clause, len(c.rules))
	for i := range c.rules {
		rules[i] = c.rules[i].clause
	}
	return rules
}

// compiled are the operations of all rules as a plan has them, or why they make none.
func (c *combiner) compiled() ([]drafted, problem) {
	rules := c.clauses()
	for i := range c.rules {
		r := &c.rules[i]
		r.from, r.to = i, i+1 // to be found again
		rules[i] = r.clause
		if i > 0 && (r.act == shape || r.act == limit) && r.ref != byName {
			c.rules[i-1].askAll(whyPieced) // which it is attached to
		}
	}
	ops, failed := compiledOf(rules, c.t.known)
	var all []drafted
	for _, op := range ops {
		all = append(all, draftedOf(op.Operation, &c.rules[op.said.from]))
	}
	return all, failed
}

func draftedOf(op plan.Operation, from *unfinished) drafted {
	return drafted{rule: planning.RuleOf(op), from: from}
}

// alone makes the operations of a rule without regard to the others, but for what it
// takes over from the one before.
func (c *combiner) alone(i int) []drafted {
	r := &c.rules[i]
	said := r.clause
	if said.act == keep {
		return nil
	}
	var before *clause
	if i > 0 {
		before = &c.rules[i-1].clause
	}
	takeOver(&said, before)
	class := said.problem
	sets := c.productsOf(i, &said)
	if said.act == change {
		class = cmp.Or(said.checkAmount(), class)
	}
	r.clause.sets = sets
	r.clause.dir, r.clause.act = said.dir, said.act
	if sets == nil {
		sets = everything
		r.nothing = true
	}
	var all []drafted
	for _, s := range sets {
		all = append(all, c.oneOf(r, &said, s, class)...)
	}
	return all
}

// takeOver gives a rule what it has from the one before.
func takeOver(r, before *clause) {
	switch {
	case before == nil:
	case r.act == likewise:
		r.like(before)
	case r.act == change && r.dir == inherit:
		r.dir, r.sale = before.dir, r.sale || before.sale
	case r.act == stocks && r.stock == either:
		r.stock = before.stock
	}
	if r.dir == inherit {
		r.dir = noDirection
	}
}

// productsOf are the products of a rule, of which those spoken of are those of the rule before.
func (c *combiner) productsOf(i int, said *clause) []set {
	r := &c.rules[i]
	sets := said.sets
	switch said.ref {
	case rest:
		var named []set
		for k := range c.rules {
			if k != i {
				named = append(named, c.rules[k].sets...)
			}
		}
		sets = subtract(orEverything(sets), append(slices.Clone(named), c.leftAlone...))
		r.ask(planning.SlotFilter, whySpoken)
	case them, those, otherwise, cheaper, dearer, missing:
		for k := i - 1; k >= 0; k-- {
			if before := c.rules[k].sets; before != nil {
				of := before
				if said.ref == those {
					of = namesOf(before)
				}
				sets = orKeep(intersection(of, orEverything(sets)), of)
				break
			}
		}
		r.ask(planning.SlotFilter, whySpoken)
	}
	if sets == nil {
		return nil
	}
	narrowed := subtract(intersection(sets, orEverything(said.only)), said.except)
	if len(narrowed) == 0 {
		r.ask(planning.SlotFilter, whyProblem)
		return sets
	}
	return c.t.known.disjoint(narrowed)
}

// oneOf makes the operations of a rule for one set of products.
func (c *combiner) oneOf(r *unfinished, said *clause, s set, class string) []drafted {
	if r.nothing {
		s = set{}
	}
	given := &c.t.known.given
	does := actions[said.dir][said.amount.unit]
	if said.column != "" {
		does = columnActions[said.column][said.dir]
	}
	if class == "" || said.act != change || does != "" && said.amount.unit != noUnit {
		one := *said
		one.sets = []set{s}
		if one.act == noAct {
			return nil
		}
		if !c.t.known.say(one.sets) {
			one.sets = []set{{}}
			class = cmp.Or(class, "unsupported")
		}
		var all []drafted
		for _, op := range one.operations(given) {
			if op.Action.Type == "" {
				continue
			}
			made := draftedOf(op.Operation, r)
			made.class, made.products = class, one.sets
			all = append(all, made)
		}
		return all
	}
	made := drafted{from: r, class: class, products: []set{s}}
	made.rule.Filter, made.rule.Options = s.filter(), said.options()
	if said.amount.unit != noUnit {
		made.rule.Action.Value, made.rule.Action.Percent = &said.amount.number, said.amount.unit == percent
	}
	return []drafted{made}
}
