package grammar

import "github.com/planwright/planwright/shared/planning/english"

// otherwise reads the word that turns the condition of the rule before into its
// opposite: "if it costs less than $20 raise it by 5%, otherwise by 10%".
func (p *parser) otherwise(c *clause) {
	next := p.after(p.pos + 1)
	for p.classAt(next) == english.Comma {
		next = p.after(next + 1)
	}
	switch {
	case p.classAt(next) == english.Stop: // "or else"
		p.fail(scope, p.pos, p.pos+1, "What should happen otherwise, and to which products? Say it after %s, or leave that out.")
		return
	case !c.empty() && !c.complete() && !c.excluding():
		p.unread(p.pos)
		return
	}
	c.otherwise = c.otherwise || c.empty()
	p.pos++
	c.listAnd = false
}

// opposed is the clause whose condition an "otherwise" turns around, or nil.
func (p *parser) opposed(c *clause) *clause {
	var before *clause
	several := false // rules before it in its sentence
	for _, other := range p.clauses {
		if other == c {
			break
		}
		several = !other.otherwise && before != nil && before.sentence == other.sentence
		before = other
	}
	if before == nil || several || c.sentence-before.sentence > 1 || len(before.target.except) > 0 || before.target.rest || before.target.pronoun && len(before.target.groups) == 0 && before.target.shared.none() {
		return nil
	}
	if before.otherwise { // under $20 5%, else if under $50 10%, else 15%
		if p.opposed(before) == nil {
			return nil
		}
		return before
	}
	conditioned := !before.target.shared.none()
	for _, group := range before.target.groups {
		conditioned = conditioned || !group.none()
	}
	if !conditioned {
		return nil
	}
	return before
}

// targetOtherwise gives a clause the products of the clause that it turns
// around, without the conditions of that.
func (p *parser) targetOtherwise(c *clause) {
	before := p.opposed(c)
	if before == nil || len(c.target.groups) > 0 || c.target.rest || len(c.target.except) > 0 {
		p.fail(scope, c.from, c.to, "Which products are meant by \"otherwise\" in %s? Name them in a rule of their own, with their condition.")
		return
	}
	c.target.groups = append(c.target.groups, before.target.unconditioned()...)
	c.target.named, c.target.pronoun, c.target.strong = true, false, len(c.target.groups) == 0
}

// leaveOpposed takes from each cut what the rules before an "otherwise" speak
// of.
func (p *parser) leaveOpposed(from []cut, c *clause) []cut {
	for before := p.opposed(c); before != nil; before = p.opposed(before) {
		groups, ok := p.spread(before)
		if !ok {
			return nil
		}
		if before.otherwise { // its own condition, of what was left for it
			groups = []rows{{conditions: before.target.shared}}
		}
		for _, group := range groups {
			from = p.leaveOut(from, group, c)
		}
		if !before.otherwise {
			break
		}
	}
	return from
}
