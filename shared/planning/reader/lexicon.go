package reader

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed lexicon.txt
var lexiconText string

//go:embed refusals.txt
var refusalText string

// lexicon is the phrases of lexicon.txt and refusals.txt, and the words that the grammar quotes.
type lexicon struct {
	grammar   *grammar
	phrases   trie
	uses      map[string]wordUse         // of each word that is a phrase
	words     map[string]bool            // all words of phrases
	listed    map[string]map[string]bool // single words by their class
	base      map[string]bool            // verbs without an ending
	spelled   spelled                    // the same words, to find slips of the pen
	questions map[string]string          // by class
	refusal   map[string]bool            // the classes that have phrases
	same      map[string]string          // words of two forms or spellings, by one of them
	currency  map[string]string          // by each sign, code and word that a table may write it as
}

// trie holds phrases by their words.
type trie struct {
	next    map[string]*trie
	entries []entry
}

// entry is what a phrase means, as a symbol of the grammar.
type entry struct {
	symbol  int
	meaning *meaning
}

// wordUse says whether a word that the lexicon has may be part of a name.
type wordUse uint8

const (
	unknown  wordUse = iota
	reserved         // never part of a name
	nameable         // may be: cutting boards, price tags

	listedOnly // a word of a list that no rule has: it is what it is elsewhere
	freeWords  // a word of phrases that are passed over whole: the same
)

// parseLexicon reads classes such as
//
//	UP dir=up name: {raise}, {increase}, go up
//
// A line that begins with a blank goes on. A word in braces has its verb's
// endings: raises, raised, raising; {take took taken} names those of the past; of
// (good|nice) each is a phrase. What is "meant" is only supposed. "name" lets the
// words be parts of names, "listed" only lists them, and "free" leaves them to
// names.
func parseLexicon(text string, g *grammar) *lexicon {
	l := &lexicon{
		grammar:   g,
		uses:      map[string]wordUse{},
		words:     map[string]bool{},
		listed:    map[string]map[string]bool{},
		base:      map[string]bool{},
		questions: map[string]string{},
		refusal:   map[string]bool{},
		same:      map[string]string{},
		currency:  map[string]string{},
		spelled:   spelled{},
	}
	for symbol, name := range g.names {
		if literal, quotes := strings.CutPrefix(name, `"`); quotes {
			l.add(literal, entry{symbol, &meaning{symbol: name}}, reserved)
		}
	}
	var class entry
	var as wordUse
	for _, line := range written(text) {
		if !strings.HasPrefix(line, " ") {
			head, phrases, _ := strings.Cut(line, ":")
			class, as = l.class(strings.Fields(head))
			line = phrases
		}
		l.addAll(line, class, as)
	}
	return l
}

func (l *lexicon) class(head []string) (entry, wordUse) {
	symbol, used := l.grammar.numbers[head[0]]
	must(used || slices.Contains(head, "listed"), "no rule uses the lexicon's "+head[0])
	m, as := &meaning{symbol: head[0]}, reserved
	for _, feature := range head[1:] {
		if stands, is := map[string]wordUse{
			"name":   nameable,
			"listed": listedOnly,
			"free":   freeWords,
		}[feature]; is {
			as = stands
		} else if meant, may := strings.CutPrefix(feature, "meant="); may {
			m.guess, m.cost = strings.ReplaceAll(meant, "_", " "), costGuess
		} else {
			m.features(feature)
		}
	}
	return entry{symbol, m}, as
}

// parseRefusals adds questions, and the phrases that no plan can express and that
// they answer:
//
//	schedule? When it should happen cannot be in a plan.
//	? What should be done now?
//	  tomorrow, next week
func (l *lexicon) parseRefusals(text string) {
	var class string
	for _, line := range written(text) {
		if name, question, found := strings.Cut(line, "? "); found && !strings.HasPrefix(line, " ") {
			if name != "" {
				class = name
			}
			l.questions[class] = strings.TrimSpace(l.questions[class] + " " + question)
			continue
		}
		l.refusal[class] = true
		e := entry{refused, &meaning{clause: clause{problem: class}}}
		plain, names, _ := strings.Cut(line, "~")
		l.addAll(plain, e, reserved)
		l.addAll(strings.ReplaceAll(names, "~", ""), e, nameable)
	}
}

const refused = -1 // the symbol of phrases that no rule consumes

func (l *lexicon) addAll(line string, e entry, as wordUse) {
	for _, phrase := range strings.Split(line, ",") {
		l.addPhrase(escapes.Replace(strings.TrimSpace(phrase)), e, as)
	}
}

// addPhrase adds a phrase, in each of its ways where it has several: have a (good|nice)
// day; and with each form of its verb.
func (l *lexicon) addPhrase(phrase string, e entry, as wordUse) {
	before, rest, several := strings.Cut(phrase, "(")
	if ways, after, _ := strings.Cut(rest, ")"); several {
		for _, way := range strings.Split(ways, "|") {
			l.addPhrase(before+way+after, e, as)
		}
		return
	}
	before, rest, inflected := strings.Cut(phrase, "{")
	if !inflected {
		l.add(phrase, e, as)
		return
	}
	verb, after, _ := strings.Cut(rest, "}")
	l.base[strings.Fields(verb)[0]] = true
	for i, form := range forms(strings.Fields(verb)) {
		l.add(before+form+after, e.inflected(l, i >= pasts), as)
	}
}

