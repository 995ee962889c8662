package table

import (
	"bytes"
	"slices"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// Edit is what becomes of a row's cells, by their roles: another price, another
// state of stock, or the very text that a cell is to hold.
type Edit struct {
	SetsPrice bool
	Price     amount.Amount
	SetsStock bool
	InStock   bool

	PriceText, StockText *string // instead of the values, which are not looked at
	Unquote              bool    // the quotes around the price go too
}

// replacement takes the place of a cell's content: the next size bytes of text.
type replacement struct {
	cell.Span
	size int
}

// Write has the row written with an edit made, each cell in its own form. A
// fault says why a cell cannot hold what it is to; the row must not be written
// then.
func (r *Row) Write(e *Edit) Problem {
	r.priceText, r.quoted = r.priceCell.Of(r.s.Block), false
	stockFirst := r.s.table.Stock < r.s.table.Price
	if e.SetsStock && stockFirst {
		if found := r.writeStock(e); found.Kind != Fine {
			return found
		}
	}
	if e.SetsPrice {
		if found := r.writePrice(e); found.Kind != Fine {
			return found
		}
	}
	if e.SetsStock && !stockFirst {
		return r.writeStock(e)
	}
	return Problem{}
}

func (r *Row) writePrice(e *Edit) Problem {
	start, at := len(r.s.text), r.priceCell
	text, odd := r.s.text, true
	if e.PriceText != nil {
		content, _ := r.s.table.Dialect.Bytes(*e.PriceText)
		text = append(text, content...)
		if e.Unquote {
			at = r.record.Field(r.s.table.Price)
		}
	} else {
		text = r.s.table.Prices.Write(text, at.Of(r.s.Block), r.price, e.Price)
		odd = r.s.delimited || !r.price.Plain()
	}
	r.priceText = text[start:]
	if r.quoted = odd && r.s.needsQuotes(r.record, r.s.table.Price, r.priceText); r.quoted {
		if !r.s.table.Quotes() {
			return Problem{Kind: unquotablePrice, column: r.s.table.Price}
		}
		text = append(append(append(text[:start:start], '"'), r.priceText...), '"')
	}
	r.s.replace(at, text)
	return Problem{}
}

func (r *Row) writeStock(e *Edit) Problem {
	at, text := r.stockCell, r.s.text
	switch {
	case e.StockText != nil:
		content, _ := r.s.table.Dialect.Bytes(*e.StockText)
		if r.s.needsQuotes(r.record, r.s.table.Stock, content) {
			content = slices.Concat([]byte{'"'}, content, []byte{'"'})
		}
		text = append(text, content...)
	case r.s.table.Untracked(r.s.Block, r.record):
		return Problem{Kind: untrackedStock, column: r.s.table.Stock}
	default:
		written, ok := r.s.table.Stocks.Write(text, at.Of(r.s.Block), e.InStock)
		switch {
		case ok:
			text = written
		case r.s.table.Stocks.Quantity():
			return Problem{Kind: unknownQuantity, column: r.s.table.Stock}
		default:
			return Problem{Kind: unwritableStock, column: r.s.table.Stock}
		}
	}
	r.stockText = text[len(r.s.text):]
	r.s.replace(at, text)
	return Problem{}
}

// needsQuotes reports whether a text can stand in a cell, as a value alone,
// only with quotes around it, which the cell does not have.
func (s *scanner) needsQuotes(at Record, column int, text []byte) bool {
	return bytes.IndexByte(text, s.delimiter) >= 0 && at.Field(column) == at.Content(s.Block, column)
}

// replace notes that text, which is s.text with the new content behind it, takes
// the place of a cell's content.
func (s *scanner) replace(at cell.Span, text []byte) {
	s.edits = append(s.edits, replacement{at, len(text) - len(s.text)})
	s.text = text
}
