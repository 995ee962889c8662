package row

import (
	"bytes"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
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

	Meets    names.Set // the conditions that its names meet
	OddNames names.Set // those that name what a cell has which cannot be read, and that it may meet for all else
	Nameless bool      // nothing says which product it is, or but the word for a sum

	Money       [recognize.Moneys]MoneyCell
	Sales       []Sale // by each column of sales
	OneCurrency bool   // its column of currencies, if it has one, says that of the first rows, or none
	Whole       bool   // nobody pays fractions of its prices
	OtherPrices bool   // it has prices, but for 0, in columns that no plan changes

	Stock    StockCell
	Quantity QuantityCell

	s         *scanner
	record    dialect.Record
	odd       bool // a cell cannot be read
	stockAt   cell.Span
	stockText []byte // what Write made of it
	identity  []byte // what stands for a blank SKU
}

// MoneyCell is a row's cell of a role of money.
type MoneyCell struct {
	profile.Figure
	Has       bool
	Odd       bool // it cannot be read
	Ambiguous bool // its mark may be one of thousands
	Usual     bool // it is in the currency of the column's first rows, or in none; of the price alone
	Quoted    bool // Write put quotes around it

	at     cell.Span
	text   []byte // what Write made of it
	copied bool   // Write wrote what stands in another
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
}

// QuantityCell is how many pieces there are of a row.
type QuantityCell struct {
	Count
	Known   bool
	Odd     bool // it cannot be read
	Follows bool // what is in stock goes with it
}

// plain reports whether it is digits and at most one decimal mark.
func (c *MoneyCell) plain() bool { return c.Has && c.Plain() }

// take makes it the row of a record.
func (r *Row) take(at dialect.Record) {
	s := r.s
	r.record, r.Index, r.Number = at, s.rows-1, s.before+s.rows
	r.OddNames, r.Stock.Bare = names.Set{}, false
	if r.odd {
		r.odd, r.Stock.Odd, r.Quantity.Odd = false, false, false
		for m := range r.Money {
			r.Money[m].Odd = false
		}
	}
	for _, m := range s.money {
		r.Money[m].at = at.Content(s.Block, s.table.money[m].index)
	}
	if column := s.table.stock; column >= 0 {
		r.stockAt = at.Content(s.Block, column)
	}
}

// fill reads what a visitor is told beside the cells that the row was looked at for.
func (r *Row) fill() {
	t := r.s.table
	r.OneCurrency, r.Whole = true, t.whole
	if code := r.otherCode(); len(code) > 0 {
		r.OneCurrency, r.Whole = false, profile.IsWhole(string(code))
	}
	if price := &r.Money[recognize.Price]; price.Has {
		price.Ambiguous = r.isAmbiguous(recognize.Price)
		price.Usual = r.OneCurrency && (price.Plain() || t.money[recognize.Price].form.SameMoney(price.Figure))
	} else {
		price.Ambiguous, price.Usual = false, false
	}
	r.OtherPrices = len(t.otherPrices) > 0 && r.hasOtherPrices()
	r.Nameless = r.isNameless()
	r.Stock.Untracked = t.untracked.Has(r.s.Block, r.record)
	if r.s.query.SetsStock {
		r.fillStock()
	}
	if len(t.sales) > 0 {
		r.fillSales()
	}
}

// fillSales reads the row's sales, if it has a price.
func (r *Row) fillSales() {
	r.Sales = r.Sales[:0]
	if r.Money[recognize.Price].Has {
		for i := range r.s.table.sales {
			r.Sales = append(r.Sales, r.ReadSale(i))
		}
	}
}

// fillStock reads what a row is told beside its stock.
func (r *Row) fillStock() {
	t := r.s.table
	has := func(k *profile.Kinds) bool { return k.Has(r.s.Block, r.record) }
	r.Stock.Backorders = slices.ContainsFunc(t.backorders, has)
	r.Stock.CountsIn, r.Stock.CountsOut = false, false
	for _, column := range t.counts {
		if says, fault := t.counted.Read(r.s.Block, r.record.Content(r.s.Block, column)); fault == faults.Fine {
			r.Stock.CountsIn, r.Stock.CountsOut = r.Stock.CountsIn || says, r.Stock.CountsOut || !says
		}
	}
}

// ToCome returns how many more are to be expected in the block, and a few beside them,
// of what there are so many up to this row: room for them all is made at once.
func (r *Row) ToCome(n int) int {
	rows, all := max(r.s.rows, 1), int64(r.s.Count())
	return int(int64(n)*max(all-rows, 0)/rows) + n/8 + 1
}

