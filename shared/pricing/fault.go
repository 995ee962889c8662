package pricing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/errs"
)

// Limits of a table.
const (
	maxRecordBytes  = 4 << 20
	maxNameBytes    = 512 // of a SKU or a category
	maxFaultsOfKind = 20
	maxValueBytes   = 100
)

// InputError says why a table was refused. Faults holds the first 20 of each
// kind in the order of the rows, one for a row; More counts the others.
// It is errs.Invalid, and its text is what errs.Message shows.
type InputError struct {
	Faults []Fault
	More   int64
}

// Error lists the faults under what to do about them, for the person who made
// the table.
func (e *InputError) Error() string {
	var text strings.Builder
	if len(e.Faults) == 1 && e.More == 0 {
		fmt.Fprintf(&text, "The table was refused and nothing was changed: %s: %s.", e.Faults[0].place(), e.Faults[0].Message)
		return text.String()
	}
	fmt.Fprintf(&text, "The table was refused and nothing was changed. It has %d faults.", int64(len(e.Faults))+e.More)
	told := map[string]bool{}
	for _, first := range e.Faults {
		if told[first.Message] {
			continue
		}
		told[first.Message] = true
		fmt.Fprintf(&text, "\n%s:", capitalised(first.Message))
		for _, fault := range e.Faults {
			if fault.Message == first.Message {
				fmt.Fprintf(&text, "\n  %s", fault.place())
			}
		}
	}
	if e.More > 0 {
		fmt.Fprintf(&text, "\nand %d more.", e.More)
	}
	return text.String()
}

// Unwrap makes an InputError errs.Invalid and its text errs.Message's.
func (e *InputError) Unwrap() error { return errs.New(errs.Invalid, "%s", e.Error()) }

// Details lists the faults, for an answer over HTTP.
func (e *InputError) Details() any { return e.Faults }

func (f Fault) place() string {
	place := fmt.Sprintf("row %d", f.Row)
	if f.Column != "" {
		place += fmt.Sprintf(", column %s", f.Column)
	}
	if f.Value != "" {
		place += fmt.Sprintf(", value %s", f.Value)
	}
	return place
}

func capitalised(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// kind tells the rules of a table apart; the zero kind is no fault.
type kind uint8

const (
	fine kind = iota
	badHeader
	fieldCount
	strayQuote
	textAfterQuote
	unclosedQuote
	loneCR
	emptyLine
	nulByte
	recordTooLong
	notUTF8
	nameTooLong
	formulaCell
	blankPrice
	badPrice
	badStock
	negativePrice
	priceTooLarge
)

// advice is what each kind of fault means and what to do about it.
var advice = map[kind]string{
	strayQuote:     `a quote inside a value that does not begin with one: put quotes around the whole value and write the quote twice, as in "12"" pipe"`,
	textAfterQuote: `text after a closing quote: a quote inside a quoted value is written twice, as in "12"" pipe"`,
	unclosedQuote:  "a quote that is never closed: add the closing quote",
	loneCR:         "a carriage return in the middle of a row: put quotes around the value, or save the file with ordinary line endings",
	emptyLine:      "an empty line between rows: remove it (empty lines at the end of the file may stay)",
	nulByte:        "a NUL byte: the file is damaged or not plain UTF-8 text; export it again as CSV (UTF-8)",
	recordTooLong:  "the row is longer than 4 MiB: look for a quote that is never closed",
	notUTF8:        "not valid UTF-8 text: save the file as CSV (UTF-8)",
	nameTooLong:    "longer than 512 bytes: check that the right column is named",
	formulaCell:    "begins with a character that makes spreadsheets run it as a formula (= + - @, tab or carriage return): remove it, or have the operator set ALLOW_FORMULA_CELLS=true",
	blankPrice:     "the price is empty: fill it in, or leave such rows alone with the setting blank_price=keep",
	badPrice:       "not a price: write digits, and at most 9 more after a point, such as 29.99; no sign, currency, thousands separator or decimal comma",
	badStock:       "neither in nor out of stock: write true or false, 1 or 0, yes or no",
}

// trouble is what a row function found: the kind, which of the needed columns
// (or noColumn), and for results the operation.
type trouble struct {
	kind      kind
	column    int8
	operation int8
}

const noColumn = -1

// faultLog gathers the faults of one table.
type faultLog struct {
	faults []Fault
	seen   map[kind]int
	more   int64
}

func (l *faultLog) add(k kind, fault Fault) {
	if l.seen == nil {
		l.seen = map[kind]int{}
	}
	l.seen[k]++
	if l.seen[k] > maxFaultsOfKind {
		l.more++
		return
	}
	l.faults = append(l.faults, fault)
}

func (l *faultLog) err() error {
	slices.SortStableFunc(l.faults, func(a, b Fault) int { return cmp.Compare(a.Row, b.Row) })
	return &InputError{Faults: l.faults, More: l.more}
}

// shown returns at most 100 bytes of a cell, quoted where it is not plain text.
func shown(value []byte) string {
	if len(value) > maxValueBytes {
		cut := maxValueBytes
		for cut > maxValueBytes-utf8.UTFMax && !utf8.RuneStart(value[cut]) {
			cut--
		}
		return strconv.Quote(string(value[:cut])) + "..."
	}
	text := string(value)
	if strings.TrimSpace(text) != text || strconv.Quote(text) != `"`+text+`"` {
		return strconv.Quote(text)
	}
	return text
}
