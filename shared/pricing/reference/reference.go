// Package reference is the reading of tables and the pricing engine again, as
// plainly as they can be written: the whole table in memory, character by
// character, exact fractions for the prices, encoding/json for the change
// lines. It is what the engine is tested against, byte for byte, and shares no
// code with it: of package table it has the settings and the profiles, which
// are data, and the dialect that a table is known to have.
package reference

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// Fault says that a table is refused, and where its first fault is.
type Fault struct {
	Row    int64
	Reason string
}

func (f *Fault) Error() string { return fmt.Sprintf("row %d: %s", f.Row, f.Reason) }

// UnknownNames are the names of a plan that no row has, and those that the table
// has beside others that look the same, with how many rows have each.
type UnknownNames struct{ Names, Alike []string }

func (u *UnknownNames) Error() string {
	return "no row has " + strings.Join(append(u.Names, u.Alike...), ", ")
}

// Result is what a run gave.
type Result struct {
	Out, Changes           string
	RowsTotal, RowsChanged int64
	Operations             []Count
	Orphans                int64 // rows without a category whose product is not known
	Effect                 string
	Sales                  []string // what new prices mean to rows on sale
	Idle                   []string // exceptions that leave no row out
	// rows without a category, and rows that are too short: how many, and the first
	Blank, Short string
}

// Count is what one operation did.
type Count struct {
	OperationID              string
	RowsMatched, RowsChanged int64
}

// change is one change line.
type change struct {
	Row          int64    `json:"row"`
	SKU          string   `json:"sku"`
	OperationIDs []string `json:"operation_ids"`
	Before       state    `json:"before"`
	After        state    `json:"after"`
}

type state struct {
	Price   *string `json:"price"`
	InStock *bool   `json:"in_stock"`
	Stock   *string `json:"stock,omitempty"`

	Quantity        *string `json:"quantity,omitempty"`
	SalePrice       *string `json:"sale_price,omitempty"`
	CompareAt       *string `json:"compare_at,omitempty"`
	OnSale          *string `json:"on_sale,omitempty"`
	SaleFrom        *string `json:"sale_from,omitempty"`
	SaleUntil       *string `json:"sale_until,omitempty"`
	Quoted          bool    `json:"quoted,omitempty"`
	SalePriceQuoted bool    `json:"sale_price_quoted,omitempty"`
	CompareAtQuoted bool    `json:"compare_at_quoted,omitempty"`
}

// run is one plan over one table.
type run struct {
	plan     *plan.Plan
	settings table.Settings
	dialect  dialect.Dialect
	needs    needs
	wheres   []where
	pieces   int  // the column of quantities
	follow   bool // what is in stock goes with it
	columns  columns
	prices   column
	costs    column
	words    stockWords
	titles   int      // how many the header has
	written  []string // those
	skip     kind
	free     kind                              // the rows whose quantity is not kept
	counts   []int                             // quantities that no plan changes
	among    map[plan.Column]map[string]string // the plan's names that cells have among others
	rivals   []int                             // more columns that tell what is in stock
	denied   bool                              // one of them says otherwise of a row
	ordered  []kind                            // those that are sold with nothing in stock
	code     string                            // of the first row's currency, in a column of such
	text     text
	rows     []record
	fault    string // of the record behind the rows
	result   Result
	lines    strings.Builder
	edits    []edit
	changes  []change
	moves    []priceMove
	regulars []priceMove // of the regular prices of rows on sale
	mixed    bool        // rows in another currency
	dated    []int64     // rows whose sale has dates that matter
	header   header
	sales    []saleNote
	blank    []int64         // rows without a category, where the plan names some
	short    []int64         // rows that end before a column that is read
	literal  bool            // quotes are what they are elsewhere
	trailing bool            // rows end with one delimiter more
	orphan   bool            // the row's product is not known
	compared bool            // the row's price from before a sale was set
	beyond   map[string]bool // the operations for other quantities than the row's
	seen     map[string]bool // names that rows have, behind what they are
	having   map[plan.Column]map[string]int
	excepted map[int]bool // exceptions that left a row out
	empty    int64        // lines
}

// names are those that a row has.
type names map[plan.Column][]string

// edit is what takes the place of a cell's characters.
type edit struct {
	cell
	text string
}

// kind is a kind of rows.
type kind struct {
	column int
	words  []string
}

func (h header) kind(rows *profile.Rows) kind {
	if rows == nil {
		return kind{column: none}
	}
	column, _ := h.find(rows.Titles)
	return kind{column, rows.Words}
}

func (k kind) has(r record) bool {
	return k.column != none && slices.Contains(k.words, strings.ToLower(trimmed(r, k.column)))
}

// Run carries a plan out over a table whose dialect is known.
func Run(p *plan.Plan, s table.Settings, d dialect.Dialect, data []byte) (Result, error) {
	t, err := carryOut(p, s, d, data)
	if err != nil {
		return Result{}, err
	}
	return t.result, nil
}

func carryOut(p *plan.Plan, s table.Settings, d dialect.Dialect, data []byte) (*run, error) {
	t := &run{
		plan:     p,
		settings: s,
		dialect:  d,
		needs:    needsOf(p),
		wheres:   wheresOf(p),
		seen:     map[string]bool{},
		having:   map[plan.Column]map[string]int{},
		excepted: map[int]bool{},
	}
	t.text = decode(string(data), d.Encoding)
	h, err := t.readTable()
	if err != nil {
		return nil, err
	}
	if err := t.findWheres(h); err != nil {
		return nil, err
	}
	whole := t.inOrder()
	if err := t.findForms(whole); err != nil {
		return nil, err
	}
	if err := t.findPieces(h, whole); err != nil {
		return nil, err
	}
	for _, op := range p.Operations {
		t.result.Operations = append(t.result.Operations, Count{OperationID: op.OperationID})
	}
	family := t.newFamily(h, whole)
	if row := t.loneVariant(h, whole); family == nil && row > 0 {
		return nil, &Fault{row, "a variant without a category"}
	}
	t.findAmong()
	for i, r := range t.rows {
		if fault := t.row(i, r, family); fault != "" {
			return nil, &Fault{t.number(i), fault}
		}
	}
	if t.fault != "" {
		return nil, &Fault{t.number(len(t.rows)), t.fault}
	}
	if t.result.RowsTotal = int64(len(t.rows)) - t.empty; t.result.RowsTotal == 0 {
		return nil, &Fault{1, "no rows"}
	}
	if len(t.dated) > 0 {
		return nil, &DatedSales{len(t.dated), t.dated[:min(len(t.dated), 20)]}
	}
	if t.denied {
		return nil, &Fault{1, "two columns of stock"}
	}
	unknown := &UnknownNames{}
	unknown.Names = t.unknown(string(s.Unmatched))
	if s.NearNames != table.NearNamesExact {
		unknown.Alike = t.alike()
	}
	if len(unknown.Names)+len(unknown.Alike) > 0 {
		return nil, unknown
	}
	t.result.Changes, t.result.Out, t.result.Effect = t.lines.String(), t.edited(), t.effect()
	t.result.Sales, t.result.Idle = t.saleWarnings(), t.idle()
	t.result.Blank, t.result.Short = firstRows(t.blank), firstRows(t.short)
	return t, nil
}

