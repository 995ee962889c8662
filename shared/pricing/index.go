package pricing

import "math/bits"

// index finds where the fields of a block's records end, ahead of the walk and
// without a branch that depends on where they are.
type index struct {
	fields int // of every record
	// starts are where the fields begin: behind each delimiter that is not
	// quoted, and at the block's beginning.
	starts []uint32
}

// read looks through block[:limit], behind which a newline and padding stand.
// It reports whether the block is in order: quotes only around whole fields or
// doubled within them, carriage returns outside quotes only before a newline,
// no NUL, and delimiters for so many records of so many fields. What is wrong
// with a block that is not in order, the splitter says.
func (x *index) read(block []byte, limit int) bool {
	last := limit // where the last record's newline is
	if block[limit-1] == '\n' {
		last--
	}
	x.starts = append(x.starts[:0], 0)
	var m marks
	quotes := quoting{start: 1}
	records := 0
	for base := 0; base <= last; base += stride {
		classify((*[stride]byte)(block[base:]), &m)
		if last-base < stride-1 {
			m.keep(last - base + 1)
		}
		delimiters := quotes.delimiters(&m)
		records += bits.OnesCount64(delimiters & m.newlines)
		x.add(base, delimiters)
	}
	return quotes.faults|quotes.inside == 0 && len(x.starts)-1 == records*x.fields
}

// add adds a stride's delimiters. It goes on in steps of four, whose number is
// more regular than theirs; what it writes too much is overwritten.
func (x *index) add(base int, delimiters uint64) {
	n := len(x.starts)
	if cap(x.starts) < n+2*stride {
		x.starts = append(x.starts, make([]uint32, n+2*stride)...)
	}
	to := x.starts[n : n+2*stride]
	x.starts = x.starts[:n+bits.OnesCount64(delimiters)]
	behind := base + 1
	for i := 0; delimiters != 0; i += 4 {
		four := (*[4]uint32)(to[i:])
		four[0] = uint32(behind + bits.TrailingZeros64(delimiters))
		delimiters &= delimiters - 1
		four[1] = uint32(behind + bits.TrailingZeros64(delimiters))
		delimiters &= delimiters - 1
		four[2] = uint32(behind + bits.TrailingZeros64(delimiters))
		delimiters &= delimiters - 1
		four[3] = uint32(behind + bits.TrailingZeros64(delimiters))
		delimiters &= delimiters - 1
	}
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
}

// delimiters returns a stride's delimiters that are not quoted.
func (q *quoting) delimiters(m *marks) uint64 {
	delimiters := m.commas | m.newlines
	if m.quotes|m.returns|m.nuls|q.inside|q.closed|q.returned == 0 { // as in most tables
		q.start = delimiters >> (stride - 1)
		return delimiters
	}
	inside := prefixXor(m.quotes) ^ q.inside
	opens, closes := m.quotes&inside, m.quotes&^inside
	delimiters &^= inside
	returns := m.returns &^ inside
	starts := delimiters | closes
	q.faults |= m.nuls |
		opens&^(starts<<1|q.start) |
		(closes<<1|q.closed)&^(delimiters|returns|opens) |
		(returns<<1|q.returned)&^(delimiters&m.newlines)
	q.inside = uint64(int64(inside) >> (stride - 1))
	q.start, q.closed, q.returned = starts>>(stride-1), closes>>(stride-1), returns>>(stride-1)
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
