package table

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// Stock reads and writes the cells of the column that tells what is in stock:
// words, or a quantity, of which any above 0 is in stock.
type Stock struct {
	column  StockColumn
	dialect Dialect
	restock *int64 // the quantity that is written for in stock
	paired  bool   // the first rows have words of the profile's pairs that not every column may have
}

// findForm finds the form of a column without words of its own in its first
// rows: a quantity, or words, which may be one of the profile's pairs.
func (s *Stock) findForm(pairs [][2]string, first []sampled) {
	if s.column.Quantity = s.column.Quantity || s.dialect.isQuantity(first, s.column.Counts); s.column.Quantity {
		return
	}
	s.column.Words = map[string]bool{}
	for _, pair := range pairs {
		s.column.Words[pair[0]], s.column.Words[pair[1]] = true, false
	}
	written := map[string]string{}
	for _, c := range first {
		text := s.dialect.Text(c.content)
		word := strings.ToLower(text)
		if _, known := s.column.Words[word]; known && written[word] == "" {
			_, usual := cell.StockWords[word]
			s.paired = s.paired || !usual
			written[word] = text
		}
	}
	fitting := slices.DeleteFunc(slices.Clone(pairs), func(pair [2]string) bool {
		shown := 0
		for _, word := range pair {
			shown += min(len(written[word]), 1)
		}
		return shown != len(written)
	})
	if s.paired && len(fitting) == 1 {
		in, out := written[fitting[0][0]], written[fitting[0][1]]
		s.column.In = cmp.Or(in, inCase(fitting[0][0], out))
		s.column.Out = cmp.Or(out, inCase(fitting[0][1], in))
	}
}

// inCase writes a word in the case of another: upper, capitalised or lower.
func inCase(word, other string) string {
	first, _ := utf8.DecodeRuneInString(other)
	switch {
	case strings.ToUpper(other) == other:
		return strings.ToUpper(word)
	case unicode.IsUpper(first):
		return capitalised(word)
	default:
		return word
	}
}

// Quantity reports whether the column's cells are numbers.
func (s *Stock) Quantity() bool { return s.column.Quantity }

// Read reads a cell.
func (s *Stock) Read(block []byte, at cell.Span) (inStock bool, fault Kind) {
	if s.column.Quantity {
		if number, ok := amount.Short(block, at, 0); ok {
			return number.Units > 0, Fine
		}
	} else if inStock, ok := cell.StockWord(block, at); ok {
		return inStock, Fine
	}
	return s.look(at.Of(block))
}

// InStock reads whether a row is in stock at one of the places, or the column
// that is at fault. A blank cell tells nothing where that of another place does.
func (t *Table) InStock(block []byte, r Record) (inStock bool, column int, fault Kind) {
	told := false
	for _, place := range t.columns[RoleInStock] {
		at := r.Content(block, place.Index)
		if at.Empty() {
			continue
		}
		here, fault := t.stocks.Read(block, at)
		if fault != Fine {
			return false, place.Index, fault
		}
		inStock, told = inStock || here, true
	}
	if !told {
		inStock, fault = t.stocks.Read(block, r.Content(block, t.stock))
	}
	return inStock, t.stock, fault
}

// look reads a cell that is neither a short number nor one of the words that
// every column may have.
func (s *Stock) look(text []byte) (inStock bool, fault Kind) {
	inStock, known := s.column.Words[string(text)]
	if !known && len(s.column.Words) > 0 {
		inStock, known = s.column.Words[strings.ToLower(s.dialect.Text(text))]
	}
	if known {
		return inStock, Fine
	}
	switch {
	case len(text) == 0:
		return false, EmptyStock
	case !s.column.Quantity:
		return false, BadStock
	}
	return s.dialect.quantity(text)
}

// quantity reads a number, which may be negative, have a decimal mark and group
// its thousands.
func (d Dialect) quantity(text []byte) (aboveZero bool, fault Kind) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	whole, fraction, marked := bytes.Cut(digits, []byte("."))
	if !marked {
		whole, fraction, marked = bytes.Cut(digits, []byte(","))
	}
	positive := len(digits) == len(text)
	switch {
	case allDigits(whole) && (!marked || allDigits(fraction)):
		return positive && len(bytes.Trim(whole, "0"))+len(bytes.Trim(fraction, "0")) > 0, Fine
	case isGrouped(d.Text(digits)):
		return positive, Fine // it does not begin with 0
	default:
		return false, BadQuantity
	}
}

// isGrouped reports whether a text is a number whose thousands are grouped.
func isGrouped(text string) bool {
	for _, point := range ".," {
		if number, ok := readNumber(text, point); ok && number.group != 0 {
			return true
		}
	}
	return false
}

func allDigits(text []byte) bool {
	return len(text) > 0 && len(text) <= 18 && len(bytes.Trim(text, "0123456789")) == 0
}

// Write appends what takes the place of a cell's content once it is in stock,
// or out of it, and was not before. It reports false where that is a quantity
// that nobody has said.
func (s *Stock) Write(to, old []byte, inStock bool) ([]byte, bool) {
	_, said := s.column.Words[strings.ToLower(s.dialect.Text(old))]
	switch {
	case said && s.word(inStock) != "":
		text, ok := s.dialect.Bytes(s.word(inStock))
		return append(to, text...), ok
	case s.column.Quantity && !inStock:
		return append(to, '0'), true
	case s.column.Quantity && s.restock == nil:
		return to, false
	case s.column.Quantity:
		return strconv.AppendInt(to, *s.restock, 10), true
	}
	if _, usual := cell.StockWords[strings.ToLower(string(old))]; !usual || s.paired && said {
		return to, false
	}
	return appendStock(to, old, inStock), true
}

func (s *Stock) word(inStock bool) string {
	if inStock {
		return s.column.In
	}
	return s.column.Out
}

// form says the form to people.
func (s *Stock) form() string {
	if s.column.Quantity {
		return "quantity"
	}
	return "words"
}

// stockWords are what each form of in_stock is written as: out of stock, in stock.
var stockWords = map[byte][2]string{
	'0': {"0", "1"}, '1': {"0", "1"},
	'n': {"no", "yes"}, 'y': {"no", "yes"},
	'f': {"false", "true"}, 't': {"false", "true"},
}

// appendStock writes in_stock in the form and case of the text that it
// replaces: upper case (TRUE), capitalised (True) or else lower case.
func appendStock(cell, old []byte, inStock bool) []byte {
	word := stockWords[bytes.ToLower(old[:1])[0]][0]
	if inStock {
		word = stockWords[bytes.ToLower(old[:1])[0]][1]
	}
	start := len(cell)
	cell = append(cell, word...)
	switch added := cell[start:]; {
	case bytes.Equal(old, bytes.ToUpper(old)):
		copy(added, bytes.ToUpper(added))
	case old[0] < 'a' && bytes.Equal(old[1:], bytes.ToLower(old[1:])):
		added[0] -= 'a' - 'A'
	}
	return cell
}
