package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// categories is a shop's list, by the words of each name in their simplest form.
type categories struct {
	list  []string
	words map[string][]int // the names that begin with a word
	parts [][]string       // the words of each name
	all   spelled          // every word of a name
}

// indexed is a list of categories by their words; nil where there is none.
func indexed(list []string) *categories {
	if len(list) == 0 {
		return nil
	}
	c := &categories{list: slices.Clone(list), words: map[string][]int{}, all: spelled{}}
	seen := map[string]bool{}
	for i, name := range list {
		var parts []string
		for _, t := range tokenize(name) {
			simple := simplest(t.norm)
			if simple == "" {
				continue
			}
			parts = append(parts, simple)
			for _, spelled := range []string{simple, t.norm} {
				if !seen[spelled] {
					seen[spelled] = true
					c.all.add(spelled)
				}
			}
		}
		c.parts = append(c.parts, parts)
		if len(parts) > 0 {
			c.words[parts[0]] = append(c.words[parts[0]], i)
		}
	}
	return c
}

// simplest is a word without what its number and spelling add. Words that join are
// nothing.
func simplest(norm string) string {
	switch norm {
	case "and", "&", ",", "-", "/", "the":
		return ""
	}
	switch {
	case strings.HasSuffix(norm, "ies") && len(norm) > 4:
		return norm[:len(norm)-3] + "y"
	case strings.HasSuffix(norm, "sses"), strings.HasSuffix(norm, "shes"), strings.HasSuffix(norm, "ches"), strings.HasSuffix(norm, "xes"):
		return norm[:len(norm)-2]
	case strings.HasSuffix(norm, "ves") && len(norm) > 4:
		return norm[:len(norm)-3] + "f"
	case strings.HasSuffix(norm, "s") && !strings.HasSuffix(norm, "ss") && len(norm) > 3:
		return norm[:len(norm)-1]
	}
	return norm
}

// names adds an edge for each name that may stand in the text.
func (t *text) names() {
	for i := range t.tokens {
		switch token := t.tokens[i]; {
		case token.kind == quoted && t.known == nil:
			t.addName(i, i+1, token.text, 0)
		case token.kind == quoted:
			t.quotedName(i)
		case token.kind == code && (isRange(token.text) || strings.HasSuffix(token.norm, "xx")), token.kind == number && t.numberRange(i):
			t.refused = append(t.refused, edge{refused, i, &meaning{clause: clause{problem: "sku_range"}}})
		case token.kind == number && t.decimalComma(i):
			t.refused = append(t.refused, edge{refused, i, &meaning{to: i + 3, clause: clause{problem: "decimal_comma"}}})
		case token.kind == code && !slices.ContainsFunc(t.refused, func(e edge) bool { return e.end == i }):
			t.addCode("CODE", i)
		case token.kind == number && i > 0 && (t.tokens[i-1].norm == "in" || t.tokens[i-1].norm == "since"):
		case token.kind == number && !strings.ContainsAny(token.text, ",./") && len(token.text) > 3:
			t.addCode("NUMCODE", i)
		}
		if t.known != nil {
			t.knownNames(i)
			t.shortenedNames(i)
		}
		t.freeName(i)
	}
}

// decimalComma reports whether a number may go on after a comma: 79,90.
func (t *text) decimalComma(i int) bool {
	return i+2 < len(t.tokens) && t.tokens[i+1].text == "," && t.tokens[i+2].kind == number && len(t.tokens[i+2].text) == 2 && t.tokens[i].end+1 == t.tokens[i+2].start
}

// numberRange reports whether two numbers of four digits or more are joined.
func (t *text) numberRange(i int) bool {
	return i+2 < len(t.tokens) && t.tokens[i+1].text == "-" && t.tokens[i+2].kind == number && len(t.tokens[i].text) > 3 && t.tokens[i].end+1 == t.tokens[i+2].start
}

func (t *text) addName(from, end int, name string, cost int) {
	t.addSet("NAME", from, end, &meaning{cost: cost, clause: clause{sets: []set{{categories: []string{name}}}}})
}

func (t *text) addCode(symbol string, i int) {
	t.addSet(symbol, i, i+1, &meaning{clause: clause{sets: []set{{skus: []string{t.tokens[i].text}}}}})
}

func (t *text) addSet(symbol string, from, end int, m *meaning) {
	m.symbol, m.from, m.to = symbol, from, end
	t.edge(from, edge{t.lex.grammar.numbers[symbol], end, m})
}

func (t *text) quotedName(i int) {
	for _, name := range t.known.list {
		if strings.EqualFold(name, t.tokens[i].text) {
			t.addName(i, i+1, name, 0)
			return
		}
	}
	t.notKnown(i, i+1)
}

