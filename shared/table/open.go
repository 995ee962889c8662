package table

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/scan"
)

// Table is a table whose header has been read.
type Table struct {
	Recognized
	// Head is the text before the first row: the mark, the sep= line, a comment
	// and the header. It is written as it came.
	Head []byte
	// Of the rows.
	blocks *scan.Blocks

	columns    map[Role][]located
	identity   []int     // columns that name a row whose SKU is blank
	handed     []located // columns of names in which a row that is blank has its product's
	sku        int       // -1: none, as the next ones
	money      [Moneys]moneyColumn
	stock      int            // of several places, the first
	stocks     *profile.Stock // nil: it is not read
	quantities *profile.Stock // beside its words; nil: they do not change
	counted    *profile.Stock // in columns of quantities that no plan changes
	counts     []int          // those columns
	naming     []int          // the columns of which one says which product a row is
	whole      bool           // nobody pays fractions of the prices
	currency   int            // what the rows' prices are in; -1: no column has codes
	code       []byte         // of the first rows
	backorders []*profile.Kinds
	fieldsRead int // which a row must have to have all that the plan looks at
	// keepBlank: a row with an empty price is left alone.
	keepBlank bool
	family    *profile.Family // nil: no row takes anything from another

	settings     Settings
	rival        *Rival       // nil: there is none
	orElse       []string     // the header as a rival encoding has it
	sales        []saleColumn // what customers pay goes by the first
	otherPrices  []int
	profile      *profile.Profile
	byTitle      []int    // columns that were found by their titles
	passedOver   []string // columns that might have the prices too
	allowFormula bool
	quote        byte           // around fields; NUL: none are quoted
	skip         *profile.Kinds // rows that are left as they are
	untracked    *profile.Kinds // rows whose quantity says nothing
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
func Open(in io.Reader, s Settings, needs Needs, size int) (*Table, error) {
	raw := scan.NewBlocks(in, size, '"', '\n')
	head, err := raw.LookAhead(dialect.HeadBytes)
	if err != nil {
		return nil, err
	}
	if fault := kindOfFile(head); fault != nil {
		return nil, &InputError{Faults: []Fault{*fault}}
	}
	t := &Table{Recognized: Recognized{Dialect: dialect.Detect(head, s.Dialect)}, blocks: raw, quote: '"', currency: missing}
	if text := t.Dialect.NewReader(raw); text != io.Reader(raw) {
		t.blocks = scan.NewBlocks(text, size, '"', '\n')
	}
	if t.Dialect.LiteralQuotes {
		t.quote = 0
	}
	t.blocks.Parts(t.quote, t.Dialect.LineEnd.Byte())
	t.blocks.KeepFrom(slices.ContainsFunc(nameRoles, func(r roleRule) bool { return needs.Has(r.Role) }))
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	if err := t.recognize(s, needs); err != nil {
		return nil, err
	}
	return t, nil
}

// quotes reports whether a cell can be quoted.
func (t *Table) quotes() bool { return t.quote != 0 }

// Writer returns what the table's text is to be written to, so that out gets it
// in the table's encoding.
func (t *Table) Writer(out io.Writer) io.Writer { return t.Dialect.NewWriter(out) }

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
	records := t.Dialect.NewRecords(dialect.Rules{Fields: t.Dialect.CountFields(block[start:limit]), Quote: t.quote, ShortRows: true})
	records.Block = block
	records.Reset(limit)
	record, end, next, found := records.Split(start)
	if found != Fine {
		shown := block[start:t.Dialect.CellEnd(block, end, limit)]
		return &InputError{Faults: []Fault{{Row: 1, Value: Shown(t.Dialect.Text(shown)), Message: faults.Advice[found]}}}
	}
	for i := range records.Fields() {
		field := record.Field(i).Of(block)
		t.Header, t.orElse = append(t.Header, t.Dialect.Unquoted(field)), append(t.orElse, t.otherwise().Unquoted(field))
	}
	next = min(next, limit)
	t.Head = append(t.Head, block[:next]...)
	t.blocks.Unread(block[next:limit])
	return nil
}

