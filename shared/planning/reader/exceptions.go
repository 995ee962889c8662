package reader

import "slices"

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
		covered:  c.covered,
		floor:    c.floor,
		ceiling:  c.ceiling,
		round:    c.round,
		ending:   c.ending,
		step:     c.step,
		rounding: c.rounding,
	}
}

// owners are the rules before that a limit or rounding belongs to: all of them, or
// the one with the same products.
func (c *compiler) owners(i int, rules []clause) []*clause {
	r := &c.rules[i]
	var owners []*clause
	for n := range rules {
		if rules[n].act == change &&
			(r.ref == them || r.ref == missing ||
				rules[n].ref == r.ref && keys(rules[n].sets) == keys(r.sets)) {
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
		case r.ref == rest,
			r.loose && !slices.ContainsFunc(c.rules,
				func(other clause) bool { return other.act != keep && other.act != stocks }):
			continue // the prices stay, of what is sold out
		}
		if r.except != nil && len(intersection(r.sets, r.except)) == 0 {
			c.fail(&r, "scope") // not mugs, not lamps: do lamps change?
		}
		kept := intersection(subtract(r.sets, r.except), orEverything(r.only))
		c.leftAlone = append(c.leftAlone, kept...)
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
				narrowed = narrowed ||
					s.of[category] != nil &&
						(s.low.given || s.high.given || s.stock != either || s.of[brand] != nil ||
							s.of[tag] != nil)
			}
		}
	}
	for i := range c.rules {
		r := &c.rules[i]
		if r.ref != rest {
			continue
		}
		if len(named)+len(c.leftAlone) == 0 || narrowed && keys(r.sets) == keys(everything) {
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
		// dog beds and cats, Nike only
		gone := func(s set) bool { return intersection([]set{s}, only) == nil }
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
		return out.of[category] != nil && out.of[sku] == nil && of(out) &&
			!slices.ContainsFunc(r.sets, func(s set) bool {
				return s.of[category] == nil || !s.ofOther(out)
			})
	})
}
