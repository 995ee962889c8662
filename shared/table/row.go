package table

import (
	"bytes"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// Row is a row that may matter to a query, with its cells by their roles. It
// holds only until the visitor that is shown it returns.
type Row struct {
	s      *scanner
	record dialect.Record
	meets  Set
	money  [Moneys]moneyCell
	stocks bool // whether there is any in stock
	bare   bool // it has neither a price nor a stock
	seen   bool // the cells of its sale were looked at

	count   Count // of pieces
	counted bool  // it is known

	odd      []Role // whose cells cannot be read
	oddNames Set    // the conditions of which it is not known whether the row's names meet them

	stockCell cell.Span
	identity  []byte // what stands for a blank SKU
	stockText []byte // what Write made of it
}

// moneyCell is a row's cell of a role of money.
type moneyCell struct {
	profile.Figure
	has  bool
	at   cell.Span
	text []byte // what Write made of it
	// enclosed: Write put quotes around it; copied: it wrote what stands in another.
	enclosed, copied bool
}

// plain reports whether it is digits and at most one decimal mark.
func (c *moneyCell) plain() bool { return c.has && c.Plain() }

// Meets returns the conditions that the row's names meet.
func (r *Row) Meets() Set { return r.meets }

// OddNames returns the conditions that name what a cell of the row has which cannot be
// read, and that the row may meet for all else.
func (r *Row) OddNames() Set { return r.oddNames }

// Odd reports whether the row's cell of a role cannot be read.
func (r *Row) Odd(role Role) bool { return len(r.odd) > 0 && slices.Contains(r.odd, role) }

// Untracked reports whether the shop does not track the row's quantity, so that it can be
// neither in stock nor out of it by a plan.
func (r *Row) Untracked() bool { return r.s.table.untracked.Has(r.s.Block, r.record) }

// Index is the row's number in its block, from 0.
func (r *Row) Index() int64 { return r.s.rows - 1 }

// ToCome returns how many more are to be expected in the block, and a few beside them,
// of what there are so many up to this row: room for them all is made at once.
func (r *Row) ToCome(n int) int {
	rows, all := max(r.s.rows, 1), int64(r.s.Count())
	return int(int64(n)*max(all-rows, 0)/rows) + n/8 + 1
}

// Number is the row's own in its table, the header being row 1. Only visitors
// of an unchecked query know it before Done.
func (r *Row) Number() int64 { return r.s.before + r.s.rows }

// Amount returns an amount that the query reads, and whether the row has one.
func (r *Row) Amount(m Money) (a amount.Amount, has bool) { return r.money[m].Amount, r.money[m].has }

// Decimals is how many decimals the table's first prices have, or a price of the row if
// that has more, without zeros at their end.
func (r *Row) Decimals(price amount.Amount) int {
	return r.s.table.money[Price].form.DecimalsWith(price)
}

// Doubt is the fault of an amount whose mark may be one of thousands.
func (r *Row) Doubt(m Money) Problem {
	if c := &r.money[m]; !c.has || !r.s.table.money[m].form.Doubtful(c.Amount) {
		return Problem{}
	}
	return Problem{Kind: faults.ThreeDecimals, column: r.s.table.money[m].index}
}

// UsualMoney reports whether an amount is in the currency of the column's first
// rows, or in none.
func (r *Row) UsualMoney(m Money) bool {
	return (r.money[m].Plain() || r.s.table.money[m].form.SameMoney(r.money[m].Figure)) && r.UsualCurrency()
}

// UsualCurrency reports whether the row's column of currencies, if it has one, says that
// of the first rows, or none.
func (r *Row) UsualCurrency() bool {
	return r.s.table.currency == missing || len(r.otherCode()) == 0
}

// otherCode is what the row's column of currencies says, if it is another than that of
// the first rows.
func (r *Row) otherCode() []byte {
	code := bytes.TrimSpace(r.record.Content(r.s.Block, r.s.table.currency).Of(r.s.Block))
	if bytes.EqualFold(code, r.s.table.code) {
		return nil
	}
	return code
}

// TakesBackorders reports whether the platform goes on selling the row with nothing in
// stock.
func (r *Row) TakesBackorders() bool {
	return slices.ContainsFunc(r.s.table.backorders, func(k *profile.Kinds) bool { return k.Has(r.s.Block, r.record) })
}

// columnTitle is a column's title as it is told.
func (t *Table) columnTitle(column int) string {
	return faults.Excerpt(strings.TrimSpace(t.Header[column]))
}

// CountsOtherwise reports whether a quantity that no plan changes says that the row is in
// stock where it is to be out of it, or the other way round.
func (r *Row) CountsOtherwise(inStock bool) bool {
	return slices.ContainsFunc(r.s.table.counts, func(i int) bool {
		says, fault := r.s.table.counted.Read(r.s.Block, r.record.Content(r.s.Block, i))
		return fault == Fine && says != inStock
	})
}

// Bare reports whether a row without a price has no stock either, where the query reads
// that.
func (r *Row) Bare() bool { return r.bare }

// InStock reports whether the row is in stock, where the query reads that.
func (r *Row) InStock() bool { return r.stocks }

// Fault is a fault of the row's cell of that role. Advice says what it means and
// what to do about it.
func (r *Row) Fault(role Role, kind Kind, advice string) Problem {
	return Problem{Kind: kind, column: r.s.table.first(role), Advice: advice}
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
func (r *Row) AppendMoney(m Money, to []byte) []byte {
	if c := &r.money[m]; !c.plain() {
		return r.s.appendCell(to, c.at)
	}
	return cell.Append(to, r.s.Block, r.money[m].at)
}

// AppendNewMoney appends what it says once the row was written.
func (r *Row) AppendNewMoney(m Money, to []byte) []byte {
	c := &r.money[m]
	if c.plain() && !c.copied && !r.s.table.money[m].form.Groups() {
		return append(to, c.text...)
	}
	return r.s.appendText(to, c.text)
}

// AppendStock appends what the stock's cell says, as it stands in a JSON string.
func (r *Row) AppendStock(to []byte) []byte {
	return r.s.appendCell(to, r.stockCell)
}

// AppendNewStock appends what the stock's cell says once the row was written.
func (r *Row) AppendNewStock(to []byte) []byte { return r.s.appendText(to, r.stockText) }

// Enclosed reports whether quotes were put around the amount that was written.
func (r *Row) Enclosed(m Money) bool { return r.money[m].enclosed }

// Nameless reports whether nothing says which product the row is, or but the word for a
// sum: it may be one.
func (r *Row) Nameless() bool {
	for _, column := range r.s.table.naming {
		if text := said(r.record.Content(r.s.Block, column).Of(r.s.Block)); len(text) > 0 && !isSum(text) {
			return false
		}
	}
	return len(r.s.table.naming) > 0
}

// sums are words for one, in any case.
var sums = bytes.Fields([]byte("total totals subtotal sum sums summe gesamt gesamtsumme somme suma totale totaal"))

// said is what a name's cell says, without the blanks and colons at its end.
func said(text []byte) []byte {
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
	if first != 't' && first != 's' && first != 'g' || isDigit(text[len(text)-1]) {
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

// take makes it the row of a record.
func (r *Row) take(at dialect.Record) {
	r.record, r.seen, r.bare, r.odd, r.oddNames = at, false, false, r.odd[:0], Set{}
	s := r.s
	for _, m := range s.money {
		r.money[m].at = at.Content(s.Block, s.table.money[m].index)
	}
	if column := s.table.stock; column >= 0 {
		r.stockCell = at.Content(s.Block, column)
	}
}

// priceless reports whether a row has no price of its own, in a table that has
// prices.
func (t *Table) priceless(block []byte, at dialect.Record) bool {
	return at.Content(block, t.money[Price].index).Empty()
}

// ExpectsPrices reports whether a row without a price is one to tell of: no platform
// has said what rows without one are, or it has said that there are none.
func (t *Table) ExpectsPrices() bool { return t.profile.BlankPrice == profile.BlankPriceTell }

// statesStock reports whether what is in stock is what each row says itself, in
// one column.
func (t *Table) statesStock() bool {
	return len(t.columns[RoleInStock]) == 1 && t.untracked == nil && t.family == nil
}
