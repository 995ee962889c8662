package table

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/table/cell"
)

// Table is a table whose header has been read.
type Table struct {
	Recognized
	// Head is the text before the first row: the mark, the sep= line, a comment
	// and the header. It is written as it came.
	Head []byte
	// Blocks are the rows.
	Blocks *Blocks

	columns    map[Role][]Named
	identity   []int   // columns that name a row whose SKU is blank
	inherited  []Named // columns of names in which a row that is blank has its product's
	sku        int     // -1: none, as the next ones
	money      [Moneys]moneyColumn
	stock      int    // of several places, the first
	stocks     *Stock // nil: it is not read
	fieldsRead int    // which a row must have to have all that the plan looks at
	// keepBlank: a row with an empty price is left alone.
	keepBlank bool
	Family    *Family // nil: no row takes anything from another

	sales        []saleColumn
	profile      *Profile
	allowFormula bool
	quote        byte   // around fields; NUL: none are quoted
	skip         *kinds // rows that are left as they are
	untracked    *kinds // rows whose quantity says nothing
}

// moneyColumn is the column of a role of money.
type moneyColumn struct {
	index int        // -1: none
	form  *moneyForm // nil: it is not read
}

// Open reads a table's header, and ahead of its first row as much as tells the
// dialect and the forms of its cells. A table whose header lacks what is needed
// is refused with an *InputError; an error of in is returned as it is. Blocks
// are read size bytes at a time.
func Open(in io.Reader, s Settings, needs Needs, size int) (*Table, error) {
	raw := &Blocks{in: in, size: size, quote: '"'}
	head, err := raw.lookAhead(HeadBytes)
	if err != nil {
		return nil, err
	}
	if fault := kindOfFile(head); fault != nil {
		return nil, &InputError{Faults: []Fault{*fault}}
	}
	t := &Table{Recognized: Recognized{Dialect: Detect(head, s.Dialect)}, Blocks: raw, quote: '"'}
	if order, wide := t.Dialect.byteOrder(); wide {
		t.Blocks = &Blocks{in: newUTF16Reader(raw, order), size: size, quote: '"'}
	}
	t.Blocks.lineEnd = t.Dialect.LineEnd.Byte()
	t.Blocks.keepFrom(slices.ContainsFunc(nameRoles, func(r roleRule) bool { return needs.Has(r.Role) }))
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	if err := t.recognize(s, needs); err != nil {
		return nil, err
	}
	return t, nil
}

// Header returns the titles of a table; none where they cannot be read.
func Header(in io.Reader, s Settings) []string {
	t, err := Open(in, s, Needs{}, HeadBytes)
	if input, refused := errors.AsType[*InputError](err); refused && input.Table != nil {
		return input.Table.Header
	}
	if err != nil {
		return nil
	}
	return t.Header
}

// Quotes reports whether a cell can be quoted.
func (t *Table) Quotes() bool { return t.quote != 0 }

// Writer returns what the table's text is to be written to, so that out gets it
// in the table's encoding.
func (t *Table) Writer(out io.Writer) io.Writer {
	if order, wide := t.Dialect.byteOrder(); wide {
		return &utf16Writer{out: out, order: order}
	}
	return out
}

// kindOfFile refuses a file that is empty or no text.
func kindOfFile(head []byte) *Fault {
	switch {
	case len(head) == 0:
		return &Fault{Row: 1, Message: "the file is empty: it needs a header row with the columns' names"}
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return &Fault{Row: 1, Message: "the file is a workbook or an archive, not a table of text: export it as CSV (UTF-8)"}
	default:
		return nil
	}
}

