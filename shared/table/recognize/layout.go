package recognize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// Layout says where in a record stands what a plan may look at, or what is to be asked.
type Layout struct {
	Columns    map[Role][]Located
	Identity   []int // the columns that name a row whose SKU is blank
	Sales      []Sale
	StockForm  profile.StockColumn
	StockPairs [][2]string // the words that the column of stock may have
	ByTitle    []int       // the columns that were found by the words of their titles
	PassedOver []string    // columns that might have the prices, beside the one that is taken
	Candidates *Candidates // the columns that the profile does not read

	Faults []faults.Fault
	// Holding answers all that is asked, where the plan's names stand in one column each of
	// which no title says what it is: the titles that have the roles. Nil: it does not.
	Holding map[Role]string

	titles  *profile.Titled
	profile *profile.Profile
	said    Settings
	needs   Needs
}

// Settings is what settings say of a table's columns.
type Settings struct {
	Titles    map[Role]string // of the columns that have the roles
	SaleDates bool            // what becomes of the dates of sales
	Header    Header
}

// Title is that of a column.
func (l *Layout) Title(column int) string { return strings.TrimSpace(l.titles.Titles[column]) }

// Header says whether the first row has titles.
type Header string

const (
	HeaderFirst Header = "first" // it has
	HeaderNone  Header = "none"  // it is a row like any other: columns are called by their numbers
)

// Located is a column of a role by its position, and how its names are written if it
// has names.
type Located struct {
	Index int
	*profile.NameColumn
}

// NewLayout finds the columns that a plan needs, by the settings and else by
// the profile. What is needed and not there once is a fault. Of what it does not
// need, columns of names do not matter, but for the SKU, which names rows.
func NewLayout(
	titles *profile.Titled, p *profile.Profile, said Settings, needs Needs, candidates *Candidates,
) Layout {
	l := Layout{
		Columns: map[Role][]Located{}, Candidates: candidates,
		titles: titles, profile: p, said: said, needs: needs,
	}
	for _, title := range said.Titles { // a column is what a setting says, whatever its title does
		for _, index := range titles.Named(title) {
			candidates.Take(index)
		}
	}
	for _, titles := range p.Identity {
		if index, _ := l.titles.Find(titles); index != profile.Missing {
			l.Identity = append(l.Identity, index)
		}
	}
	for _, r := range Roles {
		l.find(r)
	}
	if needs.Sales || needs.Findings || needs.Has(RolePrice) || needs.Has(RoleSalePrice) ||
		needs.Has(RoleCompareAt) {
		l.findSales()
	}
	if len(l.Columns[RoleSKU]) == 0 && len(l.Identity) == 0 {
		l.identify()
	}
	if !needs.IfThere {
		l.Faults = append(l.Faults, l.shared()...)
	}
	l.explain()
	return l
}

// find finds the columns of a role, but for those that are found with others: quantities with
// the stock, and sales with the price.
func (l *Layout) find(r Rule) {
	asked := l.needs.Has(r.Role)
	needed := asked && !l.needs.IfThere
	switch {
	case r.Kind == OfCounts || r.Sale != "":
	case r.Kind == OfStock:
		l.findStock(needed)
	case r.Role == RoleSKU: // where it is there, it names the rows
		header := strings.Join(l.titles.Titles, "")
		there := l.titles.Has(l.profile.SKU) || header == "" ||
			strings.Contains(header, dialect.ByteOrderMark)
		l.findColumns(r, needed || there && len(l.Identity) == 0 && !l.needs.IfThere)
	case r.Kind == OfMoney && !r.Optional || asked || l.needs.Findings:
		l.findColumns(r, needed)
	}
}

