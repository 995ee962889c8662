package english

import (
	"slices"
	"strings"
	"sync"
)

// slips says how many slips of the pen a word of so many letters may have
// before it is another word.
func slips(length int) int {
	switch {
	case length >= 8:
		return 2
	case length >= 5:
		return 1
	default:
		return 0
	}
}

// maxMisspelt is the longest name that a slip of the pen is looked for in.
const maxMisspelt = 60

// Distance counts the letters to insert, leave out, replace or swap with a
// neighbour to make b of a, without touching a swapped pair again. It stops
// counting at three, and does not begin with names that are too long.
func Distance(a, b string) int {
	const enough = 3
	if a == b {
		return 0
	}
	if abs(len(a)-len(b)) >= enough || len(b) > maxMisspelt {
		return enough
	}
	a, b = differing(a, b)
	var rows [3][maxMisspelt + 1]int
	before, last, row := rows[0][:len(b)+1], rows[1][:len(b)+1], rows[2][:len(b)+1]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= enough {
			return enough
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], enough)
}

// differing takes off two words what both begin with and what both end with.
func differing(a, b string) (string, string) {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

func differ(x, y byte) int {
	if x == y {
		return 0
	}
	return 1
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Correction is a word read as one of the vocabulary.
type Correction struct {
	Token    int
	From, To string
	Replaced bool // a letter was replaced by another, or the word is short: it may be another word
	Named    bool // it may be a name: it stands within its sentence, and was read as a verb or a noun
}

// known are the words that a misspelt one can be meant for.
var known = sync.OnceValue(knownWords)

type wordIndex struct {
	near   nearby
	things map[string]bool // verbs, and nouns for products and prices
	nouns  map[string]bool // those nouns
	swaps  map[string]bool // corrected where two letters are swapped, and nothing else
}

func knownWords() *wordIndex {
	index := &wordIndex{near: nearby{}, things: map[string]bool{}, nouns: map[string]bool{}, swaps: set("take make give mark")} // shoes are not shows
	for _, e := range vocabulary {
		if correctable[e.class] {
			tree := newTree(0)
			_ = tree.root().insertAll(e.phrases, Symbol{}) // a phrase twice has failed the lexicon before
			for word := range tree.words {
				index.add(word)
				index.things[word] = index.things[word] || changing[e.class]
				index.nouns[word] = index.nouns[word] || naming[e.class]
			}
		}
	}
	for word := range index.swaps {
		index.add(word)
	}
	for _, word := range []string{"please", "thanks"} {
		index.add(word)
	}
	for _, word := range []string{"places", "points", "digits"} { // planes are no places
		index.things[word] = true
	}
	for word := range units {
		index.add(word)
	}
	return index
}

// insertNumbers adds the words of amounts, which are no phrases: they are known,
// and nothing is corrected to a number, which may be another. So are those that
// people are called by, those of frames, and goods.
func (t *tree) insertNumbers() {
	for word := range amountWords() {
		t.number(word)
	}
	for word := range denominators {
		t.number(word)
	}
	for word := range units {
		t.number(word)
	}
	for word := range vocatives {
		t.number(word)
	}
	for _, frames := range frameLists {
		t.insertWordsOf(frames())
	}
	for word := range goods {
		t.number(word)
	}
}

func (t *tree) insertWordsOf(frames map[string][]frame) {
	for _, alike := range frames {
		for _, f := range alike {
			for _, way := range slices.Concat(f...) {
				for _, word := range way {
					t.number(word)
				}
			}
		}
	}
}

// goods are near to a word of the vocabulary, as coats are to costs, and no slips of
// it.
var goods = set("coat coats tent tents rake rakes gate gates mate mates pane panes")

// correctable are the classes whose words may be misspelt. Joining words are
// not among them: "through" is not "though".
var correctable = [256]bool{
	Up: true, Down: true, Change: true, Times: true, Stock: true, Restock: true, Everything: true, Product: true, Price: true,
	CatNoun: true, Under: true, Over: true, Between: true, Exactly: true, Except: true, Leave: true, Alone: true, Skip: true, NoChange: true,
	Floor: true, Cap: true, Round: true, Nearest: true, RoundUnit: true, Digits: true, EndIn: true, All: true, OnSale: true,
}

// changing are the classes of which a word in place of a name changes what the
// rule is about: chips are not "chops", and prizes not "prices".
var changing = [256]bool{Up: true, Down: true, Change: true, Times: true, Product: true, Price: true, CatNoun: true, Everything: true, Round: true, OnSale: true}

// naming are those of them that name products or prices.
var naming = map[Class]bool{Product: true, Price: true, CatNoun: true, Everything: true}

// names reports whether a word read at token i may be a name instead. A sentence
// begins with the plain form of a verb, and a name with any other word.
func (w *wordIndex) names(word string, tokens []Token, i int, corrections []Correction) bool {
	return w.things[word] && (w.nouns[word] || strings.HasSuffix(word, "s") || !begins(tokens, i, corrections))
}

func (w *wordIndex) add(word string) {
	if word == "" || word[0] < 'a' || word[0] > 'z' {
		return
	}
	w.near.add(word)
}

// nearest returns the one vocabulary word at the least distance, if there is
// one. Slips in the first letter are not looked for: rice is not price.
func (w *wordIndex) nearest(word string) string {
	allowed := max(slips(len(word)), swapOnly(len(word)))
	found, least, count := "", allowed+1, 0
	for candidate, distance := range w.near.within(word, allowed) {
		switch {
		case distance > least || (len(word) < 5 || w.swaps[candidate]) && !swapped(word, candidate) && !shortened(word, candidate):
		case distance < least:
			found, least, count = candidate, distance, 1
		default:
			count++
		}
	}
	return only(found, count)
}

// swapOnly allows one slip in short words, which must be two letters swapped.
func swapOnly(length int) int {
	if length >= 3 {
		return 1
	}
	return 0
}

// shortened reports whether a word is "stock" or "never" less a letter, as no other
// word is that begins so: stok. Of most short words, a letter more or less makes
// another one.
func shortened(word, candidate string) bool {
	return (candidate == "stock" || candidate == "never") && len(word) == 4 && word[:2] == candidate[:2]
}

func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] == b[i+1] && a[i+1] == b[i] && a[:i] == b[:i] && a[i+2:] == b[i+2:] {
			return true
		}
	}
	return false
}