// readHeader reads the text up to the first row.
func (t *Table) readHeader() error {
	block, limit, err := t.Blocks.Next(nil)
	if err != nil {
		return err
	}
	start := 0
	if t.Dialect.BOM {
		start = len(byteOrderMark)
	}
	for _, sizeOf := range []func([]byte) int{t.Dialect.sepSize, t.Dialect.commentSize} {
		size := sizeOf(block[start:limit])
		if start += size; size > 0 && start == limit { // the block ends with that line
			t.Head = append(t.Head, block[:limit]...)
			start = 0
			if block, limit, err = t.Blocks.Next(nil); err != nil {
				return err
			}
		}
	}
	seal(block, limit, t.Dialect.LineEnd.Byte())
	splitter := newSplitter(t.Dialect, t.quote, t.Dialect.countFields(block[start:limit]))
	end, next, found := splitter.split(block, limit, start)
	switch {
	case found != Fine:
	case end-start > MaxRecordBytes:
		found = RecordTooLong
	case bytes.IndexByte(block[start:end], 0) >= 0:
		found = NULByte
	}
	if found != Fine {
		shown := block[start:t.Dialect.cellEnd(block, end, limit)]
		return &InputError{Faults: []Fault{{Row: 1, Value: Shown(t.Dialect.Text(shown)), Message: Advice[found]}}}
	}
	for i := range splitter.fields {
		t.Header = append(t.Header, t.Dialect.unquoted(splitter.record().Field(i).Of(block)))
	}
	next = min(next, limit)
	t.Head = append(t.Head, block[:next]...)
	t.Blocks.unread(block[next:limit])
	return nil
}

// countFields returns a count that no header of these bytes exceeds.
func (d Dialect) countFields(text []byte) int {
	line, _, _ := bytes.Cut(text, []byte{d.LineEnd.Byte()})
	if bytes.IndexByte(line, '"') >= 0 {
		line = text
	}
	return bytes.Count(line, []byte{d.Delimiter.Byte()}) + 1
}

// unquoted returns what a whole cell says.
func (d Dialect) unquoted(field []byte) string {
	if len(field) > 1 && field[0] == '"' {
		field = bytes.ReplaceAll(field[1:len(field)-1], []byte(`""`), []byte(`"`))
	}
	return d.Text(field)
}

// cellEnd returns where a reader would say that the cell ends in which a fault
// of the quoting is; the limit if that is not to be seen.
func (d Dialect) cellEnd(block []byte, fault, limit int) int {
	if i := bytes.IndexAny(block[fault:limit], string([]byte{d.Delimiter.Byte(), d.LineEnd.Byte()})); i >= 0 {
		return fault + i
	}
	return limit
}

// seal puts the line end and the blanks behind block[:limit].
func seal(block []byte, limit int, lineEnd byte) {
	block[limit] = lineEnd
	copy(block[limit+1:], sealing)
}

// recognize finds the columns and the forms of their cells.
func (t *Table) recognize(s Settings, needs Needs) error {
	l := titled(t.Header).newLayout(s, needs)
	t.profile, t.Profile = l.profile, l.profile.Name
	t.columns, t.identity = l.columns, l.identity
	t.sku, t.stock = t.first(RoleSKU), t.first(RoleInStock)
	for m, role := range moneyRoles {
		t.money[m].index = t.first(role)
	}
	if len(l.faults) > 0 {
		t.describe(true)
		for i := range l.faults {
			l.faults[i].Column = excerpt(l.faults[i].Column)
		}
		return &InputError{Faults: l.faults, Table: &t.Recognized}
	}
	if l.profile.LiteralQuotes {
		t.quote, t.Blocks.quote = 0, 0
	}
	t.skip, t.untracked = t.kindsOf(l.profile.Skip), t.kindsOf(l.stockForm.Untracked)
	blank := s.BlankPrice
	if blank == "" {
		blank = l.profile.BlankPrice
	}
	t.allowFormula = s.AllowFormulaCells
	t.keepBlank = blank == BlankPriceKeep && t.money[Price].index != missing
	rows, err := t.Blocks.lookAhead(HeadBytes)
	if err != nil {
		return err
	}
	for m, role := range moneyRoles {
		if column := &t.money[m]; needs.Has(role) {
			var fault *Fault
			if column.form, fault = newMoneyForm(t.Dialect, s.PriceForm, l.profile.DecimalPoint, t.sample(rows, column.index)); fault != nil && !needs.AsText {
				fault.Column = excerpt(t.Header[column.index])
				return &InputError{Faults: []Fault{*fault}}
			}
		}
	}
	if needs.Has(RoleInStock) {
		t.stocks = &Stock{column: l.stockForm, dialect: t.Dialect, restock: s.InStockQuantity}
		if len(l.stockForm.Words) == 0 {
			t.stocks.findForm(l.profile.StockPairs, t.sample(rows, t.stock))
		}
	}
	t.findSales(needs)
	t.findFamily(needs)
	t.describe(false)
	t.countFields(needs)
	return nil
}

