package overview

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
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// ImportFile is part of a table as its platform's importer takes it to change products that
// the shop has: the columns by which the importer finds them, and those of some roles. Titles,
// order of columns, encoding, delimiter and line ends are the table's own.
type ImportFile struct {
	table   *row.Table
	columns []int         // by their positions, in the table's order
	values  []int         // those of them that the importer is to change
	groups  profileGroups // which rows the importer takes together
}

// OpenImportFile opens a table to write part of it. It fails where the table has no column of
// a role.
func OpenImportFile(
	in io.Reader, s setting.Settings, roles []recognize.Role, w row.Workload,
) (*ImportFile, error) {
	needs := recognize.Needs{Reads: roles, IfThere: true, AsText: true, Findings: true}
	t, err := row.Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return nil, err
	}
	f := &ImportFile{table: t}
	for _, role := range roles {
		column := t.Column(role)
		if role == recognize.RoleQuantity && column < 0 {
			column = t.Column(recognize.RoleInStock) // where the stock is a quantity
		}
		if column < 0 {
			return nil, fmt.Errorf("table: no column is the %s of what was changed", role)
		}
		if !slices.Contains(f.values, column) {
			f.values = append(f.values, column)
		}
	}
	titled := profile.NewTitled(t.Header)
	f.groups = groupsOf(t.Platform(), titled)
	f.columns = slices.Concat(f.values, importKeys(t, titled))
	slices.Sort(f.columns)
	f.columns = slices.Compact(f.columns)
	return f, nil
}

// importKeys are the columns by which an importer finds a row's product and variant: the SKU,
// what names a row beside it, and what says which product a variant belongs to.
func importKeys(t *row.Table, titled *profile.Titled) (keys []int) {
	platform := t.Platform()
	add := func(titles profile.Titles) {
		if column, _ := titled.Find(titles); column >= 0 {
			keys = append(keys, column)
		}
	}
	if sku := t.Column(recognize.RoleSKU); sku >= 0 {
		keys = append(keys, sku)
	}
	add(platform.SKU)
	for _, column := range t.Identity() {
		keys = append(keys, column)
		if name := optionName(t.Header, column); name >= 0 {
			keys = append(keys, name)
		}
	}
	rule := platform.Inheritance
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
		add(platform.ProductName)
	}
	if rule.Below != nil { // BigCommerce's importer asks for the categories, too
		for _, categories := range platform.Categories {
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
		return profile.Missing
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
	g := profileGroups{above: profile.Missing, kind: profile.Missing}
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
func (f *ImportFile) Write(
	ctx context.Context, rows iter.Seq2[int64, error], out io.Writer, w row.Workload,
) error {
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
	query := row.NewQuery(row.Query{Needs: recognize.Needs{IfThere: true, AsText: true}, Unchecked: true})
	if _, err := f.table.Scan(ctx, query, io.Discard, w, func() row.Visitor { return v }); err != nil {
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
	if !t.HasHeader() {
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
		if quote := t.Quote(); quote != 0 &&
			bytes.ContainsAny(text, "\"\r\n"+string(t.Dialect.Delimiter.Byte())) {
			text = slices.Concat(
				[]byte{quote}, bytes.ReplaceAll(text, []byte{quote}, []byte{quote, quote}), []byte{quote},
			)
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
	text   []byte
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

func (v *importer) Row(r *row.Row) row.Problem {
	named := r.Content(v.groups.above)
	line := importedRow{
		number: r.Number,
		begins: v.groups.begins(v.product, named, string(r.Content(v.groups.kind))),
	}
	if len(named) > 0 {
		v.product = append(v.product[:0], named...)
	}
	for _, column := range v.values {
		line.has = line.has || len(r.Content(column)) > 0
	}
	for i, column := range v.columns {
		if i > 0 {
			line.text = append(line.text, v.table.Dialect.Delimiter.Byte())
		}
		line.text = append(line.text, r.Field(column)...)
	}
	line.text = append(line.text, v.lineEnd()...)
	v.block = append(v.block, line)
	return row.Problem{}
}

func (v *importer) Done(int64) error {
	for _, line := range v.block {
		if line.begins {
			if err := v.endGroup(); err != nil {
				return err
			}
		}
		for v.wanted != 0 && v.wanted < line.number {
			if err := v.advance(); err != nil {
				return err
			}
		}
		is := v.wanted == line.number
		if v.changed = v.changed || is; is || line.has {
			v.group, v.bytes = append(v.group, line.text), v.bytes+len(line.text)
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
