package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning"
)

// What of an instruction carries nothing is passed over at once, or left out of a reading
// that a person confirms, as is one with the only name that an unknown one can be meant for.

// maxLeft bounds the parts that a reading leaves out, each of which is tried, and the
// pauses of a sentence at which they may begin or end.
const maxLeft = 8

// withoutChatter is the reading of an instruction without the sentences, or their edges,
// that carry nothing; false where there is none.
func (t *text) withoutChatter() (planning.Reading, bool) {
	left := t.chatter()
	if len(left) == 0 || len(left) > maxLeft {
		return planning.Reading{}, false
	}
	r, ok := t.readWithout(left)
	if !ok {
		return r, false
	}
	for i := 0; i < len(left); { // what changes nothing is not left out
		fewer := slices.Delete(slices.Clone(left), i, i+1)
		if again, ok := t.readWithout(fewer); len(fewer) > 0 && ok && planning.Same(planOf(again), planOf(r)) {
			left, r = fewer, again
			continue
		}
		i++
	}
	for _, l := range left {
		r.LeavesOut = append(r.LeavesOut, strings.TrimSpace(t.source(l.from, l.end)))
	}
	return r, true
}

// readWithout reads the instruction without some of its parts.
func (t *text) readWithout(left []piece) (planning.Reading, bool) {
	_, u := carefully(t.without(left...), t.known)
	if u.Asked != nil {
		return planning.Reading{}, false
	}
	return u.Readings[0], true
}

// without is the instruction without some of its parts.
func (t *text) without(left ...piece) string {
	said := t.instruction
	for _, l := range slices.Backward(left) {
		said = said[:t.tokens[l.from].start] + said[t.tokens[l.end-1].end:]
	}
	return said
}

// chatter are the parts of the instruction that carry nothing.
func (t *text) chatter() []piece {
	var all []piece
	for from := 0; from < len(t.tokens); {
		s := t.sentence(from)
		from = min(s.end+1, len(t.tokens))
		for _, p := range t.asides(s, offered) {
			if p == s {
				p.end = from // with its mark
			}
			all = append(all, p)
		}
	}
	return all
}

// meantFor is the reading in which the only unknown name is the one name of the list that
// it can be meant for.
func (t *text) meantFor(unknown []problem) (planning.Reading, bool) {
	if len(unknown) != 1 {
		return planning.Reading{}, false
	}
	from, to := unknown[0].from, unknown[0].to
	typed := t.source(from, to)
	meant := t.known.meant(typed)
	if len(meant) != 1 {
		return planning.Reading{}, false
	}
	_, u := carefully(t.instruction[:t.tokens[from].start]+`"`+meant[0]+`"`+t.instruction[t.tokens[to-1].end:], t.known)
	if u.Asked != nil {
		return planning.Reading{}, false
	}
	r := u.Readings[0]
	r.Instruction, r.Assumes = "", append(r.Assumes, "Read "+quote(typed)+" as "+quote(meant[0])+".")
	return r, true
}

// meant are the names of the list that have all words of another, or else as many that
// differ from them in two letters.
func (c *index) meant(name string) []string {
	said := slices.Concat(partsOf(name)...)
	for i := range said {
		said[i] = singular(said[i])
	}
	var have, near []string
	for i, words := range c.words {
		if !slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) }) {
			have = append(have, c.list[i])
		}
		phrase, other := strings.Join(said, " "), strings.Join(words, " ")
		if len(said) == len(words) && len(phrase) > 5 && phrase[0] == other[0] && distance(phrase, other) <= 2 {
			near = append(near, c.list[i])
		}
	}
	if have != nil {
		return have
	}
	return near
}

// distance is how many letters two words differ in.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for k := range len(b) {
			cost := before
			if a[i] != b[k] {
				cost++
			}
			before = row[k+1]
			row[k+1] = min(cost, row[k]+1, row[k+1]+1)
		}
	}
	return row[len(b)]
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
// for when something was; in what is no reason also a negation or an order. A statement
// that a person sees left out may say of itself what it likes: how it is not, and when.
func (t *text) binds(at int, sentence piece, kind saying) bool {
	token, listed := t.tokens[at], t.lex.listed
	switch {
	case kind == offered && listed["ITSELF"][token.norm] && t.tells(sentence), kind >= sure && listed["OWN"][token.norm] && t.personal(sentence) && (kind == offered || at > sentence.from):
		return false
	case kind >= sure && at > sentence.from && (kind == sure && listed["LINKING"][token.norm] || token.norm == "this" && t.scheduled(at+1)):
		return false // before any rule: worse than we thought, third time this year
	case token.norm == "too" && at+1 < len(t.tokens) && t.tokens[at+1].kind == word: // too cheap
		return false
	case token.kind == mark:
		return !isPause(token.text) && !isPicture(token.text) && token.text != "'" && token.text != "’"
	case token.kind == number && kind >= sure:
		return !t.tells(sentence) || t.counts(at)
	case token.kind != word, listed["BINDING"][token.norm], kind == reason && listed["PLACING"][token.norm]:
		return true
	case kind >= sure && listed["PAYING"][token.norm] && !t.past(sentence) && (kind == sure || !t.tells(sentence) || t.tokens[min(sentence.end, len(t.tokens)-1)].text == ":"):
		return true
	case listed["WISHING"][token.norm]:
		return kind != offered || !t.tells(sentence)
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
		case kind == sure && problem == "outside_data", kind == offered && slices.Contains([]string{"outside_data", "schedule", "quantity"}, problem):
			passed := t.personal(sentence) || t.tells(sentence) && problem != "schedule" || problem == "schedule" && !t.has("BACK", sentence)
			return !passed || at == sentence.from && problem == "schedule" || at > 0 && t.lex.listed["RESTRICTING"][t.tokens[at-1].norm]
		}
		return true
	})
}
