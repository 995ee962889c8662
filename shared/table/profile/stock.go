package profile

import (
	"bytes"
	"cmp"
	"fmt"
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
	// words are those that a cell may have, in small letters, and whether each is in
	// stock; in and out are written, "" where the column does not show what.
	words   map[string]bool
	in, out string
	usual   bool // cells may be true and false, 1 and 0, yes and no beside
	paired  bool // the first rows have words that not every column may have
	shown   []shownWord
}

// shownWord is a word of the first rows, as it was first written.
type shownWord struct {
	text    string
	row     int64
	rows    int
	inStock bool
	known   bool
}

// StockWords are the two words of a column, as a setting says them. The zero value: none.
type StockWords struct{ In, Out string }

// StockSettings is what settings say of a column of stock.
type StockSettings struct {
	Words   StockWords
	Blank   BlankStock // what blank cells are
	Restock *int64     // what is written for in stock in a quantity; nil: nothing
}

// NewStock returns the stock of a table, which stands in one column or in one for
// each place. What its profile does not say of its cells, the first rows do, whose words
// may be those of pairs.
func NewStock(
	d dialect.Dialect,
	column StockColumn,
	pairs [][2]string,
	said StockSettings,
	places []int,
	first []Sampled,
) *Stock {
	s := &Stock{column: column, dialect: d, restock: said.Restock, places: places, usual: true}
	if said.Words == (StockWords{}) {
		s.learn(pairs)
	} else {
		s.take(said.Words)
	}
	s.noteWords(first)
	if len(column.Words) == 0 {
		s.column.Quantity = column.Quantity || isQuantity(d, s.unsaid(first), column.Counts)
	}
	if said.Words == (StockWords{}) && !s.column.Quantity && (len(column.Words) == 0 || column.In != "") {
		s.findWords(pairs)
	}
	switch said.Blank {
	case BlankStockError:
		delete(s.words, "")
	case BlankStockIn, BlankStockOut:
		s.words[""] = said.Blank == BlankStockIn
	}
	return s
}

// learn learns the words of the profile and of pairs.
func (s *Stock) learn(pairs [][2]string) {
	s.words = map[string]bool{}
	for _, pair := range pairs {
		s.words[pair[0]], s.words[pair[1]] = true, false
	}
	for word, inStock := range s.column.Words {
		s.words[word], s.words[plainWord(word)] = inStock, inStock
	}
	s.in, s.out = s.column.In, s.column.Out
}

// take takes the words that somebody said, and none beside. Where they say otherwise than
// usual, as "no" does for what is in stock under the title Sold out, only they are words.
func (s *Stock) take(said StockWords) {
	s.in, s.out = said.In, said.Out
	s.words = map[string]bool{strings.ToLower(said.In): true, strings.ToLower(said.Out): false}
	for word, inStock := range s.words {
		if usually, usual := cell.StockWords[word]; usual && usually != inStock {
			s.usual = false
		}
	}
	if blank, has := s.column.Words[""]; has {
		s.words[""] = blank
	}
}

// plainWord is a word in small letters, in which blanks may be written as underscores or
// hyphens.
func plainWord(text string) string {
	return strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(text))
}

// word reads a word.
func (s *Stock) word(text string) (inStock, known bool) {
	if inStock, known = s.words[text]; known {
		return inStock, true
	}
	if inStock, known = s.words[strings.ToLower(text)]; known {
		return inStock, true
	}
	inStock, known = s.words[plainWord(text)]
	return inStock, known
}

// usually reads a word that every column may have.
func (s *Stock) usually(text string) (inStock, known bool) {
	if !s.usual {
		return false, false
	}
	inStock, known = cell.StockWords[strings.ToLower(text)]
	return inStock, known
}