// recognize finds the columns and the forms of their cells.
func (t *Table) recognize(s Settings, needs Needs) error {
	titled := profile.NewTitled(t.Header)
	t.profile = titled.ProfileOf(s.Profile)
	t.Profile, t.settings = t.profile.Name, s
	// What the profile says is not stated as found.
	t.Dialect.LiteralQuotes = t.Dialect.LiteralQuotes && !t.profile.LiteralQuotes
	t.Dialect.TrailingDelimiter = t.Dialect.TrailingDelimiter && !t.profile.TrailingDelimiter
	if t.profile.LiteralQuotes || t.Dialect.LiteralQuotes {
		t.quote = 0
		t.blocks.Parts(t.quote, t.Dialect.LineEnd.Byte())
	}
	t.allowFormula = s.AllowFormulaCells
	rows, err := t.blocks.LookAhead(formBytes)
	if err != nil {
		return err
	}
	if fault := t.weigh(rows, needs); fault != nil && !needs.IfThere {
		return &InputError{Faults: []Fault{*fault}}
	}
	l := newLayout(titled, t.profile, s, needs, t.unknown(titled, rows))
	t.byTitle, t.passedOver = l.byTitle, l.passedOver
	if needs.Findings || len(l.faults) > 0 {
		t.Findings = l.findings(s)
	}
	t.columns, t.identity = l.columns, l.identity
	t.sku, t.stock = t.first(RoleSKU), t.first(RoleInStock)
	for m, role := range moneyRoles {
		t.money[m].index, t.money[m].optional = t.first(role), ruleOf(role).optional
	}
	if len(l.faults) > 0 {
		t.describe(true)
		l.pointBelow(recognize.TitlesBelow(t.Dialect, rows))
		for i := range l.faults {
			l.faults[i].Column = faults.Excerpt(l.faults[i].Column)
		}
		return &InputError{Faults: l.faults, Table: &t.Recognized, Holding: l.holding}
	}
	t.skip, t.untracked = titled.Kinds(l.profile.Skip), titled.Kinds(l.stockForm.Untracked)
	blank := s.BlankPrice
	if blank == "" {
		blank = l.profile.BlankPrice
	}
	t.keepBlank = blank == profile.BlankPriceKeep && t.money[Price].index != missing
	sample := make([]profile.Sampled, 0, bytes.Count(rows, []byte{t.Dialect.LineEnd.Byte()})+1)
	t.sales = l.sales
	for m, role := range moneyRoles {
		if column := &t.money[m]; needs.Has(role) && column.index != missing || t.isSale(Money(m)) && t.money[Price].form != nil {
			var fault *Fault
			sample = t.sample(sample[:0], rows, column.index)
			if len(sample) == 0 && column.optional && t.money[Price].form != nil {
				sample = t.sample(sample, rows, t.money[Price].index) // what is filled there is written as prices are
			}
			if column.form, fault = t.findMoney(role, s.PriceForm, sample); fault != nil && !needs.AsText && (needs.Sales || !t.isSale(Money(m))) {
				fault.Column = faults.Excerpt(t.Header[column.index])
				return &InputError{Faults: []Fault{*fault}}
			}
			column.form.WriteLike(t.money[Price].form)
		}
	}
	if needs.Has(RoleInStock) && t.stock != missing {
		t.stocks = profile.NewStock(t.Dialect, l.stockForm, l.stockPairs, s.BlankStock, s.InStockQuantity, indexes(t.columns[RoleInStock]), t.sample(sample[:0], rows, t.stock))
		if needs.SetsStock {
			t.counts = l.unknown.Counted(indexes(t.columns[RoleInStock]))
			t.counted = profile.NewStock(t.Dialect, profile.StockColumn{Quantity: true}, nil, "", nil, t.counts, nil)
		}
		if beside := t.columns[RoleQuantity]; len(beside) > 0 && needs.SetsStock {
			t.quantities = profile.NewStock(t.Dialect, profile.StockColumn{Quantity: true}, nil, "", s.InStockQuantity, indexes(beside), nil)
		}
	}
	if price := t.money[Price].index; needs.Has(RolePrice) && price != missing {
		t.findCurrency(titled, rows)
		t.whole = t.money[Price].form != nil && t.money[Price].form.IsWhole(t.Header[price], string(t.code))
		t.findNone(rows)
		t.otherPrices = append(titled.Others(t.profile.OtherPrices, price), l.unknown.OtherPrices(price)...)
	}
	for i := range t.profile.Backorders {
		if kinds := titled.Kinds(&t.profile.Backorders[i]); kinds != nil {
			t.backorders = append(t.backorders, kinds)
		}
	}
	for _, r := range roles {
		if r.inherits && r.kind == ofNames && needs.Has(r.Role) {
			t.handed = append(t.handed, t.columns[r.Role]...)
		}
	}
	if t.family = l.profile.NewFamily(titled, t.handsOn()); t.family != nil {
		t.showAhead()
	} else if fault := t.likeVariants(titled, l.unknown, rows); fault != nil && t.profile.Name == profile.Plain && !needs.IfThere {
		return &InputError{Faults: []Fault{*fault}}
	}
	t.findNaming(titled, l.unknown, s.Columns.Name)
	t.describe(needs.IfThere)
	t.countFields(needs)
	return nil
}