// identify has rows named by their product where the table has no SKUs.
func (l *Layout) identify() {
	if len(l.Columns[RoleName]) == 0 { // and whatever is wrong with names is no fault
		faults := l.Faults
		l.findColumns(RuleOf(RoleName), false)
		l.Faults = faults
		defer delete(l.Columns, RoleName)
	}
	for _, c := range l.Columns[RoleName] {
		if c.Index != profile.Missing {
			l.Identity = append(l.Identity, c.Index)
		}
	}
}

// findColumns finds the columns of a role. One that a setting names is written as
// the profile says of its title; or of the role, where that has one column alone.
func (l *Layout) findColumns(r Rule, needed bool) {
	known := r.Columns(l.profile)
	if said := l.said.Titles[r.Role]; said != "" {
		found := Located{l.column(r.Role, said, nil, true), &profile.NameColumn{List: r.List}}
		if found.Index != profile.Missing && r.Kind == OfNames {
			found.List = cmp.Or(r.List, l.Candidates.Lists(found.Index))
		}
		for i := range known {
			if !r.Several && i == 0 ||
				found.Index != profile.Missing && l.titles.Is(found.Index, known[i].Titles) {
				found.NameColumn = &known[i]
			}
		}
		l.Columns[r.Role] = []Located{found}
		return
	}
	for i := range known {
		if l.titles.Has(known[i].Titles) {
			l.Columns[r.Role] = append(
				l.Columns[r.Role], Located{l.column(r.Role, "", known[i].Titles, needed), &known[i]},
			)
		}
	}
	switch {
	case len(l.Columns[r.Role]) == 0:
		l.seek(r, needed)
	case r.Role == RolePrice && l.profile.Name == profile.Plain:
		l.compare(l.Columns[r.Role][0].Index, needed)
	}
}

// seek finds the column of a role by the words of its title, where exactly one says
// it most plainly.
func (l *Layout) seek(r Rule, needed bool) {
	var places profile.Titles
	for _, column := range r.Columns(l.profile) {
		places = append(places, column.Titles...)
	}
	if r.Optional || len(l.titles.Several(places)) > 0 { // what a shop pays is never guessed
		l.lack(r, needed)
		return
	}
	best := l.Candidates.Plainest(string(r.Role))
	switch {
	case len(best) == 1 && len(l.titles.Named(l.titles.Titles[best[0]])) > 1: // no setting could name it
		l.repeated(best[0], needed)
	case len(best) == 1:
		l.Columns[r.Role] = []Located{{
			best[0], &profile.NameColumn{List: cmp.Or(r.List, l.Candidates.Lists(best[0]))},
		}}
		l.ByTitle = append(l.ByTitle, best[0])
		l.passOver(r.Role, best[0])
	case len(best) > 1 && needed:
		l.Faults = append(l.Faults, l.Candidates.Question(string(r.Role), best))
	default:
		l.lack(r, needed)
	}
}

func (l *Layout) lack(r Rule, needed bool) {
	if needed {
		l.Faults = append(l.Faults, l.missing(r, ""))
	}
}

// passOver notes the columns that might have the prices, beside the one that has.
func (l *Layout) passOver(role Role, taken int) {
	if role != RolePrice {
		return
	}
	for _, i := range l.Candidates.Others(taken) {
		l.PassedOver = append(l.PassedOver, faults.Excerpt(l.Title(i)))
	}
}

// compare asks about a column of prices that is known by its title alone, where the
// title of another says the same as plainly. One that is called price is it.
func (l *Layout) compare(known int, needed bool) {
	if known == profile.Missing {
		return
	}
	if needed && !profile.SameTitle(l.Title(known), string(RolePrice)) {
		if others := l.Candidates.EquallyTitled(known); len(others) > 0 {
			l.Faults = append(
				l.Faults, l.Candidates.Question(string(RolePrice), append([]int{known}, others...)),
			)
		}
	}
	l.passOver(RolePrice, known)
}

