package reader

import "slices"

// refer finds the products of rules that speak of those before.
func (c *compiler) refer() {
	for i := range c.rules {
		r := &c.rules[i]
		if r.ref == byName && r.sets == nil {
			r.ref = missing
		}
		before, ofOthers := c.before(i), r.act == limit || r.act == shape
		if r.loose && keys(r.sets) == keys(everything) && ofOthers &&
			slices.ContainsFunc(c.rules[:i], changes) {
			if r.sets, r.ref = nil, them; keys(r.except) == keys(c.rules[i-1].except) {
				r.except = nil // said of all rules
			}
		}
		switch {
		case r.single && (before == nil && r.only == nil ||
			before != nil && (len(before.sets) != 1 || len(slices.Concat(before.sets[0].of[:]...)) != 1)):
			c.fail(r, "vague_target")
		case before != nil && r.loose && keys(r.sets) == keys(before.sets) && before.except == nil &&
			before.only == nil:
		case c.otherHalf(i),
			r.loose && i > 0 && r.only == nil && keys(r.sets) == keys(everything) && !ofOthers:
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
		r.ref == them && r.act == change && before.act == stocks &&
			slices.ContainsFunc(before.sets, set.priced),
		r.ref == them && r.act == stocks && keys(before.sets) == keys(everything):
		c.fail(r, "scope")
	case r.ref == them && (r.act == limit || r.act == shape):
	case r.ref == them && !r.all && len(c.sameSentence(i)) > 1 &&
		!(r.single && r.act == stocks && c.rules[i-1].act == stocks):
		// is gone, mark it
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
			r.except = append(slices.Clone(before.except), r.except...)
			r.only = intersection(orEverything(r.only), orEverything(before.only))
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
	return r.except != nil || slices.ContainsFunc(r.only, set.named) ||
		slices.ContainsFunc(r.sets, func(s set) bool {
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
