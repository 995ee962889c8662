package reader

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/planning"
)

// maxPhrases bounds the spellings in which titles have the same words.
const maxPhrases = 5

// inTitles is the reading in which words that no list has are meant as they stand in
// titles of products; false where there is none. It says which products those are: a
// person has to confirm it.
func (t *text) inTitles() (planning.Reading, bool) {
	var said strings.Builder
	var assumed []string
	at, having := 0, t.titlesByWord()
	for i := 0; i < len(t.tokens); i++ {
		end, phrases, products := t.titled(i, having)
		if len(phrases) == 0 || len(phrases) > maxPhrases {
			continue
		}
		meant := `products with "` + strings.Join(phrases, `" or "`) + `" in the name`
		said.WriteString(t.instruction[at:t.tokens[i].start] + meant)
		assumed = append(assumed, "Read "+quote(t.source(i, end))+" as "+meant+": "+some(products)+".")
		at, i = t.tokens[end-1].end, end-1
	}
	if assumed == nil {
		return planning.Reading{}, false
	}
	_, u := carefully(said.String()+t.instruction[at:], t.known)
	if u.Asked != nil {
		return planning.Reading{}, false
	}
	r := u.Readings[0]
	r.Instruction, r.Assumes = "", append(r.Assumes, assumed...)
	return r, true
}

// titlesByWord are the titles that have words of the instruction, by word without number.
func (t *text) titlesByWord() map[string][]string {
	having := map[string][]string{}
	for _, token := range t.tokens {
		if token.kind == word {
			having[unnumbered(asTitle(token.norm))] = nil
		}
	}
	if len(having) == 0 {
		return having // of a text that was not read
	}
	for title := range t.known.titles {
		for _, w := range strings.Fields(title) {
			if titles, said := having[unnumbered(w)]; said && !slices.Contains(titles[max(0, len(titles)-1):], title) {
				having[unnumbered(w)] = append(titles, title)
			}
		}
	}
	return having
}

// titled are the most words from a token on that stand in titles one after another, in
// singular or plural, as the titles have them, and the products whose titles those are.
// One at least is no word of the lexicon, and no other name covers them.
func (t *text) titled(i int, having map[string][]string) (end int, phrases, products []string) {
	if t.tokens[i].kind != word || t.lex.words[t.tokens[i].norm] && t.standing(i) == reserved {
		return i, nil, nil
	}
	for _, title := range having[unnumbered(asTitle(t.tokens[i].norm))] {
		words := strings.Fields(title)
		for k := range words {
			n := 0
			for i+n < len(t.tokens) && k+n < len(words) && t.tokens[i+n].kind == word && unnumbered(asTitle(t.tokens[i+n].norm)) == unnumbered(words[k+n]) {
				n++
			}
			if n == 0 || i+n < end {
				continue
			}
			if i+n > end {
				end, phrases, products = i+n, nil, nil
			}
			phrases, products = append(phrases, strings.Join(words[k:k+n], " ")), append(products, t.known.titles[title])
		}
	}
	named := func(e edge) bool { return e.end >= end && e.meaning.sets != nil && e.meaning.problem == "" }
	free := func(token token) bool { return t.lex.standing[token.norm] == unknown && !t.lex.words[token.norm] }
	if slices.ContainsFunc(t.edges[i], named) || !slices.ContainsFunc(t.tokens[i:max(i, end)], free) {
		return i, nil, nil
	}
	return end, sortedOnce(phrases), sortedOnce(products)
}

// sortedOnce are names in order, each of them once.
func sortedOnce(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// some quotes the first few of names, and says how many more there are.
func some(names []string) string {
	const shown = 3
	said := `"` + strings.Join(names[:min(shown, len(names))], `", "`) + `"`
	if more := len(names) - shown; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	return said
}
