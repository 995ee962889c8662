package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning"
)

// What of an instruction carries nothing is passed over at once, or left out of a reading
// that a person confirms.

// maxLeft bounds the parts that a reading leaves out, each of which is tried, and the
// pauses of a sentence at which they may begin or end.
const maxLeft = 8

// left is what a reading leaves out, and the name that takes its place.
type left struct {
	piece
	topic string
}

// withoutChatter are the readings of an instruction without the sentences, or their edges,
// that carry nothing: one, or one for each unit that an amount may have.
func (t *text) withoutChatter() []planning.Reading {
	all := t.chatter(newText(t.instruction, t.lex, t.known, true))
	if len(all) == 0 || len(all) > maxLeft {
		return nil
	}
	readings := supposed(t.without(all...), t.known)
	for i := 0; i < len(all) && readings != nil; { // what changes nothing is not left out
		fewer := slices.Delete(slices.Clone(all), i, i+1)
		if again := supposed(t.without(fewer...), t.known); len(fewer) > 0 && len(again) == len(readings) && planning.Same(planOf(again[0]), planOf(readings[0])) {
			all, readings = fewer, again
			continue
		}
		i++
	}
	for i := range readings {
		for _, l := range all {
			r, said := &readings[i], strings.TrimSpace(t.source(l.from, l.end))
			if r.LeavesOut = append(r.LeavesOut, said); l.topic != "" {
				r.Assumes = append(r.Assumes, "Read what follows "+quote(said)+" as of "+quote(l.topic)+".")
			}
		}
	}
	return readings
}

// without is the instruction without some of its parts.
func (t *text) without(all ...left) string {
	said := t.instruction
	for _, l := range slices.Backward(all) {
		topic := ""
		if l.topic != "" {
			topic = l.topic + ": "
		}
		said = said[:t.tokens[l.from].start] + topic + said[t.tokens[l.end-1].end:]
	}
	return said
}

// chatter are the parts of the instruction that carry nothing, or only name what the next
// sentence speaks of, which may be what a word is meant for.
func (t *text) chatter(meant *text) []left {
	var all []left
	for from := 0; from < len(t.tokens); {
		s := t.sentence(from)
		from = min(s.end+1, len(t.tokens))
		whole := t.harmless(s) && s.from < s.end && !t.lex.listed["SUBORDINATE"][t.tokens[s.from].norm]
		if topic := meant.topic(s); whole && topic != "" && t.refersBack(from) {
			all = append(all, left{piece{s.from, from}, topic})
			for at := from; at < t.sentence(from).end; at++ { // their mugs, but not their prices
				if norm := t.tokens[at].norm; (norm == "their" || norm == "its") && !t.begins(at+1, "PRICE") {
					all = append(all, left{piece: piece{at, at + 1}})
				}
			}
			continue
		} else if whole && t.namesNothing(s.from, s.end) {
			all = append(all, left{piece: piece{s.from, from}})
			continue
		}
		parts := t.head(s, meant)
		for _, p := range append(t.dates(s), t.asides(s, offered)...) {
			if p == s {
				p.end = from // with its mark
			}
			if !slices.ContainsFunc(parts, func(other left) bool { return p.from < other.end && other.from < p.end }) {
				parts = append(parts, left{piece: p})
			}
		}
		slices.SortFunc(parts, func(a, b left) int { return cmp.Compare(a.from, b.from) })
		all = append(all, parts...)
	}
	return all
}

// head is what a sentence has before its rule: on what occasion it is, or names of the
// rule (our Easter deal on lamps: ...), or what it tells of the one product that an order
// is for which names none (the soap has gone off, please take $1 off).
func (t *text) head(s piece, meant *text) []left {
	for at := s.from + 2; at < s.end; at++ {
		p, courtesy, colon := piece{s.from, at + 1}, t.tokens[at].norm == "please", t.tokens[at].text == ":"
		if !courtesy && !isPause(t.tokens[at].text) && t.tokens[at].norm != "so" || !t.harmless(p) {
			continue
		}
		if topic := meant.topic(p); topic != "" && t.orders(at+1) && (colon || t.tells(p)) && meant.topic(piece{at + 1, s.end}) == "" {
			return []left{{p, topic}}
		}
		occasion := t.named(p) != nil && t.namesNothing(p.from, p.end)
		for _, e := range t.refused {
			if within := p.from <= e.end && e.end < p.end; within && e.meaning.problem != "schedule" {
				return nil
			} else if within {
				occasion = true
			}
		}
		if occasion && (courtesy || colon) && !t.has("BINDING", piece{p.from, at}) && t.namesNothing(p.from, p.end) {
			return []left{{piece: p}}
		}
	}
	return nil
}

