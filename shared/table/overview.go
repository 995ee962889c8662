package table

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
)

// Overview is what a table has to talk about: its names by role, its prices, what is
// in stock. What cannot be read of it is counted, and refuses no table.
type Overview struct {
	// Recognized has all columns that are known for something.
	Recognized
	// All are the columns of the header; those that are known for nothing have the
	// role "". Findings say of each how that was found.
	All  []Column
	Rows int64
	// Names are those of categories, brands and tags, the most frequent first, with
	// the rows that have each: at most maxCounted of a role. Of SKUs and products'
	// names they are those that were asked for, the likeliest first.
	Names map[Role][]Spelling
	// Both are the rows that have both of two names, or one that stands twice, of the categories, brands and tags that
	// the text has which was asked for; and of each product's name those of which all have one.
	// It is nil where there are very many such names.
	Both map[[2]Named]int64
	// Values are those of other columns that the text has which was asked for, those with the
	// most rows first.
	Values []ColumnValue
	// Cut are the roles that have more names.
	Cut []Role
	// Least and Greatest are prices, with a decimal point; "": there is none.
	Least, Greatest string
	Currency        string // of the first rows, as written there; "": none
	WholePrices     bool   // nobody pays fractions of its prices
	DecimalComma    bool   // prices have their decimals after a comma
	InStock         *int64 // rows that are in stock; nil: the table does not say
	OnSale          *int64 // rows that are on sale, the dates of sales aside; nil: the table does not say, or in two ways
	// Readings are what a cell says that is not ASCII, by encodings, where nobody has said
	// which one it is.
	Readings []dialect.Reading
	Remarks  []Remark
}

// Remark is something that a person should know of a table.
type Remark struct {
	Code      string
	Rows      int64
	FirstRows []int64  // at most MaxFirstRows
	Arguments []string // what else the message names
	Message   string
}

// Codes of remarks.
const (
	RemarkNoColumn        = "no_column"
	RemarkUnclearPrices   = "unclear_prices"
	RemarkUnreadablePrice = "unreadable_price"
	RemarkUnreadableStock = "unreadable_stock"
	RemarkUnreadableSale  = "unreadable_sale"
	RemarkRaggedRows      = "ragged_rows"
	RemarkSaleDates       = "sale_dates"
	RemarkCurrencies      = "several_currencies"
	RemarkManyNames       = "many_names"
	RemarkNamesAlike      = "names_alike"
	RemarkLastLine        = "no_last_line_end"
	RemarkEncoding        = "unclear_encoding"
	RemarkNoHeader        = "no_header"
)

const (
	// maxCounted is how many names of a role are counted.
	maxCounted      = 10_000
	maxCountedBytes = 2 << 20 // of all the names of a role
	aheadBytes      = 64 << 10
)

// ReadOverview reads a table in one pass, in memory that does not grow with it. Asked are
// the SKUs and products' names to look for; nil: none. A table whose rows cannot be
// told apart is refused with an *InputError.
func ReadOverview(ctx context.Context, in io.Reader, s Settings, asked *Instruction, w Workload) (*Overview, error) {
	needs := Needs{IfThere: true, AsText: true, Findings: true}
	for _, r := range roles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	t, err := Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return nil, err
	}
	found := &Overview{Recognized: t.Recognized, Remarks: t.questions}
	for i, title := range t.Header {
		found.All = append(found.All, Column{Title: faults.Excerpt(title), Index: i})
	}
	for _, column := range t.Columns {
		found.All[column.Index] = column
	}
	ahead, err := t.blocks.Peek(aheadBytes)
	if err != nil {
		return nil, err
	}
	var all []*viewer
	shared := &textNames{}
	scanned, err := t.Scan(ctx, NewQuery(Query{Needs: needs, Unchecked: true, AnyOrder: true, Ragged: true}), io.Discard, w, func() Visitor {
		v := &viewer{table: t, asked: asked, shared: shared, best: map[Role]*matches{RoleSKU: {found: map[string]matched{}}, RoleName: {found: map[string]matched{}}}}
		for range nameRoles {
			v.names = append(v.names, namesCounted{counted: map[string]*spelling{}})
		}
		if asked != nil {
			v.values = t.valueColumns()
		}
		all = append(all, v)
		return v
	})
	if err != nil {
		return nil, err
	}
	found.Rows = scanned.Rows - scanned.Empties
	for _, v := range all {
		v.endBlock()
		all[0].join(v)
	}
	all[0].tell(found, s, ahead)
	if scanned.Ragged.Rows > 0 {
		found.remark(RemarkRaggedRows, scanned.Ragged, "Rows with another number of cells than the header: a plan would be refused unless {odd_rows=leave} leaves them alone.")
	}
	if scanned.InLine && found.Rows > 0 {
		found.remark(RemarkLastLine, RowList{1, []int64{scanned.LastRow(t)}}, "The last row has no line end: if the file was cut off while it was copied, rows may be missing.")
	}
	return found, nil
}

