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

// left is what a reading leaves out, and what takes its place: a name before what is of it,
// or, of a word that speaks of that name, what is understood without it.
type left struct {
	piece
	topic, instead string
}

// withoutChatter are the readings of an instruction without the sentences, or their edges,
// that no rule needs, one for each unit that an amount may have.
func (t *text) withoutChatter() []planning.Reading {
	meant := newText(t.instruction, t.lex, t.known, true)
	all := meant.chatter(false)
	readings := t.readWithout(all)
	if readings == nil {
		all = meant.chatter(true)
		readings = t.readWithout(all)
	}
	for i := 0; i < len(all) && readings != nil; { // what changes nothing is not left out
		fewer := slices.Delete(slices.Clone(all), i, i+1)
		if again := supposed(t.without(fewer...), t.known); len(fewer) > 0 && len(again) == len(readings) && planning.Same(planOf(again[0]), planOf(readings[0])) {
			all, readings = fewer, again
			continue
		}
		i++
	}
	t.tellLeft(readings, all)
	ofAll := slices.DeleteFunc(slices.Clone(all), func(l left) bool { return l.instead != "" && l.topic == "" })
	for i := range ofAll {
		ofAll[i] = left{piece: ofAll[i].piece}
	}
	if readings != nil && !slices.Equal(ofAll, all) { // or what follows a name is not only of it
		others := t.readWithout(ofAll)
		t.tellLeft(others, ofAll)
		readings = append(readings, others...)
	}
	return readings
}

// tellLeft has readings say what they leave out.
func (t *text) tellLeft(readings []planning.Reading, all []left) {
	for i := range readings {
		for _, l := range all {
			r, said := &readings[i], strings.TrimSpace(t.source(l.from, l.end))
			if l.instead == "" || l.topic != "" {
				r.LeavesOut = append(r.LeavesOut, said)
			}
			if l.topic != "" {
				r.Assumes = append(r.Assumes, "Read what follows "+quote(said)+" as of "+quote(l.topic)+".")
			}
		}
	}
}

// readWithout are the readings of the instruction without some of its parts.
func (t *text) readWithout(all []left) []planning.Reading {
	if len(all) == 0 || len(all) > maxLeft {
		return nil
	}
	return supposed(t.without(all...), t.known)
}

// without is the instruction without some of its parts.
func (t *text) without(all ...left) string {
	said := t.instruction
	for _, l := range slices.Backward(all) {
		said = said[:t.tokens[l.from].start] + l.instead + said[t.tokens[l.end-1].end:]
	}
	return said
}

// chatter are the parts of the instruction that no rule needs: sentences, or what stands
// around the rule of one, that may be left out, or only name what the next sentence speaks
// of, which may be what a word is meant for.
func (t *text) chatter(topics bool) []left {
	var all []left
	for from := 0; from < len(t.tokens) && len(all) <= maxLeft; {
		s := t.sentence(from)
		from = min(s.end+1, len(t.tokens))
		if topic := t.topic(s); topics && topic != "" && t.leavable(s) && from < len(t.tokens) && (t.refersBack(from) || t.supplies(s)) {
			all = append(append(all, left{piece{s.from, from}, topic, topic + ": "}), t.spokenBack(t.sentence(from))...)
			continue
		}
		if parts := t.around(s); parts != nil { // with what was to be left out of it
			all = append(slices.DeleteFunc(all, func(l left) bool { return l.from >= s.from }), parts...)
		}
	}
	return all
}

// supplies reports whether a sentence speaks of a brand alone.
func (t *text) supplies(s piece) bool {
	return !slices.ContainsFunc(t.spans(s, costUnlikely), func(m *meaning) bool { return m.sets[0].of[brand] == nil })
}

// spokenBack are the words that speak of the name before a sentence that stands before it
// then: their mugs, but not their prices; everything from them; all of theirs.
func (t *text) spokenBack(s piece) (all []left) {
	for at := s.from; at < s.end; at++ {
		switch before, norm := t.norm(at-1), t.norm(at); {
		case (norm == "their" || norm == "its") && !t.begins(at+1, "PRICE"):
			all = append(all, left{piece{at, at + 1}, "", " "})
		case before == "of" && (norm == "theirs" || norm == "ours") && t.begins(max(0, at-2), "EVERYTHING"):
			all = append(all, left{piece{at - 1, at + 1}, "", " "})
		case norm == "theirs", norm == "ours":
			all = append(all, left{piece{at, at + 1}, "", "them"})
		case norm == "them" && (before == "from" || before == "by"):
			all = append(all, left{piece{at - 1, at + 1}, "", " "})
		}
	}
	return all
}

