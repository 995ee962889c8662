package table

import (
	"cmp"
	"slices"
	"strings"
)

// Recognized is what a table was found to be. It is stated in every summary of
// a run, in every preview and with every refusal of a header.
type Recognized struct {
	Dialect Dialect `json:"dialect"`
	Profile string  `json:"profile"`
	// Columns are those that are read, in the header's order, each with what
	// it was taken for.
	Columns []Column `json:"columns"`
	Header  []string `json:"-"` // all the titles
}

// Column is one column of a header and what it was taken for.
type Column struct {
	Title string `json:"title"`
	Role  Role   `json:"role"`
	Form  string `json:"form,omitempty"` // of its cells, for people: "list (|) of paths (>)", "1.234,56 €", "quantity"
	Index int    `json:"-"`
}

// Role is what a column is to a plan.
type Role string

// The roles. A category may have several columns, and so may an identity.
const (
	RoleSKU      Role = "sku"
	RoleCategory Role = "category"
	RolePrice    Role = "price"
	RoleInStock  Role = "in_stock"
	RoleIdentity Role = "identity" // names a row whose SKU is blank
	RoleProduct  Role = "product"  // names the product that a variant's row belongs to
	// Prices by which a row is on sale: see SaleBeside and SaleWas.
	RoleSalePrice Role = "sale_price"
	RoleCompareAt Role = "compare_at"
)

// Needs are what a plan looks at or changes. A SKU is always read where there is one, for the
// records.
type Needs struct {
	Names        []Role // whose names it looks at
	Price, Stock bool
	SetsStock    bool // it changes the stock too
	// AsText: cells are compared as they are written. Where it is not clear how
	// prices are to be read, there are no Prices.
	AsText bool
}

func (n Needs) names(role Role) bool { return slices.Contains(n.Names, role) }

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
	as.Dialect.Delimiter, as.Dialect.Encoding = r.Dialect.Delimiter, r.Dialect.Encoding
	if r.Dialect.LineEnd == CR { // LF and CRLF may both stand in one table
		as.Dialect.LineEnd = CR
	}
	as.Columns.Price, as.Columns.InStock = cmp.Or(s.Columns.Price, r.only(RolePrice)), cmp.Or(s.Columns.InStock, r.only(RoleInStock))
	said, was := own.Columns.fields(), as.Columns.fields()
	for i, role := range columnRoles {
		if title := cmp.Or(*was[i], r.only(role)); *said[i] != "" && title != "" && !SameTitle(*said[i], title) {
			return as, otherSetting("columns", string(role)+"="+title, string(role)+"="+*said[i])
		}
	}
	as.Columns.Category = "" // may be read as something else too, where nobody looks for names in it
	for _, part := range []struct {
		name      SettingName
		was, said string
	}{
		{"profile", as.Profile, own.Profile},
		{"delimiter", string(as.Dialect.Delimiter), string(own.Dialect.Delimiter)},
		{"encoding", string(as.Dialect.Encoding), string(own.Dialect.Encoding)},
		{"price_form", string(as.PriceForm), string(own.PriceForm)},
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
		if title != "" || len(c.Title) > maxExcerptBytes {
			return ""
		}
		title = strings.TrimSpace(c.Title)
	}
	return title
}

// priceForm is the form of the prices as a setting names it; "": none does.
func (r *Recognized) priceForm() PriceForm {
	for _, c := range r.Columns {
		if at := strings.Index(c.Form, "56"); c.Role == RolePrice && at >= 0 {
			number := strings.Map(func(mark rune) rune {
				switch {
				case isBlank(mark):
					return ' '
				case mark == '’':
					return '\''
				}
				return mark
			}, c.Form[:at+2])
			if form := PriceForm(number); slices.Contains(PriceForms, form) {
				return form
			}
		}
	}
	return ""
}

// missing is the position of a column that a header does not have.
const missing = -1

// layout says where in a record stands what a plan may look at.
type layout struct {
	profile    *Profile
	sku        int
	identity   []int
	categories []Category
	named      []roleColumn // columns of names beside these, by their own titles
	price      int
	stock      []int // a column, or one for each place
	stockForm  StockColumn
	faults     []Fault
	unnamed    []string // columns without a known title, as a setting names them
}

// Category is a column of categories, or of other names, by its position.
type Category struct {
	Index int
	*CategoryColumn
}

type roleColumn struct {
	role  Role
	index int
}

