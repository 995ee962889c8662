package grammar

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// checkLoose asks whether a modifier at the end of a sentence of several rules
// belongs to the last or to all.
func (p *parser) checkLoose(c *clause, clauses []*clause, earlier []operation) {
	if c.looseAt == 0 {
		return
	}
	count, last, firm := 0, c, 0
	shapes := p.onlyShapes(c.looseAt, c.to)
	for _, other := range clauses {
		if shapes && slices.ContainsFunc(earlier, func(op operation) bool { return op.clause == other && op.setsWithin(c.options) }) {
			continue
		}
		if other.sentence == c.sentence && (other.complete() && (other.prices() || !shapes) || other.shapesOwn() && !shapes) {
			count, last = count+1, other
			if other.looseAt == 0 {
				firm++
			}
		}
	}
	if count > 1 && last == c && firm > 0 {
		p.fail(scope, c.looseAt, c.to, "Does %s belong to the last rule of the sentence only, or to all of them? Put it in a sentence of its own for all, or part the rules into sentences.")
	}
}

// setsWithin reports whether an operation sets a price that limits, a rounding or an
// ending would leave as it is, so that they say nothing of it: "set A101 to $12 and take
// 10% off mugs, never below $5".
func (op *operation) setsWithin(o options) bool {
	return op.action.Type == plan.SetPrice && o.keep(op.action.Value)
}

// onlyShapes reports whether symbols say how prices shall look, and so nothing of a
// rule for the stock: "mark A101 as sold out and cut mugs by 5%, never below $8".
func (p *parser) onlyShapes(from, to int) bool {
	for i := from; i < to; i++ {
		switch class := p.classAt(i); class {
		case english.Noise, english.Comma, english.And, english.But, english.With, english.To, english.At, english.Of, english.In, english.Amount, english.Price,
			english.Nearest, english.RoundUnit, english.NoDigits, english.Digits, english.AtLeast, english.AtMost:
		default:
			if !shaping(class) {
				return false
			}
		}
	}
	return true
}
