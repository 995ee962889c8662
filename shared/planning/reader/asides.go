package reader

import "slices"

// What of an instruction carries nothing is passed over at once: courtesies, and what happens
// in the world.

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
			if m := e.meaning; slices.Contains(nameSymbols, m.symbol) && m.problem == "" && m.cost <= cost &&
				m.to >= longest.to {
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

// requests reports whether words ask or order, or lead up to a rule: when it comes, send me a list.
func (t *text) requests(p piece) bool {
	asks := t.is(p.from, "SO", "NEGATION") && t.norm(p.from) != "so" && t.norm(p.from) != "and" ||
		t.norm(p.end) == "?" && !(t.norm(p.from) == "how" && t.past(p)) || t.is(p.end-1, "DANGLING") ||
		t.is(p.from, "TOLD", "TOLDBEFORE") && t.is(p.from+1, "INTRODUCING", "BACK", "PERSON") &&
			t.norm(p.from) != "hope" ||
		t.is(p.from, "TOLD") && t.norm(p.from+1) == "to" // hope to have it done this weekend
	return asks ||
		!t.is(p.from, "SELF") && (t.is(p.from, "SUBORDINATE", "PLACING", "DATESTART") || t.orders(p.from))
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
				return t.passes(to, s.end) || t.passes(s.from, from) ||
					isPause(t.tokens[to].text) && t.orders(to+1)
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
	harmlessWords = []string{
		"FACT",
		"COURTEOUS",
		"HAPPENS",
		"COSTS",
		"RISES",
		"PRICING",
		"SPACE",
		"FULL",
		"AROUND",
	}
	courtesies = []string{"GREETING", "SIGNOFF", "OCCASION"}
)

// person reports whether a token is a name of nobody's goods. Without the list of those it
// stands at the end or before an order: Hello Kitty, hats and mugs 5% off.
func (t *text) person(at int) bool {
	if at >= len(t.tokens) || t.tokens[at].kind != word || !hasCapital(t.tokens[at].text) ||
		t.useOf(at) != unknown {
		return false
	}
	last := at+1 >= len(t.tokens) || isStop(t.tokens[at+1].text) ||
		isPause(t.tokens[at+1].text) && t.orders(at+2)
	return !t.isListed(at) && (t.known.closed[category] || last)
}

// greets reports whether a greeting, or a phrase that ends mails, stands at a token, and what
// follows is not of a sentence: evening dresses.
func (t *text) greets(at int) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool {
		end := e.end == len(t.tokens) || t.tokens[e.end].kind == mark || t.person(e.end) ||
			t.is(e.end, "SENDER")
		return slices.Contains(courtesies[:2], e.meaning.symbol) && e.meaning.cost == 0 && end
	})
}

// carriesNothing reports whether harmless words are a courtesy, or tell of costs, rooms, people
// or the weather with a verb, as names do not (Christmas mail, cards), and nothing after of them.
func (t *text) carriesNothing(p piece) bool {
	if t.is(p.end-1, "DANGLING", "PLACING") || t.begins(p.from, "LEADIF") || t.has("BACK", p) ||
		!(t.greets(p.from) && t.known.closed[category]) && t.spokenOf(p.from, p.end) ||
		!t.namesNothing(p.from, p.end, 0) {
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
	if this || !costs && (t.has("RISES", p) || t.has("PRICING", p)) || space && !t.has("FULL", p) ||
		t.has("WHOM", p) {
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
	return slices.ContainsFunc(
		t.tokens[p.from:p.end],
		func(token token) bool { return t.lex.listed[class][token.norm] },
	)
}

// signs reports whether words may be a name at the end of the text.
func (t *text) signs(p piece) bool {
	return p.end == len(t.tokens) && p.from > 0 && p.end-p.from <= maxGreeted &&
		isStop(t.tokens[p.from-1].text) &&
		t.signed(p.from) &&
		slices.ContainsFunc(t.tokens[p.from:],
			func(token token) bool { return hasCapital(token.text) && t.lex.uses[token.norm] == unknown })
}

// scheduled reports whether a phrase that says when begins at a token.
func (t *text) scheduled(at int) bool {
	return at < len(t.tokens) && t.lex.listed["TIMES"][t.tokens[at].norm] ||
		slices.ContainsFunc(t.refused,
			func(e edge) bool { return e.end == at && e.meaning.problem == "schedule" })
}
