package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
)

// A plain table may have several names in a cell that is not taken for several: Shoes, in
// "Shoes; Sale". Where one of them is the plan's, it is asked whether such cells are meant.
// Cells behind the first rows are looked at where the first rows have separators in the
// column, and elsewhere where they are quoted.

// separators are what parts several names in a cell, and a category from those above it.
const separators = ",;|>/"

// AmongOthers are the rows that have a name of the query among others, with the first of
// their cells.
type AmongOthers struct {
	RowList
	Column int
	Cell   string
	Name   string // of the query
}

// Append adds the rows that stand behind so many others.
func (a *AmongOthers) Append(more AmongOthers, behind int64) {
	if a.Rows == 0 {
		a.Column, a.Cell, a.Name = more.Column, more.Cell, more.Name
	}
	a.RowList.Append(more.RowList, behind)
}

// asksAmongOthers reports whether names of a role that stand among others are asked about.
func (t *Table) asksAmongOthers(r roleRule) bool {
	return t.profile.Name == profile.Plain && t.settings.NearNames != NearNamesExact && r.title == "" && !r.phrases && r.Role != RoleSKU
}

// namesAmongOthers asks about the first cell of the first rows that has a name of the plan
// among others.
func (o *opening) namesAmongOthers() *Fault {
	for _, rule := range nameRoles {
		wanted := map[string]bool{}
		for _, name := range o.needs.Names[rule.Role] {
			wanted[rule.fold().Fold(name)] = true
		}
		if len(wanted) == 0 || !o.asksAmongOthers(rule) {
			continue
		}
		for _, c := range o.columns[rule.Role] {
			if c.Index == missing {
				continue
			}
			found := o.amongOthers(c, func(name string) bool { return wanted[rule.fold().Fold(name)] })
			if found.Rows > 0 {
				return o.askAmongOthers(found)
			}
		}
	}
	return nil
}

// amongOthers returns the first of the first rows whose cell in a column has a wanted name
// among others.
func (o *opening) amongOthers(c located, wanted func(name string) bool) (found AmongOthers) {
	seen := map[string]bool{}
	for row := range o.each(o.rows) {
		content := row.content(c.Index)
		if !bytes.ContainsAny(content, separators) || seen[string(content)] {
			continue
		}
		if len(seen) == 0 {
			o.separated = append(o.separated, c.Index)
		}
		seen[string(content)] = true
		cell, met := o.Dialect.Text(bytes.ReplaceAll(content, []byte(`""`), []byte(`"`))), false
		c.Names(cell, func(name string) { met = met || wanted(name) })
		if name := amongOthers(cell, wanted); name != "" && !met {
			found = AmongOthers{Column: c.Index, Cell: cell, Name: name}
			found.Add(row.row)
			break
		}
	}
	return found
}

// amongOthers returns the first of a cell's parts that is wanted; "": none is.
func amongOthers(cell string, wanted func(name string) bool) string {
	for part := range strings.FieldsFuncSeq(cell, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if part = strings.TrimSpace(part); wanted(part) {
			return part
		}
	}
	return ""
}

// askAmongOthers asks whether such cells are meant.
func (t *Table) askAmongOthers(found AmongOthers) *Fault {
	return &Fault{Row: found.First[0], Column: faults.Excerpt(t.Header[found.Column]), Value: Shown(found.Cell), Message: fmt.Sprintf(
		"has %q among others, and a plan's name is for cells that have it alone: name such cells as they stand too, or say that those alone are meant, with {near_names=exact}", faults.Excerpt(found.Name))}
}

// AmongQuestion asks about the rows of a scanned table that have a name of the query among
// others; nil: none have.
func (t *Table) AmongQuestion(s *Scanned) *InputError {
	if s.AmongOthers.Rows == 0 {
		return nil
	}
	return &InputError{Faults: []Fault{*t.askAmongOthers(s.AmongOthers)}}
}

// marks are the separators that a cell of a table may have and be no field of several.
func marks(d dialect.Dialect) string {
	return strings.ReplaceAll(separators, string(d.Delimiter.Byte()), "")
}

// noteAmong notes that the row has a name of the query among others in a cell: of a column
// in which the screen lets no such row pass, or in quotes, which it does not let pass.
func (n *names) noteAmong(c *nameColumn, column int, at dialect.Record, content []byte, found *known) {
	if found.among == "" || n.among != nil {
		return
	}
	all := !c.screened || slices.Contains(n.table.separated, column)
	if quoted := at.Field(column) != at.Content(n.rows.Block, column); all || quoted {
		text, _ := n.rows.Text(content)
		n.among = &AmongOthers{Column: column, Cell: n.table.Dialect.Text(slices.Clone(text)), Name: found.among}
	}
}
