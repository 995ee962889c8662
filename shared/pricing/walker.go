package pricing

import (
	"bytes"

	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/screen"
)

// walker carries the plan out over one block at a time. It changes nothing in
// the block: what it finds waits in edits and lines until the blocks before
// have been written.
type walker struct {
	*Engine
	*table.Records
	table *table.Table
	names *names

	screen   *screen.Screen // nil: every row needs a closer look
	screened bool           // the rows that are not notable need no look at all
	idle     *bool          // the state of rows that the screen may let pass; nil: none
	unasked  *bool          // the state that no operation matches; nil: none
	notable  []uint32

	sku, price, stock cell.Span // of the row that is walked
	now               rowChange // what is done to it
	identity          []byte    // what stands for a blank SKU

	rows    int64 // records walked in this block
	empties int64 // of them, the empty lines at the end
	edits   []edit
	text    []byte // the edits' new texts, one behind the other
	lines   []line
	rests   []byte // the lines' rests, one behind the other
	by      opSet  // of the line before
	middle  []byte // of that line
	states  states

	tally   tally
	remarks remarks // of rows of this block

	delimiter byte
	delimited bool     // a price of digits may be written with the delimiter in it
	undoing   *undoing // nil where no change is undone, or no more
}

// edit replaces a cell's content by the next size bytes of text.
type edit struct {
	cell.Span
	size int
}

// line is a change line: its row, counted from 0 in the block, and where its
// rest ends.
type line struct {
	row int64
	end int
}

// opCount counts the rows that an operation matched, of them those whose values
// it changed, and of those that no other changed, those whose price went against
// what it was to do.
type opCount struct{ Matched, Changed, Against int64 }

func (c *opCount) add(more opCount) {
	c.Matched += more.Matched
	c.Changed += more.Changed
	c.Against += more.Against
}

func (e *Engine) newWalker(t *table.Table) *walker {
	w := &walker{Engine: e, Records: t.NewRecords(), table: t, states: newStates(e.needs), tally: tally{Counts: make([]opCount, len(e.operations)), Moved: noMoves}}
	w.names, w.delimiter = newNames(e, t, w.Records), t.Dialect.Delimiter.Byte()
	w.delimited = t.Prices != nil && t.Prices.Marks(w.delimiter)
	if w.needs.Stock {
		w.unasked = w.idleState()
	}
	w.screen = w.newScreen()
	return w
}

// newScreen returns the screen of the plan, or none where every row needs a
// closer look: where there is an operation that no category and no SKU is
// named by.
func (w *walker) newScreen() *screen.Screen {
	t, everywhere := w.table, everyOperation
	var names []screen.Name
	w.screened = true
	for _, c := range w.names.columns {
		everywhere = everywhere.and(c.others)
		if w.screened = w.screened && c.screened; !c.screened {
			continue
		}
		for _, cell := range c.cells {
			name := screen.Name{Column: cell.Index}
			if len(c.ids) > 0 {
				name.Held = c.bloom
			}
			names = append(names, name)
		}
	}
	if !everywhere.empty() {
		return nil
	}
	var numbers []screen.Number
	if w.needs.Price {
		number := screen.Number{Column: t.Price, Point: t.Prices.FastPoint()}
		if prefix, suffix := t.Prices.Dress(); max(len(prefix), len(suffix)) <= screen.MaxDress {
			number.Prefix, number.Suffix = prefix, suffix
		}
		numbers = append(numbers, number)
	}
	var words []int
	switch {
	case !w.needs.Stock:
	case t.Stocks.Quantity():
		for _, column := range t.Places {
			numbers = append(numbers, screen.Number{Column: column})
		}
	default:
		words = t.Places
		if t.StatesStock() {
			w.idle = w.unasked
		}
	}
	return screen.New(len(t.Header), w.LineEnd(), names, numbers, words)
}

