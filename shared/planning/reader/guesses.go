package reader

import (
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/planning"
)

// Words that no list has may be meant for a name that has them: Haws for Haws Tools Ltd,
// bikes for all kinds of them, camp mug for the products with that in their titles. A
// candidate with one is offered, says what it supposes, and is never planned at once.

// guess is names that words may be meant for.
type guess struct {
	role  role
	names []string
	note  string // what the words are read as
	head  bool   // they are the last words of the only name that has them, and told as that
}

// guessNames adds what words may be meant for that are no name.
func (t *text) guessNames() {
	having := t.namesByWord()
	for i := 0; i < len(t.tokens) && len(t.tokens) < maxGuessing; i++ {
		if t.spanned(i, i) {
			continue // the games of board games by Quill
		}
		end, all := t.guessesAt(i, having)
		t.addGuesses(i, end, all)
		if all != nil && all[0].role == phrase && t.is(end, "NAMES") &&
			strings.HasSuffix(t.norm(end), "s") { // Slinky sets
			t.addGuesses(i, end+1, all)
		}
		i = max(i, end-1)
	}
}

func (t *text) addGuesses(from, end int, all []guess) {
	for _, as := range all {
		symbol := symbolOf[as.role]
		if as.role == phrase {
			symbol = "NAME"
		}
		made := &meaning{cost: costGuess, clause: clause{sets: setOf(as.role, as.names...)}, guess: as.note}
		if as.head &&
			!slices.Contains(
				[]string{"our", "all", "every"},
				t.norm(from-1),
			) { // all toys may be all that a shop of toys has
			made.guess, made.meant = "", as.names[0]
		}
		if t.addSet(symbol, from, end, made); as.role == phrase { // 1kg coffee beans
			trait := *made
			t.addSet("TRAIT", from, end, &trait)
		}
	}
}

// namesByWord are the names that have words of the instruction, by word; where none has
// one, those that have a word that a slip of the pen makes it.
func (t *text) namesByWord() map[string][]*title {
	having := map[string][]*title{}
	for at := range t.tokens {
		said, _ := t.titleWord(at)
		for _, part := range strings.Fields(said) {
			having[part] = nil
		}
	}
	collect := func(of *title, said string) {
		if all := having[said]; len(all) == 0 || all[len(all)-1] != of {
			having[said] = append(all, of)
		}
	}
	for i := range t.known.titles {
		for _, w := range t.known.titles[i].words {
			if _, said := having[w]; said {
				collect(&t.known.titles[i], w)
			}
		}
	}
	t.strange = map[string]bool{}
	for at := range t.tokens {
		if said, _ := t.titleWord(at); len(said) > 2 && len(t.strange) < maxStrange && having[said] == nil &&
			t.useOf(at) != reserved &&
			!t.isCommand(at) {
			t.strange[said] = true
		}
	}
	for i := range t.known.titles {
		for _, w := range t.known.titles[i].words {
			for said := range t.strange {
				if t.same(said, w) {
					collect(&t.known.titles[i], said)
				}
			}
		}
	}
	return having
}

// titleWord is a token as a word of names, and the token after it: 20cm is one.
func (t *text) titleWord(at int) (string, int) {
	end := at + 1
	for end < len(t.tokens) && t.tokens[at].kind == number && t.tokens[end].kind == word &&
		t.tokens[end].start == t.tokens[end-1].end {
		end++
	}
	return asTitle(t.source(at, end)), end
}

// same reports whether a word is one of a name, a slip of the pen for it, or, of words that
// no name has, an end of it: packs for backpacks, and locos where half of the word is left.
func (t *text) same(said, w string) bool {
	near := said != "" && said[0] == w[0] && max(len(said), len(w)) <= min(len(said), len(w))+2
	end := len(said) > 3 && t.strange[said] &&
		(strings.HasPrefix(w, said) && len(w) >= len(said)+4 || strings.HasSuffix(w, said))
	return said == w || end ||
		near && t.strange[said] && (slipped(said, w) > 0 || len(said) > 5 && fold.Slips(said, w) <= 2)
}

// guessesAt are what the most words from a token on may be meant for, but for such as "with
// the" between them.
func (t *text) guessesAt(from int, having map[string][]*title) (end int, best []guess) {
	first, _ := t.titleWord(from)
	names := having[first]
	var said []string
	for at, next := from, 0; at < min(len(t.tokens), from+maxTitle) && len(names) > 0; at = next {
		w, after := t.titleWord(at)
		if next = after; w == "" && at > from && t.norm(at) != "," && joins(t.norm(at)) {
			continue
		} else if w == "" {
			return end, best
		}
		with := slices.DeleteFunc(slices.Clone(names), func(of *title) bool {
			return slices.ContainsFunc(strings.Fields(w), func(part string) bool { // 0.5 is two
				return !slices.ContainsFunc(of.words, func(other string) bool { return t.same(part, other) })
			})
		})
		if closed := t.lex.listed["CLOSED"][t.tokens[at].norm] &&
			!t.lex.listed["NAMES"][t.tokens[at].norm]; closed &&
			at == from {
			return end, best
		} else if closed && len(with) == 0 && t.is(at, "INTRODUCING") {
			continue
		}
		names, said = with, append(said, strings.Fields(w)...)
		if all := t.meant(said, names); t.mayMean(from, next) && all != nil {
			end, best = next, all
		}
	}
	return end, best
}

