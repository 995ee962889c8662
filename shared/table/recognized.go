package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// Recognized is what a table was found to be. It is stated in every summary of
// a run, in every preview and with every refusal of a header.
type Recognized struct {
	Dialect dialect.Dialect `json:"dialect"`
	Profile string          `json:"profile"`
	// Columns are those that are read, in the header's order, each with what
	// it was taken for.
	Columns []Column `json:"columns"`
	Header  []string `json:"-"` // all the titles
	// Findings say of each column what it was thought to be, where the header is at
	// fault or a query asks for them.
	Findings []recognize.Finding `json:"-"`
}

// Column is one column of a header and what it was taken for.
type Column struct {
	Title string `json:"title"`
	Role  Role   `json:"role"`
	Form  string `json:"form,omitempty"` // of its cells, for people: "list (|) of paths (>)", "1.234,56 €", "quantity"
	// Found is recognize.ByTitle where no profile and no setting says what the column is.
	Found recognize.Found `json:"found,omitempty"`
	// PassedOver are the titles of columns that might have been it, less plainly.
	PassedOver []string `json:"passed_over,omitempty"`
	Index      int      `json:"-"`
}

// String says the column to people: price from "Rate" (1234.56), found by its title.
func (c Column) String() string {
	text := fmt.Sprintf("%s from %q", c.Role, c.Title)
	if c.Form != "" {
		text += " (" + c.Form + ")"
	}
	if c.Found == recognize.ByTitle {
		text += ", found by its title"
	}
	if len(c.PassedOver) > 0 {
		text += "; passed over: " + quotedList(c.PassedOver)
	}
	return text
}

// ByTitles says which columns were found by their titles, a line each; "": none were.
func (r *Recognized) ByTitles() string {
	var lines []string
	for _, c := range r.Columns {
		if c.Found == recognize.ByTitle || len(c.PassedOver) > 0 {
			lines = append(lines, c.String())
		}
	}
	return strings.Join(lines, "\n")
}

// Pin returns the settings by which another table is read as this one was, of
// which s were the settings.
func (r *Recognized) Pin(s Settings) Settings {
	s.Profile, s.Dialect = r.Profile, r.Dialect
	return s
}

// ReadAgain returns the settings by which a later version of a table is read as
// this one was, of which s were the settings: by its profile, its columns of SKU,
// price and stock, its delimiter, its encoding, its carriage returns where they
// end its lines, and its form of prices. All else is as own says, the
// settings of the later version. One of own that would have it read in another
// way is refused, as a *SettingError.
func (r *Recognized) ReadAgain(s, own Settings) (Settings, error) {
	as := own
	as.Profile, as.Columns, as.PriceForm = r.Profile, s.Columns, cmp.Or(s.PriceForm, r.priceForm())
	for _, c := range r.Columns {
		if c.Role == RoleSKU && c.Found == recognize.ByTitle {
			as.Columns.SKU = r.only(RoleSKU)
		}
	}
	as.StockWords, as.Header = s.StockWords, s.Header
	as.Dialect.Delimiter, as.Dialect.Encoding = r.Dialect.Delimiter, r.Dialect.Encoding
	as.Dialect.LiteralQuotes, as.Dialect.TrailingDelimiter = r.Dialect.LiteralQuotes, r.Dialect.TrailingDelimiter
	if end := r.Dialect.LineEnd; end == dialect.CR || end == dialect.CRCRLF { // LF and CRLF may both stand in one table
		as.Dialect.LineEnd = end
	}
	for _, of := range roles {
		if of.kind != ofNames {
			*of.setting(&as.Columns) = cmp.Or(*of.setting(&s.Columns), r.only(of.Role))
		}
		if of.optional && !slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == of.Role }) {
			*of.setting(&as.Columns) = "" // it was not read, and may be something else
		}
		said, was := *of.setting(&own.Columns), cmp.Or(*of.setting(&as.Columns), r.only(of.Role))
		if said != "" && was != "" && !profile.SameTitle(said, was) {
			return as, otherSetting("columns", string(of.Role)+"="+was, string(of.Role)+"="+said)
		}
	}
	if profile.SameTitle(as.Columns.Quantity, as.Columns.InStock) {
		as.Columns.Quantity = "" // it is the stock's own
	}
	hasSKU := slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Role == RoleSKU })
	for _, of := range roles {
		// It may be read as something else too, where nobody looks for names in it, but
		// for what names the rows where they have no SKU.
		if of.kind == ofNames && of.Role != RoleSKU && hasSKU {
			*of.setting(&as.Columns) = ""
		}
	}
	for _, part := range []struct {
		name      SettingName
		was, said string
	}{
		{"profile", as.Profile, own.Profile},
		{"delimiter", string(as.Dialect.Delimiter), string(own.Dialect.Delimiter)},
		{"encoding", string(as.Dialect.Encoding), string(own.Dialect.Encoding)},
		{"price_form", string(as.PriceForm), string(own.PriceForm)},
		{"stock_words", as.StockWords.String(), own.StockWords.String()},
		{"header", cmp.Or(string(as.Header), string(HeaderFirst)), string(own.Header)},
	} {
		if part.said != "" && part.was != "" && part.said != part.was {
			return as, otherSetting(part.name, part.was, part.said)
		}
	}
	return as, nil
}

