package recognize

import (
	"fmt"
	"slices"

	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// saleColumns are a profile's columns of sales of one form.
func saleColumns(form profile.SaleForm) func(*profile.Profile) []profile.NameColumn {
	return func(p *profile.Profile) (columns []profile.NameColumn) {
		for _, c := range p.Sales {
			if c.Form == form {
				columns = append(columns, profile.NameColumn{Titles: c.Titles})
			}
		}
		return columns
	}
}

// Sale is a column of prices by which rows are on sale.
type Sale struct {
	profile.SaleColumn
	Money Money
	Texts [Quantity]int // profile.Missing where there is none
	Ends  string        // what is written where a sale ends
}

// findSales finds the columns by which rows are on sale: those that the settings
// name, or else, beside the price that the profile knows, the profile's. A plan that
// is about sales needs one of them, in one form.
func (l *Layout) findSales() {
	for _, r := range Roles {
		if r.Sale != "" {
			l.findSale(r)
		}
	}
	for _, r := range Roles {
		if r.Sale != "" && l.needs.Has(r.Role) && !l.needs.IfThere && len(l.Columns[r.Role]) == 0 &&
			l.said.Titles[r.Role] == "" {
			l.Faults = append(l.Faults, l.missing(r, ""))
		}
	}
	if l.needs.Sales {
		l.askSales()
	}
}

// findSale finds the column of sales of one form.
func (l *Layout) findSale(r Rule) {
	title, known := l.said.Titles[r.Role], l.profile.Sales
	if title != "" {
		if l.needs.Sales || l.needs.Has(r.Role) && !l.needs.IfThere || len(l.titles.Named(title)) > 0 {
			column := profile.SaleColumn{Form: r.Sale}
			for _, c := range known {
				if c.Form == r.Sale && profile.NewTitled([]string{title}).Has(c.Titles) {
					column = c
				}
			}
			l.addSale(r.Role, l.column(r.Role, title, nil, true), column)
		}
		return
	}
	price, unsaid := l.Columns[RolePrice], l.said.Titles[RolePrice] == ""
	if l.saysSale() || len(price) == 0 || price[0].Index == profile.Missing ||
		!unsaid && !l.profile.IsPrice(l.titles, price[0].Index) {
		return
	}
	for _, c := range known {
		if c.Form == r.Sale && l.titles.Has(c.Titles) && len(l.Columns[r.Role]) == 0 {
			l.addSale(r.Role, l.column(r.Role, "", c.Titles, l.needs.Sales), c)
			if c.Form == profile.SaleBeside && unsaid && !l.needs.IfThere {
				l.askRegular(price[0].Index)
			}
		}
	}
}

// saysSale reports whether a setting names a column of sales.
func (l *Layout) saysSale() bool {
	return l.said.Titles[RoleSalePrice] != "" || l.said.Titles[RoleCompareAt] != ""
}

// askSales asks for the one column of sales of a plan that is about them.
func (l *Layout) askSales() {
	ask := func(role Role, message string) {
		l.Faults = append(l.Faults, faults.Fault{
			Row:     1,
			Column:  l.Title(l.Columns[role][0].Index),
			Message: message,
		})
	}
	switch {
	case len(l.Sales) == 0 && !l.saysSale():
		l.Faults = append(l.Faults, l.noSales())
	case len(l.Sales) == 0:
	case len(l.Sales) > 1:
		was, beside := l.Columns[RoleCompareAt][0].Index, l.Columns[RoleSalePrice][0].Index
		ask(RoleCompareAt, fmt.Sprintf("has what prices were before a sale, and %s sale prices, and a sale is told by one of them: say which alone, with %s or %s",
			faults.Excerpt(l.Title(beside)), l.naming(RoleCompareAt, was), l.naming(RoleSalePrice, beside)))
	case l.needs.CompareAt && l.Sales[0].Form == profile.SaleBeside:
		ask(RoleSalePrice, "has sale prices beside the price, and no column has what prices were before a sale, which set_compare_at would set: "+
			"put the rows on sale with as_sale instead; or, where there is such a column, say which, with {columns=compare_at=TITLE}")
	case l.Sales[0].UnknownDates && !l.said.SaleDates:
		ask(l.Sales[0].Money.Role(), "may have dates beside it, from when until when a sale price is in force, and the titles of their columns are not known in this language: "+
			"if they are blank, or need not be looked at, say {sale_dates=ignore}")
	}
}

// askRegular asks which is the price where a sale's column stands beside two.
func (l *Layout) askRegular(price int) {
	if regular, _ := l.titles.Find(profile.RegularPrice); regular != profile.Missing && regular != price {
		l.Faults = append(l.Faults, faults.Fault{Row: 1, Column: string(RolePrice), Message: fmt.Sprintf("%s may be what customers pay, sales taken off, for %s stands beside it: say which is the price, with %s or %s",
			faults.Excerpt(l.Title(price)), faults.Excerpt(l.Title(regular)), l.naming(RolePrice, regular),
			l.naming(RolePrice, price))})
	}
}

func (l *Layout) addSale(role Role, index int, column profile.SaleColumn) {
	if index == profile.Missing {
		return
	}
	c := Sale{SaleColumn: column, Money: Money(slices.Index(MoneyRoles[:], role))}
	for x, titles := range [Quantity]profile.Titles{
		OnSale:    column.Flag,
		SaleFrom:  column.From,
		SaleUntil: column.Until,
	} {
		c.Texts[x], _ = l.titles.Find(titles)
	}
	if len(column.None) > 0 {
		c.Ends = column.None[0]
	}
	l.Columns[role] = []Located{{Index: index, NameColumn: &profile.NameColumn{}}}
	l.Sales = append(l.Sales, c)
}

// noSales is the fault of a header that lacks a column of sales.
func (l *Layout) noSales() faults.Fault {
	beside := slices.ContainsFunc(l.profile.Sales, func(c profile.SaleColumn) bool {
		return c.Form == profile.SaleBeside
	})
	was := slices.ContainsFunc(l.profile.Sales, func(c profile.SaleColumn) bool {
		return c.Form == profile.SaleWas
	})
	switch {
	case was && !beside:
		return l.missing(RuleOf(RoleCompareAt), "")
	case beside && !was:
		return l.missing(RuleOf(RoleSalePrice), "")
	}
	if !was {
		return faults.Fault{
			Row:    1,
			Column: string(RoleSalePrice),
			Message: "exports of " + l.profile.Title + " have no column of sale prices that is known: " +
				"make the sale there, or lower the price itself; if this one has such a column, say which, with {columns=sale_price=TITLE}; or which has what prices were before a sale, with {columns=compare_at=TITLE}",
		}
	}
	return faults.Fault{Row: 1, Column: string(RoleSalePrice), Message: "the header has no title that is known for the prices of sales, nor for those from before: say which column it is, with {columns=sale_price=TITLE} or {columns=compare_at=TITLE}"}
}
