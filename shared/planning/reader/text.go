package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/fold"
)

// text is an instruction with all that its words can be.
type text struct {
	instruction string
	tokens      []token
	lex         *lexicon
	known       *index          // nil where the shop's list is not known
	edges       [][]edge        // by the token where they begin
	skips       hops            // what may be passed over, by the token where it begins
	refused     []edge          // phrases that no plan can express; end is the token where they begin
	slips       [][]slip        // the words that an unknown one may be meant for, by its token
	near        [][]slip        // the same of the shop's list
	traits      []bool          // of brands and tags, by token, where free names are of categories
	strange     map[string]bool // words of it that no title has
	guesses     bool            // what words may be meant for that are no name
	asked       problem         // the question about it
	passedOver  []piece         // of what may be passed over, what tells of the world
	times       timing          // when it should happen, where it supposes
	crowded     bool            // its sentences have too many meanings to be read together
}

func newText(instruction string, lex *lexicon, known *index, supposes bool) *text {
	t := &text{
		instruction: instruction,
		tokens:      tokenize(instruction),
		lex:         lex,
		known:       known,
		guesses:     supposes,
	}
	n := len(t.tokens)
	t.edges, t.skips, t.slips, t.near = make([][]edge, n), make(hops, n), make([][]slip, n), make([][]slip, n)
	for i, token := range t.tokens {
		if t.useOf(i) == unknown && !known.has[singular(token.norm)] {
			t.slips[i], t.near[i] = lex.meant(token.norm), known.slips(fold.WithoutSigns(token.norm))
		}
	}
	for i := range t.tokens {
		t.phrases(i, i, &lex.phrases, nil)
	}
	t.numbers()
	t.listedNames()
	t.pass()
	t.names()
	if supposes {
		t.readTimes()
		t.guessNames()
		t.otherColumns()
		t.roundings()
	}
	t.settle()
	return t
}

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
		if m.currency != "" && m.currency == t.lex.currency[normal(t.known.given.Currency)] {
			known := *m
			m, known.guess, known.cost = &known, "", 0
		}
		if m.guess != "" && !t.guesses {
			continue
		}
		if e.symbol == refused && mended != nil && mended.slip.cost > costSlip {
			continue // marco is no march
		}
		if e.symbol == refused {
			phrase := *m
			phrase.from, phrase.to = from, at
			t.refused = append(t.refused, edge{refused, from, &phrase})
			continue
		}
		if mended != nil {
			if t.ownName(mended.at, mended.slip, e.symbol) {
				continue
			}
			slip := *m
			slip.cost, slip.mended, slip.meant = slip.cost+mended.cost, mended.at+1, mended.meant
			m = &slip
		}
		t.edges[from] = append(t.edges[from], edge{e.symbol, at, m})
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
	for _, meant := range t.slips[at] {
		if next := node.next[meant.meant]; next != nil {
			t.phrases(from, at+1, next, &mend{meant, at})
		}
	}
}

// pass finds what may be passed over: filler, greetings, signatures, and what carries nothing.
func (t *text) pass() {
	number := t.lex.grammar.numbers
	for i := range t.tokens {
		if t.tokens[i].norm == "could" && t.politely(i) || isPicture(t.tokens[i].text) {
			t.skip(i, i+1)
		}
		for _, e := range t.edges[i] {
			if e.end == i+1 && t.lex.listed["NAMES"][t.tokens[i].norm] &&
				(i > 0 && t.useOf(i-1) == unknown || e.end < len(t.tokens) && t.useOf(e.end) == unknown) {
				continue // first aid kits
			}
			if e.meaning.cost > 0 && i > 0 &&
				(t.useOf(i-1) == unknown || t.lex.listed["DET"][t.tokens[i-1].norm]) {
				continue // fish tanks, and all tanks, are no thanks
			}
			switch e.symbol {
			case number["FILLER"]:
				if !t.lex.listed["TURNS"][t.norm(i-1)+" "+t.norm(i)] &&
					!t.lex.listed["TURNS"][t.norm(e.end-1)+" "+t.norm(e.end)] {
					t.skip(i, e.end)
				}
			case number["GREETING"]:
				if e.end == len(t.tokens) || t.useOf(e.end) != unknown { // evening dresses
					t.skip(i, e.end)
				}
			case number["OCCASION"]:
				if e.end == len(t.tokens) || t.tokens[e.end].kind != word ||
					!t.isListed(e.end) && t.useOf(e.end) != unknown {
					t.tell(piece{i, e.end})
				}
			case number["SIGNOFF"]:
				if t.skip(i, e.end); t.signed(e.end) {
					t.skip(i, len(t.tokens)) // with who signs
				}
			}
		}
	}
	for from := 0; from < len(t.tokens); {
		s := t.sentence(from)
		if t.asides(s); t.greets(0) && t.signs(s) && !t.passes(s.from, s.end) {
			t.tell(s)
		}
		from = s.end + 1
	}
}

// tell passes over words, and has the explanation say so.
func (t *text) tell(p piece) {
	t.skip(p.from, p.end)
	if !slices.Contains(t.passedOver, p) {
		t.passedOver = append(t.passedOver, p)
	}
}

// skip lets tokens be passed over, with a comma before or after them.
func (t *text) skip(from, end int) {
	add := func(from, end int) {
		if next := (hop{piece{from, end}, 0}); !slices.Contains(t.skips[from], next) {
			t.skips[from] = append(t.skips[from], next)
		}
	}
	for start := from; start == from ||
		start == from-1 && start >= 0 && isPause(t.tokens[start].text); start-- {
		add(start, end)
		if end < len(t.tokens) && (isPause(t.tokens[end].text) || t.tokens[end].text == "!") {
			add(start, end+1)
		}
	}
}