func only(found string, count int) string {
	if count == 1 {
		return found
	}
	return ""
}

// begins reports whether nothing but filler stands before token i in its
// sentence, misspelt or not.
func begins(tokens []Token, i int, corrections []Correction) bool {
	k := i
	for k > 0 && !tokens[k].LineStart && !strings.Contains(".;!?:", tokens[k-1].Text) {
		k--
	}
	for k < i {
		filler, end := lexicon().longest(tokens, k)
		for _, c := range corrections {
			if c.Token == k {
				right, _ := lexicon().follow(lexicon().words[c.To])
				filler, end = right.symbol(), k+1
			}
		}
		if filler == nil || filler.Class != Noise && filler.Class != Comma {
			return false
		}
		k = end
	}
	return k == i
}

// agent reports whether a word names what does something, as booster does, which
// is no slip of "boosted".
func agent(word string) bool {
	return strings.HasSuffix(word, "er") || strings.HasSuffix(word, "ers")
}

// verbal reports whether a word is a verb in -ing, which raisin may be no slip of.
func verbal(word string) bool {
	return strings.HasSuffix(word, "ing") && !strings.HasSuffix(word, "thing")
}

// openings are the verbs that a sentence is looked to begin with where one letter
// is left out, which for any other word so short is another word too often.
var openings = [...]string{"raise", "lower", "boost", "round", "halve", "knock"}

// opens reports whether a word of four letters stands at i, and not in a list.
func opens(tokens []Token, i int) bool {
	return len(tokens[i].Norm) == 4 && i+1 < len(tokens) && tokens[i+1].Kind != Mark && !joining[tokens[i+1].Norm]
}

// opening returns the one of them that a word is, without a letter.
func opening(word string) string {
	for _, verb := range openings {
		if verb[0] == word[0] && Distance(word, verb) == 1 {
			return verb
		}
	}
	return ""
}

// verbAt reports whether a verb that asks for a change stands at i, misspelt or not.
func (w *wordIndex) verbAt(tokens []Token, i int) bool {
	if i >= len(tokens) {
		return false
	}
	if verb, known := lexicon().follow(tokens[i].word); known {
		return verb.symbol() != nil && actsClass(verb.symbol())
	}
	verb := w.nearest(tokens[i].Norm)
	if verb == "" && opens(tokens, i) {
		verb = opening(tokens[i].Norm)
	}
	return w.things[verb] && !w.nouns[verb]
}

// slipsIn finds the words that are near one of the vocabulary. Numbers, codes and
// quoted text are never touched.
func slipsIn(tokens []Token) []Correction {
	var corrections []Correction
	nearest := map[string]string{} // a word that is no slip is often one that is said again
	skuEnd, looked := 0, 0
	for i := range tokens {
		token := &tokens[i]
		if i >= looked {
			skuEnd, looked = capitals(tokens, i)
		}
		if i < skuEnd || token.Kind != Word || len(token.Norm) < 3 || token.word != 0 {
			continue
		}
		word, asked := nearest[token.Norm]
		if !asked {
			word = known().nearest(token.Norm)
			nearest[token.Norm] = word
		}
		if word == "" && Distance(token.Norm, "please") == 1 && known().verbAt(tokens, i+1) {
			word = "please" // and not place
		}
		short := word == "" && opens(tokens, i) && begins(tokens, i, corrections)
		if short {
			word = opening(token.Norm)
		}
		if word == "" || agent(token.Norm) && !agent(word) {
			continue
		}
		replaced := short || !swapped(word, token.Norm) && (len(word) == len(token.Norm) || Distance(word, token.Norm) > 1)
		named := (replaced || verbal(word)) && !short && known().names(word, tokens, i, corrections)
		corrections = append(corrections, Correction{Token: i, From: token.Text, To: word, Replaced: replaced, Named: named})
	}
	return corrections
}