// noteWords notes the words of the first rows.
func (s *Stock) noteWords(first []Sampled) {
	at := map[string]int{}
	for _, c := range first {
		text := s.dialect.Text(c.Content)
		i, met := at[strings.ToLower(text)]
		if !met {
			i = len(s.shown)
			at[strings.ToLower(text)] = i
			shown := shownWord{text: text, row: c.Row}
			_, usual := s.usually(text)
			if shown.inStock, shown.known = s.word(text); !shown.known {
				shown.inStock, shown.known = s.usually(text)
			}
			s.paired = s.paired || shown.known && !usual
			if len(s.shown) == maxShownWords {
				continue
			}
			s.shown = append(s.shown, shown)
		}
		if i < len(s.shown) {
			s.shown[i].rows++
		}
	}
}

// maxShownWords is how many different cells of a column are counted.
const maxShownWords = 100

// unsaid are the cells that none of the two words are that somebody said.
func (s *Stock) unsaid(first []Sampled) []Sampled {
	return slices.DeleteFunc(slices.Clone(first), func(c Sampled) bool {
		text := strings.ToLower(s.dialect.Text(c.Content))
		return s.in != "" && text == strings.ToLower(s.in) || s.out != "" && text == strings.ToLower(s.out)
	})
}

// findWords finds the two words that are written: those that the column shows, as it
// writes them. Where it shows one state alone, the other is that of the profile, or the
// only one that pairs have for it.
func (s *Stock) findWords(pairs [][2]string) {
	if s.column.In != "" {
		pairs = [][2]string{{plainWord(s.column.In), plainWord(s.column.Out)}}
	}
	in, out := s.shownFor(true, pairs), s.shownFor(false, pairs)
	switch {
	case len(in) == 1 && len(out) == 1:
		s.in, s.out = in[0], out[0]
	case len(in) == 1 && len(out) == 0:
		s.in, s.out = in[0], partner(in[0], 0, pairs)
	case len(in) == 0 && len(out) == 1:
		s.in, s.out = partner(out[0], 1, pairs), out[0]
	}
	if !s.paired && s.column.In == "" {
		s.in, s.out = "", ""
	}
}

// shownFor are the words of the first rows for a state; of a profile that says what it
// writes, in whatever form, those alone.
func (s *Stock) shownFor(inStock bool, pairs [][2]string) (texts []string) {
	own := func(text string) bool { return slices.Contains(pairs[0][:], plainWord(text)) }
	for _, w := range s.shown {
		if w.known && w.inStock == inStock && (s.column.In == "" || own(w.text)) {
			texts = append(texts, w.text)
		}
	}
	return texts
}

// partner is the word that pairs have beside another, written as that is; "": they have
// none, or several.
func partner(text string, at int, pairs [][2]string) (found string) {
	for _, pair := range pairs {
		switch {
		case pair[at] != plainWord(text):
		case found != "" && found != pair[1-at]:
			return ""
		default:
			found = pair[1-at]
		}
	}
	for _, joint := range []string{"_", "-"} {
		if strings.Contains(text, joint) && !strings.Contains(text, " ") {
			found = strings.ReplaceAll(found, " ", joint)
		}
	}
	return inCase(found, text)
}

// Question asks for the two words of a column that does not show which of its words mean
// in stock, and which out of it; nil: it does, or shows one of them where rows with
// others may be left alone.
func (s *Stock) Question(leavesOdd bool) *faults.Fault {
	states, unknown := map[bool]bool{}, -1
	for i, w := range s.shown {
		if w.known {
			states[w.inStock] = true
		} else if unknown < 0 {
			unknown = i
		}
	}
	if unknown < 0 || s.column.Quantity || len(states) == 2 || leavesOdd && len(states) == 1 {
		return nil
	}
	w := s.shown[unknown]
	return &faults.Fault{
		Row:     w.row,
		Value:   faults.Shown(w.text),
		Message: "neither known for in stock nor for out of stock; " + s.Advice(),
	}
}

// maxOffered is how many words of a column a question lists.
const maxOffered = 8

