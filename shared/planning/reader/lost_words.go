package reader

import (
	"slices"
	"strings"
)

// A word beside a name narrows it more often than not: "Apple chargers" are not all chargers. A
// candidate without it, as filler, slip of the pen or part of a phrase, reprices what nobody named.

// swallowed returns the words that a candidate may have lost: one beside a name, where a plan is
// made without it too, and the name.
func (t *text) swallowed(m *meaning) (problem, bool) {
	used := t.used(m)
	if doubt, is := t.ambiguous(used); is {
		return doubt, true
	}
	for i, name := range used {
		if name == nil || name.from != i || !slices.Contains(nameSymbols, name.symbol) {
			continue
		}
		left := name.from - 1
		for left >= 0 && used[left] != nil && (t.may("stocked", used[left]) || used[left].symbol == "TRAIT") {
			left--
		}
		if left >= 0 && t.suspect(left, used[left], name.symbol == "NAME") && t.plansWithout(left) {
			from, _ := t.compound(left)
			return problem{"beside", from, name.to}, true
		}
		if left >= 0 && left == name.from-1 && name.symbol == "NAME" && t.idle(m, used, left) {
			return problem{"order", left, name.to}, true
		}
		if right := name.to; right < len(t.tokens) && t.suspect(right, used[right], false) &&
			t.plansWithout(right) {
			return problem{"beside", name.from, right + 1}, true
		}
	}
	return problem{}, false
}

// settle settles by the words beside them what some words are: "us" whom something costs is no
// currency, and all lifts are none that rise; a number before a name, or both, is how many products
// it has; names may be said as one product is; and what is a tag may be what more are called.
func (t *text) settle() {
	for i := range t.tokens {
		t.otherColumn(i)
		third := t.is(i-1, "DET") && t.norm(i-1) != "each" && strings.HasSuffix(t.norm(i), "s") &&
			!strings.HasSuffix(t.norm(i), "ss")
		both := t.norm(i) == "both" && t.known.given.Whole
		t.edges[i] = slices.DeleteFunc(t.edges[i], func(e edge) bool {
			switch e.meaning.symbol {
			case "UP", "DOWN":
				return third
			case "CUR":
				return t.norm(i) == "us" && t.is(i-1, "COST")
			case "DET":
				return both && !t.pair(e.end)
			case "TRAIT": // of a tag called sale: on sale, half price sale
				return t.phrase(i-1, "ONSALE") ||
					t.is(i, "PROMO") && e.end == i+1 && !t.phrase(i-1, "TAGWORD") &&
						!t.phrase(i+1, "NOUN", "TAGWORD") && !(i > 0 && t.inName(i-1)) &&
						!(e.end < len(t.tokens) && t.isListed(e.end))
			case "EACHOF":
				return both && t.oneName(i)
			case "EXCEPT", "BUT":
				return e.end == i+1 && t.lex.listed["TURNS"][t.norm(i)+" "+t.norm(e.end)]
			}
			return false
		})
		var more, less []edge // likely than what there is
		for k, e := range t.edges[i] {
			// A category called All, and what "next" is where a brand is called so.
			if name := e.meaning.symbol; name == "NAME" && e.end == i+1 && t.is(i, "DET") ||
				name == "THEN" && slices.Contains(t.known.given.Brands, t.source(i, e.end)) {
				dearer := *e.meaning
				dearer.cost++
				e.meaning = &dearer
				t.edges[i][k] = e
			}
			if t.namedAsOne(i, e) {
				one := *e.meaning
				one.one, t.edges[i][k].meaning = true, &one
			}
			if n := e.meaning.amount.number; e.meaning.symbol == "NUMBER" && n.Scale() == 0 &&
				t.products(e.end, n.Scaled(0).Int64()) {
				more = append(more, edge{t.lex.grammar.numbers["DET"], e.end, &meaning{symbol: "DET"}})
			}
			if e.meaning.symbol == "TRAIT" && e.meaning.sets[0].of[tag] != nil {
				if kinds := t.known.under(asTitle(t.source(i, e.end))); kinds != nil {
					all := &meaning{
						symbol: "NAME",
						from:   i,
						to:     e.end,
						cost:   e.meaning.cost,
						meant:  strings.Join(kinds, ", "),
						clause: clause{sets: setOf(category, kinds...)},
					}
					less = append(less, edge{t.lex.grammar.numbers["NAME"], e.end, all})
				}
			}
			t.ofPrices(i, e)
			if asName, likelier := t.calledSo(e); likelier {
				more = append(more, asName)
			} else if asName.meaning != nil {
				less = append(less, asName)
			}
		}
		t.edges[i] = slices.Concat(more, t.edges[i], less)
	}
}

