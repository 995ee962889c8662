package row

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// opening finds the columns of a table that is opened, and the forms of their cells.
type opening struct {
	*Table
	said   setting.Settings
	needs  recognize.Needs
	titled *profile.Titled
	rows   []byte // the first
	layout recognize.Layout
}

// recognize finds the columns and the forms of their cells.
func (t *Table) recognize(s setting.Settings, needs recognize.Needs) (err error) {
	o := &opening{Table: t, said: s, needs: needs, titled: profile.NewTitled(t.Header)}
	o.findProfile()
	if o.rows, err = t.blocks.Peek(formBytes); err != nil {
		return err
	}
	unknown := o.unknown(o.titled, o.rows)
	o.layout = recognize.NewLayout(o.titled, o.profile, o.said.LayoutSettings(), o.needs, unknown)
	if fault := o.layout.NoHeader(o.rows); fault != nil && !t.onlyAsks(needs, QuestionHeader, fault) {
		return &InputError{Faults: []faults.Fault{*fault}}
	}
	if refused := o.findColumns(); refused != nil {
		return refused
	}
	if refused := o.findWheres(); refused != nil {
		return refused
	}
	o.findKinds()
	for _, find := range []func() *faults.Fault{
		o.findMoneys, o.findStock, o.findQuantity, o.findPrices, o.findFamily,
	} {
		if fault := find(); fault != nil && !needs.IfThere {
			return &InputError{Faults: []faults.Fault{*fault}}
		}
	}
	o.findSeparated()
	o.findNaming()
	o.describe(needs.IfThere)
	o.countFields()
	return nil
}

// findProfile finds the platform that the header is of. What its profile says is not
// stated as found.
func (o *opening) findProfile() {
	t := o.Table
	t.profile = o.titled.ProfileOf(o.said.Profile)
	t.Profile, t.shortRows = t.profile.Name, t.profile.Writes(profile.ShortRows)
	literal := t.profile.Writes(profile.LiteralQuotes)
	t.Dialect.LiteralQuotes = t.Dialect.LiteralQuotes && !literal
	t.Dialect.TrailingDelimiter = t.Dialect.TrailingDelimiter && !t.profile.Writes(profile.TrailingDelimiter)
	if literal || t.Dialect.LiteralQuotes {
		t.quote = 0
		t.blocks.Parts(t.quote, t.Dialect.LineEnd.Byte(), t.Dialect.Delimiter.Byte())
	}
}

// findColumns finds the columns by the settings, by the profile and by what is in them,
// or says what is wrong with the header.
func (o *opening) findColumns() *InputError {
	t, l := o.Table, &o.layout
	if o.needs.Findings || len(l.Faults) > 0 {
		t.Findings = l.Findings()
	}
	t.columns, t.identity = l.Columns, l.Identity
	t.sku, t.stock = t.first(recognize.RoleSKU), t.first(recognize.RoleInStock)
	for m, role := range recognize.MoneyRoles {
		t.money[m].index, t.money[m].optional = t.first(role), recognize.RuleOf(role).Optional
	}
	if len(l.Faults) == 0 {
		return nil
	}
	o.describe(true)
	l.Ask(o.rows)
	for i := range l.Faults {
		l.Faults[i].Column = faults.Excerpt(l.Faults[i].Column)
	}
	refused := &InputError{Faults: l.Faults, Table: &t.Recognized}
	if l.Holding != nil {
		refused.Holding = o.said.Columns.With(l.Holding)
	}
	return refused
}

// findKinds finds which rows are left as they are, whose quantity says nothing, and which
// are sold with none in stock.
func (o *opening) findKinds() {
	o.skip, o.untracked = o.titled.Kinds(o.profile.Skip), o.titled.Kinds(o.layout.StockForm.Untracked)
	for i := range o.profile.Backorders {
		if kinds := o.titled.Kinds(&o.profile.Backorders[i]); kinds != nil {
			o.backorders = append(o.backorders, kinds)
		}
	}
}

