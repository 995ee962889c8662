package pricing

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// walker carries the plan out over one block at a time. It changes nothing in
// the block: what it finds waits in edits and lines until the blocks before
// have been written.
type walker struct {
	*Engine
	columns  [neededColumns]uint32 // where each needed column is
	index    index
	splitter splitter

	screen *screen // nil: every row needs a closer look
	looked []uint32

	block []byte // the records, a newline and padding: see blockPadding
	limit int    // where the records end
	ascii bool   // the block is known to be nothing else

	sku, price, stock cell // of the row that is walked

	rows    int64 // records walked in this block
	empties int64 // of them, the empty lines at the end
	edits   []edit
	text    []byte // the edits' new texts, one behind the other
	lines   []line
	rests   []byte // the lines' rests, one behind the other
	by      opSet  // of the line before
	middle  []byte // of that line

	counts  []opCount // by operation
	changed int64     // rows
}

// cell is where a cell is in a block, or what it holds.
type cell struct{ from, to uint32 }

func (c cell) empty() bool { return c.from == c.to }

// record is a record of a block by where its fields begin: field i begins at
// starts[first+i], and the delimiter it ends with is the last byte before the
// next one begins.
type record struct {
	starts []uint32
	first  uint32
}

func (r record) field(i uint32) cell {
	at := int(r.first) + int(i)
	return cell{to: r.starts[at+1] - 1, from: r.starts[at]}
}

// edit replaces a cell's content by the next size bytes of text.
type edit struct {
	cell
	size int
}

// line is a change line: its row, counted from 0 in the block, and where its
// rest ends.
type line struct {
	row int64
	end int
}

// opCount counts the rows that an operation matched, and of them those whose
// values it changed.
type opCount struct{ matched, changed int64 }

func (e *Engine) newWalker(columns [neededColumns]int, fields int) *walker {
	w := &walker{Engine: e, index: index{fields: fields}, splitter: newSplitter(fields), counts: make([]opCount, len(e.operations))}
	for i, column := range columns {
		w.columns[i] = uint32(column)
	}
	w.screen = newScreen(e, w.columns, fields)
	return w
}

// reset makes the walker ready for block[:limit].
func (w *walker) reset(limit int) {
	w.limit = limit
	seal(w.block, limit)
	w.rows, w.empties, w.ascii = 0, 0, false
	w.edits, w.text, w.lines, w.rests = w.edits[:0], w.text[:0], w.lines[:0], w.rests[:0]
}

// walk goes through the whole block, or to its first fault: it returns where
// that record begins.
func (w *walker) walk() (pos int, found trouble) {
	if w.limit <= maxRecordBytes && w.index.read(w.block, w.limit) {
		if w.ascii = w.index.ascii; w.indexed() {
			return w.limit, trouble{}
		}
	}
	w.reset(w.limit)
	return w.search()
}

// indexed walks a block by its index and reports whether it found no fault.
// Where there is one, lines with too few fields may have passed for one record
// before it: which rows they are, the search says.
func (w *walker) indexed() bool {
	starts, fields := w.index.starts, uint32(w.index.fields)
	for _, row := range w.notable() {
		first, last := row*fields, (row+1)*fields
		next := starts[last]
		if w.block[next-1] != '\n' {
			return false
		}
		if w.block[next-2] == '\r' {
			starts[last]-- // it is not of the last cell
		}
		w.rows = int64(row) + 1
		if w.row(record{starts, first}).kind != fine {
			return false
		}
		starts[last] = next
	}
	w.rows = int64(len(starts)-1) / int64(fields)
	return true
}

// notable returns the rows of the block that need a closer look.
func (w *walker) notable() []uint32 {
	rows := len(w.index.starts) / w.index.fields
	w.looked = slices.Grow(w.looked[:0], rows+screenSlack)[:rows+screenSlack]
	if w.screen != nil && rows > 0 {
		w.screen.expect(w.block, w.index.starts, w.ascii)
		return w.looked[:screenBlock(w.screen, w.block, w.index.starts, w.looked)]
	}
	for row := range rows {
		w.looked[row] = uint32(row)
	}
	return w.looked[:rows]
}

// search walks a block that is not in order, record by record, to the first
// fault; or to the end, where all that is out of order is that the table ends
// with empty lines, or a record that is very long.
func (w *walker) search() (pos int, found trouble) {
	for pos < w.limit {
		_, next, found := w.one(pos)
		if found.kind != fine {
			return pos, found
		}
		pos = next
	}
	return pos, trouble{}
}

// one carries the plan out over the record at pos. It returns where its
// text ends and where the next begins; after a fault in the quoting, the next
// is where the fault is.
func (w *walker) one(pos int) (end, next int, found trouble) {
	w.rows++
	end, next, fault := w.splitter.split(w.block, w.limit, pos)
	switch {
	case end == pos && fault == fine:
		w.empties++
		return end, next, trouble{}
	case w.empties > 0:
		return end, next, trouble{kind: emptyLine, column: noColumn}
	case end-pos > maxRecordBytes:
		return end, next, trouble{kind: recordTooLong, column: noColumn}
	case fault != fine:
		return end, next, trouble{kind: fault, column: noColumn}
	case bytes.IndexByte(w.block[pos:end], 0) >= 0:
		return end, next, trouble{kind: nulByte, column: noColumn}
	case w.splitter.fields != w.index.fields:
		return end, next, trouble{kind: fieldCount, column: noColumn}
	}
	return end, next, w.row(w.splitter.record())
}