// readTable reads the records, and finds the columns by the first of them.
func (t *run) readTable() (h header, err error) {
	start := 0
	if t.dialect.BOM {
		start = 1
	}
	if row := t.piped(); row > 0 {
		return nil, &Fault{row, "pipes in an unknown encoding"}
	}
	if t.dialect.SepLine {
		for t.text.runes[start] != '\n' && t.text.runes[start] != '\r' {
			start++
		}
		if start++; t.text.runes[start-1] == '\r' && start < len(t.text.runes) &&
			t.text.runes[start] == '\n' {
			start++
		}
	}
	if t.dialect.Comment {
		start = t.lineBehind(start)
	}
	t.literal, t.trailing = t.inches(start)
	all := records(t.text, start, t.dialect, t.literal)
	if len(all) == 0 || all[0].fault+all[0].flaw != "" {
		return nil, &Fault{1, "no header"}
	}
	if t.settings.Header == recognize.HeaderNone {
		var numbers record
		for i := range all[0].cells {
			numbers.cells = append(numbers.cells, cell{text: fmt.Sprint(i + 1)})
		}
		all = append([]record{numbers}, all...)
	}
	h = newHeader(all[0].cells)
	t.titles = len(h)
	t.columns.profile = h.profile(t.settings.Profile)
	titles := all[0]
	if t.columns.profile.Writes(profile.LiteralQuotes) {
		all = records(t.text, start, t.dialect, true)
		h = newHeader(all[0].cells)
	}
	t.header = h
	t.rows = all[1:]
	if last := len(t.rows) - 1; last >= 0 && t.rows[last].fault != "" {
		t.rows, t.fault = t.rows[:last], t.rows[last].fault
	}
	seek := &sought{
		tells: t.columns.profile,
		rows:  slices.DeleteFunc(slices.Clone(t.inOrder()), func(r record) bool { return r.empty }),
	}
	for _, c := range titles.cells {
		seek.titles = append(seek.titles, c.text)
		t.written = append(t.written, c.text)
	}
	if t.settings.Header == "" && t.columns.profile.Name == profile.Plain &&
		slices.ContainsFunc(t.written, plainlyPrice) {
		return nil, &Fault{1, "no header"}
	}
	if len(t.written) == 1 && t.settings.Header != recognize.HeaderNone &&
		t.columns.profile.Name == profile.Plain {
		return nil, &Fault{1, "one column"}
	}
	if t.columns = newHeader(titles.cells).findColumns(t.settings, t.needs, seek); t.columns.fault != "" {
		return nil, &Fault{1, t.columns.fault}
	}
	t.skip, t.free = h.kind(t.columns.profile.Skip), h.kind(t.columns.stockAs.Untracked)
	for i := range t.columns.profile.Backorders {
		t.ordered = append(t.ordered, h.kind(&t.columns.profile.Backorders[i]))
	}
	for _, column := range slices.Concat(slices.Collect(maps.Values(seek.fits("in_stock")))...) {
		if _, _, counted := means(seek.titles[column]); counted &&
			!slices.Contains(t.columns.places, column) {
			t.counts = append(t.counts, column)
		}
		if t.columns.profile.Name == profile.Plain && t.settings.Columns.InStock == "" && t.needs.stock &&
			len(t.columns.places) == 1 && column != t.columns.places[0] {
			t.rivals = append(t.rivals, column)
		}
	}
	return h, nil
}

// number is the number of a row.
func (t *run) number(i int) int64 {
	if t.settings.Header == recognize.HeaderNone {
		return int64(i) + 1
	}
	return int64(i) + 2
}

// leaves reports whether rows with cells that cannot be read are left alone.
func (t *run) leaves(fault string) bool {
	return t.settings.OddRows == table.OddRowsLeave && slices.Contains(oddFaults, fault)
}

// oddFaults are those of cells that cannot be read.
var oddFaults = []string{
	threeDecimals, badEncoding, strayQuote, "quote before a name", "long name", notPrice, anotherForm,
	twoReadings, "too many digits", badStock,
}

const badEncoding, strayQuote, badStock, notPrice = "bad encoding", "quote in an unquoted value", "stock", "not a price"

// price is plainly one: a number with cents, or with a currency.
func plainlyPrice(text string) bool {
	text = strings.TrimSpace(text)
	p, ok := dress(text)
	both := read(p.number)
	cents := regexp.MustCompile(`\d[.,]\d\d$`).MatchString(text)
	bare := regexp.MustCompile(`^[0-9.,' ]*$`).MatchString(text)
	return ok && (both.point != nil || both.comma != nil) && (cents || !bare)
}

// piped returns the row of the first cell that is not ASCII, in a table of pipes whose
// encoding nobody said; 0: it is none, or UTF-8.
func (t *run) piped() int64 {
	if t.dialect.Delimiter != dialect.Pipe || bytewise[t.dialect.Encoding] == nil || t.dialect.EncodingSaid {
		return 0
	}
	at := strings.IndexFunc(t.text.bytes, func(r rune) bool { return r >= 0x80 })
	return int64(strings.Count(t.text.bytes[:at], "\n")) + 1
}