// idleState returns the state of rows that no operation matches, or nil where
// there is none.
func (e *Engine) idleState() (idle *bool) {
	for i := range e.operations {
		switch only := e.operations[i].inStock; {
		case only == nil, idle != nil && *idle == *only:
			return nil
		default:
			other := !*only
			idle = &other
		}
	}
	return idle
}

// reset makes the walker ready for Block[:limit].
func (w *walker) reset(limit int) {
	w.Reset(limit)
	w.rows, w.empties = 0, 0
	w.edits, w.text, w.lines, w.rests = w.edits[:0], w.text[:0], w.lines[:0], w.rests[:0]
	w.remarks.reset()
	w.tally.reset()
}

// walk goes through the whole block, or to its first fault: it returns where
// that record begins.
func (w *walker) walk() (pos int, found problem) {
	if w.undo == nil && w.Index() {
		w.table.Family.Mark()
		if w.indexed() {
			return w.Limit, problem{}
		}
		w.table.Family.Return()
	}
	w.reset(w.Limit)
	return w.search()
}

// indexed walks a block by its index and reports whether it found no fault.
// Where there is one, lines with too few fields may have passed for one record
// before it: which rows they are, the search says.
func (w *walker) indexed() bool {
	if w.screen != nil {
		if w.idle != nil && w.names.seenAll() {
			w.screen.Skip(*w.idle)
		}
		w.notable = w.screen.Rows(w.notable[:0], w.Block, w.Starts(), w.ASCII)
	}
	if w.screen != nil && w.screened {
		for _, row := range w.notable {
			if !w.indexedRow(row, false) {
				return false
			}
		}
	} else {
		notable := w.notable
		for row := range uint32(w.Count()) {
			screened := w.screen != nil && (len(notable) == 0 || notable[0] != row)
			if !screened && w.screen != nil {
				notable = notable[1:]
			}
			if !w.indexedRow(row, screened) {
				return false
			}
		}
		if 4*len(w.notable) > 3*w.Count() {
			w.screen = nil // it tells too little of this table
		}
	}
	w.rows = int64(w.Count())
	return true
}

// indexedRow carries the plan out over an indexed row, and reports whether it
// found no fault.
func (w *walker) indexedRow(row uint32, screened bool) bool {
	record, ok := w.Row(row)
	w.rows = int64(row) + 1
	return ok && w.row(record, screened).kind == table.Fine
}

// search walks a block that is not in order, record by record, to the first
// fault; or to the end, where all that is out of order is that the table ends
// with empty lines, or a record that is very long. That record is still to be
// shown to the family.
func (w *walker) search() (pos int, found problem) {
	for pos < w.Limit {
		w.table.Family.Mark()
		_, next, found := w.one(pos)
		if found.kind != table.Fine {
			w.table.Family.Return()
			return pos, found
		}
		pos = next
	}
	return pos, problem{}
}

// one carries the plan out over the record at pos. It returns where its
// text ends and where the next begins; after a fault in the quoting, the next
// is where the fault is.
func (w *walker) one(pos int) (end, next int, found problem) {
	w.rows++
	record, end, next, fault := w.Split(pos)
	switch {
	case end == pos && fault == table.Fine:
		w.empties++
		return end, next, problem{}
	case w.empties > 0:
		return end, next, problem{kind: table.EmptyLine, column: noColumn}
	case fault != table.Fine:
		return end, next, problem{kind: fault, column: noColumn}
	}
	return end, next, w.row(record, false)
}

