package row

import (
	"strings"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// Row is a row that may matter to a query, with the cells that the query reads. It holds
// only until the visitor that is shown it returns. Of an unchecked query's rows no cell is read.
type Row struct {
	Index  int64 // in its block, from 0
	Number int64 // its own in its table, the header being row 1, where one visitor sees all rows

	Meets names.Set // the conditions that its names meet
	// those that name what a cell has which cannot be read, and that it may meet for all else
	OddNames names.Set
	Nameless bool // nothing says which product it is, or but the word for a sum

	Money       [recognize.Moneys]MoneyCell
	Sales       []Sale // by each column of sales
	OneCurrency bool   // its column of currencies, if it has one, says that of the first rows, or none
	Whole       bool   // nobody pays fractions of its prices
	OtherPrices bool   // it has prices, but for 0, in columns that no plan changes

	Stock    StockCell
	Quantity QuantityCell

	s        *scanner
	record   dialect.Record
	odd      bool   // a cell cannot be read
	identity []byte // what stands for a blank SKU

	stockAt    cell.Span // what the cell holds, as of the next ones
	quantityAt cell.Span
	currencyAt cell.Span
	namesAt    []cell.Span // of the columns that say which product it is
}

// MoneyCell is a row's cell of a role of money.
type MoneyCell struct {
	profile.Figure
	Has   bool
	Odd   bool // it cannot be read
	Usual bool // the row is in the currency of the column's first rows, or in none; of the price alone
	// Old and New are the cell's text before Write and behind it. Quoted: Write put quotes around it.
	Old, New []byte
	Quoted   bool

	at cell.Span
}

// StockCell is whether there is any of a row in stock.
type StockCell struct {
	In        bool
	Odd       bool // it cannot be read
	Bare      bool // the row has neither a price nor a stock
	Untracked bool // the shop does not track it, so that a plan can change nothing
	// Where a plan changes it: the platform goes on selling the row with nothing in stock, and
	// a quantity that no plan changes says that it is in stock, or out of it.
	Backorders, CountsIn, CountsOut bool
	// Old and New are the cell's text before Write and behind it, where that changes it.
	Old, New []byte
}

// QuantityCell is how many pieces there are of a row.
type QuantityCell struct {
	Count
	Known   bool
	Odd     bool // it cannot be read
	Follows bool // what is in stock goes with it
}

// IsUsual reports whether the row's price is in the currency of the column's first rows, or
// in none.
func (r *Row) IsUsual() bool {
	price := &r.Money[recognize.Price]
	return price.Has && price.SameMoney && len(r.otherCode()) == 0
}

// columnTitle is a column's title as it is told.
func (t *Table) columnTitle(column int) string {
	return faults.Excerpt(strings.TrimSpace(t.Header[column]))
}

// Decimals is how many decimals the table's first prices have, without zeros at their end;
// 0 where prices are not read.
func (t *Table) Decimals() int {
	if !t.ReadsPrices() {
		return 0
	}
	return t.money[recognize.Price].form.Decimals()
}

// identify appends what stands for a row's SKU in records where that is blank.
func (t *Table) identify(identity []byte, block []byte, at dialect.Record) []byte {
	for _, column := range t.identity {
		text := cell.Code(at.Says(block, column))
		if len(text) == 0 {
			continue
		}
		if len(identity) > 0 {
			identity = append(identity, " / "...)
		}
		identity = append(identity, text...)
	}
	return identity
}

// priceless reports whether a row has no price of its own, in a table that has
// prices.
func (t *Table) priceless(block []byte, at dialect.Record) bool {
	return at.Content(block, t.money[recognize.Price].index).Empty()
}

// ExpectsPrices reports whether a row without a price is one to tell of: no platform
// has said what rows without one are, or it has said that there are none.
func (t *Table) ExpectsPrices() bool { return t.profile.BlankPrice == profile.BlankPriceTell }
