package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A word beside a name narrows it more often than not: "Apple chargers" are not all chargers. A
// reading without it, as filler, slip of the pen or part of a phrase, reprices what nobody named.

// swallowed returns the words that a reading may have lost: one beside a name, where a plan is
// made without it too, and the name, or one that a rule for all products took for another.
func (t *text) swallowed(m *meaning) (problem, bool) {
	used := t.used(m)
	everything := slices.ContainsFunc(m.rules, func(c clause) bool { return !slices.ContainsFunc(c.sets, set.named) })
	for i, name := range used {
		if everything && name != nil && i > 0 && t.norm(i-1) == "all" && (name.symbol == "UP" || name.symbol == "DOWN") && strings.HasSuffix(t.norm(i), "s") && !strings.HasSuffix(t.norm(i), "ss") {
			return problem{"beside", i - 1, i + 1}, true // all lifts are no products that rise
		}
		if everything && name != nil && name.mended == i+1 && t.ownName(i, name.meant, t.lex.grammar.numbers[name.symbol]) {
			return problem{"unknown_category", i, i + 1}, true
		}
		if name == nil || name.from != i || !slices.Contains(nameSymbols, name.symbol) {
			continue
		}
		listed := name.to+1 < len(used) && joins(t.norm(name.to)) && used[name.to+1] != nil && used[name.to+1].sets != nil
		if t.norm(name.from-1) == "both" && !listed && name.sets[0].of[category] != nil && t.known.given.Whole {
			return problem{"beside", name.from - 1, name.to}, true // of a category, which may have more or one
		}
		if t.oneOfMany(m, name, used) {
			return problem{"beside", i, name.to}, true
		}
		left := name.from - 1
		for left >= 0 && used[left] != nil && (t.may("stocked", used[left]) || used[left].symbol == "TRAIT") {
			left--
		}
		if left >= 0 && t.suspect(left, used[left], name.symbol == "NAME") && t.plansWithout(left) {
			from, _ := t.compound(left)
			return problem{"beside", from, name.to}, true
		}
		if right := name.to; right < len(t.tokens) && t.suspect(right, used[right], false) && t.plansWithout(right) {
			return problem{"beside", name.from, right + 1}, true
		}
	}
	return problem{}, false
}

// oneOfMany reports whether a price is set for a brand, a category or products with a tag that are
// said as one product is: the Yamaha or Yamaha to 199, the helmet or the rugged case £24, but not
// the tea or all Yamaha.
func (t *text) oneOfMany(m, name *meaning, used []*meaning) bool {
	from := name.from
	for from > 0 && used[from-1] != nil && used[from-1].symbol == "TRAIT" {
		from--
	}
	said, listed := t.norm(name.to-1), strings.Fields(strings.ToLower(strings.Join(name.sets[0].of[category], " ")))
	plural := len(listed) > 0 && listed[len(listed)-1] != singular(listed[len(listed)-1])
	several := name.supposed == "" && name.sets[0].of[phrase] != nil && t.known.others(name.sets[0].first()) != ""
	branded := name.sets[0].of[brand] != nil
	each := slices.ContainsFunc(used, func(leaf *meaning) bool { return leaf != nil && leaf.symbol == "EACH" })
	alone := t.norm(from-1) == "the" || branded && !each && (from == 0 || t.isCommand(from-1))
	one := alone && (several || branded || (from < name.from || plural) && said == singular(said))
	priced := name.to < len(t.tokens) && (t.tokens[name.to].kind == number || used[name.to] != nil && used[name.to].symbol == "CUR" || t.is(name.to, "PRICED"))
	return one && priced && slices.ContainsFunc(m.rules, func(c clause) bool { return c.act == change && c.dir == to })
}

// promoted are the rules of a meaning. Those of a table that has sale prices ask which price is
// cut where the instruction speaks of a sale and does not say: 10% off sale on mugs.
func (t *text) promoted(m *meaning) []clause {
	speaks := false
	for i, leaf := range t.used(m) {
		speaks = speaks || t.is(i, "PROMO") && (leaf == nil || slices.Contains([]string{"DISCOUNT", "OFFSALEON", "PROMO"}, leaf.symbol))
	}
	rules := slices.Clone(m.rules)
	for i := range rules {
		if r := &rules[i]; speaks && t.known.tells("sale_price", "compare_at") && r.act == change && r.dir == down && !r.sale && !r.regular {
			r.problem = cmp.Or(r.problem, "sale_price")
		}
	}
	return rules
}

