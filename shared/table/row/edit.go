package row

import (
	"bytes"
	"slices"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/recognize"
)

// Edit is what becomes of a row's cells, by their roles: another amount, another
// state of stock, or the very text that a cell is to hold.
type Edit struct {
	Money     [recognize.Moneys]MoneyEdit
	SetsStock bool
	InStock   bool
	StockText *string // instead of the state, which is not looked at
	Texts     [recognize.Texts]*string
}

// ChangesPrices reports whether another price, or sale, becomes the row's.
func (e *Edit) ChangesPrices() bool {
	for m := range e.Money {
		if e.Money[m].Sets {
			return true
		}
	}
	return [recognize.Quantity]*string(e.Texts[:recognize.Quantity]) != [recognize.Quantity]*string{}
}

// MoneyEdit is what becomes of a cell of money.
type MoneyEdit struct {
	Sets   bool
	Amount amount.Amount
	Text   *string // instead of the amount, which is not looked at
	Bare   bool    // the quotes around it go too
	// Copies: the amount is that of another cell, and is written as it is there where
	// this column's are written so.
	Copies bool
	From   recognize.Money
}

// replacement takes the place of a cell's content: the bytes of text from one to
// another.
type replacement struct {
	cell.Span
	from, to int
}

// Write has the row written with an edit made, each cell in its own form. A
// fault says why a cell cannot hold what it is to; the row must not be written
// then.
func (r *Row) Write(e *Edit) Problem {
	first := len(r.s.edits)
	for _, m := range r.s.money {
		if !e.Money[m].Sets {
			r.keepMoney(m)
		} else if found := r.writeMoney(m, &e.Money[m]); found.Kind != faults.Fine {
			return found
		}
	}
	if e.SetsStock {
		if found := r.writeStock(e); found.Kind != faults.Fine {
			return found
		}
	}
	if found := r.writeTexts(e); found.Kind != faults.Fine {
		return found
	}
	if r.s.names.byText {
		for _, edit := range r.s.edits[first:] {
			if !r.s.table.Dialect.ComesBack(edit.Of(r.s.Block)) {
				return Problem{Kind: faults.BadEncoding, column: noColumn} // no undo could give it back
			}
		}
	}
	if len(r.s.edits) > first+1 { // in the order of the columns
		slices.SortFunc(r.s.edits[first:], func(a, b replacement) int { return int(a.From) - int(b.From) })
	}
	return Problem{}
}

// SetStock has a row's state of stock become another, and its quantity, where that becomes
// one. Where it does not, the quantity beside the word goes with it, where that says the old state.
func (e *Edit) SetStock(r *Row, inStock bool, count *Count) Problem {
	e.SetsStock = inStock != r.Stock.In
	e.InStock = inStock
	e.StockText = nil
	e.Texts[recognize.Quantity] = nil
	quantities := r.s.table.quantities
	if count != nil {
		e.setCount(r, *count)
		return Problem{}
	}
	if !e.SetsStock || quantities == nil {
		return Problem{}
	}
	column := r.s.table.first(recognize.RoleQuantity)
	old := r.record.Content(r.s.Block, column).Of(r.s.Block)
	if says, fault := quantities.Read(cell.Block(string(old))); fault != faults.Fine || says == inStock {
		return Problem{}
	}
	text, known := quantities.Write(nil, old, inStock)
	if !known {
		return Problem{Kind: faults.UnknownQuantity, column: column}
	}
	e.Texts[recognize.Quantity] = new(string(text))
	return Problem{}
}

// keepMoney has a cell of money say what it says.
func (r *Row) keepMoney(m recognize.Money) {
	c := &r.Money[m]
	c.Old, c.Quoted = c.at.Of(r.s.Block), false
	c.New = c.Old
}