// around are the parts of a sentence around its rule, or the whole of one that has none.
func (t *text) around(s piece) []left {
	if s.from == s.end || t.understood(s) {
		return nil
	}
	parts := t.head(s)
	for _, p := range t.dates(s) {
		if !slices.ContainsFunc(parts, func(other left) bool { return p.from < other.end && other.from < p.end }) {
			parts = append(parts, left{piece: p})
		}
	}
	slices.SortFunc(parts, func(a, b left) int { return cmp.Compare(a.from, b.from) })
	whole := t.leavable(s) && t.namesNothing(s.from, s.end, 0) && (t.topic(s) == "" || !t.supplies(s))
	if whole && (parts == nil || parts[0].topic == "") && !t.understood(piece{s.from, s.end}, parts...) {
		parts = nil
	}
	if parts == nil {
		parts = t.shell(s)
	}
	if parts == nil && whole {
		parts = []left{{piece: piece{s.from, min(s.end+1, len(t.tokens))}}}
	}
	return parts
}

// shell is what stands before and behind the longest rule of a sentence, up to pauses and
// "so", and may be left out.
func (t *text) shell(s piece) []left {
	starts, ends := []int{s.from}, []int{s.end}
	for at := s.from + 1; at < s.end-1 && len(starts) < maxLeft; at++ {
		if isPause(t.tokens[at].text) || t.is(at, "JOINT") {
			starts, ends = append(starts, at+1), append(ends, at)
		}
	}
	var best piece
	for _, from := range starts {
		for _, end := range ends {
			p := piece{from, end}
			if end-from <= max(1, best.end-best.from) || from > s.from && !t.tellsApart(piece{s.from, from}) || end < s.end && !t.tellsApart(piece{end, s.end}) {
				continue
			}
			if t.understood(p) {
				best = p
			}
		}
	}
	var parts []left
	for _, p := range []piece{{s.from, best.from}, {best.end, s.end}} {
		if best.end > 0 && p.end > p.from {
			parts = append(parts, left{piece: p})
		}
	}
	return parts
}

// head is what a sentence has before its rule: on what occasion it is, or names of the
// rule (our Easter deal on lamps: ...), or what it tells of the one product that an order
// is for which names none (the soap has gone off, please take $1 off).
func (t *text) head(s piece) []left {
	for at := s.from + 2; at < min(s.end, s.from+maxCuts); at++ {
		p, courtesy, colon := piece{s.from, at + 1}, t.tokens[at].norm == "please", t.tokens[at].text == ":"
		if !courtesy && !isPause(t.tokens[at].text) && t.tokens[at].norm != "so" || t.has("DOUBTING", p) || t.has("NEGATION", p) || t.orders(p.from) || t.sells(p) || slices.ContainsFunc(t.tokens[p.from:p.end], func(token token) bool { return token.kind != word && token.kind != mark }) {
			continue
		}
		if t.norm(at+1) == "so" {
			p.end++
		}
		end := at + 1
		for end < s.end && !t.begins(end, "EXCEPT") {
			end++
		}
		orders := t.orders(at+1) || p.end < s.end && t.counts(p.end)
		if topic := t.topic(p); topic != "" && orders && (colon || t.told(p)) && (t.topic(piece{at + 1, end}) == "" || t.supplies(p) && strings.Contains(t.source(at, end), " their ")) {
			return append([]left{{p, topic, topic + ": "}}, t.spokenBack(piece{at + 1, s.end})...)
		}
		occasion := t.named(p, 0) != nil && t.namesNothing(p.from, p.end, 0)
		for _, e := range t.refused {
			if within := p.from <= e.end && e.end < p.end; within && e.meaning.problem != "schedule" && !t.scheduled(e.end) { // black, of Black Friday
				return nil
			} else if within {
				occasion = true
			}
		}
		if occasion && (courtesy || colon) && !t.has("BINDING", piece{p.from, at}) && t.namesNothing(p.from, p.end, 0) {
			return []left{{piece: p}}
		}
	}
	return nil
}

// sells reports whether words put something on sale, which no reading leaves out.
func (t *text) sells(p piece) bool {
	return slices.ContainsFunc(slices.Concat(t.edges[p.from:p.end]...), func(e edge) bool { return e.meaning.symbol == "SALE" })
}