// ownName reports whether a strange word is rather a name that the shop has not than a slip
// of the pen for another word: it stands after a determiner, or as what products are called.
// All coats are not all costs, and the stove is not the store.
func (t *text) ownName(i int, meant string, symbol int) bool {
	begins, determined := t.lex.grammar.mayBegin, i > 0 && t.lex.listed["DET"][t.tokens[i-1].norm]
	return t.known.closed[category] && (determined || begins("noun", symbol)) && (len(meant) < certainLength || !begins("np", symbol))
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

// followed begins what is said of a reading of a rule as of what was named before it.
const followed = "Read what follows "

// assumed says which words of a meaning were read as others.
func (t *text) assumed(m *meaning) []string {
	var notes []string
	tell := func(from, to int, meant string) {
		notes = append(notes, fmt.Sprintf("Read %q as %q.", t.source(from, to), meant))
	}
	used := t.used(m)
	for _, p := range t.passedOver {
		within := slices.ContainsFunc(t.passedOver, func(other piece) bool { return other != p && other.from <= p.from && p.end <= other.end })
		if !within && !slices.ContainsFunc(used[p.from:p.end], func(leaf *meaning) bool { return leaf != nil }) {
			notes = append(notes, "Passed over "+quote(t.source(p.from, p.end))+".")
		}
	}
	for i, leaf := range used {
		switch {
		case leaf == nil:
			for _, e := range t.edges[i] {
				if e.meaning.mended == i+1 && slices.Contains(t.skips[i], hop{piece{i, e.end}, 0}) {
					tell(i, i+1, e.meaning.meant)
					break
				}
			}
		case leaf.symbol == "TOPIC" && leaf.from == i:
			notes = append(notes, followed+quote(t.source(i, leaf.to))+" as of "+leaf.meant+".")
		case leaf.symbol == "NAME" && leaf.from == i && leaf.sets[0].of[phrase] != nil && leaf.supposed == "":
			if leaf.meant != "" {
				tell(i, leaf.to, leaf.meant)
			}
			if also := t.known.others(leaf.sets[0].first()); also != "" {
				notes = append(notes, also)
			}
		case leaf.supposed != "" && leaf.from == i:
			notes = append(notes, "Read "+quote(t.source(i, leaf.to))+" as "+leaf.supposed+".")
		case leaf.mended == i+1:
			tell(i, i+1, leaf.meant)
		case leaf.meant != "" && leaf.mended == 0 && leaf.from == i:
			tell(i, leaf.to, leaf.meant)
		}
	}
	return notes
}

// eachLeaf calls for each phrase of the lexicon, number and name that a meaning is of.
func (m *meaning) eachLeaf(do func(*meaning)) {
	if len(m.parts) == 0 {
		do(m)
	}
	for _, part := range m.parts {
		part.eachLeaf(do)
	}
}

// suspect reports whether a word beside a name may belong to the name, by what it was
// read as: nothing, another word, or, before the name, anything but an order or what
// introduces names.
func (t *text) suspect(i int, as *meaning, before bool) bool {
	token := t.tokens[i]
	from, end := t.compound(i)
	compound := end-from > 1 && token.norm != "non"
	switch {
	case token.kind != word, t.lex.listed["CLOSED"][token.norm] && !compound:
		return false
	case as == nil, compound && (as.from > from || as.to < end):
		return true
	case as.mended == i+1:
		return len(as.meant) < certainLength || !t.may("noun", as)
	}
	ordered := t.lex.base[token.norm] || t.is(i-1, "GERUND")
	return before && !t.may("framing", as) && !(ordered && t.may("ordering", as))
}

// certainLength is how long a word is that a slip of the pen is surely meant for:
// prodcuts.
const certainLength = 7

// may reports whether a rule may begin with a phrase.
func (t *text) may(begin string, as *meaning) bool {
	return t.lex.grammar.mayBegin(begin, t.lex.grammar.numbers[as.symbol])
}

// plansWithout reports whether the instruction makes a plan without one of its words.
func (t *text) plansWithout(i int) bool {
	from, end := t.compound(i)
	_, _, u := understand(t.instruction[:t.tokens[from].start]+t.instruction[t.tokens[end-1].end:], t.known, t.supposes)
	return u.Asked == nil || u.Asked.Class == supposing && len(u.Readings) > 0
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
