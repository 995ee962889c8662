package screen

import (
	"bytes"
	"slices"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// A Part is a column of texts that are not compared as a whole. A row needs a closer look
// where its cell may have one of the words, or may begin with one of the texts, both in small
// letters; or where it has one of the marks.
type Part struct {
	Column     int
	Words      []string
	Beginnings []string
	Marks      string // of ASCII; where there are some, there is nothing else
	// Opening: a cell that begins with a quote needs a closer look.
	Opening bool
}

// A Range is a column of whole numbers. A row needs a closer look where its number may lie
// between one of the pairs of bounds, which belong to it.
type Range struct {
	Column int
	Within [][2]int64
}

// part is a Part that is searched for by windows: the first bytes of each text, as many as
// the shortest has and a word at most.
type part struct {
	anchored bool // a cell must begin with the window
	opening  bool
	window   uint32
	mask     uint64 // ones for the window's bytes
	texts    map[uint64]struct{}
	// steps tells by the window's last two bytes how far the next window may begin behind
	// this one; 0: this one may be a text's.
	steps [partSteps]uint8
}

const partSteps = 1 << 12

func newPart(p Part) (made *part) {
	made = &part{
		anchored: p.Words == nil,
		opening:  p.Opening,
		window:   cell.WordBytes,
		texts:    map[uint64]struct{}{},
	}
	var texts []string
	for _, text := range append(p.Words, p.Beginnings...) {
		if isASCII(text) && text != "" { // others stand in cells that need a closer look anyway
			texts = append(texts, text)
			made.window = min(made.window, uint32(len(text)))
		}
	}
	made.mask = cell.LowBytes(made.window)
	ends := min(made.window, 2) // bytes that tell a step
	for i := range made.steps {
		made.steps[i] = uint8(made.window - ends + 1)
	}
	for _, text := range texts {
		block, at := cell.Block(text)
		made.texts[made.at(block, at.From)] = struct{}{}
		for behind := ends; behind <= made.window; behind++ {
			shifted := made.at(block, 0) << (8 * (made.window - behind)) // as a window that ends there
			step := &made.steps[made.step(shifted)]
			*step = min(*step, uint8(made.window-behind))
		}
	}
	return made
}

func isASCII(text string) bool {
	for _, b := range []byte(text) {
		if b >= 0x80 {
			return false
		}
	}
	return true
}

// at returns the window at a place of a block, in small letters.
func (p *part) at(block []byte, from uint32) uint64 {
	return (cell.Word(block, from) | smallLetters) & p.mask
}

// step returns the place among the steps of a window.
func (p *part) step(window uint64) uint64 {
	if p.window == 1 {
		return window & 0xff
	}
	last := window >> (8 * (p.window - 2)) & 0xffff
	return (last ^ last>>5) % partSteps
}

// mayHold reports whether a cell may have one of the texts.
func (p *part) mayHold(block []byte, c cell.Span, ascii bool) bool {
	first := block[c.From]
	if p.opening && first == '"' || !ascii && beyondASCII(block, c) {
		return true
	}
	if p.anchored {
		return p.mayBegin(block, c)
	}
	for at := c.From; at+p.window <= c.To; {
		window := p.at(block, at)
		step := p.steps[p.step(window)]
		if step == 0 {
			if _, held := p.texts[window]; held {
				return true
			}
			step = 1
		}
		at += uint32(step)
	}
	return false
}

// mayBegin reports whether a cell may begin with one of the texts. One that begins with a
// doubled quote, or as a formula of a text does, may.
func (p *part) mayBegin(block []byte, c cell.Span) bool {
	quoted := block[c.From] == '"' && !c.Empty()
	if quoted {
		c.From++
		c.To--
	}
	if c.Size() < p.window {
		return false
	}
	window := p.at(block, c.From)
	if p.steps[p.step(window)] == 0 {
		if _, held := p.texts[window]; held {
			return true
		}
	}
	return block[c.From] == '=' || quoted && bytes.IndexByte(block[c.From:c.From+p.window], '"') >= 0
}

// beyondASCII reports whether a cell has a byte that is not ASCII.
func beyondASCII(block []byte, c cell.Span) bool {
	var all uint64
	for at := c.From; at < c.To; at += cell.WordBytes {
		all |= cell.Word(block, at) & cell.LowBytes(c.To-at)
	}
	return all&cell.HighBits != 0
}

// mayHold reports whether a cell's number may lie within the bounds: it does, or the cell
// is not plainly a whole number.
func (r *Range) mayHold(block []byte, c cell.Span, _ bool) bool {
	number, plain := amount.Short(block, c, 0)
	if !plain {
		return true
	}
	for _, bounds := range r.Within {
		if bounds[0] <= number.Units && number.Units <= bounds[1] {
			return true
		}
	}
	return false
}

// Closer has more columns checked. Those rows need a closer look too that may have a part,
// or a number within a range.
func (s *Screen) Closer(parts []Part, ranges []Range) {
	for _, p := range parts {
		if p.Marks != "" {
			s.checks = append(s.checks, check{p.Column, newMarks(p.Marks)})
		} else {
			s.checks = append(s.checks, check{p.Column, newPart(p)})
		}
	}
	for _, r := range ranges {
		s.checks = append(s.checks, check{r.Column, &r})
	}
}

// check is a column of which Go alone looks at each cell: assembly does not know of it.
type check struct {
	column int
	of     interface {
		// inBlock reports whether a cell of the block may hold what is looked for.
		inBlock(block []byte) bool
		mayHold(block []byte, c cell.Span, ascii bool) bool
	}
}

// marks are bytes that are looked for in cells.
type marks struct {
	all string
	is  [256]bool
}

func newMarks(all string) *marks {
	m := &marks{all: all}
	for _, b := range []byte(all) {
		m.is[b] = true
	}
	return m
}

// inBlock tells most blocks that have none of them.
func (m *marks) inBlock(block []byte) bool {
	for i := range len(m.all) {
		if bytes.IndexByte(block, m.all[i]) >= 0 {
			return true
		}
	}
	return false
}

func (m *marks) mayHold(block []byte, c cell.Span, _ bool) bool {
	for _, b := range c.Of(block) {
		if m.is[b] {
			return true
		}
	}
	return false
}

func (*part) inBlock([]byte) bool  { return true }
func (*Range) inBlock([]byte) bool { return true }

// closer adds to the notable rows those that another check tells.
func (s *Screen) closer(notable []uint32, block []byte, starts []uint32, ascii bool) []uint32 {
	fields := int(s.record / startBytes)
	rows := (len(starts) - 1) / fields
	text := block[:starts[len(starts)-1]]
	any := false
	for _, c := range s.checks {
		if !c.of.inBlock(text) {
			continue
		}
		if !any {
			s.mark(rows, notable)
			any = true
		}
		last := c.column == fields-1
		for row, at := 0, c.column; row < rows; row, at = row+1, at+fields {
			cell := cell.Span{From: starts[at], To: starts[at+1] - 1}
			if last && cell.To > cell.From && block[cell.To-1] == '\r' {
				cell.To--
			}
			if !s.marked[row] && c.of.mayHold(block, cell, ascii) {
				s.marked[row] = true
			}
		}
	}
	if !any {
		return notable
	}
	notable = notable[:0]
	for row, marked := range s.marked {
		if marked {
			notable = append(notable, uint32(row))
		}
	}
	return notable
}

// mark marks the notable rows of a block.
func (s *Screen) mark(rows int, notable []uint32) {
	s.marked = slices.Grow(s.marked[:0], rows)[:rows]
	clear(s.marked)
	for _, row := range notable {
		s.marked[row] = true
	}
}
