package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// What of an instruction carries nothing is passed over at once, or left out of a reading
// that a person confirms. The chart finds the reading that leaves out the least: parts that
// may be left out are passed over there like filler, but for a cost.

// leaving are the readings of an instruction that leave out the least, of those that lack
// a unit at most.
func (t *text) leaving() []planning.Reading {
	c := newChart(t.lex.grammar, t.edges, t.partsToLeave())
	defer c.release()
	all := c.whole(t.lex.grammar.numbers["document"])
	if c.work > maxWork {
		return nil
	}
	var readings []planning.Reading
	for i, m := range all {
		if n := len(readings); n > 0 && m.cost > all[i-1].cost && !strings.HasPrefix(strings.Join(readings[n-1].Assumes, ""), followed) {
			break // what follows a name may not be only of it
		}
		ops, failed := t.planned(m)
		more := t.completions(m, failed.class, nil)
		if failed.class == "" {
			more = []planning.Reading{t.reading(ops, m)}
		} else if failed.class != "missing_unit" && failed.class != "sale_price" && failed.class != "promo" {
			continue
		}
		if _, lost := t.swallowed(m); lost {
			return nil
		}
		for _, r := range more {
			if t.tellLeft(&r, m, c) && !among(readings, r.Operations) {
				readings = append(readings, r)
			}
		}
	}
	return readings
}

// tellLeft has a reading say what it leaves out. It is false where that says which
// products a rule is for: their mugs, or a name where the rule is for all.
func (t *text) tellLeft(r *planning.Reading, m *meaning, c *chart) bool {
	used := t.used(m)
	topic := slices.ContainsFunc(used, func(leaf *meaning) bool { return leaf != nil && leaf.symbol == "TOPIC" })
	unnamed := slices.ContainsFunc(r.Operations, func(op plan.Operation) bool {
		f := op.Filter
		return len(f.Categories)+len(f.Brands)+len(f.Tags)+len(f.SKUs)+len(f.NameContains) == 0
	})
	tell := func(p piece) {
		p = t.inner(p)
		r.LeavesOut = append(r.LeavesOut, t.source(p.from, p.end))
	}
	for at, end := 0, 0; at < len(used); at = end {
		if leaf := used[at]; leaf != nil {
			if end = leaf.to; leaf.symbol == "TOPIC" {
				tell(piece{at, end})
			}
			continue
		}
		for end = at; end < len(used) && used[end] == nil; end++ {
		}
		_, left := c.skips.passing(at, end)
		for _, h := range left {
			spoken := h.cost == costSpoken
			if !topic && (spoken || unnamed && t.spans(h.piece, costUnlikely) != nil) {
				return false
			} else if !spoken {
				tell(h.piece)
			}
		}
	}
	return true
}

// partsToLeave are what the text may be read without, with what may be passed over; or
// takes as what the rest is for.
func (t *text) partsToLeave() hops {
	c := t.chart
	var left []hop
	topics := false
	for from := 0; from < len(t.tokens); {
		s := t.sentence(from)
		from = s.end + 1
		cuts := append(t.cuts(s), min(s.end+1, len(t.tokens))) // with its stop
		for i, at := range cuts {
			for _, end := range cuts[i+1 : min(len(cuts), i+maxParts)] {
				p := piece{at, end}
				if inner := t.inner(p); inner.from == inner.end || t.isRule(c, p) {
					continue
				} else if t.mayLeave(s, p) {
					left = append(left, hop{p, costLeft + inner.end - inner.from})
				}
				topics = t.takeTopic(c, s, p) || topics
			}
		}
		for _, p := range t.times(s) {
			left = append(left, hop{p, costLeft})
		}
	}
	left = append(left, t.phrasesToLeave(topics)...)
	skips := slices.Clone(t.skips)
	for _, h := range left {
		skips[h.from] = append(slices.Clip(skips[h.from]), h)
	}
	return skips
}

// isRule reports whether some words are a rule by themselves.
func (t *text) isRule(c *chart, p piece) bool {
	sentence := t.lex.grammar.numbers["sentence"]
	return slices.ContainsFunc(t.skips.after(nil, p.from), func(from int) bool {
		return from < p.end && slices.Contains(c.ends(sentence, from), p.end) && slices.ContainsFunc(c.meanings(sentence, from, p.end), func(m *meaning) bool {
			return !slices.ContainsFunc(m.rules, func(r clause) bool { return r.problem != "" })
		})
	})
}

