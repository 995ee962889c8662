package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/profile"
)

// What a visitor of an unchecked query asks of a row: its texts as they stand,
// and what those would be read as.

// Key is what the row's change has for its SKU.
func (r *Row) Key() string {
	t := r.s.table
	if t.sku >= 0 {
		if sku := cell.Code(r.record.Says(r.s.Block, t.sku)); len(sku) > 0 || len(t.identity) == 0 {
			return t.Dialect.Text(sku)
		}
	}
	return t.Dialect.Text(t.identify(nil, r.s.Block, r.record))
}

// Text is what the row's cell of a role of money, stock or sales holds; "": there is none.
func (r *Row) Text(role Role) string {
	return r.textIn(r.s.table.place(role))
}

// textIn is what the row's cell of a column says; "": there is no such column.
func (r *Row) textIn(index int) string {
	if index == missing {
		return ""
	}
	return r.s.table.Dialect.Text(r.record.Content(r.s.Block, index).Of(r.s.Block))
}

// place is the one column of a role, those of texts among them, or the first.
func (t *Table) place(role Role) int {
	x := slices.Index(textRoles[:], role)
	switch {
	case x < 0 || Text(x) == Quantity:
		return t.first(role)
	case len(t.sales) == 0:
		return missing
	}
	return t.sales[0].Texts[x]
}

// StockNow reads the stock's cell.
func (r *Row) StockNow() (inStock, ok bool) {
	inStock, fault := r.s.table.stocks.Read(r.s.Block, r.stockAt)
	return inStock, fault == Fine
}

// SameStock reports whether the stock's cell says what a text said that stood for
// that state: the same quantity, or the state.
func (r *Row) SameStock(text string, inStock bool) bool {
	if r.s.table.stocks.Quantity() {
		return SameQuantity(r.Text(RoleInStock), text)
	}
	now, ok := r.StockNow()
	return ok && now == inStock
}

// SameQuantity reports whether two texts of a quantity differ by a fraction of zeros alone.
func SameQuantity(a, b string) bool { return plainQuantity(a) == plainQuantity(b) }

// plainQuantity leaves out a fraction of zeros.
func plainQuantity(text string) string {
	if whole, fraction, found := strings.Cut(strings.Replace(text, ",", ".", 1), "."); found && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return text
}

// Holds reports whether the row has a cell of that role, which can be made to hold a text.
func (r *Row) Holds(role Role, text string) bool {
	t := r.s.table
	index := t.place(role)
	content, ok := t.Dialect.Bytes(text)
	return ok && index != missing && !r.record.Lacks(index) && (t.quotes() || !r.s.needsQuotes(r.record, index, content))
}

// ReadMoney reads a text as a cell of money, and says whether it is in the currency
// of the column's first rows, or in none.
func (t *Table) ReadMoney(m Money, text string) (a amount.Amount, usual, ok bool) {
	read, ok := t.readMoney(m, text)
	return read.Amount, ok && t.money[m].form.SameMoney(read), ok
}

func (t *Table) readMoney(m Money, text string) (read profile.Figure, ok bool) {
	content, ok := t.Dialect.Bytes(text)
	if !ok || t.money[m].form == nil {
		return read, false
	}
	read, fault := t.money[m].form.Read(cell.Block(string(content)))
	return read, fault == Fine
}

// SameMoney reports whether two texts are one amount in one currency, in a form
// in which a third can be read too.
func (t *Table) SameMoney(m Money, a, b, third string) bool {
	is, isRead := t.readMoney(m, a)
	was, wasRead := t.readMoney(m, b)
	_, thirdRead := t.readMoney(m, third)
	return isRead && wasRead && thirdRead && is.Amount.Equal(was.Amount) && strings.EqualFold(is.Currency(), was.Currency())
}

// Currency is that of the first rows of a column of money, as written there, or of the
// column of currencies; "": none, or it is not read.
func (t *Table) Currency(m Money) string {
	if t.money[m].form == nil {
		return ""
	}
	return cmp.Or(t.money[m].form.Currency(), string(t.code))
}