// first returns the first column of a role; -1: there is none.
func (t *Table) first(role Role) int {
	if len(t.columns[role]) == 0 {
		return missing
	}
	return t.columns[role][0].Index
}

// countFields finds how many fields a row must have to have all that a plan
// looks at.
func (t *Table) countFields(needs Needs) {
	for _, column := range t.Columns {
		switch column.Role {
		case RoleIdentity, RoleProduct, RoleSalePrice, RoleCompareAt:
			continue
		case RoleSKU:
			if !needs.Has(RoleSKU) {
				continue // it is for the records
			}
		}
		t.fieldsRead = max(t.fieldsRead, column.Index+1)
	}
}

// describe says what each column was taken for: those that are read, or all
// that were found.
func (t *Table) describe(all bool) {
	form := map[int]Column{}
	take := func(index int, role Role, form_ string) {
		if index != missing {
			form[index] = Column{Title: excerpt(t.Header[index]), Role: role, Form: form_, Index: index}
		}
	}
	if t.Family != nil {
		take(t.Family.column(), RoleProduct, "")
	}
	for _, index := range t.identity {
		take(index, RoleIdentity, "")
	}
	for _, c := range t.sales {
		take(c.index, c.role(), t.money[Price].form.String())
	}
	for _, r := range roles {
		form, read := t.formOf(r)
		for _, c := range t.columns[r.Role] {
			switch {
			case r.several:
				take(c.Index, r.Role, c.form())
			case read || all:
				take(c.Index, r.Role, form)
			}
		}
	}
	for i := range t.Header {
		if column, taken := form[i]; taken {
			t.Columns = append(t.Columns, column)
		}
	}
}

// formOf says to people in which form the cells of a role are, and whether they
// are read.
func (t *Table) formOf(r roleRule) (form string, read bool) {
	if r.kind == ofStock && t.stocks != nil {
		return t.stocks.form(), true
	}
	if m := slices.Index(moneyRoles[:], r.Role); m >= 0 && t.money[m].form != nil {
		return t.money[m].form.String(), true
	}
	return "", r.kind == ofNames
}

// sampled is a cell of the first rows.
type sampled struct {
	row     int64
	content []byte
}

// sample returns what the cells of a column hold, but for blank ones, in the rows
// that the text begins with, up to one that is not whole or out of order.
func (t *Table) sample(text []byte, column int) (cells []sampled) {
	t.each(text, func(text []byte, row int64, r Record) {
		if at := r.Content(text, column); !at.Empty() {
			cells = append(cells, sampled{row, at.Of(text)})
		}
	})
	return cells
}

// each calls visit with each whole record that rows begin with, up to one that is
// out of order, and with the block that it is in, which has room behind the last
// of them.
func (t *Table) each(rows []byte, visit func(block []byte, row int64, r Record)) {
	whole := t.Blocks.Err() == io.EOF || t.Blocks.err == io.EOF
	records := t.NewRecords()
	records.Limit = len(rows)
	records.Block = append(rows, t.Dialect.LineEnd.Byte(), ' ')
	for pos, row := 0, int64(2); pos < records.Limit; row++ {
		record, end, next, fault := records.Split(pos)
		if fault != Fine || end == pos || next > records.Limit && !whole {
			return
		}
		visit(records.Block, row, record)
		pos = next
	}
}

// isQuantity reports whether the first rows of a stock column hold numbers other
// than 0 and 1, or nothing else where those count too.
func (d Dialect) isQuantity(cells []sampled, counts bool) bool {
	numbers, words, digits := false, false, false
	for _, c := range cells {
		var text [cell.WordBytes]byte
		if len(c.content) <= copy(text[:], c.content) {
			if _, word := cell.StockText(cell.Word(text[:], 0)); word {
				digit := c.content[0] == '0' || c.content[0] == '1'
				digits, words = digits || digit, words || !digit
				continue
			}
		}
		if _, fault := d.quantity(c.content); fault != Fine {
			return false
		}
		numbers = true
	}
	return numbers || counts && digits && !words
}
