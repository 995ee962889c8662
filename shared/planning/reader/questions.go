package reader

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// problem is why a candidate is no plan: the class of the question, and the words
// that it is about.
type problem struct {
	class    string
	from, to int
}

// ask makes the question of a problem.
func (t *text) ask(p problem, candidates []planning.Candidate) planning.Understanding {
	t.asked = p
	question, has := t.lex.questions[p.class]
	words := cmp.Or(t.source(p.from, p.to), t.instruction)
	switch {
	case p.class == "column":
		words = cmp.Or(t.known.calledBy(t.norm(p.from)), words)
	case p.class == classGuess && len(candidates) > 0 && t.noName(p):
		question = t.lex.questions["meant"]
	case (p.class == "unknown_category" || p.class == "beside") && t.known.closed[category] &&
		strings.ContainsFunc(words, unicode.IsLetter):
		question += " " + t.known.nearest(words)
	case !has:
		p.class = "unsupported"
		question = t.lex.questions[p.class]
	case t.lex.refusal[p.class] && p.to > p.from:
		question = "A plan cannot express %s. " + question
	}
	if len(candidates) > 1 && p.class == "scope" {
		question = t.lex.questions["candidates"]
	}
	asked := &planning.ClarificationError{
		Class:     p.class,
		Questions: []string{replaceWords(question, quote(words))},
	}
	return planning.Understanding{Candidates: candidates, Asked: asked}
}

// noName reports whether what words are supposed to mean is no name: a condition on another column,
// how prices are rounded.
func (t *text) noName(p problem) bool {
	return !slices.ContainsFunc(t.edges[p.from], func(e edge) bool {
		return e.meaning.sets != nil && e.meaning.to == p.to && e.meaning.symbol != "NOTONSALE" &&
			e.meaning.sets[0].where == nil
	})
}

// replaceWords puts words into a question about them.
func replaceWords(question, words string) string { return strings.ReplaceAll(question, "%s", words) }

// notUnderstood is the question about words that no rule covers, of which the first one
// that is not reached stands at a token: the words that neither lexicon nor names have, or
// else the construct that their sentence is.
func (t *text) notUnderstood(at int) problem {
	from, end := t.unknownPhrase(at)
	if end > from {
		return problem{"unknown_words", from, end}
	}
	last := len(t.tokens) - 1
	if t.lex.listed["DANGLING"][t.tokens[last].norm] ||
		at > last && t.tokens[last].kind == word && t.useOf(last) == reserved {
		return problem{"unfinished", min(t.phraseBefore(last+1), max(0, last)), last + 1}
	}
	at = min(at, last)
	for t.tokens[at].kind == mark && at < len(t.tokens)-1 {
		at++
	}
	for t.tokens[at].kind == mark && at > 0 { // :)
		at--
	}
	for from = at; from > 0 && !isStop(t.tokens[from-1].text); from-- {
	}
	for end = from; end < len(t.tokens) && !isStop(t.tokens[end].text); end++ {
		switch norm := t.tokens[end].norm; {
		case t.lex.listed["EITHER_OR"][norm] && !t.lex.listed["COMPARED"][t.norm(end+1)] &&
			t.tokens[max(0, end-1)].kind != code:
			return problem{"either_or", t.phraseBefore(end), end + 1}
		case t.lex.listed["NEGATION"][norm] || strings.HasSuffix(norm, "n't"):
			return problem{"negation", t.phraseBefore(end), end + 1}
		}
	}
	if end < len(t.tokens) && t.tokens[end].text == "?" {
		return problem{"question", from, end}
	}
	from, end = t.phraseAround(at)
	return problem{"together", from, end}
}

// phraseAround is the few words around a token, without half a word at either end.
func (t *text) phraseAround(at int) (from, end int) {
	ends := func(i int) bool { return isStop(t.tokens[i].text) || isPause(t.tokens[i].text) }
	adjoins := func(i int) bool { return t.tokens[i-1].end == t.tokens[i].start && !ends(i-1) && !ends(i) }
	if from = t.phraseBefore(at + 1); from == at { // a number behind a comma
		from = max(0, at-3)
	}
	for from > 0 && adjoins(from) {
		from--
	}
	for from < at && t.tokens[from].kind == mark {
		from++
	}
	for end = at + 1; end < len(t.tokens) &&
		(end < at+4 && t.tokens[end].kind != mark || adjoins(end)); end++ {
	}
	return from, end
}