func (f *Overview) remark(code string, of RowList, message string, arguments ...string) {
	f.Remarks = append(f.Remarks, Remark{Code: code, Rows: of.Rows, FirstRows: of.First, Arguments: arguments, Message: message})
}

// namesCounted are those of a role that a worker has met.
type namesCounted struct {
	counted map[string]*spelling
	bytes   int
	cut     bool
	cells   memo
	block   []*spelling // of the block's rows, one behind the other
}

// viewer visits the rows of its blocks. What it finds in a block counts once the
// block is done: one that is not in order is visited anew.
type viewer struct {
	table         *Table
	asked         *Instruction
	names         []namesCounted // as nameRoles are
	values        []valueColumn
	words         words   // of the name last looked at
	found         []match // of the block
	shared        *textNames
	row           uint64 // the names of the text that the row has
	both, inBlock common
	best          map[Role]*matches
	total         viewTally
	block         viewTally
	done          bool // the block's counts are to be added
	first         int64
}

// viewTally is what is counted beside names.
type viewTally struct {
	priced          bool
	least, greatest amount.Amount
	inStock, onSale int64
	rows            [len(tallied)]RowList // as tallied
}

// The rows of which there are remarks.
const (
	noPrice = iota
	noStock
	noSale
	dated
	otherMoney
	contradicted
)

// tallied are the remarks of rows.
var tallied = [...]struct{ code, message string }{
	noPrice: {RemarkUnreadablePrice, "Prices that cannot be read: a plan that looks at prices would be refused."},
	noStock: {RemarkUnreadableStock, "What is in stock cannot be read: a plan that looks at it would be refused."},
	noSale:  {RemarkUnreadableSale, "Prices of sales that cannot be read, and are not counted as on sale: a plan that looks at sales would be refused."},
	dated:   {RemarkSaleDates, "Sales with dates, or in a table whose columns of dates are not known, which are counted as on sale whether they are in force or not: a plan that looks at sales is refused unless {sale_dates} is set."},
	// What it says names the columns.
	contradicted: {RemarkUnreadableStock, ""},
	otherMoney:   {RemarkCurrencies, "Prices in another currency than the first rows': a plan that names money would be refused."},
}

func (v *viewer) Begin() {
	v.endBlock()
	for i := range v.names {
		v.names[i].block = v.names[i].block[:0]
	}
	for i := range v.values {
		v.values[i].block = v.values[i].block[:0]
	}
	v.found, v.block, v.inBlock = v.found[:0], viewTally{}, common{}
}

func (v *viewer) Done(first int64) error {
	v.done, v.first = true, first
	return nil
}

// endBlock adds what was found in the last block, if it is done.
func (v *viewer) endBlock() {
	if !v.done {
		return
	}
	v.done = false
	for i := range v.names {
		v.names[i].countAll()
	}
	for i := range v.values {
		v.values[i].countAll()
	}
	v.total.add(&v.block, v.first-1)
	for _, found := range v.found {
		v.best[found.role].add(found.name, matched{1, found.likeness, found.has})
	}
	v.both.join(&v.inBlock)
}

func (t *viewTally) add(more *viewTally, behind int64) {
	if more.priced {
		t.see(more.least)
		t.see(more.greatest)
	}
	t.inStock += more.inStock
	t.onSale += more.onSale
	for i := range t.rows {
		t.rows[i].Append(more.rows[i], behind)
	}
}

// see counts a price in.
func (t *viewTally) see(price amount.Amount) {
	if !t.priced || price.Cmp(t.least) < 0 {
		t.least = price
	}
	if !t.priced || price.Cmp(t.greatest) > 0 {
		t.greatest = price
	}
	t.priced = true
}

