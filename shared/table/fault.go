package table

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

const (
	maxFaultsOfKind = 20
	// MaxValueBytes is how much of a cell a message shows.
	MaxValueBytes = 100
)

// Fault is one thing wrong with a table.
type Fault struct {
	Row     int64  `json:"row"`
	Column  string `json:"column,omitempty"`
	Value   string `json:"value,omitempty"` // at most 100 bytes of it, quoted where it is not plain text
	Message string `json:"message"`
}

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

// Kind tells the rules of a table apart; the zero kind is no fault. A package
// that has more rules numbers them from Kinds on.
type Kind uint8

// The kinds of faults.
const (
	Fine Kind = iota
	FieldCount
	StrayQuote
	TextAfterQuote
	UnclosedQuote
	LoneCR
	LoneLF
	EmptyLine
	NULByte
	RecordTooLong
	BadEncoding
	NameTooLong
	FormulaCell
	EmptyPrice
	BadPrice
	OtherPriceForm
	UnclearPrice
	OtherCurrency
	EmptyStock
	BadStock
	BadQuantity
	Kinds
)

// Advice is what each kind of fault means and what to do about it.
var Advice = map[Kind]string{
	StrayQuote:     `a quote inside a value that does not begin with one: put quotes around the whole value and write the quote twice, as in "12"" pipe"`,
	TextAfterQuote: `text after a closing quote: a quote inside a quoted value is written twice, as in "12"" pipe"`,
	UnclosedQuote:  "a quote that is never closed: add the closing quote",
	LoneCR:         "a carriage return in the middle of a row: put quotes around the value, or save the file with ordinary line endings",
	LoneLF:         "a line feed in a table whose lines end with carriage returns: put quotes around the value, or save the file with one kind of line endings",
	EmptyLine:      "an empty line between rows: remove it (empty lines at the end of the file may stay)",
	NULByte:        "a NUL byte: the file is damaged or cut off; export it again as CSV (UTF-8)",
	RecordTooLong:  "the row is longer than 4 MiB: look for a quote that is never closed",
	BadEncoding:    "not valid text in the file's encoding: save the file as CSV (UTF-8), or name its encoding with the setting encoding",
	NameTooLong:    "longer than 512 bytes: check that the right column is named",
	FormulaCell:    "begins with a character that makes spreadsheets run it as a formula (= + - @, tab or carriage return): remove it, or have the operator set ALLOW_FORMULA_CELLS=true",
	EmptyPrice:     "the price is empty: fill it in, or leave such rows alone with the setting blank_price=keep",
	BadPrice:       "not a price: write digits, with a decimal point or comma if any, such as 29.99; no sign",
	OtherPriceForm: "written in another form than the column's first rows: write all prices in one form, or say which it is with the setting price_form",
	UnclearPrice:   "could be read with a decimal mark or with a mark of thousands, and no other row shows which: say it with the setting price_form",
	OtherCurrency:  "in another currency than the column's first rows, and the plan names an amount of money: make a plan for each currency",
	EmptyStock:     "empty, where it should be in or out of stock: fill it in",
	BadStock:       "neither in nor out of stock: write true or false, 1 or 0, yes or no",
	BadQuantity:    "not a quantity: write a number",
}

// FaultLog gathers the faults of one table.
type FaultLog struct {
	faults []Fault
	seen   map[Kind]int
	more   int64
}

// Add adds a fault of a kind, of which the first 20 are kept.
func (l *FaultLog) Add(k Kind, fault Fault) {
	if l.seen == nil {
		l.seen = map[Kind]int{}
	}
	l.seen[k]++
	if l.seen[k] > maxFaultsOfKind {
		l.more++
		return
	}
	l.faults = append(l.faults, fault)
}

// Err returns the *InputError of the faults.
func (l *FaultLog) Err() error {
	slices.SortStableFunc(l.faults, func(a, b Fault) int { return cmp.Compare(a.Row, b.Row) })
	return &InputError{Faults: l.faults, More: l.more}
}

// Shown returns at most 100 bytes of a cell, quoted where it is not plain text.
func Shown(value string) string {
	if len(value) > MaxValueBytes {
		cut := MaxValueBytes
		for cut > MaxValueBytes-utf8.UTFMax && !utf8.RuneStart(value[cut]) {
			cut--
		}
		return strconv.Quote(value[:cut]) + "..."
	}
	text := value
	if strings.TrimSpace(text) != text || strconv.Quote(text) != `"`+text+`"` {
		return strconv.Quote(text)
	}
	return text
}