// Advice says the words of the first rows, if they have any, and the setting that tells what
// they mean.
func (s *Stock) Advice() string {
	if len(s.shown) == 0 {
		return fmt.Sprintf("say which two words the column has, with {stock_words=%s}", StockWords{"WORD", "WORD"})
	}
	words := slices.Clone(s.shown)
	slices.SortStableFunc(words, func(a, b shownWord) int { return b.rows - a.rows })
	var listed []string
	for _, w := range words[:min(len(words), maxOffered)] {
		listed = append(listed, fmt.Sprintf("%s (%d)", faults.Shown(w.text), w.rows))
	}
	in, out := mostFrequent(words, true), mostFrequent(words, false)
	advice := "the column has " + strings.Join(listed, ", ") + ": say which two words it has"
	switch {
	case in != "" && out != "":
	case in != "":
		out = cmp.Or(mostFrequent(words, false, in), "WORD")
	case out != "":
		in = cmp.Or(mostFrequent(words, true, out), "WORD")
	default:
		one, other := words[0].text, "WORD"
		if len(words) > 1 {
			other = words[1].text
		}
		return fmt.Sprintf("%s, with {stock_words=%s} or {stock_words=%s}",
			advice, StockWords{one, other}, StockWords{other, one})
	}
	return fmt.Sprintf("%s, with {stock_words=%s}", advice, StockWords{in, out})
}

// mostFrequent is the most frequent word that is known for a state; or one that is not known
// for any, where another is.
func mostFrequent(words []shownWord, inStock bool, but ...string) string {
	for _, w := range words {
		if w.known == (len(but) == 0) && (!w.known || w.inStock == inStock) {
			return w.text
		}
	}
	return ""
}

// String writes the words as the setting does; "": there are none.
func (w StockWords) String() string {
	if w == (StockWords{}) {
		return ""
	}
	parts := []string{"in=" + w.In, "out=" + w.Out}
	for i, part := range parts {
		if strings.ContainsAny(part, ",\"") {
			parts[i] = `"` + strings.ReplaceAll(part, `"`, `""`) + `"`
		}
	}
	return strings.Join(parts, ",")
}

// Usual reports whether cells may be the words that every column may have, and mean that.
func (s *Stock) Usual() bool { return s.usual }

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
	} else if s.usual {
		if inStock, ok := cell.StockWord(block, at); ok {
			return inStock, faults.Fine
		}
	}
	return s.parse(at.Of(block))
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

// parse reads a cell that is neither a short number nor one of the words that
// every column may have.
func (s *Stock) parse(text []byte) (inStock bool, fault faults.Kind) {
	if inStock, known := s.words[string(text)]; known {
		return inStock, faults.Fine
	}
	if inStock, known := s.word(s.dialect.Text(text)); known {
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
// its thousands. Before a minus may stand an apostrophe, by which programs tell
// spreadsheets that it begins no formula.
func quantityIn(d dialect.Dialect, text []byte) (aboveZero bool, fault faults.Kind) {
	if bytes.HasPrefix(text, []byte("'-")) {
		text = text[1:]
	}
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
	_, says := SaysStock(d, text)
	return says
}

// SaysStock reads a quantity, or a word for in stock or out of it, in a table of which
// nothing more is known.
func SaysStock(d dialect.Dialect, text []byte) (inStock, says bool) {
	if inStock, fault := quantityIn(d, text); fault == faults.Fine {
		return inStock, true
	}
	word := strings.ToLower(d.Text(text))
	if inStock, usual := cell.StockWords[word]; usual {
		return inStock, true
	}
	for _, pair := range StockPairs {
		if pair[0] == word || pair[1] == word {
			return pair[0] == word, true
		}
	}
	return false, false
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
	text := s.dialect.Text(old)
	_, said := s.word(text)
	word := s.out
	if inStock {
		word = s.in
	}
	switch {
	case said && word != "":
		written, ok := s.dialect.Bytes(word)
		return append(to, written...), ok
	case s.column.Quantity && !inStock:
		return append(to, '0'), true
	case s.column.Quantity && s.restock == nil:
		return to, false
	case s.column.Quantity:
		return strconv.AppendInt(to, *s.restock, 10), true
	}
	if _, usual := s.usually(text); !usual || s.paired && said {
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