// row carries the plan out over a record.
func (w *walker) row(at table.Record, screened bool) problem {
	if w.undo != nil {
		w.takeBack(at)
		return problem{}
	}
	if w.table.Skips(w.Block, at) {
		return problem{}
	}
	if w.table.Family != nil && w.names.findProduct(at) {
		w.remarks.note(unknownProduct, w.rows, opSet{})
	}
	if screened {
		if candidates, found := w.names.candidates(at, true); found.kind == table.Fine && candidates.empty() && len(w.names.noted) == 0 {
			return problem{}
		}
	}
	candidates, found := w.names.candidates(at, false)
	if found.kind != table.Fine {
		return found
	}
	t := w.table
	if t.Price >= 0 {
		w.price = at.Content(w.Block, t.Price)
	}
	if t.Stock >= 0 {
		w.stock = at.Content(w.Block, t.Stock)
	}
	if t.KeepBlank && t.Priceless(w.Block, at) {
		return w.unpriced(at, candidates)
	}
	var price table.Price
	if w.needs.Price {
		var fault table.Kind
		if price, fault = t.Prices.Read(w.Block, w.price); fault == table.Fine && w.money && !t.Prices.SameMoney(price) {
			fault = table.OtherCurrency
		}
		if fault != table.Fine {
			return problem{kind: fault, column: t.Price}
		}
	}
	var inStock bool
	if w.needs.Stock {
		if inStock, found = w.readStock(at); found.kind != table.Fine {
			return found
		}
	}
	if len(w.names.noted) > 0 {
		w.countNames(inStock)
	}
	if candidates.empty() {
		return problem{}
	}
	w.sku = w.names.sku
	return w.apply(at, candidates, price, inStock)
}

// unpriced carries out on a row without a price what neither looks at a price
// nor changes one: the stock of a variant that has its product's price is its
// own. Where there is no stock either, as in rows of images, the row is left
// alone.
func (w *walker) unpriced(at table.Record, candidates opSet) problem {
	if !w.needs.Stock || w.stock.Empty() {
		return problem{}
	}
	inStock, found := w.readStock(at)
	if found.kind != table.Fine {
		return found
	}
	if len(w.names.noted) > 0 {
		w.countNames(inStock)
	}
	w.sku = w.names.sku
	return w.apply(at, candidates.and(w.priceless), table.Price{}, inStock)
}

// countNames counts the row for the names that it has, unless no operation
// matches rows in its state: those may not have been looked at.
func (w *walker) countNames(inStock bool) {
	if w.unasked != nil && *w.unasked == inStock {
		return
	}
	count(w.names.noted)
}

// readStock reads the row's state, or its product's where its own is blank; a
// product's, where its variants tell it.
func (w *walker) readStock(at table.Record) (inStock bool, found problem) {
	if w.table.Untracked(w.Block, at) {
		return true, problem{}
	}
	if family := w.table.Family; family != nil && w.names.product == nil {
		if inStock, known := family.VariantInStock(w.Block, at); known {
			return inStock, problem{}
		}
	}
	if product := w.names.product; w.stock.Empty() && product != nil && len(product.Stock) > 0 {
		inStock, found.kind = w.table.Stocks.Read(cell.Block(string(product.Stock)))
		found.column = w.table.Stock
		return inStock, found
	}
	inStock, found.column, found.kind = w.table.InStock(w.Block, at)
	return inStock, found
}

// apply carries the candidates out, in order, on a row. Each sees the price
// and the stock that the one before left.
func (w *walker) apply(at table.Record, candidates opSet, price table.Price, stock bool) problem {
	newPrice, newStock := price.Amount, stock
	var by opSet
	last, changes := 0, 0
	for i := 0; !candidates.empty(); {
		i, candidates = candidates.next()
		op := &w.operations[i]
		if !op.matches(newPrice, newStock) {
			continue
		}
		w.tally.Counts[i].Matched++
		if op.setStock {
			if newStock == op.stock {
				continue
			}
			newStock = op.stock
		} else {
			result, fault := op.formula.apply(newPrice)
			if fault != table.Fine {
				return problem{kind: fault, column: w.table.Price, operation: i}
			}
			if result.Equal(newPrice) {
				continue
			}
			newPrice = result
		}
		w.tally.Counts[i].Changed++
		by = by.with(i)
		last, changes = i, changes+1
	}
	priced, stocked := !newPrice.Equal(price.Amount), newStock != stock
	if !priced && !stocked {
		return problem{}
	}
	if direction := w.operations[last].formula.direction; priced && changes == 1 && direction != 0 && newPrice.Cmp(price.Amount) != direction {
		w.tally.Counts[last].Against++
	}
	c := &w.now
	c.by, c.price, c.newPrice, c.stock, c.newStock, c.priced, c.stocked = by, price, newPrice, stock, newStock, priced, stocked
	return w.change(at, c)
}

