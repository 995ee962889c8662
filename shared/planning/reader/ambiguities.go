package reader

import (
	"slices"
	"strings"
)

// What is read without loss may be meant otherwise: each of these would be another price
// than was meant, and is asked about.

// ofNames are the symbols of names and of what stands between them.
var ofNames = slices.Concat(nameSymbols, []string{"DET", "A", "REL", "BE", "NOUN"})

// ambiguous returns the words of a candidate that may be meant otherwise.
func (t *text) ambiguous(used []*meaning) (problem, bool) {
	for _, find := range []func([]*meaning) (problem, bool){
		t.path, t.exceptsAgain, t.changeAfterExceptions, t.wonders, t.renamed, t.passedName, t.inMoreNames,
	} {
		if doubt, is := find(used); is {
			return doubt, true
		}
	}
	return problem{}, false
}

// path finds names of a table with signs between them that may be one path to the last of them,
// each with no more rows than the one before: Shop/Tyres is not all of the shop.
func (t *text) path(used []*meaning) (problem, bool) {
	for i, name := range used {
		if i < 2 || name == nil || t.norm(i-1) != "/" || used[i-2] == nil || name.symbol != "NAME" ||
			used[i-2].symbol != "NAME" {
			continue
		}
		if n := t.known.count(name.sets[0]); n > 0 && n <= t.known.count(used[i-2].sets[0]) {
			return problem{"either_or", used[i-2].from, name.to}, true
		}
	}
	return problem{}, false
}

// exceptsAgain finds an exception of what is left out: everything except drinks other than
// juice, and not except drinks, except juice.
func (t *text) exceptsAgain(used []*meaning) (problem, bool) {
	var before *meaning     // the exception whose names these are
	named, last := false, 0 // there were some, the last of which ends there
	for i, leaf := range used {
		switch {
		case leaf == nil || leaf.from != i || isPause(t.tokens[i].text) ||
			leaf.symbol != "BUT" && t.norm(i) == "but":
		case slices.Contains(ofNames, leaf.symbol):
			named, last = true, leaf.to
		case !slices.Contains([]string{"EXCEPT", "BUT", "NOT"}, leaf.symbol):
			before, named = nil, false
		default:
			repeated := before != nil && i == last+1 && isPause(t.tokens[last].text) &&
				t.source(i, leaf.to) == t.source(before.from, before.to)
			if before != nil && named && !repeated {
				return problem{"scope", i, min(len(t.tokens), leaf.to+1)}, true
			}
			before, named = leaf, false
		}
	}
	return problem{}, false
}

// changeAfterExceptions finds a change right behind a list of exceptions, which may be for the last of
// them alone: everything +5% except wine, gin +2%.
func (t *text) changeAfterExceptions(used []*meaning) (problem, bool) {
	changed := false
	for i, leaf := range used {
		if changed = changed || leaf != nil && leaf.amount.unit != noUnit; !changed || !t.known.given.Whole ||
			leaf == nil ||
			leaf.symbol != "EXCEPT" ||
			leaf.from != i {
			continue
		}
		begins := func(at int) bool { return t.phrase(at, "PLUS", "MINUS", "UP", "DOWN", "NUMBER", "CUR") }
		end, comma, names := leaf.to, false, []string{}
		for ; end < len(used) && !begins(end) && used[end] != nil &&
			(joins(t.norm(end)) || slices.Contains(ofNames, used[end].symbol)); end++ {
			if name := used[end]; name.sets != nil && name.from == end {
				names = append(names, keys(name.sets))
			} else {
				comma = t.norm(end) == "," || comma && t.norm(end) != "and" && t.norm(end) != "&"
			}
		}
		if n := len(names); comma && n > 1 && begins(end) && !slices.Contains(names[:n-1], names[n-1]) {
			return problem{"scope", i, end + 1}, true
		}
	}
	return problem{}, false
}

