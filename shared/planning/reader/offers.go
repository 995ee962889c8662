package reader

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/planning"
)

// Where an instruction is asked about, a reading may carry the answer: one without the
// sentences that carry nothing, or one with the only name that an unknown one can be
// meant for. A person confirms it.

// maxLeft bounds the parts that a reading leaves out, each of which is tried.
const maxLeft = 6

// piece is some tokens of the instruction.
type piece struct{ from, end int }

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
	var b strings.Builder
	at := 0
	for _, l := range left {
		b.WriteString(t.instruction[at:t.tokens[l.from].start])
		at = t.tokens[l.end-1].end
	}
	b.WriteString(t.instruction[at:])
	u := careful(b.String(), t.known)
	if u.Asked != nil {
		return planning.Reading{}, false
	}
	return u.Readings[0], true
}

// chatter are the sentences of the instruction that carry nothing, or what of them does
// up to a comma or "so", and after the last comma.
func (t *text) chatter() []piece {
	var all []piece
	for from := 0; from < len(t.tokens); {
		end := t.sentence(from).end
		next := min(end+1, len(t.tokens))
		if t.leavable(from, end) {
			all = append(all, piece{from, next})
		} else if p, ok := t.edgeOf(from, end); ok {
			all = append(all, p)
		}
		from = next
	}
	return all
}

// edgeOf is the longest beginning of a sentence that carries nothing, or its end.
func (t *text) edgeOf(from, end int) (piece, bool) {
	begins := !t.lex.listed["PLACING"][t.tokens[from].norm]
	for at := end - 1; at > from+1 && begins; at-- {
		pause := isPause(t.tokens[at].text) || t.tokens[at].norm == "so"
		if pause && !t.lex.listed["DANGLING"][t.tokens[at-1].norm] && t.leavable(from, at) {
			return piece{from, at + 1}, true
		}
	}
	for at := from + 1; at < end-2; at++ {
		if t.tokens[at].text == "," && t.leavable(at+1, end) && !t.refersBack(at+1) {
			return piece{at, end}, true
		}
	}
	return piece{}, false
}

// leavable reports whether words carry nothing: none of them binds, they name nothing,
// give no order, and nothing after them speaks of them.
func (t *text) leavable(from, end int) bool {
	if end-from < 2 || t.orders(from) || t.lex.listed["BACK"][t.tokens[from+1].norm] || !t.namesNothing(from, end) || t.spokenOf(from, end) {
		return false
	}
	for at := from; at < end; at++ {
		if t.binds(at, piece{from, end}, chat) {
			return false
		}
	}
	return true
}

// meantFor is the reading in which an unknown name is the only name of the list that it
// can be meant for: one that has all its words, or as many that differ in two letters.
func (t *text) meantFor(rules []clause) (planning.Reading, bool) {
	var assumes []string
	completed := slices.Clone(rules)
	for i := range completed {
		r := &completed[i]
		if r.problem != "unknown_category" {
			continue
		}
		r.problem = ""
		for _, sets := range []*[]set{&r.sets, &r.except, &r.only} {
			*sets = slices.Clone(*sets)
			for n := range *sets {
				s := &(*sets)[n]
				s.categories = slices.Clone(s.categories)
				for k, name := range s.categories {
					if slices.Contains(t.known.list, name) {
						continue
					}
					meant := t.known.meant(name)
					if len(meant) != 1 {
						return planning.Reading{}, false
					}
					s.categories[k] = meant[0]
					assumes = append(assumes, "Read "+quote(name)+" as "+quote(meant[0])+".")
				}
			}
		}
	}
	ops, failed := compile(completed)
	p := &plan.Plan{ExecutionID: "reading_1", CreatedAt: "2000-01-01T00:00:00Z", SourceInstruction: t.instruction, Operations: ops}
	if failed.class != "" || p.Validate() != nil || len(assumes) != 1 {
		return planning.Reading{}, false
	}
	r := t.reading(ops, nil)
	r.Assumes = assumes
	return r, true
}

// meant are the names of the list that have all words of another, or else as many that
// differ from them in two letters.
func (c *categories) meant(name string) []string {
	said := slices.Concat(partsOf(name)...)
	for i := range said {
		said[i] = singular(said[i])
	}
	var have, near []string
	for i, words := range c.words {
		if !slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) }) {
			have = append(have, c.list[i])
		}
		one, other := strings.Join(said, " "), strings.Join(words, " ")
		if len(said) == len(words) && len(one) > 5 && one[0] == other[0] && distance(one, other) <= 2 {
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
