// Package scan reads a table in blocks of whole records and finds where the fields of each
// begin: with vectors where the processor has them, with words elsewhere, behind one
// function. Quoting is RFC 4180's; the caller gives the delimiter and the byte that ends a
// line.
//
// It does not know what a field means, and changes no byte. It reads no record that is longer
// than MaxRecordBytes.
package scan

import (
	"bytes"
	"math/bits"
	"slices"
)

// Index finds where the fields of a block's records begin, ahead of the walk
// and without a branch that depends on where they are.
type Index struct {
	Fields    int  // of every record
	Delimiter byte // between two fields
	LineEnd   byte // the last of a record: a newline, or a carriage return where that alone ends lines
	Quote     byte // around fields; NUL, which is a fault anyway, where none are quoted
	// Starts are where the fields begin: at the block's beginning, and behind
	// each delimiter and line end that is not quoted.
	Starts []uint32
	ASCII  bool // all of the block
}

// Padding is how many bytes stand behind a block, the first a line end.
const Padding = stride

// scanBytes is how much is scanned before room is made for more starts.
const scanBytes = 64 * stride

// Read looks through block[:limit], behind which a line end and blanks stand,
// Padding in all. It reports whether the block is in order: quotes only around
// whole fields or doubled within them, carriage returns outside quotes only
// before a newline, no NUL, and delimiters for so many records of so many
// fields. What is wrong with a block that is not in order is not said. Where
// carriage returns end the lines, a block with a newline is not in order, quoted
// or not.
func (x *Index) Read(block []byte, limit int) bool {
	x.Starts = append(x.Starts[:0], 0)
	if x.LineEnd == '\r' && bytes.IndexByte(block[:limit], '\n') >= 0 {
		return false
	}
	state := quoting{marked: x.marked(), start: 1}
	end := (limit/stride + 1) * stride
	for base := 0; base < end; base += scanBytes {
		text := block[base:min(base+scanBytes, end)]
		n := len(x.Starts)
		if cap(x.Starts)-n < scanBytes+scanSlack { // as many are to come as a byte has had
			x.Starts = slices.Grow(x.Starts, scanBytes+scanSlack+n*(end-base)/max(base, scanBytes)*9/8)
		}
		x.Starts = x.Starts[:n+scan(text, x.Starts[n:n+scanBytes+scanSlack], base, &state)]
	}
	if block[limit-1] == x.LineEnd { // the one behind it ends no record
		x.Starts = x.Starts[:len(x.Starts)-1]
		state.records--
	}
	x.ASCII = state.beyond == 0
	return state.faults|state.inside == 0 && len(x.Starts)-1 == state.records*x.Fields
}

// marked returns the bytes that mean something. Where no other byte may stand
// before a line end, a NUL, which is a fault anyway, takes its place.
func (x *Index) marked() marked {
	if x.LineEnd == '\r' {
		return marked{delimiter: x.Delimiter, lineEnd: '\r', quote: x.Quote}
	}
	return marked{delimiter: x.Delimiter, lineEnd: '\n', before: '\r', quote: x.Quote}
}

// marked are the bytes that mean something: a delimiter, a line end, what
// outside quotes stands only before it, and the quote.
type marked struct{ delimiter, lineEnd, before, quote byte }

// quoting is what quotes and carriage returns mean from stride to stride. The
// words' bits are a stride's bytes; start, closed and returned are one bit for
// what the stride before ended with.
type quoting struct {
	marked
	inside   uint64 // all ones where a stride begins within quotes
	start    uint64 // a delimiter, or a quote that closes: a quote may open
	closed   uint64 // a quote that closes
	returned uint64 // a carriage return outside quotes
	faults   uint64 // not zero once anything was out of order
	beyond   uint64 // not zero once a byte was not ASCII
	records  int    // line ends that are not quoted
}

// delimiters returns a stride's delimiters that are not quoted.
func (q *quoting) delimiters(m *marks) uint64 {
	inside := prefixXor(m.quotes) ^ q.inside
	opens, closes := m.quotes&inside, m.quotes&^inside
	delimiters, returns := (m.delimiters|m.lineEnds)&^inside, m.returns&^inside
	starts := delimiters | closes
	q.beyond |= m.beyond
	q.faults |= m.nuls |
		opens&^(starts<<1|q.start) |
		(closes<<1|q.closed)&^(delimiters|returns|opens) |
		(returns<<1|q.returned)&^(delimiters&m.lineEnds)
	q.inside = uint64(int64(inside) >> (stride - 1))
	q.start, q.closed, q.returned = starts>>(stride-1), closes>>(stride-1), returns>>(stride-1)
	q.records += bits.OnesCount64(delimiters & m.lineEnds)
	return delimiters
}

// prefixXor returns, for each bit of a word, whether an odd number of bits is
// set up to it.
func prefixXor(word uint64) uint64 {
	for shift := 1; shift < stride; shift <<= 1 {
		word ^= word << shift
	}
	return word
}
