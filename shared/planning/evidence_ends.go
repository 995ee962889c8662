package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/planning/english"
)

// What says how prices shall look after the last rule of a sentence, and a comma parts from
// it, is no more of that one than of those before: it is of all of them, unless they say so
// themselves, or the last is for what "then" comes after them.

// sharedEnds marks the chunks that end a sentence in what is of all of its rules.
func (g *gatherer) sharedEnds() {
	for _, c := range g.chunks {
		if before := c.before; before != nil && !before.acts() && !before.names {
			c.parted = c.parted || before.parted
			c.turns = c.turns || before.turns && c.outNames
		}
	}
	for _, shaping := range [][]*number{g.floors, g.caps, g.endings} {
		for _, n := range shaping {
			n.chunk.endsAll()
		}
	}
	for i := range g.roundings {
		g.roundings[i].chunk.endsAll()
	}
	for i := range g.stocks {
		g.stocks[i].chunk.endsAll()
	}
	for _, n := range slices.Concat(g.lower, g.upper) {
		n.chunk.endsAll()
	}
}

// forAllNamed reports whether "for" at i ends rules in which of their products are meant:
// "mugs by 5% and hats by 3% for anything in stock".
func (g *gatherer) forAllNamed(i int) bool {
	amount := g.back(i)
	if g.class(i) != english.For || g.class(amount) != english.Amount || g.bounds(amount) || !slices.ContainsFunc(g.symbols[:amount], named) {
		return false
	}
	all, stocked := false, false
	for i++; g.conditions(i); i++ {
		class := g.class(i)
		all, stocked = all || class == english.Everything || class == english.Product, stocked || class == english.Stock
	}
	return all && stocked && (g.class(i) == english.Stop || connects[g.class(i)] && !g.amountAfter(i))
}

// endsAll marks a chunk that is of all rules of its sentence.
func (c *chunk) endsAll() {
	if !c.parted || c.acts() || c.names || c.earlier == nil || c.earlier.then || c.later != nil {
		return
	}
	for own := c.earlier; own != nil; own = own.before {
		if own.shapes {
			return
		}
	}
	c.all = true
}

// turns reports whether the connector at i begins what is left out of what was said before
// it: "but", or a comma and "except".
func (g *gatherer) turns(i int) bool {
	return g.class(i) == english.But || g.class(i) == english.Comma && g.class(g.ahead(i)) == english.Except
}

// midst reports whether a chunk stands between two rules and turns from the first, so that
// what it leaves out is left out of those before it alone: "raise mugs by 5%, but leave A101
// as it is, and take 3% off hats".
func (c *chunk) midst() bool {
	return c.turns && !c.acts() && c.earlier != nil && c.later != nil && !c.namedSince(c.earlier)
}

// leavesAll reports whether a chunk ends a sentence with what all of its rules leave alone:
// "raise mugs by 5% and hats by 3%, but leave A101 as it is".
func (c *chunk) leavesAll() bool {
	return c.parted && c.leaves && !c.acts() && c.earlier != nil && c.later == nil && !c.namedSince(c.earlier)
}

// leavesPrices reports whether a chunk, or one before it of what is left alone, speaks of
// prices, which a change of stock leaves alone: "do not change the price of A101 or A102".
func (c *chunk) leavesPrices() bool {
	for ; c != nil && !c.acts(); c = c.before {
		if c.one || c.every {
			return true
		}
	}
	return false
}

// namedSince reports whether products that are meant are named in a chunk or after an
// earlier one.
func (c *chunk) namedSince(earlier *chunk) bool {
	for ; c != earlier; c = c.before {
		if c.names {
			return true
		}
	}
	return false
}

// precedes reports whether a chunk stands before another of its sentence.
func (c *chunk) precedes(other *chunk) bool {
	return c.sentence == other.sentence && c.index < other.index
}

// reaches reports whether what is said of all in a chunk is of another: between two rules
// it is of those before it.
func (c *chunk) reaches(acting *chunk) bool {
	return c.earlier == nil || c.later == nil || acting.precedes(c)
}