func (v *viewer) Row(r *Row) Problem {
	t, s := v.table, r.s
	if t.family != nil {
		s.names.findProduct(r.record)
	}
	before := len(v.found)
	v.row = 0
	for i := range s.names.columns {
		switch rule := nameRoles[i]; {
		case len(s.names.columns[i].cells) == 0:
		case rule.Role == RoleSKU || rule.Phrases:
			v.compare(i, r)
		default:
			v.count(i, r)
		}
	}
	v.countValues(r)
	if v.row != 0 {
		v.inBlock.add(v.row)
		for i := range v.found[before:] {
			v.found[before+i].has = v.row
		}
	}
	if price := &t.money[Price]; price.form != nil && !r.Money[Price].at.Empty() {
		if s.readMoney(Price).Kind == Fine {
			if v.block.see(r.Money[Price].Amount); !r.isUsual() {
				v.block.rows[otherMoney].Add(s.rows)
			}
			if t.tellsSales() {
				v.block.sale(r)
			}
		} else {
			v.block.rows[noPrice].Add(s.rows)
		}
	}
	if t.stocks != nil {
		switch found := s.readStock(); {
		case found.Kind != Fine:
			if !r.stockAt.Empty() {
				v.block.rows[noStock].Add(s.rows)
			}
		case r.Stock.In:
			v.block.inStock++
		}
		if r.isContradicted() {
			v.block.rows[contradicted].Add(s.rows)
		}
	}
	return Problem{}
}

// sale counts the row's sale, if there is one.
func (t *viewTally) sale(r *Row) {
	sale := r.sale(0)
	switch {
	case sale.Problem.Kind != Fine:
		t.rows[noSale].Add(r.s.rows)
	case sale.OnSale():
		if t.onSale++; sale.MayEnd() {
			t.rows[dated].Add(r.s.rows)
		}
	}
}

// count counts the row for each of its names of a role, once.
func (v *viewer) count(role int, r *Row) {
	names, columns := &v.names[role], &r.s.names.columns[role]
	row := len(names.block)
	for i := range columns.cells {
		content, _ := r.s.names.content(columns, i, r.record)
		if len(content) == 0 {
			continue
		}
		cell := names.cells.find(content)
		if cell == nil {
			cell = &known{names: v.split(role, columns.cells[i], r, content)}
			names.cells.add(content, cell)
		}
		for _, counted := range cell.names {
			if !slices.Contains(names.block[row:], counted) {
				names.block, v.row = append(names.block, counted), v.row|counted.bit
			}
		}
	}
}

// split returns the names that a cell has.
func (v *viewer) split(role int, column located, r *Row, content []byte) (all []*spelling) {
	text, _ := r.s.Text(content)
	column.Parts(v.table.Dialect.Text(text), func(name string) {
		known := len(v.names[role].counted)
		counted := v.names[role].take(name)
		if len(v.names[role].counted) > known {
			counted.bit = v.shared.bit(v.asked, nameRoles[role].Role, name)
		}
		if counted != nil && !slices.Contains(all, counted) {
			all = append(all, counted)
		}
	})
	return all
}

// take returns the count of a name; nil where there are too many.
func (n *namesCounted) take(name string) *spelling {
	found := n.counted[name]
	if found != nil {
		return found
	}
	if len(n.counted) == maxCounted || n.bytes+len(name) > maxCountedBytes {
		n.cut = true
		return nil
	}
	found = &spelling{}
	n.counted[name], n.bytes = found, n.bytes+len(name)
	return found
}

// join adds what another has counted.
func (v *viewer) join(other *viewer) {
	if v == other {
		return
	}
	for i := range v.names {
		v.names[i].join(&other.names[i])
	}
	for i := range v.values {
		v.values[i].join(&other.values[i].namesCounted)
	}
	for role, more := range other.best {
		v.best[role].join(more)
	}
	v.both.join(&other.both)
	v.total.join(&other.total)
}

// join adds what was counted in other blocks, whose rows have their own numbers.
func (t *viewTally) join(more *viewTally) {
	for i := range t.rows {
		all, list := &t.rows[i], more.rows[i]
		all.Rows, all.First = all.Rows+list.Rows, append(all.First, list.First...)
		slices.Sort(all.First)
		all.First = all.First[:min(len(all.First), MaxFirstRows)]
	}
	more.rows = [len(tallied)]RowList{}
	t.add(more, 0)
}

