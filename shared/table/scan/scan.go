package scan

import (
	"encoding/binary"
	"math/bits"

	"github.com/planwright/planwright/shared/table/cell"
)

// stride is how many bytes are scanned together: a bit of a word for each.
const stride = 64

// scanSlack is how many places behind the last start a scan may write to.
const scanSlack = 4

// scanWords scans text, which is whole strides, from the state q on: it writes
// to starts, which has room for one a byte and the slack, where the fields
// begin behind the delimiters that are not quoted, text's own place being base,
// and returns how many there are. Processors that can do more at once have a
// faster way to the same.
func scanWords(text []byte, starts []uint32, base int, q *quoting) (found int) {
	var m marks
	for behind := base + 1; len(text) > 0; behind, text = behind+stride, text[stride:] {
		m.read((*[stride]byte)(text), q.marked)
		for delimiters := q.delimiters(&m); delimiters != 0; delimiters &= delimiters - 1 {
			starts[found] = uint32(behind + bits.TrailingZeros64(delimiters))
			found++
		}
	}
	return found
}

// marks has a bit for each byte of a stride that means something, the
// lowest bit for the first byte.
type marks struct{ delimiters, lineEnds, returns, quotes, nuls, beyond uint64 }

// read finds a stride's marks, eight bytes at a time.
func (m *marks) read(text *[stride]byte, of marked) {
	*m = marks{}
	for at := 0; at < stride; at += 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		m.delimiters |= equalBytes(word, of.delimiter) << at
		m.lineEnds |= equalBytes(word, of.lineEnd) << at
		m.returns |= equalBytes(word, of.before) << at
		m.quotes |= equalBytes(word, of.quote) << at
		m.nuls |= equalBytes(word, 0) << at
		m.beyond |= word & cell.HighBits
	}
}

// gatherBits is the factor that brings the lowest bits of the eight bytes of a word
// together in its highest byte.
const gatherBits = 0x0102040810204080

// equalBytes returns a bit for each byte of a word that is b.
func equalBytes(word uint64, b byte) uint64 {
	differs := word ^ uint64(b)*cell.EveryByte
	// the high bit of each byte that differs
	differs |= differs&^cell.HighBits + (cell.HighBits - cell.EveryByte)
	return (^differs & cell.HighBits) >> 7 * gatherBits >> 56
}
