package row

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
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
	return r.StandIn()
}

// StandIn is what the platform has for a SKU where that is blank.
func (r *Row) StandIn() string {
	r.identity = r.s.table.identify(r.identity[:0], r.s.Block, r.record)
	return r.s.table.Dialect.Text(r.identity)
}

// Content is what the row's cell of a column holds, without the quotes around it.
func (r *Row) Content(column int) []byte {
	if column < 0 || r.record.Lacks(column) {
		return nil
	}
	return r.record.Content(r.s.Block, column).Of(r.s.Block)
}

// Field is a column's cell with the quotes around it.
func (r *Row) Field(column int) []byte {
	if r.record.Lacks(column) {
		return nil
	}
	return r.record.Field(column).Of(r.s.Block)
}

// Unquoted is a cell's content with one quote for two. It holds until the next call.
func (r *Row) Unquoted(content []byte) []byte {
	text, _ := r.s.Text(content)
	return text
}

// FindProduct finds the product that the row belongs to, of which it takes its names.
func (r *Row) FindProduct() {
	if r.s.table.family != nil {
		r.s.names.findProduct(r.record)
	}
}

// Name is what one of the cells of a role of names holds, or its product's where it is blank.
// Roles are numbered as recognize.NameRoles are.
func (r *Row) Name(role, of int) []byte {
	content, _ := r.s.names.content(&r.s.names.columns[role], of, r.record)
	return content
}

// ReadPrice reads the price; has: there is one, and prices are read.
func (r *Row) ReadPrice() (has bool, found Problem) {
	if r.s.table.money[recognize.Price].form == nil || r.Money[recognize.Price].at.Empty() {
		return false, found
	}
	return true, r.s.readMoney(recognize.Price)
}

// ReadStock reads what is in stock; has: there is a cell of it, and it is read.
func (r *Row) ReadStock() (has bool, found Problem) {
	return !r.stockAt.Empty(), r.s.readStock()
}

// Text is what the row's cell of a role of money, stock or sales holds; "": there is none.
func (r *Row) Text(role recognize.Role) string {
	return r.textIn(r.s.table.Column(role))
}

// textIn is what the row's cell of a column says; "": there is no such column.
func (r *Row) textIn(index int) string {
	if index == profile.Missing {
		return ""
	}
	return r.s.table.Dialect.Text(r.record.Content(r.s.Block, index).Of(r.s.Block))
}

// Column is the one column of a role, those of texts among them, or the first; below 0:
// there is none.
func (t *Table) Column(role recognize.Role) int {
	x := slices.Index(recognize.TextRoles[:], role)
	switch {
	case x < 0 || recognize.Text(x) == recognize.Quantity:
		return t.first(role)
	case len(t.sales) == 0:
		return profile.Missing
	}
	return t.sales[0].Texts[x]
}

// StockNow reads the stock's cell.
func (r *Row) StockNow() (inStock, ok bool) {
	inStock, fault := r.s.table.stocks.Read(r.s.Block, r.stockAt)
	return inStock, fault == faults.Fine
}

// SameStock reports whether the stock's cell says what a text said that stood for
// that state: the same quantity, or the state.
func (r *Row) SameStock(text string, inStock bool) bool {
	if r.s.table.stocks.Quantity() {
		return SameQuantity(r.Text(recognize.RoleInStock), text)
	}
	now, ok := r.StockNow()
	return ok && now == inStock
}

// SameQuantity reports whether two texts of a quantity differ by a fraction of zeros alone.
func SameQuantity(a, b string) bool { return plainQuantity(a) == plainQuantity(b) }

// plainQuantity leaves out a fraction of zeros.
func plainQuantity(text string) string {
	if whole, fraction, found := strings.Cut(strings.Replace(text, ",", ".", 1), "."); found &&
		strings.Trim(fraction, "0") == "" {
		return whole
	}
	return text
}

// Holds reports whether the row has a cell of that role, which can be made to hold a text.
func (r *Row) Holds(role recognize.Role, text string) bool {
	t := r.s.table
	index := t.Column(role)
	content, ok := t.Dialect.Bytes(text)
	return ok && index != profile.Missing && !r.record.Lacks(index) &&
		(t.quotes() || !r.s.needsQuotes(r.record, index, content))
}

// ReadMoney reads a text as a cell of money, and says whether it is in the currency
// of the column's first rows, or in none.
func (t *Table) ReadMoney(m recognize.Money, text string) (a amount.Amount, usual, ok bool) {
	read, ok := t.readMoney(m, text)
	return read.Amount, ok && read.SameMoney, ok
}

func (t *Table) readMoney(m recognize.Money, text string) (read profile.Figure, ok bool) {
	content, ok := t.Dialect.Bytes(text)
	if !ok || t.money[m].form == nil {
		return read, false
	}
	read, fault := t.money[m].form.Read(cell.Block(string(content)))
	return read, fault == faults.Fine
}

// SameMoney reports whether two texts are one amount in one currency, in a form
// in which a third can be read too.
func (t *Table) SameMoney(m recognize.Money, a, b, third string) bool {
	is, isRead := t.readMoney(m, a)
	was, wasRead := t.readMoney(m, b)
	_, thirdRead := t.readMoney(m, third)
	return isRead && wasRead && thirdRead && is.Amount.Equal(was.Amount) &&
		strings.EqualFold(is.Currency(), was.Currency())
}

// Currency is that of the first rows of a column of money, as written there, or of the
// column of currencies; "": none, or it is not read.
func (t *Table) Currency(m recognize.Money) string {
	if t.money[m].form == nil {
		return ""
	}
	return cmp.Or(t.money[m].form.Currency(), string(t.code))
}

// NameColumns are the columns of a role of names, numbered as recognize.NameRoles are.
func (t *Table) NameColumns(role int) []recognize.Located {
	return t.columns[recognize.NameRoles[role].Role]
}

// Identity are the columns that name a row whose SKU is blank.
func (t *Table) Identity() []int { return t.identity }

// Platform is the profile that the table is read by.
func (t *Table) Platform() *profile.Profile { return t.profile }

// Quote is the byte around fields; NUL: none are quoted.
func (t *Table) Quote() byte { return t.quote }

// ReadsPrices reports whether the prices' form is known.
func (t *Table) ReadsPrices() bool { return t.money[recognize.Price].form != nil }

// DecimalComma reports whether prices have their decimals after a comma.
func (t *Table) DecimalComma() bool { return !t.money[recognize.Price].form.HasPoint() }

// WholePrices reports whether nobody pays fractions of the prices.
func (t *Table) WholePrices() bool { return t.whole }

// LookAhead returns so many bytes of the rows ahead of the first one.
func (t *Table) LookAhead(size int) ([]byte, error) { return t.blocks.Peek(size) }

// UnclearPrices is what a plan would be refused for that looks at prices, of a table whose
// prices are not read. Rows are the first.
func (t *Table) UnclearPrices(rows []byte) *faults.Fault {
	price := t.money[recognize.Price]
	if price.index == profile.Missing || price.form != nil {
		return nil
	}
	_, fault := t.findMoney(recognize.RolePrice, t.settings.PriceForm, t.sample(nil, rows, price.index))
	return fault
}

// NamesIn are the cells of names in the first rows, in the table's encoding.
func (t *Table) NamesIn(rows []byte) (cells [][]byte) {
	for r := range t.each(rows) {
		for _, role := range recognize.NameRoles {
			for _, c := range t.columns[role.Role] {
				cells = append(cells, bytes.Clone(r.Says(r.block, c.Index)))
			}
		}
	}
	return cells
}