// inches reports whether quotes are no quotes in a table of tabs or semicolons: there
// are some, and none begins a cell; and whether its rows all end with one delimiter
// more, or have as many as the header.
func (t *run) inches(start int) (literal, trailing bool) {
	delimiter := string(t.dialect.Delimiter.Byte())
	if t.dialect.Comment || delimiter == "|" {
		return false, false
	}
	text := string(t.text.runes[start:])
	begins := regexp.MustCompile(`(^|[\r\n` + delimiter + `])"`)
	if delimiter == "," {
		begins = regexp.MustCompile(`(^|[\r\n,]) *"`)
		return strings.Contains(text, `"`) && !begins.MatchString(text), false
	}
	if literal = strings.Contains(text, `"`) && !begins.MatchString(text); !literal &&
		strings.Contains(text, `"`) {
		return false, false
	}
	lines := strings.Split(text, map[bool]string{false: "\n", true: "\r"}[t.dialect.LineEnd == dialect.CR])
	titles := strings.Count(lines[0], delimiter)
	for i, line := range lines[:len(lines)-1] {
		line = strings.TrimSuffix(line, "\r")
		switch more := strings.Count(line, delimiter) - titles; {
		case i == 0 || line == "" || more == 0:
		case more == 1 && strings.HasSuffix(line, delimiter):
			trailing = true
		default:
			return literal, false
		}
	}
	return literal, trailing
}

// lineBehind returns where the line behind one begins.
func (t *run) lineBehind(start int) int {
	end := map[bool]rune{false: '\n', true: '\r'}[t.dialect.LineEnd == dialect.CR]
	for quoted := false; quoted || t.text.runes[start] != end; start++ {
		quoted = quoted != (t.text.runes[start] == '"')
	}
	return start + 1
}

// inOrder returns the rows up to the first whose quoting is at fault, without those that have
// another number of cells: these may be other columns' than they seem.
func (t *run) inOrder() (whole []record) {
	for _, i := range t.placesInOrder() {
		whole = append(whole, t.rows[i])
	}
	return whole
}

// placesInOrder are the places of those rows among all.
func (t *run) placesInOrder() (places []int) {
	for i, r := range t.rows {
		if !r.empty && r.flaw != "" {
			break
		}
		if r.empty || t.count(r) == "" {
			places = append(places, i)
		}
	}
	return places
}

// numberInOrder is the number of one of those rows.
func (t *run) numberInOrder(i int) int64 { return t.number(t.placesInOrder()[i]) }

// findForms finds the forms of the price's and the stock's cells.
func (t *run) findForms(whole []record) error {
	cells := func(column int) (all []string) {
		for _, r := range whole {
			all = append(all, r.text(column))
		}
		return all
	}
	if t.needs.price {
		form, unclear := findForm(
			cells(t.columns.price), t.settings.PriceForm, t.columns.profile.DecimalPoint,
		)
		if unclear >= 0 {
			return &Fault{t.numberInOrder(unclear), "a price with two readings"}
		}
		t.prices = form
		if mark := t.shown(whole[:min(len(whole), recognize.SampledRows)]); form.unmarked && mark != "" {
			t.prices.point, t.prices.unmarked = mark, false
		}
		for _, code := range cells(t.columns.currency) {
			if t.code == "" {
				t.code = strings.TrimSpace(code)
			}
		}
		if code := strings.ToUpper(t.code); len(code) != 3 || !ascii.MatchString(code) ||
			code != "RMB" && !isCurrency(code) {
			t.code, t.columns.currency = "", none
		}
		yuan := regexp.MustCompile(`(^|[^\pL\p{Sc}])(CNY|RMB)([^\pL\p{Sc}]|$)`)
		t.prices.whole = form.whole && !yuan.MatchString(
			strings.ToUpper(t.written[t.columns.price]+" "+t.code+" "+form.currency),
		) && slices.ContainsFunc(strings.FieldsFunc(strings.ToUpper(t.written[t.columns.price]+" "+t.code+" "+
			form.currency), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.Is(unicode.Sc, r)
		}), func(word string) bool { return strings.Contains(wholeCurrencies, " "+word+" ") })
	}
	if t.needs.cost {
		documented := t.columns.profile.DecimalPoint && t.prices.point == "."
		shown := cells(t.columns.cost)
		if !slices.ContainsFunc(shown, func(cell string) bool { return cell != "" }) {
			shown = cells(t.columns.price)
		}
		form, unclear := findForm(shown, "", documented)
		if unclear >= 0 && t.settings.PriceForm != "" {
			form, unclear = findForm(shown, t.settings.PriceForm, documented)
		}
		if unclear >= 0 {
			return &Fault{t.numberInOrder(unclear), "a cost with two readings"}
		}
		if mine, theirs := form.currency, t.prices.currency; mine != "" && theirs != "" &&
			!strings.EqualFold(mine, theirs) {
			return &Fault{1, "costs in another currency"}
		}
		if t.costs = form; !form.decided {
			t.costs.point, t.costs.unmarked = t.prices.point, t.prices.unmarked
		}
	}
	for i := range t.columns.sales {
		if fault := t.columns.sales[i].findForm(t, cells); fault != nil && t.needs.sales {
			return fault
		}
	}
	if t.needs.stock {
		return t.findStock(cells(t.columns.stock))
	}
	return nil
}

// text returns what a cell says; a row that is too short has none there.
func (r record) text(column int) string {
	if column == none || column >= len(r.cells) {
		return ""
	}
	return r.cells[column].text
}

// textFormula is a formula of one text, as codes are written that begin with zeros.
var textFormula = regexp.MustCompile(`^="([^"]*)"$`)

// code is what a cell of a code says.
func (r record) code(column int) string {
	return textFormula.ReplaceAllString(r.text(column), "$1")
}

