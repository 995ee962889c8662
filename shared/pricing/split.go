package pricing

import (
	"bytes"
	"strings"
)

// A block is a run of whole records. Behind its last byte, at block[limit],
// stands a newline that is not part of it, so that a file without a final
// newline needs no case of its own, then blanks to scan whole strides, and room
// for a SKU and a category without their doubled quotes. Words can be loaded
// anywhere.
const (
	blockPadding = stride + 2*unquotedRoom
	unquotedRoom = maxNameBytes + 1 + wordBytes
)

// seal puts the newline and the blanks behind block[:limit].
func seal(block []byte, limit int) { copy(block[limit:], sealing) }

var sealing = "\n" + strings.Repeat(" ", stride-1)

// splitter finds the fields of one record at a time, and what is wrong with
// them.
type splitter struct {
	at     []uint32 // where they begin; those past the header's count are not kept
	fields int      // of the record last split
}

func newSplitter(columns int) splitter { return splitter{at: make([]uint32, columns+1)} }

// record returns the record last split.
func (s *splitter) record() record { return record{starts: s.at} }

// delimits tells the bytes that mean something outside quotes.
var delimits = [256]bool{',': true, '\n': true, '\r': true, '"': true}

// split finds the fields of the record that begins at pos. It returns where
// the record's text ends and where the next record begins; after a fault, both
// are where the fault is.
func (s *splitter) split(block []byte, limit, pos int) (end, next int, fault kind) {
	s.at[0] = uint32(pos)
	for s.fields = 1; ; s.fields++ {
		closed := -1 // where a quoted field ends
		if block[pos] == '"' {
			if closed = closingQuote(block, limit, pos); closed < 0 {
				return limit, limit, unclosedQuote
			}
			pos = closed
		}
		for !delimits[block[pos]] {
			pos++
		}
		if s.fields < len(s.at) {
			s.at[s.fields] = uint32(pos + 1)
		}
		if block[pos] != ',' || closed >= 0 && closed != pos {
			return ending(block, pos, closed)
		}
		pos++
	}
}

// ending says how the record ends whose last field ends at pos: its delimiter
// is no comma, or something stands between it and the field's closing quote.
func ending(block []byte, pos, closed int) (end, next int, fault kind) {
	switch {
	case closed >= 0 && closed != pos:
		return closed, closed, textAfterQuote
	case block[pos] == '\n':
		return pos, pos + 1, fine
	case block[pos] == '\r' && block[pos+1] == '\n':
		return pos, pos + 2, fine
	case block[pos] == '"':
		return pos, pos, strayQuote
	default:
		return pos, pos, loneCR
	}
}

// closingQuote returns where the quoted field that begins at pos ends, past
// its closing quote, or -1 where it has none.
func closingQuote(block []byte, limit, pos int) int {
	for pos++; pos < limit; pos += 2 {
		i := bytes.IndexByte(block[pos:limit], '"')
		if i < 0 {
			break
		}
		if pos += i; pos+1 == limit || block[pos+1] != '"' {
			return pos + 1
		}
	}
	return -1
}
