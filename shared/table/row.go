package table

import (
	"bytes"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
)

// Row is a row that may matter to a query, with its cells by their roles. It
// holds only until the visitor that is shown it returns.
type Row struct {
	s      *scanner
	record Record
	meets  Set
	priced bool
	price  Price
	stocks bool // whether there is any in stock

	sku, priceCell, stockCell cell.Span
	identity                  []byte // what stands for a blank SKU

	// What Write made of it.
	priceText, stockText []byte
	quoted               bool
}

// Meets returns the conditions that the row's names meet.
func (r *Row) Meets() Set { return r.meets }

// Index is the row's number in its block, from 0.
func (r *Row) Index() int64 { return r.s.rows - 1 }

// Number is the row's own in its table, the header being row 1. Only visitors
// of an unchecked query know it before Done.
func (r *Row) Number() int64 { return r.s.before + r.s.rows }

// Priced reports whether the row has a price of its own.
func (r *Row) Priced() bool { return r.priced }

// Price returns the price of a row that is priced, where the query reads prices.
func (r *Row) Price() amount.Amount { return r.price.Amount }

// UsualMoney reports whether the price is in the currency of the column's first
// rows, or in none.
func (r *Row) UsualMoney() bool { return r.s.table.Prices.SameMoney(r.price) }

// InStock reports whether the row is in stock, where the query reads that.
func (r *Row) InStock() bool { return r.stocks }

// Fault is a fault of the row's cell of that role. Advice says what it means and
// what to do about it.
func (r *Row) Fault(role Role, kind Kind, advice string) Problem {
	p := Problem{Kind: kind, column: noColumn, Advice: advice}
	switch role {
	case RolePrice:
		p.column = r.s.table.Price
	case RoleInStock:
		p.column = r.s.table.Stock
	}
	return p
}

// AppendSKU appends what the SKU says, as it stands in a JSON string. Where the
// SKU is blank, it is what the platform has instead.
func (r *Row) AppendSKU(to []byte) []byte {
	if r.s.table.SKU >= 0 && !r.sku.Empty() || len(r.s.table.Identity) == 0 {
		return r.s.appendCell(to, r.sku)
	}
	r.identity = r.s.table.identify(r.identity[:0], r.s.Block, r.record)
	return appendEscaped(to, r.s.table.Dialect.Text(r.identity))
}

// AppendPrice appends what the price's cell says, as it stands in a JSON string.
func (r *Row) AppendPrice(to []byte) []byte {
	return r.s.appendText(to, r.price.Plain(), r.priceCell.Of(r.s.Block))
}

// AppendNewPrice appends what the price's cell says once the row was written.
func (r *Row) AppendNewPrice(to []byte) []byte {
	return r.s.appendText(to, r.price.Plain() && !r.s.table.Prices.Groups(), r.priceText)
}

// AppendStock appends what the stock's cell says, as it stands in a JSON string.
func (r *Row) AppendStock(to []byte) []byte {
	return r.s.appendText(to, false, r.stockCell.Of(r.s.Block))
}

// AppendNewStock appends what the stock's cell says once the row was written.
func (r *Row) AppendNewStock(to []byte) []byte { return r.s.appendText(to, false, r.stockText) }

// Enclosed reports whether quotes were put around the price that was written.
func (r *Row) Enclosed() bool { return r.quoted }

// identify appends what stands for a row's SKU in records where that is blank.
func (t *Table) identify(identity []byte, block []byte, at Record) []byte {
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

// take makes it the row of a record.
func (r *Row) take(at Record) {
	r.record = at
	if column := r.s.table.Price; column >= 0 {
		r.priceCell = at.Content(r.s.Block, column)
	}
	if column := r.s.table.Stock; column >= 0 {
		r.stockCell = at.Content(r.s.Block, column)
	}
}
