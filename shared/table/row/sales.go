package row

import (
	"bytes"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// saleColumn is a column of prices by which rows are on sale.
type saleColumn struct{ recognize.Sale }

// isSale reports whether rows are on sale by a column of money, which the table has.
func (t *Table) isSale(m recognize.Money) bool {
	return slices.ContainsFunc(t.sales, func(c saleColumn) bool { return c.Money == m })
}

// findNone finds what stands in the columns of sales for none, in the first row
// whose cell has such a thing.
func (t *Table) findNone(rows []byte) {
	for i := range t.sales {
		c := &t.sales[i]
		if len(c.None) == 0 {
			continue
		}
		for r := range t.each(rows) {
			text := string(r.content(t.money[c.Money].index))
			if slices.Contains(c.None, text) && !t.skip.Has(r.block, r.Record) &&
				!t.priceless(r.block, r.Record) {
				c.Ends = text
				break
			}
		}
	}
}

// isNone reports whether a cell has a word that stands for no sale price.
func (c *saleColumn) isNone(text []byte) bool {
	return len(c.None) > 0 && !bytes.ContainsAny(text, "0123456789") && slices.Contains(c.None, string(text))
}

// HasSales reports whether there are columns by which rows are on sale.
func (t *Table) HasSales() bool { return len(t.sales) > 0 }

// FlagsSales reports whether a column says of each row whether its sale is on.
func (t *Table) FlagsSales() bool {
	return t.HasSales() && t.sales[0].Texts[recognize.OnSale] != profile.Missing
}

// TellsSales reports whether there is one column by which rows are on sale, which is
// read, as prices are.
func (t *Table) TellsSales() bool {
	return len(t.sales) == 1 && t.money[recognize.Price].form != nil && t.money[t.sales[0].Money].form != nil
}

// Prices are a row's price and the one by which it is, or is not, on sale.
type Prices struct {
	Price amount.Amount
	// Sale is the one of the other column, where it has one.
	Sale    amount.Amount
	HasSale bool
	// Dated: the sale has dates, which may say that it is not in force.
	Dated bool

	mayBeDated bool // the columns of dates are not known
	form       profile.SaleForm
	flagged    bool // a column says whether the row is on sale
	switched   bool // it says so
}

// OnSale reports whether a sale price is in force, its dates aside.
func (p *Prices) OnSale() bool {
	switch {
	case !p.HasSale || p.Sale.IsZero():
		return false
	case p.form == profile.SaleWas:
		return p.Sale.Cmp(p.Price) > 0
	}
	return (p.switched || !p.flagged) && p.Sale.Cmp(p.Price) < 0
}

// SaleHasColumn reports whether the sale's price stands beside the price, and not what it was before.
func (p *Prices) SaleHasColumn() bool { return p.form == profile.SaleBeside }

// MayEnd reports whether the sale has, or may have, dates that say that it is not in
// force.
func (p *Prices) MayEnd() bool { return p.Dated || p.mayBeDated }

// Paid is what customers pay.
func (p *Prices) Paid() amount.Amount {
	if p.form == profile.SaleBeside && p.OnSale() {
		return p.Sale
	}
	return p.Price
}

// Regular is what they pay without a sale.
func (p *Prices) Regular() amount.Amount {
	if p.form == profile.SaleWas && p.OnSale() {
		return p.Sale
	}
	return p.Price
}

// PutOnSale makes a price below the regular one what customers pay.
func (p *Prices) PutOnSale(at amount.Amount) {
	if p.form == profile.SaleWas {
		p.Price, p.Sale = at, p.Regular()
	} else {
		p.Sale, p.switched = at, p.flagged
	}
	p.HasSale = true
}

// CompareWith has a price stand as the one from before a sale.
func (p *Prices) CompareWith(at amount.Amount) {
	p.Sale, p.HasSale, p.Dated = at, true, false
}

// End makes the regular price of a row that is on sale what customers pay.
func (p *Prices) End() {
	p.Price, p.switched = p.Regular(), false
	p.Sale, p.HasSale = amount.Amount{}, false
}

// Same reports whether nothing tells two prices of a row apart.
func (p *Prices) Same(q *Prices) bool {
	return p.Price.Equal(q.Price) && p.HasSale == q.HasSale && p.Sale.Equal(q.Sale) &&
		p.switched == q.switched && p.Dated == q.Dated
}

// unsold are the prices of a row without one of a sale, of which a column says on.
func (c *saleColumn) unsold(price amount.Amount, on string) Prices {
	p := Prices{
		Price:      price,
		form:       c.Form,
		flagged:    c.Texts[recognize.OnSale] != profile.Missing,
		mayBeDated: c.UnknownDates,
	}
	p.switched = p.flagged && strings.EqualFold(strings.TrimSpace(on), profile.FlagOn)
	return p
}

// Sale is a row's price beside what one column of sales says of it.
type Sale struct {
	Prices
	Problem Problem // why it cannot be read
	MayBeOn bool    // it cannot be read, and customers may pay it
}

// ReadSale reads what a column of sales says of the row, of which the price is read.
func (r *Row) ReadSale(i int) (s Sale) {
	column := &r.s.table.sales[i]
	s.Prices = column.unsold(r.Money[recognize.Price].Amount, r.textIn(column.Texts[recognize.OnSale]))
	s.Problem = r.readSale(column, &s.Prices)
	if s.Problem.Kind != faults.Fine {
		s.MayBeOn = s.SaleHasColumn() && !r.Money[column.Money].at.Empty() && (s.switched || !s.flagged)
	}
	return s
}

// readSale reads a sale's price and its dates.
func (r *Row) readSale(column *saleColumn, s *Prices) (found Problem) {
	t := r.s.table
	c, price := &r.Money[column.Money], &r.Money[recognize.Price]
	for x := recognize.SaleFrom; x <= recognize.SaleUntil; x++ {
		s.Dated = s.Dated ||
			column.Texts[x] != profile.Missing && !r.record.Content(r.s.Block, column.Texts[x]).Empty()
	}
	if c.Has, c.Figure = false, (profile.Figure{}); t.money[column.Money].form == nil {
		return Problem{Kind: faults.UnclearPrice, column: t.money[column.Money].index}
	}
	if column.isNone(c.at.Of(r.s.Block)) {
		return Problem{}
	}
	if found = r.s.readMoney(column.Money); found.Kind != faults.Fine {
		c.Has, c.Plain = false, false
	}
	s.Sale, s.HasSale = c.Amount, c.Has
	if found.Kind == faults.Fine && c.Has && c.Ambiguous {
		found = Problem{Kind: faults.ThreeDecimals, column: t.money[column.Money].index}
	}
	if mine, its := price.Currency(), c.Currency(); s.HasSale && mine != "" && its != "" &&
		!strings.EqualFold(mine, its) {
		found = Problem{Kind: faults.OtherCurrency, column: t.money[column.Money].index}
		s.HasSale = false
	}
	return found
}

// SetPrices has a row's prices become others, with what is beside a sale's.
func (e *Edit) SetPrices(r *Row, was, now *Prices) {
	c := &r.s.table.sales[0]
	price, sale := &e.Money[recognize.Price], &e.Money[c.Money]
	price.Copies, price.From = !now.HasSale && now.Price.Equal(was.Sale), c.Money
	*sale = MoneyEdit{
		Sets:   now.HasSale != was.HasSale || !now.Sale.Equal(was.Sale),
		Amount: now.Sale,
		Copies: now.Sale.Equal(was.Price),
		From:   recognize.Price,
	}
	if !now.HasSale {
		sale.Text, sale.Bare = &c.Ends, r.needsNoQuotes(c)
	}
	if now.switched != was.switched {
		e.Texts[recognize.OnSale] = new(likeCase(
			map[bool]string{true: profile.FlagOn, false: profile.FlagOff}[now.switched],
			r.Text(recognize.RoleOnSale),
		))
	}
	for x := recognize.SaleFrom; x <= recognize.SaleUntil && was.Dated && !now.Dated; x++ {
		if r.Text(recognize.TextRoles[x]) != "" {
			e.Texts[x] = new(string)
		}
	}
}

// likeCase writes a word in the case of another.
func likeCase(word, like string) string {
	switch {
	case like == "":
	case like == strings.ToLower(like):
		return strings.ToLower(word)
	case like == strings.ToUpper(like):
		return strings.ToUpper(word)
	}
	return word
}

// needsNoQuotes reports whether the quotes around the cell of a sale's price are there
// for what it holds alone, and not for what there is where no sale is: not all cells of
// its row have some.
func (r *Row) needsNoQuotes(c *saleColumn) bool {
	at := r.record.Content(r.s.Block, r.s.table.money[c.Money].index)
	return slices.Contains(at.Of(r.s.Block), r.s.delimiter) && strings.IndexByte(c.Ends, r.s.delimiter) < 0 &&
		r.record.Field(0) == r.record.Content(r.s.Block, 0)
}

// writesAlike reports whether a column would write an amount as it stands in another
// cell of the row.
func (r *Row) writesAlike(m, from recognize.Money) bool {
	form := r.s.table.money[m].form
	read, fault := form.Read(r.s.Block, r.Money[from].at)
	return fault == faults.Fine && read.Amount.Equal(r.Money[from].Amount) &&
		strings.EqualFold(read.Currency(), form.Currency())
}

// PricesOf reads prices as texts: a price, that of the sale and, where a column says
// so, whether it is on.
func (t *Table) PricesOf(price, sale, on string) (p Prices, ok bool) {
	c := &t.sales[0]
	read, ok := t.readMoney(recognize.Price, price)
	p = c.unsold(read.Amount, on)
	if sale != "" {
		read, readable := t.readMoney(c.Money, sale)
		p.Sale, p.HasSale = read.Amount, readable
	}
	return p, ok
}

// Sale is the money by which rows are on sale, where the table has some, and whether
// it is what they were sold for before.
func (t *Table) Sale() (m recognize.Money, was bool) {
	return t.sales[0].Money, t.sales[0].Form == profile.SaleWas
}

// saleDates are the titles of the columns of sales' dates.
func (t *Table) saleDates() (titles []string) {
	for _, index := range t.sales[0].Texts[recognize.SaleFrom:] {
		if index != profile.Missing {
			titles = append(titles, t.columnTitle(index))
		}
	}
	return titles
}

// OtherPrices are the titles of those columns.
func (t *Table) OtherPrices() (titles []string) {
	for _, i := range t.otherPrices {
		titles = append(titles, faults.Excerpt(t.Header[i]))
	}
	return titles
}
