package planning

import (
	"slices"

	"github.com/planwright/planwright/shared/planning/english"
)

// shapesApart reports whether the "then" at i begins a rule that does no more than
// round or end the prices of products of its own: those of the shop after rules
// for some, or products that nothing else is said of.
func (g *gatherer) shapesApart(i int) bool {
	if g.class(i) != english.Then {
		return false
	}
	end := i + 1
	for g.class(end) != english.Stop && g.class(end) != english.Then {
		end++
	}
	if !g.onlyShapes(i+1, end) {
		return false
	}
	meant := i + 1
	for meant < end && g.class(meant) != english.Except {
		meant++
	}
	if slices.ContainsFunc(g.symbols[i+1:meant], named) {
		others := slices.Concat(g.symbols[:i], g.symbols[end:])
		return !slices.ContainsFunc(g.symbols[i+1:meant], func(s english.Symbol) bool { return named(s) && g.namedIn(others, s) })
	}
	return g.allFrom(i+1, meant) && !g.allFrom(0, i) && !g.ledAt(i) && slices.ContainsFunc(g.symbols[:i], named)
}

// onlyShapes reports whether the symbols between two round or end prices, and
// ask for nothing else.
func (g *gatherer) onlyShapes(from, end int) bool {
	shaped := false
	for k := from; k < end; k++ {
		switch g.class(k) {
		case english.Round, english.EndIn:
			shaped = true
		case english.Amount:
			if !shapes[g.class(g.back(k))] && g.class(k+1) != english.Digits && !g.bounds(k) {
				return false
			}
		case english.Up, english.Down, english.Times, english.Restock, english.Pronoun, english.Rest:
			return false
		}
	}
	return shaped
}

func named(s english.Symbol) bool {
	return s.Class == english.Name || s.Class == english.Category || s.Class == english.SKU
}

// namedIn reports whether symbols name the products that s names.
func (g *gatherer) namedIn(symbols []english.Symbol, s english.Symbol) bool {
	spelling := g.known.Spell(s.Text)
	return slices.ContainsFunc(symbols, func(other english.Symbol) bool {
		return named(other) && (other.Text == s.Text || other.Class != english.SKU && s.Class != english.SKU && g.known.Spell(other.Text).Same(spelling))
	})
}

// allFrom reports whether all products are spoken of between two symbols.
func (g *gatherer) allFrom(from, end int) bool {
	for k := from; k < end; k++ {
		switch g.class(k) {
		case english.Everything:
			return true
		case english.All:
			if next := g.class(g.ahead(k)); next == english.Price || next == english.Product {
				return true
			}
		}
	}
	return false
}

// ledAt reports whether names lead the sentence of i.
func (g *gatherer) ledAt(i int) bool {
	for g.class(i-1) != english.Stop {
		i--
	}
	return g.namesLeadTo(i) > i
}
