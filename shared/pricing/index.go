package pricing

import (
	"math/bits"
	"slices"
)

// index finds where the fields of a block's records begin, ahead of the walk
// and without a branch that depends on where they are.
type index struct {
	fields int // of every record
	// starts are where the fields begin: at the block's beginning, and behind
	// each delimiter that is not quoted.
	starts []uint32
	ascii  bool // all of the block
}

// scanBytes is how much is scanned before room is made for more starts.
const scanBytes = 64 * stride

// read looks through block[:limit], behind which a newline and blanks stand:
// see seal. It reports whether the block is in order: quotes only around whole
// fields or doubled within them, carriage returns outside quotes only before a
// newline, no NUL, and delimiters for so many records of so many fields. What
// is wrong with a block that is not in order, the splitter says.
func (x *index) read(block []byte, limit int) bool {
	x.starts = append(x.starts[:0], 0)
	quotes := quoting{start: 1}
	end := (limit/stride + 1) * stride
	for base := 0; base < end; base += scanBytes {
		text := block[base:min(base+scanBytes, end)]
		x.starts = slices.Grow(x.starts, scanBytes+scanSlack)
		n := len(x.starts)
		x.starts = x.starts[:n+scan(text, x.starts[n:n+scanBytes+scanSlack], base, &quotes)]
	}
	if block[limit-1] == '\n' { // the one behind it ends no record
		x.starts = x.starts[:len(x.starts)-1]
		quotes.records--
	}
	x.ascii = quotes.beyond == 0
	return quotes.faults|quotes.inside == 0 && len(x.starts)-1 == quotes.records*x.fields
}

// quoting is what quotes and carriage returns mean from stride to stride. The
// words' bits are a stride's bytes; start, closed and returned are one bit for
// what the stride before ended with.
type quoting struct {
	inside   uint64 // all ones where a stride begins within quotes
	start    uint64 // a delimiter, or a quote that closes: a quote may open
	closed   uint64 // a quote that closes
	returned uint64 // a carriage return outside quotes
	faults   uint64 // not zero once anything was out of order
	beyond   uint64 // not zero once a byte was not ASCII
	records  int    // newlines that are not quoted
}

// delimiters returns a stride's delimiters that are not quoted.
func (q *quoting) delimiters(m *marks) uint64 {
	inside := prefixXor(m.quotes) ^ q.inside
	opens, closes := m.quotes&inside, m.quotes&^inside
	delimiters, returns := (m.commas|m.newlines)&^inside, m.returns&^inside
	starts := delimiters | closes
	q.beyond |= m.beyond
	q.faults |= m.nuls |
		opens&^(starts<<1|q.start) |
		(closes<<1|q.closed)&^(delimiters|returns|opens) |
		(returns<<1|q.returned)&^(delimiters&m.newlines)
	q.inside = uint64(int64(inside) >> (stride - 1))
	q.start, q.closed, q.returned = starts>>(stride-1), closes>>(stride-1), returns>>(stride-1)
	q.records += bits.OnesCount64(delimiters & m.newlines)
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
