package table

import (
	"maps"
	"slices"
	"strings"

	"github.com/planwright/planwright/shared/fold"
	"github.com/planwright/planwright/shared/table/cell"
	"github.com/planwright/planwright/shared/table/faults"
	"github.com/planwright/planwright/shared/table/profile"
	"github.com/planwright/planwright/shared/table/recognize"
)

// addNearest adds, to names of a plan that no row has, what may have been meant by them:
// the nearest of their role in the table's first rows, and the same in other roles. It
// returns a question about the column of no role in which one of them stands, if there is.
func (t *Table) addNearest(q *Query, names []UnknownName) (holding string) {
	if len(names) == 0 {
		return ""
	}
	byRole, same := map[Role][]string{}, map[string][]*UnknownName{}
	for i, n := range names {
		byRole[n.Column] = append(byRole[n.Column], n.Name)
		looks := fold.Names.Fold(n.Name)
		same[looks] = append(same[looks], &names[i])
	}
	near := make(map[Role]*fold.Nearest, len(byRole))
	for role, names := range byRole {
		kind := fold.Names
		if role == RoleSKU {
			kind = fold.SKUs
		}
		near[role] = fold.NewNearest(kind, names)
	}
	needs := Needs{IfThere: true}
	for _, r := range nameRoles {
		needs.Reads = append(needs.Reads, r.Role)
	}
	text := t.blocks.Remembered()
	text = text[min(len(t.Head), len(text)):]
	titled := profile.NewTitled(t.Header)
	unknown := t.unknown(titled, text)
	columns := recognize.NewLayout(titled, t.profile, t.settings.layoutSettings(), needs, unknown).Columns
	maps.Copy(columns, t.columns)
	for r := range t.each(text) {
		for _, role := range q.rules {
			for _, c := range columns[role.Role] {
				if c.Index == missing {
					continue
				}
				text := r.Says(r.block, c.Index)
				if role.Role == RoleSKU {
					text = cell.Code(text)
				}
				c.Names(t.Dialect.Text(text), func(name string) {
					if near[role.Named()] != nil {
						near[role.Named()].Add(name)
					}
					for _, unknown := range same[fold.Names.Fold(name)] {
						unknown.isElsewhere(role.Named(), name)
					}
				})
			}
		}
	}
	for i, n := range names {
		names[i].Nearest = near[n.Column].Of(n.Name)
	}
	for _, n := range names {
		ofRole := slices.ContainsFunc(nameRoles, func(r roleRule) bool { return r.Role == n.Column })
		if !ofRole || len(n.Nearest) > 0 || len(n.Elsewhere) > 0 {
			continue
		}
		if question, setting, _ := unknown.Holding(string(n.Column), []string{n.Name}); question != "" {
			return faults.Capitalised(strings.TrimPrefix(question, "; ")) + ", say so, with {columns=" + setting + "}."
		}
	}
	return ""
}

// isElsewhere notes a name of a role, where it is another than the plan says.
func (n *UnknownName) isElsewhere(role Role, name string) {
	known := func(other NameElsewhere) bool { return other.Column == role }
	if role != n.Column && !slices.ContainsFunc(n.Elsewhere, known) {
		n.Elsewhere = append(n.Elsewhere, NameElsewhere{role, name})
	}
}
