package table

import (
	"bytes"
	"errors"
	"io"

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

	SKU        int            // its column's position; -1: none
	SKUs       CategoryColumn // how its cells are written
	Identity   []int          // columns that name a row whose SKU is blank
	Categories []Category
	Price      int // -1: none
	Prices     *Prices
	Stock      int   // -1: none; of several, the first
	Places     []int // the columns of stock: one, or one for each place
	Stocks     *Stock
	FieldsRead int // which a row must have to have all that the plan looks at
	// KeepBlank: a row with an empty price is left alone.
	KeepBlank bool
	Family    *Family // nil: no row takes anything from another

	sales        []saleColumn
	profile      *Profile
	named        []roleColumn // columns of names beside SKU and categories
	allowFormula bool
	quote        byte   // around fields; NUL: none are quoted
	skip         *kinds // rows that are left as they are
	untracked    *kinds // rows whose quantity says nothing
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
	t.Blocks.keepFrom(len(needs.Names) > 0)
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
	t.SKU, t.Identity, t.Categories, t.Price, t.Stock, t.Places = l.sku, l.identity, l.categories, l.price, missing, l.stock
	if len(l.stock) > 0 {
		t.Stock = l.stock[0]
	}
	t.named = l.named
	if len(l.faults) > 0 {
		t.describe(true)
		for i := range l.faults {
			l.faults[i].Column = excerpt(l.faults[i].Column)
		}
		return &InputError{Faults: l.faults, Table: &t.Recognized}
	}
	t.SKUs.List = l.profile.SKUList
	if l.profile.LiteralQuotes {
		t.quote, t.Blocks.quote = 0, 0
	}
	t.skip, t.untracked = t.kindsOf(l.profile.Skip), t.kindsOf(l.stockForm.Untracked)
	blank := s.BlankPrice
	if blank == "" {
		blank = l.profile.BlankPrice
	}
	t.allowFormula = s.AllowFormulaCells
	t.KeepBlank = blank == BlankPriceKeep && t.Price != missing
	rows, err := t.Blocks.lookAhead(HeadBytes)
	if err != nil {
		return err
	}
	prices, stocks := t.sample(rows)
	if needs.Price {
		var fault *Fault
		if t.Prices, fault = newPrices(t.Dialect, s.PriceForm, l.profile.DecimalPoint, prices); fault != nil && !needs.AsText {
			fault.Column = excerpt(t.Header[t.Price])
			return &InputError{Faults: []Fault{*fault}}
		}
	}
	if needs.Stock {
		t.Stocks = &Stock{column: l.stockForm, dialect: t.Dialect, restock: s.InStockQuantity}
		if len(l.stockForm.Words) == 0 {
			t.Stocks.findForm(l.profile.StockPairs, stocks)
		}
	}
	t.findSales(needs)
	t.findFamily(needs)
	t.describe(false)
	t.countFields(needs)
	return nil
}

// countFields finds how many fields a row must have to have all that a plan
// looks at.
func (t *Table) countFields(needs Needs) {
	for _, column := range t.Columns {
		switch column.Role {
		case RoleIdentity, RoleProduct, RoleSalePrice, RoleCompareAt:
			continue
		case RoleSKU:
			if !needs.names(RoleSKU) {
				continue // it is for the records
			}
		}
		t.FieldsRead = max(t.FieldsRead, column.Index+1)
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
	for _, index := range t.Identity {
		take(index, RoleIdentity, "")
	}
	take(t.SKU, RoleSKU, "")
	for _, c := range t.Categories {
		take(c.Index, RoleCategory, c.form())
	}
	for _, c := range t.named {
		take(c.index, c.role, "")
	}
	switch {
	case t.Prices != nil:
		take(t.Price, RolePrice, t.Prices.form())
	case all:
		take(t.Price, RolePrice, "")
	}
	for _, c := range t.sales {
		take(c.index, c.role(), t.Prices.form())
	}
	for _, index := range t.Places {
		switch {
		case t.Stocks != nil:
			take(index, RoleInStock, t.Stocks.form())
		case all:
			take(index, RoleInStock, "")
		}
	}
	for i := range t.Header {
		if column, taken := form[i]; taken {
			t.Columns = append(t.Columns, column)
		}
	}
}

// sampled is a cell of the first rows.
type sampled struct {
	row     int64
	content []byte
}

// sample returns what the cells of prices and of stock hold in the rows that the
// text begins with, up to one that is not whole or out of order.
func (t *Table) sample(text []byte) (prices, stocks []sampled) {
	t.each(text, func(text []byte, row int64, r Record) {
		if t.Price != missing {
			prices = appendSampled(prices, text, row, r.Content(text, t.Price))
		}
		if t.Stock != missing {
			stocks = appendSampled(stocks, text, row, r.Content(text, t.Stock))
		}
	})
	return prices, stocks
}

func appendSampled(cells []sampled, text []byte, row int64, at cell.Span) []sampled {
	if at.Empty() {
		return cells
	}
	return append(cells, sampled{row, at.Of(text)})
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
