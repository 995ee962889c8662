package pricing

import (
	"bytes"
	"unicode/utf8"
)

// walker carries the plan out over one block at a time. It changes nothing in
// the block: what it finds waits in edits and lines until the blocks before
// have been written.
type walker struct {
	*Engine
	columns  [neededColumns]int // where each needed column is
	index    index
	splitter splitter

	block []byte // the records, a newline and padding: see blockPadding
	limit int    // where the records end

	rows    int64 // records walked in this block
	empties int64 // of them, the empty lines at the end
	edits   []edit
	text    []byte // the edits' new texts, one behind the other
	lines   []line
	rests   []byte // the lines' rests, one behind the other

	unquoted [2][]byte // a SKU and a category without their doubled quotes
	counts   []opCount // by operation
	changed  int64     // rows
}

// cell is where a cell's content is, without the quotes around it.
type cell struct{ from, to int }

// edit replaces block[from:to] by the next size bytes of text.
type edit struct{ from, to, size int32 }

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
	return &walker{
		Engine: e, columns: columns, index: index{fields: fields}, splitter: newSplitter(fields),
		counts: make([]opCount, len(e.operations)),
	}
}

// reset makes the walker ready for block[:limit].
func (w *walker) reset(limit int) {
	w.limit = limit
	w.block[limit] = '\n'
	w.rows, w.empties = 0, 0
	w.edits, w.text, w.lines, w.rests = w.edits[:0], w.text[:0], w.lines[:0], w.rests[:0]
}

// walk goes through the whole block, or to its first fault: it returns where
// that record begins.
func (w *walker) walk() (pos int, found trouble) {
	if w.limit <= maxRecordBytes && w.index.read(w.block, w.limit) && w.indexed() {
		return w.limit, trouble{}
	}
	w.reset(w.limit)
	return w.search()
}

// indexed walks a block by its index and reports whether it found no fault.
// Where there is one, lines with too few fields may have passed for one record
// before it: which rows they are, the search says.
func (w *walker) indexed() bool {
	fields := w.index.fields
	for at := w.index.ends; len(at) > fields; at = at[fields:] {
		end := at[fields]
		if w.block[end] != '\n' {
			return false
		}
		if w.block[end-1] == '\r' {
			at[fields]-- // it is not of the last cell
		}
		w.rows++
		if w.row(at[:fields+1]).kind != fine {
			return false
		}
		at[fields] = end
	}
	return true
}

// search walks a block that is not in order, record by record, to the first
// fault; or to the end, where all that is out of order is that the table ends
// with empty lines, or a record that is very long.
func (w *walker) search() (pos int, found trouble) {
	for pos < w.limit {
		_, next, found := w.record(pos)
		if found.kind != fine {
			return pos, found
		}
		pos = next
	}
	return pos, trouble{}
}

// record carries the plan out over the record at pos. It returns where its
// text ends and where the next begins; after a fault in the quoting, the next
// is where the fault is.
func (w *walker) record(pos int) (end, next int, found trouble) {
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
	return end, next, w.row(w.splitter.at)
}

// row carries the plan out over a record, given where its fields are: field i
// between at[i] and at[i+1].
func (w *walker) row(at []int32) trouble {
	sku, skuWords, fault := w.name(at, skuColumn)
	if fault != fine {
		return trouble{kind: fault, column: skuColumn}
	}
	category, categoryWords, fault := w.name(at, categoryColumn)
	if fault != fine {
		return trouble{kind: fault, column: categoryColumn}
	}
	price, stock := w.cell(at, priceColumn), w.cell(at, stockColumn)
	inStock, readable := parseStock(w.block, stock.from, stock.to)
	if price.from == price.to {
		switch {
		case w.settings.BlankPrice != BlankPriceKeep:
			return trouble{kind: blankPrice, column: priceColumn}
		case !readable && stock.from != stock.to:
			return trouble{kind: badStock, column: stockColumn}
		}
		return trouble{}
	}
	amount, valid := parseAmount(w.block, price.from, price.to)
	if !valid {
		return trouble{kind: badPrice, column: priceColumn}
	}
	if !readable {
		return trouble{kind: badStock, column: stockColumn}
	}
	candidates := w.categories.find(category, categoryWords)
	if candidates.empty() {
		return trouble{}
	}
	candidates = candidates.and(w.skus.find(sku, skuWords))
	if candidates.empty() {
		return trouble{}
	}
	return w.apply(candidates, at, sku, amount, inStock)
}