func isPause(text string) bool {
	return text == "," || text == "–" || text == "—" || text == "-" || text == "…" || text == ":" ||
		text == "(" ||
		text == ")" ||
		text == ";"
}

// isStop reports whether a mark ends a sentence.
func isStop(text string) bool {
	return text == "." || text == "!" || text == "?" || text == "\n" || text == ";"
}

// signed reports whether the text ends with nothing but who signs: words with capitals, a
// few lines of them.
func (t *text) signed(from int) bool {
	for at := from; at < len(t.tokens); at++ {
		token := t.tokens[at]
		signs := strings.Contains(",.\n-/&", token.text) || isPicture(token.text) ||
			t.lex.listed["SIGNOFF"][token.norm] ||
			token.norm == "and" ||
			strings.Trim(token.norm, "xo") == ""
		if !signs && (token.kind != word || !hasCapital(token.text) || t.isListed(at)) ||
			at > from+maxSignature {
			return false
		}
	}
	return from == len(t.tokens) || t.tokens[len(t.tokens)-1].norm != "and"
}

// isPicture reports whether a mark is an emoji, or one of signs.
func isPicture(text string) bool {
	char, _ := utf8.DecodeRuneInString(text)
	return !strings.ContainsRune("❌❎✖✗✘🚫⛔🛑👎🙅🙈", char) &&
		(len(text) > 1 && strings.HasSuffix(text, ")") || len(text) > 1 && strings.HasSuffix(text, "(") ||
			unicode.In(char, unicode.So, unicode.Sk, unicode.Variation_Selector) &&
				!strings.ContainsRune("^`´|", char))
}

// sentence is what stands from a token to the next stop.
func (t *text) sentence(from int) piece {
	end := from
	for end < len(t.tokens) && !isStop(t.tokens[end].text) {
		end++
	}
	return piece{from, end}
}

// orders reports whether a rule begins at a token: a verb, perhaps after a courtesy.
func (t *text) orders(at int) bool {
	for at < len(t.tokens) && t.lex.listed["COURTESY"][t.tokens[at].norm] {
		at++
	}
	return t.commands(at)
}

// past reports whether a sentence tells what was.
func (t *text) past(sentence piece) bool {
	for at := sentence.from; at < sentence.end; at++ {
		if t.lex.listed["PAST"][t.tokens[at].norm] || at == sentence.from && t.tokens[at].norm == "have" ||
			t.participle(at) {
			return true
		}
	}
	return false
}

// participle reports whether a word stands after "has" as what has been done.
func (t *text) participle(at int) bool {
	if at == 0 || !t.lex.listed["HAVING"][t.tokens[at-1].norm] {
		return false
	}
	norm := t.tokens[at].norm
	return strings.HasSuffix(norm, "ed") && t.useOf(at) == unknown || t.lex.base[norm]
}

// namesNothing reports whether some words name nothing, of the names that cost no more, that
// is not named elsewhere, too.
func (t *text) namesNothing(from, to, cost int) bool {
	elsewhere := append(t.named(piece{0, from}, cost), t.named(piece{to, len(t.tokens)}, cost)...)
	return !slices.ContainsFunc(
		t.named(piece{from, to}, cost),
		func(name string) bool { return !slices.Contains(elsewhere, name) },
	)
}

// spokenOf reports whether what follows some words may speak of what they name.
func (t *text) spokenOf(from, to int) bool {
	for from < to && t.useOf(from) != unknown {
		from++
	}
	return from < to && t.has("BACK", piece{to, len(t.tokens)})
}

// isListed reports whether a name of the list begins at a token.
func (t *text) isListed(at int) bool {
	return slices.ContainsFunc(
		t.edges[at],
		func(e edge) bool {
			return slices.Contains(nameSymbols, e.meaning.symbol) && e.meaning.problem == ""
		},
	)
}

// begins reports whether a phrase stands at a token with which a rule, or a class, begins.
func (t *text) begins(at int, rule string) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool {
		return t.lex.grammar.mayBegin(rule, e.symbol)
	})
}

// politely reports whether "could" asks for something: in a question, beside "please", and
// after "if", as in "it would be good if mugs could go up by 5%".
func (t *text) politely(i int) bool {
	s := t.sentence(i)
	for s.from > 0 && !isStop(t.tokens[s.from-1].text) {
		s.from--
	}
	return t.norm(s.end) == "?" || t.has("ASKING", s)
}

// commands reports whether a verb that begins rules stands here.
func (t *text) commands(at int) bool {
	return at < len(t.tokens) && slices.ContainsFunc(t.edges[at], func(e edge) bool {
		return e.end == at+1 && e.meaning.cost == 0 && t.lex.grammar.mayBegin("command", e.symbol)
	})
}

// currencies counts the currencies that the text names, and that of the table if it names
// any. $ is any of those that are written so.
func (t *text) currencies() int {
	signs := map[string]bool{}
	for _, edges := range t.edges {
		for _, e := range edges {
			signs[e.meaning.currency] = true
		}
	}
	if delete(signs, ""); len(signs) > 0 {
		signs[t.lex.currency[normal(t.known.given.Currency)]] = true
		delete(signs, "")
	}
	for sign := range signs {
		if strings.HasPrefix(sign, "$") && sign != "$" {
			delete(signs, "$")
		}
	}
	return len(signs)
}