func (t *run) row(i int, r record, f *family) (fault string) {
	if r.empty {
		t.empty++
		if t.noted(i) {
			t.sales = append(t.sales, saleNote{"odd_rows empty line", t.number(i), nil})
		}
		return ""
	}
	if r.flaw != "" {
		return r.flaw
	}
	if fault := t.count(r); fault != "" {
		if f == nil && t.settings.OddRows == table.OddRowsLeave && !t.cutOff(i, r) {
			t.sales = append(t.sales, saleNote{"odd_rows number of cells", t.number(i), nil})
			return ""
		}
		return fault
	}
	if read := t.columnsRead(); slices.ContainsFunc(r.cells, func(c cell) bool {
		return c.stray &&
			!slices.ContainsFunc(read, func(at int) bool { return at < len(r.cells) && r.cells[at] == c })
	}) {
		t.sales = append(t.sales, saleNote{"odd_rows quote within a value", t.number(i), nil})
	}
	if t.skip.has(r) {
		return ""
	}
	if len(r.cells) < t.titles && len(r.cells) <= t.lastRead() {
		t.short = append(t.short, t.number(i))
	}
	var belongs *product
	known := true
	if f != nil {
		belongs, known = f.of(i, r)
	}
	has, lacks := names{}, false
	for _, role := range nameRoles {
		here, blank, fault := t.namesOf(role, r, belongs)
		if t.leaves(fault) {
			here, fault = []string{unread}, ""
		}
		if fault != "" {
			return fault
		}
		if lack := blank && role.handed && t.needs.names[role.column]; lack {
			lacks = true
			if nameless := strings.Join(t.handsOn(r).names[role.column], "") == ""; nameless && !known {
				here = []string{notKnown}
			}
		}
		has[role.column] = here
	}
	for _, w := range t.wheres {
		text := r.text(w.at)
		if w.at == t.columns.sku() {
			text = r.code(w.at)
		}
		lack := text == "" && belongs != nil && !w.own
		if lack {
			text = belongs.wheres[w.column]
		}
		if fault := t.name(r, w.at, profile.NameColumn{}, true); fault != "" && fault != "long name" {
			if !t.leaves(fault) {
				return fault
			}
			has[w.column] = []string{unread}
			continue
		}
		has[w.column] = t.holds(w, text)
		if r.text(w.at) == "" && !w.own {
			lacks = true
			if t.handsOn(r).wheres[w.column] == "" && !known {
				has[w.column] = []string{notKnown}
			}
		}
	}
	t.see(has)
	price, stock := r.text(t.columns.price), r.text(t.columns.stock)
	noPrice := price == ""
	if t.columns.price != none && t.keepsBlank() && noPrice {
		plain := t.columns.profile.BlankPrice == profile.BlankPriceTell
		if t.needs.stock && stock == "" || !t.needs.stock && !plain && t.pieces == none {
			left := map[string][]string{}
			if plain || t.pricedElsewhere(r) {
				t.leftUnread(left, has, false, true)
			}
			for _, op := range t.plan.Operations { // whether it is in stock or not
				if readsPrice(op) && namesMatch(op.Filter, has) {
					t.leftUnpriced(left, op, r)
				}
			}
			t.noteLeft(left, i)
			return ""
		}
		return t.values(i, r, has, belongs, f, false)
	}
	if !known && lacks {
		t.result.Orphans++
		t.orphan = true
	}
	defer func() { t.orphan = false }()
	return t.values(i, r, has, belongs, f, true)
}

// columnsRead are the columns that the plan looks at.
func (t *run) columnsRead() (columns []int) {
	for _, role := range nameRoles {
		for _, column := range t.columns.names[role.column] {
			if t.needs.names[role.column] {
				columns = append(columns, column.at)
			}
		}
	}
	for _, w := range t.wheres {
		columns = append(columns, w.at)
	}
	if t.needs.price {
		columns = append(columns, t.columns.price)
	}
	if t.needs.cost {
		columns = append(columns, t.columns.cost)
	}
	for _, sale := range t.columns.sales {
		if t.needs.sales {
			columns = append(columns, sale.at)
		}
	}
	if t.needs.stock {
		columns = append(columns, t.columns.places...)
	}
	return slices.DeleteFunc(columns, func(at int) bool { return at == none })
}

// noted reports whether an empty line stands before other rows.
func (t *run) noted(i int) bool {
	return slices.ContainsFunc(t.rows[i:], func(r record) bool { return !r.empty })
}

// leftUnread notes the operations that a row may be for, but for names that cannot be read.
func (t *run) leftUnread(left map[string][]string, has names, in, whatever bool) {
	readable := names{}
	for column, names := range has {
		if !slices.Contains(names, unread) {
			readable[column] = names
		}
	}
	for _, op := range t.plan.Operations {
		if namesMatch(op.Filter, readable) && !namesMatch(op.Filter, has) &&
			(whatever || op.Filter.InStock == nil || *op.Filter.InStock == in) {
			left["odd_rows name"] = append(left["odd_rows name"], op.OperationID)
		}
	}
}

// unread stands for the names of a cell that cannot be read.
const unread = "\x01"

// lastRead is the last column that the plan looks at.
func (t *run) lastRead() int {
	last := none
	for _, role := range nameRoles {
		for _, column := range t.columns.names[role.column] {
			if t.needs.names[role.column] {
				last = max(last, column.at)
			}
		}
	}
	for _, w := range t.wheres {
		last = max(last, w.at)
	}
	if t.needs.price {
		last = max(last, t.columns.price)
	}
	if t.needs.cost {
		last = max(last, t.columns.cost)
	}
	if t.needs.sales {
		s := t.columns.sales[0]
		last = max(last, s.at, s.flag, s.from, s.until)
	}
	if t.needs.stock {
		last = slices.Max(append(t.columns.places, last))
	}
	return last
}

func (t *run) count(r record) (fault string) {
	n, p := len(r.cells), t.columns.profile
	switch {
	case n == t.titles, p.Writes(profile.ShortRows) && n < t.titles:
		return ""
	case (p.Writes(profile.TrailingDelimiter) || t.trailing) && n == t.titles+1 &&
		r.cells[n-1].from == r.cells[n-1].to && !t.quotedAt(r.cells[n-1]):
		return ""
	default:
		return "field count"
	}
}

// cutOff reports whether a row is the last, lacks cells and has no line end.
func (t *run) cutOff(i int, r record) bool {
	last := t.text.runes[len(t.text.runes)-1]
	isLast := i == len(t.rows)-1 && t.fault == "" // or else there is more, which is no record
	return isLast && len(r.cells) < t.titles && last != '\n' && last != '\r'
}

func (t *run) quotedAt(c cell) bool { return !t.literal && c.from > 0 && t.text.runes[c.from-1] == '"' }

func (t *run) keepsBlank() bool {
	blank := t.settings.BlankPrice
	if blank == "" {
		blank = t.columns.profile.BlankPrice
	}
	return blank == profile.BlankPriceKeep || blank == profile.BlankPriceTell
}

