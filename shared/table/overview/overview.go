// Package overview says what people see of a table before a plan changes it: its names with
// counts, its prices and its stock, its products one by one, the labels of its rows, and the
// part of it that the shop's importer takes.
//
// It visits rows, and reads no bytes by itself. It changes no cell, and does not refuse a
// table for odd rows: it counts them and says so.
package overview

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/planwright/planwright/shared/table/amount"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/row"
	"github.com/planwright/planwright/shared/table/setting"
)

// Overview is what a table has to talk about: its names by role, its prices, what is
// in stock. What cannot be read of it is counted, and refuses no table.
type Overview struct {
	// Recognized has all columns that are known for something.
	row.Recognized
	// All are the columns of the header; those that are known for nothing have the
	// role "". Findings say of each how that was found.
	All  []row.Column
	Rows int64
	// Names are those of categories, brands and tags, the most frequent first, with
	// the rows that have each: at most maxCounted of a role. Of SKUs and products'
	// names they are those that were asked for, the likeliest first.
	Names map[recognize.Role][]names.Spelling
	// Both are the rows that have both of two names, or one that stands twice, of the categories, brands and tags that
	// the text has which was asked for; and of each product's name those of which all have one.
	// It is nil where there are very many such names.
	Both map[[2]Named]int64
	// Values are those of other columns that the text has which was asked for, those with the
	// most rows first.
	Values []ColumnValue
	// Cut are the roles that have more names.
	Cut []recognize.Role
	// Least and Greatest are prices, with a decimal point; "": there is none.
	Least, Greatest string
	Currency        string // of the first rows, as written there; "": none
	WholePrices     bool   // nobody pays fractions of its prices
	DecimalComma    bool   // prices have their decimals after a comma
	InStock         *int64 // rows that are in stock; nil: the table does not say
	// rows that are on sale, the dates of sales aside; nil: the table does not say, or in two ways
	OnSale *int64
	// Readings are what a cell says that is not ASCII, by encodings, where nobody has said
	// which one it is.
	Readings []dialect.Reading
	Remarks  []Remark
}

const (
	// maxCounted is how many names of a role are counted.
	maxCounted      = 10_000
	maxCountedBytes = 2 << 20 // of all the names of a role
	aheadBytes      = 64 << 10
)

