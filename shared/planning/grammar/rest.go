package grammar

import (
	"slices"

	"github.com/planwright/planwright/shared/planning/english"
)

// restLast puts a rule for everything else, said first, behind those that name what
// is not of it: "everything else: up 2%; mugs: up 5%". Those must say all of their
// rules themselves, and nothing must ask for an order.
func (p *parser) restLast(clauses []*clause) []*clause {
	if len(clauses) < 2 || p.said[english.Then] {
		return clauses
	}
	first, others := clauses[0], clauses[1:]
	if !first.target.rest || first.target.others || first.heads != nil || !first.complete() {
		return clauses
	}
	if slices.ContainsFunc(others, func(c *clause) bool { return !c.standsAlone() }) {
		return clauses
	}
	p.clauses = append(slices.Clone(others), first)
	return p.clauses
}

// standsAlone reports whether a clause names its products and says what happens to
// them, or that nothing does.
func (c *clause) standsAlone() bool {
	named := len(c.target.groups) > 0 && !c.target.pronoun && !c.target.rest && !c.otherwise
	signed := c.amount != nil && c.amount.Sign != 0
	return named && (c.complete() && (c.ownWords() || signed) || c.excluding())
}
