package planning

import (
	"strings"

	"github.com/planwright/planwright/shared/planning/english"
)

// leaveOut marks the symbols that an exclusion covers: from "except" or "do
// not change" to the next verb or amount, and back from "alone".
func (g *gatherer) leaveOut() {
	g.out = make([]bool, len(g.symbols))
	out, predicate := false, false // "is not in mugs"
	for i := range g.symbols {
		switch class := g.class(i); class {
		case english.DoNot:
			out = true
			if next := g.ahead(i); g.class(next) == english.Change && g.ends(next+1) { // "mats should not change"
				g.backwards(next)
			}
		case english.Except, english.Leave, english.Skip, english.NoChange, english.Unless:
			out = true
			before := g.class(g.back(i))
			predicate = class == english.Except && (before == english.Copula || before == english.Rel)
			next := g.class(g.ahead(i))
			if ends := next == english.Stop || next == english.Comma; class == english.Leave && ends && (g.class(i-1) == english.Colon || stays(g.symbols[i].Text)) { // "mugs: leave", "mugs stay"
				g.backwards(i)
			}
			if before := g.class(i - 1); class == english.NoChange && (before == english.Colon || before == english.Name || before == english.Category || before == english.SKU) {
				g.backwards(i)
			}
		case english.Stop, english.By, english.Then, english.As, english.Which:
			out = false
		case english.Copula: // "everything except locks is out of stock"
			out = out && !(g.class(g.ahead(i)) == english.Stock && !g.conditional(g.ahead(i)))
		case english.Rel:
			predicate = false
		case english.And: // "is not in mugs and costs at least $10"
			out = out && !(predicate && g.class(g.ahead(i)) == english.Copula)
		case english.To:
			next := g.ahead(i)
			out = out && (g.class(next) != english.Stock || g.describes(next)) && g.class(next) != english.Amount // "no changes to sold-out mugs"
		case english.But:
			before := g.class(g.back(i))
			next := g.ahead(i)
			stock := g.class(next) == english.Stock
			if stock { // but the sold-out mugs, but the sold-out ones
				next = g.ahead(next)
			}
			named := g.isName(next) || stock && g.class(next) == english.Product
			out = named && (before == english.Everything || before == english.Product || before == english.Price || g.class(i-1) == english.All || g.allNamed(i)) && !g.amountBefore(i, g.sentence[i], true)
			out = out || named && !g.amountAfter(i)
		case english.Amount:
			out = out && g.bounds(i)
		case english.Up, english.Down, english.Do, english.Change, english.Times:
			out = out && g.class(g.back(i)) == english.DoNot || out && g.class(g.back(i)) == english.Except
		case english.Comma: // "except for A101, all mugs ..."
			next := g.ahead(i)
			rule := g.class(next) == english.All || g.class(next) == english.Everything || g.predicated(next)
			out = out && (g.class(g.back(i)) != english.Alone || g.namesTrail(i)) && !(rule && (g.beginsWith(i, english.Except) || g.beginsWith(i, english.Unless)))
		case english.All: // "apart from A101 all mugs ..."
			before := g.class(g.back(i))
			out = out && !(g.beginsWith(i, english.Except) && (before == english.SKU || before == english.Name || before == english.Category))
		case english.Rest: // "do not touch mugs, everything else ..."
			out = out && !(g.class(g.back(i)) == english.Comma && g.amountAfter(i))
		case english.Alone:
			g.backwards(i)
		}
		g.out[i] = out
	}
}

// ends reports whether nothing is said from i to the end of the sentence: "though".
func (g *gatherer) ends(i int) bool {
	for g.class(i) == english.Comma || g.class(i) == english.But || g.class(i) == english.Noise {
		i++
	}
	return g.class(i) == english.Stop
}

// stays reports whether words say by themselves that something stays as it is.
func stays(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	switch words[len(words)-1] {
	case "stay", "stays", "remain", "remains":
		return true
	}
	return false
}

// predicated reports whether the name at i is one that something is said of at
// once: "mugs get 5% off".
func (g *gatherer) predicated(i int) bool {
	if !g.isName(i) {
		return false
	}
	for next := g.ahead(i); g.class(next) == english.And && g.isName(g.ahead(next)); next = g.ahead(i) { // tea and coffee get ...
		i = g.ahead(next)
	}
	switch g.class(g.ahead(i)) {
	case english.Do, english.Copula, english.Amount:
		return true
	}
	return false
}