// wonders finds a sentence that asks about a rule and not for it: mugs up 5%?
func (t *text) wonders([]*meaning) (problem, bool) {
	for s := t.sentence(0); s.from < len(t.tokens); s = t.sentence(s.end + 1) {
		if t.norm(s.end) != "?" || t.commands(s.from) || t.has("ASKING", s) {
			continue
		}
		asks := false
		for i := s.from; i < s.end; i++ {
			asks = asks || t.phrase(i, "MAYASK", "FILLER")
		}
		if !asks {
			return problem{"question", s.from, s.end}, true
		}
	}
	return problem{}, false
}

// renamed finds a number after a title that ends in one, with which it is another's:
// Riesling 2019 to 2021.
func (t *text) renamed(used []*meaning) (problem, bool) {
	for at, name := range used {
		if name == nil || name.from != at || name.sets == nil || name.sets[0].of[phrase] == nil ||
			t.tokens[name.to-1].kind != number {
			continue
		}
		for i := name.to; i < min(name.to+3, len(t.tokens)); i++ {
			if t.tokens[i].kind == number && !t.is(i+1, "PCT") &&
				len(t.known.titled[asTitle(t.source(at, name.to-1)+" "+t.tokens[i].text)]) > 0 {
				return problem{"several", at, name.to}, true
			}
		}
	}
	return problem{}, false
}

// passedName finds a name of the table that was passed over beside another, as a courtesy or
// a promotion is: mugs, best 10% off, in a shop that has a brand of the name; or whose words were
// read one by one, as in make up to 20: 5% off.
func (t *text) passedName(used []*meaning) (problem, bool) {
	isName := func(i, step int) bool {
		if i += step; i >= 0 && i < len(used) && isPause(t.tokens[i].text) {
			i += step
		}
		return i >= 0 && i < len(used) && used[i] != nil && slices.Contains(nameSymbols, used[i].symbol)
	}
	for i, leaf := range used {
		if name := t.spans(piece{i, i + 1}, 0); t.known.given.Whole && name != nil && leaf != nil &&
			leaf.to < name[0].to &&
			!isName(i, 0) &&
			!isName(name[0].to, -1) {
			return problem{"beside", i, name[0].to}, true
		}
		if (leaf == nil || leaf.symbol == "PROMO") && t.known.given.Whole && t.isListed(i) &&
			(isName(i, -1) || isName(i, 1) || strings.HasPrefix(t.norm(i+1), "price")) {
			return problem{"beside", i, i + 1}, true
		}
	}
	return problem{}, false
}

// inMoreNames finds a brand, said without that word, that more products have in their names than are of
// it, where only one of both can be meant: in a list with another brand.
func (t *text) inMoreNames(used []*meaning) (problem, bool) {
	for i, leaf := range used {
		if leaf == nil || leaf.from != i || leaf.symbol != "TRAIT" {
			continue
		}
		likelier := slices.ContainsFunc(t.edges[i], func(e edge) bool {
			isBrand := e.end == leaf.to && e.meaning.sets != nil && e.meaning.sets[0].of[brand] != nil
			_, more := t.calledSo(e)
			return isBrand && e.meaning.guess == "" && more
		})
		if likelier && !t.hasBrandWord(i, leaf.to) {
			return problem{"brand", i, leaf.to}, true
		}
	}
	return problem{}, false
}

// hasBrandWord reports whether the word brand stands beside a name, or before a list that it ends: of brands
// Clonex, Acme or Nord.
func (t *text) hasBrandWord(from, end int) bool {
	said := t.phrase(end, "BRANDWORD")
	for at := from - 1; at >= 0 && !said; at-- {
		said = t.phrase(at, "BRANDWORD")
		if inList := joins(t.norm(at)) || t.norm(at) == "or" || t.norm(at) == ":" ||
			t.spanned(at, at+1); !inList {
			break
		}
	}
	return said
}
