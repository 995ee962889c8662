package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names adds an edge for each name that may stand in the text.
func (t *text) names() {
	for i := range t.tokens {
		t.pieces(i)
		switch token := t.tokens[i]; {
		case token.kind == quoted:
			t.quotedName(i)
		case token.kind == code && (isRange(token.text) || strings.HasSuffix(token.norm, "xx")),
			token.kind == number && len(token.text) > 3 && t.norm(i+1) == "-" && i+2 < len(t.tokens) &&
				t.tokens[i+2].kind == number && token.end+1 == t.tokens[i+2].start:
			t.refused = append(t.refused, edge{refused, i, &meaning{clause: clause{problem: "sku_range"}}})
		case token.kind == number && t.decimalComma(i) && !t.commaMoney(i):
			t.refused = append(
				t.refused,
				edge{refused, i, &meaning{to: i + 3, clause: clause{problem: "decimal_comma"}}},
			)
		case token.kind == number && t.thousands(i):
			t.refused = append(t.refused,
				edge{refused, i, &meaning{to: i + 1, clause: clause{problem: "thousands"}}})
		case t.known.closed[sku] && (token.kind == code || token.kind == number && t.cued(i)):
			if len(t.known.skusOf(token.norm)) == 0 {
				t.notKnown(i, i+1, sku)
			}
		case token.kind == code && !slices.ContainsFunc(t.refused, func(e edge) bool { return e.end == i }):
			t.addName(i, i+1, sku, token.text, 0)
		case year.MatchString(token.text) && i > 0 && t.lex.listed["BEFOREYEAR"][t.tokens[i-1].norm] &&
			!t.cued(i):
			t.refused = append(t.refused,
				edge{refused, i, &meaning{to: i + 1, clause: clause{problem: "schedule"}}})
		case token.kind == number && !t.known.closed[sku] && !strings.ContainsAny(token.text, ",./") &&
			len(token.text) > 3 && t.cued(i):
			t.addSet("NUMCODE", i, i+1, &meaning{clause: clause{sets: setOf(sku, token.text)}})
		}
		t.freeName(i)
	}
	t.cuedNames()
}

// pieces refuses a number of pieces in stock that is compared: over 40 in stock is no price.
func (t *text) pieces(i int) {
	compared := func(at int) bool {
		return slices.ContainsFunc(
			t.edges[at],
			func(e edge) bool { return e.end == i && t.lex.grammar.mayBegin("crossed", e.symbol) },
		)
	}
	if t.tokens[i].kind != number ||
		!slices.ContainsFunc([]int{i - 1, i - 2, i - 3},
			func(at int) bool { return at >= 0 && compared(at) }) {
		return
	}
	end := i + 1
	for end < len(t.tokens) && (t.begins(end, "ONWARDS") || t.lex.listed["NOUN"][t.tokens[end].norm] ||
		t.lex.listed["ONWARDS"][t.tokens[end].norm]) {
		end++
	}
	if end < len(t.tokens) && t.begins(end, "stocked") {
		t.edges[end] = slices.DeleteFunc(
			t.edges[end],
			func(e edge) bool { return t.lex.grammar.mayBegin("stocked", e.symbol) },
		)
		t.refused = append(t.refused,
			edge{refused, i, &meaning{to: end + 2, clause: clause{problem: "quantity"}}})
	}
}

// cuedNames adds the names that a phrase beside them says the role of: "Nike brand", tagged
// summer, with linen in the name.
func (t *text) cuedNames() {
	for i := range t.tokens {
		for _, e := range slices.Clone(t.edges[i]) {
			switch e.meaning.symbol {
			case "BRANDWORD", "TAGWORD":
				if i > 0 && t.tokens[i-1].norm == "price" {
					continue // a price tag of $5
				}
				t.cuedName(e.end, e.end+1, e.meaning.role-1)
				t.cuedName(i-maxNameWords, i, e.meaning.role-1)
			case "NAMEHAS":
				t.cuedName(e.end, len(t.tokens), phrase)
			case "INNAME":
				t.cuedName(i-2*maxNameWords, i, phrase)
			}
		}
	}
}