// tell says what was counted.
func (v *viewer) tell(f *Overview, s Settings, ahead []byte) {
	f.Names = map[Role][]Spelling{}
	for i, r := range nameRoles {
		var list []Spelling
		for name, counted := range v.names[i].counted {
			if counted.rows > 0 {
				list = append(list, Spelling{Name: name, Rows: counted.rows})
			}
		}
		slices.SortFunc(list, func(a, b Spelling) int { return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name)) })
		if f.Names[r.Role] = list; v.names[i].cut {
			f.Cut = append(f.Cut, r.Role)
			f.remark(RemarkManyNames, RowList{}, "There are too many names in the column of "+string(r.Role)+" to count them all: is it what a plan is to call so? If not, say which column is, with {columns}.", string(r.Role))
		}
	}
	for role, best := range v.best {
		f.Names[role] = best.list()
	}
	for _, r := range nameRoles {
		if !r.Phrases {
			f.tellAlike(r)
		}
	}
	v.tellValues(f)
	if v.asked != nil {
		f.Both = v.shared.common(&v.both, v.best[RoleName])
	}
	v.table.tellEncoding(f, ahead)
	v.tellNumbers(f, s, ahead)
}

// tellEncoding asks for the encoding, where nobody said it and a name or a title of the
// first rows may be read in several ways; and has what else is not ASCII read in each.
func (t *Table) tellEncoding(f *Overview, rows []byte) {
	if t.Dialect.EncodingSaid || !t.Dialect.Legacy() && !t.Dialect.Escapes {
		return
	}
	var cells [][]byte
	for _, title := range t.Header {
		raw, _ := t.Dialect.Bytes(title)
		cells = append(cells, raw)
	}
	for r := range t.each(rows) {
		for _, role := range nameRoles {
			for _, c := range t.columns[role.Role] {
				cells = append(cells, bytes.Clone(r.Says(r.block, c.Index)))
			}
		}
	}
	at := slices.IndexFunc(cells, t.Dialect.Unclear)
	if at >= 0 && !slices.ContainsFunc(f.Remarks, func(r Remark) bool { return r.Code == RemarkEncoding }) {
		f.remark(RemarkEncoding, RowList{}, "Letters that are neither UTF-8 nor plainly Windows-1252, such as "+Shown(t.Dialect.Text(cells[at]))+": "+dialect.AskEncoding(cells[at])+".")
	}
	if at < 0 {
		at = slices.IndexFunc(cells, func(cell []byte) bool { return !isASCII(string(cell)) })
	}
	if at >= 0 {
		f.Readings = dialect.Readings(cells[at])
	}
}

func (v *viewer) tellNumbers(f *Overview, s Settings, ahead []byte) {
	t := v.table
	for _, role := range []Role{RoleSKU, RoleCategory, RolePrice} {
		if len(t.columns[role]) == 0 && !(role == RoleSKU && len(t.identity) > 0) {
			f.remark(RemarkNoColumn, RowList{}, "No column is known for "+string(role)+": if there is one, say which, with {columns="+string(role)+"=TITLE}.", string(role))
		}
	}
	if price := t.money[Price]; price.index != missing && price.form == nil {
		if _, fault := t.findMoney(RolePrice, s.PriceForm, t.sample(nil, ahead, price.index)); fault != nil {
			f.remark(RemarkUnclearPrices, RowList{}, faults.Capitalised(fault.Message)+".")
		}
	}
	if v.total.priced {
		f.Least, f.Greatest = string(v.total.least.Append(nil, '.')), string(v.total.greatest.Append(nil, '.'))
		f.Currency, f.DecimalComma, f.WholePrices = t.Currency(Price), !t.money[Price].form.HasPoint(), t.whole
	}
	if t.stocks != nil {
		f.InStock = &v.total.inStock
	}
	if t.tellsSales() {
		f.OnSale = &v.total.onSale
	}
	for i, of := range tallied {
		if rows := v.total.rows[i]; rows.Rows > 0 {
			message := of.message
			if i == contradicted {
				message = fmt.Sprintf("The column %q %s.", t.columnTitle(t.stock), t.askStock(rows))
			}
			f.remark(of.code, rows, message)
		}
	}
}