// row carries the plan out over a record.
func (w *walker) row(at record) trouble {
	sku, fault := w.name(at, skuColumn)
	if fault != fine {
		return trouble{kind: fault, column: skuColumn}
	}
	category, fault := w.name(at, categoryColumn)
	if fault != fine {
		return trouble{kind: fault, column: categoryColumn}
	}
	candidates := w.categories.find(w.block, category)
	if !candidates.empty() {
		candidates = candidates.and(w.skus.find(w.block, sku))
	}
	price, stock := w.content(at, priceColumn), w.content(at, stockColumn)
	inStock, readable := parseStock(w.block, stock)
	if price.empty() && w.settings.BlankPrice == BlankPriceKeep {
		if !readable && !stock.empty() {
			return trouble{kind: badStock, column: stockColumn}
		}
		return trouble{}
	}
	amount, valid := parseAmount(w.block, price)
	switch {
	case price.empty():
		return trouble{kind: blankPrice, column: priceColumn}
	case !valid:
		return trouble{kind: badPrice, column: priceColumn}
	case !readable:
		return trouble{kind: badStock, column: stockColumn}
	case candidates.empty():
		return trouble{}
	}
	w.sku, w.price, w.stock = sku, price, stock
	return w.apply(candidates, amount, inStock)
}

// content finds what a record's cell holds in a needed column, without the
// quotes around it.
func (w *walker) content(at record, column int) cell {
	c := at.field(w.columns[column])
	if w.block[c.from] == '"' {
		c.from, c.to = c.from+1, c.to-1
	}
	return c
}

// name finds and checks a record's SKU or category.
func (w *walker) name(at record, column int) (cell, kind) {
	c := at.field(w.columns[column])
	if w.block[c.from] == '"' {
		c = w.unquote(column, cell{c.from + 1, c.to - 1})
	}
	return c, w.checkName(w.block[c.from:c.to])
}

// apply carries the candidates out, in order, on a row. Each sees the price
// and the stock that the one before left.
func (w *walker) apply(candidates opSet, price amount, stock bool) trouble {
	newPrice, newStock := price, stock
	var by opSet
	for i := 0; !candidates.empty(); {
		i, candidates = candidates.next()
		op := &w.operations[i]
		if !op.matches(newPrice, newStock) {
			continue
		}
		w.counts[i].matched++
		if op.setStock {
			if newStock == op.stock {
				continue
			}
			newStock = op.stock
		} else {
			result, fault := op.formula.apply(newPrice)
			if fault != fine {
				return trouble{kind: fault, column: priceColumn, operation: int8(i)}
			}
			if result.equal(newPrice) {
				continue
			}
			newPrice = result
		}
		w.counts[i].changed++
		by = by.with(i)
	}
	priceChanged, stockChanged := !newPrice.equal(price), newStock != stock
	if priceChanged || stockChanged {
		w.change(by, newPrice, priceChanged, stock, newStock)
	}
	return trouble{}
}

// change notes the edits of a changed row and its line.
func (w *walker) change(by opSet, price amount, priceChanged bool, stock, newStock bool) {
	newPrice := w.block[w.price.from:w.price.to]
	stockFirst := w.columns[stockColumn] < w.columns[priceColumn]
	if stock != newStock && stockFirst {
		w.editStock(newStock)
	}
	if priceChanged {
		start := len(w.text)
		w.edit(w.price, price.append(w.text))
		newPrice = w.text[start:]
	}
	if stock != newStock && !stockFirst {
		w.editStock(newStock)
	}
	w.changed++
	w.appendLineRest(by, stock, newPrice, newStock)
	w.lines = append(w.lines, line{row: w.rows - 1, end: len(w.rests)})
}

func (w *walker) editStock(inStock bool) {
	w.edit(w.stock, appendStock(w.text, w.block[w.stock.from:w.stock.to], inStock))
}

// edit notes that text, which is w.text with the new content behind it, takes
// the place of a cell's content.
func (w *walker) edit(c cell, text []byte) {
	w.edits = append(w.edits, edit{c, len(text) - len(w.text)})
	w.text = text
}

// checkName checks what is checked of every SKU and category.
func (w *walker) checkName(text []byte) kind {
	switch {
	case len(text) > maxNameBytes:
		return nameTooLong
	case !w.ascii && !utf8.Valid(text):
		return notUTF8
	case len(text) > 0 && formulaStarts[text[0]] && !w.settings.AllowFormulaCells:
		return formulaCell
	}
	return fine
}

var formulaStarts = [256]bool{'=': true, '+': true, '-': true, '@': true, '\t': true, '\r': true}

// unquote returns where the name in a quoted cell's content is. Where there is
// one quote for two, its text is put behind the block.
func (w *walker) unquote(column int, c cell) cell {
	quoted := w.block[c.from:c.to]
	if bytes.IndexByte(quoted, '"') < 0 {
		return c
	}
	from := w.limit + stride + unquotedRoom*column
	to := from
	for i := 0; i < len(quoted) && to-from <= maxNameBytes; i++ {
		w.block[to] = quoted[i]
		to++
		if quoted[i] == '"' {
			i++ // the second of two
		}
	}
	return cell{uint32(from), uint32(to)}
}
