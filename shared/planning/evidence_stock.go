package planning

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning/english"
)

// stock parts what is to be set from the conditions.
func (g *gatherer) stock(i int) {
	symbol := g.symbols[i]
	value := symbol.Sense == english.InStock
	if g.setsStock(i) {
		g.act(i, said{kind: plan.SetStock, stock: value})
		return
	}
	g.chunks[i].stocked = true
	g.stocks = append(g.stocks, stock{place: g.place(i), means: value != g.out[i], text: quoted(symbol.Text)})
}

// leads reports whether the symbol at i is part of the conditions that a
// sentence begins with, up to a comma or colon, and that hold for all of it:
// "for in-stock items, ...", "under $20: yoga ...", "only touch what is in stock: ...".
func (g *gatherer) leads(i int) bool {
	s := g.sentence[i]
	if g.leadEnds[s] == 0 {
		first := i
		for g.class(first-1) != english.Stop {
			first--
		}
		g.leadEnds[s] = 1 + g.leadEnd(g.ahead(first-1))
	}
	return i < g.leadEnds[s]-1
}

// leadEnd is the end of the conditions that lead what follows from i on, or i.
func (g *gatherer) leadEnd(i int) int {
	opener := openers[g.class(i)]
	end, last := i, i
	if opener {
		end++
	}
	for ; ; end++ {
		mark := g.class(end) == english.Comma || g.class(end) == english.Colon
		ofBand := g.class(end) == english.Colon && g.bandAt(end+1) // "in stock: under $20 +5%, $20 and up +3%"
		switch {
		case mark && (opener && last == i || g.namesAfter(end) || ofBand):
			last = end
		case !mark && !g.conditions(end):
			return last
		}
	}
}

// leadsOver is the sentence after the last that what leads the one of the symbol at i
// may hold for: those that a colon or semicolon joins to it, and that say nothing of
// the kind themselves.
func (g *gatherer) leadsOver(i int) int {
	s := g.sentence[i]
	colon := g.class(g.leadEnds[s]-1) == english.Colon
	for k := i; k < len(g.symbols); k++ {
		switch class := g.class(k); {
		case class == english.Stop && !colon && g.symbols[k].Text != ";":
			return g.sentence[k]
		case g.sentence[k] > s && (class == english.Stock || class == english.Amount && g.bounds(k)):
			return g.sentence[k]
		}
	}
	return g.sentences
}

// openers are the classes of the words before what leads a sentence.
var openers = [256]bool{english.For: true, english.In: true, english.Of: true, english.If: true, english.Unless: true, english.Except: true, english.Skip: true, english.Leave: true}

// bandAt reports whether a range of prices stands at i.
func (g *gatherer) bandAt(i int) bool {
	for g.class(i) == english.Noise || g.class(i) == english.Price {
		i++
	}
	switch g.class(i) {
	case english.Under, english.Over, english.AtLeast, english.AtMost, english.Between:
		return true
	}
	return g.class(i) == english.Amount && g.bounds(i)
}

// leadAnew marks the chunks from a second condition on that leads: "for items
// under $20: 5% off, for items over $20: 10% off".
func (g *gatherer) leadAnew() {
	anew, said := false, false
	for i, now := range g.chunks {
		switch g.class(i) {
		case english.Stop:
			anew, said = false, false
		case english.Amount, english.Stock:
			said = true
		case english.For, english.In, english.If:
			connector := g.class(g.back(i))
			joined := connector == english.Comma || connector == english.And || connector == english.But
			anew = anew || said && joined && slices.ContainsFunc(g.symbols[i:g.leadEnd(i)], func(s english.Symbol) bool { return s.Class == english.Amount || s.Class == english.Stock })
		}
		now.anew = now.anew || anew
	}
}

// conditions reports whether the symbol at i names no products, but may say
// which are meant.
func (g *gatherer) conditions(i int) bool {
	switch g.class(i) {
	case english.Noise, english.All, english.Only, english.Product, english.Price, english.Rel, english.Copula, english.Pronoun, english.Everything, english.Stock,
		english.Up, english.Down, english.Change, english.Do, english.Of, english.If, english.For, english.In, english.From,
		english.Under, english.Over, english.AtLeast, english.AtMost, english.Between, english.AndUp, english.AndDown:
		return true
	case english.Amount:
		return g.bounds(i)
	}
	return g.between(i)
}

// namesAfter reports whether the rule after i names products.
func (g *gatherer) namesAfter(i int) bool {
	for i++; ; i++ {
		switch g.class(i) {
		case english.Name, english.Category, english.SKU:
			return true
		case english.Stop, english.Comma, english.And, english.But, english.Then:
			return false
		}
	}
}

