package profile

import (
	"bytes"
	"slices"
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

// tillWords stand in cells of prices for one that is made when it is sold: Loyverse
// exports variable, and shops write the others, in their languages.
var tillWords = []string{
	"variable", "n/a", "na", "n.a.", "n/d", "n.d.", "-", "--", "tba", "tbd", "poa", "por", "call", "ask", "call for price", "on request", "price on request", "price on application", "market price",
	"auf Anfrage", "Preis auf Anfrage", "a.A.", "sur demande", "prix sur demande", "sur devis", "a consultar", "consultar", "bajo pedido", "a convenir",
	"su richiesta", "prezzo su richiesta", "op aanvraag", "prijs op aanvraag", "sob consulta", "consulte", "na zapytanie", "na dotaz", "sorunuz",
}

// tillWord reports whether a cell has a word for a price that is made when it is sold.
func tillWord(text []byte) bool {
	if len(text) == 0 || text[0] >= '0' && text[0] <= '9' {
		return false
	}
	word, code, found := bytes.Cut(trimmed(text), []byte(" "))
	return isWord(tillWords, text) || found && isWord(tillWords, word) && isCurrency(string(bytes.TrimSpace(code)))
}

// unsigned is a text without what says that a number is below 0.
func unsigned(text []byte) []byte {
	return slices.DeleteFunc(bytes.Clone(text), func(b byte) bool { return b == '-' || b == '(' || b == ')' })
}

// Priceless reports whether a cell of prices is none.
func (p *Profile) Priceless(d dialect.Dialect, text []byte) bool {
	return len(text) == 0 || tillWord(text) || len(p.NoPrice) > 0 && isWord(p.NoPrice, text) || p.NegativePrice == BlankPriceKeep && isNegative(text) && IsMoney(d, unsigned(text))
}
