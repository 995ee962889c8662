package reader

import (
	"slices"
)

// How much of each sentence the parts use, and which rules are rather remarks.

// share is how many words of a sentence parts use, and how many nothing uses.
type share struct{ used, unused int }

// shares are those of the sentences, by the token with which they begin.
func (t *text) shares(path []fragment) map[int]share {
	all := map[int]share{}
	count := func(p piece, used, unused int) {
		for at := p.from; at < p.end; at++ {
			if t.tokens[at].kind == mark {
				continue
			}
			of := all[t.sentenceOf(at)]
			of.used, of.unused = of.used+used, of.unused+unused
			all[t.sentenceOf(at)] = of
		}
	}
	for _, p := range path {
		if t.unlisted(p.meaning) {
			count(p.piece, 0, 1)
		} else {
			count(p.piece, 1, 0)
		}
	}
	for _, p := range t.unused(path) {
		count(p, 0, 1)
	}
	return all
}

// unlisted reports whether some words have but a name that no list has.
func (t *text) unlisted(m *meaning) bool {
	names, unlisted := 0, 0
	m.eachLeaf(func(leaf *meaning) {
		if slices.Contains(nameSymbols, leaf.symbol) {
			names++
			if leaf.problem == "unknown_category" && t.known.closed[category] {
				unlisted++
			}
		}
	})
	return unlisted > 0 && names == unlisted && m.rules == nil
}

// sentenceOf is the token with which the sentence of another begins.
func (t *text) sentenceOf(at int) int {
	for at > 0 && !isStop(t.tokens[at-1].text) {
		at--
	}
	return at
}

// stops reports whether a sentence ends between two tokens.
func (t *text) stops(from, end int) bool {
	return slices.ContainsFunc(
		t.tokens[max(0, from-1):end],
		func(token token) bool { return isStop(token.text) },
	)
}

// chatter reports whether a rule is rather a remark: nothing says which products it is for,
// and the words around it are used by nothing.
func (c *combiner) chatter(r *unfinished) bool {
	of := c.idleIn[c.sentence]
	if r.orphan || r.nothing && c.t.goesOn(r.of.piece) {
		return true
	}
	if of.unused == 0 {
		return false
	}
	if r.act == change && r.amount.unit == noUnit && r.problem != "" {
		return true // slash the diaries, they're last year's
	}
	spoken := r.nothing || r.sets == nil && r.ref != byName
	vague := r.act == stocks || r.amount.unit == bare || r.of.end == r.of.from+1
	return spoken && (vague || 2*of.unused > of.used)
}

// goesOn reports whether words that say a change go on with what stands right before them: below
// cost, plus 20%.
func (t *text) goesOn(words piece) bool {
	at := words.from - 1
	return at >= 0 && t.phrase(words.from, "PLUS", "MINUS") && t.tokens[at].kind == word && !joins(t.norm(at))
}