// topic is the name that some words have, or a list of them, as it was typed; it is empty
// where they have several apart.
func (t *text) topic(p piece) string {
	all := t.spans(p, costUnlikely)
	for i := 1; i < len(all); i++ {
		if all[i].from != all[i-1].to+1 || !joins(t.tokens[all[i-1].to].norm) {
			return ""
		}
	}
	if all == nil {
		return ""
	}
	return t.source(all[0].from, all[len(all)-1].to)
}

// dates are the parts of a sentence that say by the calendar when a rule is to hold. A plan
// gets them beside the instruction.
func (t *text) dates(s piece) (all []piece) {
	is := func(i int, class string) bool { return t.lex.listed[class][t.tokens[i].norm] }
	day := func(i int) bool { // 2027-03-01
		return len(t.tokens[i].text) == 10 && year.MatchString(t.tokens[i].text[:4]) || is(i, "MONTH") || t.scheduled(i)
	}
	for from := s.from; from < s.end; from++ {
		dated, counted, end := false, false, from
		for ; end < s.end && (day(end) || t.tokens[end].kind == number || t.tokens[end].kind == mark || is(end, "DATEWORD") || end == from && is(end, "DATESTART")); end++ {
			dated, counted = dated || day(end), counted || t.tokens[end].kind == number || t.tokens[end].kind == code
		}
		whole := from == s.from && end == s.end
		if heads := from == s.from && end > from && t.tokens[end-1].text == ":" || whole && from == 0; !dated || !heads && (!counted || !whole && !is(from, "DATESTART")) {
			continue
		}
		begin := from
		for begin > s.from && (is(begin-1, "DATEHEAD") || isPause(t.tokens[begin-1].text)) {
			begin--
		}
		if begin > s.from && !isPause(t.tokens[begin].text) { // the sale starts on, or mugs 10% off, starting on
			begin = from
		}
		all, from = append(all, piece{begin, end}), end
	}
	return all
}

// harmless reports whether a sentence, left out where a person sees it, takes nothing from
// a rule: it neither doubts, restricts nor takes back, asks nothing, gives no order, and has
// no amount but of what was. What is not so before any rule is a fact.
func (t *text) harmless(s piece) bool {
	begins := func(class string) bool { return t.lex.listed[class][t.tokens[s.from].norm] }
	after, back := t.says(piece{0, s.from}), begins("BACK")
	if s.end-s.from < 2 || t.norm(s.end) == "?" || t.has("DOUBTING", s) || t.orders(s.from) || (after || back) && !t.personal(s) && t.has("HARMING", s) {
		return false
	}
	for at := s.from; at < s.end; at++ {
		token := t.tokens[at]
		amounts := token.norm != "one" && slices.ContainsFunc(t.edges[at], func(e edge) bool { return e.meaning.amount.unit != noUnit })
		negates := strings.HasSuffix(token.norm, "n't") || t.lex.listed["NEGATION"][token.norm]
		self := at > 0 && t.lex.listed["SELF"][t.tokens[at-1].norm] // I'm back in two weeks
		states := slices.ContainsFunc(t.edges[at], func(e edge) bool {
			return t.lex.grammar.mayBegin("stating", e.symbol) && (token.norm != "left" && token.norm != "out" && at > s.from || e.end > at+1 && token.norm != "back")
		})
		switch {
		case token.kind == code, token.kind == quoted, back && (token.norm == "for" || t.refuses(at, s, sure)):
			return false
		case negates && (after || at == s.from), amounts && ((!t.past(s) || at+1 == s.end) && token.kind == number || at == s.from || t.counts(at)):
			return false
		case (t.isCommand(at) && t.lex.base[token.norm] || states) && !t.participle(at) && !self:
			return false
		}
	}
	return true
}