// findMoneys finds the forms of the columns of money that are read.
func (o *opening) findMoneys() *faults.Fault {
	t := o.Table
	for _, sale := range o.layout.Sales {
		t.sales = append(t.sales, saleColumn{sale})
	}
	var sample []profile.Sampled
	for m, role := range recognize.MoneyRoles {
		column := &t.money[m]
		if (!o.needs.Has(role) || column.index == profile.Missing) &&
			(!t.isSale(recognize.Money(m)) || t.money[recognize.Price].form == nil) {
			continue
		}
		sample = t.sample(sample[:0], o.rows, column.index)
		if len(sample) == 0 && column.optional && t.money[recognize.Price].form != nil {
			// what is filled there is written as prices are
			sample = t.sample(sample, o.rows, t.money[recognize.Price].index)
		}
		var fault *faults.Fault
		if column.form, fault = t.findMoney(role, o.said.PriceForm, sample); fault != nil &&
			!o.needs.AsText && (o.needs.Sales || !t.isSale(recognize.Money(m))) {
			fault.Column = faults.Excerpt(t.Header[column.index])
			return fault
		}
		if role == recognize.RolePrice && column.form != nil && column.form.Unmarked() {
			if mark := o.shownMark(column); mark != 0 {
				column.form.Mark(mark)
			}
		}
		column.form.WriteLike(t.money[recognize.Price].form)
	}
	return nil
}

// shownMark returns the decimal mark of a table whose prices are whole: that of its other
// numbers; else a comma where semicolons separate columns, because commas could not, and
// a point where commas do and prices are digits alone. 0: nothing shows it.
func (o *opening) shownMark(price *moneyColumn) (shown byte) {
	for i, cells := range o.layout.Candidates.Cells() {
		mark := profile.ShownMark(o.Dialect, cells)
		switch {
		case i == price.index || mark == 0 || mark == shown:
		case shown != 0:
			return 0 // both are there
		default:
			shown = mark
		}
	}
	switch {
	case shown != 0:
	case o.Dialect.Delimiter == dialect.Semicolon:
		shown = ','
	case o.Dialect.Delimiter == dialect.Comma && price.form.Currency() == "":
		shown = '.'
	}
	return shown
}

// findStock finds the forms of the columns of what is in stock, where it is read, and of
// the quantities beside it, where it is changed.
func (o *opening) findStock() *faults.Fault {
	t, l := o.Table, &o.layout
	reads := o.needs.Has(recognize.RoleInStock)
	unnamed := o.said.Columns.Quantity != "" && !o.namesBoth() // a word that nobody named stays
	if t.stock == profile.Missing ||
		!reads && (!o.needs.Has(recognize.RoleQuantity) || o.needs.AsText || unnamed) {
		return nil
	}
	places, quantity := indexes(t.columns[recognize.RoleInStock]), profile.StockColumn{Quantity: true}
	said := profile.StockSettings{
		Words:   o.said.StockWords,
		Blank:   o.said.BlankStock,
		Restock: o.said.InStockQuantity,
	}
	sample := t.sample(nil, o.rows, t.stock)
	t.stocks = profile.NewStock(t.Dialect, l.StockForm, l.StockPairs, said, places, sample)
	paired := len(t.columns[recognize.RoleQuantity]) > 0 || o.namesBoth()
	if !reads && !paired && !t.stocks.Quantity() {
		t.stocks = nil // quantities stand elsewhere
		return nil
	}
	// words that are compared as they are written need no meaning
	if fault := t.stocks.Question(t.leavesOdd()); fault != nil && !o.needs.AsText {
		fault.Column = faults.Excerpt(t.Header[t.stock])
		return fault
	}
	o.findOtherStock()
	if !o.needs.SetsStock {
		return nil
	}
	t.counts = l.Candidates.Counted(places)
	t.counted = profile.NewStock(t.Dialect, quantity, nil, profile.StockSettings{}, t.counts, nil)
	if beside := t.columns[recognize.RoleQuantity]; len(beside) > 0 {
		t.quantities = profile.NewStock(
			t.Dialect,
			quantity,
			nil,
			profile.StockSettings{Restock: o.said.InStockQuantity},
			indexes(beside),
			nil,
		)
	}
	return nil
}