// Named returns the columns that have the names of a role.
func (t *Table) Named(role Role) []Category {
	switch {
	case role == RoleCategory:
		return t.Categories
	case role == RoleSKU && t.SKU != missing:
		return []Category{{t.SKU, &t.SKUs}}
	}
	for _, c := range t.named {
		if c.role == role {
			return []Category{{c.index, &CategoryColumn{}}}
		}
	}
	return nil
}

// titled finds columns by their titles.
type titled []string

// find returns the first column that has one of the titles, and whether it has
// it alone.
func (t titled) find(titles Titles) (index int, alone bool) {
	for _, title := range titles {
		is := func(other string) bool { return SameTitle(other, title) }
		if stem, begins := strings.CutSuffix(title, "*"); begins {
			is = func(other string) bool { return beginsTitle(other, stem) }
			if one := slices.IndexFunc(t, is); one >= 0 && slices.ContainsFunc(t[one+1:], is) {
				continue // which of them, a setting says
			}
		}
		if found := slices.IndexFunc(t, is); found >= 0 {
			return found, !slices.ContainsFunc(t[found+1:], is)
		}
	}
	return missing, true
}

func (t titled) has(titles Titles) bool {
	index, _ := t.find(titles)
	return index != missing
}

// profileOf returns the profile that reads a header: the one that the settings
// name; plain, where all its titles are there or no other's signature is; else
// that of which the most is.
func (t titled) profileOf(said string) *Profile {
	all := Profiles()
	named := func(name string) *Profile {
		return &all[slices.IndexFunc(all, func(p Profile) bool { return p.Name == name })]
	}
	best := named(Plain)
	switch {
	case said != "":
		return named(said)
	case t.matches(best):
		return best
	}
	most := 0
	for i := range all {
		if p := &all[i]; len(p.Signature) > most && t.matches(p) {
			best, most = p, len(p.Signature)
		}
	}
	return best
}

func (t titled) matches(p *Profile) bool {
	return !slices.ContainsFunc(p.Signature, func(titles Titles) bool { return !t.has(titles) })
}

// newLayout finds the columns that a plan needs, by the settings and else by
// the profile. What is needed and not there once is a fault.
func (t titled) newLayout(s Settings, needs Needs) layout {
	l := layout{profile: t.profileOf(s.Profile), price: missing}
	p := l.profile
	for _, titles := range p.Identity {
		if index, _ := t.find(titles); index != missing {
			l.identity = append(l.identity, index)
		}
	}
	l.sku = l.column(t, RoleSKU, s.Columns.SKU, p.SKU, needs.names(RoleSKU) || len(l.identity) == 0)
	if needs.names(RoleCategory) {
		l.findCategories(t, s.Columns.Category)
	}
	for _, role := range needs.Names {
		if role != RoleSKU && role != RoleCategory {
			l.named = append(l.named, roleColumn{role, l.column(t, role, "", Titles{string(role)}, true)})
		}
	}
	l.price = l.column(t, RolePrice, s.Columns.Price, p.Price, needs.Price)
	l.findStock(t, s.Columns.InStock, needs)
	l.faults = append(l.faults, l.shared(t)...)
	l.explain()
	return l
}

// column finds the one column of a role.
func (l *layout) column(t titled, role Role, said string, titles Titles, needed bool) int {
	if said != "" {
		titles, needed = Titles{said}, true
	}
	index, alone := t.find(titles)
	switch {
	case index == missing && needed:
		l.faults = append(l.faults, l.missing(t, role, said))
	case index != missing && !alone && needed:
		l.faults = append(l.faults, Fault{Row: 1, Column: strings.TrimSpace(t[index]), Message: "the header has this column more than once: rename all but one, or name another with {columns}"})
	}
	return index
}

func (l *layout) findCategories(t titled, said string) {
	if said != "" {
		index := l.column(t, RoleCategory, said, nil, true)
		column := &CategoryColumn{}
		for i := range l.profile.Categories {
			if known := &l.profile.Categories[i]; index != missing && t[index:index+1].has(known.Titles) {
				column = known
			}
		}
		l.categories = append(l.categories, Category{index, column})
		return
	}
	for i := range l.profile.Categories {
		column := &l.profile.Categories[i]
		if t.has(column.Titles) {
			l.categories = append(l.categories, Category{l.column(t, RoleCategory, "", column.Titles, true), column})
		}
	}
	if len(l.categories) == 0 {
		l.faults = append(l.faults, l.missing(t, RoleCategory, ""))
	}
}

