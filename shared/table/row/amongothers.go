package row

import (
	"bytes"
	"slices"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/names"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
	"github.com/planwright/planwright/shared/table/setting"
)

// A plain table may have several names in a cell that is not taken for several: Shoes, in
// "Shoes; Sale". Such a cell counts as another way to write the plan's name. Cells behind
// the first rows are looked at where the first rows have separators in the column, and
// elsewhere where they are quoted.

// asksAmongOthers reports whether names of a role that stand among others are asked about.
func (t *Table) asksAmongOthers(r recognize.Rule) bool {
	return t.profile.Name == profile.Plain && t.settings.NearNames != setting.NearNamesExact &&
		r.Title == "" && !r.Phrases && r.Role != recognize.RoleSKU
}

// findSeparated finds the columns of names whose first rows have separators.
func (o *opening) findSeparated() {
	for _, rule := range recognize.NameRoles {
		if len(o.needs.Names[rule.Role]) == 0 || !o.asksAmongOthers(rule) {
			continue
		}
		for _, c := range o.columns[rule.Role] {
			if c.Index == profile.Missing {
				continue
			}
			for row := range o.each(o.rows) {
				if bytes.ContainsAny(row.content(c.Index), names.Separators) {
					o.separated = append(o.separated, c.Index)
					break
				}
			}
		}
	}
}

// noteAmong notes that the row has a name of the query among others in a cell: of a column
// in which the screen lets no such row pass, or in quotes, which it does not let pass.
func (n *matcher) noteAmong(c *nameColumn, column int, at dialect.Record, found *known) {
	if found.among == nil {
		return
	}
	all := !c.screened || slices.Contains(n.table.separated, column)
	if quoted := at.Field(column) != at.Content(n.rows.Block, column); all || quoted {
		n.note([]*names.Counted{found.among})
	}
}
