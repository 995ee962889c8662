package table

import (
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/cell"
)

// What a visitor of an unchecked query asks of a row: its texts as they stand,
// and what those would be read as.

// Key is what the row's change has for its SKU.
func (r *Row) Key() string {
	t := r.s.table
	if t.SKU >= 0 {
		if text, _ := r.s.Text(r.record.Content(r.s.Block, t.SKU).Of(r.s.Block)); len(text) > 0 || len(t.Identity) == 0 {
			return t.Dialect.Text(text)
		}
	}
	return t.Dialect.Text(t.identify(nil, r.s.Block, r.record))
}

// PriceText is what the price's cell holds.
func (r *Row) PriceText() string { return r.s.table.Dialect.Text(r.priceCell.Of(r.s.Block)) }

// StockText is what the stock's cell holds.
func (r *Row) StockText() string { return r.s.table.Dialect.Text(r.stockCell.Of(r.s.Block)) }

// StockNow reads the stock's cell.
func (r *Row) StockNow() (inStock, ok bool) {
	inStock, fault := r.s.table.Stocks.Read(r.s.Block, r.stockCell)
	return inStock, fault == Fine
}

// Holds reports whether the cell of that role, price or stock, can be made to
// hold a text.
func (r *Row) Holds(role Role, text string) bool {
	t := r.s.table
	column := t.Price
	if role == RoleInStock {
		column = t.Stock
	}
	content, ok := t.Dialect.Bytes(text)
	return ok && (t.Quotes() || !r.s.needsQuotes(r.record, column, content))
}

// Others visits what the cells hold that are neither a price's nor a stock's.
func (r *Row) Others(visit func(content []byte)) {
	t := r.s.table
	for i := range t.Header {
		if i != t.Price && !slices.Contains(t.Places, i) {
			visit(r.record.Content(r.s.Block, i).Of(r.s.Block))
		}
	}
}

// ReadPrice reads a text as a cell of the price's column.
func (t *Table) ReadPrice(text string) (price Price, ok bool) {
	content, ok := t.Dialect.Bytes(text)
	if !ok || t.Prices == nil {
		return price, false
	}
	price, fault := t.Prices.Read(cell.Block(string(content)))
	return price, fault == Fine
}

// SamePrice reports whether two texts are one amount in one currency, in a form
// in which a third can be read too.
func (t *Table) SamePrice(a, b, third string) bool {
	is, isRead := t.ReadPrice(a)
	was, wasRead := t.ReadPrice(b)
	_, thirdRead := t.ReadPrice(third)
	return isRead && wasRead && thirdRead && is.Amount.Equal(was.Amount) && strings.EqualFold(is.Currency(), was.Currency())
}

// Ahead visits each whole row among the next bytes, which are still to be read,
// with its number.
func (t *Table) Ahead(size int, visit func(row *Row, number int64)) error {
	rows, err := t.Blocks.lookAhead(size)
	s := t.newScanner(NewQuery(Query{Unchecked: true}), nil)
	t.each(rows, func(block []byte, number int64, at Record) {
		s.Block = block
		s.row.take(at)
		visit(s.row, number)
	})
	return err
}
