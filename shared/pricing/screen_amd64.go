package pricing

const (
	// rowsAtOnce is how many rows screenAVX2 looks at together.
	rowsAtOnce = 4
	// rowsBefore are rows of eight bytes in all: they have at least a delimiter
	// for each needed column.
	rowsBefore = wordBytes / neededColumns
)

func screenBlock(s *screen, block []byte, starts, notable []uint32) (found int) {
	fields := int(s.record / startBytes)
	rows, fast := len(starts)/fields, 0
	if hasVectors && rows > rowsBefore {
		fast = (rows - rowsBefore) / rowsAtOnce * rowsAtOnce
		found = screenRows(s, block, starts, 0, rowsBefore, notable)
		found += screenAVX2(s, block, starts[rowsBefore*fields:(rowsBefore+fast)*fields+1], rowsBefore, notable[found:])
		fast += rowsBefore
	}
	return found + screenRows(s, block, starts, fast, rows, notable[found:])
}

// screenAVX2 is screenRows for a multiple of rowsAtOnce rows, whose starts and
// first number it is given. It takes on trust that the starts are the block's,
// that the first is behind at least eight bytes, and that there is room for the
// rows and for as many as it looks at together.
//
//go:noescape
func screenAVX2(s *screen, block []byte, starts []uint32, first int, notable []uint32) (found int)

// oddNibbles tells oddStarts by half a byte: one that is odd has a bit that is
// set both where its lower half says and where its upper half does.
//
//lint:ignore U1000 assembly reads it
var oddNibbles = func() (nibbles [2][32]byte) {
	bit := byte(1)
	for upper := range 16 {
		used := false
		for lower := range 16 {
			if oddStarts[upper<<4|lower] {
				used = true
				nibbles[0][lower] |= bit
				nibbles[1][upper] = bit
			}
		}
		if used {
			bit <<= 1
		}
	}
	for i := range nibbles { // for both halves of a vector
		copy(nibbles[i][16:], nibbles[i][:16])
	}
	return nibbles
}()

// stockList has the words of in_stock.
//
//lint:ignore U1000 assembly reads it
var stockList = func() (list [6]uint64) {
	i := 0
	for text := range stockMeanings {
		list[i] = wordAt(block(text), 0)
		i++
	}
	return list
}()

// together has, for each set of the four double words of a vector, the bytes
// that bring them together at its beginning.
//
//lint:ignore U1000 assembly reads it
var together = func() (shuffles [16][16]byte) {
	for set := range shuffles {
		to := 0
		for word := range 4 {
			if set>>word&1 != 0 {
				for i := range 4 {
					shuffles[set][to] = byte(4*word + i)
					to++
				}
			}
		}
	}
	return shuffles
}()