// ofPrices lets a brand or tag be passed over that may say what prices are like: Fresh prices please:
// hats 5% off; new hat prices up 5%.
func (t *text) ofPrices(i int, e edge) {
	after, like := e.end, t.is(i, "OFPRICES")
	for _, name := range t.spans(piece{after, min(after+1, len(t.tokens))}, costUnlikely) {
		after = name.to
	}
	if e.meaning.symbol != "TRAIT" || e.meaning.guess != "" || !strings.HasPrefix(t.norm(after), "price") {
		return
	}
	if after > e.end && like {
		t.skip(i, e.end)
	}
	for end := after + 1; after == e.end && end < min(after+maxGreeted, len(t.tokens)); end++ {
		if text := t.tokens[end].text; text == ":" || like && text == "," {
			t.skips[i] = append(t.skips[i], hop{piece{i, end + 1}, 1}) // as a heading costs
		}
	}
}

// calledSo is a tag as the words of products' names where some have them that are not tagged, and
// whether more rows have the words than have the tag. A brand is one only where more have them.
func (t *text) calledSo(e edge) (edge, bool) {
	m := e.meaning
	if m.symbol != "TRAIT" || m.problem != "" || m.sets[0].of[tag] == nil && m.sets[0].of[brand] == nil {
		return edge{}, false
	}
	r := tag
	if m.sets[0].of[brand] != nil {
		r = brand
	}
	var within set // chocolate in chocolate cakes
	for _, next := range t.spans(piece{e.end, min(e.end+1, len(t.tokens))}, costUnlikely) {
		if _, counted := t.known.common(category, next.sets[0].first(), r, m.sets[0].first()); counted {
			within.of[category] = next.sets[0].of[category]
		}
	}
	typed := m.sets[0].first()
	if r == brand { // Clonex, of Clonex Ltd
		typed = t.source(m.from, e.end)
	}
	phrases, rows, lacking := t.known.calledAs(typed, m.sets[0], within)
	likelier := rows > t.known.count(m.sets[0])
	if lacking == 0 || r == brand && (!likelier || t.hasBrandWord(m.from, e.end)) {
		return edge{}, false
	}
	made := &meaning{
		symbol: "TRAIT",
		from:   m.from,
		to:     e.end,
		cost:   m.cost,
		clause: clause{sets: setOf(phrase, phrases...)},
	}
	return edge{e.symbol, e.end, made}, likelier
}

// phrase reports whether a phrase of one of some symbols begins at a token.
func (t *text) phrase(at int, symbols ...string) bool {
	return at >= 0 && at < len(t.tokens) &&
		slices.ContainsFunc(t.edges[at],
			func(e edge) bool { return slices.Contains(symbols, e.meaning.symbol) })
}

// pair reports whether two products or a list of names begin at a token, or no name.
func (t *text) pair(from int) bool {
	for t.is(from, "DET") { // both the hats
		from++
	}
	at := from
	for _, m := range t.spans(piece{from, len(t.tokens)}, costUnlikely) {
		if m.from == at {
			at = m.to
		}
	}
	if at == from || t.products(from, 2) ||
		joins(t.norm(at)) && (t.named(piece{at + 1, min(at+3, len(t.tokens))}, costUnlikely) != nil) {
		return true
	}
	t.refused = append(t.refused,
		edge{refused, from - 1, &meaning{to: at, clause: clause{problem: "beside"}}})
	return false
}

// products reports whether the only name from a token on has so many products, or rows.
func (t *text) products(at int, n int64) bool {
	return at < len(t.tokens) && n > 1 && slices.ContainsFunc(t.edges[at], func(e edge) bool {
		m := e.meaning
		return slices.Contains(nameSymbols, m.symbol) && m.problem == "" && t.known.count(m.sets[0]) == n &&
			(e.end == len(t.tokens) || !t.isListed(e.end))
	})
}

// oneName reports whether a single name ends before a token, of other than two products.
func (t *text) oneName(end int) bool {
	all := t.spans(piece{max(0, end-2*maxNameWords), end}, costUnlikely)
	last := len(all) - 1
	return last >= 0 && all[last].to == end && !joins(t.norm(all[last].from-1)) &&
		t.known.count(all[last].sets[0]) != 2
}

