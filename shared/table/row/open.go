// Package row opens a table and shows its rows to a visitor, by a query.
//
// A Table is a header that has been read: where in a row stands what a plan looks at, and how
// its cells are written. A Query says which rows matter and which of their cells are read. A
// Row has those cells as values; a visitor answers it with an Edit, cells by their roles, which
// Write turns into bytes. Workers read, scan and write blocks of whole records, each in the
// order of the table. A table that breaks a rule is refused with all that is wrong with it.
//
// It does not know what a plan is, and keeps a bounded part of a table in memory.
package row

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"sync"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/scan"
	"github.com/planwright/planwright/shared/table/setting"
)

// Table is a table whose header has been read.
type Table struct {
	Recognized
	// Head is the text before the first row: the mark, the sep= line, a comment
	// and the header. It is written as it came.
	Head []byte

	settings  setting.Settings
	profile   *profile.Profile
	blocks    *scan.Blocks // of the rows
	quote     byte         // around fields; NUL: none are quoted
	questions []Question   // what a plan would be refused for, where a table is only looked at
	places
	forms
	kinds
}

// places say where in a row stands what a plan looks at. The position -1 is no column.
type places struct {
	columns  map[recognize.Role][]recognize.Located
	identity []int               // columns that name a row whose SKU is blank
	handed   []recognize.Located // columns of names in which a row that is blank has its product's
	naming   []int               // the columns of which one says which product a row is
	sku      int
	stock    int          // of several places, the first
	quantity int          // how many pieces there are
	currency int          // what the rows' prices are in
	sales    []saleColumn // what customers pay goes by the first
	// Columns that no plan changes.
	counts      []int // of quantities
	otherStock  []int // that tell what is in stock
	otherPrices []int
	separated   []int // of names that have separators in the first rows
	fieldsRead  int   // which a row must have to have all that the plan looks at
	shortRows   bool  // rows may end before a column
}

// forms say how the cells are written.
type forms struct {
	money      [recognize.Moneys]moneyColumn
	stocks     *profile.Stock // nil: it is not read
	quantities *profile.Stock // beside its words; nil: they do not change
	counted    *profile.Stock // in columns of quantities that no plan changes
	follows    bool           // what is in stock goes with the quantity
	whole      bool           // nobody pays fractions of the prices
	code       []byte         // the currency of the first rows
	keepBlank  bool           // a row with an empty price is left alone
}

// kinds are the rows that are not as others.
type kinds struct {
	family     *profile.Family // nil: no row takes anything from another
	skip       *profile.Kinds  // rows that are left as they are
	untracked  *profile.Kinds  // rows whose quantity says nothing about what is in stock
	tracks     *profile.Kinds  // rows whose quantity says nothing to a plan about quantities
	backorders []*profile.Kinds
}

// moneyColumn is the column of a role of money.
type moneyColumn struct {
	index    int // -1: none
	optional bool
	form     *profile.MoneyForm // nil: it is not read
}

// formBytes is how much of the rows tells the forms of their cells, however many
// are read at a time.
const formBytes = 256 << 10

// Open reads a table's header, and ahead of its first row as much as tells the
// dialect and the forms of its cells. A table whose header lacks what is needed
// is refused with an *InputError; an error of in is returned as it is. Blocks
// are read size bytes at a time.
func Open(in io.Reader, s setting.Settings, needs recognize.Needs, size int) (*Table, error) {
	raw := scan.NewBlocks(in, size, '"', '\n')
	head, err := raw.Peek(dialect.HeadBytes)
	if err != nil {
		return nil, err
	}
	if fault := kindOfFile(head); fault != nil {
		return nil, &InputError{Faults: []faults.Fault{*fault}}
	}
	t := &Table{
		Recognized: Recognized{Dialect: dialect.Detect(head, s.Dialect)},
		blocks:     raw,
		quote:      '"',
		settings:   s,
	}
	t.currency, t.quantity = profile.Missing, profile.Missing
	if fault := t.Dialect.AskPipes(head); fault != nil && !t.onlyAsks(needs, QuestionEncoding, fault) {
		return nil, &InputError{Faults: []faults.Fault{*fault}}
	}
	if text := t.Dialect.NewReader(raw); text != io.Reader(raw) {
		t.blocks = scan.NewBlocks(text, size, '"', '\n')
	}
	if t.Dialect.LiteralQuotes {
		t.quote = 0
	}
	t.blocks.Parts(t.quote, t.Dialect.LineEnd.Byte(), t.Dialect.Delimiter.Byte())
	t.blocks.KeepFrom(slices.ContainsFunc(recognize.NameRoles, func(r recognize.Rule) bool {
		return needs.Has(r.Role)
	}) || len(needs.Wheres) > 0)
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	if err := t.recognize(s, needs); err != nil {
		return nil, err
	}
	return t, nil
}