// topic is the name that some words have, or a list of them, as it was typed; it is empty
// where they have several apart.
func (t *text) topic(p piece) string {
	all := slices.DeleteFunc(t.spans(p, costUnlikely), func(m *meaning) bool { // to clear the cables, where clear is a tag
		return t.norm(m.from-1) == "to" && t.is(m.to, "CLOSED")
	})
	for i := 1; i < len(all); i++ {
		if between := t.tokens[all[i-1].to:all[i].from]; len(between) > 2 || slices.ContainsFunc(between, func(token token) bool { return !joins(token.norm) }) {
			return ""
		}
	}
	if len(all) == 0 {
		return ""
	}
	return t.source(all[0].from, all[len(all)-1].to)
}

// dates are the parts of a sentence that say by the calendar when a rule is to hold. A plan
// gets them beside the instruction.
func (t *text) dates(s piece) (all []piece) {
	day := func(i int) bool { // 2027-03-01
		return len(t.tokens[i].text) >= 10 && t.tokens[i].text[4] == '-' && year.MatchString(t.tokens[i].text[:4]) || t.is(i, "MONTH") || t.scheduled(i) ||
			strings.Contains(t.tokens[i].text, "/") && t.norm(i+1) == "/" && year.MatchString(t.norm(i+2)) // 26/12/2027
	}
	for from := s.from; from < s.end; from++ {
		if end := t.occasion(from, s.end); end > from {
			all, from = append(all, piece{from, end}), end
			continue
		}
		dated, counted, end := false, false, from
		for ; end < s.end && (day(end) || t.tokens[end].kind == number || t.tokens[end].kind == mark || len(t.norm(end)) == 3 && t.norm(end)[2] == 'z' || t.is(end, "DATEWORD") || hasCapital(t.tokens[end].text) && t.norm(end+1) == "time" || end == from && t.is(end, "DATESTART")); end++ {
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

// occasion is where words end that say for which days of the year a rule is, and name
// nothing: for Mother's Day, over the Easter weekend.
func (t *text) occasion(from, limit int) int {
	days, end := false, from+1
	for ; end < limit && !isPause(t.tokens[end].text); end++ {
		day := t.scheduled(end) || t.is(end, "SEASON")
		if !day && !t.is(end, "DET", "AROUND") && t.standing(end) != unknown || t.inName(end) {
			return from
		}
		days = days || day
	}
	if !days || !slices.Contains([]string{"for", "over", "during"}, t.norm(from)) {
		return from
	}
	return end
}

// named are the names in some words that cost no more, but for those within others.
func (t *text) named(p piece, cost int) (all []string) {
	for _, m := range t.spans(p, cost) {
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

// understood reports whether words are a rule, or belong to one, perhaps without some of them.
func (t *text) understood(p piece, less ...left) bool {
	said := t.source(p.from, p.end)
	for _, l := range slices.Backward(less) {
		at := t.tokens[p.from].start
		said = said[:t.tokens[l.from].start-at] + said[t.tokens[l.end-1].end-at:]
	}
	rule, judged := t.rules[said]
	if !judged {
		_, all, u := understand(said, t.known, true)
		rule = len(all) > 0 && (u.Asked == nil || len(u.Readings) > 0 || !unruled[u.Asked.Class])
		t.rules[said] = rule
	}
	return rule
}

// unruled are the classes of questions about words that are no rule rather than one that
// lacks what stands around it.
var unruled = map[string]bool{"unknown_category": true, "missing_amount": true, "missing_verb": true, "missing_direction": true}

// leavable reports whether a reading may leave words out, which a person who sees them
// confirms: they order and ask nothing, have no sign of a condition, a delay, an exception
// or a second thought, and no amount but in what is or was.
func (t *text) leavable(p piece) bool {
	if p.from < p.end && t.begins(p.from, "GREETING") {
		p.from = min(p.end, slices.Max(append(t.skips[p.from], p.from)))
	}
	if t.signs(p) || p.from == p.end {
		return true
	}
	told, amount, orders := t.told(p), false, false
	for at := p.from; at < p.end; at++ {
		bare := t.norm(at) == "this" && !t.scheduled(at+1) && !t.is(at+1, "FACT", "COSTS")
		ordered := (t.is(at, "SO", "EITHER_OR") || isPause(t.tokens[at].text)) && t.orders(at+1) && at+1 < p.end && !t.is(at+1, "SELF")
		if bare || ordered || t.is(at, "BARRING") || t.sells(piece{at, at + 1}) || !told && (t.tokens[at].kind == number || t.tokens[at].kind == code) {
			return false
		}
		amount, orders = amount || t.counts(at), orders || t.is(at, "WISHING") || t.isCommand(at) && t.lex.base[t.tokens[at].norm] && !t.participle(at)
	}
	if amount && orders {
		return false
	}
	barred := slices.ContainsFunc(t.refused, func(e edge) bool {
		return p.from <= e.end && e.end < p.end && !slices.Contains([]string{"schedule", "outside_data", "quantity"}, e.meaning.problem) && !strings.HasPrefix(e.meaning.problem, "vague")
	})
	return !barred && !t.requests(p)
}

// tellsApart reports whether the edge of a sentence may be left out: it has a verb of its
// own and no amount, and denies nothing, or leads up to the rule.
func (t *text) tellsApart(p piece) bool {
	at := p.from
	for at < p.end-1 && isPause(t.tokens[at].text) {
		at++
	}
	head := t.norm(p.end-1) == ":" && p.end-p.from <= maxGreeted+2
	limits := t.is(at, "NARROWING", "EITHER_OR", "NEGATION") || t.begins(at, "link") && !t.is(at, "THEN") && t.norm(at) != "and"
	for i := p.from; i < p.end; i++ {
		limits = limits || t.tokens[i].kind == number || t.counts(i) || t.is(i, "PAYING")
	}
	return !limits && t.leavable(piece{at, p.end}) && t.namesNothing(p.from, p.end, costUnlikely) && (head || t.told(p) || t.polite(p))
}

// told reports whether words have a verb of what is or was.
func (t *text) told(p piece) bool {
	return t.past(p) || t.has("TELLS", p) || t.has("BEING", p) || t.has("HAVING", p) || t.has("TOLD", p) || t.has("TOLDBEFORE", p)
}

// requests reports whether words ask or order, or lead up to a rule: when it comes, send me a list.
func (t *text) requests(p piece) bool {
	asks := t.is(p.from, "SO", "NEGATION") && t.norm(p.from) != "so" && t.norm(p.from) != "and" ||
		t.norm(p.end) == "?" && !(t.norm(p.from) == "how" && t.past(p)) || t.is(p.end-1, "DANGLING") ||
		t.is(p.from, "TOLD", "TOLDBEFORE") && t.is(p.from+1, "INTRODUCING", "BACK", "PERSON") && t.norm(p.from) != "hope" ||
		t.is(p.from, "TOLD") && t.norm(p.from+1) == "to" // hope to have it done this weekend
	return asks || !t.is(p.from, "SELF") && (t.is(p.from, "SUBORDINATE", "PLACING", "DATESTART") || t.orders(p.from))
}

// maxCuts bounds the places of a sentence at which parts of it may begin or end, and the
// words before its rule.
const maxCuts = 40

// asides passes over the parts of a sentence that carry nothing, each as long as may be, and
// tells of all but short greetings.
func (t *text) asides(s piece) {
	cuts := t.cuts(s)
	for i, from := range cuts {
		end := from
		for end < s.end && t.harmless(from, end) > end {
			end = t.harmless(from, end)
		}
		for _, to := range slices.Backward(cuts[i+1:]) {
			edge := func() bool { // between the products of a rule it may be said of some
				return t.passes(to, s.end) || t.passes(s.from, from) || isPause(t.tokens[to].text) && t.orders(to+1)
			}
			if to <= end && !t.passes(from, to) && edge() && t.carriesNothing(piece{from, to}) {
				if t.skip(from, to); !t.greets(from) || to-from > maxGreeted {
					t.tell(piece{from, to})
				}
				break
			}
		}
	}
}

// passes reports whether all words from one on to another may be passed over.
func (t *text) passes(from, to int) bool {
	reached := make([]bool, len(t.tokens)+1)
	reached[from] = true
	for at := from; at < to; at++ {
		for _, end := range t.skips[at] {
			reached[end] = reached[end] || reached[at]
		}
	}
	return reached[to]
}

// cuts are where parts of a sentence may begin or end, from the last: around its pauses and
// conjunctions, and before an order.
func (t *text) cuts(s piece) []int {
	joint := func(at int) bool { return isPause(t.tokens[at].text) || t.is(at, "JOINT") }
	cuts := []int{s.from}
	for at := s.from + 1; at < s.end && len(cuts) < maxCuts; at++ {
		if joint(at) || joint(at-1) || t.lex.base[t.norm(at)] && t.orders(at) {
			cuts = append(cuts, at)
		}
	}
	return append(cuts, s.end)
}

// harmless is where a word or phrase ends that may be of a part from a token on that carries
// nothing: of the closed vocabulary, and who greets, is greeted or signs.
func (t *text) harmless(from, at int) int {
	end, named := at, t.person(at) || isPause(t.tokens[at].text) && t.person(at+1)
	if t.is(at, harmlessWords...) || isPicture(t.tokens[at].text) || named && t.greets(from) {
		end++
	}
	for _, e := range t.edges[at] {
		if slices.Contains(courtesies, e.meaning.symbol) && e.meaning.cost == 0 {
			end = max(end, e.end)
		}
	}
	return end
}

var (
	harmlessWords = []string{"FACT", "COURTEOUS", "HAPPENS", "COSTS", "RISES", "PRICING", "SPACE", "FULL", "AROUND"}
	courtesies    = []string{"GREETING", "SIGNOFF", "OCCASION"}
)

// person reports whether a token is a name of nobody's goods. Without the list of those it
// stands at the end or before an order: Hello Kitty, hats and mugs 5% off.
func (t *text) person(at int) bool {
	if at >= len(t.tokens) || t.tokens[at].kind != word || !hasCapital(t.tokens[at].text) || t.standing(at) != unknown {
		return false
	}
	last := at+1 >= len(t.tokens) || isStop(t.tokens[at+1].text) || isPause(t.tokens[at+1].text) && t.orders(at+2)
	return !t.isListed(at) && (t.known.closed[category] || last)
}

// greets reports whether a greeting, or a phrase that ends mails, stands at a token, and what
// follows is not of a sentence: evening dresses.
func (t *text) greets(at int) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool {
		end := e.end == len(t.tokens) || t.tokens[e.end].kind == mark || t.person(e.end) || t.is(e.end, "SENDER")
		return slices.Contains(courtesies[:2], e.meaning.symbol) && e.meaning.cost == 0 && end
	})
}

// carriesNothing reports whether harmless words are a courtesy, or tell of costs, rooms, people
// or the weather with a verb, as names do not (Christmas mail, cards), and nothing after of them.
func (t *text) carriesNothing(p piece) bool {
	if t.is(p.end-1, "DANGLING", "PLACING") || t.begins(p.from, "LEADIF") || t.has("BACK", p) || !(t.greets(p.from) && t.known.closed[category]) && t.spokenOf(p.from, p.end) || !t.namesNothing(p.from, p.end, 0) {
		return false
	}
	if t.greets(p.from) {
		return true
	}
	reason := t.is(p.from, "REASON")
	for p.from < p.end && t.is(p.from, "JOINT") {
		p.from++
	}
	return p.from < p.end && !t.requests(p) && (t.polite(p) || t.tellsOfTheWorld(p, reason))
}

// polite reports whether a courtesy stands before what words are about.
func (t *text) polite(p piece) bool {
	for at := p.from; at < p.end && !t.is(at, "FACT", "COSTS", "RISES", "PRICING", "SPACE"); at++ {
		if t.is(at, "COURTEOUS") || t.begins(at, "SIGNOFF") {
			return true
		}
	}
	return false
}

// tellsOfTheWorld reports whether harmless words say what happens, or name a reason: a change
// of prices is one of costs, and a room is full.
func (t *text) tellsOfTheWorld(p piece, reason bool) bool {
	costs, space := t.has("COSTS", p), t.has("SPACE", p)
	this := t.norm(p.from) == "this" && !t.scheduled(p.from+1)
	if this || !costs && (t.has("RISES", p) || t.has("PRICING", p)) || space && !t.has("FULL", p) || t.has("WHOM", p) {
		return false
	}
	told := reason || t.past(p) || t.has("BEING", p) || t.has("HAVING", p)
	happens := reason || t.has("HAPPENS", p)
	return told && (costs && t.has("RISES", p) || space || happens && (costs || t.has("FACT", p)))
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
	number := t.tokens[at].kind == number || spoken(t.tokens[at].norm)
	return slices.ContainsFunc(t.edges[at], func(e edge) bool { return e.meaning.amount.unit == money }) ||
		number && (t.is(at+1, "PCT", "CUR", "CURWORD", "CENT") || t.is(at-1, "PCT", "CUR", "CURWORD", "CENT"))
}
