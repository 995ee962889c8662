package grammar

import (
	"slices"

	"github.com/planwright/planwright/shared/plan"
)

// arrange puts the operations in an order in which the plan means what the
// instruction says, or asks. The conditions of a rule speak of prices and
// stock as they stand; only "then" makes a rule see what another did.
func (p *parser) arrange(ops []operation) []operation {
	ops = once(p.override(ops))
	n := len(ops)
	a := &arrangement{parser: p, ops: ops, after: make([][]int, n), waits: make([]int, n), spans: make([]spans, n)}
	for _, c := range p.clauses {
		if c.then {
			a.thens = append(a.thens, c.from)
		}
	}
	for j := range ops {
		for i := range j {
			if p.failed != nil {
				return nil
			}
			switch {
			case meet(&ops[i].cut, &ops[j].cut):
				a.relate(i, j)
			case ops[j].clause.target.rest && ops[i].moves(&ops[j]): // "restock all sold-out items, everything else up 2%"
				a.put(j, i)
			}
		}
	}
	return a.ordered()
}

// arrangement is the order of operations as far as it is known.
type arrangement struct {
	*parser
	ops   []operation
	after [][]int // by operation, those that must come after it
	waits []int   // by operation, how many must come before it
	thens []int   // where the clauses begin that say "then"
	spans []spans // by operation
}

// put has operation i come before j.
func (a *arrangement) put(i, j int) {
	a.after[i] = append(a.after[i], j)
	a.waits[j]++
}

// spans are the prices that an operation reads and writes, once they are known.
type spans struct {
	known         bool
	read, written span
}

// once leaves out what is said again: "we ran out of mugs, mark them sold out".
func once(ops []operation) []operation {
	kept := ops[:0]
	for i := range ops {
		if op := &ops[i]; op.prices() || op.clause.then || !slices.ContainsFunc(kept, op.same) {
			kept = append(kept, *op)
		}
	}
	return kept
}

// same reports whether two operations do the same to the same rows.
func (o *operation) same(other operation) bool {
	return o.action == other.action && sameRows(o.cut, other.cut)
}

// override reads "increase everything by 10% but yoga by 5%": what "but" names
// is left out of the rules before it.
func (p *parser) override(ops []operation) []operation {
	for j := range ops {
		if !ops[j].clause.but || ops[j].clause.then {
			continue
		}
		for i := range j {
			if ops[i].clause != ops[j].clause && ops[i].prices() == ops[j].prices() && len(ops[j].withoutCategories)+len(ops[j].withoutSKUs) == 0 {
				if left, ok := subtract(ops[i].cut, ops[j].rows); ok && len(left) == 1 {
					ops[i].cut = left[0]
				}
			}
		}
	}
	return ops
}

// meet reports whether a row can be in both, whatever its price.
func meet(a, b *cut) bool {
	stockApart := a.stock != nil && b.stock != nil && *a.stock != *b.stock
	return !stockApart && !namesApart(&a.rows, &b.rows) && !excluded(a, &b.rows) && !excluded(b, &a.rows)
}

// moves reports whether an operation gives rows the stock by which another selects its
// own.
func (o *operation) moves(other *operation) bool {
	if o.prices() || other.stock == nil || o.action.Stock != *other.stock {
		return false
	}
	unstocked := other.cut
	unstocked.stock = nil
	return meet(&o.cut, &unstocked)
}

// relate finds which of two rules with common rows comes first, or asks.
func (a *arrangement) relate(i, j int) {
	first, second := &a.ops[i], &a.ops[j]
	switch {
	case second.clause.then || a.thenBetween(first.clause, second.clause):
		a.put(i, j)
	case first.prices() && second.prices():
		a.relatePrices(i, j)
	case first.prices() != second.prices():
		a.relateStock(i, j)
	case first.action.Stock == second.action.Stock:
	case narrower(second.rows, first.rows):
		a.put(i, j)
	case apart(&first.rows, &second.rows): // by their stock, which each changes
		a.ask(i, j)
	default:
		a.contradict(i, j)
	}
}

