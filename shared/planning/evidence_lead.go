package planning

import "github.com/planwright/planwright/shared/planning/english"

// lead marks the names that lead a sentence, "for toys: under $10 ...", "except for
// toys, ...", and the chunks that have no others of what is meant.
func (g *gatherer) lead() {
	for first := range g.symbols {
		end := g.namesLeadTo(first)
		if end == first {
			continue
		}
		led := false
		for i := range g.mentions {
			if n := &g.mentions[i]; n.at >= first && n.at < end {
				n.leads, led = true, led || !n.out
			}
		}
		for c := g.chunks[end]; led && c != nil; c = c.after {
			c.led = !c.names && !c.rest && !c.anew
		}
	}
}

// verbAt reports whether a verb for what shall change stands at i.
func (g *gatherer) verbAt(i int) bool {
	class := g.class(i)
	return class == english.Do || class == english.Change || wayOf(class) != 0 && g.symbols[i].Sense != english.Particle
}

// leadsNamed reports whether the symbol at i stands among the names that lead its sentence:
// "for in-stock toys, ...".
func (g *gatherer) leadsNamed(i int) bool {
	first := i
	for g.class(first-1) != english.Stop {
		first--
	}
	return i < g.namesLeadTo(first)
}

// namesLeadTo is the end of the names that lead the sentence that begins at first,
// or first.
func (g *gatherer) namesLeadTo(first int) int {
	if g.class(first-1) != english.Stop {
		return first
	}
	i := first
	for g.class(i) == english.Noise {
		i++
	}
	opened := openers[g.class(i)]
	if opened {
		i++
	}
	for ; ; i++ {
		switch g.class(i) {
		case english.Name, english.Category, english.SKU, english.And, english.Noise, english.All, english.Stock, english.Rel, english.CatNoun, english.SKUNoun, english.Product, english.Price, english.In, english.Alone:
		case english.Comma:
			if !g.isName(g.ahead(i)) && g.class(g.ahead(i)) != english.And {
				if !opened {
					return first
				}
				return i
			}
		case english.Colon:
			return i
		default:
			return first
		}
	}
}