// findPrices finds what says more of the prices: which rows may have none, their
// currency, and which columns have others.
func (o *opening) findPrices() *faults.Fault {
	t, price := o.Table, o.money[recognize.Price].index
	blank := cmp.Or(o.said.BlankPrice, t.profile.BlankPrice, profile.BlankPriceError)
	t.keepBlank = price != profile.Missing && blank != profile.BlankPriceError
	if !o.needs.Has(recognize.RolePrice) || price == profile.Missing {
		return nil
	}
	o.findCurrency()
	t.whole = t.money[recognize.Price].form != nil &&
		t.money[recognize.Price].form.IsWhole(t.Header[price], string(t.code))
	t.findNone(o.rows)
	t.otherPrices = append(
		o.titled.Others(t.profile.OtherPrices, price), o.layout.Candidates.OtherPrices(price)...,
	)
	return nil
}

// findFamily finds what rows take from others, or refuses a table whose rows look as if
// they should.
func (o *opening) findFamily() *faults.Fault {
	t := o.Table
	for _, rule := range recognize.Roles {
		if rule.Inherits && rule.Kind == recognize.OfNames && o.needs.Has(rule.Role) {
			t.handed = append(t.handed, t.columns[rule.Role]...)
		}
	}
	naming := o.naming()
	t.handed = append(t.handed, o.handedWheres(naming)...)
	if t.family = t.profile.NewFamily(o.titled, t.handsOn(naming)); t.family == nil {
		return o.likeVariants()
	}
	t.showAhead()
	return nil
}

// findCurrency finds the column of the codes of currencies, and that of the first rows.
func (o *opening) findCurrency() {
	t := o.Table
	if t.currency, _ = o.titled.Find(profile.Currency); t.currency == profile.Missing {
		return
	}
	for row := range t.each(o.rows) {
		if t.code = bytes.Clone(bytes.TrimSpace(row.content(t.currency))); len(t.code) > 0 {
			break
		}
	}
	if !profile.IsCode(string(t.code)) {
		t.currency, t.code = profile.Missing, nil
	}
}

// findNaming finds the columns that name a row: by a SKU, what stands for one, a name,
// or the product that it is a variant of.
func (o *opening) findNaming() {
	t := o.Table
	t.naming = append([]int{t.sku, o.nameColumn()}, t.identity...)
	if said := o.said.Columns.Name; said != "" {
		t.naming = append(t.naming, o.titled.Named(said)...)
	}
	if i := t.profile.Inheritance; i != nil {
		for _, titles := range []profile.Titles{i.Above, i.Parent, i.Same} {
			index, _ := o.titled.Find(titles)
			t.naming = append(t.naming, index)
		}
	}
	t.naming = slices.DeleteFunc(t.naming, func(index int) bool { return index == profile.Missing })
}

// nameColumn is the one of products' names, whether the plan looks at it or not.
func (o *opening) nameColumn() int {
	name, _ := o.titled.Find(o.profile.ProductName)
	if name == profile.Missing {
		if best := o.layout.Candidates.Plainest(string(recognize.RoleName)); len(best) == 1 {
			return best[0]
		}
	}
	return name
}

// findMoney finds the form of a column of money. That which a setting says is the
// prices', and another column's only where its own cells have two readings.
func (t *Table) findMoney(
	role recognize.Role, said profile.PriceForm, cells []profile.Sampled,
) (form *profile.MoneyForm, fault *faults.Fault) {
	documented, price := t.profile.DecimalPoint, t.money[recognize.Price].form
	if role == recognize.RolePrice {
		return profile.NewMoneyForm(t.Dialect, said, documented, cells)
	}
	// this table was not written as the platform says
	documented = documented && (price == nil || price.HasPoint())
	if form, fault = profile.NewMoneyForm(t.Dialect, "", documented, cells); fault != nil && said != "" {
		form, fault = profile.NewMoneyForm(t.Dialect, said, documented, cells)
	}
	if fault == nil && price != nil && !profile.OneCurrency(form, price) {
		return nil, &faults.Fault{Row: 1, Message: "is in " + form.Currency() + ", and the prices are in " +
			price.Currency() + ": a plan can compare them in one currency alone"}
	}
	return form, fault
}

