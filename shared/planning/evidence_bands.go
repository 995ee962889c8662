package planning

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning/english"
)

// between reports whether a connector parts the two ends of a price range.
func (g *gatherer) between(i int) bool {
	return g.class(i-1) == english.Amount && g.class(g.back(i-1)) == english.Between
}

// orBand reports whether "or" joins two ranges of prices at i: under $5 or over
// $50.
func (g *gatherer) orBand(i int) bool {
	if english.OrBand(g.symbols, i) == i {
		return false
	}
	last := g.back(i)
	if after := g.class(last); after == english.AndUp || after == english.AndDown {
		last--
	}
	return g.class(last) == english.Amount && g.bounds(last)
}

// joinBands reads the second of two ranges of prices and returns the last symbol
// of it. A rule has one of them in each of its operations.
func (g *gatherer) joinBands(i int) int {
	before := 1
	if last := g.back(i); g.between(g.back(last)) {
		before = 2
	}
	first := g.numbers[len(g.numbers)-before:]
	k := english.OrBand(g.symbols, i)
	for g.class(k) != english.Amount {
		k = g.read(k) + 1
	}
	k = g.read(k)
	second := g.numbers[len(first)+slices.Index(g.numbers, first[0]):]
	for _, n := range first {
		n.either = second
	}
	for _, n := range second {
		n.either = first
	}
	return k
}

// bounds reports whether the amount at i is part of a bound.
func (g *gatherer) bounds(i int) bool {
	switch g.class(g.back(i)) {
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between, english.Exactly, english.NotUnder, english.NotOver, english.Rel:
		return true
	}
	next := g.class(i + 1)
	return g.pricedItems(i) || next == english.AndUp || next == english.AndDown || g.between(i-1) || g.isRange(i) || g.isRange(i-2)
}

// pricedItems reports whether the amount at i is what products cost: "$9.99
// items", "everything at $9.99" before the amount of a change.
func (g *gatherer) pricedItems(i int) bool {
	if g.symbols[i].Amount.Unit == english.Money && g.class(i+1) == english.Product && strings.HasSuffix(strings.ToLower(g.symbols[i+1].Text), "s") {
		return !g.amountBefore(i, g.sentence[i], false)
	}
	if next := g.class(i + 1); (next == english.Name || next == english.Category) && g.symbols[i].Amount.Unit == english.Money && g.predicated(i+1) && g.chunkAmountAfter(i) && (g.class(g.back(i)) == english.Stop || g.class(g.back(i)) == english.Comma) {
		return true // "$25 mugs go to $22"
	}
	at := g.back(i)
	switch g.class(g.back(at)) {
	case english.Everything, english.Product, english.Category, english.Name:
		return g.class(at) == english.At && g.chunkAmountAfter(i)
	}
	return false
}

// chunkAmountAfter reports whether an amount follows in the same chunk.
func (g *gatherer) chunkAmountAfter(i int) bool {
	for k := i + 1; k < len(g.symbols) && g.chunks[k] == g.chunks[i]; k++ {
		if g.class(k) == english.Amount {
			return true
		}
	}
	return false
}

func (g *gatherer) isRange(i int) bool {
	return i >= 0 && g.class(i) == english.Amount && g.class(i+2) == english.Amount && g.symbols[i].Amount.Unit != english.Percent && g.class(g.back(i)) != english.Exactly &&
		(g.class(i+1) == english.Dash || english.LeadingRange(g.symbols, i) || g.class(i+1) == english.To && (g.class(g.back(i)) == english.Rel || g.class(g.back(i)) == english.In) || g.class(i+1) == english.Comma && strings.Trim(g.symbols[i+1].Text, "-–—") == "")
}
