package dialect

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf8"
)

// HeadBytes is how much of a table is looked at before its first row is read:
// dialect, profile and the forms of prices and stock are found in it.
const HeadBytes = 64 << 10

// ByteOrderMark is that of a text in UTF-8.
const ByteOrderMark = "\ufeff"

var encodingMarks = []struct {
	mark     string
	encoding Encoding
}{{ByteOrderMark, UTF8}, {"\xff\xfe", UTF16LE}, {"\xfe\xff", UTF16BE}}

// Detect finds the dialect of a table that begins with head, which is its first
// HeadBytes or all of it. The parts that said has are taken as they are.
func Detect(head []byte, said Dialect) Dialect {
	d := said
	d.EncodingSaid, d.Escapes = d.Encoding != "", bytes.IndexByte(head, escape) >= 0
	if d.Encoding == "" {
		d.Encoding = encodingOf(head)
	}
	for _, known := range encodingMarks {
		if known.encoding == d.Encoding {
			d.BOM = bytes.HasPrefix(head, []byte(known.mark))
		}
	}
	text := d.decoded(head)
	if d.BOM {
		text = text[len(ByteOrderMark):]
	}
	d.SepLine = false
	if delimiter, size := sepLine(text); size > 0 && (d.Delimiter == "" || d.Delimiter == delimiter) {
		d.SepLine, d.Delimiter = true, delimiter
		if d.LineEnd == "" {
			d.LineEnd = lineEndAfter(text[:size], text[size:])
		}
		text = text[size:]
	}
	d.LineEnd = lineEndOf(text, d.LineEnd)
	line := bytes.IndexByte(text, d.LineEnd.Byte()) + 1
	behind := d
	if behind.Comment = true; behind.Delimiter == "" {
		behind.Delimiter = delimiterOf(text[line:], d.LineEnd.Byte())
	}
	if d.Comment = behind.CommentSize(text) > 0; d.Comment {
		return behind
	}
	if d.Delimiter == "" {
		d.Delimiter = delimiterOf(text, d.LineEnd.Byte())
	}
	d.LiteralQuotes = d.LiteralQuotes || d.Delimiter != Pipe && d.inches(text)
	if d.Delimiter == Tab || d.Delimiter == Semicolon {
		d.TrailingDelimiter = d.TrailingDelimiter || bytes.IndexByte(text, '"') < 0 && d.trails(text) ||
			d.LiteralQuotes && d.trails(text)
	}
	return d
}

// inches reports whether there are quotes in a text and no cell begins with one; nor,
// where commas delimit and a quoted cell would have more of them, with blanks before one.
func (d Dialect) inches(text []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 {
			return at > 0
		}
		at += i
		before := text[:at]
		if d.Delimiter == Comma {
			before = bytes.TrimRight(before, " ")
		}
		if last := len(before) - 1; last < 0 || before[last] == d.Delimiter.Byte() || before[last] == '\n' ||
			before[last] == '\r' {
			return false
		}
	}
}

// trails reports whether all whole rows of a text without quoted cells end with one
// delimiter more than its header has, but for those that have as many.
func (d Dialect) trails(text []byte) bool {
	trailing, header := 0, -1
	for {
		line, rest, whole := bytes.Cut(text, []byte{d.LineEnd.Byte()})
		line = bytes.TrimRight(line, "\r")
		if !whole {
			return trailing > 0
		}
		switch delimiters := bytes.Count(line, []byte{d.Delimiter.Byte()}); {
		case header < 0:
			header = delimiters
		case len(line) > 0 && delimiters == header+1 && line[len(line)-1] == d.Delimiter.Byte():
			trailing++
		case len(line) > 0 && delimiters != header:
			return false
		}
		text = rest
	}
}

// CommentSize returns how long the comment is that a text begins with.
func (d Dialect) CommentSize(text []byte) int {
	begins, quoted := true, false // a cell
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
			continue
		case begins && b != '#' || !d.Comment:
			return 0
		case !quoted && b == d.LineEnd.Byte():
			return i + 1
		}
		begins = !quoted && b == d.Delimiter.Byte()
	}
	return 0
}

// decoded returns the head as the text that is worked on: UTF-16 as UTF-8, all else as
// it is.
func (d Dialect) decoded(head []byte) []byte {
	if _, wide := d.ByteOrder(); !wide {
		return head
	}
	text, err := io.ReadAll(d.NewReader(bytes.NewReader(head)))
	if err != nil {
		panic(err) // a bytes.Reader has none
	}
	return text
}

// ByteOrder returns the order of a unit's bytes where the encoding has units of
// two bytes.
func (d Dialect) ByteOrder() (order binary.ByteOrder, wide bool) {
	switch d.Encoding {
	case UTF16LE:
		return binary.LittleEndian, true
	case UTF16BE:
		return binary.BigEndian, true
	default:
		return nil, false
	}
}