// mayMean reports whether words are no name as they stand, and one of them has nothing else
// to do, as a word that no rule has, a code, what a hyphen joins, a colour, or several may
// be parts of names.
func (t *text) mayMean(from, end int) bool {
	free, parts := false, end > from+1
	for i := from; i < end; i++ {
		norm := t.tokens[i].norm
		parts = parts && (t.useOf(i) != reserved || t.lex.listed["MEASURE"][norm]) &&
			!t.lex.listed["CLOSED"][norm]
		_, last := t.titleWord(i)
		free = free || last > i+1 && !t.lex.listed["CENT"][t.norm(i+1)] || t.tokens[i].kind == code ||
			t.lex.listed["NAMES"][norm] ||
			t.joined(i) && i > from ||
			t.tokens[i].kind == word && t.lex.uses[norm] == unknown && !t.lex.words[norm] ||
			slices.ContainsFunc(t.refused, func(e edge) bool {
				return e.end == i && (e.meaning.problem == "outside_data" || e.meaning.problem == "machine")
			})
	}
	return (free || parts) && !slices.ContainsFunc(t.edges[from], func(e edge) bool {
		return e.end >= end && e.meaning.sets != nil && e.meaning.problem == ""
	})
}

// meant are what words may be meant for of the names that have them: the only one of the
// list, all categories of that kind or under it, those that begin with them; or else titles
// that have them one after another, or the only one that has them.
func (t *text) meant(said []string, names []*title) []guess {
	var have, kinds, first []guess
	var phrases, products, whole []string
	for _, name := range names {
		k := name.find(said, t.same)
		row, alone := k >= 0, guess{
			role:  name.role,
			names: t.known.all(name.role, name.name)[0].of[name.role],
			note:  quote(name.name),
		}
		above, _, under := strings.Cut(name.name, ">")
		switch {
		case name.role == phrase && row:
			phrases, products = append(phrases, name.phrase(k, len(said))), append(products, name.name)
			continue
		case name.role == phrase:
			whole = append(whole, name.name)
			continue
		case name.role == category &&
			(row && k+len(said) == len(name.words) || under && asTitle(above) == strings.Join(said, " ")):
			kinds = append(kinds, alone)
		case row && k == 0:
			first = append(first, alone)
		}
		have = append(have, alone)
	}
	switch {
	case len(have) == 1 && have[0].role == brand && len(phrases) > 0:
		// all tools are rather those than of Tool Co
	case len(have) == 1:
		have[0].head = len(kinds) == 1 && !possessive(have[0].names[0]) &&
			unaccented(have[0].note) == have[0].note &&
			!t.known.closed[phrase] &&
			len(partsOf(have[0].names[0])) == 1 &&
			slices.Equal(said, names[0].words[len(names[0].words)-len(said):])
		return have
	case len(kinds) > 0 && len(kinds) <= maxKinds:
		for _, kind := range kinds[1:] {
			kinds[0].names = append(kinds[0].names, kind.names...)
		}
		kinds[0].note = some(kinds[0].names)
		return kinds[:1]
	case len(first) > 0 && len(first) <= maxGuesses:
		return first
	case len(phrases) == 0 && len(whole) <= maxPhrases:
		have, phrases, products = nil, slices.Clone(whole), whole
	default:
		have = nil
	}
	if phrases = planning.SortedOnce(phrases); len(phrases) == 0 || len(phrases) > maxPhrases {
		return have
	}
	products = planning.SortedOnce(products)
	note := `products with "` + strings.Join(phrases, `" or "`) + `" in the name: ` + some(products)
	return append(have, guess{role: phrase, names: phrases, note: note})
}

// owners are those whose things a name has without a plural or an apostrophe: Baby Clothing.
var owners = strings.Fields("men women child person baby boy girl infant toddler junior teen adult youth")

// possessive reports whether a name says whose its products are, so that its last word alone is
// more than the name has: Kids' Clothing, Mens Shoes, Baby Clothing.
func possessive(name string) bool {
	words := strings.Fields(normal(name))
	return slices.ContainsFunc(words[:max(0, len(words)-1)], func(word string) bool {
		plain := fold.WithoutSigns(word)
		plural := strings.HasSuffix(plain, "s") && unnumbered(plain) != plain
		return plural || strings.Contains(word, "'") || slices.Contains(owners, singular(plain))
	})
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
