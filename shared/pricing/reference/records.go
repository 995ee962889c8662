package reference

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/scan"
)

// cell is one field of a record: where what it holds stands in the table's
// characters, without the quotes around it, and what it says.
type cell struct {
	from, to int
	text     string
	bad      bool // some of its bytes are no characters
	stray    bool // a quote stands in it, and it does not begin with one
}

// record is one record, and what is wrong with it as a record.
type record struct {
	cells []cell
	fault string // what makes it no record: nothing behind it is read
	flaw  string // what is wrong with it as a whole
	size  int    // bytes
	empty bool   // it is an empty line
}

// records reads all records of a table up to the first that is not one.
// Quotes that mean nothing but themselves are characters like any other.
func records(t text, start int, d dialect.Dialect, literalQuotes bool) (all []record) {
	r := reader{
		text:      t,
		at:        start,
		delimiter: rune(d.Delimiter.Byte()),
		cr:        d.LineEnd == dialect.CR,
		double:    d.LineEnd == dialect.CRCRLF,
		literal:   literalQuotes,
		wide:      d.Encoding == dialect.UTF16LE || d.Encoding == dialect.UTF16BE,
	}
	for !r.ended() {
		next := r.record()
		if len(next.cells) == 1 && next.size == 0 && next.fault == "" {
			next.empty = true
		}
		if all = append(all, next); next.fault != "" {
			return all
		}
	}
	return all
}

type reader struct {
	text
	at        int
	delimiter rune
	cr        bool // lines end with a carriage return alone
	double    bool // they may end with CR CR LF
	literal   bool
	wide      bool // the encoding's units have two bytes
}

// peek returns the character so far ahead; past the end it is 0.
func (r *reader) peek(ahead int) rune {
	if r.at+ahead >= len(r.runes) {
		return 0
	}
	return r.runes[r.at+ahead]
}

func (r *reader) ended() bool { return r.at >= len(r.runes) }

// lineEnd returns how many characters of a line end stand here. A carriage
// return that ends the file is one too.
func (r *reader) lineEnd() int {
	switch {
	case r.ended():
		return 0
	case r.cr:
		if r.peek(0) == '\r' {
			return 1
		}
		return 0
	case r.peek(0) == '\n':
		return 1
	case r.peek(0) == '\r' && r.at+1 == len(r.runes):
		return 1
	case r.peek(0) == '\r' && r.peek(1) == '\n':
		return 2
	case r.double && r.peek(0) == '\r' && r.peek(1) == '\r' && r.peek(2) == '\n':
		return 3
	default:
		return 0
	}
}

func (r *reader) record() (found record) {
	start := r.at
	for {
		c, fault := r.cell()
		found.cells = append(found.cells, c)
		if fault != "" {
			found.fault = fault
			return found
		}
		if r.ended() || r.peek(0) != r.delimiter {
			break
		}
		r.at++
	}
	found.size = len(r.raw(start, r.at))
	size := r.lineEnd()
	switch {
	case slices.Contains(r.runes[start:r.at], 0):
		found.flaw = "NUL"
	case found.size > scan.MaxRecordBytes && len(string(r.runes[start:r.at])) > scan.MaxRecordBytes:
		found.flaw = "too long"
	}
	if size == 0 && !r.ended() {
		found.fault = "line end"
	}
	r.at += size
	return found
}

// cell reads one cell up to the delimiter or the line end behind it.
func (r *reader) cell() (c cell, fault string) {
	quoted := r.peek(0) == '"' && !r.literal && !r.ended()
	if quoted {
		r.at++
	}
	c.from = r.at
	var said []rune
	for !r.ended() {
		switch now := r.peek(0); {
		case quoted && now == '"' && r.peek(1) == '"':
			r.at++
		case quoted && now == '"':
			return r.closed(c, said)
		case quoted:
		case now == r.delimiter || now == '\n' || now == '\r':
			return r.whole(c, said), ""
		case now == '"' && !r.literal:
			c.stray = true
		}
		said = append(said, r.runes[r.at])
		r.at++
	}
	if quoted {
		return c, "quote never closed"
	}
	return r.whole(c, said), ""
}

// closed ends a quoted cell at its closing quote.
func (r *reader) closed(c cell, said []rune) (cell, string) {
	c = r.whole(c, said)
	r.at++
	if !r.ended() && r.peek(0) != r.delimiter && r.lineEnd() == 0 {
		return c, "text after a closing quote"
	}
	return c, ""
}

// says writes characters as UTF-8. What is bad stays so: a byte, or the three
// that UTF-8 would have for half a pair of UTF-16.
func (r *reader) says(said []rune) string {
	var text strings.Builder
	for _, c := range said {
		switch {
		case c != bad:
			text.WriteRune(c)
		case r.wide:
			text.WriteString("\xff\xff\xff")
		default:
			text.WriteString("\xff")
		}
	}
	return text.String()
}

func (r *reader) whole(c cell, said []rune) cell {
	c.to, c.text, c.bad = r.at, r.says(said), slices.Contains(said, bad)
	c.stray = c.stray && !textFormula.MatchString(c.text)
	return c
}