func (t *run) name(r record, column int, as profile.NameColumn, needed bool) (fault string) {
	if column >= len(r.cells) {
		return ""
	}
	c := r.cells[column]
	for _, name := range namesIn(c.text, as) {
		whole := name == c.text && (as.List != "" || as.Path != "")
		if t.size(name) > table.MaxNameBytes && !whole {
			return "long name"
		}
	}
	if !needed {
		return ""
	}
	switch single := bytewise[t.dialect.Encoding] != nil; {
	case c.stray:
		return strayQuote
	case t.unclear(c):
		return "unclear encoding"
	case c.bad && !single, single && strings.Contains(c.text, "\ufffd"):
		return badEncoding
	case t.literal && !t.columns.profile.Writes(profile.LiteralQuotes) && strings.HasPrefix(c.text, `"`):
		return "quote before a name"
	}
	return ""
}

// unclear reports whether a cell is in no encoding that is found.
func (t *run) unclear(c cell) bool {
	if t.dialect.EncodingSaid {
		return false
	}
	raw := t.text.raw(c.from, c.to)
	if t.dialect.Encoding == dialect.UTF16LE || t.dialect.Encoding == dialect.UTF16BE {
		raw = c.text // half of a character may look like an escape
	}
	high := 0
	for _, b := range []byte(raw) {
		if high++; b < 0x80 {
			high = 0
		}
		if t.dialect.Encoding == dialect.Windows1252 &&
			(high == 3 || strings.IndexByte("\x81\x83\x86\x87\x88\x89\x8d\x8f\x90\x98\x9d", b) >= 0) ||
			b == 0x1b && t.dialect.Escapes {
			return true
		}
	}
	return false
}

// size is how many bytes a name has as it is worked on.
func (t *run) size(name string) int {
	if bytewise[t.dialect.Encoding] != nil {
		return len([]rune(name))
	}
	return len(name)
}

// see notes which of the plan's names a row has.
func (t *run) see(has names) {
	for column, names := range has {
		for _, name := range names {
			t.seen[string(column)+" "+name] = true
		}
	}
}

// unknown returns the plan's names that no row has and that nobody lets go, behind what
// they are.
func (t *run) unknown(unmatched string) (names []string) {
	let, _ := csv.NewReader(strings.NewReader(unmatched)).Read()
	for _, op := range t.plan.Operations {
		for _, column := range t.nameColumns() {
			only, except := asks(op.Filter, column)
			if ofParts(column) {
				only = nil // that none has them is told by the rows that match
			}
			for i, name := range slices.Concat(only, except) {
				if name == "" {
					continue // nobody writes a blank otherwise
				}
				if column == plan.ColumnName {
					name = t.spelled(name)
				}
				if i < len(only) && slices.Contains(let, "allow") ||
					i >= len(only) && slices.Contains(let, setting.Reprice(name)) {
					continue
				}
				if said := titleOf(column) + " " + name; !t.seen[string(column)+" "+name] &&
					!slices.Contains(names, said) && !t.disguised(op, column, name) {
					names = append(names, said)
				}
			}
		}
	}
	return names
}

// stock reads a row's state, or its product's where its own is blank; a
// product's, where its variants tell it.
func (t *run) stock(r record, belongs *product, f *family) (in, ok bool) {
	if t.free.has(r) {
		return true, true
	}
	if f != nil && belongs == nil {
		if in, known := f.variants(r); known {
			return in, true
		}
	}
	if text := r.text(t.columns.stock); text == "" && belongs != nil && belongs.stock != "" {
		return t.says(belongs.stock)
	}
	if slices.ContainsFunc(t.columns.places, func(at int) bool { return t.isStray(r, at) }) {
		return false, false
	}
	return t.anywhere(r)
}

// says reads a cell of stock.
func (t *run) says(text string) (in, ok bool) {
	if !t.words.usual && !t.columns.stockAs.Quantity {
		return t.words.of(text)
	}
	return inStock(text, t.columns.stockAs)
}

// anywhere reads whether a row is in stock at one of the places.
func (t *run) anywhere(r record) (in, ok bool) {
	said := slices.DeleteFunc(slices.Clone(t.columns.places), func(column int) bool {
		return r.text(column) == ""
	})
	if len(said) == 0 {
		return t.says("")
	}
	for _, column := range said {
		here, ok := t.says(r.text(column))
		if !ok {
			return false, false
		}
		in = in || here
	}
	return in, true
}

