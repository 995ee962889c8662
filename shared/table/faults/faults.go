// Package faults says what can be wrong with a table: the rules that its rows and cells may
// break, and what each means to the person who made it. A Log keeps the first 20 of each kind.
//
// It finds no fault itself: the rooms that read tables report theirs. Its messages name
// settings in braces, such as {columns=price=TITLE}; package setting writes them as flags or
// variables.
package faults

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/planwright/planwright/shared/table/cell"
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
	Code    string `json:"code,omitempty"` // of its kind, where it is a cell's
}

// Kind tells the rules of a table apart; the zero kind is no fault. A package
// that has more rules numbers them from Kinds on.
type Kind uint8

// The kinds of faults; the last are those of cells that are written.
const (
	Fine Kind = iota
	FieldCount
	StrayQuote
	TextAfterQuote
	UnclosedQuote
	LoneCR
	LoneLF
	NULByte
	RecordTooLong
	BadEncoding
	UnclearEncoding
	NameTooLong
	EmptyPrice
	BadPrice
	NegativePrice
	OtherPriceForm
	UnclearPrice
	ThreeDecimals
	OtherCurrency
	EmptyStock
	BadStock
	BadQuantity
	UnknownQuantity
	UnwritableStock
	UntrackedStock
	UnquotablePrice
	NoCell
	UnknownMark
	Kinds
)

// codes are what programs know the kinds by.
var codes = [Kinds]string{
	FieldCount:      "field_count",
	StrayQuote:      "stray_quote",
	TextAfterQuote:  "text_after_quote",
	UnclosedQuote:   "unclosed_quote",
	LoneCR:          "lone_cr",
	LoneLF:          "lone_lf",
	NULByte:         "nul_byte",
	RecordTooLong:   "record_too_long",
	BadEncoding:     "bad_encoding",
	UnclearEncoding: "unclear_encoding",
	NameTooLong:     "name_too_long",
	EmptyPrice:      "empty_price",
	BadPrice:        "bad_price",
	NegativePrice:   "negative_price",
	OtherPriceForm:  "other_price_form",
	UnclearPrice:    "unclear_price",
	ThreeDecimals:   "three_decimals",
	OtherCurrency:   "other_currency",
	EmptyStock:      "empty_stock",
	BadStock:        "bad_stock",
	BadQuantity:     "bad_quantity",
	UnknownQuantity: "unknown_quantity",
	UnwritableStock: "unwritable_stock",
	UntrackedStock:  "untracked_stock",
	UnquotablePrice: "unquotable_price",
	NoCell:          "no_cell",
	UnknownMark:     "unknown_mark",
}

// resultCode is the code of what a rule would make of a row, which no cell is to blame for.
const resultCode = "result"

// Code is what programs know a kind by.
func (k Kind) Code() string {
	if k >= Kinds {
		return resultCode
	}
	return codes[k]
}