// mayLeave reports whether a reading may leave a part of a sentence out: one that is told
// apart, a heading, or the whole of it.
func (t *text) mayLeave(s, p piece) bool {
	switch {
	case p.from == s.from && p.end >= s.end:
		return t.leavable(s) && (t.namesNothing(s.from, s.end, 0) || t.supplies(s))
	case p.end > s.end:
		return false
	}
	return t.tellsApart(p) || p.from == s.from && t.heads(p)
}

// inner is a part without the pauses and stops around it, and "so" after it.
func (t *text) inner(p piece) piece {
	quiet := func(at int) bool { return isPause(t.tokens[at].text) || isStop(t.tokens[at].text) }
	for p.from < p.end && quiet(p.from) {
		p.from++
	}
	for p.from < p.end && (quiet(p.end-1) || t.norm(p.end-1) == "so") {
		p.end--
	}
	return p
}

// heads reports whether a part says on what occasion the rule after it is: for the
// January clear-out please; our Easter deal:
func (t *text) heads(p piece) bool {
	last := t.tokens[p.end-1]
	within := func(e edge) bool { return p.from <= e.end && e.end < p.end }
	return (last.norm == "please" || last.text == ":") && !t.has("DOUBTING", p) && !t.has("NEGATION", p) && !t.has("BINDING", piece{p.from, p.end - 1}) && !t.orders(p.from) && !t.sells(p) &&
		(t.named(p, 0) != nil || slices.ContainsFunc(t.refused, within)) && !slices.ContainsFunc(t.refused, func(e edge) bool { return within(e) && e.meaning.problem != "schedule" && !t.scheduled(e.end) }) &&
		t.namesNothing(p.from, p.end, 0) && !slices.ContainsFunc(t.tokens[p.from:p.end], func(token token) bool { return token.kind != word && token.kind != mark })
}

// takeTopic takes a part that names something as what the next one speaks of, where that
// refers to it or names nothing: the soap has gone off, take $1 off.
func (t *text) takeTopic(c *chart, s, p piece) bool {
	topic, last := t.topic(p), t.tokens[p.end-1]
	ends := isPause(last.text) || isStop(last.text) || last.norm == "so"
	if topic.end == 0 || !ends || p.from > s.from || p.end == len(t.tokens) || !t.leavable(t.inner(p)) || p.end <= s.end && last.text != ":" && !t.told(p) {
		return false
	}
	for at := p.from; at < p.end; at++ { // what has an amount is a rule, and "anything with" names more
		if within := topic.from <= at && at < topic.end; t.counts(at) || !within && (t.tokens[at].kind == number || t.begins(at, "EVERYTHING") || t.norm(at) == "anything") {
			return false
		}
	}
	next := t.sentence(p.end)
	for at := next.from; at < next.end; at++ {
		if t.begins(at, "EXCEPT") {
			next.end = at
		}
	}
	if !t.refersBack(p.end) && t.topic(next).end > 0 && !(p.end > s.end && t.supplies(p)) {
		return false
	}
	before := len(t.edges[p.from])
	for _, m := range c.meanings(t.lex.grammar.numbers["products"], topic.from, topic.end) {
		if m.problem == "" && m.sets != nil {
			var of []string
			m.eachLeaf(func(leaf *meaning) { of = append(of, cmp.Or(leaf.supposed, quote(t.source(leaf.from, leaf.to)))) })
			t.addSet("TOPIC", p.from, p.end, &meaning{cost: m.cost + costTopic, meant: strings.Join(of, " "), clause: clause{sets: m.sets}})
		}
	}
	return len(t.edges[p.from]) > before
}

// supplies reports whether a sentence speaks of a brand alone.
func (t *text) supplies(s piece) bool {
	return !slices.ContainsFunc(t.spans(s, costUnlikely), func(m *meaning) bool { return m.sets[0].of[brand] == nil })
}

// phrasesToLeave are phrases that say that a rule is to hold from now on, as it does anyway;
// and, after a part that says what the rest is about, those that only speak of that: their
// mugs, but not their prices; everything from them, of theirs, of this brand.
func (t *text) phrasesToLeave(topics bool) (all []hop) {
	for at, edges := range t.edges {
		for _, e := range edges {
			switch p := (piece{at, e.end}); {
			case e.meaning.cost > 0:
			case e.meaning.symbol == "NOW" && t.norm(at-1) != "only" && t.norm(e.end) != "only":
				all = append(all, hop{p, costLeft})
			case topics && e.meaning.symbol == "SPOKEN" && !t.begins(e.end, "PRICE"):
				all = append(all, hop{p, costSpoken})
			}
		}
		if norm := t.norm(at); topics && (norm == "theirs" || norm == "ours") {
			t.edges[at] = append(edges, edge{t.lex.grammar.numbers["THEM"], at + 1, &meaning{symbol: "THEM", clause: clause{ref: them}}})
		}
	}
	return all
}

