package table

import (
	"slices"

	"github.com/planwright/planwright/shared/table/dialect"
	"github.com/planwright/planwright/shared/table/profile"
)

// near returns the names that the table's first rows have, for those of a
// plan's that no row has.
func (t *Table) near(wanted map[Role][]string) map[Role]*nearest {
	near := make(map[Role]*nearest, len(wanted))
	for role, names := range wanted {
		near[role] = newNearest(names)
	}
	text := t.blocks.Kept()
	text = text[min(len(t.Head), len(text)):]
	t.each(text, func(text []byte, _ int64, r dialect.Record) {
		for role, nearest := range near {
			for _, c := range t.columns[role] {
				c.Names(t.Dialect.Text(r.Says(text, c.Index)), nearest.Add)
			}
		}
	})
	return near
}

// findElsewhere finds each of some names that no row has among the names of all
// other roles, in the table's first rows.
func (t *Table) findElsewhere(names []UnknownName) {
	wanted := map[string][]*UnknownName{}
	for i := range names {
		key := folded(names[i].Name)
		wanted[key] = append(wanted[key], &names[i])
	}
	needs := Needs{IfThere: true}
	for _, r := range nameRoles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	text := t.blocks.Kept()
	text = text[min(len(t.Head), len(text)):]
	titled := profile.NewTitled(t.Header)
	columns := newLayout(titled, t.profile, t.settings, needs, t.unknown(titled, text)).columns
	t.each(text, func(text []byte, _ int64, r dialect.Record) {
		for _, role := range nameRoles {
			for _, c := range columns[role.Role] {
				if c.Index == missing {
					continue
				}
				c.Names(t.Dialect.Text(r.Says(text, c.Index)), func(name string) {
					for _, unknown := range wanted[folded(name)] {
						unknown.isElsewhere(role.Role, name)
					}
				})
			}
		}
	})
}

// isElsewhere notes a name of a role, where it is another than the plan says.
func (n *UnknownName) isElsewhere(role Role, name string) {
	known := func(other NameElsewhere) bool { return other.Column == role }
	if role != n.Column && !slices.ContainsFunc(n.Elsewhere, known) {
		n.Elsewhere = append(n.Elsewhere, NameElsewhere{role, name})
	}
}