// escapes are how the lexicon writes marks that part its phrases or begin a comment.
var escapes = strings.NewReplacer("<comma>", ",", "<hash>", "#", `\n`, "\n")

// list notes a single word by its class.
func (l *lexicon) list(class, word string) {
	if l.listed[class] == nil {
		l.listed[class] = map[string]bool{}
	}
	l.listed[class][word] = true
	if form, other, two := strings.Cut(word, "="); two {
		l.same[form] = other
	}
}

func (l *lexicon) add(phrase string, e entry, as wordUse) {
	if as == listedOnly {
		l.list(e.meaning.symbol, phrase)
		return
	}
	if m := *e.meaning; m.currency != "" { // * is one of its own
		m.currency = strings.ReplaceAll(m.currency, "*", phrase)
		l.currency[phrase], e.meaning = m.currency, &m
	}
	at := &l.phrases
	tokens := tokenize(phrase)
	for _, t := range tokens {
		if at.next == nil {
			at.next = map[string]*trie{}
		}
		if at.next[t.norm] == nil {
			at.next[t.norm] = &trie{}
		}
		at = at.next[t.norm]
		if as == freeWords {
			continue
		}
		// an amount is never guessed
		if !l.words[t.norm] && t.kind == word && e.meaning.amount.unit == noUnit {
			l.spelled.add(t.norm)
		}
		l.words[t.norm] = true
	}
	if len(tokens) == 1 && as != freeWords {
		l.uses[tokens[0].norm] = max(l.uses[tokens[0].norm], as)
		l.list(e.meaning.symbol, tokens[0].norm)
	}
	if at != &l.phrases {
		at.entries = append(at.entries, e)
	}
}

// inflected is the entry of a past form, where the grammar has a class for it:
// "raised" is UPED.
func (e entry) inflected(l *lexicon, past bool) entry {
	if symbol, has := l.grammar.numbers[e.meaning.symbol+"ED"]; has && past {
		m := *e.meaning
		m.symbol += "ED"
		return entry{symbol, &m}
	}
	return e
}

// forms are a verb and its endings; its past forms are given where they are not made
// with -ed.
func forms(given []string) []string {
	verb := given[0]
	stem, e := strings.CutSuffix(verb, "e")
	ending := verb[len(verb)-1]
	doubled := verb
	if len(verb) > 2 && !strings.ContainsRune("aeiouwxy", rune(ending)) &&
		strings.ContainsRune("aeiou", rune(verb[len(verb)-2])) &&
		!strings.ContainsRune("aeiou", rune(verb[len(verb)-3])) {
		doubled = verb + string(ending)
	}
	third, past, gerund := verb+"s", doubled+"ed", doubled+"ing"
	switch {
	case e:
		past, gerund = verb+"d", stem+"ing"
	case ending == 'y' && !strings.ContainsRune("aeou", rune(verb[len(verb)-2])):
		third, past = verb[:len(verb)-1]+"ies", verb[:len(verb)-1]+"ied"
	case strings.HasSuffix(verb, "sh"),
		strings.HasSuffix(verb, "ch"),
		strings.HasSuffix(verb, "x"),
		strings.HasSuffix(verb, "ss"),
		verb == "go",
		verb == "do":
		third = verb + "es"
	}
	all := []string{verb, third, gerund, verb + "ing"} // discounting
	if len(given) > 1 {
		return append(all, given[1:]...)
	}
	return append(all, past, verb+"ed")
}

const pasts = 4 // where the past forms begin among those of a verb

// spelled are words by their first letter, which slips of the pen leave alone.
type spelled map[byte][]string

func (s spelled) add(word string) { s[word[0]] = append(s[word[0]], word) }

// slip is a word that another may be meant for.
type slip struct {
	meant string
	cost  int
}

// slips are the words that one may be meant for.
func slips(text string, among spelled) []slip {
	if len(text) < 3 {
		return nil
	}
	var near []slip
	for _, other := range among[text[0]] {
		if cost := slipped(text, other); cost > 0 {
			near = append(near, slip{other, cost})
		}
	}
	return near
}

// meant are the words of the lexicon that an unknown word may be meant for.
func (l *lexicon) meant(norm string) []slip {
	if len(norm) > 20 {
		return nil
	}
	found := slips(norm, l.spelled)
	for n := range found {
		if s := &found[n]; len(norm) > len(s.meant) || len(norm) < len(s.meant) && len(norm) < 6 {
			s.cost = costUnlikely
		}
	}
	return found
}

// slipped is what it costs to take one word for another: nothing but two letters
// swapped, one too many or one too few, or in longer words one that is another,
// which often makes another word. It is 0 where the words are further apart.
func slipped(a, b string) int {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(b) < 3 || len(a)-len(b) > 1 {
		return 0
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) > len(b):
		if a[i+1:] == b[i:] {
			return costSlip
		}
	case i == len(a):
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]:
		return costSlip
	case len(a) >= 5 && a[i+1:] == b[i+1:]:
		return costReplaced
	}
	return 0
}

// Common reports whether a word is one of the lexicon's, or a number as a word: an ordinary
// word of instructions, whatever else a shop calls so.
func (r Reader) Common(word string) bool {
	lex, norm := load(), strings.ToLower(word)
	_, counts := wordValues[norm]
	return counts || lex.words[norm] || lex.uses[norm] != unknown
}