// namedAsOne reports whether a name of a brand, a category or products with a tag, or with a title
// that others have too, is said as one product is, before a price: the Yamaha or Yamaha to 199,
// the helmet or the rugged case £24, but not the tea or all Yamaha.
func (t *text) namedAsOne(i int, e edge) bool {
	m := e.meaning
	if m.sets == nil || m.problem != "" || e.end == len(t.tokens) ||
		!(t.tokens[e.end].kind == number || t.is(e.end, "CUR", "PRICED")) {
		return false
	}
	from := i
	for at := i - 1; at >= 0; at-- {
		if slices.ContainsFunc(
			t.edges[at],
			func(before edge) bool { return before.end == from && before.meaning.symbol == "TRAIT" },
		) {
			from = at
		}
	}
	listed := strings.Fields(strings.ToLower(strings.Join(m.sets[0].of[category], " ")))
	plural := len(listed) > 0 && listed[len(listed)-1] != singular(listed[len(listed)-1])
	several := m.guess == "" && m.sets[0].of[phrase] != nil && t.known.others(m.sets[0]) != ""
	branded := m.sets[0].of[brand] != nil
	each := slices.ContainsFunc(t.tokens, func(token token) bool { return t.lex.listed["EACH"][token.norm] })
	alone := t.norm(from-1) == "the" || (branded || several) && !each && (from == 0 || t.isCommand(from-1))
	return alone &&
		(several || branded || (from < i || plural) && t.norm(e.end-1) == singular(t.norm(e.end-1)))
}

// ownName reports whether a strange word is rather a name that the shop has not than a slip
// of the pen for another word: it stands after a determiner, or as what products are called.
// All coats are not all costs, and the stove is not the store; but the pirce of mugs is one.
func (t *text) ownName(i int, as slip, symbol int) bool {
	begins := t.lex.grammar.mayBegin
	return t.known.closed[category] && (t.is(i-1, "DET") || begins("noun", symbol)) &&
		(len(as.meant) < sureLength || !begins("np", symbol)) &&
		t.norm(i+1) != "of"
}

var nameSymbols = []string{"NAME", "TRAIT", "PHRASE", "CODE", "NUMCODE"}

// used are the phrases, numbers and names of a meaning, by the tokens that they cover;
// nil for tokens that are passed over.
func (t *text) used(m *meaning) []*meaning {
	used := make([]*meaning, len(t.tokens))
	m.eachLeaf(func(leaf *meaning) {
		for i := leaf.from; i < leaf.to; i++ {
			used[i] = leaf
		}
	})
	return used
}

// suspect reports whether a word beside a name may belong to the name, by what it was
// read as: nothing, another word, or, before the name, anything but an order or what
// introduces names.
func (t *text) suspect(i int, as *meaning, before bool) bool {
	token := t.tokens[i]
	from, end := t.compound(i)
	compound := end-from > 1 && token.norm != "non"
	switch {
	case token.kind != word, t.lex.listed["CLOSED"][token.norm] && !compound, as != nil && as.symbol == "DET":
		return false
	case as != nil && compound && t.is(i, "TAGWORD", "BRANDWORD"): // summer-tagged
		return false
	case as == nil, compound && (as.from > from || as.to < end):
		return true
	case as.mended == i+1:
		return len(as.meant) < sureLength || !t.may("noun", as)
	}
	ordered := t.lex.base[token.norm] || t.is(i-1, "GERUND")
	return before && !t.may("framing", as) && !(ordered && t.may("ordering", as))
}

// may reports whether a rule may begin with a phrase.
func (t *text) may(begin string, as *meaning) bool {
	return t.lex.grammar.mayBegin(begin, t.lex.grammar.numbers[as.symbol])
}

// plansWithout reports whether the instruction makes a plan without one of its words.
func (t *text) plansWithout(i int) bool {
	from, end := t.compound(i)
	_, _, u := understand(
		t.instruction[:t.tokens[from].start]+t.instruction[t.tokens[end-1].end:],
		t.known,
		t.guesses,
	)
	return u.Asked == nil || u.Asked.Class == classGuess && len(u.Candidates) > 0
}

// compound is the word that hyphens make of a token and those around it.
func (t *text) compound(i int) (from, end int) {
	from, end = i, i+1
	for t.joined(from) {
		from--
	}
	for t.joined(end) {
		end++
	}
	return from, end
}
