package row

import (
	"bufio"
	"slices"

	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/screen"
)

// Visitor is shown the rows of blocks, one block at a time.
type Visitor interface {
	// Begin begins a block. What was kept of the block before is of no more use.
	Begin()
	// Row is shown a row that may matter. All others have been checked for faults.
	Row(*Row) Problem
	// Done ends the block, once all blocks before have been written and those
	// behind have not, and tells the number of its first row.
	Done(first int64) error
}

// Problem is what was found in a row: nothing where its kind is Fine. It has no more than
// four words, in which it is handed on without a copy in memory.
type Problem struct {
	Kind   faults.Kind
	Advice string // what a kind means that this package does not know
	column int    // or noColumn
}

// Problem is a problem with a row's cell of a role. Advice says what it means and what to do
// about it.
func (t *Table) Problem(role recognize.Role, kind faults.Kind, advice string) Problem {
	return Problem{Kind: kind, Advice: advice, column: t.first(role)}
}

const noColumn = -1

// scanner answers a query over one block at a time. It changes nothing in the
// block: what becomes of it waits in edits until the blocks before have been
// written.
type scanner struct {
	*dialect.Records
	table   *Table
	query   *Query
	names   *matcher
	visitor Visitor // nil: rows are checked alone
	row     *Row

	screen   *screen.Screen // nil: every row needs a closer look
	screened bool           // the rows that are not notable need no look at all
	idle     *bool          // the state of stock in which a row matters to no condition
	notable  []uint32

	before   int64     // rows before the block, where its reader knows
	rows     int64     // records read of the block
	empties  int64     // of them, the empty lines
	atEnd    int64     // of these, those behind all others
	strays   bool      // a field of the block has a quote and does not begin with one
	leaves   bool      // rows with cells that cannot be read are left alone
	queried  []int     // the columns that a condition or an operation looks at
	own      names.Set // the query's conditions, without those by which exceptions are looked for
	bounded  names.Set // those for some quantities alone
	leftOut  LeftOut
	excepted names.Set // the exceptions that leave the row out
	edits    []replacement
	text     []byte // the edits' new texts, one behind the other

	delimiter byte
	reads     []recognize.Money // of which amounts are read of every row
	optional  []recognize.Money // of which they are read of rows that matter
	money     []recognize.Money // that the query is about, or by which rows are on sale, in the order of their columns
	stocks    bool              // whether there is any in stock is read
}

func (t *Table) newScanner(q *Query, v Visitor) *scanner {
	s := &scanner{Records: t.newRecords(), table: t, query: q, visitor: v, delimiter: t.Dialect.Delimiter.Byte(), leaves: t.leavesOdd(), own: q.search.Own}
	s.row = &Row{s: s}
	s.names = newMatcher(q, t, s.Records)
	for m, column := range t.money {
		switch {
		case column.form == nil, t.isSale(recognize.Money(m)):
		case column.optional:
			s.optional = append(s.optional, recognize.Money(m))
		default:
			s.reads = append(s.reads, recognize.Money(m))
		}
		if t.isSale(recognize.Money(m)) || q.Has(recognize.Money(m).Role()) && column.index != profile.Missing {
			s.money = append(s.money, recognize.Money(m))
		}
	}
	slices.SortFunc(s.money, func(a, b recognize.Money) int { return t.money[a].index - t.money[b].index })
	s.stocks = t.stocks != nil
	s.queried = s.queriedColumns()
	s.bounded = t.bounded(q)
	if !q.Unchecked {
		s.screen = s.newScreen()
	}
	return s
}

// queriedColumns are the columns that the query looks at.
func (s *scanner) queriedColumns() (columns []int) {
	for _, c := range s.names.columns {
		if len(c.Named) > 0 {
			columns = append(columns, indexes(c.cells)...)
		}
	}
	for m, column := range s.table.money {
		if sale := s.table.isSale(recognize.Money(m)); !sale && s.query.Has(recognize.Money(m).Role()) || sale && s.query.Sales {
			columns = append(columns, column.index)
		}
	}
	if s.stocks {
		columns = append(columns, indexes(s.table.columns[recognize.RoleInStock])...)
	}
	if s.table.quantity != profile.Missing {
		columns = append(columns, s.table.quantity)
	}
	return columns
}