// encodingOf finds the encoding by the text's mark, by where its zeros are, or by whether
// there is more in it that is UTF-8 than what is not. What is none of these is taken for
// Windows-1252.
func encodingOf(head []byte) Encoding {
	for _, known := range encodingMarks {
		if bytes.HasPrefix(head, []byte(known.mark)) {
			return known.encoding
		}
	}
	var zeros [2]int // at even and at odd places
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	units := len(head) / 2
	switch {
	case zeros[1] > units/10 && zeros[0] <= zeros[1]/10:
		return UTF16LE
	case zeros[0] > units/10 && zeros[1] <= zeros[0]/10:
		return UTF16BE
	case mostlyUTF8(head):
		return UTF8
	default:
		return Windows1252
	}
}

// mostlyUTF8 reports whether more of the bytes that are not ASCII are UTF-8
// than are not: a few damaged ones do not make a table Windows-1252.
func mostlyUTF8(head []byte) bool {
	valid, invalid, cut := 0, 0, len(head) >= HeadBytes
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		switch {
		case r == utf8.RuneError && size == 1 && cut && !utf8.FullRune(head):
			return valid >= invalid // the head ends within a character
		case r == utf8.RuneError && size == 1:
			invalid++
		case size > 1:
			valid++
		}
		head = head[size:]
	}
	return invalid == 0 || valid > invalid
}

// SepSize returns how long the sep= line is that a text begins with.
func (d Dialect) SepSize(text []byte) int {
	_, size := sepLine(text)
	switch {
	case !d.SepLine:
		return 0
	case size > 0 && d.LineEnd == CR && text[size-1] == '\n':
		return size - 1 // said to be CR: the newline is the next line's
	default:
		return size
	}
}

// sepLine reads the line sep=; with which spreadsheets are told the delimiter,
// and returns how long it is with its end.
func sepLine(text []byte) (delimiter Delimiter, size int) {
	end := bytes.IndexAny(text, "\r\n")
	if end < 0 {
		return "", 0
	}
	line := bytes.Trim(text[:end], `"`)
	if size = end + 1; text[end] == '\r' && bytes.HasPrefix(text[size:], []byte("\n")) {
		size++
	}
	for _, d := range Delimiters {
		if bytes.EqualFold(line, append([]byte("sep="), d.Byte())) {
			return d, size
		}
	}
	return "", 0
}

// lineEndAfter finds what ends the lines behind a sep= line. A carriage return
// alone does where it does there.
func lineEndAfter(sep, text []byte) LineEnd {
	found := lineEndOf(text, "")
	switch alone := sep[len(sep)-1] == '\r'; {
	case alone:
		return CR
	case found == CR:
		return LF
	default:
		return found
	}
}

// lineEndOf finds what ends the first line outside quotes. A carriage return
// alone does where the text has no newline outside quotes.
func lineEndOf(text []byte, said LineEnd) LineEnd {
	if said != "" {
		return said
	}
	quoted, found, alone := false, LF, 0
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted && beginsField(text, i)
		case quoted:
		case b == '\n' && alone == 1 && bytes.HasSuffix(text[:i], []byte("\r\r")):
			return CRCRLF
		case b == '\n' && i > 0 && text[i-1] == '\r' && found != CR:
			return CRLF
		case b == '\n':
			return LF // also where there was a carriage return alone before: a fault
		case b == '\r' && i+1 < len(text) && text[i+1] != '\n':
			found, alone = CR, alone+1
		}
	}
	return found
}

// beginsField reports whether a quote may begin a field, or is the second of two.
func beginsField(text []byte, at int) bool {
	return at == 0 || bytes.IndexByte([]byte(",;\t|\r\n\""), text[at-1]) >= 0
}

// delimiterOf finds the delimiter: the one by which the most records have as
// many fields as the header; of two, that with the more fields.
func delimiterOf(text []byte, lineEnd byte) Delimiter {
	best, bestRecords, bestFields := Comma, 0, 0
	for _, d := range Delimiters {
		fields, records := consistency(text, d.Byte(), lineEnd)
		if fields > 1 && (records > bestRecords || records == bestRecords && fields > bestFields) {
			best, bestRecords, bestFields = d, records, fields
		}
	}
	return best
}

const recordsCompared = 100

// consistency returns how many fields the header has by a delimiter, and how
// many of the first records have as many, or one more that is empty.
func consistency(text []byte, delimiter, lineEnd byte) (fields, records int) {
	quoted, count, looked := false, 1, 0
	for i, b := range text {
		switch {
		case b == '"':
			quoted = !quoted && beginsField(text, i)
		case quoted:
		case b == delimiter:
			count++
		case b == lineEnd:
			if fields == 0 {
				fields = count
			}
			trailing := i > 0 &&
				(text[i-1] == delimiter || i > 1 && text[i-1] == '\r' && text[i-2] == delimiter)
			if count == fields || count == fields+1 && trailing {
				records++
			}
			if count, looked = 1, looked+1; looked == recordsCompared {
				return fields, records
			}
		}
	}
	if fields == 0 {
		fields = count
	}
	return fields, records
}