// likeVariants refuses a table where the plan names categories, and rows without one
// look like variants of the product above them, which has one: their name is blank or
// the same, and a size or the like is filled in. First rows tell.
func (o *opening) likeVariants() *faults.Fault {
	t := o.Table
	categories := indexes(t.columns[recognize.RoleCategory])
	if t.profile.Name != profile.Plain {
		return nil
	}
	if !slices.ContainsFunc(t.handed,
		func(c recognize.Located) bool { return slices.Contains(categories, c.Index) }) {
		return nil
	}
	options := o.layout.Candidates.Options()
	if len(options) == 0 {
		return nil
	}
	name := o.nameColumn()
	if name == profile.Missing {
		return nil
	}
	var found RowList
	above, placed := []byte(nil), false
	for row := range t.each(o.rows) {
		filled := func(column int) bool { return len(row.content(column)) > 0 }
		own := row.content(name)
		switch in := slices.ContainsFunc(categories, filled); {
		case !in && placed && (len(own) == 0 || bytes.Equal(own, above)) &&
			slices.ContainsFunc(options, filled):
			found.Add(row.row)
		default:
			above, placed = own, in
		}
	}
	if found.Rows == 0 {
		return nil
	}
	return &faults.Fault{Row: found.First[0], Column: faults.Excerpt(t.Header[categories[0]]), Message: fmt.Sprintf("the category is blank in %d of the first rows, this one first, which look like variants of the product above them (see %s), so that it is not known whether the plan is for them: fill in their category, or add a column parent_sku that says to which product each belongs", found.Rows, t.columnTitle(options[0]))}
}

// countFields finds how many fields a row must have to have all that a plan
// looks at.
func (o *opening) countFields() {
	t, needs := o.Table, o.needs
	for _, column := range t.Columns {
		switch column.Role {
		case recognize.RoleIdentity, recognize.RoleProduct, recognize.RoleQuantity:
			continue
		case recognize.RoleSalePrice,
			recognize.RoleCompareAt,
			recognize.RoleOnSale,
			recognize.RoleSaleFrom,
			recognize.RoleSaleUntil:
			if !needs.Sales {
				continue // they tell what customers pay
			}
		case recognize.RoleSKU:
			if !needs.Has(recognize.RoleSKU) {
				continue // it is for the records
			}
		}
		t.fieldsRead = max(t.fieldsRead, column.Index+1)
	}
	for _, w := range needs.Wheres {
		t.fieldsRead = max(t.fieldsRead, t.first(w.Role)+1)
	}
	t.fieldsRead = max(t.fieldsRead, t.quantity+1)
}

// describe says what each column was taken for: those that are read, or all
// that were found.
func (o *opening) describe(all bool) {
	t := o.Table
	form := map[int]Column{}
	take := func(index int, role recognize.Role, form_ string) {
		if index != profile.Missing {
			form[index] = Column{
				Title: faults.Excerpt(t.Header[index]),
				Role:  role,
				Form:  form_,
				Index: index,
			}
		}
	}
	if t.family != nil {
		take(t.family.Column(), recognize.RoleProduct, "")
	}
	for _, index := range t.identity {
		take(index, recognize.RoleIdentity, "")
	}
	for _, c := range t.sales {
		for x, index := range c.Texts {
			take(index, recognize.TextRoles[x], "")
		}
	}
	if t.quantities != nil || t.quantity != profile.Missing {
		take(t.first(recognize.RoleQuantity), recognize.RoleQuantity, "")
	}
	for _, r := range recognize.Roles {
		if r.Kind == recognize.OfCounts {
			continue
		}
		form, read := t.formOf(r)
		for _, c := range t.columns[r.Role] {
			switch {
			case r.Several || r.List != "":
				take(c.Index, r.Role, c.Form())
			case read || all:
				take(c.Index, r.Role, form)
			}
		}
	}
	for i := range t.Header {
		if column, taken := form[i]; taken {
			if slices.Contains(o.layout.ByTitle, i) {
				column.Found = recognize.ByTitle
			}
			if column.Role == recognize.RolePrice {
				column.PassedOver = o.layout.PassedOver
			}
			t.Columns = append(t.Columns, column)
		}
	}
}
