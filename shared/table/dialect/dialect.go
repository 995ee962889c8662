package dialect

import (
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// A Dialect says how the bytes of a table become records and fields. Quoting
// is RFC 4180's in all of them. As a setting it may be partial: what is empty
// is found.
type Dialect struct {
	Delimiter Delimiter `json:"delimiter,omitempty"`
	LineEnd   LineEnd   `json:"line_end,omitempty"`
	Encoding  Encoding  `json:"encoding,omitempty"`
	// Rival is another encoding by which the text reads as well, and says something
	// else; "": there is none. It is found only, and never said.
	Rival   Encoding `json:"-"`
	BOM     bool     `json:"bom,omitempty"`      // the text begins with a byte-order mark
	SepLine bool     `json:"sep_line,omitempty"` // the first line is sep= and the delimiter
	// LiteralQuotes: no pipe delimits, and quotes are characters like any
	// other, such as inch marks: they stand within cells, and none begins with one.
	LiteralQuotes bool `json:"literal_quotes,omitempty"`
	// TrailingDelimiter: a tab or a semicolon delimits, and rows end with one more.
	TrailingDelimiter bool `json:"trailing_delimiter,omitempty"`
	Comment           bool `json:"comment,omitempty"` // before the header is a line whose cells all begin with #
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
)

// Byte returns the byte that every record but the last ends with.
func (l LineEnd) Byte() byte {
	if l == CR {
		return '\r'
	}
	return '\n'
}

// Encoding is how characters are bytes, by its IANA name.
type Encoding string

// The encodings.
const (
	UTF8        Encoding = "UTF-8"
	UTF16LE     Encoding = "UTF-16LE"
	UTF16BE     Encoding = "UTF-16BE"
	Windows1252 Encoding = "windows-1252"
	Windows1251 Encoding = "windows-1251"
	ShiftJIS    Encoding = "Shift_JIS"
	GB18030     Encoding = "GB18030"
	Big5        Encoding = "Big5"
	EUCKR       Encoding = "EUC-KR"
	Windows1250 Encoding = "windows-1250"
	Windows1254 Encoding = "windows-1254"
	Latin2      Encoding = "ISO-8859-2"
	Latin5      Encoding = "ISO-8859-9" // taken as said: what it has is found as Windows-1254
	Latin9      Encoding = "ISO-8859-15"
)

// Encodings are all of them.
var Encodings = []Encoding{UTF8, UTF16LE, UTF16BE, Windows1252, Windows1251, ShiftJIS, GB18030, Big5, EUCKR, Windows1250, Windows1254, Latin2, Latin5, Latin9}

// charmaps are the encodings in which each byte is a character.
var charmaps = map[Encoding]*charmap.Charmap{
	Windows1252: charmap.Windows1252, Windows1250: charmap.Windows1250, Windows1251: charmap.Windows1251, Windows1254: charmap.Windows1254,
	Latin2: charmap.ISO8859_2, Latin5: charmap.ISO8859_9, Latin9: charmap.ISO8859_15,
}

// SingleByte reports whether each byte is a character.
func (d Dialect) SingleByte() bool { return charmaps[d.Encoding] != nil }

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