// values reads the row's price and state, carries the operations out, and
// writes what they changed. Operations that need a price leave a row without one alone.
func (t *run) values(i int, r record, has names, belongs *product, f *family, hasPrice bool) (fault string) {
	var was, now values
	var form reading
	var dressed parts
	oddPrice, oddStock, oddCost := false, false, false
	t.compared, t.beyond = false, t.otherPieces(r)
	if t.needs.price && hasPrice {
		was.price, form, dressed, fault = t.prices.amount(r.text(t.columns.price))
		if t.isStray(r, t.columns.price) {
			fault = strayQuote
		}
		if oddPrice = t.leaves(fault) && r.text(t.columns.price) != ""; oddPrice {
			hasPrice, was.price, dressed, fault = false, "", parts{}, ""
		}
		if fault != "" {
			return fault
		}
		if t.needs.money && dressed.currency != "" &&
			!strings.EqualFold(dressed.currency, t.prices.currency) {
			return "another currency"
		}
	}
	if t.needs.stock {
		var ok bool
		was.stock, ok = t.stock(r, belongs, f)
		blank := strings.Join(t.stocksOf(r), "") == "" && (belongs == nil || belongs.stock == "")
		if unread := !ok && blank && t.pieces != none && t.pieces == t.columns.stock &&
			!needsOf(t.plan).stock; unread {
			ok, was.stock = true, false
		}
		if !ok {
			if oddStock = t.leaves(badStock) && !blank; !oddStock {
				return badStock
			}
			was.stock = false
		} else if t.mayMatter(has, true, false) || t.mayMatter(has, false, false) {
			t.denied = t.denied || t.isDenied(r, was.stock)
		}
	}
	matters := t.mayMatter(has, was.stock, oddStock)
	if t.needs.money && t.needs.price && hasPrice && t.otherCode(r) && matters {
		return "another currency"
	}
	cost := ""
	if text := r.text(t.columns.cost); t.needs.cost && text != "" && matters {
		var worn parts
		cost, _, worn, fault = t.costs.amount(text)
		if t.isStray(r, t.columns.cost) {
			fault = strayQuote
		}
		if oddCost = t.leaves(fault); oddCost {
			cost, worn, fault = "", parts{}, ""
		}
		if fault != "" {
			return fault
		}
		if worn.currency != "" && !strings.EqualFold(worn.currency, t.costs.currency) {
			return "another currency"
		}
	}
	oddPieces := false
	if t.pieces != none && matters {
		was.pieces, fault = t.piecesOf(r)
		if oddPieces = t.leaves(fault); oddPieces {
			fault = ""
		}
		if fault != "" {
			return fault
		}
	}
	t.countNames(t.number(i), has, was.stock, oddStock)
	if len(t.beyond) > 0 && !t.mayMatter(has, was.stock, true) {
		return ""
	}
	now = was
	asked := false
	var ids []string
	left := map[string][]string{}
	t.leftUnread(left, has, was.stock, oddStock)
	unsold := ""
	for n, op := range t.plan.Operations {
		needsPrice := readsPrice(op)
		odd := t.oddFor(op, oddPrice, oddStock, oddCost)
		if oddPieces && counts(op) {
			odd = "stock"
		}
		if odd != "" {
			if stock := op.Filter.InStock; namesMatch(op.Filter, has) &&
				(stock == nil || oddStock || *stock == was.stock) {
				left["odd_rows "+odd] = append(left["odd_rows "+odd], op.OperationID)
			}
			continue
		}
		if stock := op.Filter.InStock; needsPrice && !hasPrice && namesMatch(op.Filter, has) &&
			(stock == nil || *stock == was.stock) {
			t.leftUnpriced(left, op, r)
		}
		if needsPrice && !hasPrice {
			continue
		}
		if needsPrice && t.prices.short && thousands(was.price) && namesMatch(op.Filter, has) &&
			(op.Filter.InStock == nil || *op.Filter.InStock == now.stock) {
			if t.settings.OddRows != table.OddRowsLeave {
				return threeDecimals
			}
			left["odd_rows price"] = append(left["odd_rows price"], op.OperationID)
			continue
		}
		if !matches(op.Filter, has, now) {
			continue
		}
		asSale := op.Options.AsSale && !recounts(op) && op.Action.Type != plan.SetStock &&
			op.Action.Type != plan.EndSale && op.Action.Type != plan.SetCompareAt
		compares := op.Action.Type == plan.SetCompareAt
		if f := op.Filter; f.QuantityGTE != nil || f.QuantityLTE != nil {
			if now.pieces == "" {
				left["untracked"] = append(left["untracked"], op.OperationID)
				continue
			}
			if !piecesPass(f, now.pieces) {
				continue
			}
		}
		if asSale || compares || op.Filter.OnSale != nil || op.Action.Type == plan.EndSale {
			if !asked {
				was.sale, unsold = t.columns.sales[0].read(t, r)
				now.sale, asked = was.sale, true
			}
			if t.leaves(unsold) {
				left["odd_rows price of a sale"] = append(left["odd_rows price of a sale"], op.OperationID)
				continue
			}
			if unsold != "" {
				return unsold
			}
			on := now.onSale()
			matter := now.sale.dated && t.settings.SaleDates == ""
			switch wrong := op.Filter.OnSale != nil && *op.Filter.OnSale != on; {
			case on && matter, (asSale || compares) && matter && !wrong:
				if !slices.Contains(t.dated, t.number(i)) {
					t.dated = append(t.dated, t.number(i))
				}
				continue
			case wrong:
				continue
			}
		}
		t.result.Operations[n].RowsMatched++
		next := now
		plain := op.Options.Rounded() == (plan.Options{}) && op.Action.NoValue
		if op.Options.RoundTo == nil && hasPrice && t.needs.price && !plain {
			seen := now.price
			if asSale {
				seen = now.regular()
			}
			op.Options.RoundTo = new(t.rounded(op.Options, seen))
		}
		if op.Action.Type == plan.SetStock {
			if !op.Action.Stock && slices.ContainsFunc(t.ordered, func(k kind) bool { return k.has(r) }) {
				left["still_sold"] = append(left["still_sold"], op.OperationID)
			}
			if slices.ContainsFunc(t.counts, func(column int) bool {
				says, read := inStock(r.text(column), profile.StockColumn{Quantity: true})
				return read && says != op.Action.Stock
			}) {
				left["quantity_stays"] = append(left["quantity_stays"], op.OperationID)
			}
			if t.settings.OddRows == table.OddRowsLeave && t.free.has(r) && now.stock != op.Action.Stock {
				left["odd_rows stock"] = append(left["odd_rows stock"], op.OperationID)
				continue
			}
			next.stock = op.Action.Stock
			if t.follow && now.pieces != "" && !t.keepsWord(r) && rat(now.pieces).Sign() > 0 != next.stock {
				next.pieces = "0"
				if restock := t.settings.InStockQuantity; next.stock && restock == nil {
					return "no quantity to write"
				} else if next.stock {
					next.pieces = fmt.Sprint(*restock)
				}
			}
		} else if recounts(op) {
			if now.pieces == "" {
				left["untracked"] = append(left["untracked"], op.OperationID)
				continue
			}
			made, below := recounted(op, now.pieces)
			if below {
				left["quantity_below_zero"] = append(left["quantity_below_zero"], op.OperationID)
			}
			if !sameNumber(made, now.pieces) {
				next.pieces = made
				if t.follow && !t.keepsWord(r) {
					next.stock = rat(made).Sign() > 0
				}
			}
		} else if compares {
			if next, fault = now.compared(op); fault == notAbove {
				left[fault] = append(left[fault], op.OperationID)
				continue
			} else if fault != "" {
				return fault
			}
			t.compared = true
		} else if op.Action.Type == plan.EndSale {
			next = now.ended()
		} else if asSale {
			if next, fault = now.reduced(op, cost); fault == withoutCost || fault == outside ||
				fault == notLower {
				left[fault] = append(left[fault], op.OperationID)
				continue
			} else if fault != "" {
				return fault
			}
		} else if next.price, fault = costed(op, now.price, cost); fault == withoutCost || fault == outside {
			left[fault] = append(left[fault], op.OperationID)
			continue
		} else if fault != "" {
			return fault
		}
		if next != now {
			if t.turns(op, r, now, next, asked, unsold) {
				if op.Options.KeepDirection {
					left["against_direction left alone"] = append(
						left["against_direction left alone"], op.OperationID,
					)
					continue
				}
				left["against_direction"] = append(left["against_direction"], op.OperationID)
			}
			t.result.Operations[n].RowsChanged++
			ids = append(ids, op.OperationID)
			now = next
		}
	}
	t.noteLeft(left, i)
	priced := t.needs.price && hasPrice && rat(now.price).Cmp(rat(was.price)) != 0
	if !priced && now.stock == was.stock && sameNumber(now.pieces, was.pieces) && now.sale.same(was.sale) {
		return ""
	}
	if !asked && t.needs.price && hasPrice && len(t.columns.sales) > 0 {
		was.sale, _ = t.columns.sales[0].read(t, r)
		if t.settings.SaleDates == "" && (was.sale.dated || t.columns.sales[0].UnknownDates) {
			was.sale.digits = ""
		}
		now.sale = was.sale
	}
	return t.change(i, r, change{OperationIDs: ids}, was, now, priced, form, dressed)
}