// Question is what a plan would be refused for.
type Question struct {
	About, Message string
}

// What questions are about.
const (
	QuestionEncoding = "encoding"
	QuestionHeader   = "header"
)

// Questions are what a plan would be refused for, of a table that is only looked at.
func (t *Table) Questions() []Question { return t.questions }

// onlyAsks notes a fault as a question where a table is only looked at.
func (t *Table) onlyAsks(needs recognize.Needs, about string, fault *faults.Fault) bool {
	if needs.IfThere {
		t.questions = append(t.questions, Question{about, faults.Capitalised(fault.Message) + "."})
	}
	return needs.IfThere
}

// leavesOdd reports whether rows with cells that cannot be read are left alone.
func (t *Table) leavesOdd() bool { return t.settings.OddRows == setting.OddRowsLeave }

// HasHeader reports whether the first row has titles.
func (t *Table) HasHeader() bool { return t.settings.Header != setting.HeaderNone }

// firstRow is the number of the first row that is no header.
func (t *Table) firstRow() int64 {
	if t.HasHeader() {
		return 2
	}
	return 1
}

// quotes reports whether a cell can be quoted.
func (t *Table) quotes() bool { return t.quote != 0 }

// Writer returns what the table's text is to be written to, so that out gets it
// in the table's encoding.
func (t *Table) Writer(out io.Writer) io.Writer { return t.Dialect.NewWriter(out) }

// noTables are how files begin that people take for tables, and what they are.
var noTables = []struct {
	begin, is string
	anyCase   bool // of letters; of other bytes none is like another
}{
	{"PK\x03\x04", "a workbook (.xlsx) or an archive", false},
	{"\xd0\xcf\x11\xe0", "a workbook", false}, // of before 2007
	{"%PDF-", "a PDF", false},
	{"<!doctype html", "a web page", true},
	{"<html", "a web page", true},
}

// kindOfFile refuses a file that is empty or no text.
func kindOfFile(head []byte) *faults.Fault {
	if len(head) == 0 {
		return &faults.Fault{
			Row:     1,
			Message: "the file is empty: it needs a header row with the columns' names",
		}
	}
	for _, no := range noTables {
		if bytes.HasPrefix(head, []byte(no.begin)) || no.anyCase && len(head) >= len(no.begin) &&
			bytes.EqualFold(head[:len(no.begin)], []byte(no.begin)) {
			return &faults.Fault{
				Row:     1,
				Message: "the file is " + no.is + ", not a table of text: save it as CSV (UTF-8)",
			}
		}
	}
	return nil
}

// readHeader reads the text up to the first row. Without a header, columns have their
// numbers for titles.
func (t *Table) readHeader() error {
	block, limit, err := t.blocks.Next(nil)
	if err != nil {
		return err
	}
	start := 0
	if t.Dialect.BOM {
		start = len(dialect.ByteOrderMark)
	}
	for _, sizeOf := range []func([]byte) int{t.Dialect.SepSize, t.Dialect.CommentSize} {
		size := sizeOf(block[start:limit])
		if start += size; size > 0 && start == limit { // the block ends with that line
			t.Head = append(t.Head, block[:limit]...)
			start = 0
			if block, limit, err = t.blocks.Next(nil); err != nil {
				return err
			}
		}
	}
	records := t.headerRecords(block, start, limit)
	record, end, next, found := records.Split(start)
	if found != faults.Fine && !records.Whole(start) && !t.blocks.Exact() {
		// A quote within a title had the block end too early.
		t.blocks.CutExactly(block[:limit])
		if block, limit, err = t.blocks.Next(nil); err != nil {
			return err
		}
		records = t.headerRecords(block, start, limit)
		record, end, next, found = records.Split(start)
	}
	if found != faults.Fine {
		shown := block[start:t.Dialect.CellEnd(block, end, limit)]
		return &InputError{Faults: []faults.Fault{{
			Row:     1,
			Value:   faults.Shown(t.Dialect.Text(shown)),
			Message: faults.Advice[found],
		}}}
	}
	for i := range records.Fields() {
		title := strconv.Itoa(i + 1)
		if t.HasHeader() {
			title = t.Dialect.Unquoted(record.Field(i).Of(block))
		}
		t.Header = append(t.Header, title)
	}
	if next = min(next, limit); !t.HasHeader() {
		next = start
	}
	t.Head = append(t.Head, block[:next]...)
	t.blocks.Unread(block[next:limit])
	return nil
}