// findCurrency finds the column of the codes of currencies, and that of the first rows.
func (t *Table) findCurrency(titled *profile.Titled, rows []byte) {
	if t.currency, _ = titled.Find(t.profile.Currency); t.currency == missing {
		return
	}
	for r := range t.each(rows) {
		if t.code = bytes.Clone(bytes.TrimSpace(r.content(t.currency))); len(t.code) > 0 {
			break
		}
	}
	if !profile.IsCode(string(t.code)) {
		t.currency, t.code = missing, nil
	}
}

// findNaming finds the columns that name a row: by a SKU, what stands for one, a name,
// or the product that it is a variant of.
func (t *Table) findNaming(titled *profile.Titled, unknown *recognize.Columns, said string) {
	t.naming = append([]int{t.sku, t.nameColumn(titled, unknown)}, t.identity...)
	if said != "" {
		t.naming = append(t.naming, titled.Named(said)...)
	}
	if i := t.profile.Inheritance; i != nil {
		for _, titles := range []profile.Titles{i.Above, i.Parent, i.Same} {
			index, _ := titled.Find(titles)
			t.naming = append(t.naming, index)
		}
	}
	t.naming = slices.DeleteFunc(t.naming, func(index int) bool { return index == missing })
}

// nameColumn is the one of products' names, whether the plan looks at it or not.
func (t *Table) nameColumn(titled *profile.Titled, unknown *recognize.Columns) int {
	name, _ := titled.Find(t.profile.ProductName)
	if name == missing {
		if best := unknown.Plainest(string(RoleName)); len(best) == 1 {
			return best[0]
		}
	}
	return name
}

// findMoney finds the form of a column of money. That which a setting says is the
// prices', and another column's only where its own cells have two readings.
func (t *Table) findMoney(role Role, said profile.PriceForm, cells []profile.Sampled) (form *profile.MoneyForm, fault *Fault) {
	documented, price := t.profile.DecimalPoint, t.money[Price].form
	if role == RolePrice {
		return profile.NewMoneyForm(t.Dialect, said, documented, cells)
	}
	documented = documented && (price == nil || price.HasPoint()) // this table was not written as the platform says
	if form, fault = profile.NewMoneyForm(t.Dialect, "", documented, cells); fault != nil && said != "" {
		form, fault = profile.NewMoneyForm(t.Dialect, said, documented, cells)
	}
	if fault == nil && price != nil && !profile.OneCurrency(form, price) {
		return nil, &Fault{Row: 1, Message: "is in " + form.Currency() + ", and the prices are in " + price.Currency() + ": a plan can compare them in one currency alone"}
	}
	return form, fault
}

// likeVariants refuses a table where the plan names categories, and rows without one
// look like variants of the product above them, which has one: their name is blank or
// the same, and a size or the like is filled in. First rows tell.
func (t *Table) likeVariants(titled *profile.Titled, unknown *recognize.Columns, rows []byte) *Fault {
	categories := indexes(t.columns[RoleCategory])
	if !slices.ContainsFunc(t.handed, func(c located) bool { return slices.Contains(categories, c.Index) }) {
		return nil
	}
	options := unknown.Options()
	if len(options) == 0 {
		return nil
	}
	name := t.nameColumn(titled, unknown)
	if name == missing {
		return nil
	}
	var found RowList
	above, placed := []byte(nil), false
	for r := range t.each(rows) {
		filled := func(column int) bool { return len(r.content(column)) > 0 }
		own := r.content(name)
		switch in := slices.ContainsFunc(categories, filled); {
		case !in && placed && (len(own) == 0 || bytes.Equal(own, above)) && slices.ContainsFunc(options, filled):
			found.Add(r.row)
		default:
			above, placed = own, in
		}
	}
	if found.Rows == 0 {
		return nil
	}
	return &Fault{Row: found.First[0], Column: faults.Excerpt(t.Header[categories[0]]), Message: fmt.Sprintf("the category is blank in %d of the first rows, this one first, which look like variants of the product above them (see %s), so that it is not known whether the plan is for them: fill in their category, or add a column parent_sku that says to which product each belongs", found.Rows, t.columnTitle(options[0]))}
}

