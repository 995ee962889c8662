package pricing

import "encoding/binary"

// stride is how many bytes are classified together: a bit of a word for each.
const stride = 64

// marks has a bit for each byte of a stride that means something to CSV, the
// lowest bit for the first byte.
type marks struct{ commas, newlines, returns, quotes, nuls uint64 }

// classifyWords finds a stride's marks, eight bytes at a time. Processors that
// can do more at once have a faster way to the same marks.
func classifyWords(text *[stride]byte, m *marks) {
	*m = marks{}
	for at := 0; at < stride; at += 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		m.commas |= equalBytes(word, ',') << at
		m.newlines |= equalBytes(word, '\n') << at
		m.returns |= equalBytes(word, '\r') << at
		m.quotes |= equalBytes(word, '"') << at
		m.nuls |= equalBytes(word, 0) << at
	}
}

// keep clears the marks of all bytes but the first so many.
func (m *marks) keep(first int) {
	mask := uint64(1)<<first - 1
	m.commas &= mask
	m.newlines &= mask
	m.returns &= mask
	m.quotes &= mask
	m.nuls &= mask
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
	// gatherBits is the factor that brings the lowest bits of the eight bytes
	// of a word together in its highest byte.
	gatherBits = 0x0102040810204080
)

// equalBytes returns a bit for each byte of a word that is b.
func equalBytes(word uint64, b byte) uint64 {
	differs := word ^ uint64(b)*everyByte
	differs |= differs&^highBits + (highBits - everyByte) // the high bit of each byte that differs
	return (^differs & highBits) >> 7 * gatherBits >> 56
}
