package english

import "fmt"

// tree is phrases by their words, of which the vocabulary has tens of thousands.
// Its nodes are numbers, so that the garbage collector need not walk them.
type tree struct {
	words   map[string]int32 // the number of each word, from 1
	firsts  [][]int32        // by root and word, the node after a first word; 0 where there is none
	steps   map[step]int32   // the nodes after further words, by how they are reached
	symbols []*Symbol        // by node, what the phrase that ends there is; nil where none does
	phrase  []Token          // that is added, for the next to be cut in the same place
}

// step leads from a node to the next by a word.
type step struct{ from, word int32 }

// newTree has one root, and room for so many words.
func newTree(words int) *tree {
	return &tree{words: make(map[string]int32, words), firsts: make([][]int32, 1), steps: make(map[step]int32, words), symbols: make([]*Symbol, 1, words+1)}
}

// root is the node before the first word.
func (t *tree) root() node { return node{t, 0} }

// newRoot is another, for phrases that are looked for on their own.
func (t *tree) newRoot() node {
	t.firsts = append(t.firsts, nil)
	return node{t, int32(1 - len(t.firsts))}
}

// number returns that of a word, a new one for a new word.
func (t *tree) number(word string) int32 {
	number, known := t.words[word]
	if !known {
		number = int32(len(t.words) + 1)
		t.words[word] = number
	}
	return number
}

// node is a place in a tree, after some words of a phrase. The numbers of roots are
// not above 0: most words are looked up there, which takes no hash of theirs.
type node struct {
	*tree
	at int32
}

// symbol is what the phrase that ends here is; nil where none does.
func (n node) symbol() *Symbol { return n.symbols[n.at] }

// next is the node after a word, if a phrase goes on with it.
func (n node) next(word string) (node, bool) { return n.follow(n.words[word]) }

// follow is next for the number of a word, 0 for one that the tree does not have.
func (n node) follow(word int32) (node, bool) {
	var at int32
	switch {
	case word == 0:
	case n.at > 0:
		at = n.steps[step{n.at, word}]
	case int(word) < len(n.firsts[-n.at]):
		at = n.firsts[-n.at][word]
	}
	return node{n.tree, at}, at != 0
}

// add returns the node after a word, a new one where no phrase goes on with it.
func (n node) add(word string) node {
	number := n.number(word)
	next, found := n.follow(number)
	if found {
		return next
	}
	next.at = int32(len(n.symbols))
	n.symbols = append(n.symbols, nil)
	if n.at > 0 {
		n.steps[step{n.at, number}] = next.at
		return next
	}
	first := &n.firsts[-n.at]
	if missing := int(number) + 1 - len(*first); missing > 0 {
		*first = append(*first, make([]int32, missing)...)
	}
	(*first)[number] = next.at
	return next
}

// insert adds a phrase and reports the class that already has it, if any.
func (n node) insert(phrase string, symbol *Symbol) error {
	end := n.end(phrase)
	if have := end.symbol(); have != nil {
		return fmt.Errorf("english: the phrase %q has two entries, classes %d and %d", phrase, have.Class, symbol.Class)
	}
	n.symbols[end.at] = symbol
	return nil
}

// end returns the node of the last word of a phrase, which it adds. Hyphens
// inside words are no steps.
func (n node) end(phrase string) node {
	tokens := tokenize(n.phrase[:0], phrase)
	n.phrase = tokens
	for i := range tokens {
		if !joins(tokens, i) {
			n = n.add(tokens[i].Norm)
		}
	}
	return n
}

// longest returns the longest phrase that starts at token i and where it ends,
// or nil. The words of the tokens have the numbers of the tree. Phrases do not reach over line ends, and one of several words does
// not end inside a hyphenated word: "leave out-of-stock" is not "leave out".
func (n node) longest(tokens []Token, i int) (*Symbol, int) {
	var found *Symbol
	start, end := i, i
	for at := n; i < len(tokens); i++ {
		if at.at != n.at && joins(tokens, i) {
			continue
		}
		next, goesOn := at.follow(tokens[i].word)
		if !goesOn || tokens[i].Kind == Quoted {
			break
		}
		at = next
		if at.symbol() != nil && (i == start || !joins(tokens, i+1)) {
			found, end = at.symbol(), i+1
		}
	}
	return found, end
}
