package dialect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/scan"
)

// A block is a run of whole records, with scan.BlockPadding behind them.

var sealing = strings.Repeat(" ", scan.Padding-1)

// splitter finds the fields of one record at a time, and what is wrong with
// them.
type splitter struct {
	delimiter, lineEnd byte
	quote              byte      // NUL: no field is quoted
	delimits           [256]bool // the bytes that mean something outside quotes
	at                 []uint32  // where the fields begin; those past the header's count are not kept
	fields             int       // of the record last split
	end                uint32    // of its text
	strays             []int     // the fields that have a quote and do not begin with one
	doubleCR           bool      // a line may end with CR CR LF
}

func newSplitter(d Dialect, quote byte, columns int) splitter {
	s := splitter{
		delimiter: d.Delimiter.Byte(),
		lineEnd:   d.LineEnd.Byte(),
		quote:     quote,
		at:        make([]uint32, columns+1),
		doubleCR:  d.LineEnd == CRCRLF,
	}
	for _, b := range []byte{s.delimiter, '\n', '\r'} {
		s.delimits[b] = true
	}
	s.delimits['"'] = quote == '"'
	return s
}

// record returns the record last split.
func (s *splitter) record() Record { return Record{s.at, s.end, s.quote} }

// split finds the fields of the record that begins at pos. It returns where
// the record's text ends and where the next record begins; after a fault, both
// are where the fault is. A quote in a field that does not begin with one is a
// character like any other, and the field is noted unless it is a formula of one text.
func (s *splitter) split(block []byte, limit, pos int) (end, next int, fault faults.Kind) {
	s.at[0], s.strays = uint32(pos), s.strays[:0]
	for s.fields = 1; ; s.fields++ {
		start, closed := pos, -1 // where a quoted field ends
		if block[pos] == '"' && s.quote == '"' {
			if closed = scan.ClosingQuote(block, limit, pos); closed < 0 {
				return limit, limit, faults.UnclosedQuote
			}
			pos = closed
		}
		for ; ; pos++ {
			if !s.delimits[block[pos]] {
				continue
			}
			if block[pos] != '"' || closed >= 0 {
				break
			}
			if !slices.Contains(s.strays, s.fields-1) {
				s.strays = append(s.strays, s.fields-1)
			}
		}
		if len(s.strays) > 0 {
			s.dropTextFormula(block[start:pos])
		}
		if s.fields < len(s.at) {
			s.at[s.fields] = uint32(pos + 1)
		}
		if block[pos] != s.delimiter || closed >= 0 && closed != pos {
			end, next, fault = s.ending(block, pos, closed)
			s.end = uint32(end)
			return end, next, fault
		}
		pos++
	}
}

// dropTextFormula takes the field last found from the strays where its quotes are those of
// a formula of one text.
func (s *splitter) dropTextFormula(field []byte) {
	if last := len(s.strays) - 1; s.strays[last] == s.fields-1 && cell.IsTextFormula(field) {
		s.strays = s.strays[:last]
	}
}

// lack makes the fields that the record last split does not have empty.
func (s *splitter) lack(fields int) {
	for i := s.fields; i <= fields; i++ {
		s.at[i] = s.end + 1
	}
}

// ending says how the record ends whose last field ends at pos: what stands
// there is no delimiter, or something stands between it and the field's closing
// quote.
func (s *splitter) ending(block []byte, pos, closed int) (end, next int, fault faults.Kind) {
	switch {
	case closed >= 0 && closed != pos:
		return closed, closed, faults.TextAfterQuote
	case block[pos] == s.lineEnd:
		return pos, pos + 1, faults.Fine
	case block[pos] == '\r' && block[pos+1] == s.lineEnd:
		return pos, pos + 2, faults.Fine
	case s.doubleCR && block[pos] == '\r' && block[pos+1] == '\r' && block[pos+2] == s.lineEnd:
		return pos, pos + 3, faults.Fine
	case block[pos] == '\n':
		return pos, pos, faults.LoneLF
	default:
		return pos, pos, faults.LoneCR
	}
}

// trails reports whether the record last split, which ends at end, has one
// field more than there are columns, which is empty. It is no part of it then.
func (s *splitter) trails(columns, end int) bool {
	if s.fields != columns+1 || int(s.at[columns]) != end {
		return false
	}
	s.end = uint32(end - 1)
	return true
}

// CountFields returns a count that no header of these bytes exceeds.
func (d Dialect) CountFields(text []byte) int {
	line, _, _ := bytes.Cut(text, []byte{d.LineEnd.Byte()})
	if bytes.IndexByte(line, '"') >= 0 {
		line = text
	}
	return bytes.Count(line, []byte{d.Delimiter.Byte()}) + 1
}

// Unquoted returns what a whole cell says.
func (d Dialect) Unquoted(field []byte) string {
	if len(field) > 1 && field[0] == '"' {
		field = bytes.ReplaceAll(field[1:len(field)-1], []byte(`""`), []byte(`"`))
	}
	return d.Text(field)
}

// CellEnd returns where a reader would say that the cell ends in which a fault
// of the quoting is; the limit if that is not to be seen.
func (d Dialect) CellEnd(block []byte, fault, limit int) int {
	if i := bytes.IndexAny(block[fault:limit], string([]byte{d.Delimiter.Byte(), d.LineEnd.Byte()})); i >= 0 {
		return fault + i
	}
	return limit
}

// seal puts the line end and the blanks behind block[:limit].
func seal(block []byte, limit int, lineEnd byte) {
	block[limit] = lineEnd
	copy(block[limit+1:], sealing)
}