// cuedName adds names of a role that begin with one of some tokens, or with the first. Of
// a role whose names are listed they are known already, and what is not ones only asks.
func (t *text) cuedName(from, to int, r role) {
	for from = max(0, from); from < min(to, len(t.tokens)); from++ {
		for end := from + 1; end <= min(len(t.tokens), from+maxNameWords); end++ {
			token := t.tokens[end-1]
			joins := t.ampersand(end - 1) // Winsor & Newton
			if token.kind == quoted && end > from+1 ||
				token.kind != quoted && !joins &&
					(token.kind != word && (r != phrase || token.kind == mark) || t.isCommand(end-1) ||
						token.kind == word && t.useOf(end-1) == reserved &&
							(!hasCapital(token.text) || t.beginsSentence(end-1)) &&
							(!t.is(from-1, "TAGWORD") || !t.is(end-1, "RESERVED") || t.is(end-1, "CLOSED"))) {
				break
			}
			name := t.source(from, end)
			if token.kind == quoted {
				name = token.text
			}
			switch {
			case joins,
				slices.ContainsFunc(t.edges[from], func(e edge) bool {
					return e.end == end &&
						e.meaning.sets != nil && e.meaning.sets[0].of[r] != nil
				}):
			case t.known.closed[r] && r != phrase:
				t.notKnown(from, end, r)
			default:
				t.addSet(symbolOf[r], from, end,
					&meaning{cost: end - from - 1, clause: clause{sets: setOf(r, name)}})
			}
			if token.kind == quoted {
				break
			}
		}
	}
}

// decimalComma reports whether a number may go on after a comma: 79,90 or 3,5 %.
func (t *text) decimalComma(i int) bool {
	return i+2 < len(t.tokens) && t.tokens[i+1].text == "," && t.tokens[i+2].kind == number &&
		(len(t.tokens[i+2].text) == 2 || len(t.tokens[i+2].text) == 1 && t.lex.listed["PCT"][t.norm(i+3)]) &&
		t.tokens[i].end+1 == t.tokens[i+2].start
}

func (t *text) addName(from, end int, r role, name string, cost int) {
	t.addSet(symbolOf[r], from, end, &meaning{cost: cost, clause: clause{sets: t.known.all(r, name)}})
}

// symbolOf are the symbols of the grammar for names of each role.
var symbolOf = [roles]string{category: "NAME", brand: "TRAIT", tag: "TRAIT", phrase: "PHRASE", sku: "CODE"}

func (t *text) addSet(symbol string, from, end int, m *meaning) {
	m.symbol, m.from, m.to = symbol, from, end
	t.edges[from] = append(t.edges[from], edge{t.lex.grammar.numbers[symbol], end, m})
}

// notKnown is a name that no list has: a candidate that only asks.
func (t *text) notKnown(from, end int, r role) {
	t.addSet(
		symbolOf[r],
		from,
		end,
		&meaning{
			cost:   costAsks,
			clause: clause{problem: "unknown_category", sets: setOf(r, t.source(from, end))},
		},
	)
}

func (t *text) useOf(i int) wordUse {
	norm := t.tokens[i].norm
	if _, counts := wordValues[norm]; counts || t.tokens[i].kind != word || t.lex.listed["RESERVED"][norm] ||
		t.traits != nil && t.traits[i] {
		return reserved
	}
	if t.lex.uses[norm] == unknown && t.lex.words[norm] {
		return nameable
	}
	return t.lex.uses[norm]
}

