package reader

import (
	"slices"
	"strings"
	"unicode"
)

// A draft is made of the parts that the chart has finished, also where they make no whole.
// The cover is a cheapest way through the text over such parts.

// fragmentKind says what a part of a cover is.
type fragmentKind uint8

const (
	ruleParts     fragmentKind = iota // one rule or several
	shortParts                        // the same, without their products
	targetPart                        // products
	headPart                          // products that what follows is for
	conditionPart                     // a condition on products
	optionPart                        // limits, roundings, exceptions
	amountPart                        // an amount alone
	verbPart                          // how prices change, by no amount
)

// fragment is words of the instruction with what they mean.
type fragment struct {
	piece
	kind    fragmentKind
	symbol  string
	meaning *meaning
	several []*meaning // all that the words mean at that cost
}

// partSymbols are the symbols of the grammar that a cover may use, the largest first, with
// what one costs.
var partSymbols = []struct {
	symbol string
	kind   fragmentKind
	cost   int
}{
	{"sentence", ruleParts, 20},
	{"clauses", ruleParts, 24},
	{"gap", ruleParts, 30},
	{"more", ruleParts, 34},
	{"shorts", shortParts, 34},
	{"lead", headPart, 36},
	{"who", targetPart, 36},
	{"adjuncts", optionPart, 36},
	{"conds", conditionPart, 40},
	{"onsale", conditionPart, 40},
	{"any", amountPart, 46},
	{"UP", verbPart, 60},
	{"DOWN", verbPart, 60},
	{"RISE", verbPart, 60},
	{"DISCOUNT", verbPart, 60},
	{"HIGHER", verbPart, 60},
	{"LOWER", verbPart, 60},
}

// Costs of words that no part uses.
const (
	costUnused = 100 // a word
	costMark   = 1
)

// maxWhole is how many tokens a text has that is looked at as a whole. A longer one is looked
// at sentence by sentence, for the work grows faster than the text.
const maxWhole = 60

// cover returns the parts of a cheapest way through the text, in their order.
func (t *text) cover() (path []fragment) {
	if len(t.tokens) <= maxWhole && !t.crowded {
		return t.coverOf(piece{0, len(t.tokens)})
	}
	for from := 0; from < len(t.tokens); {
		s := t.sentence(from)
		if from = s.end + 1; s.from < s.end {
			path = append(path, t.coverOf(s)...)
		}
	}
	return path
}

// coverOf is the cover of some tokens.
func (t *text) coverOf(window piece) []fragment {
	c := newChartOf(t.lex.grammar, t.edges, t.skips, window)
	defer c.release()
	c.limit = maxCovered
	banned := map[place]bool{}
	for {
		path := t.cheapestPath(c, window, banned)
		meaningless := false
		for i := range path {
			p := &path[i]
			symbol := t.lex.grammar.numbers[p.symbol]
			if p.several = cheapestOf(c.meanings(symbol, p.from, p.end)); p.several == nil {
				banned[placed(symbol, 0, p.from, p.end)] = true
				meaningless = true
				continue
			}
			p.meaning = p.several[0]
		}
		if !meaningless {
			return path
		}
	}
}

// cheapestOf are the meanings of the least cost.
func cheapestOf(all []*meaning) (cheapest []*meaning) {
	for _, m := range all {
		switch {
		case cheapest == nil || m.cost < cheapest[0].cost:
			cheapest = []*meaning{m}
		case m.cost == cheapest[0].cost:
			cheapest = append(cheapest, m)
		}
	}
	return cheapest
}

// step is where a way through the text goes on from a token.
type step struct {
	cost int
	end  int
	part fragment // without a symbol: words that no part uses
}

// cheapestPath finds the way from the last token to the first: from each one the cheapest
// part, filler that is passed over, or a word that nothing uses.
func (t *text) cheapestPath(c *chart, window piece, banned map[place]bool) []fragment {
	n := window.end
	best := make([]step, n+1)
	for at := n - 1; at >= window.from; at-- {
		best[at] = step{t.unusedCost(at) + best[at+1].cost, at + 1, fragment{}}
		for _, skip := range t.skips[at] {
			if skip.end > at && skip.end <= n && best[skip.end].cost < best[at].cost {
				best[at] = step{best[skip.end].cost, skip.end, fragment{}}
			}
		}
		for _, s := range partSymbols {
			symbol := t.lex.grammar.numbers[s.symbol]
			for _, end := range c.ends(symbol, at) {
				if end <= at || end > n {
					continue
				}
				cost := s.cost + best[end].cost
				if cost < best[at].cost && !banned[placed(symbol, 0, at, end)] {
					best[at] = step{cost, end, fragment{
						piece:  piece{at, end},
						kind:   s.kind,
						symbol: s.symbol,
					}}
				}
			}
		}
	}
	var path []fragment
	for at := window.from; at < n; at = best[at].end {
		if p := best[at].part; p.symbol != "" {
			path = append(path, t.priced(p))
		}
	}
	return path
}

// priced takes a number behind a colon for an amount, which could be a SKU: Creatine: 1099.
func (t *text) priced(p fragment) fragment {
	isAmount := slices.ContainsFunc(
		t.edges[p.from],
		func(e edge) bool { return e.end == p.end && e.meaning.symbol == "NUMBER" },
	)
	if p.kind == targetPart && isAmount && t.norm(p.from-1) == ":" {
		p.kind, p.symbol = amountPart, "any"
	}
	return p
}

func (t *text) unusedCost(at int) int {
	if t.isPunctuation(at) {
		return costMark
	}
	return costUnused
}

// isPunctuation reports whether a token says nothing by itself. A percent sign and one of a
// currency are no punctuation: 40% is not 40.
func (t *text) isPunctuation(at int) bool {
	isSign := func(c rune) bool { return c == '%' || unicode.Is(unicode.Sc, c) }
	return t.tokens[at].kind == mark && !strings.ContainsFunc(t.tokens[at].text, isSign)
}

// unused are the words of each sentence that neither a part nor filler has, one after another.
func (t *text) unused(path []fragment) (all []piece) {
	free, used := make([]bool, len(t.tokens)), make([]bool, len(t.tokens))
	for at := range free {
		free[at] = !t.isPunctuation(at)
	}
	for _, p := range path {
		for at := p.from; at < p.end; at++ {
			free[at], used[at] = false, true
		}
	}
	for at := range t.tokens {
		for _, skip := range t.skips[at] {
			if !slices.Contains(used[at:skip.end], true) {
				clear(free[at:skip.end])
			}
		}
	}
	for at := 0; at < len(free); at++ {
		if !free[at] {
			continue
		}
		from := at
		for at < len(free) && free[at] {
			at++
		}
		all = append(all, piece{from, at})
	}
	return all
}