// notKnown is a name that the list does not have: a reading that only asks.
func (t *text) notKnown(from, end int) {
	t.addSet("NAME", from, end, &meaning{cost: costAsks, clause: clause{problem: "unknown_category", sets: []set{{categories: []string{t.source(from, end)}}}}})
}

// knownNames adds the names of the list that begin with a token: of those that end
// at the same one, the most alike. One word of a name may be misspelt.
func (t *text) knownNames(i int) {
	if t.tokens[i].kind == number || t.tokens[i].kind == quoted {
		return
	}
	firsts := []string{simplest(t.tokens[i].norm)}
	for _, near := range t.near(i) {
		firsts = append(firsts, near.meant)
	}
	type match struct{ name, unlike, cost int }
	best := map[int][]match{} // by the end
	for _, first := range firsts {
		for _, n := range t.known.words[first] {
			end, cost := t.follows(i, t.known.parts[n])
			if end < 0 {
				continue
			}
			found := match{n, cost + 2, cost}
			switch source := t.source(i, end); {
			case source == t.known.list[n]:
				found.unlike = 0
			case strings.EqualFold(source, t.known.list[n]):
				found.unlike = 1
			}
			if others := best[end]; others == nil || found.unlike < others[0].unlike {
				best[end] = []match{found}
			} else if found.unlike == others[0].unlike {
				best[end] = append(others, found)
			}
		}
	}
	for end, matches := range best {
		for _, m := range matches {
			t.addName(i, end, t.known.list[m.name], m.cost)
		}
	}
}

// shortenedNames adds the names of the list of which the last word is said with
// another name only: the first of "road and mountain bikes".
func (t *text) shortenedNames(i int) {
	for n, parts := range t.known.parts {
		last := len(parts) - 1
		if last < 1 {
			continue
		}
		end, cost := t.follows(i, parts[:last])
		if end < 0 || cost > 0 || end == len(t.tokens) || t.tokens[end].norm != "," && t.tokens[end].norm != "and" && t.tokens[end].norm != "&" {
			continue
		}
		for at := end + 1; at < len(t.tokens) && at < end+maxNameWords; at++ {
			if slices.ContainsFunc(t.known.parts, func(other []string) bool {
				ends, _ := t.follows(at, other)
				return len(other) > 1 && other[len(other)-1] == parts[last] && ends > 0
			}) {
				t.addName(i, end, t.known.list[n], 0)
				break
			}
		}
	}
}

// follows returns the position after the words of a name, and what a slip costs; -1
// where they do not stand here.
func (t *text) follows(at int, parts []string) (end, cost int) {
	for n := 0; n < len(parts); at++ {
		if at == len(t.tokens) {
			return -1, 0
		}
		simple := simplest(t.tokens[at].norm)
		switch {
		case simple == "" && n > 0:
			continue
		case simple == parts[n]:
		default:
			near := slices.IndexFunc(t.near(at), func(s slip) bool { return s.meant == parts[n] })
			if near < 0 || cost > costSlip {
				return -1, 0
			}
			cost += t.near(at)[near].cost
		}
		n++
	}
	return at, cost
}

// near are the words of the list for which an unknown word may stand.
func (t *text) near(i int) []slip {
	token := t.tokens[i]
	if t.known == nil || token.kind != word || t.standing(i) != unknown || len(token.norm) < 4 {
		return nil
	}
	found, looked := t.nearWords[i]
	if !looked {
		found = slips(simplest(token.norm), t.known.all)
		if simplest(token.norm) != token.norm {
			found = append(found, slips(token.norm, t.known.all)...)
		}
		for n := range found {
			found[n].meant = simplest(found[n].meant)
		}
		t.nearWords[i] = found
	}
	return found
}

func (t *text) standing(i int) standing {
	if t.tokens[i].kind != word {
		return reserved
	}
	norm := t.tokens[i].norm
	if _, counts := wordValues[norm]; counts || t.lex.listed["RESERVED"][norm] {
		return reserved
	}
	if t.lex.standing[norm] == unknown && t.lex.words[norm] {
		return nameable
	}
	return t.lex.standing[norm]
}

