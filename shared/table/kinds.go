package table

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// kinds are the rows whose cell in a column is one of some words.
type kinds struct {
	column int
	words  []string
}

// kindsOf returns the rows of a profile in this table; nil: there are none.
func (t *Table) kindsOf(rows *Rows) *kinds {
	if rows == nil {
		return nil
	}
	index, _ := titled(t.Header).find(rows.Titles)
	if index == missing {
		return nil
	}
	return &kinds{index, rows.Words}
}

// has reports whether a row is one of them.
func (k *kinds) has(block []byte, r Record) bool {
	return k != nil && isWord(k.words, r.Content(block, k.column).Of(block))
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

// Skips reports whether a row is neither a product nor a variant, and left as
// it is.
func (t *Table) Skips(block []byte, r Record) bool { return t.skip.has(block, r) }

// StatesStock reports whether what is in stock is what each row says itself, in
// one column.
func (t *Table) StatesStock() bool {
	return len(t.columns[RoleInStock]) == 1 && t.untracked == nil && t.Family == nil
}

// Untracked reports whether a row is in stock whatever its quantity says.
func (t *Table) Untracked(block []byte, r Record) bool { return t.untracked.has(block, r) }

// Priceless reports whether a row has no price of its own.
func (t *Table) Priceless(block []byte, r Record) bool {
	column := t.money[Price].index
	if column == missing {
		return false
	}
	at := r.Content(block, column)
	return at.Empty() || len(t.profile.NoPrice) > 0 && isWord(t.profile.NoPrice, at.Of(block)) ||
		t.profile.NegativePrice == BlankPriceKeep && isNegative(at.Of(block))
}
