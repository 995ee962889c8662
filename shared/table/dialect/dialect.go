// Package dialect says how the bytes of a table become records and fields, and text becomes
// bytes again: delimiter, line ends, quotes, encoding. It finds them from the first bytes of a
// table, unless a setting says them.
//
// It does not know what a column means. It does not guess an encoding but UTF-8, UTF-16 and
// Windows-1252: for a cell that may be in several it has the question, and a person answers
// it with a setting.
package dialect

import (
	"strings"
)

// A Dialect says how the bytes of a table become records and fields. Quoting
// is RFC 4180's in all of them. As a setting it may be partial: what is empty
// is found.
type Dialect struct {
	Delimiter Delimiter `json:"delimiter,omitempty"`
	LineEnd   LineEnd   `json:"line_end,omitempty"`
	Encoding  Encoding  `json:"encoding,omitempty"`
	BOM       bool      `json:"bom,omitempty"`      // the text begins with a byte-order mark
	SepLine   bool      `json:"sep_line,omitempty"` // the first line is sep= and the delimiter
	// EncodingSaid: somebody said the encoding. Escapes: the text has escapes, which may
	// begin characters. Both are found, and never said.
	EncodingSaid bool `json:"-"`
	Escapes      bool `json:"-"`
	// LiteralQuotes: no pipe delimits, and quotes are characters like any
	// other, such as inch marks: they stand within cells, and none begins with one.
	LiteralQuotes bool `json:"literal_quotes,omitempty"`
	// TrailingDelimiter: a tab or a semicolon delimits, and rows end with one more.
	TrailingDelimiter bool `json:"trailing_delimiter,omitempty"`
	// before the header is a line whose cells all begin with #
	Comment bool `json:"comment,omitempty"`
}

// Delimiter is what stands between two fields, by its usual name.
type Delimiter string

// The delimiters.
const (
	Comma     Delimiter = "comma"
	Semicolon Delimiter = "semicolon"
	Tab       Delimiter = "tab"
	Pipe      Delimiter = "pipe"
)

// Delimiters are all of them; where a table could have two, the earlier is it.
var Delimiters = []Delimiter{Comma, Semicolon, Tab, Pipe}

var delimiterBytes = map[Delimiter]byte{Comma: ',', Semicolon: ';', Tab: '\t', Pipe: '|'}

// Byte returns the delimiter itself.
func (d Delimiter) Byte() byte { return delimiterBytes[d] }

// LineEnd is what a record ends with. LF and CRLF may both occur in one table;
// the first record's is stated.
type LineEnd string

// The line ends.
const (
	LF   LineEnd = "LF"
	CRLF LineEnd = "CRLF"
	CR   LineEnd = "CR"
	// CRCRLF is what a program writes that makes CRLF of the LF in CRLF. LF and CRLF
	// end lines beside it.
	CRCRLF LineEnd = "CRCRLF"
)

// LineEnds are all of them.
var LineEnds = []LineEnd{LF, CRLF, CR, CRCRLF}

// Byte returns the byte that every record but the last ends with.
func (l LineEnd) Byte() byte {
	if l == CR {
		return '\r'
	}
	return '\n'
}

// String says the dialect to people: "comma, CRLF, UTF-8 with a byte-order mark".
func (d Dialect) String() string {
	parts := []string{string(d.Delimiter), string(d.LineEnd), string(d.Encoding)}
	if d.BOM {
		parts[2] += " with a byte-order mark"
	}
	if d.SepLine {
		parts = append(parts, "a sep= line")
	}
	if d.Comment {
		parts = append(parts, "a comment line")
	}
	if d.LiteralQuotes {
		parts = append(parts, "quotes as they stand")
	}
	if d.TrailingDelimiter {
		parts = append(parts, "a delimiter at the end of rows")
	}
	return strings.Join(parts, ", ")
}