func (r *Row) writeMoney(m recognize.Money, e *MoneyEdit) Problem {
	c, column := &r.Money[m], &r.s.table.money[m]
	start, at, text := len(r.s.text), c.at, r.s.text
	c.Old = at.Of(r.s.Block)
	switch {
	case r.lacks(column.index):
		return Problem{Kind: faults.NoCell, column: column.index}
	case e.Text != nil:
		content, _ := r.s.table.Dialect.Bytes(*e.Text)
		text = append(text, content...)
		if e.Bare {
			at = r.record.Field(column.index)
		}
	case e.Copies && r.writesAlike(m, e.From):
		text = append(text, r.Money[e.From].at.Of(r.s.Block)...)
	default:
		becomes := e.Amount
		if r.Whole { // nobody pays decimals, which are zeros then
			becomes = becomes.Whole()
		}
		var fault faults.Kind
		if text, fault = column.form.Write(text, c.Old, c.Figure, becomes); fault != faults.Fine {
			return Problem{Kind: fault, column: column.index}
		}
	}
	c.New = text[start:]
	if c.Quoted = r.s.needsQuotes(r.record, column.index, c.New); c.Quoted {
		if !r.s.table.quotes() {
			return Problem{Kind: faults.UnquotablePrice, column: column.index}
		}
		text = append(append(append(text[:start:start], '"'), c.New...), '"')
	}
	r.s.replace(at, text)
	return Problem{}
}

// lacks reports whether the row ends before a column.
func (r *Row) lacks(column int) bool { return r.s.table.shortRows && r.record.Lacks(column) }

func (r *Row) writeStock(e *Edit) Problem {
	at, text := r.stockAt, r.s.text
	switch {
	case e.StockText != nil:
		text = r.appendCellText(r.s.table.stock, *e.StockText)
	case r.s.table.untracked.Has(r.s.Block, r.record):
		return Problem{Kind: faults.UntrackedStock, column: r.s.table.stock}
	default:
		written, ok := r.s.table.stocks.Write(text, at.Of(r.s.Block), e.InStock)
		switch {
		case ok:
			text = written
		case r.s.table.stocks.Quantity():
			return Problem{Kind: faults.UnknownQuantity, column: r.s.table.stock}
		default:
			return Problem{Kind: faults.UnwritableStock, column: r.s.table.stock}
		}
	}
	r.Stock.Old, r.Stock.New = at.Of(r.s.Block), text[len(r.s.text):]
	r.s.replace(at, text)
	return Problem{}
}

// appendCellText returns s.text with a text behind it as a column's cell holds it, in
// quotes where it needs some.
func (r *Row) appendCellText(column int, text string) []byte {
	content, _ := r.s.table.Dialect.Bytes(text)
	if r.s.needsQuotes(r.record, column, content) {
		content = slices.Concat([]byte{'"'}, content, []byte{'"'})
	}
	return append(r.s.text, content...)
}

// needsQuotes reports whether a text can stand in a cell, as a value alone,
// only with quotes around it, which the cell does not have.
func (s *scanner) needsQuotes(at dialect.Record, column int, text []byte) bool {
	return bytes.IndexByte(text, s.delimiter) >= 0 && at.Field(column) == at.Content(s.Block, column)
}

// replace notes that text, which is s.text with the new content behind it, takes
// the place of a cell's content.
func (s *scanner) replace(at cell.Span, text []byte) {
	if n := len(s.edits); n == cap(s.edits) {
		s.edits = slices.Grow(s.edits, s.row.ToCome(n+1))
	}
	s.edits = append(s.edits, replacement{at, len(s.text), len(text)})
	s.text = text
}

// HasFractions reports whether an amount becomes a cell's that has decimals.
func (e *Edit) HasFractions() bool {
	return slices.ContainsFunc(e.Money[:], func(m MoneyEdit) bool {
		return m.Sets && m.Text == nil && m.Amount.Decimals() > 0
	})
}

// ToCome returns how many more are to be expected in the block, and a few beside them,
// of what there are so many up to this row: room for them all is made at once.
func (r *Row) ToCome(n int) int {
	rows, all := max(r.s.rows, 1), r.s.indexedRows
	return int(int64(n)*max(all-rows, 0)/rows) + n/8 + 1
}

// writeTexts writes what is beside the price of a sale and the word of a stock.
func (r *Row) writeTexts(e *Edit) Problem {
	for x, text := range e.Texts {
		if text == nil {
			continue
		}
		index := r.s.table.Column(recognize.TextRoles[x])
		if r.lacks(index) {
			return Problem{Kind: faults.NoCell, column: index}
		}
		r.s.replace(r.record.Content(r.s.Block, index), r.appendCellText(index, *text))
	}
	return Problem{}
}

// setCount has a row's quantity become another.
func (e *Edit) setCount(r *Row, to Count) {
	text := to.String()
	if r.s.table.QuantityIsStock() {
		e.SetsStock, e.StockText = true, &text
		return
	}
	e.Texts[recognize.Quantity] = &text
}