func (l *layout) findStock(t titled, said string, needs Needs) {
	if said != "" {
		if index := l.column(t, RoleInStock, said, nil, true); index != missing {
			l.stock = []int{index}
		}
	}
	for _, column := range l.profile.Stock {
		places := t.several(column.Titles)
		switch {
		case said != "" && len(l.stock) > 0 && t[l.stock[0]:l.stock[0]+1].has(column.Titles):
			l.stockForm = column
		case said != "" || len(l.stock) > 0:
		case t.has(column.Titles):
			l.stock, l.stockForm = []int{l.column(t, RoleInStock, "", column.Titles, needs.Stock)}, column
		case len(places) > 1 && !needs.SetsStock:
			l.stock, l.stockForm = places, column
		}
	}
	if len(l.stock) == 0 && said == "" && needs.Stock {
		l.faults = append(l.faults, l.missing(t, RoleInStock, ""))
	}
}

// shared refuses a column that stands for two things: its cells would be read
// as a price and as a category at once, or a changed price would name another
// row.
func (l *layout) shared(t titled) (faults []Fault) {
	all := append([]roleColumn{{RoleSKU, l.sku}, {RolePrice, l.price}}, l.named...)
	for _, index := range l.stock {
		all = append(all, roleColumn{RoleInStock, index})
	}
	for _, c := range l.categories {
		all = append(all, roleColumn{RoleCategory, c.Index})
	}
	for _, index := range l.identity {
		if index == l.price || slices.Contains(l.stock, index) {
			all = append(all, roleColumn{RoleIdentity, index})
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.index == b.index && a.index != missing {
				faults = append(faults, Fault{Row: 1, Column: t[a.index], Message: "the column is read as " + string(b.role) + " and as " + string(a.role) + ": name another for one of them with {columns}"})
			}
		}
	}
	return faults
}

// missing is the fault of a header that lacks a column that a plan needs.
func (l *layout) missing(t titled, role Role, said string) Fault {
	header := strings.Join(t, ",")
	switch {
	case strings.Trim(header, ",") == "":
		return Fault{Row: 1, Column: string(role), Message: "the header has no titles: is the first line empty?"}
	case strings.Contains(header, byteOrderMark):
		return Fault{Row: 1, Column: string(role), Message: "the header has no such column: remove the second byte-order mark that stands before a title"}
	case said != "":
		return Fault{Row: 1, Column: said, Message: "the header has no such column: name another for " + string(role) + " with {columns}"}
	}
	titles := l.titles(role)
	if several := t.several(titles); len(several) > 0 {
		var names []string
		for _, index := range several {
			names = append(names, excerpt(strings.TrimSpace(t[index])))
		}
		message := "could be " + strings.Join(names, " or ") + ": say which, with {columns=" + string(role) + "=" + names[0] + "}"
		if role == RoleInStock {
			message = "the plan changes it, and it " + message
		}
		return Fault{Row: 1, Column: string(role), Message: message}
	}
	if len(titles) == 0 {
		return Fault{Row: 1, Column: string(role), Message: "exports of " + l.profile.Title + " have no such column: if this one has, say which, with {columns=" + string(role) + "=TITLE}"}
	}
	l.unnamed = append(l.unnamed, string(role)+"=TITLE")
	return Fault{Row: 1, Column: string(role), Message: noKnownTitle}
}

// titles are those that the profile knows for a role's columns.
func (l *layout) titles(role Role) (titles Titles) {
	switch role {
	case RoleSKU:
		return l.profile.SKU
	case RolePrice:
		return l.profile.Price
	case RoleCategory:
		for _, column := range l.profile.Categories {
			titles = append(titles, column.Titles...)
		}
	case RoleInStock:
		for _, column := range l.profile.Stock {
			titles = append(titles, column.Titles...)
		}
	}
	return titles
}

// several returns the columns that begin alike.
func (t titled) several(titles Titles) (columns []int) {
	for _, title := range titles {
		stem, begins := strings.CutSuffix(title, "*")
		for i, column := range t {
			if begins && beginsTitle(column, stem) {
				columns = append(columns, i)
			}
		}
	}
	return columns
}

const noKnownTitle = "the header has no title that is known for it"

// explain says how all of the columns are named that have no known title.
func (l *layout) explain() {
	for i := range l.faults {
		if l.faults[i].Message == noKnownTitle {
			l.faults[i].Message += ": say which column it is, with {columns=" + strings.Join(l.unnamed, ",") + "}"
		}
	}
}