// turns reports whether customers pay more after an operation that is to lower prices, or less
// after one that is to raise them.
func (t *run) turns(op plan.Operation, r record, was, now values, asked bool, unsold string) bool {
	way := map[plan.ActionType]int{
		plan.PercentIncrease: 1,
		plan.FixedIncrease:   1,
		plan.PercentDecrease: -1,
		plan.FixedDecrease:   -1,
	}[op.Action.Type]
	if op.Action.Value.IsZero() {
		way = 0
	}
	if op.Options.AsSale && !recounts(op) && op.Action.Type != plan.SetStock &&
		op.Action.Type != plan.EndSale && op.Action.Type != plan.SetCompareAt {
		way = -1
	}
	if way == 0 {
		return false
	}
	if !asked && len(t.columns.sales) > 0 {
		was.sale, unsold = t.columns.sales[0].read(t, r)
		now.sale = was.sale
	}
	paid, pays := was.price, now.price
	if len(t.columns.sales) > 0 && unsold == "" &&
		(t.settings.SaleDates != "" || !was.sale.dated && !t.columns.sales[0].UnknownDates) {
		paid, pays = was.paid(), now.paid()
	}
	return rat(pays).Cmp(rat(paid)) == -way
}

// oddFor is which cell an operation needs that cannot be read.
func (t *run) oddFor(op plan.Operation, price, stock, cost bool) string {
	switch {
	case stock && (op.Filter.InStock != nil || op.Action.Type == plan.SetStock):
		return "stock"
	case price && readsPrice(op):
		return "price"
	case cost && !recounts(op) && op.Action.Type != plan.SetStock && op.Action.Type != plan.SetCompareAt &&
		(op.Action.Type == plan.CostPlusPercent || op.Options.NotBelowCost):
		return "cost"
	}
	return ""
}

func (t *run) isStray(r record, column int) bool {
	return column != none && column < len(r.cells) && r.cells[column].stray
}

// stocksOf are the texts of a row's stock, at each place.
func (t *run) stocksOf(r record) (texts []string) {
	for _, column := range t.columns.places {
		texts = append(texts, r.text(column))
	}
	return texts
}

func readsPrice(op plan.Operation) bool {
	return op.Action.Type != plan.SetStock && !recounts(op) || op.Filter.PriceGTE != nil ||
		op.Filter.PriceLTE != nil || op.Filter.OnSale != nil
}

// otherCode reports whether the row's column of currencies says another than the first.
func (t *run) otherCode(r record) bool {
	code := strings.TrimSpace(r.text(t.columns.currency))
	return code != "" && !strings.EqualFold(code, t.code)
}

func (t *run) otherMoney(r record, dressed parts) bool {
	return dressed.currency != "" && !strings.EqualFold(dressed.currency, t.prices.currency) || t.otherCode(r)
}

// isDenied reports whether another column of stock says otherwise of a row.
func (t *run) isDenied(r record, stock bool) bool {
	return r.text(t.columns.stock) != "" && slices.ContainsFunc(t.rivals, func(column int) bool {
		text := r.text(column)
		in, says := usual[strings.ToLower(text)]
		for _, pair := range profile.StockPairs {
			if !says && slices.Contains(pair[:], strings.ToLower(text)) {
				in, says = strings.ToLower(text) == pair[0], true
			}
		}
		if amount, is := inStock(text, profile.StockColumn{Quantity: true}); is {
			in, says = amount, true
		}
		return says && in != stock
	})
}

// mayMatter reports whether some operation is for the row's names, and some for its
// stock.
func (t *run) mayMatter(has names, stock, oddStock bool) bool {
	left := map[string][]string{}
	t.leftUnread(left, has, false, true)
	return (len(left) > 0 || slices.ContainsFunc(t.plan.Operations, func(op plan.Operation) bool {
		return namesMatch(op.Filter, has) && !t.beyond[op.OperationID]
	})) &&
		(oddStock || slices.ContainsFunc(t.plan.Operations, func(op plan.Operation) bool {
			return op.Filter.InStock == nil || *op.Filter.InStock == stock
		}))
}

// values are what the plan's actions can change in a row.
type values struct {
	price  string // with a decimal point
	stock  bool
	pieces string // "": not known
	sale   sale
}