func otherSetting(name SettingName, was, said string) error {
	return invalidSetting(name, "the table was read with %s, and is to be read as it was: leave %s out", was, said)
}

// only returns the title of the one column of a role; "": there is none, or
// several.
func (r *Recognized) only(role Role) (title string) {
	for _, c := range r.Columns {
		if c.Role != role {
			continue
		}
		if title != "" || len(c.Title) > faults.MaxExcerptBytes {
			return ""
		}
		title = strings.TrimSpace(c.Title)
	}
	return title
}

// priceForm is the form of the prices as a setting names it; "": none does.
func (r *Recognized) priceForm() profile.PriceForm {
	for _, c := range r.Columns {
		if at := strings.Index(c.Form, "56"); c.Role == RolePrice && at >= 0 {
			number := strings.Map(func(mark rune) rune {
				switch {
				case profile.IsBlank(mark):
					return ' '
				case mark == '’':
					return '\''
				}
				return mark
			}, c.Form[:at+2])
			if form := profile.PriceForm(number); slices.Contains(profile.PriceForms, form) {
				return form
			}
		}
	}
	return ""
}

// findings are those of all columns, of which some have roles.
func (l *layout) findings(s Settings) (all []recognize.Finding) {
	roleOf := map[int]Role{}
	for _, r := range roles {
		if r.kind == ofCounts {
			continue
		}
		for _, c := range l.columns[r.Role] {
			roleOf[c.Index] = r.Role
		}
	}
	for i := range l.titles.Titles {
		role, found := roleOf[i], recognize.ByProfile
		switch {
		case slices.Contains(l.byTitle, i):
			found = recognize.ByTitle
		case role != "" && *ruleOf(role).setting(&s.Columns) != "":
			found = recognize.BySetting
		}
		all = append(all, l.unknown.Finding(i, string(role), found))
	}
	return all
}

// layout says where in a record stands what a plan may look at.
type layout struct {
	titles     *profile.Titled
	profile    *profile.Profile
	unknown    *recognize.Columns // but for those that the profile reads
	columns    map[Role][]located
	identity   []int
	sales      []saleColumn
	stockForm  profile.StockColumn
	stockPairs [][2]string
	faults     []Fault
	names      map[Role][]string // of the plan
	holding    Columns           // the columns without a known title in which the plan's names stand
	byTitle    []int             // the columns that were found by the words of their titles
	passedOver []string          // columns that might have the prices, beside the one that is taken
}

func (l *layout) title(column int) string { return strings.TrimSpace(l.titles.Titles[column]) }

// located is a column of a role by its position, and how its names are written if it
// has names.
type located struct {
	Index int
	*profile.NameColumn
}

