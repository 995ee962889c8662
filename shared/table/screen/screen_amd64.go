package screen

import (
	"golang.org/x/sys/cpu"

	"github.com/planwright/planwright/shared/table/cell"
)

// vectors looks at several rows together.
type vectors struct {
	rows   int
	screen func(s *Screen, block []byte, starts []uint32, first int, notable []uint32) (found int)
}

// best is what the processor has all instructions for; none: it has rows 0.
var best = func() vectors {
	switch x := cpu.X86; {
	case !x.HasAVX2 || !x.HasBMI1 || !x.HasBMI2 || !x.HasPOPCNT:
		return vectors{}
	case !x.HasAVX512F || !x.HasAVX512BW || !x.HasAVX512DQ || !x.HasAVX512VL:
		return vectors{4, screenAVX2}
	default:
		return vectors{8, screenAVX512}
	}
}()

// block is rows for the whole block.
func (s *Screen) block(block []byte, starts []uint32, notable []uint32) (found int) {
	return s.with(best, block, starts, notable)
}

// with is block with some vectors. The assembly reads the eight bytes before
// a field's end, or before a number's suffix, so the rows that may end within as
// many bytes of the block's beginning are not for it: each has at least a byte
// for each of its fields, the delimiter.
func (s *Screen) with(v vectors, block []byte, starts []uint32, notable []uint32) (found int) {
	fields := int(s.record / startBytes)
	rows, fast := (len(starts)-1)/fields, 0
	reach := cell.WordBytes
	for _, n := range s.numbers {
		reach = max(reach, cell.WordBytes+int(n.suffixSize))
	}
	if before := (reach + fields - 1) / fields; v.rows > 0 && rows > before {
		fast = (rows - before) / v.rows * v.rows
		found = s.rows(block, starts, 0, before, notable)
		found += v.screen(s, block, starts[before*fields:(before+fast)*fields+1], before, notable[found:])
		fast += before
	}
	return found + s.rows(block, starts, fast, rows, notable[found:])
}

// screenAVX2 is rows for a multiple of four rows, whose starts and
// first number it is given. It takes on trust that the starts are the block's,
// that the first is behind as many bytes as it reads before a field's end, and that there is room for the
// rows and for as many as it looks at together.
//
//go:noescape
func screenAVX2(s *Screen, block []byte, starts []uint32, first int, notable []uint32) (found int)

// screenAVX512 is screenAVX2 for a multiple of eight rows.
//
//go:noescape
func screenAVX512(s *Screen, block []byte, starts []uint32, first int, notable []uint32) (found int)

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

// stockList has the words of in_stock: three that say that a row is, and then
// those that say that it is not.
//
//lint:ignore U1000 assembly reads it
var stockList = func() (list [6]uint64) {
	in, out := 0, 3
	for text, inStock := range cell.StockWords {
		next := &out
		if inStock {
			next = &in
		}
		padded, _ := cell.Block(text)
		list[*next] = cell.Word(padded, 0)
		*next++
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
