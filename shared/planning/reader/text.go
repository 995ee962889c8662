package reader

import (
	"slices"
	"strings"
)

// text is an instruction with all that its words can be.
type text struct {
	instruction string
	tokens      []token
	lex         *lexicon
	known       *categories    // nil where the shop's list is not known
	edges       [][]edge       // by the token where they begin
	skips       [][]int        // what may be passed over, by the token where it begins
	refused     []edge         // phrases that no plan can express; end is the token where they begin
	mended      map[int][]slip // the words that an unknown one may be meant for, by its token
	nearWords   map[int][]slip // the same of the shop's list
	heads       []head         // names of the list without their last word
}

func newText(instruction string, lex *lexicon, known *categories) *text {
	t := &text{instruction: instruction, tokens: tokenize(instruction), lex: lex, known: known, mended: map[int][]slip{}, nearWords: map[int][]slip{}}
	n := len(t.tokens)
	t.edges, t.skips = make([][]edge, n), make([][]int, n)
	for i := range t.tokens {
		t.phrases(i, i, &lex.phrases, nil)
	}
	t.numbers()
	t.pass()
	t.names()
	return t
}

func (t *text) edge(from int, e edge) { t.edges[from] = append(t.edges[from], e) }

// source is the text of tokens, as written.
func (t *text) source(from, end int) string {
	if from >= end {
		return ""
	}
	return t.instruction[t.tokens[from].start:t.tokens[end-1].end]
}

// mend is a slip of the pen put right at a token.
type mend struct {
	slip
	at int
}

// phrases adds the edges of lexicon phrases that go on at a token.
func (t *text) phrases(from, at int, node *trie, mended *mend) {
	for _, e := range node.entries {
		m := e.meaning
		if e.symbol == refused {
			phrase := *m
			phrase.from, phrase.to = from, at
			t.refused = append(t.refused, edge{refused, from, &phrase})
			continue
		}
		if mended != nil {
			slip := *m
			slip.cost, slip.mended, slip.meant = slip.cost+mended.cost, mended.at+1, mended.meant
			m = &slip
		}
		t.edge(from, edge{e.symbol, at, m})
	}
	if at == len(t.tokens) || node.next == nil || t.tokens[at].kind == quoted {
		return
	}
	if next := node.next[t.tokens[at].norm]; next != nil {
		t.phrases(from, at+1, next, mended)
	}
	if mended != nil {
		return
	}
	for _, meant := range t.slipsAt(at) {
		if next := node.next[meant.meant]; next != nil {
			t.phrases(from, at+1, next, &mend{meant, at})
		}
	}
}

// slipsAt are the words of the lexicon that an unknown word may be meant for.
func (t *text) slipsAt(i int) []slip {
	if found, looked := t.mended[i]; looked {
		return found
	}
	t.mended[i] = nil
	if t.standing(i) == unknown && (t.known == nil || !t.known.has[singular(t.tokens[i].norm)]) && len(t.tokens[i].norm) <= maxSlipped {
		norm := t.tokens[i].norm
		t.mended[i] = slips(norm, t.lex.spelled)
		for n := range t.mended[i] {
			if s := &t.mended[i][n]; len(norm) > len(s.meant) || len(norm) < len(s.meant) && len(norm) < 6 {
				s.cost = costUnlikely
			}
		}
	}
	return t.mended[i]
}

const maxSlipped = 20

// pass finds what may be passed over: filler, greetings, signatures and reasons.
func (t *text) pass() {
	number := t.lex.grammar.numbers
	for i := range t.tokens {
		if t.tokens[i].norm == "could" && t.politely(i) {
			t.skip(i, i+1)
		}
		for _, e := range t.edges[i] {
			if e.end == i+1 && t.lex.listed["NAMES"][t.tokens[i].norm] && (i > 0 && t.standing(i-1) == unknown || e.end < len(t.tokens) && t.standing(e.end) == unknown) {
				continue // first aid kits
			}
			if e.meaning.cost > 0 && i > 0 && t.standing(i-1) == unknown {
				continue // fish tanks are no thanks
			}
			switch e.symbol {
			case number["FILLER"]:
				t.skip(i, e.end)
			case number["GREETING"]:
				end := t.capitals(e.end) // the name of who is greeted
				if end == len(t.tokens) || t.tokens[end].kind != mark {
					end = e.end
				}
				if end == len(t.tokens) || t.standing(end) != unknown && (end == e.end || end+1 >= len(t.tokens) || t.standing(end+1) != unknown) {
					t.skip(i, end)
				}
			case number["SIGNOFF"]:
				t.signature(i, e.end)
			case number["REASON"]:
				t.remark(i, e.end, true)
			case number["FACT"]:
				if t.beginsSentence(i) || i > 0 && t.tokens[i-1].kind == mark {
					t.remark(i, e.end, false)
				}
			}
		}
	}
}