// newLayout finds the columns that a plan needs, by the settings and else by
// the profile. What is needed and not there once is a fault. Of what it does not
// need, columns of names do not matter, but for the SKU, which names rows.
func newLayout(titles *profile.Titled, p *profile.Profile, s Settings, needs Needs, unknown *recognize.Columns) layout {
	l := layout{columns: map[Role][]located{}, profile: p, titles: titles, unknown: unknown, names: needs.Names}
	for _, r := range roles { // a column is what a setting says, whatever its title does
		if said := *r.setting(&s.Columns); said != "" {
			for _, index := range l.titles.Named(said) {
				l.unknown.Take(index)
			}
		}
	}
	for _, titles := range l.profile.Identity {
		if index, _ := l.titles.Find(titles); index != missing {
			l.identity = append(l.identity, index)
		}
	}
	for _, r := range roles {
		asked, said := needs.Has(r.Role), *r.setting(&s.Columns)
		needed := asked && !needs.IfThere
		switch {
		case r.kind == ofCounts: // beside the stock
		case r.kind == ofStock:
			l.findStock(said, needed, needs.SetsStock)
		case r.Role == RoleSKU: // where it is there, it names the rows
			header := strings.Join(titles.Titles, "")
			there := l.titles.Has(l.profile.SKU) || header == "" || strings.Contains(header, dialect.ByteOrderMark)
			l.findColumns(r, said, needed || there && len(l.identity) == 0 && !needs.IfThere)
		case r.sale != "": // beside the price
		case r.kind == ofMoney && !r.optional || asked || needs.Findings:
			l.findColumns(r, said, needed)
		}
	}
	if needs.Sales || needs.Findings || needs.Has(RolePrice) || needs.Has(RoleSalePrice) || needs.Has(RoleCompareAt) {
		l.findSales(s, needs)
	}
	if len(l.columns[RoleSKU]) == 0 && len(l.identity) == 0 {
		l.identify(s)
	}
	if !needs.IfThere {
		l.faults = append(l.faults, l.shared()...)
	}
	l.explain(s)
	return l
}

// identify has rows named by their product where the table has no SKUs.
func (l *layout) identify(s Settings) {
	if len(l.columns[RoleName]) == 0 { // and whatever is wrong with names is no fault
		faults := l.faults
		l.findColumns(ruleOf(RoleName), s.Columns.Name, false)
		l.faults = faults
		defer delete(l.columns, RoleName)
	}
	for _, c := range l.columns[RoleName] {
		if c.Index != missing {
			l.identity = append(l.identity, c.Index)
		}
	}
}

// findColumns finds the columns of a role. One that a setting names is written as
// the profile says of its title; or of the role, where that has one column alone.
func (l *layout) findColumns(r roleRule, said string, needed bool) {
	known := r.columns(l.profile)
	if said != "" {
		found := located{l.column(r.Role, said, nil, true), &profile.NameColumn{List: r.list}}
		if found.Index != missing && r.kind == ofNames {
			found.List = cmp.Or(r.list, l.unknown.Lists(found.Index))
		}
		for i := range known {
			if !r.several && i == 0 || found.Index != missing && l.titles.Is(found.Index, known[i].Titles) {
				found.NameColumn = &known[i]
			}
		}
		l.columns[r.Role] = []located{found}
		return
	}
	for i := range known {
		if l.titles.Has(known[i].Titles) {
			l.columns[r.Role] = append(l.columns[r.Role], located{l.column(r.Role, "", known[i].Titles, needed), &known[i]})
		}
	}
	switch {
	case len(l.columns[r.Role]) == 0:
		l.seek(r, needed)
	case r.Role == RolePrice && l.profile.Name == profile.Plain:
		l.compare(l.columns[r.Role][0].Index, needed)
	}
}

// seek finds the column of a role by the words of its title, where exactly one says
// it most plainly.
func (l *layout) seek(r roleRule, needed bool) {
	var places profile.Titles
	for _, column := range r.columns(l.profile) {
		places = append(places, column.Titles...)
	}
	if r.optional || len(l.titles.Several(places)) > 0 { // what a shop pays is never guessed
		l.lack(r, needed)
		return
	}
	best := l.unknown.Plainest(string(r.Role))
	switch {
	case len(best) == 1 && len(l.titles.Named(l.titles.Titles[best[0]])) > 1: // no setting could name it
		l.repeated(best[0], needed)
	case len(best) == 1:
		l.columns[r.Role] = []located{{best[0], &profile.NameColumn{List: cmp.Or(r.list, l.unknown.Lists(best[0]))}}}
		l.byTitle = append(l.byTitle, best[0])
		l.passOver(r.Role, best[0])
	case len(best) > 1 && needed:
		l.faults = append(l.faults, l.unknown.Question(string(r.Role), best))
	default:
		l.lack(r, needed)
	}
}

