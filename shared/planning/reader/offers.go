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
	plain bool // it tells of the world
}

// withoutChatter are the readings of an instruction without the sentences, or their edges,
// that carry nothing, one for each unit that an amount may have; one may be planned at once.
func (t *text) withoutChatter() (readings []planning.Reading, planned bool) {
	all := t.chatter(newText(t.instruction, t.lex, t.known, true))
	if len(all) == 0 || len(all) > maxLeft {
		return nil, false
	}
	readings = supposed(t.without(all...), t.known)
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
	if len(readings) != 1 || slices.ContainsFunc(all, func(l left) bool { return !l.plain }) {
		return readings, false
	}
	_, u := carefully(t.without(all...), t.known, true)
	return readings, u.Asked == nil
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
		whole := s.from < s.end && t.plain(s, offered) && !t.lex.listed["SUBORDINATE"][t.tokens[s.from].norm]
		if topic := meant.topic(s); whole && topic != "" && t.refersBack(from) {
			all = append(all, left{piece{s.from, from}, topic, t.plain(s, sure) && t.bare(s)})
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
		if !courtesy && !isPause(t.tokens[at].text) && t.tokens[at].norm != "so" || t.has("DOUBTING", p) || t.has("NEGATION", p) || t.orders(p.from) || slices.ContainsFunc(t.tokens[p.from:p.end], func(token token) bool { return token.kind != word && token.kind != mark }) {
			continue
		}
		if topic := meant.topic(p); topic != "" && t.orders(at+1) && (colon || (t.past(p) || t.has("TELLS", p))) && meant.topic(piece{at + 1, s.end}) == "" {
			return []left{{piece: p, topic: topic}}
		}
		occasion := t.named(p) != nil && t.namesNothing(p.from, p.end)
		for _, e := range t.refused {
			if within := p.from <= e.end && e.end < p.end; within && e.meaning.problem != "schedule" && !t.scheduled(e.end) { // black, of Black Friday
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
	day := func(i int) bool { // 2027-03-01
		return len(t.tokens[i].text) >= 10 && t.tokens[i].text[4] == '-' && year.MatchString(t.tokens[i].text[:4]) || t.is(i, "MONTH") || t.scheduled(i)
	}
	for from := s.from; from < s.end; from++ {
		dated, counted, end := false, false, from
		for ; end < s.end && (day(end) || t.tokens[end].kind == number || t.tokens[end].kind == mark || len(t.norm(end)) == 3 && t.norm(end)[2] == 'z' || t.is(end, "DATEWORD") || end == from && t.is(end, "DATESTART")); end++ {
			dated, counted = dated || day(end), counted || t.tokens[end].kind == number || t.tokens[end].kind == code
		}
		if !dated {
			from = max(from, end-1) // nor is what begins within it
			continue
		}
		whole := from == s.from && end == s.end
		if heads := from == s.from && end > from && t.tokens[end-1].text == ":" || whole && from == 0; !heads && (!counted || !whole && !t.is(from, "DATESTART")) {
			continue
		}
		begin := from
		for begin > s.from && (t.is(begin-1, "DATEHEAD") || isPause(t.tokens[begin-1].text)) {
			begin--
		}
		if begin > s.from && !isPause(t.tokens[begin].text) { // the sale starts on, or mugs 10% off, starting on
			begin = from
		}
		all, from = append(all, piece{begin, end}), end
	}
	return all
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
	offered               // what a reading leaves out and a person confirms
)

// asides are the parts of a sentence that carry nothing: the whole, or what stands before
// a pause or "so", and after the last comma.
func (t *text) asides(s piece, kind saying) []piece {
	if t.carriesNothing(s, kind) {
		return []piece{s}
	}
	var all []piece
	for at, tries := s.end-1, 0; at > s.from+1 && tries < maxLeft; at-- {
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

// carriesNothing reports whether words say nothing of a rule, and nothing after speaks of them.
func (t *text) carriesNothing(p piece, kind saying) bool {
	switch {
	case kind == offered && t.signs(p), p.end-p.from == 1 && isPause(t.tokens[p.from].text):
		return true
	case !t.namesNothing(p.from, p.end), t.spokenOf(p.from, p.end):
		return false
	}
	return t.plain(p, kind)
}

// binds reports whether a word of a remark, or what begins with it, may change a rule,
// wherever it stands: a number, a condition, a comparison, what no plan can express but
// for when something was; in what is no reason also a negation or an order.
func (t *text) binds(at int, sentence piece, kind saying) bool {
	token, listed := t.tokens[at], t.lex.listed
	switch {
	case token.norm == "too" && at+1 < len(t.tokens) && t.tokens[at+1].kind == word: // too cheap
		return false
	case token.kind == mark:
		return !isPause(token.text) && !isPicture(token.text) && token.text != "'" && token.text != "’"
	case token.kind != word, t.is(at, "BINDING", "WISHING"), kind == reason && listed["PLACING"][token.norm]:
		return true
	case kind == reason:
		return t.begins(at, "telling") || t.restricts(at, sentence, kind)
	case t.is(at, "SENTENCE", "DOUBTING"), t.isCommand(at) && t.lex.base[token.norm] && !listed["CLOSED"][token.norm] && !t.participle(at):
		return true
	case (listed["REVERSING"][token.norm] || strings.HasSuffix(token.norm, "n't")) && t.says(piece{0, sentence.from}):
		return true
	}
	return t.begins(at, "telling") && !t.participle(at) || t.restricts(at, sentence, kind)
}

// plain reports whether words tell of the world, and of no rule. What could be said of a rule is
// not plain behind one, where words of no closed class must be names, or stand as nouns do.
func (t *text) plain(p piece, kind saying) bool {
	behind := p.from < p.end && (p.from > t.ruled || !t.beginsSentence(p.from) || t.norm(p.end) == ":" || t.norm(p.end-1) == ":")
	if p.from < p.end && t.begins(p.from, "GREETING") {
		p.from = min(p.end, slices.Max(append(t.skips[p.from], p.from)))
	}
	s := statement{text: t, piece: p, kind: kind, offers: behind && kind == offered, strict: behind && kind == sure, back: t.has("BACK", p), personal: t.personal(p)}
	if p.from == p.end || s.requests() {
		return false
	}
	s.stopped = len(t.named(p)) == 0 && (p.end == len(t.tokens) || isStop(t.tokens[p.end].text)) && (t.has("HAVING", p) || t.has("BEING", p) || t.has("PAST", p))
	for at := p.from; at < p.end; at++ {
		if !s.plainly(at) {
			return false
		}
	}
	return s.told || !s.strict && (t.past(p) || t.has("TELLS", p)) || kind == offered
}

// statement is what is looked at word by word for whether it tells of the world alone.
type statement struct {
	*text
	piece
	kind saying
	// A rule stands before it, which it may be said of: offers where a person decides,
	// and strict where nobody does.
	offers, strict bool
	back           bool // it refers to something before it
	personal       bool
	stopped        bool // it names nothing, and is a sentence with a verb
	// What the words so far were.
	told, being, noun bool
}

// requests reports whether a statement asks, orders or denies: when it comes, in May, send me a list.
func (s *statement) requests() bool {
	t, p := s.text, s.piece
	switch {
	case t.norm(p.end) == "?", t.is(p.end-1, "DANGLING"):
		return true
	case s.offers && (t.has("NEGATION", p) || !s.personal && t.has("HARMING", p)):
		return true
	case t.is(p.from, "TOLD", "TOLDBEFORE") && t.is(p.from+1, "INTRODUCING", "BACK", "PERSON") && t.norm(p.from) != "hope":
		return true
	}
	return !t.is(p.from, "SELF") && (t.is(p.from, "SUBORDINATE", "PLACING", "DATESTART") || t.orders(p.from))
}

// plainly takes a word in, and reports whether it may stand in what tells of the world.
func (s *statement) plainly(at int) bool {
	t, token := s.text, s.tokens[at]
	introduced := at > s.from && t.is(at-1, "INTRODUCING", "STATE")
	follows := (s.noun || at == s.from) && !t.is(at, "TOLDBEFORE") && !strings.HasSuffix(token.norm, "ed") && !t.is(at+1, "A", "BACK", "PERSON") && t.norm(at+1) != "the"
	s.noun = false
	switch {
	case (token.norm == "this" || token.norm == "all") && t.scheduled(at+1):
	case s.narrows(at):
		return false
	case s.tells(at, introduced):
		s.told = true
	case token.kind == mark && (isPause(token.text) || isPicture(token.text) || token.text == "'" || token.text == "’"):
	case t.is(at, "BEING"):
		s.being = true
	case s.ofTheWorld(at):
	case token.kind != word, s.ofARule(at):
		return false
	case !s.strict, introduced && !strings.HasSuffix(token.norm, "ly"), follows, hasCapital(token.text) && at > s.from:
		s.noun = true
	default:
		return false
	}
	return true
}

// narrows reports whether a word may say when, for what or whether a rule holds.
func (s *statement) narrows(at int) bool {
	t, norm := s.text, s.tokens[at].norm
	switch {
	case t.is(at, "DOUBTING"), norm == "ones" && s.kind == sure, t.is(at, "FRACTION") && t.norm(at+1) == "off":
		return true
	case s.kind == offered && !s.personal && t.is(at, "SENTENCE", "BINDING"):
		return true
	case s.offers && !s.back && t.begins(at, "telling") && !t.participle(at):
		return true
	case s.strict && (norm == "for" || t.is(at, "HARMING", "REVERSING", "SENTENCE", "BINDING", "PAYING")):
		return true
	case norm == "this" && (at+1 >= s.end || t.is(at+1, "CLOSED", "TOLD", "TOLDBEFORE")):
		return true
	}
	return t.restricts(at, s.piece, s.kind)
}

// tells reports whether a word says what happened or how something is.
func (s *statement) tells(at int, introduced bool) bool {
	t := s.text
	switch {
	case !introduced && (t.is(at, "TOLD") || t.is(at, "TOLDBEFORE") && (!s.strict || !s.back && t.participle(at))):
		return true
	case t.is(at, "NOTE") && !s.strict, s.being && t.is(at, "STATE"):
		return true
	}
	return s.being && !s.back && t.is(at-1, "BEING") && t.is(at, "PLACING")
}

// ofTheWorld reports whether a word is one of those that change nothing wherever they stand.
func (s *statement) ofTheWorld(at int) bool {
	t, isNumber := s.text, s.tokens[at].kind == number
	return t.is(at, "WORLD", "INTRODUCING") || !s.strict && t.is(at, "WORLDBEFORE") || isNumber && !t.counts(at) ||
		!s.strict && s.stopped && (isNumber || t.is(at, "PCT", "CUR", "CURWORD", "CENT"))
}

// ofARule reports whether a word is of those that rules are made of.
func (s *statement) ofARule(at int) bool {
	t, everything := s.text, s.begins(at, "EVERYTHING")
	return t.is(at, "PCT", "CURWORD", "CENT") || t.is(at, "CLOSED") && s.kind == sure && (s.strict || !everything) ||
		strings.HasSuffix(s.tokens[at].norm, "n't") || t.begins(at, "WHATEVER") || everything && (s.strict || at == s.from)
}

// bare reports whether nothing beside the names in some words narrows them.
func (t *text) bare(p piece) bool {
	within := func(at int) bool { return at >= p.from && at < p.end && t.tokens[at].kind != mark }
	for at := p.from; at < p.end; at++ {
		for _, e := range t.edges[at] {
			if name := slices.Contains(nameSymbols, e.meaning.symbol) && e.meaning.problem == ""; name && (within(at-1) && !t.is(at-1, "CLOSED", "TOLD", "TOLDBEFORE") || within(e.end) && !t.is(e.end, "BEING", "HAVING", "TOLD", "TOLDBEFORE")) {
				return false
			}
		}
	}
	return true
}

// restricts reports whether a phrase at a token says when or for whom a rule is, or what none can.
func (t *text) restricts(at int, p piece, kind saying) bool {
	return slices.ContainsFunc(t.refused, func(e edge) bool {
		switch problem := e.meaning.problem; {
		case e.end != at, strings.HasPrefix(problem, "vague"), t.norm(at) == "left" && t.past(p):
			return false
		case problem == "schedule" && kind == chat:
			return !t.past(p)
		case problem == "schedule" && kind >= sure:
			return !t.personal(p) && (t.has("BACK", p) && !t.past(p) || t.is(at-1, "DATING") || at == p.from && p.from > t.ruled)
		case problem == "outside_data" && kind >= sure:
			return t.is(at-1, "RESTRICTING")
		}
		return true
	})
}

// personal reports whether words are about who writes or reads them, rather than about
// what was named.
func (t *text) personal(p piece) bool {
	return t.has("PERSON", p) && !t.has("BACK", p) && !t.has("MEANING", p)
}

// is reports whether a token is of one of some classes.
func (t *text) is(at int, classes ...string) bool {
	return slices.ContainsFunc(classes, func(class string) bool { return t.lex.listed[class][t.norm(at)] })
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
		t.is(at+1, "PCT", "CUR", "CURWORD", "CENT") || t.is(at-1, "PCT", "CUR", "CURWORD", "CENT")
}