// headerRecords are the records of a block in which the header begins at start.
func (t *Table) headerRecords(block []byte, start, limit int) *dialect.Records {
	records := t.Dialect.NewRecords(dialect.Rules{
		Fields:    t.Dialect.CountFields(block[start:limit]),
		Quote:     t.quote,
		ShortRows: true,
	})
	records.Block = block
	records.Reset(limit)
	return records
}

// handsOn is what the rows of the table hand on to others. Naming are the columns of which
// a row that fills one is no variant of another.
func (t *Table) handsOn(naming []int) profile.Handed {
	return profile.Handed{
		SKU:     t.sku,
		Names:   indexes(t.handed),
		Naming:  naming,
		Stock:   t.stocks,
		Skip:    t.skip,
		Records: t.newRecords(),
		Ended:   func() bool { return t.blocks.Err() == io.EOF },
		Exact:   t.blocks.Exact,
	}
}

// showAhead has the family shown what it must see ahead of its rows.
func (t *Table) showAhead() {
	if t.family.Ahead() {
		t.blocks.AheadOf(profile.FamilyAheadBytes, t.family.ScanAhead)
	}
}

func indexes(columns []recognize.Located) (indexes []int) {
	for _, c := range columns {
		indexes = append(indexes, c.Index)
	}
	return indexes
}

// first returns the first column of a role; -1: there is none.
func (t *Table) first(role recognize.Role) int {
	if len(t.columns[role]) == 0 {
		return profile.Missing
	}
	return t.columns[role][0].Index
}

// formOf says to people in which form the cells of a role are, and whether they
// are read.
func (t *Table) formOf(r recognize.Rule) (form string, read bool) {
	if r.Kind == recognize.OfStock && t.stocks != nil {
		return t.stocks.String(), true
	}
	if m := slices.Index(recognize.MoneyRoles[:], r.Role); m >= 0 && t.money[m].form != nil {
		return t.money[m].form.String(), true
	}
	return "", r.Kind == recognize.OfNames
}

// sample appends what the cells of a column hold, but for blank ones, in the rows
// that the text begins with, up to one that is not whole or out of order.
func (t *Table) sample(cells []profile.Sampled, text []byte, column int) []profile.Sampled {
	for r := range t.each(text) {
		if content := r.content(column); len(content) > 0 {
			cells = append(cells, profile.Sampled{Row: r.row, Content: content})
		}
	}
	return cells
}

// early is one of the first records, with the block that it is in, which has room
// behind the last of them.
type early struct {
	dialect.Record
	block []byte
	row   int64
}

func (r early) content(column int) []byte { return r.Content(r.block, column).Of(r.block) }

// each goes through the whole records that rows begin with, but for empty lines, up to
// one that is out of order.
func (t *Table) each(rows []byte) iter.Seq[early] {
	return func(yield func(early) bool) {
		whole := t.blocks.Ended()
		records := t.newRecords()
		records.Limit = len(rows)
		records.Block = append(rows, t.Dialect.LineEnd.Byte(), ' ')
		for pos, row := 0, t.firstRow(); pos < records.Limit; row++ {
			record, end, next, fault := records.Split(pos)
			if fault == faults.FieldCount { // other rows tell as much
				pos = next
				continue
			}
			if fault != faults.Fine || next > records.Limit && !whole ||
				end > pos && !yield(early{record, records.Block, row}) {
				return
			}
			pos = next
		}
	}
}

// unknown are the columns of which the profile does not say what they are.
func (t *Table) unknown(titled *profile.Titled, rows []byte) *recognize.Candidates {
	return recognize.NewCandidates(titled, t.profile, t.Dialect, sync.OnceValue(func() recognize.Sample {
		sample := recognize.Sample{Cells: make([][]profile.Sampled, len(t.Header))}
		for r := range t.each(rows) {
			if sample.Rows == recognize.SampledRows {
				break
			}
			sample.Rows++
			for i := range sample.Cells {
				if content := r.content(i); len(content) > 0 {
					sample.Cells[i] = append(sample.Cells[i], profile.Sampled{Row: r.row, Content: content})
				}
			}
		}
		return sample
	}))
}

// newRecords returns a reader of the table's rows.
func (t *Table) newRecords() *dialect.Records {
	return t.Dialect.NewRecords(dialect.Rules{
		Fields: len(t.Header), Quote: t.quote,
		Opening:           t.Dialect.LiteralQuotes,
		TrailingDelimiter: t.profile.Writes(profile.TrailingDelimiter) || t.Dialect.TrailingDelimiter,
		ShortRows:         t.shortRows,
	})
}