// thenBetween reports whether a clause between two says "then", which parts
// what comes before it from what comes after.
func (a *arrangement) thenBetween(first, second *clause) bool {
	after, _ := slices.BinarySearch(a.thens, first.from+1)
	return after < len(a.thens) && a.thens[after] <= second.from
}

// relateStock orders a price rule and a stock rule. Each may read what the
// other writes; in the order of the text it must not.
func (a *arrangement) relateStock(i, j int) {
	first, second := &a.ops[i], &a.ops[j]
	if !first.prices() && first.stock != nil && !banded(first.conditions) && sameRows(first.cut, second.cut) { // "put sold-out tea back in stock and reduce it"
		a.put(j, i)
		return
	}
	unseen := first.prices() && bandsApart(first.conditions, second.conditions) && !a.reaches(i, j)
	if !unseen && first.prices() && (second.gte != nil || second.lte != nil) || !first.prices() && second.stock != nil {
		a.ask(i, j)
		return
	}
	a.put(i, j)
}

// relatePrices orders two price rules: bands that share no price so that none
// gets what the other wrote; a price set for fewer products after a rule for
// more. Anything else is a question.
func (a *arrangement) relatePrices(i, j int) {
	first, second := &a.ops[i], &a.ops[j]
	switch {
	case !a.spansOf(i).read.meets(a.spansOf(j).read):
		switch inOrder, reversed := a.reaches(j, i), a.reaches(i, j); {
		case inOrder && reversed:
			a.ask(i, j)
		case inOrder:
			a.put(i, j)
		case reversed:
			a.put(j, i)
		}
	case second.action.Type == plan.SetPrice && second.gte == nil && second.lte == nil && narrower(second.rows, first.rows):
		a.put(i, j)
	default:
		a.contradict(i, j)
	}
}

func bandsApart(a, b conditions) bool {
	a.stock, b.stock = nil, nil
	_, overlap := merge(a, b)
	return !overlap
}

// narrower reports whether a names products of those of b, so that it is the
// exception to b's rule. What b names itself is no exception to it.
func narrower(a, b rows) bool {
	switch {
	case a.skus != nil:
		return b.skus == nil
	case a.categories != nil:
		return b.skus == nil && b.categories == nil
	default:
		return false
	}
}

func (a *arrangement) ask(i, j int) {
	a.fail(overlap, a.ops[i].clause.from, a.ops[j].clause.to, "One rule changes what another looks at in %s. Which comes first? Join them with \"then\", in the order that is meant.")
}

func (a *arrangement) contradict(i, j int) {
	class, question := overlap, "Some products are in both rules of %s. Is only one of them meant for those (\"except ...\"), or one after the other (\"then\")?"
	if sameRows(a.ops[i].cut, a.ops[j].cut) {
		class, question = contradiction, "The same products are changed twice in %s. Which change is meant? Join them with \"then\" if it is both, in that order."
	}
	a.fail(class, a.ops[i].clause.from, a.ops[j].clause.to, question)
}

// reaches reports whether a price that operation i writes can lie in the band
// of operation j.
func (a *arrangement) reaches(i, j int) bool {
	return a.spansOf(i).written.meets(a.spansOf(j).read)
}

func (a *arrangement) spansOf(i int) *spans {
	s := &a.spans[i]
	if !s.known {
		*s = spans{known: true, read: a.ops[i].read(), written: a.ops[i].written()}
	}
	return s
}

// ordered sorts the operations so that every required order holds, and
// otherwise as they were said.
func (a *arrangement) ordered() []operation {
	if !slices.ContainsFunc(a.waits, func(n int) bool { return n > 0 }) {
		return a.ops
	}
	const done = -1
	sorted := make([]operation, 0, len(a.ops))
	for len(sorted) < len(a.ops) && a.failed == nil {
		next := slices.Index(a.waits, 0)
		if next < 0 {
			a.fail(overlap, 0, len(a.symbols), "No order of the rules keeps each from seeing what another did in %s. Which comes first? Join them with \"then\".")
			return nil
		}
		sorted = append(sorted, a.ops[next])
		a.waits[next] = done
		for _, j := range a.after[next] {
			a.waits[j]--
		}
	}
	return sorted
}
