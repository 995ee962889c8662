package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	work        int            // of the chart
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
	t.listedNames()
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

// pass finds what may be passed over: filler, greetings, signatures, reasons, and what is
// told of the past before the first rule.
func (t *text) pass() {
	number := t.lex.grammar.numbers
	for i := range t.tokens {
		if s := t.sentence(i); t.known != nil && t.beginsSentence(i) && !t.ruled(i) && t.past(s) && t.leavable(s.from, s.end) {
			t.skip(s.from, s.end)
		}
		if t.tokens[i].norm == "could" && t.politely(i) || isPicture(t.tokens[i].text) {
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
				t.remark(i, e.end, reason)
			case number["FACT"], number["CHAT"]:
				if t.beginsSentence(i) || i > 0 && t.tokens[i-1].kind == mark || t.passedTo(i) {
					t.remark(i, e.end, map[bool]saying{true: chat, false: fact}[e.symbol == number["CHAT"]])
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

// signature passes over thanks, with who signs where the text ends with it: words with
// capitals, a few lines of them.
func (t *text) signature(from, end int) {
	t.skip(from, end)
	for at := end; at < len(t.tokens); at++ {
		token := t.tokens[at]
		signs := token.text == "," || token.text == "." || token.text == "\n" || token.text == "-" || token.text == "/" || isPicture(token.text)
		if !signs && (token.kind != word || !hasCapital(token.text) && !t.lex.listed["SIGNOFF"][token.norm] || t.isListed(at) || at > end+maxSignature) {
			return
		}
	}
	t.skip(from, len(t.tokens))
}

const maxSignature = 12

// isPicture reports whether a mark is an emoji.
func isPicture(text string) bool {
	char, _ := utf8.DecodeRuneInString(text)
	return unicode.In(char, unicode.So, unicode.Sk, unicode.Variation_Selector) && !strings.ContainsRune("^`´|", char)
}

// saying is what kind of remark words are, by how they begin.
type saying uint8

const (
	reason saying = iota // because ...
	fact                 // shipping costs ...
	chat                 // I had ..., hope ...
)

// remark passes over a reason, a fact or chat that carries nothing: words up to the end
// of the sentence, up to a verb that gives an order, in a reason up to any pause.
func (t *text) remark(from, end int, kind saying) {
	if end == len(t.tokens) || t.tokens[end].kind != word {
		return
	}
	pass := func(at int) {
		if !t.lex.listed["DANGLING"][t.tokens[at-1].norm] && t.namesNothing(end, at) && !t.spokenOf(end, at) {
			t.skip(from, at)
		}
	}
	sentence := t.sentence(from)
	for at := end; ; at++ {
		switch {
		case at == sentence.end:
			pass(at)
			return
		case isPause(t.tokens[at].text):
			orders := t.orders(at + 1)
			if kind == reason && at > end || orders {
				pass(at)
			}
			if orders {
				return
			}
		case t.tokens[at].norm == "so" && at > end && kind != reason && t.namesNothing(end, at):
			t.skip(from, at+1)
		case t.tokens[at].norm == "and" && t.orders(at+1):
			return
		case t.binds(at, sentence, kind):
			return
		}
	}
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
	case token.kind != word, listed["BINDING"][token.norm], kind != chat && listed["PLACING"][token.norm]:
		return true
	case kind != reason && listed["SENTENCE"][token.norm]:
		return true
	case (listed["REVERSING"][token.norm] || strings.HasSuffix(token.norm, "n't")) && kind != reason && t.ruled(sentence.from):
		return true
	case kind != reason && t.isCommand(at) && t.lex.base[token.norm] && !listed["CLOSED"][token.norm]:
		return true
	}
	return t.telling(at) || slices.ContainsFunc(t.refused, func(e edge) bool {
		problem := e.meaning.problem
		return e.end == at && !strings.HasPrefix(problem, "vague") && !(kind == chat && problem == "schedule" && t.past(sentence))
	})
}

// ruled reports whether a rule may stand before a token: an amount, a code or products.
func (t *text) ruled(before int) bool {
	says := func(e edge) bool { return e.meaning.amount.unit != noUnit || e.meaning.sets != nil }
	for at := range before {
		if kind := t.tokens[at].kind; kind == number || kind == code || slices.ContainsFunc(t.edges[at], says) || t.known == nil && kind == word {
			return true
		}
	}
	return false
}

// past reports whether a sentence tells what was.
func (t *text) past(sentence piece) bool {
	return slices.ContainsFunc(t.tokens[sentence.from:sentence.end], func(token token) bool { return t.lex.listed["PAST"][token.norm] })
}

// namesNothing reports whether some words name no category of the list that is not named
// elsewhere, too.
func (t *text) namesNothing(from, to int) bool {
	for at := from; at < to; at++ {
		for _, e := range t.edges[at] {
			if e.meaning.symbol == "NAME" && e.meaning.cost == 0 && !t.namedOutside(e.meaning.sets[0].categories[0], from, to) {
				return false
			}
		}
	}
	return true
}

// spokenOf reports whether the sentence after some words may speak of what they name.
func (t *text) spokenOf(from, to int) bool {
	for at := from; at < to; at++ {
		if t.standing(at) == unknown {
			return t.refersBack(to + 1)
		}
	}
	return false
}

// isListed reports whether a name of the list begins at a token.
func (t *text) isListed(at int) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool { return e.meaning.symbol == "NAME" })
}

// namedOutside reports whether a category is named before or after some tokens.
func (t *text) namedOutside(category string, from, to int) bool {
	for at, edges := range t.edges {
		if at >= from && at < to {
			continue
		}
		if slices.ContainsFunc(edges, func(e edge) bool {
			return e.meaning.symbol == "NAME" && e.meaning.problem == "" && e.meaning.sets[0].categories[0] == category
		}) {
			return true
		}
	}
	return false
}

// refersBack reports whether the sentence that begins at a token speaks of what was
// named before it, rather than of a name of its own.
func (t *text) refersBack(at int) bool {
	for ; at < len(t.tokens) && !isStop(t.tokens[at].text) && !(t.known != nil && t.isListed(at)); at++ {
		if t.lex.listed["BACK"][t.tokens[at].norm] {
			return true
		}
	}
	return false
}

// telling reports whether words of stock, or of what stays, begin at a token.
func (t *text) telling(at int) bool {
	return slices.ContainsFunc(t.edges[at], func(e edge) bool { return t.lex.grammar.mayBegin("telling", e.symbol) })
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