// cell finds the content of a record's cell in a needed column.
func (w *walker) cell(at []int32, column int) cell {
	i := w.columns[column]
	c := cell{int(at[i]) + 1, int(at[i+1])}
	if w.block[c.from] == '"' {
		c.from, c.to = c.from+1, c.to-1
	}
	return c
}

// name finds and checks a record's SKU or category.
func (w *walker) name(at []int32, column int) (text []byte, words words, fault kind) {
	block, c := w.block, w.cell(at, column)
	if quoted := c.from-1 > int(at[w.columns[column]]); quoted {
		block, c = w.unquote(column, c)
	}
	text, words = block[c.from:c.to], wordsOf(block, c.from, c.to)
	if !plain(c, words) {
		fault = w.checkName(text)
	}
	return text, words, fault
}

// apply carries the candidates out, in order, on a row. Each sees the price
// and the stock that the one before left.
func (w *walker) apply(candidates opSet, at []int32, sku []byte, price amount, stock bool) trouble {
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
		w.change(at, sku, by, newPrice, priceChanged, stock, newStock)
	}
	return trouble{}
}

// change notes the edits of a changed row and its line.
func (w *walker) change(at []int32, sku []byte, by opSet, price amount, priceChanged bool, stock, newStock bool) {
	priceCell, stockCell := w.cell(at, priceColumn), w.cell(at, stockColumn)
	oldPrice := w.block[priceCell.from:priceCell.to]
	newPrice := oldPrice
	editStock := func() {
		if stock != newStock {
			w.edit(stockCell, appendStock(w.text, w.block[stockCell.from:stockCell.to], newStock))
		}
	}
	stockFirst := w.columns[stockColumn] < w.columns[priceColumn]
	if stockFirst {
		editStock()
	}
	if priceChanged {
		start := len(w.text)
		w.edit(priceCell, price.append(w.text))
		newPrice = w.text[start:]
	}
	if !stockFirst {
		editStock()
	}
	w.changed++
	w.rests = w.appendLineRest(w.rests, sku, by, cells{oldPrice, stock}, cells{newPrice, newStock})
	w.lines = append(w.lines, line{row: w.rows - 1, end: len(w.rests)})
}

// edit notes that text, which is w.text with the new content behind it, takes
// the place of a cell's content.
func (w *walker) edit(c cell, text []byte) {
	w.edits = append(w.edits, edit{int32(c.from), int32(c.to), int32(len(text) - len(w.text))})
	w.text = text
}

// plain reports whether a name is in order at first sight, as nearly all are.
func plain(c cell, words words) bool {
	return (words.first|words.second)&highBits == 0 && c.to-c.from <= 16 && !formulaStarts[byte(words.first)]
}

// checkName checks what is checked of every SKU and category.
func (w *walker) checkName(text []byte) kind {
	switch {
	case len(text) > maxNameBytes:
		return nameTooLong
	case !utf8.Valid(text):
		return notUTF8
	case len(text) > 0 && formulaStarts[text[0]] && !w.settings.AllowFormulaCells:
		return formulaCell
	}
	return fine
}

var formulaStarts = [256]bool{'=': true, '+': true, '-': true, '@': true, '\t': true, '\r': true}

// unquote returns the text in which a quoted SKU or category is, and where: the
// block, or where there is one quote for two, a text of its own.
func (w *walker) unquote(column int, c cell) ([]byte, cell) {
	quoted := w.block[c.from:c.to]
	if bytes.IndexByte(quoted, '"') < 0 {
		return w.block, c
	}
	text := w.unquoted[column][:0]
	for i := 0; i < len(quoted); i++ {
		text = append(text, quoted[i])
		if quoted[i] == '"' {
			i++ // the second of two
		}
	}
	w.unquoted[column] = append(text, make([]byte, blockPadding)...)
	return w.unquoted[column], cell{0, len(text)}
}