// aside reports whether a part of a sentence tells something, or binds nothing beside it.
func (t *text) aside(p piece) bool {
	if t.has("SENTENCE", p) || t.has("BINDING", p) {
		return false
	}
	for at := p.from; at < p.end && !t.tells(p); at++ {
		if t.refuses(at, p, sure) || at == p.from && t.has("PLACING", piece{at, at + 1}) {
			return false
		}
	}
	return true
}

// named are the names of the list in some words, but for those within others.
func (t *text) named(p piece) (all []string) {
	for _, m := range t.spans(p, 0) {
		all = joined(all, []string{m.sets[0].first()})
	}
	return all
}

// spans are the longest names in some words, of those that cost no more.
func (t *text) spans(p piece, cost int) (all []*meaning) {
	for at := p.from; at < p.end; at++ {
		longest := &meaning{to: at + 1}
		for _, e := range t.edges[at] {
			if m := e.meaning; slices.Contains(nameSymbols, m.symbol) && m.problem == "" && m.cost <= cost && m.to >= longest.to {
				longest = m
			}
		}
		if longest.sets != nil {
			all = append(all, longest)
		}
		at = longest.to - 1
	}
	return all
}

// piece is some tokens of the instruction.
type piece struct{ from, end int }

// saying is what is told, by how much it may be trusted to carry nothing.
type saying uint8

const (
	reason  saying = iota // because ...
	chat                  // I had ..., hope ..., shipping costs ...
	sure                  // a statement of the world, which is passed over
	lexical               // one that the lexicon knows
	offered               // what a reading leaves out and a person confirms
)

// asides are the parts of a sentence that carry nothing: the whole, or what stands before
// a pause or "so", and after the last comma.
func (t *text) asides(s piece, kind saying) []piece {
	if t.carriesNothing(s, kind) {
		return []piece{s}
	}
	var all []piece
	begins := s.from < s.end && !t.has("PLACING", piece{s.from, s.from + 1}) && !t.has("SUBORDINATE", piece{s.from, s.from + 1})
	for at, tries := s.end-1, 0; at > s.from+1 && begins && tries < maxLeft; at-- {
		if !isPause(t.tokens[at].text) && t.tokens[at].norm != "so" {
			continue
		}
		if tries++; !t.lex.listed["DANGLING"][t.tokens[at-1].norm] && t.carriesNothing(piece{s.from, at}, kind) {
			all = append(all, piece{s.from, at + 1})
			break
		}
	}
	for at, tries := s.from+1, 0; at < s.end-2 && tries < maxLeft; at++ {
		if t.tokens[at].text != "," && (kind != offered || !t.begins(at, "REASON")) {
			continue
		}
		if tries++; (kind == offered || !t.refersBack(at+1)) && t.carriesNothing(piece{at + 1, s.end}, kind) {
			return append(all, piece{at, s.end})
		}
	}
	return all
}

// carriesNothing reports whether words say nothing of a rule: none of them binds, they
// name nothing, give no order, and nothing after them speaks of them.
func (t *text) carriesNothing(p piece, kind saying) bool {
	switch {
	case kind == offered && t.signs(p), p.end-p.from == 1 && isPause(t.tokens[p.from].text):
		return true
	case kind == lexical:
		bound := slices.ContainsFunc([]string{"HARMING", "BACK", "PAYING", "SENTENCE"}, func(class string) bool { return t.has(class, p) })
		return !bound && t.harmless(p) && !t.says(p)
	case kind == offered:
		return t.harmless(p) && t.aside(p) && t.namesNothing(p.from, p.end) && !t.spokenOf(p.from, p.end)
	case p.end-p.from < 2, t.orders(p.from), t.lex.listed["BACK"][t.tokens[p.from+1].norm], kind == sure && (t.says(piece{0, p.from}) || !t.tells(p)):
		return false
	case !t.namesNothing(p.from, p.end), t.spokenOf(p.from, p.end):
		return false
	}
	for at := p.from; at < p.end; at++ {
		if t.binds(at, p, kind) {
			return false
		}
	}
	return true
}

// tells reports whether words have the verb of a statement.
func (t *text) tells(p piece) bool {
	return t.past(p) || t.has("TELLS", p)
}

