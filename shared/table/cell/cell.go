// Package cell reads cells where they stand in a block of a table, eight bytes at a time:
// whether a cell is plain text, a word of stock, or a code that a spreadsheet wrote as a formula.
//
// It does not find cells: a caller gives the block and where the cell stands in it. It knows
// no column and no encoding but ASCII.
package cell

import (
	"bytes"
	"encoding/binary"
)

// Span is where a cell, or what it holds, is in a block.
type Span struct{ From, To uint32 }

// Empty reports whether there is nothing in it.
func (s Span) Empty() bool { return s.From == s.To }

// Size returns how many bytes it has.
func (s Span) Size() uint32 { return s.To - s.From }

// Of returns the span's bytes.
func (s Span) Of(block []byte) []byte { return block[s.From:s.To] }

// WordBytes is how many bytes are read at a time. A block has as many behind
// its last cell.
const WordBytes = 8

// Factors and masks for the eight bytes of a word.
const (
	EveryByte = 0x0101010101010101
	HighBits  = 0x8080808080808080
)

// Word returns eight bytes of a block. Positions are unsigned and of half a
// word so that the compiler needs one comparison to know them to be in it.
func Word(block []byte, at uint32) uint64 {
	first := int(at)
	return binary.LittleEndian.Uint64(block[first : first+8])
}

// LowBytes has ones in a word's first so many bytes: eight at most.
func LowBytes(size uint32) uint64 { return 1<<(8*min(size, WordBytes)) - 1 }

// Ends returns a cell's first eight bytes and its last eight; where there are
// not so many, zeros stand behind them.
func Ends(block []byte, s Span) (first, last uint64) {
	size := s.Size()
	mask := LowBytes(size)
	return Word(block, s.From) & mask, Word(block, s.From+max(size, WordBytes)-WordBytes) & mask
}

// Append appends a cell's text, which most often is a word.
func Append(to, block []byte, s Span) []byte {
	if size := s.Size(); size <= WordBytes {
		return binary.LittleEndian.AppendUint64(to, Word(block, s.From))[:len(to)+int(size)]
	}
	return append(to, s.Of(block)...)
}

// IsPlain reports whether a cell is ASCII that JSON has no other form for.
func IsPlain(block []byte, s Span) bool {
	for at := s.From; at < s.To; at += WordBytes {
		low := LowBytes(s.To - at)
		word := Word(block, at)&low | ' '*EveryByte&^low
		quotes, slashes := word^'"'*EveryByte, word^'\\'*EveryByte // a byte of zeros for each
		if (word|(word-' '*EveryByte)|(quotes-EveryByte)&^quotes|(slashes-EveryByte)&^slashes)&HighBits != 0 {
			return false
		}
	}
	return true
}

// Block returns a text as a block, with room behind it, and its span.
func Block(text string) ([]byte, Span) {
	padded := make([]byte, len(text)+WordBytes)
	return padded, Span{To: uint32(copy(padded, text))}
}

// textFormula begins a formula of one text, such as ="00123". Exports write codes so
// where a spreadsheet is to keep their zeros.
const textFormula = `="`

// IsTextFormula reports whether a cell is such a formula.
func IsTextFormula(cell []byte) bool {
	text, is := bytes.CutPrefix(cell, []byte(textFormula))
	return is && len(text) > 0 && bytes.IndexByte(text, '"') == len(text)-1
}

// Code returns what a cell of a code says: the text of such a formula, or all of any
// other cell.
func Code(cell []byte) []byte {
	if IsTextFormula(cell) {
		return cell[len(textFormula) : len(cell)-1]
	}
	return cell
}

// CodeSpan returns where Code of a cell is.
func CodeSpan(block []byte, s Span) Span {
	if block[s.From] == textFormula[0] && IsTextFormula(s.Of(block)) {
		return Span{From: s.From + uint32(len(textFormula)), To: s.To - 1}
	}
	return s
}

// MaxNameBytes is the longest name, of a SKU or a category.
const MaxNameBytes = 512