// newScreen returns the screen of the query, or none where every row needs a
// closer look: where there is a condition that names neither a category nor a
// SKU, or escapes may begin characters.
func (s *scanner) newScreen() *screen.Screen {
	t, everywhere := s.table, names.EverySet
	var whole []screen.Name
	var parts []screen.Part
	s.screened = !t.family.Stands() // or else each row may be the product of those below
	for _, c := range s.names.columns {
		everywhere = everywhere.And(c.Others)
		if s.screened = s.screened && c.screened; !c.screened {
			continue
		}
		if c.IsOfParts() {
			parts = append(parts, s.partsOf(c)...)
			continue
		}
		for _, cell := range c.cells {
			name := screen.Name{Column: cell.Index}
			if len(c.IDs) > 0 {
				name.Held = c.Bloom
			}
			if c.amongOthers && slices.Contains(t.separated, cell.Index) {
				parts = append(parts, screen.Part{Column: cell.Index, Marks: names.Marks(t.Dialect)})
			}
			whole = append(whole, name)
		}
	}
	if !everywhere.AndNot(s.bounded).Empty() || t.Dialect.Escapes {
		return nil
	}
	var numbers []screen.Number
	for _, m := range s.reads {
		form := t.money[m].form
		number := screen.Number{Column: t.money[m].index, Point: form.FastPoint()}
		if prefix, suffix := form.Dress(); max(len(prefix), len(suffix)) <= screen.MaxDress {
			number.Prefix, number.Suffix = prefix, suffix
		}
		numbers = append(numbers, number)
	}
	var words []int
	switch {
	case !s.stocks:
	case !t.stocks.Usual():
		return nil
	case t.stocks.Quantity():
		for _, place := range t.columns[recognize.RoleInStock] {
			numbers = append(numbers, screen.Number{Column: place.Index})
		}
	default:
		words = indexes(t.columns[recognize.RoleInStock])
		if t.statesStock() && len(t.otherStock) == 0 {
			s.idle = s.query.Idle
		}
	}
	screened := screen.New(len(t.Header), s.LineEnd(), whole, numbers, words)
	screened.Closer(parts, s.ranges(everywhere))
	return screened
}