// unknownPhrase is the words around a token, or else the first ones of all, that neither
// the lexicon nor a name has.
func (t *text) unknownPhrase(at int) (from, end int) {
	strange := func(i int) bool {
		return i >= 0 && i < len(t.tokens) && t.useOf(i) == unknown && !t.inName(i) &&
			!t.known.inTitle(t.tokens[i].text)
	}
	from = at
	for i := 0; i < len(t.tokens) && !strange(from); i++ {
		from = i
	}
	for strange(from - 1) {
		from--
	}
	for end = from; strange(end); end++ {
	}
	return from, end
}

// inName reports whether a token is part of a name of the list, or passed over.
func (t *text) inName(i int) bool {
	covers := func(skips []hop) bool {
		return slices.ContainsFunc(skips, func(h hop) bool { return h.end > i })
	}
	return slices.ContainsFunc(t.skips[max(0, i-maxNameWords):i+1], covers) || t.spanned(i, i+1)
}

// spanned reports whether a name that begins before another token covers one.
func (t *text) spanned(i, end int) bool {
	return slices.ContainsFunc(
		t.spans(piece{max(0, i-maxNameWords), end}, costUnlikely),
		func(m *meaning) bool { return m.to > i },
	)
}

// inTitle reports whether a word is one of a name.
func (c *index) inTitle(said string) bool {
	words := titleOf(said).words
	return len(words) == 1 &&
		slices.ContainsFunc(c.titles, func(t title) bool { return slices.Contains(t.words, words[0]) })
}

// phraseBefore is where the few words before a token begin, or the sentence.
func (t *text) phraseBefore(end int) int {
	from := end
	for from > 0 && from > end-4 && !isStop(t.tokens[from-1].text) && !isPause(t.tokens[from-1].text) {
		from--
	}
	return from
}

// unknownName is where a meaning has a name that the list has not, or supposes one.
func unknownName(m *meaning) (first *problem) {
	m.eachLeaf(func(leaf *meaning) {
		if first == nil && (leaf.problem == "unknown_category" || leaf.guess != "") {
			first = &problem{"unknown_category", leaf.from, leaf.to}
		}
	})
	return first
}

// quote is words in quotation marks, cut where they are many.
func quote(words string) string {
	words = strings.Join(strings.Fields(words), " ")
	if runes := []rune(words); len(runes) > maxQuoted {
		words = string(runes[:maxQuoted]) + "…"
	}
	return "\"" + words + "\""
}

// nearest names the three names that are the most alike to one, or else have some of its words.
func (c *index) nearest(name string) string {
	const shown = 3
	near := fold.NewNearest(fold.Names, []string{name})
	for _, other := range c.titles {
		near.Add(other.name)
	}
	names := near.Of(name)
	for _, other := range c.sharing(titleOf(name).words) {
		if !slices.Contains(names, other) {
			names = append(names, other)
		}
	}
	if len(names) > 0 {
		return "The nearest names that the shop has: " + strings.Join(names[:min(shown, len(names))], ", ") +
			"."
	}
	if len(c.list) == 0 {
		return "No column is known to have any: if one has the categories, brands or tags, say which."
	}
	return "Nothing in the table is like it; it has, among others: " + strings.Join(
		c.list[:min(shown, len(c.list))],
		", ",
	) + "."
}

// sharing are the names that have some of the words, those that have the most of their letters first.
func (c *index) sharing(words []string) (names []string) {
	shares := map[string]int{}
	for _, other := range c.titles {
		share := 0
		for _, w := range words {
			if slices.Contains(other.words, w) {
				share += len(w)
			}
		}
		if _, known := shares[other.name]; !known && share > 0 {
			shares[other.name], names = share, append(names, other.name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(shares[b], shares[a]) })
	return names
}

// candidate is what operations say.
func (t *text) candidate(ops []plan.Operation, m *meaning) planning.Candidate {
	p := &plan.Plan{Operations: ops}
	r := planning.Candidate{Sentences: plan.Explain(p), Operations: ops}
	if m != nil {
		r.Derivation, r.Assumes = t.derivation(m), t.assumed(m)
	}
	return r
}
