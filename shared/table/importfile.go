package table

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
)

// ImportFile is part of a table as its platform's importer takes it to change products that
// the shop has: the columns by which the importer finds them, and those of some roles. Titles,
// order of columns, encoding, delimiter and line ends are the table's own.
type ImportFile struct {
	table   *Table
	columns []int         // by their positions, in the table's order
	values  []int         // those of them that the importer is to change
	groups  profileGroups // which rows the importer takes together
}

// OpenImportFile opens a table to write part of it. It fails where the table has no column of
// a role.
func OpenImportFile(in io.Reader, s Settings, roles []Role, w Workload) (*ImportFile, error) {
	needs := Needs{Reads: roles, IfThere: true, AsText: true, Findings: true}
	t, err := Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return nil, err
	}
	f := &ImportFile{table: t}
	for _, role := range roles {
		column := t.place(role)
		if role == RoleQuantity && column < 0 {
			column = t.stock // where the stock is a quantity
		}
		if column < 0 {
			return nil, fmt.Errorf("table: no column is the %s of what was changed", role)
		}
		if !slices.Contains(f.values, column) {
			f.values = append(f.values, column)
		}
	}
	titled := profile.NewTitled(t.Header)
	f.groups = groupsOf(t.profile, titled)
	f.columns = slices.Concat(f.values, t.importKeys(titled))
	slices.Sort(f.columns)
	f.columns = slices.Compact(f.columns)
	return f, nil
}

// importKeys are the columns by which an importer finds a row's product and variant: the SKU,
// what names a row beside it, and what says which product a variant belongs to.
func (t *Table) importKeys(titled *profile.Titled) (keys []int) {
	add := func(titles profile.Titles) {
		if column, _ := titled.Find(titles); column >= 0 {
			keys = append(keys, column)
		}
	}
	if t.sku >= 0 {
		keys = append(keys, t.sku)
	}
	add(t.profile.SKU)
	for _, column := range t.identity {
		keys = append(keys, column)
		if name := optionName(t.Header, column); name >= 0 {
			keys = append(keys, name)
		}
	}
	rule := t.profile.Inheritance
	if rule == nil {
		return keys
	}
	add(rule.Above)
	add(rule.Parent)
	for _, key := range rule.Keys {
		add(key.Titles)
	}
	for _, rows := range []*profile.Rows{rule.Below, rule.Childless} {
		if rows != nil {
			add(rows.Titles)
		}
	}
	if rule.Above != nil || rule.Below != nil { // the importer asks for the product's name
		add(t.profile.ProductName)
	}
	if rule.Below != nil { // BigCommerce's importer asks for the categories, too
		for _, categories := range t.profile.Categories {
			add(categories.Titles)
		}
	}
	return keys
}

// optionName is the column that names the option whose value stands in a column: Option1
// Name, of Option1 Value. An importer that finds no option's name makes another variant.
func optionName(header []string, value int) int {
	split := func(title string) (of, what string) {
		title = strings.TrimSpace(title)
		at := strings.LastIndexAny(title, " _") + 1
		return title[:at], strings.ToLower(title[at:])
	}
	of, what := split(header[value])
	if of == "" || !slices.Contains([]string{"value", "valor"}, what) {
		return missing
	}
	return slices.IndexFunc(header, func(title string) bool {
		other, what := split(title)
		return strings.EqualFold(other, of) && slices.Contains([]string{"name", "nombre"}, what)
	})
}

// profileGroups say which rows an importer takes together, for they are of one product: it
// may take those that it does not find for variants that are gone.
type profileGroups struct {
	above int           // the column that names the product; missing: none does
	below *profile.Rows // the rows of products, each with those below it
	kind  int           // their column
}

func groupsOf(p *profile.Profile, titled *profile.Titled) profileGroups {
	g := profileGroups{above: missing, kind: missing}
	if p.Inheritance == nil {
		return g
	}
	g.above, _ = titled.Find(p.Inheritance.Above)
	if below := p.Inheritance.Below; below != nil {
		if g.kind, _ = titled.Find(below.Titles); g.kind >= 0 {
			g.below = below
		}
	}
	return g
}

// begins reports whether a row is the first of a product, of which the row before was named.
func (g profileGroups) begins(before, row []byte, kind string) bool {
	switch {
	case g.above >= 0:
		return len(row) > 0 && !bytes.Equal(row, before)
	case g.below != nil:
		return slices.Contains(g.below.Words, strings.ToLower(strings.TrimSpace(kind)))
	}
	return true
}

