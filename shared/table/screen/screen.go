// Package screen tells which rows of a block, in order, need a closer look: all that an
// operation may match, and all that are not plainly without fault. The others, most of a
// table, are not looked at again. It uses vectors where the processor has them and words
// elsewhere, behind one function.
//
// It decides nothing about a row: it may ask for a closer look without need, and never leaves
// out a row that needs one.
package screen

import (
	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// A Screen is a set of checks on the columns of a table. Assembly knows how it
// is laid out. It serves one goroutine.
type Screen struct {
	record uint64 // from a record's starts to the next one's, in bytes
	// What the last two bytes of a record are, xor'ed with lineEnd.
	lineEnd, endingFrom, endingTo uint64
	beyond                        uint64 // the bits that the ends of a name must not have
	longest                       uint64 // name, in bytes
	names                         []name
	numbers                       []number
	words                         []needed
	// All ones where a row passes whatever its names if one of its words says that
	// it is in stock, or that it is not.
	skipsIn, skipsOut uint64

	newline byte

	checks []check
	marked []bool // rows of the block
}

// needed is where a column that is checked is.
type needed struct {
	start  uint64 // of its field among a record's starts, in bytes
	behind uint64 // bytes between the field's end and the next start
}

// name is a column of names that must be plain and not among those held, in any
// case of their letters. Where names are held, none ends with a blank.
type name struct {
	needed
	held *Bloom // nil: none is
}

// number is a column of short numbers with at most one decimal mark, which may
// all be dressed alike: with the same bytes before them, and behind.
type number struct {
	needed
	points      uint64 // eight times the mark, xor'ed with the digit 0
	dress       uint64 // the number of bytes before and behind
	prefix      uint64
	prefixMask  uint64 // ones for the prefix's bytes
	suffix      uint64
	suffixSize  uint64 // in bytes
	suffixShift uint64 // the number of bits that a word has beside it
}

// Name is a column of names, and those of which a row needs a closer look.
type Name struct {
	Column int
	Held   *Bloom // nil: none
}

// Number is a column of numbers, their decimal mark (NUL: they have none), and
// what stands before and behind each, MaxDress bytes at most.
type Number struct {
	Column         int
	Point          byte
	Prefix, Suffix string
}

// MaxDress is how many bytes may stand before a number, or behind it.
const MaxDress = cell.WordBytes

func newNumber(at needed, n Number) number {
	word := func(text string) uint64 { block, _ := cell.Block(text); return cell.Word(block, 0) }
	return number{
		needed:      at,
		points:      uint64(n.Point^'0') * cell.EveryByte,
		dress:       uint64(len(n.Prefix) + len(n.Suffix)),
		prefix:      word(n.Prefix),
		prefixMask:  cell.LowBytes(uint32(len(n.Prefix))),
		suffix:      word(n.Suffix),
		suffixSize:  uint64(len(n.Suffix)),
		suffixShift: uint64(64 - 8*len(n.Suffix)),
	}
}

// undress returns where the number of a cell is, or false where it is not
// dressed as the others.
func (n *number) undress(block []byte, c cell.Span) (digits cell.Span, alike bool) {
	if n.dress == 0 {
		return c, true
	}
	if uint64(c.Size()) <= n.dress {
		return c, false
	}
	digits = cell.Span{From: c.From + uint32(n.dress-n.suffixSize), To: c.To - uint32(n.suffixSize)}
	alike = cell.Word(block, c.From)&n.prefixMask == n.prefix &&
		cell.Word(block, digits.To)&cell.LowBytes(uint32(n.suffixSize)) == n.suffix
	return digits, alike
}

// New returns the screen of rows of so many fields, whose lines end with that
// byte. Words are columns of cell.StockWords.
func New(fields int, lineEnd byte, names []Name, numbers []Number, words []int) *Screen {
	s := &Screen{record: uint64(startBytes * fields), newline: lineEnd}
	at := func(column int) needed { return needed{start: uint64(startBytes * column)} }
	for _, n := range names {
		s.names = append(s.names, name{at(n.Column), n.Held})
	}
	for _, n := range numbers {
		s.numbers = append(s.numbers, newNumber(at(n.Column), n))
	}
	for _, column := range words {
		s.words = append(s.words, at(column))
	}
	return s
}

// Skip lets rows pass from now on, whatever their names, where one of their
// words says so.
func (s *Screen) Skip(inStock bool) {
	if inStock {
		s.skipsIn = ^uint64(0)
	} else {
		s.skipsOut = ^uint64(0)
	}
}

func (n *needed) cell(starts []uint32) cell.Span {
	i := n.start / startBytes
	return cell.Span{From: starts[i], To: starts[i+1] - uint32(n.behind)}
}

const (
	startBytes = 4
	// slack is how many places behind the last notable row a screen may write to.
	slack = 8
)

// Rows appends to notable the rows of a block, whose fields begin at starts,
// that need a closer look. Behind the block there is room to read a word.
func (s *Screen) Rows(notable []uint32, block []byte, starts []uint32, ascii bool) []uint32 {
	rows := (len(starts) - 1) * startBytes / int(s.record)
	if rows == 0 {
		return notable
	}
	if cap(notable) < rows+slack {
		notable = make([]uint32, 0, rows+slack)
	}
	s.expect(block, starts, ascii)
	notable = notable[:s.block(block, starts, notable[:rows+slack])]
	if len(s.checks) == 0 {
		return notable
	}
	return s.closer(notable, block, starts, ascii)
}

// expect makes the screen ready for a block whose rows end as the first does:
// one that ends otherwise needs a closer look. Where the block is not all ASCII,
// a name needs one that is not, or whose ends do not show all of it.
func (s *Screen) expect(block []byte, starts []uint32, ascii bool) {
	before := byte('\r')
	if s.newline == '\r' {
		before = 0 // a NUL, which a block in order does not have
	}
	s.lineEnd = uint64(before) | uint64(s.newline)<<8
	s.endingFrom, s.endingTo = 1, 0xff // a line end behind any byte but a carriage return
	width := uint64(1)
	if block[starts[s.record/startBytes]-2] == before {
		s.endingFrom, s.endingTo, width = 0, 0, 2
	}
	behind := func(n *needed) {
		n.behind = 1
		if n.start == s.record-startBytes {
			n.behind = width
		}
	}
	for i := range s.names {
		behind(&s.names[i].needed)
	}
	for i := range s.numbers {
		behind(&s.numbers[i].needed)
	}
	for i := range s.words {
		behind(&s.words[i])
	}
	s.beyond, s.longest = 0, cell.MaxNameBytes
	if !ascii {
		s.beyond, s.longest = cell.HighBits, 2*cell.WordBytes
	}
}

// rows writes to notable the rows of a block, from one to before another,
// that need a closer look, and returns how many they are. Notable has room for
// them all and the slack. Processors with the instructions for it have a faster way to the same.
func (s *Screen) rows(block []byte, starts []uint32, from, to int, notable []uint32) (found int) {
	fields := int(s.record / startBytes)
	for row := from; row < to; row++ {
		of := starts[row*fields : row*fields+fields+1]
		notable[found] = uint32(row)
		if !s.passes(block, of, of[fields]) {
			found++
		}
	}
	return found
}

// passes reports whether a row of those starts needs no closer look.
func (s *Screen) passes(block []byte, starts []uint32, end uint32) bool {
	ending := (uint64(block[end-2]) | uint64(block[end-1])<<8) ^ s.lineEnd
	if ending < s.endingFrom || ending > s.endingTo {
		return false
	}
	named := false
	for i := range s.names {
		n := &s.names[i]
		c := n.cell(starts)
		if !s.plain(block, c) || n.held != nil && blankEnd(block, c) {
			return false
		}
		named = named || n.held != nil && n.held.MayHold(block, c)
	}
	for i := range s.numbers {
		n := &s.numbers[i]
		digits, alike := n.undress(block, n.cell(starts))
		if _, valid := amount.Short(block, digits, byte(n.points)^'0'); !alike || !valid {
			return false
		}
	}
	for i := range s.words {
		inStock, readable := cell.StockWord(block, s.words[i].cell(starts))
		if !readable {
			return false
		}
		if inStock && s.skipsIn != 0 || !inStock && s.skipsOut != 0 {
			named = false
		}
	}
	return !named
}

// plain reports whether a name is in order at first sight.
func (s *Screen) plain(block []byte, c cell.Span) bool {
	first, last := cell.Ends(block, c)
	return uint64(c.Size()) <= s.longest && !oddStarts[block[c.From]] && (first|last)&s.beyond == 0
}

// blankEnd reports whether a name ends with a blank, as one may that looks like
// another.
func blankEnd(block []byte, c cell.Span) bool { return !c.Empty() && block[c.To-1] <= ' ' }

// oddStarts are what a name begins with that must be looked at more closely: a quote,
// the sign of a formula, which a text may be in, or a blank, as one may that looks like
// another.
var oddStarts = func() (odd [256]bool) {
	for _, b := range []byte("\"= \t\v\f\r") {
		odd[b] = true
	}
	return odd
}()
