package profile

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// Stock reads and writes the cells of the column that tells what is in stock:
// words, or a quantity, of which any above 0 is in stock.
type Stock struct {
	column  StockColumn
	dialect dialect.Dialect
	places  []int
	restock *int64 // the quantity that is written for in stock
	paired  bool   // the first rows have words of the profile's pairs that not every column may have
}

// NewStock returns the stock of a table, which stands in one column or in one for
// each place. Where its profile does not say how its cells are written, the first
// rows do, which may have words of pairs. Blank is what a setting says of blank cells.
// Restock is what is written for in stock in a quantity; nil: nothing.
func NewStock(d dialect.Dialect, column StockColumn, pairs [][2]string, blank BlankStock, restock *int64, places []int, first []Sampled) *Stock {
	s := &Stock{column: column, dialect: d, restock: restock, places: places}
	if len(column.Words) == 0 {
		s.findForm(pairs, first)
	}
	if blank != "" {
		words := maps.Clone(s.column.Words)
		if words == nil {
			words = map[string]bool{}
		}
		if words[""] = blank == BlankStockIn; blank == BlankStockError {
			delete(words, "")
		}
		s.column.Words = words
	}
	return s
}

// findForm finds the form of a column without words of its own in its first
// rows: a quantity, or words, which may be one of the profile's pairs.
func (s *Stock) findForm(pairs [][2]string, first []Sampled) {
	if s.column.Quantity = s.column.Quantity || isQuantity(s.dialect, first, s.column.Counts); s.column.Quantity {
		return
	}
	s.column.Words = map[string]bool{}
	for _, pair := range pairs {
		s.column.Words[pair[0]], s.column.Words[pair[1]] = true, false
	}
	written := map[string]string{}
	for _, c := range first {
		text := s.dialect.Text(c.Content)
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
		return faults.Capitalised(word)
	default:
		return word
	}
}

// Quantity reports whether the column's cells are numbers.
func (s *Stock) Quantity() bool { return s.column.Quantity }

// Read reads a cell.
func (s *Stock) Read(block []byte, at cell.Span) (inStock bool, fault faults.Kind) {
	if s.column.Quantity {
		if number, ok := amount.Short(block, at, 0); ok {
			return number.Units > 0, faults.Fine
		}
	} else if inStock, ok := cell.StockWord(block, at); ok {
		return inStock, faults.Fine
	}
	return s.look(at.Of(block))
}

// ofVariants reports whether a product is in stock where one of its variants is.
func (s *Stock) ofVariants() bool { return s != nil && s.column.OfVariants }

// InStock reads whether a row is in stock at one of the places, or the column
// that is at fault. A blank cell tells nothing where that of another place does.
func (s *Stock) InStock(block []byte, r dialect.Record) (inStock bool, column int, fault faults.Kind) {
	if len(s.places) == 1 {
		inStock, fault = s.Read(block, r.Content(block, s.places[0]))
		return inStock, s.places[0], fault
	}
	known := false
	for _, column := range s.places {
		at := r.Content(block, column)
		if at.Empty() {
			continue
		}
		here, fault := s.Read(block, at)
		if fault != faults.Fine {
			return false, column, fault
		}
		inStock, known = inStock || here, true
	}
	if !known {
		inStock, fault = s.Read(block, r.Content(block, s.places[0]))
	}
	return inStock, s.places[0], fault
}

// look reads a cell that is neither a short number nor one of the words that
// every column may have.
func (s *Stock) look(text []byte) (inStock bool, fault faults.Kind) {
	inStock, known := s.column.Words[string(text)]
	if !known && len(s.column.Words) > 0 {
		inStock, known = s.column.Words[strings.ToLower(s.dialect.Text(text))]
	}
	if known {
		return inStock, faults.Fine
	}
	switch {
	case len(text) == 0:
		return false, faults.EmptyStock
	case !s.column.Quantity:
		return false, faults.BadStock
	}
	return quantityIn(s.dialect, text)
}

// quantityIn reads a number, which may be negative, have a decimal mark and group
// its thousands.
func quantityIn(d dialect.Dialect, text []byte) (aboveZero bool, fault faults.Kind) {
	digits := bytes.TrimPrefix(text, []byte("-"))
	whole, fraction, marked := bytes.Cut(digits, []byte("."))
	if !marked {
		whole, fraction, marked = bytes.Cut(digits, []byte(","))
	}
	positive := len(digits) == len(text)
	switch {
	case allDigits(whole) && (!marked || allDigits(fraction)):
		return positive && len(bytes.Trim(whole, "0"))+len(bytes.Trim(fraction, "0")) > 0, faults.Fine
	case isGrouped(d.Text(digits)):
		return positive, faults.Fine // it does not begin with 0
	default:
		return false, faults.BadQuantity
	}
}

// IsStock reports whether a text is a quantity, or a word for in stock or out of it.
func IsStock(d dialect.Dialect, text []byte) bool {
	if _, fault := quantityIn(d, text); fault == faults.Fine {
		return true
	}
	word := strings.ToLower(d.Text(text))
	_, usual := cell.StockWords[word]
	return usual || slices.ContainsFunc(PlainProfile().StockPairs, func(pair [2]string) bool { return pair[0] == word || pair[1] == word })
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
	word := s.column.Out
	if inStock {
		word = s.column.In
	}
	switch {
	case said && word != "":
		text, ok := s.dialect.Bytes(word)
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

// String says the form to people.
func (s *Stock) String() string {
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

// isQuantity reports whether the first rows of a stock column hold numbers other
// than 0 and 1, or nothing else where those count too.
func isQuantity(d dialect.Dialect, cells []Sampled, counts bool) bool {
	numbers, words, digits := false, false, false
	for _, c := range cells {
		var text [cell.WordBytes]byte
		if len(c.Content) <= copy(text[:], c.Content) {
			if _, word := cell.StockText(cell.Word(text[:], 0)); word {
				digit := c.Content[0] == '0' || c.Content[0] == '1'
				digits, words = digits || digit, words || !digit
				continue
			}
		}
		if _, fault := quantityIn(d, c.Content); fault != faults.Fine {
			return false
		}
		numbers = true
	}
	return numbers || counts && digits && !words
}