// skip lets tokens be passed over, with a comma before or after them.
func (t *text) skip(from, end int) {
	add := func(from, end int) {
		if !slices.Contains(t.skips[from], end) {
			t.skips[from] = append(t.skips[from], end)
		}
	}
	for start := from; start == from || start == from-1 && start >= 0 && isPause(t.tokens[start].text); start-- {
		add(start, end)
		if end < len(t.tokens) && (isPause(t.tokens[end].text) || t.tokens[end].text == "!") {
			add(start, end+1)
		}
	}
}

func isPause(text string) bool {
	return text == "," || text == "–" || text == "—" || text == "-" || text == "…" || text == ":" || text == "(" || text == ")" || text == ";"
}

// isStop reports whether a mark ends a sentence.
func isStop(text string) bool {
	return text == "." || text == "!" || text == "?" || text == "\n" || text == ";"
}

// capitals returns the position after one or two unknown words with capitals, such
// as somebody's name.
func (t *text) capitals(at int) int {
	end := at
	for end < len(t.tokens) && end < at+2 && t.standing(end) == unknown && hasCapital(t.tokens[end].text) {
		end++
	}
	return end
}

// signature passes over thanks, with a name where the text ends with it.
func (t *text) signature(from, end int) {
	t.skip(from, end)
	for end < len(t.tokens) && (t.tokens[end].text == "," || t.tokens[end].text == "\n") {
		end++
	}
	named := t.capitals(end)
	if named > end && (named == len(t.tokens) || named == len(t.tokens)-1 && t.tokens[named].text == ".") {
		t.skip(from, named)
	}
}

// remark passes over a reason or a fact: words up to the end of its sentence, or in
// a reason up to any pause. It holds no number, nothing that can change a rule, and
// no further rule.
func (t *text) remark(from, end int, atPauses bool) {
	if end == len(t.tokens) || t.tokens[end].kind != word {
		return
	}
	named := false
	for at := end; ; at++ {
		switch {
		case at == len(t.tokens) || isStop(t.tokens[at].text):
			if !t.lex.listed["DANGLING"][t.tokens[at-1].norm] && !(named && t.refersBack(at+1)) {
				t.skip(from, at)
			}
			return
		case isPause(t.tokens[at].text):
			if atPauses && at > end && !t.lex.listed["DANGLING"][t.tokens[at-1].norm] {
				t.skip(from, at)
			}
			if t.commands(at + 1) {
				return
			}
		case t.tokens[at].norm == "so" && at > end && !atPauses:
			t.skip(from, at+1)
		case t.tokens[at].norm == "and" && t.commands(at+1):
			return
		case t.tokens[at].norm == "too" && at+1 < len(t.tokens) && t.tokens[at+1].kind == word: // too cheap
		case t.tokens[at].kind != word || t.lex.listed["BINDING"][t.tokens[at].norm] || t.tells(at):
			return
		default:
			named = named || t.standing(at) == unknown
		}
	}
}

// refersBack reports whether the sentence that begins at a token speaks of what was
// named before it.
func (t *text) refersBack(at int) bool {
	for ; at < len(t.tokens) && !isStop(t.tokens[at].text); at++ {
		if t.lex.listed["BACK"][t.tokens[at].norm] {
			return true
		}
	}
	return false
}

// tells reports whether words that a plan could depend on begin at a token: of
// stock, or of what no plan can express.
func (t *text) tells(at int) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool { return t.lex.grammar.mayBegin("telling", e.symbol) }) ||
		slices.ContainsFunc(t.refused, func(e edge) bool { return e.end == at && !strings.HasPrefix(e.meaning.problem, "vague") })
}

// politely reports whether "could" asks for something: in a question, before "please",
// and after "if", as in "it would be good if mugs could go up by 5%".
func (t *text) politely(i int) bool {
	for at := i - 1; at >= 0 && !isStop(t.tokens[at].text); at-- {
		if t.tokens[at].norm == "if" || t.tokens[at].norm == "hoping" {
			return true
		}
	}
	for i < len(t.tokens) && !isStop(t.tokens[i].text) && t.tokens[i].norm != "please" {
		i++
	}
	return t.norm(i) == "?" || t.norm(i) == "please"
}

// commands reports whether a verb that begins rules stands here.
func (t *text) commands(at int) bool {
	if at >= len(t.tokens) {
		return false
	}
	return slices.ContainsFunc(t.edges[at], func(e edge) bool {
		return e.end == at+1 && e.meaning.cost == 0 && t.lex.grammar.mayBegin("command", e.symbol)
	})
}

// currencies counts the currencies that the text names.
func (t *text) currencies() int {
	signs := map[string]bool{}
	for _, edges := range t.edges {
		for _, e := range edges {
			if e.meaning.currency != "" {
				signs[e.meaning.currency] = true
			}
		}
	}
	return len(signs)
}