// isAmbiguous reports whether an amount's mark may be one of thousands.
func (r *Row) isAmbiguous(m recognize.Money) bool {
	c := &r.Money[m]
	return c.Has && r.s.table.money[m].form.Ambiguous(c.Amount)
}

// IsUsual reports whether the row's price is in the currency of the column's first rows, or
// in none.
func (r *Row) IsUsual() bool {
	price := &r.Money[recognize.Price]
	return price.Has && (price.Plain() || r.s.table.money[recognize.Price].form.SameMoney(price.Figure)) && len(r.otherCode()) == 0
}

// otherCode is what the row's column of currencies says, if it is another than that of
// the first rows.
func (r *Row) otherCode() []byte {
	if r.s.table.currency == profile.Missing {
		return nil
	}
	code := bytes.TrimSpace(r.record.Content(r.s.Block, r.s.table.currency).Of(r.s.Block))
	if bytes.EqualFold(code, r.s.table.code) {
		return nil
	}
	return code
}

// columnTitle is a column's title as it is told.
func (t *Table) columnTitle(column int) string {
	return faults.Excerpt(strings.TrimSpace(t.Header[column]))
}

// Decimals is how many decimals the table's first prices have, or a price if that has more,
// without zeros at their end.
func (t *Table) Decimals(price amount.Amount) int {
	return t.money[recognize.Price].form.DecimalsWith(price)
}

// AppendSKU appends what the SKU says, as it stands in a JSON string. Where the
// SKU is blank, it is what the platform has instead.
func (r *Row) AppendSKU(to []byte) []byte {
	if sku := &r.s.names.sku; r.s.table.sku >= 0 && !sku.Empty() || len(r.s.table.identity) == 0 {
		return r.s.appendCell(to, *sku)
	}
	r.identity = r.s.table.identify(r.identity[:0], r.s.Block, r.record)
	return appendEscaped(to, r.s.table.Dialect.Text(r.identity))
}

// AppendMoney appends what a cell of money says, as it stands in a JSON string.
func (r *Row) AppendMoney(m recognize.Money, to []byte) []byte {
	if c := &r.Money[m]; !c.plain() {
		return r.s.appendCell(to, c.at)
	}
	return cell.Append(to, r.s.Block, r.Money[m].at)
}

// AppendNewMoney appends what it says once the row was written.
func (r *Row) AppendNewMoney(m recognize.Money, to []byte) []byte {
	c := &r.Money[m]
	if c.plain() && !c.copied && !r.s.table.money[m].form.Groups() {
		return append(to, c.text...)
	}
	return r.s.appendText(to, c.text)
}

// AppendStock appends what the stock's cell says, as it stands in a JSON string, and
// AppendNewStock what it says once the row was written.
func (r *Row) AppendStock(to []byte) []byte    { return r.s.appendCell(to, r.stockAt) }
func (r *Row) AppendNewStock(to []byte) []byte { return r.s.appendText(to, r.stockText) }

func (r *Row) hasOtherPrices() bool {
	return slices.ContainsFunc(r.s.table.otherPrices, func(i int) bool {
		return len(bytes.Trim(r.record.Content(r.s.Block, i).Of(r.s.Block), "0.,")) > 0
	})
}

// isNameless reports whether nothing says which product the row is, or but the word for a
// sum: it may be one.
func (r *Row) isNameless() bool {
	for _, column := range r.s.table.naming {
		if text := trimmedName(r.record.Content(r.s.Block, column).Of(r.s.Block)); len(text) > 0 && !isSum(text) {
			return false
		}
	}
	return len(r.s.table.naming) > 0
}

// sums are words for one, in any case.
var sums = bytes.Fields([]byte("total totals subtotal sum sums summe gesamt gesamtsumme somme suma totale totaal"))

// trimmedName is what a name's cell says, without the blanks and colons at its end.
func trimmedName(text []byte) []byte {
	end := len(text)
	for end > 0 && (text[end-1] == ' ' || text[end-1] == ':') {
		end--
	}
	return text[:end]
}

// isSum reports whether a text is a sum's word. Most names are told by their first letter
// or their last, which is a digit.
func isSum(text []byte) bool {
	first := text[0] | ' '
	if first != 't' && first != 's' && first != 'g' || '0' <= text[len(text)-1] && text[len(text)-1] <= '9' {
		return false
	}
	return slices.ContainsFunc(sums, func(sum []byte) bool { return bytes.EqualFold(text, sum) })
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

// statesStock reports whether what is in stock is what each row says itself, in
// one column.
func (t *Table) statesStock() bool {
	return len(t.columns[recognize.RoleInStock]) == 1 && t.untracked == nil && t.family == nil
}
