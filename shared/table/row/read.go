package row

import (
	"bytes"
	"slices"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// A row is read in the order in which the functions stand here.

// indexedRow looks at an indexed row, and reports whether it found no fault.
func (s *scanner) indexedRow(row uint32, screened bool) bool {
	record, ok := s.Row(row)
	s.rows = int64(row) + 1
	return ok && s.readRecord(record, screened).Kind == faults.Fine
}

// readRecord reads a record, and shows it to the visitor where it may matter.
func (s *scanner) readRecord(at dialect.Record, screened bool) Problem {
	t, r := s.table, s.row
	if t.skip != nil && t.skip.Has(s.Block, at) {
		return Problem{}
	}
	r.take(at)
	if s.query.Unchecked {
		r.OneCurrency = len(r.otherCode()) == 0
		return s.shown()
	}
	if t.family != nil {
		if s.names.findProduct(at); s.names.orphan {
			s.leftOut.Orphans.Add(s.rows)
		}
	}
	if screened {
		meets, found := s.names.meets(at, true)
		matters := len(s.names.noted) > 0 || s.names.blank || !meets.Or(s.names.odd).Empty()
		if found.Kind == faults.Fine && !matters {
			return Problem{}
		}
	}
	var found Problem
	if r.Meets, found = s.names.meets(at, false); found.Kind != faults.Fine {
		return found
	}
	r.OddNames = s.names.odd.And(s.own)
	if s.query.search.Exceptions != nil {
		r.Meets, s.excepted = s.query.search.LeaveOut(r.Meets)
	}
	if t.keepBlank && r.Money[recognize.Price].at.Empty() {
		return s.unpriced()
	}
	for _, m := range s.reads {
		if found := s.readMoney(m); found.Kind != faults.Fine && !s.leave(m.Role(), found) {
			return found
		}
	}
	if len(s.stocks) > 0 {
		if found := s.readStock(); found.Kind != faults.Fine && !s.leave(recognize.RoleInStock, found) {
			return found
		}
	}
	return s.visit()
}

// take makes it the row of a record, and finds the cells that are read of each.
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
	at.Find(s.Block, s.cells)
}

// readMoney reads the row's cell of a role of money.
func (s *scanner) readMoney(m recognize.Money) Problem {
	column, c := &s.table.money[m], &s.row.Money[m]
	if c.Has = !column.optional || !c.at.Empty(); !c.Has {
		c.Figure = profile.Figure{}
		return Problem{}
	}
	read, fault := column.form.Read(s.Block, c.at)
	if s.Stray && s.IsStray(column.index) {
		fault = faults.StrayQuote
	}
	if fault == faults.Fine && s.query.OneMoney && !read.SameMoney {
		fault = faults.OtherCurrency
	}
	c.Figure = read
	return Problem{Kind: fault, column: column.index}
}

// readStock reads the row's state, or its product's where its own is blank; a
// product's, where its variants tell it.
func (s *scanner) readStock() (found Problem) {
	t, r := s.table, s.row
	if t.untracked != nil && t.untracked.Has(s.Block, r.record) {
		r.Stock.In = true
		return Problem{}
	}
	if t.family != nil && s.names.product == nil {
		if inStock, known := t.family.VariantInStock(s.Block, r.record); known {
			r.Stock.In = inStock
			return Problem{}
		}
	}
	found.column = t.stock
	if product := s.names.product; product != nil && r.stockAt.Empty() && len(product.Stock) > 0 {
		r.Stock.In, found.Kind = t.stocks.Read(cell.Block(string(product.Stock)))
		return found
	}
	if len(s.stocks) == 1 {
		r.Stock.In, found.Kind = t.stocks.Read(s.Block, r.stockAt)
	} else {
		r.Stock.In, found.column, found.Kind = t.stocks.InStock(s.Block, r.record)
	}
	if found.Kind == faults.EmptyStock && t.QuantityIsStock() && !s.query.Has(recognize.RoleInStock) {
		return Problem{} // its quantity is not known, and more is not looked at
	}
	if found.Kind == faults.Fine && s.Stray && slices.ContainsFunc(s.stocks, s.IsStray) {
		found.Kind = faults.StrayQuote
	}
	return found
}