// Write writes the rows of the given numbers, which rise, and with a row those of its product
// where the importer takes them together.
func (f *ImportFile) Write(ctx context.Context, rows iter.Seq2[int64, error], out io.Writer, w Workload) error {
	next, stop := iter.Pull2(rows)
	defer stop()
	buffered := bufio.NewWriterSize(out, w.ReadBytes)
	to := f.table.Dialect.NewWriter(buffered)
	v := &importer{ImportFile: f, to: to, next: next}
	if err := v.advance(); err != nil {
		return err
	}
	if _, err := to.Write(f.head()); err != nil {
		return err
	}
	query := NewQuery(Query{Needs: Needs{IfThere: true, AsText: true}, Unchecked: true})
	if _, err := f.table.Scan(ctx, query, io.Discard, w, func() Visitor { return v }); err != nil {
		return err
	}
	if err := v.endGroup(); err != nil {
		return err
	}
	return buffered.Flush()
}

// head is the byte-order mark, if the table has one, and the titles.
func (f *ImportFile) head() []byte {
	t := f.table
	var head []byte
	if bytes.HasPrefix(t.Head, []byte(dialect.ByteOrderMark)) {
		head = append(head, dialect.ByteOrderMark...)
	}
	if t.settings.Header == HeaderNone {
		return head
	}
	for i, column := range f.columns {
		if i > 0 {
			head = append(head, t.Dialect.Delimiter.Byte())
		}
		title := t.Header[column]
		text, ok := t.Dialect.Bytes(title)
		if !ok {
			text = []byte(title)
		}
		if t.quote != 0 && bytes.ContainsAny(text, "\"\r\n"+string(t.Dialect.Delimiter.Byte())) {
			text = slices.Concat([]byte{t.quote}, bytes.ReplaceAll(text, []byte{t.quote}, []byte{t.quote, t.quote}), []byte{t.quote})
		}
		head = append(head, text...)
	}
	return append(head, f.lineEnd()...)
}

func (f *ImportFile) lineEnd() string {
	switch f.table.Dialect.LineEnd {
	case dialect.CRLF:
		return "\r\n"
	case dialect.CR:
		return "\r"
	case dialect.CRCRLF:
		return "\r\r\n"
	}
	return "\n"
}

// importer writes the lines of an ImportFile. It keeps those of one product.
type importer struct {
	*ImportFile
	to      io.Writer
	next    func() (int64, error, bool)
	wanted  int64 // the next row that is to be written; 0: none
	block   []importedRow
	product []byte // that of the last row
	group   [][]byte
	changed bool // one of the group's rows is wanted
	bytes   int  // of the group
}

// importedRow is a row of the block that is read.
type importedRow struct {
	number int64
	line   []byte
	begins bool // a product
	has    bool // something to import
}

// maxGroupBytes is how much is kept of one product before it is known that one of its rows
// is wanted.
const maxGroupBytes = 8 << 20

func (v *importer) advance() error {
	row, err, more := v.next()
	if !more {
		row = 0
	}
	v.wanted = row
	return err
}

func (v *importer) Begin() { v.block = v.block[:0] }

func (v *importer) Row(r *Row) Problem {
	block := r.s.Block
	cell := func(column int) []byte {
		if column < 0 || r.record.Lacks(column) {
			return nil
		}
		return r.record.Content(block, column).Of(block)
	}
	named := cell(v.groups.above)
	row := importedRow{number: r.Number, begins: v.groups.begins(v.product, named, string(cell(v.groups.kind)))}
	if len(named) > 0 {
		v.product = append(v.product[:0], named...)
	}
	for _, column := range v.values {
		row.has = row.has || len(cell(column)) > 0
	}
	for i, column := range v.columns {
		if i > 0 {
			row.line = append(row.line, v.table.Dialect.Delimiter.Byte())
		}
		if !r.record.Lacks(column) {
			row.line = append(row.line, r.record.Field(column).Of(block)...)
		}
	}
	row.line = append(row.line, v.lineEnd()...)
	v.block = append(v.block, row)
	return Problem{}
}

func (v *importer) Done(int64) error {
	for _, row := range v.block {
		if row.begins {
			if err := v.endGroup(); err != nil {
				return err
			}
		}
		for v.wanted != 0 && v.wanted < row.number {
			if err := v.advance(); err != nil {
				return err
			}
		}
		is := v.wanted == row.number
		if v.changed = v.changed || is; is || row.has {
			v.group, v.bytes = append(v.group, row.line), v.bytes+len(row.line)
		}
		if v.bytes > maxGroupBytes {
			v.changed = true
			if err := v.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// endGroup writes the rows of a product of which one is wanted.
func (v *importer) endGroup() error {
	var err error
	if v.changed {
		err = v.flush()
	}
	v.group, v.bytes, v.changed = v.group[:0], 0, false
	return err
}

func (v *importer) flush() error {
	for _, line := range v.group {
		if _, err := v.to.Write(line); err != nil {
			return err
		}
	}
	v.group, v.bytes = v.group[:0], 0
	return nil
}