// column finds the one column of a role.
func (l *Layout) column(role Role, said string, titles profile.Titles, needed bool) int {
	index, alone := l.titles.Find(titles)
	if said != "" {
		index, alone, needed = profile.Missing, true, true
		if named := l.titles.Named(said); len(named) > 0 {
			index, alone = named[0], len(named) == 1
		}
	}
	switch {
	case index == profile.Missing && needed:
		l.Faults = append(l.Faults, l.missing(RuleOf(role), said))
	case index != profile.Missing && !alone:
		l.repeated(index, needed)
	}
	return index
}

// repeated is the fault of a column that is needed, where its title stands more than once.
func (l *Layout) repeated(column int, needed bool) {
	if needed {
		l.Faults = append(l.Faults, faults.Fault{Row: 1, Column: l.Title(column), Message: "the header has this column more than once: rename all but one, or name another with {columns}"})
	}
}

// findStock finds the column that tells what is in stock, or one for each place; and the
// quantity that the platform keeps behind its word.
func (l *Layout) findStock(needed bool) {
	var found []int
	said := l.said.Titles[RoleInStock]
	if said != "" {
		if index := l.column(RoleInStock, said, nil, true); index != profile.Missing {
			found = []int{index}
		}
	}
	plain := l.profile.Name == profile.Plain
	if plain {
		l.StockPairs = profile.StockPairs
	}
	for _, column := range l.profile.Stock {
		places := l.titles.Several(column.Titles)
		quantity, _ := l.titles.Find(column.Titles)
		switch {
		case len(l.StockForm.Titles) > 0 && !l.StockForm.Quantity && column.Quantity &&
			quantity != profile.Missing:
			l.Columns[RoleQuantity] = []Located{{Index: quantity}}
		case said != "" && len(found) > 0 && l.titles.Is(found[0], column.Titles):
			l.StockForm = column
		case said != "" || len(found) > 0:
		case l.belied(column.Titles):
		case l.titles.Has(column.Titles):
			found, l.StockForm = []int{l.column(RoleInStock, "", column.Titles, needed)}, column
		case len(places) > 1 && !l.needs.SetsStock:
			found, l.StockForm = places, column
		}
	}
	for _, index := range found {
		l.Columns[RoleInStock] = append(l.Columns[RoleInStock], Located{Index: index})
	}
	if len(found) > 0 || said != "" {
		l.StockForm.Counts = plain && len(l.StockForm.Titles) > 0 &&
			meaningOf(l.titles.Titles[found[0]]).Counts
		return
	}
	if l.seek(RuleOf(RoleInStock), needed); len(l.Columns[RoleInStock]) == 1 {
		l.StockForm = profile.StockColumn{Counts: l.Candidates.Counts(l.Columns[RoleInStock][0].Index)}
		l.StockPairs = profile.StockPairs
	}
}

// belied reports whether the cells of a column of stock say that it has none, though a
// title of no platform's does, and another column has some.
func (l *Layout) belied(titles profile.Titles) bool {
	index, _ := l.titles.Find(titles)
	return index != profile.Missing && l.profile.Name == profile.Plain && !profile.SameTitle(
		l.Title(index), string(RoleInStock),
	) &&
		!l.Candidates.Fits(string(RoleInStock), index) && len(l.Candidates.Plainest(string(RoleInStock))) > 0
}

// shared refuses a column that stands for two things: its cells would be read
// as a price and as a category at once, or a changed price would name another
// row.
func (l *Layout) shared() (found []faults.Fault) {
	type column struct {
		role  Role
		index int
	}
	var all []column
	for _, r := range Roles {
		for _, c := range l.Columns[r.Role] {
			all = append(all, column{r.Role, c.Index})
		}
	}
	names := len(all)
	for _, index := range l.Identity {
		for _, c := range all[:names] {
			if c.index == index && RuleOf(c.role).Kind != OfNames {
				all = append(all, column{RoleIdentity, index})
				break
			}
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.index == b.index && a.index != profile.Missing {
				found = append(found, faults.Fault{
					Row:    1,
					Column: l.titles.Titles[a.index],
					Message: "the column is read as " + string(b.role) + " and as " + string(a.role) +
						": name another for one of them with {columns}",
				})
			}
		}
	}
	return found
}