// sells reports whether words put something on sale, which no reading leaves out.
func (t *text) sells(p piece) bool {
	return slices.ContainsFunc(slices.Concat(t.edges[p.from:p.end]...), func(e edge) bool { return e.meaning.symbol == "SALE" })
}

// topic is from the first name that some words have to the last; it is empty where they
// have none.
func (t *text) topic(p piece) piece {
	all := slices.DeleteFunc(t.spans(p, costUnlikely), func(m *meaning) bool { // to clear the cables, where clear is a tag
		return t.norm(m.from-1) == "to" && t.is(m.to, "CLOSED")
	})
	if len(all) == 0 {
		return piece{}
	}
	return piece{all[0].from, all[len(all)-1].to}
}

// times are the parts of a sentence that say when a rule is to hold: from a day of the
// calendar on, until one, or over days that have a name. A plan gets them beside the
// instruction.
func (t *text) times(s piece) (all []piece) {
	for from := s.from; from < s.end; from++ {
		over, begin := t.is(from, "OVER"), from
		for begin > s.from && isPause(t.tokens[begin-1].text) {
			begin--
		}
		dated, counted, end := false, false, from
		for ; end < s.end && !(over && isPause(t.tokens[end].text)) && (t.dates(end) || end == from && (over || t.is(end, "DATESTART")) || over && (t.is(end, "AROUND") || t.standing(end) == unknown && !t.inName(end))); end++ {
			dated, counted = dated || t.isDay(end), counted || t.tokens[end].kind == number || t.tokens[end].kind == code
		}
		heads, whole := from == s.from && end > from && t.tokens[end-1].text == ":", from == s.from && end == s.end
		if dated && (over && !counted && t.isDay(end-1) || heads || whole && from == 0 || counted && (whole || t.is(from, "DATESTART"))) {
			all, from = append(all, piece{begin, end}), end
		} else if !dated {
			from = max(from, end-1) // nor is what begins within it
		}
	}
	return all
}

// dates reports whether a token is of a date: a day, a number, a time zone or a mark.
func (t *text) dates(i int) bool {
	norm, kind := t.norm(i), t.tokens[i].kind
	return t.isDay(i) || kind == number || kind == mark || t.is(i, "DATEWORD", "DET") || len(norm) == 3 && norm[2] == 'z' || strings.HasPrefix(norm, "utc") || hasCapital(t.tokens[i].text) && t.norm(i+1) == "time"
}

// isDay reports whether a token is of a day of the calendar, or one that has a name.
func (t *text) isDay(i int) bool {
	return len(t.tokens[i].text) >= 10 && t.tokens[i].text[4] == '-' && year.MatchString(t.tokens[i].text[:4]) || t.is(i, "MONTH", "SEASON") || t.scheduled(i) || // 2027-03-01
		strings.Contains(t.tokens[i].text, "/") && t.norm(i+1) == "/" && year.MatchString(t.norm(i+2)) // 26/12/2027
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

// leavable reports whether a reading may leave words out, which a person who sees them
// confirms: they order and ask nothing, have no sign of a condition, a delay, an exception
// or a second thought, and no amount but in what is or was.
func (t *text) leavable(p piece) bool {
	if p.from < p.end && t.begins(p.from, "GREETING") {
		for _, h := range t.skips[p.from] {
			p.from = max(p.from, min(p.end, h.end))
		}
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
	return !limits && t.leavable(piece{at, p.end}) && ((head || t.told(p) || t.polite(p)) && t.namesNothing(p.from, p.end, costUnlikely) || t.includes(t.inner(p)) && t.namesNothing(p.from, p.end, 0))
}

// includes reports whether words say that all of what was named is meant: both sizes, deck
// and wheels both, all of them, it doesn't matter which.
func (t *text) includes(p piece) bool {
	whole := t.is(p.from, "INCLUDING") && !t.phrase(p.end, "BUT", "EXCEPT") && (p.end-p.from <= 2 || p.end-p.from == 3 && (t.norm(p.from+1) == "of" || wordValues[t.norm(p.from+1)] > 1))
	return whole || t.is(p.end-1, "INCLUDING") || t.has("MATTERS", p)
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
func (t *text) passes(from, to int) bool { return slices.Contains(t.skips.after(nil, from), to) }

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