func (l *layout) lack(r roleRule, needed bool) {
	if needed {
		l.faults = append(l.faults, l.missing(r, ""))
	}
}

// passOver notes the columns that might have the prices, beside the one that has.
func (l *layout) passOver(role Role, taken int) {
	if role != RolePrice {
		return
	}
	for _, i := range l.unknown.Others(taken) {
		l.passedOver = append(l.passedOver, faults.Excerpt(l.title(i)))
	}
}

// compare asks about a column of prices that is known by its title alone, where the
// title of another says the same as plainly. One that is called price is it.
func (l *layout) compare(known int, needed bool) {
	if known == missing {
		return
	}
	if needed && !profile.SameTitle(l.title(known), string(RolePrice)) {
		if rivals := l.unknown.Rivals(known); len(rivals) > 0 {
			l.faults = append(l.faults, l.unknown.Question(string(RolePrice), append([]int{known}, rivals...)))
		}
	}
	l.passOver(RolePrice, known)
}

// column finds the one column of a role.
func (l *layout) column(role Role, said string, titles profile.Titles, needed bool) int {
	index, alone := l.titles.Find(titles)
	if said != "" {
		index, alone, needed = missing, true, true
		if named := l.titles.Named(said); len(named) > 0 {
			index, alone = named[0], len(named) == 1
		}
	}
	switch {
	case index == missing && needed:
		l.faults = append(l.faults, l.missing(ruleOf(role), said))
	case index != missing && !alone:
		l.repeated(index, needed)
	}
	return index
}

// repeated is the fault of a column that is needed, where its title stands more than once.
func (l *layout) repeated(column int, needed bool) {
	if needed {
		l.faults = append(l.faults, Fault{Row: 1, Column: l.title(column), Message: "the header has this column more than once: rename all but one, or name another with {columns}"})
	}
}

func (l *layout) findStock(said string, needed, sets bool) {
	var found []int
	if said != "" {
		if index := l.column(RoleInStock, said, nil, true); index != missing {
			found = []int{index}
		}
	}
	plain := l.profile.Name == profile.Plain
	if plain {
		l.stockPairs = profile.StockPairs
	}
	for _, column := range l.profile.Stock {
		places := l.titles.Several(column.Titles)
		quantity, _ := l.titles.Find(column.Titles)
		switch {
		case len(l.stockForm.Titles) > 0 && !l.stockForm.Quantity && column.Quantity && quantity != missing:
			l.columns[RoleQuantity] = []located{{Index: quantity}}
		case said != "" && len(found) > 0 && l.titles.Is(found[0], column.Titles):
			l.stockForm = column
		case said != "" || len(found) > 0:
		case l.belied(column.Titles):
		case l.titles.Has(column.Titles):
			found, l.stockForm = []int{l.column(RoleInStock, "", column.Titles, needed)}, column
		case len(places) > 1 && !sets:
			found, l.stockForm = places, column
		}
	}
	for _, index := range found {
		l.columns[RoleInStock] = append(l.columns[RoleInStock], located{Index: index})
	}
	if len(found) > 0 || said != "" {
		l.stockForm.Counts = plain && len(l.stockForm.Titles) > 0 && recognize.MeaningOf(l.titles.Titles[found[0]]).Counts
		return
	}
	if l.seek(ruleOf(RoleInStock), needed); len(l.columns[RoleInStock]) == 1 {
		l.stockForm = profile.StockColumn{Counts: l.unknown.Counts(l.columns[RoleInStock][0].Index)}
		l.stockPairs = profile.StockPairs
	}
}

// belied reports whether the cells of a column of stock say that it has none, though a
// title of no platform's does, and another column has some.
func (l *layout) belied(titles profile.Titles) bool {
	index, _ := l.titles.Find(titles)
	return index != missing && l.profile.Name == profile.Plain && !profile.SameTitle(l.title(index), string(RoleInStock)) &&
		!l.unknown.Fits(string(RoleInStock), index) && len(l.unknown.Plainest(string(RoleInStock))) > 0
}

