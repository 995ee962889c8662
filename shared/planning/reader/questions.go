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

// problem is why a reading is no plan: the class of the question, and the words
// that it is about.
type problem struct {
	class    string
	from, to int
}

// ask makes the question of a problem.
func (t *text) ask(p problem, readings []planning.Reading) planning.Understanding {
	t.asked = p
	question, has := t.lex.questions[p.class]
	words := cmp.Or(t.source(p.from, p.to), t.instruction)
	switch {
	case p.class == "column":
		words = cmp.Or(t.known.calledBy(t.norm(p.from)), words)
	case p.class == supposing && len(readings) > 0 && !slices.ContainsFunc(t.edges[p.from], func(e edge) bool { return e.meaning.sets != nil }):
		question = t.lex.questions["unknown_words"] // no name
	case (p.class == "unknown_category" || p.class == "beside") && t.known.closed[category] && strings.ContainsFunc(words, unicode.IsLetter):
		question += " " + t.known.nearest(words)
	case !has:
		p.class = "unsupported"
		question = t.lex.questions[p.class]
	case t.lex.refusal[p.class] && p.to > p.from:
		question = "A plan cannot express %s. " + question
	}
	if len(readings) > 1 && p.class == "scope" {
		question = t.lex.questions["readings"]
	}
	asked := &planning.ClarificationError{
		Class: p.class, Readings: readings,
		Questions: []string{replaceWords(question, quote(words))},
	}
	return planning.Understanding{Readings: readings, Asked: asked}
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
	if t.lex.listed["DANGLING"][t.tokens[last].norm] || at > last && t.tokens[last].kind == word && t.standing(last) == reserved {
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
		case t.lex.listed["EITHER_OR"][norm] && !t.lex.listed["COMPARED"][t.norm(end+1)] && t.tokens[max(0, end-1)].kind != code:
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
	for end = at + 1; end < len(t.tokens) && (end < at+4 && t.tokens[end].kind != mark || adjoins(end)); end++ {
	}
	return from, end
}

// unknownPhrase is the words around a token, or else the first ones of all, that neither
// the lexicon nor a name has.
func (t *text) unknownPhrase(at int) (from, end int) {
	strange := func(i int) bool {
		return i >= 0 && i < len(t.tokens) && t.standing(i) == unknown && !t.inName(i) && !t.known.inTitle(t.tokens[i].text)
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
	covers := func(skips []hop) bool { return slices.ContainsFunc(skips, func(h hop) bool { return h.end > i }) }
	return slices.ContainsFunc(t.skips[max(0, i-maxNameWords):i+1], covers) || t.spanned(i, i+1)
}

// spanned reports whether a name that begins before another token covers one.
func (t *text) spanned(i, end int) bool {
	return slices.ContainsFunc(t.spans(piece{max(0, i-maxNameWords), end}, costUnlikely), func(m *meaning) bool { return m.to > i })
}

// inTitle reports whether a word is one of a name.
func (c *index) inTitle(said string) bool {
	words := titleOf(said).words
	return len(words) == 1 && slices.ContainsFunc(c.titles, func(t title) bool { return slices.Contains(t.words, words[0]) })
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
		if first == nil && (leaf.problem == "unknown_category" || leaf.supposed != "") {
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
		return "The nearest names that the shop has: " + strings.Join(names[:min(shown, len(names))], ", ") + "."
	}
	if len(c.list) == 0 {
		return "No column is known to have any: if one has the categories, brands or tags, say which."
	}
	return "Nothing in the table is like it; it has, among others: " + strings.Join(c.list[:min(shown, len(c.list))], ", ") + "."
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

// completions adds to readings those of rules that lack a unit or a direction, with each
// that they may have, and those of rules that overlap by their names, one after the other.
func (t *text) completions(m *meaning, class string, all []planning.Reading) []planning.Reading {
	if class == "excepted" {
		ops, _ := compile(t.promoted(m), t.known)
		return append(all, t.reading(t.known.excepted(ops), m), t.reading(ops, m))
	}
	ways := completing[class]
	for i, r := range m.rules {
		if class == "overlap" && r.act != keep && (r.act != change && r.act != likewise || r.ref != byName || slices.ContainsFunc(r.sets, set.conditional) || i > 0 && keys(r.sets) == keys(m.rules[0].sets)) {
			return all
		}
	}
	for _, given := range ways {
		completed := t.promoted(m)
		for i := range completed {
			completed[i].complete(&given)
		}
		if class == "heading" {
			underHeadings(completed, func(r *clause, heading []set) {
				if r.under = everything; given.all {
					r.sets = intersection(r.sets, heading)
				}
			})
		} else if given.single && !t.known.once(completed) {
			continue
		}
		if ops, failed := compile(completed, t.known); failed.class == "" && !among(all, ops) {
			r := t.reading(ops, nil)
			if r.Assumes = t.assumed(m); given.then {
				r.Assumes = append(r.Assumes, "What several of the changes are for gets one after the other.")
			} else if given.single {
				r.Assumes = append(r.Assumes, "Each product gets one of the changes: those of a part get its own.")
			}
			all = append(all, r)
		}
	}
	return all
}

// once leaves out of each rule what is a part of its products and has a rule of its own. It
// is false where rules share products and none is for a part of the other's.
func (c *index) once(rules []clause) bool {
	for i := range rules {
		if rules[i].act == likewise && i > 0 {
			rules[i].like(&rules[i-1])
		}
	}
	for i := range rules {
		for k := range rules {
			if i == k || len(rules[i].sets) != 1 || len(rules[k].sets) != 1 {
				continue
			}
			part := rules[i].sets[0]
			rows, known := c.shared(rules[k].sets[0], part)
			if all := keys(rules[k].sets) == keys(everything); !all && (!known || rows == 0) {
				continue
			} else if all || rows >= c.count(part) {
				rules[k].except = append(slices.Clip(rules[k].except), part)
			} else if rows < c.count(rules[k].sets[0]) {
				return false
			}
		}
	}
	return true
}

// filled is the instruction with the unit that operations have written into its one
// amount. It is empty where no unit was asked for, where there are more amounts, or where
// it is read otherwise.
func (t *text) filled(asked string, ops []plan.Operation) string {
	if asked != "missing_unit" {
		return ""
	}
	counts := func(token token) bool { return token.kind == number }
	at := slices.IndexFunc(t.tokens, counts)
	if at < 0 || slices.ContainsFunc(t.tokens[at+1:], counts) {
		return ""
	}
	token, written := t.tokens[at], "$"+t.tokens[at].text
	if a := ops[0].Action.Type; a == plan.PercentIncrease || a == plan.PercentDecrease {
		written = token.text + "%"
	}
	return readAs(t.instruction[:token.start]+written+t.instruction[token.end:], ops, t.known)
}

// readAs is a text where operations are what is read of it, and empty where not.
func readAs(said string, ops []plan.Operation, known *index) string {
	u := read(said, known, false)
	if u.Asked != nil || !planning.Same(planOf(u.Readings[0]), &plan.Plan{Operations: ops}) {
		return ""
	}
	return said
}

// completing are the ways to give rules what they lack.
var completing = map[string][]clause{
	"missing_unit":      {{amount: amount{unit: money}}, {amount: amount{unit: percent}}},
	"missing_direction": inAnyDirection,
	"missing_verb":      inAnyDirection,
	"overlap":           {{single: true}, {then: true}},
	"heading":           {{all: true}, {}},
	"several":           {},
	"anytag":            {{}},
	"limit":             {{}},
	"cost_price":        {{}},
	"paid":              {{}},
	"sale_price":        {{sale: true}, {regular: true}},
	"verb":              {{act: unsale}, {dir: to}, {dir: onCost}, {}},
	"promo":             {{only: onSale}, {sale: true}, {regular: true}},
}

var inAnyDirection = []clause{
	{dir: to, amount: amount{unit: money}}, {dir: up, amount: amount{unit: percent}}, {dir: down, amount: amount{unit: percent}},
}

// complete gives a rule a unit and a direction where it has none.
func (c *clause) complete(given *clause) {
	c.then = c.then || given.then
	if c.problem == "sale_price" || c.problem == "promo" {
		c.problem, c.sale = "", given.sale && (c.dir == down || c.dir == to && !c.regular)
		c.merge(&clause{only: given.only})
	}
	if c.problem == "verb" && (given.act != noAct && c.dir == to || given.act == noAct && (given.dir == noDirection || actions[given.dir][c.amount.unit] != "")) {
		c.problem, c.act, c.dir = "", cmp.Or(given.act, c.act), cmp.Or(given.dir, c.dir)
	}
	if (c.problem == "missing_direction" || c.problem == "missing_verb") && given.dir != noDirection || slices.Contains([]string{"anytag", "cost_price", "paid", "limit"}, c.problem) {
		c.problem, c.act = "", cmp.Or(c.act, change)
	}
	if c.act != change || c.problem != "" {
		return
	}
	if c.amount.unit == bare && c.dir != to {
		c.amount.unit = given.amount.unit
	}
	if c.dir == noDirection {
		c.dir = given.dir
	}
}

// reading is what operations say, with an instruction that asks for just them
// where there is one that is read so.
func (t *text) reading(ops []plan.Operation, m *meaning) planning.Reading {
	p := &plan.Plan{Operations: ops}
	r := planning.Reading{By: Model, Sentences: plan.Explain(p), Operations: ops}
	if m != nil {
		r.Derivation, r.Assumes = t.derivation(m), t.assumed(m)
	}
	return r
}

// inWords is a plan in words that are read as it. It is empty where there are none.
func inWords(p *plan.Plan, known *index) string {
	sentences := plan.Explain(p)
	for i := range p.Operations[1:] {
		if !plan.Independent(p.Operations[i], p.Operations[i+1]) {
			sentences[i+1] = "Then " + strings.ToLower(sentences[i+1][:1]) + sentences[i+1][1:]
		}
	}
	return readAs(strings.Join(sentences, " "), p.Operations, known)
}
