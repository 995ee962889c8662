package row

import (
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

	before      int64     // rows before the block, where its reader knows
	rows        int64     // records read of the block
	indexedRows int64     // records that the block has, where it is indexed
	empties     int64     // of them, the empty lines
	atEnd       int64     // of these, those behind all others
	strays      bool      // a field of the block has a quote and does not begin with one
	leaves      bool      // rows with cells that cannot be read are left alone
	queried     []int     // the columns that a condition or an operation looks at
	own         names.Set // the query's conditions, without those by which exceptions are looked for
	bounded     names.Set // those for some quantities alone
	leftOut     LeftOut
	excepted    names.Set // the exceptions that leave the row out
	edits       []replacement
	text        []byte // the edits' new texts, one behind the other

	delimiter byte
	reads     []recognize.Money // of which amounts are read of every row
	optional  []recognize.Money // of which they are read of rows that matter
	// that the query is about, or by which rows are on sale, in the order of their columns
	money  []recognize.Money
	stocks []int          // the columns that tell what is in stock, where that is read
	cells  []dialect.Cell // that are found of every row
}

func (t *Table) newScanner(q *Query, v Visitor) *scanner {
	s := &scanner{
		Records:   t.newRecords(),
		table:     t,
		query:     q,
		visitor:   v,
		delimiter: t.Dialect.Delimiter.Byte(),
		leaves:    t.leavesOdd(),
		own:       q.search.Own,
	}
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
		if t.isSale(recognize.Money(m)) ||
			q.Has(recognize.Money(m).Role()) && column.index != profile.Missing {
			s.money = append(s.money, recognize.Money(m))
		}
	}
	slices.SortFunc(s.money, func(a, b recognize.Money) int { return t.money[a].index - t.money[b].index })
	if t.stocks != nil {
		s.stocks = indexes(t.columns[recognize.RoleInStock])
	}
	s.cells = s.cellsRead()
	s.queried = s.queriedColumns()
	s.bounded = t.bounded(q)
	if !q.Unchecked {
		s.screen = s.newScreen()
	}
	return s
}

// cellsRead are the cells that are found of every row: of the money, the stock and, where rows
// are checked, of what says which product a row is.
func (s *scanner) cellsRead() (cells []dialect.Cell) {
	t, r := s.table, s.row
	add := func(column int, at *cell.Span) {
		if column != profile.Missing {
			cells = append(cells, dialect.Cell{Column: column, At: at})
		}
	}
	for _, m := range s.money {
		add(t.money[m].index, &r.Money[m].at)
	}
	if !slices.Contains(s.money, recognize.Price) {
		add(t.money[recognize.Price].index, &r.Money[recognize.Price].at)
	}
	add(t.stock, &r.stockAt)
	add(t.quantity, &r.quantityAt)
	add(t.currency, &r.currencyAt)
	if s.query.Unchecked {
		return cells
	}
	r.namesAt = make([]cell.Span, len(t.naming))
	for i, column := range t.naming {
		add(column, &r.namesAt[i])
	}
	return cells
}

// queriedColumns are the columns that the query looks at.
func (s *scanner) queriedColumns() (columns []int) {
	for _, c := range s.names.columns {
		if len(c.Named) > 0 {
			columns = append(columns, indexes(c.cells)...)
		}
	}
	for m, column := range s.table.money {
		if sale := s.table.isSale(recognize.Money(m)); !sale && s.query.Has(recognize.Money(m).Role()) ||
			sale && s.query.Sales {
			columns = append(columns, column.index)
		}
	}
	columns = append(columns, s.stocks...)
	if s.table.quantity != profile.Missing {
		columns = append(columns, s.table.quantity)
	}
	return columns
}

// begin makes the scanner ready for Block[:limit], and so is its visitor.
func (s *scanner) begin(limit int) {
	s.Reset(limit)
	s.rows, s.indexedRows, s.empties, s.atEnd, s.strays = 0, 0, 0, 0, false
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
	s.indexedRows = int64(s.Count())
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
		for row := range uint32(s.indexedRows) {
			screened := s.screen != nil && (len(notable) == 0 || notable[0] != row)
			if !screened && s.screen != nil {
				notable = notable[1:]
			}
			if !s.indexedRow(row, screened) {
				return false
			}
		}
		if 4*int64(len(s.notable)) > 3*s.indexedRows {
			s.screen = nil // it tells too little of this table
		}
	}
	s.rows = s.indexedRows
	return true
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
	s.strays = s.strays || s.Stray // the block may end within this record
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
	if s.Stray && slices.ContainsFunc(s.Strays(),
		func(column int) bool { return !slices.Contains(s.queried, column) }) {
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
