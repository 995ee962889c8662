package reader

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// Prices may be rounded to multiples of a step, and up or down alone. Instructions have no words of
// the grammar for that, so that what they say of it is a supposition.

// roundings adds what phrases may say of how to round: to the nearest 50, always down to .99, up to
// the next 5, ending in 9.
func (t *text) roundings() {
	for i := range t.tokens {
		for _, r := range t.roundingsAt(i) {
			t.guessedEdge("NOCENTS", r.piece, r.said, "how prices are rounded")
		}
	}
}

// rounded is words with how they round.
type rounded struct {
	piece
	said clause
}

// roundingsAt are what the phrase that begins at a token may say of rounding.
func (t *text) roundingsAt(from int) (all []rounded) {
	at := t.after(from, "CAUSE")
	at = t.after(at, "ROUND", "ROUNDED")
	at = t.after(at, "PRICES", "THEM")
	way, at := t.wayToRound(at)
	to := t.norm(at) == "to"
	if to {
		at++
	}
	for t.norm(at) == "the" || t.norm(at) == "a" {
		at++
	}
	nearest := t.norm(at) == "nearest"
	if t.steps(at) {
		way, nearest = plan.RoundUp, true
	}
	if nearest {
		at++
	}
	if !nearest && way == "" || !nearest && !to {
		return t.endsIn(from)
	}
	for _, e := range t.edges[min(at, len(t.tokens)-1)] {
		said, fits := clause{shaping: shaping{round: e.meaning.round, rounding: way}}, at < len(t.tokens)
		switch symbol := e.meaning.symbol; {
		case symbol == "ROUNDUNIT":
			fits = fits && way != ""
		case symbol == "ENDUNIT":
			said.ending = e.meaning.ending
			fits = fits && way != ""
		case symbol == "NUMBER" || symbol == "PRICENUM":
			fits = fits && said.roundTo(e.meaning.amount.number, nearest)
		default:
			continue
		}
		if fits {
			all = append(all, rounded{piece{from, t.after(e.end, "ENDNOUN")}, said})
		}
	}
	return all
}

// roundTo takes a number for a step, or, below 1, for an ending.
func (c *clause) roundTo(number plan.Decimal, nearest bool) bool {
	switch one := plan.MustDecimal("1"); {
	case number.IsZero():
		return false
	case number.Cmp(one) < 0 && c.rounding != "":
		c.ending = amount{money, number}
	case number.Cmp(one) > 0 && nearest:
		c.step = amount{money, number}
	default:
		return false
	}
	return true
}

// after is the token behind a phrase of one of some classes, if one stands there.
func (t *text) after(at int, classes ...string) int {
	end := at
	if at < len(t.tokens) {
		for _, e := range t.edges[at] {
			if slices.Contains(classes, e.meaning.symbol) && e.meaning.cost == 0 {
				end = max(end, e.end)
			}
		}
	}
	return end
}

// wayToRound reads up or down.
func (t *text) wayToRound(at int) (plan.Rounding, int) {
	switch {
	case at >= len(t.tokens):
	case t.norm(at) == "up":
		return plan.RoundUp, at + 1
	case t.norm(at) == "down":
		return plan.RoundDown, at + 1
	}
	return "", at
}

// steps reports whether a token begins what refusals call a step to the next one.
func (t *text) steps(at int) bool {
	return t.norm(at) == "next" && (t.norm(at-1) == "the" || t.norm(at-1) == "to")
}

// endsIn are what a figure may mean in which prices are to end: in 9 as 9 and 19, or as .09 and .19.
func (t *text) endsIn(from int) (all []rounded) {
	at := t.after(from, "CAUSE")
	at = t.after(at, "PRICES")
	ends := t.after(at, "END")
	if ends == at {
		return nil
	}
	if slices.Contains([]string{"in", "with", "on", "at"}, t.norm(ends)) {
		ends++
	}
	if ends >= len(t.tokens) {
		return nil
	}
	for _, e := range t.edges[ends] {
		figure := e.meaning.amount.number
		if e.meaning.symbol != "NUMBER" || figure.Scale() > 0 || figure.IsZero() ||
			figure.Cmp(plan.MustDecimal("10")) >= 0 {
			continue
		}
		cents, _ := ratio(figure, 1, 100)
		words := piece{from, e.end}
		all = append(all,
			rounded{words, clause{shaping: shaping{
				ending: amount{money, figure},
				step:   amount{money, plan.MustDecimal("10")},
			}}},
			rounded{words, clause{shaping: shaping{
				ending: amount{money, cents},
				step:   amount{money, plan.MustDecimal("0.1")},
			}}})
	}
	return all
}
