package reader

import "strings"

// Common reports whether a word is one of the lexicon's, or a number as a word: an ordinary
// word of instructions, whatever else a shop calls so.
func (r Reader) Common(word string) bool {
	lex, norm := load(), strings.ToLower(word)
	_, counts := wordValues[norm]
	return counts || lex.words[norm] || lex.standing[norm] != unknown
}