// partsOf are what the screen looks for in columns that are not compared as a whole.
func (s *scanner) partsOf(c nameColumn) (parts []screen.Part) {
	for _, cell := range c.cells {
		if len(c.IDs) == 0 {
			break
		}
		part := screen.Part{Column: cell.Index, Opening: s.table.Dialect.LiteralQuotes}
		for text := range c.IDs {
			if c.Begins != nil {
				part.Beginnings = append(part.Beginnings, text)
			} else if longest := names.LongestWord(text); longest != "" {
				part.Words = append(part.Words, longest)
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// ranges are the bounds of conditions on quantities, of those that are for every name.
func (s *scanner) ranges(conditions names.Set) []screen.Range {
	if conditions.Empty() {
		return nil
	}
	within := screen.Range{Column: s.table.quantity}
	for i := 0; !conditions.Empty(); {
		i, conditions = conditions.Next()
		within.Within = append(within.Within, s.query.Pieces[i].bounds())
	}
	return []screen.Range{within}
}

// begin makes the scanner ready for Block[:limit], and so is its visitor.
func (s *scanner) begin(limit int) {
	s.Reset(limit)
	s.rows, s.empties, s.atEnd, s.strays = 0, 0, 0, false
	s.names.drop()
	s.edits, s.text = s.edits[:0], s.text[:0]
	s.leftOut = LeftOut{}
	if s.visitor != nil {
		s.visitor.Begin()
	}
}

// scan goes through the whole block, or to its first fault: it returns where
// that record begins.
func (s *scanner) scan() (pos int, found Problem) {
	if !s.query.inOrder() && s.Index() {
		s.table.family.Mark()
		if s.indexed() {
			return s.Limit, Problem{}
		}
		s.table.family.Return()
	}
	s.begin(s.Limit)
	return s.search()
}

// indexed scans a block by its index and reports whether it found no fault.
// Where there is one, lines with too few fields may have passed for one record
// before it: which rows they are, the search says.
func (s *scanner) indexed() bool {
	if s.screen != nil {
		if s.idle != nil && s.names.seenAll() {
			s.screen.Skip(*s.idle)
		}
		s.notable = s.screen.Rows(s.notable[:0], s.Block, s.Starts(), s.ASCII)
	}
	if s.screen != nil && s.screened {
		for _, row := range s.notable {
			if !s.indexedRow(row, false) {
				return false
			}
		}
	} else {
		notable := s.notable
		for row := range uint32(s.Count()) {
			screened := s.screen != nil && (len(notable) == 0 || notable[0] != row)
			if !screened && s.screen != nil {
				notable = notable[1:]
			}
			if !s.indexedRow(row, screened) {
				return false
			}
		}
		if 4*len(s.notable) > 3*s.Count() {
			s.screen = nil // it tells too little of this table
		}
	}
	s.rows = int64(s.Count())
	return true
}

// indexedRow looks at an indexed row, and reports whether it found no fault.
func (s *scanner) indexedRow(row uint32, screened bool) bool {
	record, ok := s.Row(row)
	s.rows = int64(row) + 1
	return ok && s.readRecord(record, screened).Kind == faults.Fine
}

// search scans a block that is not in order, record by record, to the first
// fault; or to the end, where all that is out of order are empty lines, quotes in
// columns that nobody needs, or a record that is very long. That record is still to be
// shown to the family.
func (s *scanner) search() (pos int, found Problem) {
	for pos < s.Limit {
		s.table.family.Mark()
		_, next, found := s.scanRecord(pos)
		if found.Kind != faults.Fine {
			s.table.family.Return()
			return pos, found
		}
		pos = next
	}
	return pos, Problem{}
}

// scanRecord looks at the record at pos. It returns where its text ends and where the
// next begins; after a fault in the quoting, the next is where the fault is.
func (s *scanner) scanRecord(pos int) (end, next int, found Problem) {
	s.rows++
	record, end, next, fault := s.Split(pos)
	s.strays = s.strays || len(s.Strays()) > 0 // the block may end within this record
	switch {
	case end == pos && fault == faults.Fine:
		s.empties++
		s.atEnd++
		s.leftOut.Empty.Add(s.rows)
		return end, next, Problem{}
	case fault == faults.FieldCount && s.passesRagged(end):
		s.atEnd = 0
		s.leftOut.Ragged.Add(s.rows)
		return end, next, Problem{}
	case fault != faults.Fine:
		return end, next, Problem{Kind: fault, column: noColumn}
	}
	s.atEnd = 0
	if slices.ContainsFunc(s.Strays(), func(column int) bool { return !slices.Contains(s.queried, column) }) {
		s.leftOut.Strays.Add(s.rows)
	}
	if s.Fields() < s.table.fieldsRead && !s.query.Unchecked && !s.table.skip.Has(s.Block, record) {
		s.leftOut.Short.Add(s.rows)
	}
	return end, next, s.readRecord(record, false)
}

// passesRagged reports whether a row with another number of cells than the header, whose text ends
// there, stays as it is. It is a fault where the file seems to be cut off, and where rows take
// something from others: those below could take it from the wrong one.
func (s *scanner) passesRagged(end int) bool {
	cutOff := s.Fields() < len(s.table.Header) && end == s.Limit
	return (s.leaves || s.query.Ragged) && s.table.family == nil && !cutOff
}

// readRecord reads a record, and shows it to the visitor where it may matter.
func (s *scanner) readRecord(at dialect.Record, screened bool) Problem {
	t, r := s.table, s.row
	if t.skip.Has(s.Block, at) {
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
		if meets, found := s.names.meets(at, true); found.Kind == faults.Fine && meets.Or(s.names.odd).Empty() && len(s.names.noted) == 0 && !s.names.blank {
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
	if t.keepBlank && t.priceless(s.Block, at) {
		return s.unpriced()
	}
	for _, m := range s.reads {
		if found := s.readMoney(m); found.Kind != faults.Fine && !s.leave(m.Role(), found) {
			return found
		}
	}
	if s.stocks {
		if found := s.readStock(); found.Kind != faults.Fine && !s.leave(recognize.RoleInStock, found) {
			return found
		}
	}
	return s.visit()
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

// isIdle reports whether the row's stock leaves it to no condition: such rows may
// not have been looked at.
func (s *scanner) isIdle() bool {
	return s.query.Idle != nil && *s.query.Idle == s.row.Stock.In && !s.row.Stock.Odd
}

// countNames counts the row for the names that it has, or for the category that it
// has not.
func (s *scanner) countNames() {
	s.names.count()
	if s.names.blank && !s.names.orphan {
		s.leftOut.Blank.Add(s.rows)
	}
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

// unpriced shows a row without a price for its stock: that of a variant that has
// its product's price is its own. Where there is no stock either, as in rows of
// images, the row is left alone, and told of where each should have a price or has one
// in another column.
func (s *scanner) unpriced() Problem {
	price, bare := &s.row.Money[recognize.Price], s.stocks && s.row.stockAt.Empty()
	price.Figure, price.Has, s.row.Stock.Bare = profile.Figure{}, false, bare
	expects := s.table.ExpectsPrices()
	switch {
	case !bare && (s.stocks || expects || s.table.quantity != profile.Missing):
	case (expects || s.row.hasOtherPrices()) && !s.row.Meets.Or(s.row.OddNames).Empty():
		return s.show()
	default:
		return Problem{}
	}
	if s.stocks {
		if found := s.readStock(); found.Kind != faults.Fine && !s.leave(recognize.RoleInStock, found) {
			return found
		}
	}
	return s.visit()
}

func (s *scanner) readMoney(m recognize.Money) Problem {
	column, c := &s.table.money[m], &s.row.Money[m]
	if c.Has = !column.optional || !c.at.Empty(); !c.Has {
		c.Figure = profile.Figure{}
		return Problem{}
	}
	read, fault := column.form.Read(s.Block, c.at)
	if s.IsStray(column.index) {
		fault = faults.StrayQuote
	}
	if fault == faults.Fine && s.query.OneMoney && !column.form.SameMoney(read) {
		fault = faults.OtherCurrency
	}
	c.Figure = read
	return Problem{Kind: fault, column: column.index}
}

// readStock reads the row's state, or its product's where its own is blank; a
// product's, where its variants tell it.
func (s *scanner) readStock() (found Problem) {
	t, r := s.table, s.row
	if t.untracked.Has(s.Block, r.record) {
		r.Stock.In = true
		return Problem{}
	}
	if t.family != nil && s.names.product == nil {
		if inStock, known := t.family.VariantInStock(s.Block, r.record); known {
			r.Stock.In = inStock
			return Problem{}
		}
	}
	if product := s.names.product; r.stockAt.Empty() && product != nil && len(product.Stock) > 0 {
		r.Stock.In, found.Kind = t.stocks.Read(cell.Block(string(product.Stock)))
		found.column = t.stock
		return found
	}
	r.Stock.In, found.column, found.Kind = t.stocks.InStock(s.Block, r.record)
	if found.Kind == faults.EmptyStock && t.QuantityIsStock() && !s.query.Has(recognize.RoleInStock) {
		return Problem{} // its quantity is not known, and more is not looked at
	}
	if found.Kind == faults.Fine && slices.ContainsFunc(t.columns[recognize.RoleInStock], func(c recognize.Located) bool { return s.IsStray(c.Index) }) {
		found.Kind = faults.StrayQuote
	}
	return found
}

// putBlock writes the block with its edits made: in place where they fit.
func (s *scanner) putBlock(out *bufio.Writer) error {
	done := 0
	for _, edit := range s.edits {
		content := s.text[edit.from:edit.to]
		if int(edit.Size()) == len(content) {
			copy(s.Block[edit.From:], content)
			continue
		}
		out.Write(s.Block[done:edit.From]) // an error stays in the writer
		out.Write(content)
		done = int(edit.To)
	}
	_, err := out.Write(s.Block[done:s.Limit])
	return err
}