// leave reports whether operations that need a cell leave the row alone, because the cell
// cannot be read.
func (s *scanner) leave(role recognize.Role, found Problem) bool {
	if !s.leaves || !found.Kind.Odd() {
		return false
	}
	r := s.row
	r.odd = true
	switch m := slices.Index(recognize.MoneyRoles[:], role); {
	case m >= 0:
		r.Money[m].Has, r.Money[m].Odd, r.Money[m].Figure = false, true, profile.Figure{}
	case role == recognize.RoleInStock:
		r.Stock.In, r.Stock.Odd = false, true
	default:
		r.Quantity.Odd = true
	}
	return true
}

// unpriced shows a row without a price for its stock: that of a variant that has
// its product's price is its own. Where there is no stock either, as in rows of
// images, the row is left alone, and told of where each should have a price or has one
// in another column.
func (s *scanner) unpriced() Problem {
	price, bare := &s.row.Money[recognize.Price], len(s.stocks) > 0 && s.row.stockAt.Empty()
	price.Figure, price.Has, s.row.Stock.Bare = profile.Figure{}, false, bare
	expects := s.table.ExpectsPrices()
	switch {
	case !bare && (len(s.stocks) > 0 || expects || s.table.quantity != profile.Missing):
	case (expects || s.row.hasOtherPrices()) && !s.row.Meets.Or(s.row.OddNames).Empty():
		return s.show()
	default:
		return Problem{}
	}
	if len(s.stocks) > 0 {
		if found := s.readStock(); found.Kind != faults.Fine && !s.leave(recognize.RoleInStock, found) {
			return found
		}
	}
	return s.visit()
}

// visit counts the row for its names, and shows it to the visitor where it meets a
// condition.
func (s *scanner) visit() Problem {
	if !s.bounded.Empty() && s.isBeyond() {
		s.row.Meets = names.Set{}
	}
	if len(s.table.otherStock) > 0 && s.row.IsContradicted() && !s.row.Meets.Or(s.row.OddNames).Empty() {
		s.leftOut.Contradicted.Add(s.rows)
	}
	if s.isIdle() {
		return Problem{}
	}
	if len(s.names.noted) > 0 || s.names.blank {
		s.countNames()
	}
	if s.query.search.Exceptions != nil {
		s.leftOut.Excepted = s.leftOut.Excepted.Or(s.excepted)
	}
	if s.row.Meets.Empty() && s.row.OddNames.Empty() {
		return Problem{}
	}
	if s.query.OneMoney && s.row.Money[recognize.Price].Has && len(s.row.otherCode()) > 0 {
		return Problem{Kind: faults.OtherCurrency, column: s.table.currency}
	}
	for _, m := range s.optional {
		if found := s.readMoney(m); found.Kind != faults.Fine && !s.leave(m.Role(), found) {
			return found
		}
	}
	if s.table.quantity != profile.Missing {
		if found := s.readQuantity(); found.Kind != faults.Fine && !s.leave(recognize.RoleQuantity, found) {
			return found
		}
	}
	return s.show()
}

// isBeyond reports whether all conditions that the row otherwise meets are for other
// quantities than its own: nothing becomes of it.
func (s *scanner) isBeyond() bool {
	r := s.row
	if r.Meets.Empty() || !r.OddNames.Empty() || !r.Meets.AndNot(s.bounded).Empty() {
		return false
	}
	if found := s.readQuantity(); found.Kind != faults.Fine || !r.Quantity.Known {
		return false
	}
	for i, met := 0, r.Meets; !met.Empty(); {
		if i, met = met.Next(); s.query.Pieces[i].Has(r.Quantity.Count) {
			return false
		}
	}
	return true
}

// isIdle reports whether the row's stock leaves it to no condition: such rows may
// not have been looked at.
func (s *scanner) isIdle() bool {
	return s.query.Idle != nil && *s.query.Idle == s.row.Stock.In && !s.row.Stock.Odd
}

