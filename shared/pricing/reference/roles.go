package reference

import (
	"github.com/planwright/planwright/shared/plan"
	"github.com/planwright/planwright/shared/table"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/setting"
)

// nameRole is a column, or several, whose cells are names that a plan may ask for.
type nameRole struct {
	column plan.Column
	// handed: a row whose cell is blank has what its product has.
	handed bool
	// missed: rows without any name are told, where the plan asks for some.
	missed  bool
	setting func(setting.Columns) string // what the setting calls it
	known   func(profile.Profile) []profile.NameColumn
	// whichever: the column that the setting names is written as the profile's is.
	whichever bool
	// worded: a plan asks for words that stand in it.
	worded bool
	// apart is what may stand between two, where a setting alone names the column.
	apart string
}

// nameRoles are all of them, in the order in which a row's faults are told.
var nameRoles = []nameRole{
	{
		column: plan.ColumnSKU, whichever: true, setting: func(c setting.Columns) string { return c.SKU },
		known: func(p profile.Profile) []profile.NameColumn {
			return []profile.NameColumn{{Titles: p.SKU}}
		},
	},
	{
		column: plan.ColumnCategory, handed: true, missed: true,
		setting: func(c setting.Columns) string { return c.Category },
		known:   func(p profile.Profile) []profile.NameColumn { return p.Categories },
	},
	{
		column: plan.ColumnBrand, handed: true, setting: func(c setting.Columns) string { return c.Brand },
		known: func(p profile.Profile) []profile.NameColumn { return p.Brands },
	},
	{
		column: plan.ColumnTags, handed: true, whichever: true, apart: ",;|",
		setting: func(c setting.Columns) string { return c.Tags },
		known:   func(p profile.Profile) []profile.NameColumn { return p.Tags },
	},
	{
		column: plan.ColumnName, handed: true, whichever: true, worded: true,
		setting: func(c setting.Columns) string { return c.Name },
		known: func(p profile.Profile) []profile.NameColumn {
			return []profile.NameColumn{{Titles: p.ProductName}}
		},
	},
}

// nameColumn is a column of names in a table.
type nameColumn struct {
	at int
	as profile.NameColumn
}

// findNames finds the columns of a role.
func (c *columns) findNames(h header, role nameRole, s table.Settings, needed bool) (found []nameColumn) {
	all := role.known(c.profile)
	if said := role.setting(s.Columns); said != "" {
		as := profile.NameColumn{List: role.apart}
		if role.whichever && len(all) > 0 {
			as = all[0]
		}
		at := c.column(h, said, nil, true)
		if at != none && as.List == "" && as.Path == "" && severalIn(h[at]) {
			as.List = ",;|"
		}
		for _, known := range all {
			if at != none && h[at:at+1].has(known.Titles) {
				as = known
			}
		}
		return []nameColumn{{at, as}}
	}
	for _, known := range all {
		if h.has(known.Titles) {
			found = append(found, nameColumn{c.column(h, "", known.Titles, needed), known})
		}
	}
	if len(found) == 0 {
		if at := c.sole(string(role.column), needed); at != none {
			as := profile.NameColumn{List: role.apart}
			if as.List == "" && severalIn(c.seek.titles[at]) {
				as.List = ",;|"
			}
			found = append(found, nameColumn{at, as})
		}
	}
	return found
}

// namesOf returns the names of a role that a row has, those that it has from its
// product among them, and whether one of its own cells is blank.
func (t *run) namesOf(role nameRole, r record, belongs *product) (names []string, blank bool, fault string) {
	for _, column := range t.columns.names[role.column] {
		blank = blank || column.at != none && r.text(column.at) == ""
	}
	for i, column := range t.columns.names[role.column] {
		if column.at == none {
			continue
		}
		if fault := t.name(r, column.at, column.as, t.needs.names[role.column]); fault != "" &&
			!(role.worded && fault == "long name") {
			return nil, blank, fault
		}
		text := r.text(column.at)
		if text == "" {
			if belongs != nil && role.handed {
				text = belongs.names[role.column][i]
			}
		}
		if role.worded {
			return t.phrasesIn(text), blank, ""
		}
		if role.column == plan.ColumnSKU {
			text = r.code(column.at)
		}
		names = append(names, namesIn(text, column.as)...)
	}
	if len(names) == 0 {
		names = []string{""}
	}
	return names, blank, ""
}