// binds reports whether a word of a remark, or what begins with it, may change a rule,
// wherever it stands: a number, a condition, a comparison, what no plan can express but
// for when something was; in what is no reason also a negation or an order.
func (t *text) binds(at int, sentence piece, kind saying) bool {
	token, listed := t.tokens[at], t.lex.listed
	switch {
	case kind == sure && listed["OWN"][token.norm] && t.personal(sentence) && at > sentence.from:
		return false
	case kind == sure && at > sentence.from && (listed["LINKING"][token.norm] || token.norm == "this" && t.scheduled(at+1)):
		return false // before any rule: worse than we thought, third time this year
	case token.norm == "too" && at+1 < len(t.tokens) && t.tokens[at+1].kind == word: // too cheap
		return false
	case token.kind == mark:
		return !isPause(token.text) && !isPicture(token.text) && token.text != "'" && token.text != "’"
	case token.kind == number && kind == sure:
		return !t.tells(sentence) || t.counts(at)
	case token.kind != word, listed["BINDING"][token.norm], kind == reason && listed["PLACING"][token.norm]:
		return true
	case kind == sure && listed["PAYING"][token.norm] && !t.past(sentence), listed["WISHING"][token.norm]:
		return true
	case kind == reason:
		return t.begins(at, "telling") || t.refuses(at, sentence, kind)
	case listed["SENTENCE"][token.norm], t.isCommand(at) && t.lex.base[token.norm] && !listed["CLOSED"][token.norm] && !t.participle(at):
		return true
	case (listed["REVERSING"][token.norm] || strings.HasSuffix(token.norm, "n't")) && t.says(piece{0, sentence.from}):
		return true
	}
	return t.begins(at, "telling") && !t.participle(at) || t.refuses(at, sentence, kind)
}

// personal reports whether words are about who writes or reads them, rather than about
// what was named.
func (t *text) personal(p piece) bool {
	return t.has("PERSON", p) && !t.has("BACK", p) && !t.has("MEANING", p)
}

// has reports whether one of some words is of a class.
func (t *text) has(class string, p piece) bool {
	return slices.ContainsFunc(t.tokens[p.from:p.end], func(token token) bool { return t.lex.listed[class][token.norm] })
}

// signs reports whether words may be a name at the end of the text.
func (t *text) signs(p piece) bool {
	return p.end == len(t.tokens) && p.from > 0 && p.end-p.from <= maxGreeted && isStop(t.tokens[p.from-1].text) && t.signed(p.from) &&
		slices.ContainsFunc(t.tokens[p.from:], func(token token) bool { return hasCapital(token.text) && t.lex.standing[token.norm] == unknown })
}

// scheduled reports whether a phrase that says when begins at a token.
func (t *text) scheduled(at int) bool {
	return at < len(t.tokens) && t.lex.listed["TIMES"][t.tokens[at].norm] || slices.ContainsFunc(t.refused, func(e edge) bool { return e.end == at && e.meaning.problem == "schedule" })
}

// counts reports whether a number has a unit, or is one of a rule by itself.
func (t *text) counts(at int) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool { return e.meaning.amount.unit == money }) ||
		slices.ContainsFunc([]string{"PCT", "CUR", "CURWORD", "CENT"}, func(class string) bool {
			return t.lex.listed[class][t.norm(at+1)] || at > 0 && t.lex.listed[class][t.norm(at-1)]
		})
}

// refuses reports whether a phrase begins at a token that no plan can express, and that
// may be said of a rule.
func (t *text) refuses(at int, sentence piece, kind saying) bool {
	return slices.ContainsFunc(t.refused, func(e edge) bool {
		if e.end != at {
			return false
		}
		switch problem := e.meaning.problem; {
		case strings.HasPrefix(problem, "vague"):
			return false
		case problem == "schedule" && kind >= chat && (t.past(sentence) || kind == sure && at > sentence.from && !t.has("DATING", piece{max(0, at-1), at + 1}) && !t.has("BEFOREDATE", piece{max(0, at-1), at}) && t.tells(sentence) && !t.has("BACK", sentence)):
			return false
		case kind == sure && problem == "outside_data":
			return !t.personal(sentence) && !t.tells(sentence) || at > 0 && t.lex.listed["RESTRICTING"][t.tokens[at-1].norm]
		}
		return true
	})
}