// change notes the edits of a changed row and its line.
func (w *walker) change(at table.Record, c *rowChange) problem {
	c.priceText = w.price.Of(w.Block)
	stockFirst := w.table.Stock < w.table.Price
	if c.stocked && stockFirst {
		if found := w.editStock(at, c); found.kind != table.Fine {
			return found
		}
	}
	if c.priced {
		start := len(w.text)
		text := w.table.Prices.Write(w.text, w.price.Of(w.Block), c.price, c.newPrice)
		c.priceText = text[start:]
		if c.quoted = (w.delimited || !c.price.Plain()) && w.needsQuotes(at, w.table.Price, c.priceText); c.quoted {
			if !w.table.Quotes() {
				return problem{kind: unquotablePrice, column: w.table.Price}
			}
			text = append(append(append(text[:start:start], '"'), c.priceText...), '"')
		}
		w.edit(w.price, text)
	}
	if c.stocked && !stockFirst {
		if found := w.editStock(at, c); found.kind != table.Fine {
			return found
		}
	}
	if c.priced && w.table.HasSales() {
		w.table.MovesOfSale(w.Block, at, c.price.Amount, c.newPrice, func(move table.SaleMove) {
			w.remarks.note(remark(move), w.rows, c.by)
		})
	}
	w.count(c)
	w.appendLineRest(at, c)
	w.lines = append(w.lines, line{row: w.rows - 1, end: len(w.rests)})
	return problem{}
}

// needsQuotes reports whether a text can stand in a cell, as a value alone,
// only with quotes around it, which the cell does not have.
func (w *walker) needsQuotes(at table.Record, column int, text []byte) bool {
	return bytes.IndexByte(text, w.delimiter) >= 0 && at.Field(column) == at.Content(w.Block, column)
}

// count adds a changed row, whose line is the next one, to the tally.
func (w *walker) count(c *rowChange) {
	w.tally.Changed++
	if c.priced {
		w.tally.Mixed = w.tally.Mixed || !w.table.Prices.SameMoney(c.price)
		w.tally.price(len(w.lines), c.price.Amount, c.newPrice)
	}
	if c.stocked {
		w.tally.stock(c.newStock)
	}
}

func (w *walker) editStock(at table.Record, c *rowChange) problem {
	text, ok := w.table.Stocks.Write(w.text, w.stock.Of(w.Block), c.newStock)
	switch {
	case w.table.Untracked(w.Block, at):
		return problem{kind: untrackedStock, column: w.table.Stock}
	case !ok && w.table.Stocks.Quantity():
		return problem{kind: unknownQuantity, column: w.table.Stock}
	case !ok:
		return problem{kind: unwritableStock, column: w.table.Stock}
	}
	c.stockText = text[len(w.text):]
	w.edit(w.stock, text)
	return problem{}
}

// edit notes that text, which is w.text with the new content behind it, takes
// the place of a cell's content.
func (w *walker) edit(at cell.Span, text []byte) {
	w.edits = append(w.edits, edit{at, len(text) - len(w.text)})
	w.text = text
}

// identify appends what stands for a row's SKU in records where that is blank.
func identify(identity []byte, t *table.Table, block []byte, at table.Record) []byte {
	for _, column := range t.Identity {
		text := at.Content(block, column).Of(block)
		if len(text) == 0 {
			continue
		}
		if len(identity) > 0 {
			identity = append(identity, " / "...)
		}
		identity = append(identity, bytes.ReplaceAll(text, []byte(`""`), []byte(`"`))...)
	}
	return identity
}
