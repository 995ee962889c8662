package reader

import "slices"

// Names that no list has are no products of a rule: what is said there is open.

// listedOnly takes names that no list has out of the products of a rule: what is said
// there is open. Where the words have one name of a list in them, that is meant.
func (c *combiner) listedOnly(m *meaning, r *clause) {
	if !c.t.known.closed[category] {
		return
	}
	m.eachLeaf(func(leaf *meaning) {
		if leaf.problem == "unknown_category" && len(leaf.sets) == 1 {
			c.inner[leaf.sets[0].first()] = c.namedWithin(leaf)
		}
	})
	r.sets, r.except, r.only = c.listed(r.sets), c.listed(r.except), c.listed(r.only)
	if r.problem == "unknown_category" {
		r.problem = ""
	}
}

// namedWithin are the products of the only name of a list that stands within some words.
func (c *combiner) namedWithin(leaf *meaning) []set {
	var named []set
	for _, m := range c.t.spans(piece{leaf.from, leaf.to}, costGuess) {
		if m != leaf && m.to <= leaf.to && m.problem == "" {
			named = append(named, m.sets...)
		}
	}
	if len(named) != 1 {
		return nil
	}
	return named
}

// listed are sets without the names that no list has; nil where nothing is left.
func (c *combiner) listed(sets []set) (left []set) {
	for _, s := range sets {
		names := s.of[category]
		var unlisted []set
		s.of[category] = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			inner, is := c.inner[name]
			unlisted = append(unlisted, inner...)
			return is
		})
		s.out[category] = slices.DeleteFunc(
			slices.Clone(s.out[category]),
			func(name string) bool { _, is := c.inner[name]; return is },
		)
		if len(s.of[category]) == len(names) {
			left = append(left, s)
			continue
		}
		if len(s.of[category]) > 0 {
			left = append(left, s)
		}
		s.of[category] = nil
		if within := intersection([]set{s}, unlisted); len(within) > 0 {
			left = append(left, within...)
		} else if len(s.of[category]) == 0 && s.key() != allKey {
			left = append(left, s)
		}
	}
	return left
}