// Advice is what each kind of fault means and what to do about it.
var Advice = map[Kind]string{
	StrayQuote:      `a quote inside a value that does not begin with one, in a column that the plan looks at: put quotes around the whole value and write the quote twice, as in "12"" pipe"`,
	TextAfterQuote:  `text after a closing quote: a quote inside a quoted value is written twice, as in "12"" pipe"`,
	UnclosedQuote:   "a quote that is never closed: add the closing quote, or get the file anew if it was cut off here",
	LoneCR:          "a carriage return in the middle of a row: put quotes around the value, or save the file with ordinary line endings",
	LoneLF:          "a line feed in a table whose lines end with carriage returns: put quotes around the value, or save the file with one kind of line endings",
	NULByte:         "a NUL byte: the file is damaged or cut off; export it again as CSV (UTF-8)",
	RecordTooLong:   "the row is longer than 4 MiB: look for a quote that is never closed",
	BadEncoding:     "not valid text in the file's encoding: save the file as CSV (UTF-8), or name its encoding with {encoding}",
	UnclearEncoding: "neither UTF-8 nor plainly Windows-1252",
	NameTooLong: fmt.Sprintf("longer than %d bytes: check that the right column is named",
		cell.MaxNameBytes),
	EmptyPrice:     "the price is empty: fill it in, or leave such rows alone with {blank_price=keep}",
	BadPrice:       "not a price: write at most 18 digits, with a decimal point or comma if any, such as 29.99, and no sign",
	NegativePrice:  "not a price, for it is below 0: take the row out of the table, or write a price of 0 or more",
	OtherPriceForm: "written in another form than the column's first rows: write all prices in one form, or say which it is with {price_form}",
	UnclearPrice:   "could be read with a decimal mark or with a mark of thousands, and no other row shows which: say it with {price_form}",
	ThreeDecimals:  "has three decimals where the other prices have at most two, so that its mark may be one of thousands: write it as the others are, or say that it is a decimal mark with {price_form}",
	OtherCurrency:  "in another currency than the column's first rows, and the plan names an amount of money: make a plan for each currency",
	EmptyStock:     "empty, where it should be in or out of stock: fill it in, or say with {blank_stock=in} or {blank_stock=out} what such rows are",
	BadStock:       "neither in nor out of stock: write true or false, 1 or 0, yes or no, or say the two words of the column with {stock_words}",
	BadQuantity:    "not a quantity: write a number",

	UnknownQuantity: "out of stock, and the plan puts it in stock, but not with how many: say the quantity with {in_stock_quantity}",
	UnwritableStock: "cannot be changed: the column does not show the word to be written",
	UntrackedStock:  "the shop does not track this row's quantity, so that it is in stock whatever the quantity: have the shop track it",
	NoCell:          "the row ends before this column, in which a price is to be written: write the row to its end",
	UnknownMark:     "is to become a price with decimals, and no number of the table shows whether it writes 52.80 or 52,80: say which with {price_form=1234.56} or {price_form=1234,56}",
	UnquotablePrice: "the new price would hold what separates the columns, and in this platform's tables no cell is quoted: export it with another separator",
}

// Odd reports whether a kind is of a cell that cannot be read, or of one that cannot be
// written because the shop does not look at it: a row that an operation may leave alone.
// Blank cells and an unclear encoding have settings of their own.
func (k Kind) Odd() bool {
	switch k {
	case StrayQuote,
		BadEncoding,
		NameTooLong,
		BadPrice,
		NegativePrice,
		OtherPriceForm,
		UnclearPrice,
		ThreeDecimals,
		BadStock, BadQuantity, UntrackedStock, NoCell:
		return true
	}
	return false
}

// LeaveOdd is what advice ends with where rows with such a fault may be left alone.
const LeaveOdd = ", or leave such rows alone with {odd_rows=leave}"

// Log gathers the faults of one table.
type Log struct {
	faults []Fault
	seen   map[Kind]int
	more   int64
}

// Add adds a fault of a kind, of which the first 20 are kept.
func (l *Log) Add(k Kind, fault Fault) {
	if l.seen == nil {
		l.seen = map[Kind]int{}
	}
	l.seen[k]++
	if l.seen[k] > maxFaultsOfKind {
		l.more++
		return
	}
	fault.Column = Excerpt(fault.Column)
	l.faults = append(l.faults, fault)
}

// All returns the faults that are kept, in the order of the rows, and how many there
// are beside them.
func (l *Log) All() (kept []Fault, more int64) {
	slices.SortStableFunc(l.faults, func(a, b Fault) int { return cmp.Compare(a.Row, b.Row) })
	return l.faults, l.more
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

// Excerpt returns at most 100 bytes of a text, for a message that quotes it.
func Excerpt(s string) string {
	if len(s) <= MaxExcerptBytes {
		return s
	}
	return strings.ToValidUTF8(s[:MaxExcerptBytes], "") + "..."
}

const MaxExcerptBytes = 100

// Capitalised is a text whose first letter is a capital.
func Capitalised(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// QuotedList quotes texts with commas between them.
func QuotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", Excerpt(name))
	}
	return strings.Join(quoted, ", ")
}