func (g *gatherer) isName(i int) bool {
	class := g.class(i)
	return class == english.Name || class == english.Category || class == english.SKU
}

// chunkHas reports whether a class stands in the chunk of i.
func (g *gatherer) chunkHas(i int, class english.Class) bool {
	for k := i; k >= 0 && g.chunks[k] == g.chunks[i]; k-- {
		if g.class(k) == class {
			return true
		}
	}
	return false
}

// beginsWith reports whether a class is the first of the sentence of i.
func (g *gatherer) beginsWith(i int, class english.Class) bool {
	for g.class(i-1) != english.Stop {
		i--
	}
	return g.class(g.ahead(i-1)) == class
}

// allNamed reports whether what is named right before i is "all" of it: all
// watches but W-1.
func (g *gatherer) allNamed(i int) bool {
	for i = g.back(i); g.class(i) == english.Name || g.class(i) == english.Category; {
		for i--; g.class(i) == english.Noise; i-- {
		}
		if g.class(i) == english.All {
			return true
		}
	}
	return false
}

// amountBefore reports whether the sentence has an amount before i that is no
// amount off everything named right before "but".
func (g *gatherer) amountBefore(i, sentence int, leadingOff bool) bool {
	for k := i - 1; k >= 0 && g.sentence[k] == sentence; k-- {
		if g.class(k) == english.Amount || g.class(k) == english.Times {
			return !leadingOff || g.amountAfter(i)
		}
	}
	return false
}

func (g *gatherer) amountAfter(i int) bool {
	for k := i + 1; k < len(g.symbols) && g.class(k) != english.Stop; k++ {
		if g.class(k) == english.Amount && !shapes[g.class(g.back(k))] || g.class(k) == english.Times {
			return true
		}
	}
	return false
}

// shapes are the classes before an amount that only shapes prices.
var shapes = [256]bool{english.Nearest: true, english.Round: true, english.EndIn: true, english.Floor: true, english.Cap: true}

// backwards marks "accessories" in "accessories stay unchanged".
func (g *gatherer) backwards(i int) {
	for k := i - 1; k >= 0 && g.sentence[k] == g.sentence[i]; k-- {
		switch g.class(k) {
		case english.But, english.Then, english.By:
			return
		case english.Amount:
			if !g.bounds(k) { // "anything over $50 stays the same"
				return
			}
		case english.Comma:
			if g.symbols[k].Text == "(" || g.chunkHas(k-1, english.Amount) || g.chunkHas(k-1, english.RoundUnit) || g.chunkHas(k-1, english.NoDigits) || g.class(g.ahead(k)) == english.Stock {
				return
			}
		case english.Leave:
			next := g.ahead(k)
			for g.class(next) == english.Pronoun { // "mugs under $5: leave those alone"
				next = g.ahead(next)
			}
			if next != i { // "leave yoga alone": what comes before is another rule
				return
			}
		}
		g.out[k] = true
	}
}

// exceptBefore reports whether the sentence before that of i leaves something out.
func (g *gatherer) exceptBefore(i int) bool {
	for k := i - 1; k >= 0 && g.sentence[k] >= g.sentence[i]-1; k-- {
		if class := g.class(k); g.sentence[k] == g.sentence[i]-1 && (class == english.Except || class == english.Unless) {
			return true
		}
	}
	return false
}

// takesBack reports whether a sentence says no more than "do not", "not today"
// or "hold on", which takes back what was asked for before it.
func (g *gatherer) takesBack(i int) bool {
	if g.class(g.ahead(i)) == english.Pronoun && g.exceptBefore(i) { // "... unless sold out. Leave those."
		return false
	}
	for k := i - 1; g.class(k) != english.Stop; k-- {
		if g.class(k) != english.Noise && g.class(k) != english.Comma {
			return false
		}
	}
	for k := i + 1; g.class(k) != english.Stop; k++ {
		switch g.class(k) {
		case english.Noise, english.Comma, english.In, english.To, english.Do, english.Pronoun:
		default:
			return false
		}
	}
	return true
}

// namesTrail reports whether "and" and names are all that is left of the sentence
// from the comma at i on: "leave tea alone, and coffee".
func (g *gatherer) namesTrail(i int) bool {
	if g.class(g.ahead(i)) != english.And {
		return false
	}
	for i++; ; i++ {
		switch g.class(i) {
		case english.Noise, english.And, english.Comma, english.Name, english.Category, english.SKU:
		default:
			return g.class(i) == english.Stop
		}
	}
}