// freeName adds names that are known from no list: words of which at least one is
// not in the lexicon, from the first such word to the last. Where the shop's list
// is known they only ask.
func (t *text) freeName(i int) {
	if t.useOf(i) == reserved || t.joined(i) && t.norm(i-1) != "non" || t.isCommand(i) ||
		i > 0 && t.useOf(i-1) == unknown && len(t.slips[i-1]) == 0 {
		return
	}
	strange, cost := 0, 0
	for end := i + 1; end <= len(t.tokens) && end-i <= maxNameWords; end++ {
		switch t.useOf(end - 1) {
		case reserved:
			if !t.ampersand(end - 1) {
				return
			}
			continue
		case unknown:
			strange++
			switch {
			case len(t.slips[end-1]) > 0 && end-1 == i && t.beginsSentence(i):
				cost += costSlip // raisin bread up 5%: is it bread?
			case len(t.slips[end-1]) > 0:
				cost += costReplaced
			}
		default:
			// pork chops
			if !t.lex.listed["PLURAL"][t.tokens[end-1].norm] || end-1 == i || t.useOf(end-2) != unknown {
				cost += costKnownWord
			}
			if norm := t.tokens[end-1].norm; t.lex.listed["NAMES"][norm] && strings.HasSuffix(norm, "s") ||
				t.lex.listed["CATEGORY"][t.norm(end)] {
				strange++
			}
		}
		if strange == 0 || t.verb(end-1) || t.joined(end) ||
			end < len(t.tokens) && t.useOf(end) == unknown && len(t.slips[end]) == 0 {
			continue
		}
		if t.known.closed[category] {
			if !slices.ContainsFunc(
				t.edges[i],
				func(e edge) bool { return e.end == end && slices.Contains(nameSymbols, e.meaning.symbol) },
			) {
				t.notKnown(i, end, category)
			}
		} else {
			t.addName(i, end, category, t.typed(i, end), cost)
		}
	}
}

// verb reports whether a word can begin a name and not end it: lamps priced at $5 are
// lamps.
func (t *text) verb(i int) bool {
	norm, lex := t.tokens[i].norm, t.lex
	return lex.uses[norm] == nameable && !lex.listed["NAMES"][norm] && !lex.listed["PLURAL"][norm] &&
		!lex.listed[""][norm]
}

// ampersand reports whether a sign joins words that may be one name or two, as in
// Home & Kitchen.
func (t *text) ampersand(i int) bool {
	return t.tokens[i].text == "&" && i > 0 && i+1 < len(t.tokens) && hasCapital(t.tokens[i-1].text) &&
		hasCapital(t.tokens[i+1].text)
}

// joined reports whether a hyphen joins a token to the one before.
func (t *text) joined(i int) bool {
	return i > 0 && i < len(t.tokens) && t.tokens[i-1].kind == word && t.tokens[i].kind == word &&
		t.tokens[i-1].end+1 == t.tokens[i].start &&
		t.instruction[t.tokens[i-1].end] == '-'
}

// isCommand reports whether a verb stands where a rule begins, so that it is no
// part of a name: "limit lamps to $5" speaks of lamps.
func (t *text) isCommand(i int) bool {
	norm := t.tokens[i].norm
	if !t.commands(i) || strings.HasSuffix(norm, "s") && !strings.HasSuffix(norm, "ss") ||
		strings.HasSuffix(norm, "ing") && norm != "bring" {
		return false
	}
	passed := slices.ContainsFunc(
		t.skips,
		func(all []hop) bool { return slices.ContainsFunc(all, func(h hop) bool { return h.end == i }) },
	)
	return i == 0 || t.tokens[i-1].kind == mark || passed || t.lex.listed["BEFOREVERB"][t.tokens[i-1].norm]
}

// typed is a name as it was typed, but for the capital of a sentence where the text
// has its first word without one, too.
func (t *text) typed(from, end int) string {
	name, first := t.source(from, end), t.tokens[from].text
	char, size := utf8.DecodeRuneInString(first)
	small := string(unicode.ToLower(char)) + first[size:]
	if t.beginsSentence(from) &&
		slices.ContainsFunc(t.tokens, func(other token) bool { return other.text == small }) {
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
	if i == 0 || isStop(t.tokens[i-1].text) && t.tokens[i-1].text != ";" || t.tokens[i-1].text == ":" ||
		t.tokens[i-1].text == "…" {
		return true
	}
	return strings.Contains("-•*)", t.tokens[i-1].text) && (i == 1 || t.tokens[i-2].text == "\n")
}
