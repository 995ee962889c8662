package english

import (
	"slices"
	"strings"
)

// limitOfAmount reads the "minimum" at symbol i of the price before it as a limit of
// it: "with a $5 minimum".
func limitOfAmount(symbols []Symbol, i int) (read []Symbol, end int) {
	limit := symbols[i]
	if limit.Sense != Bare || i == 0 || symbols[i-1].Class != Amount || symbols[i-1].Amount.Unit != Money {
		return nil, i
	}
	if next := &symbols[i+1]; !endsBreath(next) && next.Class != In && next.Class != For && next.Class != Of { // a $50 minimum order
		return nil, i
	}
	switch limit.Class {
	case NotUnder:
		limit.Class = Floor
	case NotOver:
		limit.Class = Cap
	default:
		return nil, i
	}
	limit.Sense = 0
	return []Symbol{limit}, i + 1
}

// limitedTo reads "limit mugs to a maximum of $9", which says twice that it is a limit,
// and those that follow with the verb left out.
func limitedTo(symbols []Symbol, i int) (read []Symbol, end int) {
	limit := symbols[i]
	at, end := boundTo(symbols, i+1)
	if end == i+1 {
		return nil, i
	}
	side := boundSides[symbols[at].Class]
	if side != limit.Class && (limit.Class != Cap || !strings.HasPrefix(strings.ToLower(limit.Text), "limit")) {
		return nil, i
	}
	limit.Class = side
	read = []Symbol{limit}
	for from := i + 1; ; {
		to := symbols[at]
		to.Class, to.Sense = To, 0
		subject := at
		if class := symbols[at-1].Class; class == At || class == To {
			subject--
		}
		read = append(append(read, symbols[from:subject]...), to, symbols[at+1])
		from = end
		next := joint(symbols, end)
		if next == end {
			return read, end
		}
		more, last := boundTo(symbols, next)
		if last == next || more == next || boundSides[symbols[more].Class] != side || !slices.ContainsFunc(symbols[next:more], func(s Symbol) bool { return isName(&s) }) {
			return read, end
		}
		at, end = more, last
	}
}

// boundTo finds "to a maximum of $9" after the products at symbol i, and returns where
// its bound is and its end, or i.
func boundTo(symbols []Symbol, i int) (at, end int) {
	for at = i; ; at++ {
		switch class := symbols[at].Class; class {
		case Noise, All, Price, Product, Pronoun, CatNoun, SKUNoun, In, Of, For, Name, Category, SKU, Everything, And, Stock, Except, At, To:
		case AtMost, AtLeast, NotOver, NotUnder, Cap, Floor:
			if symbols[at+1].Class == Amount && symbols[at+1].Amount.Unit == Money && endsBreath(&symbols[at+2]) {
				return at, at + 2
			}
			return at, i
		default:
			return at, i
		}
	}
}

// boundSides are the limits that bounds are.
var boundSides = map[Class]Class{AtMost: Cap, NotOver: Cap, Cap: Cap, AtLeast: Floor, NotUnder: Floor, Floor: Floor}