// Read reads a table in one pass, in memory that does not grow with it. Asked are
// the SKUs and products' names to look for; nil: none. A table whose rows cannot be
// told apart is refused with an *InputError.
func Read(
	ctx context.Context, in io.Reader, s setting.Settings, asked *Instruction, w row.Workload,
) (*Overview, error) {
	needs := recognize.Needs{IfThere: true, AsText: true, Findings: true}
	for _, r := range recognize.Roles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	t, err := row.Open(in, s, needs, w.ReadBytes)
	if err != nil {
		return nil, err
	}
	found := &Overview{Recognized: t.Recognized}
	for _, question := range t.Questions() {
		found.remark(row.RowList{}, question.Message, RemarkQuestion, question.About)
	}
	for i, title := range t.Header {
		found.All = append(found.All, row.Column{Title: faults.Excerpt(title), Index: i})
	}
	for _, column := range t.Columns {
		found.All[column.Index] = column
	}
	ahead, err := t.LookAhead(aheadBytes)
	if err != nil {
		return nil, err
	}
	var all []*viewer
	shared := &textNames{}
	scanned, err := t.Scan(ctx, row.NewQuery(row.Query{
		Needs:     needs,
		Unchecked: true,
		AnyOrder:  true,
		Ragged:    true,
	}), io.Discard, w, func() row.Visitor {
		v := &viewer{table: t, asked: asked, shared: shared, best: map[recognize.Role]*matches{
			recognize.RoleSKU:  {found: map[string]matched{}},
			recognize.RoleName: {found: map[string]matched{}},
		}}
		for range recognize.NameRoles {
			v.names = append(v.names, namesCounted{counted: map[string]*count{}})
		}
		for i := range recognize.NameRoles {
			v.cells = append(v.cells, t.NameColumns(i))
		}
		if asked != nil {
			v.values = valueColumns(t)
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
	all[0].tell(found, ahead)
	if scanned.Ragged.Rows > 0 {
		found.remark(scanned.Ragged, "Rows with another number of cells than the header: a plan would be refused unless {odd_rows=leave} leaves them alone.", RemarkOddRows, OddCells)
	}
	if scanned.InLine && found.Rows > 0 {
		found.remark(row.RowList{Rows: 1, First: []int64{scanned.LastRow(t)}},
			"The last row has no line end: if the file was cut off while it was copied, rows may be missing.",
			RemarkOddRows, OddLastLine)
	}
	return found, nil
}

// count is of the rows that have a name.
type count struct {
	rows int64
	bit  uint64 // of a text that has the name: see textNames
}

// counts are those of a cell's names.
type counts struct{ names []*count }

// namesCounted are those of a role that a worker has met.
type namesCounted struct {
	counted map[string]*count
	bytes   int
	cut     bool
	cells   names.Memo[counts]
	block   []*count // of the block's rows, one behind the other
}

// viewer visits the rows of its blocks. What it finds in a block counts once the
// block is done: one that is not in order is visited anew.
type viewer struct {
	table         *row.Table
	asked         *Instruction
	names         []namesCounted        // as nameRoles are
	cells         [][]recognize.Located // their columns
	values        []valueColumn
	words         names.Words // of the name last looked at
	found         []match     // of the block
	shared        *textNames
	row           uint64 // the names of the text that the row has
	both, inBlock common
	best          map[recognize.Role]*matches
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
	rows            [len(tallied)]row.RowList // as tallied
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
var tallied = [...]struct{ code, about, message string }{
	noPrice: {
		RemarkOddRows, OddPrice, "Prices that cannot be read: a plan that looks at prices would be refused.",
	},
	noStock: {
		RemarkOddRows, OddStock, "What is in stock cannot be read: a plan that looks at it would be refused.",
	},
	noSale: {RemarkSaleUnreadable, SalePriceOdd, "Prices of sales that cannot be read, and are not counted as on sale: a plan that looks at sales would be refused."},
	dated:  {RemarkSaleUnreadable, SaleDated, "Sales with dates, or in a table whose columns of dates are not known, which are counted as on sale whether they are in force or not: a plan that looks at sales is refused unless {sale_dates} is set."},
	// What it says names the columns.
	contradicted: {RemarkOddRows, OddStock, ""},
	otherMoney: {
		RemarkOddRows, OddCurrency,
		"Prices in another currency than the first rows': a plan that names money would be refused.",
	},
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

func (v *viewer) Row(r *row.Row) row.Problem {
	t := v.table
	r.FindProduct()
	before := len(v.found)
	v.row = 0
	for i, rule := range recognize.NameRoles {
		switch {
		case len(v.cells[i]) == 0:
		case rule.Role == recognize.RoleSKU || rule.Phrases:
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
	if has, found := r.ReadPrice(); has {
		v.block.price(r, found.Kind == faults.Fine, t.TellsSales())
	}
	if t.ReadsStock() {
		v.block.stock(r)
	}
	return row.Problem{}
}

// price counts the row's price, and its sale where the table tells it.
func (t *viewTally) price(r *row.Row, readable, tellsSales bool) {
	if !readable {
		t.rows[noPrice].Add(r.Index + 1)
		return
	}
	if t.see(r.Money[recognize.Price].Amount); !r.IsUsual() {
		t.rows[otherMoney].Add(r.Index + 1)
	}
	if tellsSales {
		t.sale(r)
	}
}

// stock counts what is in stock of the row.
func (t *viewTally) stock(r *row.Row) {
	switch has, found := r.ReadStock(); {
	case found.Kind == faults.Fine && r.Stock.In:
		t.inStock++
	case found.Kind != faults.Fine && has:
		t.rows[noStock].Add(r.Index + 1)
	}
	if r.IsContradicted() {
		t.rows[contradicted].Add(r.Index + 1)
	}
}

// sale counts the row's sale, if there is one.
func (t *viewTally) sale(r *row.Row) {
	sale := r.ReadSale(0)
	switch {
	case sale.Problem.Kind != faults.Fine:
		t.rows[noSale].Add(r.Index + 1)
	case sale.OnSale():
		if t.onSale++; sale.MayEnd() {
			t.rows[dated].Add(r.Index + 1)
		}
	}
}

// count counts the row for each of its names of a role, once.
func (v *viewer) count(role int, r *row.Row) {
	names := &v.names[role]
	before := len(names.block)
	for i, column := range v.cells[role] {
		content := r.Name(role, i)
		if len(content) == 0 {
			continue
		}
		cell := names.cells.Find(content)
		if cell == nil {
			cell = &counts{v.split(role, column, r, content)}
			names.cells.Add(content, cell)
		}
		for _, counted := range cell.names {
			if !slices.Contains(names.block[before:], counted) {
				names.block, v.row = append(names.block, counted), v.row|counted.bit
			}
		}
	}
}

// split returns the names that a cell has.
func (v *viewer) split(role int, column recognize.Located, r *row.Row, content []byte) (all []*count) {
	column.Parts(v.table.Dialect.Text(r.Unquoted(content)), func(name string) {
		known := len(v.names[role].counted)
		counted := v.names[role].take(name)
		if len(v.names[role].counted) > known {
			counted.bit = v.shared.bit(v.asked, recognize.NameRoles[role].Role, name)
		}
		if counted != nil && !slices.Contains(all, counted) {
			all = append(all, counted)
		}
	})
	return all
}

// take returns the count of a name; nil where there are too many.
func (n *namesCounted) take(name string) *count {
	found := n.counted[name]
	if found != nil {
		return found
	}
	if len(n.counted) == maxCounted || n.bytes+len(name) > maxCountedBytes {
		n.cut = true
		return nil
	}
	found = &count{}
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
		all.First = all.First[:min(len(all.First), row.MaxFirstRows)]
	}
	more.rows = [len(tallied)]row.RowList{}
	t.add(more, 0)
}

// tell says what was counted.
func (v *viewer) tell(f *Overview, ahead []byte) {
	f.Names = map[recognize.Role][]names.Spelling{}
	for i, r := range recognize.NameRoles {
		var list []names.Spelling
		for name, counted := range v.names[i].counted {
			if counted.rows > 0 {
				list = append(list, names.Spelling{Name: name, Rows: counted.rows})
			}
		}
		slices.SortFunc(list, func(a, b names.Spelling) int {
			return cmp.Or(cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Name, b.Name))
		})
		if f.Names[r.Role] = list; v.names[i].cut {
			f.Cut = append(f.Cut, r.Role)
			f.remark(row.RowList{}, "There are too many names in the column of "+string(r.Role)+" to count them all: is it what a plan is to call so? If not, say which column is, with {columns}.", RemarkQuestion, AboutNames, string(r.Role))
		}
	}
	for role, best := range v.best {
		f.Names[role] = best.list()
	}
	for _, r := range recognize.NameRoles {
		if !r.Phrases {
			f.tellAlike(r)
		}
	}
	v.tellValues(f)
	if v.asked != nil {
		f.Both = v.shared.common(&v.both, v.best[recognize.RoleName])
	}
	tellEncoding(v.table, f, ahead)
	v.tellNumbers(f, ahead)
}

// tellEncoding asks for the encoding, where nobody said it and a name or a title of the
// first rows may be read in several ways; and has what else is not ASCII read in each.
func tellEncoding(t *row.Table, f *Overview, rows []byte) {
	if t.Dialect.EncodingSaid || !t.Dialect.Legacy() && !t.Dialect.Escapes {
		return
	}
	var cells [][]byte
	for _, title := range t.Header {
		raw, _ := t.Dialect.Bytes(title)
		cells = append(cells, raw)
	}
	cells = append(cells, t.NamesIn(rows)...)
	at := slices.IndexFunc(cells, t.Dialect.Unclear)
	if at >= 0 &&
		!slices.ContainsFunc(f.Remarks, func(r Remark) bool { return r.Is(RemarkQuestion, AboutEncoding) }) {
		f.remark(row.RowList{}, "Letters that are neither UTF-8 nor plainly Windows-1252, such as "+
			faults.Shown(t.Dialect.Text(cells[at]))+": "+dialect.AskEncoding(cells[at])+
			".", RemarkQuestion, AboutEncoding)
	}
	if at < 0 {
		at = slices.IndexFunc(cells, func(cell []byte) bool { return !names.IsASCII(string(cell)) })
	}
	if at >= 0 {
		f.Readings = dialect.Readings(cells[at])
	}
}

func (v *viewer) tellNumbers(f *Overview, ahead []byte) {
	t := v.table
	for _, role := range []recognize.Role{recognize.RoleSKU, recognize.RoleCategory, recognize.RolePrice} {
		if t.Column(role) < 0 && !(role == recognize.RoleSKU && len(t.Identity()) > 0) {
			f.remark(row.RowList{}, "No column is known for "+string(role)+
				": if there is one, say which, with {columns="+string(role)+
				"=TITLE}.", RemarkQuestion, AboutColumn, string(role))
		}
	}
	if fault := t.UnclearPrices(ahead); fault != nil {
		f.remark(row.RowList{}, faults.Capitalised(fault.Message)+".", RemarkQuestion, AboutPrices)
	}
	if v.total.priced {
		f.Least = string(v.total.least.Append(nil, '.'))
		f.Greatest = string(v.total.greatest.Append(nil, '.'))
		f.Currency = t.Currency(recognize.Price)
		f.DecimalComma = t.DecimalComma()
		f.WholePrices = t.WholePrices()
	}
	if t.ReadsStock() {
		f.InStock = &v.total.inStock
	}
	if t.TellsSales() {
		f.OnSale = &v.total.onSale
	}
	for i, of := range tallied {
		if rows := v.total.rows[i]; rows.Rows > 0 {
			message := of.message
			if i == contradicted {
				message = t.Contradiction(rows)
			}
			f.remark(rows, message, of.code, of.about)
		}
	}
}
