package english

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Text is an instruction cut into tokens, with the phrase of the vocabulary and
// the amount that begin at each, for which the rules ask again and again. It
// never changes, so all who read an instruction can share it.
type Text struct {
	Source    string
	Tokens    []Token
	shouted   bool     // it is in capitals throughout, which say nothing then
	uncapital bool     // some word of it has none, so that one which has them is a name
	phrases   []match  // by token
	amounts   []amount // by token
	values    []Value  // of the amounts
	slips     []Correction
	written   *Text        // what it is with words put right; nil where it is as written
	corrected []Correction // those words
}

// match is a symbol that begins at a token, and where it ends; nil and that
// token where none does.
type match struct {
	symbol *Symbol
	end    int
}

// amount is the number of a value, from 1, that begins at a token, and where it
// ends; 0 where none does.
type amount struct{ value, end int32 }

// NewText reads the words of an instruction.
func NewText(source string) *Text {
	t := newText(source, Tokenize(source))
	t.slips = slipsIn(t.Tokens)
	return t
}

func newText(source string, tokens []Token) *Text {
	t := &Text{Source: source, Tokens: tokens, shouted: !strings.ContainsFunc(source, lower), uncapital: uncapital(tokens), phrases: make([]match, len(tokens)), amounts: make([]amount, len(tokens))}
	lexicon := lexicon()
	for i := range tokens {
		word := lexicon.words[tokens[i].Norm]
		tokens[i].word, tokens[i].starts = word, lexicon.starts[word]
		if word == 0 && tokens[i].Meant() != tokens[i].Norm { // a slip of the first word of a frame
			tokens[i].starts = aFrame
		}
	}
	for i := range tokens {
		t.phrases[i].symbol, t.phrases[i].end = lexicon.longest(tokens, i)
		if !opensAmount(&tokens[i]) {
			continue
		}
		if value, end := readAmount(tokens, i); end > i {
			t.values = append(t.values, value)
			t.amounts[i] = amount{value: int32(len(t.values)), end: int32(end)}
		}
	}
	return t
}

// lower reports whether a letter is another as a capital.
func lower(r rune) bool { return unicode.ToUpper(r) != r }

// uncapital reports whether one of the words, of more than a letter, has no
// capital.
func uncapital(tokens []Token) bool {
	for i := range tokens {
		if t := &tokens[i]; t.Kind == Word && len(t.Text) > 1 && !capital(t.Text) {
			return true
		}
	}
	return false
}

// opensAmount reports whether a token may be the first of an amount. Of words and
// marks few are.
func opensAmount(token *Token) bool {
	switch token.Kind {
	case Number:
		return true
	case Code:
		return inThousands(token.Text)
	case Word, Mark:
		return token.starts&anAmount != 0
	}
	return false
}

// amountWords are the words and marks that can be the first of an amount.
func amountWords() map[string]bool {
	words := set("us a an half hundred thousand + - −")
	maps.Copy(words, prefixes)
	for word := range smallNumbers {
		words[word] = true
	}
	for word := range notes {
		words[word] = true
	}
	return words
}

// phraseAt is the longest phrase of the vocabulary that begins at token i, and
// where it ends, or nil and i.
func (t *Text) phraseAt(i int) (*Symbol, int) {
	if i >= len(t.Tokens) {
		return nil, i
	}
	return t.phrases[i].symbol, t.phrases[i].end
}

// amountAt is the amount that begins at token i, and where it ends, or i.
func (t *Text) amountAt(i int) (Value, int) {
	if i >= len(t.Tokens) || t.amounts[i].value == 0 {
		return Value{}, i
	}
	amount := t.amounts[i]
	return t.values[amount.value-1], int(amount.end)
}

// Corrections says how misspelt vocabulary words are put right. The words of the
// category list are not, nor is what may as well be a slip of one.
func (t *Text) Corrections(categories *Categories) []Correction {
	var corrections []Correction
	written := t.asWritten()
	for _, c := range written.slips {
		if word := written.Tokens[c.Token].Norm; !categories.hasWord(word) && !categories.hasWordNear(word, Distance(word, c.To)) {
			corrections = append(corrections, c)
		}
	}
	return corrections
}

func (t *Text) asWritten() *Text {
	if t.written == nil {
		return t
	}
	return t.written
}

// With is the text as written with just these words put right.
func (t *Text) With(corrections []Correction) *Text {
	written := t.asWritten()
	switch {
	case slices.Equal(corrections, t.corrected):
		return t
	case len(corrections) == 0:
		return written
	}
	tokens := slices.Clone(written.Tokens)
	for _, c := range corrections {
		tokens[c.Token].Norm = c.To
	}
	right := newText(written.Source, tokens)
	right.written, right.corrected = written, corrections
	return right
}

// abbreviations are followed by a point that ends no sentence.
var abbreviations = set("mr mrs ms dr prof approx dept excl incl incr decr")

// limitAbbreviations are those of limits, and numbering those of SKUs, which a number
// follows.
var (
	limitAbbreviations = set("min max")
	numbering          = set("no nos")
)

func (s *scan) abbreviated() bool {
	if s.pos == 0 || s.tokens[s.pos].Spaced || s.tokens[s.pos-1].Kind != Word {
		return false
	}
	if limitAbbreviations[s.tokens[s.pos-1].Norm] || numbering[s.tokens[s.pos-1].Norm] && s.follows(SKUNoun) { // min. $50, item no. 5501
		_, end := s.amountAt(s.pos + 1)
		return end > s.pos+1
	}
	return s.pos+1 < len(s.tokens) && abbreviations[s.tokens[s.pos-1].Norm] && (s.tokens[s.pos+1].Kind == Word || s.tokens[s.pos+1].Kind == Code)
}
