package profile

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/dialect"
)

// Kinds are the rows whose cell in a column is one of some words.
type Kinds struct {
	column int
	words  []string
}

// Kinds returns the rows of a profile in a table of these titles; nil: there are none.
func (t *Titled) Kinds(rows *Rows) *Kinds {
	if rows == nil {
		return nil
	}
	index, _ := t.Find(rows.Titles)
	if index == Missing {
		return nil
	}
	return &Kinds{index, rows.Words}
}

// Column is the one that says it.
func (k *Kinds) Column() int { return k.column }

// Has reports whether a row is one of them.
func (k *Kinds) Has(block []byte, r dialect.Record) bool { return k != nil && k.has(block, r) }

func (k *Kinds) has(block []byte, r dialect.Record) bool {
	return isWord(k.words, r.Content(block, k.column).Of(block))
}

// isWord reports whether a text is one of some words in ASCII, in any case.
func isWord(words []string, text []byte) bool {
	text = trimmed(text)
	for _, word := range words {
		if len(word) == len(text) && (word == string(text) || strings.EqualFold(word, string(text))) {
			return true
		}
	}
	return false
}

// trimmed is a text without the blanks around it, of which most have none.
func trimmed(text []byte) []byte {
	if last := len(text) - 1; last < 0 || isLetter(text[0]) && isLetter(text[last]) {
		return text
	}
	return bytes.TrimSpace(text)
}

// isLetter reports whether a byte is a character by itself, and no blank.
func isLetter(b byte) bool { return b > ' ' && b < utf8.RuneSelf }
