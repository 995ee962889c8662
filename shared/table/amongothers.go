package table

import (
	"bytes"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
)

// A plain table may have several names in a cell that is not taken for several: Shoes, in
// "Shoes; Sale". Such a cell counts as another way to write the plan's name. Cells behind
// the first rows are looked at where the first rows have separators in the column, and
// elsewhere where they are quoted.

// separators are what parts several names in a cell, and a category from those above it.
const separators = ",;|>/"

// asksAmongOthers reports whether names of a role that stand among others are asked about.
func (t *Table) asksAmongOthers(r roleRule) bool {
	return t.profile.Name == profile.Plain && t.settings.NearNames != NearNamesExact && r.Title == "" && !r.Phrases && r.Role != RoleSKU
}

// findSeparated finds the columns of names whose first rows have separators.
func (o *opening) findSeparated() {
	for _, rule := range nameRoles {
		if len(o.needs.Names[rule.Role]) == 0 || !o.asksAmongOthers(rule) {
			continue
		}
		for _, c := range o.columns[rule.Role] {
			if c.Index == missing {
				continue
			}
			for row := range o.each(o.rows) {
				if bytes.ContainsAny(row.content(c.Index), separators) {
					o.separated = append(o.separated, c.Index)
					break
				}
			}
		}
	}
}

// firstAmong returns the first of a cell's parts that looks like one of a query's names;
// "": none does.
func firstAmong(cell string, looks func(part string) *string) string {
	for part := range strings.FieldsFuncSeq(cell, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(part); looks(part) != nil {
			return part
		}
	}
	return ""
}

// marks are the separators that a cell of a table may have and be no field of several.
func marks(d dialect.Dialect) string {
	return strings.ReplaceAll(separators, string(d.Delimiter.Byte()), "")
}

// noteAmong notes that the row has a name of the query among others in a cell: of a column
// in which the screen lets no such row pass, or in quotes, which it does not let pass.
func (n *names) noteAmong(c *nameColumn, column int, at dialect.Record, found *known) {
	if found.among == nil {
		return
	}
	all := !c.screened || slices.Contains(n.table.separated, column)
	if quoted := at.Field(column) != at.Content(n.rows.Block, column); all || quoted {
		n.note([]*spelling{found.among})
	}
}