// handsOn is what the rows of the table hand on to others.
func (t *Table) handsOn() profile.Handed {
	return profile.Handed{
		SKU: t.sku, Names: indexes(t.handed), Stock: t.stocks, Skip: t.skip, Records: t.newRecords(),
		Ended: func() bool { return t.blocks.Err() == io.EOF },
	}
}

// showAhead has the family shown what it must see ahead of its rows.
func (t *Table) showAhead() {
	if t.family.Ahead() {
		t.blocks.AheadOf(profile.FamilyAheadBytes, t.family.Look)
	}
}

func indexes(columns []located) (indexes []int) {
	for _, c := range columns {
		indexes = append(indexes, c.Index)
	}
	return indexes
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
		case RoleIdentity, RoleProduct, RoleQuantity:
			continue
		case RoleSalePrice, RoleCompareAt, RoleOnSale, RoleSaleFrom, RoleSaleUntil:
			if !needs.Sales {
				continue // they tell what customers pay
			}
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
			form[index] = Column{Title: faults.Excerpt(t.Header[index]), Role: role, Form: form_, Index: index}
		}
	}
	if t.family != nil {
		take(t.family.Column(), RoleProduct, "")
	}
	for _, index := range t.identity {
		take(index, RoleIdentity, "")
	}
	for _, c := range t.sales {
		for x, index := range c.texts {
			take(index, textRoles[x], "")
		}
	}
	if t.quantities != nil {
		take(t.first(RoleQuantity), RoleQuantity, "")
	}
	for _, r := range roles {
		form, read := t.formOf(r)
		for _, c := range t.columns[r.Role] {
			switch {
			case r.several || r.list != "":
				take(c.Index, r.Role, c.Form())
			case read || all:
				take(c.Index, r.Role, form)
			}
		}
	}
	for i := range t.Header {
		if column, taken := form[i]; taken {
			if slices.Contains(t.byTitle, i) {
				column.Found = recognize.ByTitle
			}
			if column.Role == RolePrice {
				column.PassedOver = t.passedOver
			}
			t.Columns = append(t.Columns, column)
		}
	}
}

// formOf says to people in which form the cells of a role are, and whether they
// are read.
func (t *Table) formOf(r roleRule) (form string, read bool) {
	if r.kind == ofStock && t.stocks != nil {
		return t.stocks.String(), true
	}
	if m := slices.Index(moneyRoles[:], r.Role); m >= 0 && t.money[m].form != nil {
		return t.money[m].form.String(), true
	}
	return "", r.kind == ofNames
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

// each goes through the whole records that rows begin with, up to one that is out of
// order.
func (t *Table) each(rows []byte) iter.Seq[early] {
	return func(yield func(early) bool) {
		whole := t.blocks.Ended()
		records := t.newRecords()
		records.Limit = len(rows)
		records.Block = append(rows, t.Dialect.LineEnd.Byte(), ' ')
		for pos, row := 0, int64(2); pos < records.Limit; row++ {
			record, end, next, fault := records.Split(pos)
			if fault != Fine || end == pos || next > records.Limit && !whole || !yield(early{record, records.Block, row}) {
				return
			}
			pos = next
		}
	}
}

// unknown are the columns of which the profile does not say what they are.
func (t *Table) unknown(titled *profile.Titled, rows []byte) *recognize.Columns {
	return recognize.New(titled, t.profile, t.Dialect, sync.OnceValue(func() recognize.Sample {
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
		Fields: len(t.Header), Quote: t.quote, AllowFormula: t.allowFormula,
		Opening:           t.Dialect.LiteralQuotes,
		TrailingDelimiter: t.profile.TrailingDelimiter || t.Dialect.TrailingDelimiter, ShortRows: t.profile.ShortRows,
	})
}