// shared refuses a column that stands for two things: its cells would be read
// as a price and as a category at once, or a changed price would name another
// row.
func (l *layout) shared() (faults []Fault) {
	type column struct {
		role  Role
		index int
	}
	var all []column
	for _, r := range roles {
		for _, c := range l.columns[r.Role] {
			all = append(all, column{r.Role, c.Index})
		}
	}
	names := len(all)
	for _, index := range l.identity {
		for _, c := range all[:names] {
			if c.index == index && ruleOf(c.role).kind != ofNames {
				all = append(all, column{RoleIdentity, index})
				break
			}
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.index == b.index && a.index != missing {
				faults = append(faults, Fault{Row: 1, Column: l.titles.Titles[a.index], Message: "the column is read as " + string(b.role) + " and as " + string(a.role) + ": name another for one of them with {columns}"})
			}
		}
	}
	return faults
}

// missing is the fault of a header that lacks a column that a plan needs.
func (l *layout) missing(r roleRule, said string) Fault {
	role := r.Role
	header := strings.Join(l.titles.Titles, ",")
	switch {
	case strings.Trim(header, ",") == "":
		return Fault{Row: 1, Column: string(role), Message: "the header has no titles: is the first line empty?"}
	case strings.Contains(header, dialect.ByteOrderMark):
		return Fault{Row: 1, Column: string(role), Message: "the header has no such column: remove the second byte-order mark that stands before a title"}
	case said != "":
		return Fault{Row: 1, Column: said, Message: "the header has no such column: name another for " + string(role) + " with {columns}"}
	}
	var titles profile.Titles
	for _, column := range r.columns(l.profile) {
		titles = append(titles, column.Titles...)
	}
	if several := l.titles.Several(titles); len(several) > 0 {
		var names []string
		for _, index := range several {
			names = append(names, faults.Excerpt(l.title(index)))
		}
		message := "could be " + strings.Join(names, " or ") + ": say which, with {columns=" + string(role) + "=" + names[0] + "}"
		if role == RoleInStock {
			message = "the plan changes it, and it " + message
		}
		return Fault{Row: 1, Column: string(role), Message: message}
	}
	if len(titles) == 0 {
		hint, setting := l.unknown.Hint(string(role))
		return Fault{Row: 1, Column: string(role), Message: "exports of " + l.profile.Title + " have no such column" + hint + ": if this one has, say which, with {columns=" + setting + "}"}
	}
	return Fault{Row: 1, Column: string(role), Message: noKnownTitle}
}

// naming is the setting by which a column has a role.
func (l *layout) naming(role Role, column int) string {
	return "{columns=" + recognize.Mapping(string(role), faults.Excerpt(l.title(column))) + "}"
}

const noKnownTitle = "the header has no title that is known for it"

// pointBelow says that a row seems to have the titles; 0: none has.
func (l *layout) pointBelow(row int) {
	for i := range l.faults {
		if row > 0 && strings.HasPrefix(l.faults[i].Message, noKnownTitle) {
			l.faults[i].Message = fmt.Sprintf("%s: the titles seem to stand in row %d: remove the rows above it", noKnownTitle, row)
		}
	}
}

// explain says how all of the columns are named that have no known title.
func (l *layout) explain(s Settings) {
	hints, settings, held, found := map[int]string{}, []string{}, s.Columns, 0
	for i, fault := range l.faults {
		if fault.Message != noKnownTitle {
			continue
		}
		hint, setting := l.unknown.Hint(fault.Column)
		hint += ": say which column it is"
		if question, as, title := l.unknown.Holding(fault.Column, l.names[Role(fault.Column)]); question != "" {
			hint, setting, found = question+", say so", as, found+1
			*ruleOf(Role(fault.Column)).setting(&held) = title
		}
		hints[i], settings = hint, append(settings, setting)
	}
	if found == len(l.faults) {
		l.holding = held
	}
	for i, hint := range hints {
		l.faults[i].Message += hint + ", with {columns=" + strings.Join(settings, ",") + "}"
	}
}
