package planning

import (
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// limitAfter reports whether the bound at i comes after what is asked for and
// stands by itself: "raise mugs by 8%, at most $20". It says nothing of which
// products are meant.
func (g *gatherer) limitAfter(i int) bool {
	at := g.boundWord(i)
	if at < 0 || len(g.actions) == 0 || g.symbols[i].Amount.Unit == english.Percent {
		return false
	}
	before, next := g.back(at), g.afterBound(i)
	after := g.class(next)
	asked := g.actions[len(g.actions)-1].chunk.sentence == g.sentence[i]
	switch class := g.class(before); {
	case class == english.Stop:
		return after == english.Stop
	case class == english.Amount && !g.bounds(before) && g.class(g.back(before)) != english.From, connects[class] && !g.orBand(before) && !g.orStock(before) && !g.rangeBefore(before) && !g.stockBefore(before): // "by 8% at most $20"
		return asked && (after == english.Stop || after == english.Then || connects[after] && !g.orBand(next))
	}
	return false
}

// rangeBefore reports whether the connector at i joins a bound to another one: "at
// least $40 but less than $90".
func (g *gatherer) rangeBefore(i int) bool {
	last := g.back(i)
	if class := g.class(last); class == english.AndUp || class == english.AndDown {
		last--
	}
	return g.class(last) == english.Amount && g.bounds(last) && !g.limitAfter(last)
}

// orStock reports whether the "or" at i joins a condition to one on the stock: "sold out
// or over $20".
func (g *gatherer) orStock(i int) bool {
	return strings.EqualFold(g.symbols[i].Text, "or") && g.class(g.back(i)) == english.Stock
}

// stockBefore reports whether the connector at i joins what follows to a condition on
// the stock: "if it is in stock and under $20".
func (g *gatherer) stockBefore(i int) bool {
	last := g.back(i)
	return g.class(i) == english.And && g.class(last) == english.Stock && !g.setsStock(last)
}

// connects are the classes that part what a sentence says.
var connects = [256]bool{english.Comma: true, english.And: true, english.But: true}

// boundWord is where the bound of the amount at i begins, or -1.
func (g *gatherer) boundWord(i int) int {
	switch at := g.back(i); g.class(at) {
	case english.AtMost, english.AtLeast, english.Under, english.Over:
		return at
	}
	if next := g.class(i + 1); next == english.AndUp || next == english.AndDown {
		return i
	}
	return -1
}

// afterBound is where the bound at i is over.
func (g *gatherer) afterBound(i int) int {
	next := g.ahead(i)
	for class := g.class(next); class == english.AndUp || class == english.AndDown || class == english.All || (class == english.AtMost || class == english.AtLeast) && g.class(g.ahead(next)) != english.Amount; class = g.class(next) {
		next = g.ahead(next)
	}
	return next
}

// limit reads a bound that comes after what is asked for as a limit of what prices
// rise to or fall to. One on the other side can be one of the amount as well.
func (g *gatherer) limit(i int) {
	value, bound := g.symbols[i].Amount.Number, g.class(g.back(i))
	switch kind := g.actions[len(g.actions)-1].kind; {
	case bound == english.AtMost && (kind == plan.PercentIncrease || kind == plan.FixedIncrease):
		g.add(i, &g.caps, value)
	case bound == english.AtLeast && (kind == plan.PercentDecrease || kind == plan.FixedDecrease):
		g.add(i, &g.floors, value)
	default:
		g.refuse(i)
	}
}
