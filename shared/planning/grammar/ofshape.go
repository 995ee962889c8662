package grammar

import "github.com/planwright/planwright/shared/planning/english"

// checkOfShape asks about a condition or an exception from symbol i on, which nothing
// parts from a rounding, an ending or a limit that stands apart from its rule: "up 5%,
// rounded to whole dollars if over $20" may round those only, and "up 5%, and round
// those over $20" does no more.
func (p *parser) checkOfShape(c *clause, i int) {
	if !c.complete() {
		return
	}
	last := p.back(i)
	for p.classAt(last) == english.Only || p.classAt(last) == english.Pronoun || p.classAt(last) == english.All {
		last = p.back(last)
	}
	waits := c.pending == english.Round
	if waits || last > c.amountAt && last == p.back(c.shapeEnd) && p.standsApart(c.shapeAt) {
		p.fail(scope, c.from, p.pos, "Does the end of %s say which products the whole rule is for, or only how far its rounding, ending or limit goes? Put it before that, or write two sentences.")
	}
}

// standsApart reports whether a connector parts the shape at symbol i from what is
// before it.
func (p *parser) standsApart(i int) bool {
	switch p.classAt(p.back(p.shapeFrom(i))) {
	case english.Comma, english.And, english.But:
		return true
	}
	return false
}

// shapeFrom is where the words begin whose rounding, ending or limit is at symbol i.
func (p *parser) shapeFrom(i int) int {
	for {
		switch before := p.back(i); p.classAt(before) {
		case english.Round, english.Nearest, english.To:
			i = before
		default:
			return i
		}
	}
}