// missing is the fault of a header that lacks a column that a plan needs.
func (l *Layout) missing(r Rule, said string) faults.Fault {
	role := r.Role
	header := strings.Join(l.titles.Titles, ",")
	switch {
	case strings.Trim(header, ",") == "":
		return faults.Fault{
			Row:     1,
			Column:  string(role),
			Message: "the header has no titles: is the first line empty?",
		}
	case said != "":
		return faults.Fault{
			Row:     1,
			Column:  said,
			Message: "the header has no such column: name another for " + string(role) + " with {columns}",
		}
	}
	var titles profile.Titles
	for _, column := range r.Columns(l.profile) {
		titles = append(titles, column.Titles...)
	}
	if several := l.titles.Several(titles); len(several) > 0 {
		var names []string
		for _, index := range several {
			names = append(names, faults.Excerpt(l.Title(index)))
		}
		message := "could be " + strings.Join(names, " or ") + ": say which, with {columns=" + string(role) +
			"=" + names[0] + "}"
		if role == RoleInStock {
			message = "the plan changes it, and it " + message
		}
		return faults.Fault{Row: 1, Column: string(role), Message: message}
	}
	if len(titles) == 0 {
		hint, setting := l.Candidates.Hint(string(role))
		return faults.Fault{Row: 1, Column: string(role), Message: "exports of " + l.profile.Title +
			" have no such column" + hint + ": if this one has, say which, with {columns=" + setting + "}"}
	}
	return faults.Fault{Row: 1, Column: string(role), Message: noKnownTitle}
}

// naming is the setting by which a column has a role.
func (l *Layout) naming(role Role, column int) string {
	return "{columns=" + Mapping(string(role), faults.Excerpt(l.Title(column))) + "}"
}

const noKnownTitle = "the header has no title that is known for it"

// pointBelow says that a row seems to have the titles.
func (l *Layout) pointBelow(row int) {
	for i := range l.Faults {
		if strings.HasPrefix(l.Faults[i].Message, noKnownTitle) {
			l.Faults[i].Message = fmt.Sprintf("%s: the titles seem to stand in row %d: remove the rows above it", noKnownTitle, row)
		}
	}
}

// explain says how all of the columns are named that have no known title.
func (l *Layout) explain() {
	hints, settings, held, found := map[int]string{}, []string{}, map[Role]string{}, 0
	for i, fault := range l.Faults {
		if fault.Message != noKnownTitle {
			continue
		}
		hint, setting := l.Candidates.Hint(fault.Column)
		hint += ": say which column it is"
		if question, as, title := l.Candidates.Holding(fault.Column,
			l.needs.Names[Role(fault.Column)]); question != "" {
			hint, setting, found = question+", say so", as, found+1
			held[Role(fault.Column)] = title
		}
		hints[i], settings = hint, append(settings, setting)
	}
	if found > 0 && found == len(l.Faults) {
		l.Holding = held
	}
	for i, hint := range hints {
		l.Faults[i].Message += hint + ", with {columns=" + strings.Join(settings, ",") + "}"
	}
}

// Findings say of each column what it was thought to be.
func (l *Layout) Findings() (all []Finding) {
	roleOf := map[int]Role{}
	for _, r := range Roles {
		if r.Kind == OfCounts {
			continue
		}
		for _, c := range l.Columns[r.Role] {
			roleOf[c.Index] = r.Role
		}
	}
	for i := range l.titles.Titles {
		role, found := roleOf[i], ByProfile
		switch {
		case slices.Contains(l.ByTitle, i):
			found = ByTitle
		case role != "" && l.said.Titles[role] != "":
			found = BySetting
		}
		all = append(all, l.Candidates.Finding(i, string(role), found))
	}
	return all
}
