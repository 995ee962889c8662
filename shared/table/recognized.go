package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
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
}

// Column is one column of a header and what it was taken for.
type Column struct {
	Title string `json:"title"`
	Role  Role   `json:"role"`
	Form  string `json:"form,omitempty"` // of its cells, for people: "list (|) of paths (>)", "1.234,56 €", "quantity"
	Index int    `json:"-"`
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
	as.Dialect.Delimiter, as.Dialect.Encoding = r.Dialect.Delimiter, r.Dialect.Encoding
	if r.Dialect.LineEnd == dialect.CR { // LF and CRLF may both stand in one table
		as.Dialect.LineEnd = dialect.CR
	}
	for _, of := range roles {
		if of.kind != ofNames {
			*of.setting(&as.Columns) = cmp.Or(*of.setting(&s.Columns), r.only(of.Role))
		}
		said, was := *of.setting(&own.Columns), cmp.Or(*of.setting(&as.Columns), r.only(of.Role))
		if said != "" && was != "" && !profile.SameTitle(said, was) {
			return as, otherSetting("columns", string(of.Role)+"="+was, string(of.Role)+"="+said)
		}
	}
	for _, of := range roles {
		if of.kind == ofNames && of.Role != RoleSKU { // may be read as something else too, where nobody looks for names in it
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

// layout says where in a record stands what a plan may look at.
type layout struct {
	profile   *profile.Profile
	columns   map[Role][]located
	identity  []int
	stockForm profile.StockColumn
	faults    []Fault
	unnamed   []string // columns without a known title, as a setting names them
}

// located is a column of a role by its position, and how its names are written if it
// has names.
type located struct {
	Index int
	*profile.NameColumn
}

// newLayout finds the columns that a plan needs, by the settings and else by
// the profile. What is needed and not there once is a fault. Of what it does not
// need, columns of names do not matter, but for the SKU, which names rows.
func newLayout(t profile.Titled, s Settings, needs Needs) layout {
	l := layout{profile: t.ProfileOf(s.Profile), columns: map[Role][]located{}}
	for _, titles := range l.profile.Identity {
		if index, _ := t.Find(titles); index != missing {
			l.identity = append(l.identity, index)
		}
	}
	for _, r := range roles {
		needed, said := needs.Has(r.Role), *r.setting(&s.Columns)
		switch {
		case r.kind == ofStock:
			l.findStock(t, said, needed, needs.SetsStock)
		case r.Role == RoleSKU:
			l.findColumns(t, r, said, needed || len(l.identity) == 0)
		case r.kind == ofMoney && !r.optional || needed:
			l.findColumns(t, r, said, needed)
		}
	}
	l.faults = append(l.faults, l.shared(t)...)
	l.explain()
	return l
}

// findColumns finds the columns of a role. One that a setting names is written as
// the profile says of its title; or of the role, where that has one column alone.
func (l *layout) findColumns(t profile.Titled, r roleRule, said string, needed bool) {
	known := r.columns(l.profile)
	if said != "" {
		found := located{l.column(t, r.Role, said, nil, true), &profile.NameColumn{List: r.list}}
		for i := range known {
			if !r.several && i == 0 || found.Index != missing && t[found.Index:found.Index+1].Has(known[i].Titles) {
				found.NameColumn = &known[i]
			}
		}
		l.columns[r.Role] = []located{found}
		return
	}
	for i := range known {
		if t.Has(known[i].Titles) {
			l.columns[r.Role] = append(l.columns[r.Role], located{l.column(t, r.Role, "", known[i].Titles, needed), &known[i]})
		}
	}
	if len(l.columns[r.Role]) == 0 && needed {
		l.faults = append(l.faults, l.missing(t, r, ""))
	}
}

// column finds the one column of a role.
func (l *layout) column(t profile.Titled, role Role, said string, titles profile.Titles, needed bool) int {
	if said != "" {
		titles, needed = profile.Titles{said}, true
	}
	index, alone := t.Find(titles)
	switch {
	case index == missing && needed:
		l.faults = append(l.faults, l.missing(t, ruleOf(role), said))
	case index != missing && !alone && needed:
		l.faults = append(l.faults, Fault{Row: 1, Column: strings.TrimSpace(t[index]), Message: "the header has this column more than once: rename all but one, or name another with {columns}"})
	}
	return index
}

func (l *layout) findStock(t profile.Titled, said string, needed, sets bool) {
	var found []int
	if said != "" {
		if index := l.column(t, RoleInStock, said, nil, true); index != missing {
			found = []int{index}
		}
	}
	for _, column := range l.profile.Stock {
		places := t.Several(column.Titles)
		switch {
		case said != "" && len(found) > 0 && t[found[0]:found[0]+1].Has(column.Titles):
			l.stockForm = column
		case said != "" || len(found) > 0:
		case t.Has(column.Titles):
			found, l.stockForm = []int{l.column(t, RoleInStock, "", column.Titles, needed)}, column
		case len(places) > 1 && !sets:
			found, l.stockForm = places, column
		}
	}
	for _, index := range found {
		l.columns[RoleInStock] = append(l.columns[RoleInStock], located{Index: index})
	}
	if len(found) == 0 && said == "" && needed {
		l.faults = append(l.faults, l.missing(t, ruleOf(RoleInStock), ""))
	}
}

// shared refuses a column that stands for two things: its cells would be read
// as a price and as a category at once, or a changed price would name another
// row.
func (l *layout) shared(t profile.Titled) (faults []Fault) {
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
				faults = append(faults, Fault{Row: 1, Column: t[a.index], Message: "the column is read as " + string(b.role) + " and as " + string(a.role) + ": name another for one of them with {columns}"})
			}
		}
	}
	return faults
}

// missing is the fault of a header that lacks a column that a plan needs.
func (l *layout) missing(t profile.Titled, r roleRule, said string) Fault {
	role := r.Role
	header := strings.Join(t, ",")
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
	if several := t.Several(titles); len(several) > 0 {
		var names []string
		for _, index := range several {
			names = append(names, faults.Excerpt(strings.TrimSpace(t[index])))
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

const noKnownTitle = "the header has no title that is known for it"

// explain says how all of the columns are named that have no known title.
func (l *layout) explain() {
	for i := range l.faults {
		if l.faults[i].Message == noKnownTitle {
			l.faults[i].Message += ": say which column it is, with {columns=" + strings.Join(l.unnamed, ",") + "}"
		}
	}
}