// countNames counts the row for the names that it has, or for the category that it has not:
// for another name than the query's where the row has none of the query's that looks the same.
func (s *scanner) countNames() {
	n := s.names
	for _, name := range n.noted {
		has := func(other *names.Counted) bool { return !other.Others && other.Looks == name.Looks }
		if name.Others && slices.ContainsFunc(n.noted, has) {
			continue
		}
		if name.InBlock == 0 {
			n.counted = append(n.counted, name)
		}
		name.InBlock++
	}
	if n.blank && !n.orphan {
		s.leftOut.Blank.Add(s.rows)
	}
}

// readQuantity reads the row's quantity.
func (s *scanner) readQuantity() (found Problem) {
	t, r := s.table, s.row
	r.Quantity = QuantityCell{}
	if r.quantityAt.Empty() || t.tracks != nil && t.tracks.Has(s.Block, r.record) {
		return Problem{}
	}
	count, ok := readCount(r.quantityAt.Of(s.Block))
	if !ok || s.Stray && s.IsStray(t.quantity) {
		return Problem{Kind: faults.BadQuantity, column: t.quantity}
	}
	r.Quantity = QuantityCell{Count: count, Known: true, Follows: r.stockFollows()}
	return Problem{}
}

// stockFollows reports whether what is in stock goes with the row's quantity: it is that, or
// the platform's word beside it, but for one that says more, such as backorder.
func (r *Row) stockFollows() bool {
	if !r.s.table.follows {
		return false
	}
	for _, k := range r.s.table.backorders {
		if k.Column() == r.s.table.stock && k.Has(r.s.Block, r.record) {
			return false
		}
	}
	return true
}

// show shows the row to the visitor with all that it has.
func (s *scanner) show() Problem {
	s.row.fill()
	return s.shown()
}

func (s *scanner) shown() Problem {
	if s.visitor == nil {
		return Problem{}
	}
	return s.visitor.Row(s.row)
}

// fill reads what a visitor is told beside the cells that the row was looked at for.
func (r *Row) fill() {
	t := r.s.table
	r.OneCurrency, r.Whole = true, t.whole
	if code := r.otherCode(); len(code) > 0 {
		r.OneCurrency, r.Whole = false, profile.IsWhole(string(code))
	}
	price := &r.Money[recognize.Price]
	price.Usual = price.Has && price.SameMoney && r.OneCurrency
	r.OtherPrices = len(t.otherPrices) > 0 && r.hasOtherPrices()
	r.Nameless = r.isNameless()
	r.Stock.Untracked = t.untracked != nil && t.untracked.Has(r.s.Block, r.record)
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
		if says, fault := t.counted.Read(r.s.Block,
			r.record.Content(r.s.Block, column)); fault == faults.Fine {
			r.Stock.CountsIn, r.Stock.CountsOut = r.Stock.CountsIn || says, r.Stock.CountsOut || !says
		}
	}
}

// otherCode is what the row's column of currencies says, if it is another than that of
// the first rows.
func (r *Row) otherCode() []byte {
	if r.s.table.currency == profile.Missing {
		return nil
	}
	code := bytes.TrimSpace(r.currencyAt.Of(r.s.Block))
	if bytes.EqualFold(code, r.s.table.code) {
		return nil
	}
	return code
}

func (r *Row) hasOtherPrices() bool {
	return slices.ContainsFunc(r.s.table.otherPrices, func(i int) bool {
		return len(bytes.Trim(r.record.Content(r.s.Block, i).Of(r.s.Block), "0.,")) > 0
	})
}

// isNameless reports whether nothing says which product the row is, or but the word for a
// sum: it may be one.
func (r *Row) isNameless() bool {
	for _, at := range r.namesAt {
		if text := trimmedName(at.Of(r.s.Block)); len(text) > 0 && !isSum(text) {
			return false
		}
	}
	return len(r.namesAt) > 0
}

// sums are words for one, in any case.
var sums = bytes.Fields([]byte(
	"total totals subtotal sum sums summe gesamt gesamtsumme somme suma totale totaal",
))

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