func (g *gatherer) setsStock(i int) bool {
	if g.class(i) == english.Restock {
		return true
	}
	lower := strings.ToLower(g.symbols[i].Text)
	switch g.class(g.back(i)) {
	case english.As, english.To:
		return !g.out[i] && !g.describes(i)
	case english.Copula:
		return !g.out[i] && !g.describes(i) && !g.conditional(i)
	case english.Colon:
		return !g.describes(i)
	case english.Rel, english.If, english.Unless:
		return false
	}
	if strings.HasPrefix(lower, "back") || strings.HasSuffix(lower, "again") {
		return true
	}
	return !g.out[i] && !g.describes(i) && !g.changesStock(i) && (g.doing(i) || g.told(i))
}

// changesStock reports whether the other stock follows the one at i as what it becomes:
// "mark everything out of stock as in stock".
func (g *gatherer) changesStock(i int) bool {
	link := g.ahead(i)
	other := g.ahead(link)
	return (g.class(link) == english.As || g.class(link) == english.To) && g.class(other) == english.Stock && g.symbols[other].Sense != g.symbols[i].Sense && !g.describes(other)
}

// told reports whether a stock word right after a name is all that the
// instruction says of it: "A101 sold out", with no amount anywhere, and not "round
// mugs in stock to whole dollars".
func (g *gatherer) told(i int) bool {
	switch g.class(i - 1) {
	case english.Name, english.Category, english.SKU:
	default:
		return false
	}
	for k := i; g.class(k) != english.Stop; k-- {
		if class := g.class(k); class == english.Round || class == english.EndIn {
			return false
		}
	}
	return g.inSeries(i) || !slices.ContainsFunc(g.symbols, func(s english.Symbol) bool {
		return s.Class == english.Amount || s.Class == english.Times || s.Class == english.Only || s.Class == english.If
	})
}

// inSeries reports whether the stock word at i ends a rule among others that
// each begin with their products: "A101 sold out, A102 down 10%".
func (g *gatherer) inSeries(i int) bool {
	next := g.class(g.ahead(i))
	if g.symbols[i].Sense != english.OutOfStock || next != english.Comma && next != english.Stop {
		return false
	}
	for k := i; k >= 0 && g.class(k) != english.Stop; k-- {
		switch g.class(k) {
		case english.Do, english.Change, english.Only, english.If, english.For, english.Restock:
			return false
		case english.Up, english.Down:
			if g.class(k-1) == english.Stop || k == 0 {
				return false
			}
		}
	}
	return true
}

// conditional reports whether "if" or "that cost" stands before i, with no
// verb or amount of a change between: "if a product is out of stock".
func (g *gatherer) conditional(i int) bool {
	copula, bounded := false, false
	for k := i - 1; k >= 0 && g.sentence[k] == g.sentence[i]; k-- {
		switch class := g.class(k); {
		case class == english.Copula:
			copula = true
		case class == english.Stock && copula: // "mugs that are sold out should be marked as available"
			return false
		case class == english.If:
			return true
		case class == english.Rel:
			return !bounded
		case class == english.Amount && g.class(g.ahead(k)) == english.Copula: // "mugs priced above $9 should be marked as available"
			bounded = true
		case wayOf(class) != 0 || class == english.Do || class == english.Amount && !g.bounds(k):
			return false
		}
	}
	return false
}

// describes reports whether the stock word stands before the products it is
// about.
func (g *gatherer) describes(i int) bool {
	switch g.class(g.ahead(i)) {
	case english.Name, english.Category, english.SKU, english.Product, english.Price, english.CatNoun, english.SKUNoun:
		return true
	}
	return false
}

// doing reports whether the words before a stock word ask to set something
// that no amount has been given for.
func (g *gatherer) doing(i int) bool {
	verb := false
	for k := i - 1; k >= 0 && g.sentence[k] == g.sentence[i]; k-- {
		switch g.class(k) {
		case english.Amount:
			return verb || g.bounds(k) && g.verbBefore(k)
		case english.Do, english.Change:
			verb = true
		case english.Up, english.Down:
			return verb
		}
	}
	return verb && !g.pricedAfter(i)
}

func (g *gatherer) verbBefore(k int) bool {
	for ; k >= 0 && g.class(k) != english.Stop; k-- {
		if g.class(k) == english.Do {
			return true
		}
	}
	return false
}

// pricedAfter reports whether an amount follows in the same chunk: "set yoga
// in stock to $15".
func (g *gatherer) pricedAfter(i int) bool {
	for k := i + 1; k < len(g.symbols) && g.chunks[k] == g.chunks[i]; k++ {
		if g.class(k) == english.Amount && !g.bounds(k) {
			return true
		}
	}
	return false
}