// change writes the edits of a changed row and its line.
func (t *run) change(
	i int, r record, line change, was, now values, priced bool, form reading, dressed parts,
) (fault string) {
	line.Row, line.SKU = t.number(i), t.identity(r)
	line.Before, line.After = t.state(r, was), t.state(r, now)
	if t.nameless(r) {
		t.sales = append(t.sales, saleNote{"odd_rows no name", line.Row, line.OperationIDs})
	}
	if priced && rat(now.price).Sign() == 0 {
		t.sales = append(t.sales, saleNote{"price_becomes_zero", line.Row, line.OperationIDs})
	}
	resold := now.sale.digits != "" &&
		(was.sale.digits == "" || rat(was.sale.digits).Cmp(rat(now.sale.digits)) != 0)
	if t.isWhole(r) && (priced && decimals(now.price) > 0 || resold && decimals(now.sale.digits) > 0) {
		t.sales = append(t.sales, saleNote{"price_gets_fraction", line.Row, line.OperationIDs})
	}
	if priced {
		amount := t.paid(r, now.price)
		text, copied := t.prices.write(amount, form, dressed), false
		if s := was.sale; !now.sale.same(s) && now.sale.digits == "" && s.digits != "" &&
			rat(s.digits).Cmp(rat(now.price)) == 0 {
			if alike := r.text(t.columns.sales[0].at); t.prices.takes(alike, now.price) {
				text, copied = alike, true // it is given back
			}
		}
		if !copied && t.prices.unmarked && strings.Contains(amount, ".") {
			return "unknown mark"
		}
		line.After.Price = &text
		written, at := text, r.cells[t.columns.price]
		if strings.ContainsRune(text, rune(t.dialect.Delimiter.Byte())) && !t.isQuoted(at) {
			if t.columns.profile.Writes(profile.LiteralQuotes) || t.literal {
				return "nowhere to put quotes"
			}
			written, line.After.Quoted = `"`+text+`"`, true
		}
		t.edits = append(t.edits, edit{at, written})
		other := t.otherMoney(r, dressed)
		if now.sale.same(was.sale) {
			t.noteSales(r, line, was.price, now.price)
		}
		if len(t.columns.sales) == 0 {
			t.moves = append(t.moves, priceMove{
				row:    line.Row,
				sku:    line.SKU,
				before: *line.Before.Price,
				after:  text,
				was:    rat(was.price),
				now:    rat(now.price),
				other:  other,
			})
		}
	}
	if soldOtherwise := !now.sale.same(was.sale); len(t.columns.sales) > 0 && (priced || soldOtherwise) {
		if fault := t.changeSale(r, &line, was, now, dressed); fault != "" {
			return fault
		}
	}
	if (priced || !now.sale.same(was.sale)) && t.pricedElsewhere(r) {
		t.sales = append(t.sales, saleNote{"other_prices_stay", line.Row, line.OperationIDs})
	}
	recounted := !sameNumber(now.pieces, was.pieces)
	if recounted {
		if fault := t.changePieces(r, &line, was, now); fault != "" {
			return fault
		}
	}
	if now.stock != was.stock && !(recounted && t.pieces == t.columns.stock) {
		if t.columns.stock >= len(r.cells) || t.free.has(r) {
			return "nowhere to write the stock"
		}
		text, ok := t.writeStock(r.text(t.columns.stock), now.stock)
		if !ok {
			return "no quantity to write"
		}
		t.edits = append(t.edits, edit{r.cells[t.columns.stock], text})
		old := r.text(t.columns.stock)
		line.Before.Stock, line.After.Stock = &old, &text
		if !recounted && !t.changeQuantity(r, &line, now.stock) {
			return "no quantity to write"
		}
	}
	t.changes = append(t.changes, line)
	t.result.RowsChanged++
	encoder := json.NewEncoder(&t.lines)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(line)
	return ""
}

// isWhole reports whether nobody pays fractions of the row's prices.
func (t *run) isWhole(r record) bool {
	if t.otherCode(r) {
		return strings.Contains(wholeCurrencies,
			" "+strings.ToUpper(strings.TrimSpace(r.text(t.columns.currency)))+" ")
	}
	return t.prices.whole
}

// rounded is how many decimals an operation writes that does not say so.
func (t *run) rounded(o plan.Options, price string) int {
	digits := max(o.Digits(), t.prices.decimals)
	if own := decimals(price); own <= 6 {
		digits = max(digits, own)
	}
	return digits
}

// paid is an amount as it is written: without decimals that are zeros where nobody pays
// any.
func (t *run) paid(r record, digits string) string {
	if t.isWhole(r) && decimals(digits) == 0 {
		digits, _, _ = strings.Cut(digits, ".")
	}
	return digits
}

// nameless reports whether a row has nothing that names it, or a sum's word.
func (t *run) nameless(r record) bool {
	return len(t.columns.naming) > 0 && !slices.ContainsFunc(t.columns.naming, func(column int) bool {
		text := strings.ToLower(strings.TrimRight(r.text(column), ": "))
		return text != "" && !slices.Contains([]string{
			"total", "totals", "subtotal", "sum", "sums", "summe", "gesamt", "gesamtsumme", "somme", "suma",
			"totale", "totaal",
		}, text)
	})
}

// changeQuantity has the quantity beside a word for in stock, or out of it, say so too.
func (t *run) changeQuantity(r record, line *change, in bool) (ok bool) {
	old := r.text(t.columns.quantity)
	as := profile.StockColumn{Quantity: true}
	if said, filled := inStock(old, as); !filled || said == in {
		return true
	}
	text, ok := stockLike(old, in, as, t.settings.InStockQuantity)
	line.Before.Quantity, line.After.Quantity = &old, &text
	t.edits = append(t.edits, edit{r.cells[t.columns.quantity], text})
	return ok
}

// leftUnpriced notes why an operation leaves a row without a price alone.
func (t *run) leftUnpriced(left map[string][]string, op plan.Operation, r record) {
	if t.columns.profile.BlankPrice == profile.BlankPriceTell {
		left["no_price"] = append(left["no_price"], op.OperationID)
	}
	if op.Action.Type != plan.SetStock && !recounts(op) && t.pricedElsewhere(r) {
		left["other_prices_stay"] = append(left["other_prices_stay"], op.OperationID)
	}
}

func (t *run) noteLeft(left map[string][]string, i int) {
	for why, ids := range left {
		t.sales = append(t.sales, saleNote{why, t.number(i), ids})
	}
}

// pricedElsewhere reports whether a row has prices in columns that no plan changes.
func (t *run) pricedElsewhere(r record) bool {
	return slices.ContainsFunc(t.columns.others, func(column int) bool {
		return strings.Trim(r.text(column), "0.,") != ""
	})
}

func (t *run) isQuoted(at cell) bool {
	return !t.columns.profile.Writes(profile.LiteralQuotes) && !t.literal && at.from > 0 &&
		t.text.runes[at.from-1] == '"'
}

// state says a row's values; what the plan does not look at is null.
func (t *run) state(r record, v values) (s state) {
	if t.needs.price {
		text := r.text(t.columns.price)
		s.Price = &text
	}
	if t.needs.stock {
		s.InStock = &v.stock
	}
	return s
}

// identity is a row's SKU, or what stands for a blank one.
func (t *run) identity(r record) string {
	if sku := r.code(t.columns.sku()); sku != "" {
		return sku
	}
	var parts []string
	for _, column := range t.columns.identity {
		if text := r.code(column); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " / ")
}

func (t *run) edited() string {
	slices.SortFunc(t.edits, func(a, b edit) int { return a.from - b.from })
	var out strings.Builder
	done := 0
	for _, e := range t.edits {
		out.WriteString(t.text.raw(done, e.from) + encode(e.text, t.dialect.Encoding))
		done = e.to
	}
	out.WriteString(t.text.raw(done, len(t.text.runes)))
	return out.String()
}