// freeName adds names that are known from no list: words of which at least one is
// not in the lexicon, from the first such word to the last. Where the shop's list
// is known they only ask.
func (t *text) freeName(i int) {
	if t.standing(i) == reserved || t.joined(i) && t.norm(i-1) != "non" || t.isCommand(i) || i > 0 && t.standing(i-1) == unknown && !t.mayBeSlip(i-1) {
		return
	}
	strange, cost := 0, 0
	for end := i + 1; end <= len(t.tokens) && end-i <= maxNameWords; end++ {
		switch t.standing(end - 1) {
		case reserved:
			if !t.ampersand(end - 1) {
				return
			}
			continue
		case unknown:
			strange++
			switch {
			case t.mayBeSlip(end-1) && end-1 == i && t.beginsSentence(i):
				cost += costSlip // raisin bread up 5%: is it bread?
			case t.mayBeSlip(end - 1):
				cost += costReplaced
			}
		default:
			if !t.lex.listed["PLURAL"][t.tokens[end-1].norm] || end-1 == i || t.standing(end-2) != unknown { // pork chops
				cost += costKnownWord
			}
			if norm := t.tokens[end-1].norm; t.lex.listed["NAMES"][norm] && strings.HasSuffix(norm, "s") || t.lex.listed["CATEGORY"][t.norm(end)] {
				strange++
			}
		}
		if strange == 0 || t.verb(end-1) || t.joined(end) || end < len(t.tokens) && t.standing(end) == unknown && !t.mayBeSlip(end) {
			continue
		}
		if t.known != nil {
			if !t.isKnown(i, end) {
				t.notKnown(i, end)
			}
		} else {
			t.addName(i, end, t.typed(i, end), cost)
		}
	}
}

// verb reports whether a word can begin a name and not end it: lamps priced at $5 are
// lamps.
func (t *text) verb(i int) bool {
	norm, lex := t.tokens[i].norm, t.lex
	return lex.standing[norm] == nameable && !lex.listed["NAMES"][norm] && !lex.listed["PLURAL"][norm] && !lex.listed[""][norm]
}

// ampersand reports whether a sign joins words that may be one name or two, as in
// Home & Kitchen.
func (t *text) ampersand(i int) bool {
	return t.tokens[i].text == "&" && i > 0 && i+1 < len(t.tokens) && hasCapital(t.tokens[i-1].text) && hasCapital(t.tokens[i+1].text)
}

// joined reports whether a hyphen joins a token to the one before.
func (t *text) joined(i int) bool {
	return i > 0 && i < len(t.tokens) && t.tokens[i-1].kind == word && t.tokens[i].kind == word && t.tokens[i-1].end+1 == t.tokens[i].start &&
		t.instruction[t.tokens[i-1].end] == '-'
}

// isCommand reports whether a verb stands where a rule begins, so that it is no
// part of a name: "limit lamps to $5" speaks of lamps.
func (t *text) isCommand(i int) bool {
	norm := t.tokens[i].norm
	if !t.commands(i) || strings.HasSuffix(norm, "s") && !strings.HasSuffix(norm, "ss") || strings.HasSuffix(norm, "ing") && norm != "bring" {
		return false
	}
	if i == 0 || t.tokens[i-1].kind == mark || t.passedTo(i) {
		return true
	}
	switch t.tokens[i-1].norm {
	case "and", "then", "but", "please", "just", "now", "to", "could", "you", "so", "also":
		return true
	}
	return false
}

// passedTo reports whether what may be passed over ends before a token.
func (t *text) passedTo(i int) bool {
	return slices.ContainsFunc(t.skips, func(ends []int) bool { return slices.Contains(ends, i) })
}

// isKnown reports whether a name of the list stands at these tokens.
func (t *text) isKnown(from, end int) bool {
	return slices.ContainsFunc(t.edges[from], func(e edge) bool { return e.end == end && e.symbol == t.lex.grammar.numbers["NAME"] })
}

const maxNameWords = 5

// mayBeSlip reports whether an unknown word may be meant for one of the lexicon, so
// that a name may stop before it.
func (t *text) mayBeSlip(i int) bool { return len(t.slipsAt(i)) > 0 }

// typed is a name as it was typed, but for the capital of a sentence where the text
// has its first word without one, too.
func (t *text) typed(from, end int) string {
	name, first := t.source(from, end), t.tokens[from].text
	char, size := utf8.DecodeRuneInString(first)
	small := string(unicode.ToLower(char)) + first[size:]
	if t.beginsSentence(from) && slices.ContainsFunc(t.tokens, func(other token) bool { return other.text == small }) {
		return small + name[len(first):]
	}
	return name
}

func hasCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}

// beginsSentence reports whether a token would have a capital anyway.
func (t *text) beginsSentence(i int) bool {
	if i == 0 {
		return true
	}
	switch t.tokens[i-1].text {
	case ".", "!", "?", "\n", ":", "…":
		return true
	case "-", "•", "*", ")":
		return i == 1 || t.tokens[i-2].text == "\n"
	}
	return false
}
