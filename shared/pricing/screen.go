package pricing

// A screen tells which rows of a block in order need a closer look: all that an
// operation may match, and all that are not plainly without fault. The others,
// most of a table, are not looked at again. Assembly knows how it is laid out.
type screen struct {
	record                      uint64 // from a record's starts to the next one's, in bytes
	sku, category, price, stock needed
	// What the last two bytes of a record are, xor'ed with a carriage return
	// and a newline.
	endingFrom, endingTo uint64
	beyond               uint64 // the bits that the ends of a name must not have
	longest              uint64 // name, in bytes
	categories           *bloom // of those that operations name
	skus                 *bloom // the same; nil where no row matches by its SKU alone
}

// needed is where a needed column is.
type needed struct {
	start  uint64 // of its field among a record's starts, in bytes
	behind uint64 // bytes between the field's end and the next start
}

func (n *needed) cell(starts []uint32) cell {
	i := n.start / startBytes
	return cell{starts[i], starts[i+1] - uint32(n.behind)}
}

const startBytes = 4

// screenSlack is how many places behind the last notable row a screen may write
// to.
const screenSlack = 4

// newScreen returns the screen of a plan, or none where every row needs a
// closer look: where there is an operation that no category and no SKU is
// named by.
func newScreen(e *Engine, columns [neededColumns]uint32, fields int) *screen {
	if !e.categories.others.and(e.skus.others).empty() {
		return nil
	}
	s := &screen{record: uint64(startBytes * fields), categories: &e.categories.bloom}
	if !e.categories.others.empty() {
		s.skus = &e.skus.bloom
	}
	for column, at := range columns {
		s.needed(column).start = uint64(startBytes * at)
	}
	return s
}

func (s *screen) needed(column int) *needed {
	return [neededColumns]*needed{skuColumn: &s.sku, categoryColumn: &s.category, priceColumn: &s.price, stockColumn: &s.stock}[column]
}

// expect makes the screen ready for a block whose rows end as the first does:
// one that ends otherwise needs a closer look. Where the block is not all ASCII,
// a name needs one that is not, or whose ends do not show all of it.
func (s *screen) expect(block []byte, starts []uint32, ascii bool) {
	s.endingFrom, s.endingTo = 1, 0xff // a newline behind any byte but a carriage return
	width := uint64(1)
	if block[starts[s.record/startBytes]-2] == '\r' {
		s.endingFrom, s.endingTo, width = 0, 0, 2
	}
	for column := range neededColumns {
		n := s.needed(column)
		n.behind = 1
		if n.start == s.record-startBytes {
			n.behind = width
		}
	}
	s.beyond, s.longest = 0, maxNameBytes
	if !ascii {
		s.beyond, s.longest = highBits, 2*wordBytes
	}
}

// screenRows writes to notable the rows of a block, from one to before another,
// that need a closer look, and returns how many they are. Notable has room for
// them all and the slack. Processors with the instructions for it have a faster
// way to the same.
func screenRows(s *screen, block []byte, starts []uint32, from, to int, notable []uint32) (found int) {
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
func (s *screen) passes(block []byte, starts []uint32, end uint32) bool {
	ending := uint64(block[end-2]^'\r') | uint64(block[end-1]^'\n')<<8
	if ending < s.endingFrom || ending > s.endingTo {
		return false
	}
	sku, category := s.sku.cell(starts), s.category.cell(starts)
	_, readable := parseStock(block, s.stock.cell(starts))
	_, valid := parseShort(block, s.price.cell(starts))
	return valid && readable &&
		s.plain(block, category) && !s.categories.mayHold(sketch(block, category)) &&
		s.plain(block, sku) && (s.skus == nil || !s.skus.mayHold(sketch(block, sku)))
}

// plain reports whether a name is in order at first sight.
func (s *screen) plain(block []byte, c cell) bool {
	first, last := ends(block, c)
	return uint64(c.to-c.from) <= s.longest && !oddStarts[block[c.from]] && (first|last)&s.beyond == 0
}

// oddStarts are what a name begins with that must be looked at more closely.
var oddStarts = func() [256]bool {
	odd := formulaStarts
	odd['"'] = true
	return odd
}()
